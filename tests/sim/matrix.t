# All pairs on simulated networks: on a switch, each pair takes the time of a ping-pong alone, also if the
# links differ. On a shared backbone, long messages of the pairs of a round wait for each other.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(build_in_scratch simulate_on);
use SKaMPI::SimRows qw(few_repetitions is_about rows_of);
use SKaMPI::Test    qw(write_file);

my $LONG = 4_194_304;
my ( $skampi, $truth ) = build_in_scratch('truth');

# Name of a suite => "RANK-PARTNER" => row.
sub measured ( $platform, $np, @suites ) {
    my $rows = rows_of( $skampi, $platform, $np, join q{}, few_repetitions(16_384), @suites );
    $rows->{"$_->{name} rounds"} = $_->{notes}{ROUNDS}
      for SKaMPI::Read::Output->from_file('skampi.out')->suites;
    return $rows;
}

sub matrix ( $name, $type, $length ) {
    return "$name { Type = $type; Variation = Pairs; Parameters = \"pairs=round\"; "
      . "Default_Message_length = $length; }\n";
}

# For a ping-pong between two hosts of uneven.xml, independent of skampi.
sub true_time ( $length, @hosts ) {
    write_file( 'hosts', join q{}, map { sprintf "u%02d\n", $_ } @hosts );
    my ($line) = split /\n/, simulate_on( 'hosts', 'uneven', 2, $truth, 1, 0, $length );
    return ( split / /, $line )[2];
}

sub pairs ($np) {
    my @pairs;
    for my $rank ( 0 .. $np - 2 ) {
        push @pairs, map { "$rank-$_" } $rank + 1 .. $np - 1;
    }
    @pairs = sort @pairs;
    return @pairs;
}

for my $np ( $ENV{SKAMPI_LONG} ? ( 2, 5, 6, 7, 12 ) : ( 5, 6 ) ) {
    my $rows = measured( 'uneven', $np, matrix( 'm', 160, 4096 ), matrix( 'x', 180, 4096 ) );
    is_deeply [ sort keys %{ $rows->{m} } ], [ pairs($np) ], "$np processes: all pairs once";
    my $last = $np - 1;
    for my $pair ( '0-1', $np > 2 ? ( "1-$last", ( $np - 2 ) . "-$last" ) : () ) {
        my @hosts = split /-/, $pair;
        is_about( $rows->{m}{$pair}{time}, true_time( 4096, @hosts ), "pair $pair" );
    }
    my ( $rounds, $pairs ) = ( $np % 2 ? $np : $np - 1, int $np / 2 );
    my $idle = $np % 2 ? '; in each, another process idles' : q{};
    is $rows->{'m rounds'}, "$rounds of $pairs pairs each$idle", 'the block says so';
    my %count = map { $_->{count} => 1 } values %{ $rows->{x} };
    is_deeply [ keys %count ], [4], 'each pair has its repetitions';
}

# Twice as long for each byte.
my @long   = ( matrix( 'l', 160, $LONG ), matrix( 'h', 160, $LONG / 2 ) );
my $shared = measured( 'backbone', 4, @long );
my $alone  = measured( 'backbone', 2, @long );

sub per_half ( $rows, $pair ) { return $rows->{l}{$pair}{time} - $rows->{h}{$pair}{time} }
is_about( per_half( $shared, $_ ), 2 * per_half( $alone, '0-1' ), "backbone: pair $_ shares it" )
  for pairs(4);

done_testing;
