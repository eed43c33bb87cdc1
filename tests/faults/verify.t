# A library that dies while data are verified, after the run: all results are there, and the next start ends the run.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(mpirun preloaded_mpirun workplace);

my $dir = workplace( '.skampi' => <<'END' );
@VERSION 4.2
@POSTPROC no
@MEASUREMENTS
* { Type = 21, 36; Variation = Nodes; Min_Repetition = 4; Max_Repetition = 4; Parameters = "passes=1"; }
END

sub verified () {
    return [ map { "$_->{label} $_->{notes}{VERIFIED}" }
          SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites ];
}

for ( [qw(begun no)], [qw(begun begun)], [ 'begun again', 'begun' ] ) {
    local $ENV{SKAMPI_ABORT} = 'MPI_Pack:1:kill';    # nothing that is measured packs
    preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
    is_deeply verified(), [ "col_MPI_Scan $_->[0]", "col_MPI_Allreduce $_->[1]" ],
      'all results are there';
}
my $run = mpirun( $dir, 2, '-q' );
is $run->{status}, 1, 'the next start ends the run; not all data could be verified'
  or diag( $run->{err} );
is_deeply verified(), [ 'col_MPI_Scan begun again', 'col_MPI_Allreduce 1 of 1' ],
  'one that ended a single launch is tried again';
like $run->{err}, qr/^skampi: col_MPI_Scan: data not verified: two launches ended /m,
  'the other is named';

done_testing();
