#!/usr/bin/perl
# files.pl reports files that call each other in a circle, and a function that another file's header declares.
use v5.36;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run       qw(run);
use Test::More;
use SKaMPI::Test qw(scratch write_file);

my $LINT = dirname( abs_path(__FILE__) ) . '/files.pl';

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
    my $dir = scratch();
    write_file( "$dir/$_", "$files->{$_}\n" ) for keys %{$files};
    run [ 'cc', '-c', '-o', "$dir/$_.o", "$dir/$_.c" ]
      or die "$_\n"
      for map { /(.*)[.]c\z/ } keys %{$files};
    run [ $^X, $LINT, $dir, $dir ], '>', \my $out;
    is $? >> 8, length $message ? 1 : 0, "$name: exit status";
    like $out, qr/\Q$message\E/, "$name: message";
}

done_testing;
