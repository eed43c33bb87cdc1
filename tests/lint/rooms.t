# rooms.pl reports a module that uses a folder after its own, and one outside of the folders.
use v5.36;

use File::Basename qw(dirname);
use Test::More;
use SKaMPI::Test qw($ROOT command scratch write_file);

my $LINT = "$ROOT/tests/lint/rooms.pl";

for my $case (
    [ 'Stat/A.pm',    'use SKaMPI::Base::B;',             q{} ],
    [ 'Stat/A.pm',    '# SKaMPI::Read::B makes objects.', q{} ],
    [ 'Stat/A.pm',    'use SKaMPI::Read::B qw(f);',       "'Stat' comes before 'Read'" ],
    [ 'Base/A.pm',    'return SKaMPI::Stat::B::f();',     "'Base' comes before 'Stat'" ],
    [ 'Tune/A.pm',    'use SKaMPI::Launch::B;',           "'Tune' uses only Base" ],
    [ 'Verdict/A.pm', 'use SKaMPI::Database::Web::B;',    "'Verdict' comes before 'Database'" ],
    [ 'Stat/A.pm',    'use SKaMPI::Elsewhere::B;',        "'Stat' comes before 'Elsewhere'" ],
    [ 'Else/A.pm',    'use v5.36;',                       'is in none of the folders' ],
  )
{
    my ( $path, $line, $message ) = @{$case};
    my $dir = scratch();
    mkdir "$dir/" . dirname($path);
    write_file( "$dir/$path", "$line\n" );
    my $run = command( q{.}, $^X, $LINT, $dir );
    is $run->{status}, length $message ? 1 : 0, "$path: $line";
    like $run->{out}, qr/\Q$message\E/, 'a message';
}

done_testing;
