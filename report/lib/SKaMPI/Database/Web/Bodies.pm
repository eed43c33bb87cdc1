package SKaMPI::Database::Web::Bodies;

# Limits on requests. A body is small, unless it is an upload of somebody with a token or a key.
use SKaMPI::Base;

use Scalar::Util qw(weaken);

use SKaMPI::Database::Web::Access;

# Bytes of a request with an upload, and of the body of another one; parts and fields of a form.
my $LARGEST      = 60 * 1024 * 1024;
my $LARGEST_FORM = 64 * 1024;
my $MOST_PARTS   = 10;
my $MOST_FIELDS  = 100;

# Addresses for uploads: as a part of a form, and as the body.
my ( $FORM, $API ) = qw(/submit /api/v1/runs);

my $UNKNOWN = 'the server cannot look up your token; send the file again later';

# Limits a request when its headers have arrived, before any of its body is parsed.
sub register ( $class, $app ) {
    $app->max_request_size($LARGEST);
    $app->helper( fault_of => \&fault_of );
    $app->hook(
        after_build_tx => sub ( $tx, $app ) {
            weaken $tx;
            $tx->req->content->on( body => sub ($content) { _begin( $content, $tx, $app ) } );
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

1;
