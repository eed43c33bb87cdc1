package SKaMPI::Database::Chart::Scale;

# An axis of a comparison: a SKaMPI::Figure::Axis with chosen ends and plain texts.
use SKaMPI::Base;

use parent 'SKaMPI::Figure::Axis';

use SKaMPI::Base::Units qw(units_of);
use SKaMPI::Safe::Html  qw(plain);

# KIND is that of SKaMPI::Figure::Axis, BOUNDS the lower and upper end of the axis, if they were
# chosen.
sub new ( $class, $kind, $is_logarithmic, $bounds, @values ) {
    my $self = $class->SUPER::new( $kind, $is_logarithmic ? 'logarithmic' : 'linear', @values );
    $self->{bounds} = [ map { $is_logarithmic && ( $_ // 0 ) <= 0 ? undef : $_ } @{$bounds} ];
    return $self;
}

sub range ($self) {
    my @full = $self->SUPER::range;
    my ( $low, $high ) = map { $self->{bounds}[$_] // $full[$_] } 0, 1;
    return $low < $high ? ( $low, $high ) : @full;
}

# Pairs of place and plain text.
sub ticks ($self) {
    my ( $low, $high ) = $self->range;
    my @ticks = grep { $_->[0] >= $low && $_->[0] <= $high } $self->SUPER::ticks;
    return map { [ $_->[0], plain( $_->[1] ) ] } @ticks;
}

# Plain data for the script of the page.
sub description ($self) {
    return {
        kind  => $self->{kind},
        units => units_of( $self->{kind} ),
        scale => $self->{scale},
        range => [ map { 0 + $_ } $self->range ],
        full  => [ map { 0 + $_ } $self->SUPER::range ],
        $self->has_zero
        ? ( zero => 0 + $self->zero_place, break_at => 0 + $self->break_place )
        : ( zero => undef ),
    };
}

1;
