# Messages of more bytes than an int can count arrive whole, with counts=type and counts=c. SKAMPI_LONG: really
# long ones, if the memory suffices.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Test qw(mpi_program read_file);

# Lengths for most suites, and for an Allgather.
my @SHORT = ( 4096,          8192 );
my @LONG  = ( 3_221_225_472, 2_362_232_832 );

# Two processes have all buffers in memory, and a file in the page cache.
sub memory_for (@lengths) {
    return 2 * max( 2 * $lengths[0], 3 * $lengths[1] ) + 2 * $lengths[0];
}

sub memory_free () {
    my ($kib) = read_file('/proc/meminfo') =~ /^MemAvailable:\s+(\d+)/m;
    return 1024 * ( $kib // 0 );
}

sub try_lengths (@lengths) {
    my $run = mpi_program( 2, 'large', @lengths );
    my ($planned) = $run->{out} =~ /^1[.][.](\d+)$/m;
    is $run->{status}, 0, "lengths @lengths" or diag $run->{err} . $run->{out};
    is scalar( () = $run->{out} =~ /^ok /mg ), $planned, 'all messages are whole';
    return;
}

try_lengths(@SHORT);
SKIP: {
    skip 'long messages only in make check-long', 2 if !$ENV{SKAMPI_LONG};
    skip 'too little memory',                     2 if memory_free() < memory_for(@LONG);
    try_lengths(@LONG);
}

done_testing();
