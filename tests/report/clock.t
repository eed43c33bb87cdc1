# The report's statements about clocks: times that the clock bound limits, the broadcast by acknowledgement, and
# the skew that barrier-measured times contain.
use v5.36;

use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Document::SuiteView;
use SKaMPI::Document::Summary;
use SKaMPI::Findings::Acknowledged qw(acknowledged_notes acknowledged_warnings);
use SKaMPI::Findings::Choices;
use SKaMPI::Findings::Comparison;
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Likeness qw(skew_note times_note);
use SKaMPI::Prestarted        qw(prestarted);
use SKaMPI::Results           qw(results results_text);
use SKaMPI::Test              qw($ROOT blocks_of scratch write_file workplace);

my $SHOW = "$ROOT/report/show.pl";

my $PM      = "\x{b1}";
my $BARRIER = 'one call and the closing barrier, on the root';
my $SKEW    = "$BARRIER; contains the skew with which the processes left the previous barrier";
my $TOGETHER =
  'one call that all processes enter at the same instant, and the closing barrier, on the root';

my %NUMBER = (
    'syncol_MPI_Bcast'   => 47,
    'check_bcast_by_ack' => 170,
    'col_MPI_Bcast'      => 17,
    'col_MPI_Gather'     => 33,
    'col_MPI_Gatherv'    => 41,
);

# A suite over the length, with 3 % asked for.
sub over_length ( $label, @rows ) {
    my ($type) = grep { index( "$label-", "$_-" ) == 0 } keys %NUMBER;
    my %facts = ( standard_error => '3.00' );
    $facts{type} = "$NUMBER{$type} $type" if $type;
    return [ $label, 'length', \@rows, \%facts ];
}

sub notes_of ($timeof) {
    return if !$timeof;
    return $timeof eq $TOGETHER
      ? ( TIME => 'together_and_barrier', START => 'clock', TIMEOF => $timeof )
      : ( TIME => 'root_and_barrier', TIMEOF => $timeof );
}

sub suites_with ( $timeof, @suites ) {
    my $output = results( {}, @suites );
    $_->{notes} = { %{ $_->{notes} }, notes_of($timeof) } for $output->suites;
    return $output;
}

subtest 'which times the clock bound limits' => sub {
    my %bound = ( CLOCKBOUND => '2.400000 microsec., half of the fastest round trips' );
    my @rows  = ( '4 2.5 0', '8 79.9 0', '16 80 0', '32 0 0' );
    my @cases = (
        [ 'synchronised',  \%bound,               'syncol_a',   q{},                '1 1 0 0' ],
        [ 'on a topology', \%bound,               'vtsyncol_a', q{},                '1 1 0 0' ],
        [ 'pairs',         \%bound,               'pairs_a',    q{},                '1 1 0 0' ],
        [ 'by barriers',   \%bound,               'col_a',      $SKEW,              '0 0 0 0' ],
        [ 'together',      \%bound,               'col_a',      $TOGETHER,          '1 1 0 0' ],
        [ 'a ping-pong',   \%bound,               'p2p_a',      q{},                '0 0 0 0' ],
        [ 'no bound',      {},                    'syncol_a',   q{},                '0 0 0 0' ],
        [ 'no number',     { CLOCKBOUND => 'x' }, 'syncol_a',   q{},                '0 0 0 0' ],
        [ 'zero',          { CLOCKBOUND => '0.000000 microsec.' }, 'syncol_a', q{}, '0 0 0 0' ],
    );
    for my $case (@cases) {
        my ( $name, $fields, $label, $timeof, $wanted ) = @{$case};
        my ($suite) = results( $fields, over_length( $label, @rows ) )->suites;
        $suite->{notes} = { %{ $suite->{notes} }, notes_of($timeof) };
        is join( q{ }, map { $suite->is_clock_limited($_) } @{ $suite->{rows} } ), $wanted, $name;
    }
};

