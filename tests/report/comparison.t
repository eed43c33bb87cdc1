use v5.36;

use List::Util qw(uniq);
use Test::More;
use SKaMPI::Base::Units qw(factor_text list_text);
use SKaMPI::Document::ComparisonView;
use SKaMPI::Figure::Dots;
use SKaMPI::Findings::Guidelines qw(algorithms);
use SKaMPI::Findings::Comparison;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::ParameterFile  qw(suites_written);
use SKaMPI::Results        qw(results);
use SKaMPI::Stat::Estimate qw(is_excess is_longer sum_of);
use SKaMPI::Test           qw($ROOT blocks_of read_file skampi);

sub comparison_of (@suites) {
    return SKaMPI::Findings::Comparison->new( 'x', results( {}, @suites )->suites );
}

sub comparison ( $over, @rows_of_suites ) {
    my $letter = 'a';
    return comparison_of( map { [ 'p2p_' . $letter++, $over, $_ ] } @rows_of_suites );
}

sub arguments_of (@rows) {
    return join q{ }, map { $_->{argument} } @rows;
}

sub labels_of ($comparison) {
    return join q{ }, map { $_->{label} } $comparison->suites;
}

sub comparisons_of ($text) {
    return SKaMPI::Findings::ComparisonFile->from_text( $text, 'f' );
}

subtest 'times of one launch' => sub {
    my @cases = (
        [ 'less than 5 %'     => [ 10, 8 ],       [ 10.4, 8 ],       '0 0' ],
        [ 'five per cent'     => [ 10, 8 ],       [ 10.5, 8 ],       '1 1' ],
        [ 'shorter'           => [ 10, 8 ],       [ 5, 8 ],          '0 0' ],
        [ 'few repetitions'   => [ 10, 8 ],       [ 99, 7 ],         '1 0' ],
        [ 'of the other'      => [ 10, 7 ],       [ 99, 8 ],         '1 0' ],
        [ 'its own error'     => [ 10, 8 ],       [ 20, 8, 4.7 ],    '1 1' ],
        [ 'a larger one'      => [ 10, 8 ],       [ 20, 8, 4.8 ],    '0 0' ],
        [ 'of the other one'  => [ 10, 8, 2.4 ],  [ 20, 8 ],         '0 0' ],
        [ 'unknown errors'    => [ 10, 8 ],       [ 99, 8, undef ],  '0 0' ],
        [ 'an unknown number' => [ 10, 8 ],       [ 99, undef ],     '1 1' ],
        [ 'of 5 visits'       => [ 10, 8 ],       [ 20, 8, 3.4, 5 ], '1 1' ],
        [ 'of 3 visits'       => [ 10, 8, 0, 9 ], [ 20, 8, 3.4, 3 ], '0 0' ],
        [ 'of one visit'      => [ 10, 8 ],       [ 20, 8, 4.7, 1 ], '1 1' ],
    );
    for my $case (@cases) {
        my ( $name, @times ) = @{$case};
        my $wanted = pop @times;
        my ( $first, $second ) =
          map {
            {
                time   => $_->[0],
                count  => $_->[1],
                error  => @{$_} > 2 ? $_->[2] : 0,
                visits => $_->[3]
            }
          } @times;
        is is_longer( $second, $first ) . q{ } . is_excess( $second, $first ), $wanted, $name;
    }
    is_deeply sum_of(
        { time => 1, error => 3, count => 9, visits => 5 },
        { time => 2, error => 4, count => 8, visits => 9 }
      ),
      { time => 3, error => 5, count => 8, visits => 5 }, 'a sum';
    is_deeply sum_of( { time => 1, error => 3 }, { time => 2, error => undef } ),
      { time => 3, error => undef, count => undef, visits => undef },
      'a sum with an unknown error';
};

subtest 'a file of comparisons' => sub {
    my @cases = (
        [ 'one line'           => "n m: p2p_a, p2p_b\n",             ['n m|p2p_a|p2p_b|1'] ],
        [ 'no line end'        => 'n: a,b',                          ['n|a|b|1'] ],
        [ 'after a comma'      => "n: a,\n   b\n",                   ['n|a|b|1'] ],
        [ 'after a colon'      => "n:\na, b\n",                      ['n|a|b|1'] ],
        [ 'after a backslash'  => "n: a \\\n, b\n",                  ['n|a|b|1'] ],
        [ 'comments'           => "# x: y, z\n\n  # z\nn: a, b\r\n", ['n|a|b|4'] ],
        [ 'comments in a list' => "n: a,\n# no\nb\n",                ['n|a|b|1'] ],
        [ 'two comparisons'    => "n: a, b\nm: c, d, e\n",           [ 'n|a|b|1', 'm|c|d|e|2' ] ],
        [ 'the full stop'      => "n: a, b.\n",                      ['n|a|b|1'] ],
        [
            'other characters' => "\x{e4}; \$(x) `y` \\input: a, b\n",
            ["\x{e4}; \$(x) `y` \\input|a|b|1"]
        ],
    );
    for my $case (@cases) {
        my ( $name, $text, $wanted ) = @{$case};
        my $file = comparisons_of($text);
        my @got  = map { join '|', $_->{title}, @{ $_->{labels} }, $_->{line} } $file->comparisons;
        is_deeply \@got,               $wanted, $name;
        is_deeply [ $file->problems ], [],      "$name: no problem";
    }
};

