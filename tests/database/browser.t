# The pages of the result database in a real browser. SKAMPI_LONG: also all pages in both widths and colours.
use v5.36;

use List::Util qw(any);
use Mojo::UserAgent;
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::Browser;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::ReportTest   qw(tool workplace);
use SKaMPI::WebTest      qw(database_of runs_of_machines serve);

plan skip_all => SKaMPI::Browser->why_not if SKaMPI::Browser->why_not;

my $LONG = $ENV{SKAMPI_LONG};

# Each text would call alert, or change the title, if it were taken for a part of the page.
my @HOSTILE = (
    '<script>document.title="taken"</script>',
    '"><img src=x onerror="document.title=\'taken\'">',
    q{'-document.title='taken'-'},
    '</script><svg onload=document.title="taken">',
    '<%= die %> {{1}} ${1} javascript:document.title="taken"',
);

my $database = database_of(
    runs_of_machines( 1, Alpha => 1, Beta => 2 ),
    map {
        generated_run(
            minute => $_,
            facts  => {
                MACHINE    => $HOSTILE[$_],
                WARNING    => $HOSTILE[$_],
                USER       => $HOSTILE[$_],
                MPILIBRARY => $HOSTILE[$_],
                NODE       => $HOSTILE[$_]
            },
            notes => { TIMEOF => $HOSTILE[$_] }
        )
    } 0 .. $#HOSTILE
);
my ( $base, $guard ) = serve( $database, public => 1 );
my $browser = SKaMPI::Browser->new;
my $READY =
  'return document.querySelector("[data-ready]") && !document.querySelector("[data-loading]")';

sub open_page ($path) {
    $browser->go("$base$path");
    return $browser->wait_for(
'return document.readyState === "complete" && (!document.querySelector("[data-plot]") || document.querySelector("[data-ready]"))'
    );
}

sub curves () {
    return $browser->js(
'return [...document.querySelectorAll("path.line[marker-mid]")].filter(p => p.getAttribute("d") !== "M0 0").map(p => p.getAttribute("d"))'
    );
}

sub choose ( $selector, $then ) {
    $browser->click($selector);
    ok $browser->wait_for($then), "after a click on $selector";
    return;
}

subtest 'two machines and three suites' => sub {
    open_page('/compare');
    choose( "#run-$_", qq{return document.getElementById("show-all").href.includes("r=$_")} )
      for 1, 2;
    choose( '#l-1', "$READY && location.search.includes('l=p2p_Suite01')" );
    is scalar @{ curves() }, 2, 'a suite of both';
    choose( '#l-2', 'return document.querySelectorAll("path.line[marker-mid]").length === 4' );
    is $browser->js('return document.querySelectorAll(".legend button").length'), 4, 'four names';
};

my $before = curves();
subtest 'zoom by dragging' => sub {
    my $area = $browser->js(
'const r = document.querySelector(".brush .background").getBoundingClientRect(); window.scrollBy(0, r.top - 100); const s = document.querySelector(".brush .background").getBoundingClientRect(); return [s.left, s.top, s.width, s.height]'
    );
    my ( $left, $top, $width, $height ) = @{$area};
    $browser->mouse(
        [ $left + 0.4 * $width, $top + 0.1 * $height ],
        [ $left + 0.6 * $width, $top + 0.5 * $height ],
        [ $left + 0.9 * $width, $top + 0.9 * $height ]
    );
    ok $browser->wait_for(
        'return /xmin=/.test(location.search) && document.getElementById("xmin").value'),
      'the address and the fields have the new ends';
    isnt curves()->[0], $before->[0], 'the curve is drawn again';
    ok $browser->wait_for('return document.getElementById("link").href.includes("xmin=")'),
      'the link, too';
    like $browser->js('return document.querySelector("figcaption a").getAttribute("href")'),
      qr/xmin=.*ymax=/, 'and so are the files';
};

subtest 'hide a series' => sub {
    my $colour = $browser->js(
        'return document.querySelectorAll(".legend path.line")[2].getAttribute("class")');
    $browser->js('document.querySelectorAll(".legend button")[1].click()');
    ok $browser->wait_for('return /hide=2/.test(location.search)'), 'it is in the address';
    is scalar @{ curves() }, 3, 'three curves';
    is $browser->js(
        'return document.querySelectorAll(".legend path.line")[2].getAttribute("class")'), $colour,
      'the others keep their colours';
};

