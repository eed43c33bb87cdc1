package SKaMPI::Verdict::Comparison;

# The comparison of two lists of launches.
# points (SKaMPI::Verdict::Points) have their estimates and verdicts, in the order of the suites. suites has a hash
# for each of label, points (their number), mean (the geometric mean of the ratios, see SKaMPI::Stat::Estimate), worst
# (the point with the largest ratio) and counts (by verdict).
use SKaMPI::Base qw(is_duet left_out overall test unlike @points @suites @differences @warnings);

use List::Util qw(all first min sum0);

use SKaMPI::Base::Units            qw(counted some_of);
use SKaMPI::Meaning::Likeness      qw(unlike_suites);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Stat::Estimate         qw(estimate geometric_mean $ALPHA $MATTERS);
use SKaMPI::Stat::MaxT             qw(smallest_p);
use SKaMPI::Verdict::Family
  qw(deciding is_different judge_family judge_launches overall_of verdict_counts verdicts);
use SKaMPI::Verdict::Order  qw(order_warnings);
use SKaMPI::Verdict::Points qw(partners points_of without_suites);
use SKaMPI::Verdict::Thresholds;

# The most omitted suites whose reasons are listed.
my $MAX_REASONS = 3;

# Compares two lists of launches (SKaMPI::Verdict::Launch). SETTINGS may have another alpha, value (its
# name), names (of the sides) and thresholds (SKaMPI::Verdict::Thresholds), obstacle: why there are no verdicts,
# is_selected: the points were chosen by their differences, so they say nothing of the launch as a whole, and
# has_overall: the mean over all points is judged together with them, instead of the launch as a whole.
sub new ( $class, $base, $new, %settings ) {
    my @partners = partners( $base, $new );
    $new = \@partners if @partners;
    my ( $points, $left_out ) = points_of( $base, $new, scalar @partners );
    my $self = bless {
        settings => {
            alpha      => $ALPHA,
            value      => 'time',
            thresholds => SKaMPI::Verdict::Thresholds->new($MATTERS),
            %settings
        },
        sides       => { base => $base, new => $new },
        is_duet     => @partners ? 1 : 0,
        points      => $points,
        left_out    => $left_out,
        differences => [ SKaMPI::Meaning::Likeness::differences( $base, $new ) ],
        warnings    => [ _remarks( $points, @{$base}, @{$new} ) ],
        suites      => [],
    }, $class;
    return $self if !@{$points};
    $self->_estimate;
    $self->_judge if $self->has_verdicts;
    $self->{suites} = [ $self->_suites ];
    my $is_series = min( map { $self->launches($_) } qw(base new) ) > 1;
    unshift @{ $self->{warnings} }, order_warnings( $points, $base, $new )
      if $is_series && !$self->is_duet;
    return $self;
}

# Compares the suites that are alike in all launches; warns about the other suites.
sub of_alike ( $class, $base, $new, %settings ) {
    my %seen;
    my @unlike = grep { !$seen{ $_->[0] }++ } unlike_suites( @{$base}, @{$new} );
    my @alike  = map  { [ without_suites( [ keys %seen ], @{$_} ) ] } $base, $new;
    my $self   = $class->new( @alike, %settings );
    $self->{unlike} = @unlike;
    push @{ $self->{warnings} },
      map { "left out: $_" }
      some_of( $MAX_REASONS, 'suites with other differences: %d more', map { $_->[1] } @unlike );
    return $self;
}

