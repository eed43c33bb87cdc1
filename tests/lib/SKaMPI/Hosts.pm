package SKaMPI::Hosts;

# Several hosts on one machine: tests/hosts/lan.sh in namespaces of their own. The kernel removes
# all of it when the first process there exits, and the test's end kills that process; so nothing
# remains, whatever happens to the test.
use v5.36;

use Cwd          qw(abs_path);
use Exporter     qw(import);
use SKaMPI::Test qw(scratch read_file);

our @EXPORT_OK =
  qw(why_no_hosts why_no_delay why_no_rate cpus mpirun_words on_hosts mpirun_on_hosts program_on_hosts
  script_on_hosts);

my $TOOLS = abs_path( __FILE__ =~ s{[^/]+$}{../../hosts}r );

# A user who is not root becomes root within the namespaces.
my @OWN_NAMESPACES = (
    qw(setpriv --pdeathsig KILL unshare),
    $> == 0 ? () : '--map-root-user',
    qw(--net --mount --pid --fork --kill-child --mount-proc)
);

# The same launcher and transports everywhere: shared memory within a host, TCP between hosts.
my @OPTIONS = (
    qw(--bind-to none --mca mpi_yield_when_idle 1 --mca pml ob1 --mca btl ^openib),
    qw(--mca plm rsh --mca plm_rsh_agent),
    "$TOOLS/remote_shell.sh"
);

# The CPUs that this process may use, as the system lists them: 0-1,4
sub cpus () {
    return read_file('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\S+)/m ? $1 : 0;
}

# Use the network between hosts, not that within a host.
delete $ENV{OMPI_MCA_btl_tcp_if_include};

# Runs a command on the first of the hosts; each is { name, cpus, delay_us, rate_mbit, second_mbit }, all but the name
# only if they are not all CPUs, no delay, no limit, and no second network. Returns status, signal, out, err.
sub on_hosts ( $dir, $hosts, @command ) {
    my @words =
      map {
        join q{:}, $_->{name}, $_->{cpus} // cpus(),
          map { $_ // 0 }
          @{$_}{qw(delay_us rate_mbit second_mbit)}
      } @{$hosts};
    return SKaMPI::Test::command( $dir, @OWN_NAMESPACES, "$TOOLS/lan.sh", scratch(),
        @words, q{--}, @command );
}

# The words of mpirun for this number of processes on each host.
sub mpirun_words ($hosts) {
    my $places = join q{,}, map { "$_->{name}:$_->{processes}" } @{$hosts};
    return ( $ENV{SKAMPI_MPIRUN}, @OPTIONS, '--host', $places );
}

sub launch ( $dir, $hosts, @command ) {
    return on_hosts( $dir, $hosts, mpirun_words($hosts), @command );
}

sub mpirun_on_hosts ( $dir, $hosts, @args ) {
    return launch( $dir, $hosts, $ENV{SKAMPI_PROGRAM}, @args );
}

# skampi started by a script on each host.
sub script_on_hosts ( $dir, $hosts, $script, @args ) {
    return launch( $dir, $hosts, $script, $ENV{SKAMPI_PROGRAM}, @args );
}

sub program_on_hosts ( $hosts, $name ) {
    return launch( q{.}, $hosts, "$ENV{SKAMPI_BUILD}/tests/$name" );
}

# Commands of lan.sh, tried once each to see whether they are allowed here.
my $NAMESPACES = 'mount -t tmpfs none "$0" && ip link add switch type bridge'
  . ' && ip link add end type veth && unshare --net --uts --time --fork hostname a';
my $DELAY = 'ip tuntap add dev end mode tap';
my $RATE  = 'tc qdisc add dev lo root tbf rate 1mbit burst 16kb latency 1s';

sub refused ($script) {
    my $try = SKaMPI::Test::command( q{.}, @OWN_NAMESPACES, 'sh', '-c', $script, scratch() );
    return q{} if $try->{status} eq '0';
    return 'not allowed here: ' . ( $try->{err} =~ /(.+)/ ? $1 : "status $try->{status}" );
}

sub why_no_hosts () {
    for my $program (qw(ip nsenter setpriv taskset unshare)) {
        return "$program is missing (make deps)"
          if !grep { -x "$_/$program" } split /:/, $ENV{PATH};
    }
    return refused($NAMESPACES);
}

sub why_no_delay () { return refused($DELAY) }

sub why_no_rate () { return refused($RATE) }

1;
