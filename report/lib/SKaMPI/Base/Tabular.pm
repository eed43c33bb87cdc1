package SKaMPI::Base::Tabular;

# Tables and data as CSV, Markdown and XML, in characters, not bytes.
use SKaMPI::Base;

our @EXPORT_OK = qw(csv_cell csv_text markdown_text xml_escaped);

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

# Removes the characters that XML 1.0 does not allow.
sub xml_escaped ($text) {
    my %escape = ( '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', q{"} => '&quot;' );
    $text =~ s/[^\t\n\r\x20-\x{d7ff}\x{e000}-\x{fffd}\x{10000}-\x{10ffff}]/?/g;
    return $text =~ s/([&<>"])/$escape{$1}/gr;
}

1;
