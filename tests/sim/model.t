#!/usr/bin/perl
# skampi-model: a machine whose pieces it does not know is measured and fitted, and its twin has the same times.
use v5.36;

use Test::More;
use SKaMPI::Sim         qw(why_not build);
use SKaMPI::Test        qw(scratch);
use SKaMPI::TwinMachine qw(prove_twin);

plan skip_all => why_not() if why_not();

# In machine 36, MPI_Send waits from 45 bytes on: most lengths have no overheads.
my $LONGEST = 2**20;
my @SEEDS   = $ENV{SKAMPI_LONG} ? 1 .. 100 : ( 13, 36 );

my %MOST = ( far => 1e-3, near => 1e-3, collectives => 1e-2 );

my ($skampi) = build('truth');
my $dir = scratch();
chdir $dir or die "$dir: $!\n";

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

done_testing;
