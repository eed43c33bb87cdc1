# A real run across several hosts, which are namespaces of this one (SKaMPI::Hosts): where the
# processes run, which one is farthest, whether their clocks agree, and what a recorder sees of them.
use v5.36;

use FindBin;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);
use SKaMPI::Hosts
  qw(why_no_hosts why_no_delay why_no_rate cpus mpirun_words on_hosts mpirun_on_hosts program_on_hosts
  script_on_hosts);
use SKaMPI::Profile::File qw(read_profile);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(scratch read_file write_file files_in is_measured workplace succeeds);

plan skip_all => 'Open MPI only' if $ENV{SKAMPI_MPI} ne 'openmpi';
plan skip_all => why_no_hosts()  if why_no_hosts();

my $DELAY_US  = 2000;
my $RATE_MBIT = 100;
my $LONG      = 32_768;
my $BURST     = 16_384;               # of lan.sh: as many bytes are not limited
my ($ONE_CPU) = cpus() =~ /^(\d+)/;

# The first host has fewer CPUs than processes. So waits yield, also if all the hosts' processes
# together are more than the machine's CPUs, which skampi cannot know.
my @TWO   = ( { name => 'a', processes => 2, cpus => $ONE_CPU }, { name => 'b', processes => 1 } );
my @THREE = ( $TWO[0], { name => 'b', processes => 2 }, { name => 'c', processes => 1 } );

my $HEAD = <<'END';
@VERSION 4.1
@MEMORY 64
@MINREPDEFAULT 8
@MAXREPDEFAULT 32
@POSTPROC no
@MEASUREMENTS
END

# Barrier has Nodes only: MOST is replaced by the number of all processes.
my %SUITE = (
    Far  => 'Type = 1; Scale = Fixed_log; Start_Argument = 4; End_Argument = 64; Stepwidth = 4;',
    Near => 'Type = 1; Scale = Fixed_log; Start_Argument = 4; End_Argument = 64; Stepwidth = 4; '
      . 'Parameters = "partner=nearest";',
    Long     => "Type = 1; Start_Argument = $LONG; End_Argument = $LONG;",
    Master   => 'Type = 10; Variation = Nodes;',
    Latency  => 'Type = 52;',
    Residual => 'Type = 53; Max_Repetition = 8;',
    Bcast => 'Type = 47; Scale = Fixed_log; Start_Argument = 8; End_Argument = 64; Stepwidth = 8;',
    Barrier => 'Type = 49; Variation = Nodes; Start_Argument = MOST; End_Argument = MOST;',
);

sub places (@hosts) {
    return map { ( $_->{name} ) x $_->{processes} } @hosts;
}

# Runs these suites. Processes may fail to start together if other programs use the CPUs.
sub measure ( $hosts, @names ) {
    my $suites = join q{}, map { "$_ { $SUITE{$_} }\n" } @names;
    my $most   = places( @{$hosts} );
    my $dir    = workplace( '.skampi' => $HEAD . $suites =~ s/MOST/$most/gr );
    my $run    = mpirun_on_hosts( $dir, $hosts, '--quiet' );
    is_measured( $run, 'measured' );
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is_deeply [ map { $_->{text} } $output->problems ], [], 'complete';
    return $output;
}

sub judge_header ( $output, @hosts ) {
    my @places = places(@hosts);
    my $ranks  = join q{}, map { "\n$_ $places[$_] \\S+" } 0 .. $#places;
    is $output->field('HOSTNAME'), $hosts[0]{name}, 'the first host';
    is $output->field('PROCESSESPERHOST'),
      join( q{ }, map { "$_->{name}:$_->{processes}" } @hosts ),
      'processes per host';
    like $output->field('BINDING'), qr/^rank host cpus$ranks$/, 'host of each rank';
    return;
}

sub partner_of ( $output, $label, @hosts ) {
    my ( $rank, $host ) = split q{ }, $output->suite($label)->{notes}{PARTNER};
    is $host, ( places(@hosts) )[$rank], "$label: rank $rank is on $host";
    return $host;
}

# After a round trip, the other clock's reading is known up to half of that trip. What messages show
# is not checked here: if a process waits for a CPU, they are off by hundreds of microseconds, and
# clocks are not. The hosts share one machine, whose clock says how far off each host's clock is.
sub judge_clocks (@hosts) {
    my $run    = program_on_hosts( \@hosts, 'clocks' );
    my %clock  = map { /^(\d+) (\S+) (\S+)$/ ? ( $1 => [ $2, $3 ] ) : () } split /\n/, $run->{out};
    my @others = 1 .. places(@hosts) - 1;
    is $run->{status}, 0, 'status' or diag( $run->{err} );
    is_deeply [ sort keys %clock ], \@others, 'every process has a clock';
    cmp_ok $clock{$_}[0], '<=', $clock{$_}[1], "whose error is small: process $_" for @others;
    return;
}

