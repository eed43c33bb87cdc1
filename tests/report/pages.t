# The pages of reports about various results. No tools are run.
use v5.36;

use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Document::Template;
use SKaMPI::Document::SuiteView;
use SKaMPI::Meaning::RunFacts qw(kind_of_errors run_notes);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(compared page_of);

my $document = SKaMPI::Document::Template->new;
my $RESULTS  = '<results> time_cleaned [microsec.] (%f) standard_error_cleaned [microsec.] (%f)'
  . ' count_cleaned [number] (%d)';

# A suite over the length, with more header lines.
sub suite_text ( $label, $lines, @rows ) {
    return join "\n", "#/*\@in$label.ski*/",
      "#Pattern: x varied over the message length [bytes] (%d).",
      "#Format: <args> message length [bytes] (%d) $RESULTS", @{$lines}, @rows, '#eol', q{};
}

sub view_of ($text) {
    my ($suite) = SKaMPI::Read::Output->from_text($text)->suites;
    return SKaMPI::Document::SuiteView->new( $suite, name => 'x' );
}

sub output_of (@texts) {
    return SKaMPI::Read::Output->from_text( join q{}, @texts, "#skampi finished.\n" );
}

sub pages_of ($output) {
    my $content =
      SKaMPI::Document::Content->new( $output, style => { fewest => 4, mono => 0, bars => 0 } );
    return join "\n", page_of($content), map { $document->text( 'suite', { suite => $_->data } ) }
      grep { $_->isa('SKaMPI::Document::SuiteView') } $content->views;
}

my @LOG = ( '#The x scale is logarithmic, no automatic x wide adaption', '#range: 4 - 4096' );

subtest 'axes span the values, not the error bars' => sub {
    my @rows = ( '4 10 0.1 4', '16 11 0.1 4', '256 12 9000 4', '1024 13 0.1 4', '4096 20 0.1 4' );
    my $view = view_of( suite_text( 'p2p_x', \@LOG, @rows ) );
    my ( $time, $bandwidth ) = $view->plots;
    my ( $low, $high )       = $time->{y}->range;
    cmp_ok $low,  '>=', 0,  'it has no negative times';
    cmp_ok $high, '<',  25, 'it ends at the longest time';
    ( $low, $high ) = $bandwidth->{y}->range;
    cmp_ok $low,  '>=', 0,   'it has no negative bandwidths';
    cmp_ok $high, '<',  500, 'it ends at the highest bandwidth';
    like join( q{ }, @{ $view->data->{warnings} } ),
      qr/One error bar is cut off at the end of the axis/,
      'a note mentions the error bar';
};

subtest 'scales of axes' => sub {
    my @cases = (
        [ 'as the file says',  \@LOG, [ 4, 5, 6, 7 ], [ 1, 1, 1, 1 ],    'logarithmic from_zero' ],
        [ 'a sweep by powers', [], [ map { 4**$_ } 1 .. 8 ], [ 1 .. 8 ], 'logarithmic from_zero' ],
        [
            'its times span decades',
            [],
            [ map { 4**$_ } 1 .. 8 ],
            [ map { 4**$_ } 1 .. 8 ],
            'logarithmic logarithmic'
        ],
        [
            'a linear sweep',
            [],
            [ map { 65536 * $_ } 0 .. 9 ],
            [ 1, map { 90 * $_ } 1 .. 9 ],
            'linear from_zero'
        ],
        [
            'a few long times',
            [],
            [ 2 .. 8 ],
            [ 188, 1680, 2759, 4110, 75443, 242133, 252436 ],
            'linear logarithmic'
        ],
    );
    for my $case (@cases) {
        my ( $name, $lines, $arguments, $times, $wanted ) = @{$case};
        my @rows = map { "$arguments->[$_] $times->[$_] 0.1 4" } 0 .. $#{$arguments};
        my ($plot) = view_of( suite_text( 'simple_x', $lines, @rows ) )->plots;
        is "$plot->{x}{scale} $plot->{y}{scale}", $wanted, $name;
    }
};

