package SKaMPI::Bench::Health;

# "Is my machine all right?": how many of 1,000 healthy machines, put together from real and simulated launches, show
# any "look", and whether defects show theirs. Launches are drawn with a spread between them added, so that few real
# ones make many. HEALTH_LAUNCHES names a directory that keeps them: make bench BENCH=health goes on where it was.
use v5.36;

use Exporter                 qw(import);
use File::Path               qw(make_path);
use SKaMPI::Bench::Figures   qw(at_least at_most);
use SKaMPI::Bench::Launch    qw(ended_well mpirun progress root);
use SKaMPI::Findings::Health qw(health_of);
use SKaMPI::Generated        qw(normal random_from);
use SKaMPI::Read::Output;
use SKaMPI::Sim  ();
use SKaMPI::Test qw(read_file scratch write_file);
use Time::HiRes  qw(clock_gettime CLOCK_MONOTONIC);

our @EXPORT_OK = qw(healthy_rates real_rates simulated_rates simulated_launch);

# Machines, launches of each, the spread that is added, and sets of a defect.
my ( $MACHINES, $LAUNCHES, $SPREAD, $SETS ) = ( 1000, 6, 0.03, 50 );

# The other lines of a machine whose processes wait for a CPU.
my @LOADED = ( 'messages', 'collectives', 'evenness', 'steadiness', 'overlap and one-sided' );

# A defect, its line, the other lines that may show it (the table of consequences), and how it is made.
my $RULES = "1\n7\n1\n2\n2\n0 4 0 64\n524289 0 0 0\n";
my @REAL  = (
    [ 'oversubscribed host',              'set-up',      \@LOADED, 'oversubscribed' ],
    [ 'busy loops beside',                'set-up',      \@LOADED, 'busy' ],
    [ 'a clock that is set',              'set-up',      [],       'shim', 'set=0.3@' ],
    [ 'bad table of Bcast, 64 B a piece', 'collectives', [],       'rules' ],
    [ 'Allreduce delayed by 0.2 ms', 'collectives', [], 'shim', 'delay=*:MPI_Allreduce:0.0002' ],
    [ 'messages that begin in MPI_Wait', 'overlap and one-sided', [], 'late' ],
);
my @SIMULATED = (
    [ 'slow host',                    'evenness',    ['collectives'], 'host' ],
    [ 'one slow link',                'evenness',    ['collectives'], 'link' ],
    [ 'one slow pair',                'evenness',    ['collectives'], 'pair' ],
    [ 'ring allgather, 32 processes', 'collectives', [],              'ring' ],
);
my $IS_SIMULATED = qr/\A(?:even|host|link|pair|ring)\z/;

# Instants at which a clock is set, in seconds after mpirun is started: at least one is within a launch.
my @SET_S = ( 0.6, 1.2, 2.4 );

# Real-time, if we may: other programs of this machine are not what is measured. Not beside busy loops, as the
# kernel then takes the CPU away only every 0.1 s.
my @FIRST = $> == 0 ? qw(chrt -r 1) : ();

my $place = $ENV{HEALTH_LAUNCHES} // scratch();

sub healthy_rates () {
    my @pools  = ( [ made( 'real', 'mpirun' ) ], [ made( 'simulated', 'even' ) ] );
    my $random = random_from(30);
    my $bad    = 0;
    for my $i ( 1 .. $MACHINES ) {
        progress("health: $i healthy machines") if $i % 100 == 0;
        $bad++                                  if looks_of( $random, @{ $pools[ $i % @pools ] } );
    }
    return at_most( "1,000 healthy machines with any 'look'", '%d', $bad, 66 );
}

sub real_rates () {
    return map { defect_rows($_) } @REAL;
}

sub simulated_rates () {
    return map { defect_rows($_) } @SIMULATED;
}

sub defect_rows ($defect) {
    my ( $name, $own, $others, @how ) = @{$defect};
    my @texts  = made( $name =~ s/\W+/-/gr, @how );
    my $random = random_from(31);
    my ( $shown, $outside ) = ( 0, 0 );
    for my $set ( 1 .. $SETS ) {
        my @looks = looks_of( $random, @texts );
        $shown++   if grep { $_ eq $own } @looks;
        $outside++ if grep { !is_allowed( $_, $own, @{$others} ) } @looks;
    }
    return ( at_least( "$name: $own", '%d %%', 100 * $shown / $SETS, 90 ),
        at_most( "$name: lines outside its row", '%d %%', 100 * $outside / $SETS, 0 ) );
}

sub is_allowed ( $line, @allowed ) {
    return scalar grep { $_ eq $line } @allowed;
}

# The lines with "look" of a machine whose launches are drawn from these.
sub looks_of ( $random, @texts ) {
    my @outputs = map { spread_out( $random, $texts[ @texts * $random->() ] ) } 1 .. $LAUNCHES;
    return map { $_->{name} } grep { $_->{state} eq 'look' } @{ health_of(@outputs)->{lines} };
}

