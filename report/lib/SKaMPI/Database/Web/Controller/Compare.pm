package SKaMPI::Database::Web::Controller::Compare;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use Digest::SHA qw(sha256_hex);
use List::Util  qw(uniq);
use Mojo::Util  qw(encode);

use SKaMPI::Base::Json    qw(pretty_json);
use SKaMPI::Base::Tabular qw(csv_text);
use SKaMPI::Database::Chart;
use SKaMPI::Database::Chart::Gnuplot qw(gnuplot_files);
use SKaMPI::Database::Chart::State;
use SKaMPI::Database::Chart::Table;
use SKaMPI::Database::Web::JobQueue;
use SKaMPI::Meaning::Costs qw(cost_page);

my $STATE = 'SKaMPI::Database::Chart::State';

# How long gnuplot may take.
my $SECONDS = 60;

# Longer lists have a search field.
my ( $MAX_GROUPS, $MAX_SUITES ) = ( 12, 16 );

# Runs whose costs are compared.
my $MAX_COSTS = 4;

sub show ($self) {
    my $chart   = $self->_chart;
    my $state   = $chart->chosen;
    my @groups  = $self->_groups($state);
    my @chosen  = grep { $_->{is_chosen} } @groups;
    my @columns = $self->_suites( $state, @chosen ? @chosen : @groups );
    return $self->answer(
        'compare',
        state     => { %{$state}, pairs => [ $state->pairs ] },
        all_pairs => [ $state->pairs( map { $_ => undef } $STATE->bounds ) ],
        choices   => [ $STATE->choices ],
        search    => $self->param('q'),
        find      => $self->param('find'),
        since     => { $self->filters('since') }->{since} // q{},
        groups    => \@groups,
        @columns,
        notes => [ $chart->notes ],
        table => $self->_table($chart)->data,
        costs =>
          $self->_costs( map { $self->reader->run($_) // () } map { s/\Ag//r } $state->runs ),
        drawn => scalar $chart->series,
    );
}

# The groups of launches to choose from: first those with a choice, then the newest that have the
# first chosen suite. Each has its newest run, its launches, and its choices.
sub _groups ( $self, $state ) {
    my %wanted = map { $_ => 1 } $state->runs;
    my @chosen = map { $self->reader->run($_) // () } map { s/\Ag//r } $state->runs;
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

sub plot ($self) {
    return $self->render( json => $self->_chart->description );
}

sub table ($self) {
    my $table  = $self->_table( $self->_chart );
    my $format = $self->stash('wanted');
    return $self->attach( 'comparison.json', pretty_json( $table->data ), 'application/json' )
      if $format eq 'json';
    my $text = csv_text( $table->columns, $table->points );
    return $self->attach( 'comparison.csv', encode( 'UTF-8', $text ) );
}

sub picture ($self) {
    my $chart  = $self->_chart;
    my $format = $self->stash('wanted');
    return $self->refuse( 403, 'pictures are made of published runs only' )
      if grep { $_->{state} !~ /\A(?:published|outdated)\z/ }
      map { @{ $_->{launches} } } $chart->series;
    return $self->_draw(
        $chart, $format,
        sub ( $bytes, $wrong ) {
            return $self->refuse( 503, $wrong ) if defined $wrong;
            return $self->attach( "comparison.$format", $bytes );
        }
    );
}

# Draws the picture with gnuplot, once. Calls DONE with its bytes, or with undef and an error message.
sub _draw ( $self, $chart, $format, $done ) {
    my $size  = ( $self->param('size') // q{} ) eq 'small' ? 'small' : 'whole';
    my %texts = %{ gnuplot_files( $chart, $format, $size ) };
    my %files = map { $_ => encode( 'UTF-8', $texts{$_} ) } keys %texts;
    my $key   = sha256_hex( $format, map { "\n$_\n$files{$_}" } sort keys %files );
    my $cache = $self->reader->cache;
    my $known = $cache->get($key);
    return $done->( $known->{bytes}, undef ) if $known;
    my @runs = map { $_->{id} } map { @{ $_->{launches} } } $chart->series;
    return SKaMPI::Database::Web::JobQueue::make(
        $self->app->settings,
        {
            files   => \%files,
            command => [qw(gnuplot -d picture.gpl)],
            result  => "picture.$format",
            seconds => $SECONDS,
            keep    => sub ( $bytes, $ ) {
                return if !defined $bytes;
                return $cache->put( $key, $self->app->types->type($format), $bytes, @runs );
            },
        },
        sub ( $bytes, $wrong, $fault ) {
            my $why = $fault ? 'the picture could not be made; try again later' : $wrong;
            return $done->( $bytes, defined $bytes ? undef : $why );
        }
    );
}

sub _table ( $self, $chart ) {
    return SKaMPI::Database::Chart::Table->new( $chart, $self->reader );
}

sub _chart ($self) {
    return SKaMPI::Database::Chart->new( $self->reader, $STATE->new( $self->params ) );
}

1;
