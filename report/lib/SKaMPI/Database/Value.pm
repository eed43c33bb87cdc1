package SKaMPI::Database::Value;

# The value of a suite at an argument.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(value_at);

# The point of a suite at an argument, or one interpolated between its neighbours, linearly in the
# logarithms as a curve is drawn; with interpolated 0 or 1. Nothing is extrapolated. A suite without
# arguments has one point. Points of few repetitions are skipped.
sub value_at ( $suite, $argument ) {
    my @points = grep { ( $_->{time_us} // 0 ) > 0 && !$_->{few} } @{ $suite->{points} };
    return _measured( $points[0] ) if !defined $argument || !defined $suite->{first};
    my ( $below, $above );
    for my $point (@points) {
        return _measured($point) if $point->{argument} == $argument;
        $below = $point
          if $point->{argument} < $argument
          && ( !$below || $below->{argument} < $point->{argument} );
        $above = $point
          if $point->{argument} > $argument
          && ( !$above || $above->{argument} > $point->{argument} );
    }
    return if !$below || !$above || $below->{argument} <= 0;
    return _between( $below, $above, $argument );
}

sub _measured ($point) {
    return if !$point;
    return { %{$point}, interpolated => 0 };
}

sub _between ( $below, $above, $argument ) {
    my $part =
      log( $argument / $below->{argument} ) / log( $above->{argument} / $below->{argument} );
    my $time = $below->{time_us} * ( $above->{time_us} / $below->{time_us} )**$part;
    my @errors =
      map { defined $_->{time_error_us} ? $_->{time_error_us} / $_->{time_us} : undef } $below,
      $above;
    my $error =
      defined $errors[0] && defined $errors[1]
      ? $time * sqrt( ( ( 1 - $part ) * $errors[0] )**2 + ( $part * $errors[1] )**2 )
      : undef;
    my @marks =
      grep { $below->{$_} || $above->{$_} } qw(clock_limited contended unsteady);
    return {
        argument      => $argument,
        time_us       => $time,
        time_error_us => $error,
        interpolated  => 1,
        map { $_ => 1 } @marks
    };
}

1;