# A launch whose times differ by some percent, and whose parts that work hides differ by their errors.
sub spread_out ( $random, $text ) {
    my $output = SKaMPI::Read::Output->from_text($text);
    for my $row ( map { @{ $_->{rows} } } $output->suites ) {
        my $factor = exp( $SPREAD * normal($random) );
        $_ *= $factor for grep { defined } @{$row}{qw(time error)}, @{ $row->{node_times} // [] };
        my $extras = $row->{extras};
        $extras->{overlap} += $extras->{overlap_error} * normal($random)
          if defined $extras->{overlap_error};
    }
    return $output;
}

# --- launches ---

# The results of launches that are made in this way, as texts. A simulated one repeats exactly.
sub made ( $name, $how, @words ) {
    my @texts;
    my $count = $how =~ $IS_SIMULATED ? 1 : $how eq 'mpirun' ? 8 : 3;
    for my $i ( 1 .. $count ) {
        my $dir = "$place/$name/$i";
        make_path($dir);
        progress("health: $name, launch $i") if !-e "$dir/skampi.out";
        make( $dir, $how, @words )           if !-e "$dir/skampi.out";
        push @texts, read_file("$dir/skampi.out");
    }
    return @texts;
}

# The path of a result file of a healthy simulated machine.
sub simulated_launch () {
    made( 'simulated', 'even' );
    return "$place/simulated/1/skampi.out";
}

sub make ( $dir, $how, @words ) {
    return simulated( $dir, $how ) if $how =~ $IS_SIMULATED;
    my $np      = $how eq 'oversubscribed' ? 4 : 2;
    my $preload = { late => '../late_messages.so', shim => 'libshim.so' }->{$how};
    my @mpirun  = mpirun($np);
    push @mpirun, '-x', 'LD_PRELOAD=' . root() . "/build/openmpi/tests/$preload" if $preload;
    push @mpirun, '-x', 'SKAMPI_SHIM=' . settings( $words[0] )                   if $how eq 'shim';
    write_file( "$dir/rules", $RULES ) if $how eq 'rules';
    push @mpirun, qw(--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename),
      "$dir/rules"
      if $how eq 'rules';
    my @busy = $how eq 'busy' ? map { busy() } 1, 2 : ();
    ended_well(
        'sh',    '-c', 'cd "$1" && shift && "$@" || test -s skampi.out',
        'sh',    $dir, @busy ? () : @FIRST,
        @mpirun, root() . '/skampi',
        '-q',    '-f', 'health'
    );
    kill 'TERM', @busy;
    waitpid $_, 0 for @busy;
    return;
}

# An instant of CLOCK_MONOTONIC follows @.
sub settings ($words) {
    return $words if $words !~ /\@\z/;
    my $now_s = clock_gettime(CLOCK_MONOTONIC);
    return join q{,}, map { $words . ( $now_s + $_ ) } @SET_S;
}

# A process that computes.
sub busy () {
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    exec $^X, '-e', '1 while 1' or die "exec: $!\n";
}

sub simulated ( $dir, $how ) {
    my ($skampi) = SKaMPI::Sim::build('truth');
    my $np = $how eq 'ring' ? 32 : 6;
    write_file( "$dir/platform.xml", platform( $how, $np ) );
    my @command = SKaMPI::Sim::simulator( 'flat', $np );
    s{[^/]*/.*flat[.]xml}{$dir/platform.xml} for @command;
    splice @command, -1, 0, $how eq 'ring' ? '--cfg=smpi/allgather:ring' : ();
    ended_well( 'sh', '-c', 'cd "$1" && shift && "$@"',
        'sh', $dir, @command, $skampi, '-q', '-f', 'health' );
    return;
}

# Hosts in pairs on switches, all of which are connected.
sub platform ( $defect, $hosts ) {
    my @lines = map { qq(<host id="node-$_" speed="1Gf"/>) } 0 .. $hosts - 1;
    push @lines,
      map { link_text( "l$_", $defect eq 'host' && $_ == 2 ? ( 250, 8 ) : ( 1000, 2 ) ) }
      0 .. $hosts - 1;
    my $last = $hosts / 2 - 1;
    for my $a ( 0 .. $last ) {
        push @lines, map {
            link_text( "s$a-$_", $defect eq 'link' && "$a$_" eq '01' ? ( 100, 40 ) : ( 4000, 1 ) )
        } $a + 1 .. $last;
    }
    push @lines, link_text( 'p', 200, 15 );
    for my $i ( 0 .. $hosts - 1 ) {
        push @lines, map { route( $defect, $i, $_ ) } $i + 1 .. $hosts - 1;
    }
    return join "\n", q(<?xml version='1.0'?>),
      '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
      '<platform version="4.1"><zone id="z" routing="Full">', @lines, '</zone></platform>', q{};
}

sub link_text ( $name, $mbps, $us ) {
    return qq(<link id="$name" bandwidth="${mbps}MBps" latency="${us}us"/>);
}

sub route ( $defect, $i, $j ) {
    my ( $a, $b ) = map { int $_ / 2 } $i, $j;
    my @links =
      ( "l$i", $a == $b ? () : "s$a-$b", $defect eq 'pair' && "$i$j" eq '14' ? 'p' : (), "l$j" );
    return
        qq(<route src="node-$i" dst="node-$j">)
      . join( q{}, map { qq(<link_ctn id="$_"/>) } @links )
      . '</route>';
}

1;
