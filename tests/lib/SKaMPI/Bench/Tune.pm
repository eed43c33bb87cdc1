package SKaMPI::Bench::Tune;

# Figures about skampi-tune: choices against the truth of simulated machines, a library against itself, bad tables that
# are replaced, the library's own table, and the time that a sweep saves.
use v5.36;

use Exporter               qw(import);
use IPC::Run               qw(run);
use List::Util             qw(max min product sum0 uniq);
use SKaMPI::Bench::Figures qw(at_least at_most median plain);
use SKaMPI::Bench::Launch  qw(launches program progress root);
use SKaMPI::Regret         qw(chosen platforms recorded_noise regrets truth_of);
use SKaMPI::Sim            qw(why_not build);
use SKaMPI::Test           qw(scratch write_file);
use SKaMPI::Tune::Cells    qw(cells_of launch_of own_value);
use SKaMPI::Tune::Choice   qw(choose_all);
use SKaMPI::Tune::Verify   qw(launch_once);
use Time::HiRes            qw(time);

our @EXPORT_OK = qw(choices tuned tuned_mpich);

my $HEAD =
"\@VERSION 4.2\n\@POSTPROC no\n\@SHUFFLE yes\n\@MEMORY 65536\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT 24\n\@STANDARDERRORDEFAULT 1.0\n\@MEASUREMENTS\n";
my $DYNAMIC = 'OMPI_MCA_coll_tuned_use_dynamic_rules';
my ( $SEEDS, $SWEEPS, $LAUNCHES ) = ( 5, 20, 6 );

# --- simulated and generated: no quiet machine is needed ---
sub choices () {
    return ( [ 'regret', why_not() ] ) if why_not();
    my ($skampi) = build('truth');
    chdir scratch() or die "no directory: $!\n";
    my @truths;
    for my $platform ( platforms() ) {
        for my $np ( 8, 16 ) {
            progress("$platform, $np hosts");
            push @truths, [ truth_of( $skampi, $platform, $np ) ];
        }
    }
    return ( _known(@truths), ( map { _noisy( $_, @truths ) } 6, 12, 24, 40 ),
        _generated_twins(), _real_twins() );
}

sub _best ($cell) { return min( values $cell->{us}->%* ) }

sub _mean (@ratios) {
    return exp( sum0( map { log } @ratios ) / @ratios );
}

sub _known (@truths) {
    my @cells = map  { chosen( $_, undef, 6 ) } @truths;
    my @own   = map  { $_->{us}{0} / _best($_) } @cells;
    my $wrong = grep { $_->{us}{ $_->{best} } > _best($_) } @cells;
    return (
        plain( 'own choice / truly best, mean and worst', '%.3f, %.2f', _mean(@own), max(@own) ),
        at_most( 'no noise: the best is another one', '%d', $wrong, 0, ' of ' . @cells . ' cells' ),
        _regret( 'no noise', regrets(@cells) ),
    );
}

sub _noisy ( $launches, @truths ) {
    my $noise = recorded_noise();
    return if $launches > $noise->[0][0]->@*;
    my @regrets;
    for my $seed ( 1 .. $SEEDS ) {
        progress("$launches launches, noise $seed");
        srand $seed;
        push @regrets, map { regrets( chosen( $_, $noise, $launches ) ) } @truths;
    }
    return _regret( "recorded noise, $launches launches", @regrets );
}

sub _regret ( $what, @regrets ) {
    my $above = grep { $_ > 1.05 } @regrets;
    return (
        at_most( "$what: chosen / best, mean", '%.4f', _mean(@regrets), 1.01 ),
        at_most(
            "$what: in the worst cell", '%.3f',
            max(@regrets),              1.05,
            " ($above of " . @regrets . ' above 1.05)'
        )
    );
}

# All algorithms take the same time.
sub _generated_twins () {
    my ( $noise, $with, $sweeps ) = ( recorded_noise(), 0, 10 * $SWEEPS );
    srand 1;
    for ( 1 .. $sweeps ) {
        my @cells = map {
            +{
                key        => "bcast 4 $_",
                collective => 'bcast',
                processes  => 4,
                length     => $_,
                us         => { map { $_ => 10 } 0 .. 5 }
            }
        } 1 .. 12;
        $with++ if grep { $_->{chosen} } chosen( \@cells, $noise, $LAUNCHES );
    }
    return at_most(
        'equal algorithms: sweeps with an entry',
        '%d', $with, 0.15 * $sweeps,
        " of $sweeps"
    );
}

