package SKaMPI::Figure::Svg;

# gnuplot's drawing as a small part of an HTML page, in a tenth of the size. Neighbours with the
# same look become one element. Only numbers and known words are taken; texts are escaped.
use SKaMPI::Base;

use SKaMPI::Base::Json     qw(to_json);
use SKaMPI::Base::TextFile qw(characters);
use SKaMPI::Safe::Escape   qw(decoded html plain);

# The size of letters, in points of the LaTeX labels and in pixels; and the factor by which marks
# are smaller than gnuplot's.
my ( $FONT_PT, $FONT_PX ) = ( 9, 11 );
my $MARKS = 0.55;

# How much larger plots are on a screen than on paper, and the width of a narrow one.
my ( $LARGER, $WIDE ) = ( 1.3, 450 );

# gnuplot's marks: how a line draws them from their middle. Filled marks are a filled outline; discs
# and squares are the ends of a line without length.
my %OUTLINE = (
    0  => 'm -1 0 h 2 m -1 -1 v 2',
    1  => 'm -1 -1 l 2 2 m 0 -2 l -2 2',
    2  => 'm -1 0 h 2 m -1 -1 v 2 m -1 -2 l 2 2 m 0 -2 l -2 2',
    3  => 'm -1 -1 h 2 v 2 h -2 z',
    5  => 'm -1 0 a 1 1 0,1,0, 2 0 a 1 1 0,1,0, -2 0',
    7  => 'm 0 -1.33 l -1.33 2 h 2.66 z',
    9  => 'm 0 1.33 l 1.33 -2 h -2.66 z',
    11 => 'm -1.4 0 l 1.4 -1.4 l 1.4 1.4 l -1.4 1.4 z',
    13 => 'm 0 1.33 l 1.26 -.92 l -.48 -1.48 h -1.56 l -.48 1.48 z',
);
my %FILLED = ( 8 => 7, 10 => 9, 12 => 11, 14 => 13 );
my %CAP    = ( 4 => 'square', 6 => 'round' );

my $NUMBER = qr/-?[0-9]+(?:[.][0-9]*)?/;
my $MARK =
qr{<use\ xlink:href='\#gpPt([0-9]+)'\ transform='translate\(($NUMBER),($NUMBER)\)\ scale\(($NUMBER)\)'(?:\ color='([^']*)')?}x;
my $TAG = qr{<(/?)(\w+)([^<>]*)>([^<]*)};

# Attributes that a group passes on to its elements.
my @INHERITED = qw(color fill stroke stroke-width transform text-anchor);

# Grid and axes, which are drawn below the rest.
my @BELOW = ( '#d8d8d8', '#444444' );

