#!/usr/bin/perl
# tests/mutants changes code, but no texts, comments, directives and declarations.
use v5.36;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

require( dirname( abs_path(__FILE__) ) . '/../mutants' );

my $C = <<'END';
#define MOST (1 + 2)
/* if (a) b = 3; */
int list[4 + 5], of(int);
static double share = 0.5;
static int f(const char *s)
{
    puts("a + 6");
    if (share < 7 && *s != '(')
        share = 8.5 * of(9);
    free(list);
    return -1;
}
END
my $PERL = <<'END';
use v5.36;
# if $x + 1
sub f ($x) {
    $x = $x + 2 if $x;
    say "3 + $x";
    return $x;
}
1;
END

for my $case (
    [ c    => 'operator',  '< -> <=',             '&& -> ||', '!= -> ==',            '* -> /' ],
    [ c    => 'constant',  '0.5 -> 1.000000e+00', '7 -> 8',   '8.5 -> 1.700000e+01', '9 -> 10' ],
    [ c    => 'condition', q{share < 7 && *s != '(' -> !(share < 7 && *s != '(')} ],
    [ c    => 'statement', 'puts("a + 6"); -> ;', 'share = 8.5 * of(9); -> ;' ],
    [ perl => 'operator',  '+ -> -' ],
    [ perl => 'constant',  '2 -> 3' ],
    [ perl => 'condition', 'if -> unless' ],
    [ perl => 'statement', '$x = $x + 2 if $x; -> ;', 'say "3 + $x"; -> ;' ],
  )
{
    my ( $language, $kind, @expected ) = @{$case};
    my $text   = $language eq 'c' ? $C                       : $PERL;
    my @places = $language eq 'c' ? places_in_c( $C, $kind ) : places_in_perl( $PERL, $kind );
    my @found =
      map { substr( $text, $_->[0], length $_->[1] ) . ' -> ' . changed( $kind, $_->[1] ) } @places;
    is_deeply \@found, \@expected, "$kind in $language" or diag explain \@found;
}

done_testing;
