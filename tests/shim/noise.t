#!/usr/bin/perl
# The measurement of noise finds detours of a known length and period to 2 %, on the process that has them, and none
# on the other one. SKAMPI_LONG: also rarer and longer ones.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(why_not build_shim shimmed_simulate);
use SKaMPI::Test qw(scratch write_file);

plan skip_all => why_not() if why_not();

my $WITHIN   = 0.02;
my $LONG     = $ENV{SKAMPI_LONG};
my $COUNT    = $LONG ? 20 : 6;
my ($skampi) = build_shim();
my $dir      = scratch();
chdir $dir or die "$dir: $!\n";
write_file( 'p.skampi',
"\@VERSION 4.2\n\@MEASUREMENTS\nN { Type = 270; Max_Repetition = $COUNT; Min_Repetition = $COUNT; }\n"
);

# The additional values of each process, by name.
sub noise_with ($settings) {
    unlink glob 'skampi.*';
    shimmed_simulate( $settings, 'flat', 2, 120, $skampi, '-q', '-f', 'p.skampi' );
    my ($suite) = SKaMPI::Read::Output->from_file('skampi.out')->suites;
    return map { $_->{extras} } @{ $suite->{rows} };
}

for my $detour ( [ 5e-6, 1e-4 ], $LONG ? ( [ 20e-6, 1e-3 ], [ 300e-6, 5e-3 ] ) : () ) {
    my ( $length, $period ) = @{$detour};
    my ( $calm,   $noisy )  = noise_with("detour=1:$length:$period");
    my %wanted =
      ( lost => 100 * $length / $period, longest => 1e6 * $length, detours => 1 / $period );
    for my $name ( sort keys %wanted ) {
        cmp_ok abs( $noisy->{$name} / $wanted{$name} - 1 ), '<', $WITHIN,
          "$length s every $period s: $name is $noisy->{$name}, true $wanted{$name}";
        is $calm->{$name}, 0, 'and 0 on the other process';
    }
}

chdir q{/} or die "/: $!\n";
done_testing();
