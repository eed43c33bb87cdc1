package SKaMPI::Base::Words;

# Parts of sentences.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);

our @EXPORT_OK = qw(factor_text list_text ratio_text);

# Three digits: 1.05, 23.4, 812; of small factors four decimals: 0.0312.
sub factor_text ($factor) {
    return sprintf '%.*f', _decimals($factor), $factor;
}

sub _decimals ($factor) {
    return $factor < 0.1 ? 4 : $factor < 10 ? 2 : $factor < 100 ? 1 : 0;
}

# A factor with its standard error: 1.05 ± 0.02. An error that is undefined or 0 is omitted.
# The error is rounded to the digits of the ratio, but not to 0.
sub ratio_text ( $ratio, $error ) {
    return factor_text($ratio) if !$error;
    my $decimals = _decimals($ratio);
    return sprintf "%s \x{b1} %.*f", factor_text($ratio), $decimals, max( $error, 10**-$decimals );
}

# list_text(TEXT...): a, b and c.
sub list_text (@texts) {
    my $last = pop @texts;
    return @texts ? join( ', ', @texts ) . " and $last" : $last;
}

1;

