# No program of the report reads the hashes of SKaMPI::Read::Output and SKaMPI::Read::Suite: a wrong name of a method
# ends the program, a wrong name of a member is undefined.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT command read_file scratch write_file);

# A few suites of each kind.
my $EXAMPLE = write_file(
    scratch() . '/example.out',
    read_file("$ROOT/docs/examples/standard.out") =~
s{^#-+\n#/\*\@in(?!\w*(?:Waitsome|Bcast|MPI_Reduce-|Barrier|Wtime|dummy|memcpy)|p2p_MPI_Send-).*?^#eol\n}{}gmsr
);

# The exit status of perl with these words and the module that looks for such reads, and its messages.
sub watched (@words) {
    my @perl = ( $^X, "-I$ROOT/tests/lib", '-MSKaMPI::OwnMembers' );
    return @{ command( scratch(), @perl, @words ) }{qw(status err)};
}

for my $words (
    [qw(show.pl --all)], [qw(show.pl --health)],
    [qw(export.pl --format json)],
    [qw(export.pl --format markdown)],
    [qw(dorep.pl --quiet --format html -o x)],
    [qw(db.pl add --database x.db)],
  )
{
    my ( $program, @options ) = @{$words};
    my ( $status,  $err )     = watched( "$ROOT/report/$program", @options, $EXAMPLE );
    is $status, 0, "@{$words}" or diag $err;
}

my $lib    = "-I$ROOT/report/lib";
my $object = q{use SKaMPI::Read::Output; my ($s) = SKaMPI::Read::Output->from_file(shift)->suites;};
is + ( watched( $lib, '-e', "$object print \$s->{label}", $EXAMPLE ) )[0], 99, 'found: a member';
is + ( watched( $lib, '-e', "$object print \$s->label",   $EXAMPLE ) )[0], 0,  'not a method';

my ($suite) = SKaMPI::Read::Output->from_file($EXAMPLE)->suites;
ok !eval { $suite->lable; 1 }, 'a wrong name ends the program';

done_testing;
