package SKaMPI::Safe::Html;

# Makes untrusted texts harmless for HTML, and reads the LaTeX of labels.
use SKaMPI::Base;

use SKaMPI::Base::TextFile qw(shipped_text);

our @EXPORT_OK = qw(command decoded html plain);

my %ENTITY = ( q{&} => '&amp;', q{<} => '&lt;', q{>} => '&gt;', q{"} => '&quot;', q{'} => '&#39;' );
my %CHARACTER = reverse %ENTITY;

my $LONGEST = 1000;

# The text, cut to LONGEST characters, with white space of any kind as one blank. A character that
# would change the direction of what follows, or cannot be part of HTML, is a box.
sub html ( $text, $longest = $LONGEST ) {
    my $short = length $text > $longest ? substr( $text, 0, $longest - 3 ) . '...' : $text;
    my $line  = join q{ }, split q{ }, $short =~ s/[\p{Cc}\p{Z}]/ /gr;
    return $line =~ s/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/\x{25af}/gr =~ s/([&<>"'])/$ENTITY{$1}/gr;
}

# The characters of HTML, with a blank for each element.
sub decoded ($html) {
    return $html =~ s/<[^>]*>/ /gr =~ s/(&(?:\w+|#39);)/$CHARACTER{$1} \/\/ $1/ger;
}

# A row of report/page/commands.txt: the number of arguments of a command of LaTeX, and its HTML.
sub command ($name) {
    state $rows = {
        map { /\A(\S+) +([0-9])(?:  (.*))?\z/ ? ( $1 => [ $2, $3 // q{} ] ) : () }
          split /\n/,
        shipped_text('page/commands.txt')
    };
    return $rows->{$name};
}

# The characters of a label, without commands that only choose a font. Not for HTML: they are not escaped.
sub plain ($latex) {
    my $words = $latex =~ s/\\fontsize\{[0-9.]+\}\{[0-9.]+\}\\selectfont //gr;
    return $words =~ s{\\([a-zA-Z]+)(?:\{\}|[ ])?|\\(.)|([\{\}\$])|~}{
        defined $1 ? decoded( ( command($1) // [] )->[1] // q{} )
          : defined $2 ? $2 eq q{,} ? "\x{a0}" : $2
          :              $3 ? q{} : "\x{a0}"
    }gexr;
}

1;
