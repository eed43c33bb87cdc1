package SKaMPI::Base::Table;

# Texts and aligned columns of text for a terminal. A column is as wide as its widest cell; a cell longer than the
# column's limit (in characters) is shortened. Texts are printable. And tables and data as CSV and Markdown, in
# characters, not bytes.
use SKaMPI::Base;

use List::Util qw(max min sum0);
use POSIX      qw(isatty);
use Text::Wrap ();

SKaMPI::Base->later( 'SKaMPI::Base::Process', qw(output_of) );

my $GAP = q{  };

# A longer name in the first column of a table that fits a terminal has a line of its own.
my $WIDEST = 40;

# Replaces characters that move the cursor, or change colours or the direction of writing.
sub printable ($text) {
    return $text =~ s/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/?/gr;
}

sub shorten ( $text, $width ) {
    return $text if length $text <= $width;
    return substr( $text, 0, max( 0, $width - 3 ) ) . '...';
}

# Shortens names, which differ from others at their beginning or at their end; of "A / B" both.
sub shorten_middle ( $text, $width ) {
    my ( $kept, @parts ) = ( $width - 3, split m{ / }, $text );
    return $text if length $text <= $width || $kept < 2;
    return join ' / ', map { shorten_middle( $_, ( $width + 3 ) / @parts - 3 ) } @parts
      if @parts > 1;
    return substr( $text, 0, ( $kept + 1 ) / 2 ) . '...' . substr $text, -int( $kept / 2 );
}

# A row is kept as one string, as large results have many rows.
my $BETWEEN = "\t";

sub new ( $class, @columns ) {
    return bless { columns => \@columns, widths => [ (0) x @columns ], lines => [] }, $class;
}

# A table with titles. A column is "TITLE" or "TITLE:LIMIT", followed by > if it is aligned to the right and ? if it is
# optional.
sub titled ( $class, @columns ) {
    my @parsed = map {
        my %column;
        @column{qw(title limit right optional)} = /\A(.*?)(?::([0-9]+))?(>?)([?]?)\z/s;
        \%column
    } @columns;
    my $self = $class->new(@parsed);
    $self->add_row( map { $_->{title} } @parsed );
    return $self;
}

