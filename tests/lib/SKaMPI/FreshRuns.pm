package SKaMPI::FreshRuns;

# Result files that the program has just written, on a simulated machine or with this MPI library, and a report.
use v5.36;

use Cwd         qw(getcwd);
use Digest::SHA qw(sha1_hex);
use Exporter    qw(import);
use Fcntl       qw(LOCK_EX);
use File::Path  qw(remove_tree);

use SKaMPI::Install    qw(paths_under);
use SKaMPI::ReportTest qw(dorep);
use SKaMPI::Sim        qw(build simulate);
use SKaMPI::Test       qw($ROOT command mpirun read_file scratch write_file);

our @EXPORT_OK = qw(fresh_report fresh_run);

my $SUITES = <<'END';
Ping { Type = 1; Variation = Length; Scale = Dynamic_log; Start_Argument = 4; End_Argument = 4096; Stepwidth = 8; }
Bcast { Type = 47; Variation = Length; Scale = Fixed_log; Start_Argument = 4; End_Argument = 4096; Stepwidth = 32; }
END

# The bytes of a run. processes, machine (the text of @MACHINE), suites, sections (of the parameter file) and
# environment (a hash); real => 1 for this MPI library, not the simulated one.
sub fresh_run (%with) {
    my $dir = scratch();
    my ( $np, $machine ) = ( $with{processes} // 2, $with{machine} // 'Some machine' );
    write_file( "$dir/p.skampi", <<"END" . ( $with{suites} // $SUITES ) );
\@VERSION 4.1
\@MACHINE $machine
\@MEMORY 64
\@MAXREPDEFAULT 8
\@MINREPDEFAULT 4
\@MAXSTEPSDEFAULT 6
\@TIMEMEASDEFAULT 0.0005
@{[ $with{sections} // q{} ]}
\@MEASUREMENTS
END
    local @ENV{ keys %{ $with{environment} // {} } } = values %{ $with{environment} // {} };
    my @options = qw(--quiet -f p.skampi);
    if ( $with{real} ) {
        my $run = mpirun( $dir, $np, @options );
        die "$run->{out}$run->{err}" if $run->{status};
        return read_file("$dir/skampi.out");
    }
    state $skampi = ( build('truth') )[0];
    my $here = getcwd();
    chdir $dir or die "$dir: $!\n";
    my $said = eval { simulate( $with{platform} // 'flat', $np, $skampi, @options ); 1 };
    my $why  = $@;
    chdir $here or die "$here: $!\n";
    die $why if !$said;
    return read_file("$dir/skampi.out");
}

# A directory of the caller's own with a run of the quick suites on four processes, skampi.out, and its report in all
# formats, with the files that were typeset. The first that asks makes it, below build/; others wait, and copy it as
# long as neither program nor report changes.
sub fresh_report () {
    my $place = "$ROOT/build/fresh";
    mkdir $place;
    my $lock = _locked("$place.lock");
    my $made = "$place/" . _identity();
    if ( !-e "$made/said" ) {
        remove_tree( $place, { keep_root => 1 } );
        mkdir $made or die "$made: $!\n";
        my ($suites) = read_file("$ROOT/configs/quick.skampi") =~ /^\@MEASUREMENTS\n(.*)/ms;
        write_file( "$made/skampi.out", fresh_run( suites => $suites, processes => 4 ) );
        my $report = dorep( $made, qw(--format all -t) );
        die $report->{err} if $report->{status} || $report->{err} ne q{};
        write_file( "$made/said", $report->{out} );
    }
    my $dir  = scratch();
    my $copy = command( $ROOT, qw(cp -r), "$made/.", $dir );
    die $copy->{err} if $copy->{status};
    return $dir;
}

# The lock lasts as long as the handle.
sub _locked ($path) {
    open my $lock, '>>', $path or die "$path: $!\n";
    flock $lock, LOCK_EX or die "$path: $!\n";
    return $lock;
}

# Changes with all that such a report is made from.
sub _identity () {
    my @files = (
        ( map { "$ROOT/report/$_" } grep { !m{/\z} } paths_under("$ROOT/report") ),
        ( map { "$ROOT/$_" } qw(configs/quick.skampi tests/sim/flat.xml build/catalog.json) ),
        __FILE__,
        build('truth')
    );
    return sha1_hex( join q{ }, map { ( $_, ( stat $_ )[ 7, 9 ] ) } @files );
}

1;
