package SKaMPI::Profile::Cost;

# What the calls of a program cost by measurements: costs_of(PROFILE, PLAN, OUTPUT) returns for each cell of the plan a
# hash of entry, us (as recorded, with the cells that the type covers), cost_us and error_us (the standard error), in
# microseconds of all processes; cost_us is undef if the results lack the suite. cost_lines(PROFILE, OUTPUTS, PLAN) the
# text: times of a process on average; with more results, what they would save.
use v5.36;

use Exporter   qw(import);
use List::Util qw(sum0);

use SKaMPI::Base::Table;
use SKaMPI::Base::Units    qw(format_bytes format_duration format_percent format_time);
use SKaMPI::Profile::Calls qw(mean_bytes);
use SKaMPI::Profile::File  qw(mpi_us);
use SKaMPI::Profile::Show  qw(cell_words waiting_us);

our @EXPORT_OK = qw(cost_lines cost_rows costs_of savings_of);

my $STANDARD_ERRORS = 2;

# --- costs ------------------------------------------------------------------------------------------
sub costs_of ( $p, $plan, $output ) {
    my %suite = map { $_->{name} => $_ } $output->suites;
    return map { _cost( $p, $_, $suite{ $_->{name} } ) } @{$plan};
}

sub _cost ( $p, $entry, $suite ) {
    my $cell = $entry->{cell};
    my %cost =
      ( entry => $entry, us => sum0( map { $_->{us} } $cell, @{ $entry->{how}{covers} } ) );
    my $row = $suite ? $suite->{rows}[0] : undef;
    return \%cost if !$row || !defined $row->{time};
    my @times = _times_of_processes( $row, $cell, $p );
    for my $rank ( keys %{ $cell->{of} } ) {
        $cost{cost_us} +=
          $cell->{of}{$rank}{calls} / $entry->{how}{per} * ( $times[$rank] // $times[0] );
    }
    $cost{error_us} = $row->{time} > 0 ? $cost{cost_us} * ( $row->{error} // 0 ) / $row->{time} : 0;
    return \%cost;
}

# By rank in the program, if the call is of all processes; otherwise the mean over those of the measurement.
sub _times_of_processes ( $row, $cell, $p ) {
    my @times = @{ $row->{node_times} // [] };
    return $row->{time} if !@times;
    return @times       if @times == ( $p->{head}{PROCESSES} // 0 ) && $cell->{processes} == @times;
    return sum0(@times) / scalar @times;
}

# What the second costs save against the first: us and error_us, of all processes, of the cells that both have.
sub savings_of ( $first, $second ) {
    my ( $us, $variance ) = ( 0, 0 );
    for my $i ( 0 .. $#{$first} ) {
        my ( $old, $new ) = ( $first->[$i], $second->[$i] );
        next if !defined $old->{cost_us} || !defined $new->{cost_us};
        $us       += $old->{cost_us} - $new->{cost_us};
        $variance += $old->{error_us}**2 + $new->{error_us}**2;
    }
    return { us => $us, error_us => sqrt $variance };
}

# --- text -------------------------------------------------------------------------------------------
sub _with_error ( $us, $error_us ) {
    return sprintf '%s +- %s', format_time($us), format_time( $STANDARD_ERRORS * $error_us );
}

# The rows of a table: for each cell what was recorded, what it costs, and the rest.
sub cost_rows ( $p, @costs ) {
    my $n = keys( %{ $p->{ranks} } ) || 1;
    return map {
        my $cell = $_->{entry}{cell};
        my $wait = waiting_us($cell);
        {
            call      => cell_words($cell),
            processes => $cell->{processes},
            bytes     => $cell->{data} eq q{-} ? q{} : format_bytes( mean_bytes($cell) ),
            calls     => $cell->{calls} / $n,
            us        => $_->{us} / $n,
            cost_us   => defined $_->{cost_us} ? $_->{cost_us} / $n                : undef,
            error_us  => defined $_->{cost_us} ? $_->{error_us} / $n               : undef,
            rest_us   => defined $_->{cost_us} ? ( $_->{us} - $_->{cost_us} ) / $n : undef,
            wait_us   => defined $wait         ? $wait / $n                        : undef,
            bound     => $_->{entry}{how}{bound},
        }
    } @costs;
}

sub _table (@rows) {
    my $table = SKaMPI::Base::Table->new(
        { title => 'call' },
        map { { title => $_, right => 1 } } 'processes',
        'bytes', 'calls', 'recorded',
        'measured cost',
        'not explained', 'waiting'
    );
    $table->add_titles;
    for (@rows) {
        my $known = defined $_->{cost_us};
        $table->add_row(
            $_->{call},
            $_->{processes} || q{},
            $_->{bytes},
            sprintf( '%.1f', $_->{calls} ),
            format_time( $_->{us} ),
            $known
            ? ( $_->{bound} ? '<= ' : q{} ) . _with_error( $_->{cost_us}, $_->{error_us} )
            : 'not measured',
            $known                ? format_time( $_->{rest_us} ) : q{},
            defined $_->{wait_us} ? format_time( $_->{wait_us} ) : q{}
        );
    }
    return $table;
}

sub _sums ( $p, @rows ) {
    my $n     = keys( %{ $p->{ranks} } ) || 1;
    my @known = grep { defined $_->{cost_us} } @rows;
    my ( $us, $cost ) = map {
        my $name = $_;
        sum0( map { $_->{$name} } @known )
    } qw(us cost_us);
    my $error = sqrt sum0( map { $_->{error_us}**2 } @known );
    my @lines = (
        sprintf(
            'MPI time of a process: %s; the suites cover %s of it.',
            format_time( mpi_us($p) / $n ),
            format_percent( $us * $n / ( mpi_us($p) || 1 ) )
        ),
        sprintf(
            'Of these %s, the measured cost explains %s.',
            format_time($us), _with_error( $cost, $error )
        ),
        sprintf(
'Not explained by the measured cost: %s (waiting, contention, cold data; less than 0 if calls overlap).',
            format_time( $us - $cost ) )
    );
    my @split = grep { defined $_->{wait_us} } @known;
    push @lines, sprintf 'Waiting for late processes, as measured by --split: %s.',
      format_time( sum0( map { $_->{wait_us} } @split ) )
      if @split;
    return @lines;
}

sub cost_lines ( $p, $outputs, $plan ) {
    my @costs = map { [ costs_of( $p, $plan, $_ ) ] } @{$outputs};
    my $n     = keys( %{ $p->{ranks} } ) || 1;
    my @rows  = cost_rows( $p, @{ $costs[0] } );
    my @more  = map {
        my $saved = savings_of( $costs[0], $costs[$_] );
        sprintf 'With %s, a run would take %s less (a process on average; less than 0: more).',
          $outputs->[$_]->name,
          _with_error( $saved->{us} / $n, $saved->{error_us} / $n )
    } 1 .. $#costs;
    return ( 'Times are those of a process on average; +- is two standard errors.',
        q{}, _table(@rows), q{}, _sums( $p, @rows ), @more );
}

1;
