#!/usr/bin/perl
# What strangers may send to the server of the result database: large and slow requests cost it nothing.
use v5.36;

use Compress::Zlib ();
use IO::Socket::INET;
use Test::More;
use Time::HiRes qw(sleep time);

use SKaMPI::Database::Accounts;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::Test         qw(read_file);
use SKaMPI::WebTest      qw(database_of serve);

# What a request may cost: seconds of CPU, and bytes of memory.
my ( $MOST_CPU_S, $MOST_MEMORY ) = ( 0.5, 50e6 );
my $SIZE = 100_000_000;
my $TICK = 100;

my $database = database_of( generated_run() );
my $token    = SKaMPI::Database::Accounts->new( $database->{store} )->make('joe');
my ( $url, $guard ) = serve( $database, public => 1, most => { read => 1e6, write => 1e6 } );
my ($port) = $url =~ /:([0-9]+)\z/;

# CPU seconds of the server and the most memory that it had.
sub used () {
    my @fields = split q{ }, read_file("/proc/$guard->{child}/stat") =~ s/.*[)] //r;
    my ($peak) = read_file("/proc/$guard->{child}/status") =~ /^VmHWM:\s+([0-9]+)/m;
    return { cpu => ( $fields[11] + $fields[12] ) / $TICK, memory => 1024 * $peak };
}

# Sends a head, and a part again and again until LENGTH bytes are sent; the status of the answer.
sub sent ( $head, $part, $length ) {
    my $socket = IO::Socket::INET->new( PeerAddr => '127.0.0.1', PeerPort => $port )
      or die "connect: $!\n";
    local $SIG{PIPE} = 'IGNORE';
    local $SIG{ALRM} = sub { die "no answer\n" };
    alarm 60;
    my $bytes = $head;
    my $many  = length $part ? $part x ( 1 + int 100_000 / length $part ) : q{};
    while ( $length > 0 || length $bytes ) {
        if ( !length $bytes ) { $bytes = substr $many, 0, $length; $length -= length $bytes }
        my $count = syswrite $socket, $bytes;
        last if !defined $count;
        substr $bytes, 0, $count, q{};
    }
    my $answer = q{};
    eval { 1 while sysread $socket, $answer, 4096, length $answer and $answer !~ /\n/ };
    alarm 0;
    return $answer =~ m{\AHTTP/1[.]1 ([0-9]+)} ? $1 : 'none';
}

sub head ( $line, @headers ) {
    return join( "\r\n", "$line HTTP/1.1", "Host: 127.0.0.1:$port", @headers ) . "\r\n\r\n";
}

my $form    = 'Content-Type: application/x-www-form-urlencoded';
my $parts   = 'Content-Type: multipart/form-data; boundary=b';
my $bearer  = "Authorization: Bearer $token";
my $chunked = 'Transfer-Encoding: chunked';
my $part    = qq{--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n};
my $gzip    = Compress::Zlib::memGzip('#');
my @shapes  = (
    [ 'fields',                [ 'POST /submit', $form ],                'a&' ],
    [ 'fields for the API',    [ 'POST /api/v1/runs', $form ],           'a&' ],
    [ 'fields with a token',   [ 'POST /submit', $form, $bearer ],       'a&' ],
    [ 'fields for sign-in',    [ 'POST /sign-in', $form ],               'a&' ],
    [ 'parts',                 [ 'POST /submit', $parts ],               $part ],
    [ 'parts with a token',    [ 'POST /submit', $parts, $bearer ],      $part ],
    [ 'parts for the API',     [ 'POST /api/v1/runs', $parts, $bearer ], $part ],
    [ 'parts elsewhere',       [ 'POST /run/1/state', $parts, $bearer ], $part ],
    [ 'a body for a page',     [ 'GET /about', ],                        'a' ],
    [ 'many compressed files', [ 'POST /api/v1/runs', $bearer ],         $gzip ],
    [ 'rows with a token',     [ 'POST /api/v1/runs', $bearer ],         "1 1.0 0.1 8\n" ],
    [ 'a part without end',    [ 'POST /submit', $parts, $bearer ],      'a' ],
    [
        'nested parts',
        [ 'POST /submit', $parts, $bearer ],
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n"
    ],
);

# Each shape in one piece that says its length, and in one that does not reach the bound of uploads.
subtest 'bodies' => sub {
    for my $shape (@shapes) {
        my ( $name, $head, $part ) = @{$shape};
        for my $size ( $SIZE, 50_000_000, 65_000 ) {
            my $before = used();
            my $code   = sent( head( @{$head}, "Content-Length: $size" ), $part, $size );
            my $after  = used();
            my $title  = "$name, $size bytes";
            like $code, qr/\A(?:4\d\d|none)\z/, "$title: refused ($code)" if $size > 65_000;
            cmp_ok $after->{cpu} - $before->{cpu},       '<=', $MOST_CPU_S,  "$title: CPU";
            cmp_ok $after->{memory} - $before->{memory}, '<=', $MOST_MEMORY, "$title: memory";
        }
    }
};

# How many connections the server has.
sub connections () {
    return scalar grep { ( readlink($_) // q{} ) =~ /socket/ } glob "/proc/$guard->{child}/fd/*";
}

sub connected ( $from, $bytes ) {
    my $socket = IO::Socket::INET->new(
        PeerAddr  => '127.0.0.1',
        PeerPort  => $port,
        LocalAddr => $from,
        Timeout   => 10
    ) or die "connect: $!\n";
    syswrite $socket, $bytes;
    return $socket;
}

# The status of the answer to a request from another address, and when it came.
sub visited () {
    my $began  = time;
    my $socket = connected( '127.0.0.2', head('GET /about') );
    sysread $socket, my $answer, 4096;
    return ( $answer =~ /\AHTTP\S+ ([0-9]+)/, time - $began );
}

subtest 'half a request' => sub {
    my @halves = map { connected( '127.0.0.1', "GET / HTTP/1.1\r\nHost: x" ) } 1 .. 300;
    sleep 2;
    cmp_ok connections(), '<=', 110, 'an address has 100 connections';
    my ( $status, $seconds ) = visited();
    is $status, 200, 'others are answered';
    cmp_ok $seconds, '<', 2, 'at once';
    sleep 11;
    cmp_ok connections(), '<=', 5, 'headers that do not arrive within 10 s are not waited for';
    my $slow = connected( '127.0.0.3', head( 'POST /sign-in', 'Content-Length: 9' ) );
    sleep 12;
    ok defined syswrite( $slow, 'a=b&c=def' ), 'a body may take longer';
    sysread $slow, my $answer, 4096;
    like $answer, qr/\AHTTP\S+ 403/, 'and is answered';
};

done_testing;