subtest 'errors in a file' => sub {
    my @cases = (
        [ 'no colon'    => "\nfoo\n",       q{f:2: expected 'name: suite, suite', found no ':'} ],
        [ 'no name'     => ': a, b',        'f:1: missing name of the comparison' ],
        [ 'no suite'    => "n:\n",          'f:1: a comparison needs at least two suites' ],
        [ 'one suite'   => 'n: a',          'f:1: a comparison needs at least two suites' ],
        [ 'empty suite' => 'n: a,,b',       'f:1: missing suite before or after a comma' ],
        [ 'duplicate'   => 'n: a, b, a',    q{f:1: duplicate suite 'a'} ],
        [ 'no comma'    => 'n: a b, c, d',  q{f:1: 'a b' is not a suite name} ],
        [ 'a path'      => 'n: ../a, c, d', q{f:1: '../a' is not a suite name} ],
        [
            'a second name' => "n: a, b,\nm: c",
            q{f:1: unexpected ':' in 'm: c'; start each comparison on a line of its own}
        ],
        [ 'control'     => "n\e[2J: a, b",       'f:1: unexpected control character' ],
        [ 'a long name' => 'n' x 201 . ': a, b', 'f:1: name longer than 200 characters' ],
        [ 'a quote'     => '--title "x',         'f:1: unterminated quote' ],
    );
    for my $case (@cases) {
        my ( $name, $text, $wanted ) = @{$case};
        is( ( comparisons_of($text)->problems )[0], $wanted, $name );
    }
    is scalar( comparisons_of( "x\n" x 1000 )->problems ), 100, 'at most 100 problems are reported';
    is scalar( comparisons_of("n: a, b, ,\n")->comparisons ), 1,
      'a comparison with a problem is made nevertheless';
};

subtest 'options' => sub {
    my $file = comparisons_of("--mono\nn: a, b\n-m 3 --title 'two words'\n");
    is_deeply [ $file->options ],
      [
        { words => ['--mono'],                          line => 1 },
        { words => [ '-m', 3, '--title', 'two words' ], line => 3 }
      ],
      'have words and lines';
};

subtest 'the comparisons that apply to results' => sub {
    my $output = results(
        {},
        [ 'p2p_a',    'length', ['1 1 0'] ],
        [ 'p2p_b',    'length', ['1 1 0'] ],
        [ 'col_b',    'nodes',  ['2 1 0'] ],
        [ 'p2p_c',    'length', ['1 1 0'] ],
        [ 'simple_s', undef,    ['0 1 0'] ],
    );
    my @cases = blocks_of(<<'END');
n: p2p_a, p2p_b :: p2p_a p2p_b
n: a, c :: p2p_a p2p_c
n: p2p_a, p2p_x, p2p_b :: p2p_a p2p_b :: f:1: no suite 'p2p_x' in the results
n: p2p_a, p2p_x :: none :: f:1: no suite 'p2p_x' in the results
n: p2p_a, b, c :: p2p_a p2p_c :: f:1: 'b' is ambiguous; it matches p2p_b and col_b
n: p2p_a,\n  col_b
  none
  f:2: skipped 'col_b': it is varied over the number of processes, 'p2p_a' over the message length
n: p2p_a, p2p_x, \\n simple_s, p2p_b.
  p2p_a p2p_b
  f:1: no suite 'p2p_x' in the results
  f:2: skipped 'simple_s': it is varied over nothing, 'p2p_a' over the message length
END
    for my $case (@cases) {
        my ( $text, $suites, @notes ) = @{$case};
        my $applied = comparisons_of( $text =~ s/\\n/\n/gr )->applied_to($output);
        is join( q{ }, map { labels_of($_) } @{ $applied->{comparisons} } ) || 'none', $suites,
          $text;
        is_deeply [ sort @{ $applied->{notes} } ], \@notes, 'notes';
    }
    my $any     = SKaMPI::Findings::ComparisonFile->from_text( 'n: p2p_a, p2p_x, p2p_b', 'f', 1 );
    my $applied = $any->applied_to($output);
    is scalar @{ $applied->{comparisons} }, 1, 'a file for any results: the comparison is made';
    is_deeply $applied->{notes}, [], 'without complaint';
    ok !$any->are_wrong, 'the file is not wrong';
};

