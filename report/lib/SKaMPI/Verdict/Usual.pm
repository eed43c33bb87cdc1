package SKaMPI::Verdict::Usual;

# The usual values of a run's rows, by a baseline, on the log scale: "1.47 us to 1.61 us", and "3.1 times the usual"
# beyond it. src/health/baseline.h has the same in C.
use SKaMPI::Base;

use List::Util qw(first max min sum0 uniq);
use POSIX      qw(ceil);

use SKaMPI::Base::Units            qw(counted format_arguments format_with_error);
use SKaMPI::Meaning::Catalog       qw(row_of);
use SKaMPI::Meaning::Likeness      qw(unlike_suites);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Stat::Distribution     qw(value_at);
use SKaMPI::Stat::Estimate         qw(mean);
use SKaMPI::Stat::Probability      qw(student_tail);
use SKaMPI::Verdict::Baseline      qw(class_of hosts_of read_baseline);
use SKaMPI::Verdict::Launch        qw(launch_of);

my $DAY_S = 86_400;

# A number of limits.def, which the program (src/health/baseline.c) reads as well.
sub _limit ($name) { return row_of( limits => $name )->{limit} }

# The percentages between which a value is usual.
sub _range () {
    return map { 50 + $_ * _limit('range') / 2 } -1, 1;
}

# The probability of a statement about one of COUNT values, so that all of them have one as the limit says (Sidak).
sub level_of ($count) { return 1 - ( 1 - _limit('statement') / 100 )**( 1 / max( 1, $count ) ) }

# VALUES and GROUPS have for each run a value above 0 or undef, and the name of its hosts. A hash of runs (how many have
# a value), low, high, middle and, if there are enough, mean and deviation of the logarithm of another run's value, on
# any host, and freedom, that of Student's t. Runs on the same hosts are not independent of each other: the means of
# hosts are.
sub usual_of ( $values, $groups ) {
    my ( %logs, @means, @squares );
    push @{ $logs{ $groups->[$_] } }, log $values->[$_]
      for grep { defined $values->[$_] } keys @{$values};
    my @sorted = sort { $a <=> $b } map { @{$_} } values %logs or return;
    my %usual  = ( runs => scalar @sorted );
    @usual{qw(low high middle)} = map { exp value_at( \@sorted, $_ ) } _range(), 50;
    return \%usual if @sorted < _limit('runs') || keys %logs < _limit('hosts of runs');
    for my $of ( values %logs ) {
        push @means, my $own = mean( @{$of} );
        push @squares, map { ( $_ - $own )**2 } @{$of};
    }
    my ( $mean, $hosts ) = ( mean(@means), scalar @means );
    my $between   = sum0( map { ( $_ - $mean )**2 } @means ) / ( $hosts - 1 );
    my $within    = sum0(@squares) / max( 1, @sorted - $hosts );
    my $alone     = 1 - mean( map { 1 / @{$_} } values %logs );
    my $deviation = sqrt( $between * ( 1 + 1 / $hosts ) + $within * $alone );
    return { %usual, mean => $mean, deviation => $deviation, freedom => $hosts - 1 };
}

# How many times the usual a value is, if it is beyond the interval in which another run's is with all but this
# probability, by a difference that matters; else undef.
sub times_usual ( $usual, $value, $level ) {
    my $deviation = $usual->{deviation} // return;
    my $times     = $value / $usual->{middle};
    my $distance  = abs( log($value) - $usual->{mean} );
    return if abs( log $times ) <= log( 1 + _limit('difference') / 100 );
    return $times
      if $deviation == 0 || 2 * student_tail( $usual->{freedom}, $distance / $deviation ) < $level;
    return;
}

# Sets usual of the rows, a text that has what is beyond it, unless processes waited for CPUs. Returns a line that says
# what usual is, or why nothing is.
sub add_usual ( $output, $path ) {
    my ( $own, @runs ) = ( launch_of( $output, 'time' ), read_baseline( $path, 'time' ) );
    my ( $here, $there ) = map { class_of($_) } $own, $runs[0];
    my $other =
      first { defined $here->{$_} && $here->{$_} ne $there->{$_} } sort keys %{$there};
    return "usual: unknown; '$path' is of another class: $other is '$there->{$other}' in it,"
      . " '$here->{$other}' here"
      if defined $other;
    my ( $usual, $count ) = _usual_values( $own, @runs );
    for my $suite ( $output->results ) {
        for my $row ( @{ $suite->rows } ) {
            my ( $rank, $partner ) = @{ $row->{arguments} // [] };
            my $label    = $suite->label . ( defined $rank ? "/$rank" : q{} );
            my $argument = $partner // $row->{argument} // q{};
            my ( $of, $value ) = map { $_->{$argument} } $usual->{$label} // {},
              ( $own->{suites}{$label} // {} )->{values} // {};
            next if !$of || !$value;
            my $times =
              $suite->marks($row) =~ /!/ ? undef : times_usual( $of, $value, level_of($count) );
            $row->{usual} = join( ' to ',
                map { scalar format_with_error( $_, $_ / 400, 'time' ) } @{$of}{qw(low high)} ) =~
              s/ (\w+) (?=to \S+ \1\z)/ /r
              . ( $times ? sprintf ', %.2g times the usual', $times : q{} );
        }
    }
    my @starts = map { $_->{start} // () } @runs;
    my @parts  = (
        counted( scalar @runs,                              'run' ),
        counted( scalar uniq( map { hosts_of($_) } @runs ), 'host' )
    );
    push @parts, counted( max( 1, ceil( ( time - min @starts ) / $DAY_S ) ), 'day' ) if @starts;
    $output->{usual} = join ', ', @parts;
    return
      sprintf
"usual: %g to %g %% of %s in '%s'; from %g runs on %g hosts, what %g %% of runs have not is named",
      _range(), $output->{usual}, $path, _limit('runs'), _limit('hosts of runs'),
      100 - _limit('statement');
}

# The usual values by label and argument, and their number; only those by the same rule.
sub _usual_values ( $own, @runs ) {
    my %unlike = map { $_->[0] => 1 } unlike_suites( @runs, $own );
    my @groups = map { join q{,}, hosts_of($_) } @runs;
    my ( %usual, $count );
    for my $label ( grep { !$unlike{$_} } keys %{ $own->{suites} } ) {
        my @rules = map { $_->{suites}{$label}{definition}{estimate} // () } $own, @runs;
        my @maps  = map { $_->{suites}{$label}{values} // {} } @runs;
        next if uniq(@rules) > 1;
        for my $argument ( uniq map { keys %{$_} } @maps ) {
            $usual{$label}{$argument} = usual_of( [ map { $_->{$argument} } @maps ], \@groups );
            $count++;
        }
    }
    return ( \%usual, $count );
}

# A sentence about a suite: what is usual at its first, middle and last row, and all that is beyond.
sub usual_note ( $of, $suite ) {
    my @rows  = grep { defined $_->{usual} } @{ $suite->rows } or return;
    my %shown = map  { $_ => 1 } spread( 3, @rows ), grep { $_->{usual} =~ /,/ } @rows;
    return "Usual ($of): "
      . join( '; ',
        map  { 'at ' . format_arguments( $_, $suite ) . q{ } . $_->{usual} }
        grep { $shown{$_} } @rows )
      . q{.};
}

1;
