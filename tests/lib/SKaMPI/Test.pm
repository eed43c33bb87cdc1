package SKaMPI::Test;

# Runs skampi, with and without mpirun, in a directory of the test's own. "make check" says in the
# environment which program and which mpirun.
use v5.36;

use Exporter   qw(import);
use File::Temp qw(tempdir);
use IPC::Run   qw(run timeout);

our @EXPORT_OK = qw(scratch write_file read_file skampi mpirun mpi_program suites_of);

sub scratch () {
    return tempdir( CLEANUP => 1 );
}

sub write_file ( $path, $content ) {
    open my $out, '>:raw', $path or die "$path: $!\n";
    print {$out} $content or die "$path: $!\n";
    close $out            or die "$path: $!\n";
    return $path;
}

sub read_file ($path) {
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $content = <$in>;
    close $in or die "$path: $!\n";
    return $content;
}

# Runs a command in a directory; dies if it takes too long. Returns status, out, err.
sub command ( $dir, $seconds, @command ) {
    my ( $out, $err ) = ( q{}, q{} );
    run \@command, '<', \undef, '>', \$out, '2>', \$err,
      init => sub { chdir $dir or die "$dir: $!\n" },
      timeout($seconds);
    return { status => $? >> 8, signal => $? & 127, out => $out, err => $err };
}

sub skampi ( $dir, @args ) {
    return command( $dir, 60, $ENV{SKAMPI_PROGRAM}, @args );
}

sub launcher ($np) {
    my @oversubscribe = $ENV{SKAMPI_MPI} eq 'openmpi' ? ('--oversubscribe') : ();
    return ( $ENV{SKAMPI_MPIRUN}, @oversubscribe, '-np', $np );
}

sub mpirun ( $dir, $np, @args ) {
    return command( $dir, 300, launcher($np), $ENV{SKAMPI_PROGRAM}, @args );
}

# A test program of tests/mpi.
sub mpi_program ( $np, $name, @args ) {
    return command( q{.}, 300, launcher($np), "$ENV{SKAMPI_BUILD}/tests/$name", @args );
}

# The suites of an output text: label => { rows => [[columns]], complete => bool }.
sub suites_of ($text) {
    my ( %suites, $now );
    for my $line ( split /\n/, $text ) {
        if ( $line =~ m{^#/[*]\@in(\S+)[.]ski[*]/} ) {
            $now = $suites{$1} = { rows => [], complete => 0 };
        }
        elsif ( $line =~ /^#eol/ ) {
            $now->{complete} = 1;
        }
        elsif ( $line =~ /^[^#]/ ) {
            push @{ $now->{rows} }, [ split q{ }, $line ];
        }
    }
    return \%suites;
}

1;
