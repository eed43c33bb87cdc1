package SKaMPI::Compare::ComparisonPdf;

# The report of skampi-compare. comparison_pdf(RESULT, BASE, NEW) returns the bytes of a PDF file
# that begins with the comparison RESULT (SKaMPI::Compare::Result). BASE and NEW are lists of
# SKaMPI::Read::Output. Dies if a program is missing or fails.
use v5.36;

use Exporter qw(import);

use SKaMPI::Compare::SidesContent;
use SKaMPI::Compare::Sides;
use SKaMPI::Document::Press;

our @EXPORT_OK = qw(comparison_pdf);

# The bytes of dorep's report of two sides, each a list of SKaMPI::Read::Output. RESULT is their comparison.
sub comparison_pdf ( $result, @sides ) {
    my $press = SKaMPI::Document::Press->new( formats => ['pdf'] );
    $press->look_for_tools;
    my $sides   = SKaMPI::Compare::Sides->with_results( \@sides, $result );
    my $content = SKaMPI::Compare::SidesContent->new( $sides, style => { fewest => 4, mono => 0 } );
    $press->prepare($content);
    $press->draw;
    $press->typeset;
    return $press->bytes('pdf');
}

1;

