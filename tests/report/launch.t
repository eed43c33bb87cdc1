# skampi-launch: the order of the launches, when it stops, failures, interruptions, and bad input. Jobs that
# are not started (SKaMPI::FakeJob) take the place of mpirun, where what is tested is not how programs start and end.
use v5.36;

use File::Path qw(make_path);
use IPC::Run   qw(start finish);
use POSIX      qw(mkfifo);
use Test::More;
use Time::HiRes qw(sleep);
use SKaMPI::FakeJob;
use SKaMPI::Base::Program qw(argument_range);
use SKaMPI::Generated     qw(launch_text);
use SKaMPI::ReportTest    qw(files_in tool workplace);
use SKaMPI::Test          qw($ROOT read_file refusals slurp write_file);

my $LAUNCH = "$ROOT/report/launch.pl";
local @SKaMPI::Prestarted::PERL = ( $^X, '-MSKaMPI::FakeJob' );

# A directory with these files, and with skampi-fake, which is started only to print a plan.
my $PLANS = <<'END';
#!/bin/sh
case $* in *--print-config*) [ -z "$DEAD" ] || kill -9 $$; exec "$SKAMPI_PROGRAM" "$@";; esac
echo "checked: $*" >> "${0%/*}/checked"; echo "$PLAN"
END

sub place (%files) {
    return workplace( 'skampi-fake' => $PLANS, %files );
}

sub launch ( $dir, @arguments ) {
    return tool( $dir, $^X, $LAUNCH, @arguments );
}

sub order ($dir) {
    return join q{ }, split /\n/, slurp("$dir/order");
}

subtest 'two configurations' => sub {
    my $dir = place( A => "WHO=A\n", B => "# slower\n\nWHO=B\nSLOWER=1.5\n" );
    my $run = launch( $dir, qw(-n 5 A B -- fake) );
    is "$run->{status} $run->{err}",                         '0 ',                  'status 0';
    is order($dir),                                          'A B B A A B B A A B', 'interleaved';
    is scalar( () = $run->{out} =~ /^[AB] \d: [\d.]+ s/mg ), 10, 'a line for each launch';
    like $run->{out}, qr/^a launch takes 1[.]00 s; at least 8 more: 8[.]00 s$/m,
      'what it will cost';
    like $run->{out}, qr/^A: 5 launches; widest interval [\d.]+ % at p2p_Suite01 \d+ B$/m,
      'the precision';
    like $run->{out},
      qr/^  standard deviation between launches [\d.]+ %, standard error within one [\d.]+ %: /m,
      'the components';
    like $run->{out},   qr/^BASE is A, NEW is B[.]$/m,      'which is which';
    like $run->{out},   qr/^6 points: 6 slower, 0 faster/m, 'the comparison';
    unlike $run->{out}, qr/one after the other|trend/,      'interleaved, without a trend';
    my $again = launch( $dir, qw(-n 5 A B -- fake) );
    is order($dir), 'A B B A A B B A A B', 'nothing is repeated';
    like $again->{out}, qr/^6 points: 6 slower/m, 'the same comparison';
    is launch( $dir, qw(-n 6 A B -q -- fake) )->{status}, 0, 'more launches';
    is order($dir),                                       'A B B A A B B A A B B A', 'are added';
};

