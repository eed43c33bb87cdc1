package SKaMPI::Figure::Plot;

# A plot: a file of gnuplot commands and a file of data. new takes
#   name              of the files: name.gpl, name.dat, name.tex and name.pdf or name.eps
#   x, y              objects of SKaMPI::Figure::Axis, or what its new takes
#   x_title, y_title  titles of the axes, in LaTeX; by default empty
#   series            by default none; a list of hashes: points (see SKaMPI::Meaning::PlottedPoints), title (LaTeX, or
#                     undef: no legend), style (number of colour and mark; by default its index), dash,
#                     is_line (1: only the line, which begins again at points with gap), width, is_fitted (1: no
#                     line), is_hidden (1: only its title), link (the address of its title in a page), at_end (a
#                     name at the end of its line)
#   lines_at          vertical lines: pairs of an x and 1 if the line is solid
#   width_cm, height_cm, mono
# A point may have low and high, the ends of its bar, instead of error. Values at the pointer are those of the axes, or
# the name of the series and the text of the point.
use SKaMPI::Base;

use List::Util qw(max pairmap);
use POSIX      qw(ceil);

use SKaMPI::Figure::Axis;
use SKaMPI::Figure::Style qw(colour_of dash_of hollow_mark_of mark_of);
use SKaMPI::Safe::Escape  qw(gnuplot_string plain tex);

# Space around the axes, in centimetres; to the left, in addition to the labels.
my ( $LEFT_CM, $RIGHT_CM, $BOTTOM_CM, $TOP_CM ) = ( 0.35, 0.45, 1.00, 0.55 );
my $KEY_LINE_CM = 0.44;

# How much higher a plot with a low panel is.
my $EXTRA_CM = 0.6;

# The size of the cells in which names of lines are placed, the farthest ones from an end, the most characters, and the
# steps in which a line goes from one point to the next.
my ( $CELL_CM, $FARTHEST, $LONGEST_NAME, $STEPS ) = ( 0.15, 12, 26, 8 );

# The height of the axis of a low panel, without and with the title above it.
my ( $LOW_CM, $BELOW_CM ) = ( 0.76, 1.4 );

# Marks around points: the kind, the column of the data, gnuplot's number of the mark, and its
# colour.
my @MARKED = (
    [ inexact  => 6, 2,  '#d55e00' ],
    [ limited  => 7, 1,  '#555555' ],
    [ bimodal  => 8, 12, '#555555' ],
    [ doubtful => 9, 4,  '#d55e00' ],
);

# Formats: the ending of the file, the terminal that writes it with the size in centimetres, the number of its units in
# a centimetre, and further commands. Without the ends of error bars, more marks fit. Pictures need no LaTeX: their
# labels are characters.
my $SIZE   = 'size %.2fcm,%.2fcm linewidth 1.5 pointscale 0.5';
my $CAIRO  = "input color noheader $SIZE";
my $SVG    = 'svg noenhanced size %.0f,%.0f linewidth 1.5';
my $PNG    = 'pngcairo noenhanced size %.0f,%.0f linewidth 1.5 pointscale 0.8 font "sans,11"';
my $WHITE  = qq{$SVG font "sans-serif,12" background "#ffffff"};
my %FORMAT = (
    pdf         => [ 'tex', "cairolatex pdf $CAIRO",      1 ],
    ps          => [ 'tex', "cairolatex eps $CAIRO",      1 ],
    html        => [ 'svg', qq{$SVG font "sans-serif,9"}, 37.8, 'set errorbars 0' ],
    picture_svg => [ 'svg', $WHITE,                       49.1, 'set pointsize 0.5' ],
    picture_png => [ 'png', $PNG,                                              49.1 ],
    picture_pdf => [ 'pdf', qq{pdfcairo noenhanced color $SIZE font "sans,9"}, 1 ],
    picture_eps => [ 'eps', qq{epscairo noenhanced color $SIZE font "sans,9"}, 1 ],
);

my $NARROW_CM = 6.2;

sub new ( $class, %plot ) {
    $plot{$_} = SKaMPI::Figure::Axis->new( @{ $plot{$_} } )
      for grep { ref $plot{$_} eq 'ARRAY' } qw(x y);
    my %size = ( width_cm => $NARROW_CM, height_cm => 4.5 );
    my %none = ( x_title  => q{}, y_title => q{}, mono => 0, series => [], lines_at => [] );
    return bless { %size, %none, %plot }, $class;
}

