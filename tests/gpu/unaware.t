# An MPI library that is not GPU-aware in some calls ends a run, and the next start goes on without them; hosts with
# other drivers.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Gpu  qw(gpu_file aware_run unaware_run);
use SKaMPI::Test qw($ROOT read_file slurp write_file files_in suites_of command launcher);

sub failed_suites ($dir) {
    my ($fact) = slurp("$dir/skampi.out") =~ /^#\@FAILED (.*(?:\n# .*)*)/m;
    return [ map { /^(?:# )?(\S+)/ } split /\n/, $fact // q{} ];
}

subtest 'a library that is not aware ends the run, not the suites' => sub {
    my $dir = gpu_file(<<'END');
A { Type = 1; Parameters = "send_in=cuda staged=yes"; }
B { Type = syncol_MPI_Scan; Parameters = "send_in=cuda"; }
C { Type = syncol_MPI_Scan; Parameters = "send_in=cuda"; Default_Message_length = 64; }
D { Type = syncol_MPI_Scan; }
E { Type = syncol_MPI_Allreduce; Parameters = "send_in=cuda"; }
END
    my $run = aware_run( $dir, 2, {} );
    isnt $run->{status} + $run->{signal}, 0, 'it ends';
    like $run->{err}, qr/syncol_B: the MPI library accesses GPU memory from the host in MPI_Scan/,
      'with the reason';
    $run = aware_run( $dir, 2, {} );
    is $run->{status}, 1, 'the next start goes on without it' or diag $run->{err};
    is_deeply failed_suites($dir), [qw(syncol_B syncol_C)],
      'and without the same call in the same memory';
    is_deeply [ sort keys suites_of( read_file("$dir/skampi.out") )->%* ],
      [qw(p2p_A syncol_D syncol_E)],
      'has the others';
    is_deeply [ grep { /fault/ } files_in($dir) ], [], 'no file is left';
};

subtest 'another datatype is another call' => sub {
    my $dir = gpu_file( <<'END', '@BASETYPE1 MPI_INT' );
B { Type = p2p_MPI_Issend-MPI_Recv; Parameters = "send_in=cuda"; }
C { Type = p2p_MPI_Issend-MPI_Recv; Send_Datatype_Number = 30; Parameters = "send_in=cuda"; }
END
    unaware_run( $dir, 2, {} );
    like unaware_run( $dir, 2, {} )->{err}, qr/p2p_C: .*; start again/, 'it is tried';
    unaware_run( $dir, 2, {} );
    is_deeply failed_suites($dir), [qw(p2p_B p2p_C)], 'each ends a start';
};

subtest 'a start that is refused leaves what is known' => sub {
    my $dir =
      gpu_file(qq(B { Type = syncol_MPI_Scan; Parameters = "send_in=cuda"; }\nH { Type = 1; }\n));
    aware_run( $dir, 2, {} );
    is aware_run( $dir, 3, {} )->{status}, 1, 'three processes';
    aware_run( $dir, 2, {} );
    is_deeply failed_suites($dir), ['syncol_B'], 'two go on';
};

subtest 'a file with something else' => sub {
    my $dir = gpu_file(<<'END');
A { Type = 47; Stepwidth = 4096; Parameters = "send_in=cuda passes=1"; }
B { Type = syncol_MPI_Scan; Parameters = "send_in=cuda passes=1"; }
END
    my $why  = 'the MPI library accesses GPU memory from the host in MPI_Bcast';
    my %text = ( "syncol_A $why\n" => 'a suite that is done', "syncol_B $why\1\n" => 'garbage', );
    aware_run( $dir, 2, {} );
    for my $text ( sort keys %text ) {
        write_file( "$dir/skampi.out.fault.$_", $text ) for 0, 1;
        unlike aware_run( $dir, 2, {} )->{err}, qr/MPI_Bcast/, $text{$text};
    }
    aware_run( $dir, 2, {} );
    is_deeply failed_suites($dir), ['syncol_B'], 'only the fault counts';
};

subtest 'without a file, nothing is promised' => sub {
    my $dir = gpu_file( "B { Type = syncol_MPI_Scan; Parameters = \"send_in=cuda\"; }\n",
        "\@VERIFY only\n" );
    like aware_run( $dir, 2, {} )->{err}, qr/syncol_B: .* in MPI_Scan$/m,
      'the next start ends, too';
};

# Each process with the drivers in a directory of its rank.
subtest 'hosts that differ' => sub {
    my %case = (
        'libcuda.so.1 none'           => 'cannot open',
        'none libcuda.so.1'           => 'cannot open',
        'libcuda.so.1 libamdhip64.so' => 'some processes have GPUs of NVIDIA, others of AMD',
    );
    for my $case ( sort keys %case ) {
        my $dir =
          gpu_file(
qq(G { Type = 1; Parameters = "send_in=managed"; }\nV { Type = 1; Variation = Send_In; }\n)
          );
        my @drivers = split q{ }, $case;
        for my $rank ( 0, 1 ) {
            mkdir "$dir/$rank" or die "$dir/$rank: $!\n";
            symlink "$ENV{SKAMPI_BUILD}/tests/gpu/$drivers[$rank]", "$dir/$rank/$drivers[$rank]";
        }
        write_file( "$dir/own", <<"END" );
LD_LIBRARY_PATH=$dir/\${PMI_RANK:-\$OMPI_COMM_WORLD_RANK}:\$LD_LIBRARY_PATH exec $ENV{SKAMPI_PROGRAM} -q
END
        my $run = command( $dir, launcher(2), 'sh', "$dir/own" );
        is $run->{status}, 0, $case or diag $run->{err};
        like $run->{err}, qr/'p2p_G': skipped, .*\Q$case{$case}\E/, 'is the reason';
        like read_file("$dir/skampi.out"), qr/^# 2 cuda, left out: .*\Q$case{$case}\E/m,
          'also of what is varied';
    }
};

subtest 'skampi-launch starts again, too' => sub {
    my $dir = gpu_file(<<'END');
A { Type = 1; Stepwidth = 4096; }
B { Type = syncol_MPI_Scan; Parameters = "send_in=cuda"; }
END
    my @command =
      ( $ENV{SKAMPI_MPIRUN}, qw(-np 2), 'env', "LD_PRELOAD=$ENV{SKAMPI_BUILD}/tests/libaware.so" );
    my @launch = ( $^X, "$ROOT/report/launch.pl", qw(-n 2 --) );
    push @launch, @command, $ENV{SKAMPI_PROGRAM}, '-q', '-f', "$dir/.skampi";
    my $err = q{};
    local $ENV{LD_LIBRARY_PATH} = "$ENV{SKAMPI_BUILD}/tests/gpu";
    run \@launch, '<', \undef, '>', \my $out, '2>', \$err, init => sub { chdir $dir };
    is $? >> 8, 0, 'two launches' or diag $out, $err;
    my @results = glob "$dir/launches/*/*/skampi.out";
    is_deeply [ map { /^#\@FAILED (\S+)/m } map { read_file($_) } @results ], [ ('syncol_B') x 2 ],
      'each without the operation';
};

done_testing;