subtest 'sizes' => sub {
    my %range = (
        '64'        => '64 64',
        '4K-1M'     => '4096 1048576',
        '-2KiB'     => '- 2048',
        '1.5K-'     => '1536 -',
        '512B-1GiB' => '512 1073741824',
    );
    is join( q{ }, map { $_ // q{-} } argument_range($_) ), $range{$_}, "'$_'" for sort keys %range;
    for my $text (qw(4kB 4-8KB 2mb 3k)) {
        my ( $number, $letter ) = $text =~ /([0-9])([a-z])b?\z/i;
        my $upper = uc $letter;
        is eval { argument_range($text) }, undef, $text;
        like $@,
          qr/is ambiguous: .* write $number$upper or $number${upper}iB for \d+ times $number$/,
          'and why';
    }
};

subtest 'when it stops' => sub {
    my $dir = place();
    my $run = launch( $dir, qw(-n 3 --until 10% -- fake) );
    is $run->{status}, 0, 'the goal is reached';
    my $count = () = order($dir) =~ /-/g;
    cmp_ok $count, '>', 3, "with $count launches";
    like $run->{out}, qr/^launches: $count launches; widest interval \d[.]\d % /m, 'the width';
    like $run->{out}, qr/at most 10 %, for at most 1h;/, 'it says so before it starts';
    $dir = place( C => "SPREAD=0.5\nSECONDS=10\n" );
    $run = launch( $dir, qw(-n 2 --until 1% --budget 60s C -- fake) );
    is $run->{status}, 3, 'the budget is spent';
    like $run->{err}, qr/\Askampi-launch: the budget is spent; add to --budget/, 'a message';
    like $run->{out}, qr/^C: 6 launches; widest interval/m,                      'with a summary';
    my $dir_of_points = place();
    is launch( $dir_of_points, qw(-n 2 --until 60% --points p2p_Suite01/4B -- fake) )
      ->{status},
      0, 'a single point';
};

subtest 'what it will cost' => sub {
    my $limited = 'time limits: at most 600.0 s for 3 suites';
    my $free    = 'time limits: none for 3 suites, of at most 900 repetitions';
    my $dir     = place( A => "PLAN=$limited\n", B => "PLAN=$free\n", none => "WHO=x\n" );
    my @command = ( 'srun', '-n', 3, "$dir/skampi-fake", '-f', 'x' );
    my $run     = launch( $dir, qw(-n 2 A --), @command );
    is $run->{status}, 0, 'another launcher' or diag $run->{err};
    like $run->{out}, qr/^time\ limits\ of\ a\ launch:\ at\ most\ 600[.]0\ s\ for\ 3\ suites\n
         2\ launches:\ measuring\ takes\ at\ most\ 20[.]0\ min\ by\ these\ limits;.*\n
         A\ 1:/mx, 'by the limits, before the first launch';
    is read_file("$dir/checked"), "checked: -f x --check -n 3\n",
      'skampi itself, for the number of processes';
    $run = launch( $dir, qw(-n 4 A --), @command );
    like $run->{out}, qr/^a launch takes 1[.]00 s; at least 2 more: 2[.]00 s$/m,
      'by earlier launches';
    like launch( $dir, qw(-n 4 A --), @command )->{out}, qr/^no launch is missing$/m,
      'nothing to do';
    $run = launch( $dir, qw(-n 2 -d other A B --), @command );
    like $run->{out},
      qr/^time limits of a launch of B: none for 3 .*\nthe first launch will show how long/m,
      'a suite without a limit';
    $run = launch( $dir, qw(-n 2 -d third none --), @command );
    like $run->{out}, qr/^time limits of a launch: unknown\n/m, 'a plan without this line';
    unlike launch( $dir, qw(-n 2 -q -d fourth none -- fake) )->{out}, qr/limits/, '--quiet';
};

subtest 'a launch with empty rows' => sub {
    my $dir = place(
        some  => "STATUS=1\n",
        none  => "STATUS=1\nEMPTY=[0-9]+\n",
        most  => "STATUS=1\nEMPTY=8|[12][0-9]\n",
        other => "STATUS=2\n"
    );
    my $run = launch( $dir, qw(-n 2 -d some_ some -- fake) );
    is $run->{status}, 0, 'is kept';
    like $run->{err},
qr/^skampi-launch: launch 2 of some exited with status 1; 6 of 6 rows have a time, so it is kept$/m,
      'with a message';
    for my $name (qw(none most other)) {
        is launch( $dir, qw(-n 2 -d), "${name}_", $name, q{--}, 'fake' )->{status}, 1,
          "$name: is not";
    }
    $run = launch( $dir, qw(--duet -n 8 -d duet some most -- fake) );
    like $run->{err}, qr/launch 8 of most exited .*; 1 of 6 rows have a time, so it is kept$/m,
      'a duet takes what there is';
    like $run->{out}, qr/^1 point: /m, 'and compares it';
};

subtest 'a busy machine' => sub {
    my $dir = place();
    local $ENV{PLAN} = "time limits: none\nrun time: about 7 s on a quiet machine";
    for my $case ( [ 10 => 0, 3 ], [ 100 => 3, 1 ] ) {
        my ( $seconds, $status, $count ) = @{$case};
        my @side = ( "SECONDS=$seconds", "$dir/skampi-fake" );
        my $run  = launch( $dir, '-d', $seconds, qw(-n 3 --quick none --), @side, q{--}, @side );
        is $run->{status}, $status, "$seconds s instead of 7 s: status $status";
        like $run->{out}, qr/^A: $count launch.*^B: $count launch/ms, 'with what was reached';
        like $run->{err}, $status ? qr/ended after 3 times what a quiet machine takes/ : qr/\A\z/,
          'and why';
    }
};

# A program that is started: it keeps its words, one a line, and writes results.
my $WORDS = <<'END';
printf '<%s>' "$WHO" "$@" >> ../../../order; echo >> ../../../order
cp ../../../results skampi.out
END

subtest 'arguments' => sub {
    my $dir = place(
        A          => "params=sub/p.skampi\nmpirun=sh\nbinary=words.sh\nWHO=a b\n",
        'words.sh' => $WORDS,
        results    => launch_text( [1] ),
        '.skampi'  => "\@VERSION 4.1\n",
    );
    mkdir "$dir/sub" or die "sub: $!\n";
    write_file( "$dir/sub/p.skampi", q{} );
    my @words = ( '$(touch x)', q{a ' b}, '*', '--until', './words.sh', 'p.skampi', '{other}' );
    my $run   = launch( $dir, qw(-n 1 A -- {mpirun} {binary} {params}), @words );
    is "$run->{status} $run->{err}", '0 ', 'status 0';
    my $wanted =
      "<a b><$dir/sub/p.skampi><\$(touch x)><a ' b><*><--until><$dir/words.sh><p.skampi><{other}>";
    is order($dir), $wanted, 'without a shell';
    is readlink "$dir/launches/A/1/.skampi", "$dir/.skampi",
      'the parameter file of the working directory';
    $dir = place( B => "OUT=results.txt\n" );
    is launch( $dir, qw(-n 2 B -- fake) )->{status}, 0, 'another name of the result file';
};

subtest 'quick' => sub {
    my $dir   = place();
    my @fakes = map { [ 'env', "WHO=$_->[0]", "SLOWER=$_->[1]", "$dir/skampi-fake" ] } [ a => 1 ],
      [ b => 1.5 ];
    my @words = ( @{ $fakes[0] }, q{--}, @{ $fakes[1] } );
    my $run   = launch( $dir, qw(-d here --quick), 'Allreduce -m 8:64', q{--}, @words );
    is "$run->{status} $run->{err}", '0 ', 'two commands';
    is order($dir),
      join( q{ },
        map { "$_ <-q> <-o> <skampi.out> <Allreduce> <-m> <8:64>" } qw(a b b a a b b a a b) ),
      'interleaved, with the words at the end';
    like $run->{out},
qr/\n\nB is 1[.]\d+ times slower than A [(]1[.]\d+ to\s1[.]\d+[)],\scertainly\sfrom\s\d+\sB\sto\s\S+\sK?i?B[.]\n\z/,
      'it ends with the answer';
    unlink "$dir/order";
    my @own = ( @{ $fakes[0] }, qw(bcast --), @{ $fakes[1] }, qw(-o skampi.out) );
    my $own = launch( $dir, qw(-n 2 -d own --), @own );
    is order($dir),
      'a <bcast> <-q> <-o> <skampi.out> b <-o> <skampi.out> '
      . 'b <-o> <skampi.out> a <bcast> <-q> <-o> <skampi.out>',
      'two commands with their own words';
    like $own->{out}, qr/\n\nNo verdict: at least \d launches/, 'and their comparison';
    unlink "$dir/order";
    my $back =
      launch( $dir, qw(-d back --quick Allreduce --), @{ $fakes[1] }, q{--}, @{ $fakes[0] } );
    like $back->{out}, qr/\n\nB is 1[.]\d+ times faster than A [(]1[.]/, 'the other way round';
    unlink "$dir/order";
    my $equal = launch(
        $dir,
        qw(-n 8 -d equal --quick Allreduce --),
        @{ $fakes[0] },
        q{--}, 'env', 'SPREAD=0.001', @{ $fakes[0] }
    );
    like $equal->{out},
      qr{\n\nB / A is [\d.]+ [(][\d.]+ to\s[\d.]+[)],\s(?:equal\swithin\s5\s%|undecided:)},
      'no difference';
    my $few = launch( $dir, qw(-n 2 -d few --quick Allreduce --), @words );
    like $few->{out},
      qr/\n\nNo verdict: at least \d launches a side are needed for\sverdicts[.]\n\z/,
      'too few launches';
    my $one = launch( $dir, qw(-n 2 -d one --quick Bcast --), @{ $fakes[0] } );
    is $one->{status}, 0, 'a single command';
    unlike $one->{out}, qr/^BASE is/m, 'is compared with nothing';
    like $one->{out},
qr/\n\n  suite +argument +time  95 % between launches\n  p2p_Suite01 .* to .* us\n(?: {9}.*\n)+\z/,
      'it ends with the times and their intervals';
    my $single = launch( $dir, qw(-n 1 -d single --quick Bcast --), @{ $fakes[0] } );
    unlike $single->{out}, qr/\b1 launches\b/, 'a single one';
    like $single->{out}, qr/\n  suite +argument +time +error\n  p2p_Suite01 .* [0-9.]+ %\n/,
      'of a single launch with their errors';
    my $cut = launch( $dir, qw(--budget 1s -d cut --quick Bcast --), @words );
    is $cut->{status}, 3, 'a budget that ends after the first of two commands';
    like $cut->{out}, qr/\n  suite +argument +time +error\n  p2p_Suite01 .* [0-9.]+ %\n/,
      'has its times';
    my $both = launch( $dir, qw(-n 1 -d both --quick Bcast --), @words );
    like $both->{out}, qr/\n\nNo verdict: each side is a single launch; /, 'and no verdict';
    refusals( <<'END', sub (@words) { launch( $dir, map { $_ eq 'EMPTY' ? q{} : $_ } @words ) } );
2 --quick EMPTY -- a : --quick: expected a word such as Bcast$
2 --quick Bcast -- a -- b -- c : expected one or two commands: -- A or -- A -- B$
2 --quick Bcast -- a -- : expected one or two commands
2 --quick Bcast file -- a : expected -- and a command, got 'file'$
END
    my $unknown = launch( $dir, qw(--quick Alreduce --), $ENV{SKAMPI_PROGRAM} );
    is $unknown->{status}, 2, 'an unknown word';
    like $unknown->{err}, qr/--quick: unknown word 'Alreduce', did you mean 'Allreduce'[?]$/,
      'and why';
};

subtest 'the same arguments in all launches' => sub {
    my $file = sub ($suite) { return "\@VERSION 4.2\n\@MEASUREMENTS\n$suite\n" };
    my $dir  = place(
        A           => "WHO=A\n",
        B           => "WHO=B\nDEAD=1\n",
        'my.skampi' =>
          $file->('A { Type = 47; } B { Type = 47; Variation = Nodes; Scale = Dynamic_linear; }'),
        '.skampi' => $file->('C { Type = 47; Scale = dynamic_log; Max_Steps = 9; }'),
        bad       => $file->('A { Typ = 47; }')
    );
    my $scales = sub ($path) {
        return join q{ }, read_file("$dir/$path") =~ /^(\w+) .*? Scale = (\w+);/mg;
    };
    launch( $dir, qw(-n 2 A B --), "$dir/skampi-fake", qw(-q -f my.skampi) );
    like order($dir), qr{\AA <-q> <-f> <$dir/launches/A/my-fixed[.]skampi> B },
      'the file of the command is replaced';
    is $scales->('launches/B/my-fixed.skampi'), 'A Fixed_log B Fixed_linear',
'by one without refinement, also where that is the default, and if only another skampi prints it';
    unlink "$dir/order";
    launch( $dir, qw(-n 2 -d dot A B --), "$dir/skampi-fake" );
    is $scales->('dot/A/1/.skampi'), 'C Fixed_log', 'as is that of the directory';
    my $bad = launch( $dir, qw(-n 2 -d bad.d A B --), "$dir/skampi-fake", '-f', "$dir/bad" );
    is $bad->{status}, 2, 'a file that skampi refuses';
    like $bad->{err}, qr{\Askampi-launch: $dir/bad:3:5: unknown field 'Typ'}, 'where it is wrong';
    unlink "$dir/order";
    launch( $dir, qw(-n 2 --refine -d refined A B --), "$dir/skampi-fake", qw(--file=my.skampi) );
    like order($dir), qr{\AA <--file=my[.]skampi> B }, 'not with --refine';
    unlink "$dir/order";
    launch( $dir, qw(-n 2 -d alone A --), "$dir/skampi-fake", qw(-f my.skampi) );
    like order($dir), qr{\AA <-f> <$dir/my[.]skampi> A }, 'or if nothing is compared';
    unlink "$dir/order";
    launch( $dir, qw(-n 2 -d ships A B --), "$dir/skampi-fake", qw(-f quick) );
    like order($dir), qr{\AA <-f> <$dir/ships/A/quick-fixed[.]skampi> B }, 'one that ships';
};

subtest 'failures' => sub {
    my $dir = place( A => "FAIL=2\n" );
    my $run = launch( $dir, qw(-n 2 A -- fake) );
    is $run->{status}, 0, 'a launch that fails once';
    like $run->{err},
qr/\Askampi-launch: launch 2 of A failed: exited with status 7; see .*failed-1\/launch[.]log\n/,
      'a message';
    like $run->{err}, qr/^skampi-launch:     this is launch 2$/m, 'with the end of its log';
    is_deeply [ files_in("$dir/launches/A") ], [qw(1 2 2.failed-1)], 'it is kept';
    $dir = place( A => "FAIL=1,2\n" );
    $run = launch( $dir, qw(-n 2 A -- fake) );
    is $run->{status}, 1, 'one that fails twice';
    like $run->{err}, qr/launch 1 of A failed 2 times; start again to go on$/m, 'a message';
    is launch( $dir, qw(-n 2 A -- fake) )->{status}, 0, 'started again';
    $dir = place( A => "HANG=1\n" );
    $run = launch( $dir, qw(-n 2 --timeout 1s A -- fake) );
    is $run->{status}, 0, 'one that hangs once';
    like $run->{err}, qr/launch 1 of A failed: took longer than 1 s/, 'a message';

    for my $case (
        [ ['true'],                         'it wrote no result file' ],
        [ ['no-such-program'],              'status 127' ],
        [ [ 'cp', "$dir/A", 'skampi.out' ], 'not a result file' ]
      )
    {
        my ( $command, $message ) = @{$case};
        my $empty = place();
        my $got   = launch( $empty, '-n', 2, q{--}, @{$command} );
        is $got->{status}, 1, "@{$command}";
        like $got->{err}, qr/\Q$message\E/, 'a message';
    }
};

sub wait_for ($is) {
    sleep 0.02 while !$is->();
    return;
}

sub is_running ($process) {
    return ( eval { slurp("/proc/$process/stat") } // q{} ) =~ /[)] [^ZX]/;
}

subtest 'interrupted' => sub {
    my $dir     = place( A => "HANG=2\n" );
    my $harness = start [ $^X, '-MSKaMPI::FakeJob', $LAUNCH, qw(-n 3 A -- fake) ], '<', \undef,
      '>', \my $out, '2>', \my $err, init => sub { chdir $dir };
    wait_for( sub { slurp("$dir/launches/launch.lock") =~ /\n/ } );
    my $other = launch( $dir, qw(-n 3 A -- fake) );
    is $other->{status}, 2, 'a second one at the same time';
    like $other->{err}, qr/process \d+ of an earlier start still works in 'launches'/, 'is refused';
    $harness->signal('INT');
    finish $harness;
    is $? >> 8, 130, 'the status shows the signal';
    like $err, qr/ended by SIGINT; start again with the same command to go on/, 'a message';
    is_deeply [ files_in("$dir/launches/A") ], [qw(1 2.failed-1)],
      'the launch is not kept as complete';
    is launch( $dir, qw(-n 3 A -- fake) )->{status}, 0, 'started again';
    is_deeply [ files_in("$dir/launches/A") ], [qw(1 2 2.failed-1 3)], 'it goes on';
    my $path = "$dir/launches/A/2/skampi.out";
    my $some = read_file($path) =~ s/^(#\@TYPE .*)/$1\n#\@PASSES 3 of 10 visits: so far/mr;
    write_file( $path, $some =~ s/^.*finished[.]\n\z//mr );
    is launch( $dir, qw(-n 3 A -- fake) )->{status}, 0,
      'a launch that was killed, with some visits';
    is_deeply [ files_in("$dir/launches/A") ], [qw(1 2 2.failed-1 2.failed-2 3)], 'is made again';
};

# The program that it has started ends too; if that ignores the signal, the next start waits for the user.
subtest 'killed' => sub {
    for my $case ( [ TERM => q{-}, 0 ], [ 'TERM ignored' => q{''}, 2 ] ) {
        my ( $what, $action, $status ) = @{$case};
        my $dir =
          place( 'slow.sh' =>
              "trap $action TERM; echo \$\$ > ../../../pid; [ -e ../../../go ] || exec sleep 10000"
          );
        my @words   = qw(-n 2 -- sh ./slow.sh);
        my $harness = start [ $^X, $LAUNCH, @words ], '<', \undef, '>', \my $out, '2>', \my $err,
          init => sub { chdir $dir };
        wait_for( sub { slurp("$dir/pid") =~ /\n/ && slurp("$dir/launches/launch.lock") =~ /\n/ } );
        $harness->signal('KILL');
        finish $harness;
        my ($process) = read_file("$dir/pid") =~ /(\d+)/;
        wait_for( sub { !is_running($process) } ) if !$status;
        is is_running($process) ? 2 : 0, $status, "$what: whether the program still works";
        write_file( "$dir/go", q{} );
        my $next = launch( $dir, @words );
        my $said = qr/process $process of an earlier start still works .*: kill $process$/m;
        if   ($status) { like $next->{err},   $said, 'the next start says so' }
        else           { unlike $next->{err}, $said, 'the next start measures' }
        kill 'KILL', $process if $status;
    }
};

# The first run is stopped before it opens its pipe, the second one fails; both have little time.
subtest 'a duet' => sub {
    my $dir = place(
        A         => "WHO=A\n",
        B         => "WHO=B\n",
        'side.sh' => <<'END',
for pipes; do :; done
stat -c '%F %a' "${pipes%%:*}" >> ../../../seen
[ "$WHO" = B ] && exit 7
kill -STOP $$
END
        'Hasty.pm' => <<'END' );
use SKaMPI::Launch::Session;
$SKaMPI::Base::Process::PATIENCE_S = $SKaMPI::Launch::Session::BEGIN_S = 0.1;
END
    my $left = "$dir/launches/.duet-abcdef";
    make_path($left);
    mkfifo( "$left/0", oct 600 ) or die "mkfifo: $!\n";
    write_file( "$dir/launches/A.pipe", "mine\n" );
    my $run = tool( $dir, $^X, "-I$dir", '-MHasty', $LAUNCH, qw(--duet A B -- sh), "$dir/side.sh" );
    is $run->{status}, 1, 'one that stops, and one that fails';
    like $run->{err},
qr/^skampi-launch: launch 1 of A has not begun within 0[.]1 s; .* 1 of B begins nevertheless$/m,
      'the first one is not waited for';
    like $run->{err},
      qr/^skampi-launch: launch 1 of B failed; launch 1 of A has \S+ m?s to end, too$/m,
      'nor when the other one has failed';
    is slurp("$dir/seen"), "fifo 600\n" x 4, 'pipes of this user only';
    is_deeply [ grep { /pipe|duet/ } files_in("$dir/launches") ], ['A.pipe'], 'none is left';
    is read_file("$dir/launches/A.pipe"), "mine\n", q{the user's file remains};
};

subtest 'a failed launch' => sub {
    my $frame = '-' x 60;
    my $dir =
      place( 'bad.sh' =>
"echo 'skampi: this is wrong' >&2\necho $frame\necho a process ended\necho $frame\nexit 1\n"
      );
    my $run = launch( $dir, qw(-n 2 -- sh ./bad.sh) );
    like $run->{err},
      qr/launch[.]log\nskampi-launch:     skampi: this is wrong\nskampi-launch: launch 1/,
      q{skampi's message, without the launcher's};
    is launch( $dir, qw(-n 2 -- fake) )->{status}, 0, 'a command that is mended may start';
};

subtest 'a drift' => sub {
    my $dir = place( A => "DRIFT=0.05\n" );
    my $run = launch( $dir, qw(-n 6 A -- fake) );
    like $run->{out},
      qr/^  warning: A has a trend over time: \+\d+[.]\d % from the first to the last launch/m,
      'a warning';
};

subtest 'bad input' => sub {
    my $dir = place( A => "WHO=A\n", file => q{} );
    refusals( <<'END', sub (@words) { launch( $dir, @words ) } );
2 : expected -- and a command
2 -n 3 srun -n 2 skampi : expected -- before the command: skampi launch -n 3 -- srun -n 2 skampi
2 A : expected -- and a command
2 A -- : expected -- and a command
2 guard base.json : such as: skampi guard base[.]json --
2 none -- true : cannot read 'none'
2 A ./A -- true : two configurations are called 'A'
2 -n 0 -- true : at least 1, got 0
2 -n 1 --until 5% -- true : at least 2, got 1
2 --until 3 -- true : --until: expected a percentage
2 --budget 20 -- true : --budget: expected a time such as 90s, 20m or 1h30m, got '20'
2 --points a/b -- true : --points a/b: expected a number such as 512, 64K
2 --points a/- -- true : --points a/-: expected an argument or a range
2 --value mean -- true : --value: expected max,
2 A -- true {params} : contains [{]params[}], but 'A' has no line params=
2 -- {binary} : contains [{]binary[}], but 'the command line' has no line
END
    my @files = (
        [ "WHO\n",             q{1:1: expected KEY=VALUE, got 'WHO'} ],
        [ "\nA B=1\n",         q{2:1: expected KEY=VALUE, got 'A B=1'} ],
        [ "=1\n",              q{1:1: expected KEY=VALUE} ],
        [ "A=1\nA=2\n",        q{2:1: 'A' is given twice} ],
        [ "params=\n",         q{1:8: 'params' has no value} ],
        [ "  params=no/p\n",   q{1:10: './no/p' does not exist} ],
        [ "params=p.skampi\n", q{1:8: './p.skampi' does not exist} ],
        [ "A=a\0b\n",          q{1:3: the value contains a NUL byte} ],
        [
            "params=quick\n",
            q{'bad' has a line params=..., but the command does not contain {params}}
        ],
    );
    for my $case (@files) {
        my ( $text, $message ) = @{$case};
        write_file( "$dir/bad", $text );
        refusals( "2 bad -- true : \Q$message\E\n", sub (@words) { launch( $dir, @words ) } );
    }
    ok !-e "$dir/launches", 'nothing is made';
    is launch( $dir, '-d', 'file', '--', 'true' )->{status}, 1, 'a file instead of a directory';
    launch( $dir, qw(-n 2 A -- fake) );
    my $got = launch( $dir, qw(-n 2 A -- fake more) );
    is $got->{status}, 2, 'another command';
    like $got->{err},
      qr/has launches of another command or configuration; choose another directory/, 'a message';
    write_file( "$dir/launches/launch.json", '{"schema":' );
    is launch( $dir, qw(-n 2 A -- fake) )->{status}, 2, 'a damaged state';
};

done_testing;