# The conversion of gnuplot's elements.
my %TAKE = (
    path    => \&_path,
    polygon => \&_polygon,
    text    => \&_text,
    pattern => sub ( $about, $look, $ ) { $about->{pattern} = $look->{id} =~ s/\W//gr; return },
);

# The SVG of gnuplot's terminal for a SKaMPI::Figure::Plot as HTML (characters), with the LaTeX of its labels as
# characters. The name of the plot distinguishes the patterns of this drawing from those of others on the page.
sub svg_of ( $bytes, $plot, $title = undef ) {
    my $text  = characters($bytes) =~ s/<defs>.*?<\/defs>//sr =~ s{<g[^<>]*>\s*</g>}{}gr;
    my ($box) = $text =~ /viewBox="(0 0 [0-9]+ [0-9]+)"/ or die "gnuplot has drawn nothing\n";
    my %about = (
        name   => $plot->name,
        below  => {},
        parts  => [],
        labels => [ $title // () ],
        links  => [ $plot->links ]
    );
    my ( @looks, %look_of ) = ( {} );
    while ( $text =~ m{$MARK|$TAG}g ) {
        if ( defined $1 ) {
            push @{ $about{parts} }, _mark( $1, $2, $3, $4, $5 // $looks[-1]{color} // 'black' );
            next;
        }
        my ( $is_end, $tag, $words, $inside ) = ( $6, $7, $8, $9 );
        my $take = $TAKE{$tag};
        if ( $is_end && $tag eq 'g' ) { pop @looks if @looks > 1 }
        next if $is_end || !$take && $tag ne 'g';
        my $look = $look_of{"$looks[-1] $words"} //= _look( $looks[-1], $words );
        if ($take) { push @{ $about{parts} }, $take->( \%about, $look, $inside ) }
        else       { push @looks, $look }
    }
    my ( undef, undef, @size ) = split / /, $box;
    my ( $width, $height ) = map { int $LARGER * $_ } @size;
    my $class  = $width > $WIDE ? ' class="wide"' : q{};
    my @panels = $plot->panels;
    my $json   = to_json( \@panels );
    $class .= ' data-panels="' . html( $json, length $json ) . q{"} if @panels;
    my $role = @panels && $panels[0][6] ? 'application" tabindex="0' : 'img';
    return
        qq{<svg$class viewBox="$box" width="$width" height="$height" role="$role" aria-label="}
      . html( join ', ', @{ $about{labels} } ) . '">'
      . _joined( ( grep { defined } @{ $about{below} }{@BELOW} ), @{ $about{parts} } )
      . '</svg>';
}

# A part is a list of: the text that begins an element, the content that can be joined with the next
# part's, and the text that ends the element.
sub _part ( $begin, $content ) { return [ "<path$begin d=\"", $content, '"/>' ] }

sub _joined (@parts) {
    my ( $html, $last, $end ) = ( q{}, q{}, q{} );
    for my $part (@parts) {
        my ( $begin, $content, $close ) = @{$part};
        $html .= $end . $begin if $begin ne $last;
        $html .= $content;
        ( $last, $end ) = ( $begin, $close );
    }
    return $html . $end;
}

sub _path ( $about, $look, $ ) {
    return _stripes( $about, $look ) if $look->{style};
    my $own    = ( $look->{stroke} // q{} ) eq 'currentColor';
    my $colour = _colour( $look->{ $own ? 'color' : 'stroke' } );
    my ($dash) = ( $look->{'stroke-dasharray'} // q{} ) =~ /\A([0-9.,]+)\z/;
    my $begin =
      qq{ stroke="$colour" stroke-width="} . _number( $look->{'stroke-width'} // 1 ) . q{"};
    $begin .= qq{ stroke-dasharray="$dash"} if $dash && !$look->{class};
    my $part = _part( $begin, _line( $look->{d} ) );
    return $part if $dash && !$look->{class} || !grep { $_ eq $colour } @BELOW;
    my $below = $about->{below}{$colour} //= _part( $begin, q{} );
    $below->[1] .= $part->[1];
    return;
}

sub _polygon ( $about, $look, $ ) {
    my ($pattern) = $look->{fill} =~ /\Aurl\(#(\w+)\)\z/;
    my $fill      = $pattern ? "url(#$about->{name}-$pattern)" : _colour( $look->{fill} );
    my $begin     = qq{ fill="$fill"};
    my ($opacity) = ( $look->{'fill-opacity'} // 1 ) =~ /\A([0-9.]+)\z/;
    $begin .= ' fill-opacity="' . ( 0 + $opacity ) . q{"} if ( $opacity // 1 ) < 1;
    my ( $first, @others ) = split q{ }, $look->{points};
    return _part( $begin, _line( "M$first" . join( q{}, map { " L$_" } @others ) . 'Z' ) );
}

# The attributes of an element of a group.
sub _look ( $group, $words ) {
    my %inherited = map { $_ => $group->{$_} } @INHERITED;
    return { %inherited, $words =~ /([\w:-]+)\s*=\s*(?|'([^']*)'|"([^"]*)")/g };
}

sub _mark ( $mark, $x, $y, $scale, $colour ) {
    state %known;
    my ( $begin, $drawn ) =
      @{ $known{"$mark $scale $colour"} //= [ _drawn_mark( $mark, $MARKS * $scale, $colour ) ] };
    return _part( $begin, _pair( 'M', _number($x), _number($y) ) . $drawn );
}

# The look of a mark, and its path from the middle.
sub _drawn_mark ( $mark, $size, $colour ) {
    $colour = _colour($colour);
    my $width = _number( 2 * $size );
    return ( qq{ stroke="$colour" stroke-linecap="$CAP{$mark}" stroke-width="$width"}, 'h0' )
      if $CAP{$mark};
    my $outline = $FILLED{$mark};
    return ( $outline ? qq{ fill="$colour"} : qq{ stroke="$colour" stroke-width="0.8"},
        _scaled( $size, $OUTLINE{ $outline // $mark } // q{} ) );
}

# Scales an outline, except for the flags of arcs.
sub _scaled ( $size, $outline ) {
    my $d = join q{ }, map { /[0-9]\z/ ? _number( $size * $_ ) : $_ } split q{ }, $outline;
    return $d =~ s/ ?([a-z]) ?/$1/gr =~ s/ -/-/gr;
}

sub _text ( $about, $look, $inside ) {
    my $latex   = decoded($inside);
    my ($small) = $latex =~ /\A\\fontsize\{([0-9.]+)\}/;
    my $text    = plain($latex);
    my ( $x, $y, $turn ) =
      ( $look->{transform} // q{} ) =~
      /translate\(([0-9.-]+),([0-9.-]+)\)(?:\s*rotate\(([0-9.-]+)\))?/;
    return if !defined $x || $text !~ /\S/;
    my @at = map { _number($_) } $x, $y;
    my $begin =
      $turn
      ? qq{ transform="translate(@at)rotate(} . _number($turn) . ')"'
      : qq{ x="$at[0]" y="$at[1]"};
    my ($anchor) = ( $look->{'text-anchor'} // q{} ) =~ /\A(middle|end)\z/;
    $begin .= qq{ text-anchor="$anchor"}                                      if $anchor;
    $begin .= ' font-size="' . _number( $small * $FONT_PX / $FONT_PT ) . q{"} if $small;
    push @{ $about->{labels} }, $text if $text =~ /[A-Za-z]{4}/;
    my ( $title, $address, $class ) = @{ $about->{links}[0] // [q{}] };
    my @around = ( q{}, q{} );

    if ( $text eq $title ) {
        shift @{ $about->{links} };
        $begin .= qq{ class="$class"};
        @around = ( '<a href="' . html( $address, length $address ) . '">', '</a>' );
    }
    return [ join( "<text$begin>" . html($text) . '</text>', @around ), q{}, q{} ];
}

sub _stripes ( $about, $look ) {
    my $colour = _colour( $look->{style} =~ /stroke:\s*(rgb\([0-9, ]+\))/ );
    return [
qq{<defs><pattern id="$about->{name}-$about->{pattern}" patternUnits="userSpaceOnUse" width="8" height="8">}
          . qq{<path stroke="$colour" d="}
          . _line( $look->{d} )
          . '"/></pattern></defs>',
        q{}, q{}
    ];
}

# A colour as hexadecimal digits, which the style of a dark page replaces.
sub _colour ( $colour = 'black', @ ) {
    my @rgb = $colour =~ /\Argb\(\s*([0-9]+),\s*([0-9]+),\s*([0-9]+)\)\z/;
    return sprintf '#%02x%02x%02x', @rgb if @rgb;
    return { white => '#ffffff', gray => '#808080' }->{$colour} // '#000000';
}

sub _number ($value) {
    state %known;    # gnuplot writes two decimals
    return $known{$value} //= 0 + sprintf '%.1f', $value;
}

sub _pair ( $command, $x, $y ) { return $command . $x . ( $y < 0 ? q{} : q{ } ) . $y }

# Shortens the path of a horizontal or vertical line.
sub _line ($d) {
    my ( $line, @at ) = (q{});
    for my $word ( split q{ }, $d =~ s/Z/ Z/gr ) {
        my ( $command, @to ) = $word =~ /\A([ML]?)(-?[0-9.]+),(-?[0-9.]+)\z/;
        if ( !@to ) { $line .= $word eq 'Z' ? 'z' : q{}; next }
        @to = map { _number($_) } @to;
        $line .=
            $command eq 'M' || !@at ? _pair( 'M', @to )
          : $to[1] == $at[1]        ? "H$to[0]"
          : $to[0] == $at[0]        ? "V$to[1]"
          :                           _pair( 'L', @to );
        @at = @to;
    }
    return $line;
}

1;
