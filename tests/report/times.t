# The file with the distributions and single times of suites: SKaMPI::Read::Times reads it.
use v5.36;

use Test::More;
use SKaMPI::Document::SuiteView;
use SKaMPI::Figure::Boxes qw(heat_map);
use SKaMPI::Findings::Findings;
use SKaMPI::Meaning::SuiteFacts qw(suite_facts);
use SKaMPI::Prestarted          qw(prestarted);
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Stat::Distribution;
use SKaMPI::Test qw($ROOT read_file write_file workplace);

my $ROW = '%d %d %d' . ' %s' x 12 . ' # %s';

sub row ( $argument, $process, $count, $words ) {
    return sprintf "$ROW\n", $argument, $process, $count, 1 .. 12, $words;
}

sub block (@rows) {
    return join q{}, "#-----\n#/*\@incol_x.ski*/\n# argument process count\n", @rows, "#eol\n";
}

# Results with these lines #@TIMES, beside these files.
sub results ( $references, %files ) {
    my $dir = workplace(
        %files,
        'x.out' => join q{},
        "#-----\n#/*\@incol_x.ski*/\n",
        "#Pattern: Collective varied over the message length [bytes] (%d).\n",
        '#Format: <args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f) ',
        "standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)\n",
        ( map { "#\@TIMES $_\n" } @{$references} ),
        "#eol\n"
    );
    return "$dir/x.out";
}

sub times_of ($path) {
    my $output = SKaMPI::Read::Output->from_file($path);
    return SKaMPI::Read::Times->new( $output->path, ( $output->suites )[0] );
}

sub reference ( $name, $place, $text ) {
    return join q{ }, $name, $place, length $text, SKaMPI::Read::Times::_hash($text);
}

is SKaMPI::Read::Times::_hash(q{}),      'cbf29ce484222325', 'the hash of nothing';
is SKaMPI::Read::Times::_hash('foobar'), '85944171f73967e8', 'a published hash';
is times_of( results( [] ) ),            undef,              'a suite without times';

my $NAME = 'out.times-0123abcd';
my $ONE  = block(
    row( 64, -1, 4, 'late=1 bins=0:3,96:1 times=1,1.01,8.1,1' ),
    row( 64, 0,  4, 'late=1 mean=3.5 bins=0:4' ),
    row( 64, 1,  4, 'late=0 bins=-5:1,96:3 disturbed=8.1' ),
    row( 8,  -1, 0, 'late=7' ),
);
my $TWO = block(
    row( 64, -1, 2, 'late=2 bins=96:2 times=8.2,8.3' ),
    row( 64, 0,  2, 'late=0 mean=8.3 bins=96:2' )
);

subtest 'one run' => sub {
    my $times = times_of( results( [ reference( $NAME, 4, $ONE ) ], $NAME => "torn$ONE" ) );
    is_deeply [ $times->problems ],      [], 'no problem';
    is_deeply [ $times->arguments ],     [ 8, 64 ], 'arguments';
    is_deeply [ $times->processes(64) ], [ 0, 1 ],  'processes';
    my $all = $times->distribution(64);
    is $all->count,          4,  'count';
    is $all->late,           1,  'dropped';
    is $all->percentile(50), 6,  'a percentile as in the file';
    is $all->shortest,       1,  'shortest';
    is $all->longest,        12, 'longest';
    is_deeply [ $all->single_times ], [ 1, 1.01, 8.1, 1 ], 'single times in their order';
    cmp_ok abs( $all->mean - 2.7775 ), '<', 1e-9, 'their mean';
    is_deeply [ $times->distribution( 64, 1 )->single_times ], [], 'a process without single times';
    is $times->distribution( 64, 0 )->mean, 3.5, 'the mean as in the file';
    my $old =
      SKaMPI::Stat::Distribution->new( { count => 2, min => 8.9, max => 8.9, bins => '100:2' } );
    is $old->mean, 8.9, 'in an old file, not below the shortest time';
    is_deeply $times->together(64)->bins, { 0 => 4, -5 => 1, 96 => 3 }, 'all processes together';
    is $times->distribution( 64, 5 ),  undef, 'no such process';
    is $times->distribution(9),        undef, 'no such argument';
    is $times->distribution(8)->count, 0,     'no repetition';
    is $times->distribution(8)->mean,  undef, 'and no mean';
    is( ( $times->runs(64) )[0]{1}{disturbed}, '8.1', 'the row of a process' );
};

