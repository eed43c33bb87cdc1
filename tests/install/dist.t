# make dist: the same commit gives the same bytes, whoever packs it; its checksum is in the files for frameworks. In
# make check-long, from another path, too, and its content builds and works where the path has a blank.
use v5.36;

use Digest::SHA qw(sha256_hex);
use Test::More;
use SKaMPI::Install qw(make_in packing_lacks paths_under);
use SKaMPI::Test    qw($ROOT command scratch read_file);

plan skip_all => packing_lacks() if packing_lacks();

# The archive's path, after make dist as another user in another place would have it.
sub dist ( $tree, %environment ) {
    local @ENV{ keys %environment } = values %environment;
    my ($name) = make_in( $tree, '-j2', 'dist' ) =~ /^(build\S+[.]tar[.]gz)$/m;
    return "$tree/$name";
}

sub sum_of ($path) { return sha256_hex( read_file($path) ) }
my %OTHER = ( TZ => 'Asia/Tokyo', LC_ALL => 'C', GZIP => '-1', USER => 'other', HOME => scratch() );
my $archive = dist($ROOT);
my $sum     = sum_of($archive);
sleep 1;    # the time must not get into it
my $mask = umask 077;
is sum_of( dist( $ROOT, %OTHER ) ), $sum, 'the same bytes twice';
umask $mask;

my ( $name, $short ) = $archive =~ m{([^/]+-([^/]+))[.]tar[.]gz$};
for my $case (
    [ "$name.tar.gz.sha256",          qr/\A$sum  \Q$name\E[.]tar[.]gz\n\z/ ],
    [ 'package.py',                   qr/^    version[(]"\Q$short\E", sha256="$sum"[)]$/m ],
    [ "SKaMPI-$short-gompi-2025a.eb", qr/^checksums = \['$sum'\]$/m ],
  )
{
    like read_file("$ROOT/build/$case->[0]"), $case->[1], "its checksum in $case->[0]";
}

my $dir = scratch() . '/a folder';
mkdir $dir or die "$dir: $!\n";
is system( 'tar', '-xzf', $archive, '-C', $dir ), 0, 'unpacked';
is_deeply [ paths_under($dir) ]->[0], "$name/", 'one directory, with the version in its name';
my @wanted =
  qw(Makefile README LICENSE COMMIT src/main.c report/catalog.json docs/manual.pdf docs/man/skampi.1);
is_deeply [ grep { !-s "$dir/$name/$_" } @wanted ], [], 'with all files';
ok !-e "$dir/$name/build", 'and no build directory';
my ( $version, $commit ) = split q{ }, read_file("$dir/$name/COMMIT");
like $version, qr/^\Q$short\E(?:-dev)?$/, 'its version';
is command( $ROOT, qw(git rev-parse --short=12 HEAD) )->{out}, "$commit\n", '... and commit';

# Without a library of MPI: what needs none.
make_in( "$dir/$name", 'install', 'MPI=none', 'VARIANT=', "PREFIX=$dir/p" );
my @programs = grep { m{^bin/.} } paths_under("$dir/p");
is_deeply [
    map { command( $dir, "$dir/p/$_", '--version' )->{out} =~ /^\S+ \Q$version\E$/ ? $_ : () }
      @programs ],
  \@programs, 'programs that need no MPI say its version';
is scalar(@programs), 9, '... all nine';

SKIP: {
    skip 'builds it only in make check-long', 4 if !$ENV{SKAMPI_LONG};
    is system( qw(git clone -q -c core.autocrlf=true --no-hardlinks), $ROOT, "$dir/clone" ), 0,
      'cloned';
    is sum_of( dist( "$dir/clone", %OTHER ) ), $sum, '... to the same bytes';
    make_in( "$dir/$name", 'all', 'man' );
    my $program = "$dir/$name/build/$ENV{SKAMPI_MPI}$ENV{SKAMPI_VARIANT}/skampi";
    is command( $dir, $program, '--version' )->{out}, "skampi $version\n", 'the archive is built';
    like command( $dir, $program, '--check', "$dir/$name/configs/standard.skampi" )->{out},
      qr/^p2p_MPI_Send-MPI_Recv$/m,
      '... with the standard suite';
}

done_testing;
