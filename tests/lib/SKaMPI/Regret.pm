package SKaMPI::Regret;

# How much slower what skampi-tune chooses is than the truly best algorithm of MPI_Bcast, on a simulated machine.
# truth_of(SKAMPI, NP) measures the algorithms of SimGrid, which smpirun selects: a list of cells as SKaMPI::Tune::Cells
# has them, with us (number => time). chosen(CELLS, NOISE, LAUNCHES) chooses from launches with the recorded NOISE of a
# real machine (recorded_noise) or none; the cells then have chosen and best. regrets(CELLS) are the ratios of chosen
# and truly best. They work in the current directory.
use v5.36;

use Exporter            qw(import);
use List::Util          qw(min);
use SKaMPI::SimRows     qw(output_of);
use SKaMPI::Test        qw($ROOT read_file write_file sections);
use SKaMPI::Tune::Cells qw(cells_of choose_all);

our @EXPORT_OK = qw(chosen recorded_noise regrets truth_of);

# The first one is the own choice.
my @ALGORITHMS =
  qw(ompi binomial_tree flattree flattree_pipeline NTSL scatter_LR_allgather scatter_rdb_allgather);

# Ethernet: bandwidth and latency of links, and what a message costs its processes.
my $XML = <<'XML';
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config id="General">
<prop id="smpi/os" value="0:2e-6:0"/><prop id="smpi/or" value="0:2e-6:0"/>
<prop id="smpi/async-small-thresh" value="65536"/><prop id="smpi/send-is-detached-thresh" value="65536"/>
</config>
<cluster id="c" prefix="host" suffix="" radical="0-15" speed="1Gf" bw="125MBps" lat="25us"
         loopback_bw="10GBps" loopback_lat="200ns"/>
</platform>
XML

my $PARAMETERS =
  sections( MEMORY => 65536, MAXREPDEFAULT => 4, MINREPDEFAULT => 4, CUTQUANTILEDEFAULT => 0 )
  . <<'END';
bcast { Type = 47; Scale = Fixed_log; Multiple_of = 1; Start_Argument = 4; Stepwidth = 16; End_Argument = 262144; }
END

sub truth_of ( $skampi, $np ) {
    write_file( 'ethernet.xml', $XML );
    my %us;
    for my $number ( keys @ALGORITHMS ) {
        my @selected = ( "--cfg=smpi/bcast:$ALGORITHMS[$number]", $skampi );
        my ($suite) = output_of( \@selected, './ethernet', $np, $PARAMETERS )->suites;
        $us{ $_->{argument} }{$number} = $_->{time} for $suite->rows->@*;
    }
    return map { _cell( $np, $_, $us{$_} ) } sort keys %us;
}

sub _cell ( $np, $length, $us ) {
    return {
        key        => "bcast $np $length",
        collective => 'bcast',
        processes  => $np,
        length     => $length,
        us         => $us,
        type       => 47,
        variable   => 'smpi/bcast',
        layout     => "${np}x1",
        names      => { map { $_ => $ALGORITHMS[$_] } keys %{$us} },
    };
}

# Each cell has the noise of a random recorded one, so that its algorithms have what they have in common in a launch.
sub chosen ( $cells, $noise, $launches ) {
    my @from     = map { $noise && $noise->[ rand @{$noise} ] } @{$cells};
    my @launches = map { _launch( $cells, \@from, $_ ) } 0 .. $launches - 1;
    my @chosen   = cells_of(@launches);
    choose_all( \@launches, @chosen );
    return @chosen;
}

sub _launch ( $cells, $from, $launch ) {
    my %cells;
    for my $i ( keys @{$cells} ) {
        my $cell  = $cells->[$i];
        my %times = map { $_ => $cell->{us}{$_} * exp _deviation( $from->[$i], $_, $launch ) }
          keys $cell->{us}->%*;
        $cells{ $cell->{key} } = { %{$cell}, times => \%times };
    }
    return { about => { library => 'SMPI' }, cells => \%cells };
}

# A list of cells of a real machine, each a list of algorithms, each a list of logarithms, one for each launch.
sub recorded_noise () {
    my %cells;
    for my $line ( grep { !/^#/ } split /\n/, read_file("$ROOT/tests/sim/noise.txt") ) {
        my ( $cell, @thousandths ) = split q{ }, $line;
        push $cells{$cell}->@*, [ map { $_ / 1000 } @thousandths ];
    }
    return [ map { $cells{$_} } sort keys %cells ];
}

sub _deviation ( $recorded, $number, $launch ) {
    my $of = ( $recorded // return 0 )->[ $number % @{$recorded} ];
    return $of->[ $launch % @{$of} ];
}

sub regrets (@cells) {
    return map { $_->{us}{ $_->{chosen} } / min( values $_->{us}->%* ) } @cells;
}

1;
