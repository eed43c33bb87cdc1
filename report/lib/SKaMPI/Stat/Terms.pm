package SKaMPI::Stat::Terms;

# Fits the times of a collective over processes p and length L by few terms: 1, log p, p, L, L log p, L (p-1)/p. A point
# is a hash of processes, argument (the length) and value.
use SKaMPI::Base;

use List::Util qw(max min sum0);

use SKaMPI::Base::Units qw(format_per_byte format_time);

my @TERMS = ( '1', 'log p', 'p', 'L', 'L log p', 'L (p-1)/p' );

my $POINTS_PER_TERM = 2;

# A smaller misfit is rounding.
my $EXACT = 1e-7;

my $SINGULAR = 1e-12;

# A hash of terms (each a hash of name and value, in microseconds), misfit (the typical relative distance of a point),
# worst (the largest), and the range of the points: processes and lengths (two numbers each); nothing if there are too
# few points. No factor is negative. Of the sets of terms that vary, the one with the least Bayesian information
# criterion is taken.
sub terms_of (@points) {
    my %range =
      ( processes => _range( processes => @points ), lengths => _range( argument => @points ) );
    my %is_constant = map { $_ => $range{$_}[0] == $range{$_}[1] } keys %range;
    my @names = grep { !( $is_constant{processes} && /p/ || $is_constant{lengths} && /L/ ) } @TERMS;
    my @subsets = ( [] );
    for my $name (@names) {
        push @subsets, map { [ @{$_}, $name ] } @subsets;
    }
    my $most   = int( @points / $POINTS_PER_TERM );
    my @fits   = map  { _fit( $_, @points ) } grep { @{$_} && @{$_} <= $most } @subsets;
    my ($best) = sort { $a->{criterion} <=> $b->{criterion} } @fits or return;
    return { %{$best}, %range };
}

sub _range ( $name, @points ) {
    my @values = map { $_->{$name} } @points;
    return [ min(@values), max(@values) ];
}

# The factors of the terms, or an empty list if one is negative, or the terms cannot be separated.
sub _fit ( $names, @points ) {
    my @factors =
      least_squares( map { [ [ _values( $names, $_ ) ], $_->{value}, 1 / $_->{value}**2 ] }
          @points );
    return if !@factors || grep { $_ < 0 } @factors;
    my %fit =
      ( terms => [ map { { name => $names->[$_], value => $factors[$_] } } keys @factors ] );
    my @off    = map { abs( predicted( \%fit, $_ ) / $_->{value} - 1 ) } @points;
    my $square = sum0( map { $_**2 } @off ) / @off;
    $fit{criterion} = @points * log( $square + $EXACT**2 ) + @factors * log @points;
    return { %fit, misfit => sqrt $square, worst => max(@off) };
}

sub _values ( $names, $point ) {
    my ( $p, $length ) = @{$point}{qw(processes argument)};
    my $log = log($p) / log 2;
    my %value;
    @value{@TERMS} = ( 1, $log, $p, $length, $length * $log, $length * ( $p - 1 ) / $p );
    return @value{ @{$names} };
}

# The same terms, fitted to other points.
sub refitted ( $fit, @points ) {
    return _fit( [ map { $_->{name} } @{ $fit->{terms} } ], @points );
}

sub predicted ( $fit, $point ) {
    my @terms  = @{ $fit->{terms} };
    my @values = _values( [ map { $_->{name} } @terms ], $point );
    return sum0( map { $terms[$_]{value} * $values[$_] } keys @terms );
}

# The fit in words: "1.2 us + 0.4 ns x L".
sub formula_text ($fit) {
    return join ' + ', map {
        my ( $name, $value ) = @{$_}{qw(name value)};
        my $per = $name =~ /L/ ? format_per_byte($value) : format_time($value);
        $name eq '1' ? $per : "$per x $name" =~ s{ns/B x L}{ns x L}r
    } @{ $fit->{terms} };
}

# Solves rows of [ [ X... ], Y, weight ] for the factors of X, by the normal equations of scaled
# columns and elimination (Gauss and Jordan); an empty list if they are singular.
sub least_squares (@rows) {
    my @rooted = map {
        my ( $x, $y, $weight ) = @{$_};
        [ map { $_ * sqrt $weight } @{$x}, $y ]
    } @rows;
    my $last  = $#{ $rooted[0] };
    my @scale = map {
        my $i = $_;
        sqrt( sum0( map { $_->[$i]**2 } @rooted ) ) || 1
    } 0 .. $last;
    my @matrix;
    for my $i ( 0 .. $last - 1 ) {
        for my $j ( 0 .. $last ) {
            $matrix[$i][$j] = sum0( map { $_->[$i] * $_->[$j] } @rooted ) / $scale[$i] / $scale[$j];
        }
    }
    for my $i ( keys @matrix ) {
        return if $matrix[$i][$i] < $SINGULAR;
        for my $row ( grep { $_ != $i } keys @matrix ) {
            my $factor = $matrix[$row][$i] / $matrix[$i][$i];
            $matrix[$row][$_] -= $factor * $matrix[$i][$_] for $i .. $last;
        }
    }
    return map { $matrix[$_][$last] / $matrix[$_][$_] * $scale[$last] / $scale[$_] } keys @matrix;
}

1;
