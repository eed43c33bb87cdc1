# The choices of skampi-tune among the algorithms of a simulated machine, whose times are known.
use v5.36;

use List::Util qw(max min product);
use Test::More;

use SKaMPI::Regret qw(chosen recorded_noise regrets truth_of);
use SKaMPI::Sim    qw(build_in_scratch);

my ($skampi) = build_in_scratch('truth');
my @cells    = truth_of( $skampi, 8 );
my @worth    = grep { $_->{us}{0} > 1.05 * min( values $_->{us}->%* ) } @cells;
cmp_ok scalar @worth, '>', 3, 'the own choice is often not the best';

my @known = chosen( \@cells, undef, 6 );
is_deeply [ map { $_->{us}{ $_->{best} } } @known ],
  [ map { min( values $_->{us}->%* ) } @known ], 'without noise, the best one is named';
cmp_ok max( regrets(@known) ), '<=', 1.05, 'and is chosen, or one that is as good';

srand 1;
my @regrets = regrets( chosen( \@cells, recorded_noise(), 12 ) );
cmp_ok max(@regrets), '<=', 1.05, "with a real machine's noise, no choice is much slower";
cmp_ok product(@regrets)**( 1 / @regrets ), '<=', 1.01, 'nor all together';

done_testing;
