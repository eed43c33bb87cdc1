# outliers=: every time above the multiple of the mean is left out of the mean, but not of the histogram. On a real
# machine, as simulated times repeat exactly.
use v5.36;

use List::Util qw(sum0);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Test qw(mpirun workplace);

my $run =
  workplace( '.skampi' => "\@VERSION 4.1\n\@MAXREPDEFAULT 40\n\@MINREPDEFAULT 40\n\@MEASUREMENTS\n"
      . 'A { Type = 1; Variation = Nodes; Cut_Quantile = 0; '
      . "Parameters = \"passes=1 outliers=1.2 raw=yes histogram=yes\"; }\n" );
is mpirun( $run, 2, '-q' )->{status}, 0, 'measured';
my $results = SKaMPI::Read::Output->from_file("$run/skampi.out");
my ($suite) = $results->suites;
my ($row)   = @{ $suite->{rows} };
my $all     = SKaMPI::Read::Times->new( $results->path, $suite )->distribution( $row->{argument} );
my @kept    = grep { $_ <= 1.2 * $all->mean } $all->single_times;
is sum0( values %{ $all->bins } ), $row->{count_all},         'the histogram has all repetitions';
is $row->{count},                  scalar @kept,              'those that are left';
is $row->{extras}{outliers},       $row->{count_all} - @kept, 'the row counts the outliers';
cmp_ok abs( sum0(@kept) / @kept - $row->{time} ), '<', 2e-6, 'the mean of the others';

done_testing;
