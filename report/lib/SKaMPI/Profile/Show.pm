package SKaMPI::Profile::Show;

# The time of a program's MPI calls, as text: show_lines(PROFILE, MOST) returns lines with the cells that took most.
use SKaMPI::Base;

use List::Util qw(max min sum0);

use SKaMPI::Base::Table    qw(table_lines);
use SKaMPI::Base::TextFile qw(number_of);
use SKaMPI::Base::Units    qw(counted format_bytes format_percent format_time);
use SKaMPI::Profile::Calls qw(mean_bytes measured_as);
use SKaMPI::Profile::File  qw(mpi_us program_us);

my @COLUMNS = (
    'call',    qw(processes> bytes> calls> time>),
    'of MPI>', 'per call>', qw(imbalance>? waiting>? lateness>?)
);

sub by_time ($p) {
    my @cells = sort { $b->{us} <=> $a->{us} || $a->{key} cmp $b->{key} } @{ $p->{cells} };
    return @cells;
}

# Names a cell for people: "Allreduce, in place".
sub cell_words ($cell) {
    my %say = (
        rotating => 'rotating root',
        inplace  => 'in place',
        own      => 'own operation',
        gaps     => 'with gaps'
    );
    my @more = map { $say{ $cell->{$_} } // () } qw(root place op data);
    push @more, counted( $cell->{requests}, 'request' ) if $cell->{requests};
    push @more, 'any length'                            if $cell->{coarse};
    return join ', ', $cell->{call} =~ s/\AMPI_//r, @more;
}

# A name for a suite: the same for the same cell, different for each.
sub cell_name ($cell) {
    my $name = $cell->{call} =~ s/\AMPI_//r . "_n$cell->{processes}_h$cell->{hosts}_b$cell->{low}";
    $name .= "_r$cell->{requests}" if $cell->{requests};
    return join '_', $name,
      map { $_ =~ /\A(?:-|fixed|contiguous|apart|predefined)\z/ ? () : $_ }
      @{$cell}{qw(root data place op)};
}

# The time until the last process arrived, as the sample says; undef if it was not measured. A call
# with a root, or a scan, may end before: then a process waits by the difference between the call
# and one after a barrier, where no process is late.
sub waiting_us ($cell) {
    return if !$cell->{split} || !$cell->{arrivals};
    my $may_end_before = $cell->{root} ne q{-} || $cell->{call} =~ /scan\z/i;
    my @sampled        = grep { $_->{split} && $_->{arrivals} } values %{ $cell->{of} };
    return sum0(
        map {
            my $present_us = $may_end_before ? $_->{calls} * $_->{after_us} / $_->{split} : 0;
            max( 0, min( $_->{calls} * $_->{lead_us} / $_->{arrivals}, $_->{us} - $present_us ) )
        } @sampled
    );
}

# The time of the cells that no suite covers.
sub uncovered_us ($p) {
    my %covered;
    for my $cell ( @{ $p->{cells} } ) {
        my $how = measured_as( $cell, $p ) // next;
        $covered{ $_->{key} } = 1 for $cell, @{ $how->{covers} };
    }
    return sum0( map { $covered{ $_->{key} } ? 0 : $_->{us} } @{ $p->{cells} } );
}

# The members of a cell in JSON (report/schema.txt).
my %CELL = (
    ( map { $_ => $_ } qw(call processes root place requests calls bytes) ),
    host_count         => 'hosts',
    first_bytes        => 'low',
    last_bytes         => 'high',
    data_layout        => 'data',
    reduction          => 'op',
    time_us            => 'us',
    longest_process_us => 'most_us'
);

sub profile_data ($p) {
    my $head = $p->{head};
    my @cells;
    for my $cell ( by_time($p) ) {
        my %data =
          map { $_ => number_of( $cell->{ $CELL{$_} } ) // $cell->{ $CELL{$_} } } keys %CELL;
        my $lead = $cell->{arrivals} ? $cell->{lead_us} / $cell->{arrivals} : undef;
        push @cells, { %data, waiting_us => scalar waiting_us($cell), lateness_us => $lead };
    }
    return {
        schema       => 'skampi-profile/1',
        program      => $head->{PROGRAM},
        mpi_library  => $head->{MPILIBRARY},
        processes    => number_of( $head->{PROCESSES} // q{} ),
        host_count   => number_of( $head->{HOSTS}     // q{} ),
        complete     => $p->{complete} ? \1 : \0,
        program_us   => program_us($p),
        mpi_us       => mpi_us($p),
        recorder_us  => 1e6 * _sum_of( $p, 'own' ),
        lost_calls   => _sum_of( $p, 'lost' ),
        uncovered_us => uncovered_us($p),
        cells        => \@cells,
    };
}

sub _sum_of ( $p, $name ) {
    return sum0( map { $_->{$name} // 0 } values %{ $p->{ranks} } );
}

sub _head ($p) {
    my ( $mpi, $all ) = ( mpi_us($p), program_us($p) );
    my $own   = _sum_of( $p, 'own' );
    my @lines = ( 'Program: ' . ( $p->{head}{PROGRAM} // q{-} ) );
    my $hosts = $p->{head}{HOSTS} // 0;
    push @lines, sprintf 'Processes: %s on %s; %s', $p->{head}{PROCESSES} // '?',
      counted( $hosts, 'host' ), $p->{head}{MPILIBRARY} // q{};
    push @lines,
      sprintf 'Time: %s in all processes together, %s of it in MPI (%s); the recorder took %s (%s)',
      format_time($all), format_time($mpi),
      format_percent( $all ? $mpi / $all : 0 ),
      format_time( 1e6 * $own ), format_percent( $all ? 1e6 * $own / $all : 0 );
    push @lines,
        'Incomplete: the program ended without MPI_Finalize; '
      . counted( scalar keys %{ $p->{ranks} }, 'process', 'processes' )
      . ' recorded'
      if !$p->{complete};
    my $lost = _sum_of( $p, 'lost' );
    push @lines, counted( $lost, 'call' ) . ' in no cell, as there were too many kinds' if $lost;
    return @lines;
}

sub show_lines ( $p, $most ) {
    my @cells  = by_time($p);
    my $all_us = mpi_us($p) || 1;
    my @rows;
    for my $cell ( @cells[ 0 .. min( $most, scalar @cells ) - 1 ] ) {
        my ( $us, $n ) = ( $cell->{us}, scalar keys %{ $cell->{of} } );
        my $wait = waiting_us($cell);
        push @rows,
          [
            cell_words($cell),
            $cell->{processes} || q{},
            $cell->{data} eq q{-} ? q{} : format_bytes( mean_bytes($cell) ),
            $cell->{calls},
            format_time($us),
            format_percent( $us / $all_us ),
            format_time( $us / $cell->{calls} ),
            sprintf( '%.2f', $us > 0 ? $cell->{most_us} * $n / $us : 1 ),
            defined $wait && $us > 0 ? format_percent( $wait / $us )                       : q{},
            $cell->{arrivals}        ? format_time( $cell->{lead_us} / $cell->{arrivals} ) : q{}
          ];
    }
    my @end = sprintf '%s of the MPI time is in calls that no suite covers.',
      format_percent( uncovered_us($p) / $all_us );
    push @end, 'Waiting for late processes was not measured; record with --split 100.'
      if !grep { $_->{split} } @cells;
    push @end, counted( @cells - $most, 'kind' ) . ' of calls more; --top 0 shows all.'
      if @cells > $most;
    return ( _head($p), q{}, table_lines( \@COLUMNS, @rows ), q{}, @end );
}

1;
