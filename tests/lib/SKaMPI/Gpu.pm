package SKaMPI::Gpu;

# Runs skampi with the driver of a GPU that does not exist (tests/gpu/driver.c) and a library between skampi and
# MPI that is GPU-aware in some of its calls (tests/gpu/aware.c).
use v5.36;

use Exporter     qw(import);
use SKaMPI::Test qw(read_file slurp mpirun preloaded_mpirun workplace);

our @EXPORT_OK = qw(gpu_file aware_run unaware_run copies_printed);

# A new directory with a parameter file of these suites; with other sections before them.
sub gpu_file ( $suites, $sections = q{} ) {
    my $dir = workplace( '.skampi' => <<"END" );
\@VERSION 4.2
\@MEMORY 1024
\@POSTPROC no
\@MAXREPDEFAULT 8
$sections
\@MEASUREMENTS
$suites
END
    return $dir;
}

# Runs with settings of the driver and the library, FAKE_GPU_US and so on.
sub with_driver ( $settings, $run ) {
    my $drivers = "$ENV{SKAMPI_BUILD}/tests/gpu";
    local %ENV = (
        %ENV, %{$settings},
        LD_LIBRARY_PATH => join q{:},
        $drivers, $ENV{LD_LIBRARY_PATH} // ()
    );
    return $run->();
}

sub aware_run ( $dir, $np, $settings, @args ) {
    return with_driver( $settings,
        sub { preloaded_mpirun( $dir, $np, 'libaware.so', '-q', @args ) } );
}

sub unaware_run ( $dir, $np, $settings, @args ) {
    return with_driver( $settings, sub { mpirun( $dir, $np, '-q', @args ) } );
}

# Copies of each process, from the file that FAKE_GPU_COPIES names.
sub copies_printed ($path) {
    my @copies = sort { $a <=> $b } slurp($path) =~ /^copies (\d+)/mg;
    return @copies;
}

1;
