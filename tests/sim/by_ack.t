# A broadcast timed by acknowledgements needs no global clock. On machines with symmetric networks it
# agrees with the synchronised one for any algorithm of the library, and wrong clocks do not change it.
# On an asymmetric network it is as wrong as the clocks.
use v5.36;

use Test::More;
use SKaMPI::Broadcast qw(true_us run_suites);
use SKaMPI::Sim       qw(build_in_scratch needs_simgrid_3 build_shim);
use SKaMPI::SimRows   qw(few_repetitions output_of);
use SKaMPI::Test      qw($ROOT read_file write_file);

my $WITHIN = 0.01;
my $MANY   = $ENV{SKAMPI_LONG} ? 8 : 5;
my $RANGE  = 'Scale = Fixed_log; Start_Argument = 12; End_Argument = 200000; Stepwidth = 25';
my $SYNC   = "sync { Type = 47; $RANGE; }\n";
my $ACK    = "ack { Type = 170; $RANGE; }\n";

# Machine, number of processes, library whose algorithms are used. Only 16 processes acknowledge.
my @CASES = (
    [ 'flat',      2,  'ompi' ],
    [ 'flat',      18, 'mpich' ],
    [ 'two_level', 8,  'mvapich2' ],
    [ 'torus4x4',  13, 'ompi' ],
    [ 'uneven',    12, 'default' ],
    [ 'dragonfly', 6,  'mvapich2' ],
    $ENV{SKAMPI_LONG}
    ? (
        [ 'torus4x4',   16, 'impi' ],
        [ 'bottleneck', 7,  'mpich' ],
        [ 'fat_tree',   24, 'mvapich2' ],
        [ 'jump',       12, 'default' ],
        [ 'uneven',     12, 'ompi' ],
        [ 'flat',       50, 'mpich' ],
        [ 'dragonfly',  30, 'ompi' ]
      )
    : (),
);

sub times_of ( $output, $name ) {
    return map { $_->{argument} => $_->{time} }
      map { @{ $_->{rows} } } grep { $_->{name} eq $name } $output->suites;
}

# The pairs of times that are not within 1 %; at least four are compared.
sub disagreements ($output) {
    my %ack  = times_of( $output, 'ack' );
    my %sync = times_of( $output, 'sync' );
    return 'too few rows'
      if keys %ack < 4 || join( q{ }, sort keys %ack ) ne join q{ }, sort keys %sync;
    return map { sprintf '%d bytes: %.3f us, synchronised %.3f us', $_, $ack{$_}, $sync{$_} }
      grep { abs( $ack{$_} / $sync{$_} - 1 ) > $WITHIN } sort { $a <=> $b } keys %ack;
}

my ( $skampi, $truth ) = build_in_scratch('truth');
my ($shimmed) = build_shim();
needs_simgrid_3();

for my $case (@CASES) {
    my ( $platform, $np, $selector ) = @{$case};
    my @selected = ( "--cfg=smpi/coll-selector:$selector", $skampi );
    my $output   = output_of( \@selected, $platform, $np, few_repetitions(1024) . $SYNC . $ACK );
    is_deeply [ disagreements($output) ], [], "$platform, $np processes, $selector: both agree";
    my $row = $output->suite('check_ack')->{rows}[0];
    is $row->{extras}{acknowledged}, $np > 17 ? 16 : $np - 1,
      'the row has the number of processes that acknowledged';
}

for my $settings ( 'offset=1000,drift=100', 'drift=10,turn=50@0.01', 'set=5e-3@0.01' ) {
    my $output  = run_suites( $shimmed, $settings, 'fat_tree', $MANY, $ACK );
    my %ack     = times_of( $output, 'ack' );
    my $true_us = true_us( $truth, 'fat_tree', $MANY, 12 );
    cmp_ok abs( $ack{12} / $true_us - 1 ), '<', $WITHIN, "$settings: the time does not change";
}

my $both    = run_suites( $shimmed, 'offset=3', 'one_way', 2, $SYNC, $ACK );
my $alone   = run_suites( $shimmed, 'offset=3', 'one_way', 2, $SYNC );
my %wrong   = ( ack => { times_of( $both, 'ack' ) }, sync => { times_of( $both, 'sync' ) } );
my $true_us = true_us( $truth, 'one_way', 2, 12 );
for my $name (qw(sync ack)) {
    my $factor = $wrong{$name}{12} / $true_us;
    cmp_ok abs( $factor - 2 ), '<', 0.02, "$name: twice the true time";
}
is_deeply [ disagreements($both) ], [], 'both types are equally wrong';
my ($bound) = $both->field('CLOCKBOUND') =~ /^([\d.]+) microsec[.]/;
is $both->field('CLOCKBOUND'), $alone->field('CLOCKBOUND'),
  'their agreement does not lower the bound';
cmp_ok $bound, '>=', $wrong{sync}{12} - $true_us, 'the bound covers the error';

# 240 us there and 2 us back: half as long as in truth.
write_file( 'there.xml',   read_file("$ROOT/tests/sim/opposite.xml") );
write_file( 'there.hosts', "a\nc\n" );
my %there = times_of( run_suites( $shimmed, 'offset=3', './there', 2, $ACK ), 'ack' );
cmp_ok $there{12} / true_us( $truth, './there', 2, 12 ), '<', 0.51,
  'acknowledgements that come back faster: half of the true time';

done_testing;
