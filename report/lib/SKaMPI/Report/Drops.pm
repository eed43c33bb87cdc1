package SKaMPI::Report::Drops;

use v5.36;

use SKaMPI::Report::Cases    qw(case_of);
use SKaMPI::Report::Estimate qw(at_most is_clearly_longer);
use SKaMPI::Report::Subject  qw(axis_of operation_of pattern_of);

# Of every suite that is varied over the length.
sub of ( $class, $selection ) {
    return
      map { _drop( $_, $selection->curve_of($_)->points ) } grep { _counts($_) } $selection->all;
}

# The empty operation sends nothing.
sub _counts ($suite) {
    return
         pattern_of($suite) ne 'internal'
      && axis_of($suite) eq 'length'
      && operation_of($suite) ne 'dummy';
}

# Each of them may come of one point that was too fast.
sub _drop ( $suite, @points ) {
    my @cases =
      map { case_of( [ $suite, $_->[0] ], [ [ $suite, $_->[1] ] ], $_->[1] ) } _drops(@points)
      or return;
    $_->{is_isolated} = 1 for @cases;
    return { kind => 'longer', cases => [ reverse @cases ], of => scalar @points };
}

# Each message with the longer one that is most surely fast.
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

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Drops - longer messages that are faster than shorter ones

=head1 DESCRIPTION

A program could send the longer message, with anything in the rest of it, and be faster: most often the
library changes its protocol too late or too early, or the measurement was disturbed.

C<of(SELECTION)> returns, for every suite over the length in which that happens, a finding
(L<SKaMPI::Report::Cases>) of the kind C<longer>: slow is the shorter message, fast a list of the longer
one. What is clearly longer is said in L<SKaMPI::Report::Estimate>.

=cut
