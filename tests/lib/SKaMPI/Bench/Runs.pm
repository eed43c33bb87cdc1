package SKaMPI::Bench::Runs;

# Whole runs of the shipped files: what they cost, and how many of their rows are good.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(plain at_most at_least);
use SKaMPI::Bench::Launch qw(root launches progress mpirun program ended_well skampi_file peak_kib);
use SKaMPI::Test          qw(read_file);

our @EXPORT_OK = qw(marks standard);

my $PATH = root() . '/configs/standard.skampi';

# --- the standard suite ---

sub whole ($output) {
    my ( $wall_s, @shares ) =
      $output->field('WALLTIME') =~ /^([\d.]+) s, ([\d.]+) %.*? ([\d.]+) %.*? ([\d.]+) %/;
    my $planned        = () = read_file($PATH) =~ /^\s*Type\s*=/mg;
    my $complete       = grep { $_->complete } $output->suites;
    my @rows           = map  { @{ $_->rows } } $output->suites;
    my $unsynchronised = grep { $_->{extras}{stop} eq 'unsynchronised' } @rows;
    return (
        at_most( 'np = 2: wall time', '%.1f s', $wall_s, 180 ),
        at_least( 'np = 2: measuring', '%.1f %%', $shares[0], 40 ),
        plain( 'np = 2: synchronising', '%.1f %%', $shares[1] ),
        plain( 'np = 2: waiting',       '%.1f %%', $shares[2] ),
        at_least( 'np = 2: complete suites', '%d', $complete, $planned ),
        at_most( 'np = 2: rows unsynchronised', '%d', $unsynchronised, 0, ' of ' . @rows ),
    );
}

# Peak resident memory, less the message buffers, less that of a program that does nothing: no loops.
sub memory ($peak_kib) {
    my ($pool_kib) = read_file($PATH) =~ /^\@MEMORY (\d+)/m;
    my ( undef, $err ) = ended_well( mpirun(2), program('peak'), program('bare_loop') );
    my $more_kib = $peak_kib - $pool_kib - peak_kib($err);
    return at_most( 'np = 2: memory of a process', '%.1f MiB', $more_kib / 1024, 16 );
}

sub standard ($) {
    progress('standard.skampi, 2 processes');
    my ( $output, $err ) = skampi_file( 2, $PATH, program('peak') );
    return ( whole($output), memory( peak_kib($err) ) );
}

# --- marks ---

# How many rows there are, with each mark (x: inaccurate), and good: without any.
sub marks_in ($output) {
    my %count = map { $_ => 0 } qw(rows good x * ! ^);
    for my $suite ( grep { !$_->is_internal } $output->suites ) {
        for my $row ( @{ $suite->rows } ) {
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

sub marks ($) {
    return map { best_marks($_) } qw(quick standard);
}

1;
