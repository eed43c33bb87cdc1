package SKaMPI::Sim;

# Runs skampi, and the programs of tests/sim that print its true figures, on machines that SimGrid
# simulates: their times are known and repeat exactly.
use v5.36;

use Exporter     qw(import);
use IPC::Run     qw(run);
use SKaMPI::Test qw($ROOT enter_scratch read_file scratch write_file);
use Test::More import => ['plan'];

our @EXPORT_OK =
  qw(why_not simgrid needs_simgrid_3 build build_in_scratch build_shim simulator simulate simulate_on
  shimmed_simulate measured first_calls);

# Computing takes no time, so that only messages and clock readings do. A process that polls with
# MPI_Iprobe looks every 10 ns; the default, 100 us and growing, is longer than a ping-pong.
my @SETTINGS =
  map { "--cfg=smpi/$_" } qw(simulate-computation:no iprobe:1e-8 grow-injected-times:no);

# Seconds that reading the clock takes. Waits end sooner, in real time, if it takes longer.
our $READING_S = '1e-8';

# Preloaded: what SimGrid need not ask the system for (tests/sim/no_cpu_time.c).
my $PRELOADED = 'build/smpi/tests/no_cpu_time.so';

sub why_not () {
    for my $program (qw(smpicc smpirun)) {
        return "$program is missing (make deps)"
          if !grep { -x "$_/$program" } split /:/, $ENV{PATH};
    }
    return q{};
}

# The major version of SimGrid.
sub simgrid () {
    state $version = qx{smpirun --version 2>&1} =~ /SimGrid version (\d+)/ ? $1 : 0;
    return $version;
}

# SimGrid 4.0 ends programs on networks of switches, and in partitioned communication, which it only declares.
sub needs_simgrid_3 () {
    plan( skip_all => 'SimGrid 4 ends programs on networks of switches' )
      if simgrid() >= 4;
    return;
}

sub command (@command) {
    my ( $out, $err ) = ( q{}, q{} );
    run \@command, '<', \undef, '>', \$out, '2>', \$err;
    die "@command: status $?\n$out$err\n" if $? != 0;
    return $out;
}

# The settings of an outer make (another MPI, sanitizers) do not apply to simulated programs.
sub make_simulated (@targets) {
    local @ENV{qw(MAKEFLAGS MAKEOVERRIDES MFLAGS)};
    delete local @ENV{qw(MPI VARIANT BUILD)};
    command( 'make', '-s', '-C', $ROOT, 'MPI=smpi', 'CFLAGS=-O2 -g', @targets );
    return;
}

# The simulated skampi and the program of tests/sim/NAME.c and NAME_*.c; returns the paths of both.
sub build ($name) {
    return build_simulated( 'skampi', "tests/$name" );
}

# Builds these, and makes a directory of the test's own the current one.
sub build_in_scratch ($name) {
    my @paths = build($name);
    enter_scratch();
    return @paths;
}

# The simulated skampi, tests/shim/readings.c and checks.c, with the shim linked in; returns their
# paths.
sub build_shim () {
    return build_simulated( map { "tests/$_" } qw(skampi_shim readings checks) );
}

# Without a simulator, the test is skipped. "make check" has built them already, which takes make 0.15 s to see.
sub build_simulated (@programs) {
    plan( skip_all => why_not() ) if why_not();
    my @paths = map { "build/smpi/$_" } @programs;
    make_simulated( @paths, $PRELOADED ) if !$ENV{SKAMPI_BUILT};
    return map { "$ROOT/$_" } @paths;
}

# The lines of machines whose hosts differ, in place of HOSTS: latencies of links; a link to the right and one down.
my $DUPLEX =
    '<host id="%1$s%2$02d" speed="1Gf"/><link id="l%2$02d" bandwidth="%3$s" latency="%4$dns" '
  . 'sharing_policy="SPLITDUPLEX"/><host_link id="%1$s%2$02d" up="l%2$02d_UP" down="l%2$02d_DOWN"/>';
my @UNEVEN = qw(1GBps:1000 400MBps:9300 1GBps:2100 250MBps:17700 2GBps:1450 1GBps:5200 600MBps:12900
  2GBps:3370 125MBps:26100 1GBps:1830 500MBps:7640 2GBps:4410);
