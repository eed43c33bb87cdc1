package SKaMPI::Document::Document;

# Fills the LaTeX templates of the report.
use SKaMPI::Base;

use SKaMPI::Document::Template;
use SKaMPI::Safe::Escape qw(tex);

# Every value in a template passes one of these filters: tex for values that may come from a file, raw for
# LaTeX. tests/report/document.t checks this. FILTER escapes texts for LaTeX, or for SKaMPI::Document::Markup.
sub new ( $class, $filter = \&tex ) {
    my %filters = ( tex => $filter, raw => sub ($text) { return $text } );
    return bless { engine => SKaMPI::Document::Template->new(%filters) }, $class;
}

sub text ( $self, $template, $data ) { return $self->{engine}->filled( $template, $data ) }

1;
