# The key pairs, and the file of pairs that it may name: what is accepted, and what is refused with file,
# line and column.
use v5.36;

use POSIX qw(mkfifo);
use Test::More;
use SKaMPI::Test qw(blocks_of scratch write_file skampi workplace);

my $PROCESSES = 6;

sub parameters ($fields) {
    return "\@VERSION 4.1\n\@MEMORY 64\n\@MEASUREMENTS\nA { Type = 160; $fields }\n";
}

# Of --check in a directory with these files besides the parameter file.
sub check ( $fields, %files ) {
    my $dir = workplace( 'p.skampi' => parameters($fields), %files );
    return skampi( $dir, '--check', 'p.skampi', '-n', $PROCESSES );
}

my @GOOD = qw(half NEXT shift:1 Shift:3 xor:1 xor:5 random:0 random:2147483647);
for my $pairs (@GOOD) {
    my $run = check(qq{Parameters = "pairs=$pairs";});
    is "$run->{status} $run->{err}", '0 ', "pairs=$pairs";
}

my $WANTED = 'expected half, next, shift:DISTANCE, xor:DISTANCE, random:SEED, file:NAME or round';
my @BAD    = map { [ "pairs=$_", "4:37: $WANTED, got '$_'" ] } 'halves', 'half:1', 'half:', 'shift',
  'random', 'file', 'file:', 'file:' . 'x' x 300;
push @BAD, blocks_of(<<'END');
pairs=shift: :: 4:43: DISTANCE of 'pairs=shift' must be an integer from 1 to 2147483647
pairs=shift:0 :: 4:43: DISTANCE of 'pairs=shift' must be an integer from 1 to 2147483647
pairs=shift:-1 :: 4:43: DISTANCE of 'pairs=shift' must be an integer from 1 to 2147483647
pairs=xor:x :: 4:41: DISTANCE of 'pairs=xor' must be an integer from 1 to 2147483647
pairs=random:-1 :: 4:44: SEED of 'pairs=random' must be an integer from 0 to 2147483647
pairs=random:2147483648 :: 4:44: SEED of 'pairs=random' must be an integer from 0 to 2147483647
pairs=xor:8 :: 4:30: 'pairs=xor:8' leaves no pair among 6 processes
pairs=shift:6 :: 4:30: 'pairs=shift:6' leaves no pair among 6 processes
matchings=0 :: 4:41: expected
pairs=random:1 matchings=2000 :: 4:30: 2000 matchings need as many repetitions, but Max_Repetition is 20
pairs=file:none :: 4:30: cannot read 'none': No such file
END
for my $bad (@BAD) {
    my ( $keys, $message ) = @{$bad};
    my $run = check(qq{Parameters = "$keys";});
    is $run->{status}, 2, substr "$keys: refused", 0, 60;
    my ($first) = $run->{err} =~ /\Ap[.]skampi:([^\n]*)/;
    my $start = $message =~ s/, got.*//r;
    like $first, qr/\A\Q$start\E/, 'with its place and reason';
}

for my $pairs (qw(shift:1 xor:1 file:f)) {
    my $run = check( qq{Variation = Nodes; Parameters = "pairs=$pairs";}, f => "0 1\n" );
    is $run->{status}, 2, "$pairs over Nodes: refused";
    like $run->{err},
      qr/\Ap[.]skampi:4:49: 'pairs=$pairs' cannot be combined with 'Variation = Nod/,
      'with its place';
}

# For all pairs of processes.
for my $case ( blocks_of(<<'END') ) {
Variation = Pairs; Parameters = "pairs=half"; :: 4:29: 'Variation = Pairs' needs 'Parameters = "pairs=round"'
Variation = Pairs; Parameters = "pairs=round raw=yes"; :: 4:49: histogram and raw cannot be combined with 'Variation = Pairs'
Max_Repetition = 4; Parameters = "pairs=round"; :: 4:50: 'pairs=round' among 6 processes has 5 rounds and needs as many
Parameters = "pairs=round:2"; :: 4:37: expected half, next,
END
    my ( $fields, $message ) = @{$case};
    my $run = check($fields);
    is $run->{status}, 2, "$fields: refused";
    like $run->{err}, qr/\Ap[.]skampi:\Q$message\E/, 'with its place';
}
like check('Variation = Pairs; Parameters = "pairs=round";')->{out},
  qr/pair, all of them in rounds: 5$/m, '--check: the number of rounds';

