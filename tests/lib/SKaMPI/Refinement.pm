package SKaMPI::Refinement;

# skampi's refinement on a simulated machine whose protocols change: what it measures, the true
# times, and the lengths at which the two are compared.
use v5.36;

use Exporter              qw(import);
use List::Util            qw(max uniq);
use SKaMPI::Interpolation qw(all_over grid worst);
use SKaMPI::Sim           qw(simulate);
use SKaMPI::SimRows       qw(output_of);

our @EXPORT_OK = qw(cases measure_cases make_truth jumps others longest_at grid_error);

my ( $FIRST, $LAST, $QUANTUM ) = ( 4, 1_048_576, 4 );

# The platform, and the last lengths before its jumps: 1024, 8192 and 65472 bytes less the 16 that
# SMPI puts before a message, and 8192 itself, above which a sender waits for the receiver.
my $PLATFORM = 'jump';
my @JUMPS    = ( 1008, 8176, 8188, 65_456 );

my %SWEEP = (
    log    => { scale => 'Dynamic_log',    stepwidth => 2 },
    linear => { scale => 'Dynamic_linear', stepwidth => 65_536 },
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
    my $output = output_of( $skampi, $PLATFORM, 2, <<"END" . join q{}, map { suite($_) } @cases );
\@VERSION 4.1
\@MEMORY 4096
\@MINREPDEFAULT 4
\@MAXREPDEFAULT 8
\@MEASUREMENTS
END
    for my $case (@cases) {
        my @points =
          map { [ @{$_}{qw(argument time)} ] } @{ $output->suite("p2p_$case->{name}")->rows };
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

# 200 lengths that were not measured: those around the jumps, and others all over the range.
sub others ( $case, $truth ) {
    my $is_other = make_is_other( $case, $truth );
    my @lengths  = ( near_jumps($case), all_over( $FIRST, $LAST, $QUANTUM, 1000 ) );
    return ( grep { $is_other->($_) } @lengths )[ 0 .. 199 ];
}

# The error of lines through a grid of this number of points at some lengths.
sub grid_error ( $scale, $count, $truth, @lengths ) {
    my @grid = grid( $scale, $FIRST, $LAST, $QUANTUM, $count );
    my $true = $truth->(@grid);
    return worst( [ map { [ $_, $true->{$_} ] } @grid ], $truth, @lengths );
}

1;
