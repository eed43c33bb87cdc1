package SKaMPI::Bench::Loops;

# The times of skampi against those of bare loops (tests/bench/bare_loop.c), of calls that are recorded against those
# that are not, and the CPU time of a start, in launches that follow each other.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(min);
use SKaMPI::Bench::Figures qw(at_most median plain within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);
use SKaMPI::Test           qw(scratch);

our @EXPORT_OK = qw(against_loops recorder starts);

my %TYPE = ( 'ping-pong' => 1, 'one way' => 165, 'both ways' => 167 );

# Bytes and repetitions. A ratio needs long averages, since a process that loses its CPU once costs more than a
# thousand short ping-pongs.
my @MESSAGES = ( [ 8,    100_000 ], [ 1024,   100_000 ], [ 65_536, 10_000 ], [ 1_048_576, 1000 ] );
my @WINDOWS  = ( [ 8192, 2000 ],    [ 65_536, 500 ],     [ 1_048_576, 40 ] );

# Pairs of launches, bytes and repetitions, operations.
my %SECTION = (
    'ping-pong' => [ 10, \@MESSAGES, 'ping-pong' ],
    streams     => [ 20, \@WINDOWS,  'one way', 'both ways' ],
);

sub against_loops ($section) {
    my ( $count, $sizes, @operations ) = @{ $SECTION{$section} };
    my @cases = map {
        my $operation = $_;
        map { [ $operation, @{$_} ] } @{$sizes}
    } @operations;
    my ( $ours, $bare ) = alternating(
        launches($count), $section,
        sub { _ours_us(@cases) },
        sub { _bare_us( 2, \@cases ) }
    );
    return map { _row( $cases[$_], _column( $_, $ours ), _column( $_, $bare ) ) } 0 .. $#cases;
}

# The times of case I of all launches.
sub _column ( $i, $launches ) {
    return [ map { $_->[$i] } @{$launches} ];
}

# One launch of each; the times in microseconds, in the order of the cases: the mean of all repetitions, as a loop has
# no other.
sub _ours_us (@cases) {
    my $output = skampi(
        2, join q{},
        "\@MEMORY 131072\n\@ABSOLUTE yes\n\@MEASUREMENTS\n",
        map { _suite( @{$_} ) } @cases
    );
    my @us = map { $_->rows->[0]{time_all} } $output->suites;
    die "a suite was not measured\n" if @us != @cases;
    return \@us;
}

sub _suite ( $operation, $len, $n ) {
    return <<"SUITE";
A$TYPE{$operation}-$len {
  Type = $TYPE{$operation}; Variation = Length; Scale = Fixed_linear; Start_Argument = $len;
  End_Argument = $len; Min_Repetition = $n; Max_Repetition = $n;
}
SUITE
}

sub _bare_us ( $np, $cases, @environment ) {
    my @arguments = map { @{$_} } @{$cases};
    my ($out) = ended_well( mpirun($np), 'env', @environment, program('bare_loop'), @arguments );
    return [ split q{ }, $out ];
}

sub _row ( $case, $ours, $bare ) {
    my ( $operation, $len ) = @{$case};
    my $ratio  = median( map { $ours->[$_] / $bare->[$_] } 0 .. $#{$ours} );
    my $beside = sprintf ' (%.3f us / %.3f us)', median( @{$ours} ), median( @{$bare} );
    my $size =
      $len < 2**10 ? "$len B" : $len < 2**20 ? $len / 2**10 . ' KiB' : $len / 2**20 . ' MiB';
    return within( "$operation, $size: skampi / bare loop",
        '%.3f', $ratio, [ 0.95, 1.05 ], $beside );
}

# --- the recorder of skampi-profile ---

my @CALLS = qw(Bcast Iprobe Send Waitall);

sub recorder ($) {
    my @with =
      ( 'LD_PRELOAD=' . program('libskampi-record.so'), 'SKAMPI_RECORD=' . scratch() . '/calls' );
    my ( $bare, $with ) =
      alternating( launches(5), 'recorder', sub { _shortest_us() }, sub { _shortest_us(@with) } );
    return map {
        my $more_ns = 1e3 * ( min( @{ _column( $_, $with ) } ) - min( @{ _column( $_, $bare ) } ) );
        at_most( "recorder, MPI_$CALLS[$_], ns a call", '%.0f', $more_ns, 150 )
    } 0 .. $#CALLS;
}

# The times of the calls, each the shortest of many short rounds: what disturbs a round only makes it longer.
sub _shortest_us (@environment) {
    my @us       = @{ _bare_us( 1, [ map { [ $_, 8, 2000 ] } (@CALLS) x 50 ], @environment ) };
    my @shortest = splice @us, 0, @CALLS;
    while ( my @round = splice @us, 0, @CALLS ) {
        @shortest = map { min( $shortest[$_], $round[$_] ) } 0 .. $#CALLS;
    }
    return \@shortest;
}

# --- a start: a file with one local suite against a program that only starts and ends ---

sub starts ($) {
    my $suite = "\@MEASUREMENTS\nA { Type = 24; Max_Repetition = 8; }\n";
    my ( $ours, $empty ) = alternating(
        launches(10),
        'start',
        sub {
            _cpu_ms( sub { skampi( 2, $suite ) } );
        },
        sub {
            _cpu_ms( sub { _bare_us( 2, [] ) } );
        }
    );
    return plain(
        'np = 2: CPU time of a start, skampi / empty program',
        '%.0f ms / %.0f ms',
        map { median( @{$_} ) } $ours, $empty
    );
}

# The CPU time of what ACTION starts, and of mpirun.
sub _cpu_ms ($action) {
    my @before = times;
    $action->();
    my @after = times;
    return 1e3 * ( $after[2] + $after[3] - $before[2] - $before[3] );
}

1;
