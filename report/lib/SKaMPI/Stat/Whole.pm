package SKaMPI::Stat::Whole;

# Launches that are slower or faster as a whole: a difference that most points of a launch share
# says nothing of a single point, but hides it.
use SKaMPI::Base;

use List::Util qw(sum0);

use SKaMPI::Stat::Estimate qw(median);
use SKaMPI::Stat::Verdicts qw(judge_family $ALPHA $MATTERS);

our @EXPORT_OK = qw(judge_launches);

# The share of the points that has to agree within the difference that matters, and the fewest points.
my ( $AGREEING, $FEWEST ) = ( 2 / 3, 8 );

# Rounds until the median of the agreeing points has settled.
my $ROUNDS = 10;

# Members that judge_family adds.
my @JUDGED = qw(log ratio low high t p verdict needed);

# Judges points of two sides (judge_family). If two thirds of at least eight points agree with each other, the launch as
# a whole is one more point of the family, whole of the test, and the others are judged relative to it: each has the
# member relative, a point. If the whole differs, the points do, too: then they are judged as they are. SETTINGS may
# have a threshold for the whole.
sub judge_launches ( $points, $settings = {} ) {
    $points = [ grep { !defined $_->{unjudged} } @{$points} ];
    my ( $whole, @relative ) = _divided( @{$points} );
    return judge_family( $points, $settings ) if !$whole;
    $whole->{threshold} = $settings->{threshold};
    my $test = judge_family( [ $whole, @relative ], $settings ) or return;
    if ( $whole->{p} > ( $settings->{alpha} // $ALPHA ) ) {
        for my $i ( 0 .. $#relative ) {
            my $of = $relative[$i];
            @{ $points->[$i] }{ 'relative', @JUDGED } = ( $of, @{$of}{@JUDGED} );
        }
        return { %{$test}, whole => $whole, is_relative => 1 };
    }
    return { %{ judge_family( $points, $settings ) }, whole => $whole };
}

# The launch as a whole and the points relative to it, as points; nothing if too few agree.
sub _divided (@points) {
    my @levels = map { _levels($_) } @points;
    my @agrees = _agreeing( map { $_->{new} - $_->{base} } @levels );
    return if @points < $FEWEST || ( grep { $_ } @agrees ) < $AGREEING * @points;
    my ( %whole, @relative );
    for my $side (qw(base new)) {
        for my $i ( 0 .. $#{ $points[0]{$side} } ) {
            my @values =
              map { _deviation( $points[$_]{$side}[$i], $levels[$_]{all} ) } 0 .. $#points;
            my @others = _common( \@values, \@agrees );
            push @{ $whole{$side} }, pop @others;
            push @{ $relative[$_]{$side} }, _deviation( $points[$_]{$side}[$i], $others[$_] )
              for 0 .. $#points;
        }
    }
    return ( \%whole, map { +{ %{ $points[$_] }, %{ $relative[$_] } } } 0 .. $#points );
}

sub _deviation ( $value, $level ) { return defined $value ? $value - $level : undef }

sub _levels ($point) {
    my ( $base, $new ) = map {
        [ grep { defined } @{$_} ]
    } @{$point}{qw(base new)};
    my %values = ( base => $base, new => $new, all => [ @{$base}, @{$new} ] );
    return { map { $_ => sum0( @{ $values{$_} } ) / ( @{ $values{$_} } || 1 ) } keys %values };
}

# The differences that agree with their median within the difference that matters.
sub _agreeing (@differences) {
    my ( $effect, $centre, @agrees ) = ( log( 1 + $MATTERS ), median(@differences) );
    for ( 1 .. $ROUNDS ) {
        @agrees = map { abs( $_ - $centre ) <= $effect ? 1 : 0 } @differences;
        my $next = median( map { $agrees[$_] ? $differences[$_] : () } 0 .. $#differences );
        last if $next == $centre;
        $centre = $next;
    }
    return @agrees;
}

# The median of the other agreeing values for each value of a launch, and that of all of them. A
# point's own value is excluded, so that points are treated alike whether they agree or not:
# otherwise 7 % instead of 5 % of the comparisons in which nothing differs would have a verdict.
sub _common ( $values, $agrees ) {
    my @order = sort { $values->[$a] <=> $values->[$b] }
      grep { $agrees->[$_] && defined $values->[$_] } 0 .. $#{$values};
    my @sorted = @{$values}[@order];
    my %place  = map { $order[$_] => $_ } 0 .. $#order;
    return map { _median_without( $place{$_} // scalar(@sorted), \@sorted ) } 0 .. @{$values};
}

# The median of sorted values without the one at this place; an index at the end excludes no value.
sub _median_without ( $place, $sorted ) {
    my $last = $#{$sorted} - ( $place < @{$sorted} );
    return 0 if $last < 0;
    my @middle =
      map { $sorted->[ $_ + ( $_ >= $place ) ] } int( $last / 2 ), int( ( $last + 1 ) / 2 );
    return sum0(@middle) / 2;
}

1;
