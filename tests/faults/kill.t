#!/usr/bin/perl
# A rank, all ranks or mpirun are killed at any moment, and skampi is launched until --status reports
# that the run is complete. Then every suite occurs once, with the arguments of an undisturbed run.
use v5.36;

use Test::More;
use Time::HiRes    qw(sleep time);
use SKaMPI::Faults qw(torture unsound config_of labels_of start_mpirun ranks_in await_end);
use SKaMPI::Test   qw(scratch read_file write_file skampi mpirun suites_of);

my @WHOM       = qw(rank all mpirun);
my $RUNS       = torture() ? 100 : @WHOM;
my $MAX_STARTS = 40;
my $seed       = $ENV{SKAMPI_SEED} // int( rand 1e9 );
srand $seed;
diag("SKAMPI_SEED=$seed");

sub prepared () {
    my $dir    = scratch();
    my $config = config_of("\@MINREPDEFAULT 500\n\@MAXREPDEFAULT 500\n");
    write_file( "$dir/.skampi", $config =~ s/passes=1/passes=auto/gr );
    return $dir;
}

sub arguments_in ($dir) {
    my $suites = suites_of( read_file("$dir/skampi.out") );
    return {
        map {
            $_ => join q{ }, map { $_->[0] =~ /^\d+$/ ? $_->[0] : q{-} } @{ $suites->{$_}{rows} }
        } keys %{$suites}
    };
}

my %killed = ( rank => 0, all => 0, mpirun => 0 );

# Waits until any time of the run, MPI_Init and MPI_Finalize included, but mostly until there are
# results to lose.
sub wait_some ( $dir, $takes ) {
    my $until = time + $takes;
    if ( rand 3 > 1 ) {
        sleep 0.002 while !-s "$dir/skampi.out" && time < $until;
        $takes /= 3;
    }
    sleep rand $takes;
    return;
}

# Nothing if all processes have exited.
sub kill_some ( $dir, $mpirun, $whom ) {
    my @ranks = ranks_in($dir);
    my @pids  = $whom eq 'mpirun' ? ($mpirun) : $whom eq 'all' ? @ranks : $ranks[ rand @ranks ];
    $killed{$whom}++ if @ranks && kill 'KILL', @pids;
    return;
}

my $plain = prepared();
my $began = time;
is mpirun( $plain, 2, '-q' )->{status}, 0, 'undisturbed';
my $takes    = time - $began;
my $expected = arguments_in($plain);
is join( q{ }, sort keys %{$expected} ), join( q{ }, sort( labels_of() ) ), 'twelve suites';

# Kills once, in the long form up to three times, then lets the run complete. Returns what went wrong, and the number
# of launches.
sub disturb ( $dir, $run ) {
    my $kills = torture() ? 1 + int rand 3 : 1;
    for my $starts ( 1 .. $MAX_STARTS ) {
        my $mpirun = start_mpirun($dir);
        my $kill   = $starts <= $kills;
        wait_some( $dir, $takes )                                       if $kill;
        kill_some( $dir, $mpirun, $WHOM[ ( $run + $starts ) % @WHOM ] ) if $kill;
        my $status = await_end( $dir, $mpirun );
        my $seen   = skampi( $dir, '--status' );
        return ( q{},                                           $starts ) if $seen->{status} == 0;
        return ( "status $seen->{status}: $seen->{err}",        $starts ) if $seen->{status} != 3;
        return ( "status $status: " . read_file("$dir/stderr"), $starts )
          if !$kill;
    }
    return ( 'never complete', $MAX_STARTS );
}

my ( $all_starts, $crashes, @bad ) = ( 0, 0 );
for my $run ( 1 .. $RUNS ) {
    my $dir = prepared();
    my ( $wrong, $starts ) = disturb( $dir, $run );
    $all_starts += $starts;
    if ( !length $wrong ) {
        mpirun( $dir, 2, '-q' ) if read_file("$dir/skampi.log") !~ /run-end skampi.out\n\z/;
        $wrong = unsound( $dir, labels_of() );
        $crashes += () = read_file("$dir/skampi.log") =~ /suite-crashed/g;
        my $got = arguments_in($dir);
        $wrong .= "; other arguments of $_"
          for grep { ( $got->{$_} // q{} ) ne $expected->{$_} } keys %{$expected};
    }
    push @bad, "run $run: $wrong" if length $wrong;
    note("$run runs, $all_starts launches") if $run % 20 == 0;
}
is_deeply \@bad, [], "$RUNS runs";
diag( "$RUNS runs, $all_starts launches, $crashes of them ended during a suite; killed: ",
    join ', ', map { "$_ $killed{$_}" } sort keys %killed );

done_testing;
