# Reports on messages in GPU memory: results of a driver without a GPU, and results made up.
use v5.36;

use Test::More;
use SKaMPI::Document::Template;
use SKaMPI::Document::Texts qw(text_parts);
use SKaMPI::Findings::Comparison;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::Health     qw(health_of);
use SKaMPI::Export::Formats      qw(format_results);
use SKaMPI::Findings::KeyFigures qw(figure_text);
use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Gpu                  qw(aware_run gpu_file);
use SKaMPI::Meaning::Likeness    qw(definition_of obstacles);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(dorep tool);
use SKaMPI::Results    qw(results);
use SKaMPI::Test       qw($ROOT slurp write_file);

my $REPORT = "$ROOT/report";

sub texts_about ( $about, $output ) {
    my $found = SKaMPI::Findings::Findings->of($output);
    return map { $_->{text} }
      map { @{ $_->{findings} } } grep { $_->{about} eq $about } @{ $found->{groups} };
}

# The keys of the suites of an operation that is sent from the host, from the GPU, and copied by hand.
my %KEYS = ( host => q{}, gpu => 'send_in=cuda', staged => 'send_in=cuda staged=yes' );

# Results of these suites: name => [type, keys, rows].
sub made ( $header, %suites ) {
    my @names = sort keys %suites;
    my $list  = join "\n# ", map {
        "$_ { Type = " . ( split q{ }, $suites{$_}[0] )[0] . "; Parameters = \"$suites{$_}[1]\"; }"
    } @names;
    return results(
        { SUITES => $list, PROCESSES => 2, PROCESSESPERHOST => 'vm:2', %{$header} },
        map {
            my ( $type, undef, @rows ) = @{ $suites{$_} };
            [
                ( $type =~ /([a-z0-9]+)_/ )[0] . "_$_",
                'length', \@rows, { type => $type, nodes => 2, notes => "#\@TIME x\n#\@TIMEOF x" }
            ]
        } @names
    );
}

my ( $PINGPONG, $MEMCPY ) = ( '1 p2p_MPI_Send-MPI_Recv', '420 simple_memcpy' );

# Round trips in the three memories, each a factor of 1 us per 100 bytes, and copies of 10 GB/s.
sub ping_pongs (%factor) {
    my @lengths = ( 1024, 4096, 16_384, 65_536 );
    my @pairs   = map {
        my $k = $_;
        $k => [ $PINGPONG, $KEYS{$k}, map { "$_ " . $_ * $factor{$k} / 100 . ' 0.01' } @lengths ]
    } keys %factor;
    my @rows = map { "$_ " . $_ / 10_000 . ' 0.0001' } @lengths;
    return (
        @pairs,
        on => [ $MEMCPY, 'send_in=cuda receive_in=cuda', @rows ],
        to =>
          [ $MEMCPY, 'send_in=pinned receive_in=cuda', map { s/ (\S+)/q{ } . 2 * $1/er } @rows ],
    );
}

subtest 'a GPU-aware call is not slower than staging by hand' => sub {
    my ($slow) =
      texts_about( 'staged', made( {}, ping_pongs( host => 1, gpu => 4, staged => 2 ) ) );
    like $slow,
qr/\AMPI_Send-MPI_Recv \(cuda memory\) took 2[.]00 .*as with copies to the host and back at \S+ KiB, .*at all 4 arguments/,
      'a slower one is found';
    is_deeply [
        texts_about( 'staged', made( {}, ping_pongs( host => 1, gpu => 2, staged => 4 ) ) ) ],
      [], 'a faster one is not';
    is_deeply [ texts_about( 'staged', made( {}, ping_pongs( host => 8, staged => 2 ) ) ) ], [],
      'the host is not compared';
    my @rows    = map { "$_ 100 99" } 1024, 4096, 16_384;
    my @unclear = (
        gpu    => [ $PINGPONG, $KEYS{gpu},    @rows ],
        staged => [ $PINGPONG, $KEYS{staged}, map { s/100 99/50 40/r } @rows ]
    );
    is_deeply [ texts_about( 'staged', made( {}, @unclear ) ) ], [],
      'nor what the errors do not decide';
};

