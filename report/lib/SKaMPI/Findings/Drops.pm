package SKaMPI::Findings::Drops;

# Longer messages that are faster than shorter ones, which a program could pad, and collectives that are faster among
# more processes. Usually the library changes its protocol too late or too early, or the measurement was disturbed.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Findings::Cases       qw(candidates case_of);
use SKaMPI::Meaning::Applications qw(is_building);
use SKaMPI::Meaning::Subject      qw(attribute axis_of is_plain operation_of pattern_of);
use SKaMPI::Stat::Estimate        qw(is_excess);

my $GROWS = qr/\AMPI_(?:Barrier|Bcast|Reduce|Allreduce|Gather|Scatter|Allgather|Alltoall|Scan)\z/;

# A finding (SKaMPI::Findings::Cases) of the kind longer for every suite in which this happens: slow
# is the shorter message, fast is a list with the longer one.
sub of ( $class, $selection ) {
    my @drops;
    for my $suite ( $class->suites($selection) ) {
        my @points = $selection->curve_of($suite)->points;
        my ( @cases, $fast );

        # Each message that is slower than the longer one with the shortest time, from the longest.
        for my $place ( reverse keys @points ) {
            my $slow = $points[$place];
            push @cases,
              { %{ case_of( [ $suite, $slow ], [ [ $suite, $fast ] ], $fast ) }, place => $place }
              if $fast && is_excess( $slow, $fast );
            $fast = $slow if !$fast || $slow->{time} <= $fast->{time};
        }

        # A case that is not beside another one may be due to a single point that was too fast.
        for my $case (@cases) {
            my $has_near = any { abs( $_->{place} - $case->{place} ) == 1 } @cases;
            $case->{is_isolated} = $has_near ? 0 : 1;
        }
        @cases = candidates( @points - 1, @cases ) or next;
        push @drops, { kind => 'longer', cases => [ reverse @cases ], of => scalar @points };
    }
    return @drops;
}

# Suites with several points, which can have such a finding.
sub suites ( $class, $selection ) {
    return grep { _counts($_) && $selection->curve_of($_)->points > 1 } $selection->all;
}

# Whether a suite can have such a finding: over the processes, a collective with one length. The empty operation and
# creating a request send nothing, and the time to build a datatype does not depend on its bytes.
sub _counts ($suite) {
    my ( $pattern, $operation ) = ( pattern_of($suite), operation_of($suite) );
    return
         $pattern   =~ /\A(?:syn)?col\z/
      && $operation =~ $GROWS
      && is_plain($suite)
      && attribute( $suite, 'length_is' ) eq 'each'
      if axis_of($suite) eq 'nodes';
    return
         $pattern !~ /\A(?:internal|check)\z/
      && axis_of($suite) eq 'length'
      && $operation !~ /\Adummy\z|_init\z/
      && !is_building($suite);
}

1;
