# length_is=total on a simulated machine: among n processes, a part takes as long as one of an n-th of the
# length; rows state the length that was sent.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(few_repetitions output_of);

my $NODES = 'Variation = Nodes; Scale = Fixed_log; Start_Argument = 2; Stepwidth = 2;';
my $TOTAL = 'Default_Message_length = 100002; Parameters = "length_is=total";';

my ($skampi) = build_in_scratch('truth');

sub each_among ( $type, $n, $length ) {
    return
        "each-$type-$n { Type = $type; Variation = Nodes; Start_Argument = $n; End_Argument = $n; "
      . "Default_Message_length = $length; }\n";
}

# Types with a part for each process; ints among 2, 4 and 8 processes.
my @TYPES  = ( 39, 55, 64 );
my %LENGTH = ( 2 => 50_000, 4 => 25_000, 8 => 12_500 );
my @suites = map { "total-$_ { Type = $_; $NODES $TOTAL }\n" } @TYPES;
for my $type (@TYPES) {
    push @suites, map { each_among( $type, $_, $LENGTH{$_} ) } sort keys %LENGTH;
}
my $output = output_of( $skampi, 'flat', 8, join q{}, few_repetitions(4096), @suites );
my %suite  = map { $_->{name} => $_ } $output->suites;
for my $type (@TYPES) {
    my @rows = @{ $suite{"total-$type"}{rows} };
    is_deeply [ map { $_->{argument} } @rows ], [ 2, 4, 8 ], "type $type: over the processes";
    for my $row (@rows) {
        my $n     = $row->{argument};
        my $alone = $suite{"each-$type-$n"}{rows}[0];
        is $row->{extras}{length}, $LENGTH{$n}, "among $n, the length of a part";
        cmp_ok abs( $row->{time} - $alone->{time} ), '<=', 1e-3 * $alone->{time}, 'and its time';
        is $alone->{extras}{length}, undef, 'which only such suites state';
    }
}
like $suite{"total-$TYPES[0]"}{defaults}, qr/total message length 100000 bytes/,
  'the block says so';

done_testing;
