# The costs of a program's calls, by the header of results: times of each process, sums, intervals and savings; all
# pages show the same numbers; a header that a stranger wrote does no harm.
use v5.36;

use Test::More;
use SKaMPI::Document::SidesContent;
use SKaMPI::Document::Sides;
use SKaMPI::Document::Content;
use SKaMPI::Document::Html qw(html_of);
use SKaMPI::Meaning::Costs qw(cost_data cost_lines costs_of recording_of recording_text savings_of);
use SKaMPI::Results        qw(results results_text);
use SKaMPI::WebTest        qw(database_of tester);

my $RECORDED = join "\n# ", 'processes=2 mpi_us=40000.000',
  'all us=10000.000 wait_us=300.000 bound=0 counts=100*1,300*1 what=Allreduce, 8 B, 2 processes',
  'pair us=20000.000 bound=1 counts=50*2 what=Send, 1 KiB, 2 processes',
  'some us=4000.000 bound=0 counts=30*1 what=Bcast, 8 B, 1 process',
  'few us=1000.000 bound=0 counts=10*2 what=Scan, 8 B, 2 processes',
  'packed instead=pair what=MPI_Pack before MPI_Send',
  'missing us=1.000 bound=0 counts=1*2 what=Reduce';

sub run_with ( $factor, $recorded = $RECORDED ) {
    my $row = sub (@times) {
        return [
            join q{ }, 8, $times[0] * $factor,
            $times[1], 8, map { $_ * $factor } @times[ 2 .. $#times ]
        ];
    };
    return results_text(
        { RECORDED => $recorded, PROCESSES => 2 },
        [ 'syncol_all',  'length', $row->( 20, 0.5, 10, 20 ) ],
        [ 'p2p_pair',    'length', $row->( 8,  0.1 ) ],
        [ 'p2p_packed',  'length', $row->( 6,  0.2 ) ],
        [ 'syncol_some', 'length', $row->( 5,  0.1, 3, 5 ) ],
        [ 'syncol_few',  'length', ['8 7 nan 2'] ],
    );
}

sub output_of ($text) {
    return SKaMPI::Read::Output->from_text( $text, 'made.out' );
}

my $output    = output_of( run_with(1) );
my $recording = recording_of($output);
my $costs     = costs_of( $recording, $output );

subtest 'costs' => sub {
    is recording_text($recording), $RECORDED =~ s/\n# /\n/gr,
      'the header is read and written alike';
    my %expected = (
        all  => 100 * 10 + 300 * 20,    # each process its own time
        pair => 2 * 50 * 8,
        some => 30 * 4,                 # not of all processes: the mean
    );
    is $costs->{$_}{time},    $expected{$_}, "$_: calls times cost" for sort keys %expected;
    is $costs->{pair}{error}, 10,            'the error is that of the time';
    ok !defined $costs->{$_}, "$_: not measured" for qw(few missing);
    my $half = costs_of( $recording, output_of( run_with(0.5) ) );
    is savings_of( $costs, $half )->{time}, ( 7000 + 800 + 600 + 120 ) / 2,
      'what faster calls save';
};

subtest 'texts' => sub {
    my $data =
      cost_data( $recording, [ q{}, $output ], [ 'twice as fast', output_of( run_with(0.5) ) ] );
    is_deeply $data->{rows}[0],
      {
        call     => 'Allreduce, 8 B, 2 processes',
        share    => '25.0 %',
        calls    => '200.0',
        recorded => '5.000 ms',
        cost     => '3.500 ms +- 175.0 us',
        rest     => '1.500 ms',
        wait     => '150.0 us'
      },
      'a call';
    is $data->{rows}[1]{cost},    '<= 400.0 us +- 10.00 us', 'an upper limit';
    is $data->{rows}[3]{cost},    'not measured',            'too few repetitions';
    is scalar @{ $data->{rows} }, 5, 'another way of the same call has no row';
    my @expected = (
        qr/of a process: 20[.]00 ms; the suites cover 85[.]0 % of it/,
        qr/Of these 17[.]00 ms, the measured cost explains 3[.]960 ms \+- 175[.]3 us/,
        qr/Not explained by the measured cost: 13[.]04 ms/,
        qr/Waiting for late processes, .*: 150[.]0 us/,
        qr/With MPI_Pack before MPI_Send, a run would take 100[.]0 us \+- 22[.]36 us less/,
        qr/With twice as fast, a run would take 2[.]130 ms \+- /,
    );
    like cost_data( $recording, [ q{}, $output ], [ slower => output_of( run_with(2) ) ] )
      ->{notes}[-1],
      qr/With slower, a run would take [\d.]+ ms \+- [\d.]+ us more [(]/, 'what would take more';
    is scalar @{ $data->{notes} }, scalar @expected, 'sentences';
    like $data->{notes}[$_], $expected[$_], "sentence $_" for 0 .. $#expected;
};

subtest 'all pages' => sub {
    my ($html) = html_of( SKaMPI::Document::Content->new( $output, style => { mono => 0 } ),
        sub ($name) { return q{} } );
    my ($both) = html_of(
        SKaMPI::Document::SidesContent->new(
            SKaMPI::Document::Sides->of( [$output], [ output_of( run_with(0.5) ) ] ),
            style => { mono => 0 }
        ),
        sub ($name) { return q{} }
    );
    my $t          = tester( database_of( run_with(1), run_with( 0.5, 'nothing' ) ), public => 1 );
    my $web        = $t->get_ok('/run/1')->tx->res->dom->all_text;
    my ($compared) = map { $t->get_ok('/compare?r=1&r=2')->tx->res->dom->all_text } 'made', 'kept';
    my $lines      = join "\n", cost_lines( scalar cost_data( $recording, [ q{}, $output ] ) );
    for my $text (
        '3.500 ms +- 175.0 us',
        '<= 400.0 us +- 10.00 us',
        '3.960 ms +- 175.3 us',
        '100.0 us +- 22.36 us less'
      )
    {
        my $typeset = $text    =~ s/ us/ \x{b5}s/gr =~ s/[+]-/\x{b1}/gr;
        my $found   = $typeset =~ s/</&lt;/r;
        like $html,     qr/\Q$found\E/,   "report: $text";
        like $both,     qr/\Q$found\E/,   "report of two sides: $text";
        like $web,      qr/\Q$typeset\E/, "web: $text";
        like $compared, qr/\Q$typeset\E/, "web, two runs: $text";
        like $lines,    qr/\Q$text\E/,    "terminal: $text";
    }
    like $both, qr/a run would take 2[.]130 ms/, 'report of two sides: what the second would save';
    like $compared, qr/With run 2 of Unnamed machine, a run would take 2[.]130 ms/,
      'web, two runs: the same';
    unlike $t->get_ok('/compare?r=2&r=1')->tx->res->dom->all_text, qr/calls cost/,
      'no recording first';
};

subtest 'headers of strangers' => sub {
    my $none =
      SKaMPI::Document::Content->new( output_of( run_with( 1, 'nothing' ) ) )->data->{costs};
    is $none, 0, 'no recording';
    for my $line (
        'all us=1e9 bound=0 counts=1*2 what=x',
        'all us=1 bound=0 counts=x what=x',
        'all us=1 bound=0 what=x',
        'all <b> what'
      )
    {
        my $read = recording_of( output_of( run_with( 1, "processes=2 mpi_us=1\n# $line" ) ) );
        is_deeply $read->{calls}, [], $line;
    }
    my $large = recording_of(
        output_of(
            run_with(
                1, "processes=999999999 mpi_us=0\n# all us=0 bound=0 counts=1*999999999 what=x"
            )
        )
    );
    ok cost_data( $large, [ q{}, $output ] ), 'many processes';
};

done_testing();
