# Pairs on simulated networks. On one switch, pairs do not disturb each other: each takes the time of
# a single pair. If all share a backbone as fast as one link, p/2 pairs take p/2 times as long per byte, and
# as long as one pair for a short message.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(few_repetitions is_about rows_of);

my $HALF = 2_097_152;
my $LONG = 2 * $HALF;

my ($skampi) = build_in_scratch('truth');

# The lengths are at equal distances.
sub suite ( $name, $type, $keys, @lengths ) {
    my ( $first, $last ) = @lengths[ 0, -1 ];
    my $step = ( $last - $first ) / ( $#lengths || 1 ) || 1;
    return "$name { Type = $type; Scale = Fixed_linear; Start_Argument = $first; "
      . "End_Argument = $last; Stepwidth = $step; Parameters = \"$keys\"; }\n";
}

# Name of a suite => length => row.
sub measured ( $platform, $np, @suites ) {
    return rows_of( $skampi, $platform, $np, join q{}, few_repetitions(16_384), @suites );
}

my @PAIRINGS = qw(half next shift:2 xor:3 random:5);

for my $np ( 2, 8, $ENV{SKAMPI_LONG} ? 64 : () ) {
    my %key  = map { s/:.*//r => $_ } grep { $np == 8 || /half/ } @PAIRINGS;
    my $rows = measured(
        'flat', $np,
        suite( 'one', 1, 'partner=1', 0, $LONG ),
        map { suite( $_, 160, "pairs=$key{$_} matchings=4", 0, $LONG ) } sort keys %key
    );
    for my $length ( 0, $LONG ) {
        my $one = $rows->{one}{$length}{time};
        for my $name ( sort keys %key ) {
            my $row = $rows->{$name}{$length};
            is_about( $row->{time},       $one, "star, $np processes, $name, $length bytes" );
            is_about( $row->{extras}{$_}, $one, "its $_" ) for qw(pair_mean pair_fastest);
            is_about( $row->{extras}{pair_bandwidth}, 2 * $length / $one, 'its bandwidth' );
        }
    }
}

# backbone.xml: a link's latency is 2 us, the backbone's 3 us, and both have 1 GB/s. For the simulator, an
# empty message still occupies a link, like a message of about 20 bytes.
my %empty_us;
my @PAIRS = $ENV{SKAMPI_LONG} ? ( 1, 4, 32 ) : ( 1, 2, 4 );
for my $np ( map { 2 * $_ } @PAIRS ) {
    my $rows = measured(
        'backbone', $np,
        suite( 'one', 1, 'partner=1', 0, $HALF, $LONG ),
        map { suite( $_, 160, "pairs=$_", 0, $HALF, $LONG ) } qw(half next)
    );
    my $pairs = $np / 2;
    for my $name (qw(half next)) {
        my ( $one, $all ) = map { $_->{$LONG}{time} - $_->{$HALF}{time} } @{$rows}{ 'one', $name };
        cmp_ok abs( $all / $one / $pairs - 1 ), '<=', 1e-3,
          "backbone, $np processes, $name: the bandwidth term is $pairs times that of one pair";
        $empty_us{$name}{$pairs} = $rows->{$name}{0}{time};
    }
    $empty_us{one}    = $rows->{one}{0}{time};
    $empty_us{a_byte} = ( $rows->{one}{$LONG}{time} - $rows->{one}{$HALF}{time} ) / $HALF;
}
for my $name (qw(half next)) {
    my $us       = $empty_us{$name};
    my $occupied = ( $us->{4} - $us->{1} ) / 3;
    cmp_ok $occupied, '<', 24 * $empty_us{a_byte}, "$name: what an empty message occupies";
    is_about( $us->{$_} - $_ * $occupied, $empty_us{one} - $occupied, "$name, $_ pairs: latency" )
      for @PAIRS;
}

# Random matchings on a machine with near and far partners: each repetition has another one, and the same
# seed gives the same matchings.
my @seeds = ( 1, 1, 2 );
my $rows =
  measured( 'torus4x4', 8,
    map { suite( "r$_", 180, "pairs=random:$seeds[$_] matchings=4", $HALF ) } 0 .. $#seeds );
my @first = map { $rows->{"r$_"}{$HALF} } 0 .. $#seeds;
cmp_ok $first[0]{extras}{max}, '>', 1.05 * $first[0]{extras}{min}, 'the matchings differ';
is $first[0]{extras}{pair_mean}, $first[1]{extras}{pair_mean}, 'the same seed, the same matchings';
isnt $first[0]{extras}{pair_mean}, $first[2]{extras}{pair_mean}, 'another seed, others';

# Far fewer repetitions are accurate enough, but each of three visits uses every matching.
my $many = suite( 'A', 160, 'pairs=random:1 matchings=40 passes=3', 0 ) =~
  s/ }\n/ Max_Repetition = 1000; Standard_error = 0.9; }\n/r;
my $used = measured( 'flat', 4, $many );
is $used->{A}{0}{count_all}, 120, 'every matching is used in every visit';

done_testing;
