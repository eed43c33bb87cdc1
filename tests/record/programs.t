# Programs with known calls, in C and Fortran: the recorder counts each call and byte in the right cell.
use v5.36;

use SKaMPI::Test qw(scratch write_file read_file succeeds);
use Test::More;

# Programs are made at random from a seed, with the cells that a recording of them has to have.

# Bytes of an element, and whether several have gaps; vector: 2 of 4 elements, twice.
my %TYPE = (
    t_int    => [ 4,  0 ],
    t_double => [ 8,  0 ],
    t_pair   => [ 8,  0 ],
    t_vector => [ 16, 1 ],
);
my $MOST = 3000;    # elements of a message

# A generator of its own: the same programs on each machine.
sub random ($seed) {
    my $state = $seed * 2_654_435_761 % 2**31;
    return sub ($n) {
        $state = ( $state * 1_103_515_245 + 12_345 ) % 2**31;
        return int( $state / 2**31 * $n );
    };
}

sub low ($bytes) {
    return 0 if $bytes == 0;
    my $bin = int( 4 * log($bytes) / log(2) + 1e-9 );
    my $low = 2**( $bin / 4 );
    return abs( $low - sprintf '%.0f', $low ) < 1e-6 ? sprintf '%.0f', $low : int( $low + 1 );
}

