package SKaMPI::Database::Web::Access;

# Access to the pages. register(APP) checks each request: host, origin and rate, and whether the visitor may read:
# anybody on a public server, else those with the key that the server printed.
use SKaMPI::Base;

use List::Util qw(any);
use Mojo::URL;
use Mojo::Util qw(url_unescape);

use SKaMPI::Database::Accounts;

# Nothing from other hosts, no script or style in the page, no frames.
my $POLICY = join '; ', "default-src 'none'",
  map( { "$_ 'self'" } qw(script-src style-src img-src connect-src form-action) ),
  "base-uri 'none'", "frame-ancestors 'none'";
my %HEADERS = (
    'Content-Security-Policy'      => $POLICY,
    'X-Content-Type-Options'       => 'nosniff',
    'X-Frame-Options'              => 'DENY',
    'Referrer-Policy'              => 'same-origin',
    'Cross-Origin-Resource-Policy' => 'same-origin',
    'Cross-Origin-Opener-Policy'   => 'same-origin',
);

# Requests of an address within a minute, for each worker.
my %MOST      = ( read => 3000, write => 60 );
my $WINDOW_S  = 60;
my $MAX_KNOWN = 10_000;

our $NO_TOKEN =
  'a token is required; the owner of this database makes one with: skampi db token NAME';

# Checks in this order; the first one that answers ends the request.
my @CHECKS =
  ( \&_check_host, \&_check_origin, \&_check_rate, \&_take_key, \&_check_visitor, \&_check_body );

sub register ( $class, $app ) {
    $app->hook(
        before_dispatch => sub ($c) {
            $c->res->headers->header( $_ => $HEADERS{$_} ) for keys %HEADERS;
            for my $check (@CHECKS) {
                return if $c->res->code || !$check->($c);
            }
        }
    );
    return;
}

# Whether the visitor is the owner of the server, who sees all runs.
sub is_owner ($c) { return $c->session('owner') ? 1 : 0 }

# The account of the request's token, or of the token with which the visitor has signed in.
sub account_of ($c) {
    return $c->stash->{account} if exists $c->stash->{account};
    my ($token)  = ( $c->req->headers->authorization // q{} ) =~ /\ABearer\s+([0-9a-fA-F]{64})\z/;
    my $secret   = $c->session('token');
    my $accounts = SKaMPI::Database::Accounts->new( $c->app->settings->{store} );
    return
      $c->stash->{account} =
        defined $token  ? $accounts->of_token($token)
      : defined $secret ? $accounts->of_secret($secret)
      :                   undef;
}

sub may_submit ($c) { return is_owner($c) || account_of($c) ? 1 : 0 }

# Remembers the token in a cookie; 0 if nobody has it.
sub sign_in ( $c, $token ) {
    return 0 if !SKaMPI::Database::Accounts->new( $c->app->settings->{store} )->of_token($token);
    $c->session( token => SKaMPI::Database::Accounts::secret_of($token) );
    return 1;
}

sub _refuse ( $c, $status, $text ) {
    my $is_data = $c->req->url->path->contains('/api/v1');
    my @answer = $is_data ? ( json => { error => $text } ) : ( text => "$text\n", format => 'txt' );
    $c->render( @answer, status => $status );
    return 0;
}

# The host that the request names; empty without a header Host.
sub _host_of ($c) { return lc( $c->req->url->to_abs->host_port // q{} ) }

# Refuses a host name of another site that resolves to this machine.
sub _check_host ($c) {
    my $settings = $c->app->settings;
    my $host     = _host_of($c);
    my @known    = map { lc } @{ $settings->{host} };
    return 1 if $settings->{public} && !@known;
    for my $own ( map { Mojo::URL->new($_) } @{ $settings->{listen} } ) {
        push @known, map { ( $_, "$_:" . $own->port ) } $own->host, qw(127.0.0.1 localhost [::1]);
    }
    return 1 if any { $_ eq $host } @known;
    return _refuse( $c, 421,
        'this server is not known by that name; see --host of skampi db serve' );
}

# Refuses changes from pages of other sites; browsers state where such a request comes from.
sub _check_origin ($c) {
    my $origin = $c->req->headers->origin // return 1;
    my $host   = lc( Mojo::URL->new($origin)->host_port // q{} );
    return 1 if $host eq _host_of($c);
    return _refuse( $c, 403, 'requests of other sites are not answered' );
}

sub _check_rate ($c) {
    state %seen;
    my $now  = time;
    my $kind = $c->req->method =~ /\A(?:GET|HEAD)\z/ ? 'read' : 'write';
    my $who  = "$kind " . ( $c->tx->remote_address // q{} );
    %seen = () if keys %seen > $MAX_KNOWN;
    my $count = $seen{$who};
    $count = $seen{$who} = { since => $now, number => 0 }
      if !$count || $now - $count->{since} >= $WINDOW_S;
    my $most = $c->app->settings->{most} // \%MOST;
    return 1 if ++$count->{number} <= $most->{$kind};
    $c->res->headers->header( 'Retry-After' => $WINDOW_S );
    return _refuse( $c, 429, 'too many requests; try again in a minute' );
}

# Moves the key into a cookie, so that it does not stay in the address.
sub _take_key ($c) {
    my $key = $c->req->query_params->param('key') // return 1;
    $c->session( owner => 1 ) if $c->app->settings->{keys}->take($key);
    return 1                  if !is_owner($c);
    my $query = $c->req->query_params->clone->remove('key');
    my $path  = $c->req->url->path->to_string;

    # A browser could take any other path for the address of another host.
    $path = q{/} if url_unescape($path) !~ m{\A/(?!/)[^\\\p{Cc}]*\z};
    $c->redirect_to( $c->url_for($path)->query($query) );
    return 0;
}

sub _check_visitor ($c) {
    return 1 if $c->app->settings->{public} || is_owner($c) || account_of($c);
    return _refuse( $c, 403,
        'open the address that skampi db serve has printed; its key is valid once' );
}

sub _check_body ($c) {
    my $fault = $c->fault_of // return 1;
    return _refuse( $c, @{$fault} );
}

1;