subtest 'different times' => sub {
    my %time_of = ( p2p_a => 'a round trip', p2p_b => 'an exchange', p2p_c => 'a round trip' );
    my $output =
      results( {}, map { [ $_, 'length', ['1 1 0'] ] } qw(p2p_a p2p_b p2p_c mw_d vtmw_e) );
    $output->suite($_)->{notes}->@{qw(TIME TIMEOF)} = ( $time_of{$_} ) x 2 for keys %time_of;
    my $file    = comparisons_of("n: a, b, c\nm: a, d\nl: d, e");
    my $applied = $file->applied_to($output);
    is_deeply $applied->{notes}, [], 'who names the suites gets them';
    ok !$file->are_wrong, 'the file is not wrong';
    is_deeply [ map { labels_of($_) } @{ $applied->{comparisons} } ],
      [ 'p2p_a p2p_b p2p_c', 'p2p_a mw_d', 'mw_d vtmw_e' ],
      'as in the manual of 4.1, which compares BM with SM';
    my $different = 'the times of the suites have different definitions: p2p_a: a round trip; ';
    is_deeply [ map { join "\n", $_->notes } @{ $applied->{comparisons} } ],
      [
        "${different}p2p_b: an exchange; p2p_c: a round trip",
        "${different}mw_d: dispatch of all chunks, on the master",
        q{}
      ],
      'with a note';
};

subtest 'different rules' => sub {
    my $output = results( {}, map { [ $_, 'length', ['1 1 0'] ] } qw(p2p_a p2p_b) );
    @{ $output->suite('p2p_b')->{notes} }{qw(RULE ESTIMATE)} = ( 1, 'median' );
    my $comparison = SKaMPI::Findings::Comparison->new( 'n', $output->results );
    is labels_of($comparison), 'p2p_a p2p_b', 'are drawn';
    is_deeply [ $comparison->notes ],
      ['times by different rules, so no verdicts: cut: a; median: b'], 'with a note';
    is_deeply [ $comparison->sentences ], [], 'and not judged';
};

subtest 'names and notes' => sub {
    my @cases = (
        [ 'common ending' => [ 'col_A-length-SM', 'col_B-length-SM' ], 'A B' ],
        [ 'BM and SM'     => [ 'col_A-length-BM', 'col_A-length-SM' ], 'A-length-BM A-length-SM' ],
        [ 'methods'   => [ 'p2p_A-20', 'p2p_A-contiguous-20' ],    'the datatype contiguous data' ],
        [ 'datatypes' => [ 'p2p_A-20', 'p2p_A-31' ],               'basetype vector' ],
        [ 'datatypes of operations' => [ 'p2p_A-20', 'p2p_B-20' ], 'A B' ],
        [ 'same names'              => [ 'p2p_A',    'mw_A' ],     'p2p_A mw_A' ],
        [ 'an ending alone'         => [ 'p2p_-SM',  'p2p_A-SM' ], '-SM A-SM' ],
    );
    for my $case (@cases) {
        my ( $name, $labels, $wanted ) = @{$case};
        my $comparison = comparison_of( map { [ $_, 'length', ['1 1 0'] ] } @{$labels} );
        is join( q{ }, map { $_->{name} } $comparison->members ), $wanted, $name;
    }
    my $comparison = comparison_of(
        [ 'col_a', 'nodes', ['2 1 0'], { message_length => 8 } ],
        [ 'col_b', 'nodes', ['2 1 0'], { message_length => 4, nodes => 4 } ],
    );
    is_deeply [ $comparison->notes ], ['the suites differ in their default message length: 8, 4'],
      'different defaults are noted';
    my $tailed = comparison_of(
        map { [ "p2p_$_", 'length', ["8 10 0.1 8 # marks=t"], { notes => '#@RULE 1' } ] } qw(a b) );
    is_deeply SKaMPI::Document::ComparisonView->new($tailed)->data->{notes},
      ['t: the mean of all calls is far above the time, by more than a quarter and its error'],
      'a mark is as in the table';
};

subtest 'the table' => sub {
    my $comparison = comparison(
        'length',
        [ '8 10 0.1', '16 20 0.1', '32 40 0.1' ],
        [ '4 9 0.1',  '8 9 0.1',   '32 50 0.1' ],
        ['16 20.1 0.1'],
    );
    my @rows = @{ $comparison->table };
    is_deeply [ map { $_->{text} } @rows ], [ '8 B', '16 B', '32 B' ],
      'rows are the arguments in common';
    my @cells = map {
        [ map { $_ ? "$_->{ratio} $_->{interpolated}" : 'none' } @{ $_->{cells} } ]
    } @rows;
    is_deeply \@cells,
      [
        [ '1 0', '0.9 0',                        'none' ],
        [ '1 0', 22.666666666666668 / 20 . ' 1', '1.005 0' ],
        [ '1 0', '1.25 0',                       'none' ]
      ],
      'cells';
    my $cell = $rows[1]{cells}[1];
    cmp_ok abs( $cell->{error} - 0.1 * sqrt 5 / 9 ), '<', 1e-9, 'the error of an interpolated time';
    cmp_ok
      abs( $cell->{ratio_error} -
          22.666667 / 20 * sqrt( 0.005**2 + ( $cell->{error} / $cell->{time} )**2 ) ),
      '<', 1e-6, 'the error of a ratio';
};

