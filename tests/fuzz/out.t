# Replays the inputs found by fuzzing, with the ordinary compiler.
use v5.36;

my $unit = $ENV{SKAMPI_UNIT} // 'build/unit';
exec "$unit/out_replay", 'tests/fuzz/corpus/out'
  or die "cannot run '$unit/out_replay': $!\n";
