package SKaMPI::Bench::Loop;

# skampi's times against those of a bare loop (tests/bench/bare_loop.c), 2 processes: how they
# compare, and how far they differ from launch to launch.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median spread within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(ping_pong spreads);

# What both sides measure: operation, bytes, repetitions. A ratio needs long averages, since a
# process that loses its CPU once costs more than a thousand short ping-pongs; the spread is that of
# launches of the usual length.
my @PING_PONGS = map { [ 'ping-pong', @{$_} ] } [ 8, 100_000 ], [ 1024, 100_000 ],
  [ 65_536, 10_000 ], [ 1_048_576, 1000 ];
my @ALL = map { ( [ $_, 8, 10_000 ], [ $_, 65_536, 2000 ] ) } qw(ping-pong bcast allreduce);

my %SIZE = ( 8 => '8 B', 1024 => '1 KiB', 65_536 => '64 KiB', 1_048_576 => '1 MiB' );
my %TYPE = ( 'ping-pong' => 1, bcast => 47, allreduce => 61 );

sub suite ($case) {
    my ( $operation, $len, $n ) = @{$case};
    return <<"SUITE";
$operation-$len {
  Type = $TYPE{$operation}; Variation = Length; Scale = Fixed_linear;
  Start_Argument = $len; End_Argument = $len;
  Min_Repetition = $n; Max_Repetition = $n;
}
SUITE
}

# One launch; the times in microseconds, in the order of the cases. The column: "time" is what a
# user reads, "time_all" is the mean of all repetitions, like the bare loop's time.
sub ours_us ( $column, @cases ) {
    my $head   = "\@VERSION 4.1\n\@MEMORY 8192\n\@ABSOLUTE yes\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my $output = skampi( 2, $head . join q{}, map { suite($_) } @cases );
    my @us     = map { $_->{rows}[0]{$column} } $output->suites;
    die "a suite was not measured\n" if @us != @cases;
    return @us;
}

sub bare_us (@cases) {
    my ($out) = ended_well( mpirun(2), program('bare_loop'), map { @{$_} } @cases );
    return split q{ }, $out;
}

# A number of launches of either side: lists of lists of microseconds.
sub pairs ( $count, $what, $column, @cases ) {
    return alternating(
        $count, $what,
        sub { [ ours_us( $column, @cases ) ] },
        sub { [ bare_us(@cases) ] }
    );
}

sub label ($case) {
    my ( $operation, $len ) = @{$case};
    return "$operation, $SIZE{$len}";
}

# Median of the ratios of launches that follow each other.
sub ping_pong () {
    my ( $ours, $bare ) = pairs( launches(10), 'ping-pong', 'time_all', @PING_PONGS );
    return
      map { ratio_row( $PING_PONGS[$_], [ column( $ours, $_ ) ], [ column( $bare, $_ ) ] ) }
      0 .. $#PING_PONGS;
}

sub ratio_row ( $case, $ours, $bare ) {
    my $ratio  = median( map { $ours->[$_] / $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' (%.3f us / %.3f us)', median( @{$ours} ), median( @{$bare} );
    return within( label($case) . ': skampi / bare loop', '%.3f', $ratio, [ 0.95, 1.05 ], $beside );
}

# Without launches in which a row was not synchronised.
sub column ( $launches, $i ) {
    return grep { defined } map { $_->[$i] } @{$launches};
}

sub spreads () {
    my ( $ours, $bare ) = pairs( launches(20), 'spread', 'time', @ALL );
    return
      map { spread_row( $ALL[$_], [ column( $ours, $_ ) ], [ column( $bare, $_ ) ] ) } 0 .. $#ALL;
}

sub spread_row ( $case, $ours, $bare ) {
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
