package SKaMPI::Bench::Record;

# The time of the recorder of skampi-profile: short calls (tests/bench/bare_calls.c) with and without it, interleaved
# launches.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(at_most median);
use SKaMPI::Bench::Launch  qw(alternating ended_well launches mpirun program);
use SKaMPI::Test           qw(scratch);

our @EXPORT_OK = qw(recorder);

my ( $MOST_NS, $LAUNCHES ) = ( 150, 5 );

# Call => nanoseconds.
sub times_of (@environment) {
    my ($out) = ended_well( mpirun(1), @environment, program('bare_calls') );
    return { map { split } split /\n/, $out };
}

sub recorder ($) {
    my @with = (
        'env',
        'LD_PRELOAD=' . program('libskampi-record.so'),
        'SKAMPI_RECORD=' . scratch() . '/calls'
    );
    my ( $bare, $with ) =
      alternating( launches($LAUNCHES), 'recorder', sub { times_of() }, sub { times_of(@with) } );
    return map {
        my $call = $_;
        my ( $ns, $more_ns ) = map {
            median( map { $_->{$call} } @{$_} )
        } $bare, $with;
        at_most( "recorder, MPI_$call, ns a call", '%.0f', $more_ns - $ns, $MOST_NS )
    } sort keys %{ $bare->[0] };
}

1;
