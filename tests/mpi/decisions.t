# Each pattern and variation, with processes that sit out: each suite ends. tests/sim/decisions.t has more numbers of
# processes; here, too, SKAMPI_LONG.
use v5.36;

use Test::More;
use SKaMPI::Combinations qw(combinations unfinished);
use SKaMPI::Test         qw(mpirun scratch write_file);

for my $np ( 3, 4, $ENV{SKAMPI_LONG} ? 5 : () ) {
    for my $absolute ( $ENV{SKAMPI_LONG} ? qw(yes no) : $np % 2 ? 'no' : 'yes' ) {
        my $dir = scratch();
        chdir $dir or die "$dir: $!\n";
        write_file( '.skampi', combinations( $np, $absolute ) );
        my $run = mpirun( $dir, $np, '-q' );
        is_deeply [ unfinished() ], [], "$np processes, \@ABSOLUTE $absolute: each suite ends"
          or diag "status $run->{status}\n$run->{err}";
    }
}

done_testing;
