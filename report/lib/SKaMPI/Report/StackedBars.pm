package SKaMPI::Report::StackedBars;

use v5.36;

use parent 'SKaMPI::Report::GroupedBars';

use List::Util qw(max);

use SKaMPI::Report::Axis;
use SKaMPI::Report::Escape qw(gnuplot_string tex);
use SKaMPI::Report::Style  qw(colour_of fill_of);
use SKaMPI::Units          qw(format_time with_mu);

# Above the longest bar is room for its time.
my $ROOM = 1.6;

# clusters: a list of hashes of name (any text) and times, a list of hashes of sync (any text), time, error and
# alone. A time is a bar, of which the part alone has the second style.
sub new ( $class, $name, $clusters, %more ) {
    my @groups  = map { _groups( @{ $_->{times} } ) } @{$clusters};
    my @bars    = map { $_->{bars}[0]{value} } map { @{$_} } @groups;
    my @grouped = map { { name => $clusters->[$_]{name}, groups => $groups[$_] } } 0 .. $#groups;
    return $class->SUPER::new(
        $name,
        \@grouped,
        y       => SKaMPI::Report::Axis->new( 'time', 'linear', $ROOM * max @bars )->from_zero,
        styles  => [ 0, 1 ],
        stripes => [ 0, 1 ],
        %more
    );
}

sub _groups (@times) {
    return [
        map {
            {
                label => tex( $_->{sync}, 40 ),
                bars  => [ { value => $_->{time}, error => $_->{error} }, { value => $_->{alone} } ]
            }
        } @times
    ];
}

sub _set_up ($self) {
    return ( $self->SUPER::_set_up, $self->_times );
}

# One bar for each group.
sub _bar_cm ($self) {
    return 2 * $self->SUPER::_bar_cm;
}

# The time above each bar, along it.
sub _times ($self) {
    my $number = 1000;
    return map {
        my $bar = $_->{bars}[0];
        my $text =
          gnuplot_string( '\\groupname{' . tex( with_mu( format_time( $bar->{value} ) ) ) . '}' );
        sprintf 'set label %d %s at first %.4f,%.6g left rotate by 90 offset 0,0.3', $number++,
          $text,
          $_->{middle}, $bar->{value} +
          ( $bar->{error} // 0 )
    } map { @{ $_->{groups} } } @{ $self->{clusters} };
}

sub _plot_command ($self) {
    my $data  = "'$self->{name}.dat' using";
    my @boxes = map {
        my $colour = colour_of( $self->{styles}[$_], $self->{mono} );
        my $fill   = fill_of( $self->{stripes}[$_] );
        my $column = $_ + 2;
        my $under  = "fillstyle solid 1 border linecolor rgb \"#ffffff\" notitle";
        (
            $_ ? "$data 1:$column with boxes $under" : (),
"$data 1:$column with boxes linecolor rgb \"$colour\" linewidth 0.3 fillstyle $fill border notitle"
        )
    } 0, 1;
    return "plot \\\n    " . join ", \\\n    ", @boxes,
      "$data 1:2:4:5 with yerrorbars linecolor rgb \"#000000\" linewidth 0.4 pointtype 0 notitle";
}

sub data ($self) {
    my $text = "# x time alone low high\n";
    for my $group ( map { @{ $_->{groups} } } @{ $self->{clusters} } ) {
        my ( $whole, $alone ) = @{ $group->{bars} };
        my $error = $whole->{error} // 0;
        $text .= sprintf "%.4f %.6g %.6g %.6g %.6g\n", $group->{middle}, $whole->{value},
          $alone->{value}, $whole->{value} - $error, $whole->{value} + $error;
    }
    return $text;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::StackedBars - a plot of times as bars, of which a part is the synchronisation

=head1 DESCRIPTION

C<new(NAME, CLUSTERS, MORE...)> is a L<SKaMPI::Report::GroupedBars> of times in microseconds. CLUSTERS are those of
a panel of L<SKaMPI::Report::OneSided>; MORE has y_title.

=cut