subtest 'the link in another window' => sub {
    $browser->wait_for(
'return document.getElementById("link").href.includes("hide=") && document.querySelectorAll("table.numbers thead th").length === 3'
    );
    my $shown = curves();
    my $link  = $browser->js('return document.getElementById("link").href');
    $browser->new_window;
    $browser->go($link);
    $browser->wait_for($READY);
    my $again = curves();
    is scalar @{$again},                                            3,     'three curves';
    is $browser->js('return document.getElementById("link").href'), $link, 'and the same link';
    my $fine = Mojo::UserAgent->new->get(
        $browser->js(
'return [...document.querySelectorAll("figcaption a")].find(a => a.textContent === "EPS").href'
        )
    )->res->body;
    my $drawn = tool( workplace( 'plot.eps' => $fine ),
        qw(gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=nullpage plot.eps) );
    is "$drawn->{status} $drawn->{out}", '0 ', 'Ghostscript reads the EPS of this page';
};

subtest 'a low plot' => sub {
    open_page('/compare?s=1:p2p_Suite01');
    my $ends =
'return [...document.querySelectorAll(".drawing")].map(d => d.querySelector(".axes text[text-anchor=middle]").textContent)';
    my $all = $browser->js($ends);
    is scalar @{$all}, 2, 'it is below the other';
    $browser->js(
'const plots = document.querySelector("[data-ready]").plots; plots[1].show({ x: [16, 32], y: [-1, 1] })'
    );
    ok $browser->wait_for('return /xmin=16/.test(location.search)'), 'its range is that of both';
    is_deeply $browser->js($ends), [ '16 B', '16 B' ], 'and both are drawn again';
    unlike $browser->js('return location.search'), qr/ymin/, 'over values of their own';
};

subtest 'with the keyboard only' => sub {
    open_page('/compare?s=1:p2p_Suite01');
    my $tabs = 0;
    $browser->press('Tab')
      while $tabs++ < 80
      && $browser->js('return document.activeElement.tagName.toLowerCase()') ne 'svg';
    cmp_ok $tabs, '<', 80, 'the plot can be reached';
    $browser->press( 'Right', 'Right' );
    like $browser->text('.hint'),
      qr/\AAlpha.*: [0-9.]+ .s .* 8 repetitions|p2p_Suite01, Alpha.*8 repetitions/,
      'arrow keys read the points';
    $browser->press('Tab');
    $browser->press('Enter');
    ok $browser->wait_for('return /hide=/.test(location.search)'), 'Enter hides the series';
};

subtest 'without JavaScript' => sub {
    my $plain = SKaMPI::Browser->new( scripts => 0 );
    $plain->go("$base/compare?r=1&l=p2p_Suite01");
    is $plain->js('return document.querySelectorAll(".drawing").length'), 0,
      'nothing is drawn in the page';
    ok $plain->wait_for(
        'const i = document.querySelector(".picture img"); return i && i.naturalWidth > 400'),
      'the plot is a picture'
      or diag $plain->js('return document.querySelector(".picture").outerHTML'),
      Mojo::UserAgent->new->get("$base/compare/plot.svg?r=1&l=p2p_Suite01")->res->to_string;
    $plain->click("#$_") for qw(run-2 l-2);
    $plain->click('form.compare button');
    ok $plain->wait_for('return document.querySelectorAll("table.numbers thead th").length === 4'),
      'choices take effect with the button';
    $plain->quit;
};

subtest 'hostile runs are text' => sub {
    my @seen;
    for my $path (
        '/',
        '/machines',
        '/runs',
        (
            map {
                (
                    "/run/$_", "/compare?r=$_&s=$_:p2p_Suite01&s=1:p2p_Suite01",
                    "/run/$_/suite/p2p_Suite01"
                )
            } $LONG ? 3 .. 7 : 3
        ),
        '/matrix',
        '/about'
      )
    {
        open_page($path);
        push @seen, "$path: " . $browser->title if $browser->title !~ / - SKaMPI results\z/;
        push @seen, "$path: $_" for $browser->console;
        push @seen, "$path: a foreign address"
          if $browser->js(
'return performance.getEntriesByType("resource").some(e => !e.name.startsWith(location.origin))'
          );
    }
    is_deeply \@seen, [], 'no script of theirs ran, nothing was refused or fetched from elsewhere';
};

