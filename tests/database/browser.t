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

sub open_page ($path) {
    $browser->go("$base$path");
    return $browser->wait_for('return document.readyState === "complete"');
}

# The first panel of the figure: ends, axes and curves.
my $PANEL = 'JSON.parse(document.querySelector("figure svg").dataset.panels)[0]';

sub curves ( $in = $browser ) { return $in->js("return $PANEL\[6].map(c => c[0])") }

sub choose ( $selector, $then ) {
    $browser->click($selector);
    ok $browser->wait_for("return $then"), "after a click on $selector";
    return;
}

subtest 'two machines and three suites' => sub {
    open_page('/compare');
    choose( "#run-$_", qq{document.querySelector("#run-$_").hasAttribute("checked")} ) for 1, 2;
    choose( '#l-1',    "document.querySelector('figure svg') && $PANEL\[6].length === 2" );
    choose( '#l-2',    "$PANEL\[6].length === 4" );
    is $browser->js('return document.querySelectorAll("figure svg a").length'), 4, 'four names';
};

# Two places of the window, as parts of the axes of the figure.
my $PLACES = <<"END";
const svg = document.querySelector("figure svg"), p = $PANEL;
svg.scrollIntoView();
const r = svg.getBoundingClientRect();
return [...arguments].map(([x, y]) => [r.left + r.width * (p[0] + x * (p[1] - p[0])), r.top + r.height * (p[3] - y * (p[3] - p[2]))]);
END

subtest 'the pointer' => sub {
    $browser->mouse( @{ $browser->js( $PLACES, [ 0.5, 0.5 ] ) } );
    my ($at) = @{ $browser->js( $PLACES, $browser->js("return $PANEL\[6][1][3]") ) };
    $browser->mouse($at);
    is $browser->text('.tip'),
      $browser->js("return $PANEL\[6][1][0] + ', ' + $PANEL\[6][1][3][2]"),
      'reads the nearest point';
    $browser->mouse( @{ $browser->js( $PLACES, [ 0.4, 0.1 ], [ 0.6, 0.5 ], [ 0.9, 0.9 ] ) } );
    ok $browser->wait_for(
        'return /xmin=/.test(location.search) && document.getElementById("xmin").value'),
      'and zooms: the address and the fields have the new ends';
    my ( $low, $high ) = @{ $browser->js("return $PANEL\[4]") }[ 2, 3 ];
    cmp_ok abs( $low / 9.87 - 1 ) + abs( $high / 34.2 - 1 ), '<', 0.05, 'those of the rectangle';
    is $browser->js('return document.querySelectorAll("dialog").length'), 0, 'nothing is enlarged';
    like $browser->js( 'return document.querySelector(arguments[0]).href', $_ ),
      qr/xmin=.*ymax=/, $_
      for '#link', 'figcaption p:last-child a';
};

subtest 'hide a series' => sub {
    my $colours =
      'return [...document.querySelectorAll("figure svg path")].map(p => p.getAttribute("stroke"))';
    my %before = map { ( $_ // q{} ) => 1 } @{ $browser->js($colours) };
    choose( 'figure svg a:nth-of-type(2)',
        "/hide=2/.test(location.search) && $PANEL\[6].length === 3" );
    is_deeply [ grep { !$before{ $_ // q{} } } @{ $browser->js($colours) } ], ['#9a9a9a'],
      'the others keep their colours';
    my ( $shown, $link ) =
      ( curves(), $browser->js('return document.getElementById("link").href') );
    $browser->new_window;
    $browser->go($link);
    is_deeply curves(), $shown, 'the same in another window';
    is $browser->js('return document.getElementById("link").href'), $link, 'with the same link';
    choose( 'figure svg a:has(.hidden)',
        "!/hide/.test(location.search) && $PANEL\[6].length === 4" );
};

subtest 'with the keyboard only' => sub {
    open_page('/compare?s=1:p2p_Suite01&xmin=16');
    my $tabs = 0;
    $browser->press('Tab')
      while $tabs++ < 80
      && $browser->js('return document.activeElement.tagName.toLowerCase()') ne 'svg';
    cmp_ok $tabs, '<', 80, 'the plot can be reached';
    $browser->press( 'Right', 'Right' );
    like $browser->text('.tip'),
      qr/\Ap2p_Suite01, Alpha, 20 B: [0-9.]+ .s \x{b1} .* 8 repetitions\z/,
      'arrow keys read the points';
    $browser->press('Escape');
    ok $browser->wait_for(q{return !location.search.includes('xmin')}), 'Escape shows all';
};

subtest 'without JavaScript' => sub {
    my $plain = SKaMPI::Browser->new( scripts => 0 );
    $plain->go("$base/compare?s=1:p2p_Suite01");
    my $all = $plain->js("return $PANEL\[4]");
    $plain->click('.zoom a:nth-of-type(3)');
    $plain->wait_for('return /xmin=/.test(location.search)');
    my ( $half, $low ) = map {
        $plain->js("return JSON.parse(document.querySelector('figure svg').dataset.panels)[$_][4]")
    } 0, 1;
    cmp_ok $half->[2], '>', 2 * $all->[2], 'a link zooms';
    is_deeply $low, $half, 'the low panel, too';
    $plain->click('figure svg a');
    ok $plain->wait_for('return /hide=/.test(location.search)'), 'a name hides its series';
    $plain->go("$base/compare?r=1&l=p2p_Suite01");
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

subtest 'every page is as wide as the window' => sub {
    my @paths =
      qw(/ /machines /machine/alpha /runs /run/1 /run/3 /run/1/suite/p2p_Suite01 /submit /about
      /matrix?argument=8 /compare /history/alpha/p2p_Suite01 /run/99
      /compare?r=1&r=2&r=3&r=7&l=p2p_Suite01&l=p2p_Suite02 /compare?r=1&s=1:p2p_Suite01);
    for my $width ( 360, $LONG ? 1600 : () ) {
        $browser->size( $width, 800 );
        for my $path (@paths) {
            open_page($path);
            my $size =
              'const page = document.documentElement; return page.scrollWidth - page.clientWidth';
            is $browser->js($size), 0, "$path: $width pixels";
        }
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
    : qw(/run/1 /machine/alpha)
);

subtest 'names for a screen reader' => sub {
    for my $path (@PAGES) {
        open_page($path);
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

# Attributes that tidy 5.6 does not know, such as the address of a link in SVG.
my $UNKNOWN = qr/proprietary attribute "(?:aria-current|href|inputmode|loading)"/;

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
