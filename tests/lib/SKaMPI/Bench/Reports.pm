package SKaMPI::Bench::Reports;

# Processor time, with that of children, of what reads results: of this version and, by turns, of the built source tree
# that BENCH_BEFORE names.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch  qw(alternating launches progress root);
use SKaMPI::Test           qw(command scratch slurp write_file);

our @EXPORT_OK = qw(reports);

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
