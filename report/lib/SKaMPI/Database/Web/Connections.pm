package SKaMPI::Database::Web::Connections;

# Bounds the connections of visitors and the memory of workers.
use SKaMPI::Base;

use List::Util qw(any);
use Mojo::Util qw(network_contains);

use SKaMPI::Base::TextFile qw(read_text);

# Connections of an address, unless it is a proxy, in each worker. Seconds for the headers, and for all of a request.
my ( $MOST, $REQUEST_S ) = ( 100, 300 );
our $HEADERS_S = 10;

# Bytes of memory by which a worker grows before another one replaces it.
our $MOST_MEMORY = 300_000_000;
my $PAGE = 4096;

# Watches all connections of each process of the server.
sub register ( $class, $app ) {
    $app->hook(
        before_server_start => sub ( $server, $ ) {
            my $known = { memory => _memory() };
            $server->ioloop->recurring( 1 => sub ($) { _look( $server, $known ) } );
        }
    );
    return;
}

# Waits before the first look at a new worker, whose timer began to run in the manager.
sub _look ( $server, $known ) {
    return $known->{process} = $$ if $$ != ( $known->{process} // 0 );
    my $loop = $server->ioloop;
    for my $acceptor ( map { $loop->acceptor($_) } @{ $server->acceptors } ) {
        next if $known->{$acceptor}++;
        $acceptor->on(
            accept => sub ( $, $handle ) {    # counts new connections between two looks
                shutdown $handle, 2 if _is_too_many( $server, $known, $handle );
            }
        );
    }
    $known->{count} = {};
    for my $id ( sort keys %{ $server->{connections} } ) {
        my $stream      = $loop->stream($id) // next;
        my $is_too_many = _is_too_many( $server, $known, $stream->handle );
        $loop->remove($id) if $is_too_many || _is_late( $server->{connections}{$id} );
    }
    $loop->stop_gracefully
      if $server->isa('Mojo::Server::Prefork') && _memory() - $known->{memory} > $MOST_MEMORY;
    return;
}

sub _is_too_many ( $server, $known, $handle ) {
    my $who = $handle->peerhost // return 0;
    return 0 if any { network_contains( $_, $who ) } @{ $server->trusted_proxies };
    return ++$known->{count}{$who} > $MOST ? 1 : 0;
}

# Whether a connection is late with its first request, or the rest of one. Idle ones that are kept end by themselves.
sub _is_late ($connection) {
    my $tx = $connection->{tx};
    if ( $tx ? $tx->req->is_finished : $connection->{requests} ) {
        delete $connection->{began};
        return 0;
    }
    my $began = $connection->{began} //= time;
    my $most  = $tx && $tx->req->content->is_parsing_body ? $REQUEST_S : $HEADERS_S;
    return time - $began > $most ? 1 : 0;
}

sub _memory () {
    my $pages = eval { read_text( '/proc/self/statm', 1000 ) } // return 0;
    return $PAGE * ( split q{ }, $pages )[1];
}

1;
