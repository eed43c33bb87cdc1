#!/usr/bin/perl
# The self test of this machine. tests/shim/selftest.t has machines whose errors are known.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpirun scratch);

my $UNKNOWN = 'cannot tell';
my $dir     = scratch();
local $ENV{XDG_CACHE_HOME} = $dir;
my $run = mpirun( $dir, 2, '--selftest' );
like $run->{status}, qr/\A[03]\z/, "passed, or too much noise: $run->{out}$run->{err}";
like $run->{out}, qr/^  (?:passed|$UNKNOWN) +$_ /m, $_
  for qw(timer clocks MPI_Barrier MPI_Send-MPI_Recv MPI_Bcast syncol_MPI_Bcast);

done_testing;