subtest 'several runs' => sub {
    my $path = results(
        [ reference( $NAME, 0, $ONE ), reference( 'b.times-00000000', 0, $TWO ) ],
        $NAME              => $ONE,
        'b.times-00000000' => $TWO
    );
    my $times = times_of($path);
    my $all   = $times->distribution(64);
    is_deeply $all->bins, { 0 => 3, 96 => 3 }, 'histograms are added';
    is $all->count,          6,     'counts, too';
    is $all->late,           3,     'and dropped repetitions';
    is $all->percentile(50), 4.555, 'percentiles of single times';
    is_deeply $times->distribution( 64, 0 )->bins, { 0 => 4, 96 => 2 }, 'of a process';
    is $times->distribution( 64, 0 )->mean, ( 4 * 3.5 + 2 * 8.3 ) / 6, 'the mean of both';
    my $median = $times->distribution( 64, 0 )->percentile(50);
    cmp_ok abs( $median - 1.0164 ), '<', 0.001, 'percentiles of bins';
    is( ( $times->runs(64) )[1]{-1}{times}, '8.2,8.3', 'each run remains by itself' );
};

subtest 'a merge in another directory' => sub {
    my $path      = results( [ reference( $NAME, 0, $ONE ) ], $NAME => $ONE );
    my $dir       = $path =~ s{/[^/]*\z}{}r;
    my $elsewhere = results( [ reference( "$dir/$NAME", 0, $ONE ) ] );
    is times_of($elsewhere)->distribution(64)->count, 4, 'found by its absolute name';
    my $copied = results( [ reference( "/nowhere/$NAME", 0, $ONE ) ], $NAME => $ONE );
    is times_of($copied)->distribution(64)->count, 4, 'found beside the results';
};

subtest 'bins' => sub {
    my %bins = ( 1 => 0, 2 => 32, 1.999 => 31, 0.9999 => -1, 3.14 => 52, 0 => -2048, -1 => -2048 );
    is SKaMPI::Stat::Distribution::bin_of($_),    $bins{$_}, "bin of $_" for sort keys %bins;
    is SKaMPI::Stat::Distribution::bin_start(64), 4,         'begin of a bin';
};

my $CHANGED = $ONE =~ s/bins=0:3/bins=0:2/r;
my $CUT     = substr $ONE, 0, -5;
my @DAMAGED = map { block($_) } 'x', "1 2 3\n", row( 1, 2, 3, 'bins=x' ), row( 1, 2, 3, 'times=' ),
  row( 1, 2, 3, 'times=1,,2' ), row( 1, 2, 3, 'bins=1:99999999999' ),
  row( 1, 2, 3, q{late=0} ) =~ s{ 3 }{ x }r;
