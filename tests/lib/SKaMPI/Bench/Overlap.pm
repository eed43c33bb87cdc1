package SKaMPI::Bench::Overlap;

# What skampi says that OSU's and IMB's benchmarks would print as overlap (as_osu, as_imb), against
# loops by their protocols (tests/bench/bare_overlap.c), 2 processes, interleaved launches.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max sum);
use SKaMPI::Bench::Figures qw(median at_most);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(overlaps);

my $KNOWN   = 10;       # percentage points: a larger error is not stated
my $ERRORS  = 2;
my $LENGTHS = 65_528;
my @CALLS   = ( [ Ibcast => 311 ], [ Iallreduce => 322 ], [ Ialltoall => 318 ] );
my @CASES   = map {
    my $call = $_;
    map { [ @{$call}, @{$_} ] } [ 8, 10_000 ], [ 65_536, 2000 ]
} @CALLS;

sub suite ($call) {
    my ( $name, $type ) = @{$call};
    return <<"SUITE";
$name {
  Type = $type; Variation = Length; Scale = Fixed_linear;
  Start_Argument = 8; End_Argument = 65536; Stepwidth = $LENGTHS;
  Min_Repetition = 200; Max_Repetition = 2000; Standard_error = 0.02;
}
SUITE
}

sub ours () {
    my $head   = "\@VERSION 4.1\n\@MEMORY 8192\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my $output = skampi( 2, $head . join q{}, map { suite($_) } @CALLS );
    return map { $_->{extras} } map { @{ $_->{rows} } } $output->suites;
}

# Percents by OSU and IMB.
sub bare () {
    my ($out) = ended_well( mpirun(2), program('bare_overlap'), map { @{$_}[ 0, 2, 3 ] } @CASES );
    return map { [split] } split /\n/, $out;
}

# The standard deviation of launches.
sub scatter (@values) {
    my $mean = sum(@values) / @values;
    return sqrt( sum( map { ( $_ - $mean )**2 } @values ) / max( 1, $#values ) );
}

# A row's target: the median of our launches is within the known part, or two errors of both sides'
# launches.
sub rows_of ( $i, $ours, $bare ) {
    my ( $name, undef, $bytes ) = @{ $CASES[$i] };
    my @rows;
    for ( [ osu => 0 ], [ imb => 1 ] ) {
        my ( $who, $column ) = @{$_};
        my @known  = grep { ( $_ // 'nan' ) !~ /nan/i } map { $_->[$i]{"as_$who"} } @{$ours};
        my $figure = "$name, $bytes B: as_$who, percent";
        if ( 2 * @known < @{$ours} ) {
            push @rows, [ $figure, 'not known: ' . @known . ' of ' . @{$ours}, q{} ];
            next;
        }
        my @theirs = map { $_->[$i][$column] } @{$bare};
        my ( $said, $their ) = ( median(@known), median(@theirs) );
        my @scatter = ( scatter(@known), scatter(@theirs) );
        my $most = sprintf '%.1f', max( $KNOWN, $ERRORS * sqrt( $scatter[0]**2 + $scatter[1]**2 ) );
        push @rows,
          at_most(
            $figure, '%.1f', abs( $said - $their ),
            $most,   sprintf ' (%.1f +- %.1f, %s %.1f +- %.1f)',
            $said,   $scatter[0], uc $who, $their, $scatter[1]
          );
    }
    return @rows;
}

sub overlaps () {
    my ( $ours, $bare ) =
      alternating( launches(4), 'overlap', sub { [ ours() ] }, sub { [ bare() ] } );
    return map { rows_of( $_, $ours, $bare ) } 0 .. $#CASES;
}

1;
