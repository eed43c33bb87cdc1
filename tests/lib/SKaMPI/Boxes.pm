package SKaMPI::Boxes;

# Checks what a reader of the PDF sees: full pages, texts that do not touch, large plots, and no sentence twice.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max min);
use Test::More;

use SKaMPI::ReportTest qw(files_in pdf_text tool);
use SKaMPI::Test       qw(read_file);

our @EXPORT_OK = qw($FULL part_with_text pages_are_right touching);

# In points: the upper and lower end of the text on a page, and what a word may extend into another.
my $POINTS = 72 / 25.4;
my ( $TOP, $BOTTOM ) = ( 17 * $POINTS, ( 297 - 15 ) * $POINTS );
my $RIGHT = ( 210 - 17 ) * $POINTS;
my ( $ACROSS, $BELOW ) = ( 1, 0.5 );

# The part of a page that must have text, and the part of a word's box without ink, above and below.
our $FULL = 2 / 3;
my $INKLESS = 0.2;

# The height of words of headings, and the longest introduction.
my ( $LARGE, $INTRODUCTION ) = ( 10.5, 27 * $POINTS );

# The size of a plot in centimetres, and the most characters of a sentence that may recur.
my ( $WIDTH, $HEIGHT, $SHORT ) = ( 6, 4.5, 50 );

# The words of each page: hashes of text and of the ends of their boxes, without the page number.
sub pages_of ($pdf) {
    my @pages;
    for ( split /\n/, tool( q{.}, qw(pdftotext -bbox), $pdf, q{-} )->{out} ) {
        push @pages, [] if /<page /;
        my %end = /(\w+)="([0-9.]+)"/g;
        my ($text) = />(.*)<\/word>/ or next;
        push @{ $pages[-1] }, { %end, text => $text } if $end{yMin} < $BOTTOM;
    }
    return @pages;
}

sub part_with_text ($page) {
    return ( max( 0, map { $_->{yMax} } @{$page} ) - $TOP ) / ( $BOTTOM - $TOP );
}

# The numbers of pages that end with a heading, or with one and its introduction.
sub lonely_headings ( $text, @pages ) {
    my @texts = split /\f/, $text;
    return grep {
        my @words    = sort         { $a->{yMax} <=> $b->{yMax} } @{ $pages[ $_ - 1 ] };
        my @large    = grep         { $_->{yMax} - $_->{yMin} > $LARGE } @words;
        my ($number) = reverse grep { $_->{text} =~ /\A[0-9]+\z/ } @large;
        my $part     = $number && qr/^$number->{text}\x2e1 +[A-Z]/m;
        @large && $large[-1] == $words[-1]
          || $number
          && $words[-1]{yMax} - $number->{yMax} < $INTRODUCTION
          && $text =~ $part
          && $texts[ $_ - 1 ] !~ $part
    } 1 .. @pages;
}

sub touching ($page) {
    my @words;
    for my $word ( @{$page} ) {
        my $cut = $INKLESS * ( $word->{yMax} - $word->{yMin} );
        push @words, { %{$word}, yMin => $word->{yMin} + $cut, yMax => $word->{yMax} - $cut };
    }
    my @found;
    for my $i ( keys @words ) {
        for my $other ( @words[ $i + 1 .. $#words ] ) {
            my ( $across, $below ) =
              map {
                min( $words[$i]{"${_}Max"}, $other->{"${_}Max"} ) -
                  max( $words[$i]{"${_}Min"}, $other->{"${_}Min"} )
              } qw(x y);
            push @found, "$words[$i]{text} and $other->{text}"
              if $across > $ACROSS && $below > $BELOW;
        }
    }
    return @found;
}

sub sentences_twice ($pdf) {
    my %count;
    $count{$_}++
      for grep { length > $SHORT }
      pdf_text($pdf) =~ s/\s+/ /gr =~ /(?<=[.] )([A-Z][^.]+[.])(?= |\z)/g;
    return [ grep { $count{$_} > 1 } sort keys %count ];
}

# The names and sizes of plots of times and bandwidths in the kept files; others are as high as their rows.
sub small_plots ($directory) {
    my @small;
    for my $name ( grep { /[.]gpl\z/ } files_in($directory) ) {
        my $commands = read_file("$directory/$name");
        next if $commands !~ /^set xtics/m || $commands !~ /yerrorbars/ || $name =~ /\Aratios-/;
        my ( $width, $height ) = $commands =~ /size ([0-9.]+)cm,([0-9.]+)cm/;
        push @small, "$name: $width x $height" if $width < $WIDTH || $height < $HEIGHT;
    }
    return \@small;
}

# The report of FILE, which was made with -t.
sub pages_are_right ( $file, $most_pages ) {
    my @pages = pages_of("$file.pdf");
    cmp_ok scalar @pages, '<=', $most_pages, "at most $most_pages pages";
    my $text = pdf_text("$file.pdf");
    is_deeply [ lonely_headings( $text, @pages ) ], [], 'no page ends with a heading';
    my @parts = map { part_with_text($_) } @pages;
    is_deeply [ grep { $parts[ $_ - 1 ] < $FULL } 1 .. $#parts ], [],
      'all pages but the last are full'
      or diag join q{ }, map { sprintf '%.2f', $_ } @parts;
    is_deeply [
        map {
            my $i = $_;
            map { "page $i: $_" } touching( $pages[ $i - 1 ] )
        } 1 .. @pages
      ],
      [],
      'no text touches another';
    my @wide = map { $_->{text} } grep { $_->{xMax} > $RIGHT } map { @{$_} } @pages;
    is_deeply \@wide,                       [], 'no text is beyond the right margin';
    is_deeply small_plots("$file.files"),   [], 'plots are large enough';
    is_deeply sentences_twice("$file.pdf"), [], 'no sentence is there twice';
    return $text;
}

1;
