package SKaMPI::Database::Web::Controller::Runs;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;
use Mojo::Util qw(encode);

use SKaMPI::Base::Program      qw(catalog_path);
use SKaMPI::Base::TextFile     qw(locked_file shipped_path);
use SKaMPI::Base::Units        qw(varied_text);
use SKaMPI::Database::Fault    ();                             # pages have a method fault
use SKaMPI::Database::OddRuns  qw(odd_about);
use SKaMPI::Database::Settings qw($PUBLISHED);
use SKaMPI::Database::Web::JobQueue;
use SKaMPI::Export::Formats      qw(format_results);
use SKaMPI::Findings::HealthText qw(health_data);
use SKaMPI::Meaning::Subject     qw(default_of);

my $REPORT  = shipped_path(q{});
my $SECONDS = 60;

# The seconds between a fault and the next try.
my $PAUSE_S = 60;

my $MAX_POINTS = 2000;

# As in the report, fewer points have no plot.
my $MIN_PLOTTED = 4;

# The group of the key figures that are compared with other machines, and whether more is better.
my $GROUP = 'point-to-point';
my %BEST  = ( latency => -1, 'peak bandwidth' => 1 );

sub all ($self) {
    my %filter = $self->filters(qw(q since machine processes));
    my $list   = $self->page_of( sub (%part) { return $self->reader->runs( %filter, %part ) } );
    return $self->answer( 'runs', filter => \%filter, list => $list );
}

sub one ($self) {
    my $run      = $self->run_or_refuse // return;
    my $reader   = $self->reader;
    my $id       = $run->{id};
    my @suites   = $reader->suites($id);
    my @figures  = $reader->figures($id);
    my $findings = $reader->findings($id);
    return $self->answer(
        'run',
        run      => $run,
        warnings => [ $reader->warnings($id) ],
        figures  => \@figures,
        findings => $findings,
        health   => $findings->{health} ? health_data( $findings->{health}, {} ) : undef,
        places   => [ $self->_places( $run, grep { defined $_->{value} } @figures ) ],
        suites   => \@suites,
        plotted  => [
            map  { $_->{label} }
            grep { $run->{state} =~ $PUBLISHED && $_->{points} >= $MIN_PLOTTED } @suites
        ],
        facts => [ $reader->facts($id) ],
        odd   => odd_about( $reader, $run ),
    );
}

# The ranks of latency and bandwidth among the newest runs of other machines with equal numbers of processes and hosts.
sub _places ( $self, $run, @figures ) {
    my $reader = $self->reader;
    my @like   = grep {
        my $other = $_;
        $other
          && $other->{machine} ne $run->{machine}
          && !grep { ( $other->{$_} // 0 ) != ( $run->{$_} // 0 ) }
          qw(processes hosts)
    } map { $reader->newest_with_figures( $_->{id}, $GROUP ) } $reader->machines;
    my @others = grep { defined $_->{value} } map { $reader->figures( $_->{id} ) } @like;
    my @places;
    for my $figure ( grep { $_->{group} eq $GROUP && $BEST{ $_->{what} } } @figures ) {
        my ( $what, $value ) = @{$figure}{qw(what value)};
        my @values = map { $_->{value} } grep { $_->{what} eq $what } @others;
        my $place  = 1 + grep { $BEST{$what} * $_ > $BEST{$what} * $value } @values;
        push @places,
          @values
          ? "$what: place $place of " . ( @values + 1 ) . ' comparable machines'
          : "$what: no reference, since no other machine is comparable";
    }
    return @places;
}

sub suite ($self) {
    my $run   = $self->run_or_refuse // return;
    my $label = $self->param('label');
    my $suite = $self->reader->series( $run->{id}, $label )
      // return $self->refuse( 404, "run $run->{id} has no suite '$label'" );
    my @points = @{ $suite->{points} };
    my $left   = @points - $MAX_POINTS;
    splice @points, $MAX_POINTS if $left > 0;

    # The definition has the measured quantity, and attributes with unusual values.
    my %other = %{ $suite->{definition} };
    my @first = map { [ $_, delete $other{$_} ] } 'operation', 'pattern', 'time of', 'varied';
    $first[2][1] = $suite->{time_of} // $first[2][1];
    delete @other{ grep { $other{$_} eq default_of($_) } keys %other };
    $first[3][1] = varied_text( $first[3][1] // 'none' );
    my @definition = map { { name => varied_text( $_->[0] ), value => $_->[1] } } @first,
      map { [ $_, $other{$_} ] } sort keys %other;
    return $self->answer_with_figures(
        'suite',
        [ $self->figures_of( $self->chart( s => ["$run->{id}:$label"] ) ) ],
        run        => $run,
        suite      => { %{$suite}, points => \@points },
        definition => \@definition,
        left       => $left > 0 ? $left : 0
    );
}

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
      if $run->{state} !~ $PUBLISHED;
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
            command    => [ $^X,     "${REPORT}dorep.pl", "--format=$format", 'skampi.out' ],
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
