# Each setting of the shim has its documented effect, on real and on simulated ranks. Each reading is
# taken between two true times, so it must be between two known values; the simulator's time does not
# advance between them. The expected values are computed here independently, from shim.h.
use v5.36;

use List::Util qw(all max uniq);
use Test::More;
use SKaMPI::Sim  qw(why_not build_shim shimmed_simulate);
use SKaMPI::Test qw(scratch read_file skampi shimmed_program);

my $ROUNDED_S = 2e-9;    # doubles, and the nanoseconds of CLOCK_MONOTONIC
my @CALLS = map { "MPI_$_" } qw(Allreduce Alltoall Barrier Bcast Comm_dup Comm_split Reduce Send);

# Runs tests/shim/readings.c and returns the lines of each rank, split. Both machines have the same
# number of ranks.
my $readings = why_not() ? undef : ( build_shim() )[1];

sub real ( $settings, @args ) {
    my $dir = scratch();
    my $run = shimmed_program( 2, $settings, 'readings', @args, $dir );
    die "readings @args: status $run->{status}\n$run->{err}" if $run->{status} ne '0';
    return lines_in( $dir, 2 );
}

sub simulated ( $settings, @args ) {
    my $dir = scratch();
    shimmed_simulate( $settings, 'flat', 4, $readings, @args, $dir );
    return lines_in( $dir, 4 );
}

sub lines_in ( $dir, $np ) {
    return map {
        [ map { [split] } split /\n/, read_file("$dir/$_") ]
    } 0 .. $np - 1;
}

my %machine  = ( real => \&real, $readings ? ( simulated => \&simulated ) : () );
my $IS_SHORT = $readings && !$ENV{SKAMPI_LONG};

my @OFFSET = ( 0.37, -1, 1 );
my @DRIFT  = ( 0,    1,  -1 );

# The effect of a change of the clock at a time: set=S@T, turn=PPM@T, sine=PPM@S.
sub changed ( $set, $true_s ) {
    my ( $set_s, $set_at )  = split /\@/, $set->{set}  // '0@0';
    my ( $turn,  $turn_at ) = split /\@/, $set->{turn} // '0@0';
    my ( $sine,  $sine_s )  = split /\@/, $set->{sine} // '0@1';
    return ( $true_s >= $set_at ? $set_s                                : 0 ) +
      ( $true_s >= $turn_at     ? $turn * 1e-6 * ( $true_s - $turn_at ) : 0 ) +
      $sine * 1e-6 * $sine_s * ( 1 - cos( $true_s / $sine_s ) );
}

