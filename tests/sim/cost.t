# The cost of repetitions besides them: waiting for agreed starts, and messages around batches, as parts
# of the operations' time. With slots of twice a repetition, and three announcements before each visit, these were 1.8
# of the operations' time with 2 processes, 1.3 with 16 and 1.2 with 64. With an order for each visit, those between
# visits were 1.35 with 2 processes, 0.73 with 8.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(output_of);

my @CASES = (
    [ fast => 2, 1.10, 0.60 ],
    [ fast => 8, 0.65, 0.30 ],
    $ENV{SKAMPI_LONG} ? ( [ fast => 16, 0.65, 0.30 ], [ fast => 64, 0.60, 0.30 ] ) : ()
);

my ($skampi) = build_in_scratch('truth');
my $PARAMETERS = <<'END';
@VERSION 4.1
@MEMORY 8192
@POSTPROC no
@STANDARDERRORDEFAULT 0.03
@MINREPDEFAULT 64
@MAXREPDEFAULT 400
@CACHEWARMUP 1
@MEASUREMENTS
* { Type = 47, 55, 61; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536; Stepwidth = 8192; }
END

for my $case (@CASES) {
    my ( $platform, $np, $most, $between ) = @{$case};
    my $times = output_of( $skampi, $platform, $np, $PARAMETERS )->field('WALLTIME');
    my %share = reverse $times =~ /([\d.]+) % ([\w ]+)/g;
    my $ratio = ( $share{waiting} + $share{'around repetitions'} ) / $share{measuring};
    cmp_ok $ratio, '<=', $most, "$platform, $np processes: besides the operations, parts of them";
    my $visits = ( $share{coordinating} + $share{preparing} ) / $share{measuring};
    cmp_ok $visits, '<=', $between, "$platform, $np processes: between visits";
}

done_testing;
