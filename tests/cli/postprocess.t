# skampi --postprocess: the results of several runs become one file.
use v5.36;

use List::Util qw(first sum);
use POSIX      qw(mkfifo);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT scratch read_file write_file files_in golden skampi);

my $DATA   = "$ROOT/tests/cli/data";
my $OLD    = "$ROOT/tests/report/data/old.out";
my $FORMAT = join q{ }, '#Format: <args> message length [bytes] (%d) <results>',
  map { "time_$_ [microsec.] (%f) standard_error_$_ [microsec.] (%f) count_$_ [number] (%d)" }
  qw(cleaned all);

# A result file. rows: label => [ texts of rows ], in this order.
sub run_text ( $header, @rows ) {
    my $text = join q{}, map { "#\@$_\n" } @{$header};
    while ( my ( $label, $rows ) = splice @rows, 0, 2 ) {
        $text .= join "\n", '#-----', "#/*\@in$label.ski*/",
          '#Pattern: Point-to-Point varied over the message length [bytes] (%d).', $FORMAT,
          '#@TIMEOF a round trip', @{$rows}, '#eol', q{};
    }
    return "$text#skampi finished.\n";
}

my @HEADER = (
    'MACHINE Two boards',
    'PROCESSES 2',
    'PROCESSESPERHOST a:1 b:1',
    "PARAMETERS \@VERSION 4.1\n# \@MEMORY 64"
);

# The files a.out, b.out, ... in a directory of their own.
sub directory_with (@texts) {
    my $dir  = scratch();
    my $name = 'a';
    write_file( "$dir/" . $name++ . '.out', $_ ) for @texts;
    return $dir;
}

sub is_merged ( $what, $run ) {
    is $run->{status}, 0, "$what: done" or diag $run->{err};
    return;
}

# The lines that a merge adds to the first of its runs, each with its place; others follow each other as there.
sub lines_not_in ( $run, $merged ) {
    my ( $i, $new, @old ) = ( 0, q{}, split /^/, $run );
    for my $line ( split /^/, $merged ) {
        $i++;
        my ($at) = grep { $old[$_] eq $line } keys @old;
        defined $at ? splice @old, 0, $at + 1 : ( $new .= "$i: $line" );
    }
    return $new;
}

subtest 'golden files' => sub {
    my $old = read_file($OLD) =~ s{-postprocessed}{}r =~ s{^9 \d.*\n}{}mgr;
    my @old = ($old) x 2;
    $old[1] =~ s/^(\d+) 176[.]059111/$1 180.0/m;
    $old[1] =~ s/^ +1[.]2 /      1.4 /m;
    $old[1] =~ s/^#\@DATE .*/#\@DATE Fri Oct 30 11:25:34 1998/m;
    my @cases = (
        [
            'disjoint',
            run_text( \@HEADER, p2p_A => ['4 1 0.1 8 1 0.2 12'], p2p_B => ['1 2 0 8 2 0 8'] ),
            run_text( \@HEADER, p2p_C => ['8 1 0.1 8 1 0.2 12'], p2p_A => ['8 1 0.1 8 1 0.2 12'] ),
            run_text(
                \@HEADER,
                p2p_A => ['4 1.5 0.3 8 1 0.2 12'],
                p2p_B => ['1 nan nan 0 nan nan 0']
            ),
        ],
        [ 'old', @old ],
    );
    for my $case (@cases) {
        my ( $name, @texts ) = @{$case};
        my $dir  = directory_with(@texts);
        my @runs = grep { $_ ne 'm.out' } files_in($dir);
        is_merged( $name, skampi( $dir, '--postprocess', @runs, '-o', 'm.out' ) );
        my $merged = read_file("$dir/m.out");
        my $new    = $name eq 'old' ? lines_not_in( $texts[0], $merged ) : $merged;
        is $new, golden( "$DATA/merged-$name.txt", $new ), "$name: as it was";
        my $output = SKaMPI::Read::Output->from_text($merged);
        is_deeply [ $output->problems ], [], 'the report reads it';
        ok $output->is_finished && $output->is_postprocessed, 'with its trailer';
        is_deeply [ files_in($dir) ], [ @runs, 'm.out' ], 'no other file';
        is read_file("$dir/$runs[0]"), $texts[0], 'a run is unchanged';
    }
};

my $RUN = run_text( \@HEADER, p2p_A => ['4 1 0.1 8 1 0.2 12'] );

