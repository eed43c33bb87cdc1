package SKaMPI::Bench::Bounds;

# Synchronised values on simulated machines whose clocks are wrong, next to their true times.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(at_most);
use SKaMPI::Bench::Launch  qw(in_scratch progress);
use SKaMPI::Scenario       qw(rows_of_scenario);
use SKaMPI::Sim            qw(why_not);

our @EXPORT_OK = qw(bounds);

# Two of them.
my $READINGS_US = 0.02;
my @MACHINES    = ( [ flat => 4 ], [ torus64 => 6 ], [ fat_tree => 8 ], [ uneven => 7 ] );
my @CLOCKS      = (
    [ 'jitter 0.2 us', 'jitter=0.2e-6,offset=3,drift=10' ],
    [ 'jitter 1 us',   'jitter=1e-6,offset=3,drift=10' ],
    [ 'drift 500 ppm', 'offset=3,drift=500' ],
    [ 'sine',          'sine=50@20' ],
    [ 'set by 3 ms',   'offset=5,set=3e-3@0.03,set=1e-6@0.05' ],
);
my %MEASURED = (
    types       => [ 47, 54, 55, 60, 61, 64, 187, 188, 340 ],
    lengths     => [ 12, 6000 ],
    repetitions => "\@STANDARDERRORDEFAULT 0.01\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT 60\n"
      . "\@CUTQUANTILEDEFAULT 0.25\n"
);

# Values that are wrong by more than a part in percent and two readings of the clock.
sub off ( $percent, @rows ) {
    return
      grep { abs( $_->{time} - $_->{true_us} ) > $percent / 100 * $_->{true_us} + $READINGS_US }
      @rows;
}

# Rows without a value, or with a status: clocks could not be synchronised.
sub unsynchronised (@rows) {
    return grep { !defined $_->{time} || ( $_->{extras}{stop} // q{} ) eq 'unsynchronised' } @rows;
}

sub bound ( $platform, $np, $name, $settings ) {
    progress("$platform, $np, $settings");
    my %scenario  = ( %MEASURED, platform => $platform, np => $np, settings => $settings );
    my @rows      = in_scratch( sub { rows_of_scenario( \%scenario ) } );
    my @values    = grep { defined $_->{time} } @rows;
    my @off       = off( 0.5, @values );
    my $silent    = grep { !$_->{is_marked} } off( 1, @values );
    my $marked    = grep { $_->{is_marked} } @off;
    my @errors    = map  { 100 * ( $_->{time} / $_->{true_us} - 1 ) } @values;
    my ($largest) = sort { abs $b <=> abs $a } @errors, 0;
    my $beside    = sprintf ' (%d of %d off, %d marked; %+.2f %%; %d without sync)', scalar @off,
      scalar @rows, $marked, $largest, scalar unsynchronised(@rows);
    return at_most( "$platform, np = $np, $name: > 1 %, unmarked", '%d', $silent, 0, $beside );
}

sub bounds ($) {
    return [ 'bounds', why_not() ] if why_not();
    my @rows;
    for my $machine (@MACHINES) {
        push @rows, map { bound( @{$machine}, @{$_} ) } @CLOCKS;
    }
    return @rows;
}

1;
