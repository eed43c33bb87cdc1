# The self test of this machine, with a library that flips each byte of broadcasts of 200 to 1,100 bytes.
# tests/shim/selftest.t has machines whose clocks are wrong.
use v5.36;

use Test::More;
use SKaMPI::Test qw(preloaded_mpirun scratch);

my $dir = scratch();
local $ENV{XDG_CACHE_HOME} = $dir;
local $ENV{SKAMPI_CORRUPT} = 'MPI_Bcast';
my $run = preloaded_mpirun( $dir, 2, 'libdatatypes.so', '--selftest', 'Bcast' );
is $run->{status}, 1, 'it fails' or diag("$run->{out}$run->{err}");
like $run->{out}, qr/^ +(?:passed|cannot tell) +$_ /m, $_ for qw(timer clocks MPI_Bcast);
like $run->{out},
  qr/^ +failed +col_MPI_Bcast +datatype 1 from rank 0 .* on rank 1: byte 0 of 255 /m,
  'type, ranks, byte and length of the first wrong message';
is_deeply [ grep { !/_(?:MPI_|MPI_Reduce_|b)[Bb]?cast(?:_by_ack)?\z/ }
      $run->{out} =~ /^ +failed +(\S+) /mg ],
  [], 'data of other calls are right';
my ( $operations, $arguments ) = $run->{out} =~ /^ +passed +data +(\d+) operations, (\d+) /m;
cmp_ok $arguments, '>', 40 * $operations, 'lengths on both sides of each power of two';
ok !-e "$dir/skampi", 'a part of the test is not kept';

done_testing;