# With four calls in an interval, the limit of one is a quarter.
subtest 'several calls in a row' => sub {
    my @rows = ( '4 19.9 0', '8 20 0', '16 2 0', '32 2 0' );
    my ($suite) =
      results( { CLOCKBOUND => '2.400000 microsec.' }, over_length( 'syncol_a', @rows ) )->suites;
    $suite->{requested} = { loop => 4 };
    is join( q{ }, map { $suite->is_clock_limited($_) } @{ $suite->{rows} }[ 0, 1 ] ), '1 0',
      'the bound';
    ($suite) = results( {}, over_length( 'syncol_a', @rows ) )->suites;
    $suite->{requested}       = { loop     => 4 };
    $suite->{rows}[2]{extras} = { residual => '0.119' };
    $suite->{rows}[3]{extras} = { residual => '0.121' };
    is join( q{ }, map { $suite->is_clock_limited($_) } @{ $suite->{rows} }[ 2, 3 ] ), '0 1',
      'the residual';
};

# Half of the error that is asked for, 3 %.
subtest 'which times the residual limits' => sub {
    my ($suite) = results( {}, over_length( 'syncol_a', '4 2 0', '8 2 0', '16 2 0' ) )->suites;
    my @residuals = ( '0.029000', '0.031000', undef );
    $suite->{rows}[$_]{extras} = { residual => $residuals[$_] } for 0 .. 2;
    is join( q{ }, map { $suite->is_clock_limited($_) } @{ $suite->{rows} } ), '0 1 0',
      'above half';
    ($suite) = results( {}, over_length( 'syncol_a', '4 2 0', '8 2 0' ) )->suites;
    $suite->{standard_error} = 0;
    $suite->{rows}[1]{extras} = { residual => '0.031000' };
    is $suite->is_clock_limited( $suite->{rows}[1] ), 0, 'no error is asked for';
};

subtest 'how they are marked' => sub {
    my $output = results(
        { CLOCKBOUND => '2.400000 microsec., half of the fastest round trips' },
        over_length( 'syncol_MPI_Bcast', '8 2.5 0', '16 3 0', '32 4 0', '64 90 0' )
    );
    my ($suite) = $output->suites;
    my $note =
        'times below 80.00 µs: the clocks may be up to 2.400 µs apart without any message'
      . ' showing it (clock bound), which is more than the requested error';
    utf8::decode($note);
    my $plot = SKaMPI::Document::SuiteView->new( $suite, name => 'a' );
    is_deeply $plot->data->{marks}, ['\limitedmark\ the clocks limit it'], 'the key of a plot';
    is $plot->data->{facts}[-1]{text}, $note, 'a sentence';
    my ($curve) = $plot->plots;
    is_deeply [ $curve->data =~ /^\S+ \S+ \S+ \S+ 0 0 (\d) 0 0$/mg ], [ 1, 1, 1, 0 ], 'points';
    like join( "\n", $curve->commands('pdf') ), qr/\$7 == 1 .* pointtype 1 /, 'are drawn';
    my $table = SKaMPI::Document::SuiteView->new( $suite, name => 'a', fewest => 9 );
    is_deeply [ map { $_->{time} =~ /[*]\z/ ? 1 : 0 } @{ $table->data->{values} } ],
      [ 1, 1, 1, 0 ], 'a table';
    my $summary = SKaMPI::Document::Summary->new( $output, {} )->data->{collectives};
    like $summary->{rows}[0]{cells}[0]{value}, qr/[*]\z/, 'key figures';
    like SKaMPI::Document::Summary->new( $output, {} )->data->{marks},
      qr/[*]: clocks may be apart/, 'with an explanation';
};

subtest 'in a terminal' => sub {
    my $dir = scratch();
    for my $case ( [ '2.400000', '2.400 us' ], [ '0.000001', '1.000 ps' ] ) {
        my ( $bound, $shown ) = @{$case};
        my %fields = ( CLOCKBOUND => "$bound microsec., half of the fastest round trips" );
        write_file( "$dir/a.out",
            results_text( \%fields, over_length( 'syncol_a', '8 2.5 0.1', '16 90 0.1' ) ) );
        my ($out) = prestarted( $dir, $SHOW, 'a.out' );
        my $marked = $bound > 1;
        is scalar( $out =~ /2[.]50 us[*]/ ),           $marked, "a bound of $bound: the mark";
        is scalar( $out =~ /^  [*] clock-limited$/m ), $marked, 'and what it means';
        unlike $out, qr/90[.]0+ us[*]/,            'no mark of a long time';
        like $out,   qr/clock bound +\Q$shown\E,/, 'the bound is in the head';
    }
};

