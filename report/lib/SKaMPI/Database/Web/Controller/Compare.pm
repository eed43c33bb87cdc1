package SKaMPI::Database::Web::Controller::Compare;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use List::Util qw(uniq);
use Mojo::Util qw(encode);

use SKaMPI::Base::Json  qw(pretty_json);
use SKaMPI::Base::Table qw(csv_text);
use SKaMPI::Database::Chart::State;
use SKaMPI::Database::Chart::Table;
use SKaMPI::Database::Settings qw($PUBLISHED);
use SKaMPI::Meaning::Costs     qw(cost_page);

my $STATE = 'SKaMPI::Database::Chart::State';

# Longer lists have a search field.
my ( $MAX_GROUPS, $MAX_SUITES ) = ( 12, 16 );

my $MAX_COSTS = 4;

sub show ($self) {
    my $chart   = $self->chart( $self->params );
    my $state   = $chart->chosen;
    my @runs    = map { $self->reader->run($_) // () } map { s/\Ag//r } $state->runs;
    my @groups  = $self->_groups( $state, @runs );
    my @chosen  = grep { $_->{is_chosen} } @groups;
    my @columns = $self->_suites( $state, @chosen ? @chosen : @groups );
    return $self->answer_with_figures(
        'compare',
        [ $self->figures_of($chart) ],
        state   => { %{$state}, pairs => [ $state->pairs ] },
        choices => [ $STATE->choices ],
        search  => $self->param('q'),
        find    => $self->param('find'),
        since   => { $self->filters('since') }->{since} // q{},
        groups  => \@groups,
        @columns,
        notes => [ $chart->notes ],
        table => $self->_table($chart)->data,
        costs => $self->_costs(@runs),
        drawn => scalar $chart->series,
    );
}

# The groups of launches to choose from: first those with a choice, then the newest that have the
# first chosen suite. Each has its newest run, its launches, and its choices.
sub _groups ( $self, $state, @chosen ) {
    my %wanted = map { $_ => 1 } $state->runs;
    my @newest = $self->reader->runs(
        limit           => $MAX_GROUPS,
        order           => 'started',
        newest_of_group => 1,
        label           => $state->get('labels')->[0],
        $self->filters(qw(q since)),
    );
    my ( %seen, @groups );
    for my $run ( @chosen, @newest ) {
        next if $seen{ $run->{group_key} // $run->{id} }++;
        my @launches  = reverse $self->reader->launches_of($run);
        my $is_chosen = grep { $wanted{ $_->{id} } || $wanted{"g$_->{id}"} } $run, @launches;
        push @groups,
          {
            run       => $run,
            launches  => \@launches,
            is_chosen => $is_chosen ? 1 : 0,
            wanted    => [ grep { $wanted{$_} } map { ( $_->{id}, "g$_->{id}" ) } $run, @launches ],
          };
    }
    return @groups;
}

# The suites of these groups whose label or operation contains the search text, those of most groups first: few, so that
# they can be read; and the number of further ones. Chosen suites are always included.
sub _suites ( $self, $state, @groups ) {
    my $find   = lc( $self->param('find') // q{} );
    my %chosen = map { $_ => 1 } @{ $state->get('labels') };
    my %count;
    my @rows =
      grep { !$count{ $_->{label} }++ } $self->reader->labels( map { $_->{run}{id} } @groups );
    @rows = sort { $count{ $b->{label} } <=> $count{ $a->{label} } } @rows;
    my @found = grep { index( lc "$_->{label} $_->{operation}", $find ) >= 0 } @rows;
    my $left  = @found - $MAX_SUITES;
    splice @found, $MAX_SUITES if $left > 0;
    my %shown = map { $_->{label} => 1 } @found;
    unshift @found, grep { $chosen{ $_->{label} } && !$shown{ $_->{label} } } @rows;
    $_->{runs} = $count{ $_->{label} } for @found;
    return (
        suites     => \@found,
        more       => $left > 0 ? $left : 0,
        operations => [ sort { $a cmp $b } uniq map { $_->{operation} } @rows ],
        of         => scalar @groups,
    );
}

# The cost of a recorded program's calls in the first of these runs, and what the others would save;
# undef if it measures no recording. Cached, since it reads the results themselves.
sub _costs ( $self, @runs ) {
    splice @runs, $MAX_COSTS if @runs > $MAX_COSTS;
    my $reader = $self->reader;
    return undef    ## no critic (ProhibitExplicitReturnUndef): a value of a hash
      if !@runs || !$reader->findings( $runs[0]{id} )->{costs};
    my @names = map { "run $_->{id} of $_->{machine_name}" } @runs;
    return $reader->cache->data(
        join( "\n", 'costs/1', @names ),
        sub () {
            my @sides = map { [ $names[$_], $reader->output( $runs[$_]{id} ) ] } 0 .. $#runs;
            return ( cost_page(@sides), map { $_->{id} } @runs );
        }
    );
}

sub table ($self) {
    my $table  = $self->_table( $self->chart( $self->params ) );
    my $format = $self->stash('wanted');
    return $self->attach( 'comparison.json', pretty_json( $table->data ), 'application/json' )
      if $format eq 'json';
    my $text = csv_text( $table->columns, $table->points );
    return $self->attach( 'comparison.csv', encode( 'UTF-8', $text ) );
}

sub picture ($self) {
    my $chart  = $self->chart( $self->params );
    my $format = $self->stash('wanted');
    return $self->refuse( 403, 'pictures are made of published runs only' )
      if grep { $_->{state} !~ $PUBLISHED }
      map { @{ $_->{launches} } } $chart->series;
    my ($panel) = grep { $_->{number} eq ( $self->param('panel') // 1 ) } $chart->drawn
      or return $self->refuse( 404, 'there is nothing to draw' );
    my $is_small = ( $self->param('size') // q{} ) eq 'small';
    my $figure   = {
        plot => $chart->plot( $panel, is_small => $is_small, is_plain => $is_small ),
        runs => [ map { $_->{id} } map { @{ $_->{launches} } } $chart->series ]
    };
    return $self->drawings( "picture_$format", $figure )
      ->then( sub ($bytes) { return $self->attach( "comparison.$format", $bytes ) },
        sub ($wrong) { return $self->refuse( 503, $wrong ) } );
}

sub _table ( $self, $chart ) {
    return SKaMPI::Database::Chart::Table->new( $chart, $self->reader );
}

1;
