# The pages of the result database: each address with no run, one run and many runs.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;

use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Page;
use SKaMPI::Database::Web::Controller::History;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::Generated    qw(launch_text launches random_from);
use SKaMPI::WebTest      qw(database_of runs_of_machines tester);

my $PING = 'p2p_Suite01';

# Addresses for run 1 of the machine "some-machine".
my %EXAMPLE = (
    ':slug'    => 'some-machine',
    '#label'   => $PING,
    '<id:num>' => 1,
);

sub example ($route) {
    return $route =~ s{([:#]\w+|<\w+:num>)}{$EXAMPLE{$1}}gr;
}

my @PAGES = map { example( $_->[0] ) } @SKaMPI::Database::Web::App::PAGES;
my @FILES = map { example( $_->[0] ) } @SKaMPI::Database::Web::App::FILES;

subtest 'an empty database' => sub {
    my $t = tester( database_of(), public => 1 );
    for my $path (@PAGES) {
        my $status = $path =~ m{/run/|/machine/|/history/} ? 404 : 200;
        $t->get_ok($path)->status_is( $status, $path )->element_exists('main h1');
        my $data = $path eq q{/} ? '/api/v1/overview' : "/api/v1$path";
        $t->get_ok($data)->status_is( $status, $data )->content_type_like(qr/json/);
    }
    $t->get_ok('/submit')->status_is(200);
    $t->get_ok('/nothing')->status_is(404)->content_like(qr/no page at this address/);
};

subtest 'one run' => sub {
    my $t = tester( database_of( generated_run() ), public => 1 );
    for my $path (@PAGES) {
        $t->get_ok($path)->status_is( 200, $path )->text_isnt( 'main h1', q{} );
        my $data = $path eq q{/} ? '/api/v1/overview' : "/api/v1$path";
        $t->get_ok($data)->status_is( 200, $data );
        ok decode_json( $t->tx->res->body ), 'JSON';
    }
    $t->get_ok('/run/1')->content_like(qr/Some MPI 1\.0/)
      ->text_is( 'h1' => 'Run 1 of Some machine' );
    my $old = tester( database_of( generated_run() =~ s/^#\@PROCESSES .*\n//mr ), public => 1 );
    $old->get_ok($_)->content_unlike( qr{\b0 processes|<dd></dd>}, "$_ of SKaMPI 4.1" ) for @PAGES;
    $t->get_ok("/run/1/suite/$PING")->element_count_is( 'tbody tr' => 10 );
    $t->get_ok('/run/2')->status_is(404)->content_like(qr/there is no run 2/);
    $t->get_ok('/run/1/suite/none')->status_is(404);
};

subtest 'algorithms that were chosen' => sub {
    my %facts =
      ( CHOICES =>
"6 launches; collective layout length own best name ratio low high chosen chosen_name\n# bcast 1x4 64 12.5 7 knomial 0.33 0.3 0.4 7 knomial"
      );
    my $t = tester( database_of( generated_run( facts => \%facts ) ), public => 1 );
    $t->get_ok('/run/1')->text_is( 'td.heat4' => '0.33' )
      ->content_like(qr/12[.]50 \x{b5}s.*7 knomial.*0[.]33 \(0[.]30 to 0[.]40\)/s)
      ->content_like(qr/<h2>Algorithms of collectives \(6 launches\)/);
};

subtest 'any name of a suite' => sub {
    my $text = generated_run() =~ s/p2p_Suite01/p2p_a b?c&d=1#e.<f>%41"+/gr;
    my $t    = tester( database_of($text), public => 1 );
    my @links =
      grep { /a%20b/ } $t->get_ok('/run/1')->tx->res->dom->find('a')->map( attr => 'href' )->each;
    $t->get_ok( $links[0] )->status_is(200)->text_is( h1 => 'p2p_a b?c&d=1#e.<f>%41"+' );
    my $page = $t->tx->res->dom;
    for my $link ( map { $_->attr('href') } $page->find('main p a')->each ) {
        $t->get_ok($link)->status_is( 200, $link );
    }
    like $page->at('figure svg')->attr('data-panels'), qr/40 B: /, 'its plot';
    $t->get_ok( $page->at('figcaption a[href*=svg]')->attr('href') )->status_is(200);
};

subtest 'downloads' => sub {
    my $text = generated_run();
    my $t    = tester( database_of($text), public => 1 );
    for my $path ( grep { !/report|compare/ } @FILES ) {
        $t->get_ok($path)->status_is( 200, $path )
          ->header_like( 'Content-Disposition' => qr/\Aattachment; filename="skampi-1\.\w+"\z/ )
          ->header_is( 'Content-Security-Policy' => 'sandbox' )
          ->header_is( 'X-Content-Type-Options'  => 'nosniff' );
    }
    $t->get_ok('/run/1/original')->content_is( $text, 'the file as it was received' );
};

subtest 'lists in parts' => sub {
    my $t = tester( database_of( map { generated_run( minute => $_ ) } 1 .. 3 ), public => 1 );
    local $SKaMPI::Database::Web::Page::ROWS = 2;    ## no critic (ProhibitPackageVars)
    $t->get_ok('/runs')->element_count_is( 'tbody tr' => 2 )->element_exists('.pager a');
    $t->get_ok('/runs?page=2')->element_count_is( 'tbody tr' => 1 );
    $t->get_ok('/runs?q=nothing')->content_like(qr/No runs/);
    $t->get_ok('/runs?since=2027-01-01')->content_like(qr/No runs/);
    $t->get_ok('/runs?page=0&since=x&processes=x')->element_count_is( 'tbody tr' => 2 );
};

subtest 'states' => sub {
    my $database = database_of( map { generated_run( minute => $_ ) } 1 .. 2 );
    $database->{writer}->withdraw( 1, 'wrong <clock>' );
    $database->{writer}->erase(2);
    my $t = tester( $database, public => 1 );
    $t->get_ok('/run/1')->status_is(410)
      ->text_is( '.refusal' => 'run 1 was withdrawn: wrong <clock>' );
    $t->get_ok('/run/2')->status_is(410)->text_is( '.refusal' => 'run 2 was erased' );
    $t->get_ok('/run/1/original')->status_is(410);
    $t->get_ok("/compare?s=1:$PING")->element_exists_not('figure.plot');
};

subtest 'the matrix' => sub {
    my $t = tester( database_of( runs_of_machines( 2, Fast => 1, Slow => 3 ) ), public => 1 );
    $t->get_ok('/matrix?argument=8')->element_count_is( 'tbody tr' => 6 );
    $t->get_ok('/api/v1/matrix?argument=8&operation=MPI_Send-MPI_Recv&variation=length');
    is $t->tx->res->json->{groups}[0]{rows}[0]{run}{machine_name}, 'Fast',
      'the fastest machine first';
};

subtest 'the description of the API' => sub {
    my $t     = tester( database_of(), public => 1 );
    my $paths = $t->get_ok('/api/v1/openapi')->tx->res->json->{paths};
    my $pages = @SKaMPI::Database::Web::App::PAGES;
    is keys %{$paths}, $pages, 'has all pages';
    for my $path ( sort keys %{$paths} ) {
        $t->get_ok( '/api/v1' . $path =~ s/\{(?:id|slug|label)\}/1/gr );
        like $t->tx->res->code, qr/\A(?:200|404)\z/, $path;
        ok $t->tx->res->json, "$path: is JSON";
    }
};

sub _history_is_kept (@texts) {
    my $new      = generated_run( minute => 14_400 );
    my $database = database_of(@texts);
    my $writer   = $database->{writer};
    my %visitor  = map { $_ => tester( $database, public => 1, owner => $_ ) } 0, 1;
    my @cases    = (
        [ 'the first time',  sub { },                                        9,  3 ],
        [ 'again',           sub { },                                        9,  0 ],
        [ 'with a new run',  sub { $writer->add( $new, 'x.out' ) },          10, 3 ],
        [ 'a run withdrawn', sub { $writer->withdraw( 3, 'wrong switch' ) }, 9,  3 ],
        [ 'an owner',        sub { $visitor{0} = $visitor{1} },              10, 2 ],
        [
            'a title', sub { $writer->accounts->change_machine( 'some-machine', title => 'M' ) },
            10,        1
        ],
        [ 'read again', sub { $writer->reindex }, 10, 3 ],
    );
    for my $case (@cases) {
        my ( $name, $change, $rows, $expected ) = @{$case};
        $change->();
        my $kept = $database->{store}->value( count => 'cache' );
        $visitor{0}->get_ok("/history/some-machine/$PING?argument=8")
          ->element_count_is( 'tbody tr' => $rows, $name );
        is $database->{store}->value( count => 'cache' ) - $kept, $expected, "$name: read";
    }
    return;
}

subtest 'a machine with its pictures' => sub {
    my $t = tester( database_of( generated_run() ), public => 1 );
    $t->get_ok('/machine/some-machine')->status_is(200);
    $t->text_is( 'dl.facts dt' => 'Machine', 'facts have titles' )
      ->content_unlike( qr{<dt[^>]*>PROCESSESPERHOST}, 'not their names' );
    my $page    = decode_json( $t->get_ok('/api/v1/machine/some-machine')->tx->res->body );
    my $figures = $page->{figures};
    cmp_ok scalar @{$figures}, '>=', 2, 'figures';
    $t->get_ok('/machine/some-machine')
      ->element_count_is( '.multiples > figure svg' => scalar @{$figures} )
      ->element_count_is( 'figure.plot'             => scalar @{ $page->{pictures} } );
    is_deeply [ map { scalar @{ $_->{values} } } @{$figures} ], [ (1) x @{$figures} ],
      'a value for each run';
};

subtest 'history' => sub {
    my @texts = map {
        generated_run(
            minute => 1440 * $_,
            factor => $_ > 5 ? 1.5 : 1,
            facts  => { OSRELEASE => $_ > 5 ? '6.2' : '6.1' }
        )
    } 1 .. 9;
    my $t   = tester( database_of(@texts), public => 1 );
    my $all = $t->get_ok("/history/some-machine/$PING")->element_exists('td.heat4');
    is_deeply $all->tx->res->dom->find('table.numbers tr td:nth-of-type(1)')->map('text')->to_array,
      [ ('1.50') x 4, ('1.00') x 5 ], 'all arguments of all runs, as parts of the median';
    $t->get_ok("/history/some-machine/$PING?argument=8")->element_count_is( 'tbody tr' => 9 )
      ->element_count_is( 'tr.change' => 1 )->content_like(qr/from here 1\.500 times/)
      ->content_like(qr/kernel: 6\.1 to 6\.2/);
    my @read = $t->tx->res->dom->at('.figures svg')->attr('data-panels') =~
      /"run \d, 2026-11-\d\d 00:00: 1[.][28]00 /g;
    is @read, 9, 'the figure has all runs';
    $t->get_ok("/history/some-machine/$PING?argument=8")->content_like(qr/from here 1\.500 times/);
    subtest 'is not read again until a run changes' => sub { _history_is_kept(@texts) };
    local $SKaMPI::Database::Web::Controller::History::ROWS = 4;

    for my $page ( [ 1, 4 ], [ 3, 1 ] ) {
        my ( $number, $count ) = @{$page};
        $t->get_ok("/history/some-machine/$PING?argument=8&page=$number")
          ->element_count_is( 'tbody tr' => $count, "page $number" );
    }
    $t->text_is( 'tbody th a' => 'run 1', 'the oldest run is on the last page' );
};

# Runs of which run 4 is slower in one suite and has another kernel.
sub odd_runs ($count) {
    my $random = random_from(4);
    return map {
        my $is_odd = $_ == 4;
        my ($times) = launches(
            $random,
            launches => 1,
            points   => 30,
            between  => 0.01,
            slower   => { $is_odd ? map { $_ => 1.4 } 10 .. 19 : () }
        );
        my %facts = ( MACHINE => 'Some machine', OSRELEASE => $is_odd ? '6.2' : '6.1' );
        launch_text( $times, minute => $_, facts => \%facts );
    } 1 .. $count;
}

subtest 'the odd run' => sub {
    my $t = tester( database_of( odd_runs(8) ), public => 1 );
    for my $path ( '/machine/some-machine', '/run/4' ) {
        $t->get_ok($path)->content_like(qr/8 runs, 30 points: run 4 is odd/)
          ->content_like(qr{<td><a href="/history/some-machine/p2p_Suite02">})
          ->content_like(qr/4 B to 40 B.*>1[.](?:39|4[01])\d</s)
          ->content_like(qr{<td>kernel</td><td class="which">6[.]2</td><td class="which">6[.]1<});
    }
    $t->get_ok('/run/5')->content_like(qr/8 runs, 30 points: run 5 is not odd/);
    $t->get_ok('/history/some-machine/p2p_Suite02?argument=8')
      ->content_like(qr/odd: 1[.](?:39|4[01])\d times the other runs \(95 %: /);
    $t->get_ok('/history/some-machine/p2p_Suite01?argument=8')->content_unlike(qr/odd:/);
    $t->get_ok('/api/v1/machine/some-machine')->json_is( '/odd/0/odd/0/id' => 4 )
      ->json_is( '/odd/0/odd/0/suite' => 'p2p_Suite02' );
    my $few = tester( database_of( odd_runs(6) ), public => 1 );
    $few->get_ok('/machine/some-machine')
      ->content_like(qr/Cannot tell which run is odd: 6 runs; at least 7 are needed/);
};

done_testing;
