# Rank 1 waits for a CPU in the first pass, as the kernel says: all visits count, and the rows are marked, also if
# another launch goes on.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(cpus preloaded_mpirun workplace);

plan skip_all => 'more processes than CPUs wait for each other' if cpus() < 2;

# A turn reads the kernel's numbers before and after it, and so does each measurement.
my ( $ROWS, $PASSES ) = ( 3, 5 );
my $TURN = 2 * $ROWS + 2;

my $SUITE = <<'END';
@VERSION 4.2
@POSTPROC no
@MEASUREMENTS
* { Type = 21; Scale = Fixed_log; Start_Argument = 4; End_Argument = 64; Stepwidth = 4; Multiple_of = 4;
    Min_Repetition = 20; Max_Repetition = 20; Parameters = "passes=5"; }
END

sub run_in ( $dir, $waits, $abort = undef ) {
    local $ENV{SKAMPI_WAITS} = $waits;
    local $ENV{SKAMPI_ABORT} = $abort if defined $abort;
    return preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
}

sub new_place () {
    return workplace( '.skampi' => $SUITE );
}

sub rows_of ($dir) {
    my ($suite) = SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites;
    return [
        map {
            my $row = $_->{extras};
            join q{ }, map { "$_=" . ( $row->{$_} // q{-} ) } qw(passes disturbed contended marks)
        } @{ $suite->{rows} }
    ];
}

my $MARKED = [ ("passes=$PASSES disturbed=- contended=1 marks=!") x $ROWS ];

my $dir = new_place();
is run_in( $dir, $TURN )->{status}, 0, 'rank 1 waits in the first pass';
is_deeply [ map { s/[\^t]+\z//r } @{ rows_of($dir) } ], $MARKED, 'its rows are marked';

$dir = new_place();
isnt run_in( $dir, $TURN, 'MPI_Scan:40:kill' )->{status}, 0, 'a launch dies in a later pass';
is run_in( $dir, 0 )->{status}, 0, 'another one goes on, in which nobody waits';
is_deeply [ map { s/[\^t]+\z//r } @{ rows_of($dir) } ], $MARKED, 'it knows';

done_testing;
