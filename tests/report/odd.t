# skampi-show --odd: what it prints, its exit status, and what it does not compare.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use SKaMPI::Generated  qw(launch_text launches random_from);
use SKaMPI::ReportTest qw(tool workplace);
use SKaMPI::Test       qw($ROOT blocks_of);

my $SHOW = "$ROOT/report/show.pl";

# skampi-show simulates families of noise, once for each number of runs and suites, which takes most of its time. Its
# server has done that once for all.
local @SKaMPI::Prestarted::PERL = (
    $^X, q(-MSKaMPI::Stat::OddRun qw(odd_runs); BEGIN {
    odd_runs( map { { label => $_, values => [ 1 .. 10 ] } } map { ($_) x 15 } 1 .. 5 ) })
);

# A directory of runs, with factors of their times by run and suite (of 15 lengths), and facts and notes by run.
sub runs (%with) {
    my $random = random_from(6);
    my %files;
    for my $i ( 1 .. $with{runs} // 10 ) {
        my %slower;
        for my $suite ( keys %{ $with{factor}{$i} // {} } ) {
            $slower{$_} = $with{factor}{$i}{$suite} for 15 * $suite .. 15 * $suite + 14;
        }
        my ($times) =
          launches( $random, launches => 1, points => 75, between => 0.015, slower => \%slower );
        $files{"r$i"} = launch_text(
            $times,
            size   => 15,
            minute => 60 * $i,
            facts  => $with{facts}{$i} // {},
            notes  => $with{notes}{$i} // {}
        );
    }
    return workplace(%files);
}

sub odd ( $dir, @words ) { return tool( $dir, $^X, $SHOW, '--odd', @words ) }

my @TEN  = map { "r$_" } 1 .. 10;
my %SLOW = ( 4 => { 1 => 1.4 } );
my %RUNS = (
    'one suite'       => { factor => \%SLOW },
    'a fact'          => { factor => \%SLOW, facts => { 4 => { OSRELEASE => '6.2' } } },
    'another binding' => {
        factor => { 7 => { map { $_ => 1.2 + $_ / 20 } 0 .. 4 } },
        facts  => { 7 => { OSRELEASE => '6.2' } }
    },
    'faster'     => { factor => { 2 => { 0         => 0.7 } } },
    'two runs'   => { factor => { 9 => { 3         => 1.5 }, 2 => { 0 => 1.3 } } },
    'processes'  => { facts  => { 4 => { PROCESSES => 4 } } },
    'other data' => { notes  => { 4 => { TIME      => 'access' } } },
);

# Cases: the exit status, a pattern of the answer, and, if not all ten, the numbers of the runs.
for my $case ( blocks_of(<<'END') ) {
none :: 0 :: \A10 runs, 75 points: none is odd\n\z
one suite :: 1 :: \A10 runs, 75 points: r4 is odd\n\n  run  suite +arguments +ratio  95 %\n  r4   p2p_Suite02  4 B to 60 B  1[.](?:39|4[01])\d  1[.]\d+ to 1[.]\d+\n\nNo fact
a fact :: 1 :: \n  what only this run has\n  r4, kernel: 6[.]2\n    the others: unknown\n
another binding :: 1 :: (?ms): r7 is odd\n.*^  r7   all +1[.]\d+ .*kernel
faster :: 1 :: (?s): r2 is odd\n.*Suite01 .* 0[.](?:69|70)
two runs :: 1 :: (?s): r2 and r9 are odd\n.*Suite04
six runs :: 3 :: \Acannot tell which run is odd: 6 runs; at least 7 are needed\n\z :: 0 1 2 3 4 5
processes :: 3 :: \Acannot tell which run is odd: processes: '4' in 'r4', '2' in\s+'r1'\n\z
a copy :: 3 :: 'r1' is named twice :: 0 1 2 3 4 5 6 7 8 9 0
other data :: 3 :: no suite and argument in\s+common
END
    my ( $name, $status, $expected, $files ) = @{$case};
    my $run = odd(
        runs( $RUNS{$name} ? $RUNS{$name}->%*   : () ),
        @TEN[ $files       ? split q{ }, $files : 0 .. 9 ]
    );
    is "$run->{status}$run->{err}", $status, "$name: status $status";
    like $run->{out}, qr/$expected/, 'the answer';
}

subtest 'JSON' => sub {
    my $found = decode_json( odd( runs( factor => \%SLOW ), '--json', @TEN )->{out} );
    is $found->{state}, 'odd', 'the state';
    my ( $odd, @more ) = @{ $found->{odd} };
    is @more, 0, 'one place';
    is_deeply [ @{$odd}{qw(run number suite operation argument_from argument_to points)} ],
      [ 'r4', 4, 'p2p_Suite02', 'MPI_Send-MPI_Recv', 4, 60, 15 ], 'the place';
    ok !$odd->{whole}, 'not as a whole';
    ok $odd->{ratio_low} > 1 && $odd->{ratio_low} < 1.4 && $odd->{ratio_high} > 1.4, 'the interval';
};

subtest 'wrong usage' => sub {
    my $dir = runs( runs => 1 );
    like odd($dir)->{err}, qr/--odd: expected result files, one for each run/, 'no file';
    is odd( $dir, 'none' )->{status}, 2, 'no such file';
};

done_testing;
