# Synchronised values are accurate to 0.5 % if every process has its own clock, up to 1000 s off and
# 100 ppm fast or slow: at the start of a run and a simulated minute later.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch build_shim simulate measured);
use SKaMPI::SimRows qw(few_repetitions output_of true_times);
use SKaMPI::Test    qw(read_file);
use SKaMPI::Truth   qw(only compared_types types_on_grid has_length);

my $WITHIN   = 5e-3;
my $TICK_US  = 0.01;
my $LENGTH   = 8;
my $MINUTE_S = 60;

# A barrier-measured MPI_Alltoall, which nothing else calls here, delays all processes for a minute.
my $HOSTILE  = "offset=1000,drift=100,delay=*:MPI_Alltoall:$MINUTE_S\@1";
my $ALLTOALL = 20;

# Types that call MPI_Alltoall would be delayed, too.
my %CALLS_ALLTOALL = map { $_ => 1 } 55;

# Need a virtual topology.
my %ON_GRID = map { $_ => 1 } types_on_grid();

my @ALL   = grep { !$CALLS_ALLTOALL{$_} && !$ON_GRID{$_} } compared_types('syncol');
my @QUICK = ( 47, 49, 54, 56, 59, 61, 81, 87, 91 );

my ( undef, $truth ) = build_in_scratch('truth');
my ($skampi) = build_shim();

sub suite ( $name, $type, $np ) {
    my ( $what, $at ) = has_length($type) ? ( 'Length', $LENGTH ) : ( 'Nodes', $np );
    return "$name { Type = $type; Variation = $what; Start_Argument = $at; End_Argument = $at; "
      . "Scale = Fixed_linear; }\n";
}

sub parameters ( $np, @types ) {
    return join q{}, few_repetitions( 4096, '@STANDARDERRORDEFAULT 0.0003' ),
      ( map { suite( "early_type_$_", $_, $np ) } @types ),
      suite( "minute_type_$ALLTOALL", $ALLTOALL, $np ),
      ( map { suite( "late_type_$_", $_, $np ) } @types );
}

sub true_by_type ( $platform, $np, @types ) {
    my $us =
      true_times( simulate( $platform, $np, $truth, 1, 3 * ( $np - 1 ), only(@types), $LENGTH ) );
    return { map { $_ => $us->{$_}{$LENGTH} } keys %{$us} };
}

sub is_true ( $us, $true ) {
    my $within = $true * $WITHIN > 2 * $TICK_US ? $true * $WITHIN : 2 * $TICK_US;
    return abs( $us - $true ) <= $within;
}

# Compares each type's two rows, before and after the minute.
sub differences ( $measured, $true, @types ) {
    my @lines;
    for my $type (@types) {
        my @us = map { $_->[1] } @{ $measured->{$type} // [] };
        push @lines, "type $type: " . @us . ' rows' if @us != 2;
        push @lines, "type $type: $_ us, true value $true->{$type}"
          for grep { !is_true( $_, $true->{$type} ) } @us;
    }
    return @lines;
}

sub compare ( $platform, $np, @types ) {
    my $output = output_of( $skampi, $platform, $np, parameters( $np, @types ), $HOSTILE );
    my @lines  = differences( measured( read_file('skampi.out') ),
        true_by_type( $platform, $np, @types ), @types );
    is join( "\n", @lines ), q{}, "$platform, $np processes: " . @types . ' types, twice';
    like $output->field('GLOBALCLOCK'), qr/^MPI_Wtime of rank 0; others, \d+ by messages$/,
      'MPI_WTIME_IS_GLOBAL of the library is not trusted';
    my ($wall_s) = $output->field('WALLTIME') =~ /^([\d.]+) s/;
    cmp_ok $wall_s, '>', $MINUTE_S, 'a minute passed';
    return;
}

compare( 'flat', $ENV{SKAMPI_LONG} ? 8 : 5, @ALL );
compare( $_,     8,  $ENV{SKAMPI_LONG} ? @ALL : @QUICK ) for qw(two_level bottleneck jump);
compare( 'flat', 64, @ALL ) if $ENV{SKAMPI_LONG};

done_testing;
