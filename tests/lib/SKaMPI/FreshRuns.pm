package SKaMPI::FreshRuns;

# Result files that the program has just written, on a simulated machine or with this MPI library.
use v5.36;

use Cwd      qw(getcwd);
use Exporter qw(import);

use SKaMPI::Sim  qw(build simulate);
use SKaMPI::Test qw(mpirun read_file scratch write_file);

our @EXPORT_OK = qw(fresh_run);

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

1;
