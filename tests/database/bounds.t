# Requests of strangers are bounded: large and slow ones cost the result database's server nothing.
use v5.36;

use SKaMPI::Statements;    # before what it counts
use IO::Socket::INET;
use Mojo::UserAgent;
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::Database::Accounts;
use SKaMPI::Database::Web::Limits;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::LargeRequests;
use SKaMPI::Test    qw(read_file);
use SKaMPI::WebTest qw(database_of serve);

# The largest cost of a request: statements, and bytes of memory.
my ( $MOST_STATEMENTS, $MOST_MEMORY ) = ( 200_000, 8e6 );

my $database  = database_of( generated_run() );
my $token     = SKaMPI::Database::Accounts->new( $database->{store} )->make('joe');
my $HEADERS_S = 3;
local $SKaMPI::Database::Web::Limits::HEADERS_S = $HEADERS_S;
my ( $url, $guard ) = serve( $database, public => 1, most => { read => 1e6, write => 1e6 } );
my ($port) = $url =~ /:([0-9]+)\z/;
my $requests = SKaMPI::LargeRequests->new( $guard->{child}, $url, $token );

# Each shape in one piece that says its length, and in one that does not reach the bound of uploads.
subtest 'bodies' => sub {
    for my $name ( $requests->names ) {
        for my $size ( 63_000_000, 10_000_000, 65_000 ) {
            my $cost  = $requests->cost( $name, $size );
            my $title = "$name, $size bytes";
            like $cost->{status}, qr/\A(?:4\d\d|none)\z/, "$title: refused ($cost->{status})"
              if $size > 65_000;
            cmp_ok $cost->{statements}, '<=', $MOST_STATEMENTS, "$title: statements";
            cmp_ok $cost->{memory},     '<=', $MOST_MEMORY,     "$title: memory";
        }
    }
};

sub connections () {
    return scalar grep { ( readlink($_) // q{} ) =~ /socket/ } glob "/proc/$guard->{child}/fd/*";
}

sub connected ( $from, $bytes ) {
    my $socket = IO::Socket::INET->new(
        PeerAddr  => '127.0.0.1',
        PeerPort  => $port,
        LocalAddr => $from
    ) or die "connect: $!\n";
    syswrite $socket, $bytes;
    return $socket;
}

# The status of the answer to a request from another address.
sub visited () {
    my $socket = connected( '127.0.0.2', $requests->head('GET /about') );
    sysread $socket, my $answer, 4096;
    return $answer =~ /\AHTTP\S+ ([0-9]+)/ ? $1 : undef;
}

# The statuses of all answers until the server closes the connection.
sub statuses_of ($bytes) {
    my ( $socket, $answer ) = ( connected( '127.0.0.1', $bytes ), q{} );
    1 while sysread $socket, $answer, 4096, length $answer;
    return join q{ }, $answer =~ /^HTTP\S+ ([0-9]+)/mg;
}

# Where a proxy and this server would disagree on where the body ends, what follows is not taken for a request.
subtest 'bodies of doubtful length' => sub {
    my $last = $requests->head( 'GET /about', 'Connection: close' );
    is statuses_of( $requests->head('GET /about') . $last ), '200 200', 'two requests at once';
    is statuses_of("GET /about HTTP/1.1\r\nConnection: close\r\n\r\n"), '200', 'without a host';
    my $chunked = 'Transfer-Encoding: chunked';
    my %refused = (
        411 => [
            [$chunked],                        [ uc $chunked ],
            [ 'Content-Length: 5', $chunked ], ['Transfer-Encoding:,chunked']
        ],
        400 => [
            [ map { s/:/ :/r } $chunked ],
            [ "Transfer-Encoding\t: chunked", 'Content-Length: 5' ],
            [ 'Content-Length: 5',            'Content-Length: 9' ],
            [ ('Content-Length: 5') x 2 ],
            ['Content-Length : 5'],
            ['Content-Length: +5'],
            ['Content-Length: 0x5'],
        ],
    );
    for my $status ( sort keys %refused ) {
        is statuses_of( $requests->head( 'POST /api/v1/runs', $_->@* ) . "0\r\n\r\n$last" ),
          $status, join ', ', $_->@*
          for $refused{$status}->@*;
    }
};

subtest 'half a request' => sub {
    my @halves = map { connected( '127.0.0.1', "GET / HTTP/1.1\r\nHost: x" ) } 1 .. 300;
    sleep 0.05 while connections() > 110;
    is visited(), 200, 'others are answered';
    my $slow = connected( '127.0.0.3', $requests->head( 'POST /sign-in', 'Content-Length: 9' ) );
    sleep 0.05 while connections() > 6;    # headers that do not arrive in time are not waited for
    ok defined syswrite( $slow, 'a=b&c=def' ), 'a body may take longer';
    sysread $slow, my $answer, 4096;
    like $answer, qr/\AHTTP\S+ 403/, 'and is answered';
};

sub server_with ($most) {
    local $SKaMPI::Database::Web::Limits::MOST_MEMORY = $most;
    my ( $address, $server ) = serve( $database, public => 1, workers => 2 );
    return { address => $address, server => $server, workers => {}, failed => q{} };
}

# Asks a server, and notes its workers and an answer that is not good.
sub ask ($watched) {
    my $manager = $watched->{server}{child};
    $watched->{workers}{$_} = 1 for split q{ }, read_file("/proc/$manager/task/$manager/children");
    my $tx = Mojo::UserAgent->new->get("$watched->{address}/about");
    $watched->{failed} .= $tx->error->{message} if $tx->error;
    return;
}

subtest 'workers that grew' => sub {
    my ( $kept, $replaced ) = map { server_with($_) } 1e10, -1e9;
    while ( keys %{ $replaced->{workers} } < 8 ) {    # three times
        ask($_) for $kept, $replaced;
        sleep 0.2;
    }
    is scalar keys %{ $kept->{workers} }, 2, 'at most 10 GB more: they are kept';
    is "$_->{failed}", q{}, 'each request is answered' for $kept, $replaced;
};

done_testing;
