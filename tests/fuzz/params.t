# Replays the inputs found by fuzzing, with the ordinary compiler.
use v5.36;

my $unit = $ENV{SKAMPI_UNIT} // 'build/unit';
exec "$unit/params_replay", 'tests/fuzz/corpus/params'
  or die "cannot run '$unit/params_replay': $!\n";
