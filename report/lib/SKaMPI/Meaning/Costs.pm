package SKaMPI::Meaning::Costs;

# The cost of a program's MPI calls, if a run measures the suites that skampi-profile suites made of its recording. The
# header's RECORDED has the recording in short: a line of the whole program and one for each suite, words key=value. A
# recording is a hash of processes, mpi_us (of all processes together) and calls, a list of hashes:
#
#   name     of the suite
#   us       recorded, with the calls that the suite's time contains
#   wait_us  of these, waiting for late processes, undef if it was not measured
#   bound    1 if the measured time is an upper limit
#   counts   how often processes make the measured call: pairs of a number and of the successive processes that have it;
#            one pair of one process: of all together
#   what     the call, for people
#   instead  only if the suite measures the calls of another one, this, in another way; then only name and what follow
use SKaMPI::Base;

use List::Util qw(sum0);

use SKaMPI::Base::Table    qw(table_lines wrapped);
use SKaMPI::Base::Units    qw(format_percent format_time with_mu);
use SKaMPI::Stat::Estimate qw(sum_of);

my $STANDARD_ERRORS = 2;
my $NUMBER          = qr/[0-9]{1,15}(?:[.][0-9]{1,9})?/;
my @WORDS           = qw(us wait_us bound counts instead what);

sub recording_text ($recording) {
    my @lines = sprintf 'processes=%d mpi_us=%.3f', @{$recording}{qw(processes mpi_us)};
    for my $call ( @{ $recording->{calls} } ) {
        my %text = %{$call};
        $text{counts} = join q{,}, map { join q{*}, @{$_} } @{ $call->{counts} } if $call->{counts};
        push @lines, join q{ }, $call->{name},
          map { "$_=$text{$_}" } grep { defined $text{$_} } @WORDS;
    }
    return join "\n", @lines;
}

