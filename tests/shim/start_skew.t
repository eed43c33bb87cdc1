# The start skew of a run in which a process is delayed once, before it receives the instant to start
# at: only that start is late, and the median does not change.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_shim);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(enter_scratch);

my $NP       = 4;
my $HELD_S   = 400e-6;
my $US       = qr/(\d+[.]\d{6}) microsec[.]/;
my ($skampi) = build_shim();
enter_scratch();
my @DISTURBED  = $ENV{SKAMPI_LONG} ? 1 .. 8 : ( 1, 4, 8 );
my $PARAMETERS = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@MEASUREMENTS\nA { Type = 24; }\n";

# Median and middle half in microseconds.
sub skew_with ($delay) {
    my $skew = output_of( $skampi, 'flat', $NP, $PARAMETERS, $delay )->field('STARTSKEW');
    my @us   = $skew =~ /^$US, the middle half of 21 starts from $US to $US$/ or return;
    return @us;
}

my @calm = skew_with('offset=0');
cmp_ok $calm[0], '<',  1,        'undisturbed: less than 1 microsecond';
cmp_ok $calm[1], '<=', $calm[0], 'the middle half begins below the median';
cmp_ok $calm[2], '>=', $calm[0], 'and ends above it';

# The message with the instant has 8 bytes.
for my $nth (@DISTURBED) {
    my ($median) = skew_with("delay=1:MPI_Bcast:$HELD_S:8\@$nth");
    cmp_ok $median, '<', 1, "disturbed at message $nth of 8 bytes";
}

# If most starts are delayed, the median is, too.
my ($all) = skew_with("delay=1:MPI_Bcast:$HELD_S:8");
cmp_ok $all, '>', 200, 'disturbed every time: the median shows it';

done_testing;
