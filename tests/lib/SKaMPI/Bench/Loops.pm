package SKaMPI::Bench::Loops;

# skampi's times against those of bare loops (tests/bench/bare_loop.c), 2 processes, in launches that follow each other.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(against_loops);

# Messages of a window; the loop's, and skampi's default. Shorter windows of messages take so little time that the
# difference counts, not the ratio.
my ( $WINDOW, $SHORT, $MAX_NS ) = ( 64, 1024, 60 );

my %TYPE = (
    'ping-pong' => 1,
    'one way'   => 165,
    'both ways' => 167,
    put         => 201,
    get         => 202,
    write       => 220,
    read        => 222
);

# Bytes and repetitions. A ratio needs long averages, since a process that loses its CPU once costs more than a
# thousand short ping-pongs.
my @MESSAGES = ( [ 8,    100_000 ], [ 1024, 100_000 ], [ 65_536, 10_000 ], [ 1_048_576, 1000 ] );
my @WINDOWS  = ( [ 1024, 4000 ],    [ 8192, 2000 ],    [ 65_536, 500 ],    [ 1_048_576, 40 ] );
my @PLACES   = ( [ 4096, 900 ], [ 65_536, 400 ], [ 1_048_576, 60 ] );

# Pairs of launches; the limits of a ratio; the column: "time_all" is the mean of all repetitions, the median has a
# reading of the clock, as that of the loops; keys; bytes; operations.
my %SECTION = (
    'ping-pong' => [ 10, [ 0.95, 1.05 ], 'time_all', q{}, \@MESSAGES, 'ping-pong' ],
    streams     =>
      [ 20, [ 0.95, 1.05 ], 'time_all', "window=$WINDOW", \@WINDOWS, 'one way', 'both ways' ],
    rma => [ 20, [ 0.95, 1.05 ], 'median', "window=$WINDOW",   \@WINDOWS, 'put',   'get' ],
    io  => [ 7,  [ 0.8,  1.25 ], 'median', 'io_walk=33554432', \@PLACES,  'write', 'read' ],
);

sub against_loops ($section) {
    my ( $count, $limits, $column, $keys, $sizes, @operations ) = @{ $SECTION{$section} };
    my @cases;
    for my $operation (@operations) {
        push @cases, map { [ $operation, @{$_} ] } @{$sizes};
    }
    my ( $ours, $bare ) = alternating(
        launches($count),
        "bare loops, $section",
        sub { ours_us( $column, $keys, @cases ) },
        sub { bare_us(@cases) }
    );
    return map {
        my $i = $_;
        row( $limits, $cases[$i], map { [ $ours->[$_][$i], $bare->[$_][$i] ] } 0 .. $#{$ours} )
    } 0 .. $#cases;
}

# One launch of each; the times in microseconds, in the order of the cases.
sub ours_us ( $column, $keys, @cases ) {
    my $suites   = join q{}, map { suite( $_, $keys ) } @cases;
    my $absolute = $column eq 'median' ? 'no' : 'yes';
    my $head     = "\@VERSION 4.2\n\@MEMORY 131072\n\@ABSOLUTE $absolute\n\@POSTPROC no\n";
    my $output   = skampi( 2, "$head\@MEASUREMENTS\n$suites" );
    my @us       = map {
        my $row = $_->rows->[0];
        $row->{$column} // $row->{extras}{$column}
    } $output->suites;
    die "a suite was not measured\n" if @us != @cases;
    return \@us;
}

sub suite ( $case, $keys ) {
    my ( $operation, $len, $n ) = @{$case};
    return <<"SUITE";
A$TYPE{$operation}-$len {
  Type = $TYPE{$operation}; Variation = Length; Scale = Fixed_linear; Start_Argument = $len;
  End_Argument = $len; Min_Repetition = $n; Max_Repetition = $n; Parameters = "$keys";
}
SUITE
}

sub bare_us (@cases) {
    my ($out) = ended_well( mpirun(2), program('bare_loop'), map { @{$_} } @cases );
    return [ split q{ }, $out ];
}

sub row ( $limits, $case, @pairs ) {
    my ( $operation, $len ) = @{$case};
    my $label = "$operation, " . size($len);
    my @both  = map {
        my $side = $_;
        median( map { $_->[$side] } @pairs )
    } 0, 1;
    my $beside = sprintf ' (%.3f us / %.3f us)', @both;
    if ( $operation ne 'ping-pong' && $len <= $SHORT ) {
        my $ns = 1e3 / $WINDOW * median( map { $_->[0] - $_->[1] } @pairs );
        return within(
            "$label: skampi - bare loop",
            '%.0f ns', $ns,
            [ -$MAX_NS, $MAX_NS ],
            " a message$beside"
        );
    }
    my $ratio = median( map { $_->[0] / $_->[1] } @pairs );
    return within( "$label: skampi / bare loop", '%.3f', $ratio, $limits, $beside );
}

sub size ($len) {
    return $len < 2**10 ? "$len B" : $len < 2**20 ? $len / 2**10 . ' KiB' : $len / 2**20 . ' MiB';
}

1;
