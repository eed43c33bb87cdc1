package SKaMPI::Database::Web::Controller::Submit;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use Mojo::Util qw(encode);

use SKaMPI::Database::Web::Access;
use SKaMPI::Database::Writer;

# The account that owns the database.
my $OWNER = 1;

# Similar runs that the answer lists, and how many are searched for them.
my ( $MAX_SIMILAR, $MAX_COMPARED ) = ( 10, 200 );

# What the owner can do with a run, and whether a reason is required.
my %CHANGES = (
    publish  => sub ( $writer, $id, $reason ) { return $writer->publish($id) },
    withdraw => sub ( $writer, $id, $reason ) { return $writer->withdraw( $id, $reason ) },
);

sub form ($self) {
    return $self->answer( 'submit', found => undef );
}

# A file of the form.
sub accept_upload ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    my $file = $self->req->upload('file');
    return $self->_refuse_upload( 400, 'choose a result file' ) if !$file || !$file->size;
    my $found = $self->_take( $file->slurp, $file->filename ) // return;
    return $self->render(
        template => 'submit',
        handler  => 'ep',
        format   => 'html',
        status   => $found->{is_new} ? 201 : 200,
        page     => { found => $found }
    );
}

# A file that is the body of the request.
sub receive ($self) {
    my $found = $self->_take( $self->req->body, 'upload' ) // return;
    $self->res->headers->location("/run/$found->{run}{id}");
    return $self->render( json => $found, status => $found->{is_new} ? 201 : 200 );
}

sub change ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    return $self->refuse( 403, 'only the owner of this server can do that' )
      if !SKaMPI::Database::Web::Access::is_owner($self);
    my $run    = $self->run_or_refuse // return;
    my $change = $CHANGES{ $self->param('change') // q{} }
      // return $self->refuse( 400, 'expected publish or withdraw' );
    my $reason = $self->param('reason') // q{};
    my $done   = eval { $change->( $self->_writer($OWNER), $run->{id}, $reason ); 1 };
    return $self->refuse( 409, _text_of($@) ) if !$done;
    return $self->redirect_to("/run/$run->{id}");
}

sub _is_forged ($self) {
    return $self->validation->csrf_protect->has_error('csrf_token') ? 1 : 0;
}

sub _writer ( $self, $account ) {
    return SKaMPI::Database::Writer->new( $self->app->settings->{store}, account => $account );
}

# Stores a file and returns what was understood; undef after an answer that says what is wrong.
sub _take ( $self, $bytes, $name ) {
    my $is_owner = SKaMPI::Database::Web::Access::is_owner($self);
    my $account  = SKaMPI::Database::Web::Access::account_of($self);
    my $id       = $account ? $account->{id} : $is_owner ? $OWNER : undef;
    if ( !defined $id ) {
        $self->_refuse_upload( 401,
            'a token is required; the owner of this database makes one with: skampi-db token NAME'
        );
        return;
    }
    my $writer = $self->_writer($id);
    my $found  = eval { $writer->check( $writer->receive( $bytes, encode( 'UTF-8', $name ) ) ) };
    return $self->_understood($found) if $found;
    $self->_refuse_upload( 422, _text_of($@) );
    return;
}

sub _text_of ($failure) {
    return ( ref $failure ? $failure->{text} : $failure ) =~ s/\s+\z//r;
}

sub _refuse_upload ( $self, $status, $text ) {
    return $self->render( json => { error => $text }, status => $status )
      if $self->stash('data_only');
    return $self->render(
        template => 'submit',
        handler  => 'ep',
        format   => 'html',
        status   => $status,
        page     => { wrong => $text, found => undef }
    );
}

sub _understood ( $self, $found ) {
    my $reader = SKaMPI::Database::Reader->new( $self->app->settings->{store} );
    my $id     = $found->{id};
    my $run    = $reader->run($id);
    return {
        id       => $id,
        state    => $run->{state},
        is_new   => $found->{is_new} ? 1 : 0,
        run      => $run,
        suites   => [ $reader->suites($id) ],
        warnings => [ $reader->warnings($id) ],
        similar  => [ _similar( $reader, $run ) ],
    };
}

# Other runs of the same machine and parameters.
sub _similar ( $reader, $run ) {
    my @runs = grep { $_->{id} != $run->{id} && $_->{parameters_key} eq $run->{parameters_key} }
      $reader->runs( machine => $run->{machine}, limit => $MAX_COMPARED );
    return @runs > $MAX_SIMILAR ? @runs[ 0 .. $MAX_SIMILAR - 1 ] : @runs;
}

1;
