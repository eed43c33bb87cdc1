package SKaMPI::Safe::Html;

# Makes untrusted texts harmless for HTML, and reads the LaTeX of titles and labels, which
# SKaMPI::Safe::Escape and the report make. html(TEXT) is the text as HTML; plain(LATEX) the
# characters of a label; symbol(NAME) the character of a command of LaTeX, or undef.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(html plain symbol);

my %ENTITY = ( q{&} => '&amp;', q{<} => '&lt;', q{>} => '&gt;', q{"} => '&quot;', q{'} => '&#39;' );

# Commands that print a character, also those that escape one.
my %SYMBOL = (
    textbackslash   => q{\\},
    textasciicircum => q{^},
    textasciitilde  => q{~},
    textless        => q{<},
    textgreater     => q{>},
    textbar         => q{|},
    textquotedbl    => q{"},
    textquotesingle => q{'},
    textasciigrave  => q{`},
    unprintable     => "\x{25af}",
    textmu          => "\x{b5}",
    textdagger      => "\x{2020}",
    dag             => "\x{2020}",
    le              => "\x{2264}",
    pm              => "\x{b1}",
    times           => "\x{d7}",
    lceil           => "\x{2308}",
    rceil           => "\x{2309}",
    log             => 'log',
    min             => 'min',
    max             => 'max',
    quad            => q{ },
    newline         => q{ },
    allowbreak      => q{},
);

# Like tex, of SKaMPI::Safe::Escape.
my $LONGEST = 1000;

# The text, cut to LONGEST characters, with white space of any kind as one blank. A character that
# would change the direction of what follows, or cannot be part of HTML, is a box.
sub html ( $text, $longest = $LONGEST ) {
    my $short = length $text > $longest ? substr( $text, 0, $longest - 3 ) . '...' : $text;
    my $line  = join q{ }, split q{ }, $short =~ s/[\p{Cc}\p{Z}]/ /gr;
    return $line =~ s/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/\x{25af}/gr =~ s/([&<>"'])/$ENTITY{$1}/gr;
}

sub symbol ($name) { return $SYMBOL{$name} }

# Without the commands that only choose a font. Not for HTML: its characters are not escaped.
sub plain ($latex) {
    my $words = $latex =~ s/\\fontsize\{[0-9.]+\}\{[0-9.]+\}\\selectfont //gr;
    return $words =~ s{\\([a-zA-Z]+)(?:\{\}|[ ])?|\\(.)|([\{\}\$])|~}{
        defined $1 ? $SYMBOL{$1} // q{} : defined $2 ? $2 eq q{,} ? "\x{a0}" : $2 : $3 ? q{} : "\x{a0}"
    }gexr;
}

1;
