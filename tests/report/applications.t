# Messages of applications: the tests, and the numbers that the report derives from their times.
use v5.36;

use List::Util qw(sum);
use Test::More;
use SKaMPI::ApplicationResults        qw(with_keys);
use SKaMPI::Findings::ApplicationText qw(overhead_text sentences_about uses_text);
use SKaMPI::Findings::ApplicationCosts;
use SKaMPI::Meaning::Applications qw(application_part test_named);
use SKaMPI::Read::Output;
use SKaMPI::Results        qw(results);
use SKaMPI::Stat::Estimate qw(direction_of mean_quotient overhead_of scaled uses_until_paid);
use SKaMPI::Test           qw($ROOT);

my $PM = "\x{b1}";

# The number of a test, for #@TYPE.
my %NUMBER = (
    WRF_x_vec    => 120,
    WRF_x_sa     => 122,
    NAS_LU_x     => 125,
    NAS_MG_x     => 127,
    LAMMPS_full  => 130,
    SPECFEM3D_oc => 132
);

# An exchange by a method, and a suite that builds (or, with -free, frees) the datatypes.
sub exchange ( $test, $method, @rows ) {
    my $name = $method eq 'ddt' ? $test : "$test-$method";
    return [ "p2p_$name", 'length', \@rows, { type => "$NUMBER{$test} p2p_$test" } ];
}

sub building ( $test, $ending, @rows ) {
    my $number = $NUMBER{$test} + 20;
    return [ "simple_Build_$test$ending", 'length', \@rows,
        { type => "$number simple_Build_$test" } ];
}

sub sets (@suites) {
    return SKaMPI::Findings::ApplicationCosts->sets_of( results( {}, @suites )->suites );
}

sub set (@suites) { return ( sets(@suites) )[0] }

sub overheads ( $set, $method ) {
    return [ map { overhead_text( scalar $set->overhead( $_, $method ) ) } $set->sizes ];
}

subtest 'the tests that the program has' => sub {
    my $program = $ENV{SKAMPI_PROGRAM} // "$ROOT/skampi";
    plan skip_all => "$program is missing" if !-x $program;
    my $list   = qx{'$program' --list};
    my %number = reverse $list =~ /^ *([0-9]+) +(?:p2p|syncol|simple)_([\w-]+)/mg;
    my @names  = grep { $number{$_} >= 120 && $number{$_} < 160 } sort keys %number;
    is scalar( grep { !/\ABuild_/ } @names ), 16, 'all tests';
    for my $name (@names) {
        my $test = $name =~ s/\ABuild_//r;
        isnt test_named($test)->{class}, 'other', "$test has an access class";
        my ($suite) =
          results( {}, [ 'x_y', 'length', ['8 1 1'], { type => "$number{$name} simple_$name" } ] )
          ->suites;
        is application_part($suite)->{test}, $test, "type $number{$name} is recognised";
    }
};

# Errors that many simulated measurements have, computed from their spread alone.
sub normal () {
    return sqrt( -2 * log( 1 - rand ) ) * cos( 6.283185307179586 * rand );
}

sub drawn ($estimate) { return $estimate->{time} + $estimate->{error} * normal() }

sub spread_of ( $count, $value ) {
    my @values = map { $value->() } 1 .. $count;
    my $mean   = sum(@values) / $count;
    return ( $mean, sqrt( sum( map { ( $_ - $mean )**2 } @values ) / ( $count - 1 ) ) );
}

my $DRAWS = 20_000;
srand 15;

subtest 'errors agree with those of simulated measurements' => sub {
    my $net    = { time => 20,  error => 0.5 };
    my $ddt    = { time => 50,  error => 1 };
    my $manual = { time => 80,  error => 2 };
    my $cost   = { time => 600, error => 12 };
    my @ratios = map { { ratio => $_->[0], error => $_->[1] } }[ 0.5, 0.02 ], [ 2, 0.1 ],
      [ 0.8, 0.01 ];
    my $mean  = mean_quotient(@ratios);
    my $uses  = uses_until_paid( $cost, $manual, $ddt );
    my $piece = scaled( $cost, 1 / 300 );
    my @cases = (
        [
            'overhead',
            @{ overhead_of( $ddt, $net ) }{qw(value error)},
            sub { my $t = drawn($ddt); return ( $t - drawn($net) ) / $t }
        ],
        [
            'mean of ratios',
            @{$mean}{qw(ratio error)},
            sub {
                my @drawn = map { $_->{ratio} + $_->{error} * normal() } @ratios;
                return ( $drawn[0] * $drawn[1] * $drawn[2] )**( 1 / 3 );
            }
        ],
        [
            'uses',
            @{$uses}{qw(value error)},
            sub { return drawn($cost) / ( drawn($manual) - drawn($ddt) ) }
        ],
        [ 'cost per piece', @{$piece}{qw(time error)}, sub { return drawn($cost) / 300 } ],
    );
    for my $case (@cases) {
        my ( $name, $value, $error, $draw ) = @{$case};
        my ( $truth, $spread ) = spread_of( $DRAWS, $draw );
        cmp_ok abs( $value - $truth ),      '<', 0.25 * $spread, "$name: the value";
        cmp_ok abs( $error / $spread - 1 ), '<', 0.04,           "$name: the error";
    }
};

