# The facts "#@NAME" of skampi.out: what the program explains is what the manual has.
use v5.36;

use Test::More;
use SKaMPI::Test qw($ROOT manual_table scratch read_file skampi succeeds);

sub printed (@args) {
    my $run = succeeds( skampi( scratch(), @args ), "@args" );
    return $run->{out};
}

# Place => names.
sub facts_of ($help) {
    my %facts;
    while ( $help =~ /^In the (.*):\n((?:[ ].*\n)+)/mg ) {
        my ( $place, $rows ) = ( $1, $2 );
        $facts{$place} = [ $rows =~ /^  (\w+) /mg ];
    }
    return %facts;
}

sub sorted (@names) {
    my %seen = map { $_ => 1 } @names;
    return [ sort keys %seen ];
}

my $help  = printed('--help-output');
my %facts = facts_of($help);
is_deeply [ sort keys %facts ],
  [ sort 'header', 'header of a merge', 'blocks', 'trailer', q{rows, after '#'} ], 'places';
is_deeply [ grep { length > 80 } split /\n/, $help ], [], 'at most 80 columns';

my @all = map { @{ $facts{$_} } } keys %facts;
is_deeply sorted( manual_table('facts') =~ s/\\_/_/gr =~ /^\\skampifact[{](\w+)[}]/mg ),
  sorted(@all),
  'the table of the manual has them';
is_deeply sorted( manual_table("$ROOT/docs/man/skampi.out.5.pod") =~ /^=item B<(\w+)>$/mg ),
  sorted(@all),
  'so has the manual page';
like read_file("$ROOT/docs/manual/files.tex"), qr/\\input[{]facts[}]/, 'which the manual includes';

is_deeply [ printed( '--help-output', 'residual' ) =~ /^In the (.*):$/mg ],
  [ 'blocks', 'trailer', q{rows, after '#'} ],
  'one name, in three places';

like printed('--help-output=TYPE'), qr/\AIn the blocks:\n  TYPE +number and name [^\n]+\n\z/,
  'one name';
like printed( '--help-output', 'as_osu' ),
  qr/\AIn the rows of Overlap:\n  as_osu +as OSU prints it: max/,
  'a value of a row';
is_deeply [ printed( '--help-output', 'best' ) =~ /^In the rows of (.*):$/mg ],
  ['Synchronous Collective'],
  'also one that a key adds';
my $unknown = skampi( scratch(), '--help-output', 'TYP' );
is $unknown->{status}, 2, 'no such name';
like $unknown->{err},
  qr/\Askampi: no fact or value of a row is called 'TYP'; see skampi --help-output\n\z/,
  'and why';

done_testing;
