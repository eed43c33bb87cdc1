#!/usr/bin/perl
# Compares skampi's results with the true times of simulated machines, for every type that communicates:
# the error is at most 0.1 % or two clock ticks. truth.c prints the true times by each pattern's
# definition.
use v5.36;

use Test::More;
use SKaMPI::Install qw(root);
use SKaMPI::Sim     qw(why_not build simulate measured first_calls);
use SKaMPI::SimRows qw(few_repetitions is_close true_times);
use SKaMPI::Test    qw(read_file write_file enter_scratch);
use SKaMPI::Truth
  qw(only compared_types quick_types types_on_grid has_length has_window listed_types types_with_reason has_work);

plan skip_all => why_not() if why_not();

my $TICK_US   = 0.01;
my @LENGTHS   = ( 8, 65_536 );
my @PLATFORMS = qw(flat two_level bottleneck jump);

my $AT_A_TIME = 60;

my $DUMMY = 31;

# Added to the number of a barrier-measured type that is measured with enter=together.
my $TOGETHER = 1000;

# Added to the number of a collective type that is measured with loop=5.
my $LOOPED = 2000;

my @PING_PONG    = compared_types('p2p');
my @MASTER       = compared_types('mw');
my @SYNCHRONISED = compared_types(qw(syncol pairs overlap));
my @ALL          = compared_types();

my @QUICK = ( quick_types(), types_on_grid() );

my ( $skampi, $truth ) = build('truth');
enter_scratch();

sub chunks ($np) {
    return 3 * ( $np - 1 );
}

sub suite ( $type, $np ) {
    my $what =
      !has_length($type)
      ? "Variation = Nodes; Start_Argument = $np; End_Argument = $np; Stepwidth = 1"
      : "Variation = Length; Start_Argument = $LENGTHS[0]; End_Argument = $LENGTHS[1]; "
      . 'Stepwidth = '
      . ( $LENGTHS[1] - $LENGTHS[0] );
    my $extra = q{};
    my @keys;
    $extra = 'Default_Chunks = ' . chunks($np) . q{;} if grep { $_ == $type } @MASTER;
    push @keys, 'partner=' . ( $np - 1 ) if grep { $_ == $type } @PING_PONG;
    push @keys, 'window=5'               if has_window($type);
    push @keys, 'work=0'                 if has_work($type);
    $extra = 'Virtual_Topology_Number = 1;' if grep { $_ == $type } types_on_grid();
    $extra .= qq{Parameters = "@keys";}     if @keys;
    return "type_$type { Type = $type; $what; Scale = Fixed_linear; $extra }\n";
}

# Without a cut: every single repetition must be accurate.
sub parameters ( $np, @suites ) {
    my $kib  = 1024 + 4 * $np * $LENGTHS[1] / 1024;
    my @more = ( '@STANDARDERRORDEFAULT 0.0003', '@TOPOLOGY1 Cartesian NOREORDER 2 yes yes' );
    return join q{}, few_repetitions( $kib, @more ), @suites;
}

sub run_skampi ( $platform, $np, @suites ) {
    return run_file( $platform, $np, parameters( $np, @suites ) );
}

sub run_file ( $platform, $np, $text ) {
    unlink glob 'skampi.*';
    write_file( 'p.skampi', $text );
    simulate( $platform, $np, $skampi, '--quiet', '-f', 'p.skampi' );
    return read_file('skampi.out');
}

# type => { length => microseconds }, for all types or some: comparisons of a few need no others.
sub truth ( $platform, $np, $partner, $types, @lengths ) {
    my @only = @{$types} ? only( @{$types} ) : ();
    return true_times( simulate( $platform, $np, $truth, $partner, chunks($np), @only, @lengths ) );
}

# The mean alone would hide single wrong times that cancel out.
sub differences_of_row ( $row, $true ) {
    my ( undef, $mean, $extras ) = @{$row};
    my %us = ( mean => $mean, map { $_ => $extras->{$_} } qw(min median max) );
    return map { sprintf '%s %.6f us, true value %.6f', $_, $us{$_}, $true }
      grep { !is_close( $us{$_}, $true ) } qw(mean min median max);
}

