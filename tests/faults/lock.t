# A second skampi in the directory of a running one is refused. A crash leaves no lock that prevents
# the next launch.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(unsound config_of labels_of start_stopped ranks_in await_end);
use SKaMPI::Test   qw(is_measured read_file skampi mpirun workplace);

my $dir = workplace( '.skampi' => config_of() );

my $mpirun = start_stopped( $dir, 'MPI_Scan:1' );
my @before = map { read_file("$dir/skampi.$_") } qw(out log);

for my $args ( [], ['--fresh'] ) {
    my $run = mpirun( $dir, 2, '-q', @{$args} );
    is $run->{status}, 1, "a second is refused @{$args}";
    like $run->{err}, qr/^skampi: another skampi is running here and writes 'skampi[.]log'; /m,
      'the message says why';
    is_deeply [ map { read_file("$dir/skampi.$_") } qw(out log) ], \@before,
      'the files are unchanged';
}
my $status = skampi( $dir, '--status' );
is $status->{status}, 3, '--status: not finished';
like $status->{out}, qr/^a run is in progress here$/m, 'and says why';

kill 'KILL', ranks_in($dir);
await_end( $dir, $mpirun );
my $run = mpirun( $dir, 2, '-q' );
is_measured( $run, 'a crash leaves no lock' );
is unsound( $dir, labels_of() ), q{}, 'the run is complete';

done_testing;
