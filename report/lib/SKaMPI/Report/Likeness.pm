package SKaMPI::Report::Likeness;

use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);

use SKaMPI::Report::Subject qw(axis_of);

our @EXPORT_OK = qw(times_note unlike);

my %AXIS = (
    length => 'the message length',
    nodes  => 'the number of nodes',
    chunks => 'the number of chunks',
    none   => 'nothing',
);

# Why a suite cannot be compared with the first one, or undef.
sub unlike ( $first, $suite ) {
    my ( $own, $wanted ) = map { axis_of($_) } $suite, $first;
    return "it is varied over $AXIS{$own}, '$first->{label}' over $AXIS{$wanted}"
      if exists $AXIS{$own} && exists $AXIS{$wanted} && $own ne $wanted;
    return "it is not varied over the same as '$first->{label}'" if $own ne $wanted;
    ( $own, $wanted ) = _definitions( $suite, $first );
    return "its time is that of $own, the time of '$first->{label}' that of $wanted"
      if $own ne $wanted;
    return;
}

# A sentence where suites that are compared on purpose have different times.
sub times_note (@suites) {
    my @definitions = _definitions(@suites);
    return if uniq(@definitions) < 2;
    return 'the suites have different times: ' . join '; ',
      map { "$suites[$_]{label}: $definitions[$_]" } 0 .. $#suites;
}

# What their times are the times of, in the words of the results; where one of them does not say it, by
# the patterns, of which a topology makes no other.
sub _definitions (@suites) {
    my @told = grep { defined } map { $_->{notes}{TIMEOF} } @suites;
    return @told if @told == @suites;
    return map { 'the pattern ' . $_->{prefix} =~ s/\Avt//r } @suites;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Likeness - which suites can be compared

=head1 DESCRIPTION

C<unlike(FIRST, SUITE)> returns why SUITE cannot be compared with FIRST, or undef: they are varied over
something else, or their times are defined differently (C<#@TIMEOF>; in results of older versions, which
lack it, the pattern counts). C<times_note(SUITE...)> is a sentence about different definitions, or nothing.

=cut
