package SKaMPI::Findings::Guidelines;

# Operations that are slower than others that do the same. If a user can make an MPI operation
# faster by replacing it with one or more other operations, the library is slower than necessary.
# The rules that follow from this are known as self-consistent performance guidelines (J. L. Traeff,
# W. Gropp, R. Thakur: Self-consistent MPI performance requirements, EuroPVM/MPI 2007). The manual says what is
# compared; the kinds are variant, algorithm, equal counts, general, composed, datatype, same layout, staged,
# in place, reordered, split, one-sided, data, place, and those of SKaMPI::Findings::ApplicationGuidelines.
# - composed: each part is measured by a separate suite. The sum of these times, each of the slowest process or with a
#     barrier, is an upper bound of the sequence's time, so these findings are safe.
# - data: the times of fresh and of kept data, if those of fresh data are longer. This is not a
#     guideline: it says how much too fast a benchmark is that sends the same data again and again.
# - place: the same of files: the next place in each repetition, and always the same one.
# Only suites that are measured in the same way (synchronously, or else by barriers), over the same
# quantity and with the same attributes (SKaMPI::Meaning::Subject) are compared. Lengths are those
# of the suites: per process if every process has a separate part. SKaMPI::Stat::Estimate defines
# which times are clearly longer. Arguments that all suites have measured are compared; if there are
# none, times between measured arguments are interpolated.
use SKaMPI::Base;

use List::Util qw(any first none);

use SKaMPI::Findings::Cases                 qw(candidates case_of mark_isolated);
use SKaMPI::Findings::ApplicationGuidelines qw(application_guidelines);
use SKaMPI::Findings::OneSided              qw(message_like);
use SKaMPI::Meaning::Applications           qw(is_building);
use SKaMPI::Meaning::Catalog                qw(is_derived row_of type_row);
use SKaMPI::Meaning::Subject
  qw(attribute axis_of is_in_gpu is_plain operation_of pattern_of variant_of);
use SKaMPI::Stat::Estimate qw(is_excess sum_of);

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

# An operation, the kind of guideline, and the equivalent sequence of operations, which should not be faster. A length
# after a colon is relative to that of the operation; p is the number of processes.
my @GUIDELINES = (
    [qw(MPI_Bcast variant MPI_Bcast_Send_Recv)],
    [qw(MPI_Bcast variant MPI_Bcast_Send_Recv2)],
    [qw(MPI_Gather variant MPI_Gather_SR)],
    [qw(MPI_Gather variant MPI_Gather_ISWA)],
    [qw(MPI_Alltoall variant MPI_Alltoall_Isend_Irecv)],
    [qw(MPI_Alltoallv variant MPI_Alltoallv_Isend_Irecv)],
    [qw(MPI_Allreduce variant MPI_Reduce_Bcast)],
    [qw(MPI_Reduce_scatter variant MPI_Reduce_Scatterv)],
    [qw(MPI_Reduce_scatter_block general MPI_Reduce_scatter)],
    [qw(MPI_Exscan variant MPI_Scan)],
    [qw(MPI_Scan composed MPI_Exscan MPI_Reduce_local)],
    [qw(MPI_Neighbor_alltoall variant Neighbor_Isend_Irecv)],
    [qw(MPI_Neighbor_allgather general MPI_Neighbor_allgatherv)],
    [qw(MPI_Neighbor_allgather general MPI_Neighbor_alltoall)],
    [qw(MPI_Neighbor_alltoall general MPI_Neighbor_alltoallv)],
    [qw(MPI_Neighbor_alltoallv general MPI_Neighbor_alltoallw)],
    ( map { [ $_->[0], 'algorithm', $_->[1] ] } algorithms() ),
    (
        map { [ "Persistent_$_", 'variant', "MPI_$_" ] }
          qw(Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Reduce Allreduce
          Reduce_scatter Reduce_scatter_block Scan Exscan Barrier)
    ),
    [qw(MPI_File_write_at_all variant MPI_File_write_at)],
    [qw(MPI_File_read_at_all variant MPI_File_read_at)],
    [qw(MPI_File_write_at_all-strided variant MPI_File_write_at-strided)],
    [qw(MPI_File_read_at_all-strided variant MPI_File_read_at-strided)],
    ( map { [ "MPI_$_",    'general',      "MPI_${_}v" ] } qw(Gather Scatter Allgather Alltoall) ),
    ( map { [ "MPI_${_}v", 'equal counts', "MPI_$_" ] } qw(Gather Scatter Allgather Alltoall) ),
    [qw(MPI_Gather general MPI_Allgather)],
    [qw(MPI_Gather general MPI_Reduce:p)],
    [qw(MPI_Allgather general MPI_Alltoall)],
    [qw(MPI_Barrier general MPI_Allreduce)],
    [qw(MPI_Reduce general MPI_Allreduce)],
    [qw(MPI_Scatter general MPI_Bcast:p)],
    [qw(MPI_Allreduce composed MPI_Reduce MPI_Bcast)],
    [qw(MPI_Allreduce composed MPI_Reduce_scatter:1/p MPI_Allgather:1/p)],
    [qw(MPI_Allgather composed MPI_Gather MPI_Bcast:p)],
    [qw(MPI_Bcast composed MPI_Scatter:1/p MPI_Allgather:1/p)],
    [qw(MPI_Reduce composed MPI_Reduce_scatter:1/p MPI_Gather:1/p)],
    [qw(MPI_Reduce_scatter composed MPI_Reduce:p MPI_Scatter)],
    [qw(MPI_Reduce_scatter composed MPI_Allreduce:p)],
    [qw(MPI_Reduce_scatter_block composed MPI_Reduce:p MPI_Scatter)],
);

