# The usual values by a baseline: the interval, which runs make one, and what skampi-show, dorep and the program print.
use v5.36;

use Test::More;
use SKaMPI::Generated         qw(launch_text normal random_from);
use SKaMPI::ReportTest        qw(tool workplace);
use SKaMPI::Test              qw($ROOT command read_file write_file);
use SKaMPI::Verdict::Baseline qw(read_baseline);
use SKaMPI::Verdict::Usual    qw(level_of times_usual usual_of);

local $ENV{COLUMNS} = 120;
delete local $ENV{SKAMPI_BASELINE};

sub compare ( $dir, @words ) { return tool( $dir, $^X, "$ROOT/report/compare.pl", @words ) }
sub show    ( $dir, @words ) { return tool( $dir, $^X, "$ROOT/report/show.pl",    @words ) }

# Limits from tables of Student's t, as in tests/unit/health/baseline_test.c.
subtest 'the interval' => sub {
    my $usual = usual_of( [ 1, 2, 1, 2, 1, 2, 1, 2 ], [ 'a' .. 'h' ] );
    my $sd    = log(2) * sqrt( 2 / 7 * 9 / 8 );
    is $usual->{freedom}, 7, 'degrees of freedom';
    cmp_ok abs( $usual->{deviation} - $sd ), '<', 1e-12, 'deviation';
    for my $case ( [ 0.05, 2.364624 ], [ 0.001, 5.407883 ] ) {
        my ( $level, $t ) = @{$case};
        ok times_usual( $usual,  exp( log(2) / 2 + 1.0001 * $t * $sd ), $level ), "beyond, $level";
        ok !times_usual( $usual, exp( log(2) / 2 + 0.9999 * $t * $sd ), $level ), "within, $level";
    }
    my $of_hosts = usual_of( [ 1, 1, 1, 2, 2, 2, undef, 1, 1, 1 ], [qw(a a a b b b b c c c)] );
    is $of_hosts->{freedom}, 2, 'hosts count, not runs';
    cmp_ok abs( $of_hosts->{deviation} - 2 / 3 * log 2 ), '<', 1e-9, 'their deviation';
    is usual_of( [ (1) x 7 ], [ 'a' .. 'g' ] )->{deviation},        undef, 'seven runs';
    is usual_of( [ (1) x 8 ], [qw(a a a a b b b b)] )->{deviation}, undef, 'two hosts';
    is usual_of( [undef],     ['a'] ),                              undef, 'no run';
    my $same = usual_of( [ (2) x 8 ], [qw(a b c a b c a b)] );
    is times_usual( $same, 2.09, 0.05 ), undef, 'a difference that does not matter';
    is times_usual( $same, 1,    0.05 ), 0.5,   'half the usual';
};

# 98 suites of 10 rows, with a part of the spread between hosts, one within, and one of the run. A healthy run, on a new
# host or a known one, has any statement in at most 1 of 20 runs: at most 9 of 60 in 99.9 % of seeds, if 5 % have.
subtest 'generated runs' => sub {
    my ( $rows, $all ) = ( 980, 60 );
    my $random = random_from(68);
    for my $of (
        [ 'aaabbbcc',     0.03,  0.01 ],
        [ 'abcdefgh',     0.02,  0.02 ],
        [ 'aabbccddeeff', 0.005, 0.03 ]
      )
    {
        my ( $hosts, $between, $within ) = @{$of};
        my @groups = split //, $hosts;
        my ( $wrong, $seen, $level ) = ( 0, 0, level_of($rows) );
        for my $run ( 1 .. $all ) {
            my %common = map { $_ => 0.01 * normal($random) } keys @groups, 'new';
            my $any    = 0;
            for my $row ( 1 .. $rows ) {
                my %host = map { $_ => $between * normal($random) } @groups, 'new';
                my @values =
                  map { exp( $host{ $groups[$_] } + $common{$_} + $within * normal($random) ) }
                  keys @groups;
                my $host  = $run % 2 ? 'new' : 'a';
                my $value = exp( $host{$host} + $common{new} + $within * normal($random) );
                my $usual = usual_of( \@values, \@groups );
                $any++ if times_usual( $usual, $value, $level );
                $seen++ if $row == 1 && times_usual( $usual, 1.4 * $value, $level );
            }
            $wrong++ if $any;
        }
        cmp_ok $wrong, '<=', 9, "$hosts: $wrong of $all healthy runs have a statement";
        note "$seen of $all see a row that takes 40 % more";
    }
};

