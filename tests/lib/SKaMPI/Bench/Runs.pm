package SKaMPI::Bench::Runs;

# The cost of whole runs: the standard suite, a large parameter file, more processes than CPUs.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(sum0);
use Time::HiRes            qw(time);
use SKaMPI::Bench::Figures qw(median plain at_most at_least within);
use SKaMPI::Bench::Launch
  qw(root launches progress alternating mpirun program ended_well skampi skampi_file peak_kib);
use SKaMPI::Test qw(scratch read_file write_file);

our @EXPORT_OK = qw(marks standard more_standard large oversubscribed cpus);

sub cpus () {
    my ($out) = ended_well('nproc');
    return $out + 0;
}

# --- the standard suite ---

sub standard_path () {
    return root() . '/configs/standard.skampi';
}

# "12.3 s, 45.0 % measuring, 2.0 % synchronising, 20.0 % waiting".
sub shares ($output) {
    my %share;
    @share{qw(wall_s measuring synchronising waiting)} =
      $output->field('WALLTIME') =~ /^([\d.]+) s, ([\d.]+) %.*? ([\d.]+) %.*? ([\d.]+) %/;
    return \%share;
}

sub rows_of ($output) {
    return map { @{ $_->{rows} } } $output->suites;
}

# The targets at any number of processes.
sub whole ( $np, $output ) {
    my $planned        = () = read_file( standard_path() ) =~ /^\s*Type\s*=/mg;
    my $complete       = grep { $_->{complete} } $output->suites;
    my $unsynchronised = grep { $_->{extras}{stop} eq 'unsynchronised' } rows_of($output);
    return (
        at_least( "np = $np: complete suites", '%d', $complete, $planned ),
        at_most(
            "np = $np: rows unsynchronised",
            '%d', $unsynchronised, 0,
            sprintf ' of %d',
            scalar rows_of($output)
        ),
    );
}

sub measuring ($output) {
    my $share = shares($output);
    return (
        at_most( 'np = 2: wall time', '%.1f s', $share->{wall_s}, 180 ),
        at_least( 'np = 2: measuring', '%.1f %%', $share->{measuring}, 40 ),
        plain( 'np = 2: synchronising', '%.1f %%', $share->{synchronising} ),
        plain( 'np = 2: waiting',       '%.1f %%', $share->{waiting} ),
    );
}

# Peak resident memory, less the message buffers, less that of a program that does nothing.
sub memory ($peak_kib) {
    my ($pool_kib) = read_file( standard_path() ) =~ /^\@MEMORY (\d+)/m;
    my ( undef, $err ) = ended_well( mpirun(2), program('peak'), program('nothing') );
    my $more_kib = $peak_kib - $pool_kib - peak_kib($err);
    return at_most( 'np = 2: memory of a process', '%.1f MiB', $more_kib / 1024, 16 );
}

sub standard () {
    progress('standard.skampi, 2 processes');
    my ( $output, $err ) = skampi_file( 2, standard_path(), program('peak') );
    return ( measuring($output), whole( 2, $output ), memory( peak_kib($err) ) );
}

sub more_standard () {
    return map {
        progress("standard.skampi, $_ processes");
        my ($output) = skampi_file( $_, standard_path() );
        my $wall_s = shares($output)->{wall_s};
        ( at_most( "np = $_: wall time", '%.1f s', $wall_s, 900 ), whole( $_, $output ) )
    } 3, 4;
}

# --- marks ---

