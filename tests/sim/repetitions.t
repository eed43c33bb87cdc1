# Simulated repetitions are all equal. In every pattern, measuring ends at the least number that the
# accuracy requires, 40 or 120 in 10 visits, with an error of 0, far below Max_Repetition. Fewer have not reached
# it, and below five there is no error.
use v5.36;

use Cwd qw(getcwd);
use Test::More;
use Cpanel::JSON::XS               ();
use SKaMPI::Verdict::Launch        qw(launch_of);
use SKaMPI::Database::StoredPoints qw(pack_points unpack_points);
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Meaning::Curve;
use SKaMPI::Prestarted qw(prestarted);
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw($ROOT read_file skampi write_file sections succeeds);

# For the patterns Point-to-Point, Master-Worker, Collective, Synchronous Collective, Pairs.
my @TYPES = ( 1, 10, 17, 47, 160 );

my ($skampi) = build_in_scratch('truth');

sub suites ( $fields, $options = q{} ) {
    my $arguments =
      'Variation = Length; Scale = Fixed_linear; Start_Argument = 4096; End_Argument = 4096;';
    return map { "T$_ { Type = $_; $arguments $fields Parameters = \"$options\"; }\n" } @TYPES;
}

sub measured ( $most, @suites ) {
    my $least = $most < 8 ? 1 : 8;
    my $text  = join q{},
      "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@MINREPDEFAULT $least\n\@MAXREPDEFAULT $most\n"
      . "\@STANDARDERRORDEFAULT 0.1\n\@MEASUREMENTS\n", @suites;
    my $output = output_of( $skampi, 'flat', 2, $text );
    is scalar( $output->suites ), scalar @TYPES, 'all suites are measured';
    return $output;
}

my $REPORT = "$ROOT/report";

sub perl ( $program, @options ) {
    my ( $out, undef, $status ) = prestarted( q{.}, "$REPORT/$program", @options, 'skampi.out' );
    die "$program: $status\n" if $status;
    return $out;
}

# [ fields, Max_Repetition, options, repetitions, stop, fact, words of the row ]
my $REACHED = 'accuracy=reached';
my $FEW     = 'accuracy=missed few=yes';
my @CASES   = (
    [ 'Cut_Quantile = 0.25;', 500, q{},           40,  'accuracy',    'winsorised', q{} ],
    [ 'Cut_Quantile = 0;',    500, q{},           120, 'accuracy',    'winsorised', q{} ],
    [ 'Cut_Quantile = 0.25;', 20,  q{},           20,  'repetitions', 'winsorised', $REACHED ],
    [ 'Cut_Quantile = 0.25;', 20,  'passes=5',    20,  'repetitions', 'winsorised', $REACHED ],
    [ 'Cut_Quantile = 0;',    10,  q{},           10,  'repetitions', 'winsorised', $REACHED ],
    [ 'Cut_Quantile = 0;',    4,   q{},           4,   'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0.25;', 3,   q{},           3,   'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0;',    500, 'error=paper', 40,  'accuracy',    'paper',      q{} ],
    [ 'Min_Repetition = 1;',  500, 'error=paper', 40,  'accuracy',    'paper',      q{} ],
    [ 'Cut_Quantile = 0;',    1,   'passes=3',    3,   'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0;', 1, 'passes=3 estimate=minimum', 3, 'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0;', 2, 'passes=2',                  2, 'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0;', 4, 'passes=2',                  4, 'repetitions', 'winsorised', $FEW ],
    [ 'Cut_Quantile = 0;', 6, 'passes=2', 6, 'repetitions', 'winsorised', "$REACHED few=visits" ],
);

sub words ($row) {
    return join q{ }, map { "$_=$row->{extras}{$_}" } grep { $row->{extras}{$_} } qw(accuracy few);
}

for my $case (@CASES) {
    my ( $fields, $most, $options, $count, $stop, $fact, $words ) = @{$case};
    subtest "$fields Max_Repetition $most, '$options'" => sub {
        my $output = measured( $most, suites( $fields, $options ) );
        is $output->field('ERROR'), $fact, '#@ERROR';
        for my $suite ( $output->suites ) {
            my ($row) = @{ $suite->{rows} };
            my $few   = $words eq $FEW;
            my $apart = !$few && $suite->starts_by_clock;    # by more than the accuracy
            is_deeply [ $row->{count_all}, $row->{extras}{stop} ],
              [ $count, $apart && $stop eq 'accuracy' ? 'clock' : $stop ],
              "$suite->{label}: number of repetitions and why they ended";
            my $error = $few ? undef : sprintf '%.6f', $apart ? $suite->{clock_bound} : 0;
            is_deeply [ map { defined ? sprintf '%.6f', $_ : undef } @{$row}{qw(error error_all)} ],
              [ $error, $error ], 'the errors are those of the times';
            my $says = $apart ? $words =~ s/$REACHED|^(?= few|$)/accuracy=missed/r : $words;
            is words($row),              $says, 'what the row says of them';
            is $row->{few},              $few           ? 1 : undef, 'few repetitions';
            is $suite->is_inexact($row), $few || $apart ? 1 : 0,     'the accuracy';
        }
    };
}

