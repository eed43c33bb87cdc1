package SKaMPI::Database::Chart::Colours;

# Colours that stay with a series, and the other styles of its slot for gnuplot.
use v5.36;

use Digest::SHA qw(sha256);
use Encode      qw(encode);
use Exporter    qw(import);

our @EXPORT_OK = qw(colour_of dash_of mark_of slots);

# Colours that people with any colour vision can distinguish (Okabe and Ito), darkened where they are light,
# and four more. The style sheet has the colours of a dark page.
my @COLOURS =
  qw(0072b2 d55e00 009e73 b65a8f 2e8bc0 a87400 000000 6a3d9a 8c510a 7f7f7f c51b4b 4d7c0f);

my @DASHES = ( 'solid', q{'-'}, q{'.-'} );
my @MARKS  = ( 7, 5, 9, 11, 13, 6, 4, 8, 10, 12, 2, 1 );

# The number of the colour for each series, by a text that says what the series is. A series whose
# colour an earlier one already has gets the next free colour, so hiding or adding series does not
# change the colours of most others.
sub slots (@identities) {
    my ( %taken, @slots );
    for my $identity (@identities) {
        my $slot = unpack( 'N', sha256( encode( 'UTF-8', $identity ) ) ) % @COLOURS;
        $slot = ( $slot + 1 ) % @COLOURS while $taken{$slot} && keys %taken < @COLOURS;
        $taken{$slot} = 1;
        push @slots, $slot;
    }
    return @slots;
}

sub colour_of ($slot) { return "#$COLOURS[ $slot % @COLOURS ]" }
sub dash_of   ($slot) { return $DASHES[ $slot % @DASHES ] }
sub mark_of   ($slot) { return $MARKS[ $slot % @MARKS ] }

1;

