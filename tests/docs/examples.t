# Every example in the manual works as it is printed: sessions are typed and compared, files are accepted or refused.
# Each chapter has a directory of its own.
use v5.36;

use Test::More;
use SKaMPI::Manual qw(kinds try_chapters);

try_chapters( kinds() );

done_testing;
