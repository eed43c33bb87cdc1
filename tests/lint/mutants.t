# tests/mutants changes code, but no texts, comments, directives and declarations; which mutants the tests kill.
use v5.36;

use FindBin;
use Test::More;

require("$FindBin::Bin/../mutants");

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

for (
    [ c    => operator  => '< -> <=, && -> ||, != -> ==, * -> /' ],
    [ c    => constant  => '0.5 -> 1.000000e+00, 7 -> 8, 8.5 -> 1.700000e+01, 9 -> 10' ],
    [ c    => condition => q{share < 7 && *s != '(' -> !(share < 7 && *s != '(')} ],
    [ c    => statement => 'puts("a + 6"); -> ;, share = 8.5 * of(9); -> ;' ],
    [ perl => operator  => '+ -> -' ],
    [ perl => constant  => '2 -> 3' ],
    [ perl => condition => 'if -> unless' ],
    [ perl => statement => '$x = $x + 2 if $x; -> ;, say "3 + $x"; -> ;' ],
  )
{
    my ( $language, $kind, $expected ) = @{$_};
    my ( $text, $find ) =
      @{ { c => [ $C, \&places_in_c ], perl => [ $PERL, \&places_in_perl ] }->{$language} };
    my @texts = map { substr $text, $_->[0], length $_->[1] } $find->( $text, $kind );
    is join( q{, }, map { "$_ -> " . changed( $kind, $_ ) } @texts ), $expected,
      "$kind in $language";
}

# Test i fails with mutant i; 3 always; 5 with 1 and 2 together; 9 the first time.
my ( @in_copy, @results, @warnings, %runs_of );

sub fails ($test) {
    return 1 if $test == 3 || $test == 5 && "@in_copy" =~ /1 2/ || $test == 9 && !$runs_of{9}++;
    return grep { $_ == $test } @in_copy;
}
{
    no warnings qw(redefine once);    ## no critic (NoWarnings)
    *apply = sub (@mutants) {
        @in_copy = map { $_->{number} } @mutants;
    };
    *failing = sub (@tests) {
        return grep { fails($_) } @tests;
    };
    *add_result = sub ( $m, @result ) { push @results, "$m->{number} @result" };
}
local $SIG{__WARN__} = sub ($text) { push @warnings, $text };
survivors( 'all', [ 3 .. 12 ], map { { number => $_ } } 1, 2, 7, 8, 20 );
is join( q{, }, sort @results ),
  '1 survived all, 2 survived all, 20 survived all, 7 killed all 7, 8 killed all 8', 'together';
is_deeply \@warnings, ["fails without a mutant: 3\n"], 'a test that always fails kills none';

done_testing;
