#!/usr/bin/perl
# Figures about skampi itself: one table, which docs/bench.md explains. BENCH names the sections to
# print.
use v5.36;

use Time::HiRes              qw(time);
use SKaMPI::Bench::Clock     qw(clocks);
use SKaMPI::Bench::Compare   qw(comparisons);
use SKaMPI::Bench::Errors    qw(row_errors visit_errors merged_errors);
use SKaMPI::Bench::Health    qw(healthy_rates real_rates simulated_rates);
use SKaMPI::Bench::Loops     qw(accesses files ping_pong regimes spreads streams);
use SKaMPI::Bench::Record    qw(recorder);
use SKaMPI::Bench::Runs      qw(marks standard more_standard large oversubscribed cpus);
use SKaMPI::Bench::Scenarios qw(bounds slots);
use SKaMPI::Bench::Sides     qw(same_program slower_operation);
use SKaMPI::Bench::Simulated qw(refinement scale more_scale);
use SKaMPI::Bench::Slowdowns qw(slowdowns);
use SKaMPI::Bench::Steady    qw(steadiness steadiness_4 variance);
use SKaMPI::Bench::Tune      qw(choices tuned tuned_mpich);
use SKaMPI::Bench::Twins     qw(intervals twin_here twin_of_hosts twins);
use SKaMPI::Bench::Verdicts  qw(verdicts_of_noise);
use SKaMPI::Test             qw(read_file);

my @SECTIONS = (
    [ 'ping-pong',    'ping-pong against a bare loop, np = 2, @ABSOLUTE yes', \&ping_pong ],
    [ 'data',         'kept, fresh and cold data, np = 2',                    \&regimes ],
    [ 'streams',      'streams against bare loops, np = 2, @ABSOLUTE yes',    \&streams ],
    [ 'rma',          'windows of accesses against bare loops, np = 2',       \&accesses ],
    [ 'io',           'files at the next place against bare loops, np = 2',   \&files ],
    [ 'spread',       'spread from launch to launch, np = 2',                 \&spreads ],
    [ 'steadiness',   'spread of launches against other benchmarks, np = 2',  \&steadiness ],
    [ 'variance',     'where the spread of launches comes from',              \&variance ],
    [ 'steadiness-4', 'spread of launches against other benchmarks, np = 4',  \&steadiness_4 ],
    [ 'clock',        'error of the global clock if clocks are wrong',        \&clocks ],
    [ 'bounds',       'values under clocks that are wrong, simulated',        \&bounds ],
    [ 'slots',        'values of one-to-all operations, simulated',           \&slots ],
    [ 'row-errors',   'scatter of rows / the error they state, generated',    \&row_errors ],
    [ 'errors',       'errors and marks of visited rows, generated',          \&visit_errors ],
    [ 'merge-errors', 'scatter of merges / the error they state, np = 2',     \&merged_errors ],
    [ 'compare',      'skampi-compare, generated launches',                   \&comparisons ],
    [ 'compare-slowdowns', 'verdicts on launches: slow visits, launches as a whole', \&slowdowns ],
    [ 'verdict', 'the rule of all verdicts: noise, slowdowns, histories', \&verdicts_of_noise ],
    [ 'compare-same',     'skampi-compare, 40 launches of one program',        \&same_program ],
    [ 'compare-slower',   'skampi-compare, one operation made slower',         \&slower_operation ],
    [ 'health-healthy',   'is my machine all right: healthy machines',         \&healthy_rates ],
    [ 'health-real',      'is my machine all right: defects, np = 2',          \&real_rates ],
    [ 'health-simulated', 'is my machine all right: defects, simulated',       \&simulated_rates ],
    [ 'refinement',       'refinement against fixed grids',                    \&refinement ],
    [ 'standard',         'configs/standard.skampi',                           \&standard ],
    [ 'marks',            'rows that are accurate and have no mark, np = 2',   \&marks ],
    [ 'oversubscribed',   'twice as many processes as CPUs',                   \&oversubscribed ],
    [ 'scale',            'many processes, simulated',                         \&scale ],
    [ 'large',            'a large parameter file',                            \&large ],
    [ 'record',           'the recorder of skampi-profile',                    \&recorder ],
    [ 'tune-choice',      'skampi-tune: choices, simulated and generated',     \&choices ],
    [ 'tune',             'skampi-tune: default against tuned, np = 4',        \&tuned ],
    [ 'tune-mpich',       'skampi-tune with MPICH',                            \&tuned_mpich ],
    [ 'intervals',        'intervals of fitted pieces, generated launches',    \&intervals ],
    [ 'more-twins',       'random simulated machines and their twins',         \&twins ],
    [ 'twin',             'this machine and its twin, np = 2',                 \&twin_here ],
    [ 'twin-hosts',       'three hosts with delays and rates, and their twin', \&twin_of_hosts ],
    [ 'more-standard',    'configs/standard.skampi, more processes',           \&more_standard ],
    [ 'more-scale',       'even more processes, simulated',                    \&more_scale ],
);
my $ROW = "%-50s | %-51s | %-22s | %s\n";

# More processes only on request, as they take minutes: with fewer CPUs than processes, or simulated.
sub chosen () {
    my @names = split q{ }, $ENV{BENCH} || join q{ }, grep { !/^more-/ } map { $_->[0] } @SECTIONS;
    push @names, 'more-standard' if $ENV{STANDARD};
    my %is_chosen = map { $_->[0] => 1 } map { named($_) } @names;
    return grep { $is_chosen{ $_->[0] } } @SECTIONS;
}

# The section of this name and its parts: tune is tune-choice, tune and tune-mpich.
sub named ($name) {
    my @found = grep { $_->[0] =~ /\A\Q$name\E(?:-|\z)/ } @SECTIONS;
    die "bench: no section '$name'; the sections are: @{[ map { $_->[0] } @SECTIONS ]}\n"
      if !@found;
    return @found;
}

sub print_row ( $figure, $value = q{}, $target = q{}, $met = undef ) {
    printf $ROW, $figure, $value, $target, !defined $met ? q{} : $met ? 'yes' : 'NO';
    return;
}

# A section that fails does not stop the others.
sub rows_of ($section) {
    my @rows;
    return @rows if eval { @rows = $section->(); 1 };
    my $failure = ref $@ eq 'HASH' ? $@->{text} : $@;
    return [ 'failed', $failure =~ s/\s+/ /gr, q{}, 0 ];
}

sub load () {
    return join q{ }, ( split q{ }, read_file('/proc/loadavg') )[ 0 .. 2 ];
}

STDOUT->autoflush;
my ( $asked, $met, $started_s ) = ( 0, 0, time );
printf "%d CPUs, load %s\n\n", cpus(), load();
printf $ROW, qw(figure value target met);
say join '-|-', map { q{-} x $_ } 50, 51, 22, 3;
for ( chosen() ) {
    my ( $name, $title, $section ) = @{$_};
    say "[$name] $title";
    for my $row ( rows_of($section) ) {
        print_row( @{$row} );
        $asked++ if defined $row->[3];
        $met++   if $row->[3];
    }
}
printf "\n%d of %d targets met; %d s, load %s\n", $met, $asked, time - $started_s, load();
