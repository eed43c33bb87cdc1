package SKaMPI::Document::ApplicationRatios;

# What applications send: the times of one set (SKaMPI::Findings::ApplicationCosts) beside those of another.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Units               qw(with_mu);
use SKaMPI::Findings::ApplicationText qw(size_text time_text);
use SKaMPI::Stat::Estimate            qw(quotient);
use SKaMPI::Stat::Overhead            qw(mean_quotient);

our @EXPORT_OK = qw(datatype_ratios phase_rows);

# For each test of both sets: the times with datatypes of SET, divided by those of BASE; rows for
# SKaMPI::Figure::RatioPlot.
sub datatype_ratios ( $base, $set ) {
    my @found;
    for my $test ( $base->tests ) {
        my @ratios = map { _ratio( $set, $test, $_ ) } @{ $test->{sizes} } or next;
        my $mean   = mean_quotient(@ratios);
        push @found, { name => $test->{name}, %{$mean}, sizes => \@ratios };
    }
    @found = sort { $a->{ratio} <=> $b->{ratio} || $a->{name} cmp $b->{name} } @found;
    return @found;
}

sub _ratio ( $set, $test, $size ) {
    my $other = $set->size_of( $test->{name}, @{$size}{qw(bytes own)} ) or return;
    my ( $time, $reference ) = map { $_->{times}{ddt} } $other, $size;
    return $time && $reference ? quotient( $time, $reference ) : ();
}

# A row for each test, at the longest message that some of the sets have with manual packing or with
# datatypes built: name, size, and for each set six texts.
sub phase_rows ( $cases, @sets ) {
    my %row_of;
    my @names;
    for my $case ( @{$cases} ) {
        my ( $name, $bytes, $own ) = @{$case};
        my @sizes = map { scalar $_->size_of( $name, $bytes, $own ) } @sets;
        my @cells = map { [ _cells( $sets[$_], $sizes[$_] ) ] } 0 .. $#sets;
        next if !grep { length } map { @{$_} } @cells;
        push @names, $name if !$row_of{$name};
        next if $row_of{$name} && $row_of{$name}{bytes} > $bytes;
        $row_of{$name} = {
            name  => $name,
            bytes => $bytes,
            size  => size_text( { bytes => $bytes, own => $own } ),
            cells => \@cells
        };
    }
    return map { $row_of{$_} } @names;
}

# Round trip, packing, communication and unpacking of manual packing; building and freeing datatypes.
sub _cells ( $set, $size ) {
    return (q{}) x 6 if !$size;
    my $manual = $size->{times}{ $set->manual_method };
    my %phases = %{ $manual ? $manual->{phases} : {} };
    return map { $_ ? with_mu( time_text( { %{$_}, error => undef } ) ) : q{} } $manual,
      $phases{pack}, $phases{net} // $phases{communication}, $phases{unpack},
      @{$size}{qw(create free)};
}

1;

