# The real program with a failing or full disk: all ranks exit together with one message, and the next
# launch resumes. disk.t tries each call.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture counted unsound config_of labels_of);
use SKaMPI::Test
  qw(files_in is_measured read_file write_file skampi mpirun preloaded_mpirun scratch workplace);

# A run with the disk of $io, and how many calls it made if it ended by itself: a busy machine has more warnings to log.
sub faulty ( $dir, $io ) {
    local @ENV{qw(SKAMPI_IO SKAMPI_IO_COUNT)} = ( $io, "$dir/counts" );
    my $run = preloaded_mpirun( $dir, 2, 'libio.so', '-q' );
    return ( $run, -e "$dir/counts" ? counted($dir) : () );
}

my ( $run, %calls ) = faulty( workplace( '.skampi' => config_of() ), q{} );
is_measured( $run, 'a run without faults' );

# The last writes of a run are those of the verified data.
my @io =
  torture()
  ? (
    ( map { ( "write:$_:ENOSPC", "write:$_+:EIO" ) } 1 .. $calls{write} ),
    map { "fsync:$_:EIO" } 1 .. $calls{fsync}
  )
  : (
    qw(write:3:ENOSPC write:12+:EIO fsync:9:EIO write:5:short),
    map { 'write:' . ( $calls{write} - $_ ) . ':ENOSPC' } 19, 20
  );
for my $io (@io) {
    my $dir = workplace( '.skampi' => config_of() );
    my ( $run, %made ) = faulty( $dir, $io );
    my ( $call, $at ) = split /[:+]+/, $io;
    my @said = grep { /^skampi: (?!warning: |\S+: no result for )/ } split /\n/, $run->{err};
    my $fine = $io         =~ /short/ || ( %made && $made{$call} < $at );
    my $late = $run->{err} =~ /MPI_Finalize took; the results are complete$/m;
    if ( $fine || $late ) { is_measured( $run, "$io: status" ) }
    else                  { is $run->{status}, 1, "$io: status" }
    is scalar @said, ( $fine ? 0 : 1 ), "$io: one message" or diag( $run->{err} );
    next if $fine;
    is_measured( mpirun( $dir, 2, '-q' ), "$io: the run is resumed" );
    is unsound( $dir, labels_of() ), q{}, "$io: complete";
}

subtest 'a full disk' => sub {
    my $dir   = scratch();
    my $mount = sub (@options) {
        return system( 'mount', '-t', 'tmpfs', '-o', @options, 'tmpfs', $dir ) == 0;
    };
    plan skip_all => 'needs a tmpfs of its own' if $> != 0 || !$mount->('size=16k');
    write_file( "$dir/.skampi", config_of() );
    my $run = mpirun( $dir, 2, '-q' );
    is $run->{status}, 1, 'the run ends';
    like $run->{err},
      qr/^skampi: cannot write 'skampi[.](?:out|out[.]journal|log)': No space left on device$/m,
      'the message says why';
    is mpirun( $dir, 2, '-q' )->{status},    1, 'again';
    is skampi( $dir, '--status' )->{status}, 3, 'not finished';
    ok $mount->('remount,size=1m'), 'with free space';
    is_measured( mpirun( $dir, 2, '-q' ), 'the run is resumed' );
    is unsound( $dir, labels_of() ), q{}, 'complete';
    system 'umount', $dir;
};

# The second link gives the run its name next to the merge.
subtest 'a merge that fails' => sub {
    my $dir = workplace( '.skampi' => config_of() =~ s/\@POSTPROC no/\@POSTPROC yes/r );
    is_measured( mpirun( $dir, 2, '-q' ), 'a run' );
    local $ENV{SKAMPI_IO} = 'link:2:EIO';
    my $run = preloaded_mpirun( $dir, 2, 'libio.so', '-q' );
    is $run->{status}, 1, 'a second run';
    like $run->{err}, qr/^skampi: this run is complete, but not merged with earlier ones: cannot /m,
      'the message says what failed';
    is unsound( $dir, labels_of() ), q{}, 'the run is complete';
    local $ENV{SKAMPI_IO} = q{};
    is_measured( mpirun( $dir, 2, '-q' ), 'the next run' );
    like read_file("$dir/skampi.out"), qr/ # runs=3 of=3 /, 'merges all runs';
};
subtest '--postprocess that fails' => sub {
    my $dir = workplace( '.skampi' => config_of() );
    is_measured( mpirun( $dir, 2, '-q' ), 'a run' );
    my @before = files_in($dir);
    local $ENV{LD_PRELOAD} = "$ENV{SKAMPI_BUILD}/tests/libio.so";
    for my $io (qw(fsync:1:EIO fsync:1:ENOSPC link:1:EIO)) {
        local $ENV{SKAMPI_IO} = $io;
        my $run = skampi( $dir, qw(--postprocess skampi.out -o skampi.out.m) );
        is $run->{status}, 1, "$io: status";
        like $run->{err}, qr/\Askampi: cannot (?:write|move) [^\n]*\n\z/, 'the message says why';
        is_deeply [ files_in($dir) ], \@before, 'no file is left';
    }
};
done_testing;
