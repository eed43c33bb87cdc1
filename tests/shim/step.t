# A clock that is set back while skampi starts is reported and ends the run: no process waits until the
# clock catches up. Later waits are bounded as well. Processes of one host read its clock instead of MPI_Wtime, if that
# goes by it: here it drifts.
use v5.36;

use Test::More;
use SKaMPI::Test qw(read_file files_in shimmed_mpirun workplace);

plan skip_all => 'needs a real machine' if ( $ENV{SKAMPI_MPI} // q{} ) eq 'smpi';

my $dir = workplace( '.skampi' => <<'END' );
@VERSION 4.1
@MEASUREMENTS
A { Type = 1; Variation = Length; Scale = Fixed_log; End_Argument = 16; Stepwidth = 4; }
END

# Rank, seconds, number of preceding readings: during the calibration, the synchronisation, the start
# skew, the latencies.
my @STEPS = map {
    my $readings = $_;
    map { ("$_:3600:$readings") } 0, 1
} 3, 500, 1500, 3000, 5000;

for my $step ( @STEPS, '*:3600:2000', '0:8:2000' ) {
    my $run = shimmed_mpirun( $dir, 2, "drift=200,step=$step", '-q' );
    is $run->{status}, 1, "set back at $step: status";
    my ( $rank, $back ) = split /:/, $step;
    $rank = '\d' if $rank eq q{*};
    like $run->{err},
qr/^skampi: the clock of rank $rank \(MPI_Wtime\) was set back by $back[.]0 s while skampi started/m,
      'the message says why';
    is_deeply [ files_in($dir) ], ['.skampi'], 'nothing is written';
}

my $SHARED = 'CLOCK_MONOTONIC, as MPI_Wtime';
my %CLOCK  = (
    'offset=1000'  => $SHARED,
    'drift=200'    => 'MPI_Wtime',
    'drift=600000' => "$SHARED has 1.600 of its rate",
);
for my $setting ( sort keys %CLOCK ) {
    my $run = shimmed_mpirun( $dir, 2, $setting, qw(-q --fresh) );
    is $run->{status}, 0, $setting or diag $run->{err};
    my ($timer) = read_file("$dir/skampi.out") =~ /^#\@TIMER (.*?), tick/m;
    is $timer, $CLOCK{$setting}, 'the clock that is read';
    is
      scalar( () =
          $run->{err} =~ /MPI_Wtime: it runs at 1[.]600 of the rate of the system's clock/g ),
      ( $timer =~ /rate/ ? 1 : 0 ), 'and why, once';
}

done_testing;