# All readers handle a row without an error. Three ping-pongs, then four, and two runs of two.
subtest 'few repetitions' => sub {
    my $suite =
        'Type = 1; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 64;'
      . ' Min_Repetition = 1;';
    my $parameters = sections( VERSION => 4.1, MEMORY => 64 ) . <<"END";
few    { $suite Max_Repetition = 3; Stepwidth = 2; }
enough { $suite Max_Repetition = 5; Stepwidth = 2; }
once   { $suite Max_Repetition = 2; Stepwidth = 2; }
one    { $suite Max_Repetition = 1; Stepwidth = 2; }
work   { Type = 300; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 8;
         Max_Repetition = 2; Min_Repetition = 1; }
END
    my $output = output_of( $skampi, 'flat', 2, $parameters );
    my %few    = map {
        $_->{name} => [ map { $_->{few} // 0 } @{ $_->{rows} } ]
    } $output->suites;
    is_deeply \%few,
      {
        few    => [ (1) x 4 ],
        enough => [ (0) x 4 ],
        once   => [ (1) x 4 ],
        one    => [ (1) x 4 ],
        work   => [1]
      },
      'the rows';
    my ( $text, $show ) = ( read_file('skampi.out'), perl('show.pl') );
    like $text,
      qr/^8 [0-9.]+ nan 3 [0-9.]+ nan 3 # marks=v stop=repetitions accuracy=missed few=yes /m,
      'the file';
    like $text, qr/ pure=[0-9.]+ pure_error=nan /, 'and additional values';
    like $text, qr/^#\@EXTRA overlap .*[(]nan[)].*few(?s:.*) overlap=nan /m, 'a share says why not';
    like $show, qr/^  few +8 B +[0-9.]+ us v +- /m,                          'show';
    like $show, qr/^13 measurements with too few repetitions/m,              'and its foot';
    like perl( 'export.pl', '-f', 'csv' ),
      qr/,p2p_few,.*,8,[0-9.]+,,3,[0-9.]+,,3,.*,missed,yes\b/m,
      'CSV';
    my $json = Cpanel::JSON::XS->new->decode( perl( 'export.pl', '-f', 'json' ) );
    is_deeply [ map { $_->{points}[0]{time_error_us} } @{ $json->{runs}[0]{suites} } ],
      [ undef, 0, undef, undef, undef ], 'JSON';
    like perl( 'export.pl', '-f', 'markdown' ),
      qr/p2p\\_few *\| *8 B *\| *[0-9.]+ us *\| *- *\| *3/,
      'Markdown';
    my @kept = map { unpack_points( pack_points($_) ) } $output->suites;
    is_deeply [ map { $_->{time_error_us} } @kept[ 0, 4, 8 ] ], [ undef, 0, undef ], 'the database';
    my @figures = SKaMPI::Findings::KeyFigures->rows_of($output);
    is_deeply [ grep { $_->{where}{label} ne 'p2p_enough' } @figures ], [], 'key figures';
    is scalar( SKaMPI::Meaning::Curve->new( $output->suite('p2p_few') )->points ), 0,
      'no point for findings, guidelines and comparisons';
    my $launch = launch_of( $output, 'time' );
    is_deeply [ map { scalar %{ $_->{values} } } @{ $launch->{suites} }{qw(p2p_few p2p_enough)} ],
      [ 0, 4 ],
      'comparisons of launches';

    # A run of the same second would be a copy.
    write_file( 'one.out', $text =~ s/^(#\@DATE .*) \d\d:\d\d:\d\d/$1 00:00:00/mr );
    output_of( $skampi, 'flat', 2, $parameters );
    my $got = succeeds( skampi( getcwd(), '--postprocess', 'one.out', 'skampi.out', '-o', 'm.out' ),
        'a merge' );
    my %merged =
      map { $_->{name} => $_->{rows}[0]{few} // 0 }
      SKaMPI::Read::Output->from_file('m.out')->suites;
    is_deeply \%merged, { few => 0, enough => 0, once => 0, one => 1, work => 0 },
      'has more repetitions';
};

done_testing;
