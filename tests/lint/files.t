# files.pl reports files that call each other in a circle, and a function that another file's header declares.
use v5.36;

use Test::More;
use SKaMPI::Test qw($ROOT blocks_of command workplace);

my $LINT = "$ROOT/tests/lint/files.pl";

my $F = 'void f(void);';
my $G = 'void g(void);';
my $H = 'void f(void)';

for my $case ( blocks_of(<<"END") ) {
own headers :: - :: a.h $F :: b.h $G :: a.c $F $G $H { g(); } :: b.c void g(void) {}
a circle :: b.c: calls 'f' of a.c, in a circle :: a.h $F :: b.h $G :: a.c $G $H { g(); } :: b.c $F void g(void) { f(); }
a stem :: - :: a.c void g(void) {} :: a.h $F $G :: a_b.c void f(void) {}
another header :: ab.c: 'g' is declared in 'a.h', not in a header of its file :: a.h /* $F */ $G :: ab.c void g(void) {}
END
    my ( $name, $message, @files ) = @{$case};
    my %text = map { split q{ }, $_, 2 } @files;
    my $dir  = workplace( map { $_ => "$text{$_}\n" } keys %text );
    command( q{.}, 'cc', '-c', '-o', "$dir/$_.o", "$dir/$_.c" )->{status} == 0
      or die "$_\n"
      for map { /(.*)[.]c\z/ } keys %text;
    my $run = command( q{.}, $^X, $LINT, $dir, $dir );
    is $run->{status}, $message eq q{-} ? 0 : 1, "$name: exit status";
    like $run->{out}, $message eq q{-} ? qr/\A/ : qr/\Q$message\E/, "$name: message";
}

done_testing;
