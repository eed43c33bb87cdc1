package SKaMPI::Database::Web::Controller::Compare;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use Mojo::Util qw(encode);

use SKaMPI::Database::Cache;
use SKaMPI::Database::Chart;
use SKaMPI::Database::Chart::Gnuplot qw(picture_formats);
use SKaMPI::Database::Chart::State;
use SKaMPI::Database::Chart::Table;
use SKaMPI::Database::Web::Drawings;
use SKaMPI::Tabular qw(csv_text json_text);

my $STATE    = 'SKaMPI::Database::Chart::State';
my $MAX_RUNS = 40;

sub show ($self) {
    my $chart = $self->_chart;
    my $state = $chart->chosen;
    my @runs  = map { $self->reader->run($_) // () } $state->runs;
    return $self->answer(
        'compare',
        state     => { %{$state}, pairs => [ $state->pairs ] },
        all_pairs => [ $state->pairs( map { $_ => undef } $STATE->bounds ) ],
        choices   => [ $STATE->choices ],
        search    => $self->param('q'),
        since     => $self->_since // q{},
        runs      => $self->_offered(@runs),
        chosen    => [ map { $_->{id} } @runs ],
        suites    => [ @runs ? $self->reader->suites( map { $_->{id} } @runs ) : () ],
        notes     => [ $chart->notes ],
        table     => $self->_table($chart)->data,
        drawn     => scalar $chart->series,
    );
}

# The runs to choose from: those chosen, and the newest of the machines.
sub _offered ( $self, @chosen ) {
    my $search = $self->param('q');
    my $since  = $self->_since;
    my %is     = map { $_->{id} => 1 } @chosen;
    my @newest = $self->reader->runs(
        limit => $MAX_RUNS,
        length( $search // q{} ) ? ( search => $search ) : (),
        defined $since           ? ( since  => $since )  : (),
    );
    return [ @chosen, grep { !$is{ $_->{id} } } @newest ];
}

sub _since ($self) {
    my $date = $self->param('since') // q{};
    return $date =~ /\A[0-9]{4}(?:-[0-9]{2}){2}\z/ ? $date : undef;
}

sub plot ($self) {
    return $self->render( json => $self->_chart->description );
}

sub table ($self) {
    my $table  = $self->_table( $self->_chart );
    my $format = $self->stash('wanted');
    return $self->attach( 'comparison.json', 'application/json', json_text( $table->data ) )
      if $format eq 'json';
    return $self->attach(
        'comparison.csv',
        $self->app->types->type('csv'),
        encode( 'UTF-8', csv_text( $table->columns, $table->points ) )
    );
}

sub picture ($self) {
    my $chart  = $self->_chart;
    my $format = $self->stash('wanted');
    return $self->refuse( 403, 'pictures are made of published runs only' )
      if grep { $_->{run}{state} !~ /\A(?:published|outdated)\z/ } $chart->series;
    return SKaMPI::Database::Web::Drawings->new( $self->app->settings )->draw(
        $chart, $format,
        sub ( $bytes, $wrong ) {
            return $self->refuse( 503, $wrong ) if defined $wrong;
            return $self->attach( "comparison.$format", picture_formats()->{$format}, $bytes );
        }
    );
}

sub _table ( $self, $chart ) {
    my $cache = SKaMPI::Database::Cache->new( $self->app->settings->{store} );
    return SKaMPI::Database::Chart::Table->new( $chart, $self->reader, $cache );
}

sub _chart ($self) {
    return SKaMPI::Database::Chart->new( $self->reader, $STATE->new( $self->params ) );
}

1;
