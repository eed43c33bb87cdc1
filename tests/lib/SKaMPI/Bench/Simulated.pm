package SKaMPI::Bench::Simulated;

# Figures from simulated machines: the refinement's points, many processes.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(min sum);
use SKaMPI::Bench::Figures qw(plain at_least at_most within);
use SKaMPI::Bench::Launch  qw(in_scratch root progress program ended_well output_of peak_kib);
use SKaMPI::Refinement     qw(cases measure_cases make_truth others grid_points);
use SKaMPI::Sim            qw(why_not build simulator);

our @EXPORT_OK = qw(refinement scale);

# --- refinement ---

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

# Points of a grid that is tried.
my %MOST = ( log => 2000, linear => 4000 );

# The smallest grids as accurate at the same 200 lengths (tests/sim/refinement.t); the smaller one is to beat.
sub grid_row ( $case, $truth ) {
    my ( $near, $all ) = others( $case, $truth );
    my %points =
      map { $_ => grid_points( $_, $MOST{$_}, $case, $truth, $near, $all ) } qw(log linear);
    my $least  = min( map { $points{$_} // $MOST{$_} } keys %points );
    my @grids  = map { "$_ grid " . ( $points{$_} // "above $MOST{$_}" ) } qw(log linear);
    my $figure = "$case->{sweep} scale, Min_Distance $case->{min_distance}, error $case->{error}";
    return at_most(
        "$figure: points",
        '%d',
        scalar @{ $case->{points} },
        int $least / 2,
        " ($grids[0], $grids[1])"
    );
}

sub grid_rows () {
    return [ 'points against a grid', why_not() ] if why_not();
    my ( $skampi, $program ) = build('truth');
    my $truth = make_truth($program);
    return map { grid_row( $_, $truth ) } measure_cases( $skampi, cases() );
}

sub refinement ($) {
    progress('refinement');
    return ( curve_rows(), in_scratch( \&grid_rows ) );
}

# --- many processes ---

# For the programs that have ended.
sub cpu_s () {
    return sum( (times)[ 2, 3 ] );
}

sub run_at ($np) {
    progress("$np simulated processes");
    my ($skampi) = build('truth');
    my $cpu_s    = cpu_s();
    my @machine  = simulator( $np > 1024 ? 'large' : 'flat', $np );
    my ( $output, $err ) = output_of( program('peak'), @machine, $skampi, qw(--quiet -f),
        root() . '/tests/sim/scale.skampi' );
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

sub small_row ($run) {
    return plain(
        "np = $run->{np}: synchronising; run; CPU time; memory",
        '%.4f s; %.3f s; %.1f s; %.2f GiB',
        @{$run}{qw(synchronising_s wall_s cpu_s gib)}
    );
}

sub large_rows ($run) {
    my $np = "np = $run->{np}";
    return (
        plain( "$np: synchronising", '%.4f s', $run->{synchronising_s} ),
        at_most( "$np: simulated time of the run", '%.3f s', $run->{wall_s}, 2 ),
        at_least( "$np: of this accounted for", '%.1f %%', $run->{shares}, 90 ),
        at_most( "$np: CPU time", '%.1f s',   $run->{cpu_s}, 60 ),
        at_most( "$np: memory",   '%.2f GiB', $run->{gib},   4 ),
    );
}

# Each factor of 4 should cost as many rounds more as the one before.
sub growth_row (@runs) {
    my @more_s = map { $runs[$_]{synchronising_s} - $runs[ $_ - 1 ]{synchronising_s} } 1 .. $#runs;
    my @growth = map { $more_s[$_] / $more_s[ $_ - 1 ] } 1 .. $#more_s;
    my ($farthest) = sort { abs( $b - 1 ) <=> abs( $a - 1 ) } @growth;
    my $figure     = 'synchronising: growth per step against the last';
    return within( $figure, '%.3f', $farthest, [ 0.9, 1.1 ] );
}

sub scale ($section) {
    return [ 'many processes', why_not() ] if why_not();
    return small_row( run_at(4096) )       if $section =~ /more/;
    my @runs = map { run_at($_) } 16, 64, 256, 1024;
    return ( ( map { small_row($_) } @runs[ 0 .. 2 ] ), large_rows( $runs[3] ), growth_row(@runs) );
}

1;
