use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT read_file scratch write_file);
use SKaMPI::Base::Units
  qw(exact_percent factor_text format_argument format_bytes format_duration format_error format_percent format_ratio
  format_time format_value ratio_text);

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $DATA = "$ROOT/tests/report/data";

sub suite_text ( $header, @rows ) {
    return join "\n", '#-----', '#/*@inp2p_x.ski*/', @{$header}, @rows, '#eol', q{};
}

my @LENGTH = (
    '#Pattern: Point-to-Point varied over the message length [bytes] (%d).',
    '#Format: <args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f) '
      . 'standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)',
);

sub only_suite (@rows) {
    my $output = SKaMPI::Read::Output->from_text( suite_text( \@LENGTH, @rows ) );
    return ( ( $output->suites )[0], map { "$_->{line}: $_->{text}" } $output->problems );
}

subtest 'examples from the manual of 4.1' => sub {
    my $old = SKaMPI::Read::Output->from_file("$DATA/old.out");
    is_deeply [ $old->problems ], [], 'no problems';
    is $old->field('MACHINE'), 'IBM RS/6000 SP',           'a field';
    is $old->field('DATE'),    'Thu Oct 29 11:25:34 1998', 'the last field';
    is $old->field('NOTHERE'), undef,                      'a missing field';
    is scalar( $old->fields ), 12,                         'the number of fields';
    ok $old->is_finished && $old->is_postprocessed, 'trailer';
    is join( q{ }, map { $_->{label} } $old->suites ),
      'col_MPI_Bcast-nodes-short simple_MPI_Wtime mw_MPI_Waitsome-chunks p2p_MPI_Bsend-MPI_Recv',
      'suites';

    my $bcast = $old->suite('col_MPI_Bcast-nodes-short');
    my %facts = (
        prefix         => 'col',
        name           => 'MPI_Bcast-nodes-short',
        pattern        => 'Collective',
        varied         => 'number of nodes',
        unit           => 'number',
        scale          => 'linear',
        adaptive       => q{},
        first          => 2,
        last           => 64,
        stepwidth      => 1,
        nodes          => 64,
        message_length => 256,
        time_minutes   => 0.31,
        standard_error => 0.03,
        cut_quantile   => 0,
        complete       => 1,
    );
    is $bcast->{$_},               $facts{$_}, $_ for sort keys %facts;
    is scalar @{ $bcast->{rows} }, 4,          'rows';
    is_deeply $bcast->{rows}[2],
      {
        argument  => 9,
        time      => 706.000973,
        error     => 35.550781,
        count     => 68,
        time_all  => 706.000973,
        error_all => 35.550781,
        count_all => 68,
        extras    => {},
        line      => 24,
      },
      'a row';

    my $wtime = $old->suite('simple_MPI_Wtime');
    is $wtime->{pattern},           'Simple', 'simple pattern';
    is $wtime->{varied},            undef,    'varied over nothing';
    is $wtime->{rows}[0]{argument}, undef,    'no argument';
    is $wtime->{rows}[0]{time},     1.2,      'a number with one decimal';

    my $waitsome = $old->suite('mw_MPI_Waitsome-chunks');
    is $waitsome->{adaptive},           1,             'refined';
    is $waitsome->{scale},              'logarithmic', 'scale';
    is $waitsome->{rows}[1]{error_all}, 44,            'columns of a wrapped Format line';
    is_deeply $waitsome->{rows}[1]{node_times}, [ 830, 811.5 ], 'node times';

    my $bsend = $old->suite('p2p_MPI_Bsend-MPI_Recv');
    is "$bsend->{varied} $bsend->{unit}", 'message length bytes', 'variation without a unit';
    is "$bsend->{first}-$bsend->{last}",  '16-32',                'edited range';
    is $bsend->{rows}[2]{error},          2716.566473,            'three result columns';
    is $bsend->{rows}[2]{time_all},       undef,                  'without further columns';
    is $bsend->{standard_error},          0.1,                    'the requested accuracy';
};

