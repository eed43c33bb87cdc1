# The user removes, replaces or edits skampi.out while it is written: the results are complete
# nevertheless, and the user's file is kept. Files are readable by their owner, whatever the umask.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(unsound config_of labels_of start_stopped ranks_in await_end);
use SKaMPI::Test   qw(read_file write_file files_in is_measured mpirun workplace);

# A run whose processes are stopped in the eighth suite.
sub stopped () {
    my $dir = workplace( '.skampi' => config_of() );
    return ( $dir, start_stopped( $dir, 'MPI_Scan:1' ) );
}

# Lets it go on; returns its exit status.
sub ended ( $dir, $mpirun ) {
    kill 'CONT', ranks_in($dir);
    return await_end( $dir, $mpirun );
}

my $MINE = "my own words\n";

sub edited ($path) {
    return read_file($path) =~ s/stepwidth/Stepwidth/r;
}

# tests/unit/results/out_file_test.c has more of them.
my %CHANGES = (
    'is removed'  => sub ($path) { unlink $path },
    'is replaced' => sub ($path) { write_file( "$path.new", $MINE ); rename "$path.new", $path },
    'is edited in place' => sub ($path) { write_file( $path, edited($path) ) },
);

for my $name ( sort keys %CHANGES ) {
    my ( $dir, $mpirun ) = stopped();
    $CHANGES{$name}->("$dir/skampi.out") or die "$name: $!\n";
    my $status = ended( $dir, $mpirun );
    my $said   = read_file("$dir/stderr");
    is_measured( { status => $status, err => $said }, "skampi.out $name: status" );
    is unsound( $dir, labels_of() ), q{}, 'all results are complete';
    my $removed = $name eq 'is removed';
    like $said,
      $removed
      ? qr/^skampi: 'skampi[.]out' was removed during the run; it was written again with all results$/m
      : qr/^skampi: 'skampi[.]out' was replaced or changed during the run; it was .* kept as 'skampi[.]out[.]1'$/m,
      'the message says so';
    is_deeply [ grep { /out/ && !/stdout|[.]times-/ } files_in($dir) ],
      [ 'skampi.out', $removed ? () : 'skampi.out.1' ], 'the files';
    like read_file("$dir/skampi.out.1"), qr/$MINE/, q{the user's text is kept}
      if $name eq 'is replaced';
}

# A directory cannot be replaced like a file: the next start writes the results again.
{
    my ( $dir, $mpirun ) = stopped();
    unlink "$dir/skampi.out" or die "skampi.out: $!\n";
    mkdir "$dir/skampi.out"  or die "skampi.out: $!\n";
    is ended( $dir, $mpirun ), 1, 'a directory: status';
    like read_file("$dir/stderr"), qr/^skampi: .*; its journal has all results$/m,
      'the message says where the results are';
    rmdir "$dir/skampi.out" or die "skampi.out: $!\n";
    my $run = mpirun( $dir, 2, '-q' );
    is_measured( $run, 'the next start' );
    like $run->{err}, qr/^skampi: resuming: 8 of 12 suites done/m, 'has them';
    is unsound( $dir, labels_of() ), q{}, 'complete';
}

# Without S12, whose row a busy machine may leave without valid repetitions. With this umask, mpirun
# makes directories in /tmp that other users than root cannot use, in later runs either.
SKIP: {
    skip 'a umask of 777 needs root', 2 if $> != 0;
    my $dir =
      workplace( '.skampi' => config_of() =~ s/\@POSTPROC no/\@POSTPROC yes/r =~ s/^S12 .*\n//mr );
    my $before = umask oct 777;
    my @status = map { mpirun( $dir, 2, '-q' )->{status} } 1 .. 2;
    umask $before;
    is "@status", '0 0', 'with umask 777';
    my %modes =
      map { $_ => sprintf '%o', ( stat "$dir/$_" )[2] & oct 777 }
      grep { /^s/ && !/[.]times-/ } files_in($dir);
    is_deeply \%modes, { map { $_ => '600' } qw(skampi.log skampi.out skampi.out.1 skampi.out.2) },
      'the owner can read the files';
}

done_testing;
