package SKaMPI::Bench::Launch;

# Launches what is measured, in a directory of its own; reports progress on stderr.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use IPC::Run   qw(run timeout);
use List::Util qw(max);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(scratch write_file);

our @EXPORT_OK = qw(root launches progress ended_well mpirun program skampi scratch_file
  peak_kib output_of alternating);

my $MAX_S = 1800;
my $root  = abs_path( __FILE__ =~ s{[^/]+$}{../../../..}r );
my $dir   = scratch();

# The top of the source tree.
sub root () {
    return $root;
}

# The number of launches: that of BENCH_LAUNCHES, or this default.
sub launches ($default) {
    return $ENV{BENCH_LAUNCHES} || $default;
}

sub progress ($text) {
    print {*STDERR} "bench: $text\n" or die "stderr: $!\n";
    return;
}

# Runs a command that should end with one of these statuses; returns its output and its messages.
sub ended ( $statuses, @command ) {
    my ( $out, $err ) = ( q{}, q{} );
    my $ended = eval {
        run \@command, '<', \undef, '>', \$out, '2>', \$err,
          init => sub { chdir $dir or die "$dir: $!\n" },
          timeout($MAX_S);
        1;
    };
    die "@command: not done after $MAX_S s\n" if !$ended;
    die "@command: status $?\n$err"           if !grep { $? == $_ << 8 } @{$statuses};
    return ( $out, $err );
}

sub ended_well (@command) {
    return ended( [0], @command );
}

sub mpirun ($np) {
    return ( $ENV{SKAMPI_MPIRUN}, $np > 2 ? '--oversubscribe' : (), '-np', $np );
}

# skampi, or a program of tests/bench.
sub program ($name) {
    return "$root/build/openmpi/$name";
}

# The largest of a process; "peak" prints it on stderr.
sub peak_kib ($err) {
    return max( $err =~ /^peak (\d+) KiB/mg );
}

# Runs a command that runs skampi; returns SKaMPI::Read::Output and the messages. Status 1 is that of a
# run in which a row is not synchronised.
sub output_of (@command) {
    unlink glob "$dir/skampi.*";
    my ( undef, $err ) = ended( [ 0, 1 ], @command );
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    die "@command: the run is not complete\n$err" if !$output->is_finished;
    return ( $output, $err );
}

# Runs parameters; returns the output only.
sub skampi ( $np, $parameters ) {
    write_file( "$dir/bench.skampi", "\@VERSION 4.2\n\@POSTPROC no\n$parameters" );
    my ($output) = output_of( mpirun($np), program('skampi'), qw(-q -f bench.skampi) );
    return $output;
}

# A file of the last launch.
sub scratch_file ($name) {
    return "$dir/$name";
}

# A number of pairs of launches; returns what each of the two subs returned, in two lists. The order
# in a pair alternates, so that neither side profits from the other's warm-up.
sub alternating ( $pairs, $what, $first, $second ) {
    my ( @firsts, @seconds );
    for my $i ( 1 .. $pairs ) {
        progress("$what, pair $i of $pairs");
        push @seconds, $second->() if $i % 2 == 0;
        push @firsts,  $first->();
        push @seconds, $second->() if $i % 2;
    }
    return ( \@firsts, \@seconds );
}

1;