sub add_row ( $self, @cells ) {
    my @clean =
      map { shorten( printable( $cells[$_] // q{} ), $self->{columns}[$_]{limit} // 1000 ) }
      0 .. $#{ $self->{columns} };
    my $widths = $self->{widths};
    $widths->[$_] = max( $widths->[$_], length $clean[$_] ) for 0 .. $#clean;
    push @{ $self->{lines} }, join $BETWEEN, @clean;
    return;
}

# A function: the lines of a table that fits the terminal. Takes a list of its columns (see titled) and its rows, each a
# list of cells, or a text without columns.
sub table_lines ( $columns, @rows ) {
    my $self = __PACKAGE__->titled( @{$columns} );
    for my $row (@rows) {
        if   ( ref $row ) { $self->add_row( @{$row} ) }
        else              { push @{ $self->{lines} }, printable($row) }
    }
    return $self->lines( terminal_width() );
}

# Fits the lines into WIDTH characters: the first column gets narrower, and texts that it cannot
# hold get lines of their own; then optional columns are omitted, the last one first, and named
# below the table. Texts cannot contain $BETWEEN, as it is not printable.
sub lines ( $self, $width = undef ) {
    my @columns = $self->_columns_within($width);
    my $widths  = $self->{widths};
    local $widths->[0] =
      min( $widths->[0], $WIDEST, $width - $self->_width( @columns[ 1 .. $#columns ] ) )
      if defined $width;
    my @lines;
    my @rows = @{ $self->{lines} };
    while ( defined( my $row = shift @rows ) ) {
        my @cells = split /$BETWEEN/, $row, -1;
        if ( @cells < 2 ) { push @lines, $row; next }
        push @lines, $self->_name_apart( $width, \@cells, \@rows )
          if length $cells[0] > $widths->[0];
        push @lines, $self->_align( \@cells, @columns );
    }
    my %is_shown = map  { $_ => 1 } @columns;
    my @dropped  = grep { !$is_shown{$_} } keys @{ $self->{columns} };
    push @lines,
      wrapped( '  not shown: ' . join( ', ', map { $self->{columns}[$_]{title} } @dropped ),
        q{    } )
      if @dropped;
    return @lines;
}

# Prints a first cell that is too long on a line of its own, together with the first cell of the
# next row if that is indented by four blanks.
sub _name_apart ( $self, $width, $cells, $rows ) {
    my $name = $cells->[0];
    $cells->[0] = q{};
    if ( ( $rows->[0] // q{} ) =~ /\A(?<note>[ ]{4}(?<text>[^$BETWEEN ][^$BETWEEN]*))$BETWEEN/ ) {
        my ( $note, $text ) = @+{qw(note text)};
        if ( $name !~ /\A[ ]{4}/ && length("$name  $text") <= $width ) {
            $name .= "  $text";
            substr $rows->[0], 0, length $note, q{};
        }
    }
    return shorten_middle( $name, $width );
}

# The columns that are shown: without optional ones, from the right, that make lines too long.
sub _columns_within ( $self, $width ) {
    my @columns  = keys @{ $self->{columns} };
    my @optional = grep { $self->{columns}[$_]{optional} } @columns;
    my $least    = length( $self->{columns}[0]{title} // q{} );
    while (defined $width
        && @optional
        && $self->_width( @columns[ 1 .. $#columns ] ) + $least > $width )
    {
        my $dropped = pop @optional;
        @columns = grep { $_ != $dropped } @columns;
    }
    return @columns;
}

# Width of these columns, including the gaps before them.
sub _width ( $self, @columns ) {
    return sum0( map { $_ + length $GAP } @{ $self->{widths} }[@columns] );
}

sub text ($self) {
    return join q{}, map { "$_\n" } $self->lines;
}

sub width ($self) { return $self->_width( keys @{ $self->{columns} } ) - length $GAP }

sub _align ( $self, $cells, @columns ) {
    my @aligned;
    for my $i ( grep { $_ <= $#{$cells} } @columns ) {
        my $sign = $self->{columns}[$i]{right} ? q{} : q{-};
        push @aligned, sprintf "%$sign*s", $self->{widths}[$i], $cells->[$i];
    }
    return join( $GAP, @aligned ) =~ s/\s+\z//r;
}

# The width if there is no terminal.
my $USUAL = 80;
my $LEAST = 40;
my $MOST  = 1000;

# Longer lines of text are hard to read.
my $LONGEST_TEXT = 100;

# A number and its unit are on one line.
my $BEFORE_UNIT = qr{(?<=[0-9]) (?=%|(?:[KMG]iB|[kMGT]?B|[mnup]?s|min|MHz)\b)};

# The width in characters: the environment variable COLUMNS, or what the terminal reports, or 80.
sub terminal_width () {
    state $width;
    return $width if defined $width;
    my ($known) = ( $ENV{COLUMNS} // q{} ) =~ /\A([1-9][0-9]{0,5})\z/;
    ($known) = output_of( 'sh', '-c', 'stty size 2>/dev/null < /dev/tty' ) =~ /\A[0-9]+ ([0-9]+)$/
      if !defined $known && isatty( fileno STDOUT );
    return $width = max( $LEAST, min( $known || $USUAL, $MOST ) );
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

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?\z/;

# RFC 4180. A column is the name of a member of the rows, or a pair of name and function of a row; undefined cells are
# empty.
sub csv_text ( $columns, @rows ) {
    return join q{},
      map { "$_\r\n" } join( q{,}, map { csv_cell( ref ? $_->[0] : $_ ) } @{$columns} ), map {
        my $row = $_;
        join q{,}, map { csv_cell( ref ? $_->[1]->($row) : $row->{$_} ) } @{$columns}
      } @rows;
}

# The text of a cell. A spreadsheet would take one that begins like a formula for one.
sub csv_cell ($cell) {
    return $cell // q{} if ( $cell // q{} ) !~ tr/0-9.//c;
    $cell = "'$cell" if $cell !~ $NUMBER && $cell =~ /\A[=+\-\@\t\r]/;
    return $cell !~ /[^!#-+\--~]/ ? $cell : q{"} . $cell =~ s/"/""/gr . q{"};
}

# A table of GitHub's Markdown.
sub markdown_text ( $titles, @rows ) {
    return join q{}, map {
        my @cells = map { ( $_ // q{} ) =~ s/([\\|`*_<>\[\]])/\\$1/gr =~ s/\s+/ /gr } @{$_};
        '| ' . join( ' | ', @cells ) . " |\n"
    } $titles, [ map { '---' } @{$titles} ], @rows;
}

1;
