# skampi --check: the plan of a parameter file, without measuring and without mpirun.
use v5.36;

use Test::More;
use SKaMPI::Test
  qw($ROOT blocks_of read_file files_in golden command skampi plan_of without_skips workplace);

my $CONFIGS = "$ROOT/configs";
my $PLAN    = "$ROOT/tests/cli/data/plan.skampi";
my $HEAD    = "\@VERSION 4.1\n\@MEMORY 64\n\@MEASUREMENTS\n";

# Runs in a directory with only this parameter file, which must stay the only file.
sub check ( $text, @args ) {
    my $dir = workplace( 'p.skampi' => $text );
    my $run = skampi( $dir, @args );
    is_deeply [ files_in($dir) ], ['p.skampi'], 'no other file is written';
    return $run;
}

# The first file has each line once, the second one the lines that differ from those of the first.
my ( @first, %seen );
for my $n ( 2, 16 ) {
    subtest "the plan for $n processes" => sub {
        my $run   = check( read_file($PLAN), '--check', 'p.skampi', '-n', $n );
        my @lines = split /\n/, $run->{out} =~ s/ 0 4 8 12 [\d\s]+ 792 796 (?=and)/ 0 ... 796 /r;
        is scalar @lines, 104, 'as many lines';
        my @new =
          @first
          ? map { $lines[$_] eq $first[$_] ? () : $_ + 1 . ": $lines[$_]" } keys @lines
          : grep { !$seen{$_}++ } @lines;
        my $golden = golden( "$ROOT/tests/cli/data/plan-$n.txt", join q{}, map { "$_\n" } @new );
        is_deeply \@new, [ split /\n/, $golden ], 'the plan';
        @first = @lines;
        my @warnings = $run->{err} =~ /warning: (.*)/g;
        is "$run->{status} @warnings", $n == 2
          ? '0 '
          : "0 suite 'syncol_nodes-alltoall': End_Argument 16 (Max_Value) needs more than"
          . q{ '@MEMORY 1024': the last argument is 8}, 'all processes, or a warning';
        my $plan = plan_of( $run->{out} );
        is scalar keys %{$plan}, 17, 'every suite';
        is "@{ $plan->{'col_length-many'}{arguments} }", join( q{ }, map { 4 * $_ } 0 .. 199 ),
          'the first of many arguments';
        cmp_ok $plan->{$_}{kib}, '<=', 1024, "$_: at most \@MEMORY" for sort keys %{$plan};
        is_deeply [ grep { length > 100 } split /\n/, $run->{out} ], [], 'at most 100 columns';
    };
}

subtest 'ways to name the file' => sub {
    my $text  = read_file($PLAN);
    my $plan  = check( $text, '--check', 'p.skampi' )->{out};
    my @asked = (
        ['--check=p.skampi'], [ '-c', 'p.skampi' ],
        ['-cp.skampi'],
        [ '-f',      'p.skampi',        '--check' ],
        [ '--check', '--file=p.skampi', '--processes=2' ],
        [ '-q',      '-c',              'p.skampi', '-n2' ],
    );
    for my $args (@asked) {
        is check( $text, @{$args} )->{out}, $plan, "@{$args}";
    }
    my $dir = workplace( '.skampi' => $text );
    is skampi( $dir, '--check' )->{out}, $plan, 'without a name: .skampi';
};

