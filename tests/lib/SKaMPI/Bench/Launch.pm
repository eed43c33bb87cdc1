package SKaMPI::Bench::Launch;

# Launches what is measured, in a directory of its own; reports progress on stderr.
use v5.36;

use Cwd      qw(abs_path);
use Exporter qw(import);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(command scratch slurp write_file);

our @EXPORT_OK = qw(alternating ended_well launches mpirun output_of program progress root skampi);

my $root = abs_path( __FILE__ =~ s{[^/]+$}{../../../..}r );
my $dir  = scratch();

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

sub mpirun ($np) {
    return ( $ENV{SKAMPI_MPIRUN}, $np > 2 ? '--oversubscribe' : (), '-np', $np );
}

# skampi, or a program of tests/bench.
sub program ($name) {
    return "$root/build/openmpi/$name";
}

# Runs a command; returns its output and its messages.
sub ended_well (@command) {
    my $run = command( $dir, @command );
    die "@command: status $run->{status}\n$run->{err}" if $run->{status} || $run->{signal};
    return @{$run}{qw(out err)};
}

# Runs a command that runs skampi; returns SKaMPI::Read::Output, the messages, and the text of the results.
sub output_of (@command) {
    unlink glob "$dir/skampi.*";
    my $run    = command( $dir, @command );
    my $text   = slurp("$dir/skampi.out");
    my $output = SKaMPI::Read::Output->from_text($text);
    die "@command: the run is not complete\n$run->{err}" if !$output->is_finished;
    return ( $output, $run->{err}, $text );
}

# Runs parameters; returns the output only.
sub skampi ( $np, $parameters ) {
    write_file( "$dir/bench.skampi", "\@VERSION 4.2\n\@POSTPROC no\n$parameters" );
    return ( output_of( mpirun($np), program('skampi'), qw(-q -f bench.skampi) ) )[0];
}

# A number of pairs of launches; returns what each of the two subs returned, in two lists. The order
# in a pair alternates, so that neither side profits from the other's warm-up.
sub alternating ( $pairs, $what, @subs ) {
    my @lists = ( [], [] );
    for my $i ( 1 .. $pairs ) {
        progress("$what, pair $i of $pairs");
        push @{ $lists[$_] }, $subs[$_]->() for $i % 2 ? ( 0, 1 ) : ( 1, 0 );
    }
    return @lists;
}

1;