subtest 'files of 2006' => sub {
    my $text = <<"END";
#\@MACHINE Two Opterons
#\@SKAMPIVERSION 4.1
#/*\@insyncol_MPI_Bcast-length-SM.ski*/
#Pattern: Synchronized Collective varied over the message_length.
#default values: 8 nodes.
#Format: <args> message_length [byte] (%d) $RESULTS
@{[ join "\n", map { 4**$_ . q{ } . 5 * 3**$_ . ' 0.1 8' } 1 .. 8 ]}
#eol
END
    my $pages = pages_of( output_of($text) );
    like $pages,   qr/Varied\}\{message length/,                 'names are written as words';
    like $pages,   qr/\\textmu|Time&|plot/,                      'a plot is made';
    like $pages,   qr/These results come from an older version/, 'the older version is mentioned';
    like $pages,   qr/All processes call .*MPI\\_Bcast/,         'the operation is described';
    unlike $pages, qr/start at the same instant/, 'definitions of this version are omitted';
    unlike $pages, qr/same instant of a global clock|longest of these/,
      'methods of this version are omitted';
    my ($plot) = view_of($text)->plots;
    is $plot->{x}{kind}, 'length',         'the axis has lengths';
    is $plot->{x_title}, 'Message length', 'with a title';
    like + ( $plot->{x}->ticks )[-1][1], qr/KiB/, 'and units';
    is scalar( my @both = view_of($text)->plots ), 2, 'a bandwidth is plotted, too';
};

subtest 'irregular collectives over the number of the spread' => sub {
    my %title = (
        'geometric' => 'Factor from each part to the next',
        'one_large' => 'Largest part (\\% of the total)',
        'sparse'    => 'Number of parts',
        'random'    => 'Seed',
        'later'     => 'Number of the spread',
    );
    for my $spread ( sort keys %title ) {
        my $text = <<"END";
#\@SUITES A { Type = 240; Parameters = "spread=$spread"; }
#/*\@insyncol_A.ski*/
#Pattern: Synchronous Collective varied over the number of the spread [number] (%d).
#Format: <args> number of the spread [number] (%d) $RESULTS
#\@TYPE 240 syncol_Irregular_Alltoallv
#\@SPREAD $spread:1, 4 processes: longest 1.000 of the mean, Gini 0.000, hash 0123456789abcdef
# $spread:2, 4 processes: longest 2.000 of the mean, Gini 0.500, hash 0123456789abcdef
@{[ join "\n", map { "$_ $_ 0.1 8" } 1 .. 8 ]}
#eol
END
        my ($plot) = view_of($text)->plots;
        is $plot->{x_title}, $title{$spread}, "$spread: title of the axis";
        my $spoken = $spread =~ s/_/\\_/gr;
        like pages_of( output_of($text) ),
          qr/Parts\}\{\Q$spoken\E:2, 4 processes: longest 2[.]000 of the mean, Gini 0[.]500\}/,
          'how unequal the last parts are';
    }
};

subtest 'texts are printed once' => sub {
    my @head  = ( '#@TIMEOF x', @LOG );
    my @rows  = ('4 10 0.1 4');
    my $pages = pages_of(
        output_of(
            map { suite_text( $_, \@head, @rows ) }
              qw(syncol_MPI_Bcast-length-SM syncol_MPI_Bcast-again-SM col_MPI_Bcast-length-BM)
        )
    );
    is scalar( () = $pages =~ /All processes call \\texttt\{MPI\\_Bcast\}/g ), 1,
      'that of an operation';
    is scalar( () = $pages =~ /The length of the message varies/g ), 1, 'that of a variation';
    is scalar( () = $pages =~ /The time is that of the slowest process/g ), 1, 'that of a time';
    is scalar( () = $pages =~ /The time is that of the root/g ), 1, '... for each pattern';
    is scalar( () = $pages =~ /\\describedat\{syncol_MPI_Bcast-length-SM\}/g ), 2,
      'later suites refer to the page';
};

subtest 'missing suites' => sub {
    my $text = join "\n", '#@SUITES a { Type = 1; Variation = Length; }', '# b { Type = 8; }',
      '# b { Type = 47; }', '# c { Type = 9; }', q{};
    my @done = (
        suite_text( 'p2p_a',    ['#@TYPE 1 p2p_MPI_Send-MPI_Recv'], '4 1 0 4' ),
        suite_text( 'syncol_b', ['#@TYPE 47 syncol_MPI_Bcast'],     '4 1 0 4' ),
    );
    my $torn =
      suite_text( 'p2p_c', ['#@TYPE 9 p2p_MPI_Sendrecv_replace'], '4 1 0 4' ) =~ s/#eol\n//r;
    my @notes = run_notes( SKaMPI::Read::Output->from_text( join q{}, $text, @done, $torn ) );
    is $notes[1], 'Missing: 2 of 4 suites of the parameter file: b and c.', 'are listed by type';
    my $finished = output_of(
        $text, @done,
        suite_text( 'p2p_b', [], '4 1 0 4' ),
        suite_text( 'p2p_c', [], '4 1 0 4' )
    );
    is_deeply [ grep { /Missing/ } run_notes($finished) ], [],
      'are not mentioned if there are none';
};

