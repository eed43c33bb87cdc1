package SKaMPI::Findings::Advice;

# Alternatives to a collective that is slower than an algorithm of point-to-point calls.
use SKaMPI::Base;

# An operation of the library, an algorithm of point-to-point calls that does the same, and the name of this
# algorithm in Open MPI and in MPICH; undef without a name.
my @ALGORITHMS = (
    [ Bcast     => 'Bcast_binomial',        'binomial',           'binomial' ],
    [ Reduce    => 'Reduce_binomial',       'binomial',           'binomial' ],
    [ Gather    => 'Gather_binomial',       'binomial',           'binomial' ],
    [ Scatter   => 'Scatter_binomial',      'binomial',           'binomial' ],
    [ Allgather => 'Allgather_ring',        'ring',               'ring' ],
    [ Allgather => 'Allgather_doubling',    'recursive_doubling', 'recursive_doubling' ],
    [ Allreduce => 'Allreduce_ring',        'ring',               undef ],
    [ Allreduce => 'Allreduce_doubling',    'recursive_doubling', 'recursive_doubling' ],
    [ Alltoall  => 'Alltoall_pairwise',     'pairwise',           'pairwise' ],
    [ Alltoall  => 'Alltoall_Bruck',        'modified_bruck',     'brucks' ],
    [ Barrier   => 'Barrier_dissemination', 'bruck',              'dissemination' ],
);
my %ALGORITHM = map { $_->[1] => $_ } @ALGORITHMS;

# The beginning of a library's text, the column of its names above, its spelling of operations, and how to select one.
my @LIBRARIES = (
    [
        qr/\AOpen MPI\b/,
        2,
        sub ($operation) { return lc $operation },
'OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_%s_algorithm=%s in the environment'
    ],
    [
        qr/\AMPICH\b/, 3,
        sub ($operation) { return uc $operation },
        'MPIR_CVAR_%s_INTRA_ALGORITHM=%s in the environment'
    ],
);

# Returns pairs of an operation of MPI and an algorithm.
sub algorithms {
    return map { [ "MPI_$_->[0]", $_->[1] ] } @ALGORITHMS;
}

# Returns a sentence on what to do in LIBRARY, the text of the fact MPILIBRARY; undef for an unknown algorithm.
sub advice_of ( $algorithm, $library ) {
    my $row    = $ALGORITHM{$algorithm} // return;
    my $itself = 'A program can make these point-to-point calls itself';
    for my $known (@LIBRARIES) {
        my ( $begins, $column, $spelled, $command ) = @{$known};
        next if $library !~ $begins || !defined $row->[$column];
        my $how = sprintf $command, $spelled->( $row->[0] ), $row->[$column];
        return "$itself, or try the library's algorithm of that kind: $how.";
    }
    return "$itself.";
}

1;
