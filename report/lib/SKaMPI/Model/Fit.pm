package SKaMPI::Model::Fit;

# The models of readings (SKaMPI::Model::Readings), with 95 % intervals. new(READINGS, DRAWS) fits
# - curves: by name, a hash of curve, pieces and breaks (SKaMPI::Stat::Pieces). Pieces have a_low, a_high, b_low, b_high
#     and breaks from, to: the interval (SKaMPI::Stat::Pieces, ranges_of).
# - parameters: LogGP, a list of hashes of distance, name (L, o_s, o_r, g, G), text, unit, value, low, high, and why:
#     why it cannot be identified (it has no value then).
# - collectives: hashes of name and fit (SKaMPI::Stat::Terms), whose terms have low and high.
# Each of DRAWS draws launches with replacement, scatters the points by their distance from the fit, and fits everything
# again. Without draws, only breaks have intervals.
use SKaMPI::Base;

use List::Util qw(first max sum0);

use SKaMPI::Stat::Estimate qw(estimate_mean scattered student);
use SKaMPI::Stat::Pieces   qw(breaks_of line_of pieces_of ranges_of value_at);
use SKaMPI::Stat::Terms    qw(refitted terms_of);

my $DRAWS = 100;
my $SEED  = 1;

my @PARAMETERS = (
    [ 'L',   'latency without overheads',   'us' ],
    [ 'o_s', 'overhead of a short send',    'us' ],
    [ 'o_r', 'of a receive, expected',      'us' ],
    [ 'o_u', 'of a receive, unexpected',    'us' ],
    [ 'g',   'gap between short messages',  'us' ],
    [ 'G',   'gap per byte, long messages', 'us/B' ],
);

sub new ( $class, $readings, $draws = $DRAWS ) {
    my $self = bless { launches => $readings->launches, %{ _fitted($readings) } }, $class;
    srand $SEED if $draws;
    my @draws = map { _fitted( $readings->resampled, $self->{curves} ) } 1 .. $draws;
    my @where = map { /\Amessage ?(.*)/ ? $1 : () } keys %{ $self->{curves} };
    @where               = sort { ( $b =~ /near/ ) <=> ( $a =~ /near/ ) || $a cmp $b } @where;
    $self->{parameters}  = [ map { $self->_parameters( $_, @draws ) } @where ];
    $self->{collectives} = [ map { _collective( $_, @draws ) } $readings->curves(1) ];
    for my $name ( keys %{ $self->{curves} } ) {
        my $found  = $self->{curves}{$name};
        my @drawn  = grep { defined } map { $_->{curves}{$name} } @draws;
        my @pieces = map  { @{ $_->{pieces} } } @drawn;
        for my $piece ( @{ $found->{pieces} } ) {
            my $middle = sqrt abs( ( $piece->{first} || 1 ) * $piece->{last} );
            my @same   = grep { $_->{first} <= $middle && $middle <= $_->{last} } @pieces;
            for my $name (qw(a b)) {
                @{$piece}{ "${name}_low", "${name}_high" } =
                  $self->_interval( $piece->{$name}, map { $_->{$name} } @same );
            }
        }
        my @ranges = ranges_of( $found->{curve}{points}, @{ $found->{pieces} } );
        @{ $found->{breaks}[$_] }{qw(from to)} = @{ $ranges[$_] } for keys @ranges;
    }
    return $self;
}

sub _fitted ( $readings, $known = {} ) {
    my %curves;
    for my $curve ( $readings->curves ) {
        my $name   = $curve->{name};
        my $misfit = ( $known->{$name} // {} )->{misfit} // 0;
        my @points = map { scattered( $_, $_->{sigma} * $misfit ) } @{ $curve->{points} };
        my @pieces = ( $curve->{role} eq 'gap' ? \&line_of : \&pieces_of )->(@points) or next;
        $curves{$name} = { curve => $curve, pieces => \@pieces, breaks => [ breaks_of(@pieces) ] };

        # The scatter of points around the fit, as a multiple of their errors. Launches that are
        # drawn contain the errors already, so these are subtracted.
        my $freedom = max( 1, sum0( map { $_->{count} - 2 } @pieces ) );
        my $squares = sum0( map { $_->{squares} } @pieces ) / $freedom;
        $curves{$name}{misfit} = sqrt max( 0, $squares - ( $readings->launches > 2 ? 1 : 0 ) );
    }
    return { readings => $readings, curves => \%curves };
}

# The measured parameters of one distance, by name.
sub _values ( $fitted, $distance ) {
    my $curves = $fitted->{curves};
    my @names  = sort keys %{$curves};
    my %pieces;
    for my $role (qw(message send receive gap)) {
        my $name =
          first { /\A$role(?: $distance)?\z/ || /\Areceive/ && $role eq 'receive' } @names;
        $pieces{$role} = $curves->{$name}{pieces} if defined $name;
    }
    my $message = $pieces{message} or return;
    my %value   = ( G => $message->[-1]{b} );
    my ( $t, $s, $r ) =
      map { $_ ? value_at( $message->[0]{first}, @{$_} ) : undef }
      @pieces{qw(message send receive)};
    $value{o_s} = $s                 if defined $s;
    $value{o_r} = $r                 if defined $r;
    $value{L}   = $t - $s - $r       if defined $s && defined $r;
    $value{g}   = $pieces{gap}[0]{b} if $pieces{gap};
    return \%value;
}

sub _parameters ( $self, $distance, @draws ) {
    my $values = _values( $self, $distance ) or return;
    my @drawn  = map { _values( $_, $distance ) } @draws;
    my @rows;
    for my $about (@PARAMETERS) {
        my %row = ( distance => $distance );
        @row{qw(name text unit)} = @{$about};
        my $value = $values->{ $row{name} };
        my ( $low, $high ) =
          defined $value ? $self->_interval( $value, map { $_->{ $row{name} } } @drawn ) : ();
        $row{why} =
            $row{name} eq 'o_u'                                    ? 'unexpected: waits or copies?'
          : $distance =~ /\Anear/ && $row{name} =~ /\A(?:L|o_.)\z/ ? 'both copy: o or L?'
          : !defined $value                                        ? 'not measured'
          : ( $low // $value ) <= 0                                ? 'interval contains 0'
          :                                                          undef;
        @row{qw(value low high)} = ( $value, $low, $high ) if !defined $row{why};
        push @rows, \%row;
    }
    return @rows;
}

# Half the width is Student's t times the scatter of the draws, too small by a degree of freedom; of two, twice it.
sub _interval ( $self, $value, @drawn ) {
    my ( undef, $scatter ) = estimate_mean( grep { defined } @drawn );
    return if !defined $scatter;
    my $freedom = $self->{launches} - 1;
    my $half    = $scatter * ( $freedom < 2 ? 2 : student($freedom) * sqrt( 1 + 1 / $freedom ) );
    return ( $value - $half, $value + $half );
}

sub _collective ( $curve, @draws ) {
    my $fit   = terms_of( @{ $curve->{points} } ) or return;
    my @drawn = map {
        refitted( $fit, map { scattered( $_, $_->{value} * $fit->{misfit} ) } @{ $_->{points} } )
      }
      grep { defined } map { $_->{readings}{all}{ $curve->{name} } } @draws;
    for my $i ( keys @{ $fit->{terms} } ) {
        my $term = $fit->{terms}[$i];
        @{$term}{qw(low high)} =
          _interval( $curve, $term->{value}, map { $_->{terms}[$i]{value} } @drawn );
    }
    return { name => $curve->{name}, fit => $fit };
}

1;
