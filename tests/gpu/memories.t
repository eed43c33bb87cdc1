# Messages in GPU memory, without a GPU: the driver's device memory cannot be accessed by the program, and a library
# that is preloaded makes MPI GPU-aware in some calls. Data are right, copies are those that are needed, and what
# is missing, too small or wrong is said. unaware.t has what follows if a call is not aware.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Gpu  qw(gpu_file aware_run unaware_run copies_printed);
use SKaMPI::Test qw($ROOT read_file slurp skampi mpirun suites_of succeeds);

my @KINDS  = qw(pinned cuda managed);
my $LENGTH = 'Variation = Length; Scale = Fixed_log; Stepwidth = 16; Start_Argument = 1';

sub rows ( $dir, $label ) {
    return suites_of( read_file("$dir/skampi.out") )->{$label}{rows};
}

subtest 'data arrive as they were sent' => sub {
    my @types = (
        'p2p_MPI_Send-MPI_Recv',    'p2p_MPI_Ssend-MPI_Recv',
        'p2p_MPI_Isend-MPI_Recv',   'p2p_MPI_Sendrecv',
        'p2p_Persistent_Send-Recv', 'pairs_MPI_Send-MPI_Recv',
        'p2p_Stream_MPI_Isend',     'syncol_MPI_Bcast',
        'col_MPI_Reduce',           'syncol_MPI_Allreduce',
        'syncol_MPI_Alltoall',      'syncol_MPI_Gather',
        'col_MPI_Scatter',          'mw_MPI_Send',
        'syncol_MPI_Allgather',
    );
    my $n     = 0;
    my $suite = sub ( $type, $keys, $datatype = 'MPI_BYTE' ) {
        $n++;
        return
qq(S$n { Type = $type; $LENGTH; End_Argument = 4096; Send_Datatype_Number = $datatype; Parameters = "$keys"; }\n);
    };
    my $suites = q{};
    for my $type (@types) {
        my $datatype = $type =~ /Reduce|Allreduce/i ? 5 : 1;
        $suites .= $suite->( $type, 'send_in=cuda',            $datatype );
        $suites .= $suite->( $type, 'send_in=cuda staged=yes', $datatype ) if $type !~ /Stream|^mw/;
    }
    $suites .= $suite->( $_, 'send_in=cuda in_place=yes staged=yes data=fresh', 5 )
      for grep { /Reduce|reduce|Gather|gather|Scatter|Alltoall/ } @types;
    $suites .= $suite->( 'syncol_MPI_Allreduce', 'send_in=cuda in_place=yes', 5 );
    $suites .= $suite->( $types[0],              "send_in=$_",                5 ) for @KINDS;
    $suites .= $suite->( $types[0],              "send_in=cuda $_",           5 )
      for 'receive_in=host', 'receive_in=pinned', 'receive_in=managed staged=yes', 'data=fresh',
      'data=cold',
      'buffers=one', 'method=pack', 'method=pack staged=yes', 'loop=3 data=fresh staged=yes';
    $suites .= $suite->( $types[0],     'send_in=host receive_in=cuda',          5 );
    $suites .= $suite->( $types[0],     'send_in=cuda',                          30 );
    $suites .= $suite->( $types[0],     'send_in=cuda staged=yes data=fresh',    31 );
    $suites .= $suite->( 'p2p_RMA_Put', 'send_in=cuda memory=create sync=fence', 5 );

    for my $np ( 2, 3 ) {
        my $dir = gpu_file( $suites, qq(\@VERIFY only\n\@BASETYPE1 MPI_INT) );
        my $run = succeeds( aware_run( $dir, $np, {} ), "$np processes" );
        like $run->{out}, qr/passed\s+data\s+$n operations/, 'all were verified';
    }
};

