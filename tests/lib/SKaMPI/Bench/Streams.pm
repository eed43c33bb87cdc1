package SKaMPI::Bench::Streams;

# skampi's streams and windows of one-sided accesses against bare loops by the definitions of osu_bw, osu_bibw,
# osu_put_bw and osu_get_bw (tests/bench/bare_stream.c), 2 processes.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(at_most median spread within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(accesses streams);

# The loop's, and skampi's default.
my $WINDOW = 64;

# Shorter messages take so little time that the difference counts, not the ratio.
my $SHORT  = 1024;
my $MAX_NS = 60;

my %TYPE  = ( one  => 165,       both => 167,         put    => 201,      get       => 202 );
my %NAME  = ( one  => 'one way', both => 'both ways', put    => 'put',    get       => 'get' );
my %SIZE  = ( 1024 => '1 KiB',   8192 => '8 KiB',     65_536 => '64 KiB', 1_048_576 => '1 MiB' );
my %COUNT = ( 1024 => 4000,      8192 => 2000,        65_536 => 500,      1_048_576 => 40 );

sub cases (@directions) {
    return map {
        my $direction = $_;
        map { [ $direction, $_, $COUNT{$_} ] } sort { $a <=> $b } keys %SIZE
    } @directions;
}

sub suite ($case) {
    my ( $direction, $len, $n ) = @{$case};
    return <<"SUITE";
$direction-$len {
  Type = $TYPE{$direction}; Variation = Length; Scale = Fixed_linear;
  Start_Argument = $len; End_Argument = $len; Min_Repetition = $n; Max_Repetition = $n;
  Parameters = "window=$WINDOW";
}
SUITE
}

# The mean of all repetitions, as the loop has no other; of accesses the median.
sub ours_us (@cases) {
    my $head   = "\@VERSION 4.1\n\@MEMORY 8192\n\@ABSOLUTE yes\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my $output = skampi( 2, $head . join q{}, map { suite($_) } @cases );
    my @us     = map {
        my $row = $_->{rows}[0];
        $TYPE{ ( split /-/, $_->{name} )[0] } > 200 ? $row->{extras}{median} : $row->{time_all}
    } $output->suites;
    die "a suite was not measured\n" if @us != @cases;
    return \@us;
}

sub bare_us (@cases) {
    my ($out) = ended_well( mpirun(2), program('bare_stream'), map { @{$_} } @cases );
    return [ split q{ }, $out ];
}

sub streams () {
    return compared( 'streams', cases(qw(one both)) );
}

sub accesses () {
    return compared( 'accesses', cases(qw(put get)) );
}

sub compared ( $what, @cases ) {
    my ( $ours, $bare ) = alternating(
        launches(20), $what,
        sub { return ours_us(@cases) },
        sub { return bare_us(@cases) }
    );
    my @rows;
    for my $i ( 0 .. $#cases ) {
        my @pair = map {
            [ map { $_->[$i] } @{$_} ]
        } $ours, $bare;
        push @rows, rows_of( $cases[$i], @pair );
    }
    return @rows;
}

# The median over launches that follow each other, and how far launches differ.
sub rows_of ( $case, $ours, $bare ) {
    my ( $direction, $len ) = @{$case};
    my $label = "$NAME{$direction}, $SIZE{$len}";
    my ( $own, $other ) = ( spread( @{$ours} ), spread( @{$bare} ) );
    return (
        $len <= $SHORT ? difference_row( $label, $ours, $bare ) : ratio_row( $label, $ours, $bare ),
        at_most( "$label: spread", '%.1f %%', $own, sprintf '%.1f', 1.5 * $other )
    );
}

sub difference_row ( $label, $ours, $bare ) {
    my $ns     = 1e3 / $WINDOW * median( map { $ours->[$_] - $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' a message (%.3f us / %.3f us)', median( @{$ours} ), median( @{$bare} );
    return within( "$label: skampi - bare loop", '%.0f ns', $ns, [ -$MAX_NS, $MAX_NS ], $beside );
}

sub ratio_row ( $label, $ours, $bare ) {
    my $ratio  = median( map { $ours->[$_] / $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' (%.2f us / %.2f us)', median( @{$ours} ), median( @{$bare} );
    return within( "$label: skampi / bare loop", '%.3f', $ratio, [ 0.95, 1.05 ], $beside );
}

1;
