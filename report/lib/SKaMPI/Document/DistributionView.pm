package SKaMPI::Document::DistributionView;

# The distributions of a suite as the report shows them, at one argument: histograms of the repetitions and of all
# processes together, a map of the processes, and a table of mean and percentiles.
use SKaMPI::Base;

use List::Util qw(min);

use SKaMPI::Base::Units            qw(format_argument format_time with_mu);
use SKaMPI::Figure::Boxes          qw(heat_map histogram);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Safe::Escape           qw(tex);
use SKaMPI::Stat::Disturbance;

my $MAX_PROCESSES = 16;

my @PERCENTILES = ( 5, 25, 50, 75, 95, 99 );

# The fewest processes among which a cause is shown.
my $FEWEST_PROCESSES = 3;

my $WIDTH_CM = 16.1;

# Returns undef if the suite has kept no times.
sub new ( $class, $suite, $name ) {
    my $times = $suite->kept_times or return;
    my $self  = bless { suite => $suite, name => $name, times => $times }, $class;

    # The last argument with several modes, or else with repetitions.
    my @known = grep { $times->distribution($_)->count > 0 } $times->arguments;
    my @modal = grep { $suite->is_bimodal( { argument => $_ } ) } @known;
    $self->{argument} = ( @known, @modal )[-1];
    $self->_draw if defined $self->{argument};
    return $self;
}

sub plots ($self) {
    return ( @{ $self->{pair} // [] }, $self->{map} // () );
}

sub _draw ($self) {
    my ( $times, $argument, $name ) = @{$self}{qw(times argument name)};
    my @processes = $times->processes($argument);
    my @modes     = $self->{suite}->modes( { argument => $argument } );
    @{$self}{qw(processes modes)} = ( \@processes, @modes > 1 ? \@modes : [] );
    my @drawn =
      [ 'Repetitions', "$name-times1", $times->distribution($argument), $self->{modes} ];
    push @drawn, [ 'All processes together', "$name-all1", $times->together($argument), [] ]
      if @processes;
    $self->{pair} = [
        map {
            my ( $title, @shown ) = @{$_};
            histogram( @shown, y_title => tex( $title . $self->_at, 60 ) )
        } @drawn
    ];
    return if @processes < 2;
    $self->{map} = heat_map(
        "$name-map1", [ map { [ $_, $times->distribution( $argument, $_ ) ] } @processes ],
        width_cm  => $WIDTH_CM,
        height_cm => 2.6 + 0.12 * min( 40, scalar @processes )
    );
    return;
}

sub _at ($self) {
    my $column = $self->{suite}->arguments->[0] or return q{};
    return ' at ' . format_argument( $self->{argument}, $column );
}

# Data for the template: pair and map (plots), rows and their titles; without rows if there is no argument.
sub data ($self) {
    return { pair => [] } if !$self->{pair};
    my @rows;
    for my $process ( -1, spread( $MAX_PROCESSES, @{ $self->{processes} } ) ) {
        my $of = $self->{times}->distribution( $self->{argument}, $process );
        my @us = ( scalar $of->mean, map { scalar $of->percentile($_) } @PERCENTILES );
        push @rows,
          {
            process => $process < 0 ? 'repetition' : $process,
            count   => $of->count,
            late    => $of->late,
            times   => [ map { with_mu( format_time($_) ) } @us ],
          };
    }
    return {
        titles => [ 'Mean', map { $_ == 50 ? 'Median' : "$_ %" } @PERCENTILES ],
        pair   => $self->{pair},
        map    => $self->{map} // q{},
        rows   => \@rows,
    };
}

sub notes ($self) {
    my @notes = map { "Times are missing: $_." } $self->{times}->problems;
    push @notes, 'In the map, the darkest cell of a row has most repetitions of the process.'
      if $self->{map};
    my @modes = map { with_mu( format_time($_) ) } @{ $self->{modes} // [] };
    push @notes,
      'The repetitions' . $self->_at . ' have modes at ' . join( ' and ', @modes ) . q{.}
      if @modes;
    my $count = @{ $self->{processes} // [] };
    push @notes, "The table shows $MAX_PROCESSES of $count processes." if $count > $MAX_PROCESSES;

    # Slow repetitions have a note, also if they are not a finding.
    for my $tally ( SKaMPI::Stat::Disturbance->tallies( $self->{times} ) ) {
        my $disturbed = $tally->disturbed;
        next if !$disturbed || $tally->processes < $FEWEST_PROCESSES;
        my ($most) =
          sort { $tally->late_in($b) <=> $tally->late_in($a) || $a <=> $b } $tally->processes;
        my @parts = "process $most late in " . $tally->late_in($most);
        unshift @parts, 'all processes equally late in ' . $tally->all_late if $tally->all_late;
        push @notes, "Spikes, $disturbed slow repetitions: " . join( ', ', @parts ) . q{.};
    }
    return @notes;
}

1;