subtest 'rows of the table' => sub {
    my @many  = map { "$_ 1 0.1" } map  { 2**$_ } 2 .. 20;
    my @finer = map { "$_ 1 0.1" } sort { $a <=> $b } map { ( 2**$_, 3 * 2**$_ ) } 2 .. 19;
    my @rows  = @{ comparison( 'length', \@many, \@finer )->table };
    is scalar @rows, 10, 'the table has ten rows';
    is "$rows[0]{argument} $rows[-1]{argument}", '4 524288',
      'it includes the first and last argument in common';
    is_deeply [ grep { $_->{cells}[1]{interpolated} } @rows ], [],
      'measured arguments are preferred';

    my @none = @{ comparison( 'length', ['4 1 0'], ['8 1 0'] )->table };
    is scalar @none, 0, 'no row without an argument in common';
    my ($local) = @{ comparison( undef, ['0 2 0.01'], ['0 3 0.01'] )->table };
    is $local->{argument},        undef, 'a local operation has no argument';
    is $local->{cells}[1]{ratio}, 1.5,   'but a ratio';
};

subtest 'implausible times' => sub {
    my @cases = (
        [ 'NaN'       => '8 nan 0.1', 0 ],
        [ 'negative'  => '8 -1 0.1',  0 ],
        [ 'zero'      => '8 0 0.1',   0 ],
        [ 'infinite'  => '8 1e999 0', 0 ],
        [ 'too long'  => '8 1e16 0',  0 ],
        [ 'too short' => '8 1e-10 0', 0 ],
        [ 'plausible' => '8 1 0.1',   1 ],
    );
    for my $case (@cases) {
        my ( $name, $row, $count ) = @{$case};
        is scalar @{ comparison( 'length', [$row], ['8 1 0.1'] )->table }, $count, $name;
    }
    is scalar @{ comparison( 'length', ['2e18 1 0'], ['2e18 1 0'] )->table }, 0,
      'an implausible length';
    is scalar @{ comparison( 'length', ['8 1 0.1'], ["8 100 0.1 $_"] )->table }, $_ < 4 ? 0 : 1,
      "times of $_ repetitions"
      for 1, 3, 4;
    my ($row) = @{ comparison( 'length', ['8 1 0.1'], ['8 100 nan 4'] )->table };
    is $row->{cells}[1]{ratio_error}, undef, 'without an error, the ratio has no error';

    my @rows   = map { "$_ 1 0" } 4, 8, 16;
    my $edited = comparison_of( [ 'p2p_a', 'length', \@rows, { range => '4 - 8' } ],
        [ 'p2p_b', 'length', \@rows ] );
    is arguments_of( @{ $edited->table } ), '4 8', 'an edited range restricts the arguments';
};

# Precedes a standard error.
my $PM = "\x{b1}";

