# Capabilities of the MPI library are probed: calls that its mpi.h declares, under their names or as extensions.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Test qw($ROOT command scratch skampi read_file write_file);

my $SRC    = "$ROOT/src";
my %NEEDED = map {
    /(\w+)/
      ? ( "$1" => [ map { split } /"((?:MPI_\w+ ?)+)"/g ] )
      : ()
} read_file("$SRC/model/capabilities.def") =~ /^CAPABILITY[(](.*?)[)]$/gms;

# The header made for an mpi.h with these names.
sub header (@names) {
    my $mpi_h = join q{},
      map { "int $_(const void *buf,\n  MPI_Comm comm) __attribute__((x));\n" } @names;
    run [ $^X, "$SRC/context/probe.pl", "$SRC/model/capabilities.def" ], '<', \$mpi_h, '>', \my $out
      or die "probe.pl: $?\n";
    return $out;
}

sub lacking ($header) {
    my ($expression) = $header =~ /^#define DECLARED_LACKS (.*)$/m;
    return join q{ }, $expression =~ /NEEDS_(\w+)/g;
}

my @bound = @{ $NEEDED{PERSISTENT_COLLECTIVES} };
my @all   = map { @{$_} } values %NEEDED;
cmp_ok @bound, '>=', 17, 'rows name calls';
is lacking( header(@all) ),                            q{},            'all is declared';
is lacking( header( grep { !/^MPI_Scan_c$/ } @all ) ), 'LARGE_COUNTS', 'one call is missing';
is lacking( header( grep { !/_init$/ } @all ) ), 'PERSISTENT_COLLECTIVES SESSIONS', 'several are';
like header(), qr/^#define MPI_Isendrecv[(][.]{3}[)] LACKS_CALL[(]__VA_ARGS__[)]$/m,
  'a call that fails';

my %is_bound  = map { $_ => 1 } @bound;
my $extension = header( map { $is_bound{$_} ? s/^MPI/MPIX/r : $_ } @all );
is lacking($extension), q{}, 'extensions will do';
like $extension,   qr/^#define MPI_Bcast_init MPIX_Bcast_init$/m, 'under their names';
unlike $extension, qr/LACKS_CALL/,                                'and all calls exist';

# Declared calls are weak, as another library may be loaded; not those of a library that is a part of the program.
my $dir = scratch();
write_file( "$dir/mpi.h", "int MPI_Init(void *a, void *b);\nint MPI_File_open(int a);\n" );
write_file( "$dir/mpi.c", "int MPI_Init(void *a, void *b) { return 0; }\n" );
for my $kind (
    [ shared => 'gcc -shared -fPIC -o libmpi.so ../mpi.c', 1 ],
    [ static => 'gcc -c ../mpi.c && ar rc libmpi.a mpi.o', 0 ]
  )
{
    my ( $name, $make, $weak ) = @{$kind};
    mkdir "$dir/$name" or die "$name: $!\n";
    is command( "$dir/$name", 'sh', '-c', $make )->{status}, 0, "a $name library";
    write_file( "$dir/$name/mpicc", qq{#!/bin/sh\nexec gcc -I$dir "\$\@" -L$dir/$name -lmpi\n} );
    my $path = "$dir/$name/build/context/declared.h";
    my $run =
      command( $ROOT, 'make', '-s', "MPICC=$dir/$name/mpicc", "BUILD=$dir/$name/build", $path );
    is $run->{status}, 0, '... is probed' or diag $run->{err};
    is scalar( () = read_file($path) =~ /^#pragma weak MPI_File_open$/mg ), $weak, '... weak calls';
    is scalar( () = read_file($path) =~ /"MPI_File_open"/g ), $weak, '... looked for at the start';
}

# The program was built by this rule, with this library.
my $has  = read_file("$ENV{SKAMPI_BUILD}/mpi.i");
my $list = skampi( scratch(), '--list' )->{out} =~ s/\n {20,}/ /gr;
for my $call (qw(MPI_Allreduce_init MPI_Session_init MPI_Comm_create_from_group)) {
    my $name = $call =~ s/\AMPI_//r;
    my ($row) = $list =~ /^ +\d+ +\w+_$call (.*)$/m;
    isnt $row =~ /the MPI library lacks/ ? 1 : 0, $has =~ /\bMPIX?_$name\s*[(]/ ? 1 : 0,
      "$call: listed";
}

done_testing;
