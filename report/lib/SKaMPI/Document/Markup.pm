package SKaMPI::Document::Markup;

# The LaTeX of the report as HTML. Templates and texts are written in a small part of LaTeX:
# preamble.tt says how LaTeX prints it, report/page/commands.txt how a browser does.
use SKaMPI::Base;

use SKaMPI::Document::MarkupTable qw(argument table_html until_end);
use SKaMPI::Safe::Escape          qw(command html);

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
    return until_end( $in, '[', ']' );
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
        return $self->_formula( until_end( $in, q{}, q{$} ) ) if $sign eq q{$};
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
            $of = $of eq q{} ? $self->_inline( argument( \@in ) ) : _variable($of) if $script;
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
    return $self->_blocks( _tokens( $self->{files}{ _raw( argument($in) ) } // q{} ) )
      if $name eq 'input';
    return $self->{plot}->( _raw( argument($in) ) ) if $name eq 'plot';
    return join ', ', map { qq{<a href="#$_">$NAME$_$END</a>} } split /,/, _raw( argument($in) )
      if $name eq 'pages';
    my ( $count, $html ) = @{ command($name) // [ 0, q{} ] };
    $self->{unknown}{"\\$name"} = 1 if !command($name);
    splice @{$in}, 0, 2 if !$count && @{$in} > 1 && $in->[0]{raw} . $in->[1]{raw} eq '{}';
    _skip_option($in);
    my @arguments = map { argument($in) } 1 .. $count;
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
        $id = _word( argument( [ @{$in}[ $i + 1 .. $#{$in} ] ] ) ) if $in->[$i]{raw} eq '\label';
    }
    push @{ $self->{headings} },
      { level => $level, id => $id, title => $title =~ s/\s*<small.*//sr };
    return qq{<$level id="$id">$title</$level>};
}

# An environment: the tokens up to its end belong to it.
sub _environment ( $self, $edge, $in, $name ) {
    my $inside = until_end( $in, "\\begin{$name}", "\\end{$name}" );
    my ( $count, $html ) = @{ command("begin:$name") // [ 0, '<div>{body}</div>' ] };
    $self->{unknown}{"\\begin{$name}"} = 1 if !command("begin:$name");
    _skip_option($inside);
    my $argument = join q{}, map { _raw( argument($inside) ) } 1 .. $count;
    if ( $html =~ /\A\{table(?: (\w+)(?:\+(\w+))?)?\}/ ) {
        my $columns = !defined $1 ? $argument : $1 . ( $2 // q{} ) x ( $argument || 0 );
        return table_html( $name, $columns, $inside,
            sub ($tokens) { return $self->_inline($tokens) } );
    }
    my $is_line = $html =~ /\{line\}/;
    my $content = $is_line ? $self->_inline($inside) : $self->_blocks($inside);
    return $content =~ /\S/ ? $html =~ s/\{\w+\}/$content/r : q{};
}

1;
