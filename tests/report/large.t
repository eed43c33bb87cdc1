# Large files that are made to cost a reader much time and memory: 50 kB, or 10 MB in make check-long. What show.pl does
# about them is counted: its statements, and the memory that the system lets it have.
use v5.36;

use SKaMPI::Hostile    qw(hostile_text kinds_of_text);
use SKaMPI::Prestarted qw(prestarted);
use SKaMPI::Test       qw($ROOT read_file scratch write_file);
use Test::More;

my $SHOW   = "$ROOT/report/show.pl";
my $BYTES  = $ENV{SKAMPI_LONG} ? 10_000_000 : 50_000;
my $MEMORY = 250 * 1024 * 1024;

# Statements for each byte: many small suites need more than any other text.
my ( $MOST, $MOST_OF_SUITES ) = ( 50, 180 );

plan skip_all => 'prlimit is missing' if !grep { -x "$_/prlimit" } split /:/, $ENV{PATH};

my $place = scratch();
@SKaMPI::Prestarted::PERL =
  ( 'prlimit', "--as=$MEMORY", q{--}, $^X, "-I$ROOT/tests/lib", '-MSKaMPI::Statements' );
local $ENV{SKAMPI_STATEMENTS} = "$place/statements";

sub show (@arguments) {
    my ( $out, $err, $status ) = prestarted( q{.}, $SHOW, @arguments );
    return { out => $out, err => $err, status => $status };
}

my @kinds = @ARGV ? @ARGV : kinds_of_text();
for my $kind (@kinds) {
    my $path = "$place/results";
    write_file( $path, hostile_text( $kind, $BYTES ) );
    my $got = show($path);
    is $got->{status}, 0, "$kind: shown within 250 MB" or diag $got->{err};
    my $most = $kind =~ /^suites/ ? $MOST_OF_SUITES : $MOST;
    cmp_ok read_file("$place/statements"), '<=', $most * -s $path, "$kind: statements";
    like $got->{out}, qr/^  good .*4 B +1[.]00 us/m, "$kind: the suite before is printed";
    unlike $got->{out} . $got->{err}, qr/[^\n -~\x80-\xff]/,
      "$kind: output does not control the terminal";
    cmp_ok length $got->{err}, '<', 3000, "$kind: few complaints";
    cmp_ok length $got->{out}, '<', 40_000, "$kind: few lines"
      if $kind !~ /suites|patterns|numbers|formats/;
}

done_testing;
