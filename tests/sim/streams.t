# Streams on simulated networks, by their formulas: a window takes as long however its size is asked for, and
# long messages reach the bandwidth of a link. truth.t compares each type with its true times.
use v5.36;

use Test::More;
use SKaMPI::Meaning::Rates qw(rates_of);
use SKaMPI::Sim            qw(build_in_scratch);
use SKaMPI::SimRows        qw(few_repetitions output_of);

my $LONG   = 1_048_576;
my $LENGTH = 'Scale = Fixed_linear; Start_Argument = 1024; End_Argument = 1024;';
my $WINDOW = 'Variation = Window; Scale = Fixed_linear; Start_Argument = 1; End_Argument = 9; '
  . 'Stepwidth = 4; Default_Message_length = 1024;';
my $WIDE = "Scale = Fixed_linear; Start_Argument = $LONG; End_Argument = $LONG;";

# For the platform flat: for the simulator, a link of 1 GB/s carries 97 % of that, and in both directions at once
# 5 % less each, for acknowledgements of TCP.
my ( $LINK, $DUPLEX ) = ( 970, 970 / 1.05 );

my ($skampi) = build_in_scratch('truth');

# Name of a suite => suite.
sub measured ( $platform, $np, %suites ) {
    my $text = join q{}, few_repetitions(16_384), map { "$_ { $suites{$_} }\n" } sort keys %suites;
    return { map { $_->{name} => $_ } output_of( $skampi, $platform, $np, $text )->suites };
}

sub is_about ( $got, $expected, $within, $what ) {
    cmp_ok abs( $got - $expected ), '<=', $within * abs $expected, "$what: $got, about $expected";
    return;
}

sub row_at ( $suite, $argument ) {
    my ($row) = grep { $_->{argument} == $argument } @{ $suite->{rows} };
    return $row;
}

my @TYPES = ( 165 .. 169, 171, 175 .. 178 );
my %suites;
for my $type (@TYPES) {
    $suites{"length-$type"} = qq{Type = $type; $LENGTH Parameters = "window=9";};
    $suites{"window-$type"} = "Type = $type; $WINDOW";
    $suites{"many-$type"}   = qq{Type = $type; $WINDOW Parameters = "buffers=many data=fresh";};
}
my $of = measured( 'flat', 4, %suites );
for my $type (@TYPES) {
    my ( $length, $window, $many ) = map { $of->{"$_-$type"} } qw(length window many);
    my $time = row_at( $length, 1024 )->{time};
    is $length->{window},           9, "type $type: the block states the window";
    is scalar @{ $window->{rows} }, 3, 'three windows';
    is_about( row_at( $window, 9 )->{time}, $time, 1e-3, 'a window of 9, as a fixed one' );
    is_about( row_at( $many,   9 )->{time}, $time, 1e-3, 'with many buffers and fresh data' );
}

$of = measured(
    'flat', 8,
    one => qq{Type = 165; $WIDE Parameters = "window=16";},
    map { $_ => "Type = $_; $WIDE Parameters = \"window=16\";" } 167, 175, 177
);
my %links = ( one => $LINK, 167 => 2 * $DUPLEX, 175 => 4 * $LINK, 177 => 8 * $DUPLEX );
for my $name ( sort keys %links ) {
    my $row = $of->{$name}{rows}[0];
    is_about( rates_of( $of->{$name}, $row )->{bandwidth},
        $links{$name}, 0.05, "$name: the bandwidth of its links" );
    is_about(
        $row->{extras}{pair_bandwidth},
        rates_of( $of->{$name}, $row )->{bandwidth} / 4,
        1e-3, "$name: of a pair"
    ) if $name =~ /^17/;
}

done_testing;
