package SKaMPI::Bench::Loops;

# skampi's times against those of bare loops (tests/bench/bare_loop.c), 2 processes: how they compare, and how far both
# differ from launch to launch; and the factors between skampi's own times of two kinds of data or of places in a file.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(at_most median plain spread within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well progress skampi);

our @EXPORT_OK = qw(accesses files ping_pong regimes spreads streams);

# Messages of a window; the loop's, and skampi's default.
my $WINDOW = 64;

# Shorter windows of messages take so little time that the difference counts, not the ratio.
my $SHORT  = 1024;
my $MAX_NS = 60;

my %TYPE = (
    'ping-pong' => 1,
    bcast       => 47,
    allreduce   => 61,
    one         => 165,
    both        => 167,
    put         => 201,
    get         => 202,
    write       => 220,
    read        => 222
);
my %NAME = ( one => 'one way', both => 'both ways' );
my %SIZE = (
    8         => '8 B',
    1024      => '1 KiB',
    4096      => '4 KiB',
    8192      => '8 KiB',
    16_384    => '16 KiB',
    40_800    => '40,800 B',
    65_536    => '64 KiB',
    131_072   => '128 KiB',
    1_048_576 => '1 MiB'
);

# A case is what both sides measure: operation, bytes, repetitions, keys. A ratio needs long averages, since a process
# that loses its CPU once costs more than a thousand short ping-pongs; the spread is that of launches of the usual
# length.
sub cases ( $operations, $keys, @sizes ) {
    return map {
        my $operation = $_;
        map { [ $operation, @{$_}, $keys ] } @sizes
    } @{$operations};
}

my @WINDOWS = ( [ 1024, 4000 ], [ 8192,   2000 ], [ 65_536,    500 ], [ 1_048_576, 40 ] );
my @PLACES  = ( [ 4096, 900 ],  [ 65_536, 400 ],  [ 1_048_576, 60 ] );

sub suite ( $name, $operation, $len, $n, $keys ) {
    return <<"SUITE";
$name {
  Type = $TYPE{$operation}; Variation = Length; Scale = Fixed_linear; Start_Argument = $len;
  End_Argument = $len; Min_Repetition = $n; Max_Repetition = $n; Parameters = "$keys";
}
SUITE
}

