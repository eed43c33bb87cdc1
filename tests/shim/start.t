# The cost of a start: a run without a result file asks the library for no variable, others do so before MPI_Init; and
# processes that read the clock of one host compare it once, and learn it once.
use v5.36;

use Test::More;
use SKaMPI::Test qw(preloaded_mpirun read_file scratch succeeds);

my $NP  = 3;
my $dir = scratch();

sub starts_with (@words) {
    my $run = succeeds( preloaded_mpirun( $dir, $NP, 'libstart.so', @words ), "@words" );
    return $run->{err} =~ /^start: tools (\S+) messages (\d+)$/m;
}

my ($tools) = starts_with('Barrier');
is $tools, '0+0', 'without a file, no variables are read';

( $tools, my $messages ) = starts_with(qw(-q -o a.out Barrier));
like $tools, qr/^1[+]/, 'for its header, rank 0 opens them before MPI_Init';

SKIP: {
    skip 'MPI_Wtime does not go by the clock of the host', 1
      if read_file("$dir/a.out") !~ /^#\@TIMER CLOCK_MONOTONIC, as MPI_Wtime,/m;
    is $messages, 3 * ( $NP - 1 ),
      'each process compares its clock with that of one other, and learns it, once';
}

done_testing;