subtest 'a wrong byte is named' => sub {
    my $dir = gpu_file( "S { Type = 1; Parameters = \"send_in=cuda\"; }\n", "\@VERIFY only\n" );
    my $run = aware_run( $dir, 2, { AWARE_FLIP => 1 } );
    is $run->{status}, 1, 'not passed';
    like $run->{out}, qr/p2p_S .*rank \d+.*byte \d+ of \d+ is \d+, not \d+/s,
      'suite, rank and byte';
};

subtest 'a window in the GPU has fresh data' => sub {
    my $dir = gpu_file(<<'END');
P { Type = p2p_RMA_Put; Parameters = "send_in=cuda memory=create data=fresh"; }
END
    is aware_run( $dir, 2, {} )->{status}, 0, 'skampi does not access it';
};

# The copies of each process in a run of these suites, each with 6 repetitions, and 3 ** i more if it is the second run.
sub copies_with ( $is_second, @suites ) {
    my $text = q{};
    for my $i ( 0 .. $#suites ) {
        my ( $type, $keys ) = split q{ }, $suites[$i], 2;
        my $n = 6 + 3**$i * $is_second;
        $text .= <<"END";
S$i { Type = $type; Variation = Length; Scale = Fixed_linear; Start_Argument = 64; End_Argument = 64; Standard_error = 0.0;
    Max_Repetition = $n; Min_Repetition = $n; Parameters = "passes=1 $keys"; }
END
    }
    my $dir = gpu_file( $text, "\@VERIFY no\n" );
    my $run = succeeds( aware_run( $dir, 2, { FAKE_GPU_COPIES => "$dir/copies" } ), 'measured' );
    return [ copies_printed("$dir/copies") ];
}

# Copies of each process per repetition: none, one or two, so the digits of the difference in base 3.
subtest 'copies are those of the repetitions' => sub {
    my @copies_of = (
        [ 'p2p_MPI_Send-MPI_Recv send_in=cuda'                            => 0, 0 ],
        [ 'p2p_MPI_Send-MPI_Recv send_in=cuda staged=yes'                 => 2, 2 ],
        [ 'p2p_MPI_Send-MPI_Recv send_in=cuda data=fresh'                 => 1, 1 ],
        [ 'p2p_MPI_Send-MPI_Recv send_in=cuda receive_in=host staged=yes' => 1, 1 ],
        [ 'col_MPI_Bcast send_in=cuda staged=yes'                         => 1, 1 ],
        [ 'col_MPI_Reduce send_in=cuda staged=yes'                        => 1, 2 ],
        [ 'col_MPI_Allreduce send_in=cuda staged=yes'                     => 2, 2 ],
        [ 'col_MPI_Gather send_in=cuda staged=yes in_place=yes'           => 1, 2 ],
        [ 'col_MPI_Scatter send_in=cuda staged=yes in_place=yes'          => 1, 1 ],
    );
    while ( my @some = splice @copies_of, 0, 3 ) {
        my ( $before, $after ) = map {
            copies_with( $_, map { $_->[0] } @some )
        } 0, 1;
        my @more = map { $after->[$_] - $before->[$_] } 0, 1;
        for my $i ( 0 .. $#some ) {
            my ( $suite, @expected ) = @{ $some[$i] };
            is_deeply [ sort map { int( $_ / 3**$i ) % 3 } @more ], \@expected, $suite;
        }
    }
};

subtest 'a bare copy takes as long as the driver' => sub {
    my $dir = gpu_file( <<"END", "\@VERIFY no\n" );
To   { Type = simple_memcpy; $LENGTH; End_Argument = 65536; Parameters = "send_in=pinned receive_in=cuda"; }
END
    my $run = succeeds( aware_run( $dir, 2, { FAKE_GPU_US => 20, FAKE_GPU_MBS => 1000 } ), 'done' );
    for my $row ( rows( $dir, 'simple_To' )->@* ) {
        my ($us) = "@{$row}" =~ /\bmin=(\S+)/;
        cmp_ok $us, '>=', 20 + $row->[0] / 1000, "$row->[0] bytes: not less";
    }
};