sub checked ( $ack, $sync, %fields ) {
    return results(
        \%fields,
        over_length( 'check_bcast_by_ack',  @{$ack} ),
        over_length( 'syncol_MPI_Bcast-SM', @{$sync} )
    );
}

subtest 'how it compares' => sub {
    my $timer = 'MPI_Wtime, tick 0.100000 microsec., cost 0.050000 microsec. per call';
    my @cases = blocks_of( <<'END' =~ s/[+]-/$PM/gr );
equal :: 8 10 0.1, 64 20 0.2 | 8 10 0.1, 64 20 0.2 | 1.00 +- 0.01
within both errors :: 8 10.3 0.1 | 8 10 0.1 | 1.03 +- 0.01
beyond them :: 8 11.5 0.1 | 8 10 0.1 | 1.15 +- 0.02 | 8 B: 1.15
shorter :: 8 8.5 0.1 | 8 10 0.1 | 0.85 +- 0.01 | 8 B: 0.85
less than 10 %, without errors :: 8 10.9 0 | 8 10 0 | 1.09
more :: 8 11.1 0 | 8 10 0 | 1.11 | 8 B: 1.11
a reading of the clock :: 8 1.29 0 | 8 1 0 | 1.29
two of them :: 8 1.31 0 | 8 1 0 | 1.31 | 8 B: 1.31
errors not known :: 8 20 nan | 8 10 0.1 | 2.00
the worst counts :: 8 12 0, 64 10 0, 512 30 0 | 8 10 0, 64 10 0, 512 20 0 | 1.00 to 1.50 | 512 B: 1.50
only what both have measured :: 8 10 0.1, 64 20 0.2 | 8 10 0.1, 128 20 0.2 | 1.00 +- 0.01
END
    for my $case (@cases) {
        my ( $name, $line ) = @{$case};
        my ( $ack, $sync, $ratio, $warning ) = split / [|] /, $line;
        my %fields  = $name =~ /clock|two/ ? ( TIMER => $timer ) : ();
        my $output  = checked( ( map { [ split /, / ] } $ack, $sync ), %fields );
        my @said    = acknowledged_warnings($output);
        my ($note)  = acknowledged_notes( $output, $output->suite('check_bcast_by_ack') );
        my $pattern = $ratio =~ / to / ? qr/\Q$ratio\E/ : qr/takes \Q$ratio\E times/;
        like $note, $pattern, "$name: the ratio";
        if ($warning) { like "@said", qr/\Q$warning\E/, 'a warning' }
        else          { is_deeply \@said, [], 'no warning' }
    }
};

subtest 'no more exactly than acknowledgements are known' => sub {
    for my $case ( [ 2, 1 ], [ 5.1, 0 ] ) {
        my ( $way, $warnings ) = @{$case};
        my $output = checked( ['8 15 0.1'], ['8 10 0.1'] );
        my $row    = $output->suite('check_bcast_by_ack')->{rows}[0];
        $row->{extras} = { %{ $row->{extras} }, way => $way };
        is scalar acknowledged_warnings($output), $warnings, "an acknowledgement takes $way us";
    }
};

