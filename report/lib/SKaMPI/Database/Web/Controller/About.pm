package SKaMPI::Database::Web::Controller::About;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Database::Web::Definitions qw(definitions);
use SKaMPI::Database::Web::OpenApi     qw(openapi);

sub show ($self) {
    return $self->answer( 'about', definitions => definitions() );
}

sub describe ($self) {
    return $self->render( json => openapi(@SKaMPI::Database::Web::App::PAGES) );
}

1;
