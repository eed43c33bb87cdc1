# Programs with known calls, in C and Fortran: the recorder counts each call and byte in the right cell.
use v5.36;

use SKaMPI::Recorded qw(program_of source_of cells_of);
use SKaMPI::Test     qw(scratch write_file read_file succeeds);
use Test::More;

my $COUNT = $ENV{SKAMPI_LONG} ? 200 : 6;
my $dir   = scratch();

# The compiler of C, and that of Fortran if its name follows from it.
my $FORTRAN   = $ENV{SKAMPI_MPICC} =~ s{mpicc([^/]*)\z}{mpifort$1}r;
my @LANGUAGES = $FORTRAN eq $ENV{SKAMPI_MPICC} ? ('c') : qw(c c mpi c c mpi_f08);
my %MAKE = ( c => [ $ENV{SKAMPI_MPICC}, 'c' ], map { $_ => [ $FORTRAN, 'f90' ] } qw(mpi mpi_f08) );

# rank => { text => [ calls, bytes ] } of a recording.
sub recorded ($text) {
    my ( %cells, $rank );
    for ( split /\n/, $text ) {
        $rank = $1 if /^\#\@RANK (\d+)/;
        next       if /^\#/;
        my @f = split;
        $cells{$rank}{ join q{ }, @f[ 0 .. 3, 5 .. 9 ] } = [ @f[ 10, 11 ] ];
    }
    return \%cells;
}

for my $seed ( 1 .. $COUNT ) {
    my $np       = 2 + $seed % 3;
    my $language = $LANGUAGES[ $seed % @LANGUAGES ];
    my $p        = program_of( $seed, $np, 40 );
    my ( $compiler, $ext ) = @{ $MAKE{$language} };
    write_file( "$dir/p.$ext", source_of( $p, $language ) );
    my $built =
      succeeds( SKaMPI::Test::command( $dir, split( q{ }, $compiler ), '-w', '-o', 'p', "p.$ext" ),
        "program $seed ($language) compiles" );
    my $run =
      SKaMPI::Test::command( $dir, $ENV{SKAMPI_MPIRUN},
        ( $ENV{SKAMPI_MPI} eq 'openmpi' ? '--oversubscribe' : () ),
        '-np', $np, 'env', "LD_PRELOAD=$ENV{SKAMPI_BUILD}/libskampi-record.so", './p' );
    is "$run->{status} $run->{err}", '0 ', "program $seed runs";
    my $got = recorded( read_file("$dir/skampi.profile") );
    is_deeply $got->{$_}, cells_of( $p, $_ ),
      "program $seed ($language), rank $_: each call, byte and cell"
      for 0 .. $np - 1;
}
ok !-e "$dir/skampi.profile.parts", 'the files of the processes are removed';

done_testing();
