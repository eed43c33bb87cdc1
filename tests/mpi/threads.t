# Threads of a process that call MPI at the same time: data arrive in the thread for which they were sent, times are
# those until the last thread is done, the level of thread support is that which the file or the command line asks for,
# and suites with threads are skipped without it.
use v5.36;

use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test
  qw(scratch read_file slurp skampi mpirun preloaded_mpirun command launcher suites_of is_measured workplace succeeds);

my $HEAD = "\@VERSION 4.2\n\@MEMORY 8192\n\@MAXREPDEFAULT 4\n\@MINREPDEFAULT 2\n\@POSTPROC no\n"
  . "\@BASETYPE1 (1,1,MPI_BYTE), (2,2,MPI_INT), (1,9,MPI_SHORT)\n\@TOPOLOGY1 Cartesian 2 yes yes\n";
my $RANGE =
  'Scale = Fixed_log; Stepwidth = 8; Multiple_of = 64; Start_Argument = 64; End_Argument = 512;';
my $LIBRARY = 'liblocks.so';

sub parameters ( $suites, $sections = q{} ) {
    return workplace( 'p.skampi' => "$HEAD$sections\@MEASUREMENTS\n$suites" );
}

my @types = grep {
    grep { /\Athreads\z/ }
      @{ $_->{keys} }
} rows_of('types');
my @by_tags = grep { $_->{pattern} =~ /\A(?:p2p|pairs)\z/ && $_->{name} !~ /Any_Tag/ } @types;
cmp_ok scalar @types, '>', 150, 'most types can have threads';

# A suite of a type with these keys.
sub suite ( $type, $keys ) {
    state $n = 0;
    my %is    = map { $_ => 1 } @{ $type->{traits} };
    my $place = $is{neighbours} ? 'Virtual_Topology_Number = 1; ' : q{};
    my $vary =
      $is{has_length} ? "Variation = Length; $RANGE" : 'Variation = Nodes; End_Argument = 2;';
    return sprintf "S%d { Type = %d; %s%s Parameters = \"%s\"; }\n", ++$n, $type->{number}, $place,
      $vary,
      $keys;
}

subtest 'data of each type, and of other regimes, datatypes and forms' => sub {
    my ($ping)   = grep { $_->{number} == 1 } @types;
    my ($reduce) = grep { $_->{number} == 61 } @types;
    my @suites   = (
        ( map { suite( $_, 'threads=3' ) } @types ),
        ( map { suite( $_, 'threads=2 thread_comm=shared' ) } @by_tags ),
        (
            map { suite( $ping, "threads=3 $_" ) }
              qw(data=fresh data=cold buffers=one method=pack counts=type)
        ),
        suite( $reduce, 'threads=4 op=max data=fresh' ),
        'Derived { Type = 1; Scale = Fixed_log; Start_Argument = 24640; End_Argument = 49280; '
          . qq(Send_Datatype_Number = 31; Receive_Datatype_Number = 34; Parameters = "threads=2"; }\n),
    );
    for my $np ( 2, 3 ) {
        my $dir = parameters( join( q{}, @suites ), "\@VERIFY only\n" );
        my $run = succeeds( mpirun( $dir, $np, '-f', 'p.skampi' ), "$np processes: verified" );
        my ($operations) = $run->{out} =~ /passed\s+data\s+([0-9]+) operations/;
        cmp_ok $operations // 0, '>', 150, 'all of them';
    }
};

subtest 'messages of threads that are mixed up are found' => sub {
    my $dir = parameters(
        qq(S { Type = 1; Variation = Length; $RANGE Start_Argument = 4096; End_Argument = 4096;) =~
          s/Start_Argument = 64; End_Argument = 512;//r
          . qq( Parameters = "threads=2 thread_comm=shared"; }\n),
        "\@VERIFY only\n"
    );
    local $ENV{SKAMPI_LOCK} = 'swap';
    my $run = preloaded_mpirun( $dir, 2, $LIBRARY, '-f', 'p.skampi' );
    is $run->{status}, 1, 'the run fails';
    like $run->{err} . $run->{out}, qr/from rank [01] does not arrive .* on rank [01]: byte/,
      'with the byte';
};