my @GOOD_FILES = (
    [ "0 1\n2 3\n4 5\n",              'a pair on each line' ],
    [ "5 0",                          'one pair, no line end' ],
    [ "# far\n0\t5 # a\r\n\n1 4 2 3", 'comments, tabs, several on a line' ],
);
for my $good (@GOOD_FILES) {
    my ( $text, $what ) = @{$good};
    my $run = check( 'Parameters = "pairs=file:f.txt";', 'f.txt' => $text );
    is "$run->{status} $run->{err}", '0 ', "file: $what";
}

my @BAD_FILES = (
    [ "0 1\n2 2\n",    '2:3: rank 2 cannot be its own partner' ],
    [ "0 1\n2 0\n",    '2:3: rank 0 occurs twice; its partner is already 1' ],
    [ "0 1\n1 2\n",    '2:1: rank 1 occurs twice; its partner is already 0' ],
    [ "0 1\n0 1\n",    '2:1: rank 0 occurs twice; its partner is already 1' ],
    [ "0 1 # a\n 2",   '2:3: rank 2 has no partner: write two ranks for each pair' ],
    [ "0 6\n",         '1:3: rank 6 is not among the 6 processes of this run' ],
    [ "0 -1\n",        '1:3: ' ],
    [ "0 one\n",       q{1:3: expected a rank} ],
    [ "0,1\n",         q{1:2: expected a rank} ],
    [ '0 99999999999', '1:3: ' ],
    [ "\0\1",          '1:1: expected a rank' ],
    [ "# nothing\n\n", '1:1: no pairs: write two ranks for each pair' ],
    [ q{},             '1:1: no pairs' ],
);
for my $bad (@BAD_FILES) {
    my ( $text, $message ) = @{$bad};
    my $run = check( 'Parameters = "pairs=file:f.txt";', 'f.txt' => $text );
    is $run->{status}, 2, "$message: refused";
    like $run->{err}, qr/\Af[.]txt:\Q$message\E/, 'with file, line and column';
}

# A pipe would make skampi wait for ever. The text of a named file is not printed: a stranger's parameter file may name
# one that only its user may read.
my $dir = scratch();
mkfifo( "$dir/pipe", oct 600 ) or die "$dir/pipe: $!\n";
write_file( "$dir/private", "secret:1:2\n" );
my %field = (
    'a file of pairs'   => [ 160,   'pairs=file',  'a rank' ],
    'a file of shares'  => [ 244,   'spread=file', 'a share' ],
    'a file of a graph' => [ undef, undef,         'a rank' ],
);
for my $what ( sort keys %field ) {
    my ( $type, $key, $expected ) = @{ $field{$what} };
    for my $case (
        [ pipe        => qr/cannot read 'pipe': not a regular file/ ],
        [ '/dev/zero' => qr{cannot read '/dev/zero': not a regular file} ],
        [ q{.}        => qr/cannot read '[.]': Is a directory/ ],
        [ 'private'   => qr/\Aprivate:1:1: expected [^\n]*\n\z/ ]
      )
    {
        my ( $name, $message ) = @{$case};
        my $suite =
            'A { Type = '
          . ( $type // 102 ) . '; '
          . ( $key ? qq{Parameters = "$key:$name";} : 'Virtual_Topology_Number = 1;' ) . " }\n";
        my $graph = $key ? q{} : "\@TOPOLOGY1 Directed file:$name\n";
        write_file( "$dir/p.skampi", "\@VERSION 4.2\n\@MEMORY 64\n$graph\@MEASUREMENTS\n$suite" );
        my $run = skampi( $dir, '--check', 'p.skampi', '-n', 4 );
        like $run->{err},   $message,   "$what: $name";
        unlike $run->{err}, qr/secret/, 'its text is not printed';
        is $run->{status}, 2, 'exit status';
    }
}
my $run = skampi( $dir, '--check', 'pipe' );
like $run->{err}, qr/\Askampi: cannot read 'pipe': not a regular file\n/, 'the parameter file';

done_testing;