my @CASES = (
    [ 'changed', qr/'col_x' in '$NAME' were changed/, reference( $NAME, 0,   $ONE ), $CHANGED ],
    [ 'cut',     qr/'[^']*' is shorter/,              reference( $NAME, 0,   $ONE ), $CUT ],
    [ 'missing', qr/cannot read '[^']*': No such/,    reference( $NAME, 0,   $ONE ) ],
    [ 'place',   qr/is shorter/,                      reference( $NAME, 1e9, $ONE ), $ONE ],
    [
        'size', qr/too many times/, "$NAME 0 999999999999 " . SKaMPI::Read::Times::_hash($ONE),
        $ONE
    ],
    [ 'words',  qr/line \#\@TIMES of 'col_x' is damaged/, 'x',                               $ONE ],
    [ 'length', qr/'col_x' is damaged/,                   "$NAME 0 -1 0123456789abcdef",     $ONE ],
    [ 'name', qr/is not the name of a file with times/, reference( '/etc/passwd', 0, $ONE ), $ONE ],
    map { [ 'row', qr/are damaged/, reference( $NAME, 0, $_ ), $_ ] } @DAMAGED,
);
for my $case (@CASES) {
    my ( $what, $expected, $reference, $text ) = @{$case};
    my $times = times_of( results( [$reference], defined $text ? ( $NAME => $text ) : () ) );
    like join( "\n", $times->problems ), $expected, "$what: reported";
    is_deeply [ map { $times->distribution($_) // () } $times->arguments ], [], "$what: not used"
      if $what ne 'row';
}

subtest 'only plain files are read' => sub {
    my $path = results( [ reference( $NAME, 0, $ONE ) ] );
    mkdir $path =~ s/x[.]out\z/$NAME/r or die "$!\n";
    like join( q{}, times_of($path)->problems ), qr/is a directory/, 'a directory';
};

# The text of a suite with these words in its rows.
sub outliers_in (@words) {
    my $format = '#Format: <args> message length [bytes] (%d) <results> ' . join ' ',
      map { "$_ [x] (%f)" }
      map { ( "time_$_", "standard_error_$_", "count_$_" ) } qw(cleaned all);
    my $text = join "\n", '#/*@incol_x.ski*/', $format,
      ( map { "4 1 .1 8 1 .1 10 # $_" } @words ), '#eol', q{};
    my ($suite) = SKaMPI::Read::Output->from_text($text)->suites;
    return { map { @{$_} } suite_facts($suite) }->{Outliers};
}
is outliers_in( 'outliers=2', 'outliers=1' ),
  '3 of 20 repetitions are far above the mean and left out of it', 'outliers in the report';
is outliers_in('min=1'), undef, 'a suite that leaves out none';

sub show ( $path, @options ) {
    my ( $out, $err ) = prestarted( q{.}, "$ROOT/report/show.pl", @options, $path );
    return ( $out, $err );
}

subtest 'skampi-show --times' => sub {
    local $ENV{COLUMNS} = 110;
    my ( $out, $err ) =
      show( results( [ reference( $NAME, 0, $ONE ) ], $NAME => $ONE ), '--times' );
    is $err, q{}, 'no complaint';
    my @rows = map { s/\s+/ /gr } split /\n/, $out;
    is $rows[0], ' suite argument process count late min p25 median p75 p99 max', 'titles';
    is $rows[1], q{ x 8 B all 0 7 - - - - - -},                                   q{no repetition};
    like $rows[2],
      qr/64 B all 4 1 1[.]000 us 5[.]000 us 6[.]000 us 7[.]000 us 10[.]00 us 12[.]00 us/,
      'the repetitions';
    like $rows[4], qr/^ 1 4 0 /, 'a process';
    ( $out, $err ) = show( results( [ reference( $NAME, 0, $ONE ) ] ), '--times' );
    like $err, qr/\Askampi-show: cannot read '[^']*$NAME': No such file/, 'a file that is missing';
    ( $out, $err ) = show( results( [] ), '--times' );
    is $err, "skampi-show: no suite has kept the times of its repetitions\n", 'no times';
};

# Rows of three processes at one argument: process 2 delays the others, and there are two modes.
sub disturbed_block () {
    my $bins = 'bins=' . join q{,}, map { "$_:10" } 100 .. 109, 140 .. 149;
    my $row  = "64 %d 200 %s # late=0 $bins disturbed=%s\n";
    my $us   = '1 2 3 4 9 10 11 12 13 14 15 40';
    return block( map { sprintf $row, $_, $us, join q{,}, ( $_ == 1 ? 10 : 30 ) x 12 } -1 .. 4 ) =~
      s/^64 (0|3|4) (.*disturbed=).*/"64 $1 $2" . join q{,}, (10) x 12/gemr;
}

subtest 'in a report' => sub {
    my $text = disturbed_block();
    my $path = results( [ reference( $NAME, 0, $text ) ], $NAME => $text );
    write_file( $path,
        "#\@BINDING rank host cpus\n# 2 slowhost 0\n" . read_file($path) =~
          s/incol_x/insyncol_x/r =~ s/^#eol/64 10 0.1 100\n#eol/mr );
    my $output = SKaMPI::Read::Output->from_file($path);
    my ($suite) = $output->suites;
    is $suite->is_bimodal( $suite->{rows}[0] ), 1, 'the row has two modes';
    my ($group) =
      grep { $_->{about} eq 'disturbers' } @{ SKaMPI::Findings::Findings->of($output)->{groups} };
    is $group->{findings}[0]{text},
      'syncol_x: process 2 on slowhost delays the others in 100.0 % of 12 slow repetitions.',
      'finding';
    my $view  = SKaMPI::Document::SuiteView->new( $suite, name => 'x', fewest => 1 );
    my $data  = $view->data;
    my $shown = $data->{times};
    is scalar @{ $shown->{rows} }, 6, 'a row for the repetitions and for each process';
    is join( q{ }, $shown->{rows}[3]->@{qw(process count late)} ), '2 200 0', 'of one process';
    is $shown->{map}->name, 'x-map1', 'a map of the processes';
    is_deeply [ map { $_->name } $view->plots ], [qw(x x-bandwidth x-times1 x-all1 x-map1)], 'plots'
      or diag explain [ map { $_->name } $view->plots ];
    is_deeply $data->{marks}, ['\\bimodalmark\\ two or more modes'], 'the mark of two modes';
    like join( "\n", @{ $data->{notes} } ),
      qr/modes at 9[.]\d+ \x{b5}s and 2\d[.]\d+ \x{b5}s.*12 slow repetitions: process 2/s, 'notes';
    my ( $curve, undef, $times, $all, $map ) = $view->plots;
    like $times->commands('pdf'), qr/impulses/, 'lines at the modes of the repetitions';
    unlike $all->commands('pdf'), qr/impulses/, 'not of all processes';
    like $curve->data,            qr/^64 10 9[.]9 10[.]1 0 0 0 1 0$/m, 'the point is marked';
    is scalar( () = $map->data =~ /^\d/mg ), 5 * 20, 'cells of the map';
};

subtest 'a map of many processes' => sub {
    my @each =
      map { [ $_, SKaMPI::Stat::Distribution->new( { count => 1, bins => '0:1,40:3' } ) ] }
      0 .. 999;
    my $data = heat_map( 'x', \@each )->data;
    cmp_ok scalar( () = $data =~ /^\d/mg ), '<=', 2 * 128, 'neighbours share a row';
    like $data, qr/ -0[.]5 7[.]5 [0-9]+$/m, 'of eight';
};

done_testing;
