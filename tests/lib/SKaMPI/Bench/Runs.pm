package SKaMPI::Bench::Runs;

# Whole runs: the time and the memory of the standard suites here, and of three suites of many simulated processes; and
# the time of what reads results.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch
  qw(alternating ended_well launches mpirun output_of program progress root);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(why_not build simulator);
use SKaMPI::Test qw(command read_file scratch slurp write_file);

our @EXPORT_OK = qw(reports scale standard);

my @FILES = qw(none scale.skampi);

# The largest of a process, which "peak" prints among the messages.
sub _peak_kib ($messages) {
    return max( $messages =~ /^peak (\d+) KiB/mg );
}

# The memory is without the message buffers, and less that of a program that only starts and ends.
sub standard ($) {
    progress('standard.skampi, 2 processes');
    my @start = ( mpirun(2), program('peak') );
    my ( $output, $messages ) = output_of( @start, program('skampi'), qw(-q -f standard) );
    my ( undef, $of_empty ) = ended_well( @start, program('bare_loop') );
    my $text       = read_file( root() . '/configs/standard.skampi' );
    my ($pool_kib) = $text =~ /^\@MEMORY (\d+)/m;
    my $more_kib   = _peak_kib($messages) - $pool_kib - _peak_kib($of_empty);
    my ( $wall_s, $measuring, @others ) =
      $output->field('WALLTIME') =~ /^([\d.]+) s, ([\d.]+) %.*? ([\d.]+) %.*? ([\d.]+) %/;
    my $planned        = () = $text =~ /^\s*Type\s*=/mg;
    my $complete       = grep { $_->complete } $output->suites;
    my @rows           = map  { @{ $_->rows } } $output->suites;
    my $unsynchronised = grep { $_->{extras}{stop} eq 'unsynchronised' } @rows;
    return (
        row( 'np = 2: wall time',              [ undef, 180 ], '%.1f s',           $wall_s ),
        row( 'np = 2: measuring',              [40],           '%.1f %%',          $measuring ),
        row( 'np = 2: synchronising; waiting', [],             '%.1f %%; %.1f %%', @others ),
        row( 'np = 2: complete suites',        [$planned],     '%d',               $complete ),
        row( 'np = 2: rows unsynchronised', [ undef, 0 ],  '%d of %d', $unsynchronised, 0 + @rows ),
        row( 'np = 2: memory of a process', [ undef, 40 ], '%.1f MiB', $more_kib / 1024 )
    );
}

# One visit of each row of tests/sim/scale.skampi, simulated. A run without the file ends before it measures: it needs
# little more than the image of the program, of which each simulated process has its own.
sub scale ($) {
    return [ 'many processes', why_not(), q{}, undef ] if why_not();
    my ( $dir, $sim ) = ( scratch(), root() . '/tests/sim' );
    my $suites   = read_file("$sim/scale.skampi") =~ s/; [}]/; Parameters = "passes=1"; }/gr;
    my $platform = read_file("$sim/flat.xml")     =~ s/1000-2023/10000-26383/r;
    write_file( "$dir/scale.skampi", $suites );
    write_file( "$dir/many.xml",     $platform );
    my %of_two_kib = map { $_ => _simulated_kib( $dir, 2, $_ ) } @FILES;
    my @rows;

    for my $np ( split q{ }, $ENV{BENCH_PROCESSES} || '16 64 1024' ) {
        my @mib =
          map { ( _simulated_kib( $dir, $np, $_ ) - $of_two_kib{$_} ) / ( $np - 2 ) / 1024 } @FILES;
        my $run = SKaMPI::Read::Output->from_file("$dir/skampi.out");
        my @s   = map { $run->field($_) =~ /^([\d.]+) s/ } qw(SYNCHRONISED WALLTIME);
        push @rows, row( "np = $np: synchronised; run", [], '%.4f s; %.3f s', @s ),
          row( "np = $np: memory of a process; its image", [], '%.2f MiB; %.2f MiB', reverse @mib );
    }
    return @rows;
}

# The peak of the simulator.
sub _simulated_kib ( $dir, $np, $file ) {
    progress("$np simulated processes, file $file");
    unlink glob "$dir/skampi.*";
    my @skampi = ( ( build('truth') )[0], '-q', '-f', $file );
    return _peak_kib(
        command( $dir, program('peak'), simulator( "$dir/many", $np ), @skampi )->{err} );
}

# Processor time, with that of children, of what reads results: of this version and, by turns, of the built source tree
# that BENCH_BEFORE names.

my $ROWS = 98_000;

# Name, words of a command, and the largest part of the time before; EXAMPLE and LONG are files of results.
my @COMMANDS = (
    [ 'skampi-show of the example', [qw(show.pl EXAMPLE)],                   0.6 ],
    [ 'its page',                   [qw(dorep.pl -q --format=html EXAMPLE)], 0.6 ],
    [ 'its PDF',                    [qw(dorep.pl -q --format=pdf EXAMPLE)],  0.7 ],
    [ "CSV of $ROWS rows",          [qw(export.pl -f csv LONG)],             0.5 ],
);

sub reports ($) {
    my $place   = scratch();
    my $example = root() . '/docs/examples/standard.out';
    my %file    = ( EXAMPLE => "$place/example.out", LONG => "$place/long.out" );
    write_file( $file{EXAMPLE}, slurp($example) );
    write_file( $file{LONG},    _long( slurp($example) ) );
    my $before = $ENV{BENCH_BEFORE};
    return map {
        my ( $name, $words, $target ) = @{$_};
        my @words = map { $file{$_} // $_ } @{$words};
        my ( $new, $old ) = alternating(
            launches(5), $name,
            map { _timed( $place, $_, @words ) } root(),
            $before // root()
        );
        my @s = map { median( @{$_} ) } $new, $old;
        defined $before
          ? row( $name, [ undef, $target ], '%.2f of before (%.2f s / %.2f s)', $s[0] / $s[1], @s )
          : row( $name, [], '%.2f s', $s[0] );
    } @COMMANDS;
}

# A function that runs a program of a tree; it returns the seconds of CPU.
sub _timed ( $place, $tree, $program, @words ) {
    return sub {
        my @from = times;
        my $run  = command( $place, $^X, "$tree/report/$program", @words );
        die "$tree/report/$program: $run->{err}\n" if $run->{status};
        my @to = times;
        return $to[2] + $to[3] - $from[2] - $from[3];
    };
}

# The example with more rows in its first suite that has rows.
sub _long ($text) {
    my $i = 1;
    return $text =~
      s/^([0-9]+)( [0-9].*\n)(?=[0-9])/join q{}, map { "@{[ $i++ ]}$2" } 1 .. $ROWS/emr;
}

1;