subtest 'time limits' => sub {
    my $suite = 'Variation = Length; Scale = Fixed_linear; Start_Argument = 4; End_Argument = 40; '
      . 'Stepwidth = 4; Max_Repetition = 20;';
    my @cases = blocks_of(<<'END');
none ::  ::  :: none for 1 suite, of at most 200 repetitions
of a measurement :: Time_Measurement = 0.01; ::  :: at most 6.0 s for 1 suite
and an overhead :: Time_Measurement = 0.01; :: @ABSOLUTE yes :: at most 12.0 s for 1 suite
of a suite :: Time_Suite = 0.05; ::  :: at most 3.0 s for 1 suite
of both :: Time_Measurement = 0.01; Time_Suite = 0.05; ::  :: at most 3.6 s for 1 suite
a longer one of a suite :: Time_Measurement = 0.01; Time_Suite = 9; ::  :: at most 6.0 s for 1 suite
of one of two :: Time_Suite = 1; B ::  :: at most 60.0 s for 1 suite; none for 1 suite, of at most 200 repetitions
END
    for my $case (@cases) {
        my ( $name, $limits, $section, $wanted ) = @{$case};
        $limits =~ s/B\z/}\nB { Type = 1; $suite/;
        my $text  = $HEAD =~ s/(?=\@MEAS)/$section\n/r . "A { Type = 1; $suite $limits }\n";
        my $run   = check( $text, '--check', 'p.skampi' );
        my ($got) = $run->{out} =~ /^time limits: (.*)/m;
        is $got, $wanted, $name;
    }
};

subtest 'suites that are skipped take no time' => sub {
    local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 0;
    my $one = 'Scale = Fixed_log; Start_Argument = 8; End_Argument = 8; Stepwidth = 2;';
    my $run =
      check( "${HEAD}A { Type = 47; $one Parameters = \"algorithm=3\"; }\nB { Type = 1; $one }\n",
        '--check', 'p.skampi', '-n', '2' );
    plan skip_all => 'this library can set algorithms' if $run->{err} !~ /skipped/;
    like $run->{out}, qr/^time limits: none for 1 suite, of at most 20 repetitions$/m,
      'that of the one that is measured';
};

subtest 'visits of few repetitions' => sub {
    for my $case ( [ 5, q{} ], [ 6, 'Max_Repetition = 24' ], [ 1000, 'Max_Repetition = 4000' ] ) {
        my ( $passes, $advice ) = @{$case};
        my $run = check( "${HEAD}A { Type = 1; Parameters = \"passes=$passes\"; }\n",
            '--check', 'p.skampi' );
        is $run->{err} =~ /:[0-9]+:[0-9]+: warning: suite 'p2p_A': passes=$passes .*, or (.*)/
          ? $1
          : q{}, $advice, "passes=$passes";
    }
};

