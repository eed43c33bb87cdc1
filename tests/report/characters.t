# Every Unicode character is printed, or becomes a blank or the mark for characters that the fonts lack. The
# report uses only outline fonts: bitmap fonts exist only on machines where they were generated.
use v5.36;

use Test::More;
use Unicode::Normalize   qw(NFKD);
use SKaMPI::ReportTest   qw(dorep pdf_text result_text tool why_not workplace);
use SKaMPI::Safe::Escape qw(tex);
use SKaMPI::Test         qw(read_file);

my $LAST_CODE = 0x10ffff;
my $AT_A_TIME = 0x100;

# Characters after the alphabets are mostly ideographs and empty planes: make check looks at a part of them.
my $SAMPLED = $ENV{SKAMPI_LONG} ? 1 : 0x1000;
my $MARK    = '\unprintable{}';

# The LaTeX of some characters, each in a word "xCHARACTERy".
sub texts_of (@characters) {
    my $words = tex( join( q{ }, map { "x${_}y" } @characters ), 10 * @characters );
    return $words =~ /\Gx(.*?)y(?:[ ]|\z)/gs;
}

# The kind of a character, derived from its LaTeX; undef if that is unexpected.
sub kind_of ($tex) {
    return 'mark'    if $tex eq $MARK;
    return 'blank'   if $tex eq q{ };
    return 'printed' if $tex =~ /\A(?:\\[a-z]+\{\}|\\[{}\$&#%_]|[^\\{}\$&#%_^~<>|"'`\p{C}\p{Z}])\z/;
    return;
}

my %PRINTED;

subtest 'every code point' => sub {
    my @wrong;
    for ( my $first = 0 ; $first <= $LAST_CODE ; $first += $AT_A_TIME ) {
        next if $first >= 0xd800 && $first <= 0xdfff;
        next if $first > 0x33ff  && $first < 0xf900 && $first % $SAMPLED;
        next if $first > 0xffff  && $first % $SAMPLED;
        my @characters = map { chr } $first .. $first + $AT_A_TIME - 1;
        my @kinds      = map { kind_of($_) // 'wrong' } texts_of(@characters);
        push @wrong, sprintf 'U+%04X and later', $first
          if @kinds != @characters || grep { $_ eq 'wrong' } @kinds;
        $PRINTED{ $characters[$_] } = 1 for grep { $kinds[$_] eq 'printed' } 0 .. $#kinds;
    }
    is "@wrong", q{}, 'is printed, a blank or the mark';
    my @expected = map { chr } 0x21 .. 0x7e, 0xa1 .. 0xac, 0xae .. 0xff;
    is_deeply [ grep { !$PRINTED{$_} } @expected ], [], 'all of Latin-1 is printed';
    cmp_ok scalar( keys %PRINTED ), '>', 300, 'most letters of similar alphabets are printed';
};

plan skip_all => why_not() if why_not();

my @CHARACTERS = sort keys %PRINTED;
my @CHUNKS;
for ( my @rest = @CHARACTERS ; @rest ; ) {
    push @CHUNKS, [ splice @rest, 0, 60 ];
}

# A chunk as text, with each character between two digits, by which it is found in the PDF.
sub text_of ($number) {
    return "Chunk$number: " . join q{ }, map { "1${_}2" } @{ $CHUNKS[$number] };
}

# Results with all characters in every font of the report: large, bold, small, in a plot.
sub results () {
    my @rows     = map { "$_ " . ( 1 + $_ / 1000 ) . ' 0.01 8 # stop=accuracy' } 4, 8, 16, 32, 64;
    my @texts    = map { text_of($_) } 0 .. $#CHUNKS;
    my %warnings = map { ( "WARNING $_:" => $texts[$_] ) } 0 .. $#texts;
    my @suites   = map {
        {
            label   => 'p2p_' . s{[ /]}{}gr,
            rows    => \@rows,
            varied  => "$_ [bytes]",
            pattern => $_
        }
    } @texts;
    my $all = join q{}, @CHARACTERS, "\x{126}", "\x{4e2d}";
    return result_text( { MACHINE => $all, USER => $all, %warnings }, @suites );
}

# pdftotext finds the character, or its letter if the accent is a separate glyph, or the glyph from which
# Palatino makes it.
my %MADE_OF = (
    ( map { ( $_ => "\x{131}" ) } "\x{129}", "\x{12b}", "\x{12d}" ),
    "\x{110}"  => "\x{d0}",
    "\x{111}"  => 'd',
    "\x{20ac}" => 'C',
);

sub is_found ( $character, $text ) {
    my $letter = $MADE_OF{$character} // substr NFKD($character), 0, 1;
    return $text =~ /\Q$character\E|\Q$letter\E/;
}

# The characters of a chunk that are missing in a text without blanks. An accent may follow the second digit.
sub missing ( $number, $text ) {
    my @chunk = @{ $CHUNKS[$number] };
    my $words = join q{}, ("1(.{1,4}?)2[\x{2db}\x{2018}]?") x @chunk;
    my @found = $text =~ /Chunk$number:$words/ or return "chunk $number";
    return map { is_found( $chunk[$_], $found[$_] ) ? () : $chunk[$_] } 0 .. $#chunk;
}

my $PLACE = workplace( 'skampi.out' => results() );
my $GOT   = dorep($PLACE);
is $GOT->{status}, 0,   'a report with all printable characters is made';
is $GOT->{err},    q{}, 'without a complaint';

subtest 'PDF' => sub {
    my $text = pdf_text("$PLACE/skampi.out.pdf") =~ s/\s+//gr;
    is join( q{ }, map { missing( $_, $text ) } 0 .. $#CHUNKS ), q{}, 'it has each character';
    like $text, qr/standsforacharacterthatthefontsofthisreportlack/,
      'a note on those that are boxes';
    my $fonts = tool( q{.}, 'pdffonts', "$PLACE/skampi.out.pdf" )->{out};
    like $fonts, qr/Palladio.*LMSans/s,
      'it has its own fonts, and one for characters that they lack';
    unlike $fonts, qr/Type 3/, 'it has no bitmap fonts';
};

subtest 'PostScript' => sub {
    my @fonts = grep { /^%%BeginFont|BitmapFont/ } split /\n/, read_file("$PLACE/skampi.out.ps");
    like "@fonts", qr/lmss.*pfb|LMSans/,
      'it has its own fonts, and one for characters that they lack';
    unlike "@fonts", qr/Bitmap/, 'it has no bitmap fonts';
};

done_testing;
