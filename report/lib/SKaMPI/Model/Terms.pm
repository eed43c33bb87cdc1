package SKaMPI::Model::Terms;

# Fits the times of a collective over processes p and length L by few terms: 1, log p, p, L, L log p, L (p-1)/p.
# terms_of(POINT...) takes points as in SKaMPI::Model::Readings and returns a hash of terms (each a hash of name and
# value, in microseconds), misfit (the typical relative distance of a point), worst (the largest), and the range of
# the points: processes and lengths (two numbers each); nothing if there are too few points. No factor is negative. Of
# the sets of terms, the one with the least Bayesian information criterion is taken. refitted(TERMS, POINT...) has the
# same terms. predicted(TERMS, POINT) is the time of the fit. least_squares(ROW...) solves rows of [ [ X... ], Y,
# weight ] for the factors of X.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max min sum0);

our @EXPORT_OK = qw(least_squares predicted refitted terms_of);

my @TERMS = (
    [ '1'         => sub ( $p, $l ) { return 1 } ],
    [ 'log p'     => sub ( $p, $l ) { return log($p) / log 2 } ],
    [ 'p'         => sub ( $p, $l ) { return $p } ],
    [ 'L'         => sub ( $p, $l ) { return $l } ],
    [ 'L log p'   => sub ( $p, $l ) { return $l * log($p) / log 2 } ],
    [ 'L (p-1)/p' => sub ( $p, $l ) { return $l * ( $p - 1 ) / $p } ],
);
my %VALUE = map { $_->[0] => $_->[1] } @TERMS;

# What does not vary has no terms of its own: those that remain.
my %VARIED = (
    q{}                 => ['1'],
    processes           => [ '1', 'log p', 'p' ],
    lengths             => [ '1', 'L' ],
    'processes lengths' => [ map { $_->[0] } @TERMS ],
);

# Points for each term, at least.
my $POINTS_PER_TERM = 2;

# A smaller misfit is rounding.
my $EXACT = 1e-7;

my $SINGULAR = 1e-12;

sub terms_of (@points) {
    my $range  = _range(@points);
    my $varied = join q{ }, grep { $range->{$_}[0] < $range->{$_}[1] } qw(processes lengths);
    my @names  = @{ $VARIED{$varied} };
    my ($best) = sort { $a->{criterion} <=> $b->{criterion} }
      grep { defined }
      map { _fit( $_, @points ) } _subsets( int( @points / $POINTS_PER_TERM ), @names );
    return if !$best;
    return { %{$best}, %{$range} };
}

sub _range (@points) {
    my @lengths   = map { $_->{argument} } @points;
    my @processes = map { $_->{processes} } @points;
    return {
        lengths   => [ min(@lengths),   max(@lengths) ],
        processes => [ min(@processes), max(@processes) ]
    };
}

sub _subsets ( $most, @names ) {
    my @subsets = ( [] );
    for my $name (@names) {
        push @subsets, map { [ @{$_}, $name ] } @subsets;
    }
    return grep { @{$_} && @{$_} <= $most } @subsets;
}

# undef if a factor is negative, or the terms cannot be separated.
sub _fit ( $names, @points ) {
    my @factors = least_squares(
        map {
            my $point = $_;
            [ _values( $names, $point ), $point->{value}, 1 / $point->{value}**2 ]
        } @points
    );
    return if !@factors || grep { $_ < 0 } @factors;
    my %fit =
      ( terms => [ map { { name => $names->[$_], value => $factors[$_] } } keys @factors ] );
    my @off    = map { abs( predicted( \%fit, $_ ) / $_->{value} - 1 ) } @points;
    my $square = sum0( map { $_**2 } @off ) / @off;
    $fit{misfit}    = sqrt $square;
    $fit{worst}     = max(@off);
    $fit{criterion} = @points * log( $square + $EXACT**2 ) + @factors * log @points;
    return \%fit;
}

sub _values ( $names, $point ) {
    return [ map { $VALUE{$_}->( @{$point}{qw(processes argument)} ) } @{$names} ];
}

sub refitted ( $fit, @points ) {
    return _fit( [ map { $_->{name} } @{ $fit->{terms} } ], @points );
}

sub predicted ( $fit, $point ) {
    return sum0( map { $_->{value} * $VALUE{ $_->{name} }->( @{$point}{qw(processes argument)} ) }
          @{ $fit->{terms} } );
}

# By the normal equations, whose columns are scaled first; an empty list if they are singular.
sub least_squares (@rows) {
    my $n     = @{ $rows[0][0] };
    my @scale = map {
        my $i = $_;
        sqrt( sum0( map { $_->[2] * $_->[0][$i]**2 } @rows ) ) || 1
    } 0 .. $n - 1;
    my @matrix;
    for my $i ( 0 .. $n - 1 ) {
        for my $j ( 0 .. $n - 1 ) {
            $matrix[$i][$j] =
              sum0( map { $_->[2] * $_->[0][$i] * $_->[0][$j] } @rows ) / $scale[$i] / $scale[$j];
        }
        $matrix[$i][$n] = sum0( map { $_->[2] * $_->[0][$i] * $_->[1] } @rows ) / $scale[$i];
    }
    my @solution = _eliminated(@matrix) or return;
    return map { $solution[$_] / $scale[$_] } keys @solution;
}

# Gauss and Jordan.
sub _eliminated (@matrix) {
    for my $i ( keys @matrix ) {
        my ($pivot) = sort { abs $matrix[$b][$i] <=> abs $matrix[$a][$i] } $i .. $#matrix;
        @matrix[ $i, $pivot ] = @matrix[ $pivot, $i ];
        return if abs $matrix[$i][$i] < $SINGULAR;
        for my $row ( grep { $_ != $i } keys @matrix ) {
            my $factor = $matrix[$row][$i] / $matrix[$i][$i];
            $matrix[$row][$_] -= $factor * $matrix[$i][$_] for $i .. @matrix;
        }
    }
    return map { $matrix[$_][@matrix] / $matrix[$_][$_] } keys @matrix;
}

1;
