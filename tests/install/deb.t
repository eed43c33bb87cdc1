# The Debian package: builds, contains what it should, and lintian finds no error. Only in make
# check-long.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Install qw(make_in paths_under);
use SKaMPI::Test    qw($ROOT scratch);

plan skip_all => 'only in make check-long'   if !$ENV{SKAMPI_LONG};
plan skip_all => 'it is built with Open MPI' if $ENV{SKAMPI_MPI} ne 'openmpi';
plan skip_all => 'no git repository'         if !-e "$ROOT/.git";
plan skip_all => 'debhelper: make deps-deb'  if !-e '/usr/bin/dh';
plan skip_all => 'lintian: make deps-deb'    if !-e '/usr/bin/lintian';

my $dir = scratch();

sub done ( $what, $in, @command ) {
    local @ENV{qw(MAKEFLAGS MAKEOVERRIDES MFLAGS)};
    my $out = q{};
    run \@command, '<', \undef, '>&', \$out, init => sub { chdir $in or die "$in: $!\n" };
    is $?, 0, $what or diag $out;
    return $out;
}

my ($archive) = make_in( $ROOT, 'dist' ) =~ /^(build\S+[.]tar[.]gz)$/m;
my ($name)    = $archive                 =~ m{([^/]+)[.]tar[.]gz$};
done( 'unpacked', $dir, 'tar', '-xzf', "$ROOT/$archive" );
my @build = qw(dpkg-buildpackage -us -uc -b -d -Pnodoc);
done( 'built', "$dir/$name", @build );
my ($package) = glob "$dir/skampi_*.deb";
ok $package, 'a package' or BAIL_OUT('no package');
done( 'extracted', $dir, 'dpkg-deb', '-x', $package, "$dir/root" );
my %is = map { $_ => 1 } paths_under("$dir/root/usr");
ok $is{$_}, $_ for qw(bin/skampi bin/skampi-show share/man/man1/skampi.1.gz
  share/man/man5/skampi.5.gz share/doc/skampi/copyright share/skampi/standard.skampi);
my ($version) = $name =~ /-(.+)/;
is done( 'it runs', $dir, "$dir/root/usr/bin/skampi", '--version' ), "skampi $version\n",
  'the version';
my ($changes) = glob "$dir/*.changes";
my $said = done( 'lintian', $dir, qw(lintian --allow-root --fail-on error), $changes );
is_deeply [ $said =~ /^(E: .*)/mg ], [], 'no errors';

done_testing;