subtest 'the run time, estimated' => sub {
    my $scale  = 'Scale = Fixed_linear; Start_Argument';
    my %fields = (
        SUITE  => "Variation = Length; $scale = 0; End_Argument = 36; Stepwidth = 4;",
        WINDOW => "Type = 165; Variation = Window; $scale = 64; End_Argument = 64;",
    );
    my @cases = blocks_of(<<'END');
by the limit of time :: SUITE Time_Measurement = 0.1; :: 1000000 :: 61
of the suite :: SUITE Time_Measurement = 0.1; Time_Suite = 0.06; :: 1000000 :: 4
by repetitions :: SUITE Standard_error = 0.0003; Cut_Quantile = 0.25; :: 15000 :: 3
by Max_Repetition :: SUITE :: 20 :: 1
with passes :: SUITE Time_Measurement = 0.1; Parameters = "passes=2"; :: 1000000 :: 61
the turns of an overlap :: Type = 300; SUITE Standard_error = 0.0003; Cut_Quantile = 0.25; :: 15000 :: 8
no longer than its limit :: Type = 300; SUITE Time_Measurement = 0.1; :: 1000000 :: 61
of windows :: WINDOW Default_Message_length = 1024; Standard_error = 0.00001; Cut_Quantile = 0.25; :: 1000000 :: 12
END
    for my $case (@cases) {
        my ( $name, $fields, $most, $wanted ) = @{$case};
        $fields =~ s/(SUITE|WINDOW)/$fields{$1}/;
        my $type = $fields =~ /^Type/ ? q() : 'Type = 1;';
        my $run =
          check( "${HEAD}A { $type Max_Repetition = $most; $fields }\n", '--check', 'p.skampi' );
        my ( $min, $s ) =
          $run->{out} =~ /^run time: about (?:([0-9]+):)?([0-9]+) (?:s|min) on a quiet/m;
        is 60 * ( $min // 0 ) + ( $s // -1 ), $wanted, $name;
    }
};

# Trees, rings and doubling do not combine in the order of the ranks; the library's calls do.
subtest 'a reduction that is not commutative' => sub {
    my $refused = 0;
    for my $type ( 341, 346, 347, 401, 406, 407, 36, 54 ) {
        my $run = check( "${HEAD}A { Type = $type; Parameters = \"op=user_noncommutative\"; }\n",
            '--check', 'p.skampi' );
        is $run->{status}, $type > 100 ? 2 : 0, "type $type";
        $refused++
          if $run->{err} =~ /:[45]:30: type '\w+' cannot combine by 'op=user_noncommutative'; for/;
    }
    is $refused, 6, 'with the reason';
};

# Arguments that cannot be planned or counted cannot be measured: they are refused beforehand.
subtest 'arguments beyond all bounds' => sub {
    my $bytes = 'Send_Datatype_Number = 1; Receive_Datatype_Number = 1; Multiple_of = 1;';
    my @cases = blocks_of(<<'END');
Type = 17; BYTES Scale = Fixed_linear; :: 1024000001 arguments
Type = 17; BYTES Scale = Dynamic_linear; :: 1024000001 arguments
Type = 10; Variation = Chunks; End_Argument = 2147483648; :: 2147483648
Type = 10; Variation = Chunks; Scale = Fixed_log; End_Argument = 10000000000; :: 10000000000
Type = 10; Variation = Chunks; Scale = Fixed_log; End_Argument = 1000000;
END
    for my $case (@cases) {
        my ( $fields, $complaint ) = @{$case};
        $fields =~ s/BYTES/$bytes/;
        my $run = check( "\@VERSION 4.1\n\@MEMORY 1000000\n\@MEASUREMENTS\nA { $fields }\n",
            '--check', 'p.skampi' );
        is $run->{status}, $complaint ? 2 : 0, $fields;
        like $run->{err}, $complaint ? qr/p[.]skampi:4:\d+: .*$complaint/ : qr/\A\z/,
          $complaint ? 'refused' : 'no complaint';
    }
};

# Open MPI lets algorithms be chosen with this setting only.
local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;
for my $path ( glob "$CONFIGS/*.skampi" ) {
    subtest $path => sub {
        my ($memory) = read_file($path) =~ /^\@MEMORY (\d+)/m;
        for my $n ( $path =~ /16/ ? ( 16, 17 ) : ( 2, 3, 4, 16 ) ) {
            my $run = check( q{}, '--check', $path, '-n', $n );
            is "$run->{status} " . without_skips( $run->{err} ), '0 ', "$n processes: no complaint";
            like $run->{out}, qr/\A\d+ suites, planned for $n processes/, 'planned for that number';
            my $plan = plan_of( $run->{out} );
            my @more = grep { ( $plan->{$_}{kib} // 0 ) > $memory } keys %{$plan};
            is_deeply \@more, [], 'at most @MEMORY';
        }
    };
}

# The instructions that the plan of this number of suites needs.
sub instructions ($count) {
    my $dir = workplace(
        'p.skampi' => "\@VERSION 4.1\n\@MEASUREMENTS\n" . join q{},
        map { "S$_ { Type = 24; }\n" } 10_001 .. 10_000 + $count
    );
    my $run = command(
        $dir,
        qw(valgrind --tool=cachegrind --cache-sim=no),
        '--cachegrind-out-file=/dev/null',
        $ENV{SKAMPI_PROGRAM}, '--check', 'p.skampi'
    );
    like $run->{out}, qr/\A$count suites/, "$count suites are planned";
    return $run->{err} =~ /I\s+refs:\s+([0-9,]+)/ ? $1 =~ tr/,//dr : 0;
}

subtest 'many suites' => sub {
    plan skip_all => 'valgrind runs no ASan' if $ENV{SKAMPI_PROGRAM} =~ /-asan/;
    plan skip_all => 'valgrind is missing' if !grep { -x "$_/valgrind" } split /:/, $ENV{PATH};
    my ( $few, $more, $most ) = map { instructions($_) } 1000, 2000, 4000;
    cmp_ok + ( $most - $more ) / 2 / ( $more - $few ), '<', 1.03,
      'the work grows with their number, not its square';
};

done_testing;
