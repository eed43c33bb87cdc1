package SKaMPI::Database::Web::Sessions;

# The cookie of those who have signed in.
use SKaMPI::Base;

use Mojo::Base 'Mojolicious::Sessions', -signatures;

has 'name';

sub load ( $self, $c ) { return $self->_choose($c)->SUPER::load($c) }

sub store ( $self, $c ) { return $self->_choose($c)->SUPER::store($c) }

# Chooses the cookie's rules: by https, also behind a proxy, browsers send it by https only, and to this host only.
sub _choose ( $self, $c ) {
    my $is_secure = $c->req->is_secure ? 1 : 0;
    return $self->secure($is_secure)->cookie_name( ( $is_secure ? '__Host-' : q{} ) . $self->name );
}

1;
