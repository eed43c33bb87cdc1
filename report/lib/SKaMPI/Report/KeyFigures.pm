package SKaMPI::Report::KeyFigures;

use v5.36;

use SKaMPI::Report::PingPong;
use SKaMPI::Report::Selection qw(where_in);
use SKaMPI::Report::Subject   qw(attribute axis_of is_plain pattern_of);

# At which lengths collective operations are shown. A measured length stands for one that is outside
# of what was measured, if it is not further off than by the factor.
my @LENGTHS = ( 8, 65_536 );
my $NEAR    = 2;

# In the order of the table.
my @COLLECTIVES = map { "MPI_$_" }
  qw(Bcast Reduce Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan Gather Gatherv Scatter
  Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw);
my @WITHOUT_LENGTH =
  map { "MPI_$_" } qw(Barrier Comm_dup Comm_split Cart_create Graph_create);

# What a time of a collective operation is.
my %TIME_OF = (
    syncol => 'all start at the same instant, until the slowest is done',
    col    => 'on the root, until after a barrier',
);

# Local operations, and which of them are more than the call of their name.
my @LOCAL = map { "MPI_$_" } qw(Wtime Comm_rank Comm_size Iprobe attach);
my %CALLS = ( MPI_attach => 'MPI_Buffer_attach and MPI_Buffer_detach' );

