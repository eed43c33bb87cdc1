package SKaMPI::Bench::Compare;

# What skampi-compare's test finds in generated launches, and how often it gives a false alarm.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(any);
use SKaMPI::Bench::Figures qw(plain within);
use SKaMPI::Compare::MaxT  qw(test_points);
use SKaMPI::Generated      qw(launches random_from);

our @EXPORT_OK = qw(comparisons found_in);

my $ALPHA = 0.05;

# The spread of the logarithms from launch to launch, at each point and of all points of a launch.
my %SPREAD = ( between => 0.05, common => 0.02 );

sub comparisons () {
    my @rows;

    # The p values of 4 launches a side are multiples of 2/70: at most 2.9 % can be reached.
    for my $case ( [ 4, 2, 4 ], [ 5, 3, 7 ], [ 10, 3, 7 ] ) {
        my ( $launches, @limits ) = @{$case};
        my ($alarms) = found_in( 2000, $launches, 60, {} );
        push @rows,
          within(
            "no difference, $launches launches, 60 points",
            '%.1f %% alarms',
            $alarms / 20,
            \@limits, ' of 2,000'
          );
    }
    for my $factor ( 1.1, 1.2 ) {
        push @rows, map { _power( $_, $factor ) } 4, 5, 7, 10;
    }
    return @rows;
}

# One twentieth of 200 points is slower.
sub _power ( $launches, $factor ) {
    my $count = 50;
    my ( $alarms, $found ) =
      found_in( $count, $launches, 200, { map { 20 * $_ => $factor } 0 .. 9 } );
    return plain(
        sprintf( '%.0f %% slower, %d launches, 200 points', 100 * ( $factor - 1 ), $launches ),
        '%.0f %% found',
        100 * $found / ( 10 * $count )
    );
}

# In how many comparisons a point is found that does not differ, and how many of the SLOWER points (a hash of
# factors by point) are found. The seeds are fixed.
sub found_in ( $comparisons, $launches, $points, $slower ) {
    my ( $alarms, $found ) = ( 0, 0 );
    for my $seed ( 1 .. $comparisons ) {
        my $random = random_from( 7919 * $seed );
        my %with   = ( launches => $launches, points => $points, %SPREAD );
        my @base   = launches( $random, %with );
        my @new    = launches( $random, %with, slower => $slower );
        my @tested = map { _point( $_, \@base, \@new ) } 0 .. $points - 1;
        test_points( \@tested, $ALPHA );
        my @is_found = map { $_->{p} <= $ALPHA } @tested;
        $alarms++ if any { $is_found[$_] && !$slower->{$_} } 0 .. $#tested;
        $found += grep { $is_found[$_] } keys %{$slower};
    }
    return ( $alarms, $found );
}

sub _point ( $k, @sides ) {
    my ( $base, $new ) = map {
        [ map { log $_->[$k] } @{$_} ]
    } @sides;
    return { base => $base, new => $new };
}

1;
