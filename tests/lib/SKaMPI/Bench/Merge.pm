package SKaMPI::Bench::Merge;

# The cost of post-processing many runs.
use v5.36;

use Exporter               qw(import);
use Time::HiRes            qw(time);
use SKaMPI::Bench::Figures qw(median at_most);
use SKaMPI::Bench::Launch  qw(root launches progress program ended_well peak_kib);
use SKaMPI::Test           qw(scratch write_file);

our @EXPORT_OK = qw(merges);

my $RUNS   = 50;
my $SUITES = 100;
my $ROWS   = 20;

my $FORMAT = join q{ }, '#Format: <args> message length [bytes] (%d) <results>',
  map { "time_$_ [microsec.] (%f) standard_error_$_ [microsec.] (%f) count_$_ [number] (%d)" }
  qw(cleaned all);

sub row ($argument) {
    my @times = map { sprintf '%.6f', rand 100 } 1 .. 9;
    return "$argument $times[0] $times[1] 1000 $times[2] $times[3] 2000 # stop=accuracy"
      . " min=$times[4] p25=$times[5] median=$times[6] p75=$times[7] max=$times[8] invalid=0";
}

sub suite ($name) {
    return join "\n", '#-----', "#/*\@inp2p_$name.ski*/",
      '#Pattern: Point-to-Point varied over the message length [bytes] (%d).', $FORMAT,
      ( map { row($_) } 1 .. $ROWS ), '#eol', q{};
}

sub result_file ($path) {
    my $suites = join q{}, map { suite("suite-$_") } 1 .. $SUITES;
    return write_file( $path, "#\@PROCESSES 2\n$suites#skampi finished.\n" );
}

# Peak memory in KiB.
sub merge ( $out, @runs ) {
    my ( undef, $err ) =
      ended_well( program('peak'), root() . '/skampi', '-q', '--force', '-p', @runs, '-o', $out );
    return peak_kib($err);
}

sub timed_merge ( $out, @runs ) {
    my $started_s = time;
    merge( $out, @runs );
    return time - $started_s;
}

sub merges () {
    progress("merging $RUNS files of $SUITES suites");
    my $dir      = scratch();
    my @runs     = map { result_file("$dir/$_.out") } 1 .. $RUNS;
    my $mib      = ( -s $runs[0] ) * $RUNS / 1024**2;
    my @times    = map { timed_merge( "$dir/m.out", @runs ) } 1 .. launches(5);
    my $more_kib = merge( "$dir/m.out", @runs ) - merge( "$dir/m.out", $runs[0] );
    my $beside   = sprintf ' (files: %.1f MiB)', $mib;
    return (
        at_most( "$RUNS files of $SUITES suites",  '%.2f s',   median(@times),   2, $beside ),
        at_most( 'memory, more than for one file', '%.2f MiB', $more_kib / 1024, 2 ),
    );
}

1;
