# The loaded MPI library says what it lacks; it need not be that of the compiler's mpi.h.
use v5.36;

use Cwd qw(abs_path);
use Test::More;
use SKaMPI::Test
  qw(is_measured launcher command preloaded_mpirun mpirun read_file scratch slurp write_file);

plan skip_all => 'needs a real machine' if $ENV{SKAMPI_MPI} eq 'smpi';

my @WORDS = qw(-q -o skampi.out -t 30 -m 8);

# The library's file, as the program names it.
my $dir = scratch();
my $run = mpirun( $dir, 2, @WORDS, 'Bcast' );
is_measured( $run, 'a run' );
my ($named) = read_file("$dir/skampi.out") =~ /^#\@LIBRARY (.*)$/m;
my $linked  = qx{ldd $ENV{SKAMPI_PROGRAM}};
my ($file)  = $linked =~ /=> (\S+libmpi\S*)/;
is $named, abs_path($file), '#@LIBRARY: the file that is loaded';

# A copy of it in which a call has another name. All other calls are bound when the program starts.
my ($call) = read_file("$ENV{SKAMPI_BUILD}/context/declared.h") =~ /"(MPIX?_Bcast_init)"/;
SKIP: {
    skip 'without persistent collectives', 4 if !$call;
    my $other = scratch();
    my $name  = $file =~ s{.*/}{}r;
    my $bytes = slurp($file);
    my $lost  = $call =~ s/init\z/lost/r;
    ok $bytes =~ s/$call(?=\0)/$lost/g, "a library without $call";
    write_file( "$other/$name", $bytes );
    my $paths = join q{:}, $other, grep { !m{^/(?:usr/)?lib\b} } $linked =~ m{=> (/\S+)/}g;
    my @with  = ( "LD_LIBRARY_PATH=$paths", 'LD_BIND_NOW=1' );
    my @words = ( @WORDS, qw(Persistent_Bcast Bcast) );
    $run = command( $dir, launcher(2), 'env', @with, $ENV{SKAMPI_PROGRAM}, @words );
    like $run->{err},
      qr/'syncol_Persistent_Bcast': skipped, the MPI library lacks persistent collectives/,
      '... refuses its rows';
    my $text = read_file("$dir/skampi.out");
    my $path = abs_path("$other/$name");
    like $text, qr/^#\@LIBRARY \Q$path\E$/m,     '... is named';
    like $text, qr{^#/[*]\@insyncol_MPI_Bcast}m, '... and measures the others';
}

# Calls that are declared and deliver wrong data are tried, if a suite needs them.
$run = preloaded_mpirun( $dir, 2, 'libstale.so', @WORDS, qw(Persistent_Gather Persistent_Bcast) );
like $run->{err}, qr/Persistent_Gather': skipped, MPI_Gather_init, .* deliver wrong data/,
  'requests that send old data';
unlike $run->{err},                  qr/Bcast': skipped/, '... and not those of other calls';
unlike read_file("$dir/skampi.out"), qr/FI_OWN/,          'variables that the library sets itself';

done_testing();
