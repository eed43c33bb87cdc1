package SKaMPI::Findings::HealthMeasures;

# Measures of the machine by one launch. A measure is a hash of
#   limit   the name of a limit; without one, line and unit
#   id      the same in all launches that measure it; undef if there is but one
#   value   a number in the unit of the limit; larger is worse, unless the limit is a least value
#   error   its relative standard error within the launch, or undef
#   near    of a collective, these numbers at the neighbouring argument with the larger value, if there is one: in one
#           launch counts what holds at both
#   visits  between how many visits that error is, or undef if it is another one
#   contended  1 if processes waited for CPUs while it was measured, else 0
#   what    a text, or a function that returns it: what has this value
#   us      what it costs in microseconds, or undef
#   todo    a text or a function, too: what to do, if it is not that of the limit
#   decides what would decide it, if it is not more launches
#   label   of the suite that has the details
use SKaMPI::Base;

use List::Util qw(any max min);

use SKaMPI::Base::Units           qw(format_argument format_bytes);
use SKaMPI::Findings::Guidelines  qw(advice_of);
use SKaMPI::Findings::HealthSetup qw(disturbance_of limit_of setup_measures);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Marks qw(marks_of);
use SKaMPI::Meaning::Matrix;
use SKaMPI::Meaning::Subject qw(is_in_gpu operation_of pattern_of title_of);
use SKaMPI::Stat::Estimate   qw($ERRORS median quotient relative_error scaled);

# Longest message of a latency, shortest of a bandwidth, shortest memcpy of a real machine (0 on a simulated one).
my ( $SHORT_BYTES, $LONG_BYTES, $LEAST_US ) = ( 64, 65_536, 0.5 );

# A share in percent that may be an error: no smaller one is stated.
my $NONE = 10;

# The relative error of a time of a single repetition, as those of the processes are.
my $ONE_REPETITION = 0.35;

# Kinds of guidelines about collectives, and their patterns.
my $KINDS    = qr/\A(?:variant|algorithm|equal counts|general|composed)\z/;
my $PATTERNS = qr/\A(?:syncol|col)\z/;

sub measures_of ($output) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @matrices  = grep { defined } map { SKaMPI::Meaning::Matrix->of($_) } $selection->all;
    my @timed     = (
        _messages( $output, $selection ), _collectives( $output, $selection ),
        ( map { _pairs($_) } @matrices ), _processes($selection),
        _noise($selection),               _lost($selection),
        _besides($selection)
    );
    my $is_disturbed = disturbance_of($output);
    $_->{contended} = $is_disturbed->( @{$_}{qw(contended error)} )
      for @timed, map { $_->{near} // () } @timed;
    return ( setup_measures($output), @timed );
}

sub _against ( $time, $other ) {
    my $quotient = quotient( $time, $other );
    return (
        value => $quotient->{ratio},
        error => relative_error($quotient),
        us    => $time->{time} - $other->{time}
    );
}

