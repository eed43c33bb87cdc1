package SKaMPI::Stat::Verdicts;

# Slower, faster, no difference, or undecided. judge(POINT, SETTINGS) takes a point with its ratio,
# interval (SKaMPI::Stat::Estimates), adjusted p (SKaMPI::Stat::MaxT) and threshold, and adds
# verdict:
#   slower, faster  p is at most alpha, and the ratio is at least the threshold
#   no difference   the whole 95 % interval is within the threshold
#   undecided       anything else; needed is how many launches a side would decide
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);
use POSIX      qw(ceil);

our @EXPORT_OK = qw(judge launches_needed verdict_counts verdicts);

# In the order in which they are printed.
my @VERDICTS = ( 'slower', 'faster', 'undecided', 'no difference' );

# The normal quantile for a power of 80 %.
my $POWER = 0.84;

# A larger number of launches is not advice.
my $MOST = 1_000_000;

sub verdicts () {
    return @VERDICTS;
}

# Adds the verdict, and for an undecided point how many launches a side would decide. SETTINGS is a hash of
# alpha and critical, the smallest significant |T|.
sub judge ( $point, $settings ) {
    my $effect = log( 1 + $point->{threshold} );
    my $log    = $point->{log};
    $point->{verdict} =
      $point->{p} <= $settings->{alpha} && abs $log >= $effect ? ( $log > 0 ? 'slower' : 'faster' )
      : _is_within( $point, $effect )                          ? 'no difference'
      :                                                          'undecided';
    $point->{needed} = launches_needed( $point, $settings->{critical} )
      if $point->{verdict} eq 'undecided';
    return;
}

# The whole interval is within the threshold.
sub _is_within ( $point, $effect ) {
    return log $point->{low} >= -$effect && log $point->{high} <= $effect;
}

# 2 ((c + 0.84) s / ln(1 + e))^2 launches a side find a difference of the threshold e in 80 % of the cases.
# More than there are, since these did not decide.
sub launches_needed ( $point, $critical ) {
    return if !defined $point->{sd} || $critical == 'inf';
    my $count =
      ceil( 2 * ( ( $critical + $POWER ) * $point->{sd} / log( 1 + $point->{threshold} ) )**2 );
    $count = max( $count, 1 + max( @{$point}{qw(base_count new_count)} ) );
    return $count <= $MOST ? $count : undef;
}

sub verdict_counts (@points) {
    my %count = map { $_ => 0 } @VERDICTS;
    $count{ $_->{verdict} }++ for grep { defined $_->{verdict} } @points;
    return \%count;
}

1;

