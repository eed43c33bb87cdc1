package SKaMPI::Stat::OddRun;

# Which of several runs of the same suites is odd, where, and by how much.
#
# The deviation of a point in a run is that of its logarithm from the median over the runs, without what all suites of
# the run have in common (the run as a whole, which is tested by itself). Neighbouring points of a suite are pooled: the
# value of a window is the median of its deviations. A run's value is compared with those of the other runs, in units of
# their scatter in this window; this scatter is moderated by that of all windows of a similar size, the more the more
# alike they are (G. K. Smyth, 2004). The critical value takes into account all runs and windows: the smallest p of
# simulated families, whose noise has heavy tails and is correlated within a suite. Where the other runs have heavier
# tails (Hill's estimator), a run has to exceed all others by a larger factor (A. Rényi, 1953).
use SKaMPI::Base;

use List::Util qw(max min sum0 uniq);

use SKaMPI::Stat::Estimate    qw(median $ALPHA $MATTERS);
use SKaMPI::Stat::Probability qw(student_quantile student_tail trigamma);

our @EXPORT_OK = qw(fewest_runs odd_runs);

# With fewer runs, nothing is said. The shortest window, unless a suite has fewer points.
my ( $FEWEST, $SHORTEST ) = ( 7, 4 );

# The runs as a whole have this part of the errors, if there are at least 8 points.
my ( $WHOLE, $MIN_POINTS ) = ( 0.2, 8 );

# Variances below rounding, and degrees of freedom that are as good as more.
my ( $ROUNDING, $MOST_FREEDOM ) = ( 1e-10, 200 );

# Simulated families: their number, the first random number, suites and points of a suite at most. Larger families have
# proportionally more errors.
my ( $SETS, $SEED, $MOST_SUITES, $MOST_POINTS ) = ( 250, 1, 4, 16 );

# Degrees of freedom of the simulated noise.
my ( $FREEDOM, $PI ) = ( 5, 4 * atan2 1, 1 );

# Tails of the deviations: the part that is fitted, the fewest values, and the lightest ones.
my ( $TAIL, $MIN_TAIL, $LIGHTEST ) = ( 0.2, 4, 12 );

# From a normal median of absolute deviations to the standard deviation.
my $NORMAL = 1.4826;

sub fewest_runs () { return $FEWEST }

# POINTS are hashes of label, of a suite, and values, the logarithm for each run or undef; those of a suite follow each
# other. Returns undef if there are too few runs, else a list of what is odd, the most certain first and one of a run
# and suite: hashes of
#   run             its place in the values
#   from, to        the places of the first and the last point
#   whole           1 for the run as a whole; others are relative to it
#   log, low, high  the deviation from the other runs and its interval, as logarithms; all intervals hold together
#   p               adjusted for all runs and windows
sub odd_runs (@points) {
    my $runs = @points ? @{ $points[0]{values} } : 0;
    return if $runs < $FEWEST;
    my ( $whole, @windows ) = _windows(@points);
    my $family = _family_size( $runs, \@points, scalar @windows );
    my @found  = _found( $family, ( 1 - $WHOLE ) * $ALPHA, @windows );
    push @found, _found( $runs, $WHOLE * $ALPHA, $whole ) if @points >= $MIN_POINTS;
    my %seen;
    my @first = grep { !$seen{"$_->{run} $_->{label}"}++ }
      sort { $a->{p} <=> $b->{p} || $b->{t} <=> $a->{t} || $a->{from} <=> $b->{from} } @found;
    return [ map { $_->{whole} ? $_ : _extended( $_, $whole->{values}, @points ) } @first ];
}

# Returns the odd values of windows that are as good as FAMILY independent questions.
sub _found ( $family, $alpha, @windows ) {
    my $limit = -log( 1 - $alpha ) / $family;
    my @found;
    for my $class ( _classes(@windows) ) {
        my @all   = _deviations( @{$class} );
        my $bound = _bound(@all);
        for my $of ( grep { $_->{t} >= $bound && abs $_->{log} >= log( 1 + $MATTERS ) } @all ) {
            my $p = 2 * student_tail( @{$of}{qw(freedom t)} );
            next if $p > $limit;
            my $half = max( $bound, student_quantile( $of->{freedom}, $limit / 2 ) ) * $of->{scale};
            my %ends = ( low => $of->{log} - $half, high => $of->{log} + $half );
            push @found, { %{$of}, p => $p * $ALPHA / $limit, %ends };
        }
    }
    return @found;
}

# The window with the neighbouring points that deviate by more than half as much, without ends that do not, and its own
# deviation.
sub _extended ( $of, $levels, @points ) {
    my ( $from, $to ) = @{$of}{qw(from to)};
    my $deviation_at = sub ($at) {
        my @values = @{ _without( $points[$at]{values}, $levels ) };
        my $own    = splice @values, $of->{run}, 1;
        return defined $own ? $own - median( grep { defined } @values ) : 0;
    };
    my $is_in = sub ($at) {
        return 0 if $at < 0 || $at > $#points || $points[$at]{label} ne $of->{label};
        return $deviation_at->($at) / $of->{log} > 1 / 2;
    };
    $from-- while $is_in->( $from - 1 );
    $to++   while $is_in->( $to + 1 );
    $from++ while $from < $to && !$is_in->($from);
    $to--   while $to > $from && !$is_in->($to);
    my $more = median( map { $deviation_at->($_) } $from .. $to ) - $of->{log};
    return { %{$of}, from => $from, to => $to, map { $_ => $of->{$_} + $more } qw(log low high) };
}

