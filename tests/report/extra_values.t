# Rows may carry named values in addition to their time. The report and show.pl print those of any
# pattern.
use v5.36;

use Encode qw(decode encode);
use Test::More;
use SKaMPI::Document::Template;
use SKaMPI::Document::SuiteView;
use SKaMPI::Meaning::SuiteFacts qw(suite_facts);
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT command scratch write_file);

my $SHOW   = "$ROOT/report/show.pl";
my $FORMAT = '<args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f)'
  . ' standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)';
my @TWO = ( 'mean [microsec.] mean over the pairs', 'worst rank of the slowest' );

# A suite of a pattern that the report does not know, with these declarations and rows.
sub suite_text ( $extra, @rows ) {
    return join "\n", '#/*@inodd_x.ski*/',
      '#Pattern: Odd varied over the message length [bytes] (%d).', "#Format: $FORMAT",
      ( map { "#\@EXTRA $_" } @{$extra} ), @rows, '#eol', q{};
}

sub row ( $argument, @extras ) {
    return join q{ }, "$argument 1.5 0.1 8 #", 'stop=accuracy', @extras;
}

sub data_of ($text) {
    my ($suite) = SKaMPI::Read::Output->from_text($text)->suites;
    return SKaMPI::Document::SuiteView->new( $suite, name => 'x' )->data;
}

sub latex_of ($text) {
    return SKaMPI::Document::Template->new->text( 'suite', { suite => data_of($text) } );
}

sub show (@texts) {
    my $path = scratch() . '/x.out';
    write_file( $path, encode( 'UTF-8', join q{}, @texts ) );
    my $run = command( q{.}, $^X, $SHOW, $path );
    is $run->{err}, q{}, 'no complaint';
    return decode( 'UTF-8', $run->{out} );
}

sub table_text ($table) {
    my @rows = map {
        join q{ }, "$_->{argument}:",
          map { "$_->{value}|$_->{error}" }
          @{ $_->{cells} }
    } @{ $table->{rows} };
    return [ "@{ $table->{names} }", @rows ];
}

sub tables ($data) {
    return map { @{ $data->{$_} } } qw(tables_beside tables_below);
}

subtest 'the report has a table of them' => sub {
    my @rows = (
        row( 4,  'mean=1.25 mean_error=0.125 worst=3' ),
        row( 8,  'mean=0 mean_error=0.5' ),
        row( 12, 'mean=-2 mean_error=0.5' ),
        row( 16, 'mean=nan worst=0' )
    );
    my $data = data_of( suite_text( \@TWO, @rows ) );
    is_deeply [ map { table_text($_) } tables($data) ],
      [
        [
            'mean worst',
            "4 B: 1.250 \x{b5}s|\x{b1} 10.0 % 3|",
            '8 B: 0 s| |',
            "12 B: -2.000 \x{b5}s|\x{b1} 25.0 % |",
            '16 B: | 0|'
        ]
      ],
      'values, errors and gaps';
    like join( q{ }, map { $_->{text} } @{ $data->{facts} } ),
      qr/mean: mean over the pairs; worst: rank of the slowest/,
      'what the names mean';

    $data = data_of( suite_text( ['share [%]'], row( 4, 'share=-20 share_error=1.5' ) ) );
    is table_text( ( tables($data) )[0] )->[1], "4 B: -20.0 %|\x{b1} 1.5 %",
      'the error of a value in percent is in percentage points';

    $data = data_of( suite_text( ['share [%]'], row( 4, 'share=nan share_error=nan' ), row(8) ) );
    is_deeply [ map { $_->{cells}[0]{value} } @{ ( tables($data) )[0]{rows} } ], [ q{-}, q{} ],
      'a share that is not known, and none';

    my @many = map { row( 2**$_, 'mean=1' ) } 1 .. 30;
    $data = data_of( suite_text( \@TWO, @many ) );
    is scalar @{ ( tables($data) )[0]->{rows} },     10,      'a few rows of many';
    is + ( tables($data) )[0]->{rows}[-1]{argument}, '1 GiB', 'up to the last one';
    like "@{ $data->{notes} }", qr/table of other values shows 10 of 30 points/, 'as a note says';

    my @names = map { "v$_" } 1 .. 8;
    $data = data_of( suite_text( \@names, row( 4, map { "$_=1" } @names ) ) );
    is_deeply [ map { "@{ $_->{names} }" } tables($data) ],
      [ 'v1 v2 v3 v4', 'v5 v6 v7 v8' ], 'tables fit the page';
    is_deeply [ tables( data_of( suite_text( [], row(4) ) ) ) ], [], 'no table without values';
};