subtest 'unknown errors' => sub {
    my ( $known, $unknown ) = ( { time => 50, error => 1 }, { time => 20, error => undef } );
    is overhead_of( $known, $unknown )->{error}, undef, 'of an overhead';
    is mean_quotient( { ratio => 1, error => undef }, { ratio => 2, error => 0.1 } )->{error},
      undef,
      'of a mean';
    is uses_until_paid( $known, $known, $unknown )->{error}, undef, 'of uses';
};

subtest 'directions' => sub {
    is direction_of( { ratio => $_->[0], error => 0 } ), $_->[1], "$_->[0]: $_->[1]"
      for [ 0.5 => 'shorter' ], [ 2 => 'longer' ], [ 1.04 => 'similar' ], [ 0.96 => 'similar' ],
      [ 1.06 => 'longer' ], [ 1 => 'similar' ];
    is direction_of( { ratio => $_, error => undef } ), 'similar', "$_ of unknown error" for 0.5, 2;
};

subtest 'numbers of uses' => sub {
    my @cases = (
        [ 100 => 30, 20, 0.1, "10.0 $PM 0.1",   'it pays' ],
        [ 100 => 20, 30, 0.1, 'never',          'datatypes are slower' ],
        [ 100 => 20, 20, 0.1, 'never',          'they gain nothing' ],
        [ 100 => 21, 20, 1,   'more than 26.1', 'the gain is within the errors' ],
        [ 1   => 30, 20, 0.1, '1',              'the first use pays' ],
    );
    for my $case (@cases) {
        my ( $cost, $slow, $fast, $error, $wanted, $name ) = @{$case};
        my @times = map { { time => $_, error => $error } } $slow, $fast;
        is uses_text( uses_until_paid( { time => $cost, error => 0 }, @times ) ), $wanted, $name;
    }
};

subtest 'overheads of a file' => sub {
    my $set = set(
        exchange( 'WRF_x_vec', 'ddt',        '63168 50 1', '102648 80 0' ),
        exchange( 'WRF_x_vec', 'manual',     '63168 80 2', '102648 100 1' ),
        exchange( 'WRF_x_vec', 'put',        '63168 200 0' ),
        exchange( 'WRF_x_vec', 'contiguous', '63168 20 0.5', '102648 40 0' ),
    );
    is_deeply [ $set->methods ], [qw(ddt manual put)], 'the methods';
    is_deeply overheads( $set, 'ddt' ),    [ "60.0 $PM 1.3 %", '50.0 %' ], 'of the datatype';
    is_deeply overheads( $set, 'manual' ), [ "75.0 $PM 0.9 %", "60.0 $PM 0.4 %" ], 'of the loops';
    is_deeply overheads( $set, 'put' ),    [ "90.0 $PM 0.3 %", q{} ], 'of one-sided messages';
    is_deeply overheads( $set, 'pack' ),   [ q{},              q{} ], 'not measured';
    is $set->words, q{}, 'a single set needs no name';
    is(
        ( sentences_about($set) )[-1],
        'MPI_Put of the same datatypes between fences takes 4.00 times as long as messages.',
        'the sentence'
    );
};

subtest 'the tests that datatypes win' => sub {
    my @tests = (
        exchange( 'WRF_x_vec',    'ddt',    '63168 50 0.1' ),
        exchange( 'WRF_x_vec',    'manual', '63168 80 0.1' ),
        exchange( 'NAS_MG_x',     'ddt',    '2048 10 0.1', '32768 20 0.1' ),
        exchange( 'NAS_MG_x',     'manual', '2048 5 0.1',  '32768 40 0.1' ),
        exchange( 'SPECFEM3D_oc', 'ddt',    '1972 30 0.1' ),
        exchange( 'SPECFEM3D_oc', 'manual', '1972 10 0.1' ),
        exchange( 'NAS_LU_x',     'ddt',    '480 30 0.1' ),
    );
    my $set = set(@tests);
    is_deeply [ map { $_->{name} } $set->ratios ], [qw(WRF_x_vec NAS_MG_x SPECFEM3D_oc)],
      'sorted, without a test that lacks one of the times';
    is_deeply [ map { sprintf '%.3f', $_->{ratio} } $set->ratios ], [qw(0.625 1.000 3.000)],
      'the mean of a test is geometric';
    is join( q{ }, sentences_about($set) ),
'Derived datatypes took less time in 1 of 3 tests: WRF_x_vec. They took more in 1: SPECFEM3D_oc. '
      . 'They do not clearly differ in 1: NAS_MG_x. They took less time at 2 of all 4 sizes, and more at 2.',
      'in words';
};

