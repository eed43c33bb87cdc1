package SKaMPI::Combinations;

# A parameter file with each pattern and variation, of operations without and with a part that is measured alone, with
# and without a topology, visited once and several times: what all processes must do together.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);

use SKaMPI::Meaning::Catalog qw(row_of rows_of);
use SKaMPI::Test             qw(read_file);

our @EXPORT_OK = qw(combinations unfinished without);

# At least one of each pattern. RMA has a part (201, 211); streams (165, 175), partitions (269) and spreads (242, 248)
# have variations of their own.
my @TYPES = (
    1,  165, 201, 269, 12,  17,  248, 24,  47, 211, 242, 51,
    52, 53,  160, 175, 170, 220, 272, 301, 311
);
my @ON_TOPOLOGY = ( 12, 17, 47, 211, 311 );

# The trait or key of a type that adds a variation to those of its pattern.
my %ADDED =
  ( window => 'Window', spread => 'Spread', partitions => 'Partitions', threads => 'Threads' );

# The key that a variation needs, of all patterns or of one.
my %KEYS = ( 'syncol Groups' => 'groups=2', Pairs => 'pairs=round', Spread => 'spread=sparse' );

# Two arguments, where the default has more.
my %RANGE = (
    Length   => [ 8,  64 ],
    Chunks   => [ 2,  6 ],
    Window   => [ 1,  3 ],
    Work     => [ 50, 100 ],
    Distance => [ 1,  2 ],
    Spread   => [ 1,  2 ],
    Threads  => [ 1,  3 ],
);

my $LIMITS = 'Min_Repetition = 2; Max_Repetition = 4; Time_Measurement = 0.01;';

sub variations_of ($type) {
    my %has = map { $_ => 1 } @{ $type->{traits} }, @{ $type->{keys} };
    return (
        @{ row_of( patterns => $type->{pattern} )->{variations} },
        map { $ADDED{$_} } grep { $has{$_} } sort keys %ADDED
    );
}

# Groups of collective operations have at least two processes each, and no topology.
sub can_vary ( $np, $type, $variation, $topology ) {
    return $variation ne 'Groups' || $type->{pattern} eq 'pairs' || ( $np % 2 == 0 && !$topology );
}

sub range_of ( $np, $variation ) {
    my ( $first, $last ) = $variation eq 'Nodes' ? ( 2, $np ) : @{ $RANGE{$variation} // [] };
    return q{} if !$first;
    my $step = $last - $first;
    return
      "Scale = Fixed_linear; Start_Argument = $first; End_Argument = $last; Stepwidth = $step;";
}

# The suites of a type, named by PREFIX, which is 'on' for those on a topology: with two visits, and with one.
sub suites ( $np, $once, $prefix, $number ) {
    my $topology = $prefix eq 'on';
    my $type     = row_of( types => $number );
    my $visited  = grep { $_ eq 'passes' } @{ $type->{keys} };
    my @passes   = !$visited ? 0 : $once ? ( 1, 2 ) : 2;
    my @suites;
    for my $variation ( grep { can_vary( $np, $type, $_, $topology ) } variations_of($type) ) {
        my $key = $KEYS{"$type->{pattern} $variation"} // $KEYS{$variation} // q{};
        my $on  = $variation eq 'Nodes' ? 1 : 2;
        my $fields =
          "Type = $number; Variation = $variation; $LIMITS " . range_of( $np, $variation );
        $fields .= " Virtual_Topology_Number = $on;" if $topology;
        for my $passes (@passes) {
            my $visits = $passes ? "passes=$passes" : q{};
            push @suites,
              "$prefix$number-$variation-$passes { $fields Parameters = \"$key $visits\"; }\n";
        }
    }
    return @suites;
}

# The file for a number of processes; absolute: yes or no.
sub combinations ( $np, $absolute ) {
    return join q{}, "\@VERSION 4.1\n\@MEMORY 256\n\@ABSOLUTE $absolute\n\@POSTPROC no\n",
      "\@TOPOLOGY1 Cartesian 2 yes no\n\@TOPOLOGY2 Reorder 2 0 1\n\@MEASUREMENTS\n",
      ( map { suites( $np, $absolute eq 'yes', 'x', $_ ) } @TYPES ),
      map { suites( $np, $absolute eq 'yes', 'on', $_ ) } @ON_TOPOLOGY;
}

sub without () {
    my %has = map { row_of( types => $_ )->{pattern} => 1 } @TYPES;
    return grep { !$has{$_} } uniq map { $_->{pattern} } rows_of('types');
}

# Suites of the file in this directory that were neither measured nor skipped.
sub unfinished () {
    my $out   = -e 'skampi.out' ? read_file('skampi.out') : q{};
    my %ended = map { $_ => 1 } $out =~ m{^#(?:/[*]\@in|\@SKIPPED )[a-z0-9]+_([\w-]+)}mg;
    return grep { !$ended{$_} } read_file('.skampi') =~ /^(\S+) [{]/mg;
}

1;
