package SKaMPI::Bench::Errors;

# The quality of stated errors: of visited rows, and of several runs, generated (tests/bench/stated_error.c).
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(within);
use SKaMPI::Bench::Launch  qw(progress program ended_well);

our @EXPORT_OK = qw(visit_errors);

my ( $SEEDS, $SETS ) = ( $ENV{BENCH_SEEDS} || 1000, 1_000_000 );
my $FORMAT = 'mean / truth %.3f; scatter %.2f; %.1f %% within two; marked: %.1f %%;'
  . ' two modes: %.1f; states: %.1f';

sub visit_errors ($) {
    progress("errors of visited rows, $SEEDS seeds; factors");
    my @rows;
    for my $visits ( 5, 3, 1 ) {
        push @rows, map { _visit_error( $visits, @{$_} ) } _lines( $SEEDS, 'visits', $visits );
    }
    return ( @rows, map { _factor( @{$_} ) } _lines( $SETS, 'between' ) );
}

# The fields of each line that the program prints.
sub _lines ( $count, @what ) {
    my ($lines) = ended_well( program('stated_error'), $count, @what );
    return map { [ split /;/ ] } split /\n/, $lines;
}

sub _visit_error ( $visits, $name, @figures ) {
    my ( $repetitions, $good ) = splice @figures, 6;
    my $figure = "$name: $repetitions in $visits visits";
    return [ $figure, sprintf( $FORMAT, @figures ), 'unit/visited.h', $good eq 'yes' ];
}

# The factor that is needed divided by the one in the program.
sub _factor ( $runs, $needed ) {
    my $figure = "factor for $runs runs: needed / in the program";
    return within( $figure, '%.3f', $needed, [ 0.95, 1.05 ] );
}

1;
