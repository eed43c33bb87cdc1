package SKaMPI::Test;

# Runs skampi, with and without mpirun, in a directory of the test's own. "make check" sets
# environment variables that say which program and which mpirun.
use v5.36;

use Encode   qw(encode);
use Exporter qw(import);
use File::Spec;
use File::Temp qw(tempdir);
use IPC::Run   qw(run);
use Test::More ();

our @EXPORT_OK = qw($ROOT scratch workplace enter_scratch write_file read_file slurp files_in golden
  cpus manual_table skampi mpirun mpirun_each mpi_program shimmed_mpirun shimmed_program preloaded_mpirun
  program_passes command launcher keep_journal interrupt
  is_measured succeeds lacks_results is_intel open_mpi_version sections suites_of plan_of without_skips blocks_of refusals);

our $ROOT = File::Spec->rel2abs(__FILE__) =~ s{/tests/lib/SKaMPI/Test[.]pm\z}{}r;

sub scratch () {
    return tempdir( CLEANUP => 1 );
}

# A parameter file up to its suites, of version 4.2 and without @POSTPROC unless these sections say otherwise.
sub sections (%values) {
    my %all = ( VERSION => '4.2', POSTPROC => 'no', %values );
    return join q{}, ( map { "\@$_ $all{$_}\n" } sort keys %all ), "\@MEASUREMENTS\n";
}

# Gives the journal of the next run in this directory a second name, which remains when the run is complete.
sub keep_journal ($dir) {
    unlink "$dir/.journal";
    write_file( "$dir/skampi.out.journal", q{} );
    return link "$dir/skampi.out.journal", "$dir/.journal" || die "link: $!\n";
}

