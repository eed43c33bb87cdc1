# LaTeX and gnuplot files for small result files. No tools are run.
use v5.36;

use Encode qw(decode encode);
use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Document::Template;
use SKaMPI::Document::Sections qw(name_maker sections_of);
use SKaMPI::Figure::Axis;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Meaning::PlottedPoints;
use SKaMPI::Meaning::SuiteFacts qw(suite_facts);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest   qw(compared page_of);
use SKaMPI::Safe::Escape qw(file_stem gnuplot_string gnuplot_tick tex);
use SKaMPI::Test         qw($ROOT blocks_of golden slurp);

my $DATA      = "$ROOT/tests/report/data";
my $TEMPLATES = "$ROOT/report/templates";

sub is_golden ( $name, $text ) {
    my $bytes = encode( 'UTF-8', $text );
    is $bytes, golden( "$DATA/$name", $bytes ), $name;
    return;
}

subtest 'untrusted texts for LaTeX' => sub {
    my @cases = (
        [ 'plain text',      'plain text' ],
        [ '\input{x}',       '\textbackslash{}input\{x\}' ],
        [ '$x_1^2$ & 5% #~', '\$x\_1\textasciicircum{}2\$ \& 5\% \#\textasciitilde{}' ],
        [
            q{"'`<>|},
            '\textquotedbl{}\textquotesingle{}\textasciigrave{}\textless{}'
              . '\textgreater{}\textbar{}'
        ],
        [ q{-- ,, ---},         '-{}- ,{}, -{}-{}-' ],
        [ "a\tb\nc\0d\e",       'a b c d' ],
        [ "\x{e4}\x{df}\x{b5}", "\x{e4}\x{df}\x{b5}" ],
        [ "\x{4e2d}\x{202e}",   '\unprintable{}\unprintable{}' ],
        [ q{},                  q{} ],
    );
    is tex( $_->[0] ),     $_->[1],                              $_->[1] for @cases;
    is tex( 'abcdef', 5 ), 'ab...',                              'a long text is cut';
    is tex( 'x' x 30 ),    'x' x 24 . '\allowbreak{}' . 'x' x 6, 'a long word can be broken';
};

subtest 'untrusted texts for gnuplot' => sub {
    is gnuplot_string('a'),                q{'a'},               'a text is quoted';
    is gnuplot_string(q{'; system 'id}),   q{'''; system ''id'}, 'a quote is doubled';
    is gnuplot_tick( '50\\,\\%', 3 ),      q{'50\\,\\%%' 3}, 'the label of a tick is not a format';
    is gnuplot_string("a\n!id\x{2028}\0"), q{'a !id  '},     'a text is on one line';
};

subtest 'file names' => sub {
    my @none =
      ( q{}, '.x', '-x', 'a b', 'a.b', 'a/b', '$(id)', q{'}, '|x', 'x' x 200, "a\n", "\x{e4}" );
    is file_stem($_),                      undef,                   "'$_' is not a label" for @none;
    is file_stem('p2p_MPI_Send-MPI_Recv'), 'p2p_MPI_Send-MPI_Recv', 'a label is one';
    my $names = name_maker();
    is_deeply [ map { $names->($_) } 'a', 'a', 'a-2', '$', '$', 'report', 'dvips' ],
      [qw(a a-2 a-2-2 suite suite-2 suite-report suite-dvips)], 'names are unique';
};

subtest 'every value in a template is escaped' => sub {
    my %raw = map { $_ => 1 } qw(
      suite suite.id suite.text comparison.plots.0 plot mark section.intro module comparison.id
      comparison.text number loop.count table.numbers.size table.names.size cell.verdict row.id
      cell.id id group.omitted suite.see comparison.see view.id view.ratios.0.name
      view.phases_key.name view.methods.size row.verdict compared_applications.id
      suite.times.map.name suite.times.titles.size pair.number row.colour table.width line.colour
      line.id cell.level algorithms.lengths.size plot.name comparison.plots.size comparison.key
      section.more suite.plots.size suite.more health.colour overview.collectives.0
      overview.processes.0
    );

    for my $path ( glob "$TEMPLATES/*.tt" ) {
        my $text = slurp($path);
        my @tags = map { s/\A[-\s]+|[-\s]+\z//gr } $text =~ /\[%(.*?)%\]/gs;
        my @outputs =
          grep { !/\A(?:\#|IF|ELSE|UNLESS|END|FOREACH|INCLUDE|BLOCK)\b|\A\#/ } @tags;
        for my $tag (@outputs) {
            my ( $what, $filter ) = $tag =~ /\A(.+?) \| (tex|raw)\z/;
            ok defined $what && ( $filter eq 'tex' || $raw{$what} ), "$tag in $path";
        }
    }
};

# Axes whose labels overlap: a digit is 0.155 cm wide, a line of text 0.32 cm high.
sub touching_ticks () {
    my @wrong;
    for my $case (
        map {
            my $kind = $_;
            map { [ $kind, $_ ] } qw(linear logarithmic)
        } qw(time bandwidth length count number percent)
      )
    {
        for my $low ( 0, 0.003, 1, 7, 1023, 6e6 ) {
            for my $factor ( 1, 1.02, 1.7, 12, 300, 4194304 ) {
                my $axis = SKaMPI::Figure::Axis->new( @{$case}, $low, ( $low || 1 ) * $factor );
                push @wrong, map { "@{$case} $low $factor $_" }
                  grep { has_touching( $axis, @{$_} ) } [ x => 3.2 ], [ x => 6 ], [ y => 2 ],
                  [ y => 6 ];
            }
        }
    }
    return join '; ', @wrong;
}

sub has_touching ( $axis, $name, $cm ) {
    my ( $low, $high ) = $axis->range;
    my $part = sub ($x) {
        return $axis->is_logarithmic
          ? log( $x / $low ) / log( $high / $low )
          : ( $x - $low ) / ( $high - $low );
    };
    my @ticks = map { [ $cm * $part->( $_->[0] ), length $_->[1] =~ s/\\textmu |\\,|\\(?=%)/ /gr ] }
      $axis->ticks( $name, $cm );
    return grep {
        my ( $first, $second ) = @ticks[ $_ - 1, $_ ];
        my $size = $name eq 'y' ? 0.32 : 0.155 * ( $first->[1] + $second->[1] ) / 2;
        $second->[0] - $first->[0] < $size
    } 1 .. $#ticks;
}

subtest 'axes' => sub {
    my @cases = (
        [ [qw(length logarithmic 0 4 4194304)] => '0 B, 32 B, 1 KiB, 32 KiB, 1 MiB' ],
        [ [qw(length linear 0 65536)]          => '0 B, 16 KiB, 32 KiB, 48 KiB, 64 KiB' ],
        [ [ 'count', 'linear', 2 .. 16 ]       => '2, 4, 6, 8, 10, 12, 14, 16' ],
        [ [qw(count logarithmic 1 64)]         => '1, 2, 4, 8, 16, 32, 64' ],
        [ [qw(time logarithmic 0.8 1200)]      => '1 us, 10 us, 100 us, 1 ms' ],
        [ [qw(time logarithmic 0.02 0.09)]     => '20 ns, 40 ns, 60 ns' ],
        [ [qw(time linear 0 37)]               => '0, 10 us, 20 us, 30 us' ],
        [ [qw(bandwidth linear 0 9300)]        => '0, 5 GB/s' ],
        [ [qw(time linear 5)]                  => '4.8 us, 4.9 us, 5 us, 5.1 us, 5.2 us' ],
        [ [qw(time logarithmic)]               => undef ],
        [ [qw(count linear 7 7)]               => '7' ],
    );
    for my $case (@cases) {
        my $axis = SKaMPI::Figure::Axis->new( @{ $case->[0] } );
        my ( $low, $high ) = $axis->range;
        cmp_ok $low, '<', $high, "a range: @{ $case->[0] }";
        my @ticks = $axis->ticks;
        my $texts = join ', ', map { $_->[1] =~ s/\\,\\textmu /\\,u/r =~ s/\\,/ /r } @ticks;
        is $texts, $case->[1], 'ticks' if defined $case->[1];
        is scalar( grep { $_->[0] < $low || $_->[0] > $high } @ticks ), 0, 'ticks are in the range';
    }
    is touching_ticks(), q{}, 'labels of ticks do not touch';
    my $axis = SKaMPI::Figure::Axis->new( 'length', 'logarithmic', 0, 4, 64 );
    cmp_ok $axis->place(0),    '<', $axis->break_place, 'zero is left of the break';
    cmp_ok $axis->break_place, '<', 4,                  'the break is left of the first length';
    is $axis->place(-1),              undef, 'no place for negative values';
    is $axis->without_zero->place(0), undef, 'no place for zero on an axis without it';
};

sub suite_called ( $label, @lines ) {
    my $text = join "\n", "#/*\@in$label.ski*/", @lines, '#eol', q{};
    return ( SKaMPI::Read::Output->from_text($text)->suites )[0];
}

sub suite_of (@lines) {
    return suite_called( 'p2p_x', @lines );
}

my $FORMAT = '#Format: <args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f)'
  . ' standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)';

subtest 'points' => sub {
    my @head = (
        '#Pattern: Point-to-Point varied over the message length [bytes] (%d).',
        '#The x scale is logarithmic, automatic x wide adaption',
        '#range: 0 - 64, stepwidth: 2.000000.', $FORMAT
    );
    my $old    = suite_of( @head, '64 4 0 8', '4 2 .1 8', '0 1 .1 8', '5 2 .1 8', '65 9 0 8' );
    my $points = SKaMPI::Meaning::PlottedPoints->new($old);
    is join( q{ }, map { $_->{x} } $points->all ), '0 4 5 64', 'points are sorted and in the range';
    is $points->outside,                           1, 'points outside of the range are counted';
    my $new = suite_of( @head, '5 2 .1 8 # stop=accuracy', '8 2 .1 8 # stop=time refined=1' );
    $points = SKaMPI::Meaning::PlottedPoints->new($new);
    is join( q{ }, map { $_->{refined} } $points->all ), '0 1', 'rows say which points are refined';
    is join( q{ }, map { $_->{inexact} } $points->all ), '0 1',
      'points that were ended by time are inexact';
    my $timed = suite_of(
        @head[ 0 .. 2 ],
        '#max. allowed standard error is 3.00 %',
        $FORMAT,
        '4 2 .06 8 # stop=time',
        '5 2 .07 8 # stop=time',
        '6 2 .06 8 # stop=repetitions'
    );
    $points = SKaMPI::Meaning::PlottedPoints->new($timed);
    is join( q{ }, map { $_->{inexact} } $points->all ), '0 1 0',
      'but only if they missed the accuracy';
    my %exact = map {
        my $suite = suite_called(
            "${_}_x",
            '#Pattern: Simple.',
            '#max. allowed standard error is 3.00 %',
            '#Format: <results> time_cleaned [microsec.] (%f)'
              . ' standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)',
            '0.003789 0.000000 480 # stop=time'
        );
        ( $_ => !$suite->is_inexact( $suite->{rows}[0] ) )
    } qw(simple p2p);
    ok $exact{$_}, "$_: an error of 0 reaches any accuracy" for qw(simple p2p);
    my $many = suite_of( @head[ 0, 1, 3 ], map { "$_ 1 0 8" } 1 .. 2000 );
    $points = SKaMPI::Meaning::PlottedPoints->new($many);
    my @some = $points->some;
    is scalar(@some),              500,      'many points are thinned';
    is "$some[0]{x} $some[-1]{x}", '1 2000', 'the ends are kept';
};

# Lines of a block, and what the report says about its points.
subtest 'sweep and refinement' => sub {
    my %row =
      ( 0 => '0 1 .1 8 # stop=accuracy', map { $_ => "$_ 2 .1 8 # stop=time refined=1" } 5, 6 );
    my @cases = blocks_of(<<'END');
a file without these lines
  0, 5
  logarithmic, factor 1.41421; 1 point added
the whole sweep
  SWEEP 2 of 2 arguments, INTERPOLATION 2.04 % at most by estimate; 20 of 20 segments probed, 0, 5, 6
  logarithmic, factor 1.41421; 2 points added
  2.04 % at most by estimate; 20 of 20 segments probed
thinned
  SWEEP 16 of 43 arguments; thinned by Max_Steps, INTERPOLATION unknown; 0 of 15 segments probed; ended by Max_Steps, 0
  logarithmic, factor 1.41421: 16 of 43 arguments; thinned by Max_Steps; 0 points added
  unknown; 0 of 15 segments probed; ended by Max_Steps
merged
  SWEEP 1 of 1 arguments, RUNS 2 of 2, 0 1 .1 8 # runs=2, 5 2 .1 8 # runs=1
  logarithmic, factor 1.41421; 1 point added
END
    for my $case (@cases) {
        my ( $name, $written, $scale, $interpolation ) = @{$case};
        my @lines = map { $row{$_} // s/\A(?=[A-Z])/#@/r } split /, /, $written;
        my $suite = suite_of(
            '#Pattern: Point-to-Point varied over the message length [bytes] (%d).',
            '#The x scale is logarithmic, automatic x wide adaption',
            '#range: 0 - 64, stepwidth: 1.414214.',
            $FORMAT,
            @lines
        );
        my %fact = map { @{$_} } suite_facts($suite);
        is $fact{Scale},         $scale,         "$name: scale";
        is $fact{Interpolation}, $interpolation, "$name: interpolation";
    }
};

subtest 'sections' => sub {
    my @suites = map { SKaMPI::Read::Suite->new( "${_}_x", 1 ) } qw(new simple col p2p syncol p2p);
    is join( q{ }, map { "$_->{prefix}:" . @{ $_->{suites} } } sections_of(@suites) ),
      'p2p:2 syncol:1 col:1 simple:1 new:1', 'known patterns are in order, an unknown one is last';
};

my $document = SKaMPI::Document::Template->new;
my $file     = SKaMPI::Findings::ComparisonFile->from_text(
    "Two of them: p2p_MPI_Send-MPI_Recv, p2p_MPI_Isend-MPI_Recv\n");

sub content ( $name, %style ) {
    my $output = SKaMPI::Read::Output->from_file("$DATA/$name");
    return SKaMPI::Document::Content->new(
        $output,
        comparisons => $file->applied_to($output)->{comparisons},
        modules     => ["% a module of the user\n"],
        style       => { fewest => 4, mono => 0, bars => 0, %style },
    );
}

# The document without its preamble, the texts of sections, and sections and facts that are made as those before.
sub frame ($content) {
    my $again =
      qr/^\\section\{(?:[^}]*, by barriers|Local|Internal).*?(?=^\\section|^% a module)/ms;
    my $text_of_section =
      qr/^\\section\{[^}]*\}\n\\begin\{opening\}\n\K.*?(?=\\end\{opening\}|\\begin\{facts\})/ms;
    return page_of($content) =~ s/$text_of_section//gr =~ s/$again//gr =~
      s/^\\factline\{[^M].*\n//mgr;
}

# The parts that only a document with comparisons has: choices, and tables of ratios.
sub choices_and_comparisons ($content) {
    my @parts =
      frame($content) =~ /^(\\section\*?\{(?:Which call|Comparisons).*?)\n(?=\\section\{)/gms;
    return join "\n", @parts, q{};
}

subtest 'golden files' => sub {
    my %plots;
    for my $name (qw(unfinished report)) {
        my $content = content( "$name.out", bars => 1 );
        is_golden( "$name.tex",
            $name eq 'report' ? choices_and_comparisons($content) : frame($content) );
        for my $view ( $content->views ) {
            $plots{ $_->name } = $_ for $view->plots;
            next if !$view->isa('SKaMPI::Document::SuiteView');
            my $data = $view->data;
            is_golden( "$name-$data->{id}.tmd", $document->text( 'suite', { suite => $data } ) )
              if $name eq 'unfinished' && $data->{id} =~ /Send-MPI_Recv|Bcast/;
        }
    }
    like page_of( content('unfinished.out') ), qr{^\\onscreen\{How it is measured\}\{Nothing but}m,
      'the text of a section';
    my $bandwidth = 'p2p_MPI_Send-MPI_Recv-bandwidth';
    is_golden( "$bandwidth.dat", $plots{$bandwidth}->data );
    my $commands = $plots{comparison1}->commands('pdf');
    is_golden( 'comparison1.gpl', $commands );
    is $plots{comparison1}->commands('ps'), $commands =~ s{ pdf (?=input)}{ eps }r,
      'the same as PostScript';
    my ($grey) = map { $_->plots } ( content( 'report.out', mono => 1 )->views )[0];
    unlike $grey->commands('pdf'), qr/#(?!(..)\1\1)[0-9a-f]{6}/, '--mono uses only grey';
};

subtest 'index lists' => sub {
    for
      my $case ( [ 'seed 2013, 10 lists in turn', 1 ], [ 'seed 2013, 1 list', 1 ], [ 'x' x 99, 0 ] )
    {
        my ( $text, $is_shown ) = @{$case};
        my $suite = suite_called( 'simple_x', "#\@LISTS $text", '1 0 8' );
        my ($shown) = map { $_->[1] } grep { $_->[0] eq 'Index lists' } suite_facts($suite);
        is $shown, $is_shown ? $text : undef, substr $text, 0, 30;
    }
};

subtest 'several machines' => sub {
    my @outputs =
      map { SKaMPI::Read::Output->from_text( decode( 'UTF-8', slurp("$DATA/$_") ), $_ ) }
      qw(report.out unfinished.out);
    my $content = compared(@outputs);
    is_golden( 'machines.tex', frame($content) =~ s/^\\tableofcontents.*//msr );
    like page_of($content),
qr{^\\section\{Point-to-point\}\n\\begin\{opening\}\nTwo processes play ping-pong[.] .*^The time is that of one}ms,
      'with the texts of its section';
    $outputs[1] = SKaMPI::Read::Output->from_text("#/*\@insimple_x.ski*/\n1 0 4\n#eol\n");
    is eval { compared(@outputs) }, undef, 'files without a common suite are an error';
    is $@, "the files have no suite and argument in common\n", 'with a message';
};

done_testing;