# The run as a whole, and all other windows. A window is a hash of label, from, to, size, and values: a deviation for
# each run, or undef.
sub _windows (@points) {

    # The first and the last point of each suite.
    my @starts = grep { !$_ || $points[$_]{label} ne $points[ $_ - 1 ]{label} } keys @points;
    my @suites = map  { [ $starts[$_], ( $starts[ $_ + 1 ] // @points ) - 1 ] } keys @starts;
    my @rows   = map {
        my $centre = median( grep { defined } @{ $_->{values} } );
        [ map { defined ? $_ - $centre : undef } @{ $_->{values} } ]
    } @points;
    my @runs  = 0 .. $#{ $rows[0] };
    my %whole = ( label => q{}, from => 0, to => $#points, size => scalar @points, whole => 1 );
    $whole{values} = [ map { _level( $_, \@rows, @suites ) } @runs ];
    my @relative = map { _without( $_, $whole{values} ) } @rows;
    my @windows;

    for my $suite (@suites) {
        for my $range ( _ranges( @{$suite} ) ) {
            my ( $from, $to ) = @{$range};
            my @part = @relative[ $from .. $to ];

            # The value of a run needs half of the points.
            my @values = map {
                my $run = $_;
                my @own = grep { defined } map { $_->[$run] } @part;
                2 * @own >= @part ? _middle(@own) : undef
            } @runs;
            next if ( grep { defined } @values ) < $FEWEST;
            my %window = ( label => $points[$from]{label}, from => $from, to => $to );
            push @windows, { %window, size => scalar @part, values => \@values };
        }
    }
    return ( \%whole, @windows );
}

# The values of a point relative to the runs as a whole.
sub _without ( $row, $levels ) {
    return [ map { defined $row->[$_] ? $row->[$_] - $levels->[$_] : undef } keys @{$row} ];
}

# Returns the deviation that the suites of a run have in common. Each suite counts once.
sub _level ( $run, $rows, @suites ) {
    return _middle(
        map {
            my @own = grep { defined } map { $_->[$run] } @{$rows}[ $_->[0] .. $_->[1] ];
            @own ? median(@own) : ()
        } @suites
    );
}

# The median. Of an even number of values, the smaller half alone is not contradicted by the larger one: the mean of the
# middle two is at most twice the smaller of them.
sub _middle (@values) {
    my @sorted = sort { $a <=> $b } @values or return 0;
    my ( $low, $high ) = @sorted[ $#sorted / 2, @sorted / 2 ];
    my $mean = ( $low + $high ) / 2;
    my $most = 2 * min( abs $low, abs $high );
    return abs $mean <= $most ? $mean : $mean < 0 ? -$most : $most;
}

# Windows of 4, 8, 16, ... points, which overlap by half, and the whole suite.
sub _ranges ( $first, $last ) {
    my @ranges = ( [ $first, $last ] );
    for ( my $size = $SHORTEST ; $size <= $last - $first ; $size *= 2 ) {
        my $steps = int( ( $last - $first + 1 - $size ) / ( $size / 2 ) );
        push @ranges, map { [ $_, $_ + $size - 1 ] } map { $first + $_ * $size / 2 } 0 .. $steps;
    }
    return @ranges;
}

sub _classes (@windows) {
    my %class;
    push @{ $class{ int( log( $_->{size} + 0.5 ) / log 2 ) } }, $_ for @windows;
    return map { $class{$_} } sort { $a <=> $b } keys %class;
}

# For each run and window: its members, run, log (the deviation from the mean of the other runs), scale (its standard
# error), freedom and t.
sub _deviations (@windows) {
    return map { _of_run( $_, @windows ) } keys @{ $windows[0]{values} };
}

sub _of_run ( $run, @windows ) {
    my ( @found, @logs, $freedom );
    for my $window ( grep { defined $_->{values}[$run] } @windows ) {
        my $own  = $window->{values}[$run];
        my $sums = $window->{sums} //= do {
            my @values = grep { defined } @{ $window->{values} };
            [ scalar @values, sum0(@values), sum0( map { $_**2 } @values ) ];
        };

        # Number, mean and variance of the other runs' values.
        my $count    = $sums->[0] - 1;
        my $mean     = ( $sums->[1] - $own ) / $count;
        my $rest     = $sums->[2] - $own**2 - $count * $mean**2;
        my $variance = max( $ROUNDING, $rest / ( $count - 1 ) );
        push @logs,  log $variance;
        push @found, [ $window, $own - $mean, $variance, $count ];
        $freedom += $count - 1;
    }
    my ( $more, $usual ) = @found < 3 ? ( 0, 0 ) : _usual( $freedom / @found, @logs );
    return map {
        my ( $window, $log, $variance, $count ) = @{$_};
        my $all    = $more + $count - 1;
        my $square = ( $more * $usual + ( $count - 1 ) * $variance ) / $all * ( 1 + 1 / $count );
        my $scale  = sqrt $square;
        my %own    = ( run => $run, log => $log, scale => $scale, freedom => $all );
        +{ %{$window}{qw(label from to whole)}, %own, t => abs($log) / $scale }
    } @found;
}

# The degrees of freedom and the variance that the windows of a class have in common, from the logarithms of their
# variances: these scatter more if the windows differ. Windows in which another run is odd do not change medians.
sub _usual ( $freedom, @logs ) {
    my $middle = median(@logs);
    my $spread = $NORMAL * median( map { abs( $_ - $middle ) } @logs );
    my $common = _freedom_of( $spread**2 - trigamma( $freedom / 2 ) );
    return ( $common, exp( $middle - _median_log($freedom) + _median_log($common) ) );
}

# The degrees of freedom of which the logarithm of a variance has this variance.
sub _freedom_of ($variance) {
    my ( $few, $many ) = ( 0.5, $MOST_FREEDOM );
    return $many if $variance <= trigamma( $many / 2 );
    for ( 1 .. 20 ) {
        my $middle = sqrt( $few * $many );
        if   ( trigamma( $middle / 2 ) > $variance ) { $few  = $middle }
        else                                         { $many = $middle }
    }
    return $few;
}

# The logarithm of the median of chi-square, divided by its degrees of freedom (Wilson and Hilferty).
sub _median_log ($freedom) { return 3 * log max( 0.1, 1 - 2 / ( 9 * $freedom ) ) }

# The smallest t that the tails of a class allow. Up to a quarter of the runs may be beyond it: the others show how
# heavy the tails are.
sub _bound (@all) {
    my ( %of, %top );
    for my $one (@all) {
        my $of = $of{ $one->{run} } //= {};
        $of->{ $one->{label} } = max( $of->{ $one->{label} } // 0, $one->{t} );
        $top{ $one->{run} } = max( $top{ $one->{run} } // 0, $one->{t} );
    }
    my @order = sort { $top{$b} <=> $top{$a} || $a <=> $b } keys %top;
    my ( $bound, $most ) = ( "inf", int( @order / 4 ) );
    for my $odd ( 1 .. $most ) {
        my @rest = sort { $b <=> $a } map { values %{ $of{$_} } } @order[ $odd .. $#order ];

        # Hill's estimate of the tail: 1/3 for Student's t with 3 degrees of freedom.
        my $count = min( $#rest, max( $MIN_TAIL, int( $TAIL * @rest ) ) );
        my $low   = max( $ROUNDING, $rest[$count] );
        my $hill  = sum0( map { log max( 1, $_ / $low ) } @rest[ 0 .. $count - 1 ] ) / $count;
        my $least = $rest[0] * ( $ALPHA / 2 / $most )**( -max( 1 / $LIGHTEST, $hill ) / $odd );
        $bound = $least if $top{ $order[ $odd - 1 ] } >= $least;
    }
    return $bound;
}

# How many independent questions the windows are as good as.
sub _family_size ( $runs, $points, $windows ) {
    state %known;
    my $all    = uniq map { $_->{label} } @{$points};
    my $suites = min( $MOST_SUITES, $all );
    my $size   = 1;
    $size *= 2 while $size < $MOST_POINTS && $size * $all < @{$points};
    my $of = $known{"$runs $suites $size"} //= _simulated( $runs, $suites, $size );
    return $of->{family} * max( 1, $windows / $of->{windows} );
}

# The number of windows of simulated families, and of independent questions that have as many errors.
sub _simulated ( $runs, $suites, $size ) {
    my $alpha = ( 1 - $WHOLE ) * $ALPHA;
    my ( @smallest, $windows );
    srand $SEED;
    for ( 1 .. $SETS ) {
        ( undef, my @windows ) = _windows( map { _noisy_suite( $_, $runs, $size ) } 1 .. $suites );
        $windows = @windows;

        # All of a class have nearly the same degrees of freedom.
        push @smallest, min(
            map {
                my ($most) = sort { $b->{t} <=> $a->{t} } _deviations( @{$_} );
                2 * student_tail( @{$most}{qw(freedom t)} )
            } _classes(@windows)
        );
    }
    srand;
    @smallest = sort { $a <=> $b } @smallest;
    return { windows => $windows, family => -log( 1 - $alpha ) / $smallest[ $alpha * $SETS ] };
}

# Points of a suite, half of whose variance they have in common.
sub _noisy_suite ( $label, $runs, $size ) {
    my @common = map { _noise() } 1 .. $runs;
    return map {
        +{ label => $label, values => [ map { $_ + _noise() } @common ] }
    } 1 .. $size;
}

# Student's t by Bailey's polar method.
sub _noise () {
    my $square = $FREEDOM * ( ( 1 - rand )**( -2 / $FREEDOM ) - 1 );
    return sqrt($square) * cos( 2 * $PI * rand );
}

1;
