package SKaMPI::Figure::Bars;

# A bar chart of the processes' times.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Plot';

# More bars than this would be thinner than a line.
my $MAX_BARS = 1000;

sub new ( $class, $name, $times, %more ) {
    my @shown = grep { $_ < $MAX_BARS } keys @{$times};
    return $class->SUPER::new(
        name    => $name,
        x       => [ 'count', 'linear', -0.5, $#shown + 0.5 ],
        x_title => 'Process',
        y       => [ 'time', 'from_zero', grep { defined } @{$times}[@shown] ],
        times   => [ @{$times}[@shown] ],
        %more
    );
}

sub _plot_command ($self) {
    return
        "plot '$self->{name}.dat' using 1:2 with boxes fillstyle solid 0.75 noborder "
      . $self->_colour(0)
      . ' notitle';
}

sub _set_up ($self) {
    return ( $self->SUPER::_set_up, 'set boxwidth 0.7' );
}

sub data ($self) {
    my $times = $self->{times};
    return join q{}, "# process time\n",
      map { defined $times->[$_] ? sprintf "%d %.9g\n", $_, $times->[$_] : () } keys @{$times};
}

1;
