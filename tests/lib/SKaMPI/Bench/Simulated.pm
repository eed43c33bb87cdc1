package SKaMPI::Bench::Simulated;

# Figures from simulated machines: the refinement's points, many processes.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(min sum);
use SKaMPI::Bench::Figures qw(plain at_least at_most within);
use SKaMPI::Bench::Launch  qw(root progress program ended_well output_of peak_kib);
use SKaMPI::Sim            qw(why_not build simulator);

our @EXPORT_OK = qw(refinement scale more_scale);

# --- refinement ---

# "log scale, Min_Distance 4: refinement 37 points, log grid 151, linear grid above 4000 for equal
# error 0.03 ...". The smaller grid is the one to beat.
sub grid_row ($line) {
    my ( $case, $points ) = $line =~ /^\s*(.*?): refinement (\d+) points/ or return;
    my ($error) = $line =~ /equal error ([\d.]+)/;
    my @grids   = $line =~ /(\w+ grid (?:above )?\d+)/g;
    my $least   = min( map { /(\d+)$/ } @grids );
    my $figure  = "$case, error $error: points" =~ s/\s+/ /gr;
    return at_most( $figure, '%d', $points, int $least / 2, ' (' . join( ', ', @grids ) . ')' );
}

# "25 points, kink: mean 0.006 even 0.500 worst 1.72 even 27.26 estimate 4.21 poorer 0": in percent; the
# worst is that apart from jumps that are named. A row for each curve, at each number of points.
sub curve_rows () {
    my ( %of, @names );
    my ($out) = ended_well( root() . '/build/unit/plan/curves_test', '0.05' );
    for ( split /\n/, $out ) {
        my ( $name, $mean, $even, $poorer ) =
          /points, ([^:]+): mean (\S+) even (\S+) .* poorer (\d+)/
          or next;
        push @names, $name if !$of{$name};
        push @{ $of{$name}{means} }, sprintf '%.2f/%.2f', $mean, $even;
        $of{$name}{poorer} += $poorer;
    }
    return map {
        at_most( "$_: poorer than an even grid",
            '%d', $of{$_}{poorer}, 0, " (errors in %: @{ $of{$_}{means} })" )
    } @names;
}

sub refinement () {
    my $program = root() . '/tests/bench/refinement.pl';
    progress('refinement');
    my @curves = curve_rows();
    return ( @curves, [ 'points against a grid', 'not available' ] ) if !-e $program;
    my ($out) = ended_well( $^X, $program );
    my @rows  = map { grid_row($_) } split /\n/, $out;
    return ( @curves, @rows ? @rows : [ 'points against a grid', $out =~ s/\s+/ /gr ] );
}

# --- many processes ---

# For the programs that have ended.
sub cpu_s () {
    my ( undef, undef, $user_s, $system_s ) = times;
    return $user_s + $system_s;
}

sub run_at ( $np, $skampi ) {
    progress("$np simulated processes");
    my $path  = root() . '/tests/sim/scale.skampi';
    my $cpu_s = cpu_s();
    my ( $output, $err ) =
      output_of( program('peak'), simulator( $np > 1024 ? 'large' : 'flat', $np ),
        $skampi, '--quiet', '-f', $path );
    my ($synchronising_s) = $output->field('SYNCHRONISED') =~ /^([\d.]+) s/;
    my ( $wall_s, @shares ) = $output->field('WALLTIME') =~ /([\d.]+) [s%]/g;
    return {
        np              => $np,
        synchronising_s => $synchronising_s,
        wall_s          => $wall_s,
        shares          => sum(@shares),
        cpu_s           => cpu_s() - $cpu_s,
        gib             => peak_kib($err) / 1024 / 1024,
    };
}

sub small_rows ($run) {
    return plain(
        "np = $run->{np}: synchronising; run; CPU time; memory",
        '%.4f s; %.3f s; %.1f s; %.2f GiB',
        @{$run}{qw(synchronising_s wall_s cpu_s gib)}
    );
}

sub large_rows ($run) {
    return (
        plain( "np = $run->{np}: synchronising", '%.4f s', $run->{synchronising_s} ),
        at_most( "np = $run->{np}: simulated time of the run", '%.3f s', $run->{wall_s}, 2 ),
        at_least( "np = $run->{np}: of this accounted for", '%.1f %%', $run->{shares}, 90 ),
        at_most( "np = $run->{np}: CPU time", '%.1f s',   $run->{cpu_s}, 60 ),
        at_most( "np = $run->{np}: memory",   '%.2f GiB', $run->{gib},   4 ),
    );
}

# Each factor of 4 should cost as many rounds more as the one before.
sub growth_row (@runs) {
    my @more_s = map { $runs[$_]{synchronising_s} - $runs[ $_ - 1 ]{synchronising_s} } 1 .. $#runs;
    my @growth = map { $more_s[$_] / $more_s[ $_ - 1 ] } 1 .. $#more_s;
    my ($farthest) = sort { abs( $b - 1 ) <=> abs( $a - 1 ) } @growth;
    return within( 'synchronising: growth per step against the last',
        '%.3f', $farthest, [ 0.9, 1.1 ] );
}

sub scale () {
    return [ 'many processes', why_not() ] if why_not();
    my ($skampi) = build('truth');
    my @runs     = map { run_at( $_, $skampi ) } 16, 64, 256, 1024;
    return ( ( map { small_rows($_) } @runs[ 0 .. 2 ] ), large_rows( $runs[3] ),
        growth_row(@runs) );
}

sub more_scale () {
    return [ 'even more processes', why_not() ] if why_not();
    my ($skampi) = build('truth');
    return small_rows( run_at( 4096, $skampi ) );
}

1;