sub judge_residuals ( $output, @hosts ) {
    my @others = map { $_->{argument} } @{ $output->suite('internal_Residual')->{rows} };
    is_deeply \@others, [ 1 .. places(@hosts) - 1 ], 'messages show the offset of each clock';
    return;
}

# Open MPI's coll/han serves communicators of several hosts only.
subtest 'a component for several hosts' => sub {
    local $ENV{OMPI_MCA_coll_han_priority} = 90;
    my @hosts = map { { name => $_, processes => 2, cpus => $ONE_CPU } } qw(a b);
    for my $count ( 1, 2 ) {
        my $dir = workplace( '.skampi' => $HEAD . <<'END' );
Forced { Type = 47; Scale = Fixed_log; Start_Argument = 8; End_Argument = 8;
         Parameters = "algorithm=binomial"; }
Barrier { Type = 49; Variation = Nodes; Start_Argument = 2; End_Argument = 2; }
END
        my $run   = mpirun_on_hosts( $dir, [ @hosts[ 0 .. $count - 1 ] ], '--quiet' );
        my $skips = $run->{err} =~ m{skipped, coll/han answers before coll/tuned} ? 1 : 0;
        is_measured( $run, "$count: measured" );
        is $skips, $count - 1, 'skipped on several hosts only';
    }
};

# Two hosts are among the next subtests.
for my $hosts ( $ENV{SKAMPI_LONG} ? \@TWO : (), \@THREE ) {
    subtest scalar @{$hosts} . ' hosts' => sub {
        my $output = measure( $hosts, qw(Master Residual Bcast Barrier) );
        judge_header( $output, @{$hosts} );
        is $output->field('OVERSUBSCRIBED'), 'yes', 'two processes on the only CPU of a host';
        judge_residuals( $output, @{$hosts} );
        judge_clocks( @{$hosts} );
    };
}

subtest 'one process on each host' => sub {
    my @hosts  = map { { name => $_, processes => 1, cpus => $ONE_CPU } } qw(a b);
    my $output = measure( \@hosts, qw(Far Latency) );
    judge_header( $output, @hosts );
    is $output->field('OVERSUBSCRIBED'), 'no', 'CPUs are counted per host';
};

subtest 'a distant host' => sub {
    plan skip_all => why_no_delay() if why_no_delay();
    my @hosts  = ( @THREE[ 0, 1 ], { %{ $THREE[2] }, delay_us => $DELAY_US } );
    my $output = measure( \@hosts, qw(Far Near) );
    is partner_of( $output, 'p2p_Far', @hosts ),    'c', 'is the farthest';
    isnt partner_of( $output, 'p2p_Near', @hosts ), 'c', 'and not the nearest';
    for my $row ( @{ $output->suite('p2p_Far')->{rows} } ) {
        cmp_ok $row->{extras}{min}, '>=', 2 * $DELAY_US, "$row->{argument} bytes there and back";
    }
    judge_clocks(@hosts);
};

subtest 'hosts that send slowly' => sub {
    plan skip_all => why_no_rate() if why_no_rate();
    my @hosts    = map { { name => $_, processes => 1, rate_mbit => $RATE_MBIT } } qw(a b);
    my $output   = measure( \@hosts, qw(Long) );
    my $least_us = 2 * ( $LONG - $BURST ) * 8 / $RATE_MBIT;
    cmp_ok $output->suite('p2p_Long')->{rows}[0]{extras}{min}, '>=', $least_us,
      "$LONG bytes there and back";
};

# Files that all processes share need a directory that all hosts see; own files do not.
subtest 'a directory of each host' => sub {
    my $dir    = scratch();
    my @hosts  = ( { name => 'a', processes => 1 }, { name => 'b', processes => 1 } );
    my $script = write_file( "$dir/own-disk", <<'END' );
#!/bin/sh
[ "$(hostname)" = b ] || exec "$@"
exec unshare -m sh -c 'mount -t tmpfs disk disk && exec "$@"' sh "$@"
END
    mkdir "$dir/disk" or die "$dir/disk: $!\n";
    my $head = $HEAD =~ s/(?=\@MEASUREMENTS)/\@IO_DIRECTORY disk\n/r;
    my $few  = 'Start_Argument = 4096; End_Argument = 4096;';
    write_file( "$dir/.skampi", "${head}A { Type = 229; $few }\nB { Type = 222; $few }\n" );
    my $run = script_on_hosts( $dir, \@hosts, $script );
    like $run->{err},
      qr/^[.]skampi:6:1: the hosts do not see the same directory 'disk': .*'B' has a common one/m,
      'is refused for a common file';
    is $run->{status}, 2, 'before anything is measured';
    write_file( "$dir/.skampi", "${head}A { Type = 229; $few }\n" );
    my $own = script_on_hosts( $dir, \@hosts, $script, '-q' );
    isnt $own->{status}, 2, 'is accepted for own files';
    like read_file("$dir/skampi.out"), qr/^#\@FILE on /m, 'which are measured';
    is_deeply [ files_in("$dir/disk") ], [], 'and removed';
};

