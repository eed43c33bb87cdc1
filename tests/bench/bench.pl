#!/usr/bin/perl
# Figures about skampi itself. Machines are noisy, so that only ratios of launches that follow each
# other count, and of these the median.
use v5.36;

use File::Temp qw(tempdir);
use FindBin    qw($Bin);
use IPC::Run   qw(run timeout);

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
    open my $in, '<', "$dir/skampi.out" or die "skampi.out: $!\n";
    my ($row) = grep { /^[^#]/ } <$in>;
    close $in or die "skampi.out: $!\n";
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

for my $len ( @ARGV ? @ARGV : 8 ) {
    say "Ping-pong of $len bytes, 2 processes, \@ABSOLUTE yes, against a bare loop of 10000:";
    my @ratios = map { ratio( $len, $_ ) } 1 .. $launches;
    printf "median ratio over %d launches: %.4f (wanted: 0.95 to 1.05)\n", $launches,
      median(@ratios);
}