# The reading of the clock of one of the first three ranks.
sub shown ( $set, $rank, $true_s ) {
    my $ahead_s = ( $set->{drift} // 0 ) * 1e-6 * $true_s + changed( $set, $true_s );
    return $true_s + $DRIFT[$rank] * $ahead_s + ( $set->{offset} // 0 ) * $OFFSET[$rank];
}

sub records ($lines) {
    return map {
        my %record;
        @record{qw(clock when from reading to expected)} = @{$_};
        \%record
    } @{$lines};
}

# Is a reading between those of the two true times, except for tick and jitter?
sub is_right ( $set, $rank, $r ) {
    my $first = shown( $set, $rank, $r->{from} ) - ( $set->{tick} // 0 );
    my $last  = shown( $set, $rank, $r->{to} ) + ( $set->{jitter} // 0 );
    return $r->{reading} >= $first - $ROUNDED_S && $r->{reading} <= $last + $ROUNDED_S;
}

# Does a clock with an unknown zero run at the true rate? MPICH's clock counts cycles.
sub is_true ( $first, $last ) {
    my $went = $last->{reading} - $first->{reading};
    return $went >= 0.99 * ( $last->{from} - $first->{to} )
      && $went <= 1.01 * ( $last->{to} - $first->{from} );
}

sub is_forward (@records) {
    return all { $records[$_]{reading} >= $records[ $_ - 1 ]{reading} } 1 .. $#records;
}

# Before MPI_Init clocks are right; afterwards MPI_Wtime, or both clocks, have the errors that were set.
sub check_rank ( $what, $set, $rank, @records ) {
    my %wtime_or = map { $_ => $set->{monotonic} || $_ eq 'wtime' } qw(wtime monotonic);
    for my $clock (qw(wtime monotonic)) {
        my @own    = grep { $_->{clock} eq $clock } @records;
        my @late   = grep { $_->{when} ne 'uninitialised' } @own;
        my $really = $wtime_or{$clock} ? $set : {};
        ok is_right( {}, $rank, $own[0] ), "$what, rank $rank: $clock before MPI_Init";
        my @wrong = grep { !is_right( $really, $rank, $_ ) } @late;

        # A clock that was set back shows the same time until it has caught up.
        @wrong = () if $really->{set} && $DRIFT[$rank] < 0;
        is scalar @wrong, 0, "$what, rank $rank: $clock has the error that was set";
        ok is_forward(@late), "$what, rank $rank: $clock never goes backwards";
    }
    my @wrong =
      grep { abs( $_->{expected} - shown( $set, $rank, $_->{from} ) ) > $ROUNDED_S } @records;
    is scalar @wrong, 0, "$what, rank $rank: shim_reading agrees";
    my ( $first, @more ) = grep { $_->{clock} eq 'library' && $_->{reading} != 0 } @records;
    ok is_true( $first, $more[-1] ), "$what, rank $rank: the MPI library sees the true time";
    return;
}

sub text_of ($set) {
    return join q{,}, map { $_ eq 'monotonic' ? $_ : "$_=$set->{$_}" } sort keys %{$set};
}

my @SETS = (
    {},
    { offset => 1000 },
    { drift  => 100_000 },
    { offset => 1000,    drift     => 100, monotonic => 1 },
    { drift  => 100_000, monotonic => 1 },
    { set    => '0.5@0.1' },
    { turn   => '100@0.1' },
    { sine   => '100@0.05' },
    { tick   => 1e-3 },
    { jitter => 1e-3 },
    { offset => 3, drift => 50, tick => 1e-6, jitter => 1e-4, monotonic => 1 },
);

# Errors are computed alike for both: real clocks have them with a few of the sets.
for my $name ( sort keys %machine ) {
    for my $set ( $name eq 'real' && $IS_SHORT ? @SETS[ 0, 3, 5, -1 ] : @SETS ) {
        my $what  = "$name, " . ( text_of($set) || 'nothing' );
        my @ranks = $machine{$name}->( text_of($set), 'clock', 0.2 );
        check_rank( $what, $set, $_, records( $ranks[$_] ) ) for grep { $_ < 3 } 0 .. $#ranks;
    }
}

# The wtime readings of rank 1 after MPI_Init.
sub rank_1 ( $name, $settings ) {
    my @records = records( ( $machine{$name}->( $settings, 'clock', 0.1 ) )[1] );
    return grep { $_->{clock} eq 'wtime' && $_->{when} ne 'uninitialised' } @records;
}

for my $name ( sort keys %machine ) {
    my @ticks = map { $_->{reading} / 1e-3 } rank_1( $name, 'tick=1e-3' );
    ok( ( all { abs( $_ - sprintf '%.0f', $_ ) < 1e-5 } @ticks ), "$name: multiples of the tick" );
    my @late = map { $_->{reading} - $_->{to} } rank_1( $name, 'jitter=1e-3' );
    cmp_ok max(@late), '>', 0.5e-3, "$name: jitter makes readings late";
}

SKIP: {
    skip 'no simulator', 4 if !$readings;
    my @early = grep { $_->{when} eq 'begin' } rank_1( 'simulated', 'jitter=1e-6' );
    my @late  = map  { $_->{reading} - $_->{from} } @early;
    cmp_ok scalar( uniq( map { int $_ * 1e7 } @late ) ), '>', 4, 'jitter differs each time';

    my @ranks   = simulated( 'offset=1000,drift=100', 'clock', 0.1 );
    my ($first) = grep { $_->{when} eq 'begin' } records( $ranks[3] );
    my ($last)  = reverse records( $ranks[3] );
    my $rate    = ( $last->{expected} - $first->{expected} ) / ( $last->{from} - $first->{from} );
    cmp_ok abs( $first->{expected} - $first->{from} ), '<=', 1000, 'a fourth rank is within +-S';
    cmp_ok abs( $rate - 1 ),                           '<=', 1.00001e-4, 'and within +-PPM';
    cmp_ok abs( $first->{expected} - shown( { offset => 1000 }, 2, $first->{from} ) ), '>', 100,
      'and differs from its neighbour';
}

my $HOLD_S = 0.2;

# "RANK CALL BYTES I" of the calls that took at least as long as the delay.
sub delayed (@ranks) {
    my @slow;
    for my $rank ( 0 .. $#ranks ) {
        push @slow, map { "$rank $_->[0] $_->[1] $_->[2]" }
          grep { $_->[3] >= $HOLD_S - 1e-9 } @{ $ranks[$rank] };
    }
    return @slow;
}

# A busy machine makes other calls slow, too, but not the same ones each time.
sub always_delayed ( $machine, $settings, $count ) {
    my @slow = delayed( $machine->( $settings, 'calls' ) );
    for ( 1 .. 5 ) {
        last if @slow <= $count;
        my %again = map { $_ => 1 } delayed( $machine->( $settings, 'calls' ) );
        @slow = grep { $again{$_} } @slow;
    }
    return @slow;
}

sub every ( $ranks, $call, $bytes, @which ) {
    return map {
        my $rank = $_;
        map {
            my $b = $_;
            map { "$rank $call $b $_" } @which
        } @{$bytes}
    } @{$ranks};
}

# Settings, and the calls of ranks 0, 1, ... that they delay.
sub delay_cases ($np) {
    my @all = 0 .. $np - 1;
    return (
        [ q{}, [] ],
        [
            join( q{,}, map { "delay=*:$_:$HOLD_S\@1" } @CALLS ),
            [ map { every( \@all, $_, [8], 1 ) } @CALLS ]
        ],
        [ "delay=1:MPI_Bcast:$HOLD_S",    [ every( [1], 'MPI_Bcast', [ 8, 96 ], 1 .. 3 ) ] ],
        [ "delay=1:MPI_Bcast:$HOLD_S:96", [ every( [1], 'MPI_Bcast', [96],      1 .. 3 ) ] ],
        [
            "delay=0:MPI_Reduce:$HOLD_S\@5,delay=1:MPI_Send:$HOLD_S:96\@3",
            [ every( [0], 'MPI_Reduce', [96], 2 ), every( [1], 'MPI_Send', [96], 3 ) ]
        ],
        [ "delay=*:MPI_Alltoall:$HOLD_S:7", [] ],
    );
}

for my $name ( sort keys %machine ) {
    for my $case ( delay_cases( $name eq 'real' ? 2 : 4 ) ) {
        my ( $settings, $expected ) = @{$case};
        is_deeply [ always_delayed( $machine{$name}, $settings, scalar @{$expected} ) ],
          [ sort @{$expected} ],
          "$name, " . ( $settings || 'nothing' );
    }
}

sub seconds_of ( $lines, $call ) {
    return map { $_->[3] } grep { $_->[0] eq $call } @{$lines};
}

my @spun = seconds_of( ( real( 'delay=*:MPI_Bcast:0.0004', 'calls' ) )[0], 'MPI_Bcast' );
ok( ( all { $_ >= 0.0004 } @spun ), 'a short delay' );

SKIP: {
    skip 'no simulator', 1 if !$readings;
    my @plain = seconds_of( ( simulated( q{},                    'calls' ) )[2], 'MPI_Bcast' );
    my @held  = seconds_of( ( simulated( 'delay=2:MPI_Bcast:60', 'calls' ) )[2], 'MPI_Bcast' );
    is_deeply [ map { sprintf '%.9f', $_ - 60 } @held ], [ map { sprintf '%.9f', $_ } @plain ],
      'an accurate delay';
}

# One process without mpirun is enough, and faster.
sub start_with ($settings) {
    local $ENV{LD_PRELOAD}  = "$ENV{SKAMPI_BUILD}/tests/libshim.so";
    local $ENV{SKAMPI_SHIM} = $settings;
    return skampi( scratch(), '--version' );
}

my @BAD = qw(set=1 set=x@1 set=1@x turn=1@-1 sine=1@0 ofset=1 offset offset=x tick=-1 tick=nan
  drift=1e6 monotonic=1 hasty=1 step step=0:1 step=0:1:0 step=0:-1:5 step=0:1:5:5 step=x:1:5 delay
  delay=1:MPI_Bcast delay=x:MPI_Bcast:1 delay=-1:MPI_Bcast:1 delay=1:MPI_Scan:1
  delay=1:MPI_Bcast:x delay=1:MPI_Bcast:1:x delay=1:MPI_Bcast:1:8:8 delay=1:MPI_Bcast:1@0
  delay=1:MPI_Bcast:1@ delay=1:MPI_Barrier:1:8);
for my $bad (@BAD) {
    my $run = start_with("tick=0,$bad,jitter=0");
    is $run->{status}, 2, "'$bad' ends the program";
    like $run->{err}, qr/\Ashim: cannot read '\Q$bad\E' in SKAMPI_SHIM; expected offset=S .*\n\z/,
      'the message says why';
}
my $delay = 'delay=1:MPI_Bcast:1';
is start_with( join q{,}, ($delay) x 16 )->{status}, 0, 'sixteen delays';
is start_with( join q{,}, ($delay) x 17 )->{status}, 2, 'seventeen delays are too many';
is start_with( 'x' x 1000 )->{status}, 2, 'a very long text is rejected';

SKIP: {
    skip 'no simulator', 2 if !$readings;
    ok !eval { simulated( 'ofset=1', 'calls' ); 1 }, 'an invalid setting ends a simulated program';
    like $@, qr/^shim: cannot read 'ofset=1'/m, 'the message says why';
}

done_testing;
