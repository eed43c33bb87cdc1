# Partitioned messages on a simulated machine. Where a partition is sent when it is ready, only the last one is left
# when it is ready late: the rest takes as long as a message of its size. Where all are sent at the end, nothing is
# gained.
use v5.36;

use List::Util qw(max min);
use Test::More;
use SKaMPI::Findings::Findings;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(output_of);

my $LENGTH   = 524_288;
my $TICK_US  = 0.01;
my $DELAY_US = 150;
my $FAST     = '--cfg=smpi/test:1e-7';    # MPI_Test looks every 0.1 us
my ( undef, $skampi ) = build_in_scratch('partitions');

# Name, partitions, other parameters.
my @SUITES = (
    ( map { [ "n$_", $_, q{} ] } 1, 2, 4, 8 ),
    [ 'order',   4, 'ready=random:7 receiver=poll' ],
    [ 'busy',    4, 'ready=descending receiver=busy' ],
    [ 'fresh',   4, 'data=fresh' ],
    [ 'short',   4, "ready_delay=$DELAY_US" ],
    [ 'at-once', 4, 'ready_delay=0' ],
);

my $VARIED = "varied { Type = 269; Variation = Partitions; End_Argument = 8; Max_Repetition = 4; "
  . "Default_Message_length = $LENGTH; Parameters = \"passes=1\"; }\n";

sub suite ( $name, $type, $length, $parameters ) {
    return "$name { Type = $type; Variation = Length; Scale = Fixed_linear; Max_Repetition = 4; "
      . "Start_Argument = $length; End_Argument = $length; Parameters = \"passes=1 $parameters\"; }\n";
}

sub measured ($when) {
    my @pingpongs =
      map { suite( "message-$_", 1, $_, q{} ) } 0, map { $LENGTH / $_ } 1, 2, 4, 8;
    my @partitioned = map { suite( $_->[0], 269, $LENGTH, "partitions=$_->[1] $_->[2]" ) } @SUITES;
    my $text        = join q{}, "\@VERSION 4.2\n\@MEMORY 4096\n\@MEASUREMENTS\n", @pingpongs,
      @partitioned, $VARIED;
    local $ENV{SKAMPI_PARTITIONS} = $when;
    my $output = output_of( [ $FAST, $skampi ], 'flat', 2, $text );
    return ( $output, { map { $_->{name} => $_->{rows}[0] } $output->suites } );
}

# A message of this length, and an empty one back.
sub transfer ( $row, $length ) {
    return ( $row->{"message-$length"}{time} + $row->{'message-0'}{time} ) / 2;
}

# Within 0.1 %, or two ticks of the clock, of a time.
sub is_near ( $got, $true, $scale, $what ) {
    cmp_ok abs( $got - $true ), '<=', max( 1e-3, 2 * $TICK_US / $scale->{time} ) * $scale->{whole},
      "$what: $got, true $true";
    return;
}

sub compare ( $when, $row, $name, $n, $parameters ) {
    my ( $x, $of ) = ( $row->{$name}{time}, $row->{$name}{extras} );
    my ($delay) = $parameters =~ /ready_delay=(\d+)/ ? $1 : $x;
    my $limit   = 100 * min( 1 - 1 / $n, $delay / $x );
    my $last    = $delay < $x ? $x - $delay : transfer( $row, $LENGTH / $n );
    $last = $x if $when eq 'late';
    my %whole = (
        delay      => [ $delay,                    $x ],
        limit      => [ $limit,                    100 ],
        whole      => [ transfer( $row, $LENGTH ), $x ],
        after_last => [ $last,                     $x ],
        gain       => [ 100 * ( 1 - $last / $x ),  100 ],
        perceived  => [ $LENGTH / $last,           $LENGTH / $last ],
    );
    is_near( $of->{$_}, $whole{$_}[0], { time => $x, whole => $whole{$_}[1] }, "$when, $name: $_" )
      for sort keys %whole;
    return;
}

# The finding says what the most partitions cost, and gain: of the suite that varies them.
sub finding ($output) {
    my ($group) =
      grep { $_->{about} eq 'partitions' } @{ SKaMPI::Findings::Findings->of($output)->{groups} };
    return join ' | ', map { $_->{text} } @{ $group->{findings} };
}

for my $when (qw(early late)) {
    my ( $output, $row ) = measured($when);
    compare( $when, $row, @{$_} ) for @SUITES;
    my $gain = sprintf '%.1f', $when eq 'late' ? 0 : $row->{n8}{extras}{gain};
    like finding($output),
qr/\Ap2p_varied.*: a message of \d+ \w+ in 8 partitions takes 1[.]00 times as long as in 1 .* and 1[.]00 times .* gains $gain % of .* most 87[.]5 %[.]\z/,
      "$when: the finding";
}

done_testing;
