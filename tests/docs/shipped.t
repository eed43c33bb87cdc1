# Each parameter file that ships, run with few repetitions: each comparison of default.dorep, each key figure and
# each table of the report appears in the results of one of them.
use v5.36;

use Test::More;
use List::Util qw(max min);
use SKaMPI::Findings::Choices;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Findings::OneSided       qw(one_sided_sets);
use SKaMPI::Findings::PersistentUses qw(persistent_sets);
use SKaMPI::Findings::Selection;
use SKaMPI::Gpu              qw(aware_run);
use SKaMPI::Meaning::Subject qw(attribute);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(why_not build simulate);
use SKaMPI::Test qw($ROOT read_file mpirun slurp workplace);

plan skip_all => why_not() if why_not();

# Simulated runs cost least. But calls that take no time there (local operations, work) are repeated without end, and
# persistent and neighbourhood collectives, graphs and files are missing. The number of processes of each file that is
# really run:
my %REAL =
  map { $_ => 2 }
  qw(all-collectives health io nonblocking persistent quick reductions standard tune);
$REAL{vt16}    = 16;
$REAL{threads} = 4;

# Open MPI lets algorithms be chosen with this setting only.
local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;

my $HEAD = <<'END';
@MEMORY 8192
@MINREPDEFAULT 5
@MAXREPDEFAULT 20
@STANDARDERRORDEFAULT 0.9
@CUTQUANTILEDEFAULT 0
@CACHEWARMUP 0
END

my $LONGEST = 80_000;

# The same suites with few arguments and repetitions, visited this often.
sub shortened ( $text, $passes ) {
    $text =~
      s/^\@(?:MEMORY|MINREP|MAXREP|STANDARDERROR|CUTQUANTILE|CACHEWARMUP|TIME|MAXSTEPS).*\n//mg;
    $text =~ s/\b(?:M(?:in|ax)_Repetition|Standard_error|Time_\w+|Cut_Quantile) *= *[^;]*;//g;
    $text =~ s/Scale *= *Dynamic/Scale = Fixed/g;
    $text =~ s/^(?<suite>\S+ *\{)(?<fields>[^}]*)/$+{suite} . _coarse( $+{fields}, $passes )/gme;
    $text =~ s/matchings=\d+/matchings=2/g;
    return $text =~ s/^(?=\@VERSION)/$HEAD/mr;
}

