package SKaMPI::Figure::Histogram;

# A plot of a distribution: the number of repetitions in the bins of a SKaMPI::Stat::Distribution, several of which may
# share a bar, over the time on a logarithmic axis.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

use POSIX qw(ceil floor);

use SKaMPI::Stat::Distribution qw(bin_start);

# Times of 0 or less have no place on a logarithmic axis.
my $MIN_BIN = -2048;

# More bars cannot be distinguished on paper.
my $MAX_BARS = 100;

sub new ( $class, $name, $distribution, %more ) {
    my %bins  = %{ $distribution->bins };
    my @shown = sort { $a <=> $b } grep { $_ > $MIN_BIN } keys %bins;
    my $width = @shown ? ceil( ( $shown[-1] - $shown[0] + 1 ) / $MAX_BARS ) : 1;
    my %bars;
    $bars{ floor( $_ / $width ) } += $bins{$_} for @shown;
    my @limits = map { bin_start($_) } $shown[0] // 0, ( $shown[-1] // 0 ) + 1;
    return $class->SUPER::new(
        name    => $name,
        x       => [ 'time', 'logarithmic', @limits ],
        x_title => 'Time',
        y       => [ 'count', 'from_zero', values %bars ],
        bars    => [ map { [ $_ * $width, $bars{$_} ] } sort { $a <=> $b } keys %bars ],
        width   => $width,
        modes   => [],
        %more
    );
}

sub _plot_command ($self) {
    my $look  = 'fillstyle solid 0.75 noborder ' . $self->_colour(0);
    my @parts = "'$self->{name}.dat' index 0 using 1:2:3:4:(0):2 with boxxyerror $look notitle";
    push @parts,
      "'$self->{name}.dat' index 1 using 1:2 with impulses linecolor rgb \"#555555\" linewidth 0.6"
      . ' dashtype "." notitle'
      if @{ $self->{modes} };
    return 'plot ' . join ', ', @parts;
}

sub data ($self) {
    my ( undef, $top ) = $self->{y}->range;
    my $text = "# time count from to\n";
    for my $bar ( @{ $self->{bars} } ) {
        my ( $bin, $count ) = @{$bar};
        my @times = map { bin_start( $bin + $_ * $self->{width} ) } 0.5, 0, 1;
        $text .= sprintf "%.9g %d %.9g %.9g\n", $times[0], $count, @times[ 1, 2 ];
    }
    return $text . "\n\n# mode top\n" . join q{},
      map { sprintf "%.9g %.9g\n", $_, $top } @{ $self->{modes} };
}

1;
