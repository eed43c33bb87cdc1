# The measurements of noise find detours of a known length and period to 2 %, on the process that has them, and none
# on the other one. SKAMPI_LONG: also rarer and longer ones.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_shim);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(enter_scratch);

my $WITHIN = 0.02;
my $LONG   = $ENV{SKAMPI_LONG};

# Short enough for what is found: the least detour is a hundred of them.
local $SKaMPI::Sim::READING_S = 5e-8;
my ($skampi) = build_shim();
enter_scratch();

my %COUNT = ( 270 => $LONG ? 20 : 6, 271 => $LONG ? 4 : 2 );

# The additional values of each process, by name.
sub noise_with ( $type, $settings ) {
    my $count   = "Max_Repetition = $COUNT{$type}; Min_Repetition = $COUNT{$type};";
    my $text    = "\@VERSION 4.2\n\@MEASUREMENTS\nN { Type = $type; $count }\n";
    my ($suite) = output_of( $skampi, 'flat', 2, $text, $settings )->suites;
    return map { $_->{extras} } @{ $suite->{rows} };
}

# The true values of detours of a length and a period, in seconds. They may reach into a second quantum of 50 us.
for my $case (
    [ 270, 5e-6, 1e-4, longest => 5, detours => 1e4 ],
    (
        map { [ 271, @{$_}, longest => 1e6 * $_->[0], period => 1e6 * $_->[1] ] } [ 20e-6, 1e-3 ],
        $LONG ? ( [ 20e-6, 2.2e-4 ], [ 30e-6, 4e-3 ] ) : ()
    ),
    $LONG
    ? (
        [ 270, 20e-6,  1e-3, longest => 20,  detours => 1000 ],
        [ 270, 300e-6, 5e-3, longest => 300, detours => 200 ]
    )
    : ()
  )
{
    my ( $type, $length, $period, %wanted ) = @{$case};
    my ( $calm, $noisy ) = noise_with( $type, "detour=1:$length:$period" );
    $wanted{lost} = 100 * $length / $period;
    for my $name ( sort keys %wanted ) {
        cmp_ok abs( $noisy->{$name} / $wanted{$name} - 1 ), '<', $WITHIN,
          "type $type, $length s every $period s: $name is $noisy->{$name}, true $wanted{$name}";
        my $none = $name eq 'period' ? 'unknown' : 0;
        is defined $calm->{$name} ? 0 + $calm->{$name} : 'unknown', $none,
          "and $none on the other process";
    }
}

done_testing();
