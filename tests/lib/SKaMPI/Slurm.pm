package SKaMPI::Slurm;

# A cluster of one host: Slurm's daemons with a configuration, a key and ports of their own, in a directory of the test.
# They end with the object, and with the test if it is killed.
use v5.36;

use IO::Socket::INET;
use IPC::Run      qw(run);
use Sys::Hostname qw(hostname);
use Time::HiRes   qw(sleep);
use SKaMPI::Test  qw(slurp write_file);

my $CPUS = 4;

sub why_no_slurm () {
    return 'needs root' if $> != 0;
    for my $program (qw(munged slurmctld slurmd sbatch)) {
        return "$program is missing (make deps-slurm)"
          if !grep { -x "$_/$program" } split( /:/, $ENV{PATH} ), '/usr/sbin';
    }
    return q{};
}

# The sockets are closed together, so that the ports differ.
sub free_ports ($count) {
    my @sockets =
      map { IO::Socket::INET->new( Listen => 1, LocalAddr => '127.0.0.1' ) } 1 .. $count;
    return map { $_->sockport } @sockets;
}

# OPTIONS are further lines of slurm.conf. Requeued jobs start again at once.
sub configuration ( $dir, $host, @options ) {
    my ( $controller, $node ) = free_ports(2);
    my %is = (
        ClusterName         => 'test',
        SlurmctldHost       => "$host(127.0.0.1)",
        SlurmctldPort       => $controller,
        SlurmdPort          => $node,
        SlurmUser           => 'root',
        AuthType            => 'auth/munge',
        CredType            => 'cred/munge',
        AuthInfo            => "socket=$dir/munge.socket,cred_expire=5",
        StateSaveLocation   => "$dir/state",
        SlurmdSpoolDir      => "$dir/spool",
        SlurmctldPidFile    => "$dir/slurmctld.pid",
        SlurmdPidFile       => "$dir/slurmd.pid",
        ProctrackType       => 'proctrack/linuxproc',
        TaskPlugin          => 'task/none',
        MpiDefault          => 'pmix',
        SelectType          => 'select/cons_tres',
        SchedulerParameters => 'bf_interval=1,sched_interval=1',
        SlurmdParameters    => 'config_overrides',
    );
    return map { "$_\n" } ( map { "$_=$is{$_}" } sort keys %is ), @options,
      "NodeName=$host NodeAddr=127.0.0.1 CPUs=$CPUS",
      "PartitionName=short Nodes=$host Default=YES";
}

sub daemon ( $self, @command ) {
    my $name = $command[0];
    my $pid  = fork // die "fork: $!\n";
    if ( $pid == 0 ) {
        open STDOUT, '>',  "$self->{dir}/$name.log" or die "$name: $!\n";
        open STDERR, '>&', \*STDOUT                 or die "$name: $!\n";
        exec qw(setpriv --pdeathsig TERM env), "SLURM_CONF=$self->{conf}", @command
          or die "$name: $!\n";
    }
    $self->{pids}{$name} = $pid;
    return;
}

# Until a condition holds, but not if a daemon has ended.
sub until_true ( $self, $condition ) {
    until ( $condition->() ) {
        for my $name ( keys %{ $self->{pids} } ) {
            next if waitpid( $self->{pids}{$name}, 1 ) == 0;
            die "$name ended: " . slurp("$self->{dir}/$name.log");
        }
        sleep 0.2;
    }
    return;
}

# Runs one of Slurm's commands; returns what it prints.
sub command ( $self, @command ) {
    run [ 'env', "SLURM_CONF=$self->{conf}", @command ], '<', \undef, '>', \my $out, '2>', \my $err;
    return $? == 0 ? $out : "$out$err";
}

# Starts the daemons; SLURM_CONF leads Slurm's commands to them.
sub start ( $class, $dir, @options ) {
    my $host = hostname() =~ s/[.].*//r;
    my $self = bless { dir => $dir, host => $host }, $class;
    local $ENV{PATH} = "$ENV{PATH}:/usr/sbin";
    mkdir "$dir/$_" or die "$_: $!\n" for qw(state spool);
    write_file( "$dir/key", join q{}, map { chr int rand 256 } 1 .. 128 );
    chmod 0600, "$dir/key";
    $self->{conf} =
      write_file( "$dir/slurm.conf", join q{}, configuration( $dir, $host, @options ) );
    $self->daemon( qw(munged --foreground --force),
        "--key-file=$dir/key", "--socket=$dir/munge.socket",
        map { "--$_-file=$dir/munged.$_" } qw(pid log seed) );
    $self->until_true( sub { -S "$dir/munge.socket" } );
    $self->daemon(qw(slurmctld -D -c));
    $self->daemon( qw(slurmd -D -N), $host );
    $self->until_true( sub { $self->command(qw(sinfo -h -o %t)) =~ /^idle/ } );
    return $self;
}

# Submits a job in a directory; returns its number.
sub submit ( $self, $dir, @words ) {
    my $number = $self->command( qw(sbatch --parsable -D), $dir, @words );
    return $number =~ /^(\d+)$/ ? $1 : die "sbatch: $number";
}

# Waits until a job is in such a state.
sub wait_for ( $self, $job, $state ) {
    $self->until_true( sub { $self->command( qw(scontrol show job), $job ) =~ /JobState=$state/ } );
    return;
}

sub DESTROY ($self) {
    local $?;
    $self->command(qw(scancel --user root --full --signal=KILL));
    for my $pid ( map { $self->{pids}{$_} // () } qw(slurmd slurmctld munged) ) {
        kill 'TERM', $pid;
        waitpid $pid, 0;
    }
    return;
}

1;
