package SKaMPI::Faults;

# Shared by the tests of faults: runs that are made to fail, and whether their files are sound.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use File::Temp qw(tempdir);
use POSIX      qw(WNOHANG);
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Test qw(files_in launcher read_file slurp write_file);
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(torture memory_scratch copies_of dummy_labels dummy counted blocks_of unsound
  config_of labels_of start start_mpirun start_stopped ranks_in await_end
  wait_for_suite);

# Open MPI's mpirun sometimes hangs on exit after a kill (its PMIx waits for a lock that it holds).
# It counts as hanging if it has had no rank and has not worked for this time.
my $LAUNCHER_ALONE_S = 30;

sub torture () {
    return $ENV{SKAMPI_LONG};
}

# A directory in memory if possible: syncing costs nothing there.
sub memory_scratch () {
    return tempdir( CLEANUP => 1, -w '/dev/shm' ? ( DIR => '/dev/shm' ) : () );
}

sub dummy_labels ($suites) {
    return map { sprintf 'col_%02d', $_ - 1 } 1 .. $suites;
}

# Runs tests/faults/dummy_run.c in a directory, with a disk that behaves as $io says (io.c). Returns
# status, signal, err. It starts the process itself: there are thousands of them.
sub dummy ( $dir, $io, @args ) {
    my $pid = fork // die "fork: $!\n";
    if ( $pid == 0 ) {
        chdir $dir or die "$dir: $!\n";
        open STDERR, '>', 'stderr' or die "stderr: $!\n";
        local $ENV{LD_PRELOAD}      = "$ENV{SKAMPI_BUILD}/tests/libio.so";
        local $ENV{SKAMPI_IO}       = $io;
        local $ENV{SKAMPI_IO_COUNT} = 'counts';
        exec "$ENV{SKAMPI_UNIT}/dummy_run", @args or die "dummy_run: $!\n";
    }
    waitpid $pid, 0;
    return { status => $? >> 8, signal => $? & 127, err => read_file("$dir/stderr") };
}

# A function that makes directories with the files that PREPARE has written to one.
sub copies_of ($prepare) {
    my $first = memory_scratch();
    $prepare->($first);
    my %content = map { $_ => read_file("$first/$_") } files_in($first);
    return sub () {
        my $dir = memory_scratch();
        write_file( "$dir/$_", $content{$_} ) for keys %content;
        return $dir;
    };
}

# The number of calls of each kind that io.c counted there.
sub counted ($dir) {
    return map { split } split /\n/, read_file("$dir/counts");
}

