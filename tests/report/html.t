# The report as one HTML file: what it says, and how a browser shows it. SKAMPI_LONG: also a file of all widths.
use v5.36;

use Cwd        qw(abs_path);
use Encode     qw(decode);
use List::Util qw(sum);
use Test::More;
use SKaMPI::ApplicationResults qw(application_results other_library);
use SKaMPI::Browser;
use SKaMPI::Document::Content;
use SKaMPI::Document::Html qw(html_of);
use SKaMPI::Document::Markup;
use SKaMPI::Document::Texts qw(shipped_texts);
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::FreshRuns qw(fresh_report);
use SKaMPI::Hostile   qw(hostile_run %TEXTS);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(compared dorep pdf_text tidy why_not workplace);
use SKaMPI::Test       qw($ROOT read_file);

my $LONG = $ENV{SKAMPI_LONG};
my $DATA = "$ROOT/tests/report/data";

sub slurp ($path) {
    return decode( 'UTF-8', read_file($path) );
}

sub html_text ($text) {
    return SKaMPI::Document::Markup->new(
        values => ['<b> & 5 %'],
        files  => { 'a.tmd' => 'of a file' },
        plot   => sub ($name) { return "<svg>$name</svg>" }
    )->rendered($text) =~ s/\s+\z//r;
}

my $VALUE = SKaMPI::Document::Markup::value(0);

subtest 'LaTeX of the report as HTML' => sub {
    my @cases = (
        [ 'one -- two~\%',         "<p>one \x{2013} two\x{a0}%</p>" ],
        [ "one\n\ntwo\\par three", "<p>one</p>\n<p>two</p>\n<p>three</p>" ],
        [
            '\texttt{MPI\_Send} \emph{a}\textsf{b}',
            '<p><code>MPI_Send</code> <em>a</em><span class="name">b</span></p>'
        ],
        [
            '$\lceil\log_2 p\rceil$ $(t-t_{\mathrm{net}})/t$ $2^i$',
"<p>\x{2308}log<sub>2</sub> <var>p</var>\x{2309} (<var>t</var>\x{2212}<var>t</var><sub><span>net</span></sub>)/<var>t</var> 2<sup><var>i</var></sup></p>"
        ],
        [
            "$VALUE, \\textbf{$VALUE}",
            '<p>&lt;b&gt; &amp; 5 %, <strong>&lt;b&gt; &amp; 5 %</strong></p>'
        ],
        [ "% a comment\n{\\small\\setlength{\\tabcolsep}{1mm}a}", '<p>a</p>' ],
        [
            '\section{A}\label{x}\pageref{x} \pages{x}',
            qq{<h2 id="x">A</h2>\n<p><a href="#x">show</a> <a href="#x">A</a></p>}
        ],
        [
            '\subsection[{A}]{A\describedat{y}}\label{x}',
qq{<h3 id="x">A <small class="quiet">described at <a href="#y">the suite</a></small></h3>}
        ],
        [
            '\ratiofaster{1}\ratioequal{2}\rationone{3}',
            '<p><span class="faster">1</span><span class="equal">2</span></p>'
        ],
        [
            '\textasciitilde\ marks \refinedmark\ added\quad b',
            "<p>~ marks <span class=\"accent\">\x{25cb}</span> added<wbr> b</p>"
        ],
        [
            '\begin{figurerow}\plot{p}\hfill\plot{q}\end{figurerow}',
            qq{<div class="figures"><p><svg>p</svg><svg>q</svg></p>\n</div>}
        ],
        [ '\input{a.tmd}', '<p>of a file</p>' ],
        [ '<script>',      '<p>&lt;script&gt;</p>' ],
    );
    is html_text( $_->[0] ), $_->[1], $_->[0] for @cases;
    my $table = html_text(<<'END');
\begin{fulltable}{@{\extracolsep{\fill}}>{\raggedright\arraybackslash}p{70mm}r*{2}{>{\hspace{6mm}}r}l@{}}
\toprule
\facttitle{A}&B&C&D\\
\midrule
\endhead
\bottomrule
\endfoot
\multicolumn{4}{@{}l}{\facttitle{Group}}\\*
x&{a & b}&1&2\\
\end{fulltable}
END
    is $table =~ s/\n//gr,
'<div class="scroll"><table class="fulltable"><thead><tr><th scope=col class="text"><span class="title">A</span></th>'
      . '<th scope=col class="number">B</th><th scope=col class="number">C</th><th scope=col class="number">D</th></tr></thead>'
      . '<tbody><tr class="group"><th scope=col colspan="4"><span class="title">Group</span></th></tr>'
      . '<tr><td class="text">x</td><td class="number">a  b</td><td class="number">1</td><td class="number">2</td></tr></tbody></table></div>',
      'a table';
};