# How many rows there are, with each mark (x: inaccurate), and good: without any.
sub marks_in ($output) {
    my %count = map { $_ => 0 } qw(rows good x * ! ^);
    for my $suite ( grep { !$_->is_internal } $output->suites ) {
        for my $row ( @{ $suite->{rows} } ) {
            my $marks = ( $suite->is_inexact($row) ? 'x' : q{} ) . $suite->marks($row);
            $count{$_}++ for 'rows', length $marks ? split( //, $marks ) : 'good';
        }
    }
    my ( $steal, $share ) = map { ( $output->field($_) // q{} ) =~ /^([\d.]+)/ } qw(STEAL CPUSHARE);
    my $percent = 100 * $count{good} / $count{rows};
    return { %count, percent => $percent, steal => $steal, share => $share };
}

sub best_marks ($name) {
    my $count = launches(5);
    my ($best) = sort { $b->{percent} <=> $a->{percent} } map {
        progress("$name.skampi, launch $_ of $count");
        marks_in( ( skampi_file( 2, root() . "/configs/$name.skampi" ) )[0] )
    } 1 .. $count;
    my $others = sprintf ' (inaccurate %d, * %d, ! %d, ^ %d of %d; steal %s %%, share %s %%)',
      @{$best}{qw(x * ! ^ rows steal share)};
    return at_least( "$name: good rows, best of $count", '%.0f %%', $best->{percent}, 70, $others );
}

sub marks () {
    return map { best_marks($_) } qw(quick standard);
}

# --- a large parameter file ---

sub large () {
    progress('10,000 suites');
    my $suites = join q{},
      map { "suite-$_ { Type = 17; Variation = Length; Scale = Dynamic_log; }\n" } 1 .. 10_000;
    my $path = write_file( scratch() . '/many.skampi', "\@VERSION 4.1\n\@MEASUREMENTS\n$suites" );
    my $started_s = time;
    ended_well( root() . '/skampi', '--check', $path );
    return at_most( '10,000 suites: read, checked, planned', '%.2f s', time - $started_s, 1 );
}

# --- more processes than CPUs ---

# The same operation, synchronised and by barriers.
my @OPERATIONS =
  ( [ Bcast => 47, 17 ], [ Allreduce => 61, 36 ], [ Alltoall => 55, 20 ], [ Barrier => 49, 18 ] );

sub crowded_suite ( $np, $name, $type ) {
    my ( $variation, $at ) = $name eq 'Barrier' ? ( 'Nodes', $np ) : ( 'Length', 8 );
    return "$name { Type = $type; Variation = $variation; Scale = Fixed_linear;"
      . " Start_Argument = $at; End_Argument = $at; }\n";
}

# One launch with all operations as their types in this column; the accuracy is standard.skampi's.
sub crowded_run ( $np, $column ) {
    my $head = "\@VERSION 4.1\n\@POSTPROC no\n\@STANDARDERRORDEFAULT 0.03\n"
      . "\@MINREPDEFAULT 64\n\@MAXREPDEFAULT 400\n\@MEASUREMENTS\n";
    return skampi( $np, $head . join q{},
        map { crowded_suite( $np, @{$_}[ 0, $column ] ) } @OPERATIONS );
}

sub row_of ( $output, $i ) {
    return ( $output->suites )[$i]{rows}[0];
}

# For all launches together, in percent.
sub valid_percent (@rows) {
    my $valid   = sum0 map { $_->{count_all} } @rows;
    my $invalid = sum0 map { $_->{extras}{invalid} } @rows;
    return 100 * $valid / ( $valid + $invalid );
}

sub crowded_rows ( $i, $synchronised, $barriers ) {
    my $name = "$OPERATIONS[$i][0]" . ( $OPERATIONS[$i][0] eq 'Barrier' ? q{} : ', 8 B' );
    my @rows = map { row_of( $_, $i ) } @{$synchronised};
    my $sm   = median( map { $_->{time} // 'inf' } @rows );
    my $bm   = median( map { row_of( $_, $i )->{time} } @{$barriers} );
    return (
        within(
            "$name: SM / BM",
            '%.2f', $sm / $bm,
            [ 0.33, 3 ],
            sprintf ' (%.1f / %.1f us)',
            $sm, $bm
        ),
        at_least( "$name: valid repetitions", '%.1f %%', valid_percent(@rows), 50 ),
    );
}

sub oversubscribed () {
    my $np = 2 * cpus();
    my ( $synchronised, $barriers ) = alternating(
        launches(5),
        "$np processes, oversubscribed",
        sub { crowded_run( $np, 1 ) },
        sub { crowded_run( $np, 2 ) }
    );
    my ( $sm_s, $bm_s ) =
      map {
        median( map { shares($_)->{wall_s} } @{$_} )
      } $synchronised, $barriers;
    return (
        ( map { crowded_rows( $_, $synchronised, $barriers ) } 0 .. $#OPERATIONS ),
        at_most(
            'run time: SM / BM',        '%.2f', $sm_s / $bm_s, 3,
            sprintf ' (%.2f / %.2f s)', $sm_s,  $bm_s
        ),
    );
}

1;
