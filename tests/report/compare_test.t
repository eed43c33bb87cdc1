#!/usr/bin/perl
# The statistics of skampi-compare: the answers of R (tests/report/r), small cases by hand, invariances, and how
# often there is a false alarm.
use v5.36;

use FindBin;
use List::Util qw(any max pairs shuffle);
use Test::More;
use SKaMPI::Bench::Compare  qw(found_in);
use SKaMPI::Compare::Order  qw(kendall_p);
use SKaMPI::Generated       qw(launches random_from);
use SKaMPI::Stat::Estimates qw(estimate estimate_mean);
use SKaMPI::Stat::MaxT      qw(smallest_p test_points);
use SKaMPI::Stat::Verdicts  qw(judge launches_needed);
use SKaMPI::Test            qw(read_file);

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
    for my $line ( split /\n/, read_file("$FindBin::Bin/r/answers.txt") ) {
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
    my ( $base, $new )    = @{ $case->{size} };
    my ( undef, @points ) = tested( points( $base, @{ $case->{rows} } ) );
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

        # p, ratio, low, high
        [ 'slower',        0.01, 1.2,  1.1,  1.3 ],
        [ 'faster',        0.05, 0.8,  0.7,  0.9 ],
        [ 'undecided',     0.06, 1.2,  1.1,  1.3 ],
        [ 'undecided',     0.01, 1.04, 1.02, 1.06 ],
        [ 'no difference', 0.01, 1.03, 1.02, 1.04 ],
        [ 'no difference', 1,    1.00, 0.96, 1.04 ],
        [ 'undecided',     1,    1.00, 0.94, 1.04 ],
    );
    for my $case (@cases) {
        my ( $verdict, $p, $ratio, $low, $high ) = @{$case};
        my %point = (
            p          => $p,
            log        => log $ratio,
            low        => $low,
            high       => $high,
            threshold  => 0.05,
            sd         => 0.05,
            base_count => 5,
            new_count  => 5
        );
        judge( \%point, { alpha => 0.05, critical => 4 } );
        is $point{verdict},        $verdict,                "p $p, $ratio, $low to $high";
        is defined $point{needed}, $verdict eq 'undecided', 'advice for undecided points only';
    }
    my %point = ( sd => 0.05, threshold => 0.05, base_count => 4, new_count => 4 );
    is launches_needed( \%point, 4 ), 50, '2 ((4 + 0.84) 0.05 / ln 1.05)^2, rounded up';
};

# 200 comparisons of 5 launches a side: 5 % are 10; more than 19 or fewer than 2 are found once in 300 times.
# "make bench" makes 2,000.
subtest 'false alarms and power' => sub {
    my ($alarms) = found_in( 200, 5, 40, {} );
    cmp_ok $alarms, '>=', 2,  "false alarms in 200 comparisons: $alarms";
    cmp_ok $alarms, '<=', 19, 'about one in 20';
    my ( undef, $found ) = found_in( 20, 5, 200, { map { 20 * $_ => 1.2 } 0 .. 9 } );
    cmp_ok $found, '>=', 140, "20 % slowdowns found: $found of 200";
};

done_testing;
