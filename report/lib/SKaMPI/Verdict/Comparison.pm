package SKaMPI::Verdict::Comparison;

# The comparison of two lists of launches.
use SKaMPI::Base;

use List::Util qw(any first min sum0 uniq);

use SKaMPI::Base::Units       qw(counted);
use SKaMPI::Meaning::Likeness qw(unlike_suites);
use SKaMPI::Stat::Estimate    qw(estimate geometric_mean $ALPHA $MATTERS);
use SKaMPI::Stat::MaxT        qw(smallest_p);
use SKaMPI::Verdict::Family
  qw(deciding is_different judge_family judge_launches overall_of verdict_counts verdicts);
use SKaMPI::Verdict::Order  qw(order_warnings);
use SKaMPI::Verdict::Points qw(partners points_of);
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
        warnings    =>
          [ _remarks_about_files( @{$base}, @{$new} ), _remarks_about_points( @{$points} ) ],
        suites => [],
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
    my @alike  = map {
        [ map { _without( $_, keys %seen ) } @{$_} ]
    } $base, $new;
    my $self = $class->new( @alike, %settings );
    $self->{unlike} = @unlike;
    $self->_leave_out( map { $_->[1] } @unlike );
    return $self;
}

sub _without ( $launch, @labels ) {
    my %suites = %{ $launch->{suites} };
    delete @suites{@labels};
    return { %{$launch}, suites => \%suites };
}

# Points (SKaMPI::Verdict::Points) with their estimates and verdicts, in the order of the suites.
sub points ($self) { return @{ $self->{points} } }

# A hash for each suite of label, points (their number), mean (the geometric mean of the ratios, see
# SKaMPI::Stat::Estimate), worst (the point with the largest ratio) and counts (by verdict).
sub suites ($self) { return @{ $self->{suites} } }

# differences are those of the headers, counts the numbers of points by verdict, test that of
# SKaMPI::Stat::MaxT, whole the launch as a whole (SKaMPI::Verdict::Family) or undef.
sub differences ($self)          { return @{ $self->{differences} } }
sub warnings    ($self)          { return @{ $self->{warnings} } }
sub setting     ( $self, $name ) { return $self->{settings}{$name} }
sub launches    ( $self, $side ) { return scalar @{ $self->{sides}{$side} } }
sub counts      ($self)          { return verdict_counts( $self->points ) }
sub test        ($self)          { return $self->{test} }
sub whole       ($self)          { return ( $self->test // {} )->{whole} }
sub overall     ($self)          { return $self->{overall} }                 # with has_overall
sub is_duet     ($self)          { return $self->{is_duet} }                 # both sides took turns
sub is_relative ($self)          { return ( $self->test // {} )->{is_relative} ? 1 : 0 }
sub left_out    ($self)          { return $self->{left_out} }
sub unlike      ($self)          { return $self->{unlike} // 0 }    # number of omitted suites

# Why there are no points.
sub why_nothing ($self) {
    my $is_few = grep { $_->{few} } map { @{$_} } values %{ $self->{sides} };
    return join '; ',
      'no suite and argument in common'
      . ( $is_few ? ' with enough repetitions on both sides' : q{} ),
      $self->warnings;
}

sub has_verdicts ($self) { return !defined $self->why_no_verdicts }

# Too few launches (the smallest p that they can reach is larger than alpha), a side of a single
# launch, or the setting obstacle; undef if there are verdicts.
sub why_no_verdicts ($self) {
    my $obstacle = $self->setting('obstacle') // $self->_why_none_judged;
    return $obstacle if defined $obstacle;
    my @counts   = map { $self->launches($_) } qw(base new);
    my $smallest = smallest_p( $self->is_duet ? 0 : $counts[0], $counts[1] );
    return if min(@counts) > 1 && $smallest <= $self->setting('alpha');
    return
        _single(@counts)
      . 'at least '
      . $self->fewest_launches
      . ' launches a side are needed for verdicts';
}

# The first reason, if no point is judged.
sub _why_none_judged ($self) {
    my @points = $self->points;
    return if !@points || any { !defined $_->{unjudged} } @points;
    return $points[0]{unjudged};
}

# Whether a side has a single launch, which does not show how times differ between launches.
sub _single ( $base, $new ) {
    return q{} if $base > 1 && $new > 1;
    return ( $base > 1 ? 'NEW is' : $new > 1 ? 'BASE is' : 'each side is' ) . ' a single launch; ';
}

# The fewest launches a side that are enough.
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
    my %points_of;
    push @{ $points_of{ $_->{label} } }, $_ for $self->points;
    my @suites;
    for my $label ( uniq map { $_->{label} } $self->points ) {
        my @points = @{ $points_of{$label} };
        my ($worst) = sort { $b->{log} <=> $a->{log} } @points;
        push @suites,
          {
            label  => $label,
            points => scalar @points,
            mean   => geometric_mean(@points),
            worst  => $worst,
            counts => verdict_counts(@points),
          };
    }
    return @suites;
}

sub _remarks_about_files (@launches) {
    my @resumed = map { $_->{name} } grep { $_->{resumed} } @launches;
    my ( $few, $unusable ) = map {
        my $kind = $_;
        sum0( map { $_->{$kind} // 0 } @launches )
    } qw(few unusable);
    return (
        ( map { defined $_->{some} ? "$_->{name}: $_->{some}" : () } @launches ),
        @resumed  ? "interrupted and resumed, so not one launch: @resumed"   : (),
        $few      ? "$few rows have too few repetitions, and are left out"   : (),
        $unusable ? "$unusable rows have no value above 0, and are left out" : ()
    );
}

sub _remarks_about_points (@points) {
    my %count;
    $count{$_}++ for map { $_->{unjudged} // () } @points;
    return if sum0( values %count ) == @points;
    return map { counted( $count{$_}, 'point' ) . " without a verdict: $_" } sort keys %count;
}

sub _leave_out ( $self, @reasons ) {
    my @more = splice @reasons, min( $MAX_REASONS, scalar @reasons );
    push @reasons, counted( scalar @more, 'more suite' ) . ' with other differences' if @more;
    push @{ $self->{warnings} }, map { "left out: $_" } @reasons;
    return;
}

# The COUNT largest differences: those with a verdict first.
sub largest ( $self, $count ) {
    my @ranked = sort {
             is_different( $b->{verdict} ) <=> is_different( $a->{verdict} )
          || abs deciding($b)->{log} <=> abs deciding($a)->{log}
          || $a->{label} cmp $b->{label}
    } $self->points;
    splice @ranked, $count if @ranked > $count;
    return @ranked;
}

# In the order of the verdicts; the largest ratio first.
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