sub recording_of ($output) {
    my $fact = $output->fact('RECORDED');
    return if !$fact->{processes};
    my @calls;
    for my $recorded ( @{ $fact->{list} } ) {
        my %call = map { $_ => $recorded->{$_} } grep { defined $recorded->{$_} } 'name', @WORDS;
        if ( !$call{instead} ) {
            next if ( $call{counts} // q{} ) !~ /\A(?:$NUMBER[*][0-9]{1,9},?)+\z/;
            $call{counts} = [ map { [ split /[*]/ ] } split /,/, $call{counts} ];
        }
        push @calls, \%call;
    }
    return { %{$fact}{qw(processes mpi_us)}, calls => \@calls };
}

# Estimates (SKaMPI::Stat::Estimate) of the costs of calls by name, of all processes; undef without a row with an error.
sub costs_of ( $recording, $output ) {
    my %row    = map { $_->name => $_->rows->[0] } $output->suites;
    my @calls  = @{ $recording->{calls} };
    my %counts = map { $_->{name} => $_->{counts} } @calls;
    my %costs  = map { $_->{name} => undef } @calls;
    for my $call (@calls) {
        my ( $row, $counts ) =
          ( $row{ $call->{name} }, $counts{ $call->{instead} // $call->{name} } );
        next if !$counts || !$row || !$row->{time} || !defined $row->{error};
        my @times   = grep { defined } @{ $row->{node_times} // [] };
        my $mean    = @times ? sum0(@times) / @times : $row->{time};
        my $is_each = @times == sum0( map { $_->[1] } @{$counts} );
        my $us      = 0;
        for ( @{$counts} ) {
            my ( $count, $n ) = @{$_};
            $us += $count * ( $is_each ? sum0( splice @times, 0, $n ) : $n * $mean );
        }
        $costs{ $call->{name} } = { time => $us, error => $us * $row->{error} / $row->{time} };
    }
    return \%costs;
}

# Savings of calls that are measured in both: the costs of the first without those of the second.
sub savings_of ( $first, $second ) {
    my @both = grep { $first->{$_} && $second->{$_} } keys %{$first};
    return {
        time  => sum0( map { $first->{$_}{time} - $second->{$_}{time} } @both ),
        error => sum_of( map { @{$_}{@both} } $first, $second )->{error}
    };
}

sub _per_process ( $recording, $cost ) {
    return join ' +- ', map { format_time( $_ / $recording->{processes} ) } $cost->{time},
      $STANDARD_ERRORS * $cost->{error};
}

sub _row ( $recording, $call, $cost ) {
    my $n     = $recording->{processes};
    my $calls = sum0( map { $_->[0] * $_->[1] } @{ $call->{counts} } );
    return {
        call     => $call->{what},
        share    => format_percent( $call->{us} / ( $recording->{mpi_us} || 1 ) ),
        calls    => sprintf( '%.1f', $calls / $n ),
        recorded => format_time( $call->{us} / $n ),
        cost     => $cost
        ? ( $call->{bound} ? '<= ' : q{} ) . _per_process( $recording, $cost )
        : 'not measured',
        rest => $cost ? format_time( ( $call->{us} - $cost->{time} ) / $n )     : q{},
        wait => defined $call->{wait_us} ? format_time( $call->{wait_us} / $n ) : q{},
    };
}

sub _sums ( $recording, $costs ) {
    my $n     = $recording->{processes};
    my @calls = grep { !$_->{instead} && $costs->{ $_->{name} } } @{ $recording->{calls} };
    my $sum   = sum_of( map { $costs->{ $_->{name} } } @calls );
    my $us    = sum0( map { $_->{us} } @calls );
    my @waits = grep { defined } map { $_->{wait_us} } @calls;
    return (
        sprintf(
            'MPI time of a process: %s; the suites cover %s of it.',
            format_time( $recording->{mpi_us} / $n ),
            format_percent( $us / ( $recording->{mpi_us} || 1 ) )
        ),
        sprintf(
            'Of these %s, the measured cost explains %s.',
            format_time( $us / $n ),
            _per_process( $recording, $sum )
        ),
        sprintf(
'Not explained by the measured cost: %s (waiting, contention, cold data; less than 0 if calls overlap).',
            format_time( ( $us - $sum->{time} ) / $n ) ),
        @waits
        ? sprintf 'Waiting for late processes, as measured by --split: %s.',
        format_time( sum0(@waits) / $n )
        : ()
    );
}

sub _saved ( $recording, $with, $first, $second ) {
    my $saved = savings_of( $first, $second );
    my $size  = { %{$saved}, time => abs $saved->{time} };
    return sprintf 'With %s, a run would take %s %s (a process on average).',
      $with, _per_process( $recording, $size ), $saved->{time} < 0 ? 'more' : 'less';
}

# The data for all programs and pages: rows, a list of hashes of texts, and notes, sentences; for the sides (pairs of
# title and output) after the first one, the savings. An empty list without a recording.
sub cost_data ( $recording, @sides ) {
    return if !$recording;
    my ( $first, @others ) = map { costs_of( $recording, $_->[1] ) } @sides;
    my @calls = @{ $recording->{calls} };
    my @notes = _sums( $recording, $first );
    for my $call ( grep { $_->{instead} && $first->{ $_->{name} } } @calls ) {
        my %as = ( $call->{instead} => $first->{ $call->{name} } );
        push @notes, _saved( $recording, $call->{what}, $first, \%as );
    }
    push @notes,
      map { _saved( $recording, $sides[ $_ + 1 ][0], $first, $others[$_] ) } 0 .. $#others;
    return {
        rows =>
          [ map { _row( $recording, $_, $first->{ $_->{name} } ) } grep { !$_->{instead} } @calls ],
        notes => \@notes
    };
}

# The data of JSON (report/schema.txt), of one output: numbers, and the notes above.
sub cost_document ( $recording, $output, $notes ) {
    my ( $n, $costs ) = ( $recording->{processes}, costs_of( $recording, $output ) );
    my @calls;
    for my $call ( grep { !$_->{instead} } @{ $recording->{calls} } ) {
        my $cost = $costs->{ $call->{name} };
        my %us   = (
            recorded_us   => $call->{us},
            waiting_us    => $call->{wait_us},
            cost_us       => $cost->{time},
            cost_error_us => $cost->{error}
        );
        push @calls,
          {
            suite    => $call->{name},
            call     => $call->{what},
            calls    => sum0( map { $_->[0] * $_->[1] } @{ $call->{counts} } ) / $n,
            is_bound => $call->{bound} ? \1 : \0,
            map { $_ => defined $us{$_} ? $us{$_} / $n : undef } keys %us
          };
    }
    return {
        schema    => 'skampi-cost/1',
        processes => 0 + $n,
        mpi_us    => $recording->{mpi_us} / $n,
        calls     => \@calls,
        notes     => $notes
    };
}

# The data for typesetting, by the recording of the first side; 0 without one.
sub cost_page (@sides) {
    my $data    = cost_data( scalar recording_of( $sides[0][1] ), @sides ) or return 0;
    my $typeset = sub ($text) { return with_mu($text) =~ s/[+]-/\x{b1}/gr };
    for my $row ( @{ $data->{rows} } ) {
        $_ = $typeset->($_) for values %{$row};
    }
    $_ = $typeset->($_) for @{ $data->{notes} };
    return $data;
}

my @COLUMNS = qw(call share calls recorded cost rest wait);
my @TITLES  = ( qw(call share> calls> recorded>), 'measured cost>', 'not explained>', 'waiting>' );

sub cost_lines ($data) {
    return if !$data;
    my @rows = map { [ @{$_}{@COLUMNS} ] } @{ $data->{rows} };
    return (
        q{Cost of the program's calls, a process on average; +- is two standard errors},
        q{}, table_lines( \@TITLES, @rows ),
        q{}, map { wrapped($_) } @{ $data->{notes} }
    );
}

1;
