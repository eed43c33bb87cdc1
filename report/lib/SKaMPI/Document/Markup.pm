package SKaMPI::Document::Markup;

# The LaTeX of the report as HTML. Templates and texts are written in a small part of LaTeX:
# preamble.tt says how LaTeX prints it, report/page/commands.txt how a browser does.
use SKaMPI::Base;

use SKaMPI::Safe::Escape qw(command html);

# Delimiters that no text has: of a value (its number) and of the name of a heading.
my ( $VALUE, $END, $NAME ) = map { chr } 0xF0000 .. 0xF0002;

my $TOKEN = qr{
    (?<comment>%[^\n]*\n?[ \t]*) | (?<paragraph>[ \t]*\n[ \t]*\n\s*) | (?<space>\s+)
  | \\(?<edge>begin|end)\{(?<name>\w+)\} | \\(?<command>[A-Za-z]+\*?)[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?
  | \\(?<sign>.) | $VALUE(?<value>[0-9]+)$END | (?<special>[{}&~\$\[\]]) | (?<text>[^\\%\s{}&~\$\[\]$VALUE]+)
}xs;

# The kind of a token by the last group of its expression.
my @KINDS = qw(comment paragraph space edge edge command sign value special text);

my $BLOCK = qr/\A(?:<(?:p|h[1-4]|div|details|section|header)\b|$NAME)/;

# Takes values, which fill the templates as value(NUMBER); files, by their names in \input; and plot, a function that
# returns the HTML of a plot.
sub new ( $class, %about ) {
    return bless { values => [], files => {}, %about, headings => [], unknown => {} }, $class;
}

sub value ($number) { return $VALUE . $number . $END }

# The commands that the table lacks.
sub unknown ($self) { return keys %{ $self->{unknown} } }

sub rendered ( $self, $latex ) {
    my $html  = $self->_blocks( _tokens($latex) );
    my %title = map { $_->{id} => $_->{title} } @{ $self->{headings} };
    my @links =
      map { qq{<a class="$_->{level}" href="#$_->{id}">$_->{title}</a>} } @{ $self->{headings} };
    my $contents = join "\n",
      '<nav aria-label="Contents"><details><summary>Contents</summary><div>', @links,
      '</div></details></nav>';
    return $html =~ s{$NAME([\w+-]*)$END}{$1 eq q{} ? $contents : $title{$1} // 'the suite'}ger;
}

# Hashes of kind, text, raw (as it is in the LaTeX) and name (of an environment).
sub _tokens ($latex) {
    my @tokens;
    while ( $latex =~ /\G($TOKEN)/g ) {
        my $kind = $KINDS[ $#- - 2 ];
        push @tokens, { kind => $kind, text => $+{$kind}, raw => $1, name => $+{name} }
          if $kind ne 'comment';
    }
    return \@tokens;
}

sub _skip_option ($in) {
    return if !@{$in} || $in->[0]{raw} ne '[';
    shift @{$in};
    return _until_end( $in, '[', ']' );
}

sub _raw ($tokens) {
    return join q{}, map { $_->{raw} } @{$tokens};
}
sub _word ($tokens) { return _raw($tokens) =~ s/[^\w+ -]//gr }

# Texts between blocks are paragraphs.
sub _blocks ( $self, $tokens ) {
    my ( $html, $line, @in ) = ( q{}, q{}, @{$tokens} );
    while ( my $token = shift @in ) {
        my $ends  = $token->{kind} eq 'paragraph' || $token->{raw} =~ /\A\\par\b/;
        my $part  = $self->_part( $token, \@in );
        my $block = $part =~ $BLOCK;
        if ( ( $ends || $block ) && $line =~ /\S/ ) { $html .= "<p>$line</p>\n" }
        $line = q{} if $ends || $block;
        if    ($block)   { $html .= "$part\n" }
        elsif ( !$ends ) { $line .= $part }
    }
    return $line =~ /\S/ ? "$html<p>$line</p>\n" : $html;
}

sub _inline ( $self, $tokens ) {
    my ( $html, @in ) = ( q{}, @{$tokens} );
    while ( my $token = shift @in ) { $html .= $self->_part( $token, \@in ) }
    return $html =~ s/\A\s+|\s+\z//gr;
}

# The HTML of a token by its kind: a function of its text, the tokens that follow and its name.
my %KIND = (
    command   => \&_command,
    edge      => \&_environment,
    paragraph => sub (@) { return q{ } },
    sign      => sub ( $self, $sign, $in, @ ) {
        return $sign eq q{,} ? "\x{a0}" : $sign =~ /\s/ ? q{ } : html($sign) if $sign ne q{\\};
        shift @{$in} if @{$in} && $in->[0]{raw} eq q{*};
        return '<br>';
    },
    space   => sub (@) { return q{ } },
    special => sub ( $self, $sign, $in, @ ) {
        return $self->_formula( _until_end( $in, q{}, q{$} ) ) if $sign eq q{$};
        return $sign eq q{~} ? "\x{a0}" : $sign =~ /[\[\]]/ ? $sign : q{};
    },
    text => sub ( $self, $text, @ ) {
        return html( $text =~ s/---/\x{2014}/gr =~ s/--/\x{2013}/gr =~ s/``/\x{201c}/gr =~
              s/''/\x{201d}/gr );
    },
    value => sub ( $self, $number, @ ) { return html( $self->{values}[$number] ) },
);

sub _part ( $self, $token, $in ) {
    return $KIND{ $token->{kind} }->( $self, $token->{text}, $in, $token->{name} );
}

# A formula: letters are variables; _ and ^ are followed by an index or an exponent.
sub _formula ( $self, $tokens ) {
    my ( $html, @in ) = ( q{}, @{$tokens} );
    while ( my $token = shift @in ) {
        if ( $token->{kind} ne 'text' ) { $html .= $self->_part( $token, \@in ); next }
        while ( $token->{text} =~ /([_^])(.?)|([a-zA-Z])|(.)/g ) {
            my ( $script, $of, $letter, $other ) = ( $1, $2, $3, $4 );
            my $element = ( $script // q{} ) eq '_' ? 'sub' : 'sup';
            $of = $of eq q{} ? $self->_inline( _argument( \@in ) ) : _variable($of) if $script;
            $html .=
                $script         ? "<$element>$of</$element>"
              : defined $letter ? _variable($letter)
              :                   html( $other =~ tr/-/\x{2212}/r );
        }
    }
    return $html;
}

sub _variable ($sign) { return $sign =~ /[a-z]/i ? "<var>$sign</var>" : html($sign) }

sub _command ( $self, $name, $in, @ ) {
    return $self->_blocks( _tokens( $self->{files}{ _raw( _argument($in) ) } // q{} ) )
      if $name eq 'input';
    return $self->{plot}->( _raw( _argument($in) ) ) if $name eq 'plot';
    return join ', ', map { qq{<a href="#$_">$NAME$_$END</a>} } split /,/, _raw( _argument($in) )
      if $name eq 'pages';
    my ( $count, $html ) = @{ command($name) // [ 0, q{} ] };
    $self->{unknown}{"\\$name"} = 1 if !command($name);
    splice @{$in}, 0, 2 if !$count && @{$in} > 1 && $in->[0]{raw} . $in->[1]{raw} eq '{}';
    _skip_option($in);
    my @arguments = map { _argument($in) } 1 .. $count;
    my $filled    = $html =~ s{\{([=\@+]?)([0-9])\}}{$self->_filled( $1, $arguments[ $2 - 1 ] )}ger;
    return q{} if $filled =~ m{\A<details[^>]*><summary>.*</summary>\s*</details>\z};
    return $filled =~ /\A<(h[23])>(.*)<\/h[23]>\z/s
      ? $self->_heading( $1, $2, $in )
      : $filled =~ s/\{contents\}/$NAME$END/r;
}

sub _filled ( $self, $how, $argument ) {
    return
        $how eq q{=} ? _word($argument)
      : $how eq q{@} ? $NAME . _word($argument) . $END
      : $how eq q{+} ? $self->_blocks($argument)
      :                $self->_inline($argument);
}

# A heading, named by the \label that follows.
sub _heading ( $self, $level, $title, $in ) {
    my $id = 'part' . @{ $self->{headings} };
    for ( my $i = 0 ; $i < @{$in} && $in->[$i]{kind} !~ /\A(?:space|paragraph)\z/ ; $i++ ) {
        $id = _word( _argument( [ @{$in}[ $i + 1 .. $#{$in} ] ] ) ) if $in->[$i]{raw} eq '\label';
    }
    push @{ $self->{headings} },
      { level => $level, id => $id, title => $title =~ s/\s*<small.*//sr };
    return qq{<$level id="$id">$title</$level>};
}

# An environment: the tokens up to its end belong to it.
sub _environment ( $self, $edge, $in, $name ) {
    my $inside = _until_end( $in, "\\begin{$name}", "\\end{$name}" );
    my ( $count, $html ) = @{ command("begin:$name") // [ 0, '<div>{body}</div>' ] };
    $self->{unknown}{"\\begin{$name}"} = 1 if !command("begin:$name");
    _skip_option($inside);
    my $argument = join q{}, map { _raw( _argument($inside) ) } 1 .. $count;
    if ( $html =~ /\A\{table(?: (\w+)(?:\+(\w+))?)?\}/ ) {
        my $columns = !defined $1 ? $argument : $1 . ( $2 // q{} ) x ( $argument || 0 );
        return $self->_table( $name, $columns, $inside );
    }
    my $is_line = $html =~ /\{line\}/;
    my $content = $is_line ? $self->_inline($inside) : $self->_blocks($inside);
    return $content =~ /\S/ ? $html =~ s/\{\w+\}/$content/r : q{};
}

# Wider columns have sentences.
my $WIDE_MM = 60;

my %CLASS = ( r => ' class="number"', c => ' class="number"', p => ' class="text"', l => q{} );

# A table of LaTeX as one of HTML: its class, the letters and commands that describe the columns, and the tokens.
# Returns an empty text for a table without rows.
sub _table ( $self, $name, $columns, $tokens ) {
    my @sides = _sides($columns);
    my ( $head, $body ) = _head_and_body( @{$tokens} );
    my @head = map { $self->_row( $_, \@sides, 1 ) } _rows($head);
    my @body = map { $self->_row( $_, \@sides, 0 ) } _rows($body);
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
sub _row ( $self, $cells, $sides, $is_head ) {
    my ( $html, $column ) = ( q{}, 0 );
    my @cells    = map  { $self->_cell($_) } @{$cells};
    my @others   = grep { $_ ne q{} } map { $_->{html} } @cells[ 1 .. $#cells ];
    my $is_group = @cells == 1 && $cells[0]{span} > 1;
    $is_head ||= $is_group || @others && !grep { $_ !~ $TITLE } @others;
    for my $cell (@cells) {
        my $class = $CLASS{ $cell->{side} // $sides->[$column] // 'l' };
        $class .= qq{ colspan="$cell->{span}"} if $cell->{span} > 1;
        my $is_title = $cell->{html} ne q{} && ( $is_head || !$column && $cell->{html} =~ $TITLE );
        my $head     = $is_head  ? q{th scope=col} : q{th scope=row};
        my $name     = $is_title ? $head           : q{td};
        $html .= "<$name$class>$cell->{html}</" . substr( $name, 0, 2 ) . '>';
        $column += $cell->{span};
    }
    return ( $is_group ? '<tr class="group">' : '<tr>' ) . "$html</tr>";
}

# \multicolumn{COUNT}{COLUMN}{CONTENT} spans several columns.
sub _cell ( $self, $tokens ) {
    my @in = @{$tokens};
    return { span => 1, html => $self->_inline( \@in ) }
      if !@in || $in[0]{raw} !~ /\A\\multicolumn\b/;
    shift @in;
    my ( $count, $side, $content ) = map { _argument( \@in ) } 1 .. 3;
    return {
        span => $count->[0]{text},
        side => ( _sides( join q{}, map { $_->{raw} } @{$side} ) )[0],
        html => $self->_inline($content)
    };
}

# Takes the tokens of an argument from the beginning of a list: what is in braces, or a single one.
sub _argument ($in) {
    shift @{$in} while @{$in} && $in->[0]{kind} =~ $EMPTY;
    my $first = shift @{$in} // return [];
    return $first->{raw} eq '{' ? _until_end( $in, '{', '}' ) : [$first];
}

# Takes the tokens up to the end of what OPEN has begun.
sub _until_end ( $in, $open, $close ) {
    my ( $depth, @inside ) = (1);
    while ( my $token = shift @{$in} ) {
        my $raw = $token->{raw} =~ s/\s+\z//r;
        $depth += ( $raw eq $open ) - ( $raw eq $close );
        last if $depth == 0;
        push @inside, $token;
    }
    return \@inside;
}

1;
