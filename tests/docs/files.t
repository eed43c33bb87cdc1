# Each parameter file and each result in the manual is accepted or refused as it says. examples.t tries the rest.
use v5.36;

use Test::More;
use SKaMPI::Manual qw(answers try_chapters);

try_chapters(qw(skampifile wrongfile resultfile textfile));

subtest 'the comparison can fail' => sub {
    ok answers( "a 1.5 us\n...\nz\n", "a 22 us\nb\nc\nz\n", 1 ), 'other numbers';
    ok !answers( "a 1.5 us\n",        "a 22 us\n",          0 ), 'not those that are the same';
    ok !answers( "a\n...\nz\n",       "a\nb\n",             1 ), 'a missing end';
    ok !answers( "a\n",               "a\nb\n",             0 ), 'more than that';
};

done_testing;
