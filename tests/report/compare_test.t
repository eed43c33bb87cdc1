# The statistics of skampi-compare: the answers of R (tests/report/r), small cases by hand, invariances, and how
# often there is a false alarm.
use v5.36;

use List::Util qw(any max pairs sum0);
use Test::More;
use SKaMPI::Bench::Verdicts qw(judged_sets upper_limit);
use SKaMPI::Generated       qw(launches normal random_from);
use SKaMPI::Stat::Estimate  qw(estimate estimate_mean);
use SKaMPI::Stat::MaxT      qw(smallest_p test_points);
use SKaMPI::Test            qw($ROOT read_file);
use SKaMPI::Verdict::Family
  qw(fewest_launches judge judge_family judge_launches launches_needed needed_text);
use SKaMPI::Verdict::Order qw(kendall_p);

my $ALPHA = 0.05;

# Points of a table with a row for each launch.
sub points ( $base, @rows ) {
    return map {
        my $k      = $_;
        my @column = map { $_->[$k] } @rows;
        { base => [ @column[ 0 .. $base - 1 ] ], new => [ @column[ $base .. $#column ] ] }
    } 0 .. $#{ $rows[0] };
}

sub tested (@points) {
    my $test = test_points( \@points, $ALPHA );
    return ( $test, @points );
}

sub column ( $name, @points ) {
    return [ map { sprintf '%.5g', $_->{$name} } @points ];
}

# Blocks of lines "name values" of the file that R wrote.
sub answers () {
    my @cases;
    for my $line ( split /\n/, read_file("$ROOT/tests/report/r/answers.txt") ) {
        my ( $name, @values ) = split q{ }, $line;
        @values = map { $_ eq 'NA' ? undef : $_ } @values;
        if ( $name eq 'case' ) { push @cases, { size => \@values, rows => [] } }
        elsif ( $name eq 'values' ) { push @{ $cases[-1]{rows} }, \@values }
        else {
            $cases[-1]{$name} = [ map { sprintf '%.5g', $_ } @values ];
        }
    }
    return @cases;
}

for my $case ( answers() ) {
    my ( $base, $new ) = @{ $case->{size} };
    my @points = points( $base, @{ $case->{rows} } );

    # So small that nothing is significant: R does not step down.
    test_points( \@points, 1e-5 );
    subtest "R: $base and $new launches, " . @points . ' points' => sub {
        is_deeply column( 't', @points ), $case->{t}, 'T';
        is_deeply column( 'p', @points ), $case->{p}, 'adjusted p';
        my @found = map { estimate( @{$_}{qw(base new)} ) } @points;
        is_deeply column( 'low',  @found ), $case->{low},  'lower limits of the ratio';
        is_deeply column( 'high', @found ), $case->{high}, 'upper limits';
        my @first = grep { defined } map { $_->[0] } @{ $case->{rows} };
        is sprintf( '%.5g', kendall_p(@first) ), $case->{kendall}[0], q{Kendall's p};
    };
}

# T = (mean of NEW - mean of BASE) / (s + s0): for the first point 3 - 1 and s = sqrt(4 / 2 (1/2 + 1/2)).
subtest 'by hand: two launches a side' => sub {
    my ( $test, @points ) =
      tested( points( 2, [ 0, 0, 0 ], [ 2, 0, 1 ], [ 2, 0, 5 ], [ 4, 1, 6 ] ) );
    my ( $s1, $s2, $s3 ) = ( sqrt 2, 0.5, sqrt 0.5 );
    my $s0 = $s3;
    is_deeply column( 't', @points ),
      [ map { sprintf '%.5g', $_ } 2 / ( $s1 + $s0 ), 0.5 / ( $s2 + $s0 ), 5 / ( $s3 + $s0 ) ], 'T';
    is "$test->{relabelings} $test->{which} $test->{critical}", '6 all inf', 'all 6 relabelings';
    is sprintf( '%.4f', $points[2]{p} ), '0.3333', 'two of them reach the largest T';
};

subtest 'values that are all equal' => sub {
    my @same = map { [ 1, 2 ] } 1 .. 4;
    my ( undef, @points ) = tested( points( 4, @same, @same ) );
    is_deeply column( 't', @points ), [ 0, 0 ], 'nothing differs: T is 0';
    is_deeply column( 'p', @points ), [ 1, 1 ], 'p is 1';
    ( my $test, @points ) = tested( points( 4, @same, map { [ 1.1, 2 ] } @same ) );
    is_deeply [ map { lc $_->{t} } @points ], [ 'inf', 0 ],
      'a difference without spread is infinite';
    is sprintf( '%.4f', $points[0]{p} ), sprintf( '%.4f', 2 / 70 ), 'and found';
};

# A comparison of generated launches: 4 and 5 of them, 12 points, the third 30 % slower.
my $random = random_from(5);
my @rows   = map {
    [ map { log } @{$_} ]
} launches( $random, launches => 9, points => 12, between => 0.05, common => 0.02 );
$_->[2] += log 1.3 for @rows[ 4 .. 8 ];
my ( $test, @points ) = tested( points( 4, @rows ) );

subtest 'invariances' => sub {
    my $p = column( 'p', @points );
    my ( undef, @moved ) = tested(
        points(
            4,
            map {
                [ map { $_ + log 1000 } @{$_} ]
            } @rows
        )
    );
    is_deeply column( 'p', @moved ), $p, 'scale';
    my ( undef, @swapped ) = tested( points( 5, @rows[ 4 .. 8, 0 .. 3 ] ) );
    is_deeply column( 'p', @swapped ), $p,                                           'swap: p';
    is_deeply column( 't', @swapped ), [ map { sprintf '%.5g', -$_->{t} } @points ], 'swap: T';
    my ( undef, @turned ) = tested( points( 4, @rows[ 2, 0, 3, 1, 8, 6, 4, 5, 7 ] ) );
    is_deeply column( 'p', @turned ), $p, 'order of the launches';
    my ( undef, @reversed ) = tested( points( 4, map { [ reverse @{$_} ] } @rows ) );
    is_deeply [ reverse @{ column( 'p', @reversed ) } ], $p, 'order of the points';
    my @twice = map { [ @{$_}, @{$_} ] } @rows;
    my ( undef, @doubled ) = tested( points( 4, @twice ) );
    is_deeply column( 'p', @doubled[ 0 .. 11 ] ), $p, 'each point twice';
};

is sprintf( '%.4f', smallest_p( @{$_}[ 0, 1 ] ) ), $_->[2], "the smallest p of $_->[0] and $_->[1]"
  for [ 1, 1, '1.0000' ], [ 3, 3, '0.1000' ], [ 4, 4, '0.0286' ], [ 3, 4, '0.0286' ],
  [ 1,  19, '0.0500' ],
  [ 30, 30, '0.0001' ];

subtest 'verdicts' => sub {
    my @cases = (

        # ratio, scale with a critical value of 4
        [ 'slower',    1.2,  0.04 ],
        [ 'undecided', 1.2,  0.05 ],
        [ 'faster',    0.8,  0.05 ],
        [ 'undecided', 0.8,  0.06 ],
        [ 'undecided', 1.04, 0.005 ],
        [ 'slower',    1.06, 0.014 ],
        [ 'equal',     1.03, 0.004 ],
        [ 'equal',     1.00, 0.012 ],
        [ 'undecided', 1.00, 0.0123 ],
    );
    for my $case (@cases) {
        my ( $verdict, $ratio, $scale ) = @{$case};
        my %point = ( log => log $ratio, scale => $scale, base => [ (0) x 5 ], new => [ (0) x 5 ] );
        judge( \%point, 4 );
        is $point{verdict},        $verdict,                "$ratio, scale $scale";
        is defined $point{needed}, $verdict eq 'undecided', 'advice for undecided points only';
    }
    my %point = ( log => log 1.2, scale => 0.08, pairs => [ (0) x 6 ] );
    is launches_needed( \%point, 4 ), 28, '6 (4.84 0.08 / ln 1.2)^2, rounded up';
    is launches_needed( { %point, log => log 1.02, scale => 0.02 }, 4 ), 67,
      'equal: 6 (4.84 0.02 / ln(1.05 / 1.02))^2';
    is launches_needed( { %point, log => log 2.03 }, 4 ), 7, 'at least one more';
    is needed_text( { needed => launches_needed( { %point, log => log 1.051 }, 4 ) } ),
      'more than 100', 'too close to the threshold';
    is fewest_launches($_), $_ ? 6 : 4, "fewest launches: $_" for 0, 1;
};

# The definition, written down once more, without any shortcut: each sign of each launch.
sub by_brute_force ( $alpha, @columns ) {
    my $n        = @{ $columns[0] };
    my @observed = signed( [ (1) x $n ], @columns );
    my ( %removed, @most, $critical );
    while () {
        @most = sort { $b <=> $a } map {
            my $bits  = $_;
            my @signs = map { $bits >> $_ & 1 ? 1 : -1 } 0 .. $n - 1;
            $bits == 0 || $bits == 2**$n - 1
              ? 'inf'
              : max map { abs $_->[0] }
              signed( \@signs, @columns )
        } 0 .. 2**$n - 1;
        $critical = $most[ int $alpha * 2**$n ];
        my @new =
          grep { !$removed{$_} && abs $observed[$_][0] > $critical * ( 1 + 1e-9 ) } 0 .. $#columns;
        last if !@new;
        @removed{@new} = (1) x @new;
        for my $k (@new) {
            $columns[$k] = [ map { defined ? $_ - $observed[$k][1] : undef } @{ $columns[$k] } ];
        }
    }
    return map {
        my ( $t, $mean, $scale ) = @{$_};
        {
            p    => ( grep { $_ >= abs($t) * ( 1 - 1e-9 ) } @most ) / @most,
            low  => exp( $mean - $critical * $scale ),
            high => exp( $mean + $critical * $scale )
        }
    } @observed;
}

# T, mean and s + s0 of each column with these signs.
sub signed ( $signs, @columns ) {
    my @found = map {
        my $column = $_;
        my @values =
          map { $signs->[$_] * $column->[$_] } grep { defined $column->[$_] } 0 .. $#{$signs};
        my ( $mean, $sd ) = estimate_mean(@values);
        [ $mean, $sd / sqrt @values ]
    } @columns;
    my @sorted = sort { $a <=> $b } map { $_->[1] } @found;
    my $s0     = ( $sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ] ) / 2;
    return map { [ $_->[0] / ( $_->[1] + $s0 ), $_->[0], $_->[1] + $s0 ] } @found;
}

# Differences within a launch, a third of them large; one launch lacks a point.
sub differences ( $random, $launches, $count ) {
    my @columns = map {
        my $more = $_ % 3 ? 0 : log 1.5;
        [ map { $more + 0.07 * normal($random) } 1 .. $launches ]
    } 1 .. $count;
    undef $columns[0][1];
    return @columns;
}

subtest 'pairs' => sub {
    for my $case ( [ 6, 1 ], [ 6, 9 ], [ 7, 12 ], [ 8, 5 ] ) {
        my @columns  = differences( random_from("@{$case}[0]$case->[1]"), @{$case} );
        my @expected = by_brute_force( $ALPHA, @columns );
        my @points   = map { { pairs => $_ } } @columns;
        judge_family( \@points );
        is_deeply column( $_, @points ), column( $_, @expected ), "@{$case}: $_" for qw(p low high);
        ok + ( any { $_->{verdict} eq 'slower' } @points ), 'some are slower' if $case->[0] > 6;
    }
    my @few = map { { pairs => $_ } } differences( random_from(1), 5, 3 );
    is judge_family( \@few ), undef, 'five launches are too few';
    is_deeply [ grep { defined $_->{verdict} || defined $_->{low} } @few ], [], 'nothing is added';
    my @many = map { { pairs => $_ } } differences( random_from(1), 16, 6 );
    my $test = judge_family( \@many );
    is "$test->{relabelings} $test->{which}", '10000 random', '16 launches: random signs';
    is $many[2]{verdict},                     'slower',       'which find what is there';
    my @some = map { { pairs => $_->{pairs}, unjudged => 'why' } } @many;
    is judge_family( \@some ), undef, 'points that are not judged';
    delete $some[2]{unjudged};
    judge_family( \@some );
    is_deeply [ map { $_->{verdict} } @some[ 1, 2 ] ], [ undef, 'slower' ], 'beside one that is';
};

# In families of both kinds and of all sizes.
subtest 'interval, p and verdict agree' => sub {
    my ( $random, %seen, @wrong ) = ( random_from(11) );
    for my $i ( 1 .. 60 ) {
        my $launches = 6 + $i % 4;
        my @points   = map { { pairs => $_ } } differences( $random, $launches, 1 + $i % 15 );
        @points = map {
            { base => [ map { 0.03 * normal($random) } 1 .. 5 ], new => $_->{pairs} }
          } @points
          if $i % 2;
        judge_family( \@points );
        for my $point (@points) {
            my ( $low, $high ) = map { log $point->{$_} } qw(low high);
            my $word =
                $low > 0          && $point->{ratio} >= 1.05     ? 'slower'
              : $high < 0         && $point->{ratio} <= 1 / 1.05 ? 'faster'
              : $low >= -log 1.05 && $high <= log 1.05           ? 'equal'
              :                                                    'undecided';
            my $is_outside = $low > 0 || $high < 0 ? 1 : 0;
            my $is_small   = $point->{p} <= $ALPHA ? 1 : 0;
            push @wrong, $point if $word ne $point->{verdict} || $is_outside != $is_small;
            $seen{$word}++;
        }
    }
    is_deeply \@wrong, [], 'always';
    cmp_ok scalar keys %seen, '>=', 2, join q{, }, map { "$_ $seen{$_}" } sort keys %seen;
};

# 6 launches a side of nine points: LEVELS by launch, and DIFFERENCES of NEW by point. The values of a launch are apart.
sub of_levels ( $levels, @differences ) {
    return map {
        my $k      = $_;
        my @values = map { $levels->[$_] + 0.001 * ( ( 2 * $_ + $k**2 ) % 7 ) } 0 .. 11;
        my @new    = map { $_ + $differences[$k] } @values[ 6 .. 11 ];
        { base => [ @values[ 0 .. 5 ] ], new => \@new };
    } 0 .. $#differences;
}

subtest 'launches that are slower as a whole' => sub {
    my @noise  = ( 0, 0.3, 0.1, 0.2, 0.5, 0.4, 0.3, 0, 0.2, 0.5, 0.1, 0.4 );
    my @one    = ( 0.2, (0) x 8 );
    my @points = of_levels( \@noise, @one );
    my $test   = judge_launches( \@points );
    is_deeply [ map { $_->{verdict} } @points ], [ 'slower', ('equal') x 8 ],
      'one point differs, and the launches by chance: relative to them';
    is "$test->{is_relative} $test->{whole}{verdict}", '1 undecided', 'which are a point, too';
    cmp_ok abs( $points[0]{log} - 0.2 ), '<', 0.005, 'what differs';
    judge_family( my $raw = [ of_levels( \@noise, @one ) ] );
    is $raw->[0]{verdict}, 'undecided', 'as it is, the point says nothing';

    @points = of_levels( [ (0) x 6, (0.1) x 6 ], (0) x 9 );
    $test   = judge_launches( \@points );
    is_deeply [ map { $_->{verdict} } @points, $test->{whole} ], [ ('slower') x 10 ],
      'all launches of NEW are slower: so are the points';
    ok !$test->{is_relative}, 'which are judged as they are';

    for my $case ( [ 3, 1 ], [ 4, 0 ] ) {
        my ( $slower, $agree ) = @{$case};
        @points = of_levels( \@noise, (0.2) x $slower, (0) x ( 9 - $slower ) );
        $test   = judge_launches( \@points );
        is $test->{is_relative} // 0, $agree, "$slower of 9 differ";
    }
    my @few = of_levels( \@noise, (0) x 7 );
    is judge_launches( \@few )->{whole}, undef, 'seven points are too few';
};

subtest 'relative to the other points' => sub {
    my @points = of_levels( [ (0) x 12 ], (0) x 9 );
    $points[$_]{base}[0] = 0.001 * ( 1, 2, 4, 8, 11, 13, 20, 22, 23 )[$_] for 0 .. 8;
    undef $points[8]{new}[1];
    my @others = sort { $a <=> $b } map {
        my @all = grep { defined } map { @{$_} } @{ $points[$_] }{qw(base new)};
        $points[$_]{base}[0] - sum0(@all) / @all
    } 0 .. 3, 5 .. 8;
    my $wanted = $points[4]{base}[0] - ( $others[3] + $others[4] ) / 2;
    judge_launches( \@points );
    cmp_ok abs( $points[4]{relative}{base}[0] - $wanted ), '<', 1e-12, 'without its own value';
    is $points[8]{relative}{new}[1], undef, 'a missing one is missing';
};

# In the long form, 200 comparisons of 5 launches a side: 5 % are 10; more than 19 or fewer than 2 are found once in 300
# times; of 100, more than 12 or none are as rare. The seeds are fixed. "make bench" has more sets, and says how often
# this is wrong.
subtest 'false alarms and slowdowns' => sub {
    my $many = $ENV{SKAMPI_LONG};
    my %five = ( launches => 5, points => 40, between => 0.05, common => 0.02 );
    my ( $sets, $least, $most ) = $many ? ( 200, 2, 19 ) : ( 100, 1, 12 );
    my $alarms = judged_sets( $sets, %five, differing => 0 )->{alarms};
    cmp_ok $alarms, '>=', $least, "false alarms in $sets comparisons: $alarms";
    cmp_ok $alarms, '<=', $most,  'about one in 20';
    my %states =
      ( points => 10, between => 0, common => 0.01, within => 0.02, visits => 10, has_mean => 1 );
    my %slow  = ( %states, usual => 0.1, changed => 0.4 );
    my %whole = ( points => 40, between => 0.05, common => 0.05, factor => 1.15 );
    my %small = ( points => 10, between => 0.02, common => 0.02 );
    my %found = (
        '20 % slower' => [ slower => 70, 20, %five, points => 200, differing => 10, factor => 1.2 ],
        'slow visits'        => [ slower => 75, 20, %slow,  differing => 10 ],
        'despite the launch' => [ slower => 90, 10, %whole, differing => 3 ],
        'what is equal'      => [ equal  => 60, 20, %small, differing => 0 ]
    );

    for my $name ( sort keys %found ) {
        my ( $verdict, $percent, $count, %with ) = @{ $found{$name} };
        my $share = judged_sets( $many ? $count : $count / 5, %with )->{$verdict};
        cmp_ok $share, '>=', $percent, "found in $share %: $name";
    }
    my $some = judged_sets( $many ? 40 : 8, %slow, differing => 3 );
    cmp_ok $some->{slower}, '>=', 90,            'slow visits at some points';
    cmp_ok $some->{alarms}, '<=', $many ? 5 : 1, "and few false alarms: $some->{alarms}";
    is sprintf( '%.2f', upper_limit( 100, 2000 ) ), '6.04', q{Wilson's upper limit};
};

done_testing;
