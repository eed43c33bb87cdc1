package SKaMPI::Database::Web::Controller::Runs;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Base::Units qw(varied_text);

use SKaMPI::Database::OddRuns    qw(odd_about);
use SKaMPI::Findings::HealthText qw(health_data);
use SKaMPI::Meaning::Subject     qw(default_of);

my $MAX_POINTS = 2000;

# As in the report, fewer points have no plot.
my $MIN_PLOTTED = 4;
my $PLOTTED     = qr/\A(?:published|outdated)\z/;

# The group of the key figures that are compared with other machines, and whether more is better.
my $GROUP   = 'point-to-point';
my %BEST    = ( latency => -1, 'peak bandwidth' => 1 );
my %ORDINAL = ( 1 => 'st', 2 => 'nd', 3 => 'rd' );

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
            grep { $run->{state} =~ $PLOTTED && $_->{points} >= $MIN_PLOTTED } @suites
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
        my $end    = ( $place % 100 ) =~ /\A1[123]\z/ ? 'th' : $ORDINAL{ $place % 10 } // 'th';
        push @places, @values
          ? "$what: $place$end of " . ( @values + 1 ) . ' comparable machines'
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

1;
