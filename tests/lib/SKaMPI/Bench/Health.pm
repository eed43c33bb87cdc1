package SKaMPI::Bench::Health;

# "Is my machine all right?": how many of 1,000 healthy machines show any "look". Each has six launches, drawn from real
# ones or from that of a simulated machine, which repeats exactly, with a spread between them added.
use v5.36;

use Exporter                 qw(import);
use SKaMPI::Bench::Figures   qw(at_most);
use SKaMPI::Bench::Launch    qw(launches mpirun output_of progress root scratch_file);
use SKaMPI::Findings::Health qw(health_of);
use SKaMPI::Generated        qw(normal random_from);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulator why_not);
use SKaMPI::Test qw(read_file scratch write_file);

our @EXPORT_OK = qw(healthy_rates);

# Hosts of the simulated machine.
my $HOSTS = 6;

# Machines, launches of each, the spread that is added, and how many may have a "look".
my ( $MACHINES, $LAUNCHES, $SPREAD, $MOST ) = ( 1000, 6, 0.03, 66 );

# Real-time, if we may: other programs of this machine are not what is measured.
my @FIRST = $> == 0 ? qw(chrt -r 1) : ();

sub healthy_rates ($) {
    return [ 'healthy machines', why_not() ] if why_not();
    my ($simulated) = build('truth');
    my @pools = (
        [ map { text_of( @FIRST, mpirun(2), root() . '/skampi' ) } 1 .. launches(8) ],
        [ text_of( simulator( even_machine(), $HOSTS ), $simulated ) ]
    );
    my ( $random, $bad ) = ( random_from(30), 0 );
    for my $i ( 1 .. $MACHINES ) {
        progress("health: $i healthy machines") if $i % 100 == 0;
        my @texts    = @{ $pools[ $i % @pools ] };
        my @launches = map { spread_out( $random, $texts[ @texts * $random->() ] ) } 1 .. $LAUNCHES;
        $bad++ if grep { $_->{state} eq 'look' } @{ health_of(@launches)->{lines} };
    }
    return at_most( "1,000 healthy machines with any 'look'", '%d', $bad, $MOST );
}

# A machine of hosts in pairs on switches, all of which are connected; the path without .xml.
sub even_machine () {
    my @lines = map { qq(<host id="node-$_" speed="1Gf"/>) } 0 .. $HOSTS - 1;
    push @lines, map { qq(<link id="l$_" bandwidth="1000MBps" latency="2us"/>) } 0 .. $HOSTS - 1;
    push @lines, map { qq(<link id="s$_" bandwidth="4000MBps" latency="1us"/>) } qw(0-1 0-2 1-2);
    for my $i ( 0 .. $HOSTS - 1 ) {
        push @lines, map { route( $i, $_ ) } $i + 1 .. $HOSTS - 1;
    }
    my $dir = scratch();
    write_file(
        "$dir/even.xml",
        join "\n",
        q(<?xml version='1.0'?>),
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        '<platform version="4.1"><zone id="z" routing="Full">',
        @lines,
        '</zone></platform>',
        q{}
    );
    return "$dir/even";
}

sub route ( $i, $j ) {
    my ( $a, $b ) = map { int $_ / 2 } $i, $j;
    my @links = map { qq(<link_ctn id="$_"/>) } "l$i", $a == $b ? () : "s$a-$b", "l$j";
    return join q{}, qq(<route src="node-$i" dst="node-$j">), @links, '</route>';
}

# The result file of a launch.
sub text_of (@command) {
    progress('health: a launch');
    output_of( @command, qw(-q -f health) );
    return read_file( scratch_file('skampi.out') );
}

# A launch whose times differ by some percent, and whose parts that work hides differ by their errors.
sub spread_out ( $random, $text ) {
    my $output = SKaMPI::Read::Output->from_text($text);
    for my $row ( map { @{ $_->rows } } $output->suites ) {
        my $factor = exp( $SPREAD * normal($random) );
        $_ *= $factor for grep { defined } @{$row}{qw(time error)}, @{ $row->{node_times} // [] };
        my $extras = $row->{extras};
        $extras->{overlap} += $extras->{overlap_error} * normal($random)
          if defined $extras->{overlap_error};
    }
    return $output;
}

1;