subtest 'kinds of errors' => sub {
    my $suite  = suite_text( 'p2p_a', ['#@TIMEOF x'], '4 1 0 4' );
    my $robust = 'medians of 4 runs, their standard errors between runs so that two cover 95 %';
    my @cases  = (
        [ 'one run'      => $suite,                   qr/within this launch/ ],
        [ q{the paper's} => "#\@ERROR paper\n$suite", qr/SKaMPI 4[.]1 computed them/ ],
        [
            'a merge' => "#\@POSTPROCESSED $robust; merged by hand\n# a b\n$suite",
            qr/medians of 4 runs.*two cover 95/
        ],
    );
    for my $case (@cases) {
        my ( $name, $text, $wanted ) = @{$case};
        my $output = output_of($text);
        like kind_of_errors($output),                           $wanted, $name;
        like pages_of($output) =~ s/.*section\*\{Summary\}//sr, $wanted, '... in the summary';
    }
    my @outputs = map { output_of( $_->[1] ) } @cases[ 0, 2 ];
    like page_of( compared(@outputs) ),
      qr/errors of these files are of different kinds/, 'a comparison of two kinds';
    $outputs[0] = output_of( $cases[2][1] =~ s/4(?= runs)/5/r );
    unlike page_of( compared(@outputs) ), qr/of different kinds/, 'one kind, of more runs';
};

subtest 'values of a single run in a merge' => sub {
    my @rows = ( '4 10 0.1 4 # runs=2 of=2', '8 99 0.1 4 # runs=1 of=2 error=within' );
    my $view = view_of( suite_text( 'p2p_x', ['#@RUNS 2 of 2'], @rows ) );
    is_deeply $view->data->{notes},
      ['One point was measured by a single run only, with the error within that run.'],
      'are mentioned';
};

subtest 'unsteady rows, and rows with two modes' => sub {
    my @rows = ( '4 10 0.1 4 # unsteady=1', '8 12 0.1 4 # modes=9.5:60,14.5:40' );
    my $data = view_of( suite_text( 'p2p_x', [], @rows ) )->data;
    my $text = join q{ }, @{ $data->{notes} };
    like $text,
qr/In 1 of 2 rows \(\^\): unsteady: .*1 of 2 rows have two modes.*60 % take 9[.]500 .* 40 % take 14[.]50/,
      'are mentioned';
};

subtest 'the repetition that bars show' => sub {
    my $format =
      "#Format: <args> message length [bytes] (%d) $RESULTS node_time [microsec.] (%f) per process";
    my $of    = '#@NODETIMES of the repetition nearest to the reported time';
    my @cases = (
        [
            'as the file says' => [$of],
            ['Bars show times of the repetition nearest to the reported time.']
        ],
        [
            'a merge' => [ $of, '#@RUNS 2 of 2' ],
            ['Bars show the median over the runs for each process.']
        ],
        [ 'an older version' => [], [] ],
    );
    for my $case (@cases) {
        my ( $name, $lines, $wanted ) = @{$case};
        my $text = join "\n", '#/*@inp2p_x.ski*/', $format, @{$lines}, '4 1 0 4 1 1.5', '#eol', q{};
        my ($suite) = SKaMPI::Read::Output->from_text($text)->suites;
        my $view    = SKaMPI::Document::SuiteView->new( $suite, name => 'x', bars => 1 );
        is_deeply [ grep { /Bars/ } @{ $view->data->{notes} } ], $wanted, $name;
    }
};

subtest 'without colours' => sub {
    my %data     = ( mono => 1, machine => 'm', short_machine => 'm', user => 'u' );
    my $preamble = $document->text( 'preamble', \%data );
    my %look     = map { $_ => $preamble =~ /\\newcommand\{\\ratio$_\}\[1\]\{(.*)\}/ ? $1 : q{} }
      qw(equal slower faster);
    like $look{faster},   qr/\\textbf\{#1\}/,  'faster is bold';
    like $look{equal},    qr/\(#1\)/,          'equal is in parentheses';
    unlike $look{slower}, qr/\\textbf|\(#1\)/, 'slower is neither';
};

done_testing;
