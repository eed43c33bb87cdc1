package SKaMPI::Database::Web::Controller::Overview;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Base::Json             qw(decode_json);
use SKaMPI::Base::Program          qw(catalog);
use SKaMPI::Base::TextFile         qw(shipped_text);
use SKaMPI::Database::OddRuns      qw(odd_on);
use SKaMPI::Export::Columns        qw(columns);
use SKaMPI::Meaning::Catalog       qw(shown_facts);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::RunFacts      qw(tidied_lines);

my $ARGUMENT = 1024;

# The operations that a machine has plots of, the fewest points of a plot, and the runs and number of its key figures.
my @DRAWN = qw(MPI_Send-MPI_Recv MPI_Allreduce MPI_Bcast MPI_Alltoall);
my ( $MIN_PLOTTED, $FIGURE_RUNS, $FIGURES ) = ( 4, 30, 6 );

my $MAX_MACHINES = 30;
my $MAX_RUNS     = 10;
my $GROUP        = 'point-to-point';

# Parameters that are lists, and answers, in the description of the data.
my %LISTS   = map { $_ => 1 } qw(s r l hide);
my %ANSWERS = (
    200 => {
        description => 'data',
        content     => { 'application/json' => { schema => { type => 'object' } } }
    },
    404 => { description => 'there is no such thing' },
);

sub show ($self) {
    my @filter = $self->filters('q');
    my $reader = $self->reader;
    my @machines;
    for my $machine ( $reader->machines( @filter, limit => $MAX_MACHINES ) ) {
        my $run     = $reader->newest_with_figures( $machine->{id}, $GROUP );
        my @figures = $run ? grep { $_->{group} eq $GROUP } $reader->figures( $run->{id} ) : ();
        push @machines, { %{$machine}, figures => \@figures, figure_run => $run };
    }
    return $self->answer(
        'overview',
        counts   => $reader->counts,
        search   => $self->param('q'),
        machines => \@machines,
        runs     => [ $reader->runs( @filter, limit => $MAX_RUNS, order => 'received' ) ],
    );
}

sub machines ($self) {
    my @filter = $self->filters('q');
    my $list   = $self->page_of( sub (%part) { return $self->reader->machines( @filter, %part ) } );
    return $self->answer( 'machines', search => $self->param('q'), list => $list );
}

