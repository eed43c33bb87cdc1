# C programs that test themselves and print TAP; each says what it tests.
use v5.36;

use Test::More;
use SKaMPI::Test qw(program_passes);

# Numbers of processes, and how many tests the program has if it does not plan them.
my %PROGRAMS = (
    application_check => [ [2], 32 ],
    applications      => [ [1] ],
    arrival           => [ [ 2, 3, 5 ] ],
    files             => [ $ENV{SKAMPI_LONG} ? [ 2, 3, 4, 8 ] : [3] ],
    layouts           => [ [1] ],
    neighbours        => [ [5], 24 ],
    places            => [ [2], 5 ],
);
for my $name ( sort keys %PROGRAMS ) {
    my ( $processes, $count ) = @{ $PROGRAMS{$name} };
    program_passes( $_, $name, $count ) for @{$processes};
}

done_testing();
