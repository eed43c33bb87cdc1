# All pairs of processes in the report: which are equally near, which are slower than those, and the map.
use v5.36;

use Test::More;
use SKaMPI::Verdict::Launch qw(read_launch);
use SKaMPI::Document::SuiteView;
use SKaMPI::Figure::Boxes qw(matrix_map);
use SKaMPI::Findings::Findings;
use SKaMPI::Meaning::Matrix;
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT command scratch write_file);

my $COLUMNS = join q{ }, map { "$_ [microsec.] (%f)" } qw(time_cleaned standard_error_cleaned);
$COLUMNS .=
    ' count_cleaned [number] (%d) time_all [microsec.] (%f) standard_error_all [microsec.] (%f)'
  . ' count_all [number] (%d)';

# Ranks 0 to 2 on host a, 3 and 4 on b; the others on one socket of c, 5 and 6 on one core.
my @PLACES = (
    '0 a 0 any',
    '1 a 1 any',
    '2 a any any',
    '3 b 0 0',
    '4 b 1 8',
    '5 c 0 3',
    '6 c 0 3',
    '7 c 0 4',
    '8 c 0 5'
);

sub text_with ($time_of) {
    my @rows;
    for my $rank ( 0 .. $#PLACES - 1 ) {
        for my $partner ( $rank + 1 .. $#PLACES ) {
            my ( $us, $error ) = $time_of->( $rank, $partner );
            push @rows, sprintf "%d %d %.6f %.6f 8 %.6f %.6f 8 # stop=accuracy\n", $rank, $partner,
              $us, $error, $us, $error;
        }
    }
    my $places = join "\n", map { "# $_" } @PLACES;
    return <<"END" . join q{}, @rows, "#eol\n#skampi finished.\n";
#\@SKAMPIVERSION 4.2.0
#\@SUITES m { Type = 160; Parameters = "pairs=round"; }
#-----
#/*\@inpairs_m.ski*/
#Description of the m measurement:
#Pattern: Pairs varied over the pair [ranks] (%d).
#The x scale is linear, no automatic x wide adaption
#range: 0 - 8, stepwidth: 1.000000.
#default values: 9 nodes, message length 8 bytes, max. / act. time for suite disabled/0.00 min.
#max. allowed standard error is 5.00 %, cut quantile is 25.00 %
#Format: <args> rank [number] (%d) partner [number] (%d) <results> $COLUMNS
#\@TYPE 160 pairs_MPI_Send-MPI_Recv
#\@TIMEOF full round trip of a pair, all pairs of a round at once
#\@ROUNDS 9 of 4 pairs each; in each, another process idles
#\@PLACES rank host socket core
$places
END
}

sub output_with ($time_of) { return SKaMPI::Read::Output->from_text( text_with($time_of) ) }

# Far pairs take 10 us, those of a host 2 us. 1-5 is slow, 2-7 may be: its error is large.
sub time_of_pair ( $rank, $partner ) {
    my ( $one, $other ) = map { ( split q{ }, $PLACES[$_] )[1] } $rank, $partner;
    return ( 23, 0.1 ) if "$rank-$partner" eq '1-5';
    return ( 20, 5 )   if "$rank-$partner" eq '2-7';
    return $one eq $other ? ( 2, 0.01 ) : ( 10 + 0.01 * $partner, 0.1 );
}

my $output = output_with( \&time_of_pair );
my ($suite) = $output->suites;
is_deeply [ map { $_->{text} } $output->problems ], [], 'rows with two arguments are read';
my $matrix = SKaMPI::Meaning::Matrix->of($suite);
is $matrix->processes, 9, 'the number of processes';
my %found = map {
    $_->{name} => join q{ },
      map { $_->{name} }
      @{ $_->{pairs} }
} $matrix->classes;
is $found{'on the same core'}, '5-6', 'same core';
is join( q{ }, sort split / /, $found{'on the same socket'} ), '5-7 5-8 6-7 6-8 7-8', 'same socket';
is join( q{ }, sort split / /, $found{'on the same host'} ), '0-1 0-2 1-2 3-4',
  'same host: other sockets, or not bound to one';
is scalar( split / /, $found{'on different hosts'} ), 26, 'different hosts';
is_deeply [ map { $_->[0]{name} } $matrix->slow_pairs ], ['1-5'], 'one is slow beyond its error';

my @findings = map { @{ $_->{findings} } }
  grep { $_->{about} eq 'slow pairs' } @{ SKaMPI::Findings::Findings->of($output)->{groups} };
is_deeply [ map { $_->{text} } @findings ],
  [ 'pairs_m (MPI_Send-MPI_Recv): pair 1-5 takes 2.3 times as long as the median of the pairs on '
      . 'different hosts (23.00 us against 10.06 us).' ],
  'the finding';

# Equal times, and classes of a few pairs, have no slow ones.
my ($equal) = output_with( sub { return ( 5, 0.1 ) } )->suites;
is scalar( SKaMPI::Meaning::Matrix->of($equal)->slow_pairs ), 0, 'equal pairs';
my ($few) =
  output_with( sub ( $r, $p ) { return ( "$r-$p" eq '5-6' ? 50 : 5, 0.1 ) } )->suites;
is scalar( SKaMPI::Meaning::Matrix->of($few)->slow_pairs ), 0, 'a class of one';

my @cells = grep { !/^#/ } split /\n/, matrix_map( 'm', $matrix )->data;
is scalar @cells, 72, 'the map has both halves, and no pair of a process with itself';
my %colour = map { my @c = split; ( "$c[0] $c[1]" => $c[6] ) } @cells;
is $colour{'1 5'}, $colour{'5 1'}, 'and is symmetric';
is $colour{'1 5'}, 0x003c6e,       'the slowest is darkest';
is $colour{'5 6'}, 0xecf2f8,       'the fastest is lightest';

my $view  = SKaMPI::Document::SuiteView->new( $suite, name => 'm' );
my $notes = join q{ }, @{ $view->data->{notes} };
like $notes, qr/26 pairs on different hosts: median 10[.]06 \S+, from 10[.]03 \S+ \(0-3\)/,
  'a note';
like $notes, qr/the lightest cell is 2[.]000 \S+, the darkest 23[.]00/, 'and of the colours';
my @plots = $view->plots;
is scalar @plots, 1, 'one plot';

my $path = write_file( scratch() . '/skampi.out', text_with( \&time_of_pair ) );
my $show = command( q{.}, $^X, "$ROOT/report/show.pl", $path );
like $show->{out}, qr/^\s+m\s+\S+\s+2[.]000\ us.*^.*36\ points\s.*^\s+1-5\s+23[.]00\ us/msx,
  'skampi-show: the fastest and the slowest pair';
is $show->{err}, q{}, 'without a message';

my $launch = read_launch( $path, 'time' );
is_deeply [ sort keys %{ $launch->{suites} } ], [ map { "pairs_m/$_" } 0 .. 7 ],
  'skampi-compare: a suite for each lower rank';
is_deeply $launch->{suites}{'pairs_m/5'}{values}, { 6 => 2, 7 => 2, 8 => 2 }, 'over its partners';
is $launch->{suites}{'pairs_m/1'}{values}{5}, 23, 'with the times of the pairs';

done_testing;
