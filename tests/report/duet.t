# Pairs of launches that took turns: how often equal sides get a verdict, and how much sooner a slower side does than
# without turns, beside noise of the kinds that machines have.
use v5.36;

use Test::More;
use SKaMPI::Compare::Duet         qw(add_pairs partners);
use SKaMPI::Compare::CommonPoints qw(points_of);
use SKaMPI::Generated             qw(normal random_from);
use SKaMPI::Stat::Verdicts        qw(judge_family);

my ( $VISITS, $POINTS, $LAUNCHES ) = ( 10, 6, 6 );
my $random = random_from(11);

# The factors of the times of visits that follow each other, of a machine with two speeds, that drifts from launch to
# launch, and of which a visit in ten is disturbed; each visit of a duet has the state of its moment.
sub machine () {
    my ( $drift, $fast ) = ( exp( 0.1 * normal($random) ), $random->() < 0.5 );
    return map {
        $fast = !$fast if $random->() < 0.05;
        $drift * ( $fast ? 1 : 1.4 );
    } 1 .. $VISITS * $POINTS;
}

sub visit ( $state, $factor ) {
    my $hit = $random->() < 0.1 ? 1 + 3 * $random->() : 1;
    return 10 * $factor * $state * $hit * exp( 0.03 * normal($random) );
}

sub mean (@values) {
    my $sum = 0;
    $sum += $_ for @values;
    return $sum / @values;
}

sub launch ( $id, $factor, @states ) {
    my ( %values, %visits );
    for my $point ( 1 .. $POINTS ) {
        my @times = map { visit( $_, $factor ) } splice @states, 0, $VISITS;
        $visits{$point} = [ map { sprintf '%.6f', $_ } @times ];
        $values{$point} = mean(@times);
    }
    return { duet => $id, suites => { A => { values => \%values, visits => \%visits } } };
}

# Two sides: pairs of launches in the same states, or each launch in its own.
sub sides ( $is_duet, $factor ) {
    my ( @base, @new );
    for my $number ( 1 .. $LAUNCHES ) {
        my @states = machine();
        push @base, launch( $number, 1, @states );
        unshift @new, launch( $number, $factor, $is_duet ? @states : machine() );
    }
    return ( \@base, \@new );
}

# The verdicts of the points.
sub verdicts_of ( $is_duet, $factor ) {
    my ( $base, $new ) = sides( $is_duet, $factor );
    my @partners = $is_duet ? partners( $base, $new ) : @{$new};
    my ($points) = points_of( $base, \@partners );
    add_pairs( $points, $base, \@partners ) if $is_duet;
    judge_family($points);
    return map { $_->{verdict} } @{$points};
}

# The number of sets, of COUNT, with such a verdict.
sub sets_with ( $verdict, $count, @of ) {
    return scalar grep {
        grep { /$verdict/ }
          verdicts_of(@of)
    } 1 .. $count;
}

my ( $SETS, $SLOWER ) = ( $ENV{SKAMPI_LONG} ? 2000 : 60, 50 );
my $false = sets_with( qr/er\z/, $SETS, 1, 1 );
cmp_ok $false, '<=', 0.05 * $SETS + 2 * sqrt( 0.05 * 0.95 * $SETS ),
  "equal sides: $false of $SETS sets have a verdict";
my ( $with, $without ) = map { sets_with( qr/slower/, $SLOWER, $_, 1.2 ) } 1, 0;
cmp_ok $with,    '>=', 0.9 * $SLOWER, "20 % slower: found by $with of $SLOWER duets";
cmp_ok $without, '<',  $with / 2,     "and by $without of $SLOWER sets of launches in turn";

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
        'the median over the visits' => [ [qw(1 2 3)],   [qw(2 4 300)], log 2 ],
        'visits that both have'      => [ [qw(1 2 nan)], [qw(3 6 9)],   log 3 ],
        'without visits, the values' => [ undef,         undef,         log 5 ],
        'not of 0'                   => [ [qw(0 0)],     [qw(1 1)],     log 5 ],
    );
    for my $what ( sort keys %case ) {
        my ( $base, $new, $log ) = @{ $case{$what} };
        my @launches = map {
            {
                suites => {
                    A =>
                      { values => { 8 => $_->[1] }, $_->[0] ? ( visits => { 8 => $_->[0] } ) : () }
                }
            }
        } [ $base, 1 ], [ $new, 5 ];
        my ($points) = points_of( map { [$_] } @launches );
        add_pairs( $points, map { [$_] } @launches );
        is sprintf( '%.6f', $points->[0]{pairs}[0] ), sprintf( '%.6f', $log ), $what;
    }
};

done_testing;
