package SKaMPI::Samples;

# Sound files of the kinds that programs read, which tests damage.
use v5.36;

use Digest::SHA     qw(sha256_hex);
use Exporter        qw(import);
use SKaMPI::Results qw(results_text);

our @EXPORT_OK = qw(tune_text verdicts_about $RECORDING $RULES);

# A launch of skampi-tune: the algorithms of a collective.
sub tune_text ($number) {
    my @rows  = map { join q{ }, $_, 10 + $_ + $number / 10, 0.1, 8, "# p25=" . ( 9 + $_ ) } 0 .. 3;
    my $names = join "\n", '#@ALGORITHMS bcast, 4 processes, coll_tuned_bcast_algorithm',
      map { "# $_ name$_" } 0 .. 3;
    return results_text( { MPILIBRARY => 'A', PROCESSES => 4 },
        [ 'syncol_Tune', 'spread', \@rows, { type => '47 syncol_MPI_Bcast', notes => $names } ] );
}

our $RECORDING = <<'END';
#@PROFILE 1
#@COMMAND app
#@PROCESSES 2
#@RANK 0 host0
#@SECONDS 1.500000
#@OWN_SECONDS 0.001000
#@CALLS 130
MPI_Allreduce 2 1 4 4 - contiguous apart predefined 0 100 400 150.000 9.000 split=10 wait_us=3.5 after_us=5.5
MPI_Alltoallv 2 1 64 75 - contiguous apart - 0 10 700 80.000 9.000
MPI_Bcast 2 1 64 75 rotating contiguous - - 0 20 1280 80.000 9.000
MPI_Isend 2 1 8 9 - contiguous - - 0 20 160 20.000 3.000
MPI_Waitall 0 0 0 0 - - - - 4 10 0 30.000 9.000
#@RANK 1 host1
#@SECONDS 1.500000
MPI_Allreduce 2 1 4 4 - contiguous apart own 0 100 400 150.000 9.000 coarse=1
MPI_Alltoallv 2 1 64 75 - contiguous apart - 0 11 800 80.000 9.000
#@COMPLETE yes
END
our $RULES = <<'END';
#@format ompi
# library: A
#@cell 47 bcast 4 64 6 binomial coll_tuned_bcast_algorithm 0.500 0.400 0.600
#@canary 47 bcast 4 64 4 split coll_tuned_bcast_algorithm 9.000 8.000 10.000
1 # collectives
7 # bcast
2 # communicator sizes
2 # processes
1 # rules
0 0 0 0
4 # processes
2 # rules
0 6 0 0
65 0 0 0
END
my $VERDICTS =
'{"schema":"skampi-verdicts/1","results":{"name":"r","sha256":"x"},"scope":{"hosts":"a","from":"b","to":"c","launches":6},"alpha":0.05,"verdicts":[{"role":"candidate","kind":"guideline","slow":{"suite":"syncol_Nodes","argument":2},"fast":[{"suite":"p2p_Ping","argument":8}],"ratio":1.5,"low":1.2,"high":2.5,"outcome":"confirmed","further":3}]}';

# Verdicts beside the results with this text.
sub verdicts_about ($text) {
    return $VERDICTS =~ s/(?<="sha256":")x/sha256_hex($text)/er;
}

1;
