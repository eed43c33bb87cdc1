package SKaMPI::Regret;

# How much slower what skampi-tune chooses is than the truly best algorithm, on simulated machines. truth_of(SKAMPI,
# PLATFORM, NP) measures the algorithms of SimGrid, which smpirun selects: a list of cells as SKaMPI::Tune::Cells has
# them, with us (number => time). chosen(CELLS, NOISE, LAUNCHES) chooses from launches with the recorded NOISE of a real
# machine (recorded_noise) or none; the cells then have chosen and best.
# regrets(CELLS) are the ratios of chosen and truly best. They work in the current directory.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use List::Util qw(min uniq);
use SKaMPI::Read::Output;
use SKaMPI::Sim          qw(simulate_with);
use SKaMPI::Test         qw(read_file write_file);
use SKaMPI::Tune::Cells  qw(cells_of);
use SKaMPI::Tune::Choice qw(choose_all);

our @EXPORT_OK = qw(chosen recorded_noise regrets truth_of);

my $ROOT = abs_path( __FILE__ =~ s{[^/]+$}{../../..}r );

# The first one is the own choice.
my %ALGORITHMS = (
    bcast => [
        qw(ompi binomial_tree flattree flattree_pipeline NTSL scatter_LR_allgather scatter_rdb_allgather)
    ]
);
my %TYPES = ( bcast => 47 );

# Bandwidth and latency of links, how processes are connected, and what a message costs its processes.
my %PLATFORMS = ( ethernet => [ '125MBps', '25us', q{}, '0:2e-6:0', 65_536 ] );

sub _xml ($name) {
    my ( $bw, $lat, $topology, $overhead, $threshold ) = $PLATFORMS{$name}->@*;
    return <<"XML";
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config id="General">
<prop id="smpi/os" value="$overhead"/><prop id="smpi/or" value="$overhead"/>
<prop id="smpi/async-small-thresh" value="$threshold"/><prop id="smpi/send-is-detached-thresh" value="$threshold"/>
</config>
<cluster id="c" prefix="host" suffix="" radical="0-15" speed="1Gf" bw="$bw" lat="$lat"
         loopback_bw="10GBps" loopback_lat="200ns" $topology/>
</platform>
XML
}

sub truth_of ( $skampi, $platform, $np, %with ) {
    my @collectives = $with{collectives} ? $with{collectives}->@* : sort keys %ALGORITHMS;
    my $step        = $with{step}       // 16;
    my $count       = $with{algorithms} // 8;
    write_file( "$platform.xml", _xml($platform) );
    my %us;
    for my $number ( 0 .. $count - 1 ) {
        my @select = map { "--cfg=smpi/$_:$ALGORITHMS{$_}[$number]" } @collectives;
        my $times  = _measured( $skampi, $platform, $np, $step, \@select, @collectives );
        $us{$_}{$number} = $times->{$_} for keys %{$times};
    }
    return map { _cell( $_, $us{$_} ) } sort keys %us;
}

sub _cell ( $key, $us ) {
    my ( $collective, $np, $length ) = split q{ }, $key;
    return {
        key        => $key,
        collective => $collective,
        processes  => $np,
        length     => $length,
        us         => $us,
        type       => $TYPES{$collective},
        variable   => "smpi/$collective",
        layout     => "${np}x1",
        names      => { map { $_ => $ALGORITHMS{$collective}[$_] } keys %{$us} },
    };
}

sub _measured ( $skampi, $platform, $np, $step, $select, @collectives ) {
    unlink 'regret.out', 'regret.log';
    write_file(
        'regret.skampi',
"\@VERSION 4.2\n\@POSTPROC no\n\@OUTFILE regret.out\n\@LOGFILE regret.log\n\@MEMORY 65536\n\@MAXREPDEFAULT 4\n\@MINREPDEFAULT 4\n\@CUTQUANTILEDEFAULT 0\n\@MEASUREMENTS\n"
          . join q{},
        map {
"$_ { Type = $TYPES{$_}; Scale = Fixed_log; Multiple_of = 1; Start_Argument = 4; Stepwidth = $step; End_Argument = 262144; }\n"
        } @collectives
    );
    simulate_with( $select, "./$platform", $np, $skampi, '-q', '-f', 'regret.skampi' );
    my %times;
    for my $suite ( SKaMPI::Read::Output->from_file('regret.out')->suites ) {
        $times{ $suite->name . " $np $_->{argument}" } = $_->{time} for $suite->rows->@*;
    }
    return \%times;
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