# One line for each missing value and each value that is too far off.
sub differences ( $truth, $measured, @types ) {
    my @lines;
    for my $type (@types) {
        my @rows   = @{ $measured->{$type} // [] };
        my @wanted = has_length( $type % 1000 ) ? @LENGTHS : $LENGTHS[0];
        push @lines, sprintf 'type %d: %d rows', $type, scalar @rows if @rows != @wanted;
        for my $i ( 0 .. $#rows ) {
            push @lines,
              map { "type $type, $wanted[$i] bytes: $_" }
              differences_of_row( $rows[$i], $truth->{$type}{ $wanted[$i] } );
        }
    }
    return @lines;
}

sub judge ( $what, $truth, $measured, @types ) {
    my @lines = differences( $truth, $measured, @types );
    is join( "\n", @lines ), q{}, "$what: " . @types . ' types have their true times';
    return;
}

# A simulated machine opens no connections: the first ping-pong takes as long as any other. In the
# first call of the other patterns, the processes may not yet be in step.
sub judge_first_calls ( $what, $truth, $us, @types ) {
    my %is_ping_pong = map { $_ => 1 } @PING_PONG;
    my @lines;
    for my $type (@types) {
        my $good =
          $is_ping_pong{$type}
          ? is_close( $us->{$type} // 0, $truth->{$type}{ $LENGTHS[0] } )
          : ( $us->{$type} // 0 ) > 0;
        push @lines, "type $type: " . ( $us->{$type} // 'none' ) if !$good;
    }
    is join( "\n", @lines ), q{}, "$what: first calls";
    return;
}

# Some suites at a time: SimGrid keeps a list of all messages of a run.
sub run_all ( $platform, $np, @suites ) {
    my $output = q{};
    $output .= run_skampi( $platform, $np, splice @suites, 0, $AT_A_TIME ) while @suites;
    return $output;
}

sub compare ( $platform, $np, @types ) {
    my $output   = run_all( $platform, $np, map { suite( $_, $np ) } @types );
    my $measured = measured($output);
    my $truth    = truth( $platform, $np, $np - 1, \@types, @LENGTHS );
    my %is_sync  = map  { $_ => 1 } @SYNCHRONISED;
    my @sync     = grep { $is_sync{$_} } @types;
    judge( "$platform, $np processes", $truth, $measured, grep { !$is_sync{$_} } @types );
    judge( "$platform, $np processes, synchronised", $truth, $measured, @sync );
    judge_first_calls( "$platform, $np processes", $truth, first_calls($output), @types );
    return;
}

sub round_trip ( $number, $partner ) {
    return "type_$number { Type = 1; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; "
      . "Parameters = \"partner=$partner\"; }\n";
}

# The clock's cost is subtracted as often as a time includes it. The two messages of an exchange
# meet on the way, which slows them a little, but only if both sides start together.
sub compare_absolute ( $platform, $length, @types ) {
    my @suites =
      map { "type_$_ { Type = $_; Start_Argument = $length; End_Argument = $length; }\n" } @types;
    my $text     = "\@ABSOLUTE yes\n" . parameters( 2, @suites );
    my $measured = measured( run_file( $platform, 2, $text ) );
    my $truth    = truth( $platform, 2, 1, \@types, $length );
    for my $type (@types) {
        my ( $us, $true ) = ( $measured->{$type}[0][1], $truth->{$type}{$length} );
        cmp_ok abs( $us - $true ), '<', 0.2 * $TICK_US, "type $type without the clock's cost";
    }
    return;
}

sub suite_together ( $type, $np ) {
    return suite( $type, $np ) =~
      s/^type_$type (.*) }\n\z/type_@{[ $TOGETHER + $type ]} $1Parameters = "enter=together"; }\n/r;
}

# The types whose true times differ by more than 5 % if all enter together.
sub types_with_skew ( $truth, $length, @types ) {
    return
      grep { abs( $truth->{ $TOGETHER + $_ }{$length} / $truth->{$_}{$length} - 1 ) > 0.05 } @types;
}

# Barrier-measured types, both by the manual's definition and with enter=together, each against its
# own true times. Where processes leave a barrier far apart, the two differ.
sub compare_together ( $platform, $np ) {
    my @types = grep { $_ < 200 || $ENV{SKAMPI_LONG} } compared_types('col');
    my $output =
      run_skampi( $platform, $np, map { ( suite( $_, $np ), suite_together( $_, $np ) ) } @types );
    my $measured = measured($output);
    my $truth =
      truth( $platform, $np, 1, [ @types, map { $TOGETHER + $_ } @types ], @LENGTHS );
    my $what = "$platform, $np processes";
    judge( "$what, after a barrier",  $truth, $measured, @types );
    judge( "$what, entered together", $truth, $measured, map { $TOGETHER + $_ } @types );
    my @skewed = types_with_skew( $truth, $LENGTHS[0], @types );
    cmp_ok scalar @skewed, '>', @types / 4, "$what: the definitions differ";
    ok( ( grep { $_ == $DUMMY } @skewed ), "$what: they differ even without an operation" );
    return;
}

# Several calls in a row in one interval: where the root of one can begin the next, calls overlap.
sub compare_looped ( $platform, $np, @types ) {
    my @suites = map {
        suite( $_, $np ) =~
          s/^type_$_ (.*) }\n\z/type_@{[ $LOOPED + $_ ]} $1Parameters = "loop=5"; }\n/r
    } @types;
    my $measured = measured( run_skampi( $platform, $np, @suites ) );
    my $truth =
      truth( $platform, $np, 1, [ @types, map { $LOOPED + $_ } @types ], @LENGTHS );
    judge( "$platform, $np processes, in a loop", $truth, $measured, map { $LOOPED + $_ } @types );
    my @pipelined =
      grep { $truth->{ $LOOPED + $_ }{ $LENGTHS[0] } < 0.9 * $truth->{$_}{ $LENGTHS[0] } } @types;
    cmp_ok scalar @pipelined, '>', 2, 'calls in a row overlap';
    return;
}

