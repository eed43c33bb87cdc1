package SKaMPI::TrueTimes;

# Measures types on simulated machines, and compares the results with the true times: the error is at most 0.1 % or two
# clock ticks. tests/sim/truth.c prints the true times by each pattern's definition.
use v5.36;

use Exporter qw(import);
use Test::More;
use SKaMPI::Sim     qw(build_in_scratch simulate measured first_calls);
use SKaMPI::SimRows qw(few_repetitions is_close output_of true_times);
use SKaMPI::Test    qw(read_file);
use SKaMPI::Truth   qw(only compared_types types_on_grid has_length has_window has_work);

our @EXPORT_OK =
  qw(@LENGTHS start compare judge parameters run_file run_skampi suite truth with_key);

our @LENGTHS = ( 8, 65_536 );
my $AT_A_TIME = 60;

my @PING_PONG    = compared_types('p2p');
my @MASTER       = compared_types('mw');
my @SYNCHRONISED = compared_types(qw(syncol pairs overlap));

my ( $skampi, $truth );

# Builds the programs, in a directory of the test's own.
sub start () {
    ( $skampi, $truth ) = build_in_scratch('truth');
    return;
}

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
    output_of( $skampi, $platform, $np, $text );
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

# The suite of a type with a key; its number is higher by as much.
sub with_key ( $type, $np, $more, $key ) {
    return suite( $type, $np ) =~
      s/^type_$type (.*) }\n\z/type_@{[ $more + $type ]} $1Parameters = "$key"; }\n/r;
}

1;
