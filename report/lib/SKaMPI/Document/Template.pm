package SKaMPI::Document::Template;

# Fills the LaTeX templates of the report. Their language is a part of the Template Toolkit's: IF, ELSE, UNLESS,
# FOREACH with loop, INCLUDE, BLOCK, filters, comments, and "-" where a line end is not printed. Data are hashes,
# objects, lists (.size, .slice) and texts; a value that is used must be defined. A template is translated to Perl, once
# for all documents.
use SKaMPI::Base;

use Scalar::Util qw(blessed);

use SKaMPI::Base::TextFile qw(shipped_text);
use SKaMPI::Safe::Escape   qw(tex);

my $PATH = qr/[a-z_]\w*(?:[.]\w+(?:[(]\d+[)])?)*/;

# The Perl of each word, a function of what follows it, and the Perl of its END.
my %WORDS = (
    IF      => [ sub ($of) { 'if (' . _condition($of) . ') {' },     '}' ],
    UNLESS  => [ sub ($of) { 'unless (' . _condition($of) . ') {' }, '}' ],
    ELSE    => [ sub ($) { '} else {' } ],
    FOREACH => [ \&_loop, '}}' ],
    INCLUDE => [ sub ($of) { 'INCLUDE{' . $of =~ s/'|[.]tt\b//gr . '};' } ],
);

# Every value in a template passes one of these filters: tex for values that may come from a file, raw for
# LaTeX. tests/report/document.t checks this. FILTER escapes texts for LaTeX, or for SKaMPI::Document::Markup.
sub new ( $class, $filter = \&tex ) {
    return bless { tex => $filter, raw => sub ($text) { return $text } }, $class;
}

sub text ( $self, $name, $data ) {
    state %known;
    my $template = $known{$name} //= _translated( $name, shipped_text("templates/$name.tt") );
    return $template->( $self, $data );
}

sub _translated ( $name, $template ) {
    my ( $perl, $literals ) =
      _perl_of( $template =~ s/-%\][^\S\n]*\n/%]/gr =~ s/(?:\n|\A|(?<=%\]))[^\S\n]*\[%-/[%/gr );
    my $code = "sub (\$self, \$data) { my \$text = q{}; $perl return \$text; }";
    return eval $code    ## no critic (ProhibitStringyEval): from templates that ship
      || die "template $name: $@";
}

# The statements that append to $text, and the literal parts of the text. A block replaces what includes it.
sub _perl_of ($template) {
    my ( @literals, %block, @ends );
    my @perl = q{};
    while ( $template =~ /\G(.*?)(?:\[%\s*(.*?)\s*-?%\]|\z)/gcs ) {
        my ( $literal, $tag ) = ( $1, $2 );
        push @literals, $literal;
        $perl[-1] .= "\$text .= \$literals->[$#literals];\n" if length $literal;
        last                                                 if !defined $tag;
        if    ( $tag =~ /\ABLOCK (\w+)/ ) { push @perl, q{}; push @ends, $1; }
        elsif ( $tag ne 'END' )           { $perl[-1] .= _statement( $tag, \@ends ) }
        elsif ( $ends[-1] =~ /\A\w/ )     { $block{ pop @ends } = pop @perl }
        else                              { $perl[-1] .= pop @ends }
    }
    my $included = sub ($name) { "\$text .= \$self->text(q{$name}, \$data);" };
    1 while $perl[0] =~ s/INCLUDE\{(.*?)\};/$block{$1} \/\/ $included->($1)/ge;
    return ( $perl[0], \@literals );
}

sub _statement ( $tag, $ends ) {
    return q{} if $tag =~ /\A\#/;
    if ( $tag =~ /\A([A-Z]+)\s*(.*)/s ) {
        my ( $code, $end ) = @{ $WORDS{$1} // die "unknown word '$1'\n" };
        push @{$ends}, $end // ();
        return $code->($2);
    }
    my ( $value, $filter ) = $tag =~ /\A($PATH) [|] (\w+)\z/ or die "no filter in '$tag'\n";
    return "\$text .= \$self->{$filter}->(" . _access($value) . ");\n";
}

sub _loop ($of) {
    my ( $name, $list ) = $of =~ /\A(\w+) IN ($PATH)\z/ or die "wrong loop '$of'\n";
    return
        '{ my $list = '
      . _access($list)
      . "; local \@{\$data}{qw(loop $name)}; "
      . 'for my $i (0 .. $#{$list}) { '
      . "\@{\$data}{qw(loop $name)} = (_place(\$i, \$#{\$list}), \$list->[\$i]);\n";
}

sub _place ( $i, $last ) {
    return { index => $i, count => $i + 1, first => $i == 0, last => $i == $last };
}

sub _condition ($of) {
    return $of =~ s/('[^']*')|($PATH)|==/$1 \/\/ ( defined $2 ? _access($2) : 'eq' )/ger;
}

sub _access ($path) { return '_value($data, qw{' . $path =~ tr/./ /r . '})' }

sub _value ( $value, @names ) {
    for my $name (@names) {
        $value =
            ref $value eq 'ARRAY' ? _of_list( $value, $name )
          : blessed $value        ? $value->$name
          :                         $value->{$name};
        die 'undefined: ', join( q{.}, @names ), "\n" if !defined $value;
    }
    return $value;
}

sub _of_list ( $list, $name ) {
    return scalar @{$list} if $name eq 'size';
    return $name =~ /\Aslice\((\d+)/ ? [ @{$list}[ $1 .. $#{$list} ] ] : $list->[$name];
}

1;
