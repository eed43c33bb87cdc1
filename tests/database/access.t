# Who may read and change what on the server of the result database.
use v5.36;

use Test::More;

use SKaMPI::Database::Accounts;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::WebTest      qw(database_of key_of tester);

my $PAGES = qr/open the address that skampi db serve has printed/;

subtest 'the key opens a local server, once' => sub {
    my $database = database_of( generated_run() );
    my $t        = tester($database);
    my $key      = key_of( $t->app );
    $t->get_ok('/')->status_is(403)->content_like($PAGES);
    $t->get_ok('/run/1/original')->status_is(403);
    $t->get_ok('/api/v1/runs')->status_is(403);
    $t->get_ok( '/?key=' . 'a' x 64 )->status_is(403);
    $t->get_ok("/runs?q=x&key=$key")->status_is(302)->header_is( Location => '/runs?q=x' );
    like $t->tx->res->headers->set_cookie, qr/HttpOnly.*SameSite=Strict/i,
      'the cookie is not for scripts or other sites';
    $t->get_ok('/')->status_is(200);
    my $other = Test::Mojo->new( $t->app );
    $other->ua->on( start => sub ( $, $tx ) { $tx->req->headers->host('127.0.0.1:8080') } );
    $other->get_ok("/?key=$key")->status_is( 403, 'the key is used up' );
    isnt key_of( $t->app ), $key, 'another key for another browser';
};

