package SKaMPI::ReportTest;

# Runs dorep.pl in a directory of its own and inspects its output.
use v5.36;

use Encode             qw(decode);
use Exporter           qw(import);
use IPC::Run           qw(run);
use SKaMPI::Prestarted qw(prestarted);
use SKaMPI::Results    qw(suite_head);
use SKaMPI::Test       qw($ROOT files_in workplace);
use Scalar::Util       qw(blessed);
use Test::More         ();

use SKaMPI::Document::Sides;
use SKaMPI::Document::SidesContent;
use SKaMPI::Document::Template;
use SKaMPI::Document::Texts qw(intro_parts text_parts);
use SKaMPI::Read::Suite;

our @EXPORT_OK =
  qw(compared why_not dorep intro_for page_of pdf_text pdf_pages text_for tidy tool workplace result_text
  files_in);

# Texts of reports, which are printed if a test fails.
binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $DOREP = "$ROOT/report/dorep.pl";

# Why the report cannot be tested here; empty if it can.
sub why_not () {
    for my $program (qw(gnuplot latex pdflatex dvips pdftotext pdfinfo)) {
        return "$program is missing (make deps)"
          if !grep { -x "$_/$program" } split /:/, $ENV{PATH};
    }
    return q{};
}

# Where TeX looks for fonts and formats that were generated on this machine. The tests hide them.
my @CACHES = qw(TEXMFHOME TEXMFVAR TEXMFCONFIG VARTEXFONTS);

# A hash of out, err, status and signal.
sub tool ( $directory, @command ) {
    my $nowhere = File::Temp->newdir;
    local @ENV{@CACHES} = ("$nowhere/none") x @CACHES;
    my ( $out, $err, $status ) = _run( $directory, @command );
    return {
        out    => decode( 'UTF-8', $out ),
        err    => decode( 'UTF-8', $err ),
        status => $status >> 8,
        signal => $status & 127
    };
}

sub _run ( $directory, @command ) {
    return prestarted( $directory, @command[ 1 .. $#command ] )
      if $command[0] eq $^X && $command[1] =~ m{/report/\w+[.]pl\z};
    my ( $out, $err ) = ( q{}, q{} );
    run \@command, '<', \undef, '>', \$out, '2>', \$err, init => sub { chdir $directory };
    return ( $out, $err, $? );
}

sub dorep ( $directory, @arguments ) {
    return tool( $directory, $^X, $DOREP, @arguments );
}

# The content of a comparison of results, each a side of its own.
sub compared (@outputs) {
    my $sides = SKaMPI::Document::Sides->of( map { [$_] } @outputs );
    return SKaMPI::Document::SidesContent->new( $sides, style => { fewest => 4, mono => 0 } );
}

# The LaTeX of a content without its preamble, which dorep.t checks in the PDF.
sub page_of ($content) {
    my $text = SKaMPI::Document::Template->new->text( $content->template, $content->data );
    return $text =~ s{.*(?=\\begin\{document\})}{}sr;
}

# The text of all pages; words that are broken across lines are not joined.
sub pdf_text ($path) {
    return tool( q{.}, 'pdftotext', '-enc', 'UTF-8', $path, q{-} )->{out};
}

sub pdf_pages ($path) {
    my ($count) = tool( q{.}, 'pdfinfo', $path )->{out} =~ /^Pages:\s+([0-9]+)/m;
    return $count;
}

# Complaints of tidy about an HTML file.
sub tidy ($path) {
    my $said = tool( q{.}, qw(tidy -q -e --show-info no), $path );
    return [ split /\n/, $said->{err} . $said->{out} ];
}

# A result file: fields of the header by name, and suites, each a hash of label, rows and, optionally,
# scale, varied, pattern and extra (a list of declarations).
sub result_text ( $fields, @suites ) {
    my $text = join q{}, map { "#\@$_ $fields->{$_}\n" } sort keys %{$fields};
    $text .= _suite_text($_) for @suites;
    return "$text#skampi finished.\n";
}

sub _suite_text ($suite) {
    return suite_head( $suite->{label}, %{$suite} ) . join "\n",
      ( map { "#\@EXTRA $_" } @{ $suite->{extra} // [] } ), @{ $suite->{rows} }, '#eol', q{};
}

# The texts of SKaMPI::Document::Texts as a whole, or undef if there is none. SUITE may be a label, or a hash of label
# and varied.
sub text_for ( $suite, @directories ) {
    my %of = ref $suite eq 'HASH' ? %{$suite} : ( label => $suite );
    $suite =
      SKaMPI::Read::Suite->new( $of{label}, 1 )->with( varied => $of{varied}, arguments => [] )
      if !blessed $suite;
    return _joined( text_parts( $suite, @directories ) );
}
sub intro_for (@of) { return _joined( intro_parts(@of) ) }

sub _joined (@paragraphs) {
    return undef if !@paragraphs;    ## no critic (ProhibitExplicitReturnUndef): an argument of is
    my @texts = map {
        [ map { $_->{text} } @{$_} ]
    } @paragraphs;
    return join "\n\n", map { join "\n", @{$_} } @texts;
}

1;
