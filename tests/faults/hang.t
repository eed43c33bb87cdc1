# A suite that hangs: with @SUITETIMEOUT all processes of the run exit, and the next launch continues
# after the suite.
use v5.36;

use Test::More;
use Time::HiRes    qw(sleep);
use SKaMPI::Faults qw(torture unsound config_of labels_of start_stopped ranks_in await_end);
use SKaMPI::Test
  qw(read_file write_file skampi preloaded_mpirun suites_of is_intel is_measured workplace);

# Only a process that hangs or is stopped comes to the limit: its timers are fast then (abort.c).
my $LIMIT = "\@SUITETIMEOUT 5\n";

my $FAILED = is_intel() ? 255 : 1;    # of a run that one process ended

my $dir = workplace( '.skampi' => config_of($LIMIT) );

sub start ($faults) {
    local $ENV{SKAMPI_ABORT} = $faults;
    return preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
}

my $run = start('MPI_Scan:3:hang');
is $run->{status}, $FAILED, 'the run ends with status 1';
like $run->{err},
  qr/ suite 'col_S08' at argument \d+ (?:takes|for) longer than \@SUITETIMEOUT \(5 minutes\); /m,
  'the message says why';
like read_file("$dir/skampi.log"),
qr/ suite-begin col_S08\n\S+ suite-silent .*\n\S+ suite-crashed col_S08 at argument \d+ took longer than .* minutes\)\n\z/,
  'the log says so';
is skampi( $dir, '--status' )->{status}, 3, 'not finished';
unlike skampi( $dir, '--status' )->{out}, qr/is going on/, 'no process is left';
{
    local $ENV{OMPI_MPI_THREAD_LEVEL} = 3;
    local $ENV{SKAMPI_ABORT_LEVEL}    = 1;
    $run = start(q{});
}
is_measured( $run, 'the run is resumed' );
my @levels = $run->{err} =~ /^thread level (\d+)$/mg;
is scalar @levels, 2,      'each process has a thread level';
is $levels[0], $levels[1], '... the same, as the variables of the library are read by one of them';
is unsound( $dir, labels_of() ), q{}, 'complete';

# From a length on, an operation hangs. Its other lengths are kept.
unlink glob "$dir/skampi.*";
write_file( "$dir/.skampi", <<'END' );
@VERSION 4.2
@POSTPROC no
@SUITETIMEOUT 20
@MAXRETRIES 1
@MEASUREMENTS
A { Type = 64; Scale = Fixed_log; Start_Argument = 1024; End_Argument = 16384; Stepwidth = 2; Max_Repetition = 8; Parameters = "passes=2"; }
B { Type = 17; Scale = Fixed_log; End_Argument = 16; Stepwidth = 4; Max_Repetition = 8; }
END
{
    local $ENV{SKAMPI_ABORT_ABOVE} = 4096;
    $run = start(q{});
    is $run->{status}, $FAILED, 'an argument hangs';
    like $run->{err},
      qr/^skampi: warning: suite 'syncol_A' hangs at argument 8192, or .* after 2 minutes; /m,
      'a warning says which';
    like $run->{err}, qr/^    rank $_, process \d+ on \S/m, "rank $_ has not finished it" for 0, 1;
    like $run->{err},
      qr/ suite 'syncol_A' at argument 8192 (?:takes|for) longer than \@SUITETIMEOUT/m,
      '@SUITETIMEOUT ends the run, and says which';
    like skampi( $dir, '--status' )->{out},
      qr/^  crashed   syncol_A \(crashed 1 time\); argument 8192 took longer than/m,
      '--status, too';
    like `$^X report/show.pl $dir/skampi.out 2>&1`, qr/crashes: 1; argument\s+8192 took/,
      'show, too';
    is start(q{})->{status}, $FAILED, 'the rest is measured, and the argument hangs again';
    $run = start(q{});
}
is $run->{status}, 1, 'then the run is complete, except what hangs';
my $results = suites_of( read_file("$dir/skampi.out") );
is_deeply [ map { $_->[0] } @{ $results->{syncol_A}{rows} } ], [ 1024, 2048, 4096 ],
  'the rows before it are kept';
ok $results->{col_B}{complete}, 'and the other suite';
my $NOTE = 'given up; crashes: 2; argument 8192 took longer than';
like join( q{ }, split q{ }, `$^X report/show.pl $dir/skampi.out 2>&1` ), qr/\Q$NOTE\E/,
  'show says so';

# A stopped process (SIGSTOP) cannot end the run, because its timer is stopped, too: another process
# ends it.
my $SCAN = "\@VERSION 4.1\n$LIMIT\@MEASUREMENTS\nA { Type = 21; End_Argument = 16; }\n";

for my $stopped ( 0, 1 ) {
    unlink glob "$dir/skampi.*";
    write_file( "$dir/.skampi", $SCAN );
    $run = start("MPI_Scan:3:stop$stopped");
    is $run->{status}, $FAILED, "rank $stopped is stopped: status";
    like $run->{err},
      $stopped == 0
      ? qr/^skampi: on rank 1, suite 'col_A'(?: at argument \d+)? takes longer than \@SUITETIMEOUT \(/m
      : qr/^skampi: suite 'col_A'(?: at argument \d+)? takes longer than \@SUITETIMEOUT \(/m,
      'the message says why';
    is skampi( $dir, '--status' )->{status}, 3, 'not finished';
}

# Like ^Z, or suspending the computer, for longer than the limit.
unlink glob "$dir/skampi.*";
my $LONGER_S = 1.3;
my $mpirun   = start_stopped( $dir, 'MPI_Scan:3' );
sleep $LONGER_S;
kill 'CONT', ranks_in($dir);
is await_end( $dir, $mpirun ), 0, 'time in which all processes are stopped does not count'
  or diag( read_file("$dir/stderr") );

done_testing;
