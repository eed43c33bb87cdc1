# The first make on a stranger's machine: which MPI library it builds for, what it says where something is missing, and
# which version a build has. In make check-long, a whole build with as little as possible.
use v5.36;

use Test::More;
use SKaMPI::Test qw(blocks_of $ROOT command files_in read_file scratch slurp write_file succeeds);

# Macros of mpi.h by which a library is recognised, and its name and version as mpi.sh prints them.
my %LIBRARY = (
    openmpi => [
        "OPEN_MPI 1\nOMPI_MAJOR_VERSION 5\nOMPI_MINOR_VERSION 0\nOMPI_RELEASE_VERSION 7",
        'Open MPI 5.0.7'
    ],
    mpich    => [ 'MPICH_VERSION "4.2.0"',                                    'MPICH 4.2.0' ],
    intel    => [ qq{MPICH_VERSION "3.4"\nI_MPI_VERSION "2021.13"},           'Intel MPI 2021.13' ],
    cray     => [ qq{MPICH_VERSION "3.4"\nCRAY_MPICH_VERSION 8.1.29},         'Cray MPICH 8.1.29' ],
    mvapich2 => [ qq{MPICH_VERSION "3.2"\nMVAPICH2_VERSION "2.3.7"},          'MVAPICH2 2.3.7' ],
    mvapich  => [ qq{MPICH_VERSION "4.0"\nMVAPICH_VERSION "3.0"},             'MVAPICH 3.0' ],
    abi      => [ "MPI_ABI_VERSION 1\nMPI_ABI_SUBVERSION 0\nMPICH_VERSION 5", 'MPI ABI 1.0' ],
    no_abi   => [ qq{MPI_ABI_VERSION -1\nMPICH_VERSION "5.0"},                'MPICH 5.0' ],
    smpi     => [ 'SMPI_H 1',                                                 'SimGrid' ],
    strange  => [ 'MPI_VERSION 3',                                            'unknown library' ],
);

sub executable ( $path, $text ) {
    return write_file( $path, "#!/bin/sh\n$text\n" );
}

# A folder with links to the programs that make needs in any case, and to these, where this machine has them.
sub programs (@more) {
    my $dir = scratch();
    for my $name (
        qw(ar cat cmp cp date env gcc id ln ls make mkdir mv nproc perl readlink rm sed sh tr uname),
        @more
      )
    {
        my ($from) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
        symlink $from, "$dir/$name" if $from;
    }
    return $dir;
}

