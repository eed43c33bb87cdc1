# Compares skampi's results with the true times of simulated machines, for every type that communicates.
# truth_machines.t does so on more machines.
use v5.36;

use Test::More;
use SKaMPI::Sim  qw(measured simgrid);
use SKaMPI::Test qw($ROOT read_file);
use SKaMPI::TrueTimes
  qw(@LENGTHS start compare judge parameters run_file run_skampi truth with_key);
use SKaMPI::Truth
  qw(compared_types quick_types types_on_grid has_window listed_types types_with_reason);

my $TICK_US = 0.01;

# Added to the number of a collective type that is measured with loop=5.
my $LOOPED = 2000;

my @ALL = compared_types();

# SimGrid 4 takes 50 ns more for a ready send to a receive that skampi has posted, not in the program of the true times.
my @QUICK = ( grep( { simgrid() < 4 || $_ != 172 } quick_types() ), types_on_grid() );
start();

sub round_trip ( $number, $partner ) {
    return "type_$number { Type = 1; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; "
      . "Parameters = \"partner=$partner\"; }\n";
}

# The clock's cost is subtracted as often as a time includes it. The two messages of an exchange
# meet on the way, which slows them a little, but only if both sides start together.
sub compare_absolute ( $platform, $length, @types ) {
    my @suites =
      map { "type_$_ { Type = $_; Start_Argument = $length; End_Argument = $length; }\n" } @types;
    my $text     = "\@ABSOLUTE yes\n" . parameters( 2, @suites );
    my $measured = measured( run_file( $platform, 2, $text ) );
    my $truth    = truth( $platform, 2, 1, \@types, $length );
    for my $type (@types) {
        my ( $us, $true ) = ( $measured->{$type}[0][1], $truth->{$type}{$length} );
        cmp_ok abs( $us - $true ), '<', 0.2 * $TICK_US, "type $type without the clock's cost";
    }
    return;
}

# Several calls in a row in one interval: where the root of one can begin the next, calls overlap.
sub compare_looped ( $platform, $np, @types ) {
    my @suites   = map { with_key( $_, $np, $LOOPED, 'loop=5' ) } @types;
    my $measured = measured( run_skampi( $platform, $np, @suites ) );
    my $truth =
      truth( $platform, $np, 1, [ @types, map { $LOOPED + $_ } @types ], @LENGTHS );
    judge( "$platform, $np processes, in a loop", $truth, $measured, map { $LOOPED + $_ } @types );
    my @pipelined =
      grep { $truth->{ $LOOPED + $_ }{ $LENGTHS[0] } < 0.9 * $truth->{$_}{ $LENGTHS[0] } } @types;
    cmp_ok scalar @pipelined, '>', 2, 'calls in a row overlap';
    return;
}

# The numbers in a sentence of the manual: "84, 85 and 102 to 107".
sub numbers_in ($sentence) {
    return map { /(\d+)\s+to\s+(\d+)/ ? $1 .. $2 : $_ } $sentence =~ /\d+\s+to\s+\d+|\d+/g;
}

my %listed  = listed_types();
my $known   = truth( 'flat', 2, 1, [], 8 );
my @unknown = grep { !$known->{$_} } @ALL;
is "@unknown", q{}, 'each type is compared, or has a reason not to be'
  or diag 'Add its true time to tests/sim/truth_*.c, or the reason to tests/lib/SKaMPI/Truth.pm.';
is join( q{ }, grep { !$listed{$_} || $known->{$_} } types_with_reason() ), q{},
  'every reason is needed';
my ($missing) =
  read_file("$ROOT/docs/manual/simulation.tex") =~ /types ([^.]*)\s+cannot be simulated/;
is_deeply [ numbers_in($missing) ], [ types_with_reason('SMPI') ],
  'the manual says which types SMPI lacks';

if (@unknown) {
    chdir q{/} or die "/: $!\n";
    done_testing;
    exit;
}

compare( 'flat', 2, @ALL );
compare( 'jump', 8, @QUICK );

# Collectives of point-to-point calls among processes that are not powers of two.
compare( 'flat', 7, grep { $_ >= 340 && $_ < 360 } @ALL );

compare_looped( 'uneven', $_, 17, 19, 20, 36, 47, 49, 54, 55, 61, 64, 81, 91, 185 ) for 7;

compare_absolute( 'jump', 4096, grep { !has_window($_) } compared_types('p2p') );

# two_level has the nearest process at rank 3, and the farthest at rank 5.
for my $np ( 8, $ENV{SKAMPI_LONG} ? 64 : () ) {
    my $output =
      run_skampi( 'two_level', $np, round_trip( 1, 'nearest' ), round_trip( 2, 'farthest' ) );
    my $us = measured($output);
    for my $case ( [ 1, 'nearest', 3 ], [ 2, 'farthest', 5 ] ) {
        my ( $number, $name, $rank ) = @{$case};
        my $true = truth( 'two_level', $np, $rank, [1], 8 )->{1}{8};
        cmp_ok abs( $us->{$number}[0][1] - $true ), '<=', $true * 1e-3,
          "the $name of $np processes on two levels is rank $rank";
    }
}

done_testing;
