package SKaMPI::Document::DistributionView;

# The distributions of a suite as the report shows them, at one argument: histograms of the repetitions and of all
# processes together, a map of the processes, and a table of mean and percentiles.
use v5.36;

use List::Util qw(any);

use SKaMPI::Base::Units qw(format_argument format_percent format_time with_mu);
use SKaMPI::Figure::HeatMap;
use SKaMPI::Figure::Histogram;
use SKaMPI::Meaning::Points qw(spread);
use SKaMPI::Safe::Escape    qw(tex);
use SKaMPI::Stat::Disturbance;

# Rows of the table of processes that fit below the plots.
my $MAX_PROCESSES = 16;

my @PERCENTILES = ( 5, 25, 50, 75, 95, 99 );

# With fewer, the slow one is hardly ever another one than the other.
my $FEWEST_PROCESSES = 3;

my $WIDTH_CM = 16.1;

# Nothing if the suite has kept no times.
sub new ( $class, $suite, $name, %style ) {
    my $times = $suite->kept_times or return;
    my $self  = bless { suite => $suite, name => $name, times => $times, style => \%style }, $class;
    $self->{shown} = [ map { $self->_show($_) } $self->_argument ];
    return $self;
}

sub plots ($self) {
    return map { @{ $_->{plots} } } @{ $self->{shown} };
}

# The last one with several modes, or the last one with repetitions.
sub _argument ($self) {
    my $times = $self->{times};
    my @known = grep { $times->distribution($_)->count > 0 } $times->arguments;
    my @modal = grep { $self->{suite}->is_bimodal( { argument => $_ } ) } @known;
    return ( @known, @modal )[-1] // ();
}

sub _show ( $self, $argument ) {
    my $times     = $self->{times};
    my @processes = $times->processes($argument);
    my @modes     = $self->{suite}->modes( { argument => $argument } );
    my $number    = ++$self->{count};
    my %style     = ( mono => $self->{style}{mono} );
    my $at        = $self->_at($argument);
    my @plots     = SKaMPI::Figure::Histogram->new(
        "$self->{name}-times$number",
        $times->distribution($argument),
        modes   => @modes > 1 ? \@modes : [],
        y_title => tex( "Repetitions$at", 60 ),
        %style
    );
    push @plots,
      SKaMPI::Figure::Histogram->new(
        "$self->{name}-all$number", $times->together($argument),
        y_title => tex( "All processes together$at", 60 ),
        %style
      ) if @processes;
    my $map = $self->_map( $argument, $number, @processes );
    return {
        plots => [ @plots, $map // () ],
        pair  => [ map { $_->name } @plots ],
        map   => $map ? $map->name : q{},
        rows  => [ map { $self->_row( $argument, $_ ) } -1, spread( $MAX_PROCESSES, @processes ) ],
        modes => \@modes,
        at    => $at,
        omits => @processes > $MAX_PROCESSES ? scalar @processes : 0,
    };
}

sub _map ( $self, $argument, $number, @processes ) {
    return if @processes < 2;
    my @each = map { [ $_, $self->{times}->distribution( $argument, $_ ) ] } @processes;
    my $rows = @processes < 40 ? @processes : 40;
    return SKaMPI::Figure::HeatMap->new(
        "$self->{name}-map$number", \@each,
        width_cm  => $WIDTH_CM,
        height_cm => 2.6 + 0.12 * $rows,
        mono      => $self->{style}{mono},
    );
}

sub _at ( $self, $argument ) {
    my $column = $self->{suite}{arguments}[0] or return q{};
    return ' at ' . format_argument( $argument, $column );
}

sub _row ( $self, $argument, $process ) {
    my $of = $self->{times}->distribution( $argument, $process );
    my @us = ( scalar $of->mean, map { scalar $of->percentile($_) } @PERCENTILES );
    return {
        process => $process < 0 ? 'repetition' : $process,
        count   => $of->count,
        late    => $of->late,
        times   => [ map { with_mu( format_time($_) ) } @us ],
    };
}

# For the template: a list of hashes of pair and map (names of plots), rows; and the percentiles.
sub data ($self) {
    return {
        titles => [ 'Mean', map { $_ == 50 ? 'Median' : "$_ %" } @PERCENTILES ],
        shown  => [
            map {
                { %{$_}{qw(pair map rows)} }
            } @{ $self->{shown} }
        ],
    };
}

# Sentences.
sub notes ($self) {
    my @notes = map { "Times are missing: $_." } $self->{times}->problems;
    push @notes, 'In the map, the darkest cell of a row has most repetitions of the process.'
      if any { $_->{map} ne q{} } @{ $self->{shown} };
    push @notes, map { $self->_notes_at($_) } @{ $self->{shown} };
    return ( @notes, $self->_disturbances );
}

sub _notes_at ( $self, $shown ) {
    my @modes = map { with_mu( format_time($_) ) } @{ $shown->{modes} };
    my @notes;
    push @notes,
      'The repetitions' . $shown->{at} . ' have modes at ' . join( ' and ', @modes ) . q{.}
      if @modes > 1;
    push @notes, "The table shows $MAX_PROCESSES of $shown->{omits} processes."
      if $shown->{omits};
    return @notes;
}

# What the slow repetitions show, also if it is not a finding.
sub _disturbances ($self) {
    my @notes;
    for my $tally ( SKaMPI::Stat::Disturbance->tallies( $self->{times} ) ) {
        my $disturbed = $tally->disturbed;
        next if !$disturbed || $tally->processes < $FEWEST_PROCESSES;
        my ($most) =
          sort { $tally->late_in($b) <=> $tally->late_in($a) || $a <=> $b } $tally->processes;
        my $text = "Of $disturbed slow repetitions, process $most is late in "
          . format_percent( $tally->late_in($most) / $disturbed );
        $text .=
          ', and all processes are equally late in '
          . format_percent( $tally->all_late / $disturbed )
          if $tally->all_late;
        push @notes, "$text.";
    }
    return @notes;
}

1;