# The visits of the errors of these points: their quotient has the fewest.
sub _evidence (@points) {
    state $mark = marks_of( { contended => 1 } );
    return (
        visits    => min( map { $_->{visits} // 1 } @points ),
        contended => ( any { index( $_->{marks} // q{}, $mark ) >= 0 } @points ) ? 1 : 0
    );
}

# The relative error of a median: half of its interval is two errors, between two of the sorted values.
sub _error_of_median (@values) {
    return if @values < 3;
    my @sorted = sort { $a <=> $b } @values;
    my $cut    = max( 0, int( ( @sorted - $ERRORS * sqrt @sorted ) / 2 ) );
    return log( $sorted[ $#sorted - $cut ] / $sorted[$cut] ) / ( 2 * $ERRORS );
}

sub _place ( $suite, $argument ) {
    my ($column) = @{ $suite->arguments };
    return title_of($suite) . ( $column ? ' at ' . format_argument( $argument, $column ) : q{} );
}

sub _messages ( $output, $selection ) {
    my ($message) =
      grep { !is_in_gpu($_) } $selection->suites( 'p2p', 'MPI_Send-MPI_Recv', 'length' )
      or return;
    my $hosts = @{ $output->fact('PROCESSESPERHOST')->{list} };

    # Half of a round trip is the time of a message.
    my @points  = map { scaled( $_, 0.5 ) } $selection->curve_of($message)->points or return;
    my $where   = $hosts > 1 ? 'between hosts' : 'within a host';
    my %latency = (
        $hosts > 1 ? ( line => 'messages', unit => 'us' ) : ( limit => 'latency' ),
        value => $points[0]{time},
        us    => $points[0]{time},
        error => relative_error( $points[0] ),
        _evidence( $points[0] ),
        map { $_ => "latency $where" } qw(id what)
    );
    my ($copy) = $hosts > 1 ? () : _memcpy($selection);
    return map { { label => $message->label, %{$_} } }
      $points[0]{argument} <= $SHORT_BYTES ? \%latency                  : (),
      $copy ? _against_copy( $points[-1], $selection->curve_of($copy) ) : ();
}

sub _memcpy ($selection) {
    return grep { !is_in_gpu($_) } $selection->collective_suites( 'memcpy', 'length' );
}

sub _against_copy ( $point, $curve ) {
    my $copy = $curve->at( $point->{argument} ) // return;
    return if $point->{argument} < $LONG_BYTES || $copy->{time} < $LEAST_US;
    return {
        limit => 'bandwidth',
        id    => 'bandwidth',
        _against( $point, $copy ),
        _evidence( $point, $copy ),
        what => format_bytes( $point->{argument} ) . ' within a host, against memcpy',
    };
}

sub _collectives ( $output, $selection ) {
    my @compared =
      grep { $_->{kind} =~ $KINDS && pattern_of( $_->{cases}[0]{slow}{suite} ) =~ $PATTERNS }
      SKaMPI::Findings::Guidelines->comparisons($selection);
    my @measures;
    for my $comparison (@compared) {
        my @own = map { _collective( $output, $_ ) } @{ $comparison->{cases} };
        for my $i ( keys @own ) {
            my ($near) = sort { $b->{value} <=> $a->{value} }
              map { $_ < 0 ? () : $own[$_] // () } $i - 1, $i + 1;
            $own[$i]{near} = { %{$near}{qw(value error visits contended)} } if $near;
        }
        push @measures, @own;
    }
    return @measures;
}

sub _collective ( $output, $case ) {
    my ( $slow, @fast ) = ( $case->{slow}, @{ $case->{fast} } );
    my $instead = sub {
        join ' and ', map { title_of( $_->{suite} ) } @fast;
    };
    return {
        limit => 'collective',
        id    => join( q{ }, map { $_->{suite}->label . " $_->{argument}" } $slow, @fast ),
        _against( $slow, $case->{sum} ),
        _evidence( $slow, @fast ),
        what  => sub { _place( @{$slow}{qw(suite argument)} ) . ', against ' . $instead->() },
        label => $slow->{suite}->label,
        todo  =>
          sub { _instead( $output, $slow->{suite}, $instead->(), operation_of( $fast[0]{suite} ) ) }
        ,
    };
}

# The remedy; a setting that chooses the algorithm may be the reason.
sub _instead ( $output, $suite, $instead, $algorithm ) {
    my $name = operation_of($suite) =~ s/\AMPI_//r;
    my ($set) =
      grep { $_->{name} =~ /(?:\A|_)\Q$name\E_.*algorithm|dynamic_rules_filename|COLL_SELECTION/i }
      @{ $output->fact('SETTINGS')->{list} };
    return "leave out the setting $set->{name}=$set->{value}" if $set;
    return advice_of( $algorithm, $output->field('MPILIBRARY') // q{} ) // "call $instead";
}

sub _pairs ($matrix) {
    my ( $suite, @found ) = $matrix->suite;
    for my $class ( grep { @{ $_->{pairs} } > 3 } $matrix->classes ) {
        my @hosts = _hosts( $matrix, $class );
        my %slow  = map { $_->{host} => 1 } grep { $_->{value} > limit_of('host')->{limit} } @hosts;
        my @pairs = grep {
            !any { $slow{$_} }
              $matrix->hosts_of($_)
        } @{ $class->{pairs} };
        push @found, @hosts;
        for my $pair (@pairs) {
            push @found,
              {
                limit => 'pair',
                id    => $suite->label . " $pair->{name}",
                _against( $pair, { time => $class->{median} } ),
                error => relative_error($pair),
                _evidence( $suite->evidence( $pair->{row} ) ),
                what => "pair $pair->{name}, against the pairs $class->{name}"
              };
        }
    }
    return map { { label => $suite->label, %{$_} } } @found;
}

# Measures of each host with at least three pairs to others.
sub _hosts ( $matrix, $class ) {
    my %times;
    for my $pair ( @{ $class->{pairs} } ) {
        my @hosts = $matrix->hosts_of($pair);
        next if @hosts < 2 || $hosts[0] eq $hosts[1];
        push @{ $times{$_} }, $pair->{time} for @hosts;
    }
    return map {
        {
            limit => 'host',
            id    => $matrix->suite->label . " $_",
            host  => $_,
            _against( { time => median( @{ $times{$_} } ) }, { time => $class->{median} } ),
            error => scalar _error_of_median( @{ $times{$_} } ),
            what  => "host $_, against the median host",
        }
      }
      grep { @{ $times{$_} } > 2 } sort keys %times;
}

# Measures of memcpy of the longest block by each process.
sub _processes ($selection) {
    my ($suite) = _memcpy($selection)                                               or return;
    my ($row)   = reverse grep { $_->{node_times} && !$_->{few} } @{ $suite->rows } or return;
    my @times   = @{ $row->{node_times} };
    return if @times < 2 || any { !defined || $_ < $LEAST_US } @times;
    return map {
        my $i     = $_;
        my @other = @times[ grep { $_ != $i } 0 .. $#times ];
        {
            limit => 'process',
            id    => "process $i",
            _against( { time => $times[$i] }, { time => median(@other) } ),
            error     => $row->{extras}{contended} ? undef : $ONE_REPETITION,
            contended => $row->{extras}{contended},
            what      => "process $i, memcpy against the median process",
            label     => $suite->label,
        }
    } 0 .. $#times;
}

# Noise: the median over all rows of the middle half of the repetitions.
sub _noise ($selection) {
    my ( $contended, @parts ) = (0);
    for my $row ( map { @{ $_->rows } } grep { !$_->is_internal } $selection->all ) {
        my ( $p25, $median, $p75 ) = @{ $row->{extras} }{qw(p25 median p75)};
        next if $row->{few} || ( $median // 0 ) <= 0 || !defined $p25 || !defined $p75;
        push @parts, max( ( $p75 - $p25 ) / $median, 1e-4 );
        $contended++ if $row->{extras}{contended};
    }
    return if !@parts;
    return {
        limit     => 'noise',
        value     => 100 * median(@parts),
        error     => scalar _error_of_median(@parts),
        contended => 2 * $contended > @parts,
        what      => 'spread of the repetitions, median row'
    };
}

# The process that loses most time to detours (types 270 and 271).
sub _lost ($selection) {
    my @found = map {
        my $suite = $_;
        map { [ $suite, $_, $suite->extra( $_, 'lost' ) ] } @{ $suite->rows }
    } grep { $_->is_internal && operation_of($_) =~ /\A(?:noise|quanta)\z/ } $selection->all;
    my ($most) = sort { $b->[2] <=> $a->[2] } grep { defined $_->[2] } @found or return;
    my ( $suite, $row, $lost, $error ) = @{$most};
    $lost = max( $lost, 1e-2 );
    return {
        limit     => 'detours',
        value     => $lost,
        error     => defined $error            ? $error / $lost : undef,
        contended => $row->{extras}{contended} ? 1              : 0,
        what      => "time that process $row->{argument} loses to detours",
        label     => $suite->label,
    };
}

# Overlap and one-sided accesses or, if neither was measured, the first time of a suite of them.
sub _besides ($selection) {
    my @found = ( _overlap($selection), _one_sided($selection) );
    return @found if @found;
    my ($suite) =
      grep { operation_of($_) =~ /\ARMA_(?!sync)/ || pattern_of($_) eq 'overlap' } $selection->all
      or return;
    my ($point) = $selection->curve_of($suite)->points or return;
    return {
        line  => 'overlap and one-sided',
        unit  => 'us',
        id    => $suite->label,
        value => $point->{time},
        error => relative_error($point),
        _evidence($point),
        what    => _place( $suite, $point->{argument} ),
        label   => $suite->label,
        decides => 'messages that are measured in the same way',
    };
}

# Overlap that the best argument hides. Smaller parts count as $NONE, since logarithms of parts near
# 0 scatter without bound. The error is that of the logarithm upwards.
sub _overlap ($selection) {
    my ($suite) =
      grep { operation_of($_) eq 'MPI_Isend-MPI_Irecv' && pattern_of($_) eq 'overlap' }
      $selection->all
      or return;
    my ($best) = sort { $b->[0] - $b->[1] <=> $a->[0] - $a->[1] }
      grep { defined $_->[0] && defined $_->[1] }
      map  { [ $suite->extra( $_, 'overlap' ), $_ ] } @{ $suite->rows }
      or return;
    my $hidden = max( $NONE, $best->[0] );
    return {
        limit => 'hidden',
        value => $hidden,
        error => log( 1 + $best->[1] / $hidden ),
        _evidence( $suite->evidence( $best->[2] ) ),
        what => 'MPI_Isend and MPI_Irecv, hidden by work at the best length'
          . ( $hidden > $best->[0] ? ', at most' : q{} ),
        label => $suite->label,
    };
}

sub _one_sided ($selection) {
    my ($compared) =
      grep { $_->{kind} eq 'one-sided' && operation_of( $_->{cases}[0]{slow}{suite} ) eq 'RMA_Put' }
      SKaMPI::Findings::Guidelines->comparisons($selection)
      or return;
    my $case = $compared->{cases}[0];
    my $slow = $case->{slow};
    return {
        limit => 'one-sided',
        _against( $slow, $case->{sum} ),
        _evidence( $slow, @{ $case->{fast} } ),
        what  => 'MPI_Put at ' . format_argument( @{$slow}{qw(argument column)} ),
        label => $slow->{suite}->label,
    };
}

1;
