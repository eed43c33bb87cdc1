package SKaMPI::Bench::Loops;

# The times of skampi against those of bare loops (tests/bench/bare_loop.c), and of calls that are recorded against
# those that are not, in launches that follow each other; and the instructions of a repetition.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(min sum0);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch  qw(alternating ended_well launches mpirun program progress skampi);
use SKaMPI::Test           qw(command scratch sections write_file);

our @EXPORT_OK = qw(against_loops path recorder);

my %TYPE = ( 'ping-pong' => 1, 'one way' => 165, 'both ways' => 167 );

# Size, bytes and repetitions. A ratio needs long averages, since a process that loses its CPU once costs more than a
# thousand short ping-pongs.
my @MESSAGES = (
    [ '8 B',    8,     100_000 ],
    [ '1 KiB',  2**10, 100_000 ],
    [ '64 KiB', 2**16, 10_000 ],
    [ '1 MiB',  2**20, 1000 ]
);
my @WINDOWS = ( [ '8 KiB', 2**13, 2000 ], [ '64 KiB', 2**16, 500 ], [ '1 MiB', 2**20, 40 ] );

# Pairs of launches, sizes, operations.
my %SECTION = (
    'ping-pong' => [ 10, \@MESSAGES, 'ping-pong' ],
    streams     => [ 20, \@WINDOWS,  'one way', 'both ways' ],
);

sub against_loops ($section) {
    my ( $count, $sizes, @operations ) = @{ $SECTION{$section} };
    my ( @names, @cases );
    for my $operation (@operations) {
        push @names, map { "$operation, $_->[0]: skampi / bare loop" } @{$sizes};
        push @cases, map { [ $operation, @{$_}[ 1, 2 ] ] } @{$sizes};
    }
    my ( $ours, $bare ) = alternating(
        launches($count), $section,
        sub { _ours_us(@cases) },
        sub { _bare_us( 2, \@cases ) }
    );
    my @rows;
    for my $i ( 0 .. $#cases ) {
        my ( $our_us, $bare_us ) = map { _column( $i, $_ ) } $ours, $bare;
        my $ratio = median( map { $our_us->[$_] / $bare_us->[$_] } 0 .. $#{$our_us} );
        push @rows,
          row(
            $names[$i],
            [ 0.95, 1.05 ],
            '%.3f (%.3f us / %.3f us)',
            $ratio, map { median( @{$_} ) } $our_us, $bare_us
          );
    }
    return @rows;
}

# The times of case I of all launches.
sub _column ( $i, $launches ) {
    return [ map { $_->[$i] } @{$launches} ];
}

# One launch of each; the times in microseconds, in the order of the cases: the mean of all repetitions, as a loop has
# no other.
sub _ours_us (@cases) {
    my $suites = join q{}, map { _suite( @{$_} ) } @cases;
    my $output = skampi( 2, "\@MEMORY 131072\n\@ABSOLUTE yes\n\@MEASUREMENTS\n$suites" );
    my @us     = map { $_->rows->[0]{time_all} } $output->suites;
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

# The recorder of skampi-profile: the time of a call, the shortest of many short rounds.

my @CALLS = qw(Bcast Waitall);

sub recorder ($) {
    my @with =
      ( 'LD_PRELOAD=' . program('libskampi-record.so'), 'SKAMPI_RECORD=' . scratch() . '/calls' );
    my @cases = map { [ $_, 8, 2000 ] } @CALLS;
    my ( $bare, $recorded ) = alternating(
        launches(5), 'recorder',
        sub { _bare_us( 1, [ (@cases) x 50 ] ) },
        sub { _bare_us( 1, [ (@cases) x 50 ], @with ) }
    );
    my @rows;
    for my $i ( 0 .. $#CALLS ) {
        my @shortest = map { _shortest_us( $i, $_ ) } $bare, $recorded;
        my $more_ns  = 1e3 * ( $shortest[1] - $shortest[0] );
        push @rows, row( "recorder, MPI_$CALLS[$i], ns a call", [ undef, 150 ], '%.0f', $more_ns );
    }
    return @rows;
}

# Returns the time of call I, of all rounds of some launches: what disturbs a round only makes it longer.
sub _shortest_us ( $i, $launches ) {
    my @us = map { @{$_} } @{$launches};
    return min( @us[ grep { $_ % @CALLS == $i } 0 .. $#us ] );
}

# Instructions of a repetition on rank 0, by valgrind's callgrind: those of skampi's own functions, without those of the
# MPI library and of the statistics after the series. The difference of two lengths of a series.

# Between the two clock readings: the calls of the pattern, the operation and the clock.
my $INSIDE = qr/\A(?:pattern_calls|own_calls|send_receive|hostclock_now)\z/;

# Functions that are called once a batch, a series or a run.
my $ASIDE =
qr/\A(?:stats_|moments_|by_double|kept_|shape_|stop_|quantile|error_|summary_|batch_|measure\z|ask\z|clock_wait)/;

sub path ($) {
    my %own     = _a_repetition(q{});
    my $outside = sub (%of) {
        return sum0 @of{ grep { !/$INSIDE|$ASIDE/ } keys %of };
    };
    return (
        row(
            'ping-pong: instructions inside the time',
            [ undef, 80 ],
            '%.0f',
            sum0 @own{ grep { /$INSIDE/ } keys %own }
        ),
        row( 'ping-pong: around it', [ undef, 150 ], '%.0f', $outside->(%own) ),
        row(
            'ping-pong, --as osu: around it',
            [ undef, 150 ],
            '%.0f',
            $outside->( _a_repetition('as=osu') )
        ),
    );
}

# Instructions by function.
sub _a_repetition ($keys) {
    my ( $few, $many ) = map {
        { _functions( $keys, $_ ) }
    } 1000, 33_000;
    return map { $_ => ( $many->{$_} - ( $few->{$_} // 0 ) ) / 32_000 } keys %{$many};
}

sub _functions ( $keys, $count ) {
    my $dir = scratch();
    progress("path: $count repetitions, $keys");
    write_file( "$dir/p.skampi", sections( MEMORY => 4096, POSTPROC => 'no' ) . <<"END" );
* { Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; Standard_error = 0.0001;
Max_Repetition = $count; Min_Repetition = $count; Parameters = "passes=1 $keys"; }
END
    my $valgrind =
"exec valgrind -q --tool=callgrind --callgrind-out-file=of.\$OMPI_COMM_WORLD_RANK '@{[ program('skampi') ]}' -q -f p.skampi";
    my $run = command( $dir, mpirun(2), 'sh', '-c', $valgrind );
    my $of  = command( $dir, qw(callgrind_annotate --threshold=100 --show-percs=no of.0) );
    die "callgrind: $run->{err}$of->{err}\n" if $of->{status} || $of->{out} !~ /skampi\]/;
    my %found;

    while ( $of->{out} =~ m{^\s*([0-9,]+) \s+ \S+?:(\w+) .* /skampi\]$}gmx ) {
        $found{$2} += $1 =~ tr/,//dr;
    }
    return %found;
}

1;