# The numbers in a sentence of the manual: "84, 85 and 102 to 107".
sub numbers_in ($sentence) {
    return map { /(\d+)\s+to\s+(\d+)/ ? $1 .. $2 : $_ } $sentence =~ /\d+\s+to\s+\d+|\d+/g;
}

my %listed  = listed_types();
my $known   = truth( 'flat', 2, 1, [], 8 );
my @unknown = grep { !$known->{$_} } @ALL;
is "@unknown", q{}, 'each type is compared, or has a reason not to be'
  or diag 'Add its true time to tests/sim/truth_*.c, or the reason to tests/lib/SKaMPI/Truth.pm.';
is join( q{ }, grep { !$listed{$_} || $known->{$_} } types_with_reason() ), q{},
  'every reason is needed';
my ($missing) =
  read_file( root() . '/docs/manual/simulation.tex' ) =~ /types ([^.]*)\s+cannot be simulated/;
is_deeply [ numbers_in($missing) ], [ types_with_reason('SMPI') ],
  'the manual says which types SMPI lacks';

if (@unknown) {
    chdir q{/} or die "/: $!\n";
    done_testing;
    exit;
}

# make check compares all types at 2 and 8 processes on a few machines, make check-long on all.
my %ALL_AT_2   = map { $_ => 1 } $ENV{SKAMPI_LONG} ? @PLATFORMS : 'flat';
my %ALL_AT_8   = map { $_ => 1 } $ENV{SKAMPI_LONG} ? @PLATFORMS : 'jump';
my %QUICK_AT_8 = map { $_ => 1 } qw(two_level bottleneck);
for my $platform (@PLATFORMS) {
    compare( $platform, 2, $ALL_AT_2{$platform} ? @ALL : @QUICK );
    compare( $platform, 8, $ALL_AT_8{$platform} ? @ALL : @QUICK )
      if $ALL_AT_8{$platform} || $QUICK_AT_8{$platform};
    compare( $platform, 64, $platform eq 'flat' ? @ALL : @QUICK ) if $ENV{SKAMPI_LONG};
}
compare( 'torus4x4', 8, 172, 173, grep { has_window($_) } @ALL );

# Collectives of point-to-point calls among processes that are not powers of two.
compare( 'flat', 7, grep { $_ >= 340 && $_ < 360 } @ALL );

compare_together( 'uneven', $_ ) for 7, $ENV{SKAMPI_LONG} ? 12 : ();

compare_looped( 'uneven', $_, 17, 19, 20, 36, 47, 49, 54, 55, 61, 64, 81, 91, 185 ) for 7;

compare_absolute( 'jump', 4096, grep { !has_window($_) } @PING_PONG );

# two_level.hosts has the nearest process at rank 3, and the farthest at rank 5.
for my $np ( 8, $ENV{SKAMPI_LONG} ? 64 : () ) {
    my $output =
      run_skampi( 'two_level', $np, round_trip( 1, 'nearest' ), round_trip( 2, 'farthest' ) );
    my $us = measured($output);
    for my $case ( [ 1, 'nearest', 3 ], [ 2, 'farthest', 5 ] ) {
        my ( $number, $name, $rank ) = @{$case};
        my $true = truth( 'two_level', $np, $rank, [1], 8 )->{1}{8};
        cmp_ok abs( $us->{$number}[0][1] - $true ), '<=', $true * 1e-3,
          "the $name of $np processes on two levels is rank $rank";
    }
}

done_testing;