my $LINK   = '<link id="%s%d%d" bandwidth="1GBps" latency="%dus"/>';
my $ROUTE  = '<route src="n%d%d" dst="n%d%d"><link_ctn id="%s%1$d%2$d"/></route>';
my @PLACES = map { [ int $_ / 4, $_ % 4 ] } 0 .. 15;
my %HOSTS  = (
    jump     => [ map { sprintf $DUPLEX, 'n', $_, '1GBps',   1000 + 1110 * $_ % 1920 } 0 .. 63 ],
    uneven   => [ map { sprintf $DUPLEX, 'u', $_, split /:/, $UNEVEN[$_] } keys @UNEVEN ],
    torus4x4 => [
        ( map { sprintf '<host id="n%d%d" speed="1Gf"/>', @{$_} } @PLACES ),
        ( map { sprintf $LINK x 2, 'x', @{$_}, 2, 'y', @{$_}, 10 } @PLACES ),
        map {
            my ( $i, $j ) = @{$_};
            sprintf( $ROUTE, $i, $j, $i, ( $j + 1 ) % 4, 'x' ) . sprintf $ROUTE, $i, $j,
              ( $i + 1 ) % 4, $j, 'y'
        } @PLACES
    ],
);

# The hosts of the ranks, if they are not the hosts in their order.
my %RANKS = (
    torus4x4  => [ map { "n$_->[0]$_->[1]" } @PLACES ],
    two_level => [
        qw(lan-0 lan-1 lan-2 near-0 remote-0 far-0),
        ( map { ( "remote-$_", 'lan-' . ( $_ + 2 ) ) } 1 .. 21 ),
        map { "lan-$_" } 24 .. 39
    ],
);

# A machine of tests/sim as a path without .xml.
sub machine ($name) {
    my $path = "$ROOT/tests/sim/$name";
    return $path if !$HOSTS{$name} && !$RANKS{$name};
    state %made;
    return $made{$name} if $made{$name};
    my ( $xml, $made ) = ( read_file("$path.xml"), scratch() . "/$name" );
    write_file( "$made.xml", $xml =~ s/^HOSTS$/join "\n", @{ $HOSTS{$name} }/emr );
    write_file( "$made.hosts", join q{}, map { "$_\n" } @{ $RANKS{$name} } ) if $RANKS{$name};
    return $made{$name} = $made;
}

# The command that runs a program with a number of processes of tests/sim/PLATFORM.xml, or of a path without .xml;
# the ranks are on the hosts that PLATFORM.hosts lists, or on the hosts in their order. The simulator asks less
# of the system than it would by itself.
sub simulator ( $platform, $np, $hosts = undef ) {
    my $machine = $platform =~ m{/} ? $platform : machine($platform);
    $hosts //= "$machine.hosts";
    my @hosts = -e $hosts ? ( '-hostfile', $hosts ) : ();
    return ( 'env', "LD_PRELOAD=$ROOT/$PRELOADED", 'smpirun', '-np', $np, @hosts, '-platform',
        "$machine.xml", @SETTINGS, "--cfg=smpi/wtime:$READING_S", '--log=root.thres:warning' );
}

# Runs a program there; options of smpirun, such as --cfg=smpi/bcast:ompi, may precede it. Returns what it printed.
sub simulate ( $platform, $np, @command ) {
    return command( simulator( $platform, $np ), @command );
}

# Simulates with the ranks on the hosts that a file lists.
sub simulate_on ( $hosts, $platform, $np, @command ) {
    return command( simulator( $platform, $np, $hosts ), @command );
}

# Simulates a program of build_shim, with the value of SKAMPI_SHIM (tests/shim/shim.h).
sub shimmed_simulate ( $settings, @simulate ) {
    local $ENV{SKAMPI_SHIM} = $settings;
    return simulate(@simulate);
}

# The cleaned times of an output text whose suites are called type_NUMBER: number => [ [ argument,
# microseconds, { what follows "#" } ] ].
sub measured ($text) {
    my ( %times, $type );
    for ( split /\n/, $text ) {
        $type = $1 if m{^#/[*]\@in\w+_type_(\d+)[.]ski};
        push @{ $times{$type} }, [ (split)[ 0, 1 ], {/(\w+)=(\S+)/g} ] if /^[^#]/;
    }
    return \%times;
}

# The times of the first calls in the same: number => microseconds.
sub first_calls ($text) {
    return { $text =~ m{_type_(\d+)[.]ski(?:(?!^\#eol).)*?^\#\@FIRSTCALL (\S+) microsec[.]}gms };
}

1;
