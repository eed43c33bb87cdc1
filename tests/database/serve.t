# skampi-db serve: the server's own start and end. SKAMPI_LONG: also proxies, reports, and a server that is
# killed.
use v5.36;

use Fcntl      qw(:flock);
use File::Path qw(make_path);
use IO::File   ();
use IPC::Run   qw(start);
use Mojo::IOLoop::Server;
use Mojo::JSON qw(decode_json);
use Mojo::UserAgent;
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::Database::Web qw(url_to_listen);
use SKaMPI::DatabaseTest  qw(db generated_run $DB);
use SKaMPI::ReportTest    qw(workplace);
use SKaMPI::Test          qw(read_file write_file);

my $place = workplace( 'a.out' => generated_run(), 'b.out' => generated_run( minute => 4 ) );
db( $place, 'add', '--database', 'r.db', 'a.out' );

# Starts a server and waits for what it prints.
sub started (@options) {
    my $port   = Mojo::IOLoop::Server->generate_port;
    my %server = ( out => q{}, url => "http://127.0.0.1:$port" );
    my @at     = ( '--listen', $port );
    $server{process} =
      start [ $^X, $DB, '--database', "$place/r.db", 'serve', @at, @options ],
      '<', \undef, '>&', \$server{out};
    $server{process}->pump while $server{process}->pumpable && $server{out} !~ m{^\s+http://\S+$}m;
    ( $server{key} ) = $server{out} =~ m{^\s+(http://\S+)$}m;
    return \%server;
}

sub ended ( $server, $signal ) {
    $server->{process}->signal($signal);
    return $server->{process}->finish;
}

subtest 'wrong options' => sub {
    my @cases = (
        (
            map { [ [ '--listen', $_ ], qr/--listen: expected HOST:PORT, .*; got '\Q$_\E'/ ] }
              qw(nonsense http://127.0.0.1 127.0.0.1:0 127.0.0.1:70000 ::1 ::1:8080 a:b ftp://a:1 a:1:2),
            q{}
        ),
        [ [ '--workers', 0 ], qr/--workers: expected 1 to 64, got 0/ ],
        [ ['word'],           qr/unexpected 'word'/ ],
    );
    for my $case (@cases) {
        my ( $options, $expected ) = @{$case};
        my $run = db( $place, 'serve', '--database', 'r.db', @{$options} );
        is $run->{status}, 2, "@{$options}";
        like $run->{err}, $expected, 'the message';
    }
};

subtest 'addresses' => sub {
    my @cases = (
        [ '8090'                 => 'http://127.0.0.1:8090' ],
        [ ':8090'                => 'http://*:8090' ],
        [ '*:8090'               => 'http://*:8090' ],
        [ 'a-b.example:8090'     => 'http://a-b.example:8090' ],
        [ '[::1]:8080'           => 'http://[::1]:8080' ],
        [ 'http://127.0.0.1:80/' => 'http://127.0.0.1:80' ],
        [ 'https://[::]:443'     => 'https://[::]:443' ],
    );
    is url_to_listen( $_->[0] ), $_->[1], "--listen $_->[0]" for @cases;
};

subtest 'a server of several processes' => sub {
    my $server = started( '--workers', 2 );
    like $server->{key}, qr/[?]key=[0-9a-f]{64}\z/, 'prints an address with a key';
    my $visitor = Mojo::UserAgent->new;
    is $visitor->get("$server->{url}/runs")->res->code, 403, 'nobody enters without it';
    my $owner = Mojo::UserAgent->new( max_redirects => 1 );
    is $owner->get( $server->{key} )->res->code,       200, 'the owner enters with it';
    is $owner->get("$server->{url}/run/1")->res->code, 200, "request $_" for 1 .. 6;
    is $visitor->get( $server->{key} )->res->code,     403, 'the key is used up';
    $server->{process}->pump until $server->{out} =~ /another browser/;
    my ($next) = $server->{out} =~ /for another browser: (\S+)/;
    is $visitor->max_redirects(1)->get($next)->res->code, 200, 'another browser has another key';
    my $second = db( $place, 'serve', '--database', 'r.db', '--listen', $server->{url} );
    is $second->{status}, 1, 'a second server at the same address';
    like $second->{err}, qr/choose another address with --listen/, 'fails with a message';
    ok ended( $server, 'TERM' ), 'ends when it is asked to';
    unlike $server->{out}, qr/warn/, 'without further words';
};

subtest 'without bubblewrap, and after a server that was killed' => sub {
    my @rooms = map { "$place/tmp/skampi-db-$_" } qw(killed00 running0);
    make_path(@rooms);
    write_file( "$_/alive",      q{} ) for @rooms;
    write_file( "$rooms[0]/key", 'x' );
    my $lock = IO::File->new("$rooms[1]/alive") // die "lock: $!\n";
    flock $lock, LOCK_EX or die "lock: $!\n";
    local $ENV{TMPDIR} = "$place/tmp";
    mkdir "$place/bin" or die "bin: $!\n";
    write_file( "$place/bin/bwrap", "#!/bin/sh\necho no namespaces; exit 1\n" );
    local $ENV{PATH} = "$place/bin:$ENV{PATH}";
    my $server = started( '--public', '--workers', 1 );
    $server->{process}->pump until $server->{out} =~ /makes no reports.*\n/;
    like $server->{out}, qr/bubblewrap does not work here: no namespaces$/m, 'says so at the start';
    my $agent  = Mojo::UserAgent->new;
    my $answer = $agent->get("$server->{url}/run/1/report.pdf")->res;
    is_deeply [ map { -d $_ ? 1 : 0 } @rooms ], [ 0, 1 ],
      'what a killed server left is removed, not what another one uses';
    close $lock or die "lock: $!\n";
    is $answer->code, 503, 'no report of what others have sent';
    like $answer->dom->at('.refusal')->text, qr/cannot confine the programs/, 'and why';
    ended( $server, 'TERM' );
};

subtest 'https by a proxy' => sub {
    my $server = started( '--workers', 1, '--proxy', '127.0.0.1' );
    my $agent  = Mojo::UserAgent->new;
    my $https  = { 'X-Forwarded-Proto' => 'https' };
    my $cookie = $agent->get( $server->{key}, $https )->res->headers->set_cookie;
    like $cookie, qr/\A__Host-skampi-[0-9]+=.*;\s*path=\/;.*secure/i,
      'the cookie is for https only';
    my $value = $cookie =~ s/;.*//sr;
    $agent->cookie_jar->empty;
    my %with = ( %{$https}, Cookie => $value );
    is $agent->get( "$server->{url}/runs", \%with )->res->code, 200, 'opens the pages';
    my $form  = $agent->get( "$server->{url}/submit", \%with )->res;
    my %field = (
        csrf_token => $form->dom->at('[name=csrf_token]')->attr('value'),
        file       => { content => "x\n" x 100_000, filename => 'x.out' }
    );
    $agent->cookie_jar->empty;
    $with{Cookie} = $form->headers->set_cookie =~ s/;.*//sr;
    $form = $agent->post( "$server->{url}/submit", \%with, form => \%field )->res;
    is $form->code, 422, 'takes a large file of a form';
    like $form->body, qr/not a result file/, 'and reads it';
    delete $with{'X-Forwarded-Proto'};
    is $agent->get( "$server->{url}/runs", \%with )->res->code, 403, 'not those of http';
    ended( $server, 'TERM' );
};

subtest 'with a proxy' => sub {
    plan skip_all => 'SKAMPI_LONG is not set' if !$ENV{SKAMPI_LONG};
    my $server =
      started( '--public', '--workers', 1, '--proxy', '127.0.0.1', '--host', 'results.example' );
    my $agent = Mojo::UserAgent->new;
    my $from  = sub ($address) {
        return $agent->post( "$server->{url}/api/v1/runs" =>
              { Host => 'results.example', 'X-Forwarded-For' => $address } )->res->code;
    };
    my @codes = map { $from->('192.0.2.1') } 1 .. 61;
    is $codes[0],            401, 'a visitor';
    is $codes[60],           429, 'has sent too much';
    is $from->('192.0.2.2'), 401, 'another one has not';
    ended( $server, 'TERM' );
    my $direct = started( '--public', '--workers', 1 );
    @codes = map {
        $agent->post( "$direct->{url}/api/v1/runs" => { 'X-Forwarded-For' => "192.0.2.$_" } )
          ->res->code
    } 1 .. 61;
    is $codes[60], 429, 'without --proxy, the header is not believed';
    ended( $direct, 'TERM' );
};

subtest 'reports' => sub {
    plan skip_all => 'SKAMPI_LONG is not set' if !$ENV{SKAMPI_LONG};
    my $server = started('--public');
    my $agent  = Mojo::UserAgent->new( inactivity_timeout => 0 );
    for my $format (qw(pdf ps)) {
        my $answer;
        do { $answer = $agent->get("$server->{url}/run/1/report.$format")->res }
          while $answer->code == 202;
        is $answer->code, 200, $format or diag $answer->dom->at('.refusal');
        like $answer->body, $format eq 'pdf' ? qr/\A%PDF/ : qr/\A%!PS/, 'is one';
        is $agent->get("$server->{url}/run/1/report.$format")->res->code, 200, 'and kept';
    }
    ended( $server, 'TERM' );
};

subtest 'killed while it stores a run' => sub {
    my $token = db( $place, 'token', '--database', 'r.db', '--trusted', 'joe' )->{out} =~ s/\s+//gr;
    my $kills = $ENV{SKAMPI_LONG} ? 100 : 5;
    for my $i ( 1 .. $kills ) {
        my $server = started( '--public', '--workers', 1 );
        my $child  = fork // die "fork: $!\n";
        if ( !$child ) {
            my $facts  = { MACHINE => 'Joe' };
            my $answer = Mojo::UserAgent->new->post(
                "$server->{url}/api/v1/runs" => { Authorization => "Bearer $token" } =>
                  generated_run( minute => 10 + $i, facts => $facts ) )->res;
            write_file( "$place/answer-$i", $answer->json->{id} ) if ( $answer->code // 0 ) == 201;
            POSIX::_exit(0);
        }
        if ( $i == $kills ) { waitpid $child, 0 }
        else                { sleep 0.2 * $i / $kills }
        my ($manager) = map { $_->{PID} } @{ $server->{process}{KIDS} };
        kill 'KILL', map { split q{ } } children_of($manager), $manager;
        waitpid $child, 0;
        eval { $server->{process}->finish };
    }
    is db( $place, 'reindex', '--database', 'r.db' )->{status}, 0, 'all runs are derived again';
    my $list         = db( $place, 'list', '--database', 'r.db', '--json', '--limit', 500 );
    my %state        = map { $_->{id} => $_->{state} } @{ decode_json( $list->{out} )->{runs} };
    my @acknowledged = map { read_file($_) } glob "$place/answer-*";
    cmp_ok scalar @acknowledged, '>=', 1, 'some uploads were acknowledged';
    is_deeply [ grep { ( $state{$_} // q{} ) ne 'published' } @acknowledged ], [],
      'their runs are there';
};

sub children_of ($process) {
    open my $list, '<', "/proc/$process/task/$process/children" or return q{};
    my $children = readline($list) // q{};
    close $list or return q{};
    return $children;
}

done_testing;
