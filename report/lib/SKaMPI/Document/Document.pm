package SKaMPI::Document::Document;

# Fills the LaTeX templates of the report.
use SKaMPI::Base;

use Template ();

use SKaMPI::Base::TextFile qw(shipped_path);
use SKaMPI::Safe::Escape   qw(tex);

# Every value in a template passes one of these filters: tex for values that may come from a file, raw for
# LaTeX. tests/report/document.t checks this.
my %FILTERS = ( tex => \&tex, raw => sub ($text) { return $text } );

# The template engine, shared by all documents, as it keeps the templates that it has read.
sub _engine () {
    state $engine = Template->new(
        {
            INCLUDE_PATH => shipped_path('templates'),
            FILTERS      => \%FILTERS,
            ENCODING     => 'UTF-8',
            STRICT       => 1,
            TAG_STYLE    => 'template',
            TRIM         => 0,
        }
    ) // die Template->error . "\n";
    return $engine;
}

# FILTER escapes texts for LaTeX, or for SKaMPI::Document::Markup.
sub new ( $class, $filter = $FILTERS{tex} ) {
    return bless { engine => _engine(), filter => $filter }, $class;
}

# TEMPLATE.tt filled with DATA.
sub text ( $self, $template, $data ) {
    my $text = q{};
    $self->{engine}->context->define_filter( tex => $self->{filter} );
    $self->{engine}->process( "$template.tt", $data, \$text )
      or die 'template ' . $self->{engine}->error . "\n";
    return $text;
}

1;