my @OVERLAP = map { "$_ [%]" } qw(overlap availability);

# For the overlap pattern: work, overlap, availability, off.
sub overlap_text ( $prefix, @rows ) {
    return join "\n", "#/*\@in${prefix}_MPI_Ibcast.ski*/",
      '#Pattern: Overlap varied over the work [percent] (%d).',
      '#The x scale is linear, no automatic x wide adaption',
      $FORMAT =~ s/^/#Format: /r =~ s/message length \[bytes\]/work [percent]/r,
      ( map { "#\@EXTRA $_" } @OVERLAP, 'off' ),
      ( map { sprintf '%d 1.5 0.1 8 # stop=accuracy %s', split / /, $_, 2 } @rows ), '#eol', q{};
}

my @WORKS = (
    '0 overlap=nan availability=-10 availability_error=2 off=0',
    '50 overlap=80 overlap_error=4 availability=90 off=5',
    '100 overlap=-20 availability=50 off=5.1',
    '150 overlap=100 availability=100 off=20',
    '200 overlap=95 availability=97 off=nan',
);

subtest 'a plot of overlap and availability' => sub {
    my ($suite) = SKaMPI::Read::Output->from_text( overlap_text( 'overlap', @WORKS ) )->suites;
    my $view = SKaMPI::Document::SuiteView->new( $suite, name => 'x' );
    is_deeply $view->data->{plots}, [ 'x', 'x-overlap' ], 'beside that of the times';
    my ( undef, $plot ) = $view->plots;
    my ( $overlap, $availability ) = split /\n\n/, $plot->data;
    is_deeply [ $overlap =~ /^(\d+ \S+ \S+ \S+)/mg ],
      [ '50 0.8 0.76 0.84', '100 -0.2 -0.2 -0.2', '150 1 1 1', '200 0.95 0.95 0.95' ],
      'overlap, with its error, and none without work';
    is_deeply [ $availability =~ /^(\d+ \S+ \S+ \S+)/mg ]->[0], '0 -0.1 -0.12 -0.08',
      'availability, which may be below 0';
    like join( "\n", $plot->commands('pdf') ), qr/'overlap'.*'availability'/s, 'their names';
    my ($other) = SKaMPI::Read::Output->from_text( overlap_text( 'odd', @WORKS ) )->suites;
    is_deeply( SKaMPI::Document::SuiteView->new( $other, name => 'x' )->data->{plots},
        ['x'], 'none for values of another pattern' );
    my ($none) =
      SKaMPI::Read::Output->from_text( overlap_text( 'overlap', map { "$_ x=1" } 1 .. 5 ) )->suites;
    is_deeply( SKaMPI::Document::SuiteView->new( $none, name => 'x' )->data->{plots},
        ['x'], 'none without values' );
};

subtest 'rows whose processes computed for another time' => sub {
    my ($suite) = SKaMPI::Read::Output->from_text( overlap_text( 'overlap', @WORKS ) )->suites;
    my $view    = SKaMPI::Document::SuiteView->new( $suite, name => 'x' );
    my $data    = $view->data;
    is_deeply $data->{marks}, ['\doubtfulmark\ doubtful work'], 'the key of a plot';
    like "@{ $data->{warnings} }", qr/2 of 5 rows are marked as doubtful: .* by more than 5 %/,
      'a sentence';
    for my $plot ( $view->plots ) {
        my %marked = map { $_ => 1 } $plot->data =~ /^(\d+) .* 1$/mg;
        is_deeply [ sort keys %marked ], [ 100, 150 ], 'points of a plot';
        like join( "\n", $plot->commands('pdf') ), qr/\$9 == 1 .* pointtype 4 /, 'are drawn';
    }
    is_deeply [ map { $_->{argument} =~ /[?]\z/ ? 1 : 0 } @{ ( tables($data) )[0]->{rows} } ],
      [ 0, 0, 1, 1, 0 ], 'the table of the values';
    my $table = SKaMPI::Document::SuiteView->new( $suite, name => 'x', fewest => 9 )->data;
    is_deeply [ map { $_->{time} =~ /[?]\z/ ? 1 : 0 } @{ $table->{values} } ], [ 0, 0, 1, 1, 0 ],
      'the table of the times';
    my $out = show( overlap_text( 'overlap', @WORKS ) );
    like $out,   qr/ 100 .*1[.]50 us[?]/,                           'in a terminal';
    like $out,   qr/^[?]: the work of a process differs by/m,       'and what it means';
    unlike $out, qr/work (?:0|200) +1[.]50 us[?]/,                  'no mark of other rows';
    unlike show( overlap_text( 'odd', @WORKS ) ), qr/us[?]|^[?]:/m, 'nor in another pattern';
};

