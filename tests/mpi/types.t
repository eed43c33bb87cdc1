# Types keep number and name, which are in parameter files and results. Those of 4.1 are the manual's tables 3.1 to 3.5;
# types.txt has them all, and make golden adds new ones.
use v5.36;

use Test::More;
use SKaMPI::Meaning::Catalog qw(row_of rows_of);
use SKaMPI::Test             qw($ROOT golden);

# Tables 3.2 to 3.4.
my %ALONE = (
    p2p => <<'END',
1 MPI_Send-MPI_Recv, 2 MPI_Send-MPI_Recv_with_Any_Tag, 3 MPI_Send-MPI_Irecv, 4 MPI_Send-MPI_Iprobe_Recv,
5 MPI_Ssend-MPI_Recv, 6 MPI_Isend-MPI_Recv, 7 MPI_Bsend-MPI_Recv, 8 MPI_Sendrecv, 9 MPI_Sendrecv_replace,
29 dummy, 34 MPI_Issend-MPI_Recv
END
    mw => <<'END',
10 MPI_Waitsome, 11 MPI_Waitany, 12 MPI_Recv_Any_Source, 13 MPI_Send, 14 MPI_Ssend, 15 MPI_Isend, 16 MPI_Bsend,
30 dummy
END
    simple => <<'END',
24 MPI_Wtime, 25 MPI_Comm_rank, 26 MPI_Comm_size, 27 MPI_Iprobe, 28 MPI_attach, 32 dummy
END
);

# Table 3.5, by what follows from the operation: L length, R reduces, r has a root.
my %COLLECTIVE = (
    Lr => <<'END',
17 47 MPI_Bcast, 33 48 MPI_Gather, 35 60 MPI_Scatter, 40 65 MPI_Scatterv, 41 66 MPI_Gatherv, 45 70 MPI_Gather_SR,
46 71 MPI_Gather_ISWA, 72 73 MPI_Bcast_Send_Recv
END
    q{-} => <<'END',
18 49 MPI_Barrier, 22 57 MPI_Comm_split, 76 77 MPI_Comm_dup
END
    LRr => <<'END',
19 54 MPI_Reduce, 37 62 MPI_Reduce_Bcast, 44 69 MPI_Reduce_Scatterv
END
    L => <<'END',
20 55 MPI_Alltoall, 23 58 memcpy, 31 59 dummy, 39 64 MPI_Allgather, 42 67 MPI_Allgatherv, 43 68 MPI_Alltoallv,
74 75 MPI_Alltoall_Isend_Irecv, 78 79 MPI_Alltoallv_Isend_Irecv
END
    LR => <<'END',
21 56 MPI_Scan, 36 61 MPI_Allreduce, 38 63 MPI_Reduce_scatter
END
);

my %LETTER = ( has_length => 'L', reduces => 'R', rooted => 'r' );

# "col MPI_Bcast Lr", by the catalogue.
sub said ($number) {
    my $type   = row_of( types => $number ) // return 'none';
    my %has    = map { $_ => 1 } @{ $type->{traits} };
    my $traits = join q{}, map { $has{$_} ? $LETTER{$_} : () } sort keys %LETTER;
    return "$type->{pattern} $type->{name} " . ( $traits || q{-} );
}

for my $pattern ( sort keys %ALONE ) {
    my $traits = $pattern eq 'simple' ? q{-} : 'L';
    is said($1), "$pattern $2 $traits", "type $1" while $ALONE{$pattern} =~ /(\d+) ([^,\n]+)/g;
}
for my $traits ( sort keys %COLLECTIVE ) {
    while ( $COLLECTIVE{$traits} =~ /(\d+) (\d+) (\w+)/g ) {
        is said($1), "col $3 $traits",    "type $1";
        is said($2), "syncol $3 $traits", "type $2";
    }
}
is said($_) =~ s/ .*//r, 'internal', "type $_" for 50 .. 53;

# A line for the numbers of a pattern that differ in the last digit only.
my %line;
for my $type ( rows_of('types') ) {
    my $tens  = int $type->{number} / 10;
    my $begin = sprintf '%s %d:', $type->{pattern}, $tens;
    push @{ $line{$begin} }, $type->{number} % 10 . "=$type->{name}";
}
my $text = join q{}, map { "$_ @{ $line{$_} }\n" } sort keys %line;
is $text, golden( "$ROOT/tests/mpi/types.txt", $text ), 'all types'
  or diag 'make golden, and review the diff';

done_testing();
