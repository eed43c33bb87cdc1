package SKaMPI::Database::Chart::Gnuplot;

# A comparison as commands and data for gnuplot. Texts are in single quotes, where gnuplot evaluates
# nothing.
use SKaMPI::Base;

use Digest::SHA qw(sha256);
use Encode      qw(encode);

use SKaMPI::Base::Table  qw(shorten);
use SKaMPI::Safe::Escape qw(gnuplot_string);

our @EXPORT_OK = qw(colour_of dash_of gnuplot_files mark_of slots);

# Format: gnuplot's terminal, and its unit of length as pixels.
my %FORMAT = (
    svg => [ 'svg size %d,%d background "#ffffff" font "sans-serif,13"', 1 ],
    png => [ 'pngcairo size %d,%d font "sans,11"',                       1 ],
    pdf => [ 'pdfcairo color size %.2fin,%.2fin font "sans,11"',         1 / 90 ],
    eps => [ 'epscairo color size %.2fin,%.2fin font "sans,11"',         1 / 90 ],
);

my @EMPTY = (
    'unset border', 'unset tics',
    "set label 1 'nothing to draw' at graph 0.5,0.5 center",
    'plot [0:1] [0:1] 2 notitle'
);

my $KEY_LINE = 20;
my $LOW      = 160;

# The whole plot, and one of many on a page: its pixels, the part of the width that is left of the axis, and whether
# names and residuals are below it.
my %SIZE = (
    whole => { width => 900, height => 430, left => 0.10, names => 1 },
    small => { width => 450, height => 270, left => 0.18, names => 0 },
);

# The texts of the files that gnuplot reads, by name: picture.gpl, which draws picture.FORMAT, and a
# file of numbers for each panel. SIZE is whole or small.
sub gnuplot_files ( $chart, $format, $size = 'whole' ) {
    my $of     = $SIZE{$size};
    my @panels = grep { @{ $_->{drawn} } && ( $of->{names} || !$_->{is_low} ) }
      map { _with_drawn($_) } $chart->panels;
    my $height = 0;
    for my $panel (@panels) {
        @{$panel}{qw(top left)} = ( $height, $of->{left} );
        $panel->{names_px} =
          $of->{names} && !$panel->{is_low} ? $KEY_LINE * @{ $panel->{drawn} } : 0;
        $panel->{height} =
          ( $panel->{is_low} ? $LOW : $of->{height} ) +
          $panel->{names_px} +
          ( $panel->{reason} ? $KEY_LINE : 0 );
        $height += $panel->{height};
    }
    my ( $template, $unit ) = @{ $FORMAT{$format} };
    my $terminal = sprintf $template, map { $_ * $unit } $of->{width}, $height || $of->{height};
    my %files;
    for my $panel (@panels) {
        $files{"panel$panel->{number}.dat"} = join "\n\n",
          map { _block( $panel, $_ ) } @{ $panel->{drawn} };
    }
    $files{'picture.gpl'} = join q{}, map { "$_\n" } "set terminal $terminal noenhanced",
      "set output 'picture.$format'", 'set encoding utf8', 'set multiplot',
      ( map { _panel( $_, $height ) } @panels ), @panels ? () : @EMPTY, 'unset multiplot',
      'unset output';
    return \%files;
}

sub _with_drawn ($panel) {
    my @drawn = grep { !$_->{hidden} && @{ $_->{values}{points} } } @{ $panel->{series} };
    return { %{$panel}, drawn => \@drawn };
}

