package SKaMPI::Database::StoredPoints;

# The points of a suite as one text, as it is read and written as a whole: a run has 100 rows instead of 1,400.
use SKaMPI::Base;

use SKaMPI::Base::Json      qw(from_json to_json);
use SKaMPI::Export::Columns qw(reader_of);

# The columns of a point (SKaMPI::Export::Columns) as they are kept, without the derived bandwidth; add new ones last.
my @COLUMNS = qw(argument time_us time_error_us count time_all_us time_all_error_us count_all
  min_us p25_us median_us p75_us max_us stop invalid refined runs runs_of within_us extra accuracy few contended
  clock_limited unsteady marks);
my $OF_ROW = reader_of( point => @COLUMNS );

# Packs the rows of a SKaMPI::Read::Suite; the line of each is the first value.
sub pack_points ($suite) {
    my @points = map { [ $_->{line}, $OF_ROW->( $suite, $_ ) ] } @{ $suite->rows };
    for my $values (@points) {
        pop @{$values} while @{$values} && !defined $values->[-1];
    }
    return to_json( \@points );
}

# Returns hashes of a point's columns and of line, that of the file. FACTOR is that of the suite's bandwidth, or undef.
sub unpack_points ( $text, $factor = undef ) {
    my @points;
    for my $values ( @{ from_json($text) } ) {
        my %point;
        @point{ 'line', @COLUMNS } = @{$values};
        undef $point{few} if ( $point{few} // 'yes' ) ne 'yes';
        my ( $argument, $time ) = @point{qw(argument time_us)};
        $point{bandwidth_MBps} =
          $factor && $argument && $time && $time > 0
          ? 0 + sprintf '%.6g', $factor * $argument / $time
          : undef;
        push @points, \%point;
    }
    return @points;
}

1;
