package SKaMPI::Model::Fit;

# The models of readings (SKaMPI::Model::Readings), with 95 % intervals. new(READINGS, DRAWS) fits
# - curves: by name, a hash of curve, pieces and breaks (SKaMPI::Stat::Pieces). Pieces have a_low, a_high, b_low, b_high
#     and breaks from, to: the interval (SKaMPI::Stat::Pieces, ranges_of).
# - parameters: LogGP, a list of hashes of distance, name (L, o_s, o_r, g, G), text, unit, value, low, high, and why:
#     why it cannot be identified (it has no value then).
# - collectives: hashes of name and fit (SKaMPI::Stat::Terms), whose terms have low and high.
# points_file is a parameter file with the points that a model lacks.
# Each of DRAWS draws launches with replacement, scatters the points by their distance from the fit, and fits everything
# again. Without draws, only breaks have intervals.
use SKaMPI::Base;

use List::Util qw(first max min sum0);

use SKaMPI::Read::PointsFile qw(kept_sections suite_text);
use SKaMPI::Stat::Estimate   qw(estimate_mean scattered student);
use SKaMPI::Stat::Pieces     qw(breaks_of line_of pieces_of ranges_of value_at);
use SKaMPI::Stat::Terms      qw(refitted terms_of);

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

# New lengths in a break, and the residual at which a point hints at another piece.
my $COUNT = 12;
my $SIGMA = 5;

# The text of the file, with suites like those of the results: 12 lengths within each break whose place is not known to
# 1 %, and about points that are far off their line, where a short piece may be. Empty if nothing is missing.
sub points_file ( $fit, $output ) {
    my @suites;
    for my $found ( map { $fit->{curves}{$_} } sort keys %{ $fit->{curves} } ) {
        my $curve = $found->{curve};
        my $name  = $curve->{name} =~ s/\W+/-/gr;
        for my $gap (
            _joined_gaps( ( grep { $_->{wide} } @{ $found->{breaks} } ), _suspicious($found) ) )
        {
            my ( undef, $text ) = suite_text( @{$curve}{qw(output suite)}, _range($gap) );
            push @suites, "$name-$gap->{low} { $text }" if defined $text;
        }
    }
    return q{} if !@suites;
    return join "\n", '@COMMENT', 'Points that skampi-model lacked.', kept_sections($output),
      '@OUTFILE points.out', '@LOGFILE points.log', '@MEASUREMENTS', @suites, q{};
}

# The neighbourhoods of points that are off the fit.
sub _suspicious ($found) {
    return if $found->{curve}{role} eq 'gap';
    my ( @points, @found ) = @{ $found->{curve}{points} };
    for my $i ( keys @points ) {
        my ( $at, $value, $sigma ) = @{ $points[$i] }{qw(argument value sigma)};
        next if abs( value_at( $at, @{ $found->{pieces} } ) - $value ) <= $SIGMA * $sigma;
        my @beside = @points[ max( 0, $i - 1 ), min( $#points, $i + 1 ) ];
        push @found, { low => $beside[0]{argument}, high => $beside[1]{argument} };
    }
    return @found;
}

sub _joined_gaps (@gaps) {
    my @joined;
    for my $gap ( sort { $a->{low} <=> $b->{low} } @gaps ) {
        my $before = @joined && $gap->{low} < $joined[-1]{high} ? pop @joined : $gap;
        push @joined, { low => $before->{low}, high => max( $before->{high}, $gap->{high} ) };
    }
    return @joined;
}

sub _range ($gap) {
    my ( $low, $high ) = ( max( 1, $gap->{low} ), $gap->{high} );
    my $step   = ( $high / $low )**( 1 / ( $COUNT + 1 ) );
    my @fields = qw(Scale Stepwidth Start_Argument End_Argument);
    my %value  = ( Variation => 'Length', Max_Steps => $COUNT );
    @value{@fields} =
      $high - $low <= $COUNT + 1
      ? ( 'Fixed_linear', 1, $low + 1, $high - 1 )
      : (
        'Fixed_log',
        sprintf( '%.9f', $step ),
        int( $low * $step + 0.5 ),
        int( $high / $step + 0.5 )
      );
    return %value;
}

1;
