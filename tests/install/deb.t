# The Debian packages of the archive, one for each MPI library: built, they have what they should, and lintian finds
# nothing. Only in make check-long.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Install qw(make_in packing_lacks paths_under);
use SKaMPI::Test    qw($ROOT read_file scratch);

plan skip_all => 'only in make check-long'   if !$ENV{SKAMPI_LONG};
plan skip_all => 'it is built with Open MPI' if $ENV{SKAMPI_MPI} ne 'openmpi';
plan skip_all => packing_lacks()             if packing_lacks();
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
done( 'built', "$dir/$name", qw(dpkg-buildpackage -us -uc -b -d) );
my ($version) = read_file("$dir/$name/COMMIT") =~ /^(\S+)/;
for my $mpi (qw(openmpi mpich)) {
    my ($package) = glob "$dir/skampi-${mpi}_*.deb" or BAIL_OUT("no package for $mpi");
    done( 'extracted', $dir, 'dpkg-deb', '-x', $package, "$dir/$mpi" );
    my %is = map { $_ => 1 } paths_under("$dir/$mpi/usr");
    ok $is{$_}, "$mpi: $_"
      for qw(bin/skampi bin/skampi-show share/man/man1/skampi.1.gz share/man/man5/skampi.5.gz
      share/skampi/standard.skampi), map { "share/doc/skampi-$mpi/$_" } qw(copyright manual.pdf);
    my $said = done( 'it runs', $dir, "$dir/$mpi/usr/bin/skampi", '--version', '-v' );
    like $said, qr/^skampi \Q$version\E$/m,                'the version';
    like $said, qr/^library: .*lib(?:mpi|mpich)[.]so.*$/m, 'a library of MPI';
}
my ($changes) = glob "$dir/*.changes";
is done( 'lintian', $dir, 'lintian', '--allow-root', '--fail-on=error,warning', $changes ), q{},
  'nothing to say';

done_testing;
