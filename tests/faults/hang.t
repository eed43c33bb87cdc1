#!/usr/bin/perl
# A suite that hangs: with @SUITETIMEOUT the run ends by itself, all processes of it, and the next
# start goes on behind the suite.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(unsound config_of labels_of);
use SKaMPI::Test   qw(scratch read_file write_file skampi preloaded_mpirun);

my $dir = scratch();
write_file( "$dir/.skampi", config_of("\@SUITETIMEOUT 0.08\n") );

sub start ($faults) {
    local $ENV{SKAMPI_ABORT} = $faults;
    return preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
}

my $run = start("MPI_Scan:3:hang:$dir/once");
is $run->{status}, 1, 'the run ends with status 1';
like $run->{err}, qr/^skampi: suite 'col_S08' takes longer than \@SUITETIMEOUT, 0[.]08 minutes; /m,
  'and says why';
like read_file("$dir/skampi.log"),
  qr/ suite-begin col_S08\n\S+ suite-crashed col_S08 took longer than .* minutes\n\z/,
  'the log knows';
is skampi( $dir, '--status' )->{status}, 3, 'not finished';
unlike skampi( $dir, '--status' )->{out}, qr/is going on/, 'but no process is left';

# The other process hangs, rank 0 waits for it.
$run = start('MPI_Scan:1:hang');
is $run->{status}, 1, 'again, in the last suite';
$run = start(q{});
is $run->{status},               0,   'goes on' or diag( $run->{err} );
is unsound( $dir, labels_of() ), q{}, 'complete';

done_testing;
