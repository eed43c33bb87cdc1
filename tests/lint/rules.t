#!/usr/bin/perl
# A test that starts MPI never runs at the same time as another: the times of both would be wrong.
use v5.36;

use SKaMPI::Install qw(root);
use SKaMPI::Test    qw(read_file);
use Test::More;

my $STARTS_MPI =
qr/(?<!\{)\b(?:\w*_?mpirun\w*(?!\w|[=}]|[ ]--)|mpi_program|program_passes|shimmed_program|\w*on_hosts|try_run)\b|SKAMPI_MPIRUN/;

my ($parallel) = read_file( root() . '/tests/rules.yml' ) =~ /^  - par:\n((?:      - \S+\n)+)/m;
my @tests      = map  { glob root() . "/$_" } ( $parallel // q{} ) =~ m{- (tests/\S+)}g;
my @texts      = grep { /[.]t\z/ } @tests;
cmp_ok scalar @texts, '>', 10, 'more than 10 tests run in parallel';
is_deeply [ grep { read_file($_) =~ s/^#.*//gmr =~ $STARTS_MPI } grep { !m{/lint/} } @texts ], [],
  'none of them starts MPI';

done_testing;
