#!/usr/bin/perl
# Figures about skampi itself. Machines are noisy, so that only ratios of launches that follow each
# other count, and of these the median.
use v5.36;

use File::Temp  qw(tempdir);
use FindBin     qw($Bin);
use IPC::Run    qw(run timeout);
use List::Util  qw(max);
use Time::HiRes qw(time);

my $top      = "$Bin/../..";
my $launches = $ENV{BENCH_LAUNCHES} // 10;
my $dir      = tempdir( CLEANUP => 1 );

sub output_of (@command) {
    my ( $out, $err );
    run \@command, '<', \undef, '>', \$out, '2>', \$err,
      init => sub { chdir $dir or die "$!\n" },
      timeout(600)
      or die "@command: $err\n";
    return $out;
}

sub read_file ($path) {
    open my $in, '<', $path or die "$path: $!\n";
    local $/ = undef;
    my $content = <$in>;
    close $in or die "$path: $!\n";
    return $content;
}

sub write_file ( $path, $content ) {
    open my $out, '>', $path or die "$path: $!\n";
    print {$out} $content;
    close $out or die "$path: $!\n";
    return;
}

sub median (@values) {
    my @sorted = sort { $a <=> $b } @values;
    my $middle = int( @sorted / 2 );
    return @sorted % 2 ? $sorted[$middle] : ( $sorted[ $middle - 1 ] + $sorted[$middle] ) / 2;
}

sub bare_loop ($len) {
    return 0 + output_of( qw(mpirun.openmpi -np 2), "$top/build/openmpi/bare_loop", $len, 10_000 );
}

sub skampi_ping_pong ($len) {
    write_file( "$dir/bench.skampi", <<"PARAMETERS");
\@VERSION 4.1
\@ABSOLUTE yes
\@MEASUREMENTS
MPI_Send-MPI_Recv {
  Type = 1; Variation = Length; Scale = Fixed_linear;
  Send_Datatype_Number = 1; Receive_Datatype_Number = 1; Multiple_of = 1;
  Start_Argument = $len; End_Argument = $len;
  Min_Repetition = 10000; Max_Repetition = 10000; Standard_error = 0.001;
}
PARAMETERS
    unlink "$dir/skampi.out";
    output_of( qw(mpirun.openmpi -np 2), "$top/skampi", qw(--quiet -f bench.skampi) );
    my ($row) = read_file("$dir/skampi.out") =~ /^([^#].*)$/m;
    return ( split q{ }, $row )[1];
}

# The order within a pair alternates, so that neither side profits from the other's warm-up.
sub ratio ( $len, $launch ) {
    my @first = $launch % 2 ? ( skampi_ping_pong($len) ) : ();
    my $bare  = bare_loop($len);
    my $ours  = $first[0] // skampi_ping_pong($len);
    printf "  launch %2d: skampi %9.4f us, bare loop %9.4f us, ratio %.4f\n", $launch, $ours, $bare,
      $ours / $bare;
    return $ours / $bare;
}

sub ping_pong ($len) {
    say "Ping-pong of $len bytes, 2 processes, \@ABSOLUTE yes, against a bare loop of 10000:";
    my @ratios = map { ratio( $len, $_ ) } 1 .. $launches;
    printf "  median ratio over %d launches: %.4f (wanted: 0.95 to 1.05)\n", $launches,
      median(@ratios);
    return;
}

# Peak resident memory in KiB of the process that needs most.
sub peak (@command) {
    my ( $out, $err );
    run [ qw(mpirun.openmpi -np 2), "$top/build/openmpi/peak", @command ], '<', \undef, '>', \$out,
      '2>', \$err,
      init => sub { chdir $dir or die "$!\n" },
      timeout(600)
      or die "@command: $err\n";
    return max( $err =~ /^peak (\d+) KiB/mg );
}

sub memory () {
    my $standard = "$top/configs/standard.skampi";
    my ($pool)   = read_file($standard) =~ /^\@MEMORY (\d+)/m;
    my $nothing  = peak("$top/build/openmpi/nothing");
    my $ours     = peak( "$top/skampi", '--quiet', '-f', $standard );
    say 'Peak memory of a process, configs/standard.skampi at np = 2:';
    printf "  %d KiB, less \@MEMORY %d KiB, less an MPI program that does nothing %d KiB:\n", $ours,
      $pool, $nothing;
    printf "  %.1f MB more (wanted: at most 16)\n", ( $ours - $pool - $nothing ) / 1024;
    return;
}

sub many_suites () {
    my $suites = join q{},
      map { "suite-$_ { Type = 17; Variation = Length; Scale = Dynamic_log; }\n" } 1 .. 10_000;
    write_file( "$dir/many.skampi", "\@VERSION 4.1\n\@MEASUREMENTS\n$suites" );
    my $started = time;
    output_of( "$top/skampi", '--check', 'many.skampi' );
    printf "10,000 suites: read, checked and their plan printed in %.2f s (wanted: below 1)\n",
      time - $started;
    return;
}

sub standard ($np) {
    my $started = time;
    unlink "$dir/skampi.out";
    output_of( qw(mpirun.openmpi --oversubscribe -np),
        $np, "$top/skampi", '--quiet', '-f', "$top/configs/standard.skampi" );
    my $out            = read_file("$dir/skampi.out");
    my $suites         = () = $out =~ /^#eol/mg;
    my $unsynchronised = () = $out =~ /stop=unsynchronised/g;
    printf "configs/standard.skampi at np = %d: %.1f s, %d suites, %d rows unsynchronised\n", $np,
      time - $started, $suites, $unsynchronised;
    return;
}

ping_pong($_) for split q{ }, $ENV{LENGTHS} || 8;
memory();
many_suites();
if ( $ENV{STANDARD} ) {
    standard($_) for 2 .. 4;
}