sub machine ($self) {
    my $slug    = $self->param('slug');
    my $machine = $self->reader->machine($slug)
      // return $self->refuse( 404, "there is no machine '$slug'" );
    my $list =
      $self->page_of( sub (%part) { return $self->reader->runs( machine => $slug, %part ) } );
    my %value = map { $_->{name} => join "\n", tidied_lines( @{$_}{qw(name value)} ) }
      reverse $self->reader->facts( $machine->{newest_run} );
    my @facts =
      map { { name => $_, value => $value{$_} } }
      grep { length( $value{$_} // q{} ) } shown_facts('machine');
    my %first;    # suites of the newest run over the length
    for my $suite ( $self->reader->suites( $machine->{newest_run} ) ) {
        $first{ $suite->{operation} } //= $suite->{label}
          if ( $suite->{variation} // q{} ) eq 'length' && $suite->{points} >= $MIN_PLOTTED;
    }
    my @pictures = map { { operation => $_, run => $machine->{newest_run}, label => $first{$_} } }
      grep { $first{$_} } @DRAWN;
    my @plots;    # small
    for my $picture (@pictures) {
        my $chart = $self->chart( s => ["$picture->{run}:$picture->{label}"] );
        push @plots,
          map { +{ %{$_}, picture => $picture } } $self->figures_of( $chart, is_small => 1 );
    }
    my @figures = $self->_figures_of_runs($slug);
    for my $figure (@figures) {
        my @values = map { +{ %{$_}, text => $self->figure_text($_) } } @{ $figure->{values} };
        my $plot   = $self->plot_of_runs( $values[0]{unit}, \@values, height_cm => 3 );
        push @plots,
          {
            newest => $values[-1],
            title  => $values[-1]{what},
            plot   => $plot,
            runs   => [ map { $_->{run} } @values ]
          };
    }
    return $self->answer_with_figures(
        'machine',
        \@plots,
        machine  => $machine,
        list     => $list,
        facts    => \@facts,
        pictures => \@pictures,
        figures  => \@figures,
        odd      => [ odd_on( $self->reader, $slug ) ],
    );
}

# The key figures that most of the newest runs have, each with its values, oldest first.
sub _figures_of_runs ( $self, $slug ) {
    my @values;
    for my $run ( reverse $self->reader->runs( machine => $slug, limit => $FIGURE_RUNS ) ) {
        push @values, map { +{ run => $run->{id}, started => $run->{started}, %{$_} } }
          grep { defined $_->{value} } $self->reader->figures( $run->{id} );
    }
    my $name_of = sub ($value) { return join q{ }, $value->{what}, $value->{length} // () };
    my @most    = sort { @{$b} <=> @{$a} } grouped( $name_of, @values );
    splice @most, $FIGURES if @most > $FIGURES;
    return map { { name => $name_of->( $_->[0] ), values => $_ } } @most;
}

sub matrix ($self) {
    my @operations = $self->reader->common_operations;
    my %what       = map { $_ => $self->param($_) }
      grep { length( $self->param($_) // q{} ) } qw(operation variation pattern axis_key since);

    # The operation of the request, or the one that most machines have.
    my ( $operation, $variation ) = map { $what{$_} // q{} } qw(operation variation);
    my @like    = grep { $operation eq q{} || $_->{operation} eq $operation } @operations;
    my ($exact) = grep { $_->{variation} eq $variation } @like;
    my $chosen  = $exact // $like[0] // {};
    $what{$_} = $chosen->{$_} // $what{$_} for qw(operation variation);
    my $argument = $self->param('argument') // q{};
    if ( $argument !~ /\A[0-9]{1,12}\z/ ) {
        my ( $first, $last ) = map { $_ // $ARGUMENT } @{$chosen}{qw(first last)};
        $argument = int( $last < $ARGUMENT ? $last : $first > $ARGUMENT ? $first : $ARGUMENT );
    }
    my @rows =
      defined $what{operation} ? $self->reader->matrix( %what, argument => 0 + $argument ) : ();
    return $self->answer(
        'matrix',
        what       => { %what, argument => 0 + $argument },
        range      => [ @{$chosen}{qw(first last)} ],
        operations => \@operations,
        groups     => [
            map { { axis => $_->[0]{suite}{axis}, rows => $_ } }
              grouped( sub ($row) { return $row->{suite}{axis_key} }, @rows )
        ]
    );
}

# Uses texts from a file; the table of columns follows from the exported columns.
sub about ($self) {
    my $sections = decode_json( shipped_text('web/about.json') );
    $_->{rows} = [ map { [ @{$_}[ 1, 3 ] ] } columns() ] for grep { $_->{columns} } @{$sections};
    return $self->answer( 'about', definitions => $sections );
}

# Describes all pages and the upload as an OpenAPI 3.0 document.
sub describe ($self) {
    my $api = decode_json( shipped_text('web/openapi.json') );
    $api->{info}{version} = catalog()->{version};
    for my $page ( @{ $self->app->pages } ) {
        my ( $route, undef, $summary, @query ) = @{$page};
        my $path = $route =~ s/<(\w+):num>/{$1}/gr =~ s/[:#](\w+)/{$1}/gr;
        $path = '/overview' if $route eq q{/};
        my @parameters = map { _parameter( $_, 'path' ) } $path =~ /\{(\w+)\}/g;
        push @parameters, map { _parameter( $_, 'query' ) } @query;
        $api->{paths}{$path}{get} =
          { summary => $summary, parameters => \@parameters, responses => \%ANSWERS };
    }
    return $self->render( json => $api );
}

sub _parameter ( $name, $in ) {
    my $schema =
      $LISTS{$name} ? { type => 'array', items => { type => 'string' } } : { type => 'string' };
    return { name => $name, in => $in, required => $in eq 'path' ? \1 : \0, schema => $schema };
}

1;
