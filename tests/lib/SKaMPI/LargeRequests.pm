package SKaMPI::LargeRequests;

# Large requests of strangers and of those with a token, and what they cost a server.
use v5.36;

use Compress::Zlib ();
use IO::Socket::INET;

use SKaMPI::Statements;
use SKaMPI::Test qw(read_file);

# A server that is forked from this process reports its statements through this.
pipe my $counts, my $answers or die "pipe: $!\n";
$SIG{USR1} = sub {    ## no critic (RequireLocalizedPunctuationVars)
    syswrite $answers, pack 'Q', SKaMPI::Statements::counted();
};

# Replaced by the token.
my $BEARER = 'Authorization: Bearer TOKEN';

my $FORM    = 'Content-Type: application/x-www-form-urlencoded';
my $PARTS   = 'Content-Type: multipart/form-data; boundary=b';
my $CHUNKED = 'Transfer-Encoding: chunked';
my $PART    = qq{--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n};
my $GZIP    = Compress::Zlib::memGzip('#');
my @SHAPES  = (
    [ 'fields',                [ 'POST /submit', $FORM ],                'a&' ],
    [ 'fields for the API',    [ 'POST /api/v1/runs', $FORM ],           'a&' ],
    [ 'fields with a token',   [ 'POST /submit', $FORM, $BEARER ],       'a&' ],
    [ 'fields for sign-in',    [ 'POST /sign-in', $FORM ],               'a&' ],
    [ 'chunks',                [ 'POST /api/v1/runs', $CHUNKED ],        "1\r\na\r\n" ],
    [ 'parts',                 [ 'POST /submit', $PARTS ],               $PART ],
    [ 'parts with a token',    [ 'POST /submit', $PARTS, $BEARER ],      $PART ],
    [ 'parts for the API',     [ 'POST /api/v1/runs', $PARTS, $BEARER ], $PART ],
    [ 'parts elsewhere',       [ 'POST /run/1/state', $PARTS, $BEARER ], $PART ],
    [ 'a body for a page',     [ 'GET /about', ],                        'a' ],
    [ 'many compressed files', [ 'POST /api/v1/runs', $BEARER ],         $GZIP ],
    [ 'rows with a token',     [ 'POST /api/v1/runs', $BEARER ],         "1 1.0 0.1 8\n" ],
    [ 'a part without end',    [ 'POST /submit', $PARTS, $BEARER ],      'a' ],
    [
        'nested parts',
        [ 'POST /submit', $PARTS, $BEARER ],
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n"
    ],
);

# SERVER is the number of its process.
sub new ( $class, $server, $url, $token ) {
    my ($port) = $url =~ /:([0-9]+)\z/;
    return bless { server => $server, port => $port, token => $token }, $class;
}

sub names ($self) {
    return map { $_->[0] } @SHAPES;
}

# A hash of the status, the server's statements, and the bytes of memory beyond those that it had needed before.
sub cost ( $self, $name, $size ) {
    my ($shape) = grep { $_->[0] eq $name } @SHAPES;
    my ( undef, $head, $part ) = @{$shape};
    my $before = $self->_used;
    my $status = $self->_sent( $self->head( @{$head}, "Content-Length: $size" ), $part, $size );
    my $after  = $self->_used;
    return { status => $status, map { $_ => $after->{$_} - $before->{$_} } qw(statements memory) };
}

sub head ( $self, $line, @headers ) {
    my $text = join "\r\n", "$line HTTP/1.1", "Host: 127.0.0.1:$self->{port}", @headers;
    return ( $text =~ s/TOKEN/$self->{token}/r ) . "\r\n\r\n";
}

# The statements of the server and the most memory that it had.
sub _used ($self) {
    kill USR1 => $self->{server} or die "no server\n";
    sysread $counts, my $bytes, 8;
    my ($peak) = read_file("/proc/$self->{server}/status") =~ /^VmHWM:\s+([0-9]+)/m;
    return { statements => unpack( 'Q', $bytes ), memory => 1024 * $peak };
}

# Sends a head, and a part again and again until LENGTH bytes are sent; the status of the answer.
sub _sent ( $self, $head, $part, $length ) {
    my $socket = IO::Socket::INET->new( PeerAddr => '127.0.0.1', PeerPort => $self->{port} )
      or die "connect: $!\n";
    local $SIG{PIPE} = 'IGNORE';
    my $bytes = $head;
    my $many  = length $part ? $part x ( 1 + int 100_000 / length $part ) : q{};
    while ( $length > 0 || length $bytes ) {
        if ( !length $bytes ) { $bytes = substr $many, 0, $length; $length -= length $bytes }
        my $count = syswrite $socket, $bytes;
        last if !defined $count;
        substr $bytes, 0, $count, q{};
    }
    my $answer = q{};
    1 while sysread $socket, $answer, 4096, length $answer and $answer !~ /\n/;
    return $answer =~ m{\AHTTP/1[.]1 ([0-9]+)} ? $1 : 'none';
}

1;
