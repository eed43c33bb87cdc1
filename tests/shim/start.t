# What a start costs: a run without a result file asks the library for no variable, others do so before MPI_Init.
use v5.36;

use Test::More;
use SKaMPI::Test qw(preloaded_mpirun scratch);

my $NP  = 3;
my $dir = scratch();

sub starts_with (@words) {
    my $run = preloaded_mpirun( $dir, $NP, 'libstart.so', @words );
    is $run->{status}, 0, "@words" or diag $run->{err};
    return $run->{err} =~ /^start: tools (\S+) (.*)$/m;
}

my ($tools) = starts_with('Barrier');
is $tools, '0+0', 'without a file, no variables are read';

($tools) = starts_with(qw(-q -o a.out Barrier));
like $tools, qr/^1[+]/, 'for its header, rank 0 opens them before MPI_Init';

done_testing;
