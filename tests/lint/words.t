# words.pl reports each avoided word with its place, and nothing else.
use v5.36;

use Encode qw(encode);
use Test::More;
use SKaMPI::Test qw($ROOT command scratch write_file);

my $LINT = "$ROOT/tests/lint/words.pl";

sub lint (@paths) {
    return command( q{.}, $^X, $LINT, @paths );
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
    'Smaller overheads are none.',
    'A byte that is part of none; the overlap has none.',
    'All methods but for the reference.',
    'Reduces in another order than the ranks.',
);
my @ANSWERS = (
    'Those that concern all suites.',
    'Those of the first points.',
    'These are not compared.',
    'These, and the mean.',
    'That of a side.',
    'That, relative to the mean.',
    'The same for bytes.',
    'The same, sorted.',
    'Likewise sorted.',
    'What of the library serves the calls',
    'What it knows.',
    'Its overhead includes the fences.',
    'They are the last ones.',
);
my @ALLOWED = (
    'The header reports the host.',
    'SM stands for synchronised measurement; one curve stands out.',
    'A host behind a router.',
    '# For one process; it is no longer used.',
    'An outstanding message; TELL_ALL; the respective client.',
    'If there are none, none of them is left.',
    'Not for speed but for accuracy; another faster one; in another way rather than this.',
    'Those of a suite are in the text.',
);
my @SENTENCES = (
    'These functions return -1.',
    'These two hooks run outside of the time.',
    'That both agree is a condition.',
    'The same seed gives the same order.',
    'The same functions for bytes.',
    'What does a message cost? Less than a copy.',
    'Itself a group.',
);

my $dir = scratch();

sub complains ( $name, $text ) {
    write_file( "$dir/$name", "Plain.\n$text\n" );
    my $run = lint("$dir/$name");
    is $run->{status}, 1, "rejected: $text";
    like $run->{out}, qr{\A\Q$dir\E/\Q$name\E:2: '[^']+'; write .*\n\z},
      'one complaint, with its line';
    return;
}

sub accepts ( $name, @lines ) {
    write_file( "$dir/$name", encode( 'UTF-8', join "\n", @lines, q{} ) );
    is_deeply lint("$dir/$name"), { status => 0, signal => 0, out => q{}, err => q{} },
      "$name is accepted";
    return;
}

complains( 'text.md', $_ )             for @AVOIDED;
complains( 'code.c',  "int i; /* $_" ) for @ANSWERS;
complains( 'code.pl', "    # $_" )     for @ANSWERS;

my $long = 'words and ' x 12 . 'x';    # 121 characters
complains( 'text.md', $long );
complains( 'code.c',  "/* $long */" );
complains( 'code.pl', "    # $long" );
accepts( 'table.md', "| $long |", ( "\x{e4} and " x 17 ) . 'words and word' );
accepts( 'long.c',   "call(\"$long\");" );
accepts( 'text.md',  @ALLOWED, "# $ANSWERS[0]" );
accepts( 'code.c',   map { "/* $_ */" } @SENTENCES );
accepts( 'code.pl',  map { ( "# $_", q{} ) } @SENTENCES );
accepts( 'more.pl',  '# A sentence of several lines: the errors are', "# $ANSWERS[0]" );

mkdir "$dir/$_" or die "$dir/$_: $!\n" for qw(docs tests tests/lint);
for my $list (qw(docs/glossary.md tests/lint/words.pl tests/lint/words.t)) {
    write_file( "$dir/$list", "$AVOIDED[0]\n" );
    is lint($dir)->{status}, 0, "$list may contain avoided words";
}

my $missing = lint("$dir/none");
isnt $missing->{status}, 0, 'a missing path fails';
like $missing->{err}, qr/'\Q$dir\E\/none' does not exist/, 'and is named';

done_testing;
