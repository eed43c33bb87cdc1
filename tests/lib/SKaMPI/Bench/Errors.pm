package SKaMPI::Bench::Errors;

# The quality of stated errors: of visited rows, and of several runs, generated (tests/bench/stated_error.c).
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(plain within);
use SKaMPI::Bench::Launch  qw(progress program ended_well);

our @EXPORT_OK = qw(visit_errors);

my ( $SEEDS, $SETS ) = ( 1000, 1_000_000 );
my $FORMAT = 'mean / truth %.3f; scatter %.2f; %.1f %% within two; marked: %.1f %%;'
  . ' two modes: %.1f; states: %.1f';

# The fields of each line that the program prints.
sub lines_of ( $count, @what ) {
    my ($lines) = ended_well( program('stated_error'), $count, @what );
    return map { [ split /;/ ] } split /\n/, $lines;
}

sub visit_error ( $visits, $name, @figures ) {
    my ( $repetitions, $good ) = splice @figures, 6;
    return [
        "$name: $repetitions in $visits visits",
        sprintf( $FORMAT, @figures ),
        'unit/visited.h',
        $good eq 'yes'
    ];
}

# Rows that visits end which agree: of all, and of those within two errors.
sub agreeing_error ( $name, $agreed, $within, $repetitions ) {
    return plain(
        "$name: ended by visits that agree, within two errors",
        "$agreed % of the rows, $within %; $repetitions repetitions"
    );
}

# The factor that is needed divided by the one in the program.
sub factor ( $runs, $needed ) {
    my $figure = "factor for $runs runs: needed / in the program";
    return within( $figure, '%.3f', $needed, [ 0.95, 1.05 ] );
}

sub visit_errors ($) {
    progress("errors of visited rows, $SEEDS seeds; factors");
    my @visits = map {
        my $visits = $_;
        map { visit_error( $visits, @{$_} ) } lines_of( $SEEDS, 'visits', $visits )
    } 5, 3, 1;
    return (
        @visits,
        ( map { agreeing_error( @{$_} ) } lines_of( $SEEDS, 'agreeing' ) ),
        ( map { factor( @{$_} ) } lines_of( $SETS, 'between' ) )
    );
}

1;
