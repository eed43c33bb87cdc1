package SKaMPI::Bench::Record;

# The time of the recorder of skampi-profile: short calls (tests/bench/bare_calls.c) with and without it, interleaved
# launches.
use v5.36;

use Exporter               qw(import);
use File::Temp             qw(tempdir);
use SKaMPI::Bench::Figures qw(at_most median);
use SKaMPI::Bench::Launch  qw(alternating ended_well launches mpirun program);

our @EXPORT_OK = qw(recorder);

my $MOST_NS  = 150;
my $LAUNCHES = 5;

# Call => nanoseconds.
sub times_of (@environment) {
    my ($out) = ended_well( mpirun(1), @environment, program('bare_calls') );
    return { map { split } split /\n/, $out };
}

sub recorder () {
    my $dir = tempdir( CLEANUP => 1 );
    my @with =
      ( 'env', 'LD_PRELOAD=' . program('libskampi-record.so'), "SKAMPI_RECORD=$dir/calls" );
    my ( $bare, $with ) = alternating(
        launches($LAUNCHES), 'recorder',
        sub () { return times_of() },
        sub () { return times_of(@with) }
    );
    return map {
        my $call = $_;
        at_most( "recorder, MPI_$call, ns a call",
            '%.0f', median( map { $_->{$call} } @{$with} ) - median( map { $_->{$call} } @{$bare} ),
            $MOST_NS )
    } sort keys %{ $bare->[0] };
}

1;
