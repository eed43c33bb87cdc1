package SKaMPI::Database::Chart::Scale;

# An axis of a comparison (SKaMPI::Figure::Axis), with chosen ends.
use v5.36;

use SKaMPI::Base::Units qw(units_of);
use SKaMPI::Figure::Axis;
use SKaMPI::Safe::Html qw(plain);

# KIND is that of SKaMPI::Figure::Axis, BOUNDS the lower and upper end of the axis, if they were
# chosen.
sub new ( $class, $kind, $is_logarithmic, $bounds, @values ) {
    my $scale = $is_logarithmic ? 'logarithmic' : 'linear';
    my $axis  = SKaMPI::Figure::Axis->new( $kind, $scale, @values );
    my @range = $axis->range;
    for my $end ( 0, 1 ) {
        my $bound = $bounds->[$end];
        $range[$end] = $bound if defined $bound && ( !$is_logarithmic || $bound > 0 );
    }
    @range = $axis->range if $range[0] >= $range[1];
    return bless { axis => $axis, kind => $kind, scale => $scale, range => \@range }, $class;
}

sub without_zero ($self) {
    $self->{axis}->without_zero;
    return $self;
}

# Its range is that of the values.
sub around_zero ($self) {
    $self->{range} = [ $self->{axis}->around_zero->range ];
    $self->{shown} = $self->{axis};
    return $self;
}

sub is_logarithmic ($self)           { return $self->{axis}->is_logarithmic }
sub range          ($self)           { return @{ $self->{range} } }
sub place          ( $self, $value ) { return $self->{axis}->place($value) }

# Pairs of place and plain text.
sub ticks ($self) {
    my ( $low, $high ) = $self->range;
    my $axis = $self->{shown} // SKaMPI::Figure::Axis->new( @{$self}{qw(kind scale)}, $low, $high );
    my @ticks = grep { $_->[0] >= $low && $_->[0] <= $high } $axis->ticks;
    if ( $self->{axis}->has_zero ) {
        my $zero  = $self->{axis}->zero_place;
        my $break = $self->{axis}->break_place;
        @ticks = grep { $_->[0] > $break } @ticks;
        unshift @ticks, [ $zero, '0' ] if $zero >= $low;
    }
    return map { [ $_->[0], plain( $_->[1] ) ] } @ticks;
}

# For the script of the page.
sub description ($self) {
    my $axis = $self->{axis};
    return {
        kind  => $self->{kind},
        units => units_of( $self->{kind} ),
        scale => $self->{scale},
        range => [ map { 0 + $_ } $self->range ],
        full  => [ map { 0 + $_ } $axis->range ],
        $axis->has_zero
        ? ( zero => 0 + $axis->zero_place, break_at => 0 + $axis->break_place )
        : ( zero => undef ),
    };
}

1;
