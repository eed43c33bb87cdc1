# How often the rule of the odd run names a run in generated sets of 10 runs with 4 suites of 40 lengths. With the
# number of sets in ODD_SETS, it also prints percentages that have no bound. A rule
# that is wrong fails with few sets as with many: of 16 changes to it, 5 and 10 healthy ones find the 9 that 20 find.
use v5.36;

use List::Util qw(any max sum);
use Test::More;
use SKaMPI::Generated    qw(normal random_from);
use SKaMPI::Stat::OddRun qw(fewest_runs odd_runs);

my $MANY = $ENV{ODD_SETS} // ( $ENV{SKAMPI_LONG} ? 20 : 0 );
my ( $SETS, $HEALTHY_SETS ) = ( $MANY || 5, $MANY || 10 );
my ( $RUNS, $SUITES, $LENGTHS ) = ( 10, 4, 40 );

# Student's t with FREEDOM degrees of freedom and variance 1 (Bailey), or a normal value.
sub noise ( $random, $freedom ) {
    return normal($random) if !$freedom;
    my $square = $freedom * ( $random->()**( -2 / $freedom ) - 1 );
    return sqrt( $square * ( $freedom - 2 ) / $freedom ) * cos 6.283185307179586 * $random->();
}

# Noise of the lengths of a suite in a run. Neighbours have the correlation ALIKE.
sub lengths_of ( $random, %with ) {
    my ( $alike, $before, @values ) = ( $with{alike} // 0, noise( $random, $with{freedom} ) );
    for ( 1 .. $LENGTHS ) {
        $before =
          $alike * $before + sqrt( 1 - $alike**2 ) * noise( $random, $with{freedom} );
        push @values, $with{sigma} * $before;
        $values[-1] += log 10 if $random->() < ( $with{late} // 0 );
    }
    return @values;
}

# A set: FACTOR returns that of the odd run, 3, at a suite and a length; RUN and SUITE are noise that all lengths share.
sub set_of ( $seed, %with ) {
    my $random = random_from($seed);
    my @run    = map { ( $with{run} // 0 ) * normal($random) } 1 .. $with{runs} // $RUNS;
    my @points;
    for my $suite ( 0 .. $SUITES - 1 ) {
        my @noise = map { [ lengths_of( $random, %with ) ] } @run;
        my @suite = map { $_ + ( $with{suite} // 0 ) * normal($random) } @run;
        for my $i ( 0 .. $LENGTHS - 1 ) {
            my @values = map { $suite + $suite[$_] + $noise[$_][$i] } keys @run;
            $values[3] += log $with{factor}->( $suite, $i ) if $with{factor};
            push @points, { label => "suite $suite", values => \@values };
        }
    }
    return @points;
}

# Percentages of COUNT sets in which the odd run is named, and another one is.
sub named ( $count, %with ) {
    my ( $right, $wrong ) = ( 0, 0 );
    for my $seed ( 1 .. $count ) {
        my @odd = map { $_->{run} } @{ odd_runs( set_of( $seed, %with ) ) };
        my $has = $with{factor} ? any { $_ == 3 } @odd : 0;
        $right++ if $has;
        $wrong++ if any { !$with{factor} || $_ != 3 } @odd;
    }
    return map { 100 * $_ / $count } $right, $wrong;
}

my %FACTOR = (
    '+40 % of one suite'            => sub ( $suite, $i ) { return $suite == 1 ? 1.4 : 1 },
    '+25 % at a quarter of a suite' => sub ( $suite, $i ) {
        return $suite == 1 && $i >= 17 && $i < 27 ? 1.25 : 1;
    },
    'another binding' => sub ( $suite, $i ) { return 1.05 + 0.06 * $suite },
    'a faster suite'  => sub ( $suite, $i ) { return $suite == 2 ? 0.7 : 1 },
);
my %QUIET = ( sigma => 0.02 );
my %REAL  = ( sigma => 0.02, alike => 0.5, freedom => 4, run => 0.01, suite => 0.005 );

for my $name ( sort keys %FACTOR ) {
    my @cases = [ '2 %', 90, %QUIET ];
    push @cases, [ '5 %', 0, sigma => 0.05 ], [ 'as real ones', 0, %REAL ] if $ENV{ODD_SETS};
    for my $case (@cases) {
        my ( $noise, $least, %with ) = @{$case};
        my ( $right, $wrong ) = named( $SETS, %with, factor => $FACTOR{$name} );
        cmp_ok $right, '>=', $least, "$name, noise $noise: named in $right %";
        cmp_ok $wrong, '<=', 5,      "another run in $wrong %";
    }
}

# With few sets, one of a kind is more than 5 %; then the bound is that of all kinds together.
# Noise of 5 %, so that the difference that matters does not prevent names.
my @HEALTHY = (
    [ 'normal',                      sigma => 0.05 ],
    [ 'as real ones',                %REAL ],
    [ 't with 4 degrees of freedom', sigma => 0.05, freedom => 4 ],
    [ 'and neighbours alike',        sigma => 0.05, freedom => 4, alike => 0.8 ],
    [
        'and runs and suites differ',
        sigma   => 0.05,
        freedom => 4,
        alike   => 0.8,
        run     => 0.05,
        suite   => 0.03
    ],
    [ '1 % of the values 10 times', sigma => 0.02, late => 0.01 ],
);
my @wrong = map { ( named( $HEALTHY_SETS, @{$_}[ 1 .. $#{$_} ] ) )[1] } @HEALTHY;
cmp_ok $MANY ? max(@wrong) : sum(@wrong) / @wrong, '<=', 5,
  'a run is named in at most 5 % of healthy sets'
  or diag map { "$HEALTHY[$_][0]: $wrong[$_] %\n" } keys @wrong;

subtest 'one of 98 suites, of which half have a single point' => sub {
    my $random = random_from(77);
    my @points;
    for my $suite ( 1 .. 98 ) {
        my @common = map { 0.01 * normal($random) } 1 .. $RUNS;
        for ( 1 .. ( $suite % 2 ? 1 : $LENGTHS ) ) {
            my @values = map { $_ + 0.02 * normal($random) } @common;
            $values[3] += log 1.2 if $suite == 50;
            push @points, { label => "suite $suite", values => \@values };
        }
    }
    is_deeply [ map { "$_->{run} $_->{label}" } @{ odd_runs(@points) } ], ['3 suite 50'],
      '+20 % is named';
};

subtest 'what is said of an odd run' => sub {
    my ($odd) =
      @{ odd_runs( set_of( 1, %QUIET, factor => $FACTOR{'+25 % at a quarter of a suite'} ) ) };
    is $odd->{run}, 3, 'the run';
    cmp_ok abs( $odd->{from} - 57 ),         '<=', 1,    'the first length';
    cmp_ok abs( $odd->{to} - 66 ),           '<=', 1,    'the last length';
    cmp_ok abs( exp( $odd->{log} ) - 1.25 ), '<',  0.03, 'the ratio';
    ok $odd->{low} < log 1.25 && $odd->{high} > log 1.25 && $odd->{low} > 0, 'its interval';
    my @all = set_of( 1, %QUIET, run => 0.01, factor => sub (@) { return 1.3 } );
    my ($whole) = @{ odd_runs(@all) };
    is_deeply [ @{$whole}{qw(run whole from to)} ], [ 3, 1, 0, $#all ], 'a run as a whole';
    is_deeply odd_runs(@all),                       odd_runs(@all), 'the answer is the same again';
};

subtest 'runs that lack something' => sub {
    my @points = set_of( 2, %QUIET, factor => $FACTOR{'+40 % of one suite'} );
    undef $_->{values}[5] for @points[ 40 .. 79 ];
    undef $points[ 3 * $_ ]{values}[3] for 0 .. 50;
    my @odd = @{ odd_runs(@points) };
    is_deeply [ map { "$_->{run} $_->{label}" } @odd ], ['3 suite 1'], 'do not hide it';
    is odd_runs( set_of( 3, %QUIET, runs => fewest_runs() - 1 ) ), undef, 'too few runs';
    is odd_runs(),                                                 undef, 'no points';
    my @same = map { { label => 'a', values => [ (1) x 8 ] } } 1 .. 20;
    is_deeply odd_runs(@same), [], 'equal runs';
    $_->{values}[6] = 1.2 for @same;
    is_deeply [ map { $_->{run} } @{ odd_runs(@same) } ], [6], 'and one that differs';
};

done_testing;