subtest 'a bare copy is verified' => sub {
    my $dir = gpu_file( <<"END", '@VERIFY only' );
To   { Type = simple_memcpy; $LENGTH; End_Argument = 4096; Parameters = "send_in=pinned receive_in=cuda"; }
From { Type = simple_memcpy; $LENGTH; End_Argument = 4096; Parameters = "send_in=cuda receive_in=host"; }
END
    my $run = succeeds( aware_run( $dir, 2, {} ), 'done' );
    like $run->{out}, qr/passed\s+data\s+2 operations/, 'both directions';
};

subtest 'a copy that fails is named' => sub {
    my $dir = gpu_file(<<"END");
To { Type = simple_memcpy; $LENGTH; End_Argument = 4096; Parameters = "send_in=host receive_in=cuda"; }
END
    my $run = aware_run( $dir, 2, { FAKE_GPU_FAIL => 256 } );
    isnt $run->{status} + $run->{signal}, 0, 'the run ends';
    like $run->{err},
      qr/^skampi: simple_To: copy of 256 bytes from host to cuda memory: CUDA: FAKE_ERROR \(1\)$/m,
      'with suite, length and direction';
};

subtest 'kinds of memory are varied' => sub {
    my $dir =
      gpu_file("V { Type = 1; Variation = Send_In; }\nW { Type = 1; Variation = Receive_In; }\n");
    my $run = succeeds( aware_run( $dir, 3, {} ), 'done' );
    is_deeply [ map { $_->[0] } rows( $dir, "p2p_$_" )->@* ], [ 0 .. 3 ],
      "$_: host and those of the driver"
      for qw(V W);
    like read_file("$dir/skampi.out"),
      qr/^#\@MEMORIES send_in\n# 0 host\n.*^# 4 hip, left out: /ms, 'with names';
};

