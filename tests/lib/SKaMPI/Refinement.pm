package SKaMPI::Refinement;

# skampi's refinement on a simulated machine whose protocols change: what it measures, the true
# times, and the lengths at which the two are compared.
use v5.36;

use Exporter              qw(import);
use List::Util            qw(max uniq);
use SKaMPI::Interpolation qw(log_grid linear_grid smallest_grid);
use SKaMPI::Sim           qw(simulate);
use SKaMPI::Test          qw(read_file suites_of write_file);

our @EXPORT_OK = qw(cases measure_cases make_truth jumps others longest_at grid_points);

my ( $FIRST, $LAST, $QUANTUM ) = ( 4, 1_048_576, 4 );

# The platform, and the last lengths before its jumps: 1024, 8192 and 65472 bytes less the 16 that
# SMPI puts before a message, and 8192 itself, above which a sender waits for the receiver.
my $PLATFORM = 'jump';
my @JUMPS    = ( 1008, 8176, 8188, 65_456 );

my %SWEEP = (
    log    => { scale => 'Dynamic_log',    stepwidth => 2,      grid => \&log_grid },
    linear => { scale => 'Dynamic_linear', stepwidth => 65_536, grid => \&linear_grid },
);

# Every scale with several standard errors, and one whose Min_Distance excludes the first jumps.
sub cases () {
    my @cases;
    my @errors = $ENV{SKAMPI_LONG} ? ( 0.03, 0.02, 0.01, 0.005 ) : ( 0.02, 0.005 );
    for my $sweep (qw(log linear)) {
        push @cases, map { { sweep => $sweep, error => $_, min_distance => 4 } } @errors;
    }
    push @cases, { sweep => 'log', error => 0.01, min_distance => 64 };
    $cases[$_]{name} = "case-$_" for 0 .. $#cases;
    return @cases;
}

sub suite ($case) {
    my $sweep = $SWEEP{ $case->{sweep} };
    return <<"END";
$case->{name} {
  Type = 1; Variation = Length; Scale = $sweep->{scale}; Stepwidth = $sweep->{stepwidth};
  Start_Argument = $FIRST; End_Argument = $LAST; Max_Distance = $LAST; Max_Steps = 200;
  Min_Distance = $case->{min_distance}; Standard_error = $case->{error};
}
END
}

# Adds to each case its points, [ length, microseconds ] sorted by length. Writes to the current
# directory.
sub measure_cases ( $skampi, @cases ) {
    write_file( 'p.skampi', <<"END" . join q{}, map { suite($_) } @cases );
\@VERSION 4.1
\@MEMORY 4096
\@MINREPDEFAULT 4
\@MAXREPDEFAULT 8
\@MEASUREMENTS
END
    simulate( $PLATFORM, 2, $skampi, '--quiet', '-f', 'p.skampi' );
    my $suites = suites_of( read_file('skampi.out') );
    for my $case (@cases) {
        my ($label) = grep { /\Q$case->{name}\E$/ } keys %{$suites};
        my @points = map { [ @{$_}[ 0, 1 ] ] } @{ $suites->{$label}{rows} };
        $case->{points} = [ sort { $a->[0] <=> $b->[0] } @points ];
    }
    return @cases;
}

# The truth as a function from a list of lengths to a hash. The first call of an algorithm may take longer: each length
# is measured twice, and the second time counts.
sub make_truth ( $program, $platform = $PLATFORM, $np = 2, $kind = 0 ) {
    my %known;
    return sub (@lengths) {
        my @new = grep { !exists $known{$_} } uniq @lengths;
        while ( my @some = splice @new, 0, 5_000 ) {
            my @twice = map { ( $_, $_ ) } @some;
            for ( split /\n/, simulate( $platform, $np, $program, 1, $kind, @twice ) ) {
                my ( undef, $length, $us ) = split;
                $known{$length} = $us;
            }
        }
        return { map { $_ => $known{$_} } @lengths };
    };
}

# The length at which a segment with the jump is not split: shorter than the standard error
# (relative) or than twice Min_Distance.
sub longest_at ( $case, $jump ) {
    return max( $case->{error} * $jump, 2 * $case->{min_distance} );
}

# The jumps that are larger than the standard error: the last lengths before them. A time is not a jump
# if it is on the line through the two before it.
sub jumps ( $case, $truth ) {
    my @jumps;
    for my $jump (@JUMPS) {
        my ( $before, $after ) = ( $jump - $QUANTUM, $jump + $QUANTUM );
        my $true     = $truth->( $before, $jump, $after );
        my $smoothly = 2 * $true->{$jump} - $true->{$before};
        push @jumps, $jump if abs( $smoothly / $true->{$after} - 1 ) > $case->{error};
    }
    return @jumps;
}

# A function that returns whether a length was not measured, is new, and is not in a segment around
# a jump that the method does not split.
sub make_is_other ( $case, $truth ) {
    my %taken = map { $_->[0] => 1 } @{ $case->{points} };
    my @jumps = jumps( $case, $truth );
    return sub ($length) {
        return 0 if $length <= $FIRST || $taken{$length}++;
        return !grep { abs( $length - $_ - $QUANTUM / 2 ) < longest_at( $case, $_ ) } @jumps;
    };
}

sub near_jumps ($case) {
    my @lengths;
    for my $jump (@JUMPS) {
        for my $times ( 1, 1.5, 2.5, 4, 6 ) {
            my $gap = $QUANTUM * ( 1 + int( $times * longest_at( $case, $jump ) / $QUANTUM ) );
            push @lengths, $jump - $gap, $jump + $gap;
        }
    }
    return @lengths;
}

# 200 lengths that were not measured: those around the jumps, and others all over the range, evenly
# on a logarithmic scale (by the golden section). Returns [ those around the jumps ], [ all ].
sub others ( $case, $truth ) {
    my $is_other = make_is_other( $case, $truth );
    my @near     = grep { $is_other->($_) } near_jumps($case);
    my @all      = @near;
    my $golden   = ( sqrt(5) - 1 ) / 2;
    my $part     = 0;
    while ( @all < 200 ) {
        $part += $part + $golden < 1 ? $golden : $golden - 1;
        my $length = $QUANTUM * int( $FIRST * ( $LAST / $FIRST )**$part / $QUANTUM );
        push @all, $length if $is_other->($length);
    }
    return ( \@near, \@all );
}

# The number of points of the smallest grid on this scale that is as accurate; undef above $most.
sub grid_points ( $sweep, $most, $case, $truth, $near, $all ) {
    my $make = sub ($count) { return $SWEEP{$sweep}{grid}->( $FIRST, $LAST, $QUANTUM, $count ) };
    return smallest_grid( $make, $most, $truth, $case->{error}, $near, $all );
}

1;
