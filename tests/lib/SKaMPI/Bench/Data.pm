package SKaMPI::Bench::Data;

# skampi's times of kept, fresh and cold data against those of a hand-written loop of each
# (tests/bench/bare_data.c), 2 processes.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median plain within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(regimes);

# The loop walks through as much memory with cold data.
my $MEMORY_KIB = 131_072;
my @REGIMES    = qw(kept fresh cold);
my %SIZE       = ( 16_384 => '16 KiB', 40_800 => '40,800 B', 131_072 => '128 KiB' );
my @CASES      = map {
    my $len = $_;
    map { [ $_, $len, 2000 ] } @REGIMES
} sort { $a <=> $b } keys %SIZE;

sub suite ($case) {
    my ( $data, $len, $n ) = @{$case};
    my $paced = $data eq 'kept' ? ' paced=yes' : q{};
    return <<"SUITE";
$data-$len {
  Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = $len; End_Argument = $len;
  Min_Repetition = $n; Max_Repetition = $n; Parameters = "data=$data$paced";
}
SUITE
}

sub ours_us () {
    my $head   = "\@VERSION 4.1\n\@MEMORY $MEMORY_KIB\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my $output = skampi( 2, $head . join q{}, map { suite($_) } @CASES );
    my @us     = map { $_->{rows}[0]{extras}{median} } $output->suites;
    die "a suite was not measured\n" if @us != @CASES;
    return \@us;
}

sub bare_us () {
    my ($out) = ended_well( mpirun(2), program('bare_data'), map { @{$_} } @CASES );
    return [ split q{ }, $out ];
}

sub regimes () {
    my ( $ours, $bare ) = alternating( launches(7), 'data', \&ours_us, \&bare_us );
    return ( ( map { beside_row( $_, $ours, $bare ) } 0 .. $#CASES ), factor_rows($ours) );
}

# Median of the ratios of launches that follow each other.
sub beside_row ( $i, $ours, $bare ) {
    my ( $data, $len ) = @{ $CASES[$i] };
    my @ours  = map { $_->[$i] } @{$ours};
    my @bare  = map { $_->[$i] } @{$bare};
    my $ratio = median( map { $ours[$_] / $bare[$_] } 0 .. $#ours );
    my $times = sprintf ' (%.3f us / %.3f us)', median(@ours), median(@bare);
    return within( "$data, $SIZE{$len}: skampi / loop by hand",
        '%.3f', $ratio, [ 0.9, 1.1 ], $times );
}

# By how much fresh data take longer than kept data, in each launch.
sub factor_rows ($ours) {
    my %place = map { ( "$CASES[$_][0] $CASES[$_][1]" => $_ ) } 0 .. $#CASES;
    return map {
        my $len     = $_;
        my @factors = map { $_->[ $place{"fresh $len"} ] / $_->[ $place{"kept $len"} ] } @{$ours};
        plain( "fresh / kept, $SIZE{$len}", '%.2f', median(@factors) )
    } sort { $a <=> $b } keys %SIZE;
}

1;
