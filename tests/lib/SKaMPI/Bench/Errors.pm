package SKaMPI::Bench::Errors;

# The quality of stated errors: of visited rows, and of several runs, generated (tests/bench/stated_error.c).
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(row);
use SKaMPI::Bench::Launch  qw(ended_well program progress);

our @EXPORT_OK = qw(visit_errors);

my $SEEDS = $ENV{BENCH_SEEDS} || 1000;
my $SETS  = 1000 * $SEEDS;
my $FORMAT =
'time / truth %.3f; scatter %.2f; two errors cover %.1f %%, of the mean %.1f %%; unsteady %.1f %%;'
  . ' two modes %.1f, states %.1f';

sub visit_errors ($) {
    progress("errors of visited rows, $SEEDS seeds; factors");
    my @rows;
    for my $visits ( 10, 5 ) {
        for ( _lines( $SEEDS, 'visits', $visits ) ) {
            my ( $name, @figures ) = @{$_};
            my ( $repetitions, $good ) = splice @figures, 7;
            my $figure = "$name: $repetitions in $visits visits";
            push @rows, [ $figure, sprintf( $FORMAT, @figures ), 'unit/visited.h', $good eq 'yes' ];
        }
    }
    my $factor = 'factor for %d runs: needed / in the program';
    return ( @rows,
        map { row( sprintf( $factor, $_->[0] ), [ 0.95, 1.05 ], '%.3f', $_->[1] ) }
          _lines( $SETS, 'between' ) );
}

# The fields of each line that the program prints.
sub _lines ( $count, @what ) {
    my ($lines) = ended_well( program('stated_error'), $count, @what );
    return map { [ split /;/ ] } split /\n/, $lines;
}

1;
