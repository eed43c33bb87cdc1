package SKaMPI::Figure::MatrixMap;

# A plot of the times of all pairs of processes (SKaMPI::Meaning::Matrix): a cell for each pair, the darker the longer
# its time, in equal ratios. If there are many processes, neighbours share a cell, which has their mean.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::HeatMap';

use List::Util qw(max min);
use POSIX      qw(ceil);

use SKaMPI::Figure::Plot;

# More rows cannot be distinguished on paper.
my $MAX_ROWS = 128;

sub new ( $class, $name, $matrix, %more ) {
    my $last = $matrix->processes - 1;
    return SKaMPI::Figure::Plot::new(
        $class,
        name      => $name,
        height_cm => 6.4,
        x         => [ 'count', 'linear', -0.5, $last + 0.5 ],
        x_title   => 'Process',
        y         => [ 'count', 'linear', -0.5, $last + 0.5 ],
        y_title   => 'Process',
        each      => ceil( ( $last + 1 ) / $MAX_ROWS ) || 1,
        matrix    => $matrix,
        %more
    );
}

sub limits ($self) {
    my @times = map { $_->{time} } $self->{matrix}->pairs;
    return ( min(@times), max(@times) );
}

sub data ($self) {
    my ( %sum, %count );
    for my $pair ( $self->{matrix}->pairs ) {
        my @cell = map { int $_ / $self->{each} } @{ $pair->{ranks} };
        for my $key ( "@cell", "@cell[1, 0]" ) {
            $sum{$key} += $pair->{time};
            $count{$key}++;
        }
    }
    my ( $least, $most ) = $self->limits;
    my $text = "# process process from to lower upper colour\n";
    for my $key ( sort keys %sum ) {
        my $time   = $sum{$key} / $count{$key};
        my $part   = $most > $least ? log( $time / $least ) / log( $most / $least ) : 0;
        my @from   = map { $_ * $self->{each} - 0.5 } split / /, $key;
        my @middle = map { $_ + $self->{each} / 2 } @from;
        $text .= $self->_cell( $part, @middle, map { ( $_, $_ + $self->{each} ) } @from );
    }
    return $text;
}

1;
