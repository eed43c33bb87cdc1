#!/usr/bin/perl
# Reports words that docs/glossary.md advises against, in the text files of the given paths.
#   tests/lint/words.pl PATH...
use v5.36;

use File::Find qw(find);

# Each word, and what to write instead. "Cannot tell" is a state of health. "Behind a" is for places: a
# host behind a router.
my @AVOIDED = (
    [ qr/\b(?<!cannot )(?:tells?|told|telling)\b(?! apart)/i => 'report, print, show or say' ],
    [ qr/\bbehind\b(?!\s+an?\b)/i                            => 'after' ],
    [ qr/\bstands?\b(?!\s+(?:for|out)\b)/i                   => 'is, or appears' ],
    [ qr/\bso (?:many|much)\b/i                              => 'a number, or "at most"' ],
    [ qr/\b(?:has|have|had) to be there\b/i                  => 'is required' ],
    [ qr/\bresp[.]/i                                         => 'two sentences' ],
    [ qr{(?:\A|\s)(?:#|/\*) Of [a-z]}                        => 'For, In, or a sentence' ],
    [ qr/(?<!there )\b(?:is|are|has|have) none\b(?! of\b)/i  => 'no, and the noun' ],
    [ qr/^(?!.*\bnot for\b).*\K\bbut for\b/i                 => 'except, or unlike' ],
    [ qr/\banother (?!rather\b)\w+ than\b/i                  => 'not the same, or unlike' ],
    [
        qr/\b(?:it|which|this|that) is no (?:file|plain|result|error|command|name)/i => '"is not a"'
    ],
);

# Beginnings of comments that answer a question which only the code below them asks. Questions, and
# sentences such as "The same seed gives the same order", are fine.
my $ANSWER = qr{
    (?:\A|\s) (?:\#|/\*) \s
    ( Those\b | Likewise\b | Its\b | Their\b | They\b | Them\b
    | These\b (?! [ ] (?:\w+[ ])? \w+s\b )
    | That (?: , | [ ] (?: of | is | in | for | with | which )\b )
    | The[ ]same (?: [.,:;] | [ ] (?: as | at | but | by | for | from | in | of | on | to | when | with | without )\b )
    | What\b (?! [^.]*[?] )
    )
}x;

# Files that are not checked: those that list these words, and results.
my $EXEMPT = qr{(?:(?:^|/)(?:docs/glossary[.]md|tests/lint/words[.](?:pl|t))|[.]out)\z};

my $bad = 0;

sub complain ( $place, $word, $better ) {
    say "$place: '$word'; write $better (docs/glossary.md)";
    $bad++;
    return;
}

# Comments and prose have at most 120 characters a line; formatters break code, and tables stay as they are.
my $LONGEST = 120;

sub check_length ( $path, $place, $line ) {
    my $is_prose =
      $path =~ /[.](?:md|pod)\z/ || $path =~ m{docs/.*[.]tex\z} && $line !~ /^\s*[\\%]|&/;
    return if $line =~ /^\s*[|]/ || $path =~ m{(?:[.]txt|docs/bench[.]md)\z};
    return
      if !$is_prose && $line !~ ( $path =~ /[.](?:c|h|def)\z/ ? qr{^\s*/?\*\s} : qr/^\s*\#\s/ );
    my $length = length( $line =~ s/[\x80-\xbf]|\n//gr );
    complain( $place, "$length characters", "at most $LONGEST" ) if $length > $LONGEST;
    return;
}

sub check_line ( $place, $line ) {
    for (@AVOIDED) {
        my ( $word, $better ) = @{$_};
        complain( $place, ${^MATCH}, $better ) if $line =~ /$word/p;
    }
    return;
}

sub check_file ($path) {
    return if $path =~ $EXEMPT || !-f $path || !-T $path;
    open my $in, '<', $path or die "$path: $!\n";
    my $is_inside = $path =~ /[.]md\z/;    # where # begins a heading
    while ( my $line = <$in> ) {
        check_line( "$path:$.", $line );
        check_length( $path, "$path:$.", $line );
        complain( "$path:$.", $1, 'a verb or a noun' ) if !$is_inside && $line =~ $ANSWER;
        $is_inside = $line =~ /\A\s*#\s*\w/ if $path !~ /[.]md\z/;
    }
    close $in or die "$path: $!\n";
    return;
}

die "usage: words.pl PATH...\n" if !@ARGV;
-e or die "words.pl: '$_' does not exist\n" for @ARGV;
find( { no_chdir => 1, wanted => sub { check_file($_) } }, @ARGV );
exit( $bad ? 1 : 0 );
