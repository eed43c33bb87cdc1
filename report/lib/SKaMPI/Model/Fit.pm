package SKaMPI::Model::Fit;

# The models of readings (SKaMPI::Model::Readings), with 95 % intervals. new(READINGS, DRAWS) fits
# - curves: by name, a hash of curve, pieces and breaks (SKaMPI::Model::Pieces). Pieces have a_low, a_high, b_low, b_high
#     and breaks from, to: the interval, undef if it is not known.
# - parameters: LogGP, a list of hashes of distance, name (L, o_s, o_r, g, G), text, unit, value, low, high, and why:
#     why it cannot be identified (it has no value then).
# - collectives: hashes of name and fit (SKaMPI::Model::Terms), whose terms have low and high.
# Launches are drawn with replacement, and everything is fitted again, breaks and all, for each of DRAWS; without them, there are no intervals.
use v5.36;

use List::Util qw(max min sum0);

use SKaMPI::Model::Pieces   qw(breaks_of line_of pieces_of value_at);
use SKaMPI::Model::Terms    qw(refitted terms_of);
use SKaMPI::Stat::Estimates qw(student);

my $DRAWS = 100;
my $SEED  = 1;

# Breaks of a draw that are this factor away belong to another break.
my $SAME_BREAK = 2;

my $COVERED = 0.95;

my %TEXT = (
    'L'   => [ 'latency without overheads',   'us' ],
    'o_s' => [ 'overhead of a short send',    'us' ],
    'o_r' => [ 'of a receive, expected',      'us' ],
    'o_u' => [ 'of a receive, unexpected',    'us' ],
    'g'   => [ 'gap between short messages',  'us' ],
    'G'   => [ 'gap per byte, long messages', 'us/B' ],
);
my @PARAMETERS = qw(L o_s o_r o_u g G);

sub new ( $class, $readings, $draws = $DRAWS ) {
    my $found = _fitted($readings);
    my @draws = _draws( $readings, $draws );
    my $self  = {
        curves      => $found->{curves},
        parameters  => [ map { _parameters( $readings, $found, $_, @draws ) } _distances($found) ],
        collectives => [ map { _collective( $_, @draws ) } $readings->collectives ],
        launches    => $readings->launches,
    };
    _bound_curves( $self, @draws );
    return bless $self, $class;
}

sub _fitted ($readings) {
    my %curves;
    for my $curve ( $readings->curves ) {
        my @pieces =
          $curve->{role} eq 'gap'
          ? line_of( @{ $curve->{points} } )
          : pieces_of( @{ $curve->{points} } );
        next if !@pieces;
        $curves{ $curve->{name} } =
          { curve => $curve, pieces => \@pieces, breaks => [ breaks_of(@pieces) ] };
    }
    return { readings => $readings, curves => \%curves };
}

sub _draws ( $readings, $count ) {
    srand $SEED if $count;
    return map { _fitted( $readings->resampled ) } 1 .. $count;
}

sub _distances ($found) {
    return grep { $found->{curves}{"message $_"} } qw(near far);
}

# The parameters of one distance, by name; without those that were not measured.
sub _values ( $found, $distance ) {
    my $curves    = $found->{curves};
    my $message   = $curves->{"message $distance"} or return {};
    my $short     = $message->{pieces}[0]{first};
    my %value     = ( G => $message->{pieces}[-1]{b} );
    my ($send)    = _of_role( $curves, 'send', $distance );
    my ($receive) = _of_role( $curves, 'receive' );
    my ($gap)     = _of_role( $curves, 'gap', $distance );
    $value{o_s} = value_at( $short, @{ $send->{pieces} } )    if $send;
    $value{o_r} = value_at( $short, @{ $receive->{pieces} } ) if $receive;
    $value{g}   = $gap->{pieces}[0]{b} if $gap;
    $value{L}   = value_at( $short, @{ $message->{pieces} } ) - $value{o_s} - $value{o_r}
      if $send && $receive;
    return \%value;
}

