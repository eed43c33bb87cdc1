# tests/table has a row for each test file.
use v5.36;

use SKaMPI::Test qw($ROOT read_file);
use Test::More;

my @rows  = map { [split] } grep { !/^#/ } split /\n/, read_file("$ROOT/tests/table");
my @files = sort map { s{^\Q$ROOT\E/}{}r } glob "$ROOT/tests/*/*.t";

is_deeply [ map { $_->[2] } @rows ], \@files, 'each file, in order';
is_deeply [ grep { $_->[0] !~ /^(?:check|all)\z/ || $_->[1] !~ /^\d+\z/ } @rows ], [],
  'a target and whole seconds';
is_deeply [ grep { $_->[0] eq 'check' && $_->[1] > 15 } @rows ], [],
  'none is too slow for make check';

done_testing;