sub file_text ($file) {
    my $rows = join "\n", map { "$_ 1.5 0.1 8 # stop=accuracy cached=$_" } 0, 1, 2, 50, 100;
    return <<"END";
#/*\@inio_x.ski*/
#Pattern: Input and Output varied over the message length [bytes] (%d).
#Format: $FORMAT
#\@TYPE 222 io_MPI_File_read_at
#\@FILE $file
#\@EXTRA cached percent of the file
$rows
#eol
END
}

subtest 'rows whose files stayed in the page cache' => sub {
    my $dropped = file_text('on tmpfs; page cache dropped after each repetition');
    my ($suite) = SKaMPI::Read::Output->from_text($dropped)->suites;
    my $data    = SKaMPI::Document::SuiteView->new( $suite, name => 'x' )->data;
    is_deeply $data->{marks}, ['\doubtfulmark\ in the page cache'], 'the key of a plot';
    like "@{ $data->{warnings} }", qr/3 of 5 rows are marked as doubtful: part of the file stayed/,
      'a sentence';
    my ($files) = grep { $_->[0] eq 'Files' } suite_facts($suite);
    is $files->[1], 'on tmpfs; page cache dropped after each repetition', 'the file system';
    my $out = show($dropped);
    like $out,   qr/ 100 .*1[.]50 us[?]/,                   'in a terminal';
    like $out,   qr/^[?]: part of the file stayed in the/m, 'and what it means';
    unlike $out, qr/[?]: the work/,                         '... of these suites';
    unlike show( file_text('on tmpfs; page cache kept') ), qr/us[?]|^[?]:/m,
      'not with io_cache=kept';
};

subtest 'the report escapes them' => sub {
    my $latex = latex_of( suite_text( ['\input{x} [$%] \write18'], row( 4, '\input{x}=1' ) ) );
    like $latex,   qr/\\textbackslash\{\}input\\\{x\\\}\\\\\n\\midrule/, 'a name';
    like $latex,   qr/1 \\\$\\%/,                                        'a unit';
    like $latex,   qr/: \\textbackslash\{\}write18/,                     'a text';
    unlike $latex, qr/(?<!\\)\\(?:input|write)/,                         'no command';
    my $long    = 'x' x 5000;
    my $data    = data_of( suite_text( ["$long [$long] $long"], row( 4, "$long=1" ) ) );
    my ($table) = tables($data);
    is length $table->{names}[0],                 40, 'a long name is cut';
    is length $table->{rows}[0]{cells}[0]{value}, 40, 'and a long unit';
};

subtest 'show.pl prints them in the line of the time' => sub {
    my $out = show( suite_text( \@TWO, row( 4, 'mean=1.25 mean_error=0.125 worst=3' ), row(8) ) );
    like $out,
qr/^  suite .* [+]- +mean +worst .*\n  x +4 B +1[.]50 us +6[.]7 % +1[.]250 us \S+ 10[.]0 % +3 /m,
      'in columns of their own';
    like $out, qr/^mean: mean over the pairs; worst: rank of the slowest$/m, 'what the names mean';
    unlike show( suite_text( [], row(4) ) ), qr/mean:/, 'no legend without values';
    my $odd = show( suite_text( [ "a\e[31mb [\x{202e}] " . 'y' x 300 ], row( 4, "a\e[31mb=1" ) ) );
    unlike $odd =~ s/\n//gr, qr/[\p{Cc}\p{Cf}]/, 'nothing for the terminal';
    is scalar( grep { length > 100 } split /\n/, $odd ), 0, 'lines of at most 100 characters';
};

done_testing;
