#!/usr/bin/perl
# Words with 16 simulated processes, and a run that is limited by @TIMERUN: arguments share its time, and suites that
# are too slow end with what they have. Times are exact.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build build_shim simulate);
use SKaMPI::Test qw(enter_scratch files_in write_file);

my ($skampi)  = build('truth');
my ($shimmed) = build_shim();
enter_scratch();

my $out =
  simulate( 'fast', 16, $skampi, split q{ }, 'bcast barrier -m 8,64 --set @MAXREPDEFAULT=40' );
like $out, qr/^# skampi .*; 16 processes: .*\n# syncol_MPI_Bcast: .*\n# +bytes .*\n +8 /,
  'the head';
is_deeply [ $out =~ /^ +(\d+) +[\d.]+ /mg ],              [ 8, 64, 2, 4, 8, 16 ], 'rows of both';
is_deeply [ grep { !/^hosts|platform/ } files_in(q{.}) ], [],                     'nothing is kept';

# The simulated seconds of a run that may take a second; the arguments and their visits.
sub limited ( $limit, $words ) {
    simulate( 'fast', 4, $skampi, '-q', split q{ },
        "$words -t $limit -o out --fresh --set \@MAXREPDEFAULT=40" );
    my $output = SKaMPI::Read::Output->from_file('out');
    my ($seconds) = $output->field('WALLTIME') =~ /([\d.]+) s/;
    return (
        $seconds,
        map {
            [ map { "$_->{argument}:$_->{extras}{passes}" } @{ $_->rows } ]
        } $output->suites
    );
}

my ( $seconds, @rows ) = limited( 1, 'allreduce alltoall -m 8,1M' );
cmp_ok $seconds, '<=', 1, 'the run is within its time';
is_deeply [ map { scalar @{$_} } @rows ], [ 2, 2 ], 'all rows' or diag explain \@rows;

( $seconds, @rows ) = limited( 0.2, 'allreduce alltoall -m 8:16M' );
cmp_ok $seconds, '<=', 0.2, 'arguments that are too slow end it early' or diag explain \@rows;
like $rows[-1][-1], qr/:[1-5]\z/, 'with fewer visits';

# Time can be up when a suite has its turn.
for my $limit ( 0.03, 0.04 ) {
    ( $seconds, @rows ) = limited( $limit, 'allreduce alltoall -m 1M --set groups=2' );
    is scalar @rows, 2, "groups, $limit s: both suites are in the results";
}

# A run of a second has 12 of the computer's before it is mistaken for one that hangs; here, these are 12 ms.
{
    local $ENV{SKAMPI_FAST_TIMERS} = 1;
    $out = simulate( 'fast', 4, $shimmed, split q{ }, 'allreduce -m 8,64 -t 1' );
    like $out, qr/^# done in .*: 2 rows/m, 'the time of the simulated machine counts, not its own';
}

done_testing;
