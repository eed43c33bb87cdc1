# The self test passes on a machine that measures right, also if its clocks drift, and fails on one that swallows
# delays, whose clock jumps within a call, whose tick is longer than it looks, or whose barrier does not wait. Its
# verdict is kept for the headers of later runs.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_shim shimmed_simulate);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(enter_scratch write_file);

my $UNKNOWN = 'cannot tell';

# Delays of 100 us are many readings, each of which the simulator has to handle. Two of them take less than the 0.2 us
# by which a delay may be wrong.
local $SKaMPI::Sim::READING_S = 9e-8;
my ($skampi) = build_shim();
my $dir = enter_scratch();
local $ENV{XDG_CACHE_HOME} = $dir;
my $PARAMETERS =
  "\@VERSION 4.2\n\@POSTPROC no\n\@MEASUREMENTS\nT { Type = 50; Max_Repetition = 8; }\n";

# A finding is larger than the error that so slow a reading hides.
my $SLOW_READING_S = 4e-7;

# The table; a status other than 0 is part of the message.
sub table_with ( $settings, $np, $test ) {
    return eval { shimmed_simulate( $settings, 'flat', $np, $skampi, $test ) } // $@;
}

sub fact () {
    return output_of( $skampi, 'flat', 2, $PARAMETERS )->field('SELFTEST');
}

is fact(), undef, 'no verdict yet';

my $drifting = table_with( 'offset=0.5,drift=100', $ENV{SKAMPI_LONG} ? 4 : 2, '--selftest' );
like $drifting,   qr/^The[ ]self[ ]test:[ ]passed$/m, 'drifting clocks: passed';
unlike $drifting, qr/^[ ]+(?:failed|$UNKNOWN)\b/m,    'in every line';
is scalar( () = $drifting =~ /90[ ]us[ ]more:[ ](?:89[.]9|90[.]0)\d[ ]/g ), 7,
  'the delay is added, in 7 calls';

my ($file) = glob "$dir/skampi/selftest-*";
like fact(), qr/\Apassed,[ ]\d{4}-\d\d-\d\d\z/, 'the next run has it';
for my $bad (
    "passed, 2020-01-01\n",
    "passed, 2999-1\n",
    "passed, 2999-01-01\n",
    "perfect, 2999-01-01\n",
    q{},
    "passed\0",
    'x' x 9999
  )
{
    write_file( $file, $bad );
    is fact(), undef, 'ignored: ' . substr $bad =~ s/\W+/ /gr, 0, 20;
}

# Calls from a common start have no valid repetitions if the clock has steps.
for my $case (
    [ 'a clock that swallows delays', 'within=1:-20e-6:50e-6', 'MPI_Barrier', '9 us more: -1[01]' ],
    [
        'a clock that jumps within a call', 'within=1:20e-6:50e-6',
        'MPI_Barrier',                      '9 us more: 2[89]'
    ],
    [ 'a tick of 5 us',               'lie=5e-6', 'timer',       'advances by 4[.][89]\d* us' ],
    [ 'a barrier that does not wait', 'hasty',    'MPI_Barrier', '90 us more: -?0[.]' ],
  )
{
    my ( $name, $settings, $call, $shows ) = @{$case};
    local $SKaMPI::Sim::READING_S = $SLOW_READING_S;
    my $table = table_with( $settings, 2, '--selftest=Barrier' );
    like $table, qr/^[ ]+failed[ ]+$call[ ].*$shows/m, "$name is found";
    like $table, qr/status[ ]256\b/,                   'status 1';
}

done_testing();
