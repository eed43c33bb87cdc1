package SKaMPI::Report::KeyFigures;

use v5.36;

use SKaMPI::Report::PingPong;
use SKaMPI::Report::Selection qw(axis_of where_in);

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

# Local operations that are more than the call of their name.
my %CALLS = ( MPI_attach => 'MPI_Buffer_attach and MPI_Buffer_detach' );

sub rows_of ( $class, $output ) {
    my $selection = SKaMPI::Report::Selection->new($output);
    return (
        SKaMPI::Report::PingPong->rows_of($output),
        ( map { _with_length( $selection, $_ ) } @COLLECTIVES ),
        ( map { _without_length( $selection, $_ ) } @WITHOUT_LENGTH ),
        _local( $output, $selection )
    );
}

# At each of the lengths what was measured over the length or, failing that, over the processes with
# such a length.
sub _with_length ( $selection, $operation ) {
    my @rows;
    for my $length (@LENGTHS) {
        my $found = _over_length( $selection, $operation, $length )
          // _over_nodes( $selection, $operation, $length );
        push @rows, _collective_row( $operation, %{$found}, wanted => $length ) if $found;
    }
    return @rows;
}

sub _over_length ( $selection, $operation, $length ) {
    for my $suite ( $selection->collective_suites( $operation, 'length' ) ) {
        my $curve = $selection->curve_of($suite);
        my $point = $curve->at($length) // _nearest( $length, $curve->points ) // next;
        my $row   = { suite => $suite, point => $point, nodes => $suite->{nodes} };
        $row->{length}  = $point->{argument};
        $row->{nearest} = $point->{argument} != $length;
        return $row;
    }
    return;
}

sub _is_near ( $wanted, $length ) {
    return $length * $NEAR >= $wanted && $length <= $wanted * $NEAR;
}

sub _nearest ( $length, @points ) {
    my ($nearest) =
      sort { abs( $a->{argument} - $length ) <=> abs( $b->{argument} - $length ) } @points;
    return $nearest && _is_near( $length, $nearest->{argument} ) ? $nearest : undef;
}

sub _over_nodes ( $selection, $operation, $length ) {
    my @suites =
      sort { abs( $a->{message_length} - $length ) <=> abs( $b->{message_length} - $length ) }
      grep { defined $_->{message_length} && _is_near( $length, $_->{message_length} ) }
      $selection->collective_suites( $operation, 'nodes' );
    my $found = @suites ? _with_most_nodes( $selection, $suites[0] ) : undef;
    return if !$found;
    my $measured = $suites[0]{message_length};
    return { %{$found}, length => $measured, nearest => $measured != $length };
}

sub _without_length ( $selection, $operation ) {
    my ($suite) = $selection->collective_suites( $operation, 'nodes' );
    my $found   = $suite ? _with_most_nodes( $selection, $suite ) : undef;
    return $found ? _collective_row( $operation, %{$found} ) : ();
}

sub _with_most_nodes ( $selection, $suite ) {
    my @points = $selection->curve_of($suite)->points or return;
    return { suite => $suite, point => $points[-1], nodes => $points[-1]{argument} };
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
        nearest    => $found{nearest} ? 1 : 0,
        processes  => $found{nodes},
        where      => where_in( $suite, $point ),
        definition => $TIME_OF{ $suite->{prefix} },
    };
}

sub _local ( $output, $selection ) {
    my @rows;
    for my $suite ( grep { $_->{prefix} eq 'simple' } $output->suites ) {
        next if axis_of($suite) ne 'none' || $suite->{name} !~ /\AMPI_\w+\z/;
        my ($point) = $selection->curve_of($suite)->points or next;
        push @rows,
          {
            group      => 'local',
            what       => $suite->{name},
            value      => $point->{time},
            error      => $point->{error},
            unit       => 'us',
            where      => where_in( $suite, $point ),
            definition => $CALLS{ $suite->{name} } // 'one call',
          };
    }
    return @rows;
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

At 8 bytes and at 64 KiB per process, from the suite over the length: measured there, or interpolated
between the neighbours. Outside of what was measured, the nearest measured length counts if it is not
further off than by a factor of 2; else a suite over the nodes with such a length. Suites measured
synchronously are preferred to those measured by barriers. Suites on virtual topologies and with
derived datatypes do not count.

=back

=cut