subtest 'key figures, references and shares of a copy' => sub {
    my $output = made( {}, ping_pongs( host => 1, gpu => 4, staged => 2 ) );
    my %figures =
      map { $_->{what} => figure_text($_) } SKaMPI::Findings::KeyFigures->rows_of($output);
    is $figures{'peak bandwidth'},               '200 MB/s',  'of the host';
    is $figures{'peak bandwidth in GPU memory'}, '50.0 MB/s', 'and of the GPU, not copied by hand';
    is_deeply [ texts_about( 'copies', $output ) ],
      [
'MPI_Send-MPI_Recv (cuda memory): 64 KiB at 50.0 MB/s, 0.5 % of a copy from cuda to cuda (10.0 GB/s) and 1.0 % of a copy from pinned to cuda (5.00 GB/s).'
      ],
      'the part of a bare copy';
    is_deeply [
        texts_about( 'copies', made( {}, host => [ $PINGPONG, q{}, '8 1 0', '64 1 0' ] ) ) ], [],
      'none without a GPU';
    my ($line) = lines_of( $output, $output->suite('p2p_gpu') );
    is $line->{text},
'200.0 (at 1 KiB) to 200.0 (at 64 KiB) times as long as memcpy (cuda memory) of as many bytes',
      'and in the plot';
    my ($of_host) = lines_of( $output, $output->suite('p2p_host') );
    is $of_host, undef, 'no copy of the host was measured';
};

subtest 'a name that says the memory is explained once' => sub {
    my $name   = 'MPI_Send-MPI_Recv-cuda-staged';
    my $output = made( {}, $name => [ $PINGPONG, $KEYS{staged}, '8 1 0', '64 1 0' ] );
    my @parts  = map { $_->{name} } map { @{$_} } text_parts( $output->suite("p2p_$name") );
    is_deeply [ grep { /cuda|staged/ } @parts ], [qw(word/staged word/cuda)], 'each word';
};

subtest 'one plot for host, GPU and staged' => sub {
    my %sums =
      map { ( "sum_$_" => [ '61 syncol_MPI_Allreduce', $KEYS{$_}, '8 1 0', '64 1 0' ] ) }
      qw(gpu staged);
    my $output = made( {}, ping_pongs( host => 1, gpu => 4, staged => 2 ), %sums );
    my $file   = SKaMPI::Findings::ComparisonFile->from_file("$REPORT/default.dorep");
    my @found  = grep { $_->title =~ /memor/ } @{ $file->applied_to($output)->{comparisons} };
    is_deeply [ map { $_->title } @found ],
      [
        'Copies of one process, between memories',
        'Round trips, by memory',
        'MPI_Allreduce, by memory (SM)'
      ],
      'of each operation';
    is_deeply [ map { $_->{name} } $found[1]->members ],
      [ 'cuda memory', 'host memory', 'cuda memory, staged' ], 'names say the memory';
};

subtest 'launches with other memories are not compared' => sub {
    my @outputs = map { made( {}, S => [ $PINGPONG, $_, '8 1 .1' ] ) } q{}, 'send_in=cuda',
      'send_in=host staged=no';
    my @launches = map {
        +{
            name   => "f$_",
            facts  => {},
            suites => { p2p_S => { definition => definition_of( $outputs[$_]->suite('p2p_S') ) } }
        }
    } 0 .. 2;
    is_deeply [ obstacles( @launches[ 0, 1 ] ) ],
      ["suite 'p2p_S': send_in is 'cuda' in 'f1', 'host' in 'f0'"], 'with the reason';
    is_deeply [ obstacles( @launches[ 0, 2 ] ) ], [],
      'results without the keys are in memory of the host';
    is_deeply [
        grep { /\A(?:send_in|receive_in|staged)\z/ }
          keys %{ $launches[0]{suites}{p2p_S}{definition} }
      ],
      [], 'as in older baselines';
};

subtest 'the layout of OSU, and columns' => sub {
    my %memory = (
        'send_in=cuda'                               => 'DEVICE (D) DEVICE (D)',
        'send_in=managed receive_in=host staged=yes' => 'MANAGED (M) HOST (H), staged by hand',
        'send_in=pinned receive_in=hip'              => 'HOST (H) DEVICE (D)',
        'send_in=pinned'                             => undef,
        q{}                                          => undef
    );
    for my $keys ( sort keys %memory ) {
        my $output = made( {}, S => [ $PINGPONG, $keys, '8 1 .1' ] );
        my @run    = ( { output => $output, number => 1, suites => [ $output->suites ] } );
        my @line =
          format_results( osu => @run ) =~ /^# Send Buffer on (.*) and Receive Buffer on (.*)$/m;
        is @line ? "@line" : undef, $memory{$keys}, $keys;
        my $json = format_results( json => @run );
        my ($sent) = $keys =~ /send_in=(\w+)/;
        like $json, qr/"send_in" : "@{[ $sent \/\/ 'host' ]}"/, 'JSON has the key';
    }
};

