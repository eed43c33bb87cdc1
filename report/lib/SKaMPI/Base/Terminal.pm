package SKaMPI::Base::Terminal;

# Texts that fit the width of the terminal.
use v5.36;

use Exporter   qw(import);
use POSIX      qw(isatty);
use Text::Wrap ();

use SKaMPI::Base::Table qw(printable);

our @EXPORT_OK = qw(terminal_width wrapped);

# Without a terminal. Tables need the least width.
my $USUAL = 80;
my $LEAST = 40;
my $MOST  = 1000;

# Longer lines of text are hard to read.
my $LONGEST_TEXT = 100;

# A number and its unit are on one line.
my $BEFORE_UNIT = qr{(?<=[0-9]) (?=%|(?:[KMG]iB|[kMGT]?B|[mnup]?s|min|MHz)\b)};

# In characters: the environment variable COLUMNS, or what the terminal reports, or 80.
sub terminal_width () {
    state $width = _width();
    return $width;
}

sub _width () {
    my ($width) = ( $ENV{COLUMNS} // q{} ) =~ /\A([1-9][0-9]{0,5})\z/;
    $width //= _asked() if isatty( fileno STDOUT );
    $width ||= $USUAL;
    return $width < $LEAST ? $LEAST : $width > $MOST ? $MOST : $width;
}

sub _asked () {
    my $answer = q{};
    if ( open my $size, q{-|}, 'sh', '-c', 'stty size 2>/dev/null < /dev/tty' ) {
        $answer = <$size> // q{};
        close $size or return;
    }
    return $answer =~ /\A[0-9]+ ([0-9]+)$/ ? $1 : undef;
}

# The lines of a text, of at most this width and of at most 100 characters; those after the first
# begin with the indentation.
sub wrapped ( $text, $indentation = q{  }, $first = q{} ) {
    my $width = terminal_width();
    local $Text::Wrap::columns  = 1 + ( $width < $LONGEST_TEXT ? $width : $LONGEST_TEXT );
    local $Text::Wrap::break    = qr/[ ]/;
    local $Text::Wrap::unexpand = 0;
    my $whole = printable($text) =~ s/$BEFORE_UNIT/\x{a0}/gr;
    return split /\n/, Text::Wrap::wrap( $first, $indentation, $whole ) =~ s/\x{a0}/ /gr;
}

1;

