package SKaMPI::Figure::Axis;

# The range and ticks of a plot's axis. Its kind is time (microseconds), bandwidth (MB/s), length (bytes), count, number
# or percent (a fraction); its scale is linear, from_zero (linear, from 0 or, if a value is negative, below) or
# logarithmic. The labels of ticks are LaTeX with SI units (IEC units for lengths). On a logarithmic axis, 0 has a
# separate place to the left of all other values.
use SKaMPI::Base qw(has_zero);

use List::Util           qw(max min);
use POSIX                qw(ceil floor);
use SKaMPI::Base::Units  qw(format_bytes in_unit);
use SKaMPI::Safe::Escape qw(gnuplot_tick tex);

# Kinds of axes: how a value is printed, and the base of the steps.
my %KIND = (
    (
        map {
            my $kind = $_;
            my $text = sub ($value) {
                return '0' if $value == 0;
                my ( $number, $unit ) = in_unit( _plain_text($value), $kind );
                return _plain_text($number) . '\,' . ( $unit =~ s/\Au/\\textmu /r );
            };
            $kind => { text => $text, base => 10 }
        } qw(time bandwidth rate)
    ),
    length  => { text => \&format_bytes, base => 2 },
    count   => { text => \&_plain_text,  base => 2, whole => 1 },
    number  => { text => \&_plain_text,                                           base => 10 },
    percent => { text => sub ($part) { return sprintf '%.6g\,\%%', 100 * $part }, base => 10 },
);

# The most ticks of a long axis, and the space of labels in centimetres: by default, for a
# character, for a line, and between two.
my $MAX_TICKS    = 14;
my $FEW_TICKS    = 4;
my $ROOM_CM      = 6;
my $CHARACTER_CM = 0.175;
my $LINE_CM      = 0.36;
my %GAP_CM       = ( x => 0.3, y => 0.04 );

my $LEAST = 0.001;

# Space outside the outermost points, as a fraction of the axis.
my $PADDING = 0.04;

# On a logarithmic axis, 0 is at this fraction of the axis to the left of the first argument.
my $ZERO = 0.09;

sub new ( $class, $kind, $scale, @values ) {
    my $self  = bless { kind => $kind, scale => $scale, %{ $KIND{$kind} } }, $class;
    my @shown = $self->is_logarithmic ? grep { $_ > 0 } @values : @values;
    $self->{has_zero} = $self->is_logarithmic && @shown < @values ? 1 : 0;
    @{$self}{qw(low high)} = @shown ? ( min(@shown), max(@shown) ) : ( 1, 1 );
    if ( $scale eq 'from_zero' ) {
        $self->{low}  = min( 0, $self->{low} );
        $self->{high} = 1 if $self->{high} <= $self->{low};
    }
    return $self;
}

# Makes an axis for residuals: its ends are round numbers, as far below 0 as above, and are its ticks.
sub around_zero ($self) {
    my $end = $self->_step( 1.001 * max( $LEAST, map { abs } @{$self}{qw(low high)} ) );
    $self->{range} = $self->{ends} = [ -$end, $end ];
    return $self;
}

# Gives the axis ticks at numbers that have names, a hash of texts.
sub named ( $self, $names ) {
    $self->{names} = $names;
    $self->{text}  = sub ($value) { return tex( $names->{$value} ) };
    return $self;
}

# Ends the axis at chosen values. An end that is undef or impossible stays where it is.
sub within ( $self, @ends ) {
    my @full = $self->range;
    my ( $low, $high ) =
      map { defined $ends[$_] && defined $self->place( $ends[$_] ) ? $ends[$_] : $full[$_] } 0, 1;
    return $self if $low >= $high;
    $self->{has_zero} = 0 if $self->{has_zero} && $self->zero_place < $low;
    $self->{range}    = [ $low, $high ];
    return $self;
}

# Only the axis of the arguments has a place for 0, which has no logarithm.
sub without_zero ($self) {
    $self->{has_zero} = 0;
    delete $self->{known_range};
    return $self;
}

sub is_logarithmic ($self) { return $self->{scale} eq 'logarithmic' }

# The coordinate of a value, or undef if it cannot be drawn.
sub place ( $self, $value ) {
    return $value if !$self->is_logarithmic || $value > 0;
    return $self->{has_zero} && $value == 0 ? $self->zero_place : undef;
}

# The axis as a list: kind, whether it is logarithmic, both ends of its range, and the place of 0 if it is separate.
sub as_numbers ($self) {
    return (
        $self->{kind}, $self->is_logarithmic ? 1 : 0,
        $self->range, $self->{has_zero} ? $self->zero_place : ()
    );
}

sub zero_place ($self) { return $self->{low} * $self->_ratio**-$ZERO }

sub break_place ($self) {
    return $self->{low} * $self->_ratio**( -0.5 * $ZERO );
}

sub _ratio ($self) { return max( 2, $self->{high} / $self->{low} ) }