# Each MPI_Send takes 50 ms. Under one lock, the round trip of the first of 8 threads has two of them, that of the last
# one 9; with a lock for each communicator, all have two. If the threads took turns, it would be 16. Sleeps are never
# shorter and, on a busy machine, longer: the shortest of some visits counts, and the bounds are far apart.
for my $case (
    [ process      => q{},                  9, 14 ],
    [ communicator => q{},                  2, 6 ],
    [ communicator => 'thread_comm=shared', 9, 14 ],
  )
{
    my ( $lock, $keys, $least, $most ) = @{$case};
    my $dir =
      parameters( 'S { Type = 1; Variation = Threads; Start_Argument = 8; End_Argument = 8; '
          . 'Default_Message_length = 4096; Max_Repetition = 4; Min_Repetition = 4; '
          . qq(Parameters = "passes=4 estimate=minimum $keys"; }\n) );
    local $ENV{SKAMPI_LOCK} = $lock;
    my $run = succeeds( preloaded_mpirun( $dir, 2, $LIBRARY, '-q', '-f', 'p.skampi' ),
        "$lock $keys: measured" );
    my ($row) = @{ suites_of( read_file("$dir/skampi.out") )->{p2p_S}{rows} };
    my $calls = $row->[1] / 50_000;
    note "a lock for each $lock $keys: $calls calls";
    cmp_ok $calls, '>=', $least, "a lock for each $lock $keys: until the last thread is done";
    cmp_ok $calls, '<',  $most,  'as they call at the same time';
}

my $ONE = "One { Type = 1; Default_Message_length = 8; Variation = Length; $RANGE }\n";
my $TWO =
"Two { Type = 1; Default_Message_length = 8; Variation = Length; $RANGE Parameters = \"threads=2\"; }\n";
my $SKIP = qr/warning: suite 'p2p_Two': skipped, threads need MPI_THREAD_MULTIPLE, /;

sub level_of ($dir) {
    my ($level) = slurp("$dir/skampi.out") =~ /^#\@THREADLEVEL (\S+ asked, \S+ given)/m;
    return $level;
}

# @THREADS, --threads, suites; the level, whether the suite with threads is measured.
for my $case (
    [ q{}, q{}, $ONE,        undef,                            0 ],
    [ q{}, q{}, $ONE . $TWO, 'multiple asked, multiple given', 1 ],
    [ funneled   => q{},        $ONE,        'funneled asked, funneled given',     0 ],
    [ serialized => q{},        $ONE . $TWO, 'serialized asked, serialized given', 0 ],
    [ serialized => 'multiple', $ONE . $TWO, 'multiple asked, multiple given',     1 ],
    [ q{}, 'single', $ONE . $TWO, undef, 0 ],
  )
{
    my ( $section, $option, $suites, $level, $threads ) = @{$case};
    my $name    = "'$section', '$option'" . ( $suites =~ /Two/ ? ' and threads' : q{} );
    my $dir     = parameters( $suites, $section && "\@THREADS $section\n" );
    my @options = $option ? ( '--threads', $option ) : ();
    my $run     = mpirun( $dir, 2, '-q', '-f', 'p.skampi', @options );
    is_measured $run, "$name: measured";
    is level_of($dir), $level, 'at this level';
    my $measured = suites_of( read_file("$dir/skampi.out") );
    ok $measured->{p2p_One}{complete}, 'the suite without threads';
    is exists $measured->{p2p_Two} ? 1 : 0, $threads, 'the suite with threads, or not';
    if ( $suites =~ /Two/ && !$threads ) { like $run->{err}, $SKIP, 'with the reason' }
}

subtest 'a library that gives less' => sub {
    my $dir = parameters( $ONE . $TWO );
    local $ENV{SKAMPI_GIVES} = 'serialized';
    my $run = preloaded_mpirun( $dir, 2, $LIBRARY, '-q', '-f', 'p.skampi' );
    is_measured $run, 'measured';
    like $run->{err}, qr/${SKIP}the MPI library has only 'serialized'/, 'says so';
    is level_of($dir), 'multiple asked, serialized given', 'in the results, too';
};

# Rank 1 has another working directory; then the file comes from standard input.
subtest 'a file that not all processes can read before MPI_Init' => sub {
    my $dir    = parameters( $ONE . $TWO );
    my @skampi = ( $ENV{SKAMPI_PROGRAM}, qw(-q -f p.skampi) );
    my $apart  = '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || cd "$0"; exec "$@"';
    my $run    = command( $dir, launcher(2), 'sh', '-c', $apart, scratch(), @skampi );
    is_measured $run, 'measured';
    like $run->{err},
      qr/${SKIP}rank 1 began with 'single'; start with 'skampi --threads multiple'/, 'says how';
};

subtest 'words' => sub {
    my $run = mpirun( scratch(), 2, qw(-q send -m 8 --set threads=2) );
    is_measured $run, 'threads=2';
    like $run->{out}, qr/^ +8 +[0-9]/m, 'have a row';
    $run = mpirun( scratch(), 2,
        qw(-q send -m 8 --vary threads --set End_Argument=2 --set @THREADS=multiple) );
    is_measured $run, '--vary threads';
    like $run->{out}, qr/^# +threads.*^ +1 +[0-9].*^ +2 +[0-9]/ms, 'a row for each number';
};

my $run = skampi( scratch(), qw(send --threads many --check) );
is $run->{status}, 2, 'an unknown level';
like $run->{err}, qr/expected the level single, funneled, serialized or multiple, got 'many'/,
  'is refused';

done_testing;
