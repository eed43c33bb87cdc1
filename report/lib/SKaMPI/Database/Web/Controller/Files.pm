package SKaMPI::Database::Web::Controller::Files;

use SKaMPI::Base;

use File::Basename qw(dirname);
use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;
use Mojo::Util qw(encode);

use SKaMPI::Base::Program   qw(catalog_path);
use SKaMPI::Base::TextFile  qw(locked_file);
use SKaMPI::Database::Fault ();                 # pages have a method fault
use SKaMPI::Database::Web::JobQueue;
use SKaMPI::Export::Formats qw(format_results);

my $REPORT  = dirname(__FILE__) =~ s{/lib/SKaMPI/Database/Web/Controller\z}{}r;
my $SECONDS = 60;

# The seconds between a fault and the next try.
my $PAUSE_S = 60;

# The published file, under a name that the server chooses.
sub original ($self) {
    my $run   = $self->run_or_refuse // return;
    my $bytes = $self->reader->original( $run->{id} )->{bytes};
    return $self->attach( "skampi-$run->{id}.out", $bytes, 'text/plain;charset=UTF-8' );
}

sub results ($self) {
    my $run    = $self->run_or_refuse // return;
    my $format = $self->stash('wanted');
    my $text =
      format_results( $format, { %{ $self->reader->exported( $run->{id} ) }, number => 1 } );
    return $self->attach( "skampi-$run->{id}.$format", encode( 'UTF-8', $text ) );
}

# The report, which is made once. Until then, the page says so and reloads itself.
sub report ($self) {
    my $run = $self->run_or_refuse // return;
    return $self->refuse( 403, 'reports are made of published runs only' )
      if $run->{state} !~ /\A(?:published|outdated)\z/;
    my $format = $self->stash('wanted');
    my $made   = $self->_made( $run, $format );
    return $self->fault( $made->{fault} )                               if $made->{fault};
    return $self->refuse( 503, $made->{wrong} )                         if defined $made->{wrong};
    return $self->attach( "skampi-$run->{id}.$format", $made->{bytes} ) if defined $made->{bytes};
    $self->res->headers->header( Refresh => 3 );
    return $self->answer_with( 202, 'waiting', { run => $run } );
}

# A hash of bytes, wrong (a report is impossible), or fault (it cannot be made now); empty while it is being made.
sub _made ( $self, $run, $format ) {
    state %failed;
    my $key   = "report $run->{sha256} $format";
    my $known = $self->reader->cache->get($key);
    return { $known->{type} eq 'text/plain' ? 'wrong' : 'bytes' => $known->{bytes} } if $known;
    my $failed = $failed{$key};
    return { fault => $failed->{fault} } if $failed && $failed->{until} > time;

    # The process that makes the report inherits the lock, so it ends with both.
    my $locked =
      eval { [ locked_file( $self->app->settings->{room} . "/making-$run->{id}-$format" ) ] }
      // SKaMPI::Database::Fault::fault( 'full', $@ =~ s/\n\z//r );
    my $lock   = $locked->[0] // return {};
    my $answer = {};
    $self->_make(
        $run, $format,
        sub ( $, $wrong, $fault ) {
            close $lock;
            $failed{$key} = { fault => $fault, until => time + $PAUSE_S } if $fault;
            $answer->{wrong} = $wrong;
        }
    );
    return $answer;
}

sub _make ( $self, $run, $format, $done ) {
    my ( $key, $cache ) = ( "report $run->{sha256} $format", $self->reader->cache );
    my $bytes = $self->reader->original( $run->{id} )->{bytes};
    return SKaMPI::Database::Web::JobQueue::make(
        $self->app->settings,
        {
            files      => { 'skampi.out' => $bytes },
            command    => [ $^X,     "$REPORT/dorep.pl", "--format=$format", 'skampi.out' ],
            read       => [ $REPORT, grep { defined } catalog_path() ],
            results    => ["skampi.out.$format"],
            seconds    => $SECONDS,
            is_strange => 1,
            keep       => sub ( $results, $wrong ) {
                return $cache->put(
                    $key,
                    defined $wrong ? 'text/plain'  : $self->app->types->type($format),
                    $results       ? $results->[0] : "the report could not be made: $wrong",
                    $run->{id}
                );
            },
        },
        $done
    );
}

1;
