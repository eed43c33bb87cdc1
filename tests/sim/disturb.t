# A process that is delayed inside an operation by 5 us in a tenth of the calls is found as the one that
# disturbs, and without such a delay hardly ever anyone is. SKAMPI_LONG: 500 seeds.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Sim qw(build simulate);
use SKaMPI::Stat::Disturbance;
use SKaMPI::Test qw(scratch);

my $SEEDS    = $ENV{SKAMPI_LONG} ? 500 : 6;
my $NP       = $ENV{SKAMPI_LONG} ? 8   : 4;
my $DELAY_US = 5;
my $NAMED    = 0.95;
my $ALARMS   = 0.07;

# A group of more processes would name nobody.
my $MAX_IN_GROUP = 2;

my ( undef, $program ) = build('disturb');
my $dir = scratch();

# For each seed the delayed process, and those that are found.
sub measured ( $operation, $delay_us ) {
    my $results = "$dir/$operation-$delay_us";
    my %delayed = map { split }
      split /\n/, simulate( 'fast', $NP, $program, $results, $operation, $SEEDS, $delay_us );
    my $output = SKaMPI::Read::Output->from_file($results);
    my @measured;
    for my $suite ( $output->suites ) {
        my $times = SKaMPI::Read::Times->new( $results, $suite );
        my @findings =
          SKaMPI::Stat::Disturbance->findings( SKaMPI::Stat::Disturbance->tallies($times) );
        push @measured, [ $delayed{ $suite->{name} }, [ map { @{ $_->{processes} } } @findings ] ];
    }
    is @measured, $SEEDS, "$operation, $delay_us us: measured";
    return @measured;
}

for my $operation (qw(bcast allreduce)) {
    my ( $named, $alone ) = ( 0, 0 );
    for my $seed ( measured( $operation, $DELAY_US ) ) {
        my ( $delayed, $found ) = @{$seed};
        next if @{$found} > $MAX_IN_GROUP || !grep { $_ == $delayed } @{$found};
        $named++;
        $alone++ if @{$found} == 1;
    }
    cmp_ok $named, '>=', $NAMED * $SEEDS, "$operation: the delayed process is named";
    my $alarms = grep { @{ $_->[1] } } measured( $operation, 0 );
    cmp_ok $alarms, '<=', $ALARMS * $SEEDS, "$operation: hardly anyone is named without a delay";
    diag("$operation: of $SEEDS, $named named, $alone of them alone; $alarms false alarms");
}

done_testing;