# One launch; the times in microseconds, in the order of the cases. The column: "time" is what a user reads, "time_all"
# is the mean of all repetitions; the median has a reading of the clock, as that of the loops.
sub ours_us ( $column, @cases ) {
    my $suites   = join q{}, map { suite( "suite-$_", @{ $cases[$_] } ) } 0 .. $#cases;
    my $absolute = $column eq 'median' ? 'no' : 'yes';
    my $output   = skampi( 2,
"\@VERSION 4.2\n\@MEMORY 131072\n\@ABSOLUTE $absolute\n\@POSTPROC no\n\@MEASUREMENTS\n$suites"
    );
    my @us =
      map { my $row = $_->{rows}[0]; $row->{$column} // $row->{extras}{$column} } $output->suites;
    die "a suite was not measured\n" if @us != @cases;
    return \@us;
}

sub bare_us (@cases) {
    my ($out) = ended_well( mpirun(2), program('bare_loop'), map { @{$_}[ 0 .. 2 ] } @cases );
    return [ split q{ }, $out ];
}

# Lists of a case, skampi's microseconds and the loop's, by launches that follow each other.
sub beside ( $count, $column, @cases ) {
    my @sides = alternating(
        launches($count),
        "bare loops, $cases[0][0]",
        sub { ours_us( $column, @cases ) },
        sub { bare_us(@cases) }
    );
    return map {
        my $i = $_;
        [ $cases[$i], map { _column( $_, $i ) } @sides ]
    } 0 .. $#cases;
}

sub _column ( $launches, $i ) {
    return [ map { $_->[$i] } @{$launches} ];
}

sub label ($case) {
    my ( $operation, $len ) = @{$case};
    return ( $NAME{$operation} // $operation ) . ", $SIZE{$len}";
}

sub ratio_row ( $limits, $case, $ours, $bare ) {
    my $ratio  = median( map { $ours->[$_] / $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' (%.3f us / %.3f us)', median( @{$ours} ), median( @{$bare} );
    return within( label($case) . ': skampi / bare loop', '%.3f', $ratio, $limits, $beside );
}

sub ping_pong () {
    my @sizes = ( [ 8, 100_000 ], [ 1024, 100_000 ], [ 65_536, 10_000 ], [ 1_048_576, 1000 ] );
    return
      map { ratio_row( [ 0.95, 1.05 ], @{$_} ) }
      beside( 10, 'time_all', cases( ['ping-pong'], q{}, @sizes ) );
}

# --- windows of messages and of accesses ---

sub streams () {
    return
      map { window_rows( @{$_} ) }
      beside( 20, 'time_all', cases( [qw(one both)], "window=$WINDOW", @WINDOWS ) );
}

sub accesses () {
    return
      map { window_rows( @{$_} ) }
      beside( 20, 'median', cases( [qw(put get)], "window=$WINDOW", @WINDOWS ) );
}

sub window_rows ( $case, $ours, $bare ) {
    my ( $own, $other ) = ( spread( @{$ours} ), spread( @{$bare} ) );
    return (
        $case->[1] <= $SHORT
        ? difference_row( $case, $ours, $bare )
        : ratio_row( [ 0.95, 1.05 ], $case, $ours, $bare ),
        at_most( label($case) . ': spread', '%.1f %%', $own, sprintf '%.1f', 1.5 * $other )
    );
}

sub difference_row ( $case, $ours, $bare ) {
    my $ns     = 1e3 / $WINDOW * median( map { $ours->[$_] - $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' a message (%.3f us / %.3f us)', median( @{$ours} ), median( @{$bare} );
    return within( label($case) . ': skampi - bare loop',
        '%.0f ns', $ns, [ -$MAX_NS, $MAX_NS ], $beside );
}

# --- files, and factors between skampi's own times ---

sub files () {
    my @next = cases( [qw(write read)], 'io_walk=33554432', @PLACES );
    my @same = cases( [qw(write read)], 'io_walk=no',       @PLACES );
    return (
        ( map { ratio_row( [ 0.8, 1.25 ], @{$_} ) } beside( 7, 'median', @next ) ),
        factors( map { [ 'the next place / the same', $next[$_], $same[$_] ] } 0 .. $#next )
    );
}

sub regimes () {
    my @sizes = map { [ $_, 2000 ] } 16_384, 40_800, 131_072;
    my %cases =
      map { $_ => [ cases( ['ping-pong'], "data=$_ paced=yes", @sizes ) ] } qw(kept fresh cold);
    return factors(
        map {
            my $data = $_;
            map { [ "$data / kept", $cases{$data}[$_], $cases{kept}[$_] ] } 0 .. $#sizes
        } qw(fresh cold)
    );
}

# For each name with two cases: the median of the ratios in one launch.
sub factors (@pairs) {
    my @launches = map {
        progress("$pairs[0][0], launch $_");
        ours_us( 'median', map { @{$_}[ 1, 2 ] } @pairs )
    } 1 .. launches(7);
    return map {
        my $i = $_;
        plain( label( $pairs[$i][1] ) . ": $pairs[$i][0]",
            '%.2f', median( map { $_->[ 2 * $i ] / $_->[ 2 * $i + 1 ] } @launches ) )
    } 0 .. $#pairs;
}

# --- from launch to launch ---

sub spreads () {
    return
      map { spread_row( @{$_} ) }
      beside( 20, 'time',
        cases( [qw(ping-pong bcast allreduce)], q{}, [ 8, 10_000 ], [ 65_536, 2000 ] ) );
}

# Without launches in which a row was not synchronised.
sub spread_row ( $case, @sides ) {
    my ( $ours, $bare ) = map {
        [ grep { defined } @{$_} ]
    } @sides;
    my ( $own, $other ) = ( spread( @{$ours} ), spread( @{$bare} ) );
    my $small = $case->[1] == 8;
    my $value = sprintf '%.1f %% of %.3f us (bare loop %.1f %% of %.3f us)', $own,
      median( @{$ours} ), $other, median( @{$bare} );
    return [
        label($case) . ': spread',
        $value,
        sprintf( '<= %.1f %%%s', $other, $small ? ' and < 15 %' : q{} ),
        $own <= $other && ( !$small || $own < 15 )
    ];
}

1;