subtest 'health' => sub {
    my %states = (
        'MPIX_Query_cuda_support 0'                           => 'look',
        'MPIX_Query_cuda_support 1'                           => 'good',
        'MPIX_Query_cuda_support 0, MPIX_Query_hip_support 1' => 'good',
        'mpi_memory_alloc_kinds mpi,system,cuda:device'       => 'not measured',
    );
    for my $answer ( sort keys %states ) {
        my $health =
          health_of( made( { GPULIBRARY => $answer }, S => [ $PINGPONG, q{}, '8 1 .1' ] ) );
        my ($line) = @{ $health->{lines} };
        is $line->{state}, $states{$answer}, $answer;
        like "$line->{value} $line->{todo}",
          qr/whether it sends GPU memory: \Q$answer\E.*use a library that is built for this GPU/i,
          'with what to do'
          if $line->{state} eq 'look';
    }
};

sub run_of ( $settings, $starts, $more ) {
    my $suite =
'Type = 36; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 64; Stepwidth = 8; '
      . 'Max_Repetition = 12; Parameters = "passes=6 estimate=minimum send_in=cuda';
    my $dir = gpu_file(<<"END");
MPI_Allreduce-cuda { $suite"; }
MPI_Allreduce-cuda-staged { $suite staged=yes"; }
$more
END
    aware_run( $dir, 2, $settings ) for 1 .. $starts;
    return $dir;
}

subtest 'a run with a slow call' => sub {

    # Two starts: the first ends in MPI_Scan, the second goes on without it.
    my $dir = run_of( { AWARE_SLOW_US => 50_000 }, 2, <<'END' );
By_memory { Type = 1; Variation = Send_In; }
Host { Type = 1; Scale = Fixed_log; Start_Argument = 8; End_Argument = 64; Stepwidth = 8; }
Cuda { Type = 1; Scale = Fixed_log; Start_Argument = 8; End_Argument = 64; Stepwidth = 8; Parameters = "send_in=cuda"; }
MPI_Scan { Type = 56; Parameters = "send_in=cuda"; }
END
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    like + ( texts_about( 'staged', $output ) )[0],
      qr/\AMPI_Allreduce \(cuda memory\) took \S+ .* as with copies/, 'finds it';
    my $shown = tool( $dir, $^X, "$REPORT/show.pl" )->{out};
    my $cannot =
qr/not measured:\s+syncol_MPI_Scan:\s+the\s+MPI\s+library\s+accesses\s+GPU\s+memory\s+from\s+the\s+host\s+in\s+MPI_Scan/;
    like $shown, qr/^  warning: $cannot/m,                'says what the library cannot do';
    like $shown, qr/shared GPU: 2 processes share a GPU/, 'and that processes share the GPU';
    like $shown, qr/^  By_memory +host .*^ +cuda .*^ +managed /ms, 'names kinds of memory';
    like $shown, qr/^  processes per GPU +2$/m,                    'and how many share one';
    is dorep( $dir, '--format', 'html' )->{status}, 0, 'a report is made';
    my $text = slurp("$dir/skampi.out.html") =~ s/<[^>]*>//gr;
    like $text, $cannot,                          'with that';
    like $text, qr/Round\s+trips,\s+by\s+memory/, 'a plot';
    like $text, qr/ranks\s+0\s+to\s+1:\s+\S+,\s+GPU\s+0:\s+Fake\s+GPU\s+0,\s+driver\s+CUDA/,
      'and the GPU';
};

is_deeply [
    texts_about(
        'staged',
        SKaMPI::Read::Output->from_file(
            run_of( { FAKE_GPU_US => 20_000 }, 1, q{} ) . '/skampi.out'
        )
    )
  ],
  [],
  'without it, and with slow copies, nothing is found';

done_testing;
