package SKaMPI::Findings::KeyFigures;

# The key figures of a machine. A row is a hash of
#   group       point-to-point, streams, files, effective bandwidth, collective, local
#   what        latency, peak bandwidth, half-bandwidth length n1/2, b_eff, or the operation's name
#   value       a number, or undef if it is unknown
#   error       its standard error, or undef if unknown
#   unit        us (microseconds), MB/s (10^6 bytes per second), /s (messages) or B (bytes)
#   where       a hash of the suite's label, argument (undef for local calls), column (a hash of name
#               and unit for format_argument of SKaMPI::Base::Units) and interpolated (0 or 1)
#   definition  of the value, a phrase
#   marks       of the point (SKaMPI::Meaning::Marks)
#   means       what the number of a message is, a few words; else missing
#   unknown     a text instead of the number: why there is none; else missing
#   contended  1 if processes of the suite waited for CPUs; else missing
# and, for collective operations,
#   length      of the message, or undef for an operation without a message
#   wanted      the length of the table's column, 8 or 65536
#   nearest     1 if length is not the wanted length but the nearest measured one
#   processes   the number of processes
# SKaMPI::Findings::MessageFigures has those of messages and files. Collective operations are those of all processes.
# Suites on virtual topologies and with derived datatypes are ignored.
use SKaMPI::Base;

use SKaMPI::Base::Units           qw(exact_percent format_value with_mu);
use SKaMPI::Findings::HealthSetup qw(disturbance_of);
use SKaMPI::Findings::MessageFigures;
use SKaMPI::Findings::Selection qw(figure_at);
use SKaMPI::Meaning::Marks      qw(marks_of);
use SKaMPI::Meaning::Subject    qw(attribute axis_of is_plain pattern_of);
use SKaMPI::Stat::Estimate      qw($VAGUE relative_error);

# Collective operations are shown at these lengths, or at a measured one that differs by at most this factor.
my @LENGTHS = ( 8, 65_536 );
my $NEAR    = 2;

# The operations in the order of the table.
my @COLLECTIVES = map { "MPI_$_" }
  qw(Bcast Reduce Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan Gather Gatherv Scatter
  Scatterv Allgather Allgatherv Alltoall Alltoallv);
my @WITHOUT_LENGTH =
  map { "MPI_$_" } qw(Barrier Comm_dup Comm_split Cart_create Graph_create);

my %TIME_OF = (
    syncol => 'from the common start until the slowest process is done',
    col    =>
      'on the root, including the barrier after the operation; contains the skew with which the'
      . ' previous barrier was left',
    together => 'from the common entry, on the root, including the barrier after the operation',
);

# Local operations, and those whose name is not that of a single call.
my @LOCAL = map { "MPI_$_" } qw(Wtime Comm_rank Comm_size Iprobe attach);
my %CALLS = ( MPI_attach => 'MPI_Buffer_attach and MPI_Buffer_detach' );

sub collectives () { return @COLLECTIVES }

sub rows_of ( $class, $output ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my $all       = $output->fact('PROCESSES')->{processes};
    my $disturbed = disturbance_of($output);
    return map { _or_unknown( $_, $disturbed ) } (
        SKaMPI::Findings::MessageFigures->rows_of($selection),
        ( map { _with_length( $selection, $all, $_ ) } @COLLECTIVES ),
        ( map { _without_length( $selection, $all, $_ ) } @WITHOUT_LENGTH ),
        ( map { _local( $selection, $_ ) } @LOCAL )
    );
}

