# Pairs of launches that took turns: how often equal sides get a verdict, and how much sooner a slower side does than
# without turns, beside noise of the kinds that machines have.
use v5.36;

use Test::More;
use SKaMPI::Generated       qw(normal random_from);
use SKaMPI::Verdict::Family qw(judge_family);
use SKaMPI::Verdict::Points qw(partners points_of);

my ( $VISITS, $POINTS, $LAUNCHES ) = ( 10, 6, 8 );
my $random = random_from(11);

# The factors of the times of visits that follow each other, of a machine with two speeds, that drifts from launch to
# launch, and of which a visit in twenty is disturbed; each visit of a duet has the state of its moment.
sub machine () {
    my ( $drift, $fast ) = ( exp( 0.1 * normal($random) ), $random->() < 0.5 );
    return map {
        $fast = !$fast if $random->() < 0.05;
        $drift * ( $fast ? 1 : 1.4 ) * ( $random->() < 0.05 ? 1.5 : 1 );
    } 1 .. $VISITS * $POINTS;
}

sub mean (@values) {
    my $sum = 0;
    $sum += $_ for @values;
    return $sum / @values;
}

# The time leaves out a quarter of the visits at each end, the mean none. A visit in SLOW takes half as long again.
sub launch ( $id, $factor, $slow, @states ) {
    my %suite;
    for my $point ( 1 .. $POINTS ) {
        my @times =
          sort { $a <=> $b }
          map {
            10 * $factor * $_ * exp( 0.03 * normal($random) ) * ( $random->() < $slow ? 1.5 : 1 )
          } splice @states, 0, $VISITS;
        $suite{means}{$point}  = mean(@times);
        $suite{values}{$point} = mean( @times[ 2 .. $VISITS - 3 ] );
        $suite{visits}{$point} = [ map { sprintf '%.6f', $_ } @times ];
    }
    return { duet => $id, suites => { A => \%suite } };
}

# Two sides: pairs of launches in the same states, or each launch in its own.
sub sides ( $is_duet, $factor, @slow ) {
    my ( @base, @new );
    for my $number ( 1 .. $LAUNCHES ) {
        my @states = machine();
        push @base, launch( $number, 1, $slow[0], @states );
        unshift @new, launch( $number, $factor, $slow[1], $is_duet ? @states : machine() );
    }
    return ( \@base, \@new );
}

# The verdicts of the points, with a threshold of 2 %.
sub verdicts_of ( $is_duet, $factor, @slow ) {
    my ( $base, $new ) = sides( $is_duet, $factor, @slow ? @slow : ( 0, 0 ) );
    my @partners = $is_duet ? partners( $base, $new ) : @{$new};
    my ($points) = points_of( $base, \@partners, $is_duet );
    $_->{threshold} = 0.02 for map { ( $_, $_->{mean} ) } @{$points};
    judge_family($points);
    return map { $_->{verdict} } @{$points};
}

my ( $SETS, $SLOWER ) = ( $ENV{SKAMPI_LONG} ? 2000 : 60, 50 );

# The share of the points with such a verdict, in this many sets.
sub share ( $verdict, @of ) {
    my @found = map { verdicts_of(@of) } 1 .. $SLOWER;
    return ( grep { /\A(?:$verdict)\z/ } @found ) / @found;
}

my $false = grep {
    grep { /er\z|mixed/ }
      verdicts_of( 1, 1 )
} 1 .. $SETS;
cmp_ok $false, '<=', 0.05 * $SETS + 2 * sqrt( 0.05 * 0.95 * $SETS ),
  "equal sides: $false of $SETS sets have a verdict";
my ( $with, $without ) = map { share( 'slower', $_, 1.1 ) } 1, 0;
cmp_ok $with,    '>=', 0.9,       "10 % slower: $with of the points of duets";
cmp_ok $without, '<',  $with / 2, "and $without of launches in turn";
is share( 'equal', 1, 1, 0.02, 0.22 ), 0, 'more slow visits are never equal';

subtest 'partners' => sub {
    my @base = map { { duet => $_ } } qw(a b c);
    my @new  = map { { duet => $_ } } qw(c a b);
    is join( q{ }, map { $_->{duet} } partners( \@base, \@new ) ), 'a b c', 'in the same order';
    my %none = (
        'one is missing'  => [ @new[ 0, 1 ] ],
        'of another duet' => [ @new[ 0, 1 ], { duet => 'd' } ],
        'no duet'         => [ @new[ 0, 1 ], {} ]
    );
    for my $what ( sort keys %none ) {
        my @found = partners( \@base, $none{$what} );
        is @found, 0, $what;
    }
};

subtest 'values' => sub {
    my %case = (
        'those of the rows'           => [ [qw(1 2 3)],   [qw(2 4 300)], log 5 ],
        'not of visits of one side'   => [ [qw(1 2 nan)], [qw(3 6 9)],   undef ],
        'nor of more visits'          => [ [qw(1 2)],     [qw(3 6 9)],   undef ],
        'without visits, of the rows' => [ undef,         undef,         log 5 ],
    );
    for my $what ( sort keys %case ) {
        my ( $base, $new, $log ) = @{ $case{$what} };
        my @launches =
          map { { suites => { A => { values => { 8 => $_->[1] }, visits => { 8 => $_->[0] } } } } }
          [ $base, 1 ], [ $new, 5 ];
        my ($points) = points_of( ( map { [$_] } @launches ), 1 );
        is $points->[0] && sprintf( '%.6f', $points->[0]{pairs}[0] ),
          $log && sprintf( '%.6f', $log ), $what;
    }
};

done_testing;