# Adds a low panel with the same x axis below the plot: y, y_title and series.
sub add_below ( $self, %low ) {
    my %own = ( is_low => 1, first => scalar @{ $self->{series} }, key_cm => $self->_key_cm );
    $self->{extra_cm} = $EXTRA_CM;
    $self->{below}    = bless { %{$self}, %low, %own }, ref $self;
    $_->{left_cm}     = max map { $_->_left_cm } $self, $self->{below} for $self, $self->{below};
    return $self;
}

sub name   ( $self, $new = $self->{name} ) { return $self->{name} = $new }
sub ending ( $self, $format )              { return $FORMAT{$format}[0] }

# The titles of the key that are links: lists of title, address and class.
sub links ($self) {
    return map { [ plain( $_->{title} ), $_->{link}, $_->{is_hidden} ? 'hidden' : 'shown' ] }
      grep { defined $_->{link} } @{ $self->{series} };
}

# For the values at the pointer: for each panel, its left, right, upper and lower end as parts of the drawing, both
# axes (SKaMPI::Figure::Axis) and, if they have texts, the points of each curve. Nothing for plots without curves.
sub panels ($self) {
    return if !@{ $self->{series} };
    my ( $left, $right, $bottom, $top ) = $self->_around_cm;
    my ( $width, $height ) = ( $self->{width_cm}, $self->height_cm );
    my @ends = ( $left / $width, 1 - $right / $width, $top / $height, 1 - $bottom / $height );
    return ( [ @ends, ( map { [ $_->as_numbers ] } @{$self}{qw(x y)} ), $self->_texts ],
        $self->{below} ? $self->{below}->panels : () );
}

# For each curve whose points have texts: its name, and for each point that is seen its parts of the axes and its text.
sub _texts ($self) {
    my @curves;
    for my $series ( grep { !$_->{is_hidden} && defined $_->{name} } @{ $self->{series} } ) {
        my @points;
        for my $point ( @{ $series->{points} } ) {
            my @parts = map { $self->{$_}->part( $point->{$_} ) // () } qw(x y);
            push @points, [ ( map { 0 + sprintf '%.4f', $_ } @parts ), $point->{text} ]
              if @parts == 2;
        }
        push @curves, [ $series->{name}, @points ];
    }
    return @curves ? \@curves : ();
}

# Whether two such plots fit side by side.
sub is_narrow ($self) { return $self->{width_cm} <= $NARROW_CM }

# The number of points that logarithmic axes cannot show.
sub hidden_count ($self) {
    my @points = map { @{ $_->{points} } } @{ $self->{series} };
    my ( $x, $y ) = @{$self}{qw(x y)};
    return scalar grep { !defined $x->place( $_->{x} ) || !defined $y->place( $_->{y} ) } @points;
}

# The number of error bars that extend beyond the axis, which spans the values.
sub cut_count ($self) {
    my ( $low, $high ) = $self->{y}->range;
    return scalar grep { $_->{y} + $_->{error} > $high || $_->{y} - $_->{error} < $low }
      map { @{ $_->{points} } } @{ $self->{series} };
}

# The commands for gnuplot. All formats draw the same; PDF and PostScript share the LaTeX file.
sub commands ( $self, @formats ) {
    my @lines = '# ' . $self->{name} . ': made by dorep';
    for my $format (@formats) {
        my ( $ending, $terminal, $per_cm, @first ) = @{ $FORMAT{$format} };
        my @size = map { $_ * $per_cm } $self->{width_cm}, $self->height_cm;
        push @lines, sprintf( "set terminal $terminal", @size ),
          "set output '$self->{name}.$ending'",
          $self->_drawing( scalar $format =~ /\Apicture/, @first ), 'unset output';
    }
    return join q{}, map { "$_\n" } @lines;
}

sub _drawing ( $self, $is_picture, @first ) {
    my @lines = ( $self->_set_up, @first, $self->_plot_command );
    @lines = map { s/'((?:[^']|'')*)'/gnuplot_string( plain( $1 =~ s{''}{'}gr ) )/ger } @lines
      if $is_picture;
    my $below = $self->{below} // return @lines;
    local @{$below}{qw(mono name)} = @{$self}{qw(mono name)};
    return ( 'set multiplot', @lines, $below->_drawing( $is_picture, @first ), 'unset multiplot' );
}

