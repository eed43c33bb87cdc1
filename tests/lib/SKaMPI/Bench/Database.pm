package SKaMPI::Bench::Database;

# How fast the result database is with many runs, and how much room it takes.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);

use SKaMPI::Bench::Figures   qw(at_most plain);
use SKaMPI::Database::Intake qw(read_upload);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest  qw($SAMPLE);
use SKaMPI::GeneratedRuns qw(fill run_text);
use SKaMPI::Test          qw(read_file scratch);

our @EXPORT_OK = qw(databases filled);

# Fewer if all sections are printed.
my $RUNS    = $ENV{RUNS} || ( ( $ENV{BENCH} // q{} ) =~ /database/ ? 10_000 : 500 );
my $ADDED   = 200;
my $BCAST   = 'syncol_MPI_Bcast-length-SM';
my $OF_SUMS = 3;

# CPU seconds of this process and of its children.
sub cpu_s ($code) {
    my @before = times;
    $code->();
    my @after = times;
    my $sum   = 0;
    $sum += $after[$_] - $before[$_] for 0 .. $OF_SUMS;
    return $sum;
}

# The path of a database with RUNS runs of 200 machines (of fewer, if there are fewer runs), made once.
sub filled () {
    state $path = do {
        my $place = scratch() . '/results.db';
        my $store = SKaMPI::Database::Store->connect_to( $place, create => 1 );
        fill( $store, runs => $RUNS, machines => max( 1, $RUNS / 50 ) );
        $place;
    };
    return $path;
}

sub databases () {
    my $store  = SKaMPI::Database::Store->connect_to( filled() );
    my $writer = SKaMPI::Database::Writer->new($store);
    my $reader = SKaMPI::Database::Reader->new( $store, public => 1 );
    my @sums   = map {
        my $text = run_text( $RUNS + $_, $RUNS / 50 );
        cpu_s( sub { $writer->add( $text, 'x.out' ) } )
    } 1 .. $ADDED;
    my @points = ( map { 5 * $_ } 1 .. 12 );
    my $name   = "$RUNS runs";
    return (
        at_most(
            "a standard run is added, $name: slowest of $ADDED",
            '%.2f s of CPU',
            max(@sums), 1
        ),
        at_most(
            "compare: 12 series, $name",
            '%.3f s of CPU',
            cpu_s( sub { $reader->series( $_, $BCAST ) for @points } ), 0.2
        ),
        at_most(
            "matrix, $name",
            '%.3f s of CPU',
            cpu_s( sub { $reader->matrix( operation => 'MPI_Bcast', argument => 1000 ) } ), 0.5
        ),
        at_most( "overview, $name", '%.3f s of CPU', cpu_s( sub { _overview($reader) } ), 0.3 ),
        plain( "size of the file, $name", '%.0f MB', ( -s filled() ) / 1e6 ),
    );
}

sub _overview ($reader) {
    $reader->counts;
    my @lists =
      ( [ $reader->machines ], [ $reader->runs( limit => 10 ) ], [ $reader->common_operations ] );
    return @lists;
}

1;
