package SKaMPI::Bench::Compare;

# The findings of skampi-compare's test in generated launches, and its false alarms.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(any sum0);
use SKaMPI::Bench::Figures qw(at_most plain within);
use SKaMPI::Bench::Launch  qw(ended_well root);
use SKaMPI::Generated      qw(launch_text launches random_from);
use SKaMPI::Stat::MaxT     qw(test_points);
use SKaMPI::Test           qw(scratch write_file);

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
    return ( @rows, cpu_times() );
}

# 10 launches a side of 3,000 points, 10,000 relabelings: CPU seconds of the test, and of the program.
sub cpu_times () {
    my $dir    = scratch();
    my $random = random_from(1);
    my %with   = ( launches => 10, points => 3000, %SPREAD );
    my ( @sides, @files );
    for my $side ( 0, 1 ) {
        $sides[$side] = [ launches( $random, %with ) ];
        $files[$side] =
          [ map { write_file( "$dir/$side.$_", launch_text( $sides[$side][$_], size => 50 ) ) }
              0 .. 9 ];
    }
    my @points  = map { _point( $_, @sides ) } 0 .. 2999;
    my @program = ( $^X, root() . '/report/compare.pl', '--fail-on', 'never' );
    my $test_s  = _cpu_s( sub { test_points( \@points, $ALPHA ) } );
    my $all_s   = _cpu_s( sub { ended_well( @program, @{ $files[0] }, q{--}, @{ $files[1] } ) } );
    return (
        at_most( '3,000 points, 2 x 10 launches: the test', '%.1f s of CPU', $test_s, 2 ),
        at_most( '3,000 points, 2 x 10 launches: in all',   '%.1f s of CPU', $all_s,  6 ),
    );
}

# For this process and its children.
sub _cpu_s ($action) {
    my $before = sum0(times);
    $action->();
    return sum0(times) - $before;
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