# The complete blocks of an output text: label => [texts].
sub blocks_of ($text) {
    my %blocks;
    while ( $text =~ m{^(#/[*]\@in(\S+)[.]ski[*]/\n.*?^#eol\n)}msg ) {
        push @{ $blocks{$2} }, $1;
    }
    return \%blocks;
}

# The faults in the files of a run that claims to be finished.
sub unsound ( $dir, @labels ) {
    my ( $out, $log ) = map { read_file("$dir/skampi.$_") } qw(out log);
    my @wrong;
    my $blocks = blocks_of($out);
    my @named  = $out =~ m{^#/[*]\@in(\S+)[.]ski[*]/$}mg;
    push @wrong, "suites @named" if join( q{ }, sort @named ) ne join q{ }, sort @labels;
    push @wrong, 'a torn block'  if ( () = $out =~ m{/[*]\@in}g ) != @named;
    push @wrong, "no complete block of $_" for grep { !$blocks->{$_} } @labels;
    push @wrong, 'no header' if $out !~ /\A#\@/;
    push @wrong, 'no trailer at the end'
      if $out !~ /^#eol\n(?:#(?:\@| ).*\n)*#skampi finished[.]\n\z/m;
    push @wrong, 'a second trailer'  if ( () = $out =~ /^#skampi finished/mg ) > 1;
    push @wrong, 'a malformed line'  if $out =~ /^[^#\d]/m || $out =~ /^$/m;
    push @wrong, 'a journal is left' if -e "$dir/skampi.out.journal";
    my $form = qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (?:run|suite|note|merge)/;
    push @wrong, 'the log has other lines' if grep { !/$form/ } split /\n/, $log;
    push @wrong, unsound_times($dir) if !@wrong;
    return join '; ', @wrong;
}

# The faults in the times of suites that keep them. Only a run whose file with times was never
# changed by others is sound.
sub unsound_times ($dir) {
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    my @wrong;
    for my $suite ( $output->suites ) {
        my $times = SKaMPI::Read::Times->new( $output->path, $suite ) or next;
        push @wrong, $times->problems;
        for my $row ( @{ $suite->rows } ) {
            my $of = $times->distribution( $row->{argument} // 0 );
            push @wrong, "other times of " . $suite->label
              if !$of || $of->count != $row->{count_all};
        }
    }
    return @wrong;
}

sub wait_for_suite ( $dir, $label ) {
    sleep 0.05 until slurp("$dir/skampi.log") =~ /begin \Q$label\E$/m;
    return;
}

# Twelve suites that take no time, of fixed scale, after @more, with one visit. Every third one keeps its
# times.
sub config_of (@more) {
    my @types = ( 1, 5, 8, 24, 17, 19, 20, 21, 35, 33, 18, 49 );
    my $text  = join q{}, "\@VERSION 4.1\n\@POSTPROC no\n", @more, "\@MEASUREMENTS\n";
    for my $i ( 0 .. $#types ) {
        my $range = $types[$i] =~ /^(?:24|18|49)$/ ? q{} : 'End_Argument = 64; Stepwidth = 4; ';
        $range .= sprintf 'Parameters = "passes=1%s"; ',
          $i % 3 == 1 ? ' histogram=yes raw=yes' : q{};
        $text .= sprintf "S%02d { Type = %d; Scale = Fixed_log; %s}\n", $i + 1, $types[$i], $range;
    }
    return $text;
}

sub labels_of () {
    my @prefixes = qw(p2p p2p p2p simple col col col col col col col syncol);
    return map { sprintf '%s_S%02d', $prefixes[$_], $_ + 1 } 0 .. $#prefixes;
}

# Starts a program in the background. Returns its pid; messages go to the files stdout and stderr.
sub start ( $dir, @command ) {
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    chdir $dir or die "$dir: $!\n";
    open STDIN,  '<',  '/dev/null' or die "stdin: $!\n";
    open STDOUT, '>>', 'stdout'    or die "stdout: $!\n";
    open STDERR, '>>', 'stderr'    or die "stderr: $!\n";
    exec @command or die "$command[0]: $!\n";
}

# Starts a run; returns the pid of mpirun.
sub start_mpirun ( $dir, $np, @args ) {
    my @preloaded = defined $ENV{SKAMPI_ABORT} ? "$ENV{SKAMPI_BUILD}/tests/libabort.so" : ();
    return start( $dir, launcher( $np, @preloaded ), $ENV{SKAMPI_PROGRAM}, '-q', @args );
}

# Such a run in which both processes have stopped themselves in this call of MPI (abort.c).
sub start_stopped ( $dir, $call ) {
    local $ENV{SKAMPI_ABORT} = "$call:stop";
    my $mpirun = start_mpirun( $dir, 2 );
    sleep 0.05 while 2 != grep { slurp("/proc/$_/stat") =~ /[)] T / } ranks_in($dir);
    return $mpirun;
}

# The processes that work in or below this directory and run a program that matches, even if their parent is gone.
sub processes_in ( $dir, $program = qr/./ ) {
    my @found;
    for my $cwd ( glob '/proc/[0-9]*/cwd' ) {
        next if ( readlink($cwd) // q{} ) !~ m{\A\Q$dir\E(?:/|\z)};
        my ($pid) = $cwd =~ /(\d+)/;
        push @found, $pid if ( readlink("/proc/$pid/exe") // q{} ) =~ $program;
    }
    return @found;
}

sub ranks_in ($dir) {
    my $program = abs_path( $ENV{SKAMPI_PROGRAM} );
    return processes_in( $dir, qr/\A\Q$program\E\z/ );
}

# State and CPU time of processes; a line each.
sub work_of (@pids) {
    return join q{}, map { join( q{ }, ( split q{ }, $_ )[ 0, 11, 12 ] ) . "\n" }
      map { slurp("/proc/$_/stat") =~ s/.*[)] //sr } @pids;
}

# Returns the status of the launcher. What hangs below it is killed: without a rank, and without using the CPU.
# skampi-launch, in Perl, looks after mpirun all the time.
sub await_launcher ( $dir, $launcher ) {
    my ( $alone, $last ) = ( time, q{} );
    while ( !waitpid $launcher, WNOHANG ) {
        my @work = processes_in( $dir, qr{/(?!perl)[^/]*\z} );
        @work = $launcher if !@work;
        my $now = work_of(@work);
        ( $alone, $last ) = ( time, $now ) if $now =~ /^R/m || $now ne $last || ranks_in($dir);
        sleep 0.05;
        next if time - $alone < $LAUNCHER_ALONE_S;
        diag("hangs without a rank; killing it: @work");
        kill 'KILL', @work;
    }
    return $? >> 8 || $? & 127;
}

# Waits until the launcher and all below it have exited, or kills what does not. Returns the exit status.
sub await_end ( $dir, $launcher ) {
    my $status = await_launcher( $dir, $launcher );
    for ( 1 .. 100 ) {
        return $status if !processes_in($dir);
        sleep 0.05;
    }
    kill 'KILL', processes_in($dir);
    return $status;
}

1;