# The content of an output, without gnuplot.
sub content_of ($output) {
    my @comparisons =
      SKaMPI::Findings::ComparisonFile->from_file( "$ROOT/report/default.dorep", 1 )
      ->applied_to($output);
    return SKaMPI::Document::Content->new(
        $output,
        comparisons => $comparisons[0]{comparisons},
        style       => { fewest => 4, mono => 0, bars => 1 }
    );
}

subtest 'all LaTeX of texts and templates is known' => sub {
    my $markup = SKaMPI::Document::Markup->new;
    $markup->rendered($_) for values %{ shipped_texts() };
    is_deeply [ $markup->unknown ], [], 'texts';
    my %read = map { $_ => SKaMPI::Read::Output->from_text( slurp($_) ) } glob "$DATA/*.out";
    my $applications = application_results();
    $read{applications} = SKaMPI::Read::Output->from_text($applications);
    $read{other}        = SKaMPI::Read::Output->from_text( other_library($applications) );
    for my $path ( sort keys %read ) {
        my ( undef, @unknown ) = html_of( content_of( $read{$path} ), sub ($name) { return q{} } );
        is_deeply \@unknown, [], $path =~ s{.*/}{}r;
    }
    for my $pair ( [qw(applications other)], [ ("$DATA/report.out") x 2 ] ) {
        my ( undef, @unknown ) =
          html_of( compared( @read{ @{$pair} } ), sub ($name) { return q{} } );
        is_deeply \@unknown, [], "@{$pair}";
    }
    $markup->rendered('\foo{a} \begin{bar}b\end{bar}');
    is_deeply [ sort $markup->unknown ], [ '\begin{bar}', '\foo' ], 'other commands are not';
};

plan skip_all => why_not() if why_not();

