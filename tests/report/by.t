# skampi-compare --by: the sides that facts make, and tables of more than two sides.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use SKaMPI::Generated  qw(launch_text launches random_from);
use SKaMPI::ReportTest qw(pdf_text tool why_not workplace);
use SKaMPI::Test       qw($ROOT refusals);

my $COMPARE = "$ROOT/report/compare.pl";

# Runs of A, B and C in turn; B is slower at 24 B of the first suite, C at 12 B of the second.
my %SIDE = (
    a => [ {}, 'Open MPI v4.1.4, built', 'x:1 y:1', '6.1' ],
    b => [ { 5  => 1.3 },   'Open MPI v5.0.1, built', 'x:1 y:1', '6.1' ],
    c => [ { 12 => 1 / 2 }, 'MPICH Version: 4.2',     'x:2',     '6.2' ],
);
my $random = random_from(3);
my %files;
for my $i ( 1 .. 6 ) {
    for my $side ( sort keys %SIDE ) {
        my ( $slower, $library, $hosts, $kernel ) = @{ $SIDE{$side} };
        my ($times) =
          launches( $random, launches => 1, points => 20, between => 0.01, slower => $slower );
        my %facts = (
            MPILIBRARY       => $library,
            PROCESSESPERHOST => $hosts,
            OSRELEASE        => $kernel,
            LABEL            => "site=here\n# commit=$library of"
        );
        delete $facts{OSRELEASE} if $side eq 'b';
        $files{"$side$i"} =
          launch_text( $times, minute => 3 * $i + ord($side) - ord 'a', facts => \%facts );
    }
}
my $dir = workplace(%files);
local $ENV{COLUMNS} = 120;

# The files of each side; small letters are four of them.
my %FILES;
for my $side (qw(a b c)) {
    $FILES{ uc $side } = [ map { "$side$_" } 1 .. 6 ];
    $FILES{$side} = [ map { "$side$_" } 1 .. 4 ];
}

sub compare (@words) {
    return tool( $dir, $^X, $COMPARE, map { $FILES{$_} ? @{ $FILES{$_} } : $_ } @words );
}

# The exit status, words, and what is printed.
for my $case ( split /\n/, <<'END' ) {
1 --by library A B : BASE: Open MPI v4[.]1[.]4\n  NEW: Open MPI v5[.]0[.]1\n.*20 points: 1 slower
0 --by library B A : BASE: Open MPI v5[.]0[.]1\n
0 --by nodes A C : BASE: 2 nodes\n  NEW: 1 node\n.*1 faster
0 --by hosts A C : BASE: x, y\n  NEW: x\n
1 --by @OSRELEASE A B : BASE: 6[.]1\n  NEW: unknown\n
1 --by @LABEL=commit A B : BASE: Open MPI v4[.]1[.]4, built of\n  NEW: Open MPI v5[.]0[.]1, built of\n
1 --by @LABEL A B : BASE: site=here; commit=Open
1 --by library --fail-on any A C : 1 faster
1 --by library A B C : \A3 sides by library; each.*^  1 +6  Open MPI v4[.]1[.]4\n  2 +6  Open MPI v5[.]0[.]1 +1
1 --by library A B C : ^  3 +6  MPICH Version: 4[.]2 +0 +1 .*^  p2p_Suite02 +12 B .* 0[.](?:49|50)\d faster
1 --by library A B C : faster.*^  p2p_Suite01 +24 B .* 1[.](?:29|30)\d slower
3 --by library a b c : side 2: descriptive only: at least 5 launches a side
1 --by library a b : 1 slower
END
    my ( $status, $words, $expected ) = $case =~ /\A(\d) (.*?) : (.*)\z/;
    my $run = compare( split q{ }, $words );
    is "$run->{status}$run->{err}", $status, "status $status: $words";
    like $run->{out}, qr/$expected/ms, 'what is printed';
}

refusals( <<'END', \&compare );
4 --by hosts A B : all runs have the same hosts: 'x, y'
2 --by @OSRELEAS A : --by: expected library.*mean '@OSRELEASE'
4 --by @LABEL=site A B : all runs have the same site: 'here'
4 --by @LABEL=sight A B : --by @LABEL=sight: no run has it
2 --by @LABEL= A : --by: expected library
2 --by hosts A -- B : --by makes the sides; name all runs without --
2 --by hosts : --by makes the sides
2 --by hosts --save x.json A : --save cannot be used with --by
2 --by library -o a1 A : 'a1' is also read
END

my @ALL = qw(--by library A B C);

subtest 'formats of three sides' => sub {
    my $found = decode_json( compare( '--json', @ALL )->{out} );
    is_deeply [ map { $_->{name} } @{ $found->{sides} } ],
      [ 'Open MPI v4.1.4', 'Open MPI v5.0.1', 'MPICH Version: 4.2' ], 'JSON: the sides';
    is_deeply [ map { $_->{alpha} } @{ $found->{comparisons} } ], [ 0.025, 0.025 ],
      'the errors of both comparisons';
    my @csv = split /\r\n/, compare( qw(--format csv), @ALL )->{out};
    is scalar @csv, 41, 'CSV: a row for each point and side';
    like $csv[0],  qr/,base_side,new_side,/,                   'with their names';
    like $csv[-1], qr/,"Open MPI v4[.]1[.]4","MPICH Version:/, 'in each row';
    like compare( qw(--format markdown), @ALL )->{out},
      qr/^[|] p2p\\_Suite01 [|] 24 B [|] \S+ [|] 1[.]\d+ slower 1[.]\d+ to \S+ [|] \S+ equal /m,
      'Markdown';
    my $junit = compare( qw(--format junit), @ALL )->{out};
    is scalar( () = $junit =~ /<testsuite name="skampi-compare: /g ), 2, 'JUnit: two suites';
    like $junit, qr{<testsuites>.*failures="1".*failures="0".*</testsuites>\n\z}s, 'one failure';
};

subtest 'a baseline' => sub {
    is compare( '--save', 'base.json', 'A' )->{status}, 0, 'saved';
    like compare( qw(--by library base.json), 'B' )->{out},
      qr/BASE: Open MPI v4[.]1[.]4\n.*1 slower/s,
      'is divided, too';
};

subtest 'PDF' => sub {
    plan skip_all => why_not() if why_not();
    my $run = compare( qw(--format pdf -o sides.pdf), @ALL );
    is "$run->{status}$run->{err}", '1', 'status 1';
    like pdf_text("$dir/sides.pdf"), qr/[(]3[)] MPICH/, 'has the third side';
};

done_testing;
