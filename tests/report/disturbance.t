# Which process causes the slow repetitions (SKaMPI::Stat::Disturbance), and modes of distributions.
use v5.36;

use Test::More;
use SKaMPI::Stat::Distribution;
use SKaMPI::Stat::Disturbance;

# Times of one argument: the usual time of each process, and what they exceed it by in slow repetitions.
package FakeTimes {

    sub new ( $class, $usual, @slow ) {
        my $self = bless { rows => {} }, $class;
        my @all  = map {
            my $slow = $_;
            List::Util::max( map { $usual->[$_] + $slow->[$_] } 0 .. $#{$usual} )
        } @slow;
        $self->{rows}{-1} = _row( List::Util::max( @{$usual} ), @all );
        $self->{rows}{$_} = _row( $usual->[$_], _column( $_, $usual->[$_], @slow ) )
          for 0 .. $#{$usual};
        return $self;
    }

    sub _column ( $i, $usual, @slow ) {
        return map { $usual + $_->[$i] } @slow;
    }

    # A row whose standard deviation is 0.1.
    sub _row ( $usual, @disturbed ) {
        my @quartiles = map { $usual + $_ * 0.06745 } -1, 0, 1;
        my %row       = ( count => 200, disturbed => join( q{,}, @disturbed ) );
        @row{qw(p25 p50 p75)} = @quartiles;
        return \%row;
    }
    sub arguments ($self)              { return 8 }
    sub runs      ( $self, $argument ) { return $self->{rows} }

    sub processes ( $self, $argument ) {
        my @ranks = sort { $a <=> $b } grep { $_ >= 0 } keys %{ $self->{rows} };
        return @ranks;
    }
}

sub named ( $usual, @slow ) {
    my @tallies  = SKaMPI::Stat::Disturbance->tallies( FakeTimes->new( $usual, @slow ) );
    my @findings = SKaMPI::Stat::Disturbance->findings(@tallies);
    return join '; ', map { "@{ $_->{processes} }" } @findings;
}

sub repeated ( $count, @slow ) { return ( [@slow] ) x $count }

# A broadcast along a binomial tree: 0 sends to 4, 2, 1; 4 to 6, 5; 2 to 3; 6 to 7.
my @TREE = ( 1, 2, 2, 3, 2, 3, 3, 4 );
my @NONE = (0) x 8;

# Process I is late by US, and so are those that get the message from it.
my %BELOW = ( 0 => [ 1 .. 7 ], 2 => [3], 4 => [ 5, 6, 7 ], 6 => [7] );

sub late ( $i, $us = 5 ) {
    my @late = @NONE;
    $late[$_] = $us for $i, @{ $BELOW{$i} // [] };
    return @late;
}

is named( \@TREE, repeated( 12, late(4) ) ), '4', 'the parent of those that are late';
is named( \@TREE, repeated( 12, late(6) ) ), '6', 'with one child';
is named( \@TREE, repeated( 12, late(7) ) ), '7', 'a leaf';
is named( \@TREE, repeated( 12, late(4) ), repeated( 3, late(7) ), repeated( 3, late(1) ) ), '4',
  'with other slow repetitions';
is named( \@TREE, repeated( 3, late(4) ) ), q{}, 'too few';
is named( \@TREE, repeated( 30, late(0) ) ), q{},
  'all are equally late: nobody, as the times do not show it';
is named( \@TREE, map { repeated( 10, late($_) ) } 0, 4, 6, 7 ), q{},
  'a leaf that is always last is late often, but causes only a part';
is named( \@TREE, repeated( 30, @NONE ) ), q{}, 'nobody is late';
is named( \@TREE, repeated( 0,  @NONE ) ), q{}, 'no slow repetition';

my @EQUAL = (5) x 8;
is named( \@EQUAL, repeated( 12, 3, 5, 4, 5, 4.5, 5, 4.5, 5 ) ), '0',
  'all are late, and the cause has made up for a part';
is named( \@EQUAL, repeated( 12, 5, 5, 0, 0, 0, 0, 0, 0 ) ), '0 1',
  'a group that finishes together';
is named( \@EQUAL, repeated( 12, 5, 5, 0, 0, 0, 0, 0, 0 ), repeated( 6, 0, 5, 0, 0, 0, 0, 0, 0 ) ),
  '1', 'one of them is late without the other, too';
is named( [ 5, 5 ], repeated( 30, 0, 5 ) ), q{}, 'two processes: one of them is usually slower';

sub distribution (%counts) {
    my @times = sort { $a <=> $b } map { ($_) x $counts{$_} } keys %counts;
    my %bins;
    $bins{ SKaMPI::Stat::Distribution::bin_of($_) }++ for @times;
    my %row = ( count => scalar @times, min => $times[0], max => $times[-1], late => 0 );
    $row{"p$_"} = $times[ $_ / 100 * $#times ] for 25, 50, 75;
    $row{bins}  = join q{,}, map { "$_:$bins{$_}" } keys %bins;
    return SKaMPI::Stat::Distribution->new( \%row );
}

sub hill ( $middle, $height, $width = 0.05 ) {
    return
      map { ( $middle * ( 1 + $width * $_ / 10 ) => int( $height * exp( -$_**2 / 200 ) + 0.5 ) ) }
      -30 .. 30;
}

sub modes (%counts) {
    return join q{ }, map { sprintf '%.1f', $_ } distribution(%counts)->modes;
}

like modes( hill( 10, 40 ) ), qr/\A(?:9[.]9|10[.][0-2])\z/, 'one mode';
like modes( hill( 10, 40 ), hill( 20, 40 ) ), qr{\A(?:9[.][5-9]|10[.][0-5]) (?:19|20)[.][0-9]\z},
  'two modes';
like modes( hill( 10, 40 ), hill( 20, 15 ) ), qr/\A1?[09][.]\d 20[.][0-9]\z/,
  'the second one is lower';
like modes( hill( 10, 40 ), hill( 20, 30 ), hill( 40, 20 ) ), qr/\A1?[09][.]\d 20[.]\d\z/,
  'the largest one on each side';
like modes( hill( 10, 40 ), hill( 10.8, 40 ) ), qr/\A1[0-2][.][0-9]\z/, 'no valley between them';
like modes( hill( 10, 40 ), 30 => 3, 31 => 2, 45 => 3 ), qr/\A1?[09][.]\d\z/,
  'outliers are not a mode';
is modes( hill( 10, 2 ), hill( 20, 2 ) ), q{}, 'too few repetitions';
like modes( 5 => 300 ), qr/\A5[.]\d\z/, 'equal times';

# Chance makes no second mode of one that is wide.
subtest 'random times' => sub {
    my ( $seed, $several ) = ( 7, 0 );
    for ( 1 .. 100 ) {
        my %counts;
        for ( 1 .. 250 ) {
            my $sum = 0;
            for ( 1 .. 6 ) {
                $seed = $seed * 48_271 % 2_147_483_647;
                $sum += $seed / 2_147_483_647;
            }
            $counts{ 10 * exp( $sum - 3 ) }++;
        }
        my @modes = distribution(%counts)->modes;
        $several++ if @modes > 1;
    }
    cmp_ok $several, '<=', 5, 'at most 5 % have several modes';
};

done_testing;
