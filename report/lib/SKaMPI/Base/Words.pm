package SKaMPI::Base::Words;

use v5.36;

use Exporter   qw(import);
use List::Util qw(max);

our @EXPORT_OK = qw(factor_text list_text ratio_text);

sub factor_text ($factor) {
    return sprintf '%.*f', _decimals($factor), $factor;
}

sub _decimals ($factor) {
    return $factor < 0.1 ? 4 : $factor < 10 ? 2 : $factor < 100 ? 1 : 0;
}

# The error is rounded to the digits of the ratio, but not to 0.
sub ratio_text ( $ratio, $error ) {
    return factor_text($ratio) if !$error;
    my $decimals = _decimals($ratio);
    return sprintf "%s \x{b1} %.*f", factor_text($ratio), $decimals, max( $error, 10**-$decimals );
}

# "a", "a and b", "a, b and c"
sub list_text (@texts) {
    my $last = pop @texts;
    return @texts ? join( ', ', @texts ) . " and $last" : $last;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Base::Words - parts of sentences

=head1 DESCRIPTION

=over

=item factor_text(FACTOR)

Three digits: C<1.05>, C<23.4>, C<812>; of small factors four decimals: C<0.0312>.

=item ratio_text(RATIO, ERROR)

A factor with its standard error: C<1.05 ± 0.02>. An error that is undefined or 0 is omitted.

=item list_text(TEXT...)

C<a, b and c>.

=back

=cut
