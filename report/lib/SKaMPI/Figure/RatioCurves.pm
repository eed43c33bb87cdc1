package SKaMPI::Figure::RatioCurves;

# Ratios between two sides over the message length, a curve for each suite. Points that are slower or faster are
# coloured and have their interval.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use List::Util qw(max min);

use SKaMPI::Safe::Escape qw(tex);

# Verdicts, with the numbers of their colours and of gnuplot's marks.
my @STYLES = ( [ faster => 0, 7 ], [ slower => 1, 5 ] );

# Without verdicts, the axis spans at least these ratios.
my @LEAST = ( 0.9, 1.1 );

# suites: a list for each suite of its points (SKaMPI::Verdict::Points); threshold: a fraction; y_title: a text.
sub new ( $class, $name, $suites, %more ) {
    my @points = map { @{$_} } @{$suites};
    my @ratios = map { $_->{ratio} } @points;
    return $class->SUPER::new(
        name    => $name,
        series  => [ map { { points => $_ } } @{$suites} ],
        x       => [ 'length', 'logarithmic', map { $_->{argument} } @points ],
        y       => [ 'number', 'logarithmic', @LEAST, @ratios ],
        x_title => 'Message length',
        %more,
        y_title => tex( $more{y_title}, 60 ),
    );
}

# Sets up the band of differences below the threshold, and a line at 1.
sub _set_up ($self) {
    my ( $low, $high ) = $self->{y}->range;
    my @band =
      ( max( $low, 1 / ( 1 + $self->{threshold} ) ), min( $high, 1 + $self->{threshold} ) );
    return (
        $self->SUPER::_set_up,
        sprintf(
            'set object 1 rectangle from graph 0, first %.6g to graph 1, first %.6g back'
              . ' fillcolor rgb "#ececec" fillstyle solid noborder',
            @band
        ),
'set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#444444" linewidth 0.6',
    );
}

# Grey curves, and coloured points and intervals for points with a verdict.
sub _plot_command ($self) {
    my $data  = "'$self->{name}.dat'";
    my @parts = "$data using 1:2 with lines linecolor rgb \"#9a9a9a\" linewidth 0.6 notitle";
    push @parts,
"$data using 1:(\$5 == 0 ? \$2 : 1/0) with points pointtype 7 pointsize 0.35 linecolor rgb \"#777777\" notitle";
    for my $number ( 1 .. @STYLES ) {
        my ( undef, $style, $mark ) = @{ $STYLES[ $number - 1 ] };
        my $colour = $self->_colour($style);
        my $points = "$data using 1:(\$5 == $number ? \$2 : 1/0)";
        push @parts, "$points:3:4 with yerrorbars $colour linewidth 0.6 pointtype -1 notitle",
          "$points with points $colour pointtype $mark pointsize 0.7 notitle";
    }
    return "plot \\\n    " . join ", \\\n    ", @parts;
}

# A blank line separates the curves.
sub data ($self) {
    my %number = map { $STYLES[$_][0] => $_ + 1 } keys @STYLES;
    my $text   = "# length ratio low high verdict\n";
    for my $series ( @{ $self->{series} } ) {
        $text .= "\n";
        for my $point ( @{ $series->{points} } ) {
            my $x = $self->{x}->place( $point->{argument} ) // next;
            $text .= sprintf "%.9g %.6g %.6g %.6g %d\n", $x, $point->{ratio},
              ( map { $_ // $point->{ratio} } @{$point}{qw(low high)} ),
              $number{ $point->{time_verdict} // $point->{verdict} // q{} } // 0;
        }
    }
    return $text;
}

1;