my $headers = scratch();
for my $library ( sort keys %LIBRARY ) {
    mkdir "$headers/$library" or die "$library: $!\n";
    write_file( "$headers/$library/mpi.h", $LIBRARY{$library}[0] =~ s/^/#define /mgr . "\n" );
}
my $plain = programs();

# Prints the choice where PATH has these besides usual programs: NAME=LIBRARY is a compiler, NAME any program; what has
# a / is in another folder. An environment variable and the arguments of mpi.sh follow.
sub choice ( $programs, $env, @args ) {
    my $dir = scratch();
    mkdir "$dir/bin"   or die "bin: $!\n";
    mkdir "$dir/other" or die "other: $!\n";
    for my $program ( split q{ }, $programs ) {
        my ( $name, $library ) = split /=/, $program;
        executable(
            "$dir/" . ( $name =~ m{/} ? $name : "bin/$name" ),
            $library ? qq{exec gcc -I$headers/$library "\$@"} : 'exit 1'
        );
    }
    local %ENV = ( %ENV, PATH => "$dir/bin:$plain", CRAY_MPICH_DIR => q{}, split /=/, $env );
    my $run =
      command( $dir, 'sh', "$ROOT/mpi.sh", map { s{^other/}{$dir/other/}r } @args, (q{}) x 3 );
    is $run->{err}, q{}, "$programs: silent";
    return $run->{out} =~ s/\Q$dir\E\///gr =~ s/\n\z//r;
}

my @CHOICES = blocks_of(<<'END');
mpicc=openmpi mpirun ::  ::  :: openmpi mpicc mpirun
mpicc=openmpi mpirun mpicc.openmpi=mpich ::  ::  :: openmpi mpicc mpirun
mpicc=mpich mpicc.openmpi=openmpi mpirun.mpich mpirun ::  ::  :: mpich mpicc mpirun.mpich
mpicc=mpich mpicc.openmpi=openmpi mpirun.openmpi ::  :: openmpi :: openmpi mpicc.openmpi mpirun.openmpi
mpicc=openmpi mpicc.mpich=mpich mpirun ::  :: mpich :: mpich mpicc.mpich mpirun
mpicc.openmpi=openmpi mpirun.openmpi ::  ::  :: openmpi mpicc.openmpi mpirun.openmpi
cc=cray mpicc.openmpi=openmpi :: CRAY_MPICH_DIR=/opt/cray ::  :: mpich cc mpirun
mpicc=mpich mpirun other/mpicc=abi other/mpirun ::  :: ,other/mpicc -O1 :: abi given other/mpirun
cc=cray mpicc.openmpi=openmpi ::  ::  :: openmpi mpicc.openmpi mpirun
smpicc=smpi mpicc=openmpi ::  :: smpi :: smpi smpicc mpirun
mpicc=openmpi mpirun ::  :: ,,srun :: openmpi mpicc srun
mpicc=openmpi mpirun other/mpicc=mpich other/mpirun ::  :: ,other/mpicc :: mpich given other/mpirun
mpicc=openmpi mpirun ::  :: ,env A=b mpicc :: openmpi given mpirun
END
push @CHOICES, map {
    [
        "mpicc=$_ mpirun",
        q{}, q{}, ( /strange/ ? q{other} : /openmpi|smpi|^abi/ ? $_ : q{mpich} ) . " mpicc mpirun"
    ]
} sort keys %LIBRARY;
for my $case (@CHOICES) {
    my ( $programs, $env, $args, $expected ) = @{$case};
    my $said = choice( $programs, $env, split /,/, $args );
    is join( q{ }, ( split q{ }, $said )[ 0 .. 2 ] ), $expected, "$programs $env $args";
}
for my $library ( sort keys %LIBRARY ) {
    my ( undef, $name ) = @{ $LIBRARY{$library} };
    like choice( "mpicc=$library", q{} ), qr{\Q $name, mpicc (bin/mpicc)\E\z}, "its name: $name";
}

# hwloc, of version 2 or later.
my %HWLOC = (
    'no hwloc'  => [ '-', {} ],
    'hwloc 1.2' => [ '-', { hwloc => q{}, 'hwloc/autogen/config' => '1.2' } ],
    'hwloc 2.9' =>
      [ 'hwloc-2.9.0', { map { $_ => '2.9.0' } qw(hwloc hwloc/autogen/config hwloc/shmem) } ],
);
for my $case ( sort keys %HWLOC ) {
    my ( $expected, $files ) = @{ $HWLOC{$case} };
    my $dir = scratch();
    mkdir "$dir/$_" or die "$dir/$_: $!\n" for qw(hwloc hwloc/autogen);
    write_file( "$dir/$_.h", qq{#define HWLOC_VERSION "$files->{$_}"\n} ) for keys %{$files};
    executable( "$dir/mpicc", qq{exec gcc -nostdinc -I"$dir" -I"$headers/openmpi" "\$@"} );
    my $run = command( $dir, 'sh', "$ROOT/mpi.sh", q{}, "$dir/mpicc", q{} );
    is + ( split q{ }, $run->{out} )[4], $expected, $case;
}

# No library, or not the one that was asked for: another one is not taken silently.
my @MISSING = (
    [ q{},                           [],        qr/none of mpicc +mpicc.openmpi is in PATH/ ],
    [ 'mpicc mpicc.openmpi=openmpi', [],        qr/'mpicc' finds no mpi[.]h/ ],
    [ 'mpicc=openmpi',               ['mpich'], qr/'mpicc' is that of Open MPI 5/ ],
    [ 'mpicc=openmpi',               [ 'mpich', 'mpicc' ], qr/'mpicc' is that of Open MPI 5/ ],
    [ 'mpicc=openmpi',               [ q{}, '/no/mpicc' ], qr{'/no/mpicc' finds no mpi[.]h} ],
);
for my $case (@MISSING) {
    my ( $programs, $args, $why ) = @{$case};
    my $said = choice( $programs, q{}, @{$args} );
    like $said, qr/\Anone no compiler of [^']*$why.*libopenmpi-dev.*make MPICC=/,
      "none: $programs @{$args}";
}

# A tree in which nothing can be compiled, but what make decides is seen.
my $tree = scratch() . '/a tree';
mkdir $tree or die "$tree: $!\n";
for my $file (
    qw(Makefile deps.mk install.mk mpi.sh docs/docs.mk tests/tests.mk tests/long.mk tests/table))
{
    mkdir "$tree/" . $file =~ s{/.*}{}r if $file =~ m{/};
    write_file( "$tree/$file", read_file("$ROOT/$file") );
}

sub make (@args) {
    local @ENV{qw(MAKEFLAGS MAKEOVERRIDES MFLAGS)};
    delete local @ENV{qw(MPI MPICC MPIRUN VARIANT BUILD)};
    return command( $tree, 'make', '--no-print-directory', @args );
}

my $intel = make('MPI=intel');
is $intel->{status}, 2, 'an unknown name of a library';
like $intel->{err},
  qr{\A\S+ \*\*\* MPI=intel: only openmpi.*make MPICC=/path/to/mpicc[.]  Stop[.]\n\z},
  '... one line';
for my $target ( 'mpi', 'build/openmpi/mpi.i' ) {
    local $ENV{PATH} = $plain;
    my $run = make($target);
    is $run->{status}, 2, "$target without a library";
    like $run->{err}, qr/\Ano compiler of an MPI library: .*\nmake\S*: \*\*\* /,
      '... says what to do'
      or diag $run->{out};
}

# As a module, Spack or another distribution has it.
my $links = programs(qw(as cc ld mpicc mpirun ssh));
SKIP: {
    skip 'there is no mpicc', 6 if !-e "$links/mpicc";
    local $ENV{PATH} = $links;
    like make('mpi')->{out},
      qr{\A\S.*, mpicc \(\Q$links\E/mpicc\); mpirun; build in build/\w+\n\z},
      'only mpicc and mpirun in PATH';
    my $run = make( 'BUILD=b', 'b/mpi.i' );
    is $run->{out}, '  MPI  ' . ( make('mpi')->{out} =~ s/;.*//sr ) . "\n",
      'the first file is announced'
      or diag $run->{err};
    is make( 'BUILD=b', 'b/library', '-s' )->{out}, q{}, '... once';
    like make( 'BUILD=b', 'HWLOC=', 'b/hwloc' )->{out},
      qr/\A  NOTE without hwloc [(]libhwloc-dev, hwloc-devel[)]: .*\n\z/, 'without hwloc: a note';
    is make( 'BUILD=b', 'HWLOC=', 'b/hwloc', '-s' )->{out}, q{}, '... once';
    is make( 'BUILD=b', 'HWLOC=hwloc-2.9.0', 'b/hwloc' )->{out}, q{}, '... and none with it';
}
mkdir "$tree/build" or die "build: $!\n";
write_file( "$tree/build/library",
    "openmpi /x/mpicc /x/mpirun /x/wrapper - The library that was built\n" );
like make( '-n', 'mpi', 'install' )->{out}, qr{^echo "The library that was built; /x/mpirun;}m,
  'make install does not choose again';

subtest 'without apt-get' => sub {
    local $ENV{PATH} = $links;
    for my $target (qw(deps-demo deps-check deps)) {
        my $run = make($target);
        is "$run->{status}$run->{err}", '0', $target;
        like $run->{out}, qr/\Anot on this system, which has no apt-get:.* gnuplot pdflatex\b/,
          '... says what is missing';
        is $run->{out} =~ tr/\n//, 1, '... once';
    }
};

subtest 'without permission' => sub {
    my $dir = scratch();
    executable( "$dir/id",         'echo 1000' );
    executable( "$dir/sudo",       'exit 1' );
    executable( "$dir/dpkg-query", 'exit 1' );
    executable( "$dir/apt-get",    'exit 1' );
    local $ENV{PATH} = "$dir:$ENV{PATH}";
    my $run = succeeds( make('deps-demo'), 'goes on' );
    like $run->{out},
      qr/\Amissing packages: gcc .*\nto install them, type:\n  su -c 'apt-get .* gcc /,
      '... says what to type';
    is make('deps-lint')->{status}, 2, 'but not with what needs them all';
    executable( "$dir/id", 'echo 0' );
    $run = succeeds( make('deps-check'), 'packages that cannot be had' );
    like $run->{out}, qr/\Ainstalling: gcc .*\nto install them, type:/, '... the same';
};

# The results are not measured, but copied.
subtest 'make demo with what there is' => sub {
    my $dir = scratch();
    executable( "$dir/mpirun", qq{cp "$ROOT/tests/report/data/old.out" skampi.out} );
    my @demo  = ( '-C', $ROOT, 'demonstration', "DEMO=$dir/demo", "MPIRUN=$dir/mpirun" );
    my @cases = ( [ [], qw(skampi.out) ], [ ['gnuplot'], qw(skampi.out skampi.out.html) ], );
    for my $case (@cases) {
        my ( $with, @files ) = @{$case};
        local $ENV{PATH} = programs( @{$with} );
        my $run = succeeds( make(@demo), "with @{$with}" );
        like $run->{out}, qr/^The results: /m, '... where the results are';
        is_deeply [ grep { /[.]out/ } files_in("$dir/demo") ], \@files, '... what it made';
    }
};

subtest 'versions' => sub {
    plan skip_all => 'git is missing' if !grep { -x "$_/git" } split /:/, $ENV{PATH};
    my ($version) = read_file("$tree/Makefile") =~ /^VERSION = (\S+)$/m;
    my $base      = 'build/openmpi/base';
    my $git       = sub (@args) {
        my $run = command( $tree, 'git', '-c', 'user.name=a', '-c', 'user.email=a@b', @args );
        die "git @args: $run->{err}" if $run->{status} ne '0';
        return $run->{out} =~ s/\n\z//r;
    };
    my $made = sub {
        make( 'MPI=openmpi', "$base/version.h" );
        return join q{ }, map { slurp("$tree/$base/$_.h") =~ /"(.*)"/ } qw(version commit);
    };
    is $made->(), "$version ", 'an archive';
    write_file( "$tree/.gitignore", "build\nb\n" );
    $git->(qw(init -q));
    $git->(qw(add .));
    $git->(qw(commit -q -m one));
    my $commit = $git->(qw(rev-parse --short=12 HEAD));
    is $made->(), "$version-dev $commit", 'a checkout';
    utime 1, 1, "$tree/$base/version.h" or die "version.h: $!\n";
    write_file( "$tree/deps.mk", read_file("$tree/deps.mk") . "# more\n" );
    is $made->(), "$version-dev $commit, modified", '... which is edited';
    $git->(qw(commit -q -a -m two));
    $commit = $git->(qw(rev-parse --short=12 HEAD));
    is $made->(), "$version-dev $commit", '... and committed';
    is( ( stat "$tree/$base/version.h" )[9], 1, 'the header of the version is the same file' );
    $git->( 'tag', "v$version" );
    is $made->(), "$version $commit", 'a tagged commit';
    write_file( "$tree/deps.mk", read_file("$tree/deps.mk") . "# more\n" );
    is $made->(), "$version-dev $commit, modified", '... which is edited';
    rename "$tree/.git", "$tree/../.git" or die ".git: $!\n";
    is $made->(), "$version ", 'an archive in a checkout of something else';
    write_file( "$tree/COMMIT", "$version $commit\n" );
    is $made->(), "$version $commit", 'an archive of make dist';
    write_file( "$tree/COMMIT", "$version \"x\n" );
    is $made->(), "$version-dev ", '... whose file COMMIT is damaged';
};

subtest 'a whole build' => sub {
    plan skip_all => 'only in make check-long' if !$ENV{SKAMPI_LONG} || $ENV{SKAMPI_VARIANT};
    plan skip_all => 'there is no mpicc'       if !-e "$links/mpicc";
    my $home = scratch();
    chmod 0555, $home or die "$home: $!\n";
    local @ENV{qw(PATH HOME)} = ( $links, $home );
    is system( 'cp', '-R', ( map { "$ROOT/$_" } qw(src configs report docs) ), $tree ), 0, 'copied';
    my $run = succeeds( make( '-j2', 'FORTRAN=', 'HWLOC=' ), 'built' );
    is $run->{err},                         q{}, 'no warning';
    is slurp("$tree/build/openmpi/static"), q{}, 'without nm, no library is taken for a static one';
    my $dir = scratch();
    local $ENV{OMPI_MCA_rmaps_base_oversubscribe} = 1;
    $run =
      succeeds( command( $dir, 'mpirun', '-np', 2, "$tree/skampi", qw(-q -t 5 bcast -m 8 -o out) ),
        'it runs' );
    like slurp("$dir/out"), qr/^#skampi finished[.]$/m, '... and measures';
    is_deeply [ files_in($home) ], [], 'nothing in HOME';
};

done_testing;
