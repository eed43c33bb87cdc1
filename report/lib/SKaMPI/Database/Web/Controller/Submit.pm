package SKaMPI::Database::Web::Controller::Submit;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Database::Fault qw(is_fault);
use SKaMPI::Database::Web::Access;
use SKaMPI::Database::Web::Uploads;
use SKaMPI::Database::Writer;

# The account that owns the database.
my $OWNER = 1;

# What the owner can do with a run, and whether a reason is required.
my %CHANGES = (
    publish  => sub ( $writer, $id, $reason ) { return $writer->publish($id) },
    withdraw => sub ( $writer, $id, $reason ) { return $writer->withdraw( $id, $reason ) },
);

sub form ($self) {
    return $self->answer( 'submit', found => undef );
}

# With a token, the form for files is shown.
sub sign_in ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    return $self->_refuse_upload( 401, 'nobody has this token' )
      if !SKaMPI::Database::Web::Access::sign_in( $self, $self->param('token') // q{} );
    return $self->redirect_to('/submit');
}

# A file of the form.
sub accept_upload ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    my $file = $self->req->upload('file');
    return $self->_refuse_upload( 400, 'choose a result file' ) if !$file || !$file->size;
    return $self->_take( $file->asset, $file->filename );
}

# A file that is the body of the request.
sub receive ($self) {
    return $self->_take( $self->req->content->asset, 'upload' );
}

sub change ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    return $self->refuse( 403, 'only the owner of this server can do that' )
      if !SKaMPI::Database::Web::Access::is_owner($self);
    my $run    = $self->run_or_refuse // return;
    my $change = $CHANGES{ $self->param('change') // q{} }
      // return $self->refuse( 400, 'expected publish or withdraw' );
    my $reason = $self->param('reason') // q{};
    my $writer = SKaMPI::Database::Writer->new( $self->app->settings->{store} );
    return $self->redirect_to("/run/$run->{id}")
      if eval { $change->( $writer, $run->{id}, $reason ); 1 };
    die $@ if is_fault($@);
    return $self->refuse( 409, $@->{text} );
}

sub _is_forged ($self) {
    return $self->validation->csrf_protect->has_error('csrf_token') ? 1 : 0;
}

# Stores a file; the answer says what was understood, or what is wrong.
sub _take ( $self, $asset, $name ) {
    my $is_owner = SKaMPI::Database::Web::Access::is_owner($self);
    my $account  = SKaMPI::Database::Web::Access::account_of($self);
    my $id       = $account ? $account->{id} : $is_owner ? $OWNER : undef;
    return $self->_refuse_upload( 401, $SKaMPI::Database::Web::Access::NO_TOKEN ) if !defined $id;
    $self->render_later;
    my $tx  = $self->tx;
    my %who = ( account => $id, is_owner => $is_owner );
    return SKaMPI::Database::Web::Uploads->take( $self->app->settings, \%who, $asset, $name )
      ->then(
        sub ($found) {
            $self->res->headers->location("/run/$found->{id}");
            my $status = $found->{is_new} ? 201 : 200;
            return $self->answer_with( $status, 'submit', { found => $found }, $found );
        }
    )->catch(
        sub ($failure) {
            return $self->fault($failure) if is_fault($failure);
            return $self->_refuse_upload( 422, $failure->{text} );
        }
    )->finally( sub { undef $tx } );
}

sub _refuse_upload ( $self, $status, $text ) {
    my %page = ( wrong => $text, found => undef );
    return $self->answer_with( $status, 'submit', \%page, { error => $text } );
}

1;
