package SKaMPI::Document::Html;

# The report as one HTML file that needs no other.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Json     qw(to_json);
use SKaMPI::Base::TextFile qw(number_of shipped_text);
use SKaMPI::Document::Template;
use SKaMPI::Document::Markup;
use SKaMPI::Safe::Escape qw(html);

# The content security policy: nothing is loaded from anywhere.
my $POLICY =
    q{default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;}
  . q{ base-uri 'none'; form-action 'none'};

# Returns the characters, and the LaTeX commands that it could not show. PLOT returns the HTML of a plot by its name.
sub html_of ( $content, $plot ) {
    my @values;
    my $document = SKaMPI::Document::Template->new(
        sub ($text) {
            push @values, $text;
            return SKaMPI::Document::Markup::value($#values);
        }
    );
    my %files = map { ( "$_->{id}.tmd" => $document->text( 'suite', { suite => $_ } ) ) }
      map { $_->data } grep { $_->isa('SKaMPI::Document::SuiteView') } $content->views;
    my $data  = $content->data;
    my $latex = $document->text( $content->template, $data );
    my $markup =
      SKaMPI::Document::Markup->new( values => \@values, files => \%files, plot => $plot );
    my ($body) = $latex =~ /\\begin\{document\}(.*)\\end\{document\}/s;
    my $html   = $markup->rendered($body);
    my @rows   = map {
        { file => $_->name, suites => [ map { _rows( $content, $_ ) } $_->suites ] }
    } $content->outputs;

    # No text in it can end the script.
    my $json = to_json( \@rows ) =~ s/([<>&\x{2028}\x{2029}])/sprintf '\\u%04x', ord $1/ger;
    my ( $style, $script ) =
      map { shipped_text("page/figure.$_") . shipped_text("page/report.$_") } qw(css js);
    my $page = join "\n", '<!DOCTYPE html>', '<html lang="en">', '<head>', '<meta charset="utf-8">',
      qq{<meta http-equiv="Content-Security-Policy" content="$POLICY">},
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">', '<link rel="icon" href="data:,">',
      '<title>MPI performance of ' . html( $data->{machine} ) . '</title>',
      "<style>\n$style</style>", '</head>', '<body>', "<main>\n$html</main>",
      '<script type="application/json" id="rows">' . $json . '</script>',
      "<script>\n$script</script>", '</body>', '</html>';
    return ( "$page\n", sort { $a cmp $b } $markup->unknown );
}

my @COLUMNS = qw(argument time error count time_all error_all count_all);

sub _rows ( $content, $suite ) {
    my @rows    = @{ $suite->rows };
    my @columns = grep {
        my $name = $_;
        any { defined $_->{$name} } @rows
    } @COLUMNS;
    my %extra  = map  { %{ $_->{extras} // {} } } @rows;
    my @extras = grep { defined $extra{$_} } sort keys %extra;
    my @names  = map  { /\A(?:time|error)/ ? "${_}_us" : $_ } @columns;
    return {
        suite => $suite->label,
        id    => scalar $content->id_of( $suite->label ),
        names => [ @names, @extras ],
        rows  => [
            map {
                my @texts = ( @{$_}{@columns}, @{ $_->{extras} // {} }{@extras} );
                [ map { number_of($_) // $_ } @texts ]
            } @rows
        ],
    };
}

1;
