package SKaMPI::Verdict::Csv;

# Sides (SKaMPI::Verdict::Sides) as CSV: a row for each point and side but the first.
use SKaMPI::Base;

use SKaMPI::Base::Table    qw(csv_text);
use SKaMPI::Stat::Estimate qw(mean);

our @EXPORT_OK = qw(comparison_columns rounded sides_csv);

# The exported columns of a point: name, and value.
my @COLUMNS = (
    [ suite           => sub ($point) { return $point->{label} } ],
    [ argument        => sub ($point) { return $point->{argument} } ],
    [ argument_unit   => sub ($point) { return ( $point->{column} // {} )->{unit} } ],
    [ base_us         => sub ($point) { return rounded( $point->{base_value} ) } ],
    [ new_us          => sub ($point) { return rounded( $point->{new_value} ) } ],
    [ base_launches   => sub ($point) { return $point->{base_count} } ],
    [ new_launches    => sub ($point) { return $point->{new_count} } ],
    [ ratio           => sub ($point) { return rounded( $point->{ratio} ) } ],
    [ ratio_low       => sub ($point) { return rounded( $point->{low} ) } ],
    [ ratio_high      => sub ($point) { return rounded( $point->{high} ) } ],
    [ p_adjusted      => sub ($point) { return defined $point->{p} ? 0 + $point->{p} : undef } ],
    [ threshold       => sub ($point) { return rounded( $point->{threshold} ) } ],
    [ verdict         => sub ($point) { return $point->{verdict} } ],
    [ launches_needed => sub ($point) { return $point->{needed} } ],
    [ base_marks      => sub ($point) { return $point->{base_marks} } ],
    [ new_marks       => sub ($point) { return $point->{new_marks} } ],
    [ part            => sub ($point) { return $point->{part} } ],
    map {
        my $slow = $_;
        [ $slow => sub ($of) { return $of->{$slow} && rounded( mean( @{ $of->{$slow} } ) ) } ]
    } qw(base_slow new_slow)
);

# The columns that its second number, the mean, has as well.
my %OF_MEAN =
  map { $_ => 1 } qw(base_us new_us ratio ratio_low ratio_high p_adjusted threshold verdict);
my @MEAN = (
    [ time_verdict => sub ($point) { return $point->{time_verdict} // $point->{verdict} } ],
    map {
        my ( $name, $value_of ) = @{$_};
        [ "mean_$name" =>
              sub ($point) { return $point->{mean} ? $value_of->( $point->{mean} ) : undef } ]
    } grep { $OF_MEAN{ $_->[0] } } @COLUMNS
);

my @SIDES = map {
    my $side = $_;
    [ "${side}_side" => sub ($point) { return $point->{side}{$side} } ]
} qw(base new);

sub comparison_columns () { return ( @COLUMNS, @MEAN ) }

sub rounded ($value) {
    return defined $value ? 0 + sprintf '%.9g', $value : undef;
}

sub sides_csv ( $sides, $ ) {
    my ( $base, @names ) = $sides->names;
    my @results = $sides->comparisons;
    my @rows    = map {
        my %side = ( base => $base, new => $names[$_] );
        map { +{ %{$_}, side => \%side } } $results[$_]->points
    } keys @results;
    return csv_text( [ @COLUMNS, @SIDES, @MEAN ], @rows );
}

1;
