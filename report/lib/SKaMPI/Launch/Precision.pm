package SKaMPI::Launch::Precision;

# The times that launches of one configuration have in common, each the geometric mean over the launches, and how well
# they know them: by intervals between launches or, of a single launch, its standard error. ASKED are the points that
# the user asks for: hashes of expression (of the label), from and to (of the argument); none: all points.
use SKaMPI::Base;

use List::Util qw(any max sum0);

use SKaMPI::Base::Table     qw(table_lines);
use SKaMPI::Base::Units     qw(counted format_error format_percent format_with_error);
use SKaMPI::Meaning::Marks  qw(mark_lines marked);
use SKaMPI::Verdict::Points qw(points_of);
use SKaMPI::Verdict::Launch qw(once_lines);
use SKaMPI::Verdict::Order  qw(drift_warning);
use SKaMPI::Verdict::Text   qw(argument_of);
use SKaMPI::Stat::Estimate  qw(estimate_mean median);

# The point with the widest interval between launches, as a hash of point and width: how much larger the upper limit is
# than the lower one, by Student's t. undef without two launches.
sub widest_interval ( $asked, @launches ) {
    my $widest;
    for my $point ( _points( $asked, @launches ) ) {
        my $half  = $point->{half} // return;
        my $width = exp( 2 * $half ) - 1;
        $widest = { point => $point, width => $width } if !$widest || $width > $widest->{width};
    }
    return $widest;
}

# Points (SKaMPI::Verdict::Points) with middle, deviation and half of the interval, of logarithms.
sub _points ( $asked, @launches ) {
    my ($points) = points_of( ( \@launches ) x 2 );
    @{$_}{qw(middle deviation half)} = estimate_mean( grep { defined } @{ $_->{base} } )
      for @{$points};
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
        my ( $label, $argument, $sd ) = @{$point}{qw(label argument deviation)};
        my @errors =
          grep { defined }
          map { ( $_->{suites}{$label} // {} )->{errors}{ $argument // q{} } } @launches;
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

# Hashes of label, argument, column, time, low and high (undef for a single launch) and error (relative, of the first).
sub _times (@launches) {
    my @times;
    for my $point ( grep { !$_->{part} } _points( [], @launches ) ) {
        my ( $mean, $half ) = @{$point}{qw(middle half)};
        my $errors = $launches[0]{suites}{ $point->{label} }{errors};
        my %time   = ( time => exp $mean, error => $errors->{ $point->{argument} // q{} } );
        @time{qw(low high)} = map { exp } $mean - $half, $mean + $half if defined $half;
        push @times, { %{$point}{qw(label argument column base_marks)}, %time };
    }
    return @times;
}

# The times as data of JSON (report/schema.txt).
sub time_data (@launches) {
    return [
        map {
            {
                suite         => $_->{label},
                argument      => $_->{argument},
                argument_unit => ( $_->{column} // {} )->{unit},
                time_us       => $_->{time},
                time_low_us   => $_->{low},
                time_high_us  => $_->{high}
            }
        } _times(@launches)
    ];
}

# A table for the terminal, and what its marks mean; each suite is named once.
sub time_lines (@launches) {
    my ( $last, @rows ) = q{};
    my @times     = _times(@launches);
    my $is_single = @launches < 2;
    for my $time (@times) {
        my ( $us, $low, $high, $error ) = @{$time}{qw(time low high error)};
        my $half = $error && $us * $error;
        $half = defined $low ? ( $high - $low ) / 2 : undef if !$is_single;
        my @ends = map { format_with_error( $_, $half, 'time' ) } grep { defined } $low, $high;
        push @rows,
          [
            $time->{label} eq $last ? q{} : "  $time->{label}",
            argument_of($time),
            marked( format_with_error( $us, $half, 'time' ), { marks => $time->{base_marks} } ),
            $is_single ? format_error($error) : join( ' to ', @ends ) || q{-}
          ];
        $last = $time->{label};
    }
    my $sure = $is_single ? 'error>' : '95 % between launches';
    return (
        table_lines( [ '  suite', qw(argument:13> time>), $sure ], @rows ),
        map { "  $_" } mark_lines( map { $_->{base_marks} } @times )
    );
}

1;
