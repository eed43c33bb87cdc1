package SKaMPI::Bench::Steady;

# How far results differ from launch to launch, 2 processes: passes that are spread over seconds against one
# pass.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(any);
use SKaMPI::Bench::Figures qw(at_most median spread);
use SKaMPI::Bench::Launch  qw(launches alternating skampi);

our @EXPORT_OK = qw(steadiness);

# A synchronised MPI_Allreduce, as all benchmarks have one, of 8 B to 128 KiB.
my $TYPE = 61;
my $ROWS = 15;

# One pass takes half a second, the passes four seconds.
my $PASS_S = 0.5;
my $PASSES = 8;

# The file has minutes. Only the time ends a row.
sub parameters ($passes) {
    my $minutes = sprintf '%.8f', $PASS_S / $ROWS / 60;
    my $last    = 8 * 2**( $ROWS - 1 );
    return <<"FILE";
\@VERSION 4.2
\@MEMORY 8192
\@POSTPROC no
\@MEASUREMENTS
steadiness {
  Type = $TYPE; Variation = Length; Scale = Fixed_log;
  Start_Argument = 8; End_Argument = $last; Stepwidth = 2;
  Standard_error = 0; Max_Repetition = 1000000; Time_Measurement = $minutes;
  Parameters = "passes=$passes";
}
FILE
}

# The times that a user takes, in the order of the lengths.
sub times_us ($passes) {
    my ($suite) = skampi( 2, parameters($passes) )->suites;
    my @us = $suite ? map { $_->{time} } @{ $suite->{rows} } : ();
    die "a row was not measured\n" if @us != $ROWS;
    return \@us;
}

# For launches, the median of the rows' spreads in percent. A row may be undefined if it was not synchronised.
sub unsteadiness ($launches) {
    my @rows = map {
        my $i = $_;
        [ grep { defined } map { $_->[$i] } @{$launches} ]
    } 0 .. $ROWS - 1;
    die "a row was measured in none of the launches\n" if any { !@{$_} } @rows;
    return median( map { spread( @{$_} ) } @rows );
}

sub steadiness () {
    my ( $spread, $together ) =
      map { unsteadiness($_) }
      alternating( launches(24), 'steadiness', sub { times_us($PASSES) }, sub { times_us(1) } );
    die "the launches of one pass do not differ: one launch is not enough\n" if $together == 0;
    my $beside = sprintf ' (%.1f %% / %.1f %%)', $spread, $together;
    return at_most(
        "$PASSES passes / one pass: spread, median of $ROWS rows",
        '%.2f', $spread / $together,
        0.7,    $beside
    );
}

1;