# A number that is disturbed, or whose error is vague, is no figure.
sub _or_unknown ( $row, $is_disturbed ) {
    my $mark   = marks_of( { contended => 1 } );
    my $marked = $row->{contended} || index( $row->{marks} // q{}, $mark ) >= 0;
    my $error  = relative_error( { time => $row->{value}, error => $row->{error} } );
    my $waits  = $is_disturbed->( $marked, $error );
    return $row if !$waits && ( $error // 0 ) <= $VAGUE;
    my $why  = $waits ? 'processes waited for CPUs' : 'its error is above ' . exact_percent($VAGUE);
    my %none = ( value => undef, error => undef, marks => q{}, contended => 0 );
    my %where = ( %{ $row->{where} }, interpolated => 0 );
    return { %{$row}, %none, where => \%where, unknown => "not known: $why" };
}

# The best value of all suites for each length, over the length or over the processes: the nearest
# length, a measured one rather than an interpolated one, and the usual kind of measurement.
sub _with_length ( $selection, $all, $operation ) {
    my @suites = grep { is_plain($_) }
      map { $selection->collective_suites( $operation, $_ ) } qw(length nodes);
    my @rows;
    for my $length (@LENGTHS) {
        my @found = map { _at_length( $selection, $all, $_, $length ) } @suites;
        my ($best) = sort {
                 $a->{off}                 <=> $b->{off}
              || $a->{point}{interpolated} <=> $b->{point}{interpolated}
              || _oddness( $a->{suite} )   <=> _oddness( $b->{suite} )
        } @found;
        push @rows, _collective_row( $operation, %{$best}, wanted => $length ) if $best;
    }
    return @rows;
}

# Counts in how far a suite is unusual. The way of measuring counts most.
sub _oddness ($suite) {
    return ( pattern_of($suite) eq 'syncol'                                             ? 0 : 4 ) +
      ( attribute( $suite, 'cache' ) eq 'warm' && attribute( $suite, 'data' ) eq 'kept' ? 0 : 2 ) +
      ( attribute( $suite, 'datatype' ) eq '5'                                          ? 0 : 1 );
}

sub _at_length ( $selection, $all, $suite, $length ) {
    my $is_over_length = axis_of($suite) eq 'length';
    my $curve          = $selection->curve_of($suite);
    my ($nearest) = sort { abs( $a->{argument} - $length ) <=> abs( $b->{argument} - $length ) }
      $is_over_length ? $curve->points : ();
    my $point =
        $is_over_length
      ? $curve->at($length) // $nearest
      : _over_nodes( $selection, $all, $suite );
    return if !$point;
    my $own = $is_over_length ? $point->{argument} : $suite->message_length // 0;
    return if $own * $NEAR < $length || $own > $length * $NEAR;
    return { suite => $suite, point => $point, length => $own, off => abs( $own - $length ) };
}

# The point with all processes, or with the most if the file does not state their number.
sub _over_nodes ( $selection, $all, $suite ) {
    my ($point) = reverse $selection->curve_of($suite)->points or return;
    return if defined $all && $point->{argument} != $all;
    return $point;
}

sub _without_length ( $selection, $all, $operation ) {
    for my $suite ( grep { is_plain($_) } $selection->collective_suites( $operation, 'nodes' ) ) {
        my $point = _over_nodes( $selection, $all, $suite ) or next;
        return _collective_row( $operation, suite => $suite, point => $point );
    }
    return;
}

sub _collective_row ( $operation, %found ) {
    my ( $suite, $point ) = @found{qw(suite point)};
    my $is_together = attribute( $suite, 'enter' ) eq 'together';
    return figure_at(
        $suite, $point,
        group      => 'collective',
        what       => $operation,
        length     => $found{length},
        wanted     => $found{wanted},
        nearest    => $found{off}                ? 1                  : 0,
        processes  => axis_of($suite) eq 'nodes' ? $point->{argument} : $suite->nodes,
        definition => $TIME_OF{ $is_together ? 'together' : pattern_of($suite) },
    );
}

sub _local ( $selection, $operation ) {
    for my $suite ( $selection->suites( 'simple', $operation, 'none' ) ) {
        my ($point) = $selection->curve_of($suite)->points or next;
        return figure_at(
            $suite, $point,
            group      => 'local',
            what       => $operation,
            definition => $CALLS{$operation} // 'one call',
        );
    }
    return;
}

sub figure_text ($row) {
    return $row->{unknown} // with_mu( format_value( @{$row}{qw(value unit)} ) );
}

1;
