# Virtual topologies on a torus in groups of four, whose true times torus.c prints (manual 1.5.3): a
# ring of neighbours is faster than one that always leaves the group, by the true factor; a permutation
# that undoes the distance restores the time, for any root.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch build_shim simulate);
use SKaMPI::SimRows qw(output_of);

my $NP     = 16;
my $LENGTH = 1024;
my $RING   = 91;
my $GRID   = 87;

# Process p gets rank 5 p, or 5 p + 3, so that rank + 5 is process + 1.
my @UNDOING = map { 5 * $_ % $NP } 0 .. $NP - 1;
my @MOVING  = map { ( 5 * $_ + 3 ) % $NP } 0 .. $NP - 1;

# Suite and topology, its communication, and the operation of torus.c with the same time.
my @CASES = (
    [ syncol_near   => 0, $RING, 'distance=1',                 'ring-1' ],
    [ syncol_far    => 0, $RING, 'distance=5',                 'ring-5' ],
    [ vtsyncol_far  => 1, $RING, 'distance=5',                 'ring-1' ],
    [ vtsyncol_root => 2, $RING, 'distance=5',                 'ring-1' ],
    [ vtsyncol_same => 3, $RING, 'distance=5',                 'ring-5' ],
    [ vtsyncol_row  => 3, $GRID, 'x_distance=0 y_distance=1',  'inside' ],
    [ vtsyncol_back => 3, $GRID, 'x_distance=0 y_distance=-1', 'inside' ],
    [ vtsyncol_rows => 3, $GRID, 'x_distance=1',               'between' ],
);

sub suite ( $label, $topology, $type, $keys, $truth ) {
    my $name = $label =~ s/^[a-z]+_//r;
    return "$name { Type = $type; Start_Argument = $LENGTH; End_Argument = $LENGTH; "
      . "Virtual_Topology_Number = $topology; Parameters = \"$keys\"; }\n";
}

sub parameters (@cases) {
    return <<"END" . join q{}, map { suite( @{$_} ) } @cases;
\@VERSION 4.1
\@MEMORY 64
\@STANDARDERRORDEFAULT 0.0003
\@CUTQUANTILEDEFAULT 0
\@TOPOLOGY1 Reorder @UNDOING
\@TOPOLOGY2 Reorder @MOVING
\@TOPOLOGY3 Cartesian 2 yes yes
\@MEASUREMENTS
END
}

# The lines "rank process host" of a permutation: process p has rank $ranks[p].
sub mapping (@ranks) {
    my %process = map { $ranks[$_] => $_ } 0 .. $#ranks;
    return
      map { sprintf '%d %d n%d%d', $_, $process{$_}, $process{$_} / 4, $process{$_} % 4 }
      0 .. $#ranks;
}

sub note_of ( $output, $label ) {
    return [ split /\n/, $output->suite($label)->{notes}{TOPOLOGY} ];
}

# label => microseconds; clock: a setting of tests/shim/shim.h; without it, all clocks agree.
sub measure ( $clock, $skampi ) {
    my $output = output_of( $skampi, 'torus4x4', $NP, parameters(@CASES), $clock );
    return ( $output, map { $_->{label} => $_->{rows}[0]{time} } $output->suites );
}

my ( $skampi, $torus ) = build_in_scratch('torus');
my %truth = map { split } split /\n/, simulate( 'torus4x4', $NP, $torus, $LENGTH );
my ( $output, %us ) = measure( q{}, $skampi );

for my $case (@CASES) {
    my ( $label, undef, undef, undef, $what ) = @{$case};
    my $off = $us{$label} / $truth{$what} - 1;
    cmp_ok abs $off, '<', 0.01, sprintf '%s: %.3f us, true value %.3f', $label, $us{$label},
      $truth{$what};
}

my ( $factor, $true ) = ( $us{syncol_far} / $us{syncol_near}, $truth{'ring-5'} / $truth{'ring-1'} );
cmp_ok $true, '>', 2, 'leaving the group takes longer';
cmp_ok abs( $factor / $true - 1 ), '<', 0.01, sprintf 'a factor of %.3f, true value %.3f', $factor,
  $true;
cmp_ok abs( $us{vtsyncol_far} / $us{syncol_near} - 1 ), '<', 0.01, 'the permutation undoes that';

is_deeply note_of( $output, 'vtsyncol_far' ),
  [ 'Reorder of 16 processes: rank process host', mapping(@UNDOING) ],
  'the block lists the mapping';
is_deeply note_of( $output, 'vtsyncol_root' ),
  [ 'Reorder of 16 processes: rank process host', mapping(@MOVING) ], 'also with another root';
is_deeply note_of( $output, 'vtsyncol_row' ),
  [ 'Cartesian 4 x 4, periodic yes yes: rank process host', mapping( 0 .. 15 ) ], 'and of a grid';

# The root announces the start by its own clock, which is not the global one.
my ($shimmed) = build_shim();
my ( undef, %hostile ) = measure( 'offset=1000,drift=100', $shimmed );
cmp_ok abs( $hostile{vtsyncol_root} / $truth{'ring-1'} - 1 ), '<', 0.01,
  'accurate if every process has a different clock';

done_testing;
