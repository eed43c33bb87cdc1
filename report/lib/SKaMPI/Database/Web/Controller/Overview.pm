package SKaMPI::Database::Web::Controller::Overview;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Database::Web::Definitions qw(definitions);
use SKaMPI::Database::Web::OpenApi     qw(openapi);

my $MAX_MACHINES = 30;
my $MAX_RUNS     = 10;
my $GROUP        = 'point-to-point';

sub show ($self) {
    my $search = $self->param('q');
    my @filter = length( $search // q{} ) ? ( search => $search ) : ();
    my $reader = $self->reader;
    return $self->answer(
        'overview',
        counts   => $reader->counts,
        search   => $search,
        machines =>
          [ map { $self->_with_figures($_) } $reader->machines( @filter, limit => $MAX_MACHINES ) ],
        runs => [ $reader->runs( @filter, limit => $MAX_RUNS, order => 'received' ) ],
    );
}

# The point-to-point figures of the machine's newest run that has any.
sub _with_figures ( $self, $machine ) {
    my $run     = $self->reader->newest_with_figures( $machine->{id}, $GROUP );
    my @figures = $run ? grep { $_->{group} eq $GROUP } $self->reader->figures( $run->{id} ) : ();
    return { %{$machine}, figures => \@figures, figure_run => $run };
}

sub about ($self) {
    return $self->answer( 'about', definitions => definitions() );
}

sub describe ($self) {
    return $self->render( json => openapi(@SKaMPI::Database::Web::App::PAGES) );
}

1;
