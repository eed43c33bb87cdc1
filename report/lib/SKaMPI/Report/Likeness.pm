package SKaMPI::Report::Likeness;

use v5.36;

use Exporter   qw(import);
use List::Util qw(any uniq);

use SKaMPI::Report::Subject qw(axis_of operation_of pattern_of);

our @EXPORT_OK = qw(definition_of_times is_round_trip skew_note times_note unlike);

my %AXIS = (
    length => 'the message length',
    nodes  => 'the number of processes',
    chunks => 'the number of chunks',
    window => 'the size of the window',
    groups => 'the number of groups',
    none   => 'nothing',
);

# Why a suite cannot be compared with the first one, or undef.
sub unlike ( $first, $suite ) {
    my ( $own, $wanted ) = map { axis_of($_) } $suite, $first;
    return "it is varied over $AXIS{$own}, '$first->{label}' over $AXIS{$wanted}"
      if exists $AXIS{$own} && exists $AXIS{$wanted} && $own ne $wanted;
    return "it is not varied over the same quantity as '$first->{label}'" if $own ne $wanted;
    ( $own, $wanted ) = _definitions( $suite, $first );
    return "its time has another definition ($own) than that of '$first->{label}' ($wanted)"
      if $own ne $wanted;
    return;
}

# What barrier-measured values contain by definition, wherever one is shown.
sub skew_note (@suites) {
    return if !any { $_->contains_skew } @suites;
    return
'barrier-measured times (-BM) contain the skew with which the processes left the previous barrier';
}

# A note for suites that are compared although their times have different definitions.
sub times_note (@suites) {
    my @definitions = _definitions(@suites);
    return if uniq(@definitions) < 2;
    return 'the times of the suites have different definitions: ' . join '; ',
      map { "$suites[$_]{label}: $definitions[$_]" } 0 .. $#suites;
}

# What the time of a suite is.
sub definition_of_times ($suite) {
    return ( _definitions($suite) )[0];
}

# Whether half of a time is that of one way.
sub is_round_trip ($suite) {
    return definition_of_times($suite) =~ /round trip/
      || !$suite->{notes}{TIMEOF}
      && pattern_of($suite) eq 'p2p'
      && operation_of($suite) !~ /Sendrecv/ ? 1 : 0;
}

# The definitions of their times as in the results, without remarks after a semicolon. If one of them is missing, the patterns distinguish the
# times; a topology does not change the pattern.
sub _definitions (@suites) {
    my @defined = grep { defined } map { $_->{notes}{TIMEOF} } @suites;
    return map { s/;.*//sr } @defined if @defined == @suites;
    return map { 'the pattern ' . $_->{prefix} =~ s/\Avt//r } @suites;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Likeness - which suites can be compared

=head1 DESCRIPTION

C<definition_of_times(SUITE)> returns what the times of a suite are,
C<is_round_trip(SUITE)> whether half of one is the time of one way. C<unlike(FIRST, SUITE)> returns why SUITE cannot be compared with FIRST, or undef if it can. Suites can be
compared if they are varied over the same quantity and their times have the same definition (C<#@TIMEOF>;
in results of older versions, which lack it, the same pattern). C<times_note(SUITE...)> returns a note about
different definitions, C<skew_note(SUITE...)> a note about what barrier-measured times contain; or nothing.

=cut
