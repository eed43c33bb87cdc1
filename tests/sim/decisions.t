# Each pattern and variation on a simulated machine: all processes decide as rank 0 does (decisions.c), and each suite
# ends. tests/mpi/decisions.t does so on a real one, with the other setting of @ABSOLUTE. SKAMPI_LONG: with both, and
# 5 processes.
use v5.36;

use Test::More;
use SKaMPI::Combinations qw(combinations unfinished without);
use SKaMPI::Sim          qw(build simulate);
use SKaMPI::Test         qw(scratch write_file);

# Times do not matter here, so a clock that costs much saves readings.
local $SKaMPI::Sim::READING_S = '1e-5';
my ( undef, $skampi ) = build('decisions');

is_deeply [ without() ], [], 'no pattern is left out';
for my $np ( 3 .. ( $ENV{SKAMPI_LONG} ? 5 : 4 ) ) {
    for my $absolute ( $ENV{SKAMPI_LONG} ? qw(yes no) : $np % 2 ? 'yes' : 'no' ) {
        my $dir = scratch();
        chdir $dir or die "$dir: $!\n";
        write_file( '.skampi', combinations( $np, $absolute ) );
        eval { simulate( 'flat', $np, '--cfg=smpi/iprobe:1e-5', $skampi, '-q' ); 1 }
          or diag $@;
        is_deeply [ unfinished() ], [], "$np processes, \@ABSOLUTE $absolute: each suite ends";
    }
}

done_testing;