sub range ($self) { return @{ $self->{range} // ( $self->{known_range} //= [ $self->_range ] ) } }

sub _range ($self) {
    my ( $low, $high ) = @{$self}{qw(low high)};
    if ( $self->is_logarithmic ) {
        my $pad = $self->_ratio**$PADDING;
        return ( ( $self->{has_zero} ? $self->zero_place : $low ) / $pad, $high * $pad );
    }
    my $pad = $PADDING * ( $high - $low || abs $high || 1 );
    return ( $self->{scale} eq 'from_zero' && $low == 0 ? 0 : $low - $pad, $high + $pad );
}

# Pairs of coordinate and label, as many as fit on an x or y axis of this length without touching each other. Few ticks
# and names may be unevenly spaced.
sub ticks ( $self, $name = 'x', $room_cm = $ROOM_CM ) {
    return @{ $self->{ticks}{"$name $room_cm"} //= [ $self->_ticks( $name, $room_cm ) ] };
}

sub _ticks ( $self, $name, $room_cm ) {
    my @ticks;
    for my $most ( reverse 1 .. $MAX_TICKS ) {
        @ticks = map { [ $_, $self->{text}->($_) ] } $self->_tick_values($most);
        if ( $self->{has_zero} ) {
            my $zero = [ $self->zero_place, $self->{text}->(0) ];
            shift @ticks while @ticks && $self->_touch( $name, $room_cm, $zero, $ticks[0] );
            unshift @ticks, $zero;
        }
        my @fitting;
        for my $tick (@ticks) {
            push @fitting, $tick
              if !@fitting || !$self->_touch( $name, $room_cm, $fitting[-1], $tick );
        }
        return @fitting if @fitting == @ticks || @ticks <= $FEW_TICKS || $self->{names};
    }
    return @ticks;
}

sub _touch ( $self, $name, $room_cm, @ticks ) {
    my ( $first, $second ) = map { $room_cm * $self->_part( $_->[0] ) } @ticks;
    my @sizes = map { $name eq 'y' ? $LINE_CM : $self->label_cm( $_->[1] ) } @ticks;
    return $second - $first < ( $sizes[0] + $sizes[1] ) / 2 + $GAP_CM{$name} ? 1 : 0;
}

# The position of a value, as a fraction of the axis; undef if it is not on the axis.
sub part ( $self, $value ) {
    my $place = $self->place($value);
    my $part  = defined $place ? $self->_part($place) : -1;
    return $part < 0 || $part > 1 ? undef : $part;
}

# The value at a fraction of the axis.
sub value_at ( $self, $part ) {
    my ( $low, $high ) = $self->range;
    return $self->is_logarithmic ? $low * ( $high / $low )**$part : $low + $part * ( $high - $low );
}

# The position of a coordinate, as a fraction of the axis.
sub _part ( $self, $place ) {
    my ( $low, $high ) = $self->range;
    return ( $place - $low ) / ( $high - $low ) if !$self->is_logarithmic;
    return log( $place / $low ) / log( $high / $low );
}

# The width of a label, without its commands.
sub label_cm ( $self, $tex ) {
    return $CHARACTER_CM * length $tex =~ s/\\textmu ?/m/r =~ s/\\,/ /r =~ s/\\%/%/r;
}

# The commands for gnuplot that make it the axis NAME with these ticks.
sub commands ( $self, $name, @ticks ) {
    my ( $low, $high ) = map { sprintf '%.9g', $_ } $self->range;
    my @placed = map { gnuplot_tick( $_->[1], sprintf '%.9g', $_->[0] ) } @ticks;
    return (
        ( $self->is_logarithmic ? 'set' : 'unset' ) . " logscale $name",
        "set ${name}range [$low:$high]",
        "set ${name}tics (" . join( ', ', @placed ) . ')',
    );
}

sub _tick_values ( $self, $most ) {
    return @{ $self->{ends} } if $self->{ends};
    my @values =
        $self->{names}        ? sort { $a <=> $b } keys %{ $self->{names} }
      : $self->is_logarithmic ? $self->_logarithmic_ticks($most)
      :                         $self->_linear_ticks($most);
    my ( $low, $high ) = $self->range;
    $low = max( $low, $self->{low} / 1.0001 ) if $self->{has_zero};
    return grep { $_ >= $low && $_ <= $high } @values;
}

sub _linear_ticks ( $self, $most ) {
    my ( $low, $high ) = $self->range;
    my $step = $self->_step( ( $high - $low ) / $most );
    return map { $_ * $step } ceil( $low / $step ) .. floor( $high / $step );
}

sub _step ( $self, $least ) {
    return 2**ceil( log($least) / log 2 ) if $self->{kind} eq 'length';
    my $power    = 10**floor( log($least) / log 10 );
    my ($factor) = grep { $_ * $power >= $least * 0.999 } 1, 2, 5, 10;
    my $step     = $factor * $power;
    return $self->{whole} ? max( 1, ceil($step) ) : $step;
}

# The number of ticks that is enough, by base, and the factors of finer ones.
my %ENOUGH  = ( 2 => 2, 10 => 3 );
my %BETWEEN = (
    2  => [ [ 1, 1.5 ], [ map { 1 + $_ / 4 } 0 .. 3 ], [ map { 1 + $_ / 8 } 0 .. 7 ] ],
    10 => [ [ 1, 3 ],   [ 1, 2, 5 ] ],
);

# Powers of the base, and numbers between them if these are few.
sub _logarithmic_ticks ( $self, $most ) {
    my ( $low, $high ) = $self->range;
    my $base   = $self->{base};
    my $first  = floor( log($low) / log $base );
    my $last   = ceil( log($high) / log $base );
    my $every  = max( 1, ceil( ( $last - $first - 1 ) / $most ) );
    my @powers = map { $base**$_ } grep { $_ % $every == 0 } $first .. $last;
    for my $factors ( [1], @{ $BETWEEN{$base} } ) {
        my @finer = map {
            my $power = $_;
            map { $_ * $power } @{$factors}
        } @powers;
        @finer = grep { $_ == int } @finer if $base == 2 && @{$factors} > 1;
        return @finer if ( grep { $_ >= $low && $_ <= $high } @finer ) >= $ENOUGH{$base};
    }
    return $self->_linear_ticks($most);
}

sub _plain_text ($value) { return sprintf '%.6g', $value }

1;
