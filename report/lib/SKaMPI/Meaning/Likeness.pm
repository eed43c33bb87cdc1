package SKaMPI::Meaning::Likeness;

# Which suites can be compared. definition_of_times(SUITE) returns what the times of a suite are,
# is_round_trip(SUITE) whether half of one is the time of one way. unlike(FIRST, SUITE) returns why
# SUITE cannot be compared with FIRST, or undef if it can. Suites can be compared if they are varied
# over the same quantity and their times have the same definition (#@TIMEOF; in results of older
# versions, which lack it, the same pattern). times_note(SUITE...) returns a note about different
# definitions, skew_note(SUITE...) a note about what barrier-measured times contain; or nothing.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any uniq);

use SKaMPI::Meaning::Catalog qw(row_of);
use SKaMPI::Meaning::Subject qw(axis_of);

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
    return if uniq( map { $_->time_name } @suites ) < 2;
    return 'the times of the suites have different definitions: ' . join '; ',
      map { "$_->{label}: " . definition_of_times($_) =~ s/;.*//sr } @suites;
}

# What the time of a suite is, for the reader.
sub definition_of_times ($suite) {
    return $suite->{notes}{TIMEOF} // ( _definition($suite) // {} )->{text} // $suite->time_name;
}

# Whether half of a time is that of one way.
sub is_round_trip ($suite) {
    my $definition = _definition($suite) // return 0;
    return $definition->{round_trip} ? 1 : 0;
}

sub _definition ($suite) {
    return row_of( times => ( split / /, $suite->time_name )[0] );
}

1;

