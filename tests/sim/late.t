# Processes that arrive at different instants: the time from the last arrival to the last exit is that of the simulated
# machine, for each pattern of arrivals. In a random order, each repetition has that of one of the orders.
use v5.36;

use List::Util      qw(max min);
use SKaMPI::Sim     qw(build_in_scratch needs_simgrid_3 simulate);
use SKaMPI::SimRows qw(few_repetitions is_about output_of);
use SKaMPI::Test    qw(write_file);
use Test::More;

needs_simgrid_3();
my ( $skampi, $late ) = build_in_scratch('late');

# platform, processes, operation, bytes, microseconds.
my @CASES = (
    [ flat      => 2, 'Allreduce', 8,    50 ],
    [ flat      => 3, 'Bcast',     1024, 200 ],
    [ two_level => 5, 'Alltoall',  256,  30 ],
    [ torus64   => 9, 'Allreduce', 4096, 100 ],
    [ dragonfly => 8, 'Gather',    64,   500 ],
);
push @CASES, [ torus64 => 33, 'Allreduce', 4096, 100 ], map {
    my ( $platform, $np ) = @{$_};
    map { [ $platform, $np, @{$_} ] }[ 'Bcast', 65_536, 1000 ], [ 'Alltoall', 8, 3 ],
      [ 'Gather', 4096, 77 ]
} [ flat => 4 ], [ two_level => 8 ], [ torus64 => 16 ], [ dragonfly => 33 ]
  if $ENV{SKAMPI_LONG};

# Delays for a file: the first process is the last one to arrive.
sub delays ( $np, $us ) {
    return ( $us, map { ( 7 * $_ ) % $us } 1 .. $np - 1 );
}

sub orders (@items) {
    return [] if !@items;
    my @orders;
    for my $i ( 0 .. $#items ) {
        my ( $first, @rest ) = ( $items[$i], @items[ grep { $_ != $i } 0 .. $#items ] );
        push @orders, map { [ $first, @{$_} ] } orders(@rest);
    }
    return @orders;
}

sub true_times ( $platform, $np, $operation, $bytes, @delays ) {
    my @lines = split /\n/,
      simulate( $platform, $np, $late, $operation, $bytes, map { join q{,}, @{$_} } @delays );
    return map { (split)[1] } @lines;
}

sub measured ( $platform, $np, $operation, $bytes, @arrivals ) {
    my $suite = sub ($i) {
        my $n = $arrivals[$i] =~ /random/ ? 'Min_Repetition = 100; Max_Repetition = 100;' : q{};
        return
"late$i { Type = syncol_MPI_$operation; Variation = Length; Scale = Fixed_linear; Start_Argument = $bytes;"
          . " End_Argument = $bytes; $n Parameters = \"arrival=$arrivals[$i] passes=1\"; }\n";
    };
    my $text = join q{}, few_repetitions(16_384), map { $suite->($_) } 0 .. $#arrivals;
    return map { $_->{rows}[0] } output_of( $skampi, $platform, $np, $text )->suites;
}

for my $case (@CASES) {
    my ( $platform, $np, $operation, $bytes, $us ) = @{$case};
    my @file = delays( $np, $us );
    write_file( 'delays', join( "\n", '# microseconds', @file ) . "\n" );
    my @ramp   = map { $us * $_ / ( $np - 1 ) } 0 .. $np - 1;
    my @wanted = ( [ (0) x $np ], [ (0) x ( $np - 1 ), $us ], \@ramp, \@file );
    my @arrival =
      ( 'together', "last:$us", "ramp:$us", 'file:delays', $np <= 3 ? "random:$us" : () );
    my @true = true_times( @{$case}[ 0 .. 3 ], @wanted );
    my @rows = measured( @{$case}[ 0 .. 3 ], @arrival );
    my $what = "$operation, $bytes B, $platform, $np processes";
    is_about( $rows[$_]{time}, $true[$_], "$what, $arrival[$_]" ) for 0 .. $#wanted;
    next if $np > 3;
    my @each = true_times( @{$case}[ 0 .. 3 ], orders(@ramp) );
    is_about( $rows[-1]{extras}{$_}, $_ eq 'min' ? min(@each) : max(@each), "$what, random, $_" )
      for qw(min max);
}

done_testing();