my @ABOUT_SUITE = (
    \&_about_attributes,  \&_about_split, \&_about_reordering,
    \&_about_application, \&_about_one_sided
);

my @PREFIXES = qw(syncol col p2p io);

# Neighbours exist only on a virtual topology.
my @NEIGHBOURS = qw(vtsyncol vtcol);

# Attributes of a suite that sends the same bytes without gaps, the best first.
my @CONTIGUOUS = (
    { method   => 'contiguous' },
    { datatype => 20 },
    map { { datatype => $_, basetype => q{} } } 1, 5
);

# Datatypes that describe the same bytes: vectors whose stride is a number of elements or bytes; indexed types and a
# struct of the same blocks; vectors and indexed types of vectors and indexed types.
my @SAME_LAYOUT = ( [ 31, 32 ], [ 33, 35, 36 ], [ 61 .. 64 ] );

my $SPLIT =
  qr/\AMPI_(?:Send-MPI_Recv|Bcast|Reduce|Allreduce|Gather|Scatter|Allgather|Alltoall|Scan)\z/;

# Collectives that send more bytes among more processes.
my $GROWS = qr/\AMPI_(?:Barrier|Bcast|Reduce|Allreduce|Gather|Scatter|Allgather|Alltoall|Scan)\z/;

# Gaps and fences always cost some time: the limits below which factors are not reported.
my %LEAST = ( datatype => 'datatype', put => 'one-sided' );

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

# Returns the rows of the table, for the test that plants a violation of each.
sub guidelines ($class) { return @GUIDELINES }

# All violations, one for each suite and guideline, as findings (SKaMPI::Findings::Cases).
sub violations ( $class, $selection ) {
    return map {
        my @all   = @{ $_->{cases} };
        my @cases = candidates( scalar @all, grep { $_->{is_slow} } @all );
        @cases ? { %{$_}, cases => \@cases, of => scalar @all } : ()
    } $class->comparisons($selection);
}

# Returns the findings of violations, with all compared arguments as cases; is_slow marks those of a violation.
sub comparisons ( $class, $selection ) {
    return @{ $selection->{comparisons} } if $selection->{comparisons};
    my @found;
    for my $guideline (@GUIDELINES) {
        push @found, map { _violations( $selection, $_, @{$guideline} ) } qw(length nodes);
    }
    for my $suite ( $selection->all ) {
        push @found, map { $_->( $selection, $suite ) } @ABOUT_SUITE;
    }
    $selection->{comparisons} = \@found;
    return @found;
}

