package SKaMPI::Launch::Times;

# The times that launches of one configuration have in common: each the geometric mean over the launches, with its 95 %
# interval between them or, of a single launch, its standard error.
use SKaMPI::Base;

use SKaMPI::Base::Table     qw(table_lines);
use SKaMPI::Base::Units     qw(format_error format_with_error);
use SKaMPI::Verdict::Points qw(points_of);
use SKaMPI::Verdict::Text   qw(argument_of);
use SKaMPI::Meaning::Marks  qw(mark_words marked);
use SKaMPI::Stat::Estimate  qw(estimate_mean);

our @EXPORT_OK = qw(time_data time_lines);

# Hashes of label, argument, column, time, low and high (undef for a single launch) and error (relative, of the first).
sub _times (@launches) {
    my ($points) = points_of( ( \@launches ) x 2 );
    my @times;
    for my $point ( grep { !$_->{part} } @{$points} ) {
        my ( $mean, undef, $half ) = estimate_mean( grep { defined } @{ $point->{base} } );
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
    my $sure  = $is_single ? 'error>' : '95 % between launches';
    my @words = mark_words( map { { marks => $_->{base_marks} } } @times );
    return ( table_lines( [ '  suite', qw(argument:13> time>), $sure ], @rows ),
        @words ? '  ' . join( ', ', @words ) : () );
}

1;