sub _panel ( $panel, $all ) {
    my $place = sub ($pixels) { return sprintf '%.4f', 1 - ( $panel->{top} + $pixels ) / $all };
    my $above = $panel->{reason} ? 2 * $KEY_LINE : $KEY_LINE;
    my $below = $panel->{names_px};
    return (
        'reset',
        'set encoding utf8',
        'set border 3 linewidth 0.5 linecolor rgb "#444444"',
        'set grid linecolor rgb "#d8d8d8" linewidth 0.5',
        'set tics out nomirror scale 0.5',
        "set lmargin at screen $panel->{left}",
        'set rmargin at screen 0.97',
        'set tmargin at screen ' . $place->( $above + 15 ),
        'set bmargin at screen ' . $place->( $panel->{height} - $below - 55 ),
        ( map { $panel->{$_}->commands( $_, $panel->{$_}->ticks ) } qw(x y) ),
        _label( 1, $panel->{y_title}, 0.01, $place->($above), 'left' ),
        _label(
            2, $panel->{x_title}, 0.97,
            $place->( $panel->{height} - $below - ( $below ? 18 : 9 ) ), 'right'
        ),
        map( { _label( 3, shorten( $_, 120 ), 0.01, $place->(16), 'left' ) } $panel->{reason}
              // () ),
        $below
        ? 'set key at screen 0.02,'
          . $place->( $panel->{height} - $below - 8 )
          . ' left top Left reverse vertical maxcols 1 samplen 3 noautotitle'
        : 'unset key',
        _plot($panel),
    );
}

sub _label ( $number, $text, $x, $y, $side ) {
    return "set label $number " . gnuplot_string($text) . " at screen $x,$y $side";
}

sub _plot ($panel) {
    my @parts;
    for my $i ( keys @{ $panel->{drawn} } ) {
        my ( $slot, $name, $unmarked ) = @{ $panel->{drawn}[$i] }{qw(slot name unmarked)};
        my $data   = "'panel$panel->{number}.dat' index $i using";
        my $colour = 'linecolor rgb "' . colour_of($slot) . q{"};
        my $way    = $unmarked ? 'lines' : 'linespoints';
        my $mark   = $unmarked ? q{}     : ' pointtype ' . mark_of($slot) . ' pointsize 0.5';
        my $title  = gnuplot_string( shorten( $name, 120 ) );
        push @parts, "$data 1:2:3:4 with yerrorbars $colour linewidth 0.7 pointtype -1 notitle",
            "$data 1:2 with $way $colour linewidth 1.3 dashtype "
          . dash_of($slot)
          . "$mark title $title";
    }
    return 'plot ' . join ", \\\n    ", @parts;
}

# A block of numbers for each series: x, y and the ends of the error bar. A blank line interrupts the curve after
# the place of 0 on a logarithmic axis.
sub _block ( $panel, $series ) {
    my ($lowest) = $panel->{y}->range;
    my $text = "# x y low high\n";
    for my $point ( @{ $series->{values}{points} } ) {
        my $x = $panel->{x}->place( $point->{argument} );
        my $y = $panel->{y}->place( $point->{value} );
        next if !defined $x || !defined $y;
        my ( $low, $high ) = map { $_ // $y } @{$point}{qw(low high)};
        $low = $lowest if $panel->{y}->is_logarithmic && $low < $lowest;
        $text .= sprintf "%.9g %.9g %.9g %.9g\n", $x, $y, $low, $high;
        $text .= "\n" if $x != $point->{argument};
    }
    return $text;
}

# Colours that people with any colour vision can distinguish (Okabe and Ito), darkened where they are light,
# and four more. The style sheet has the colours of a dark page.
my @COLOURS =
  qw(0072b2 d55e00 009e73 b65a8f 2e8bc0 a87400 000000 6a3d9a 8c510a 7f7f7f c51b4b 4d7c0f);

my @DASHES = ( 'solid', q{'-'}, q{'.-'} );
my @MARKS  = ( 7, 5, 9, 11, 13, 6, 4, 8, 10, 12, 2, 1 );

# The number of the colour for each series, by a text that says what the series is. A series whose
# colour an earlier one already has gets the next free colour, so hiding or adding series does not
# change the colours of most others.
sub slots (@identities) {
    my ( %taken, @slots );
    for my $identity (@identities) {
        my $slot = unpack( 'N', sha256( encode( 'UTF-8', $identity ) ) ) % @COLOURS;
        $slot = ( $slot + 1 ) % @COLOURS while $taken{$slot} && keys %taken < @COLOURS;
        $taken{$slot} = 1;
        push @slots, $slot;
    }
    return @slots;
}

sub colour_of ($slot) { return "#$COLOURS[ $slot % @COLOURS ]" }
sub dash_of   ($slot) { return $DASHES[ $slot % @DASHES ] }
sub mark_of   ($slot) { return $MARKS[ $slot % @MARKS ] }

1;
