# Words on the command line instead of a parameter file: what they mean, and what is wrong with them.
use v5.36;

use JSON::PP qw(decode_json);
use Test::More;
use SKaMPI::Install qw(root);
use SKaMPI::Test
  qw(blocks_of command scratch files_in manual_table skampi without_skips write_file);

my $dir = scratch();

sub config (@args) { return skampi( $dir, @args, '--print-config' ) }

# Words, and lines of the parameter file that they mean.
my @MEANINGS = blocks_of(<<'END');
allreduce :: Type = syncol_MPI_Allreduce;
MPI_ALLREDUCE :: Type = syncol_MPI_Allreduce;
col_mpi_bcast :: Type = col_MPI_Bcast;
47 :: Type = syncol_MPI_Bcast;
send :: Type = p2p_MPI_Send-MPI_Recv;
isend :: Type = p2p_MPI_Isend-MPI_Recv;
sendrecv :: Type = p2p_MPI_Sendrecv;
pingpong :: Type = p2p_MPI_Send-MPI_Recv;
MPI_Put :: Type = p2p_RMA_Put;
ibcast :: Type = overlap_MPI_Ibcast;
bcast-send-recv :: Type = syncol_MPI_Bcast_Send_Recv;
wtime :: Type = simple_MPI_Wtime;
neighbor_alltoall :: Virtual_Topology_Number = 1;
rma :: Type = p2p_RMA_sync; :: Type = syncol_RMA_Rget;
topic:persistent :: Type = syncol_Persistent_Bcast;
quick :: @NAMEOFRUN QuickLook
bcast reduce :: Type = syncol_MPI_Bcast; :: Type = syncol_MPI_Reduce;
bcast -m 64:1M :: Scale = Fixed_log;  Start_Argument = 64;  End_Argument = 1M;  Stepwidth = 2;
bcast -m 64:1M:4 :: Scale = Fixed_log;  Start_Argument = 64;  End_Argument = 1M;  Stepwidth = 4;
bcast -m 8:64:+8 :: Scale = Fixed_linear;  Start_Argument = 8;  End_Argument = 64;  Stepwidth = 8;
bcast -m 8,1K :: Parameters = "arguments=8,1K"; :: @MEMORY 64M
allreduce -m 8,1G :: @MEMORY 2G
allreduce -m 64M:256M :: @MEMORY 512M
allreduce barrier -m 33M :: @MEMORY 66M
bcast -m 8 --set root=each :: Parameters = "arguments=8 root=each";
bcast --vary processes -m 8,1K :: MPI_Bcast-* { :: Variation = Nodes; :: Default_Message_length = 8,1K;
bcast -t 10s :: @TIMERUN 0.166666667
bcast -t 2m :: @TIMERUN 2
bcast -t 600ms :: @TIMERUN 0.01
osu_bcast --as osu :: Type = syncol_MPI_Bcast; :: Parameters = "as=osu";
osu_latency :: Type = p2p_MPI_Send-MPI_Recv; :: Parameters = "as=osu";
put_bw --as osu -m 8,64 :: Parameters = "arguments=8,64 as=osu window=64 buffers=many";
pingpong --as imb :: Type = p2p_MPI_Send-MPI_Recv; :: Parameters = "as=imb";
quick -t 6 :: @TIMERUN 0.1
bcast --set root=each --set data=fresh :: Parameters = "root=each data=fresh";
bcast --set passes=1 :: Parameters = "passes=1";
bcast --set Parameters=passes=1 :: Parameters = "passes=1";
bcast --set Standard_error=0.01 :: Standard_error = 0.01;
bcast --set @MEMORY=1G :: @MEMORY 1G
bcast --set @LABEL=a=b=c --set @label=d=e :: @LABEL a=b=c :: @label d=e
quick --set @LABEL=a=b :: @LABEL a=b
END
for my $case (@MEANINGS) {
    my ( $words, @lines ) = @{$case};
    my $run = config( split q{ }, $words );
    is "$run->{status}$run->{err}", 0, "skampi $words";
    for my $line (@lines) {
        is scalar( () = $run->{out} =~ /^ *\Q$line\E/mg ), 1, "$words: $line";
    }
    my $plan = skampi( $dir, split( q{ }, $words ), '--check', '-q' );
    is $plan->{status} . without_skips( $plan->{err} ), 0, "$words: can be measured";
}
like config('bcast')->{out},           qr/^\@TIMEMEASDEFAULT/m, 'each argument has a time';
unlike config(qw(bcast -t 10))->{out}, qr/^\@TIMEMEASDEFAULT/m, 'or a part of that of the run';
for my $words ( 'bcast --set @MEMORY=1G', 'quick --set @MEMORY=1G' ) {
    is scalar( () = config( split q{ }, $words )->{out} =~ /^\@MEMORY/mg ), 1,
      "$words replaces a section";
}
is scalar( () = config(qw(quick -t 10))->{out} =~ /^\@TIMERUN/mg ), 1, 'as -t does';

# The type that each word stands for is in the order: p2p, synchronised, others.
my $list  = decode_json( skampi( $dir, '--list', '--json' )->{out} );
my @types = @{ $list->{types} };
cmp_ok scalar @types, '>', 200, 'the list as JSON';
my @present = map { $_->{type} } grep { !$_->{lacking} } @types;
my $all     = skampi( $dir, @present, qw(--check -q -n 4) );
is $all->{status},                                  0,               'every type is a word';
is scalar( () = $all->{out} =~ /^ +type [0-9]/mg ), scalar @present, 'which means one suite';

# The words are refused with this message, which points at their column.
sub is_refused ( $words, $column, $message ) {
    my $run   = skampi( $dir, split q{ }, $words );
    my $caret = q{ } x ( $column + 3 );
    is $run->{status}, 2, "$words: status";
    like $run->{err},
      qr/^command line:1:$column: .*\Q$message\E.*\n    skampi \Q$words\E\n$caret\^\n/m, $words;
    return $run;
}

# Wrong words and options, with their columns.
my @WRONG = blocks_of(<<'END');
alreduce :: 8 :: unknown word 'alreduce', did you mean 'Allreduce'?
xyzzy :: 8 :: unknown word 'xyzzy': not a type, operation, topic or shipped file
bcast -m 64:kB :: 20 :: expected a length, such as 64K, or a range, such as 8:64K, got 'kB'
bcast -m 8,1MB :: 19 :: write K, M or G
allreduce -m 8,3,8 :: 23 :: MPI_Allreduce sends multiples of 4 bytes: the next lengths are 0 and 4
bcast -m 1025K,1M,1025 :: 26 :: MPI_Bcast sends multiples of 4 bytes: the next lengths are 1K and 1028
alltoall -m 8,9G :: 22 :: messages of 9663676416 bytes among 2 processes are too long
allreduce -m 8,64M --set @MEMORY=1M :: 23 :: '@MEMORY 1024' allows 1048576: the longest that fits is
bcast -m 1:2:3:4 :: 17 :: expected MIN:MAX or MIN:MAX:STEP, got '1:2:3:4'
bcast -m 8:64 --vary nodes :: 17 :: with --vary, '8:64' is no range
bcast -m 8,-4 :: 19 :: expected a length, such as 64K, or a range, such as 8:64K, got '-4'
bcast -m 8-64K :: 17 :: or a range, such as 8:64K, got '8-64K'
bcast -m 8..64K :: 17 :: or a range, such as 8:64K, got '8..64K'
bcast -m :64K :: 17 :: or a range, such as 8:64K, got ''
bcast -t soon :: 17 :: expected a time such as 10s, 500ms or 2m, got 'soon'
bcast --set rot=each :: 20 :: unknown key, field or @SECTION 'rot', did you mean 'root'?
bcast --set root :: 20 :: expected NAME=VALUE, got 'root'
io :: 8 :: 'io' has several meanings: the topic 'topic:io' (files), the shipped file '-f io'
wtime --as osu :: 8 :: 'wtime' has no number of OSU 7.4 here, which has types 1,
bcast --as foo :: 19 :: expected osu or imb, got 'foo'
--print-config quick vt16 :: 23 :: 'quick' is a whole parameter file; give no other word
quick bcast :: 8 :: 'quick' is a whole parameter file; give no other word
quick --vary nodes :: 8 :: the suites of the shipped file 'quick' have their own arguments
osu_bcast reduce :: 8 :: unknown word 'osu_bcast', of OSU; here: the operation without osu_
END
for my $case (@WRONG) {
    my $run = is_refused( @{$case} );
    is $run->{out}, q{}, "$case->[0]: nothing else";
}
like config(qw(bcast --as osu -m 64K))->{err},
  qr/^command line:1:26: warning: '64K' is one length; OSU's .* here -m 1:64K$/m,
  'a maximum of OSU';
is config( qw(bcast --as osu -m), $_ )->{err}, q{}, "no maximum: -m $_" for '1:64K', '8,64K';

# Values that are wrong for a suite: the place is that of the value on the command line, once for all words.
my @OF_SUITES = blocks_of(<<'END');
bcast reduce --set root=everywhere :: 27 :: expected a rank, rotate or each, got 'everywhere'
bcast --set Multiple_of=x :: 32 :: expected an integer
bcast --set @MEMORY=x :: 28 :: expected an integer
bcast --set @LABEL=x :: 27 :: expected a label NAME=VALUE
bcast --vary moon :: 21 :: expected None, Length
wtime --set root=0 :: 20 :: 'root'
END
for my $case ( map { ( [ '--check', $_ ], [ '--print-config', $_ ] ) } @OF_SUITES ) {
    my ( $words, @place ) = @{ $case->[1] };
    my $run = is_refused( "$words $case->[0]", @place );
    like $run->{err}, qr/\A(?:[^\n]*\n){3}\z/, "$words: nothing else";
}

my @REFUSED = blocks_of(<<'END');
-f quick bcast :: unexpected 'bcast' beside the parameter file of -f
-m 8:64 :: option '--lengths' needs a word for what is measured
--status bcast :: unexpected 'bcast'; a parameter file is given with -f
--format xml bcast :: expected the format text, json or openmetrics, got 'xml'
bcast -o out.json :: -o writes results in skampi's own format; for JSON, write '--json > out.json'
END
for my $case (@REFUSED) {
    my ( $words, $message ) = @{$case};
    my $run = skampi( $dir, split q{ }, $words );
    is $run->{status}, 2, "$words: status";
    like $run->{err}, qr/^skampi: \Q$message\E/, $words;
}
is_deeply [ files_in($dir) ], [], 'no file is written';

subtest 'words and options of other programs' => sub {
    my @rows = @{ decode_json( skampi( $dir, '--catalog' )->{out} )->{foreign} };
    for my $row (@rows) {
        for my $word ( grep { $_ ne '-n' } split q{ }, $row->{words} =~ s/[*]/x/gr ) {
            my $run = skampi( $dir, $word =~ /^-/ ? 'bcast' : (), $word, '--check' );
            if ( $row->{here} =~ /\A(?:p2p|pairs|syncol)_/ ) {
                like $run->{out}, qr/^\Q$row->{here}\E$/m, "$word: the type";
            }
            else {
                like $run->{err}, qr/'\Q$word\E', of \Q$row->{whose}; here: $row->{here}\E$/m,
                  $word;
            }
        }
    }
    is scalar( () = manual_table('foreign') =~ /^\\skampiforeign/mg ), @rows, 'rows of the manual';
    like manual_table( root() . '/docs/man/skampi.1.pod' ),
      qr/^=item C<pingpong latency> [(]OSU, IMB[)]\n\np2p_MPI_Send-MPI_Recv$/m,
      'and of the page';
};

# Command lines of newcomers, and the type that is planned or what the error says to type.
my @PHRASES = blocks_of(<<'END');
pingpong -t 3s :: 1
MPI_Bcast -np 4 :: here: mpirun -np 2 skampi WORD
-n 2 bcast :: mpirun -np 2 skampi WORD
bcast,reduce :: words have blanks between them
allreduce -i 100 :: here: --set Max_Repetition=100
bw -d cuda :: here: --set send_in=cuda
allreduce -t 3 :: 61
allreduce --set op=MPI_MAX -t 2s --check :: prod, max
put -t 2s :: 201
Isend -t 2s :: 6
all -t 5s :: here: standard, quick
collectives -t 5s :: here: all-collectives
standard --check :: 47
allreduce --check :: 61
--check allreduce -m 8:1M -n 16 :: 61
threads -t 3s :: 160
halo -t 3s :: 185
allreduce -o /nonexistent/x.out -t 2s :: 61
allreduce :: mpirun -np 2 skampi
allreduce -m 0:1K -t 2s :: 61
pingpong -m 0 -t 2s :: 1
pingpong -m 0:1K -t 2s :: 1
bcast -b 8 -e 64K -f 2 :: here: -m 8:64K
-? :: here: --help
END
subtest 'phrases of newcomers' => sub {
    for my $case (@PHRASES) {
        my ( $words, $meaning ) = @{$case};
        my $is_type = $meaning =~ /\A\d+\z/;
        my $run =
          skampi( $dir, $is_type && $words !~ /--check/ ? '--check' : (), split q{ }, $words );
        is $run->{status}, $is_type ? 0 : 2, "$words: status" or diag $run->{err};
        like $is_type ? $run->{out} : $run->{err},
          $is_type ? qr{^ +type $meaning }m : qr/\Q$meaning\E/, $words;
    }
    is skampi( $dir, $_->[0] )->{out}, skampi( $dir, $_->[1] )->{out}, "@{$_}"
      for [qw(help --help)], [qw(list --list)], [qw(list -l)];
};

subtest 'WORD --help' => sub {
    my $help = skampi( $dir, qw(bcast --help) )->{out};
    like $help, qr/\A   47  syncol_MPI_Bcast +MPI_Bcast; counts=c\n  --vary: Length Nodes\b/,
      'what is measured and varied';
    like $help,   qr/^  --set KEY=VALUE:(?:\s+\w+)*\s+root\b/m,             'its keys';
    unlike $help, qr/usage:/,                                               'not the general help';
    like skampi( $dir, qw(osu_bw -h) )->{out},       qr/Stream_MPI_Isend/,  'a program of OSU';
    like skampi( $dir, qw(--help rma) )->{out},      qr/RMA_Put.*RMA_Get/s, 'a topic';
    like skampi( $dir, qw(quick --help) )->{out},    qr/mw_MPI_Waitsome/,   'a file';
    like skampi( $dir, qw(alreduce --help) )->{err}, qr/did you mean 'Allreduce'/, 'a slip';
};

subtest 'plans and states as JSON' => sub {
    my $plan =
      decode_json( skampi( $dir, split q{ }, 'bcast wtime -m 8,64 --check --json -n 4' )->{out} );
    is $plan->{schema}, 'skampi-plan/1', 'plan';
    is_deeply [ map { $_->{arguments} } @{ $plan->{suites} } ], [ [ 8, 64 ], [] ], 'arguments';
    is $plan->{processes}, 4, 'processes';
    ok $plan->{estimate_s} > 0, 'the estimate';
    my $status = decode_json( skampi( $dir, qw(-q -f quick --status --json) )->{out} );
    is "$status->{schema} $status->{state}", 'skampi-status/1 nothing', 'no run yet';
};

subtest 'standard input' => sub {
    my $text = config(qw(bcast -m 8))->{out};
    write_file( "$dir/a.skampi", $text );
    my $run = command( $dir, 'sh', '-c', "$ENV{SKAMPI_PROGRAM} -f - --check < a.skampi" );
    like $run->{out}, qr/^1 suite, .*\n\nsyncol_MPI_Bcast\n/, 'a parameter file';
    write_file( "$dir/a.skampi", '@NONSENSE' );
    $run = command( $dir, 'sh', '-c', "$ENV{SKAMPI_PROGRAM} -f - --check < a.skampi" );
    like $run->{err}, qr/^standard input:1:1: unknown section/, 'and its errors';
};

subtest 'sizes in a parameter file' => sub {
    my $suite =
      'A { Type = 17; Variation = Length; Scale = Fixed_log; Stepwidth = 2; Start_Argument = %s; }';
    for my $size ( '1K', '1KiB', '0.5k' ) {
        write_file( "$dir/a.skampi",
            sprintf "\@VERSION 4.1\n\@MEMORY 1M\n\@MEASUREMENTS\n$suite\n", $size );
        my $run   = skampi( $dir, '--check', 'a.skampi', '-q' );
        my $first = $size eq '0.5k' ? 512 : 1024;
        like $run->{out}, qr/^ *$first .*1048576$/m, $size;
    }
};

done_testing;