subtest 'sentences about the fastest' => sub {
    my @cases = blocks_of( <<'END' =~ s/[+]-/$PM/gr =~ s/ONE/4 10 0.1, 8 20 0.2, 16 40 0.4/gr );
fastest everywhere
  ONE | 4 15 0.1, 8 31 0.2, 16 72 0.4
  From 4 B to 16 B, a takes the shortest time; b takes 1.50 +- 0.02 to 1.80 +- 0.02 times as long.
the order changes
  ONE | 4 15 0.1, 8 18 0.2, 16 20 0.4
  At 4 B, a takes the shortest time; b takes 1.50 +- 0.02 times as long.
  From 8 B to 16 B, b takes the shortest time; a takes 1.11 +- 0.02 to 2.00 +- 0.04 times as long.
  The order changes between 4 B and 8 B.
the order changes twice
  ONE | 4 15 0.1, 8 10 0.2, 16 80 0.4
  At 4 B, a takes the shortest time; b takes 1.50 +- 0.02 times as long.
  At 8 B, b takes the shortest time; a takes 2.00 +- 0.04 times as long.
  At 16 B, a takes the shortest time; b takes 2.00 +- 0.02 times as long.
  The order changes between 4 B and 8 B and between 8 B and 16 B.
within the error :: ONE | 4 11 1, 8 22 2, 16 44 4 :: From 4 B to 16 B, a and b cannot be told apart (errors up to 9.1 %).
equal within 5 %
  ONE | 4 10.1 0.1, 8 20.2 0.1, 16 40.4 0.1
  From 4 B to 16 B, a and b take equal times, within 5 %.
nothing is known :: ONE | 4 9 9, 8 22 19, 16 39 30 :: From 4 B to 16 B, a and b cannot be told apart (errors above 100 %).
nothing is known without errors :: 4 9 nan | 4 10 nan :: At 4 B, a and b cannot be told apart (errors unknown).
two equal leaders
  ONE | ONE | 4 20 0.1, 8 40 0.1, 16 80 0.1
  From 4 B to 16 B, a and b take equal times, within 5 %; c takes 2.00 +- 0.02 times as long.
three suites :: 4 10 0 | 4 20 0 | 4 15 0 :: At 4 B, a takes the shortest time; c takes 1.50 and b 2.00 times as long.
many suites
  4 10 0 | 4 20 0 | 4 30 0 | 4 40 0 | 4 1500 0
  At 4 B, a takes the shortest time; b takes 2.00 and e 150 times as long.
a tie is not a lead
  ONE | 4 15 0.1, 8 20 0.2, 16 72 0.4
  At 4 B, a takes the shortest time; b takes 1.50 +- 0.02 times as long.
  At 8 B, a and b take equal times, within 5 %.
  At 16 B, a takes the shortest time; b takes 1.80 +- 0.02 times as long.
nor is a difference that the table leaves open
  ONE | 4 15 0.1, 8 20.6 0.1, 16 41.5 0.1
  At 4 B, a takes the shortest time; b takes 1.50 +- 0.02 times as long.
  From 8 B to 16 B, a and b cannot be told apart (errors up to 1.1 %).
three suites, two of them equal at some arguments
  ONE | 4 15 0.1, 8 20 0.2, 16 72 0.4 | 4 20 0, 8 60 0, 16 80 0
  At 4 B, a takes the shortest time; b takes 1.50 +- 0.02 and c 2.00 +- 0.02 times as long.
  At 8 B, a and b take equal times, within 5 %; c takes 3.00 +- 0.03 times as long.
  At 16 B, a takes the shortest time; b takes 1.80 +- 0.02 and c 2.00 +- 0.02 times as long.
ratios do not span regimes
  4 8000 10, 8 8000 10, 16 5 0.01, 32 5 0.01 | 4 9000 10, 8 9000 10, 16 7 0.01, 32 8 0.01
  From 4 B to 8 B, a takes the shortest time; b takes 1.12 +- 0.01 times as long.
  From 16 B to 32 B, a takes the shortest time; b takes 1.40 +- 0.01 to 1.60 +- 0.01 times as long.
a time that grows with the length is one regime
  4 1 0, 4096 900 0 | 4 2 0, 4096 1800 0
  From 4 B to 4 KiB, a takes the shortest time; b takes 2.00 times as long.
no argument in common :: 4 1 0 | 8 1 0 :: The suites have no argument in common at which their times are above 0.
END
    for my $case (@cases) {
        my ( $name, $rows, @sentences ) = @{$case};
        my @suites = map { [ split /, / ] } split / [|] /, $rows;
        is_deeply [ comparison( 'length', @suites )->sentences ], \@sentences, $name;
    }
    is_deeply [ comparison( undef, ['0 2 0.01'], ['0 3 0.01'] )->sentences ],
      ["a takes the shortest time; b takes 1.50 $PM 0.01 times as long."],
      'local operations have no argument';
};

subtest 'the ranking as data' => sub {
    my $ranking =
      comparison( 'nodes', [ '2 10 0', '3 10 0', '4 10 0' ], [ '2 5 0', '3 20 0', '4 40 0' ] )
      ->ranking;
    my %exact = ( least_error => 0, most_error => 0 );
    is_deeply [ $ranking->stretches ],
      [
        {
            first     => 2,
            last      => 2,
            leaders   => [1],
            followers => [ { member => 0, %exact, least => 2, most => 2 } ],
        },
        {
            first     => 3,
            last      => 4,
            leaders   => [0],
            followers => [ { member => 1, %exact, least => 2, most => 4 } ],
        },
      ],
      'stretches';
    is_deeply [ $ranking->changes ], [ { after => 2, before => 3 } ], 'changes';
};

