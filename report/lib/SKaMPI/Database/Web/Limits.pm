package SKaMPI::Database::Web::Limits;

# Limits on requests, connections of visitors and the memory of workers. A body is small, unless it is an upload of
# somebody with a token or a key.
use SKaMPI::Base;

use List::Util   qw(any);
use Mojo::Util   qw(network_contains);
use Scalar::Util qw(weaken);

use SKaMPI::Base::TextFile qw(read_text);
use SKaMPI::Database::Web::Access;

# Bytes of a request with an upload, and of the body of another one; parts and fields of a form.
my $LARGEST      = 60 * 1024 * 1024;
my $LARGEST_FORM = 64 * 1024;
my $MOST_PARTS   = 10;
my $MOST_FIELDS  = 100;

# Addresses for uploads: as a part of a form, and as the body.
my ( $FORM, $API ) = qw(/submit /api/v1/runs);

my $UNKNOWN = 'the server cannot look up your token; send the file again later';

# Connections of an address, unless it is a proxy, in each worker. Seconds for the headers, and for all of a request.
my ( $MOST, $REQUEST_S ) = ( 100, 300 );
our $HEADERS_S = 10;

# Bytes of memory by which a worker grows before another one replaces it.
our $MOST_MEMORY = 300_000_000;
my $PAGE = 4096;

# Limits a request when its headers have arrived, before any of its body is parsed; and watches all connections of each
# process of the server.
sub register ( $class, $app ) {
    $app->max_request_size($LARGEST);
    $app->helper( fault_of => \&fault_of );
    $app->hook(
        after_build_tx => sub ( $tx, $app ) {
            weaken $tx;
            $tx->req->content->on( body => sub ($content) { _begin( $content, $tx, $app ) } );
        }
    );
    $app->hook(
        before_server_start => sub ( $server, $ ) {
            my $known = { memory => _memory() };
            $server->ioloop->recurring( 1 => sub ($) { _look( $server, $known ) } );
        }
    );
    return;
}

sub _begin ( $content, $tx, $app ) {
    my $req = $tx->req;

# The session depends on it, and Mojo::Message::Request reads this header after the first bytes of the body.
    $req->url->base->scheme('https')
      if $req->reverse_proxy
      && ( $content->headers->header('X-Forwarded-Proto') // q{} ) eq 'https';
    my ( $status, $text ) = _never( $content->headers );
    if ( !defined $status ) {
        my $fault = eval { _fault( $app->build_controller($tx) ) // [] } // [ 503, $UNKNOWN ];
        return _keep( $content, $req ) if !@{$fault};
        $req->env->{fault} = $fault;
    }
    else { $req->error( { message => $text, status => $status } ) }

    # Reads the body, so that the visitor can read the answer, but does not keep it.
    $content->auto_upgrade(0)->unsubscribe('read');
    return;
}

# The fault of requests that no visitor may send: status and text.
sub _never ($headers) {
    return ( 400, 'the name of a header has characters that it cannot have' )
      if grep { /[^\w!#\$%&'*+.^`|~-]/a } @{ $headers->names };
    return ( 411, 'send the length of the file (Content-Length), not chunks' )
      if defined $headers->transfer_encoding;
    my $length = $headers->content_length // 0;
    return ( 400, "the length '$length' of the file is not a number" ) if $length !~ /\A[0-9]+\z/;
    return ( 413, "a request has at most $LARGEST bytes" )             if $length > $LARGEST;
    return;
}

# The fault of a request that this visitor may not send here, or undef.
sub _fault ($c) {
    my $content = $c->req->content;
    return if ( $content->headers->content_length // 0 ) <= $LARGEST_FORM;
    my $place = $c->req->method eq 'POST' ? $c->req->url->path->to_route : q{};
    return [ 413, "the body of this request has at most $LARGEST_FORM bytes" ]
      if $place ne $API && !( $place eq $FORM && defined $content->boundary );
    return if SKaMPI::Database::Web::Access::may_submit($c);
    return [ 401, $SKaMPI::Database::Web::Access::NO_TOKEN ];
}

sub _keep ( $content, $req ) {
    weaken $req;
    if ( $req->url->path->to_route eq $FORM && defined $content->boundary ) {

        # Parts within parts are bytes. After too many parts, the rest of the form is not parsed.
        $content->on(
            part => sub ( $form, $part ) {
                $part->auto_upgrade(0);
                return _collect( $part, $req, $LARGEST_FORM ) if @{ $form->parts } < $MOST_PARTS;
                $form->{multipart} = q{};
                return _fail( $req, 413, "a form has at most $MOST_PARTS parts" );
            }
        );
        return;
    }
    $content->auto_upgrade(0);
    return _collect( $content, $req, $LARGEST );
}

# Collects the body; a failure is an error of the request.
sub _collect ( $content, $req, $most ) {
    weaken $req;
    $content->unsubscribe('read');
    $content->on(
        read => sub ( $self, $bytes ) {
            return if $req->error;
            return _fail( $req, 413, "a field of a form has at most $LARGEST_FORM bytes" )
              if $self->asset->size + length $bytes > $most
              && ( $self->headers->content_disposition // q{} ) !~ /filename=/;
            return if eval { $self->asset( $self->asset->add_chunk($bytes) ); 1 };
            return _fail( $req, 507, "the server cannot keep the file: $!; send it again later" );
        }
    );
    return;
}

sub _fail ( $req, $status, $text ) {
    $req->error( { message => $text, status => $status } ) if !$req->error;
    return;
}

# The reason for refusing a request, status and text, or undef. Fields of a form are counted before they are parsed.
sub fault_of ($c) {
    my $req   = $c->req;
    my $error = $req->error;
    return [ $error->{status} // 400, $error->{message} ] if $error;
    return $req->env->{fault}                             if $req->env->{fault};
    return
      if $req->content->is_multipart || ( $req->headers->content_type // q{} ) !~ /urlencoded/i;
    return if $req->url->path->to_route eq $API || $req->body =~ tr/&// < $MOST_FIELDS;
    return [ 413, "a form has at most $MOST_FIELDS fields" ];
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
