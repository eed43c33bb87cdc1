# A rank, all ranks or mpirun are killed at any moment, and skampi is launched until the run is complete. Then every
# suite occurs once, with the arguments of an undisturbed run; what was complete when it was killed is there unchanged,
# and was not measured again.
use v5.36;

use Cwd qw(abs_path);
use FindBin;
use Test::More;
use Time::HiRes    qw(sleep time);
use SKaMPI::Faults qw(torture unsound config_of labels_of start start_mpirun ranks_in await_end);
use SKaMPI::Test qw(launcher scratch read_file slurp write_file skampi files_in suites_of is_intel);

my $LAUNCH     = abs_path("$FindBin::Bin/../../report/launch.pl");
my @WHOM       = qw(rank all mpirun);
my $KILLS      = $ENV{SKAMPI_KILLS} // ( torture() ? 300 : 5 );
my @PROCESSES  = torture() ? ( 2, 3, 5 ) : 2;
my $MAX_STARTS = 40;
my $seed       = $ENV{SKAMPI_SEED} // int( rand 1e9 );
srand $seed;
diag("SKAMPI_SEED=$seed");

# Without S12: a busy machine may leave a synchronised suite without valid repetitions.
sub config ($postproc) {
    my $text = config_of("\@MINREPDEFAULT 100\n\@MAXREPDEFAULT 100\n") =~ s/^S12 .*\n//mr;
    $text =~ s/passes=1(?: histogram=yes raw=yes)?/passes=3/g if $postproc eq 'yes';
    return $text =~ s/passes=1/passes=3/gr =~ s/\@POSTPROC no/\@POSTPROC $postproc/r;
}

# How a run is started, its parameter file, and the file that has it in the end: of a merge, its own.
my @WORDS = qw(MPI_Isend-MPI_Recv MPI_Sendrecv -m 8:1024 -o skampi.out);
my %KINDS = (
    run    => { args   => [],      config => config('no'),  file => 'skampi.out' },
    merge  => { args   => [],      config => config('yes'), file => 'skampi.out.3' },
    words  => { args   => \@WORDS, file   => 'skampi.out' },
    launch => { launch => 1, config => config('no'), file => 'launches/launches/2/skampi.out' },
);

# Starts it; returns the pid.
sub begin ( $dir, $how ) {
    my @run = ( launcher( $how->{np} ), $ENV{SKAMPI_PROGRAM}, qw(-q -f .skampi) );
    return start( $dir, $^X, $LAUNCH, qw(-q -n 2 --), @run ) if $how->{launch};
    return start_mpirun( $dir, $how->{np}, @{ $how->{args} } );
}

my %first;    # of each kind and number of processes: the files before the run that is disturbed

sub prepared ($how) {
    my $dir = scratch();
    write_file( "$dir/.skampi", $how->{config} ) if $how->{config};
    write_file( "$dir/$_",      $how->{before}{$_} ) for keys %{ $how->{before} };
    return $dir;
}

sub arguments_in ($path) {
    my $suites = suites_of( slurp($path) );
    return {
        map {
            $_ => join q{ }, map { $_->[0] =~ /^\d+$/ ? $_->[0] : q{-} } @{ $suites->{$_}{rows} }
        } keys %{$suites}
    };
}

# Runs it undisturbed: how long it takes, and the arguments of its suites.
sub undisturbed ($how) {
    my $dir = prepared($how);
    for my $run ( 1 .. ( $how->{file} =~ /(\d)\z/ ? $1 : 1 ) ) {
        $how->{before} = { map { $_ => read_file("$dir/$_") } grep { /^skampi/ } files_in($dir) };
        my $began = time;
        await_end( $dir, begin( $dir, $how ) ) == 0 or die read_file("$dir/stderr");
        $how->{takes} = time - $began;
    }
    $how->{expected} = arguments_in("$dir/$how->{file}");
    return $how;
}

my %killed = map { $_ => 0 } @WHOM;

# Waits until any time of the run, MPI_Init and MPI_Finalize included, but mostly until there are
# results to lose.
sub wait_some ( $dir, $how ) {
    my $takes = $how->{takes};
    my $until = time + $takes;
    if ( rand 3 > 1 ) {
        sleep 0.002 while !glob("$dir/{,launches/launches/?/}skampi.out.journal") && time < $until;
        $takes /= 3;
    }
    sleep rand $takes;
    return;
}