# Violations of a guideline, by suites measured synchronously, or else by barriers.
sub _violations ( $selection, $axis, $operation, $kind, @parts ) {
    for my $prefix ( $operation =~ /Neighbor_/ ? @NEIGHBOURS : @PREFIXES ) {
        my ( $any, @violations );
        for my $suite ( $selection->suites( $prefix, $operation, $axis ) ) {
            my @terms = map { _term( $selection, $suite, $_ ) } @parts;
            next if @terms != @parts;
            $any = 1;
            push @violations, _violation( $selection, $suite, $kind, @terms );
        }
        return @violations if $any;
    }
    return;
}

# The suite of a part that is measured in the same way, and its length relative to the operation's; undef without one.
sub _term ( $selection, $suite, $part ) {
    my ( $operation, $length ) = ( split( /:/, $part ), 'same' );
    my $nodes  = $suite->nodes;
    my %factor = ( same => 1, $nodes ? ( p => $nodes, '1/p' => 1 / $nodes ) : () );
    return if axis_of($suite) eq 'length' ? !defined $nodes : $length ne 'same';
    my $factor = $factor{$length}                       or return;
    my $fits   = $selection->like( $suite, $operation ) or return;
    return { suite => $fits, factor => $factor };
}

sub _about_attributes ( $selection, $suite ) {
    return map {
        my ( $kind, @others ) = @{$_};
        my $like = first { $_ && $_ != $suite }
          map { $selection->like( $suite, operation_of($suite), %{$_} ) } @others;
        _against( $selection, $suite, $kind, $like )
    } _variants($suite);
}

# Kinds of guidelines, each with such attributes, the best first. Fresh data are compared with unchanged data that are
# paced as well, if there are some.
sub _variants ($suite) {
    my ( $datatype, $method, $data ) = map { attribute( $suite, $_ ) } qw(datatype method data);
    my $is_derived = is_derived( ( split / /, $datatype )[0] ) && $method eq 'ddt';
    my $walks      = pattern_of($suite) eq 'io' && attribute( $suite, 'io_walk' ) ne 'no';
    my @layouts    = map { @{$_} } grep {
        any { $_ eq $datatype }
          @{$_}
    } @SAME_LAYOUT;
    return (
        $is_derived ? ( [ 'datatype', @CONTIGUOUS ], [ 'variant', { method => 'pack' } ] ) : (),
        ( map { [ 'same layout', { datatype => $_ } ] } grep { $_ ne $datatype } @layouts ),
        is_in_gpu($suite)                        ? [ 'staged',   { staged => 'yes' } ]     : (),
        attribute( $suite, 'in_place' ) eq 'yes' ? [ 'in place', { in_place => 'no' } ]    : (),
        $data eq 'fresh' ? [ 'data',  map { { data => 'kept', paced => $_ } } qw(yes no) ] : (),
        $walks           ? [ 'place', { io_walk => 'no' } ]                                : (),
    );
}

# Violations by messages that the operation passes on as a whole.
sub _about_split ( $selection, $suite ) {
    return if axis_of($suite) ne 'length' || !is_plain($suite) || operation_of($suite) !~ $SPLIT;
    my $half = { suite => $suite, factor => 0.5 };
    return _violation( $selection, $suite, 'split', $half, $half );
}

sub _about_reordering ( $selection, $suite ) {
    my $row = type_row( pattern_of($suite), operation_of($suite) ) // {};
    return if none { /\A(?:neighbours|grid)\z/ } @{ $row->{traits} };
    my ( $shape, $is_kept ) = _cartesian($suite);
    return if !defined $shape || $is_kept;
    my $variant = variant_of( $suite, topology => 0 );
    my $kept    = first {
        my ( $like, $keeps ) = _cartesian($_);
        $keeps && $like eq $shape && variant_of( $_, topology => 0 ) eq $variant
    } $selection->suites( pattern_of($suite), operation_of($suite), axis_of($suite) );
    return _against( $selection, $suite, 'reordered', $kept );
}

# Sizes and whether they are periodic, and whether ranks were kept; empty for other topologies.
sub _cartesian ($suite) {
    my $fact = $suite->fact('TOPOLOGY');
    return
      defined $fact->{sizes} ? ( "$fact->{sizes} $fact->{periodic}", defined $fact->{order} ) : ();
}

sub _about_application ( $selection, $suite ) {
    return map {
        my ( $kind, $operation, $factor, %other ) = @{$_};
        my $like = $selection->like( $suite, $operation, %other );
        _against( $selection, $suite, $kind, $like, $factor )
    } application_guidelines($suite);
}