sub rows_of ( $class, $output ) {
    my $selection = SKaMPI::Report::Selection->of($output);
    my ($all) = ( $output->field('PROCESSES') // q{} ) =~ /\A([0-9]{1,9})\z/;
    return (
        SKaMPI::Report::PingPong->rows_of($selection),
        ( map { _with_length( $selection, $all, $_ ) } @COLLECTIVES ),
        ( map { _without_length( $selection, $all, $_ ) } @WITHOUT_LENGTH ),
        ( map { _local( $selection, $_ ) } @LOCAL )
    );
}

# At each of the lengths the best that the suites over the length and those over the processes have.
sub _with_length ( $selection, $all, $operation ) {
    my @suites = grep { is_plain($_) }
      map { $selection->collective_suites( $operation, $_ ) } qw(length nodes);
    my @rows;
    for my $length (@LENGTHS) {
        my @found = map { _at_length( $selection, $all, $_, $length ) } @suites;
        my ($best) = sort { _by_worth( $a, $b ) } @found;
        push @rows, _collective_row( $operation, %{$best}, wanted => $length ) if $best;
    }
    return @rows;
}

# What was measured comes before what was interpolated, and that before another length; then the
# usual kind of measurement.
sub _by_worth ( $x, $y ) {
    my @worth = map { [ $_->{off}, $_->{point}{interpolated}, _oddness( $_->{suite} ) ] } $x, $y;
    return
         $worth[0][0] <=> $worth[1][0]
      || $worth[0][1] <=> $worth[1][1]
      || $worth[0][2] <=> $worth[1][2];
}

# In how much a suite is not the usual one. The way of measuring counts most.
sub _oddness ($suite) {
    return ( pattern_of($suite) eq 'syncol'    ? 0 : 4 ) +
      ( attribute( $suite, 'cache' ) eq 'warm' ? 0 : 2 ) +
      ( attribute( $suite, 'datatype' ) eq '5' ? 0 : 1 );
}

sub _at_length ( $selection, $all, $suite, $length ) {
    my $found =
        axis_of($suite) eq 'length'
      ? _over_length( $selection, $suite, $length )
      : _over_nodes( $selection, $all, $suite );
    return if !$found || !_is_near( $length, $found->{length} );
    return { %{$found}, off => abs( $found->{length} - $length ) };
}

sub _over_length ( $selection, $suite, $length ) {
    my $curve = $selection->curve_of($suite);
    my $point = $curve->at($length) // _nearest( $length, $curve->points ) // return;
    return {
        suite  => $suite,
        point  => $point,
        nodes  => $suite->{nodes},
        length => $point->{argument}
    };
}

sub _nearest ( $length, @points ) {
    my ($nearest) =
      sort { abs( $a->{argument} - $length ) <=> abs( $b->{argument} - $length ) } @points;
    return $nearest;
}

sub _is_near ( $wanted, $length ) {
    return $length * $NEAR >= $wanted && $length <= $wanted * $NEAR;
}

# With all processes, as far as the file tells how many there were.
sub _over_nodes ( $selection, $all, $suite ) {
    my ($point) = reverse $selection->curve_of($suite)->points or return;
    return if defined $all && $point->{argument} != $all;
    return {
        suite  => $suite,
        point  => $point,
        nodes  => $point->{argument},
        length => $suite->{message_length} // 0
    };
}

sub _without_length ( $selection, $all, $operation ) {
    for my $suite ( grep { is_plain($_) } $selection->collective_suites( $operation, 'nodes' ) ) {
        my $found = _over_nodes( $selection, $all, $suite ) or next;
        delete $found->{length};
        return _collective_row( $operation, %{$found} );
    }
    return;
}

sub _collective_row ( $operation, %found ) {
    my ( $suite, $point ) = @found{qw(suite point)};
    return {
        group      => 'collective',
        what       => $operation,
        value      => $point->{time},
        error      => $point->{error},
        unit       => 'us',
        length     => $found{length},
        wanted     => $found{wanted},
        nearest    => $found{off} ? 1 : 0,
        processes  => $found{nodes},
        where      => where_in( $suite, $point ),
        definition => $TIME_OF{ pattern_of($suite) },
    };
}

sub _local ( $selection, $operation ) {
    for my $suite ( $selection->suites( 'simple', $operation, 'none' ) ) {
        my ($point) = $selection->curve_of($suite)->points or next;
        return {
            group      => 'local',
            what       => $operation,
            value      => $point->{time},
            error      => $point->{error},
            unit       => 'us',
            where      => where_in( $suite, $point ),
            definition => $CALLS{$operation} // 'one call',
        };
    }
    return;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::KeyFigures - a machine in a table

=head1 SYNOPSIS

    for my $row ( SKaMPI::Report::KeyFigures->rows_of($output) ) {
        say "$row->{what}: $row->{value} $row->{unit}";
    }

=head1 DESCRIPTION

C<rows_of(OUTPUT)> returns what can be said of these results, in the order of the table: point-to-point
figures, collective operations with all processes, local calls. A row is a hash of

    group       point-to-point, collective, local
    what        latency, peak bandwidth, half-bandwidth length n1/2, or the operation's name
    value       a number
    error       its standard error, or undef where that is not known
    unit        us (microseconds), MB/s (10^6 bytes per second) or B (bytes)
    where       a hash of the suite's label, argument (undef for local calls), column (the hash of name
                and unit that format_argument of SKaMPI::Units wants) and interpolated (0 or 1)
    definition  of the value, a part of a sentence

and, of collective operations,

    length      of the message, or undef for an operation that has none
    wanted      the length it stands for, 8 or 65536
    nearest     1 if that is the nearest measured length and not the one wanted
    processes   how many took part

=head2 What the values are

=over

=item latency

half the round trip of the shortest message of a ping-pong, of the ping-pong that is fastest there.
Messages longer than 64 bytes do not count.

=item peak bandwidth

The largest of 2 * length / time of all ping-pongs, the sum of both directions as in the manual; as
only one of them is used at a time, it is that of one direction, too.

=item half-bandwidth length n1/2

The shortest length at which the ping-pong of the peak bandwidth reaches half of it, on a straight
line between measured times. Its error tells what the error of the peak makes of it.

=item collective operations

At 8 bytes and at 64 KiB per process, with all processes: as measured by any suite, over the length or
over the nodes; else interpolated between the neighbours in a suite over the length; else at the nearest
measured length, if it is not further off than by a factor of 2. Among equals, suites measured
synchronously are preferred to those measured by barriers. See L<SKaMPI::Report::Subject> for
what a suite measures. Suites on virtual topologies and with derived datatypes do not
count.

=back

=cut