subtest 'HIP by its own names' => sub {
    my $dir =
      gpu_file("S { Type = 1; Parameters = \"send_in=hip receive_in=managed staged=yes\"; }\n");
    my $run = succeeds( aware_run( $dir, 2, { FAKE_GPUS => 2 } ), 'done' );
    my $out = read_file("$dir/skampi.out");
    like $out,
qr{^# 1 \S+ 1 GPU-11111111-1111-1111-1111-111111111111 0000:01:00.0 1024 -1 HIP/6.3 Fake GPU 1$}m,
      'a GPU for each process';
    like $out, qr/^#\@GPUSHARE 1$/m, 'of its own';
    run [ $^X, "$ROOT/report/show.pl", "$dir/skampi.out" ], '<', \undef, '>', \my $shown, '2>&1';
    unlike $shown, qr/form that is not known/, 'and skampi-show reads all facts';
};

subtest 'without an aware library, the first call is caught' => sub {
    my $dir = gpu_file("S { Type = 1; Parameters = \"send_in=cuda\"; }\nH { Type = 1; }\n");
    my $run = unaware_run( $dir, 2, {} );
    like $run->{err}, qr/p2p_S: the MPI library accesses GPU memory from the host/, 'with its name';
    is unaware_run( $dir, 2, {} )->{status}, 1, 'the next start';
    is_deeply [ sort keys suites_of( read_file("$dir/skampi.out") )->%* ], ['p2p_H'],
      'measures the rest';
};

subtest 'what is not there is said' => sub {
    my $suites = "G { Type = 1; Parameters = \"send_in=cuda\"; }\nH { Type = 1; }\n";
    my %case   = (
        'finds no GPU on this host' => [ sub { aware_run( shift, 2, { FAKE_GPUS => 0 } ) }, 0 ],
        q{GPU memory needs NVIDIA's driver: libcuda.so.1: cannot open} =>
          [ sub { mpirun( shift, 2, '-q' ) }, 0 ],
        '\\d+ KiB of cuda memory: CUDA: FAKE_OUT_OF_MEMORY \(2\)' =>
          [ sub { aware_run( shift, 2, { FAKE_GPU_FULL => 1000 } ) }, 1 ],
    );
    for my $text ( sort keys %case ) {
        my ( $start, $status ) = $case{$text}->@*;
        my $dir = gpu_file( $suites =~ s/cuda/cuda data=cold/r );
        my $run = $start->($dir);
        is $run->{status}, $status, $text or diag $run->{err};
        like $run->{err}, qr/$text/, 'is the reason';
        is_deeply [ keys suites_of( slurp("$dir/skampi.out") )->%* ], $status == 0 ? ['p2p_H'] : [],
          'the others are measured';
    }
};

subtest 'a call that hangs' => sub {
    my $dir =
      gpu_file( "B { Type = 47; Parameters = \"send_in=cuda\"; }\n", "\@SUITETIMEOUT 0.03\n" );
    my $run = aware_run( $dir, 2, { AWARE_HANG => 1 } );
    isnt $run->{status} + $run->{signal}, 0, 'ends';
    like $run->{err}, qr/syncol_B/, 'with the name of the suite';
};

subtest 'what has no meaning is refused' => sub {
    my %refused = (
        'Type = 7; Parameters = "send_in=cuda"'   => q{key 'send_in' has no meaning for type 7},
        'Type = 120; Parameters = "send_in=cuda"' => q{key 'send_in' has no meaning for type 120},
        'Type = 220; Parameters = "send_in=cuda"' => q{key 'send_in' has no meaning for type 220},
        'Type = 201; Parameters = "send_in=cuda"' =>
          q{'memory=allocate' and 'shared' let the library},
        'Type = 201; Parameters = "memory=create send_in=cuda staged=yes"' =>
          q{'staged' has no meaning for type 201},
        'Type = 1; Parameters = "staged=yes"' => q{'staged=yes' copies messages of a GPU's memory},
        'Type = 1; Parameters = "send_in=cuda receive_in=host buffers=one"' =>
          q{'buffers=one' is one memory},
        'Type = 36; Parameters = "send_in=cuda receive_in=host in_place=yes"' =>
          q{'in_place=yes' is one memory},
        'Type = 1; Variation = Receive_In; Parameters = "buffers=one"' =>
          q{'buffers=one' is one memory},
        'Type = 47; Variation = Send_In; Parameters = "algorithm=3"' =>
          q{cannot be combined with varied memory},
        'Type = 1; Parameters = "send_in=gpu"'      => q{expected host, pinned, cuda},
        'Type = 47; Parameters = "receive_in=cuda"' =>
          q{key 'receive_in' has no meaning for type 47},
    );
    for my $suite ( sort keys %refused ) {
        my $dir = gpu_file("S { $suite; }\n");
        my $run = skampi( $dir, '--check' );
        is $run->{status}, 2, $suite;
        like $run->{err} . $run->{out}, qr/\Q$refused{$suite}\E/, 'with the reason';
    }
    my $both = gpu_file(
qq(S { Type = 1; Parameters = "send_in=cuda"; }\nT { Type = 1; Parameters = "send_in=hip"; }\n)
    );
    like skampi( $both, '--check' )->{err}, qr/cuda and of hip cannot be in one run/, 'two drivers';
};

subtest 'a default of all suites' => sub {
    my $dir =
      gpu_file( "S { Type = 1; }\nB { Type = 7; }\nP { Type = 201; }\n", "\@BUFFERS_IN cuda\n" );
    my $run      = succeeds( aware_run( $dir, 2, {} ), 'done' );
    my $out      = read_file("$dir/skampi.out");
    my ($suites) = $out =~ /^#\@SUITES (.*(?:\n# .*)*)/m;
    is scalar( () = $suites =~ /send_in=cuda/g ), 1, 'of those that can have it';
};

done_testing;