subtest 'where that is said' => sub {
    my @changed = (
        over_length( 'check_bcast_by_ack',  '8 15 0.1' ),
        over_length( 'syncol_MPI_Bcast-SM', '8 10 0.1' )
    );
    my $output = results( {}, @changed );
    my ($sentence) = acknowledged_warnings($output);
    is $sentence,
"MPI_Bcast by acknowledgement and synchronised differ beyond both errors, most at 8 B: 1.50 $PM 0.02"
      . ' times (15.00 us against 10.00 us); the clocks or the machine have changed in between',
      'in words';
    is_deeply SKaMPI::Document::Content->new($output)->data->{warnings}, [$sentence],
      'on the first page';
    my $dir = workplace( 'a.out' => results_text( {}, @changed ) );
    my ($out) = prestarted( $dir, $SHOW, 'a.out' );
    like $out, qr/warning: MPI_Bcast by acknowledgement and synchronised differ/, 'in a terminal';
    my @suites = grep { $_->isa('SKaMPI::Document::SuiteView') }
      SKaMPI::Document::Content->new($output)->views;
    my ($view) = grep { $_->data->{title} =~ /by_ack/ } @suites;
    like "@{ $view->data->{notes} }", qr/takes 1[.]50 .*differ beyond both errors/,
      'with the suite';
    my $alone = results( {}, over_length( 'check_bcast_by_ack', '8 10 0.1' ) );
    is_deeply [ acknowledged_notes( $alone, $alone->suites ) ],
      ['The results have no synchronised MPI_Bcast to compare this with.'],
      'nothing to compare with';
    is_deeply [ acknowledged_notes( $output, $output->suite('syncol_MPI_Bcast-SM') ) ], [],
      'nothing with another suite';
};

subtest 'barrier-measured times contain the skew' => sub {
    my @rows = ( '8 20 0.1', '16 20 0.1', '32 20 0.1' );
    my @pair = (
        over_length( 'col_MPI_Gather',  @rows ),
        over_length( 'col_MPI_Gatherv', map { s/ 20 / 10 /r } @rows )
    );
    for my $case ( [ $SKEW, 1 ], [ $BARRIER, 1 ], [ $TOGETHER, 0 ] ) {
        my ( $timeof, $wanted ) = @{$case};
        my $output   = suites_with( $timeof, @pair );
        my ($suite)  = $output->suites;
        my $view     = SKaMPI::Document::SuiteView->new( $suite, name => 'a' )->data;
        my $compared = SKaMPI::Findings::Comparison->new( 'a', $output->suites );
        my $found    = SKaMPI::Findings::Findings->of($output)->{groups}[0]{findings}[0]{text};
        my ($choice) = SKaMPI::Findings::Choices->of($output);
        my %says     = (
            suite      => "@{ $view->{notes} }",
            comparison => join( q{ }, $compared->notes ),
            finding    => $found,
            choice     => $choice->{measured},
        );
        is_deeply [ map { $says{$_} =~ /contain the skew/ ? 1 : 0 } sort keys %says ],
          [ ($wanted) x 4 ],
          $timeof;
    }
    is skew_note( suites_with( q{}, over_length( 'syncol_MPI_Bcast', @rows ) )->suites ), undef,
      'synchronised ones do not';
};

subtest 'two definitions' => sub {
    my ( $old, $new, $together ) =
      map { ( suites_with( $_, over_length( 'col_MPI_Bcast', '8 20 0.1' ) )->suites )[0] } $BARRIER,
      $SKEW, $TOGETHER;
    is times_note( $old, $new ), undef, 'the remark is not part of the definition';
    like times_note( $new, $together ), qr/different definitions.*one call that all/,
      'another definition is a difference';
    my @lines = (
        'a { Type = 33; Parameters = "enter=barrier cache=warm"; }',
        'b { Type = 33; Parameters = "enter=together cache=warm"; }',
        'c { Type = 41; Parameters = "enter=together cache=warm"; }'
    );
    my %type   = ( a => '33 col_MPI_Gather', b => '33 col_MPI_Gather', c => '41 col_MPI_Gatherv' );
    my $output = results( { SUITES => join "\n# ", @lines },
        map { [ "col_$_", 'length', ['8 1 0'], { type => $type{$_} } ] } sort keys %type );
    my $selection = SKaMPI::Findings::Selection->of($output);
    my $like      = $selection->like( $output->suite('col_c'), 'MPI_Gather' );
    is $like->{name}, 'b', 'a suite is compared with one that was entered in the same way';
};

done_testing;
