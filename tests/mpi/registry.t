#!/usr/bin/perl
# The rows of the operations; the program prints TAP by itself.
use v5.36;

exec "$ENV{SKAMPI_BUILD}/tests/registry" or die "registry: $!\n";
