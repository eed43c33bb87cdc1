package SKaMPI::Findings::Drops;

# Longer messages that are faster than shorter ones, and collectives that are faster among more processes. A program
# would be faster if it padded the message and sent the longer one. Usually the library changes its protocol too late or
# too early, or the measurement was disturbed.
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
    return map { _drop( $_, $selection->curve_of($_)->points ) } $class->suites($selection);
}

# Suites with several points, which can have such a finding.
sub suites ( $class, $selection ) {
    return grep { _counts($_) && $selection->curve_of($_)->points > 1 } $selection->all;
}

# Whether a suite can have such a finding. The empty operation and creating a request send nothing,
# and the time to build a datatype does not depend on its bytes.
sub _counts ($suite) {
    return _grows_with_processes($suite) if axis_of($suite) eq 'nodes';
    return
         pattern_of($suite) !~ /\A(?:internal|check)\z/
      && axis_of($suite) eq 'length'
      && operation_of($suite) !~ /\Adummy\z|_init\z/
      && !is_building($suite);
}

# Whether a suite is a collective with one length over the number of processes.
sub _grows_with_processes ($suite) {
    return
         pattern_of($suite)   =~ /\A(?:syn)?col\z/
      && operation_of($suite) =~ $GROWS
      && is_plain($suite)
      && attribute( $suite, 'length_is' ) eq 'each';
}

# A finding, or an empty list. A case that is not beside another one may be due to a single point that was too fast.
sub _drop ( $suite, @points ) {
    my ( @cases, $fast );

    # Each message that is slower than the longer one with the shortest time, from the longest.
    for my $place ( reverse keys @points ) {
        my $slow = $points[$place];
        push @cases,
          { %{ case_of( [ $suite, $slow ], [ [ $suite, $fast ] ], $fast ) }, place => $place }
          if $fast && is_excess( $slow, $fast );
        $fast = $slow if !$fast || $slow->{time} <= $fast->{time};
    }
    for my $case (@cases) {
        $case->{is_isolated} = ( any { abs( $_->{place} - $case->{place} ) == 1 } @cases ) ? 0 : 1;
    }
    @cases = candidates( @points - 1, @cases ) or return;
    return { kind => 'longer', cases => [ reverse @cases ], of => scalar @points };
}

1;
