# Groups of processes: what is planned, and what is refused with its place.
use v5.36;

use Test::More;
use SKaMPI::Test qw(blocks_of skampi workplace);

sub check ( $processes, $fields ) {
    $fields = "Type = 61; $fields" if $fields !~ /Type/;
    my $dir =
      workplace( 'p.skampi' =>
          "\@VERSION 4.1\n\@MEMORY 64\n\@TOPOLOGY1 Cartesian 1 yes\n\@MEASUREMENTS\nA { $fields }\n"
      );
    return skampi( $dir, '--check', 'p.skampi', '-n', $processes );
}

my @GOOD = (
    [ 8,  'Parameters = "groups=1 layout=cyclic";' ],
    [ 8,  'Parameters = "groups=4";' ],
    [ 12, 'Parameters = "groups=3 layout=cyclic";' ],
    [ 12, 'Variation = Groups; Parameters = "groups=6";',                   '1 2 3 4 5 6' ],
    [ 12, 'Variation = Groups; End_Argument = 4; Parameters = "groups=6";', '1 2 3 4' ],
    [ 7,  'Type = 160; Variation = Groups;',                                '1 2 3' ],
    [ 8,  'Type = 160; Variation = Groups; Parameters = "pairs=xor:5";',    '1 2 3 4' ],
);
for my $good (@GOOD) {
    my ( $processes, $fields, $arguments ) = @{$good};
    my $run = check( $processes, $fields );
    is "$run->{status} $run->{err}", '0 ', "$processes processes: $fields";
    like $run->{out}, qr/^ +\Q$arguments\E$/m, 'arguments' if defined $arguments;
}

my @BAD = blocks_of(<<'END');
8 :: Parameters = "groups=3"; :: 29: 8 processes cannot be divided into 3 groups of equal
8 :: Parameters = "groups=9"; :: 29: 8 processes cannot be divided into 9 groups of equal
8 :: Parameters = "groups=8"; :: 29: 8 groups of 8 processes have one process each; a group
8 :: Parameters = "groups=0"; :: 37: expected an integer from 1
8 :: Parameters = "groups=2 layout=x"; :: 46: expected block or cyclic
8 :: Variation = Groups; :: 28: 'Variation = Groups' needs the greatest number of groups
8 :: Variation = Nodes; Parameters = "groups=2"; :: 48: groups cannot be combined with 'Variation = Nodes'
8 :: Virtual_Topology_Number = 1; Parameters = "groups=2"; :: 58: groups cannot be combined with a virtual topology
END
for my $bad (@BAD) {
    my ( $processes, $fields, $message ) = @{$bad};
    my $run = check( $processes, $fields );
    is $run->{status}, 2, "$fields: refused";
    my ($first) = $run->{err} =~ /\Ap[.]skampi:5:([^\n]*)/;
    like $first, qr/\A\Q$message\E/, 'with its place';
}

for my $keys ( 'ring=all', 'ring=2', 'ring=9 order=natural', 'order=random:0', 'order=Random:7' ) {
    my $run = check( 8, qq{Type = 189; Parameters = "$keys";} );
    is "$run->{status} $run->{err}", '0 ', "rings: $keys";
}
for my $keys (qw(ring=1 ring=x order=random order=random: order=random:-1 order=random:x order=no))
{
    my $run = check( 8, qq{Type = 189; Parameters = "$keys";} );
    is $run->{status}, 2, "rings, $keys: refused";
    like $run->{err}, qr/\Ap[.]skampi:5:(?:36|37|44): (?:expected|SEED of 'order=random' must be) /,
      'with its place';
}

done_testing;