# Violations by MPI_Put and MPI_Get: a message and its answer of the same length move twice the data and notify both.
sub _about_one_sided ( $selection, $suite ) {
    return
      if operation_of($suite) !~ /\ARMA_R?(?:Put|Get)\z/ || ( attribute( $suite, 'busy' ) // 0 );
    return if attribute( $suite, 'sync' ) !~ /\A(?:flush|notify)\z/;
    return _against( $selection, $suite, 'one-sided', message_like( $selection, $suite ) );
}

sub _against ( $selection, $suite, $kind, $other = undef, $factor = 1 ) {
    return if !$other;
    return _violation( $selection, $suite, $kind, { suite => $other, factor => $factor } );
}

sub _violation ( $selection, $suite, $kind, @terms ) {
    my %curve = map { $_->{suite} => $selection->curve_of( $_->{suite} ) } @terms;
    my @compared;
    for my $point ( $selection->curve_of($suite)->points ) {
        my @parts =
          map { $curve{ $_->{suite} }->at( $point->{argument} * $_->{factor} ) // () } @terms;
        next if @parts != @terms;
        my $sum  = sum_of(@parts);
        my @fast = map { [ $terms[$_]{suite}, $parts[$_] ] } 0 .. $#terms;
        my $case = case_of( [ $suite, $point ], \@fast, $sum );
        $case->{is_slow}         = is_excess( $point, $sum );
        $case->{is_interpolated} = any { $_->{interpolated} } @parts;
        push @compared, $case;
    }
    my @measured = grep { !$_->{is_interpolated} } @compared;
    @compared = @measured if @measured;
    my $least = $LEAST{$kind} ? row_of( limits => $LEAST{$kind} )->{limit} : 0;
    $_->{is_slow} = $_->{is_slow} && $_->{factor} >= $least for @compared;
    mark_isolated(@compared);
    return @compared ? { kind => $kind, cases => \@compared, least => $least } : ();
}

# Longer messages that are faster than shorter ones, which a program could pad, and collectives that are faster among
# more processes. Usually the library changes its protocol too late or too early, or the measurement was disturbed. A
# finding of the kind longer for every suite in which this happens: slow is the shorter message, fast is a list with the
# longer one.
sub drops ( $class, $selection ) {
    my @drops;
    for my $suite ( $class->suites_with_drops($selection) ) {
        my @points = $selection->curve_of($suite)->points;
        my ( @cases, $fast );

        # Each message that is slower than the longer one with the shortest time, from the longest.
        for my $place ( reverse keys @points ) {
            my $slow = $points[$place];
            push @cases,
              { %{ case_of( [ $suite, $slow ], [ [ $suite, $fast ] ], $fast ) }, place => $place }
              if $fast && is_excess( $slow, $fast );
            $fast = $slow if !$fast || $slow->{time} <= $fast->{time};
        }

        # A case that is not beside another one may be due to a single point that was too fast.
        for my $case (@cases) {
            my $has_near = any { abs( $_->{place} - $case->{place} ) == 1 } @cases;
            $case->{is_isolated} = $has_near ? 0 : 1;
        }
        @cases = candidates( @points - 1, @cases ) or next;
        push @drops, { kind => 'longer', cases => [ reverse @cases ], of => scalar @points };
    }
    return @drops;
}

# Suites with several points, which can have such a finding.
sub suites_with_drops ( $class, $selection ) {
    return grep { _may_drop($_) && $selection->curve_of($_)->points > 1 } $selection->all;
}

# Whether a suite can have it: over the processes, a collective with one length. The empty operation and
# creating a request send nothing, and the time to build a datatype does not depend on its bytes.
sub _may_drop ($suite) {
    my ( $pattern, $operation ) = ( pattern_of($suite), operation_of($suite) );
    return
         $pattern   =~ /\A(?:syn)?col\z/
      && $operation =~ $GROWS
      && is_plain($suite)
      && attribute( $suite, 'length_is' ) eq 'each'
      if axis_of($suite) eq 'nodes';
    return
         $pattern !~ /\A(?:internal|check)\z/
      && axis_of($suite) eq 'length'
      && $operation !~ /\Adummy\z|_init\z/
      && !is_building($suite);
}

1;
