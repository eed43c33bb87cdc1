package SKaMPI::Findings::Drops;

# Longer messages that are faster than shorter ones. A program would be faster if it padded the
# message and sent the longer one. Usually the library changes its protocol too late or too early,
# or the measurement was disturbed. of(SELECTION) returns a finding (SKaMPI::Findings::Cases) of the
# kind longer for every suite over the length in which this happens: slow is the shorter message,
# fast is a list with the longer one. SKaMPI::Stat::Estimate defines which times are clearly longer.
use v5.36;

use SKaMPI::Findings::Cases       qw(case_of);
use SKaMPI::Meaning::Applications qw(is_building);
use SKaMPI::Meaning::Subject      qw(axis_of operation_of pattern_of);
use SKaMPI::Stat::Estimate        qw(at_most is_clearly_longer);

# The findings of all suites that are varied over the length.
sub of ( $class, $selection ) {
    return
      map { _drop( $_, $selection->curve_of($_)->points ) } grep { _counts($_) } $selection->all;
}

# The empty operation and creating a request send nothing, and the time to build a datatype does not depend on its
# bytes.
sub _counts ($suite) {
    return
         pattern_of($suite) !~ /\A(?:internal|check)\z/
      && axis_of($suite) eq 'length'
      && operation_of($suite) !~ /\Adummy\z|_init\z/
      && !is_building($suite);
}

# Each case may be due to a single point that was too fast, so all of them are isolated.
sub _drop ( $suite, @points ) {
    my @cases =
      map { case_of( [ $suite, $_->[0] ], [ [ $suite, $_->[1] ] ], $_->[1] ) } _drops(@points)
      or return;
    $_->{is_isolated} = 1 for @cases;
    return { kind => 'longer', cases => [ reverse @cases ], of => scalar @points };
}

# Pairs of a message and the longer message whose time has the lowest upper bound.
sub _drops (@points) {
    my ( @drops, $fast );
    for my $point ( reverse @points ) {
        push @drops, [ $point, $fast ] if $fast && is_clearly_longer( $point, $fast );
        $fast = $point
          if defined $point->{error} && ( !$fast || at_most($point) <= at_most($fast) );
    }
    return @drops;
}

1;

