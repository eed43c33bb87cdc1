package SKaMPI::Safe::Escape;

# Makes untrusted texts harmless for LaTeX, gnuplot, HTML, XML and the file system. All texts of a result file pass one
# of these functions before a tool reads them. Their return values never contain a command. And reads the LaTeX of
# labels.
use SKaMPI::Base;

use SKaMPI::Base::Table    qw(shorten);
use SKaMPI::Base::TextFile qw(shipped_text);

my %SPECIAL = (
    q{\\} => '\textbackslash{}',
    q({)  => '\{',
    q(})  => '\}',
    q{$}  => '\$',
    q{&}  => '\&',
    q{#}  => '\#',
    q{%}  => '\%',
    q{_}  => '\_',
    q{^}  => '\textasciicircum{}',
    q{~}  => '\textasciitilde{}',
    q{<}  => '\textless{}',
    q{>}  => '\textgreater{}',
    q{|}  => '\textbar{}',
    q{"}  => '\textquotedbl{}',
    q{'}  => '\textquotesingle{}',
    q{`}  => '\textasciigrave{}',
);

my %ENTITY = ( q{&} => '&amp;', q{<} => '&lt;', q{>} => '&gt;', q{"} => '&quot;', q{'} => '&#39;' );
my %CHARACTER = reverse %ENTITY;

# Characters that the fonts of the report have: most of Unicode's first 384, and a few more.
my $LACKED  = qr/[\x{ad}\x{126}\x{127}\x{135}\x{138}\x{13f}\x{140}\x{149}-\x{14b}\x{166}\x{167}]/;
my $PRINTED = qr/(?!$LACKED)[ -~\x{a0}-\x{17e}
    \x{2013}\x{2014}\x{2018}-\x{201a}\x{201c}-\x{201e}\x{2020}-\x{2022}\x{2026}\x{20ac}\x{2122}]/x;

my $LONGEST = 1000;

my $LONGEST_WORD = 24;

# LaTeX that prints the text, cut to LONGEST characters, with white space of any kind as one blank. Characters that the
# fonts lack are \unprintable, which the document defines. Long words can be broken.
sub tex ( $text, $longest = $LONGEST ) {
    my $tex = join q{ }, map { _word($_) } _words( $text, $longest );

    # A font would replace two of these characters by a dash or a quote.
    return $tex =~ s/([-,])(?=\g1)/$1\{\}/gr;
}

sub _words ( $text, $longest ) {
    return split q{ }, shorten( $text, $longest ) =~ s/[\p{Cc}\p{Z}]/ /gr;
}

# LaTeX for drawings with the fonts of the system, which have all characters; plain reads it.
sub drawn_label ($text) {
    return $text =~ s/[\p{Cc}\p{Z}]+/ /gr =~ s/(.)/$SPECIAL{$1} \/\/ $1/ger;
}

sub _word ($word) {
    my $breaks = length $word > $LONGEST_WORD ? '\allowbreak{}' : q{};
    my $tex    = q{};
    my $run    = 0;
    for my $character ( split //, $word ) {
        $tex .= $SPECIAL{$character} // ( $character =~ $PRINTED ? $character : '\unprintable{}' );
        $run = $character =~ m{[_/.,:;=-]} ? $LONGEST_WORD : $run + 1;
        next if $run < $LONGEST_WORD;
        $tex .= $breaks;
        $run = 0;
    }
    return $tex;
}

# A string for gnuplot, which evaluates nothing in single quotes; a quote in them is doubled.
sub gnuplot_string ($text) {
    my $line = $text =~ s/[\p{Cc}\p{Zl}\p{Zp}]/ /gr =~ s/'/''/gr;
    return "'$line'";
}

# A tick: its label, in which gnuplot replaces the formats of numbers, and its place.
sub gnuplot_tick ( $text, $place ) {
    return gnuplot_string( $text =~ s/%/%%/gr ) . " $place";
}

# LaTeX in a smaller font for a plot, without the report's preamble, so that a paper can include it. gnuplot would not
# align a text that starts with a brace.
sub small_label ( $tex, $points = 6.5 ) {
    return "\\fontsize{$points}{$points}\\selectfont $tex";
}

# The label if it is a safe file name for LaTeX, gnuplot and people, else undef.
sub file_stem ($label) {
    return $label =~ /\A[A-Za-z0-9][A-Za-z0-9_+-]{0,99}\z/ ? $label : undef;
}

# HTML or XML of the text, cut in the same way. A character that would change the direction of what follows, or cannot
# be part of them, is a box.
sub html ( $text, $longest = $LONGEST ) {
    my $line = join q{ }, _words( $text, $longest );
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