sub _of_role ( $curves, $role, $distance = undef ) {
    return grep {
        $_->{curve}{role} eq $role
          && ( !defined $distance || ( $_->{curve}{distance} // $distance ) eq $distance )
    } map { $curves->{$_} } sort keys %{$curves};
}

sub _parameters ( $readings, $found, $distance, @draws ) {
    my $values = _values( $found, $distance );
    my @drawn  = map { _values( $_, $distance ) } @draws;
    return map { _parameter( $readings, $distance, $_, $values, @drawn ) } @PARAMETERS;
}

sub _parameter ( $readings, $distance, $name, $values, @drawn ) {
    my %row = ( distance => $distance, name => $name );
    @row{qw(text unit)} = @{ $TEXT{$name} };
    if ( defined $values->{$name} ) {
        $row{value} = $values->{$name};
        @row{qw(low high)} =
          _interval( $readings->launches, $row{value}, map { $_->{$name} } @drawn );
    }
    $row{why} = _why_not( $distance, \%row );
    delete @row{qw(value low high)} if defined $row{why};
    return \%row;
}

# Why a parameter cannot be identified; undef if it can.
sub _why_not ( $distance, $row ) {
    my $name = $row->{name};
    return 'unexpected: waits or copies?' if $name eq 'o_u';
    return 'both copy: o or L?'
      if $distance eq 'near' && $name =~ /\A(?:L|o_.)\z/;
    return 'not measured'        if !defined $row->{value};
    return 'interval contains 0' if ( $row->{low} // $row->{value} ) <= 0;
    return;
}

# Half the width is Student's t times the scatter of the draws, which is too small by the degree of freedom.
sub _interval ( $launches, $value, @drawn ) {
    my @known = grep { defined } @drawn;
    return if @known < 2;
    my $mean    = sum0(@known) / @known;
    my $scatter = sqrt( sum0( map { ( $_ - $mean )**2 } @known ) / ( @known - 1 ) );
    my $half =
      $launches < 3
      ? 2 * $scatter
      : student( $launches - 1 ) * $scatter * sqrt( $launches / ( $launches - 1 ) );
    return ( $value - $half, $value + $half );
}

sub _bound_curves ( $self, @draws ) {
    for my $name ( keys %{ $self->{curves} } ) {
        my $found = $self->{curves}{$name};
        my @drawn = grep { defined } map { $_->{curves}{$name} } @draws;
        _bound_piece( $self->{launches}, $_, @drawn )   for @{ $found->{pieces} };
        _bound_break( $_, map { $_->{breaks} } @drawn ) for @{ $found->{breaks} };
    }
    return;
}

# The piece of a draw that covers the middle of this one.
sub _bound_piece ( $launches, $piece, @drawn ) {
    my $middle = sqrt( ( $piece->{first} || 1 ) * ( $piece->{last} || 1 ) );
    my @same   = map {
        grep { $_->{first} <= $middle && $middle <= $_->{last} }
          @{ $_->{pieces} }
    } @drawn;
    for my $name (qw(a b)) {
        @{$piece}{ "${name}_low", "${name}_high" } =
          _interval( $launches, $piece->{$name}, map { $_->{$name} } @same );
    }
    return;
}

sub _bound_break ( $break, @drawn ) {
    my $place = sqrt( ( $break->{low} || 1 ) * $break->{high} );
    my @same;
    for my $breaks (@drawn) {
        my ($nearest) =
          sort { _apart( $place, $a ) <=> _apart( $place, $b ) } @{$breaks};
        push @same, $nearest if $nearest && _apart( $place, $nearest ) < log $SAME_BREAK;
    }
    my @low  = sort { $a <=> $b } map { $_->{low} } @same;
    my @high = sort { $b <=> $a } map { $_->{high} } @same;
    my $cut  = int( @same * ( 1 - $COVERED ) / 2 );
    return if !@same;
    $break->{from} = min( $low[$cut], $break->{low} );
    $break->{to}   = max( $high[$cut], $break->{high} );
    return;
}

sub _apart ( $place, $break ) {
    return abs log( $place / sqrt( ( $break->{low} || 1 ) * $break->{high} ) );
}

sub _collective ( $curve, @draws ) {
    my $fit   = terms_of( @{ $curve->{points} } ) or return;
    my @drawn = grep { defined }
      map {
        my $same = $_->{readings}->curve( $curve->{name} );
        $same ? refitted( $fit, @{ $same->{points} } ) : ()
      } @draws;
    for my $i ( keys @{ $fit->{terms} } ) {
        my $term = $fit->{terms}[$i];
        @{$term}{qw(low high)} =
          _interval( $curve->{launches}, $term->{value}, map { $_->{terms}[$i]{value} } @drawn );
    }
    return { name => $curve->{name}, fit => $fit };
}

1;
