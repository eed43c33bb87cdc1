# Files of types 220 to 239: a directory that cannot be used, a disk that becomes full, a run that is killed.
# Nothing that skampi did not make is removed.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(start_mpirun ranks_in await_end wait_for_suite);
use SKaMPI::Test
  qw(read_file write_file files_in skampi mpirun preloaded_mpirun suites_of is_measured workplace);

sub prepared ( $sections, $suites ) {
    my $dir = workplace( '.skampi' => <<"END" );
\@VERSION 4.2
\@POSTPROC no
$sections
\@MEASUREMENTS
$suites
END
    return $dir;
}

# The files that begin with skampi's name for such directories.
sub directories_in ($dir) {
    return grep { /\Askampi-io/ } files_in($dir);
}

my $nowhere = prepared( "\@MEMORY 64\n  \@IO_DIRECTORY no/where", 'A { Type = 220; }' );
my $refused = mpirun( $nowhere, 2 );
like $refused->{err},
  qr{^[.]skampi:4:3: host \S+: cannot use 'no/where': No such file or directory; write},
  'a missing directory is an error of the parameter file';
is scalar( () = $refused->{err} =~ /cannot use|^skampi: /mg ), 1, '... reported once';
is $refused->{status},                                         2, 'exit status';
is_deeply [ files_in($nowhere) ], ['.skampi'], 'nothing is written';
my $checked = skampi( $nowhere, '--check' );
is $checked->{status}, 0, 'on another host it may exist';
like $checked->{err}, qr{^[.]skampi:4:3: warning: cannot use 'no/where': No such}m,
  'so --check warns';

my $SUITES = join "\n", map {
"$_->[0] { Type = $_->[1]; Start_Argument = $_->[2]; End_Argument = $_->[2]; Max_Repetition = 4; Parameters = \"io_walk=20000\"; }"
  } [ all => 221, 1_048_576 ], [ one => 220, 1_048_576 ], [ read => 222, 1_048_576 ],
  [ small => 222, 4096 ];
my $full = prepared( "\@MEMORY 4096\n\@IO_DIRECTORY small", $SUITES );
mkdir "$full/small" or die "$full/small: $!\n";
write_file( "$full/small-disk", <<"END" );
#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs -o size=1m small "\$0" && exec "\$\@"' $full/small $ENV{SKAMPI_MPIRUN} "\$\@"
END
chmod 0755, "$full/small-disk" or die "small-disk: $!\n";
SKIP: {
    skip 'no mount namespace', 8
      if system("unshare -m mount -t tmpfs none $full/small 2>/dev/null") != 0;
    local $ENV{SKAMPI_MPIRUN}                   = "$full/small-disk";
    local $ENV{OMPI_MCA_io_ompio_bytes_per_agg} = 524_288;    # collective writes take several steps
    my $run = mpirun( $full, 3 );
    is $run->{status}, 1, 'a full disk: not everything was measured';
    for my $suite (qw(all one read)) {
        is
          scalar( () =
              $run->{err} =~ /^skampi: io_$suite: .* on rank \d in 'small': .*free some space/mg ),
          1,
          "$suite: one message, with a remedy";
    }
    my $results = suites_of( read_file("$full/skampi.out") );
    is_deeply [ sort keys %{$results} ], ['io_small'], 'only the suite that fits has results';
    is scalar @{ $results->{io_small}{rows} }, 1, '... of a row';
    unlike read_file("$full/skampi.out"), qr/^#\@FILE (?!on tmpfs; page cache kept;)/m, 'on tmpfs';
    my ($cached) = read_file("$full/skampi.out") =~ /\bcached=(\d+)/;
    is $cached, 100, 'all of it is cached';
}

my $killed = prepared( '@MEMORY 64', <<'END' );
A { Type = 222; Start_Argument = 4096; End_Argument = 4096; Max_Repetition = 4; }
B { Type = 229; Start_Argument = 4096; End_Argument = 4096; Min_Repetition = 100000; Max_Repetition = 100000;
    Time_Measurement = 0.02; }
END
mkdir "$killed/skampi-io-host-1" or die "mkdir: $!\n";
write_file( "$killed/skampi-io-host-1/precious", 'kept' );
write_file( "$killed/skampi-io",                 'kept' );
symlink '/tmp', "$killed/skampi-io-link" or die "symlink: $!\n";
my @before = directories_in($killed);

# Open MPI 4.1 holds a semaphore while it opens a file; those of the runs that left a directory here.
sub semaphores () {
    my @owners = map { read_file($_) } glob "$killed/skampi-io-*/skampi-io.owner";
    return map { /process (\d+) time (\S+)/ ? glob "/dev/shm/sem.*skampi-io.$1.$2.*" : () } @owners;
}
my @semaphores;
SKIP: {
    skip 'another MPI library', 1 if $ENV{SKAMPI_MPI} ne 'openmpi';
    local $ENV{SKAMPI_ABORT} = 'sem_post:1:kill';
    preloaded_mpirun( $killed, 2, 'libabort.so', '-q' );
    @semaphores = semaphores();
    ok scalar @semaphores, 'a run that is killed as it opens a file leaves a semaphore';
}
my $mpirun = start_mpirun( $killed, 2 );
wait_for_suite( $killed, 'io_B' );
kill 'KILL', ranks_in($killed), $mpirun;
await_end( $killed, $mpirun );
my @left = directories_in($killed);
is scalar @left, @before + 1,
  'a killed run leaves one directory; that of the run before is removed';

my $next = mpirun( $killed, 2 );
is_measured( $next, 'the next run measures the rest' );
like $next->{err}, qr/^skampi: removed 1 directory that a killed run left in '[.]'$/m,
  '... and says what it removes';
is_deeply [ directories_in($killed) ], \@before, 'only that, and its own directory';
is_deeply [ grep { -e } @semaphores ], [],       '... and the semaphores';
is read_file("$killed/skampi-io-host-1/precious"), 'kept', 'a directory with such a name stays';
is_deeply [ sort keys %{ suites_of( read_file("$killed/skampi.out") ) } ], [qw(io_A io_B)],
  'no result is missing';

done_testing;
