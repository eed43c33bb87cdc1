package SKaMPI::Database::Web::Page;

# Base class of the controllers of the result database.
use SKaMPI::Base;

use Mojo::Base 'Mojolicious::Controller', -signatures;

use SKaMPI::Base::Json      qw(decode_json encode_json);
use SKaMPI::Base::Program   ();
use SKaMPI::Database::Age   qw(oldest_start);
use SKaMPI::Database::Fault qw(fault_answer);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Web::Access;

# After how many seconds a visitor may try again.
my $RETRY_S = 60;

our $ROWS = 100;

sub reader ($self) {
    my $all = SKaMPI::Database::Web::Access::is_owner($self);
    return $self->{reader} //=
      SKaMPI::Database::Reader->new( $self->app->settings->{store}, public => $all ? 0 : 1 );
}

sub params ($self) {
    my $given = $self->req->query_params;
    return map { $_ => $given->every_param($_) } @{ $given->names };
}

# The filters of a list of runs or machines in the parameters of the URL: those that are not empty.
# q is the search text; dates and numbers must be valid.
my %SOUND = ( since => qr/\A[0-9]{4}(?:-[0-9]{2}){2}\z/, processes => qr/\A[0-9]{1,9}\z/ );

sub filters ( $self, @names ) {
    my %filter = map { $_ => $self->param($_) // q{} } @names;
    delete @filter{ grep { $filter{$_} !~ ( $SOUND{$_} // qr/./s ) } @names };
    return map { ( $_ eq 'q' ? 'search' : $_ ) => $filter{$_} } keys %filter;
}

# The page as HTML, or its data as JSON.
sub answer ( $self, $template, %data ) {
    return $self->answer_with( 200, $template, \%data );
}

sub refuse ( $self, $status, $text ) {
    return $self->answer_with( $status, 'refusal', { text => $text }, { error => $text } );
}

sub answer_with ( $self, $status, $template, $page, $data = $page ) {
    return $self->render( json => $data, status => $status ) if $self->stash('data_only');
    return $self->render(
        template => $template,
        handler  => 'ep',
        format   => 'html',
        status   => $status,
        page     => $page
    );
}

# The answer to a failure of the database or of the server itself.
sub fault ( $self, $failure ) {
    my ( $status, $text ) = fault_answer($failure);
    my $why = ref $failure eq 'HASH' ? $failure->{text} : "$failure";
    $self->app->log->error( $why =~ s/\s+\z//r );
    $self->res->headers->header( 'Retry-After' => $RETRY_S );
    return $self->refuse( $status, $text );
}

# The run of the address; undef after an answer that says why there is none.
sub run_or_refuse ($self) {
    my $id  = $self->param('id');
    my $run = $self->reader->run($id);
    return $run if $run;
    my $gone = $self->reader->gone($id);
    $self->refuse(
        $gone  ? 410 : 404,
        !$gone ? "there is no run $id"
        : $gone->{state} eq 'withdrawn'
        ? "run $id was withdrawn: " . ( $gone->{reason} // 'no reason given' )
        : "run $id was erased"
    );
    return;
}

sub page_number ($self) {
    my $number = $self->param('page') // 1;
    return $number =~ /\A[1-9][0-9]{0,5}\z/ ? 0 + $number : 1;
}

# A page of a list: the number of rows to skip, and whether more follow.
sub page_of ( $self, $list, $most = $ROWS ) {
    my $number = $self->page_number;
    my @rows   = $list->( limit => $most + 1, offset => ( $number - 1 ) * $most );
    my $more   = @rows > $most ? 1 : 0;
    splice @rows, $most;
    return { rows => \@rows, number => $number, more => $more };
}

# The hash that CODE makes from the following runs, cached by NAME until the database or the STATE changes.
sub cached ( $self, $name, $state, $code ) {
    my $reader = $self->reader;
    my $events = $reader->store->value( count => 'event' );
    my ( $key, $now ) =
      map { encode_json($_) } [ @{$name}, SKaMPI::Database::Web::Access::is_owner($self) ],
      [ @{$state}, $events, oldest_start(), $SKaMPI::Base::Program::VERSION ];
    my ( $then, $bytes ) = split /\n/, ( $reader->cache->get($key) // {} )->{bytes} // q{}, 2;
    return decode_json($bytes) if defined $bytes && $then eq $now;
    my ( $made, @runs ) = $code->();
    $reader->cache->put( $key, 'application/json', "$now\n" . encode_json($made), @runs ) if @runs;
    return $made;
}

# Sends a file that a browser saves and does not open. The default type is that of its name.
sub attach ( $self, $name, $bytes, $type = $self->app->types->file_type($name) ) {
    my $headers = $self->res->headers;
    $headers->content_type($type);
    $headers->content_disposition(qq{attachment; filename="$name"});
    $headers->content_security_policy('sandbox');
    return $self->render( data => $bytes );
}

1;