sub _key_entries ($self) {
    return grep { defined $_->{title} } @{ $self->{series} };
}

sub _key_cm ($self) {
    return $self->{key_cm} // $self->_key_entries * $KEY_LINE_CM;
}

# Height including the key and the low panel.
sub height_cm ($self) {
    return $self->{height_cm} + $self->_key_cm + ( $self->{extra_cm} // 0 );
}

# Width and height of LaTeX's box of the plot, in whole points as gnuplot cuts them.
sub size_bp ($self) {
    return map { int( 72 / 2.54 * sprintf '%.2f', $_ ) } $self->{width_cm}, $self->height_cm;
}

sub _set_up ($self) {
    return (
        'reset',
        'set encoding utf8',
        'set border 3 linewidth 0.5 linecolor rgb "#444444"',
        'set grid linecolor rgb "#d8d8d8" linewidth 0.4 dashtype solid',
        'set tics out nomirror scale 0.5',
        $self->_margins,
        $self->_axis( 'x', $self->{x} ),
        $self->_axis( 'y', $self->{y} ),
        $self->_key,
        $self->_labels,
        $self->{is_low} ? () : $self->_end_names,
        $self->_vertical_lines,
    );
}

sub _margins ($self) {
    my ( $left, $right, $bottom, $top ) = $self->_around_cm;
    my ( $width, $height ) = ( $self->{width_cm}, $self->height_cm );
    my @part = ( l => $left / $width, r => 1 - $right / $width );
    push @part, b => $bottom / $height, t => 1 - $top / $height;
    return pairmap { sprintf 'set %smargin at screen %.4f', $a, $b } @part;
}

# The space around the axes: to the left, to the right, below and above.
sub _around_cm ($self) {
    my $bottom = $BOTTOM_CM + $self->_key_cm;
    my @below =
        $self->{is_low} ? ( $bottom, $self->height_cm - $bottom - $LOW_CM )
      : $self->{below}  ? ( $bottom + $BELOW_CM, $TOP_CM )
      :                   ( $bottom, $TOP_CM );
    return ( $self->_left_cm, $RIGHT_CM, @below );
}

sub _left_cm ($self) {
    my $y = $self->{y};
    return $self->{left_cm} // $LEFT_CM + max map { $y->label_cm($_) } q{   },
      map { $_->[1] } $y->ticks( 'y', $self->_room_cm('y') );
}

sub _room_cm ( $self, $name ) {
    return $self->height_cm -
      $self->_key_cm -
      $BOTTOM_CM - $TOP_CM -
      ( $self->{below} ? $BELOW_CM : 0 )
      if $name eq 'y' && !$self->{is_low};
    return $LOW_CM if $name eq 'y';
    return $self->{width_cm} - $self->_left_cm - $RIGHT_CM;
}

sub _axis ( $self, $name, $axis ) {
    my @ticks = $axis->ticks( $name, $self->_room_cm($name) );
    @ticks = map { [ $_->[0], q{} ] } @ticks if $name eq 'x' && $self->{below};
    return $axis->commands( $name, @ticks );
}

# Puts the key below the plot, where long names cover nothing.
sub _key ($self) {
    return 'unset key' if !$self->_key_entries || $self->{is_low};
    my $y = ( $self->_key_cm + 0.05 ) / $self->height_cm;
    return
      sprintf 'set key at screen 0.02,%.4f left top Left reverse vertical maxcols 1'
      . ' samplen 3 spacing 1 noautotitle', $y;
}

# Titles of the axes: above the y axis, horizontally, and below the last panel.
sub _labels ($self) {
    my ( $x, $y ) = map { gnuplot_string($_) } @{$self}{qw(x_title y_title)};
    my $top   = $self->{is_low} ? ( $self->_around_cm )[3] - $TOP_CM : 0;
    my $above = sprintf '%.4f',
      1 - ( $top + ( $self->{is_low} ? 0.55 : 0.3 ) * $TOP_CM ) / $self->height_cm;
    my $below = sprintf '%.4f', ( $self->_key_cm + 0.22 ) / $self->height_cm;
    my $right = sprintf '%.4f', 1 - $RIGHT_CM / $self->{width_cm};
    return ( "set label 1 $y at screen 0.01,$above left",
        $self->{below} ? () : "set label 2 $x at screen $right,$below right" );
}

# Names of lines near their ends, where little is drawn and no other line is between.
sub _end_names ($self) {
    my @named = grep { defined $self->{series}[$_]{at_end} } keys @{ $self->{series} } or return;
    my @room  = map  { int $self->_room_cm($_) / $CELL_CM } qw(x y);
    my ( @labels, %end );
    my @rows = ( q{ } x ( $room[0] + 9 ) ) x ( $room[1] + 9 );
    for my $i ( keys @{ $self->{series} } ) {
        for my $cell ( $self->_cells( $self->{series}[$i], @room ) ) {
            substr $rows[ $cell->[1] ], $cell->[0], 1, chr 65 + $i;
            $end{$i} = $cell;
        }
    }
    for my $i ( grep { $end{$_} } @named ) {
        my $name = tex( $self->{series}[$i]{at_end}, $LONGEST_NAME );
        my $long = ceil( $self->{x}->label_cm( plain($name) ) / $CELL_CM );
        my ( $left, $row ) = $self->_free_place( chr 65 + $i, $end{$i}, $long, \@rows, @room )
          or next;
        substr $_, $left, $long, chr( 65 + $i ) x $long for @rows[ $row - 1 .. $row + 1 ];
        push @labels, sprintf 'set label %d %s at graph %.4f,graph %.4f left', 3 + @labels,
          gnuplot_string($name), $left / $room[0], ( $row + 0.5 ) / $room[1];
    }
    return @labels;
}

# The column and the row of each cell that the line through a series's points crosses.
sub _cells ( $self, $series, @room ) {
    my ( @last, @cells );
    for my $point ( @{ $series->{points} } ) {
        my @part = map { $self->{$_}->part( $point->{$_} ) // () } qw(x y);
        @last = @part == 2 ? @part : () if @part < 2 || !@last || $point->{gap};
        next if @part < 2;
        my @step = map { ( $part[$_] - $last[$_] ) / $STEPS } 0, 1;
        for my $n ( 0 .. $STEPS ) {
            push @cells, [ map { int( $room[$_] * ( $last[$_] + $n * $step[$_] ) ) } 0, 1 ];
        }
        @last = @part;
    }
    return @cells;
}

# The first column and the row of a name, nothing if it is too long. ROWS are texts that have the series of each cell.
sub _free_place ( $self, $own, $end, $long, $rows, @room ) {
    my ( $x, $y ) = @{$end};
    my $title = ( $self->{x}->label_cm( plain( $self->{y_title} ) ) - $self->_left_cm ) / $CELL_CM;
    my ( $least, @best ) = 'inf';
    for
      my $row ( grep { $_ >= 1 && $_ <= $room[1] + 1 } map { ( $y - $_, $y + $_ ) } 2 .. $FARTHEST )
    {
        my $costs = abs( $row - $y ) + 9 * grep { substr( $_, $x, 1 ) !~ /[ $own]/ }
          @{$rows}[ $row < $y ? $row .. $y - 2 : $y + 2 .. $row ];
        for my $left ( $x - $long, $x - int $long / 2, $x + 1 ) {
            next if $left < ( $row > $room[1] ? $title : 0 ) || $left + $long > $room[0] + 2;
            my $all = join q{}, map { substr $_, $left, $long } @{$rows}[ $row - 1 .. $row + 1 ];
            my $sum = $costs + 2 * $all =~ tr/ //c;
            ( $least, @best ) = ( $sum, $left, $row ) if $sum < $least;
        }
    }
    return @best;
}

# Lines where the x axis is broken, and in lines_at.
sub _vertical_lines ($self) {
    my ( $x, $number ) = ( $self->{x}, 0 );
    my @lines =
      map { [ $_->[0], $_->[1] ? 'd55e00" linewidth 1.2' : '999999" linewidth 0.8 dashtype "-"' ] }
      @{ $self->{lines_at} };
    unshift @lines, [ $x->break_place, '999999" linewidth 0.5 dashtype "."' ] if $x->has_zero;
    return map {
        sprintf 'set arrow %d from %.9g,graph 0 to %2$.9g,graph 1 nohead linecolor rgb "#%s',
          ++$number, @{$_}
    } @lines;
}

sub _plot_command ($self) {
    my @parts = map { $self->_draw($_) } $self->_drawn;
    return "plot \\\n    " . join ", \\\n    ", @parts;
}

# Columns of the data: x, y, lower and upper end of the error bar; 1 if refined, inexact, limited, bimodal,
# doubtful.
sub _draw ( $self, $i ) {
    my $index  = $i + ( $self->{first} // 0 );
    my $data   = "'$self->{name}.dat' index $index using";
    my $series = $self->{series}[$i];
    my $style  = $series->{style} // $i;
    my $colour = $self->_colour($style);
    my $title =
      defined $series->{title} ? 'title ' . gnuplot_string( $series->{title} ) : 'notitle';
    my ( $mark, $hollow ) = ( mark_of($style), hollow_mark_of($style) );
    my $dash  = $series->{dash}  // dash_of($style);
    my $width = $series->{width} // ( $series->{is_line} ? 1.3 : 0.9 );
    my $line  = "$data 1:2 with lines $colour linewidth $width dashtype $dash notitle";
    return "1/0 with lines linecolor rgb \"#9a9a9a\" $title" if $series->{is_hidden};
    return $line =~ s/notitle\z/$title/r                     if $series->{is_line};
    return (
        $series->{is_fitted} ? () : $line,
        "$data 1:2:3:4 with yerrorbars $colour linewidth 0.5 pointtype -1 notitle",
        "$data 1:(\$5 == 1 ? 1/0 : \$2) with points $colour pointtype $mark notitle",
        $self->_refined( $series, "$data 1:(\$5 == 1 ? \$2 : 1/0)", "$colour pointtype $hollow" ),
        ( map { $self->_marked( $series, $data, @{$_} ) } @MARKED ),
        defined $series->{title}
        ? "1/0 with linespoints $colour dashtype $dash linewidth 0.9 pointtype $mark $title"
        : (),
    );
}

sub _colour ( $self, $style ) {
    return 'linecolor rgb "' . colour_of( $style, $self->{mono} ) . q{"};
}

sub _refined ( $self, $series, $data, $mark ) {
    return if !grep { $_->{refined} } @{ $series->{points} };
    return ( "$data with points pointtype 7 linecolor rgb \"#ffffff\" notitle",
        "$data with points $mark linewidth 0.5 notitle" );
}

sub _marked ( $self, $series, $data, $sort, $column, $type, $colour ) {
    return              if !grep { $_->{$sort} } @{ $series->{points} };
    $colour = '#000000' if $self->{mono};
    return "$data 1:(\$$column == 1 ? \$2 : 1/0) with points pointtype $type pointsize 1.8"
      . " linewidth 0.8 linecolor rgb \"$colour\" notitle";
}

# A block for each curve. A blank line interrupts the curve between 0 and the rest of the axis. Gnuplot does not count
# blocks without a line of data, so that a later curve would have the name of an earlier one.
sub data ($self) {
    my @blocks = map { $self->_block_of($_) } $self->_drawn;
    return join "\n\n", ( map { /^[^#\n]/m ? $_ : "${_}NaN NaN NaN NaN\n" } @blocks ),
      $self->{below} ? $self->{below}->data : ();
}

# The numbers of the curves with data.
sub _drawn ($self) { return keys @{ $self->{series} } }

sub _block_of ( $self, $i ) {
    my ( $text, $was_zero ) = ( "# x y low high refined inexact limited bimodal doubtful\n", 0 );
    for my $point ( @{ $self->{series}[$i]{points} } ) {
        my $line    = $self->_data_line($point) // next;
        my $is_zero = $self->{x}->has_zero && $point->{x} == 0;
        $text .= "\n" if $point->{gap} || $was_zero && !$is_zero;
        $text .= $line;
        $was_zero = $is_zero;
    }
    return $text;
}

sub _data_line ( $self, $point ) {
    my @places = ( $self->{x}->place( $point->{x} ), $self->{y}->place( $point->{y} ) );
    return if grep { !defined } @places;
    my ($lowest) = $self->{y}->range;
    my $low      = $point->{low}  // $point->{y} - $point->{error};
    my $high     = $point->{high} // $point->{y} + $point->{error};
    $low = $lowest if $self->{y}->is_logarithmic && $low < $lowest;
    return sprintf "%.9g %.9g %.9g %.9g %s %s %s %s %s\n", @places, $low, $high,
      map { $_ // 0 } @{$point}{qw(refined inexact limited bimodal doubtful)};
}

1;
