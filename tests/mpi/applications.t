#!/usr/bin/perl
# The datatypes of applications' messages have the pieces of their layouts; the program prints TAP.
use v5.36;

exec "$ENV{SKAMPI_BUILD}/tests/applications" or die "applications: $!\n";