# The real library, whose variable a preloaded library keeps as it is: all of its algorithms are its own choice.
sub _real_twins () {
    my $place = scratch();
    my $shim  = root() . '/build/openmpi/tests/libalgorithms.so';
    return [ 'a library against itself',
        "$shim is missing: make check TESTS=tests/mpi/algorithms.t" ]
      if !-e $shim;
    my %environment = (
        $DYNAMIC      => 1,
        SHIM_VARIABLE => 'coll_tuned_bcast_algorithm',
        SHIM_DEAF     => 1
    );
    my $text =
"${HEAD}A_* { Type = 47; Variation = Algorithm; Default_Message_length = 64, 4096, 65536; Parameters = \"passes=3\"; }\n";
    my ( $with, $sweeps ) = ( 0, launches($SWEEPS) );
    for my $sweep ( 1 .. $sweeps ) {
        progress("a library against itself, $sweep of $sweeps");
        my @launches = map {
            launch_of(
                launch_once(
                    $place, "$sweep-$_", $text, \%environment,
                    _command( 'openmpi', 2, '-x', "LD_PRELOAD=$shim" )
                )
            )
        } 1 .. $LAUNCHES;
        my @cells = cells_of(@launches);
        choose_all( \@launches, @cells );
        $with++ if grep { $_->{chosen} } @cells;
    }
    return at_most(
        'a library against itself: sweeps with an entry',
        '%d', $with, 0.15 * $sweeps,
        " of $sweeps"
    );
}

# --- real: quiet ---
sub _command ( $mpi, $np, @more ) {
    my $naps = root() . '/build/mpich/tests/naps.so';
    return (
        "mpirun.$mpi",
        $mpi eq 'openmpi' && $np > 2 ? '--oversubscribe' : (),
        @more,
        '-np',
        $np,
        $mpi eq 'mpich' && $np > 2 ? ( 'env', "LD_PRELOAD=$naps" ) : (),
        root() . "/build/$mpi/skampi",
        '-q'
    );
}

# Processes, types, lengths, the environment, and what the table has to reach. MPICH waits without giving up its CPU:
# with more processes than CPUs it needs naps (tests/lib/naps.c), which make a step of an algorithm 70 us long. With 16
# processes a ring has 15 steps, recursive doubling four.
my @SESSIONS = (
    {
        mpi         => 'openmpi',
        what        => 'bad Bcast',
        np          => 4,
        types       => '47',
        lengths     => '262144, 1048576',
        limit       => 0.1,
        environment => {
            $DYNAMIC                                        => 1,
            OMPI_MCA_coll_tuned_bcast_algorithm             => 4,
            OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize => 1024
        }
    },
    {
        mpi         => 'openmpi',
        what        => 'its own table',
        np          => 4,
        types       => '47, 61, 55',
        lengths     => '64, 8192, 262144',
        environment => { $DYNAMIC => 1 }
    },
    {
        mpi         => 'mpich',
        what        => 'Allgather by ring',
        np          => 16,
        types       => '64',
        lengths     => '64, 512',
        rounds      => 20,
        environment => { MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM => 'ring' }
    },
    {
        mpi         => 'mpich',
        what        => 'its own choice',
        np          => 2,
        types       => '47, 61, 55',
        lengths     => '64, 8192, 262144',
        environment => {}
    },
);

sub tuned () {
    return ( ( map { _session($_) } grep { $_->{mpi} eq 'openmpi' } @SESSIONS ), _saved_time() );
}

sub tuned_mpich () {
    return [ 'MPICH',
'build/mpich/skampi or tests/naps.so is missing: make MPI=mpich all build/mpich/tests/naps.so'
      ]
      if grep { !-e root() . "/build/mpich/$_" } qw(skampi tests/naps.so);
    return map { _session($_) } grep { $_->{mpi} eq 'mpich' } @SESSIONS;
}

# The commands of a user, in an environment; the figure is what verify says.
sub _session ($of) {
    my ( $mpi, $what, $limit ) = @{$of}{qw(mpi what limit)};
    my $place       = scratch();
    my %environment = $of->{environment}->%*;
    local @ENV{ keys %environment } = values %environment;
    write_file( "$place/sweep",
"${HEAD}A_* { Type = $of->{types}; Variation = Algorithm; Default_Message_length = $of->{lengths}; Parameters = \"passes=3\"; }\n"
    );
    my @command = _command( $mpi, $of->{np} );
    my @rounds  = $of->{rounds} ? ( '-n', $of->{rounds} ) : ();
    progress("$mpi, $what");
    my @results = split /\n/, _tune( $place, 'measure', @rounds, '-f', 'sweep', '--', @command );
    my ($cells) = _tune( $place, 'choose', @results ) =~ /^([0-9]+ of [0-9]+) cells/m;
    my $title   = "$mpi, $what: tuned / default";
    return [ $title, 'the table is empty' ] if !defined $cells;
    _tune( $place, 'write', '-o', 'table', '--format', $mpi eq 'mpich' ? 'mpich-env' : 'ompi',
        @results );
    my $said    = _tune( $place, 'verify', @rounds, 'table', '--', @command );
    my @ratios  = $said =~ /^sum of all cells, tuned\/own: ([\d.]+) \(([^)]*)\)/mg;
    my $verdict = $said =~ /: verified$/m ? 'verified' : 'not verified';
    return [ $title, "failed: $said" =~ s/\s+/ /gr ] if !@ratios;
    my ( $ratio, $interval ) = @ratios[ -2, -1 ];
    my $beside = " ($interval), $cells cells, $verdict";
    return defined $limit
      ? at_most( $title, '%.3f', $ratio, sprintf( '%.3g', $limit ), $beside )
      : plain( $title, '%.3f%s', $ratio, $beside );
}

