package SKaMPI::Bench::Health;

# "Is my machine all right?": how many of 1,000 healthy machines show any "look". Each has six launches, drawn from real
# ones or from that of a simulated machine, which repeats exactly, with a spread between them added.
use v5.36;

use Exporter                 qw(import);
use SKaMPI::Bench::Figures   qw(at_most);
use SKaMPI::Bench::Launch    qw(launches mpirun output_of program progress scratch_file);
use SKaMPI::Findings::Health qw(health_of);
use SKaMPI::Generated        qw(normal random_from);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulator why_not);
use SKaMPI::Test qw(read_file);

our @EXPORT_OK = qw(healthy_rates);

# Machines, launches of each, the spread that is added, and how many may have a "look".
my ( $MACHINES, $LAUNCHES, $SPREAD, $MOST ) = ( $ENV{BENCH_SEEDS} || 1000, 6, 0.03, 66 );

# Real-time, if we may: other programs of this machine are not what is measured.
my @FIRST = $> == 0 ? qw(chrt -r 1) : ();

sub healthy_rates ($) {
    return [ 'healthy machines', why_not() ] if why_not();
    my ($simulated) = build('truth');
    my @pools = (
        [ map { _text_of( @FIRST, mpirun(2), program('skampi') ) } 1 .. launches(8) ],
        [ _text_of( simulator( 'flat', 6 ), $simulated ) ]
    );
    my ( $random, $bad ) = ( random_from(30), 0 );
    for my $i ( 1 .. $MACHINES ) {
        progress("health: $i healthy machines") if $i % 100 == 0;
        my @texts = @{ $pools[ $i % @pools ] };
        my @launches =
          map { _spread_out( $random, $texts[ @texts * $random->() ] ) } 1 .. $LAUNCHES;
        $bad++ if grep { $_->{state} eq 'look' } @{ health_of(@launches)->{lines} };
    }
    return at_most( "healthy machines with any 'look'", '%d', $bad, $MOST, " of $MACHINES" );
}

# The result file of a launch.
sub _text_of (@command) {
    progress('health: a launch');
    output_of( @command, qw(-q -f health) );
    return read_file( scratch_file('skampi.out') );
}

# A launch whose times differ by some percent, and whose parts that work hides differ by their errors.
sub _spread_out ( $random, $text ) {
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