# differences are those of the headers, counts the numbers of points by verdict, test that of SKaMPI::Stat::MaxT, whole
# the launch as a whole (SKaMPI::Verdict::Family) or undef, overall the mean over all points (with has_overall). In a
# duet, both sides took turns. unlike is the number of suites that of_alike omits.
sub setting     ( $self, $name ) { return $self->{settings}{$name} }
sub launches    ( $self, $side ) { return scalar @{ $self->{sides}{$side} } }
sub counts      ($self)          { return verdict_counts( $self->points ) }
sub whole       ($self)          { return ( $self->test // {} )->{whole} }
sub is_relative ($self)          { return ( $self->test // {} )->{is_relative} ? 1 : 0 }

# The reason why there are no points.
sub why_nothing ($self) {
    my $is_few = grep { $_->{few} } map { @{$_} } values %{ $self->{sides} };
    return join '; ',
      'no suite and argument in common'
      . ( $is_few ? ' with enough repetitions on both sides' : q{} ),
      $self->warnings;
}

sub has_verdicts ($self) { return !defined $self->why_no_verdicts }

# The reason why there are no verdicts, or undef: too few launches (the smallest p that they can reach is larger than
# alpha), a side of a single launch, or the setting obstacle.
sub why_no_verdicts ($self) {
    my $obstacle = $self->setting('obstacle');
    return $obstacle if defined $obstacle;
    my @points = $self->points;
    return $points[0]{unjudged} if @points && all { defined $_->{unjudged} } @points;
    my ( $base, $new ) = map { $self->launches($_) } qw(base new);
    my $has_series = min( $base, $new ) > 1;
    return
      if $has_series && smallest_p( $self->is_duet ? 0 : $base, $new ) <= $self->setting('alpha');
    my $needed = 'at least ' . $self->fewest_launches . ' launches a side are needed for verdicts';
    return $needed                            if $has_series;
    return "NEW is a single launch; $needed"  if $base > 1;
    return "BASE is a single launch; $needed" if $new > 1;
    return "each side is a single launch; $needed";
}

sub fewest_launches ($self) {
    return SKaMPI::Verdict::Family::fewest_launches( $self->is_duet, $self->setting('alpha') );
}

sub _estimate ($self) {
    my @points = $self->points;
    if ( $self->setting('has_overall') ) {
        @points = $self->{points}->@* = grep { !$_->{part} } @points;
        my $why = first { defined } map { $_->{unjudged} } @points;
        $self->{overall} = { %{ overall_of(@points) }, unjudged => $why };
    }
    for my $point ( @points, $self->overall // () ) {
        for my $number ( $point, $point->{mean} // () ) {
            my $found = estimate( @{$number}{qw(base new pairs)} );
            @{$number}{ keys %{$found} } = values %{$found};
            $number->{threshold} = $self->setting('thresholds')
              ->of( map { $_ // q{} } @{$point}{qw(label argument)}, $number->{base_value} );
        }
    }
    return;
}

sub _judge ($self) {
    my ( $points, $overall ) = @{$self}{qw(points overall)};
    my %with =
      ( alpha => $self->setting('alpha'), threshold => $self->setting('thresholds')->for_all );
    my $is_apart = $overall || $self->is_duet || $self->setting('is_selected');
    $self->{test} =
      $is_apart
      ? judge_family( [ @{$points}, $overall // () ], \%with )
      : judge_launches( $points, \%with );
    return;
}

sub _suites ($self) {
    return map {
        my @points = @{$_};
        my ($worst) = sort { $b->{log} <=> $a->{log} } @points;
        {
            label  => $worst->{label},
            points => scalar @points,
            mean   => geometric_mean(@points),
            worst  => $worst,
            counts => verdict_counts(@points),
        }
    } grouped( sub ($point) { return $point->{label} }, $self->points );
}

# Remarks about the files, and about points without a verdict unless none has one.
sub _remarks ( $points, @launches ) {
    my @resumed  = map { $_->{name} } grep { $_->{resumed} } @launches;
    my $few      = sum0( map { $_->{few}      // 0 } @launches );
    my $unusable = sum0( map { $_->{unusable} // 0 } @launches );
    my %count;
    $count{$_}++ for map { $_->{unjudged} // () } @{$points};
    %count = () if sum0( values %count ) == @{$points};
    my $without = grep { $_->{without} && !defined $_->{unjudged} && !$_->{part} } @{$points};
    return (
        ( map { defined $_->{some} ? "$_->{name}: $_->{some}" : () } @launches ),
        @resumed  ? "interrupted and resumed, so not one launch: @resumed" : (),
        $few      ? counted( $few,      'row' ) . ' left out: too few repetitions' : (),
        $unusable ? counted( $unusable, 'row' ) . ' left out: no value above 0'    : (),
        $without
        ? counted( $without, 'point' ) . ' without their launches of fewer than five visits'
        : (),
        map { counted( $count{$_}, 'point' ) . " without a verdict: $_" } sort keys %count
    );
}

# The COUNT largest differences: those with a verdict first.
sub largest ( $self, $count ) {
    my @ranked = sort {
             is_different( $b->{verdict} ) <=> is_different( $a->{verdict} )
          || abs deciding($b)->{log} <=> abs deciding($a)->{log}
          || $a->{label} cmp $b->{label}
    } $self->points;
    splice @ranked, $count;
    return @ranked;
}

# The points in the order of their verdicts, the largest ratio first.
sub ranked ($self) {
    my $i      = 0;
    my %rank   = map { $_ => $i++ } verdicts();
    my @ranked = sort {
             $rank{ $a->{verdict} // 'undecided' } <=> $rank{ $b->{verdict} // 'undecided' }
          || deciding($b)->{log} <=> deciding($a)->{log}
          || $a->{label} cmp $b->{label}
    } $self->points;
    return @ranked;
}

1;
