package SKaMPI::Database::Web::Controller::Files;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use Mojo::Util qw(encode);

use SKaMPI::Database::Web::Reports;
use SKaMPI::Export::Formats qw(format_results);

# The file as it was published. Its name is ours.
sub original ($self) {
    my $run = $self->run_or_refuse // return;
    return $self->attach( "skampi-$run->{id}.out", 'text/plain;charset=UTF-8',
        $self->reader->original( $run->{id} )->{bytes} );
}

sub results ($self) {
    my $run    = $self->run_or_refuse // return;
    my $format = $self->stash('wanted');
    my $output = $self->reader->output( $run->{id} );
    my @suites = $output->results;
    my %exported =
      ( output => $output, number => 1, suites => \@suites, machine => $run->{machine_name} );
    my $text = format_results( $format, { %exported, path => "skampi-$run->{id}.out" } );
    return $self->attach(
        "skampi-$run->{id}.$format",
        $self->app->types->type($format),
        encode( 'UTF-8', $text )
    );
}

# The report, made once. Until then, the page says so and is loaded again.
sub report ($self) {
    my $run = $self->run_or_refuse // return;
    return $self->refuse( 403, 'reports are made of published runs only' )
      if $run->{state} !~ /\A(?:published|outdated)\z/;
    my $format  = $self->stash('wanted');
    my $reports = SKaMPI::Database::Web::Reports->new( $self->app->settings );
    my $made    = $reports->of( $run, $format, $self->reader );
    return $self->fault( $made->{fault} )       if $made->{fault};
    return $self->refuse( 503, $made->{wrong} ) if defined $made->{wrong};
    return $self->attach( "skampi-$run->{id}.$format", $self->app->types->type($format),
        $made->{bytes} )
      if defined $made->{bytes};
    $self->res->headers->header( Refresh => 3 );
    return $self->answer_with( 202, 'waiting', { run => $run } );
}

1;