# Makes the complete run one that ended within this suite, after the last of its visits.
sub interrupt ( $dir, $label ) {
    my $journal = read_file("$dir/.journal") =~ s/(?:^ [^\n]*\n)*^\S+ suite-end \Q$label\E\n.*//msr;
    my $results = read_file("$dir/skampi.out") =~ s{^#-----\n#/[*]\@in\Q$label\E[.]ski.*}{}msr;
    write_file( "$dir/skampi.out.journal", $journal );
    return write_file( "$dir/skampi.out", $results );
}

# A directory of the test's own with these files: names and bytes or characters.
sub workplace (%files) {
    my $dir = scratch();
    for my $name ( keys %files ) {
        my $text = $files{$name};
        write_file( "$dir/$name", utf8::is_utf8($text) ? encode( 'UTF-8', $text ) : $text );
    }
    return $dir;
}

# Makes a directory of the test's own the current one; returns its path.
sub enter_scratch () {
    my $dir = scratch();
    chdir $dir or die "$dir: $!\n";
    return $dir;
}

# A script can be executed.
sub write_file ( $path, $content ) {
    open my $out, '>:raw', $path or die "$path: $!\n";
    print {$out} $content or die "$path: $!\n";
    close $out            or die "$path: $!\n";
    chmod oct 755, $path if $content =~ /\A#!/;
    return $path;
}

sub read_file ($path) {
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    my $content = <$in>;
    close $in or die "$path: $!\n";
    return $content;
}

# Empty without such a file.
sub slurp ($path) {
    return -e $path ? read_file($path) : q{};
}

sub files_in ($dir) {
    opendir my $handle, $dir or die "$dir: $!\n";
    my @names = sort grep { !/^[.][.]?$/ } readdir $handle;
    closedir $handle or die "$dir: $!\n";
    return @names;
}

# The blocks of a table: lists of a line, and of the lines below it that are indented by two columns, or that follow it
# after ' :: '. A line that is indented by four continues the one before.
sub blocks_of ($text) {
    return map { [ split /\n {2}|[ ]::[ ]/ ] } split /\n(?=\S)/,
      $text =~ s/\n {4}/ /gr =~ s/\n\z//r;
}

# The content of a golden file; with GOLDEN=write it is replaced by this text.
sub golden ( $path, $text ) {
    write_file( $path, $text ) if ( $ENV{GOLDEN} // q{} ) eq 'write';
    return slurp($path);
}

# Runs a command in a directory. Returns status, signal, out, err.
sub command ( $dir, @command ) {
    my ( $out, $err ) = ( q{}, q{} );
    run \@command, '<', \undef, '>', \$out, '2>', \$err,
      init => sub { chdir $dir or die "$dir: $!\n" };
    return { status => $? >> 8, signal => $? & 127, out => $out, err => $err };
}

sub skampi ( $dir, @args ) {
    return command( $dir, $ENV{SKAMPI_PROGRAM}, @args );
}

# A table of the manual by its name, or a manual page, from what the program knows.
sub manual_table ($wanted) {
    my $catalog =
      write_file( scratch() . '/catalog.json', skampi( scratch(), '--catalog' )->{out} );
    my $run = command( scratch(), $^X, "$ROOT/docs/tables.pl", $catalog, $wanted );
    die "tables.pl: $run->{err}" if $run->{status} ne '0';
    return $run->{out};
}

# The CPUs that processes of a test may use: mpirun binds them also to those that this process may not use.
sub cpus () {
    my $online = read_file('/sys/devices/system/cpu/online') =~ s/\n//r;
    my $status = qx{taskset -c $online grep Cpus_allowed_list /proc/self/status};
    my @cpus   = map { /^(\d+)-(\d+)$/ ? $1 .. $2 : $_ } split /,/, $status =~ s/.*:\s*//r;
    return @cpus;
}

# Makes MPICH yield the CPU while it waits, if other processes need it.
sub naps ($np) {
    my $naps = "$ENV{SKAMPI_BUILD}/tests/naps.so";
    return $np > cpus() && -e $naps ? $naps : ();
}

# Intel's mpirun is a shell script, and ends with 255 if one process ends early.
sub is_intel () { return qx{$ENV{SKAMPI_MPIRUN} --version} =~ /Intel/ }

sub open_mpi_version () {
    my $program = $ENV{SKAMPI_MPIRUN};
    return qx{$program --version} =~ /\(Open MPI\) (\d+)/ ? $1 : 0;
}

# With SKAMPI_RECORDED, a directory, the recorder of skampi-profile is between all programs and MPI.
sub launcher ( $np, @preloaded ) {
    my @oversubscribe = $ENV{SKAMPI_MPI} eq 'openmpi' ? ('--oversubscribe') : ();
    my @recorded;
    if ( $ENV{SKAMPI_RECORDED} ) {
        push @preloaded, "$ENV{SKAMPI_BUILD}/libskampi-record.so";
        @recorded = ( "SKAMPI_RECORD=$ENV{SKAMPI_RECORDED}/$$", 'SKAMPI_RECORD_SPLIT=3' );
    }
    push @preloaded, naps($np);
    my @env = @preloaded ? ( 'env', 'LD_PRELOAD=' . join( q{:}, @preloaded ), @recorded ) : ();
    return ( $ENV{SKAMPI_MPIRUN}, @oversubscribe, '-np', $np, @env );
}

sub mpirun ( $dir, $np, @args ) {
    return command( $dir, launcher($np), $ENV{SKAMPI_PROGRAM}, @args );
}

# Runs programs that end at once, with the exit status of every rank: mpirun reports only the
# first one that is not 0, and takes seconds to end the others. Also returns ranks.
sub mpirun_each ( $dir, $np, @args ) {
    my $statuses = scratch();
    my $report   = '"$@"; echo $? >"$0/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"';
    my $run =
      command( $dir, launcher($np), 'sh', '-c', $report, $statuses, $ENV{SKAMPI_PROGRAM}, @args );
    my %status = map { $_ => read_file("$statuses/$_") =~ s/\n//r } files_in($statuses);
    $run->{ranks} = join q{ }, map { $status{$_} // 'none' } 0 .. $np - 1;
    return $run;
}

sub mpi_program ( $np, $name, @args ) {
    return command( q{.}, launcher($np), "$ENV{SKAMPI_BUILD}/tests/$name", @args );
}

# The tests that such a program prints, as many as it plans or COUNT, are right.
sub program_passes ( $np, $name, $count = undef ) {
    my $run = mpi_program( $np, $name );
    my @ok  = $run->{out} =~ /^(ok .*)$/mg;
    ($count) = $run->{out} =~ /^1[.][.]([1-9]\d*)$/m if !defined $count;
    Test::More::is( $run->{status}, 0, "$name, $np processes" )
      || Test::More::diag( $run->{err}, $run->{out} );
    Test::More::is( scalar @ok, $count, 'all of its tests' );
    Test::More::is_deeply( [ $run->{out} =~ /^(not ok .*)$/mg ], [], 'are right' );
    return;
}

# The environment is for the ranks only, not for mpirun.
sub shimmed ( $np, $settings ) {
    return ( launcher( $np, "$ENV{SKAMPI_BUILD}/tests/libshim.so" ),
        'env', "SKAMPI_SHIM=$settings" );
}

# mpirun with the shim between skampi and MPI, and what SKAMPI_SHIM says (tests/shim/shim.h).
sub shimmed_mpirun ( $dir, $np, $settings, @args ) {
    return command( $dir, shimmed( $np, $settings ), $ENV{SKAMPI_PROGRAM}, @args );
}

sub shimmed_program ( $np, $settings, $name, @args ) {
    return command( q{.}, shimmed( $np, $settings ), "$ENV{SKAMPI_BUILD}/tests/$name", @args );
}

# mpirun with a library of the tests between skampi and MPI.
sub preloaded_mpirun ( $dir, $np, $library, @args ) {
    return command( $dir, launcher( $np, "$ENV{SKAMPI_BUILD}/tests/$library" ),
        $ENV{SKAMPI_PROGRAM}, @args );
}

# Each line of a table is "STATUS WORDS : PATTERN": RUN with these words ends with this status, prints nothing else than
# a message of one line, and that matches.
sub refusals ( $table, $run ) {
    for my $line ( split /\n/, $table ) {
        my ( $status, $words, $message ) = $line =~ /\A(\d+)(.*?) : (.*)\z/
          or die "bad line: $line\n";
        my $got = $run->( split q{ }, $words );
        Test::More::is( "$got->{status} $got->{out}", "$status ", $line );
        Test::More::like( $got->{err}, qr/\A[\w-]+: [^\n]*(?:$message)[^\n]*\n\z/, 'one message' );
    }
    return;
}

# Messages without the warning, and its place, about what this MPI library lacks.
sub without_skips ($messages) {
    return $messages =~
      s/^[^:\n]+:\d+:\d+: warning: suite '[^']*': skipped, .*\n(?:[ ]{4}.*\n){2}//mgr;
}

# Whether a run says so. If other programs use the CPUs, the processes of a synchronised suite may fail to start
# together: arguments have no result then, and the run's exit status is 1.
sub lacks_results ($messages) { return $messages =~ /^skampi: \S+: no result for \d+ of/m }

# A run has measured all that this machine allows.
sub is_measured ( $run, $name ) {
    return Test::More::is( $run->{status}, lacks_results( $run->{err} ) ? 1 : 0, $name )
      || Test::More::diag( $run->{err} );
}

# Returns a run, whose exit status must be 0.
sub succeeds ( $run, $name ) {
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    Test::More::is( $run->{status}, 0, $name ) || Test::More::diag( $run->{out}, $run->{err} );
    return $run;
}

# The suites of an output text: label => { rows => [[columns]], complete => bool }.
sub suites_of ($text) {
    my ( %suites, $now );
    for my $line ( split /\n/, $text ) {
        if ( $line =~ m{^#/[*]\@in(\S+)[.]ski[*]/} ) {
            $now = $suites{$1} = { rows => [], complete => 0 };
        }
        elsif ( $line =~ /^#eol/ ) {
            $now->{complete} = 1;
        }
        elsif ( $line =~ /^[^#]/ ) {
            push @{ $now->{rows} }, [ split q{ }, $line ];
        }
    }
    return \%suites;
}

# The suites of what --check prints: label => { kib, most, arguments => [those shown] }.
sub plan_of ($text) {
    my %plan;
    for my $suite ( $text =~ /^(\S+\n(?:[ ]+\S.*\n)+)/mg ) {
        my ( $label, $type, $variation, $arguments ) = split /\n\s*/, $suite, 4;
        my ($kib)  = $type =~ /, (\d+) KiB per process$/;
        my ($most) = ( $variation // q{} ) =~ /: (?:at most )?(\d+) arguments?\b/;
        my ($list) = ( $arguments // q{} ) =~ /^([\d\s]*)/;
        $plan{$label} = { kib => $kib, most => $most, arguments => [ split q{ }, $list ] };
    }
    return \%plan;
}

1;
