package SKaMPI::Bench::Runs;

# Whole runs: the time and the memory of the standard suites here, and of three suites of many simulated processes.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(sum);
use SKaMPI::Bench::Figures qw(plain at_least at_most within);
use SKaMPI::Bench::Launch  qw(root progress mpirun program ended_well output_of peak_kib);
use SKaMPI::Sim            qw(why_not build simulator);
use SKaMPI::Test           qw(read_file);

our @EXPORT_OK = qw(scale standard);

sub standard ($) {
    progress('standard.skampi, 2 processes');
    my $text = read_file( root() . '/configs/standard.skampi' );
    my ( $output, $err ) =
      output_of( mpirun(2), program('peak'), program('skampi'), qw(-q -f standard) );
    my ( $wall_s, @shares ) =
      $output->field('WALLTIME') =~ /^([\d.]+) s, ([\d.]+) %.*? ([\d.]+) %.*? ([\d.]+) %/;
    my $planned        = () = $text =~ /^\s*Type\s*=/mg;
    my $complete       = grep { $_->complete } $output->suites;
    my @rows           = map  { @{ $_->rows } } $output->suites;
    my $unsynchronised = grep { $_->{extras}{stop} eq 'unsynchronised' } @rows;
    my ($pool_kib)     = $text =~ /^\@MEMORY (\d+)/m;
    return (
        at_most( 'np = 2: wall time', '%.1f s', $wall_s, 180 ),
        at_least( 'np = 2: measuring', '%.1f %%', $shares[0], 40 ),
        plain( 'np = 2: synchronising; waiting', '%.1f %%; %.1f %%', @shares[ 1, 2 ] ),
        at_least( 'np = 2: complete suites', '%d', $complete, $planned ),
        at_most( 'np = 2: rows unsynchronised', '%d', $unsynchronised, 0, ' of ' . @rows ),
        _memory( peak_kib($err) - $pool_kib )
    );
}

# Peak resident memory without the message buffers, less that of a program that only starts and ends.
sub _memory ($kib) {
    my ( undef, $err ) = ended_well( mpirun(2), program('peak'), program('bare_loop') );
    my $more_kib = $kib - peak_kib($err);
    return at_most( 'np = 2: memory of a process', '%.1f MiB', $more_kib / 1024, 16 );
}

# --- many processes ---

sub scale ($section) {
    return [ 'many processes', why_not() ] if why_not();
    return _scale_row( _run_at(4096) )     if $section =~ /more/;
    my @runs = map { _run_at($_) } 16, 64, 256, 1024;
    my ( $wall_s, $cpu_s, $gib ) = @{ $runs[3] }{qw(wall_s cpu_s gib)};
    return (
        ( map { _scale_row($_) } @runs ),
        at_most( 'np = 1024: simulated time of the run', '%.3f s',   $wall_s, 2 ),
        at_most( 'np = 1024: CPU time',                  '%.1f s',   $cpu_s,  60 ),
        at_most( 'np = 1024: memory',                    '%.2f GiB', $gib,    4 ),
        _growth_row( map { $_->{synchronising_s} } @runs )
    );
}

sub _run_at ($np) {
    progress("$np simulated processes");
    my ($skampi) = build('truth');
    my @before   = times;
    my @machine  = simulator( $np > 1024 ? 'large' : 'flat', $np );
    my $file     = root() . '/tests/sim/scale.skampi';
    my ( $output, $err ) = output_of( program('peak'), @machine, $skampi, '-q', '-f', $file );
    my @after             = times;
    my ($synchronising_s) = $output->field('SYNCHRONISED') =~ /^([\d.]+) s/;
    my ($wall_s)          = $output->field('WALLTIME')     =~ /^([\d.]+) s/;
    return {
        np              => $np,
        synchronising_s => $synchronising_s,
        wall_s          => $wall_s,
        cpu_s           => sum( @after[ 2, 3 ] ) - sum( @before[ 2, 3 ] ),
        gib             => peak_kib($err) / 1024 / 1024,
    };
}

sub _scale_row ($run) {
    return plain(
        "np = $run->{np}: synchronising; run; CPU time; memory",
        '%.4f s; %.3f s; %.1f s; %.2f GiB',
        @{$run}{qw(synchronising_s wall_s cpu_s gib)}
    );
}

# Each factor of 4 should cost as many rounds more as the one before.
sub _growth_row (@s) {
    my @more_s = map { $s[$_] - $s[ $_ - 1 ] } 1 .. $#s;
    my ($farthest) = sort { abs( $b - 1 ) <=> abs( $a - 1 ) }
      map { $more_s[$_] / $more_s[ $_ - 1 ] } 1 .. $#more_s;
    return within( 'synchronising: growth per step against the last',
        '%.3f', $farthest, [ 0.9, 1.1 ] );
}

1;
