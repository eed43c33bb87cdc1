# skampi-compare: exit statuses, formats, what is refused, thresholds, baselines, and bad input.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use Text::CSV_XS                   ();
use SKaMPI::Database::Chart::Table qw(compared_page);
use SKaMPI::Verdict::Baseline      qw(read_baseline);
use SKaMPI::Verdict::Launch        qw(read_launch);
use SKaMPI::Verdict::Thresholds;
use SKaMPI::Generated  qw(launch_text launches random_from);
use SKaMPI::ReportTest qw(files_in pdf_text tool why_not workplace);
use SKaMPI::Test       qw($ROOT read_file write_file);

my $COMPARE = "$ROOT/report/compare.pl";
my @BASE    = map { "b$_" } 1 .. 5;
my @NEW     = map { "n$_" } 1 .. 5;

sub compare ( $dir, @arguments ) {
    return tool( $dir, $^X, $COMPARE, @arguments );
}

# Files b1, n1, b2, n2, ... in the order in which they were measured. NEW has 30 points; SLOWER are factors.
sub place ( $slower, %with ) {
    my $random = random_from( $with{seed} // 3 );
    my %same   = ( points => 30, between => 0.01, common => 0.005 );
    my %files;
    for my $i ( 1 .. $with{launches} // 5 ) {
        my ($base) = launches( $random, launches => 1, %same );
        my ($new)  = launches( $random, launches => 1, %same, slower => $slower );
        $files{"b$i"} = launch_text( $base, minute => 4 * $i,     %{ $with{base} // {} } );
        $files{"n$i"} = launch_text( $new,  minute => 4 * $i + 2, %{ $with{new}  // {} } );
    }
    return workplace(%files);
}

sub is_refused ( $run, $status, $message, $name ) {
    is $run->{status}, $status, "$name: status $status";
    is $run->{out},    q{},     'no output';
    like $run->{err}, $message, 'a message';
    return;
}

my $slower =
  place( { 4 => 1.2, 15 => 1.5 }, new => { facts => { MPILIBRARY => 'Other MPI 2.0' } } );
local $ENV{COLUMNS} = 120;
my $run = compare( $slower, @BASE, q{--}, @NEW );

subtest 'something is slower' => sub {
    is "$run->{status} $run->{err}", '1 ', 'status 1';
    like $run->{out},
      qr/^NEW \(5 launches\) compared with BASE \(5 launches\)\n\n  what differs +BASE +NEW\n/,
      'first what differs';
    like $run->{out}, qr/^  MPI library +Some MPI 1[.]0 +Other MPI 2[.]0$/m,          'the library';
    like $run->{out}, qr/^30 points: 2 slower, 0 faster, \d+ undecided, \d+ equal$/m, 'counts';
    like $run->{out},
qr/^  p2p_Suite02 +24 B +\S+ us +\S+ us +1[.][45]\d\d  1[.]\d+ to 1[.]\d+  0[.]0\d+  slower\n  p2p_Suite01 +20 B /m,
      'the worst first';
    like $run->{out}, qr/^  p2p_Suite02 +10 +1[.]0\d\d  \S+ to \S+ +1[.][45]\d\d  24 B +1 +0$/m,
      'suites';
    unlike $run->{out}, qr/warning/, 'no warning: the sides are interleaved';
};

# The comparison of two sides in a document.
sub document ($text) { return decode_json($text)->{comparisons}[0] }

subtest 'exit statuses' => sub {
    my $same  = place( {} );
    my @cases = (
        [ 0, $same,   @BASE,             q{--}, @NEW ],
        [ 0, $slower, @NEW,              q{--}, @BASE ],
        [ 1, $slower, '--fail-on',       'any', @NEW,  q{--}, @BASE ],
        [ 0, $slower, '--fail-on=never', @BASE, q{--}, @NEW ],
        [ 0, $slower, @BASE,             q{--}, @NEW,  '--threshold', '60%' ],
        [ 1, $slower, @BASE,             q{--}, @NEW,  '--fail-on',   'undecided' ],
        [ 2, $slower, @BASE ],
        [ 2, $slower, q{--},                                 @NEW ],
        [ 2, $slower, @BASE,                                 q{--},  @NEW, q{--}, 'b1' ],
        [ 2, $slower, @BASE,                                 q{--},  'missing' ],
        [ 2, $slower, '--unknown',                           @BASE,  q{--}, @NEW ],
        [ 2, $slower, '--format',                            'xml',  @BASE, q{--}, @NEW ],
        [ 2, $slower, '--threshold',                         '0.05', @BASE, q{--}, @NEW ],
        [ 2, $slower, '--alpha',                             '100%', @BASE, q{--}, @NEW ],
        [ 2, $slower, '-o',                                  'b1',   @BASE, q{--}, @NEW ],
        [ 2, $slower, '--save',                              'b1',   @BASE ],
        [ 2, $slower, '--format',                            'pdf',  @BASE, q{--}, @NEW ],
        [ 2, $slower, qw(-o x.pdf --value min --format pdf), @BASE,  q{--}, @NEW ],
        [ 2, $slower, qw(-o x.pdf --format pdf x.json),      q{--},  @NEW ],
        [ 3, $slower, @BASE[ 0 .. 2 ],                       q{--},  @NEW[ 0 .. 2 ] ],
        [ 3, $slower, 'b1',                                  q{--},  'n1' ],
        [ 1, $slower, '--alpha',       '10%', @BASE[ 0 .. 2 ], q{--}, @NEW[ 0 .. 2 ] ],
        [ 1, $slower, @BASE[ 0 .. 3 ], q{--}, @NEW[ 0 .. 3 ] ],
    );
    for my $case (@cases) {
        my ( $status, $dir, @arguments ) = @{$case};
        my $got = compare( $dir, @arguments );
        is $got->{status},     $status,      "status $status: @arguments";
        is $got->{err} ne q{}, $status == 2, 'a message only for wrong usage';
    }
    like compare( $slower, 'b1', q{--}, 'n1' )->{out},
      qr/descriptive only: each side is a single launch; at least 4 launches a\s+side/,
      'too few launches';
};

subtest 'PDF' => sub {
    plan skip_all => why_not() if why_not();
    my @words = qw(--format pdf -o report.pdf --threshold 30% --alpha 4%);
    my $got   = compare( $slower, @words, @BASE, q{--}, @NEW );
    is "$got->{status} $got->{err}$got->{out}", '1 ', 'status 1, no output';
    my $text = pdf_text("$slower/report.pdf");
    like $text, qr/30 common points: 1 slower, 0 faster,/, 'the verdicts of these settings';
    like $text, qr/4 % error.* beyond 30 %/s,              'which the legend names';
};

subtest 'formats' => sub {
    my $text = compare( $slower, '--format', 'csv', @BASE, q{--}, @NEW )->{out};
    my @rows = @{ Text::CSV_XS::csv( in => \$text, headers => 'auto' ) };
    is scalar @rows, 30, 'CSV: a row for each point';
    is join( q{,},
        map  { "$_->{suite} $_->{argument} $_->{argument_unit}" }
        grep { $_->{verdict} eq 'slower' } @rows ),
      'p2p_Suite01 20 bytes,p2p_Suite02 24 bytes', 'the slower ones';

    my $json = document( compare( $slower, '--format', 'json', @BASE, q{--}, @NEW )->{out} );
    is $json->{limits}, 'simultaneous', 'what ratio_low and ratio_high are';
    is_deeply [ map { $_->{ratio} } @{ $json->{points} } ], [ map { 0 + $_->{ratio} } @rows ],
      'the same ratios';
    is_deeply $json->{differences},
      [ { what => 'MPI library', base => 'Some MPI 1.0', new => 'Other MPI 2.0' } ], 'what differs';
    is $json->{counts}{slower}, 2, 'counts';

    my $junit = compare( $slower, '--format', 'junit', @BASE, q{--}, @NEW )->{out};
    like $junit, qr/<testsuite name="skampi-compare" tests="3" failures="2" skipped="0">/,
      'JUnit: suites';
    my $few = compare( $slower, '--format', 'junit', 'b1', q{--}, 'n1' )->{out};
    like $few, qr/failures="0" skipped="3"/, 'without verdicts, all are skipped';
    my $open =
      compare( $slower, '--format', 'junit', '--threshold', '0.01%', @BASE, q{--}, @NEW )->{out};
    like $open, qr/skipped="[1-3]".*<skipped message="\d+ of \d+ points are undecided"/s,
      'as are undecided suites';

    my $markdown = compare( $slower, '--format', 'markdown', @BASE, q{--}, @NEW )->{out};
    like $markdown, qr/^\| p2p\\_Suite02 \| 24 B \| .* \| slower \|$/m, 'Markdown';
    is compare( $slower, '-o', 'out.txt', @BASE, q{--}, @NEW )->{out}, q{},         '-o: no output';
    is read_file("$slower/out.txt"),                                   $run->{out}, 'but a file';
};

subtest 'marks of times' => sub {
    write_file( "$slower/marked", read_file("$slower/n3") =~ s/^(20 .*)$/$1 contended=1/mr );
    my @sides = ( @BASE, q{--}, 'marked', @NEW[ 0, 1, 3, 4 ] );
    my $text  = compare( $slower, @sides )->{out};
    like $text, qr/^  p2p_Suite01 +20 B +\S+ us +\S+ us! +1[.]/m, 'a launch of NEW is contended';
    like $text, qr/^!: processes waited for CPUs/m,               'what that means';
    unlike $run->{out}, qr/us!|^!/m,                              'without it, neither';
    my $json =
      document( compare( $slower, '--format', 'json', @sides )->{out} );
    is join( q{ },
        map  { "$_->{argument}$_->{base_marks}$_->{new_marks}" }
        grep { $_->{new_marks} } @{ $json->{points} } ),
      '20!', 'JSON';
};

# The file with visits in two states in the row of 20 bytes.
sub with_states ( $from, $to, $fast, $percent ) {
    my $states = sprintf 'fast=%.3f states=%.3f:%d,9.0:%d', $fast, $fast, 100 - $percent, $percent;
    write_file( "$slower/$to", read_file("$slower/$from") =~ s/^(20 .*)$/$1 $states/mr );
    return $to;
}

subtest 'visits in two states' => sub {
    my @old   = map { with_states( "b$_", "old$_", 4 + 0.01 * $_, 10 + $_ ) } 1 .. 5;
    my @new   = map { with_states( "n$_", "new$_", 4 + 0.02 * $_, 40 + $_ ) } 1 .. 5;
    my @sides = ( @old, q{--}, @new );
    my $text  = compare( $slower, '--all', @sides )->{out};
    like $text, qr/^31 points: 2 slower/m,                           'the fast state is a point';
    like $text, qr/^  p2p_Suite01 +20 B fast +4[.]03\d us +4[.]06/m, 'with its own values';
    like $text,
      qr/^  slow visits +argument +BASE +NEW\n  p2p_Suite01 +20 B  13 % \(11 to 15\) +43 %/m,
      'the share of the slow state';
    my $json =
      document( compare( $slower, '--format', 'json', @sides )->{out} );
    my ( $value, $fast ) =
      grep { $_->{label} // $_->{suite} eq 'p2p_Suite01' && $_->{argument} == 20 }
      @{ $json->{points} };
    is join( q{ }, @{$value}{qw(verdict base_slow new_slow)} ), 'slower 13 43', 'JSON';
    is "$fast->{part} $fast->{verdict}", 'fast equal', 'the fast state is equal';
    is compare( $slower, '--save', 'states.json', @old )->{status},    0,     'a baseline';
    is compare( $slower, '--all', 'states.json', q{--}, @new )->{out}, $text, 'keeps them';
    my @few = ( @old, q{--}, @new[ 0 .. 2 ], 'n4', 'n5' );
    like compare( $slower, @few )->{out}, qr/^30 points/m, 'too few launches have a fast state';
};

subtest 'a merge has the mean of its runs' => sub {
    write_file( "$slower/merge", read_file("$slower/n3") =~ s/^(20 .*)$/$1 run_mean=123.5/mr );
    my @times =
      map { read_launch( "$slower/$_", 'time' )->{suites}{p2p_Suite01}{values}{20} } qw(n3 merge);
    cmp_ok $times[0], q{<}, 100, 'one launch';
    is $times[1], 123.5, 'several';
};

# The file with the mean FACTOR times the time in each row, more at those of 20 bytes, and slow visits there.
sub with_means ( $from, $to, $factor, $more, $percent ) {
    my $text = read_file("$slower/$from");
    $text =~ s/count_cleaned \[number\] \(%d\)\K$/ time_all [microsec.] (%f)/mg;
    $text =~ s/^(([0-9]+) (\S+) 0[.]01 8)/"$1 " . $3 * $factor * ( $2 == 20 ? $more : 1 )/gme;
    $text =~ s/^(20 .*)/$1 states=4.0:@{[ 100 - $percent ]},6.0:$percent/mg;
    write_file( "$slower/$to", $text );
    return $to;
}

subtest 'both numbers of a row' => sub {
    my @old  = map { with_means( "b$_", "bm$_", 1.01 + 0.001 * $_, 1,      1 + $_ % 2 ) } 1 .. 5;
    my @new  = map { with_means( "b$_", "nm$_", 1.01 + 0.001 * $_, 1.12,   21 + $_ % 2 ) } 1 .. 5;
    my @open = map { with_means( "b$_", "no$_", 0.8 + 0.2 * ( $_ % 3 ), 1, 0 ) } 1 .. 5;
    my @less = map { with_means( "n$_", "nl$_", 0.7,                    1, 0 ) } 1 .. 5;
    my $got  = compare( $slower, @old, q{--}, @new );
    is "$got->{status}$got->{err}", '1', 'means differ: status 1';
    like $got->{out}, qr/: 3 slower, 0 faster, 0 undecided, 27 equal$/m, 'three are slower';
    like $got->{out}, qr/^  p2p_Suite01 +20 B mean  .* slower$/m,        'by the mean';
    like $got->{out},
      qr/^  p2p_Suite01 20 B: typical [+]0[.]0 %, mean [+]12 %: slow visits 2 -> 22 %$/m, 'and why';
    my ($point) =
      grep { $_->{argument} == 20 }
      @{ document( compare( $slower, '--json', @old, q{--}, @new )->{out} )->{points} };
    is join( q{ }, @{$point}{qw(verdict time_verdict mean_verdict)} ), 'slower equal slower',
      'JSON';
    my $page = compared_page(
        sub (@names) {
            map { read_launch( "$slower/$_", 'time' ) } @names;
        },
        \@old,
        \@new
    )->{points}{20};
    is sprintf( '%s %.2f', @{$page}{qw(verdict mean_ratio)} ),     'slower 1.12', 'a page';
    is compare( $slower, '--save', 'means.json', @old )->{status}, 0,             'a baseline';
    like compare( $slower, 'means.json', q{--}, @new )->{out}, qr/: 3 slower/, 'has means';

    for my $strict ( 0, 1 ) {
        $got = compare( $slower, ('--strict') x $strict, @old, q{--}, @open );
        is $got->{status}, 3 * $strict, "means not known, strict $strict";
        like $got->{out}, qr/ 30 time equal \(mean not known\), 0 equal$/m, 'a verdict';
    }
    $got = compare( $slower, @old, q{--}, @less );
    is $got->{status}, 1, 'time slower, mean faster: status 1';
    like $got->{out}, qr/: 1 slower, 28 faster, 1 mixed, 0 undecided/, 'mixed';
};

subtest 'a threshold that is a time' => sub {
    my %status = ( '0.1us' => 1, '10us' => 0, '5% and 10us' => 0, '10%,0.1us' => 1 );
    for my $threshold ( sort keys %status ) {
        my $got = compare( $slower, '--threshold', $threshold, @BASE, q{--}, @NEW );
        is $got->{status}, $status{$threshold}, $threshold;
    }
    like compare( $slower, '--threshold', '5 % and 3us', @BASE, q{--}, @NEW )->{out},
      qr/: 1 slower, .*the\s+threshold \(5 % and 3.000\s+us\)/s, 'both';
};

subtest 'other hardware' => sub {
    for my $side (qw(b n)) {
        write_file( "$slower/h$side$_", "#\@HARDWARE CPU $side\n" . read_file("$slower/$side$_") )
          for 1 .. 5;
    }
    my $got = compare( $slower, ( map { "hb$_" } 1 .. 5 ), q{--}, map { "hn$_" } 1 .. 5 );
    like "$got->{status} $got->{out}", qr/\A1 .*^  hardware +CPU b +CPU n$/ms, 'is named';
};

subtest 'launches as a whole' => sub {
    like $run->{out},
      qr/^the launch as a whole: [01][.]\d+, \S+ to \S+; points are relative to it$/m,
      'they do not differ';
    my $dir = place( { map { $_ => 1.1 } 0 .. 29 } );
    my $got = compare( $dir, @BASE, q{--}, @NEW, '--threshold', '9%' );
    like $got->{out}, qr/^the launch as a whole is [\d.]+ % slower, 1[.]\d+ to 1[.]\d+$/m,
      'they do';
    $got = compare( $dir, @BASE, q{--}, @NEW, '--format', 'json' );
    my $json = document( $got->{out} );
    is "$json->{whole}{verdict} $json->{counts}{slower} $json->{whole}{is_relative}", 'slower 30 0',
      'so do all points';
    $got = compare( $dir, @BASE, q{--}, @NEW, '--threshold', '20%' );
    is $got->{status}, 0, 'by less than the threshold';
    write_file( "$dir/t", "* * 20%\n" );
    $got = compare( $dir, '--thresholds', 't', @BASE, q{--}, @NEW );
    is $got->{status}, 1, 'the launches are slower, though no point is, by its threshold';
};

# A difference on one side, in words: a change of the header, a note of each suite, or a field of the suites as
# requested; and the message, undef if it may differ.
my @CHANGES = (
    [ notes  => TIME => 'access', qr/: time of is 'access' in 'n1', 'round_trip'/ ],
    [ notes  => TYPE => '2 p2p_MPI_Send-MPI_Recv_any', qr/: operation is 'MPI_Send-MPI_Recv_any'/ ],
    [ facts  => PROCESSES      => 4,              qr/processes: '4' in 'n1', '2' in 'b1'/ ],
    [ facts  => OVERSUBSCRIBED => 'yes',          qr/oversubscribed: 'yes' in 'n1', 'no' in 'b1'/ ],
    [ facts  => ABSOLUTE       => 'yes',          qr/overhead subtracted: 'yes'/ ],
    [ facts  => ERROR          => 'plain',        undef ],
    [ fields => Parameters     => '"data=fresh"', qr/: data is 'fresh' in 'n1', 'kept' in 'b1'/ ],
    [ fields => Parameters     => '"cache=cold"', qr/: cache is 'cold'/ ],
    [ fields => Parameters              => '"method=pack"',   qr/: method is 'pack'/ ],
    [ fields => Send_Datatype_Number    => 31,                qr/: datatype is '31'/ ],
    [ fields => Virtual_Topology_Number => 1,                 qr/: topology is '1'/ ],
    [ fields => Parameters              => '"error=plain"',   undef ],
    [ fields => Parameters              => '"raw=yes"',       undef ],
    [ fields => Parameters              => '"histogram=yes"', undef ],
    [ fields => Parameters              => '"passes=auto"',   undef ],
    [ fields => Parameters              => '"estimate=mean"', undef ],
);

# Facts of NEW's suites, and the rule of its times.
my @RULES = (
    [ cut     => ESTIMATE => 'mean' ],
    [ cut     => RULE     => 1,                                   ESTIMATE => 'cut' ],
    [ minimum => RULE     => 1,                                   ESTIMATE => 'minimum' ],
    [ mean    => PASSES   => '10: times are means of the visits', ESTIMATE => 'mean' ],
    [ median  => PASSES   => '5: times are medians over the visits' ],
);

sub changed ( $place, $name, $value ) {
    return { $place => { $name => $value } } if $place ne 'fields';
    my @suites = map { "Suite0$_ { Type = 1; $name = $value; }" } 1 .. 3;
    return { facts => { SUITES => join "\n# ", @suites } };
}

subtest 'what is not compared' => sub {
    my @of = ( 'b1', q{--}, 'n1' );
    for my $change (@CHANGES) {
        my ( $place, $name, $value, $message ) = @{$change};
        my $dir = place( {}, launches => 1, new => changed( $place, $name, $value ) );
        my $got = compare( $dir, @of );
        is "$got->{status} $got->{err}", '3 ', "may differ: $name $value" if !$message;
        is_refused( $got, 4, $message, "$name $value" ) if $message;
    }
    my $dir    = place( {}, launches => 1, new => changed( @{ $CHANGES[0] }[ 0 .. 2 ] ) );
    my $forced = compare( $dir, '--force', @of );
    is $forced->{status}, 3, 'forced';
    like $forced->{err}, qr/^skampi-compare: warning: suite 'p2p_Suite01': time of is/,
      'with a warning';
};

subtest 'values by different rules are shown without verdicts' => sub {
    for (@RULES) {
        my ( $rule, %notes ) = @{$_};
        my $dir = place( { 4 => 1.2 }, new => { notes => \%notes } );
        my $got = compare( $dir, @BASE, q{--}, @NEW );
        my $why = $got->{out} =~ /^30 points, descriptive only: (.*)$/m ? $1 : q{};
        my @all = $rule eq 'cut' ? ( 1, q{} ) : ( 3, "times by different rules: cut, $rule" );
        is_deeply [ $got->{status}, $why ], \@all, join q{ }, $rule, %notes;
    }
};

subtest 'rows of few visits have no verdict' => sub {
    my $dir = place( { 4 => 1.2 }, new => { notes => { RULE => 1, ESTIMATE => 'cut' } } );
    for my $file ( map { "$dir/n$_" } 1 .. 5 ) {
        write_file( $file, read_file($file) =~ s/# (?=stop.*min=1\b)/# marks=v few=visits /gr );
    }
    my $out = compare( $dir, @BASE, q{--}, @NEW )->{out};
    like $out, qr/1 slower/, 'others have one';
    like $out, qr/^warning: \d+ points? without a verdict: fewer than five visits$/m,
      'and these not';
    write_file( "$dir/n$_", read_file("$dir/n$_") =~ s/ marks=v few=visits//gr ) for 2 .. 5;
    $out = compare( $dir, @BASE, q{--}, @NEW )->{out};
    like $out, qr/^warning: \d+ points? without their launches of fewer than five visits$/m,
      'one of five launches';
    unlike $out, qr/without a verdict/, 'does not take the verdict of all';
};

subtest 'a suite that differs is left out' => sub {
    my @suites = ( 'Suite01 { Type = 1; }', 'Suite02 { Type = 1; Parameters = "data=fresh"; }' );
    my $dir    = place( {}, launches => 4, new => { facts => { SUITES => join "\n# ", @suites } } );
    my $got    = compare( $dir, @BASE[ 0 .. 3 ], q{--}, @NEW[ 0 .. 3 ] );
    is $got->{status}, 4, 'status';
    like $got->{out}, qr/left out: suite 'p2p_Suite02': data is 'fresh' in 'n1'/, 'with the reason';
    like $got->{out}, qr/^\s*p2p_Suite01\b/m, 'the others are compared';
};

subtest 'files that are not launches' => sub {
    my $dir = place( {} );
    write_file( "$dir/merge",
        read_file("$dir/b1") =~ s/finished[.]\n\z/finished.-postprocessed\n/r );
    write_file( "$dir/copy",  read_file("$dir/b1") );
    write_file( "$dir/other", launch_text( [1] )   =~ s/Suite01/Else/gr );
    write_file( "$dir/few$_", read_file("$dir/$_") =~ s/ 8 (?=# stop)/ 3 /gr ) for qw(b1 b2 n1);
    my $few = qr/in common with enough repetitions on both sides; 30 rows left out: too few/;
    for my $case (
        [ qr/'merge' is a merge of several runs/, 'merge',      q{--}, @NEW ],
        [ qr/'copy' is a copy of 'b1'/,           @BASE,        q{--}, 'copy' ],
        [ qr/'b1' is named twice/,                qw(b1 b1 --), @NEW ],
        [ qr/no suite and argument in common/,    @BASE,        q{--}, 'other' ],
        [ $few,                                   qw(fewb1 -- n1) ]
      )
    {
        my ( $message, @files ) = @{$case};
        is_refused( compare( $dir, @files ), 4, $message, "@files" );
    }
    my $report =
      tool( $dir, $^X, $COMPARE =~ s/compare[.]pl/dorep.pl/r, qw(--compare fewb1 fewb2 -- fewn1) );
    like $report->{err}, qr/in common with enough repetitions/, 'also by dorep';
};

subtest 'which points are compared' => sub {
    my $random = random_from(2);
    my %files;
    for my $i ( 1 .. 5 ) {
        for my $side (qw(b n)) {
            my ($times) = launches( $random, launches => 1, points => 3, between => 0.001 );
            $files{"$side$i"} = launch_text( $times, local => 0.03 + 0.0001 * $i );
        }
    }

    # Refined arguments: two thirds of a side, four of five launches, one side only.
    $files{$_} =~ s/^(12 .*\n)/${1}14 3.1 0.01 8\n/m   for qw(b1 b2 b3 n1 n2 n3);
    $files{$_} =~ s/^(12 .*\n)/${1}13 3.05 0.01 8\n/m  for qw(b1 b2 b3 b4 n1 n2 n4 n5);
    $files{$_} =~ s/^(12 .*\n)/${1}12.5 3.0 0.01 8\n/m for qw(b1 b2 b3 b4 b5);
    my $dir = workplace(%files);
    my $got = compare( $dir, '--format', 'csv', @BASE, q{--}, @NEW );
    is "$got->{status} $got->{err}", '0 ', 'no warning';
    my @points = map { [ ( split /,/ )[ 0, 1, 5, 6 ] ] } split /\r\n/, $got->{out};
    shift @points;
    is_deeply \@points,
      [
        ( map { [ 'p2p_Suite01', $_, 5, 5 ] } 4, 8, 12 ),
        [ 'p2p_Suite01',      13,  4, 4 ],
        [ 'simple_MPI_Wtime', q{}, 5, 5 ]
      ],
      'those that 80 % of both sides have';
    like compare( $dir, @BASE, q{--}, @NEW )->{out},
      qr/^not compared: 2 arguments that fewer than 80 % of the launches of a side have$/m,
      'the others are counted';
};

subtest 'order in time' => sub {
    my ( $random, $minute ) = ( random_from(9), 0 );
    my %files = map {
        my $drift = exp( 0.03 * $_ );
        my ($times) = launches( $random, launches => 1, points => 20, between => 0.01 );
        ( "d$_" => launch_text( [ map { $_ * $drift } @{$times} ], minute => ++$minute ) );
    } 1 .. 12;
    my $dir = workplace(%files);
    my $got = compare( $dir, ( map { "d$_" } 1 .. 6 ), q{--}, map { "d$_" } 7 .. 12 )->{out};
    like $got,
qr/^warning: BASE has a trend over time: \+1\d[.]\d % from the first to the last launch\s+\(p = 0[.]0028\)/m,
      'a trend';
    like $got, qr/^warning: the sides were measured one after the other/m, 'one after the other';
    my $mixed =
      compare( $dir, ( map { "d$_" } 1, 4, 5, 8, 9, 12 ), q{--}, map { "d$_" } 2, 3, 6, 7, 10, 11 )
      ->{out};
    like $mixed,   qr/^warning: NEW has a trend/m, 'interleaved: a trend';
    unlike $mixed, qr/one after the other/,        'but not one after the other';
};

subtest 'thresholds' => sub {
    my $WANTED = 'expected a percentage above 0 such as 5%, a time such as 10us, or 15% and 10us';
    my @wrong  = (
        [ "p2p_Suite01 * 5%\nnone_* * 5%\n", 2, 1, q{no suite matches 'none_*'} ],
        [ "  p2p_Suite* 0..9 5%\n", 1, 14, "expected a number such as 512, 64K or 1M, got '0..9'" ],
        [ "  p2p_Suite* 2kB- 5%\n", 1, 14, "'2kB' is ambiguous" ],
        ( map { [ "p2p_* * $_\n", 1, 9, "$WANTED, got '$_'" ] } '5', '0%', '5% more', '5% and 6%' ),
        [ "p2p_* *\n", 1, 8, "$WANTED, got ''" ],
    );
    for my $case (@wrong) {
        my ( $text, $line, $column, $message ) = @{$case};
        write_file( "$slower/t", $text );
        eval { SKaMPI::Verdict::Thresholds->new( 0.05, "$slower/t", qw(p2p_Suite01 p2p_Suite02) ) };
        my $blanks = $column - 1;
        like ref $@ && "$@->{status} $@->{text}",
          qr/\A2 \S+\/t:$line:$column: \Q$message\E.*\n.*\n\s{$blanks}\^\z/, $text =~ s/\n/ /gr;
    }
    my $got = compare( $slower, '--thresholds', 't', @BASE, q{--}, @NEW );
    is_refused( $got, 2, qr/\bt:1:8: \Q$WANTED\E/, 'the program' );
    write_file( "$slower/t", "# comment\np2p_Suite0[12] * 60%\n" );
    is compare( $slower, '--thresholds', 't', @BASE, q{--}, @NEW )->{status}, 2,
      'no other patterns';
    write_file( "$slower/t",
        "p2p_Suite0? * 60%   # all\np2p_Suite01 24- 1%\np2p_Suite02 0-0.02K 1%\n" );
    is compare( $slower, '--thresholds', 't', @BASE, q{--}, @NEW )->{status}, 0,
      'above all differences';
    write_file( "$slower/t", "p2p_Suite0? * 60%\np2p_Suite02 24 1%\n" );
    like compare( $slower, '--thresholds', 't', @BASE, q{--}, @NEW )->{out}, qr/: 1 slower/,
      'the last line counts';
};

subtest 'a baseline' => sub {
    is compare( $slower, '--save', 'base.json', @BASE )->{status}, 0, 'saved';
    cmp_ok -s "$slower/base.json", '<', 8192, 'a few kilobytes';
    my $again = compare( $slower, 'base.json', q{--}, @NEW );
    is "$again->{status} $again->{out}", "1 $run->{out}", 'the same comparison';
    is_refused(
        compare( $slower, '--value', 'min', 'base.json', q{--}, @NEW ),
        4,
        qr/has the value 'time'/,
        'another value'
    );
    my $text = read_file("$slower/base.json");
    write_file( "$slower/old.base", $text =~ s/"estimate":"cut",//gr );
    like compare( $slower, 'old.base', q{--}, @NEW )->{out}, qr/rules: cut, median$/m,
      'medians of an older version';
    my $line = qr/ARGUMENT[ ]KIND[ ]and[ ]a[ ]value[ ]of[ ]each[ ]run/;
    my @bad  = (
        [ q{},                                        1, qr/not a baseline/ ],
        [ '[]',                                       1, qr/expected \@BASELINE 2 VALUE; skampi/ ],
        [ '{}',                                       1, qr/expected the schema/ ],
        [ '{"schema":1}',                             1, qr/expected the schema/ ],
        [ "# skampi health baseline 1\n* long 5 6\n", 1, qr/health --save writes a new one/ ],
        [ $text =~ s/BASELINE 2/BASELINE 3/r,         1,  qr/expected \@BASELINE 2/ ],
        [ $text =~ s/^12 time \K[0-9.]+/-1/mr,        1,  qr/damaged/ ],
        [ $text =~ s/^12 time \K[0-9.]+/x/mr,         1,  qr/damaged/ ],
        [ $text =~ s/^12 time \K[0-9.]+ //mr,         14, $line ],
        [ $text =~ s/^12 time .*//mr,                 14, $line ],
        [ $text =~ s/^\@RUN.*\n//mgr,                 7,  $line ],
        [ $text =~ s/^\@SUITE.*\n//mr,                11, $line ],
        [ $text =~ s/^(\@RUN.*)\}$/$1/mr,             6,  qr/not a baseline: \S/ ],
        [ $text =~ s/"column":\{/"column":[],"x":{/r, 1,  qr/damaged/ ],
        [ $text =~ s/"facts":\{/"facts":7,"x":{/r,    1,  qr/damaged/ ],
        [ $text =~ s/"definition":\{/"x":{/r,         1,  qr/damaged/ ],
    );

    for my $case (@bad) {
        my ( $bytes, $number, $message ) = @{$case};
        write_file( "$slower/bad.json", $bytes );
        my $is_read = eval { read_baseline( "$slower/bad.json", 'time' ); 1 };
        my $failure = $is_read ? 'none' : "$@->{status} $@->{text}";
        like $failure, qr/\A5 \Q$slower\E\/bad[.]json:$number: [^\n]*$message[^\n]*\z/, 'damaged';
    }
    is_refused(
        compare( $slower, 'bad.json', q{--}, @NEW ),
        5, qr/bad[.]json:1: \S/,
        'such a file'
    );
    my $random = random_from(5);
    my %same   = ( points => 6, between => 0.01, common => 0.005 );
    my @texts  = launches( $random, launches => 4, %same );
    my @names  = map { "o$_" } 1 .. 4;
    my $runs =
      workplace( map { ( $names[$_] => launch_text( $texts[$_], minute => 1 + $_, size => 3 ) ) }
          0 .. 3 );
    is compare( $runs, '--save', 'new', @names )->{status}, 0, 'saved';
    my @read = map { [ read_baseline( $_, 'time' ) ] } "$runs/new",
      "$ROOT/tests/report/data/baseline-1.json";
    delete @{$_}{qw(class hosts)} for map { @{$_} } @read;
    is_deeply @read, 'one of 4.2 is read';
    unlink "$slower/bad.json";
    symlink 'b1', "$slower/link.json" or die "link: $!\n";
    is_refused( compare( $slower, '--save', 'link.json', @BASE ), 2, qr/is a link/, 'a link' );
};

my $good = read_file("$slower/n1");

# Files that are complete, although their content is odd.
my %ODD = (
    'no rows'  => $good =~ s/^[0-9].*\n//mgr,
    'nan'      => $good =~ s/^([0-9]+) \S+/$1 nan/mgr,
    'zero'     => $good =~ s/^([0-9]+) \S+/$1 0.0/mgr,
    'negative' => $good =~ s/^([0-9]+) \S+/$1 -1.0/mgr,
    'huge'     => $good =~ s/^([0-9]+) \S+/$1 1e999/mgr,
    'Latin-1'  => $good =~ s/Suite01/Suite\xff/gr,
);

# Other tests read more of these (tests/report/output.t, tests/fuzz/mutated.t, tests/database/hostile.t).
subtest 'bad files' => sub {
    for my $case ( [ 5, q{}, $good =~ s/time_cleaned/duration/gr ],
        [ 2, 'not a result file', "SKaMPI measures what MPI operations cost.\n" x 5 ] )
    {
        my ( $status, $said, $text ) = @{$case};
        write_file( "$slower/bad", $text );
        my $got = compare( $slower, '-o', 'bad.txt', 'bad', @BASE, q{--}, @NEW );
        is_refused( $got, $status, qr/\Askampi-compare: bad:[0-9]+: $said[^\n]*\n\z/, 'bad' );
        ok !-e "$slower/bad.txt", 'nothing is written';
    }
    is_deeply [ grep { /^[.]skampi/ } files_in($slower) ], [], 'no temporary files';
};

subtest 'odd files' => sub {
    my @four = ( @BASE[ 0 .. 3 ], q{--}, @NEW[ 0 .. 3 ] );
    for my $name ( sort keys %ODD ) {
        write_file( "$slower/odd", $ODD{$name} );
        my $got = compare( $slower, @four, 'odd' );
        my $said =
          $name eq 'negative'
          ? qr/skampi-compare: odd:19: [^\n]+ the time is below 0 [(]and 29 more[)]\n/
          : q{};
        like "$got->{status} $got->{err}", qr/\A1 $said\z/,
          "$name: the other launches are compared";
        unlike $got->{out}, qr/[^\n\x20-\x{10ffff}]/, 'no control characters';
    }
    write_file( "$slower/odd", $good =~ s/min=\S+/min=1e999/gr );
    my $got = compare( $slower, '--value', 'min', @BASE, q{--}, 'odd', @NEW );
    is "$got->{status} $got->{err}", '1 ', 'an infinite minimum';
    like $got->{out}, qr/^warning: 30 rows left out: no value above 0$/m, 'is left out';
};

subtest 'the width of the terminal' => sub {
    for my $columns ( 60, 80, 140 ) {
        local $ENV{COLUMNS} = $columns;
        my @lines = split /\n/, compare( $slower, '--all', @BASE, q{--}, @NEW )->{out};
        is_deeply [ grep { length > $columns } @lines ], [], "$columns columns";
        my @rows = grep { /\A.{,10}p2p_Suite02|\d B / } @lines;
        ok @rows > 30, 'with all points';
    }
};

done_testing;
