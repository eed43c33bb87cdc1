# Each feature has the outcome with this MPI library that docs/libraries says, from which the manual makes a table;
# GOLDEN=write writes it. Of a library without such a file, nothing is a fault.
use v5.36;

use Test::More;
use SKaMPI::Features qw(features outcome_of);
use SKaMPI::Test     qw($ROOT golden read_file scratch skampi);

my $NAME = qr/^MPI library: (Open MPI|MPICH|Intel\S* MPI)\D*(\d+)/m;
my ( $library, $version ) = skampi( scratch(), qw(--version -v) )->{out} =~ $NAME
  or plan skip_all => 'a library that docs/libraries does not know';
my $path  = "$ROOT/docs/libraries/" . ( $library =~ s/\(R\)//r =~ s/ /_/gr ) . "-$version.txt";
my @lines = map { my $text = "$_: " . outcome_of($_); note($text); "$text\n" } features();
my $known = golden( $path, join q{}, @lines );
if ($known) { is join( q{}, @lines ), $known, "$library $version" }
else {
    is join( q{}, grep { /: fault: / } @lines ), q{}, 'no fault';
}

for my $file ( glob "$ROOT/docs/libraries/*.txt" ) {
    is_deeply [ map { s/: .*//sr } split /^/m, read_file($file) ], [ features() ], $file;
}
done_testing;
