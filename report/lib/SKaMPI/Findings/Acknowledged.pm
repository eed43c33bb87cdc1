package SKaMPI::Findings::Acknowledged;

# A second opinion on the synchronised MPI_Bcast. Type 170, bcast_by_ack, measures MPI_Bcast without
# a global clock. Its times are compared with those of type 47 of the same attributes
# (SKaMPI::Meaning::Subject), at the arguments that both have measured.
use SKaMPI::Base;

use List::Util qw(first max uniq);

use SKaMPI::Base::Units qw(format_argument format_time ratio_text);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Subject qw(axis_of operation_of pattern_of variant_of);
use SKaMPI::Stat::Estimate   qw(is_beyond is_vague quotient);

my @CHECK  = qw(check bcast_by_ack);
my @OF     = qw(syncol MPI_Bcast);
my $METHOD = 0.1;    # by how much both differ on real machines whose clocks are right

# Each time is between two readings of a clock.
my $READINGS = 2;

# Notes on the page of a suite: how its times compare with the synchronised ones.
sub acknowledged_notes ( $output, $suite ) {
    return if pattern_of($suite) ne $CHECK[0] || operation_of($suite) ne $CHECK[1];
    my @compared = _compared( $output, $suite )
      or return 'The results have no synchronised MPI_Bcast to compare this with.';
    my @sorted = sort { $a->{ratio} <=> $b->{ratio} } grep { !is_vague($_) } @compared
      or return 'Synchronised times cannot be compared with these: errors are above 50 %.';
    my @ratios = uniq map { ratio_text( @{$_}{qw(ratio error)} ) } @sorted[ 0, -1 ];
    my $count  = @sorted;
    my $text   = "By acknowledgement, MPI_Bcast takes $ratios[0]";
    $text .= " to $ratios[1]" if @ratios > 1;
    $text .= ' times as long as synchronised';
    $text .= ", at $count arguments" if $count > 1;
    return ( "$text.", map { ucfirst "$_." } _warnings_of(@compared) );
}

# A sentence without its full stop for each such suite whose times differ by 10 %, two ticks and readings of the clock,
# and half of an empty round trip, beyond two errors of their quotient (SKaMPI::Stat::Estimate).
sub acknowledged_warnings ($output) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @suites    = map { $selection->suites( @CHECK, $_ ) } qw(length nodes);
    return map { _warnings_of( _compared( $output, $_ ) ) } @suites;
}

# Compares two suites at all arguments that both have measured. The time of an acknowledgement is half of a round trip
# between processes that wait for nothing else; after a broadcast, it may differ by as much.
sub _compared ( $output, $suite ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my $wanted    = variant_of($suite);
    my $other =
      first { variant_of($_) eq $wanted } $selection->suites( @OF, axis_of($suite) );
    return if !$other;
    my ( $tick, $cost ) = @{ $output->fact('TIMER') }{qw(tick_us cost_us)};
    my $least = $READINGS * ( ( $tick // 0 ) + ( $cost // 0 ) );
    my $curve = $selection->curve_of($other);
    my @compared;

    for my $point ( $selection->curve_of($suite)->points ) {
        my $there = $curve->at( $point->{argument} );
        next if !$there || $there->{interpolated};
        my ($way) = $suite->extra( $point->{row}, 'way' );
        my ( $short, $long ) = sort { $a->{time} <=> $b->{time} } $point, $there;
        my $differs = 1 + max( $METHOD, max( $least, $way // 0 ) / $short->{time} );
        push @compared,
          {
            %{ quotient( $point, $there ) },
            times    => [ $point->{time}, $there->{time} ],
            text     => format_argument( $point->{argument}, $suite->arguments->[0] ),
            disagree => is_beyond( quotient( $long, $short ), $differs ),
          };
    }
    return @compared;
}

# A warning for each suite, at the argument with the largest difference.
sub _warnings_of (@compared) {
    my @apart   = grep { $_->{disagree} } @compared or return;
    my ($worst) = sort { abs( log $b->{ratio} ) <=> abs( log $a->{ratio} ) } @apart;
    my $ratio   = ratio_text( @{$worst}{qw(ratio error)} );
    my $times   = join ' against ', map { format_time($_) } @{ $worst->{times} };
    my $count   = @apart;
    my $more    = @compared > 1 ? " at $count of " . @compared . ' arguments' : q{};
    return "MPI_Bcast by acknowledgement and synchronised differ beyond both errors$more, most at"
      . " $worst->{text}: $ratio times ($times); the clocks or the machine have changed in between";
}

1;
