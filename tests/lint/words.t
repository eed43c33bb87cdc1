#!/usr/bin/perl
# words.pl reports each avoided word with its place, and nothing else.
use v5.36;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run       qw(run);
use Test::More;
use SKaMPI::Test qw(scratch write_file);

my $LINT = dirname( abs_path(__FILE__) ) . '/words.pl';

sub lint (@paths) {
    my ( $out, $err ) = ( q{}, q{} );
    run [ $^X, $LINT, @paths ], '<', \undef, '>', \$out, '2>', \$err;
    return { status => $? >> 8, out => $out, err => $err };
}

my @AVOIDED = (
    'The header tells the host.',
    'The error is told.',
    'A semicolon behind the value.',
    'The name stands in the header.',
    'After so many repetitions it stops.',
    'The version has to be there.',
    'The server resp. the client.',
    '# Of one process.',
    'It is no file.',
);
my @ALLOWED = (
    'The header reports the host.',
    'SM stands for synchronised measurement; one curve stands out.',
    'A host behind a router.',
    '# For one process; it is no longer used.',
    'An outstanding message; TELL_ALL; the respective client.',
);

my $dir = scratch();
for my $text (@AVOIDED) {
    write_file( "$dir/text.md", "Plain.\n$text\n" );
    my $run = lint($dir);
    is $run->{status}, 1, "rejected: $text";
    like $run->{out}, qr{\A\Q$dir\E/text[.]md:2: '[^']+'; write .*\n\z},
      'one complaint, with its line';
}
write_file( "$dir/text.md", join "\n", @ALLOWED, q{} );
is_deeply lint("$dir/text.md"), { status => 0, out => q{}, err => q{} }, 'the rest is accepted';

mkdir "$dir/$_" or die "$dir/$_: $!\n" for qw(docs tests tests/lint);
for my $list (qw(docs/glossary.md tests/lint/words.pl tests/lint/words.t)) {
    write_file( "$dir/$list", "$AVOIDED[0]\n" );
    is lint($dir)->{status}, 0, "$list may contain avoided words";
}

my $missing = lint("$dir/none");
isnt $missing->{status}, 0, 'a missing path fails';
like $missing->{err}, qr/'\Q$dir\E\/none' does not exist/, 'and is named';

done_testing;
