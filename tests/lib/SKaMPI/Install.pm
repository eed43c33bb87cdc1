package SKaMPI::Install;

# Calls make in this tree, or in a copy of it, as a user of the test's own would.
use v5.36;

use Exporter     qw(import);
use IPC::Run     qw(run);
use SKaMPI::Test qw($ROOT);

our @EXPORT_OK = qw(root make_in packing_lacks paths_under);

sub root () {
    return $ROOT;
}

# Passes on the settings of an outer make: which MPI, which variant. Returns what make printed.
sub make_in ( $dir, @args ) {
    local @ENV{qw(MAKEFLAGS MAKEOVERRIDES MFLAGS)};
    my @same = ( "MPI=$ENV{SKAMPI_MPI}", "VARIANT=$ENV{SKAMPI_VARIANT}" );
    push @same, "MPICC=$ENV{SKAMPI_MPICC}" if $ENV{SKAMPI_MPICC};
    my $out = q{};
    run [ 'make', '--no-print-directory', '-C', $dir, @same, @args ], '<', \undef, '>&', \$out;
    die "make @args: status $?\n$out" if $? != 0;
    return $out;
}

# Why make dist does not pack this tree; '' if it does.
sub packing_lacks () {
    return 'no git repository'                      if !-e "$ROOT/.git";
    return 'make dist packs only what is committed' if `git -C "$ROOT" status --porcelain` ne q{};
    return ( grep { -x "$_/pdflatex" } split /:/, $ENV{PATH} )
      ? q{}
      : 'pdflatex is missing (make deps)';
}

# Files and links in a directory and below, relative to it, sorted; directories end in '/'.
sub paths_under ($dir) {
    my @paths;
    for my $path ( glob "\Q$dir\E/{*,.[!.]*}" ) {
        next if !-l $path && !-e $path;
        my $name = $path =~ s{.*/}{}r;
        push @paths, -d $path && !-l $path
          ? ( "$name/", map { "$name/$_" } paths_under($path) )
          : $name;
    }
    my @sorted = sort @paths;
    return @sorted;
}

1;
