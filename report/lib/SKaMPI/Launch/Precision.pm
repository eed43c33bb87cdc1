package SKaMPI::Launch::Precision;

# How well the launches of one configuration know its values: intervals between launches. ASKED are the points that the
# user asks for: hashes of expression (of the label), from and to (of the argument); none: all points.
use SKaMPI::Base;

use List::Util qw(any max sum0);

use SKaMPI::Base::Units     qw(counted format_percent);
use SKaMPI::Verdict::Points qw(points_of);
use SKaMPI::Verdict::Launch qw(once_lines);
use SKaMPI::Verdict::Order  qw(drift_warning);
use SKaMPI::Verdict::Text   qw(argument_of);
use SKaMPI::Stat::Estimate  qw(estimate_mean median);

our @EXPORT_OK = qw(precision_lines widest_interval widest_text);

# The point with the widest interval between launches, as a hash of point and width: how much larger the upper limit is
# than the lower one, by Student's t. undef without two launches.
sub widest_interval ( $asked, @launches ) {
    my $widest;
    for my $point ( _points( $asked, @launches ) ) {
        my ( undef, undef, $half ) = estimate_mean( grep { defined } @{ $point->{base} } );
        return if !defined $half;
        my $width = exp( 2 * $half ) - 1;
        $widest = { point => $point, width => $width } if !$widest || $width > $widest->{width};
    }
    return $widest;
}

sub _points ( $asked, @launches ) {
    my ($points) = points_of( ( \@launches ) x 2 );
    return @{$points} if !@{$asked};
    return grep {
        my ( $label, $argument ) = ( $_->{label}, $_->{argument} // 0 );
        any {
                 $label =~ $_->{expression}
              && $argument >= ( $_->{from} // 0 )
              && $argument <=
              ( $_->{to} // 'inf' )
        } @{$asked}
    } @{$points};
}

sub widest_text ($widest) {
    return 'widest interval ' . format_percent( $widest->{width} ) . ' at ' . join q{ },
      $widest->{point}{label},
      grep { length } argument_of( $widest->{point} );
}

# Lines about a configuration: its precision, and how to improve it.
sub precision_lines ( $name, $asked, @launches ) {
    my @lines  = ( "$name: " . counted( scalar @launches, 'launch', 'launches' ) );
    my @once   = once_lines(@launches);
    my $widest = widest_interval( $asked, @launches ) // return ( @lines, @once );
    $lines[0] .= '; ' . widest_text($widest);
    push @lines, _advice( $asked, @launches );
    my $warning = drift_warning( $name, \@launches );
    push @lines, "  warning: $warning" if defined $warning;
    return ( @lines, @once );
}

# Advice by the variance of a value from launch to launch, and the part of it that the errors within the launches
# explain: the medians over the points of the standard deviations. Requires two launches.
sub _advice ( $asked, @launches ) {
    my ( @between, @within );
    for my $point ( _points( $asked, @launches ) ) {
        my ( undef,  $sd )       = estimate_mean( grep { defined } @{ $point->{base} } );
        my ( $label, $argument ) = ( $point->{label}, $point->{argument} // q{} );
        my @errors =
          grep { defined } map { ( $_->{suites}{$label} // {} )->{errors}{$argument} } @launches;
        next if !defined $sd || !@errors;
        my $within = sum0( map { $_**2 } @errors ) / @errors;
        push @within,  sqrt $within;
        push @between, sqrt max( 0, $sd**2 - $within );
    }
    return if !@between;
    my ( $between, $within ) = map { median( @{$_} ) } \@between, \@within;
    my $what =
      $between >= $within
      ? 'more launches help, more repetitions do not'
      : 'more repetitions help (a smaller Standard_error), or more launches';
    return sprintf '  standard deviation between launches %s, standard error within one %s: %s',
      format_percent($between), format_percent($within), $what;
}

1;