# 8 B, 512 B and 32 KiB are near the lengths of the key figures.
sub _coarse ( $fields, $passes ) {
    my $step    = $fields =~ /Variation *= *Length/ ? 64 : 200;
    my ($start) = $fields =~ /Start_Argument *= *([0-9]+)/;
    my $longest = max( $LONGEST, $start // 0 );
    $fields =~ s/End_Argument *= *([0-9]+)/'End_Argument = ' . min( $1, $longest )/e;
    $fields =~ s/ *\bpasses=\w+//;
    $fields =~ s/Stepwidth *= *[^;]*/Stepwidth = $step/;
    return $fields if $fields =~ /\bType *= *270\b/;    # internal types have no visits
    $fields                   =~ s/(?<=Parameters = ")/passes=$passes /
      or $fields .= " Parameters = \"passes=$passes\"; ";
    return $fields;
}

my ($simulated) = build('truth');

sub results_of ($name) {
    my $passes = $name eq 'all-collectives' ? 1 : 5;    # it has most suites, and no key figures
    my $dir =
      workplace( '.skampi' => shortened( read_file("$ROOT/configs/$name.skampi"), $passes ) );
    if    ( $name eq 'gpu' ) { aware_run( $dir, 2, {} ) }
    elsif ( $REAL{$name} ) {
        for ( 1 .. 3 ) {    # beside other programs, a row may have no valid repetition
            last if mpirun( $dir, $REAL{$name}, '-q', '--fresh' )->{status} == 0;
        }
    }
    else {
        chdir $dir or die "$dir: $!\n";
        eval { simulate( 'flat', $name eq 'ddtbench' ? 4 : 3, $simulated, '-q' ) };
    }
    chdir $ROOT or die "$ROOT: $!\n";
    return SKaMPI::Read::Output->from_file("$dir/skampi.out");
}

# The contents of the report of these results, by kind and name.
my $file = SKaMPI::Findings::ComparisonFile->from_file( "$ROOT/report/default.dorep", 1 );

sub shown_of ($output) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @titles    = map { $_->title } @{ $file->applied_to($output)->{comparisons} };
    return (
        ( map { "figure $_->{what}" } SKaMPI::Findings::KeyFigures->rows_of($output) ),
        ( map { "choice $_->{task}" } SKaMPI::Findings::Choices->of($output) ),
        ( map { "persistent $_->{title}" } persistent_sets($selection) ),
        ( map { 'one-sided' } one_sided_sets($output) ),
        ( map { 'comparison ' . line_of($_) } @titles ),
    );
}

# The line of the file that a comparison's title comes from; the title adds what the suites have in common.
my @lines = map { $_->{title} } $file->comparisons;

sub line_of ($title) {
    my ($line) = sort { length $b <=> length $a } grep { index( "$title, ", "$_, " ) == 0 } @lines;
    return $line;
}

# Each line: the file that ships, the kind, and the names of what its results must show.
my ( %wanted, %listed );
while ( my $line = <DATA> ) {
    my ( $file_name, $kind, $names ) = $line =~ /\A(\S+) ([^:\n]+)(?:: (.*))?\n/;
    my @all = defined $names ? map { "$kind $_" } split /; /, $names : $kind;
    push @{ $wanted{$file_name} }, @all;
    @listed{@all} = (1) x @all;
}

# Pattern, one-sided synchronisation if it is that, #@TIME, #@START, and whether the clock bound limits short times.
sub _time_and_start ($suite) {
    my $pattern = $suite->{prefix} =~ s/\Avt//r;
    $pattern .= '-notify' if $pattern eq 'p2p' && attribute( $suite, 'sync' ) eq 'notify';
    return join q{ }, $pattern, @{ $suite->{notes} }{qw(TIME START)}, $suite->starts_by_clock;
}

my @names = map { m{([^/]+)[.]skampi\z} } glob "$ROOT/configs/*.skampi";
my ( %shown, %times );
for my $name (@names) {
    my $output = results_of($name);
    ok $output && $output->suites, "$name: results";
    my %own = map { $_ => 1 } shown_of($output);
    ok $own{$_}, "$name: $_" for @{ $wanted{$name} // [] };
    %shown = ( %shown, %own );
    push @{ $times{ _time_and_start($_) } }, $_->{label} for $output->suites;
}
is_deeply [ sort keys %times ],
  [
    'check last_acknowledged barrier 0',
    'col root_and_barrier barrier 0',
    'internal lost own 0',
    'io slowest clock 1',
    'io slowest synced clock 1',
    'mw dispatch own 0',
    'overlap slowest_with_work clock 1',
    'p2p access own 0',
    'p2p access pipelined one_epoch own 0',
    'p2p access pipelined own 0',
    'p2p exchange own 0',
    'p2p issue own 0',
    'p2p posted_round_trip own 0',
    'p2p round_trip last_thread own 0',
    'p2p round_trip own 0',
    'p2p round_trip pipelined last_thread own 0',
    'p2p window last_thread own 0',
    'p2p window own 0',
    'p2p windows own 0',
    'p2p-notify round_trip own 0',
    'pairs pairs_exchange clock 1',
    'pairs pairs_exchange own_pair clock 1',
    'pairs pairs_round_trip clock 1',
    'pairs pairs_window clock 1',
    'pairs pairs_windows clock 1',
    'simple call own 0',
    'syncol mean_process plain_mean barrier 0',
    'syncol slowest clock 1',
    'syncol slowest last_thread clock 1',
    'syncol slowest pipelined clock 1',
    'syncol slowest_access clock 1',
  ],
  'what the times are, and how repetitions start'
  or diag explain \%times;

# A pair is shown by the one with the synchronised start.
is_deeply [ grep { !$shown{"comparison $_"} && !$shown{ 'comparison ' . s/BM/SM/r } } @lines ], [],
  'each line of default.dorep is shown';
is_deeply [ grep { !$listed{$_} && !/^comparison/ } sort keys %shown ], [],
  'all else that is shown is listed here';

# With processes that sit out, and one that has no partner; two files are for other numbers of processes.
for my $name ( $ENV{SKAMPI_LONG} ? grep { !/\A(?:ddtbench|vt16)\z/ } @names : () ) {
    my $dir = workplace( '.skampi' => shortened( read_file("$ROOT/configs/$name.skampi"), 2 ) );
    my $run = mpirun( $dir, 5, '-q' );
    cmp_ok $run->{status}, '<', 2, "$name: five processes" or diag $run->{err};
    like slurp("$dir/skampi.out"), qr/^#skampi finished[.]$/m, '... end';
}

done_testing;

__DATA__
algorithms figure: MPI_Allgather; MPI_Allreduce; MPI_Alltoall; MPI_Barrier; MPI_Bcast; MPI_Gather; MPI_Reduce
algorithms figure: MPI_Scatter
algorithms choice: All to all; Broadcast; Gather; Gather to all; Reduce; Reduce to all; Scatter
gpu figure: half-bandwidth length n1/2 in GPU memory; latency in GPU memory; peak bandwidth in GPU memory
io figure: reading files from the disk; reading files from the page cache; writing files to the disk
irregular choice: All to all, unequal parts
network figure: b_eff; b_eff per process; message rate of all pairs; stream bandwidth of all pairs
one-sided figure: half-bandwidth length n1/2; latency; peak bandwidth
one-sided one-sided
persistent figure: MPI_Allgatherv; MPI_Alltoallv; MPI_Exscan; MPI_Gatherv; MPI_Reduce_scatter
persistent figure: MPI_Reduce_scatter_block; MPI_Scan; MPI_Scatterv; bandwidth in both directions; message rate
persistent figure: stream bandwidth
persistent choice: Send a message
persistent persistent: p2p_Persistent_Send-Recv; p2p_Persistent_Startall; p2p_Stream_Persistent
persistent persistent: p2p_Stream_both_Persistent; syncol_Persistent_Allgather; syncol_Persistent_Allgatherv
persistent persistent: syncol_Persistent_Allreduce; syncol_Persistent_Alltoall; syncol_Persistent_Alltoallv
persistent persistent: syncol_Persistent_Alltoallw; syncol_Persistent_Barrier; syncol_Persistent_Bcast
persistent persistent: syncol_Persistent_Exscan; syncol_Persistent_Gather; syncol_Persistent_Gatherv
persistent persistent: syncol_Persistent_Reduce; syncol_Persistent_Reduce_scatter
persistent persistent: syncol_Persistent_Reduce_scatter_block; syncol_Persistent_Scan; syncol_Persistent_Scatter
persistent persistent: syncol_Persistent_Scatterv
standard figure: MPI_Cart_create; MPI_Comm_dup; MPI_Comm_rank; MPI_Comm_size; MPI_Comm_split; MPI_Graph_create
standard figure: MPI_Iprobe; MPI_Wtime; MPI_attach
standard choice: Exchange messages; Receive a message; Reduce and scatter; Send to each worker; Wait for any worker
