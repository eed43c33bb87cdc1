# Compares skampi's results with the true times of more simulated machines than truth.t does, and types whose
# processes enter together. SKAMPI_LONG: all types on each machine.
use v5.36;

use Test::More;
use SKaMPI::Sim       qw(measured);
use SKaMPI::TrueTimes qw(@LENGTHS start compare judge run_skampi suite truth with_key);
use SKaMPI::Truth     qw(compared_types quick_types types_on_grid has_window);

my @PLATFORMS = qw(flat two_level bottleneck jump);
my $DUMMY     = 31;

# Added to the number of a barrier-measured type that is measured with enter=together.
my $TOGETHER = 1000;

my @ALL   = compared_types();
my @QUICK = ( quick_types(), types_on_grid() );
start();

# The types whose true times differ by more than 5 % if all enter together.
sub types_with_skew ( $truth, $length, @types ) {
    return
      grep { abs( $truth->{ $TOGETHER + $_ }{$length} / $truth->{$_}{$length} - 1 ) > 0.05 } @types;
}

# Barrier-measured types, both by the manual's definition and with enter=together, each against its
# own true times. Where processes leave a barrier far apart, the two differ.
sub compare_together ( $platform, $np ) {
    my @types = grep { $_ < 200 || $ENV{SKAMPI_LONG} } compared_types('col');
    my $output =
      run_skampi( $platform, $np,
        map { ( suite( $_, $np ), with_key( $_, $np, $TOGETHER, 'enter=together' ) ) } @types );
    my $measured = measured($output);
    my $truth =
      truth( $platform, $np, 1, [ @types, map { $TOGETHER + $_ } @types ], @LENGTHS );
    my $what = "$platform, $np processes";
    judge( "$what, after a barrier",  $truth, $measured, @types );
    judge( "$what, entered together", $truth, $measured, map { $TOGETHER + $_ } @types );
    my @skewed = types_with_skew( $truth, $LENGTHS[0], @types );
    cmp_ok scalar @skewed, '>', @types / 4, "$what: the definitions differ";
    ok( ( grep { $_ == $DUMMY } @skewed ), "$what: they differ even without an operation" );
    return;
}

if ( $ENV{SKAMPI_LONG} ) {
    for my $platform (@PLATFORMS) {
        compare( $platform, 2,  @ALL );
        compare( $platform, 8,  @ALL );
        compare( $platform, 64, $platform eq 'flat' ? @ALL : @QUICK );
    }
}
else {
    compare( $_,     2, @QUICK ) for qw(two_level bottleneck jump);
    compare( $_,     8, @QUICK ) for qw(two_level bottleneck);
    compare( 'jump', 8, @ALL );
}
compare( 'torus4x4', 8, 172, 173, grep { has_window($_) } @ALL );

compare_together( 'uneven', $_ ) for 7, $ENV{SKAMPI_LONG} ? 12 : ();

done_testing;
