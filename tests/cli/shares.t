# The file of shares that the key spread may name: what is accepted, and what is refused with file, line and
# column.
use v5.36;

use Test::More;
use SKaMPI::Test qw(scratch write_file skampi);

my $PROCESSES = 3;

# Of --check in a directory with the file f.
sub check ( $type, $fields, $text, $keys = undef ) {
    my $dir = scratch();
    $keys //= q{};
    write_file( "$dir/p.skampi", <<"END");
\@VERSION 4.2
\@MEMORY 64
\@MEASUREMENTS
A { Type = $type; $fields Parameters = "${keys}spread=file:f"; }
END
    write_file( "$dir/f", $text );
    return skampi( $dir, '--check', 'p.skampi', '-n', $PROCESSES );
}

# Types with equal counts name the one with others.
for ( [ 79, '252 \'syncol_Irregular_Alltoallv_Isend_Irecv' ],
    [ 43, '246 \'col_Irregular_Alltoallv' ] )
{
    my ( $type, $other ) = @{$_};
    like check( $type, q{}, '1 1 1 1 1 1 1 1 1' )->{err},
qr/\Ap[.]skampi:4:\d+: key 'spread' has no meaning for type $type '\w+'; type \Q$other\E' has it$/m,
      "type $type: names another type";
}

my $IN_PLACE = 'in_place=yes ';

my @GOOD = (
    [ 240, "0 1 2\n3 4 5\n6 7 8\n",                         'a row for each process' ],
    [ 252, "0 1 2\n3 4 5\n6 7 8\n",                         'of messages, too' ],
    [ 241, "# sizes\n0 1000000000 0 # 0\r\n\n1\t0 0 0 0 0", 'comments, tabs, empty lines' ],
    [ 242, "1 2 3",                                         'a number for each process' ],
    [ 245, "0 0 7\n",                                       'one part' ],
    [ 240, "0 1 2\n1 4 5\n2 5 8\n", 'a symmetric matrix in place', $IN_PLACE ],
    [ 242, "1 2 3",                 'parts in place',              $IN_PLACE ],
);
for my $good (@GOOD) {
    my ( $type, $text, $what, $keys ) = @{$good};
    my $run = check( $type, q{}, $text, $keys );
    is "$run->{status} $run->{err}", '0 ', "type $type: $what";
}

my @BAD = (
    [ 240, "1 2 3\n4 5 six\n", q{2:5: expected a share} ],
    [ 240, "1 2 -3\n",         '1:5: a share must be at least 0' ],
    [ 240, "1 2 1000000001\n", '1:5: a share must be at most 1000000000' ],
    [ 240, "1 2.5 3\n",        q{1:3: expected a share} ],
    [ 240, "1, 2\n",           q{1:2: expected a share} ],
    [
        240,
        "1 2 3\n4 5 6\n7 8\n",
q{3:4: type 'syncol_Irregular_Alltoallv' among 3 processes needs 9 shares, a row of them for each}
          . ' process, but there are 8'
    ],
    [
        242,
        "1 2 3\n4\n",
q{2:2: type 'syncol_Irregular_Gatherv' among 3 processes needs 3 shares, one for each process,}
          . ' but there are 4'
    ],
    [ 242, "0 0 0\n", '1:1: all shares are 0; at least one must be above 0' ],
    [ 242, "# a\n",   '1:1: no shares; at least one must be above 0' ],
    [ 242, q{},       '1:1: no shares' ],
    [ 242, "\0\1",    '1:1: expected a share' ],
    [
        240,
        "1 2 3\n2 0 4 # row 1\n3 5 1\n",
        '3:3: in place, the share of process 2 for 1 must be that of 1 for 2, 4', $IN_PLACE
    ],
);
for my $bad (@BAD) {
    my ( $type, $text, $message, $keys ) = @{$bad};
    my $run = check( $type, q{}, $text, $keys );
    is $run->{status}, 2, "$message: refused";
    like $run->{err}, qr/\Af:\Q$message\E/, 'with file, line and column';
}

# A process that sends more than the mean needs longer buffers.
sub longest ($text) {
    my ($last) =
      check( 240, 'Scale = Fixed_log; Stepwidth = 2;', $text )->{out} =~
      / ([0-9]+)\n *limits .*\n *in 5 passes.*\n\n/;
    return $last;
}
cmp_ok longest('9 0 0 0 0 0 0 0 0') * 3, '<', longest('1 1 1 1 1 1 1 1 1'),
  'unequal rows leave less memory for messages';

write_file( ( my $dir = scratch() ) . '/p.skampi',
    "\@VERSION 4.2\n\@MEASUREMENTS\nA { Type = 240; Parameters = \"spread=file:none\"; }\n" );
like skampi( $dir, '--check', 'p.skampi' )->{err}, qr/\Ap[.]skampi:3:30: cannot read 'none'/,
  'a missing file is named';

done_testing;