subtest 'building datatypes' => sub {
    my $set = set(
        exchange( 'LAMMPS_full', 'ddt',    '106368 50 0.1' ),
        exchange( 'LAMMPS_full', 'manual', '106368 60 0.1' ),
        building( 'LAMMPS_full', q{},     '106368 199 1 30 # pieces=9972' ),
        building( 'LAMMPS_full', '-free', '106368 1 0.1' ),
    );
    my ($size) = $set->sizes;
    is $set->cost($size)->{time}, 200, 'building and freeing are added';
    is sprintf( '%.4f', $set->cost_per_piece($size)->{time} ), '0.0200', 'for each piece';
    is uses_text( scalar $set->uses($size) ), "20.0 $PM 0.3", 'the uses that pay for both';

    my ($alone) = set( building( 'LAMMPS_full', q{}, '106368 199 1' ) )->sizes;
    ok $alone, 'a file that only has this has a set';
    is scalar set( building( 'LAMMPS_full', q{}, '106368 199 1' ) )->uses($alone), undef,
      'no uses without exchanges';
};

subtest 'pieces that the rows state' => sub {
    my @rows = ('195968 379 2 30 # pieces=18000');
    my $set  = set( building( 'LAMMPS_full', q{}, @rows ) );
    is( ( $set->sizes )[0]{pieces}, 18000, 'are used' );
    $set = set( building( 'LAMMPS_full', q{}, '195968 379 2 30' ) );
    is( ( $set->sizes )[0]{pieces}, undef, 'are unknown in files that do not state them' );
    is scalar $set->cost_per_piece( $set->sizes ), undef, 'and so is the cost of one';
    for my $number (qw(-1 0 1e300 1e-300)) {
        my ($size) =
          set( building( 'LAMMPS_full', q{}, "195968 379 2 30 # pieces=$number" ) )->sizes;
        is $size->{pieces}, undef, "$number is not a number of pieces";
    }
};

sub sets_with_keys (@suites) {
    return SKaMPI::Findings::ApplicationCosts->sets_of(
        SKaMPI::Read::Output->from_text( with_keys(@suites) )->suites );
}

subtest 'names of suites do not matter' => sub {
    my ($set) = sets_with_keys(
        [ WRF_x_vec => 'a', 'method=manual',     '63168 80 2' ],
        [ WRF_x_vec => 'b', 'method=contiguous', '63168 20 0.5' ],
    );
    is_deeply overheads( $set, 'manual' ), ["75.0 $PM 0.9 %"], 'the method is that of the list';
};

subtest 'loops in C and in Fortran' => sub {
    my @sets = sets_with_keys(
        [ WRF_x_vec => 'c', 'method=manual language=c',       '63168 80 2' ],
        [ WRF_x_vec => 'f', 'method=manual language=fortran', '63168 50 2' ],
        [ WRF_x_vec => 'd', 'method=ddt language=c',          '63168 40 2' ],
        [ WRF_x_vec => 'n', 'method=contiguous language=c',   '63168 20 0' ],
    );
    is scalar @sets, 1, 'one set';
    is_deeply [ $sets[0]->methods ], [qw(ddt manual manual_fortran)], 'two methods';
    is $sets[0]->manual_method, 'manual', 'datatypes are compared with the loops in C';
    my ($alone) =
      sets_with_keys( [ WRF_x_vec => 'f', 'method=manual language=fortran', '63168 50 2' ] );
    is $alone->manual_method, 'manual_fortran', 'or with those in Fortran';
};

subtest 'suites measured differently' => sub {
    my @sets = sets_with_keys(
        [ WRF_x_vec => 'a', 'method=ddt zone=a',        '63168 50 1' ],
        [ WRF_x_vec => 'b', 'method=contiguous zone=a', '63168 20 0' ],
        [ WRF_x_vec => 'c', 'method=ddt zone=b',        '63168 40 1' ],
        [ WRF_x_vec => 'd', 'method=contiguous zone=b', '63168 10 0' ],
        [ NAS_LU_x  => 'e', 'method=ddt',               '480 2 0' ],
    );
    is_deeply [ map { $_->words } @sets ], [ 'zone a', 'zone b' ], 'are different sets';
    is_deeply [ map { overheads( $_, 'ddt' )->[0] } @sets ], [ "60.0 $PM 0.8 %", "75.0 $PM 0.6 %" ],
      'each with its own reference';
    is_deeply [ map { scalar $_->tests } @sets ], [ 2, 2 ], 'a suite without that key is in both';
};

subtest 'own cases' => sub {
    my ($set) = sets_with_keys(
        [ NAS_LU_x => 'a', 'method=ddt case=table', '480 3 0' ],
        [ NAS_LU_x => 'b', 'method=ddt case=12,99', '480 4 0' ],
    );
    my @sizes = $set->sizes;
    is scalar @sizes, 2, 'are separate, also if they have as many bytes';
};

done_testing;
