# Types keep number, name and traits: number and name are in parameter files and results. types.txt has them all, those
# of 4.1 as in the manual's tables 3.2 to 3.5, and make golden adds new ones.
use v5.36;

use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test             qw($ROOT golden);

my %LETTER = ( has_length => 'L', reduces => 'R', rooted => 'r' );

# A line for the numbers of a pattern that differ in the last digit only: "7=MPI_Bcast,Lr".
my %line;
for my $type ( rows_of('types') ) {
    my $tens   = int $type->{number} / 10;
    my $begin  = sprintf '%s %d:', $type->{pattern}, $tens;
    my $traits = join q{}, map { $LETTER{$_} // () } sort @{ $type->{traits} };
    push @{ $line{$begin} }, $type->{number} % 10 . "=$type->{name},$traits" =~ s/,\z//r;
}
my $text = join q{}, map { "$_ @{ $line{$_} }\n" } sort keys %line;
is $text, golden( "$ROOT/tests/mpi/types.txt", $text ), 'all types'
  or diag 'make golden, and review the diff';

done_testing();
