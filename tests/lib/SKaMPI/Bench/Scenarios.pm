package SKaMPI::Bench::Scenarios;

# Synchronised values on simulated machines next to their true times: with clocks that are wrong, and of
# operations whose root is done long before the last process.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(sum0);
use SKaMPI::Bench::Figures qw(plain at_most);
use SKaMPI::Bench::Launch  qw(progress);
use SKaMPI::Scenario       qw(rows_of_scenario);
use SKaMPI::Sim            qw(why_not);
use SKaMPI::Test           qw(scratch);

our @EXPORT_OK = qw(bounds slots);

my $READINGS_US = 0.02;    # two

# Rows of a scenario, measured in a directory of its own.
sub rows_of ($scenario) {
    progress( join ', ', @{$scenario}{qw(platform np settings)} );
    my $dir = scratch();
    chdir $dir or die "$dir: $!\n";
    my @rows = rows_of_scenario($scenario);
    chdir q{/} or die "/: $!\n";
    return @rows;
}

# The error of a value or of another column, in percent of the true time.
sub error_of ( $row, $us = $row->{time} ) {
    return 100 * ( $us / $row->{true_us} - 1 );
}

sub largest (@errors) {
    my ($largest) = sort { abs $b <=> abs $a } @errors;
    return $largest // 0;
}

# --- clocks ---

my @MACHINES = ( [ flat => 4 ], [ torus64 => 6 ], [ fat_tree => 8 ], [ uneven => 7 ] );
my @CLOCKS   = (
    [ 'jitter 0.2 us', 'jitter=0.2e-6,offset=3,drift=10' ],
    [ 'jitter 1 us',   'jitter=1e-6,offset=3,drift=10' ],
    [ 'drift 500 ppm', 'offset=3,drift=500' ],
    [ 'sine',          'sine=50@20' ],
    [ 'set by 3 ms',   'offset=5,set=3e-3@0.03,set=1e-6@0.05' ],
);

sub limits ($cut) {
    return "\@STANDARDERRORDEFAULT 0.01\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT 60\n"
      . "\@CUTQUANTILEDEFAULT $cut\n";
}

# Wrong by more than a part in percent and two readings of the clock.
sub is_off ( $row, $percent ) {
    return abs( $row->{time} - $row->{true_us} ) > $percent / 100 * $row->{true_us} + $READINGS_US;
}

# It has no value, or a status: clocks could not be synchronised.
sub is_unsynchronised ($row) {
    return !defined $row->{time} || ( $row->{extras}{stop} // q{} ) eq 'unsynchronised';
}

sub bound ( $machine, $clock ) {
    my ( $platform, $np )       = @{$machine};
    my ( $name,     $settings ) = @{$clock};
    my @rows = rows_of(
        {
            platform    => $platform,
            np          => $np,
            settings    => $settings,
            types       => [ 47, 54, 55, 60, 61, 64, 187, 188, 340 ],
            lengths     => [ 12, 6000 ],
            repetitions => limits(0.25)
        }
    );
    my @values = grep { defined $_->{time} } @rows;
    my @off    = grep { is_off( $_, 0.5 ) } @values;
    my @silent = grep { is_off( $_, 1 ) && !$_->{is_marked} } @values;
    return at_most(
        "$platform, np = $np, $name: > 1 %, unmarked",
        '%d',
        scalar @silent,
        0,
        sprintf ' (%d of %d off, %d marked; %+.2f %%; %d without sync)',
        scalar @off,
        scalar @rows,
        scalar( grep { $_->{is_marked} } @off ),
        largest( map { error_of($_) } @values ),
        scalar grep { is_unsynchronised($_) } @rows
    );
}

sub bounds () {
    return [ 'bounds', why_not() ] if why_not();
    return map {
        my $machine = $_;
        map { bound( $machine, $_ ) } @CLOCKS
    } @MACHINES;
}

# --- slots ---

# Scatter, Scatterv, Fan_out, the broadcasts from one process to all, and the binomial scatter.
my @ONE_TO_ALL = ( 60, 65, 73, 81, 187, 343 );
my @NETWORKS   = ( [ torus64 => 64 ], [ dragonfly => 54 ], [ jump => 16 ] );

# Each single repetition counts: there is no cut.
sub slot ( $platform, $np, $length ) {
    my @rows = rows_of(
        {
            platform    => $platform,
            np          => $np,
            settings    => 'offset=0',
            types       => \@ONE_TO_ALL,
            lengths     => [$length],
            repetitions => limits(0)
        }
    );
    my @values = grep { defined $_->{time} } @rows;
    my $error  = largest( map { error_of($_) } @values );
    my $single = largest(
        map {
            my $row = $_;
            map { error_of( $row, $row->{extras}{$_} ) } qw(min max)
        } @values
    );
    return at_most(
        "$platform, np = $np, $length B: invalid repetitions",
        '%d',
        sum0( map { $_->{extras}{invalid} } @rows ),
        0,
        sprintf ' (%d valid; error %.2f %%, of one %.2f %%)',
        sum0( map { $_->{count_all} } @values ),
        $error,
        $single
    );
}

sub slots () {
    return [ 'slots', why_not() ] if why_not();
    return map {
        my $network = $_;
        map { slot( @{$network}, $_ ) } 12, 6000
    } @NETWORKS;
}

1;
