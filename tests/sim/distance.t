# Ping-pongs and streams over the distance, on hosts with different links: a row is the time with the partner
# at that distance, and says where it is.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(build_in_scratch simulate simulate_on);
use SKaMPI::SimRows qw(few_repetitions is_about rows_in true_times);
use SKaMPI::Test    qw(write_file);

my $LENGTH = 4096;
my ( $skampi, $truth ) = build_in_scratch('truth');

write_file( 'p.skampi', few_repetitions(4096) . <<"END" );
ring { Type = 1; Variation = Distance; Default_Message_length = $LENGTH; }
stream { Type = 165; Variation = Distance; Default_Message_length = $LENGTH;
         Parameters = "neighbours=double window=5"; }
cube { Type = 1; Variation = Distance; Default_Message_length = $LENGTH; Start_Argument = 2;
       Parameters = "neighbours=hypercube"; }
END

# Name of a suite => argument => row.
sub rows_on (@hosts) {
    my $np = @hosts;
    unlink glob 'skampi.*';
    write_file( 'hosts', join q{}, map { "u0$_\n" } @hosts );
    simulate_on( 'hosts', 'uneven', $np, $skampi, '--quiet', '-f', 'p.skampi' );
    return rows_in( SKaMPI::Read::Output->from_file('skampi.out') );
}

sub sorted ($rows) {
    my @arguments = sort { $a <=> $b } keys %{$rows};
    return @arguments;
}

my $rows = rows_on( 0 .. 6 );
is_deeply [ sorted( $rows->{ring} ) ],   [ 1 .. 6 ],  'ring: all distances';
is_deeply [ sorted( $rows->{stream} ) ], [ 1, 2, 4 ], 'double: powers of 2';
is_deeply [ sorted( $rows->{cube} ) ],   [ 2, 4 ],    'hypercube: from the start argument on';

my %distances = ( 1 => 'ring', 165 => 'stream' );
for my $distance ( 1, 4 ) {
    my $true = true_times( simulate( 'uneven', 7, $truth, $distance, 8, $LENGTH ) );
    for my $type ( sort keys %distances ) {
        my $suite = $distances{$type};
        is_about(
            $rows->{$suite}{$distance}{time},
            $true->{$type}{$LENGTH},
            "$suite, distance $distance"
        );
    }
}
my @differ = map { $rows->{ring}{$_}{time} } sorted( $rows->{ring} );
my %same;
$same{$_}++ for @differ;
is scalar keys %same, 6, 'each distance has another time';
is $rows->{cube}{$_}{time}, $rows->{ring}{$_}{time}, 'hypercube and ring agree' for 2, 4;
is_deeply [ map { $_->{extras}{place} } values %{ $rows->{ring} } ], [ ('other-host') x 6 ],
  'place';

my $near = rows_on( 0, 0, 1, 0 );
is_deeply [ map { $near->{ring}{$_}{extras}{place} } 1 .. 3 ],
  [qw(same-host other-host same-host)], 'partners on the host of rank 0, and on another';

done_testing;