# Numbers as they are printed: those with a point, which are neither pages nor sections.
sub numbers ($text) {
    my %count;
    $count{$_}++ for grep { tr/0-9// > 2 } $text =~ /(?<![0-9.])[0-9]+[.][0-9]+(?![0-9.])/g;
    return \%count;
}

my $browser = SKaMPI::Browser->why_not ? undef : SKaMPI::Browser->new;
my $plain   = $browser && SKaMPI::Browser->new( scripts => 0 );

sub seen_by ( $browser, $path ) {
    $browser->go( 'file://' . abs_path($path) );
    $browser->wait_for('return document.readyState === "complete"');
    return $browser->js(
'document.querySelectorAll("details").forEach(e => { e.open = true; }); return document.body.innerText + [...document.querySelectorAll("svg text")].map(e => " " + e.textContent).join("")'
    );
}

my $place = fresh_report();
my $page  = "$place/skampi.out.html";
like read_file("$place/said"), qr/^skampi[.]out[.]html: one page$/m,
  'a run of the test: the message';

subtest 'numbers equal those of the PDF' => sub {
    plan skip_all => 'no browser' if !$plain;
    my ( $here, $there ) =
      ( numbers( seen_by( $plain, $page ) ), numbers( pdf_text("$place/skampi.out.pdf") ) );
    my $count = sum values %{$there};
    cmp_ok $count, '>=', 40, "$count numbers, which a browser without JavaScript shows";
    is_deeply [ grep { ( $here->{$_} // 0 ) < $there->{$_} } sort keys %{$there} ], [],
      'each at least as often';
};

sub faults ($browser) {
    return ( $browser->console,
        @{ $browser->js('return performance.getEntriesByType("resource").map(e => e.name)') } );
}

subtest 'in a browser' => sub {
    plan skip_all => 'no browser' if !$browser;
    seen_by( $browser, $page );
    is_deeply [ faults($browser) ], [], 'no message, no request';
    is $browser->js('return document.querySelectorAll("svg[role=img]").length') > 3, 1,
      'there are plots';
    is_deeply $browser->js(
'return [...document.querySelectorAll("svg[role=img]")].filter(e => !e.getAttribute("aria-label")).length'
    ), 0, 'with names';
    for my $width ( 390, 1600, $LONG ? 800 : () ) {
        $browser->size( $width, 900 );
        is $browser->js(
            'const page = document.documentElement; return page.scrollWidth - page.clientWidth'),
          0, "$width pixels";
    }
    my $first = 'return document.querySelector("details.rows table tbody tr td").textContent';
    $browser->js('document.querySelector("details.rows").open = true');
    my $first_argument =
'return String(JSON.parse(document.getElementById("rows").textContent)[0].suites[0].rows[0][0])';
    is $browser->wait_for($first), $browser->js($first_argument), 'the rows of a suite';
    $browser->js('document.querySelector("details.rows th button").click()') for 1 .. 2;
    is $browser->js($first),
      $browser->js(
'return String(Math.max(...JSON.parse(document.getElementById("rows").textContent)[0].suites[0].rows.map(r => r[0])))'
      ),
      'two clicks on a title sort them downwards';
    is $browser->js('return document.querySelector("details.rows th").getAttribute("aria-sort")'),
      'descending', 'and say so';
    is_deeply $browser->js( <<'JS'), [ 1, 0 ], 'a click enlarges a plot, and another one closes it';
const svg = document.querySelector("svg[role=img]");
svg.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const open = document.querySelectorAll("dialog[open] svg").length;
document.querySelector("dialog").close();
return [ open, document.querySelectorAll("dialog[open]").length ];
JS
    like $browser->js(
        <<'JS'), qr/\A(?:[0-9.]+ [KM]?i?B: [0-9.]+ (?:ns|\x{b5}s|ms))\z/, 'the pointer shows the values of a point';
const svg = document.querySelector("svg[data-panels]");
svg.scrollIntoView();
const path = [...svg.querySelectorAll("path[stroke-linecap]")].find(p => p.getAttribute("stroke") !== "#ffffff");
const at = path.getAttribute("d").slice(1).match(/-?[0-9.]+/g).map(Number), m = svg.getScreenCTM();
svg.dispatchEvent(new MouseEvent("mousemove", { clientX: m.a * at[0] + m.e, clientY: m.d * at[1] + m.f }));
return document.querySelector(".tip").textContent;
JS

    for my $is_dark ( 0, 1 ) {
        $browser->dark($is_dark);
        my $colours = $browser->js(
'const s = getComputedStyle(document.body); return [s.color, s.backgroundColor].map(c => c.match(/[0-9]+/g).reduce((a, b) => a + +b, 0))'
        );
        is $colours->[0] > $colours->[1] ? 1 : 0, $is_dark,
          $is_dark ? 'light on dark' : 'dark on light';
    }
};

subtest 'hostile texts' => sub {
    my $there = workplace( 'skampi.out' => hostile_run('script') );
    is dorep( $there, '--format', 'html' )->{status}, 0, 'a report is made';
    is_deeply tidy("$there/skampi.out.html"), [], 'tidy';
    return if !$browser;
    my $seen = seen_by( $browser, "$there/skampi.out.html" );
    like $seen, qr/\Q$TEXTS{$_}\E/, $_ for 'script', 'image', 'end of a script', 'comment';
    is $browser->title, "MPI performance of $TEXTS{script}", 'the title is a text';
    is_deeply [ faults($browser), $browser->js('return window.attacked || 0') ], [0],
      'nothing of it ran, or was refused';
};

is SKaMPI::Safe::Escape::html("a\x{202e}b\x{0}c"), "a\x{25af}b c",
  'a box instead of a character that turns the text around';

subtest 'without LaTeX' => sub {
    my $bin = workplace();
    for my $program (qw(gnuplot perl)) {
        my ($path) = grep { -x } map { "$_/$program" } split /:/, $ENV{PATH};
        symlink $path, "$bin/$program" or die "$program: $!";
    }
    local $ENV{PATH} = $bin;
    my $there = workplace( 'skampi.out' => slurp("$DATA/report.out") );
    is dorep( $there, '--format', 'html' )->{status}, 0, $_ for 'a report is made', 'and replaced';
    open my $file, '>>', "$there/skampi.out.html" or die "$there: $!";
    say {$file} 'mine';
    close $file or die "$there: $!";
    like dorep( $there, '--format', 'html' )->{err},
      qr/was not made by dorep or was changed since/, 'one that was changed is not';
    like dorep( $there, '--format', 'pdf' )->{err}, qr/not installed: pdflatex/,
      'for PDF it is needed';
};

$_->quit for grep { defined } $browser, $plain;
done_testing;
