package SKaMPI::Figure::StackedBars;

# A plot of times in microseconds as bars; a part of each is the synchronisation.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::GroupedBars';

use List::Util qw(max);

use SKaMPI::Base::Units  qw(format_time with_mu);
use SKaMPI::Safe::Escape qw(gnuplot_string small_label tex);

# In centimetres: the least space for the labels, a character of them, the height without labels,
# its parts above and below the axis, and the length of a time above a bar.
my ( $LABEL_CM, $CHARACTER_CM, $INNER_CM, $OUTSIDE_CM, $TIME_CM ) = ( 0.7, 0.1, 3.2, 0.9, 0.9 );

# An error bar longer than this part of the longest bar is cut off.
my $ERROR = 0.15;

# clusters: the clusters of a panel of SKaMPI::Findings::OneSided, a list of hashes of name (any
# text) and times, a list of hashes of sync (any text), time, error and alone. A time is a bar, of
# which the part alone has the second style. The axis has room for the longest bar and its time.
sub new ( $class, $name, $clusters, %more ) {
    my @times   = map                      { @{ $_->{times} } } @{$clusters};
    my $longest = ( 1 + $ERROR ) * max map { $_->{time} } @times;
    my $inner   = $INNER_CM - $OUTSIDE_CM;
    my @grouped =
      map { { name => $_->{name}, groups => _groups( @{ $_->{times} } ) } } @{$clusters};
    my $label_cm = max( $LABEL_CM, map { $CHARACTER_CM * length $_->{sync} } @times );
    return $class->SUPER::new(
        $name,
        \@grouped,
        y          => [ 'time', 'from_zero', $longest * $inner / ( $inner - $TIME_CM ) ],
        is_stacked => 1,
        limits     => [ 0, $longest ],
        label_cm   => $label_cm,
        height_cm  => $INNER_CM + $label_cm,
        styles     => [ 0, 1 ],
        stripes    => [ 0, 1 ],
        %more
    );
}

sub _groups (@times) {
    my @groups;
    for my $time (@times) {
        my $all = { value => $time->{time}, error => $time->{error} };
        push @groups,
          { label => tex( $time->{sync}, 40 ), bars => [ $all, { value => $time->{alone} } ] };
    }
    return \@groups;
}

# Prints the time above each bar and its error bar, vertically.
sub _set_up ($self) {
    my $number = 1000;
    my @times  = map {

        my $bar = $_->{bars}[0];
        my $text =
          gnuplot_string( small_label( tex( with_mu( format_time( $bar->{value} ) ) ) ) );
        sprintf 'set label %d %s at first %.4f,%.6g left rotate by 90 offset 0,0.3', $number++,
          $text, $_->{middle},
          $self->_cut( $bar->{value} + ( $bar->{error} // 0 ) )
    } $self->_all_groups;
    return ( $self->SUPER::_set_up, @times );
}

1;