subtest 'an unfinished run' => sub {
    my $new = SKaMPI::Read::Output->from_file("$DATA/unfinished.out");
    ok !$new->is_finished, 'it is not finished, whatever a text says';
    is $new->field('MACHINE'), "Two boards and a wire\nkept under a desk", 'a field of two lines';
    is $new->field('NODE'),    q{},                                        'an empty field';
    is $new->field('USER'),    "K\x{f6}nig",                               'UTF-8';
    is_deeply [ map { $_->{text} } $new->problems ],
      [q{suite 'col_MPI_Barrier-nodes' is incomplete}], 'the incomplete suite is reported';
    my $send = $new->suite('p2p_MPI_Send-MPI_Recv');
    is $send->{notes}{PARTNER}, '1 node1', 'a note';
    like $send->{notes}{FIRSTCALL}, qr/^48[.]25/, 'another note';
    is $send->{rows}[2]{extras}{refined}, 1,             'refined';
    is $send->{rows}[3]{extras}{stop},    'repetitions', 'the reason why it ended';
    my $bcast = $new->suite('col_MPI_Bcast-nodes');
    is_deeply [ map { scalar @{ $_->{node_times} } } @{ $bcast->{rows} } ], [ 2, 3, 4 ],
      'one node time per process';
    my $reduce = $new->suite('syncol_MPI_Reduce_scatter_by_Reduce_and_Scatterv-length-SM');
    is $reduce->{rows}[2]{time},                            undef,     'NaN is not a time';
    is $reduce->{rows}[2]{count},                           0,         'no repetition';
    is $new->suite('internal_timer')->{arguments}[0]{name}, 'process', 'the name of the argument';
};

