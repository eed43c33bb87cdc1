package SKaMPI::Stat::OddRun;

# Which of several runs of the same suites is odd, where, and by how much.
#
# The deviation of a point in a run is that of its logarithm from the median over the runs, without what all suites of
# the run have in common (the run as a whole). There are three families, each with a part of the errors of its own, so
# that many windows do not hide a suite: runs as a whole, suites, and parts of a suite. The value of a suite or part is
# the median of its deviations. A run's value is compared with those of the other runs, in units of their scatter there;
# this scatter is moderated by that of all windows of a similar size, the more the more alike they are (G. K. Smyth,
# 2004). Student's p has to be small enough for all of a family (Bonferroni). Besides, it has to exceed
# those of all other runs by a factor that grows with the weight of their tails (B. M. Hill, 1975; A. Rényi, 1953).
use SKaMPI::Base;

use List::Util qw(max min sum0);

use SKaMPI::Stat::Estimate    qw(median $ALPHA $MATTERS);
use SKaMPI::Stat::Probability qw(student_quantile student_tail trigamma);

# With fewer runs, nothing is said. The shortest part of a suite.
my ( $FEWEST, $SHORTEST ) = ( 7, 4 );

# The parts of the errors, and the fewest points for a run as a whole.
my %SHARE      = ( whole => 0.2, suite => 0.5, part => 0.3 );
my $MIN_POINTS = 8;

# Variances below rounding, degrees of freedom that are as good as more, and the largest t that has a p.
my ( $ROUNDING, $MOST_FREEDOM, $MOST_T ) = ( 1e-10, 200, 1e6 );

# Tails: the fewest values, and the most that is added to the square of t before its logarithm is taken. That has
# exponential tails if t is Student's with two degrees of freedom more.
my ( $MIN_TAIL, $GOOD_TAIL, $LIGHTEST ) = ( 4, 12, 5 );

# The scale of more values than these, of suites with different noise, is increased by its standard error.
my $MANY = 100;

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
    my %of;
    push @{ $of{ $_->{family} } }, $_ for @points < $MIN_POINTS ? () : $whole, @windows;
    my @found = map { _found( $SHARE{$_} * $ALPHA, @{ $of{$_} } ) } sort keys %of;
    my %seen;
    my @first = grep { !$seen{"$_->{run} $_->{label}"}++ }
      sort { $a->{p} <=> $b->{p} || $b->{t} <=> $a->{t} || $a->{from} <=> $b->{from} } @found;
    return [ map { $_->{whole} ? $_ : _extended( $_, $whole->{values}, @points ) } @first ];
}

# Returns the odd values of a family of windows. Each class has the part of the errors that its windows are.
sub _found ( $alpha, @windows ) {
    my $limit = $alpha / ( @windows * @{ $windows[0]{values} } );
    my ( %class, @found );
    push @{ $class{ $_->{class} } }, $_ for @windows;
    for my $class ( map { $class{$_} } sort keys %class ) {
        my @all   = map { _of_run( $_, @{$class} ) } keys @{ $class->[0]{values} };
        my $bound = _bound( $alpha * @{$class} / @windows, $class->[0]{class}, @all );
        for my $of ( grep { $_->{t} >= $bound && abs $_->{log} >= log( 1 + $MATTERS ) } @all ) {
            my $p = 2 * student_tail( $of->{freedom}, min( $MOST_T, $of->{t} ) );
            next if $p > $limit;
            my $half = max( $bound, student_quantile( $of->{freedom}, $limit / 2 ) ) * $of->{scale};
            my %ends = ( low => $of->{log} - $half, high => $of->{log} + $half );
            push @found, { %{$of}, p => $p * $ALPHA / $limit, %ends };
        }
    }
    return @found;
}

# The smallest t that the tails of a class allow. Up to a quarter of the runs may be beyond it: the others show how
# heavy the tails are. A suite counts once in a run.
sub _bound ( $alpha, $class, @all ) {
    my %of;
    for my $one (@all) {
        my $most = \$of{ $one->{run} }{ $one->{label} };
        ${$most} = max( ${$most} // 0, $one->{t}**2 );
    }
    my @runs = sort { $b->[0] <=> $a->[0] } map {
        [ sort { $b <=> $a } values %{$_} ]
    } values %of;
    my $bound = 'inf';
    my $most  = int( @runs / 4 );
    for my $odd ( 1 .. $most ) {
        my $least = _beyond( $alpha / $most, $class, $odd, map { @{$_} } @runs[ $odd .. $#runs ] );
        $bound = $least if $runs[ $odd - 1 ][0] >= $least;
    }
    return sqrt $bound;
}

# The logarithms of the largest squares have exponential tails, whose scale is estimated. The least of ODD other ones
# exceeds the largest of these by more than this with the probability ALPHA (A. Rényi, 1953).
sub _beyond ( $alpha, $class, $odd, @squares ) {
    @squares = sort { $b <=> $a } @squares;
    my $count = max( $MIN_TAIL, min( $GOOD_TAIL, int @squares / 4 ), int sqrt @squares );
    my $more  = min( $LIGHTEST, $class );
    my @logs =
      map { log( $more + max( $ROUNDING, $_ ) ) } @squares[ 0 .. min( $#squares, $count ) ];
    my $scale = sum0( map { $_ - $logs[-1] } @logs ) / $#logs;
    $scale *= 1 + 1 / sqrt $#logs if @squares > $MANY;
    my $ratio = $#logs * ( $alpha**( -1 / $#logs ) - 1 ) / $odd;
    return exp( min( 500, $logs[0] + $scale * $ratio ) ) - $more;
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

# The run as a whole, and all other windows. A window is a hash of label, from, to, family, class
# (windows of a similar size; those of more points have lighter tails), and values: a deviation
# for each run, or undef.
sub _windows (@points) {

    # The first and the last point of each suite.
    my @starts = grep { !$_ || $points[$_]{label} ne $points[ $_ - 1 ]{label} } keys @points;
    my @suites = map  { [ $starts[$_], ( $starts[ $_ + 1 ] // @points ) - 1 ] } keys @starts;
    my @rows   = map {
        my $centre = median( grep { defined } @{ $_->{values} } );
        [ map { defined ? $_ - $centre : undef } @{ $_->{values} } ]
    } @points;
    my @runs = 0 .. $#{ $rows[0] };
    my %whole =
      ( label => q{}, from => 0, to => $#points, whole => 1, family => 'whole', class => 1 );
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
            my $is_suite = @part == $suite->[1] - $suite->[0] + 1;
            my $class    = int( log( @part + 0.5 ) / log 2 );
            my %window   = (
                label  => $points[$from]{label},
                from   => $from,
                to     => $to,
                family => $is_suite ? 'suite' : 'part',
                class  => $class,
                values => \@values
            );
            push @windows, \%window;
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

# The whole suite, its halves and its quarters, which overlap by half.
sub _ranges ( $first, $last ) {
    my $all    = $last - $first + 1;
    my @ranges = ( [ $first, $last ] );
    for my $size ( grep { $_ >= $SHORTEST } map { int $all / $_ } 2, 4 ) {
        my $steps = int( 2 * ( $all - $size ) / $size );
        push @ranges,
          map { [ $_, $_ + $size - 1 ] } map { $first + int $_ * $size / 2 } 0 .. $steps;
    }
    return @ranges;
}

# For each window: its members, run, log (the deviation from the mean of the other runs), scale (its standard
# error), freedom and t.
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
        +{ %{$window}{qw(label from to whole family class)}, %own, t => abs($log) / $scale }
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

1;
