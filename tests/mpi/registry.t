# The rows of the operations; the program itself prints TAP.
use v5.36;

exec "$ENV{SKAMPI_BUILD}/tests/registry" or die "registry: $!\n";