subtest 'numbers' => sub {
    my @numbers = (
        [ '1.5',       1.5 ],
        [ '-1.5e-3',   -0.0015 ],
        [ '1.5E3',     1500 ],
        [ '.5',        0.5 ],
        [ '+2.',       2 ],
        [ 'nan',       undef ],
        [ '-NaN',      undef ],
        [ 'inf',       undef ],
        [ '-Infinity', undef ],
        [ '1e999',     undef ],
    );
    for my $case (@numbers) {
        my ( $suite, @problems ) = only_suite("8 $case->[0] 0 4");
        is $suite->{rows}[0]{time}, $case->[1], $case->[0];
        my @expected = ( $case->[1] // 0 ) < 0 ? q{5: suite 'p2p_x': the time is below 0} : ();
        is_deeply \@problems, \@expected, 'no problem, unless it cannot be a time';
    }
    my %word = map { $_ => ( only_suite("8 1 0 4 # min=$_ stop=$_") )[0]{rows}[0]{extras} }
      qw(1.50 nan 1e999 0x10 12a 1_000);
    is $word{'1.50'}{min}, '1.50', 'a word that is a number';
    is_deeply [ map { $word{$_}{min} } qw(nan 1e999 0x10 12a 1_000) ], [ (undef) x 5 ],
      'others are missing';
    is $word{'12a'}{stop}, '12a', 'a word that is not a number';
};

subtest 'values that cannot be' => sub {
    my %wrong = (
        '8 -1 0 4'                         => 'the time is below 0',
        '8 1 -.1 4 # within=-1 x_error=-1' => 'an error is below 0',
        '8 1 0 4.5'                        => 'a count is not a whole number',
        '8 1 0 -4'                         => 'a count is not a whole number',
        '-8 1 0 4'                         => 'the argument is below 0',
        '8 1 0 4 # min=2 p75=3 max=1'      => 'min p25 median p75 max are not in ascending order',
        '8 1e300 0 4'                      => 'a time is above 1e+15 us',
        '8 1 0 4 # max=1e300'              => 'a time is above 1e+15 us',
        '8 1 0 1e300'                      => 'a count is not a whole number',
        '1e300 1 0 4'                      => 'the argument is above 1e+18',
        '8 -1 -1 4'                        => 'an error is below 0; the time is below 0',
    );
    for my $row ( sort keys %wrong ) {
        my ( $suite, @problems ) = only_suite( '#@EXTRA x [s] y', $row );
        is_deeply \@problems, ["6: suite 'p2p_x': $wrong{$row}"], $row;
        my %left = ( %{ $suite->{rows}[0] }, %{ $suite->{rows}[0]{extras} } );
        is_deeply [ grep { ( $left{$_} // 0 ) < 0 || $left{$_} && /p75/ }
              qw(error within x_error p75) ], [], 'is missing';
    }
    my $absolute = suite_text( \@LENGTH, '8 -1 0 4' );
    is_deeply [
        map   { $_->{text} }
          map { SKaMPI::Read::Output->from_text("#\@$_\n$absolute")->problems } 'ABSOLUTE yes',
        'PROCESSES 2'
      ],
      [q{suite 'p2p_x': the time is below 0}], '@ABSOLUTE subtracts';
    for my $count (qw(-1 0 2.5 nan 1e300 99999999999999)) {
        my $text = "#\@PROCESSES $count\n" . suite_text( \@LENGTH, '8 1 0 4' );
        is_deeply [ map { $_->{text} } SKaMPI::Read::Output->from_text($text)->problems ],
          ['#@PROCESSES is not a whole number from 1 to 2147483647'], "$count processes";
    }
};

subtest 'extra values' => sub {
    my $output = SKaMPI::Read::Output->from_text(
        suite_text(
            [ @LENGTH, '#@EXTRA mean [microsec.] over the pairs', '#@EXTRA rank' ],
            '0 1 .1 4 # stop=time mean=2.5 mean_error=0.25 rank=3',
            '4 1 .1 4 # stop=time mean=nan'
        )
    );
    my ($suite) = $output->suites;
    is_deeply [ $output->problems ], [], 'no problems';
    is_deeply $suite->declared,
      [
        { name => 'mean', unit => 'microsec.', text => 'over the pairs' },
        { name => 'rank', unit => undef,       text => q{} },
      ],
      'their declarations';
    my ( $full, $empty ) = @{ $suite->{rows} };
    is_deeply [ $suite->extra( $full,  'mean' ) ], [ 2.5,   0.25 ],  'a value and its error';
    is_deeply [ $suite->extra( $full,  'rank' ) ], [ 3,     undef ], 'a value without an error';
    is_deeply [ $suite->extra( $empty, 'mean' ) ], [ undef, undef ], 'a value that is NaN';
    is_deeply [ $suite->extra( $empty, 'more' ) ], [ undef, undef ], 'an undeclared value';

    my $many =
      SKaMPI::Read::Output->from_text(
        suite_text( [ @LENGTH, ('#@EXTRA x y') x 20 ], '0 1 .1 4' ) );
    is scalar @{ $many->suite('p2p_x')->declared }, 8, 'at most eight, as in the program';
};

subtest 'invalid rows' => sub {
    my @rows = (
        [ '8 1.5',          'fewer columns than the Format line lists' ],
        [ '8 1.5x 0 4',     q{not a number: '1.5x'} ],
        [ '8 0x10 0 4',     q{not a number: '0x10'} ],
        [ '8 1_000 0 4',    q{not a number: '1_000'} ],
        [ 'nan 1 0 4',      'the argument is not a number' ],
        [ 'inf 1 0 4',      'the argument is not a number' ],
        [ "8 1 0 \x{0664}", qq{not a number: '\x{0664}'} ],
        [ '8 $(id) 0 4',    q{not a number: '$(id)'} ],
    );
    for my $case (@rows) {
        my ( $suite, @problems ) = only_suite( '4 1 0 4', $case->[0] );
        is_deeply \@problems, ["6: $case->[1]"], $case->[1];
        is scalar @{ $suite->{rows} }, 1, 'the row is skipped';
    }
};

subtest 'names' => sub {
    for my $label ( '../x', 'a/b', '.hidden', "p2p_\e[31m", "col_a\0", 'x' x 256 ) {
        my $output =
          SKaMPI::Read::Output->from_text("#/*\@in$label.ski*/\n#\@NOTE x\n1 2 3\nfoo\n#eol\n");
        is_deeply [ map { $_->{text} } $output->problems ],
          ['skipped a suite whose name is not a valid file name'], 'an invalid name is reported';
        is_deeply [ $output->suites, $output->fields ], [], 'the whole suite is skipped';
    }
    my $longest = SKaMPI::Read::Output->from_text( "#/*\@in" . 'x' x 255 . ".ski*/\n#eol\n" );
    is scalar $longest->suites, 1, 'names may be as long as file names';
};

subtest 'damaged files' => sub {
    my $good  = suite_text( \@LENGTH, '4 1 0 4', '8 2 0 4' );
    my @cases = (
        [ 'empty',            q{},                   0, undef ],
        [ 'line ends of DOS', $good =~ s/\n/\r\n/gr, 2, undef ],
        [ 'duplicate suite',  $good . $good,         4, q{9: duplicate suite 'p2p_x'} ],
        [ 'no suite',         "1 2 3\n",             0, '1: row outside of a suite' ],
        [ 'other text',       "hello\n",             0, '1: neither a row nor a comment' ],
        [ 'torn row', substr( $good, 0, -6 ), 1, '6: the file ends in the middle of a line' ],
        [ 'torn end', substr( $good, 0, -2 ), 2, '7: the file ends in the middle of a line' ],
        [ 'no last line end', substr( $good, 0, -1 ),       2, undef ],
        [ 'no end of suite',  $good =~ s/#eol\n/#-----\n/r, 2, q{7: suite 'p2p_x' is incomplete} ],
        [ 'finished',         "$good#skampi finished.",     2, undef ],
    );
    for my $case (@cases) {
        my ( $what, $text, $rows, $problem ) = @{$case};
        my $output = SKaMPI::Read::Output->from_text($text);
        my ($first) = map { "$_->{line}: $_->{text}" } $output->problems;
        is $first,                                            $problem, $what;
        is scalar( map { @{ $_->{rows} } } $output->suites ), $rows,    'rows';
        is $output->is_finished, $what eq 'finished' ? 1 : 0,           'is_finished';
    }
    my $wrong = join q{}, map { "word\n" } 1 .. 200;
    is scalar( SKaMPI::Read::Output->from_text($wrong)->problems ), 100,
      'at most 100 problems are kept';
};

subtest 'lines that belong to a suite' => sub {
    my @rows = ( '#@NOTE a', '# b', '#@OTHER c', '4 1 0 4', '# d', '#late', 'word', '#eol', '# e' );
    my ( $suite, @problems ) = only_suite( @rows, '#---', "#/*\@inp2p_x.ski*/", '#--', '9 9 9 9' );
    is $suite->{notes}{NOTE},  "a\nb", 'a note continues';
    is $suite->{notes}{OTHER}, 'c',    'up to a row or the end of the suite';
    is_deeply $suite->{header}, [ map { s/\A#//r } @LENGTH ], 'no header line after a row';
    my @wanted = ( '11: neither a row nor a comment', "15: duplicate suite 'p2p_x'" );
    is_deeply \@problems, \@wanted, 'no continuation after a row; two hyphens are not a separator';
    my $long = '# ' . 'b' x 2**19;
    ( $suite, @problems ) = only_suite( '#@NOTE a', $long, $long, '# c', '4 1 0 4' );
    is length $suite->{notes}{NOTE}, length("a\nb\nb") + 2 * ( 2**19 - 1 ), 'a long note ends';
    is_deeply \@problems, ['7: text with too many lines; cut'], 'and is a problem';
    my $output = SKaMPI::Read::Output->from_text( suite_text( \@LENGTH, '4 1 0 4' )
          . suite_text( [ @LENGTH, '#@NOTE a', '#Pattern: x', '# b' ], '8 1 0 4' ) );
    is $output->suite('p2p_x')->{rows}[0]{argument}, 4,
      'the first of two suites with the same label counts';
    my $second = ( $output->suites )[1];
    is $second->{notes}{NOTE}, 'a',              'a note ends at a header line';
    is $second->{pattern},     'Point-to-Point', 'the first header line counts';
    my $ended = "#/*\@inp2p_x.ski*/\n1 2 3 4 5 6\n#\@NOTE a\n#---\n# b\n#\@NODE n\n";
    my $open  = SKaMPI::Read::Output->from_text($ended);
    my ($old) = $open->suites;
    is $open->field('NODE'),      'n', 'three hyphens end a suite';
    is $old->{notes}{NOTE},       'a', 'and its notes';
    is $old->{rows}[0]{time_all}, 4,   'six columns without a Format line';
};

subtest 'blanks and line ends' => sub {
    my $text    = suite_text( [ '#@NOTE a', map { s/ /  /gr } @LENGTH ], '4 1 0 4 # stop=time' );
    my $dos     = SKaMPI::Read::Output->from_text( "#\@MACHINE m\n$text" =~ s/\n/\r\n/gr );
    my ($suite) = $dos->suites;
    is $dos->field('MACHINE'),          'm',              'a field';
    is $suite->{notes}{NOTE},           'a',              'a note';
    is $suite->{pattern},               'Point-to-Point', 'words far apart';
    is $suite->{rows}[0]{extras}{stop}, 'time',           'the last word of a row';
};

sub row_text ($row) {
    my %extras = %{ $row->{extras} };
    return join q{,}, map { $_ // 'none' } @{$row}{qw(argument time error count count_all)},
      @{ $row->{node_times} // [] }, map { "$_=" . ( $extras{$_} // 'nan' ) } sort keys %extras;
}

subtest 'any cut of a file' => sub {
    my $text   = read_file("$DATA/unfinished.out");
    my $whole  = SKaMPI::Read::Output->from_text($text);
    my $failed = 0;
    my $step   = $ENV{SKAMPI_LONG} ? 1 : 11;
    for my $length ( map { $step * $_ } 0 .. ( length($text) - 1 ) / $step ) {
        my $cut = SKaMPI::Read::Output->from_text( substr $text, 0, $length );
        for my $suite ( $cut->suites ) {
            my $same = $whole->suite( $suite->{label} ) or next;
            my @seen = map { row_text($_) } @{ $suite->{rows} };
            my @real = map { row_text($_) } @{ $same->{rows} };
            $failed++ if "@seen" ne "@real[ 0 .. $#seen ]";
            $failed++ if $suite->{complete} && @{ $suite->{rows} } != @{ $same->{rows} };
        }
    }
    is $failed, 0, 'a cut number is never read';
};

subtest 'files' => sub {
    for my $path ( '/nonexistent/skampi.out', '/' ) {
        is eval { SKaMPI::Read::Output->from_file($path) }, undef, 'an unreadable path';
        like $@, qr/\Acannot read '\Q$path\E': .+\n\z/, 'with the reason';
    }
};

subtest 'a large file' => sub {
    my $path =
      write_file( scratch() . '/x', suite_text( \@LENGTH, map { "$_ 1.5 0.1 8" } 1 .. 103 ) );
    my $output = SKaMPI::Read::Output->from_file( $path, 'x', rows => 100 );
    my ($suite) = $output->suites;
    is scalar @{ $suite->{rows} }, 100, 'the number of rows is limited';
    is_deeply [ map { $_->{text} } $output->problems ],
      ['more than 100 rows; the rest is ignored'], 'with one message';
    my $many = join q{}, map { "#/*\@inp2p_$_.ski*/\n#eol\n" } 1 .. 10_000;
    is scalar( SKaMPI::Read::Output->from_text($many)->suites ), 10_000, 'many suites are read';
};

# Seconds that lines of this many words need.
sub seconds_for ($count) {
    my $start = times;
    for my $word ( q{ }, 'x', '1', '-', '#', '[', ' varied over', ' [', 'a [b] (c) ', '.ski*/' ) {
        my $long  = $word x $count;
        my @lines = map { "$_$long" } q{}, '#', '#@', '#@X', '# ', '#---', '#Pattern: ',
          '#Format: ',
          '#Format: <args>', '#default values: ', '#range: ', '1 2 3 ', '/*@in';
        SKaMPI::Read::Output->from_text( suite_text( [], "$_ y" ) ) for @lines;
    }
    return times - $start;
}

subtest 'long lines' => sub {
    my ( $short, $long ) = map { seconds_for($_) } 2_000, 20_000;
    cmp_ok $long, '<', 40 * ( $short + 0.01 ), 'ten times as long: not a hundred times as slow';
};

subtest 'units' => sub {
    my @times = (
        [ 0,                 '0 s' ],
        [ 0.0251,            '25.10 ns' ],
        [ 0.00001,           '10.00 ps' ],
        [ 0.9999,            '999.9 ns' ],
        [ 1,                 '1.000 us' ],
        [ 832.14,            '832.1 us' ],
        [ 1210,              '1.210 ms' ],
        [ 1680.5,            '1.681 ms' ],
        [ exp( log 1680.5 ), '1.681 ms' ],
        [ 999.96,            '1.000 ms' ],
        [ 1.5e6,             '1.500 s' ],
        [ 4e9,               '4000 s' ],
        [ -12.5,             '-12.50 us' ],
        [ undef,             q{-} ],
    );
    is format_time( $_->[0] ), $_->[1], $_->[1] for @times;
    my @lengths = (
        [ 16384 / 3 => '5461.3 B' ],
        [ 0,         '0 B' ],
        [ 1000,      '1000 B' ],
        [ 1024,      '1 KiB' ],
        [ 1448,      '1448 B' ],
        [ 31707,     '31707 B' ],
        [ 3 * 2**20, '3 MiB' ],
        [ 2**31,     '2 GiB' ]
    );
    is format_bytes( $_->[0] ), $_->[1], $_->[1] for @lengths;
    my @values = (
        [ 24140,     'MB/s',   '24.1 GB/s' ],
        [ 999.6,     'MB/s',   '1.00 GB/s' ],
        [ 0.5,       'MB/s',   '500 kB/s' ],
        [ 5.395e6,   '/s',     '5.40 M/s' ],
        [ 1680.5,    'us',     '1.681 ms' ],
        [ 31707,     'B',      '30.97 KiB' ],
        [ 6106.2,    'bytes',  '6106 B' ],
        [ 12.5,      '%',      '12.5 %' ],
        [ -0.739871, q{%},     '-0.7 %' ],
        [ -12_345.6, q{%},     '< -999 %' ],
        [ 1000,      q{%},     '> 999 %' ],
        [ 1 / 3,     undef,    '0.3333' ],
        [ 2000.25,   'things', '2000 things' ],
        [ 2000,      undef,    '2000' ],
    );
    is format_value( @{$_}[ 0, 1 ] ), $_->[2], "value $_->[2]" for @values;
    my @ratios =
      ( [ 1.0525, '1.053' ], [ 0.0312, '0.0312' ], [ 23.44, '23.44' ], [ 812.3, '812.3' ] );
    is format_ratio( $_->[0] ), $_->[1], $_->[1] for @ratios;
    my @seconds =
      ( [ 12.34, '12.3 s' ], [ 95, '95.0 s' ], [ 1200, '20.0 min' ], [ 7200, '2.00 h' ] );
    is format_duration( $_->[0] ), $_->[1],  $_->[1] for @seconds;
    is exact_percent(0.0025),      '0.25 %', 'a percentage as it was given';
    my @parts = (
        [ 0.0291,  '2.9 %' ],
        [ -0.0001, '0.0 %' ],
        [ 0.001,   '0.1 %' ],
        [ 0.00032, '0.03 %' ],
        [ 1e-6,    '< 0.001 %' ],
        [ 0,       '0.0 %' ],
        [ 12,      '> 999 %' ],
        [ undef,   q{-} ]
    );
    is format_percent( $_->[0] ), $_->[1], $_->[1] for @parts;
    my @errors = ( [ 0.0291, '2.9 %' ], [ 1, '100.0 %' ], [ 1.01, '> 100 %' ], [ undef, q{-} ] );
    is format_error( $_->[0] ), $_->[1], "an error of $_->[1]" for @errors;
    is ratio_text( 1.4, $_->[0] ), "1.40 \x{b1} $_->[1]", 'a ratio with it'
      for [ 0.16, '0.16' ], [ 1.5, '> 100 %' ];
    is $_->(1e250), '> 1000000', 'no factor of 250 digits' for \&format_ratio, \&factor_text;
    my @arguments = (
        [ 1,    'number of nodes',  'number', '1 process' ],
        [ 16,   'number_of_nodes',  'number', '16 processes' ],
        [ 2,    'number of chunks', 'number', '2 chunks' ],
        [ 1,    'number of groups', 'number', '1 group' ],
        [ 3,    'process',          'number', 'process 3' ],
        [ 2048, 'message length',   'bytes',  '2 KiB' ],
        [ 7,    undef,              undef,    '7' ],
    );
    is format_argument( $_->[0], { name => $_->[1], unit => $_->[2] } ), $_->[3], "'$_->[3]'"
      for @arguments;
};

subtest 'interpolation' => sub {
    my @cases = (
        [ '2.50 % at most by estimate; 3 of 9 segments probed',                      0.025 ],
        [ '2.51 % about, by estimate; 3 of 9 segments probed',                       0.0251 ],
        [ '2.52 % by estimate; 3 of 9 segments probed; ended by Max_Steps',          0.0252 ],
        [ '31.42 % at most by estimate; 4 of 9 segments probed; ended by Max_Steps', 0.3142 ],
        [
'2.51 % about, by estimate; 3 of 9 segments probed; between 8 and 16 a jump of about 40 %',
            0.0251
        ],
        [ 'unknown; 0 of 1 segments probed; ended by Max_Steps', undef ],
        [ 'much',                                                undef ],
    );
    for my $case (@cases) {
        my $text    = "#/*\@incol_x.ski*/\n#\@INTERPOLATION $case->[0]\n1 2 3\n#eol\n";
        my ($suite) = SKaMPI::Read::Output->from_text($text)->suites;
        my $percent = $suite->fact('INTERPOLATION')->{percent};
        is $percent && $percent / 100, $case->[1], $case->[0];
    }
};

# A separate process, as the other tests have allocated memory already. It prints the kilobytes that it
# allocates.
my $MEASURE = <<'END';
sub most_memory { open my $file, '<', '/proc/self/status' or exit; return map { /^VmHWM:\s+([0-9]+)/ } <$file> }
my $text = "#\n" x 100_000 . "skampi finished.\n\n";
my ($before) = most_memory();
my $output = SKaMPI::Read::Output->from_text($text);
my ($after) = most_memory();
print $after - $before if $output->is_finished;
END

subtest 'many lines' => sub {
    plan skip_all => 'the system does not show the memory of a process' if !-e '/proc/self/status';
    open my $child, q{-|}, $^X, "-I$ROOT/report/lib", '-MSKaMPI::Read::Output', '-e', $MEASURE
      or die $!;
    my $kilobytes = readline $child;
    close $child or die 'the child failed';
    cmp_ok $kilobytes, '<', 3_300, 'are not stored separately';
};

subtest 'encodings' => sub {
    my $text   = "#\@USER K\xc3\xb6nig\r\n#\@NODE K\xf6nig\n";
    my $path   = write_file( scratch() . '/x.out', $text );
    my $output = SKaMPI::Read::Output->from_file($path);
    is $output->field($_), "K\x{f6}nig", "$_: each line has its own encoding" for qw(USER NODE);
};

done_testing;