subtest 'the plots of a run, and its report' => sub {
    open_page('/run/1');
    $browser->js('document.querySelectorAll(".gallery img").forEach(i => { i.loading = "eager" })');
    ok $browser->wait_for(
'const all = [...document.querySelectorAll(".gallery img")]; return all.every(i => i.complete) && all.length'
      ),
      'there are plots';
    is $browser->js(
'return [...document.querySelectorAll(".gallery img")].filter(i => i.naturalWidth === 450).length'
      ),
      $browser->js(
'return [...document.querySelectorAll("td.number")].filter(c => c.nextElementSibling && c.nextElementSibling.querySelector("input") && +c.textContent >= 4).length'
      ),
      'one of each suite with four points';
    my $agent = Mojo::UserAgent->new;
    my $answer;
    sleep 0.2 while ( $answer = $agent->get("$base/run/1/report.html")->res )->code == 202;
    is $answer->code, 200, 'the report as HTML';
    like $answer->headers->content_disposition, qr/attachment; filename="skampi-1[.]html"/,
      'is for a download';
    is $answer->headers->content_security_policy, 'sandbox',      'not a page of the server';
    is $answer->dom->find('main section.suite svg')->size > 0, 1, 'with plots';
};

subtest 'every page on a phone' => sub {
    $browser->size( 390, 800 );
    for my $path (
        '/',                          '/machines',
        '/machine/alpha',             '/runs',
        '/run/1',                     '/run/3',
        '/run/1/suite/p2p_Suite01',   '/matrix?argument=8',
        '/compare',                   '/submit',
        '/history/alpha/p2p_Suite01', '/about',
        '/run/99',                    '/compare?r=1&r=2&r=3&r=7&l=p2p_Suite01&l=p2p_Suite02'
      )
    {
        open_page($path);
        is $browser->js(
            'const page = document.documentElement; return page.scrollWidth - page.clientWidth'),
          0, $path;
    }
};

my %NEEDS_NAME =
  map { $_ => 1 } qw(button link checkbox textbox searchbox combobox spinbutton application image);
my @PAGES = (
    '/compare?r=1&s=1:p2p_Suite01',
    $LONG
    ? (
        '/', '/machines', '/machine/alpha', '/runs', '/run/1', '/run/1/suite/p2p_Suite01',
        '/matrix?argument=8', '/history/alpha/p2p_Suite01?argument=8',
        '/submit',            '/about'
      )
    : '/run/1'
);

subtest 'names for a screen reader, and width' => sub {
    for my $path (@PAGES) {
        for my $width ( 360, $LONG ? 1600 : () ) {
            $browser->size( $width, 800 );
            open_page($path);
            is $browser->js(
'return document.documentElement.scrollWidth <= innerWidth ? "" : document.documentElement.scrollWidth'
            ), q{}, "$path fits $width pixels";
        }
        my @nodes = $browser->accessible;
        is_deeply [
            map  { $_->{role} }
            grep { $NEEDS_NAME{ $_->{role} } && $_->{name} eq q{} } @nodes
          ],
          [],
          "$path: all controls have names";
        ok( ( any { $_->{role} eq 'main' } @nodes ) && ( any { $_->{role} eq 'heading' } @nodes ),
            "$path: landmarks" );
    }
};

# The texts whose contrast with the background is too low.
my $CONTRAST = <<'END';
const light = c => { const v = c.map(x => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
const rgb = s => (s.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
return [...document.querySelectorAll("main *, header *, footer *")].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
  const s = getComputedStyle(e), a = light(rgb(e.namespaceURI.endsWith("svg") ? s.fill : s.color)), b = light(ground(e));
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.tagName + " " + e.textContent.slice(0, 20)];
}).filter(x => x[0] < 4.5);
END

subtest 'contrast' => sub {
    for my $is_dark ( $LONG ? ( 0, 1 ) : 1 ) {
        $browser->dark($is_dark);
        for my $path (@PAGES) {
            open_page($path);
            is_deeply $browser->js($CONTRAST), [],
              "$path: at least 4.5, " . ( $is_dark ? 'dark' : 'light' );
        }
    }
};

# Attributes that tidy 5.6 does not know.
my $UNKNOWN = qr/proprietary attribute "(?:aria-current|inputmode|loading)"/;

subtest 'sound HTML' => sub {
    for my $path ( @PAGES, '/nothing' ) {
        my $html = Mojo::UserAgent->new->get("$base$path")->res->body;
        my $said =
          tool( workplace( 'page.html' => $html ), qw(tidy -q -e --show-info no page.html) );
        my @wrong = grep { !/$UNKNOWN/ } split /\n/, $said->{err} . $said->{out};
        is_deeply \@wrong, [], "$path: tidy";
    }
};

$browser->quit;
done_testing;
