package SKaMPI::Stat::Evidence;

# How certain the findings (SKaMPI::Findings::Cases) of a single report are. A factor of 1.2 at all arguments is
# stronger evidence than a factor of 3 at a single one, or than a factor of 2 with an error of 40 %.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max sum0);

use SKaMPI::Stat::Estimate  qw(quotient);
use SKaMPI::Stat::Estimates qw(median);

our @EXPORT_OK = qw(add_evidence);

# The errors of one launch do not contain the differences between launches, so none counts as smaller.
my $MIN_ERROR = 0.001;

# Adds to each finding its evidence. Its cases have the statistic of skampi-compare, T = ln(ratio) / (s + s0), with
# the standard error s of the logarithm, and s0, the median of s over all cases. An argument without a case counts
# as 0: the sum of T is divided by the root of the number of arguments.
sub add_evidence (@findings) {
    my @cases   = map { @{ $_->{cases} } } @findings;
    my @errors  = map { _error_of($_) } @cases;
    my $typical = max( $MIN_ERROR, median(@errors) );
    for my $i ( 0 .. $#cases ) {
        $cases[$i]{t} = abs( log $cases[$i]{factor} ) / ( $errors[$i] + $typical );
    }
    for my $finding (@findings) {
        my $sum = sum0( map { $_->{t} } @{ $finding->{cases} } );
        $finding->{evidence} = $sum / sqrt $finding->{of};
    }
    return;
}

# The logarithm of the ratio has this standard error.
sub _error_of ($case) {
    my $quotient = quotient( @{$case}{qw(slow sum)} );
    return ( $quotient->{error} // 0 ) / $quotient->{ratio};
}

1;

