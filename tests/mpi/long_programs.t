# C programs that test themselves for some seconds: all patterns, calls with naps, and what processes rewrite.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

for my $np ( 2, 3 ) {
    program_passes( $np, 'apart',   7 );
    program_passes( $np, 'control', 18 );
    program_passes( $np, 'rewriting' );
}

done_testing();