subtest 'the key leads nowhere else' => sub {
    my $t = tester( database_of(), owner => 1 );
    my @elsewhere =
      qw(//evil.example /%2f%2fevil.example/ /%2F/evil.example ///evil.example /%5cevil.example
      /%5C%5Cevil.example /%2f%5cevil.example /%09/evil.example /%0d%0a/evil.example /%2fevil.example%2f.. //%2fevil.example);
    for my $path ( @elsewhere, '/\\evil.example' ) {
        my $tx = $t->ua->build_tx( GET => '/?key=x' );
        $tx->req->url->path->{path} = $path;
        $t->request_ok($tx)->status_is(302)->header_is( Location => '/', $path );
    }
    $t->get_ok("$_?q=1&key=x")->header_is( Location => "$_?q=1" )
      for '/runs', '/run/%252f%252fevil';
};

subtest 'names of the host' => sub {
    my @cases = (
        [ '127.0.0.1:8080'              => 200 ],
        [ 'localhost:8080'              => 200 ],
        [ '[::1]:8080'                  => 200 ],
        [ 'evil.example:8080'           => 421 ],
        [ '127.0.0.1.evil.example:8080' => 421 ],
        [ 'evil.example'                => 421 ],
    );
    my $t = tester( database_of(), owner => 1 );
    for my $case (@cases) {
        my ( $host, $status ) = @{$case};
        $t->ua->once( start => sub ( $, $tx ) { $tx->req->headers->host($host) } );
        $t->get_ok('/about')->status_is( $status, $host );
    }
    my $named = tester( database_of(), keep_host => 1, public => 1, host => ['results.example'] );
    $named->get_ok( '/about', { Host => 'results.example' } )->status_is(200);
    $named->get_ok( '/about', { Host => 'other.example' } )->status_is(421);
};

subtest 'headers of every answer' => sub {
    my $t = tester( database_of(), public => 1 );
    for my $path (qw(/ /nothing /skampi.css /api/v1/runs)) {
        $t->get_ok($path)
          ->header_like(
            'Content-Security-Policy' => qr/default-src 'none'.*frame-ancestors 'none'/ )
          ->header_unlike( 'Content-Security-Policy' => qr/unsafe|https?:/ )
          ->header_is( 'X-Content-Type-Options' => 'nosniff' );
    }
};

subtest 'a public server' => sub {
    my $database = database_of( generated_run() );
    my $hidden   = $database->{writer}->add( generated_run( minute => 5 ), 'x', publish => 0 );
    my $t        = tester( $database, public => 1 );
    $t->get_ok('/run/1')->status_is(200);
    $t->get_ok("/run/$hidden->{id}")->status_is( 404, 'not published yet' );
    $t->get_ok("/run/$hidden->{id}/original")->status_is(404);
    $t->get_ok('/runs')->element_count_is( 'tbody tr' => 1 );
    my $owner = tester( $database, public => 1, owner => 1 );
    $owner->get_ok("/run/$hidden->{id}")->status_is( 200, 'the owner sees it' );
    $owner->get_ok('/runs')->element_count_is( 'tbody tr' => 2 );
    $owner->get_ok("/compare/plot.pdf?s=$hidden->{id}:p2p_Suite01")
      ->status_is( 403, 'no picture of an unpublished run' );
    $owner->get_ok("/run/$hidden->{id}/report.pdf")->status_is(403);
};

subtest 'forms' => sub {
    my $database = database_of();
    my $t        = tester( $database, public => 1, owner => 1 );
    my $file     = sub ($text) { return { content => $text, filename => 'skampi.out' } };
    $t->post_ok( '/submit' => form => { file => $file->( generated_run() ) } )
      ->status_is( 403, 'without the token of the form' );
    my $token = $t->get_ok('/submit')->tx->res->dom->at('[name=csrf_token]')->attr('value');
    my %form  = ( csrf_token => $token );
    $t->post_ok( '/submit' => { Origin => 'http://evil.example' } => form =>
          { %form, file => $file->( generated_run() ) } )->status_is(403);
    $t->post_ok(
        '/submit' => { Origin => 'null' } => form => { %form, file => $file->( generated_run() ) } )
      ->status_is(403);
    $t->post_ok( '/submit' => { Origin => 'http://127.0.0.1:8080' } => form =>
          { %form, file => $file->( generated_run() ) } )->status_is(201)
      ->content_like(qr/4 suites, 31 points/);
    $t->post_ok( '/submit' => form => { %form, file => $file->( generated_run() ) } )
      ->status_is(200)->content_like(qr/in the database already/);
    $t->post_ok( '/submit' => form => { %form, file => $file->('#/*@inp2p_x') } )->status_is(422)
      ->element_exists('.refusal');
    $t->post_ok( '/submit' => form => \%form )->status_is(400)
      ->content_like(qr/choose a result file/);
    $t->post_ok( '/run/1/state' => form => { %form, change => 'withdraw', reason => 'a test' } )
      ->status_is(302);
    is $database->{store}->row( run_state => 1 )->{state}, 'withdrawn', 'still there';
    my $visitor = tester( $database, public => 1 );
    $visitor->get_ok('/run/1')->status_is( 410, 'withdrawn' );
    my $own = $visitor->get_ok('/submit')->tx->res->dom->at('[name=csrf_token]')->attr('value');
    $visitor->post_ok( '/submit' => form =>
          { csrf_token => $own, file => $file->( generated_run( minute => 9 ) ) } )
      ->status_is( 401, 'a visitor needs a token' );
    $visitor->post_ok( '/run/1/state' => form => { csrf_token => $own, change => 'publish' } )
      ->status_is(403);
};

subtest 'the API with a token' => sub {
    my $database = database_of();
    my $token    = SKaMPI::Database::Accounts->new( $database->{store} )->make('group');
    my $t        = tester( $database, public => 1 );
    my %with     = ( Authorization => "Bearer $token" );
    $t->post_ok( '/api/v1/runs' => generated_run() )->status_is(401);
    $t->post_ok( '/api/v1/runs' => { Authorization => 'Bearer ' . 'b' x 64 } => generated_run() )
      ->status_is(401);
    $t->post_ok( '/api/v1/runs' => \%with => generated_run() )->status_is(201)
      ->json_is( '/run/state' => 'checked' );
    $t->post_ok( '/api/v1/runs' => \%with => generated_run() )->status_is(200)
      ->json_is( '/is_new' => 0 );
    $t->post_ok( '/api/v1/runs' => \%with => 'nonsense' )->status_is(422)->json_has('/error');
    $t->get_ok('/api/v1/openapi')->json_is( '/openapi' => '3.0.3' )->json_has('/paths/~1runs/post');
};

subtest 'what those with a token see of others' => sub {
    my $database = database_of( generated_run() );
    my $writer   = $database->{writer};
    $writer->add( generated_run( minute => 3 ), 'secret.out', publish => 0 );
    $writer->withdraw( $writer->add( generated_run( minute => 4 ), 'gone.out' )->{id}, 'secret' );
    $writer->note( $_, 'secret note' ) for 2, 3;
    $writer->accounts->change_machine( 'some-machine', owner => 'joe' )
      if my $token = SKaMPI::Database::Accounts->new( $database->{store} )->make('joe');
    my $t    = tester( $database, public => 1 );
    my %with = ( Authorization => "Bearer $token" );
    $t->post_ok( '/api/v1/runs' => \%with => generated_run( minute => 5 ) )->status_is(201)
      ->json_is( '/run/account' => 'joe' )->json_is( '/similar/0/id' => 1 )
      ->json_hasnt('/similar/1')->content_unlike(qr/secret|gone/);
    $t->post_ok( '/api/v1/runs' => \%with => generated_run( minute => 3 ) )->status_is(200)
      ->json_is( { id => 2, state => 'checked', is_new => 0 } );
    my $csrf = $t->get_ok('/submit')->tx->res->dom->at('[name=csrf_token]')->attr('value');
    $t->post_ok( '/sign-in' => form => { csrf_token => $csrf, token => $token } );
    my $file = { content => generated_run( minute => 3 ), filename => 'x' };
    $t->post_ok( '/submit' => form => { csrf_token => $csrf, file => $file } )->status_is(200)
      ->content_like(qr{Run 2</a>[.] State: <strong>checked})->content_unlike(qr/secret/);
    my $owner = tester( $database, public => 1, owner => 1 );
    $owner->post_ok( '/api/v1/runs' => generated_run( minute => 5 ) )->json_has('/similar/2');
};

subtest 'signing in with a token' => sub {
    my $database = database_of();
    my $accounts = SKaMPI::Database::Accounts->new( $database->{store} );
    my $token    = $accounts->make('joe');
    my $t        = tester( $database, public => 1 );
    my $csrf     = $t->get_ok('/submit')->tx->res->dom->at('[name=csrf_token]')->attr('value');
    $t->element_exists_not( '[type=file]', 'no form for files before' );
    $t->post_ok( '/sign-in' => form => { token => $token } )->status_is( 403, 'a forged form' );
    my %form = ( csrf_token => $csrf );
    $t->post_ok( '/sign-in' => form => { %form, token => 'b' x 64 } )->status_is(401)
      ->text_like( '.refusal' => qr/nobody has this token/ );
    $t->post_ok( '/sign-in' => form => { %form, token => $token } )->status_is(302);
    $t->get_ok('/submit')->element_exists('[type=file]');
    my $bytes = generated_run( facts => { COMMENT => 'x ' x 60_000 } );
    cmp_ok length $bytes, '>', 100_000, 'a large file';
    my $file = sub { return { content => $bytes, filename => 'skampi.out' } };
    $t->post_ok( '/submit' => form => { %form, file => $file->() } )->status_is(201)
      ->content_like(qr/State: <strong>checked/);
    $accounts->revoke('joe');
    $t->post_ok( '/submit' => form => { %form, file => $file->() } )
      ->status_is( 401, 'not after the token was revoked' );
    $t->get_ok('/submit')->element_exists_not('[type=file]');
};

subtest 'too many requests' => sub {
    my $t = tester( database_of(), public => 1 );
    my $status;
    for ( 1 .. 61 ) { $status = $t->ua->post('/api/v1/runs')->res->code }
    is $status, 429, 'refused';
    $t->get_ok('/about')->status_is( 200, 'reading goes on' );
};

done_testing;