subtest 'an order that changes often is summarised' => sub {
    my @zigzag = map { "$_ " . ( $_ % 2 ? 10 : 20 ) . ' 0' } 2 .. 12;
    my @flat   = map { "$_ 15 0" } 2 .. 12;
    is_deeply [ comparison( 'nodes', \@zigzag, \@flat )->sentences ],
      [
        'Between 2 processes and 12 processes, the order changes 10 times.',
'Of 11 arguments, b takes the shortest time at 6 arguments (elsewhere up to 1.50 times as long) and '
          . 'a at 5 arguments (elsewhere up to 1.33 times as long).'
      ],
      'in two sentences';
    my @among = map { s/^3 .*/3 10 1/r } @flat;
    is(
        ( comparison( 'nodes', \@zigzag, \@among, [ map { s/ 15/ 16/r } @flat ] )->sentences )[1],
'Of 11 arguments, b takes the shortest time at 6 arguments (elsewhere up to 1.50 times as long), a at 4 arguments (elsewhere '
          . 'up to 1.33 times as long) and c at none (up to 1.60 times); at the other 1, '
          . 'several cannot be told apart (errors up to 10.0 %).',
        'with an argument at which several are equal'
    );
    my @suites = map {
        my $us = $_;
        [ map { "$_ " . ( $_ % 2 ? 2000 : 1 ) * $us . " $us" } 2 .. 12 ]
    } 1, 1.01;
    like join( q{ }, comparison( 'nodes', @suites )->sentences ),
      qr/^At all 11 arguments, several cannot be told apart [(]errors /, 'or all';
};

subtest 'names are not changed' => sub {
    my $name = '\input{x}$(id)`id`%#~^{_é';
    my $comparison =
      comparison_of( [ "p2p_$name", 'length', ['4 1 0'] ], [ 'p2p_b', 'length', ['4 2 0'] ] );
    my ($sentence) = $comparison->sentences;
    is $sentence, "At 4 B, $name takes the shortest time; b takes 2.00 times as long.",
      'in a sentence';
    is SKaMPI::Findings::Comparison->new( '${x}', $comparison->suites )->title, '${x}',
      'in a title';
};

subtest 'words' => sub {
    is join( q{ }, map { factor_text($_) } 1.049, 9.994, 23.44, 812.3 ), '1.05 9.99 23.4 812',
      'factors';
    is list_text( 1 .. $_->[0] ), $_->[1], 'a list'
      for [ 1, '1' ], [ 2, '1 and 2' ], [ 3, '1, 2 and 3' ];
};

subtest 'many rows' => sub {
    my @rows       = map { "$_ " . ( 1 + $_ % 7 ) . ' 0.1' } 1 .. 3000;
    my $comparison = comparison( 'length', \@rows, \@rows );
    cmp_ok scalar @{ $comparison->table }, '<=', 10, 'the table has few rows';
    is scalar( () = $comparison->sentences ), 1, 'one sentence';
    is( ( map { $_->{last} } $comparison->ranking->stretches )[-1],
        3000, 'up to the last argument' );
};

# The line of a suite in the header of results: "NAME { Type = number; Field = value; ... }".
sub echo_of ($suite) {
    my %fields = %{$suite};
    my $name   = delete $fields{name};
    my $type   = delete $fields{Type};
    return
      "$name { Type = $type;" . join( q{}, map { " $_ = $fields{$_};" } sort keys %fields ) . ' }';
}

# Results for a parameter file, with one row in each suite: types and variations from skampi's plan, fields
# as written in the file.
sub results_of ( $path, $names ) {
    my @suites = suites_written( read_file($path) =~ s/\A.*?(?=^\@MEASUREMENTS)//msr );
    my $suites = join "\n", map { echo_of($_) } @suites;
    my @planned =
      skampi( $ROOT, '--check', $path, '-n', 16 )->{out} =~
      /^([a-z]\w*_\S+)\n +type ([0-9]+)[^\n]*\n(?: +([a-z ]+),)?/mg;
    my @made;
    while ( my ( $label, $type, $varied ) = splice @planned, 0, 3 ) {
        my ($axis) = ( $varied // q{} ) =~ s/processes\z/nodes/r =~
          /(length|nodes|chunks|spread|groups|threads)\z/;
        push @made, [ $label, $axis, ['8 1 0.1'], { type => "$type $names->{$type}" } ];
    }
    return results( { SUITES => $suites =~ s/^/# /mgr =~ s/\A# //r }, @made );
}

subtest 'the .dorep file that ships' => sub {
    plan skip_all => 'needs skampi' if !$ENV{SKAMPI_PROGRAM};
    my $file = SKaMPI::Findings::ComparisonFile->from_file("$ROOT/report/default.dorep");
    is_deeply [ $file->problems ], [], 'it has no problems';
    my %names  = skampi( $ROOT, '--list' )->{out} =~ /^ +([0-9]+) +([a-z0-9]+_\S+)/mg;
    my %listed = map { $_ => 1 } values %names;
    my @titles = map { $_->{title} } $file->comparisons;
    is scalar( uniq @titles ), scalar @titles, 'names are distinct';
    my @unknown =
      grep { !$listed{ s{/.*}{}r =~ s/\Avt//r } } map { @{ $_->{labels} } } $file->comparisons;
    is_deeply \@unknown, [], 'it uses types that skampi has';
    my %made;

    for my $path ( glob "$ROOT/configs/*.skampi" ) {
        my $applied = $file->applied_to( results_of( $path, \%names ) );
        $made{ $_->title } = 1 for @{ $applied->{comparisons} };
    }
    my @never = grep {
        my $title = $_;
        !grep { index( "$_,", "$title," ) == 0 } keys %made
    } @titles;
    is_deeply \@never, [], 'each comparison applies to a parameter file that ships';
    cmp_ok scalar( grep { /\APing-pong, / } keys %made ), '>', 20, 'there is one for each datatype';
};

subtest 'algorithms of point-to-point calls' => sub {
    plan skip_all => 'needs skampi' if !$ENV{SKAMPI_PROGRAM};
    my %advised = map { $_->[1] => $_->[0] } algorithms();
    my @listed  = skampi( $ROOT, '--list', 'algorithms' )->{out} =~ /syncol_(\w+)/g;
    is_deeply [ sort keys %advised ], [ sort @listed ],
      'the report has advice on each that skampi has';
    my $file = SKaMPI::Findings::ComparisonFile->from_file("$ROOT/report/default.dorep");
    my @sets = map { join( q{ }, @{ $_->{labels} } ) =~ s{/\S*}{}gr } $file->comparisons;
    for my $name ( sort keys %advised ) {
        ok( ( grep { /\bsyncol_$advised{$name}\b.*\bsyncol_$name\b/ } @sets ),
            "$name is compared with $advised{$name}" );
    }
};

subtest 'descriptions of suites' => sub {
    my %send   = ( type           => '1 p2p_MPI_Send-MPI_Recv' );
    my %sync   = ( type           => '5 p2p_MPI_Ssend-MPI_Recv' );
    my @short  = ( message_length => 256 );
    my @long   = ( message_length => 65_536 );
    my $output = results(
        {},
        [ 'p2p_a',                  'length', ['8 1 0'], {%send} ],
        [ 'p2p_b',                  'length', ['8 1 0'], {%sync} ],
        [ 'p2p_c',                  'length', ['8 1 0'], {%sync} ],
        [ 'p2p_d',                  'length', ['8 1 0'], { %sync, nodes => 8 } ],
        [ 'p2p_MPI_Ssend-MPI_Recv', 'length', ['8 1 0'], {%send} ],
        [ 'p2p_e',                  'nodes',  ['2 1 0'], { %send, @short } ],
        [ 'p2p_f',                  'nodes',  ['2 1 0'], { %sync, @short } ],
        [ 'p2p_g',                  'nodes',  ['2 1 0'], { %send, @long } ],
        [ 'p2p_h',                  'nodes',  ['2 1 0'], { %sync, @long } ],
        map { [ "p2p_MPI_Isend-MPI_Recv-$_", 'length', ['8 1 0'] ] }
          qw(31 contiguous-31 57 contiguous-57),
    );
    my @cases = blocks_of(<<'END');
p2p_MPI_Send-MPI_Recv/length, p2p_MPI_Ssend-MPI_Recv/length
  n: a (MPI_Send-MPI_Recv)=p2p_a b (MPI_Ssend-MPI_Recv)=p2p_b
p2p_MPI_Ssend-MPI_Recv/length/nodes :: n: b (MPI_Ssend-MPI_Recv)=p2p_b d (MPI_Ssend-MPI_Recv)=p2p_d
p2p_MPI_Send-MPI_Recv/nodes, p2p_MPI_Ssend-MPI_Recv/nodes
  n, 256 B: e (MPI_Send-MPI_Recv)=p2p_e f (MPI_Ssend-MPI_Recv)=p2p_f
  n, 64 KiB: g (MPI_Send-MPI_Recv)=p2p_g h (MPI_Ssend-MPI_Recv)=p2p_h
p2p_MPI_Isend-MPI_Recv/length/method=contiguous, p2p_MPI_Isend-MPI_Recv/length/method=ddt
  n, vector: contiguous data=p2p_MPI_Isend-MPI_Recv-contiguous-31 the datatype=p2p_MPI_Isend-MPI_Recv-31
  n, vector of growing vectors: contiguous data=p2p_MPI_Isend-MPI_Recv-contiguous-57
    the datatype=p2p_MPI_Isend-MPI_Recv-57
p2p_MPI_Isend-MPI_Recv/length/datatype=31, p2p_MPI_Isend-MPI_Recv/length/datatype=57
  n, the datatype: vector=p2p_MPI_Isend-MPI_Recv-31 vector of growing vectors=p2p_MPI_Isend-MPI_Recv-57
  n, contiguous data: vector=p2p_MPI_Isend-MPI_Recv-contiguous-31
    vector of growing vectors=p2p_MPI_Isend-MPI_Recv-contiguous-57
p2p_MPI_Send-MPI_Recv/length, p2p_MPI_Bsend-MPI_Recv/length
END
    for my $case (@cases) {
        my ( $text, @wanted ) = @{$case};
        my $applied = comparisons_of("n: $text")->applied_to($output);
        my @got     = map {
            join q{ }, $_->title . q{:},
              map { "$_->{name}=$_->{suite}{label}" }
              $_->members
        } @{ $applied->{comparisons} };
        is_deeply \@got,             \@wanted, $text;
        is_deeply $applied->{notes}, [],       'a missing suite is not an error';
    }
    my @wrong = (
        [
            'a_b/width, a_c/length',
            qr{unknown 'width' in 'a_b/width'; expected one of length, nodes, }
        ],
        [
            'a_b/length/x=1, a_c/length',
            qr{unknown 'x' in 'a_b/length/x=1'; expected one of datatype, }
        ],
        [ 'a_b/length, p2p_c', qr/cannot mix names of suites and descriptions\z/ ],
        [ 'a_b/length',        qr/a comparison needs at least two suites\z/ ],
    );
    for my $case (@wrong) {
        my ( $text, $wanted ) = @{$case};
        like( ( comparisons_of("n: $text")->problems )[0], qr/\Af:1: $wanted/, $text );
    }
};

# Datatypes of different sizes have slightly different lengths, which become one row and one argument.
subtest 'lengths that are nearly equal' => sub {
    my @first      = map { "$_ 10 0.1" } 112, 448, 4096, 16_384;
    my @second     = map { "$_ 20 0.1" } 112, 480, 4032, 16_384;
    my $comparison = comparison( 'length', \@first, \@second );
    is arguments_of( @{ $comparison->table } ),    '112 448 4032 16384', 'are one row';
    is arguments_of( $comparison->ranking->rows ), '112 448 4032 16384', 'and one argument';
    my @close = map { "$_ 10 0.1" } 100, 104, 108, 200, 300, 400;
    $comparison = comparison( 'length', \@close, \@close );
    is arguments_of( @{ $comparison->table } ), '100 200 300 400',
      'the table has no near-duplicates';
    is scalar $comparison->ranking->rows, 6, 'but the ranking uses all measured arguments';
    my @nodes = map { "$_ 10 0.1" } 20 .. 25;
    is scalar @{ comparison( 'nodes', \@nodes, \@nodes )->table }, 6,
      'numbers of processes are always distinct';
};

# The first one's step is between lengths of which the second one has measured only the ends.
subtest 'a step between measured lengths' => sub {
    my @first      = map { "$_ 0.1" } '4096 10', '8188 11', '8200 20', '32768 40';
    my @second     = map { "$_ 0.1" } '4096 10', '32768 40';
    my $comparison = comparison( 'length', \@first, \@second );
    is arguments_of( $comparison->ranking->rows ),        '4096 32768', 'no statement between them';
    is scalar( grep { /takes/ } $comparison->sentences ), 0,            'neither takes longer';
};

# Both change their protocol between 64 and 128. Refinement has located the step of only one of them, at 96.
subtest 'across a step' => sub {
    my @known      = map { "$_ 10 0.1" } 4, 8, 16, 32, 64;
    my @refined    = ( @known, '92 10 0.1', '96 40 0.1', '128 40 0.1' );
    my $comparison = comparison( 'length', \@refined, [ @known, '128 40 0.1' ] );
    is join( q{ }, $comparison->sentences ),
      'From 4 B to 128 B, a and b take equal times, within 5 %.',
      'the sentence uses only arguments that both have measured';
    is arguments_of( @{ $comparison->table } ), '4 8 16 32 64 128', 'and so does the table';
    my @stretches = comparison( 'length', \@refined, \@known, \@known )->ranking->stretches;
    is join( q{ }, map { scalar @{ $_->{leaders} } } @stretches ), 3,
      'suites with a shorter range are compared';
    is $stretches[-1]{last}, 64, 'up to the end of that range';
};

# Only several launches have them.
subtest 'verdicts' => sub {
    my $comparison = comparison(
        'length',
        [ '4 10 0.1', '8 10 0.1', '16 10 0.1' ],
        [ '4 10.4 0', '8 11 0.1', '16 9 0.1' ]
    );
    is_deeply [ map { $_->{cells}[1]{verdict} } @{ $comparison->table } ], [ (undef) x 3 ],
      'one launch has no verdict';
    $comparison->judged( undef, { 4 => 'equal', 8 => 'slower' } );
    is join( q{ }, map { $_->{cells}[1]{verdict} } @{ $comparison->table } ), 'equal slower open',
      'those of several';
};

# A plot of ratios shows beginning and end of both names.
my @long = map {
    { name => 'old' . 'x' x 40 . "-$_ / new" . 'y' x 40 . "-$_", dots => [ [ { value => 1 } ] ] }
} 1, 2;
like +SKaMPI::Figure::Dots->new( 'values', \@long )->commands('pdf'),
  qr/'oldx+[.]{3}x+-$_ \/ newy+[.]{3}y+-$_'/, "long names $_"
  for 1, 2;

# A series without values keeps its place: gnuplot would give its name to the next one.
my @gap    = ( { name => 'row', dots => [ [ { value => 1 } ], [], [ { value => 3 } ] ] } );
my @blocks = split /\n\n\n/,
  SKaMPI::Figure::Dots->new( 'gap', \@gap, series => [ ( {} ) x 3 ] )->data;
is_deeply [ map { ( split q{ }, s/^#.*\n//r )[0] } @blocks ], [qw(1 NaN 3)],
  'series without values';

done_testing;
