package SKaMPI::Document::MarkupTable;

# A table of LaTeX (tokens of SKaMPI::Document::Markup) as one of HTML.
use SKaMPI::Base;

our @EXPORT_OK = qw(argument table_html until_end);

# Wider columns have sentences.
my $WIDE_MM = 60;

my %CLASS = ( r => ' class="number"', c => ' class="number"', p => ' class="text"', l => q{} );

# Takes the class of the table, the letters and commands that describe the columns, the tokens, and a function that
# returns the HTML of a cell's tokens. Returns an empty text for a table without rows.
sub table_html ( $name, $columns, $tokens, $inline ) {
    my @sides = _sides($columns);
    my ( $head, $body ) = _head_and_body( @{$tokens} );
    my @head = map { _row( $_, \@sides, $inline, 1 ) } _rows($head);
    my @body = map { _row( $_, \@sides, $inline, 0 ) } _rows($body);
    return q{} if !@body;
    my $html = @head ? '<thead>' . join( "\n", @head ) . '</thead>' : q{};
    return
        qq{<div class="scroll"><table class="$name">$html<tbody>}
      . join( "\n", @body )
      . '</tbody></table></div>';
}

# The letter of each column: l, r or, if it is wide enough for sentences, p.
sub _sides ($columns) {
    my $inside = qr/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/;
    my $plain  = $columns =~ s/[@>]$inside//gr;
    1 while $plain =~ s/\*\{([0-9]+)\}\{((?:[^{}]|\{[^{}]*\})*)\}/$2 x $1/e;
    $plain         =~ s/p\{([0-9.]+)mm\}/$1 < $WIDE_MM ? 'l' : 'p'/ge;
    $plain         =~ s/$inside//g;
    return $plain  =~ /[lrcp]/g;
}

# Splits the tokens: the head ends with \endhead or, without one, with the first rule.
sub _head_and_body (@tokens) {
    my %at =
      map { $tokens[$_]{text} => $_ } grep { $tokens[$_]{kind} eq 'command' } reverse keys @tokens;
    my $at = $at{endhead} // $at{midrule} // return ( [], \@tokens );
    return ( [ @tokens[ 0 .. $at - 1 ] ], [ @tokens[ ( $at{endfoot} // $at ) + 1 .. $#tokens ] ] );
}

my %DEPTH = ( '{' => 1, '}' => -1 );
my $EMPTY = qr/\A(?:space|paragraph)\z/;
my $RULE  = qr/\A(?:toprule|midrule|bottomrule)\z/;

# Lists of cells, each a list of tokens, of rows that have more than rules and the star of \\*.
sub _rows ($tokens) {
    my @rows  = ( [ [] ] );
    my $depth = 0;
    for my $token ( @{$tokens} ) {
        my $raw = $token->{raw};
        $depth += $DEPTH{$raw} // 0;
        if ( $raw eq q{&} && !$depth ) { push @{ $rows[-1] }, [] }
        elsif ( $raw eq '\\\\' && !$depth ) { push @rows, [ [] ] }
        else                                { push @{ $rows[-1][-1] }, $token }
    }
    for my $cell ( map { @{$_} } @rows ) {
        shift @{$cell}
          while @{$cell}
          && ( $cell->[0]{kind} =~ $EMPTY || $cell->[0]{text} =~ $RULE || $cell->[0]{raw} eq q{*} );
    }
    return grep { @{$_} > 1 || @{ $_->[0] } } @rows;
}

my $TITLE = qr/\A<span class="title">[^<]*<\/span>\z/;

# A row of titles in the body is the head of the rows that follow.
sub _row ( $cells, $sides, $inline, $is_head ) {
    my ( $html, $column ) = ( q{}, 0 );
    my @cells    = map  { _cell( $_, $inline ) } @{$cells};
    my @others   = grep { $_ ne q{} } map { $_->{html} } @cells[ 1 .. $#cells ];
    my $is_group = @cells == 1 && $cells[0]{span} > 1;
    $is_head ||= $is_group || @others && !grep { $_ !~ $TITLE } @others;
    for my $cell (@cells) {
        my $class = $CLASS{ $cell->{side} // $sides->[$column] // 'l' };
        $class .= qq{ colspan="$cell->{span}"} if $cell->{span} > 1;
        my $is_title = $cell->{html} ne q{} && ( $is_head || !$column && $cell->{html} =~ $TITLE );
        my ( $name, $scope ) =
          $is_title ? ( 'th', $is_head ? ' scope=col' : ' scope=row' ) : ( 'td', q{} );
        $html .= "<$name$scope$class>$cell->{html}</$name>";
        $column += $cell->{span};
    }
    return ( $is_group ? '<tr class="group">' : '<tr>' ) . "$html</tr>";
}

# \multicolumn{COUNT}{COLUMN}{CONTENT} spans several columns.
sub _cell ( $tokens, $inline ) {
    my @in = @{$tokens};
    return { span => 1, html => $inline->( \@in ) } if !@in || $in[0]{raw} !~ /\A\\multicolumn\b/;
    shift @in;
    my ( $count, $side, $content ) = map { argument( \@in ) } 1 .. 3;
    return {
        span => $count->[0]{text},
        side => ( _sides( join q{}, map { $_->{raw} } @{$side} ) )[0],
        html => $inline->($content)
    };
}

# Takes the tokens of an argument from the beginning of a list: what is in braces, or a single one.
sub argument ($in) {
    shift @{$in} while @{$in} && $in->[0]{kind} =~ $EMPTY;
    my $first = shift @{$in} // return [];
    return $first->{raw} eq '{' ? until_end( $in, '{', '}' ) : [$first];
}

# Takes the tokens up to the end of what OPEN has begun.
sub until_end ( $in, $open, $close ) {
    my ( $depth, @inside ) = (1);
    while ( my $token = shift @{$in} ) {
        my $raw = $token->{raw} =~ s/\s+\z//r;
        $depth += $raw eq $open ? 1 : $raw eq $close ? -1 : 0;
        last if $depth == 0;
        push @inside, $token;
    }
    return \@inside;
}

1;