# Kills some processes, if any are left; returns whether.
sub kill_some ( $dir, $mpirun, $whom ) {
    my @ranks = ranks_in($dir);
    my @pids =
        $whom eq 'mpirun' ? ( $mpirun, is_intel() ? split q{ }, qx{pgrep -P $mpirun} : () )
      : $whom eq 'all'    ? @ranks
      :                     $ranks[ rand @ranks ];
    return 0 if !@ranks || !kill 'KILL', @pids;
    $killed{$whom}++;
    return 1;
}

# The blocks that the journal has: label => text.
sub done_in ($dir) {
    my ( %done, $text );
    for my $line ( split /^/m, slurp("$dir/skampi.out.journal") ) {
        if ( $line =~ s/\A //r ne $line ) {
            $text .= substr $line, 1;
            next;
        }
        $done{$1} = $text if $line =~ / suite-end (\S+)\n/;
        $text = q{};
    }
    return %done;
}

# Was it killed after it was complete? Before it begins, earlier runs are.
sub is_complete ( $dir, $how ) {
    return 0                                         if $how->{launch} || !-e "$dir/$how->{file}";
    return skampi( $dir, '--status' )->{status} == 0 if $how->{config};
    return slurp("$dir/skampi.out") =~ /finished[.]\n\z/ && !-e "$dir/skampi.out.journal";
}

# Kills up to three times, then lets the run complete. Returns what is wrong.
sub disturb ( $how, $run ) {
    my $dir   = prepared($how);
    my $kills = torture() ? 1 + int rand 3 : 1;
    my ( @wrong, %done );
    for my $starts ( 1 .. $MAX_STARTS ) {
        my $before = length slurp("$dir/skampi.log");
        my $mpirun = begin( $dir, $how );
        my $kill   = $kills-- > 0;
        wait_some( $dir, $how )                                         if $kill;
        kill_some( $dir, $mpirun, $WHOM[ ( $run + $starts ) % @WHOM ] ) if $kill;
        my $status = await_end( $dir, $mpirun );
        my $log    = substr slurp("$dir/skampi.log"), $before;
        push @wrong, "$_ measured again" for grep { $log =~ / suite-begin \Q$_\E$/m } keys %done;
        return @wrong, wrong( $dir, $how, %done ) if $status == 0 || is_complete( $dir, $how );
        return @wrong, "status $status: " . read_file("$dir/stderr") if !$kill && !$how->{launch};
        %done = done_in($dir);
    }
    return @wrong, 'never complete';
}

# Without what is verified when all suites are measured.
sub unverified ($text) { return $text =~ s/^#\@VERIFIED .*\n//mgr }

sub wrong ( $dir, $how, %done ) {
    my $text  = slurp("$dir/$how->{file}");
    my @wrong = map { "$_ lost" }
      grep { index( unverified($text), unverified( $done{$_} ) ) < 0 } sort keys %done;
    my $got = arguments_in("$dir/$how->{file}");
    push @wrong, "other arguments of $_"
      for grep { ( $got->{$_} // q{} ) ne $how->{expected}{$_} } keys %{ $how->{expected} };
    my $place = ( "$dir/$how->{file}" =~ m{\A(.*)/} )[0];
    if ( $how->{file} =~ /3\z/ ) {
        push @wrong, 'no merge of three' if slurp("$dir/skampi.out") !~ / runs=3 of=3 /;
        $place = scratch();
        write_file( "$place/skampi.out", $text );
        write_file( "$place/skampi.log", slurp("$dir/skampi.log") );
    }
    return @wrong, grep { length } unsound( $place, keys %{ $how->{expected} } );
}

my @ways = map {
    my $kind = $_;
    map { undisturbed( { %{ $KINDS{$kind} }, np => $_, kind => $kind } ) } @PROCESSES
} sort keys %KINDS;
my ( $runs, @bad ) = (0);
while ( $killed{rank} + $killed{all} + $killed{mpirun} < $KILLS && $runs < 3 * $KILLS ) {
    my $how   = $ways[ $runs++ % @ways ];
    my @wrong = disturb( $how, $runs );
    push @bad, "run $runs, $how->{kind} at $how->{np}: @wrong" if @wrong;
    diag( $bad[-1] )                                                  if @wrong;
    diag( "$runs runs, ", join ', ', map { "$_ $killed{$_}" } @WHOM ) if $runs % 20 == 0;
}
is_deeply \@bad, [], "$runs runs";
diag( "$runs runs; killed: ", join ', ', map { "$_ $killed{$_}" } @WHOM );

done_testing;
