# skampi-model: a machine whose pieces it does not know is measured and fitted, and its twin has the same times.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Sim         qw(build_in_scratch);
use SKaMPI::Model::Twin qw(twin_of);
use SKaMPI::TwinMachine qw(own_links prove_twin);

# In machine 36, MPI_Send waits from 45 bytes on: most lengths have no overheads.
my $LONGEST = 2**20;
my @SEEDS   = $ENV{SKAMPI_LONG} ? 1 .. 100 : ( 13, 36 );

my %MOST = ( far => 1e-3, near => 1e-3, collectives => 1e-2 );

my ($skampi) = build_in_scratch('truth');

for my $seed (@SEEDS) {
    my $proof = prove_twin( $skampi, $seed, $LONGEST );
    is scalar @{ $proof->{breaks} }, scalar @{ $proof->{machine}{breaks} },
      "machine $seed: as many breaks as it has";
    is_deeply $proof->{missed},  [], 'each is found, to 1 %';
    is_deeply $proof->{remarks}, [], 'the twin lacks nothing';
    for my $what ( sort keys %MOST ) {
        my ( $off, $length ) = @{ $proof->{worst}{$what} };
        cmp_ok $off, '<=', $MOST{$what}, "$what: at most that far off, worst at $length B";
    }
}

# A platform has one kind of link between hosts: a twin would be wrong. Without factors, a message takes the link's
# latency and its time per byte, also for 16 bytes that are added.
my ( $fit, $output ) = own_links($skampi);
my %a_b = map {
    $_ => [ map { @{$_}{qw(a b)} } @{ $fit->{curves}{$_}{pieces} } ]
} grep { /^message/ } keys %{ $fit->{curves} };
my %true = ( 'message far' => [ 25.032, 2e-3 ], 'message far, as with rank 1' => [ 10.016, 1e-3 ] );
for my $name ( sort keys %true ) {
    my @off = map { abs( ( $a_b{$name}[$_] // 0 ) / $true{$name}[$_] - 1 ) } 0, 1;
    is scalar @{ $a_b{$name} // [] }, 2, "$name: one piece";
    cmp_ok max(@off), '<=', $MOST{far}, 'as it is in truth';
}
is keys %a_b, 2, 'two kinds of pairs';
ok !eval { twin_of( $fit, $output ) }, 'there is no twin';
like $@, qr/\Amessages with rank 1 are of another kind: half of them .* of one kind\n\z/, 'and why';

done_testing;
