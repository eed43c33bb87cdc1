# files.pl reports files that call each other in a circle, and a function that another file's header declares.
use v5.36;

use Test::More;
use SKaMPI::Test qw($ROOT command workplace);

my $LINT = "$ROOT/tests/lint/files.pl";

my $F = 'void f(void);';
my $G = 'void g(void);';

for my $case (
    [
        'own headers',
        {
            'a.h' => $F,
            'b.h' => $G,
            'a.c' => "$F $G void f(void) { g(); }",
            'b.c' => 'void g(void) {}'
        },
        q{}
    ],
    [
        'a circle',
        {
            'a.h' => $F,
            'b.h' => $G,
            'a.c' => "$G void f(void) { g(); }",
            'b.c' => "$F void g(void) { f(); }"
        },
        "b.c: calls 'f' of a.c, in a circle"
    ],
    [
        'a stem', { 'a.h' => "$F $G", 'a_b.c' => 'void f(void) {}', 'a.c' => 'void g(void) {}' },
        q{}
    ],
    [
        'another header',
        { 'a.h' => "/* $F */ $G", 'ab.c' => 'void g(void) {}' },
        "ab.c: 'g' is declared in 'a.h', not in a header of its file"
    ],
  )
{
    my ( $name, $files, $message ) = @{$case};
    my $dir = workplace( map { $_ => "$files->{$_}\n" } keys %{$files} );
    command( q{.}, 'cc', '-c', '-o', "$dir/$_.o", "$dir/$_.c" )->{status} == 0
      or die "$_\n"
      for map { /(.*)[.]c\z/ } keys %{$files};
    my $run = command( q{.}, $^X, $LINT, $dir, $dir );
    is $run->{status}, length $message ? 1 : 0, "$name: exit status";
    like $run->{out}, qr/\Q$message\E/, "$name: message";
}

done_testing;