# Runs on eight hosts, with two suites of 15 points.
subtest 'which runs make a baseline' => sub {
    my %facts = map { $_ => { PROCESSESPERHOST => "h$_:2", HARDWARE => 'CPUs' } } 1 .. 9;
    my $times = [ map { 1 + $_ / 10 } 1 .. 30 ];
    my %runs =
      map { ( "r$_" => launch_text( $times, minute => $_, size => 15, facts => $facts{$_} ) ) }
      1 .. 9;
    $runs{r9} =~ s/^12 \S+/12 9.9/m;
    $runs{busy}  = $runs{r8} =~ s{^(#/\*\@in.*)$}{$1\n#\@CONTENDED rank 0 got 5 % of a CPU}mr;
    $runs{merge} = $runs{r8} =~ s/^#skampi finished[.]\K/-postprocessed/mr;
    $runs{other} = $runs{r7} =~ s/HARDWARE CPUs/HARDWARE GPUs/r;
    my $dir  = workplace(%runs);
    my @good = map { "r$_" } 1 .. 8;

    for my $case ( [ busy => 'contended: in 1 of 2 suites' ], [ merge => 'merge of several runs' ] )
    {
        my ( $name, $why ) = @{$case};
        my $got = compare( $dir, '--save', 'none', @good, $name );
        is $got->{status}, 4, "$name: status 4";
        like $got->{err}, qr/'$name'[^\n]*\Q$why\E/, 'named';
        ok !-e "$dir/none", 'nothing is saved';
    }
    is compare( $dir, qw(--force --save forced busy) )->{status}, 0, '--force saves it';
    my $mixed = compare( $dir, qw(--save mixed r1 other) );
    like $mixed->{err}, qr/HARDWARE differs between the runs/, 'a fact that differs is named';
    unlike read_file("$dir/mixed"), qr/CLASS HARDWARE/,        '... and no part of the class';
    is compare( $dir, '--save', 'base', @good )->{status}, 0, 'saved';
    my $usual = show( $dir, qw(--all --baseline base r9) )->{out};
    like $usual, qr/^ +12 B .* 1[.]3\d* to 1[.]3\d* us, 7[.]\d times the usual/m, 'a value beyond';
    is scalar( () = $usual =~ /times the usual/g ), 1, '... and no other';
    write_file( "$dir/waited", $runs{r9} =~ s/^(12 9[.]9 .*)/$1 # marks=! contended=1/mr );
    unlike show( $dir, qw(--all --baseline base waited) )->{out}, qr/times the usual/,
      'a row that waited for CPUs is not judged';
    write_file( "$dir/rule", read_file("$dir/base") =~ s/"estimate":"cut"/"estimate":"median"/gr );
    unlike show( $dir, qw(--all --baseline rule r9) )->{out}, qr/^  suite .*usual/m,
      'another rule of the times';
    like show( $dir, qw(--baseline base other) )->{out},
      qr/^usual: unknown; .*HARDWARE is 'CPUs' in it, 'GPUs' here/m,
      'another class';
    is compare( $dir, '--save', 'one', @good[ 0 .. 3 ] )->{status} +
      compare( $dir, '--save', 'two', @good[ 4 .. 7 ] )->{status}, 0, 'two baselines';
    is compare( $dir, qw(--save both one two) )->{status}, 0, 'as one';
    is read_file("$dir/both"), read_file("$dir/base"),        '... are that of all runs';
    my $health =
"\@BASELINE 2 time\n\@RUN 5 a,b {\"facts\":{},\"few\":0,\"name\":\"skampi health\",\"unusable\":0}\n"
      . "\@SUITE health {\"definition\":{}}\n* latency.sends 1\na latency.sends 2.5\n";
    write_file( "$dir/h$_", $health =~ s/2[.]5/$_/r ) for 3, 4;
    is compare( $dir, qw(--save hosts h3 h4) )->{status}, 0, 'checks of hosts, too';
    like read_file("$dir/hosts"), qr/^[*] latency[.]sends 1 1\na latency[.]sends 3 4$/m,
      '... with a value of each';
    is scalar( read_baseline( "$dir/hosts", 'time' ) ), 2, 'are read';
};

done_testing;
