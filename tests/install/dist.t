# make dist: the same commit gives the same bytes; in make check-long, its content builds and works.
use v5.36;

use Digest::SHA qw(sha256_hex);
use Test::More;
use SKaMPI::Install qw(make_in);
use SKaMPI::Test    qw($ROOT scratch read_file);

plan skip_all => 'no git repository' if !-e "$ROOT/.git";

sub dist () {
    my ($name) = make_in( $ROOT, 'dist' ) =~ /^(build\S+[.]tar[.]gz)$/m;
    return "$ROOT/$name";
}

my $archive = dist();
my $bytes   = read_file($archive);
sleep 1;    # the time must not get into it
dist();
is sha256_hex( read_file($archive) ), sha256_hex($bytes), 'the same bytes twice';

my ($name) = $archive =~ m{([^/]+)[.]tar[.]gz$};
my $dir = scratch();
is system( 'tar', '-xzf', $archive, '-C', $dir ), 0, 'unpacked';
is_deeply [ map { s{.*/}{}r } glob "$dir/*" ], [$name],
  'one directory, with the version in its name';
ok -e "$dir/$name/$_", "it has $_"
  for qw(Makefile README LICENSE src/main.c tests/lib/SKaMPI/Test.pm);
ok !-e "$dir/$name/build", 'and no build directory';

SKIP: {
    skip 'builds it only in make check-long', 2 if !$ENV{SKAMPI_LONG};
    make_in( "$dir/$name", 'all', 'man' );
    my $program = "$dir/$name/build/$ENV{SKAMPI_MPI}$ENV{SKAMPI_VARIANT}/skampi";
    is system("$program --check $dir/$name/configs/standard.skampi >$dir/plan"), 0, 'a plan';
    like read_file("$dir/plan"), qr/^p2p_MPI_Send-MPI_Recv$/m, 'of the standard suite';
}

done_testing;
