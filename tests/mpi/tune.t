# skampi-tune on the real library: a bad choice that it was started with is found, replaced, and verified; a library
# that does not use the table is caught. This takes a minute: in the long form only. In every form, the same of a
# library that chooses when it starts, with known times.
use v5.36;

use Test::More;
use SKaMPI::Test qw(command launcher open_mpi_version scratch read_file write_file succeeds);

my $OPEN_MPI = $ENV{SKAMPI_MPI} eq 'openmpi';
my $TUNE     = 'report/tune.pl';
my $root     = qx(pwd) =~ s/\n//r;
my $dir      = scratch();

sub tune (@words) {
    return command( $dir, $^X, "$root/$TUNE", @words );
}

sub sweep_of ($suite) {
    return <<"END";
\@VERSION 4.2
\@POSTPROC no
\@SHUFFLE yes
\@MEMORY 65536
\@MINREPDEFAULT 8
\@MAXREPDEFAULT 24
\@STANDARDERRORDEFAULT 1.0
\@MEASUREMENTS
A_* { $suite Variation = Algorithm; Parameters = "passes=3"; }
END
}

subtest 'a library that chooses when it starts' => sub {
    local @ENV{qw(SHIM_PRESETS SHIM_BYTES SHIM_US)} = ( 2, 4096, 100 );
    my @start =
      ( launcher( 2, "$ENV{SKAMPI_BUILD}/tests/libalgorithms.so" ), $ENV{SKAMPI_PROGRAM}, '-q' );
    write_file( "$dir/sweep", sweep_of('Type = 17; Default_Message_length = 64, 16384;') );
    my $measured = tune( 'measure', '-d', 'starts', '-f', 'sweep', '--', @start );
    my @results  = split /\n/, $measured->{out};
    is @results, 18, 'six launches, each without and with two presets' or diag $measured->{err};
    is tune( 'write', '-o', 'our.env', @results )->{status}, 0, 'written';
    like read_file("$dir/our.env"), qr/^I_MPI_ADJUST_BCAST='1:0-16383;2:16384-2147483647'$/m,
      'the fastest one of each length';
    is tune( 'check', 'our.env' )->{status}, 0, 'nothing to object';
    my $verified =
      succeeds( tune( 'verify', '-d', 'starts.v', 'our.env', '--', @start ), 'verified' );
};

# The library's file, where a format needs it.
my ($LIBRARY) = map { / => (\S+)/ } grep { /^\s*libmpi(?:ch)?[.]so/ } qx(ldd $ENV{SKAMPI_PROGRAM});

# For each library: suite, settings that make its own choice slow, the variable of a table, before which they give way,
# the format and the number of processes; more processes than CPUs take minutes, except with Open MPI.
my $V2        = $OPEN_MPI && open_mpi_version() >= 5;
my $BCAST     = 'Type = 47; Default_Message_length = 262144, 1048576;';
my %LIBRARIES = (
    openmpi => [
        $BCAST,
        join(
            ' OMPI_MCA_coll_tuned_',
            q{}, qw(use_dynamic_rules=1 bcast_algorithm=4 bcast_algorithm_segmentsize=1024)
        ),
        OMPI_MCA_coll_tuned_dynamic_rules_filename => [ $V2 ? 'ompi-v2' : 'ompi' ],
        4
    ],
    mpich => [
        $BCAST,
        join(
            ' MPIR_CVAR_BCAST_',
            q{},
            qw(DEVICE_COLLECTIVE=0 INTRA_ALGORITHM=pipelined_tree TREE_PIPELINE_CHUNK_SIZE=256)
        ),
        MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE => [ 'mpich-json', '--library', $LIBRARY ],
        2
    ],
    intel => [
        'Type = 64; Default_Message_length = 16384, 65536;',
        'I_MPI_ADJUST_ALLGATHER=4:0-2147483647',
        I_MPI_ADJUST_ALLGATHER => ['intel-env'],
        2
    ],
);

sub planted ( $bad, $unless, @command ) {
    write_file( "$dir/planted", "#!/bin/sh\n[ -n \"\$$unless\" ] || export $bad\nexec \"\$@\"\n" );
    return ( "$dir/planted", @command );
}

subtest 'a bad choice of the real library' => sub {
    plan skip_all => 'SKAMPI_LONG=1: takes a minute' if !$ENV{SKAMPI_LONG};
    my $name = $ENV{I_MPI_ROOT} ? 'intel' : $ENV{SKAMPI_MPI};
    plan skip_all => 'MPICH 5' if $name eq 'mpich' && read_file($LIBRARY) !~ /pipelined_tree/;
    my ( $suite, $bad, $variable, $format, $np ) = $LIBRARIES{$name}->@*;
    my @command = planted( $bad, $variable, $ENV{SKAMPI_MPIRUN}, $OPEN_MPI ? '--oversubscribe' : (),
        '-np', $np, $ENV{SKAMPI_PROGRAM}, '-q' );
    write_file( "$dir/sweep", sweep_of($suite) );
    my $measured = tune( 'measure', '-f', 'sweep', '--', @command );
    my @results  = split /\n/, $measured->{out};
    cmp_ok scalar @results, '>=', 6, 'six launches' or diag $measured->{err};
    my $chosen = succeeds( tune( 'choose', '-o', 'merged.out', @results ), 'chosen' );
    like $chosen->{out}, qr/^(\d) of \1 cells have another algorithm/m, 'the bad choice is found'
      or diag $chosen->{out};
    my $page =
      qx(cd $dir && $^X $root/report/dorep.pl --format html merged.out && cat merged.out.html);
    like $page, qr/Algorithms of collectives \(6 launches\).*<span class="heat[1-4]">/s,
      'the merged launches have the table in their report';
    my $written =
      succeeds( tune( 'write', '-o', 'table', '--format', @{$format}, @results ), 'written' );
    is tune( 'check', 'table' )->{status}, $V2 ? 1 : 0,
      'nothing to object but that older versions do not read it';
    my $verified = succeeds( tune( 'verify', 'table', '--', @command ), 'verified' );
    my ($ratio) = $verified->{out} =~ /^sum of all cells, tuned\/own: ([\d.]+)/m;
    cmp_ok $ratio // 1, '<', $name eq 'intel' ? 0.9 : 0.1, 'and faster';
    return if !$OPEN_MPI;

    # A library that does not use the table.
    my @deaf = ( @command[ 0, 1 ], '--mca', 'coll_tuned_use_dynamic_rules', 0 );
    my $deaf = tune( 'verify', '-d', 'deaf', 'table', '--', @deaf, @command[ 2 .. $#command ] );
    is $deaf->{status}, 1, 'exit 1';
    like $deaf->{out}, qr/not faster|: not obeyed|goes back/, 'it gains nothing'
      or diag $deaf->{err};
    write_file( "$dir/dropped", read_file("$dir/table") =~ s/^0( \d+ 0 0(?: 0)?)$/7$1/mr );
    my $dropped = tune( 'verify', '-d', 'dropped.d', 'dropped', '--', @command );
    is $dropped->{status}, 1, 'a file that the library drops';
    like $dropped->{err}, qr/not obeyed: the library drops the whole file/, 'and why';
};

done_testing;
