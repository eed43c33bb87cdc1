package SKaMPI::Report::Drops;

use v5.36;

use SKaMPI::Report::Estimate  qw(at_most is_clearly_longer);
use SKaMPI::Report::Selection qw(axis_of operation_of where_in);

# Of every suite that is varied over the length, the greatest.
sub of ( $class, $selection, @suites ) {
    return map { _drop( $_, $selection->curve_of($_)->points ) } grep { _counts($_) } @suites;
}

# The empty operation sends nothing.
sub _counts ($suite) {
    return
         $suite->{prefix} ne 'internal'
      && axis_of($suite) eq 'length'
      && operation_of($suite) ne 'dummy';
}

sub _drop ( $suite, @points ) {
    my @drops      = _drops(@points) or return;
    my ($greatest) = sort { $b->{factor} <=> $a->{factor} } @drops;
    my @arguments  = sort { $a <=> $b } map { $_->{shorter}{argument} } @drops;
    return {
        kind   => 'longer',
        factor => $greatest->{factor},
        slow   => _told( $suite, $greatest->{shorter} ),
        fast   => [ _told( $suite, $greatest->{longer} ) ],
        sum    => $greatest->{longer},
        count  => scalar @drops,
        of     => scalar @points,
        first  => $arguments[0],
        last   => $arguments[-1],
    };
}

# Each message with the longer one that is most surely fast.
sub _drops (@points) {
    my ( @drops, $fast );
    for my $point ( reverse @points ) {
        push @drops,
          { shorter => $point, longer => $fast, factor => $point->{time} / $fast->{time} }
          if $fast && is_clearly_longer( $point, $fast );
        $fast = $point
          if defined $point->{error} && ( !$fast || at_most($point) <= at_most($fast) );
    }
    return @drops;
}

sub _told ( $suite, $point ) {
    return { suite => $suite, %{ where_in( $suite, $point ) }, %{$point}{qw(time error inexact)} };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Drops - longer messages that are faster than shorter ones

=head1 DESCRIPTION

A program could send the longer message, with anything in the rest of it, and be faster: most often the
library changes its protocol too late or too early, or the measurement was disturbed.

C<of(SELECTION, SUITE...)> returns, for every suite over the length in which that happens, a hash like
those of L<SKaMPI::Report::Guidelines>: kind is C<longer>, slow the shorter message, fast a list of the
longer one, at the greatest factor; count says for how many lengths there is a faster longer one. What
is clearly longer is said in L<SKaMPI::Report::Estimate>.

=cut