# Reasons why the second file is not merged with the first, and their reports.
my @OTHERS = (
    [ $RUN =~ s/Two boards/A board/r,                  q{@MACHINE is 'A board', not 'Two boards'} ],
    [ $RUN =~ s/MEMORY 64/MEMORY 64\n# \@FUTURE 1/r,   q{@PARAMETERS is '@FUTURE 1', not missing} ],
    [ $RUN =~ s/finished[.]/finished.-postprocessed/r, q{it is post-processed itself} ],
);

subtest 'files that do not belong together' => sub {
    for my $case (@OTHERS) {
        my ( $other, $difference ) = @{$case};
        my $dir = directory_with( $RUN, $other );
        my $run = skampi( $dir, '--postprocess', qw(a.out b.out -o m.out) );
        is $run->{status}, 1, "$difference: refused";
        like $run->{err},
          qr/\Askampi: 'b[.]out' does not belong to 'a[.]out':\n    \Q$difference\E/,
          'the message names the difference';
        like $run->{err}, qr/^skampi: nothing is written; add --force/m, 'and the remedy';
        is_deeply [ files_in($dir) ], [qw(a.out b.out)], 'nothing is written';
        my $forced = skampi( $dir, '--postprocess', '--force', qw(a.out b.out -o m.out) );
        is_merged( 'by force', $forced );
        like $forced->{err}, qr/^skampi: warning: .*\n    \Q$difference\E/,
          'and a warning names it';
    }
};

# Different headers explain different suites.
subtest 'differences of the header are reported first' => sub {
    my $dir = directory_with( $RUN, $RUN =~ s/Two/No/r =~ s/message length/number of nodes/gr );
    my $run = skampi( $dir, '--postprocess', qw(a.out b.out -o m.out) );
    like $run->{err},   qr/^    \@MACHINE is /m,     'the machine';
    unlike $run->{err}, qr{is measured differently}, 'and no suite';
};

subtest 'a merge in place of the first run' => sub {
    my $dir = directory_with(
        "#\@POSTPROCESSED medians\n" . $RUN =~ s/finished[.]/finished.-postprocessed/r, $RUN );
    my $run = skampi( $dir, '--postprocess', qw(a.out b.out -o m.out) );
    is $run->{status}, 1, 'refused';
    like $run->{err},
      qr/\Askampi: 'a[.]out' should not be merged:\n    it is post-processed itself;/,
      'for itself';
    is_merged( 'by force', skampi( $dir, qw(-p --force a.out b.out -o m.out) ) );
    is( ( () = read_file("$dir/m.out") =~ /^#\@POSTPROCESSED /mg ), 1, 'one line of origins' );
};

# Arguments, status, message.
my $AGAIN   = $RUN =~ s/^#\@MACHINE.*/#\@MACHINE Two boards /mr;
my $COPY    = q{'d.out' is a copy of 'c.out'; each run counts once};
my @REFUSED = (
    [ [qw(--postprocess)],                        2, 'requires the result files of the runs' ],
    [ [qw(--postprocess a.out b.out)],            2, q{requires -o FILE for its result} ],
    [ [qw(--postprocess a.out nothere -o m.out)], 2, q{cannot read 'nothere': No such file} ],
    [ [qw(--postprocess a.out . -o m.out)],       2, q{cannot read '.': Is a directory} ],
    [ [qw(--postprocess a.out b.out -o text)],    2, q{'text' exists; name another file} ],
    [ [qw(--postprocess a.out -o b.out)],         2, q{'b.out' exists; name another file} ],
    [ [qw(--postprocess a.out b.out -o a.out)],   2, q{'a.out' is one of the runs} ],
    [ [qw(--postprocess a.out b.out -o b.out --force)], 2, q{'b.out' is one of the runs} ],
    [ [qw(--postprocess a.out b.out -o no/m.out)],      2, q{cannot write 'no/m.out': No such} ],
    [ [qw(--postprocess a.out b.out -o . --force)],     2, q{'.' is a directory; name a file} ],
    ( map { [ [ qw(--postprocess c.out d.out -o m.out), @{$_} ], 2, $COPY ] } [], ['--force'] ),
    [ [qw(--postprocess a.out b.out -o pipe)], 1, q{cannot write 'pipe': no program reads it} ],
    (
        -e '/dev/full'
        ? [ [qw(--postprocess a.out b.out -o /dev/full)], 1, q{'/dev/full': No space left} ]
        : ()
    ),
);

subtest 'refusals' => sub {
    for my $case (@REFUSED) {
        my ( $args, $status, $message ) = @{$case};
        my $dir = directory_with( $RUN, $RUN, map { "#\@DATE Monday\n$_" } $RUN, $AGAIN );
        write_file( "$dir/text", "hello\n" );
        mkfifo( "$dir/pipe", oct 600 ) or die "pipe: $!\n";
        my $run = skampi( $dir, @{$args} );
        is $run->{status}, $status, "@{$args}";
        like $run->{err}, qr/\Askampi: [^\n]*\Q$message\E[^\n]*\n\z/, 'the reason, in one line';
        is $run->{out}, q{}, 'nothing else';
        is_deeply [ files_in($dir) ], [qw(a.out b.out c.out d.out pipe text)], 'no file is added';
        is read_file("$dir/$_->[0]"), $_->[1], "$_->[0] stays"
          for [ 'a.out', $RUN ], [ 'b.out', $RUN ], [ 'text', "hello\n" ];
    }
};

subtest 'the output can be a new file, a pipe, a device or an old file' => sub {
    my $dir = directory_with( $RUN, $RUN );
    is_merged( 'a new file', skampi( $dir, qw(--postprocess a.out b.out -o m.out) ) );
    my $merged = read_file("$dir/m.out");
    my $piped  = skampi( $dir, qw(--postprocess a.out b.out -o -) );
    is $piped->{out}, $merged, 'standard output';
    is $piped->{err}, q{},     'and no message';
    like skampi( $dir, qw(-p a.out -o -) )->{out},
      qr/values and errors of 1 run; merged by hand\n# a[.]out \(no date\)\n#-----$/m, 'of one run';
    write_file( "$dir/m.out", 'something else' );
    is_merged( 'an old file', skampi( $dir, qw(--postprocess --force a.out b.out -o m.out) ) );
    is read_file("$dir/m.out"), $merged, 'by force';
    is_merged( 'a device', skampi( $dir, qw(--postprocess a.out b.out -o /dev/null) ) );
    ok -c '/dev/null', 'which remains a device';
    is skampi( $dir, qw(-q -p a.out b.out -o q.out) )->{err}, q{}, 'quietly';
    is_deeply [ files_in($dir) ], [qw(a.out b.out m.out q.out)], 'no other file';
};

subtest 'damaged files' => sub {
    my $torn = substr $RUN . $RUN =~ s/p2p_A/p2p_B/r, 0, -40;
    my $dir  = directory_with( $RUN, $torn =~ s/^4 1 /4 x /mr, $RUN =~ s/^4 1 /4 3 /mr );
    my $run  = skampi( $dir, qw(--postprocess a.out b.out c.out -o m.out) );
    is_merged( 'damaged', $run );
    like $run->{err}, qr/^skampi: warning: b[.]out:\d+: \Q$_\E/m, $_
      for q{not a number: 'x'}, q{last line skipped: }, q{suite 'p2p_B' is incomplete};
    like $run->{err}, qr/^skampi: warning: b[.]out: the run is not finished$/m, 'not finished';
    like read_file("$dir/m.out"), qr/^4 2[.]000000 6[.]363961 .* # runs=2 of=3 /m,
      'the common rows';
};

# Returns the problems of a file, except values that cannot be, which only the report names.
sub damage_in ($path) {
    return grep { !$_->{odd} } SKaMPI::Read::Output->from_file($path)->problems;
}

# Both readers take the same numbers, and the report reads what the program writes of them.
subtest 'tiny, huge and wrong values' => sub {
    for my $value ( split q{ }, '1e-9 5e-324 1e-400 1e15 1.7e308 1e400 nan inf 0x10 1,5 1e 1e+' ) {
        my $text    = $RUN =~ s/^4 \S+/4 $value/mr;
        my $dir     = directory_with( $text, $text );
        my $run     = skampi( $dir, qw(--postprocess a.out b.out -o m.out) );
        my ($of)    = damage_in("$dir/a.out");
        my ($wrong) = $run->{err} =~ /a[.]out:\d+: (.*)/;
        is $wrong, $of ? $of->{text} : undef, "$value: both take it, or say the same";
        my $merged = SKaMPI::Read::Output->from_file("$dir/m.out");
        is_deeply [ damage_in("$dir/m.out") ], [], "$value: the merge is sound";
        my ($row) = map { $_->{rows}[0] } $merged->suites;
        cmp_ok abs( $row->{time} - $value ), '<=', 1e-6 + 1e-12 * $value, "$value: is kept"
          if $value =~ /\A[\d.]+e[+-]?\d+\z/ && $value < 1e300;
    }
};

sub merge_within ( $dir, $kib, @runs ) {
    my @command = ( $ENV{SKAMPI_PROGRAM}, '-p', @runs, '-o', 'merged', '--force' );
    return SKaMPI::Test::command( $dir, 'sh', '-c', "ulimit -d $kib; exec \"\$@\"", 'sh',
        @command );
}

# Memory grows with the result and one suite of every run, not with the files. The MPI library takes some, too.
subtest 'many large files' => sub {
    plan skip_all => 'sanitizers use memory of their own' if $ENV{SKAMPI_VARIANT};
    my ( $runs, $more_kib ) = ( 30, 6144 );
    my @suites = map {
        my $rows = [ map { "$_ 12.345678 0.123456 1000 23.456789 0.345678 2000" } 1 .. 400 ];
        ( "p2p_$_" => $rows );
    } 1 .. 24;
    my $dir  = directory_with( ( run_text( \@HEADER, @suites ) ) x $runs );
    my @runs = files_in($dir);
    cmp_ok sum( map { -s "$dir/$_" } @runs ), '>', 2 * 1024 * $more_kib, 'files';
    my $least =
      first { merge_within( $dir, $_, $runs[0] )->{status} eq '0' } map { 1024 * $_ } 1 .. 64;
    is_merged( "merged within $least + $more_kib KiB",
        merge_within( $dir, $least + $more_kib, @runs ) );
    is scalar( SKaMPI::Read::Output->from_file("$dir/merged")->suites ), 24, 'every suite';
};

done_testing;
