package SKaMPI::Extension;

# Makes a copy of this tree, adds an operation as the manual says, and builds the program.
use v5.36;

use Exporter        qw(import);
use File::Basename  qw(basename);
use File::Copy      qw(copy);
use SKaMPI::Install qw(make_in);
use SKaMPI::Test    qw($ROOT read_file write_file);

our @EXPORT_OK = qw(extended);

# The files of a build; object files keep their times, so that few are compiled again.
my @PARTS = qw(Makefile *.mk mpi.sh tests src configs docs report);

# The line of a file before which lines are added.
my %BEFORE = ( 'src/ops/registry.c' => qr/^    FAMILY[(]/m, );

sub copy_tree ($dir) {
    my $built = "build/$ENV{SKAMPI_MPI}$ENV{SKAMPI_VARIANT}";
    mkdir "$dir/build" or die "$dir/build: $!\n";
    for my $part ( @PARTS, $built ) {
        my $to = $part eq $built ? "$dir/build/" : "$dir/";
        system( 'cp', '-pR', glob("$ROOT/$part"), $to ) == 0 or die "cannot copy $part\n";
    }
    return $built;
}

# additions: { name => file, text => lines }; sources: files for src/ops. Returns the path of
# the program.
sub extended ( $dir, $additions, @sources ) {
    my $built = copy_tree($dir);
    for my $addition ( @{$additions} ) {
        my $path   = "$dir/$addition->{name}";
        my $before = $BEFORE{ $addition->{name} } or die "no place in $addition->{name}\n";
        my $text   = read_file($path);
        $text =~ s/(?=$before)/$addition->{text}/ or die "no place in $path\n";
        write_file( $path, $text );
    }
    for my $source (@sources) {
        copy( "$ROOT/$source", "$dir/src/ops/" . basename($source) ) or die "$source: $!\n";
    }
    make_in( $dir, "$built/skampi" );
    return "$dir/$built/skampi";
}

1;