sub _tune ( $place, @words ) {
    my ( $out, $err ) = ( q{}, q{} );
    run [ $^X, root() . '/report/tune.pl', @words ], '>', \$out, '2>', \$err,
      init => sub { chdir $place or die "$place: $!\n" };
    return $out;
}

# All algorithms in each launch, against one mpirun for each algorithm, as other tools do: what the same interval takes.
# The interval shrinks with the root of the time.
sub _saved_time () {
    my $place   = scratch();
    my $lengths = '64, 4096, 65536';
    my ( $sweep_s, $single_s, @sweeps, @singles ) = ( 0, 0 );
    for my $round ( 1 .. $LAUNCHES ) {
        progress("time of a sweep, round $round of $LAUNCHES");
        my ( $launch, $took ) = _timed( $place, "all$round",
qq(A_* { Type = 47; Variation = Algorithm; Default_Message_length = $lengths; Parameters = "passes=3"; })
        );
        push @sweeps, $launch->{cells};
        $sweep_s += $took;
        my %one;
        for my $number ( 0 .. 9 ) {
            my ( $single, $single_took ) = _timed( $place, "one$round-$number",
qq(A { Type = 47; Scale = Fixed_log; Multiple_of = 1; Start_Argument = 64; Stepwidth = 64; End_Argument = 65536; Parameters = "passes=3 algorithm=$number"; })
            );
            $single_s += $single_took;
            $one{ $_->{argument} }{$number} = own_value($_) for $single->{rows}->@*;
        }
        push @singles, \%one;
    }
    my @spread   = map { _spread($_) } [ map { _by_length($_) } @sweeps ], \@singles;
    my $cost     = $single_s / $sweep_s;
    my @recorded = _recorded_spreads();
    my $title    = 'one mpirun for each algorithm / sweep, time';
    return (
        plain(
            'a launch of 10 algorithms / 10 launches',
            '%.2f s / %.2f s',
            map { $_ / $LAUNCHES } $sweep_s,
            $single_s
        ),
        plain( 'spread of the ratios of algorithms', '%.3f / %.3f', @spread ),
        at_least(
            $title, '%.1f', $cost * ( $spread[1] / $spread[0] )**2,
            5, ' for the same interval'
        ),
        plain( 'spread, recorded noise', '%.3f / %.3f', @recorded ),
        at_least(
            "$title, recorded",
            '%.1f', $cost * ( $recorded[1] / $recorded[0] )**2,
            5,      ' for the same interval'
        ),
    );
}

# In recorded noise: of two algorithms in the same launch, and in two launches.
sub _recorded_spreads () {
    my ( @same, @other );
    for my $cell ( recorded_noise()->@* ) {
        my ( $own, @others ) = $cell->@*;
        for my $algorithm (@others) {
            push @same,  _deviation( map { $algorithm->[$_] - $own->[$_] } keys $own->@* );
            push @other, _deviation( map { $algorithm->[$_] - $own->[ $_ - 1 ] } keys $own->@* );
        }
    }
    return ( median(@same), median(@other) );
}

sub _deviation (@values) {
    my $mean = sum0(@values) / @values;
    return sqrt( sum0( map { ( $_ - $mean )**2 } @values ) / $#values );
}

sub _timed ( $place, $name, $suite ) {
    my $began = time;
    my $path =
      launch_once( $place, $name, "$HEAD$suite\n", { $DYNAMIC => 1 }, _command( 'openmpi', 2 ) );
    my $took = time - $began;
    my ($suite_read) = SKaMPI::Read::Output->from_file($path)->suites;
    return ( { %{ launch_of($path) }, rows => $suite_read->{rows} }, $took );
}

sub _by_length ($cells) {
    return { map { $_->{length} => $_->{times} } values %{$cells} };
}

# The median standard deviation of the logarithm of an algorithm's time over that of the own choice.
sub _spread ($launches) {
    my @sd;
    for my $length ( keys $launches->[0]->%* ) {
        for my $number ( 1 .. 9 ) {
            my @pairs = map { [ @{ $_->{$length} }{ 0, $number } ] } @{$launches};
            next if grep { !defined $_->[0] || !defined $_->[1] } @pairs;
            push @sd, _deviation( map { log( $_->[1] / $_->[0] ) } @pairs );
        }
    }
    return median(@sd);
}

1;
