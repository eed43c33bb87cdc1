package SKaMPI::Database::Web::Controller::Submit;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;
use Mojo::Promise;
use Mojo::Util qw(encode);

use SKaMPI::Database::Accounts qw($OWNER);
use SKaMPI::Database::Fault    qw(is_fault);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Web::Access;
use SKaMPI::Database::Web::JobQueue qw(in_queue);
use SKaMPI::Database::Writer;

# The owner's changes to a run; the value is whether a change has a reason.
my %CHANGES = ( publish => 0, withdraw => 1 );

sub form ($self) { return $self->answer( 'submit', found => undef ) }

# Signs in; a valid token gives access to the form for files.
sub sign_in ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    return $self->_refuse_upload( 401, 'nobody has this token' )
      if !SKaMPI::Database::Web::Access::sign_in( $self, $self->param('token') // q{} );
    return $self->redirect_to('/submit');
}

sub accept_upload ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    my $file = $self->req->upload('file');
    return $self->_refuse_upload( 400, 'choose a result file' ) if !$file || !$file->size;
    return $self->_take( $file->asset, $file->filename );
}

# Takes a file that is the body of the request.
sub receive ($self) {
    return $self->_take( $self->req->content->asset, 'upload' );
}

sub change ($self) {
    return $self->refuse( 403, 'the form is too old; load it again' ) if $self->_is_forged;
    return $self->refuse( 403, 'only the owner of this server can do that' )
      if !SKaMPI::Database::Web::Access::is_owner($self);
    my $run    = $self->run_or_refuse   // return;
    my $change = $self->param('change') // q{};
    my $given  = $CHANGES{$change} // return $self->refuse( 400, 'expected publish or withdraw' );
    my @reason = $given ? $self->param('reason') // q{} : ();
    my $writer = SKaMPI::Database::Writer->new( $self->app->settings->{store} );
    return $self->redirect_to("/run/$run->{id}")
      if eval { $writer->$change( $run->{id}, @reason ); 1 };
    die $@ if is_fault($@);
    return $self->refuse( 409, $@->{text} );
}

sub _is_forged ($self) {
    return $self->validation->csrf_protect->has_error('csrf_token') ? 1 : 0;
}

# Stores a file; the answer is a summary of the run, or the error.
sub _take ( $self, $asset, $name ) {
    my $is_owner = SKaMPI::Database::Web::Access::is_owner($self);
    my $account  = SKaMPI::Database::Web::Access::account_of($self);
    my $id       = $account ? $account->{id} : $is_owner ? $OWNER : undef;
    return $self->_refuse_upload( 401, $SKaMPI::Database::Web::Access::NO_TOKEN ) if !defined $id;
    $self->render_later;
    my $tx  = $self->tx;
    my %who = ( account => $id, is_owner => $is_owner );
    return _stored_apart( $self->app->settings, \%who, $asset, $name )->then(
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

my %QUEUE = ( name => 'upload', places => 2, most => 20, full => 'too many files are waiting' );

# Similar runs that the answer lists, and how many are searched for them.
my ( $MAX_SIMILAR, $MAX_COMPARED ) = ( 10, 200 );

# A promise of a hash of id, state and is_new; and, if WHO (account, a number, and is_owner) may see
# the run, of run, suites, warnings and similar (runs of the same machine and parameters). A process
# of its own reads and stores the file, so that the server answers others meanwhile and does not
# grow. The promise is rejected with a hash that says why the file is not taken.
sub _stored_apart ( $settings, $who, $asset, $name ) {
    my $stored = sub () {
        my $found = eval { _stored( $settings, $who, $asset->slurp, $name ) };
        return $found ? ( $found, undef ) : ( undef, ref $@ eq 'HASH' ? $@ : { text => "$@" } );
    };
    return in_queue( $settings, \%QUEUE, $stored )
      ->then( sub ( $found, $failure ) { return $found // Mojo::Promise->reject($failure) } );
}

# The stored run. The owner sees all runs, others those that they have sent, and public ones.
sub _stored ( $settings, $who, $bytes, $name ) {
    my $store  = $settings->{store};
    my $writer = SKaMPI::Database::Writer->new( $store, account => $who->{account} );
    my $found  = $writer->take( $bytes, encode( 'UTF-8', $name ) );
    my %brief  = ( %{$found}{qw(id state)}, is_new => $found->{is_new} ? 1 : 0 );
    my $public = SKaMPI::Database::Reader->new( $store, public => $who->{is_owner} ? 0 : 1 );
    my $all    = SKaMPI::Database::Reader->new($store);
    my $run    = $all->run( $found->{id} );
    my $sender = $store->row( account_by_id => $who->{account} );
    my $reader = $run->{account} eq $sender->{name} ? $all : $public;
    $run = $reader->run( $found->{id} ) // return \%brief;
    my @similar = grep { $_->{id} != $run->{id} && $_->{parameters_key} eq $run->{parameters_key} }
      $public->runs( machine => $run->{machine}, limit => $MAX_COMPARED );
    splice @similar, $MAX_SIMILAR if @similar > $MAX_SIMILAR;
    return {
        %brief,
        state    => $run->{state},
        run      => $run,
        suites   => [ $reader->suites( $run->{id} ) ],
        warnings => [ $reader->warnings( $run->{id} ) ],
        similar  => \@similar,
    };
}

1;