# A cell has the hosts of its communicator; that of a message, those of its two processes.
subtest 'a recorded program' => sub {
    my $dir = workplace( 'app.c' => <<'END_OF_C' );
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &pair);
    for (int i = 0; i < 3 && rank == 0; i++)
        MPI_Send(&x, 1, MPI_INT, i == 0 ? 1 : 2, 0, MPI_COMM_WORLD);
    for (int i = 0; i < rank; i++)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(pair);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&pair);
    return MPI_Finalize();
}
END_OF_C
    my $built =
      SKaMPI::Test::command( $dir, split( q{ }, $ENV{SKAMPI_MPICC} ), '-o', 'app', 'app.c' );
    is $built->{status}, 0, 'the program compiles' or diag $built->{err};
    my $script = write_file( "$dir/recorded",
        "#!/bin/sh\nLD_PRELOAD=$ENV{SKAMPI_BUILD}/libskampi-record.so exec ./app\n" );
    my $run     = succeeds( script_on_hosts( $dir, \@TWO, $script ), 'status' );
    my $profile = read_profile("$dir/skampi.profile");
    is $profile->{head}{HOSTS}, 2, 'two hosts';
    is_deeply [
        map  { "@{$_}{qw(call processes hosts calls)}" }
        sort { "@{$a}{qw(call processes hosts)}" cmp "@{$b}{qw(call processes hosts)}" }
        grep { $_->{call} !~ /Comm/ } @{ $profile->{cells} }
      ],
      [
        'MPI_Barrier 1 1 1',
        'MPI_Barrier 2 1 2',
        'MPI_Bcast 3 2 3',
        'MPI_Recv 3 1 1',
        'MPI_Recv 3 2 2',
        'MPI_Send 3 1 1',
        'MPI_Send 3 2 2'
      ],
      'the cells';
};

# The processes of both runs sleep and wake on all hosts.
subtest 'a duet' => sub {
    my $dir = scratch();
    write_file( "$dir/$_", "SIDE=$_\n" ) for qw(x y);
    write_file(
        "$dir/.skampi",
        $HEAD . join q{},
        map { "$_ { $SUITE{$_} }\n" =~ s/MOST/5/gr } qw(Far Barrier)
    );
    my $run = succeeds(
        on_hosts(
            $dir, \@THREE, $^X,
            "$FindBin::Bin/../../report/launch.pl",
            qw(--duet -n 2 x y --),
            mpirun_words( \@THREE ),
            $ENV{SKAMPI_PROGRAM}
        ),
        'two pairs of launches'
    );
    like $run->{out}, qr/in pairs that took turns/, 'are compared in pairs';
    for my $number ( 1, 2 ) {
        my ( $one, $other ) =
          map { SKaMPI::Read::Output->from_file("$dir/launches/$_/$number/skampi.out") } qw(x y);
        is $one->fact('DUET')->{id}, $other->fact('DUET')->{id}, "pair $number";
        cmp_ok $_->fact('DUET')->{turns}, '>', 3, 'turns' for $one, $other;
    }
};

# The programs whose command line has the word; one may exit meanwhile.
sub alive ($word) {
    my @pids = grep { /^\d+$/ } files_in('/proc');
    return grep {
        index( eval { read_file("/proc/$_/cmdline") } // q{}, $word ) >= 0
    } @pids;
}

# One command waits on the first host, the other one on the second, detached like mpirun's daemon.
subtest 'a killed test leaves nothing' => sub {
    my $dir  = scratch();
    my $wait = 'sleep 99999; :';
    my $other =
      'setsid nsenter --net="$LAN/b/net" sh -c "touch begun; ' . $wait . '" "$0" >/dev/null 2>&1 &';
    my $test = fork // die "fork: $!\n";
    if ( $test == 0 ) {
        on_hosts( $dir, [ { name => 'a' }, { name => 'b' } ], 'sh', '-c', "$other $wait", $dir );
        POSIX::_exit(0);
    }
    sleep 0.1 until -e "$dir/begun";
    cmp_ok scalar alive($dir), '>=', 3, 'programs on two hosts';
    kill KILL => $test;
    waitpid $test, 0;
    sleep 0.1 while alive($dir);
    pass 'are gone with the test';
};

done_testing;