# A line of the file up to the calls, and its bytes.
sub seen ( $name, $on, $bytes, %of ) {
    my $data = defined $bytes;
    my $gaps = $data && $of{gaps} ? 'gaps' : 'contiguous';
    return [
        join( q{ },
            $name,
            @{$on},
            low( $bytes // 0 ),
            $of{root} // q{-},
            $data ? $gaps : q{-},
            $of{place}    // q{-},
            $of{op}       // q{-},
            $of{requests} // 0 ),
        $bytes // 0
    ];
}

# A statement is a call with its arguments, and for a rank what is recorded of it. $p has the random numbers, the
# number of processes and the last roots.
sub size_of ( $p, $comm ) {
    return $comm eq 'half' ? int( ( $p->{np} + 1 ) / 2 ) : $p->{np};
}

# With as many processes as any of the program has: the halves may differ in size.
sub on ( $p, $comm, $rank ) {
    return [ $p->{np}, 1 ] if $comm ne 'half';
    return [ int( ( $p->{np} + 1 - $rank % 2 ) / 2 ), 1 ];
}

sub smallest ( $p, $comm ) {
    return $comm eq 'half' ? int( $p->{np} / 2 ) : $p->{np};
}

sub local_rank ( $comm, $rank ) {
    return $comm eq 'half' ? int( $rank / 2 ) : $rank;
}

sub root_word ( $p, $name, $comm, $root ) {
    my $last = $p->{roots}{"$name $comm"};
    $p->{roots}{"$name $comm"} = $root;
    return !defined $last || $last == $root ? 'fixed' : 'rotating';
}

sub message ($p) {
    my $type = ( sort keys %TYPE )[ $p->{pick}->( scalar keys %TYPE ) ];
    return ( $p->{pick}->(4) == 0 ? $p->{pick}->(3) : 1 + $p->{pick}->($MOST), $type );
}

sub bytes ( $n, $type ) {
    return ( $n * $TYPE{$type}[0], gaps => $n > 0 && $TYPE{$type}[1] );
}

sub comm_of ($p) {
    return qw(world twin half) [ $p->{pick}->(3) ];
}

# A statement of these calls, one of which is recorded.
sub recorded ( $p, $comm, $calls, $name, @of ) {
    return {
        calls => $calls,
        seen  => sub ($rank) { return seen( $name, on( $p, $comm, $rank ), @of ) }
    };
}

sub bcast ( $p, $form = '%s' ) {
    my ( $comm, $n, $type ) = ( comm_of($p), message($p) );
    my $root = $p->{pick}->( smallest( $p, $comm ) );
    my $name = $form eq 'I' ? 'MPI_Ibcast' : 'MPI_Bcast';
    my $word = root_word( $p, $name, $comm, $root );
    my @wait = $form eq 'I' ? [ 'MPI_Wait', 'q:0', 'STATUS' ] : ();
    return {
        calls => [ [ $name, 'a', $n, $type, $root, $comm, $form eq 'I' ? 'q:0' : () ], @wait ],
        seen  => sub ($rank) {
            return (
                seen( $name, on( $p, $comm, $rank ), bytes( $n, $type ), root => $word ),
                $form eq 'I' ? seen( 'MPI_Wait', [ 0, 0 ], undef, requests => 1 ) : ()
            );
        },
    };
}

sub ibcast ($p) {
    return bcast( $p, 'I' );
}

sub reduction ($p) {
    my $comm = comm_of($p);
    my $n    = 1 + $p->{pick}->($MOST);
    my ( $name, $root ) =
      $p->{pick}->(2)
      ? 'MPI_Allreduce'
      : ( 'MPI_Reduce', $p->{pick}->( smallest( $p, $comm ) ) );
    my $own   = $p->{pick}->(2);
    my $place = !defined $root && $p->{pick}->(2);
    my @root  = defined $root ? ( root => root_word( $p, $name, $comm, $root ) ) : ();
    my @args  = ( $place ? 'MPI_IN_PLACE' : 'a', 'b', $n, 't_int', $own ? 'own' : 'MPI_SUM' );
    push @root, op => $own ? 'own' : 'predefined', place => $place ? 'inplace' : 'apart';
    return recorded( $p, $comm, [ [ $name, @args, $root // (), $comm ] ],
        $name, bytes( $n, 't_int' ), @root );
}

sub exchange ($p) {
    my $comm = comm_of($p);
    my ( $n, $type ) = ( 1 + $p->{pick}->(500), 't_int' );
    my $name  = qw(MPI_Alltoall MPI_Allgather) [ $p->{pick}->(2) ];
    my $place = $p->{pick}->(2);
    my @send  = $place ? ( 'MPI_IN_PLACE', 0, $type ) : ( 'a', $n, $type );
    my @of    = ( bytes( $n, $type ), place => $place ? 'inplace' : 'apart' );
    return recorded( $p, $comm, [ [ $name, @send, 'b', $n, $type, $comm ] ], $name, @of );
}

# Each process sends as many elements as its rank in the communicator says.
sub gatherv ($p) {
    my ( $comm, $n ) = ( comm_of($p), 1 + $p->{pick}->(300) );
    my $root = $p->{pick}->( smallest( $p, $comm ) );
    my $word = root_word( $p, 'MPI_Gatherv', $comm, $root );
    my $all  = size_of( $p, $comm );
    my @set =
      map { ( [ 'SET', 'k', $_, $n + $_ ], [ 'SET', 'd', $_, $_ * ( $n + $all ) ] ) } 0 .. $all - 1;
    my $own = "$n + rank" . ( $comm eq 'half' ? ' / 2' : q{} );
    return {
        calls =>
          [ @set, [ 'MPI_Gatherv', 'a', $own, 't_int', 'b', 'k', 'd', 't_int', $root, $comm ] ],
        seen => sub ($rank) {
            return seen(
                'MPI_Gatherv', on( $p, $comm, $rank ),
                bytes( $n + local_rank( $comm, $rank ), 't_int' ),
                root  => $word,
                place => 'apart'
            );
        },
    };
}

sub alltoallv ($p) {
    my $n    = 1 + $p->{pick}->(200);
    my @set  = map { ( [ 'SET', 'k', $_, $n ], [ 'SET', 'd', $_, $_ * $n ] ) } 0 .. $p->{np} - 1;
    my @call = ( 'MPI_Alltoallv', 'a', qw(k d t_int), 'b', qw(k d t_int), 'twin' );
    my @of   = ( bytes( $n * $p->{np}, 't_int' ), place => 'apart' );
    return recorded( $p, 'twin', [ @set, \@call ], 'MPI_Alltoallv', @of );
}

sub barrier ($p) {
    my $comm = comm_of($p);
    return recorded( $p, $comm, [ [ 'MPI_Barrier', $comm ] ], 'MPI_Barrier', undef );
}

sub ring ($p) {
    my ( $n, $type ) = message($p);
    my @to   = ( 'a', $n, $type, 'next',     7 );
    my @from = ( 'b', $n, $type, 'previous', 7 );
    return recorded( $p, 'world', [ [ 'MPI_Sendrecv', @to, @from, 'world', 'STATUS' ] ],
        'MPI_Sendrecv', bytes( $n, $type ) );
}

# Some messages at once; one of the requests is null.
sub window ($p) {
    my ( $n, $type ) = message($p);
    my $messages = 1 + $p->{pick}->(10);
    my @calls    = map {
        (
            [ 'MPI_Irecv', 'b', $n, $type, 'previous', $_, 'twin', "q:$_" ],
            [ 'MPI_Isend', 'a', $n, $type, 'next',     $_, 'twin', 'q:' . ( $messages + $_ ) ]
        )
    } 0 .. $messages - 1;
    return {
        calls => [
            @calls,
            [ 'NULL', 2 * $messages ],
            [ 'MPI_Waitall', 2 * $messages + 1, 'q', 'STATUSES' ]
        ],
        seen => sub ($rank) {
            my @both =
              map { seen( $_, [ $p->{np}, 1 ], bytes( $n, $type ) ) } qw(MPI_Irecv MPI_Isend);
            return ( (@both) x $messages,
                seen( 'MPI_Waitall', [ 0, 0 ], undef, requests => 2 * $messages ) );
        },
    };
}

sub persistent ($p) {
    my ( $n, $type ) = message($p);
    my $times = 1 + $p->{pick}->(5);
    my @calls = (
        [ 'MPI_Recv_init', 'b', $n, $type, 'previous', 3, 'world', 'q:0' ],
        [ 'MPI_Send_init', 'a', $n, $type, 'next',     3, 'world', 'q:1' ],
        ( [ 'MPI_Startall', 2, 'q' ], [ 'MPI_Waitall', 2, 'q', 'STATUSES' ] ) x $times,
        [ 'MPI_Request_free', 'q:0' ],
        [ 'MPI_Request_free', 'q:1' ],
    );
    return {
        calls => \@calls,
        seen  => sub ($rank) {
            return (
                (
                    map { seen( $_, [ $p->{np}, 1 ], bytes( $n, $type ) ) }
                      qw(MPI_Recv_init MPI_Send_init)
                ),
                ( map { seen( $_, [ 0, 0 ], undef, requests => 2 ) } qw(MPI_Startall MPI_Waitall) )
                  x $times
            );
        },
    };
}

sub access_window ($p) {
    my ( $n, $np ) = ( 1 + $p->{pick}->(800), $p->{np} );
    my @fence = ( 'MPI_Win_fence', 0, 'win' );
    return {
        calls => [
            [@fence],
            [ 'MPI_Put', 'a', $n, 't_int', 'next', 'ZERO', $n, 't_int', 'win' ],
            [@fence],
            [ 'MPI_Accumulate', 'a', $n, 't_int', 'next', 'ZERO', $n, 't_int', 'MPI_SUM', 'win' ],
            [@fence],
        ],
        seen => sub ($rank) {
            return (
                ( seen( 'MPI_Win_fence', [ $np, 1 ], undef ) ) x 3,
                seen( 'MPI_Put', [ $np, 1 ], bytes( $n, 't_int' ) ),
                seen( 'MPI_Accumulate', [ $np, 1 ], bytes( $n, 't_int' ), op => 'predefined' )
            );
        },
    };
}

sub neighbours ($p) {
    my $n    = 1 + $p->{pick}->(400);
    my @call = ( 'MPI_Neighbor_allgather', 'a', $n, 't_int', 'b', $n, 't_int', 'grid' );
    return recorded( $p, 'grid', [ \@call ], $call[0], bytes( $n, 't_int' ), place => 'apart' );
}

sub file ($p) {
    my $n    = 1 + $p->{pick}->(1000);
    my @call = ( 'MPI_File_write_at_all', 'file', "offset * $n", 'a', $n, 't_int', 'STATUS' );
    return recorded( $p, 'world', [ \@call ], $call[0], bytes( $n, 't_int' ) );
}

my @KINDS = (
    \&bcast,         \&ibcast,     \&reduction, \&exchange, \&gatherv,
    \&alltoallv,     \&barrier,    \&ring,      \&window,   \&persistent,
    \&access_window, \&neighbours, \&file
);

# A program of a seed for a number of processes: statements, each with a number of times.
sub program_of ( $seed, $np, $length ) {
    my $p = { np => $np, pick => random($seed), roots => {}, statements => [] };
    for ( 1 .. $length ) {
        my $statement = $KINDS[ $p->{pick}->( scalar @KINDS ) ]->($p);
        push @{ $p->{statements} }, { %{$statement}, times => 1 };
    }
    return $p;
}

# The cells that a rank of the program has: text => [ calls, bytes ].
sub cells_of ( $p, $rank ) {
    my %cells;
    my @world = ( $p->{np}, 1 );
    my @frame = (
        (
            map { seen( $_, [@world], undef ) }
              qw(MPI_Comm_dup MPI_Comm_split MPI_Cart_create MPI_Win_create MPI_File_open)
        ),
        (
            map { seen( $_, [ 0, 0 ], undef ) } qw(MPI_Type_commit) x 2,
            qw(MPI_Type_free) x 2,
            'MPI_File_close', 'MPI_Win_free', qw(MPI_Comm_free) x 3
        ),
    );
    for my $cell ( @frame, map { ( $_->{seen}->($rank) ) x $_->{times} } @{ $p->{statements} } ) {
        my ( $text, $bytes ) = @{$cell};
        $cells{$text}[0]++;
        $cells{$text}[1] += $bytes;
    }
    return \%cells;
}

my %C = (
    head => <<'END',
#include <mpi.h>
#include <stdlib.h>
static void combine(void *in, void *out, int *n, MPI_Datatype *t) { (void)in; (void)out; (void)n; (void)t; }
static int a[80000], b[80000], memory[80000], k[64], d[64];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, one = 1, yes = 1;
    MPI_Comm world = MPI_COMM_WORLD, twin, half, grid;
    MPI_Datatype t_int = MPI_INT, t_double = MPI_DOUBLE, t_pair, t_vector;
    MPI_Request q[64];
    MPI_Op own;
    MPI_Win win;
    MPI_File file;
    (void)d; (void)k; (void)q;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Offset offset = 4 * rank;
    (void)t_int; (void)t_double; (void)next; (void)previous; (void)offset;
    MPI_Comm_dup(world, &twin);
    MPI_Comm_split(world, rank % 2, rank, &half);
    MPI_Cart_create(world, one, &size, &yes, 0, &grid);
    MPI_Type_contiguous(2, MPI_INT, &t_pair);
    MPI_Type_commit(&t_pair);
    MPI_Type_vector(2, 2, 4, MPI_INT, &t_vector);
    MPI_Type_commit(&t_vector);
    MPI_Op_create(combine, 1, &own);
    MPI_Win_create(memory, sizeof(memory), 4, MPI_INFO_NULL, world, &win);
    MPI_File_open(world, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
END
    tail => <<'END',
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Op_free(&own);
    MPI_Type_free(&t_pair);
    MPI_Type_free(&t_vector);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
END
    statement => sub ( $name,  @args ) { return "    $name(" . join( ', ', @args ) . ");\n" },
    set       => sub ( $array, $i, $value ) { return "    ${array}[$i] = $value;\n" },
    null      => sub ($i) { return "    q[$i] = MPI_REQUEST_NULL;\n" },
    argument  => sub ($a) {
        my %word =
          ( STATUS => 'MPI_STATUS_IGNORE', STATUSES => 'MPI_STATUSES_IGNORE', ZERO => '0' );
        return $a =~ /^q:(\d+)$/ ? "&q[$1]" : $word{$a} // $a;
    },
);

# HANDLE is what declares handles, USE the module.
my %FORTRAN = (
    head => <<'END',
subroutine combine(in, inout, n, t)
  integer :: in(*), inout(*), n
  HANDLE(Datatype) :: t
end subroutine combine
program main
  USE
  external combine
  integer :: rank, size, next, previous, ierr
  integer, asynchronous :: a(80000), b(80000), memory(80000)
  integer :: k(64), d(64), dims(1)
  logical :: yes(1)
  integer(kind=MPI_OFFSET_KIND) :: offset
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  HANDLE(Comm) :: world, twin, half, grid
  HANDLE(Datatype) :: t_int, t_double, t_pair, t_vector
  HANDLE(Request) :: q(64)
  HANDLE(Op) :: own
  HANDLE(Win) :: win
  HANDLE(File) :: file
  call MPI_Init(ierr)
  world = MPI_COMM_WORLD
  t_int = MPI_INTEGER
  t_double = MPI_DOUBLE_PRECISION
  call MPI_Comm_rank(world, rank, ierr)
  call MPI_Comm_size(world, size, ierr)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  offset = 4 * rank
  dims(1) = size
  yes(1) = .true.
  bytes = 320000
  call MPI_Comm_dup(world, twin, ierr)
  call MPI_Comm_split(world, mod(rank, 2), rank, half, ierr)
  call MPI_Cart_create(world, 1, dims, yes, .false., grid, ierr)
  call MPI_Type_contiguous(2, MPI_INTEGER, t_pair, ierr)
  call MPI_Type_commit(t_pair, ierr)
  call MPI_Type_vector(2, 2, 4, MPI_INTEGER, t_vector, ierr)
  call MPI_Type_commit(t_vector, ierr)
  call MPI_Op_create(combine, .true., own, ierr)
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, world, win, ierr)
  call MPI_File_open(world, 'data', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, ierr)
END
    tail => <<'END',
  call MPI_File_close(file, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Op_free(own, ierr)
  call MPI_Type_free(t_pair, ierr)
  call MPI_Type_free(t_vector, ierr)
  call MPI_Comm_free(grid, ierr)
  call MPI_Comm_free(half, ierr)
  call MPI_Comm_free(twin, ierr)
  call MPI_Finalize(ierr)
end program main
END
    statement =>
      sub ( $name, @args ) { return "  call $name(" . join( ', ', @args ) . ", ierr)\n" },
    set      => sub ( $array, $i, $value ) { return "  $array(" . ( $i + 1 ) . ") = $value\n" },
    null     => sub ($i) { return '  q(' . ( $i + 1 ) . ") = MPI_REQUEST_NULL\n" },
    argument => sub ($a) {
        my %word = (
            STATUS   => 'MPI_STATUS_IGNORE',
            STATUSES => 'MPI_STATUSES_IGNORE',
            ZERO     => '0_MPI_ADDRESS_KIND'
        );
        return $a =~ /^q:(\d+)$/ ? 'q(' . ( $1 + 1 ) . ')' : $word{$a} // $a;
    },
);

sub statements ( $p, $language ) {
    my $text = q{};
    for my $call ( map { @{ $_->{calls} } } @{ $p->{statements} } ) {
        my ( $name, @args ) = @{$call};
        $text .=
            $name eq 'SET'  ? $language->{set}->(@args)
          : $name eq 'NULL' ? $language->{null}->(@args)
          :   $language->{statement}->( $name, map { $language->{argument}->($_) } @args );
    }
    return $text;
}

# The program's text: c, mpi or mpi_f08 (Fortran with this module).
sub source_of ( $p, $language ) {
    my $l    = $language eq 'c' ? \%C : \%FORTRAN;
    my $text = $l->{head} . statements( $p, $l ) . $l->{tail};
    return $text if $language eq 'c';
    $text =~ s/HANDLE[(](\w+)[)]/$language eq 'mpi' ? 'integer' : "type(MPI_$1)"/ge;
    $text =~ s/^  USE$/  use $language\n  implicit none/m;
    $text =~ s/^(subroutine.*\n)/$1  use mpi_f08\n/m if $language eq 'mpi_f08';
    return $text;
}

my $COUNT = $ENV{SKAMPI_LONG} ? 200 : 6;
my $dir   = scratch();

# The compiler of C, and that of Fortran if its name follows from it.
my $FORTRAN   = $ENV{SKAMPI_MPICC} =~ s{mpicc([^/]*)\z}{mpifort$1}r;
my @LANGUAGES = $FORTRAN eq $ENV{SKAMPI_MPICC} ? ('c') : qw(c c mpi c c mpi_f08);
my %MAKE = ( c => [ $ENV{SKAMPI_MPICC}, 'c' ], map { $_ => [ $FORTRAN, 'f90' ] } qw(mpi mpi_f08) );

# rank => { text => [ calls, bytes ] } of a recording.
sub cells_in ($text) {
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
    my $got = cells_in( read_file("$dir/skampi.profile") );
    is_deeply $got->{$_}, cells_of( $p, $_ ),
      "program $seed ($language), rank $_: each call, byte and cell"
      for 0 .. $np - 1;
}
ok !-e "$dir/skampi.profile.parts", 'the files of the processes are removed';

done_testing();
