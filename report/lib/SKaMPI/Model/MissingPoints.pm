package SKaMPI::Model::MissingPoints;

# The points that a model lacks, as a parameter file.
use SKaMPI::Base;

use List::Util qw(max min);

use SKaMPI::Read::PointsFile qw(kept_sections suite_text);
use SKaMPI::Stat::Pieces     qw(value_at);

our @EXPORT_OK = qw(points_file);

# New lengths in a break, and the residual at which a point hints at another piece.
my $COUNT = 12;
my $SIGMA = 5;

# The text of the file, with suites like those of the results: 12 lengths within each break whose place is not known to
# 1 %, and about points that are far off their line, where a short piece may be. Empty if nothing is missing.
sub points_file ( $fit, $output ) {
    my @suites;
    for my $found ( map { $fit->{curves}{$_} } sort keys %{ $fit->{curves} } ) {
        my $curve = $found->{curve};
        my $name  = $curve->{name} =~ s/\W+/-/gr;
        for
          my $gap ( _joined( ( grep { $_->{wide} } @{ $found->{breaks} } ), _suspicious($found) ) )
        {
            my ( undef, $text ) = suite_text( @{$curve}{qw(output suite)}, _range($gap) );
            push @suites, "$name-$gap->{low} { $text }" if defined $text;
        }
    }
    return q{} if !@suites;
    return join "\n", '@COMMENT', 'Points that skampi-model lacked.', kept_sections($output),
      '@OUTFILE points.out', '@LOGFILE points.log', '@MEASUREMENTS', @suites, q{};
}

# The neighbourhoods of points that are off the fit.
sub _suspicious ($found) {
    return if $found->{curve}{role} eq 'gap';
    my ( @points, @found ) = @{ $found->{curve}{points} };
    for my $i ( keys @points ) {
        my ( $at, $value, $sigma ) = @{ $points[$i] }{qw(argument value sigma)};
        next if abs( value_at( $at, @{ $found->{pieces} } ) - $value ) <= $SIGMA * $sigma;
        my @beside = @points[ max( 0, $i - 1 ), min( $#points, $i + 1 ) ];
        push @found, { low => $beside[0]{argument}, high => $beside[1]{argument} };
    }
    return @found;
}

sub _joined (@gaps) {
    my @joined;
    for my $gap ( sort { $a->{low} <=> $b->{low} } @gaps ) {
        my $before = @joined && $gap->{low} < $joined[-1]{high} ? pop @joined : $gap;
        push @joined, { low => $before->{low}, high => max( $before->{high}, $gap->{high} ) };
    }
    return @joined;
}

sub _range ($gap) {
    my ( $low, $high ) = ( max( 1, $gap->{low} ), $gap->{high} );
    my $step   = ( $high / $low )**( 1 / ( $COUNT + 1 ) );
    my @fields = qw(Scale Stepwidth Start_Argument End_Argument);
    my %value  = ( Variation => 'Length', Max_Steps => $COUNT );
    @value{@fields} =
      $high - $low <= $COUNT + 1
      ? ( 'Fixed_linear', 1, $low + 1, $high - 1 )
      : (
        'Fixed_log',
        sprintf( '%.9f', $step ),
        int( $low * $step + 0.5 ),
        int( $high / $step + 0.5 )
      );
    return %value;
}

1;
