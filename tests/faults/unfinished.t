# A run that a signal ends between two visits: each program shows the visits so far, marks them, and says how to go on;
# a resumed run has each suite once, complete.
use v5.36;

use Cwd qw(abs_path);
use FindBin;
use Test::More;
use SKaMPI::Faults qw(blocks_of unsound);
use SKaMPI::Read::Output;
use SKaMPI::Test       qw(scratch read_file write_file skampi preloaded_mpirun succeeds workplace);
use SKaMPI::ReportTest qw(tool);

my $ROOT   = abs_path("$FindBin::Bin/../..");
my @LABELS = qw(p2p_A col_B col_C);
my $RANGE  = 'Scale = Fixed_log; Start_Argument = 4; End_Argument = 64; Stepwidth = 4';
my $LIMITS = 'Max_Repetition = 20; Min_Repetition = 20; Multiple_of = 4';

# C is the last of each turn; a call in its second visit ends the run.
my $CALL   = 25;
my $SUITES = <<"END";
A { Type = 1; Variation = Length; $RANGE; $LIMITS; Parameters = "passes=5"; }
B { Type = 17; Variation = Length; $RANGE; $LIMITS; Parameters = "passes=5"; }
C { Type = 21; Variation = Length; $RANGE; $LIMITS; Parameters = "passes=5"; }
END

sub ended_by ($signal) {
    my $dir = workplace( '.skampi' => "\@VERSION 4.1\n\@POSTPROC no\n\@MEASUREMENTS\n$SUITES" );
    local $ENV{SKAMPI_ABORT} = "MPI_Scan:$CALL:$signal";
    return ( $dir, preloaded_mpirun( $dir, 2, 'libabort.so', '-q' ) );
}

# The numbers of a visit in the journal before those of its processes and repetitions, both with their count before
# them; and which is the mean of all repetitions.
my ( $NUMBERS, $MEAN ) = ( 50, 7 );

# The visits in the journal: for each suite and argument the mean of each.
sub visits_in ( $dir, $keyword = 'suite-pass' ) {
    my %means;
    for ( read_file("$dir/skampi.out.journal") =~ /^\S+ $keyword (.*)$/mg ) {
        my ( $label, $rows, undef, @numbers ) = split q{ };
        while (@numbers) {
            my @visit = splice @numbers, 0, $NUMBERS;
            push @{ $means{$label}{ $visit[1] } }, $visit[$MEAN];
            splice @numbers, 0, shift @numbers for 1 .. 2;
        }
    }
    return \%means;
}

# Are the rows those of these visits?
sub has_visits ( $dir, $text, $name ) {
    my $means  = visits_in($dir);
    my $output = SKaMPI::Read::Output->from_text($text);
    is_deeply [ sort map { $_->{label} } $output->suites ], [ sort keys %{$means} ],
      "$name: the suites";
    for my $suite ( $output->suites ) {
        my $of = $means->{ $suite->{label} };
        my ($n) = map { scalar @{$_} } values %{$of};
        is $suite->visits, "$n of 5", "$name: $suite->{label} has $n visits";
        for my $row ( @{ $suite->{rows} } ) {
            my @us = @{ $of->{ $row->{argument} } };
            my $us = $n == 2 ? ( $us[0] + $us[1] ) / 2 : $us[0];
            cmp_ok abs( $row->{time_all} - $us ), '<', 1e-6, "$name: $row->{argument}";
            is $row->{extras}{passes}, $n, 'its visits';
        }
    }
    return;
}

sub perl_program ( $dir, $name, @arguments ) {
    return tool( $dir, $^X, "$ROOT/report/$name.pl", @arguments );
}

my $WAY_ON =
qr/the run is not finished: visits are missing in 3 of 3 suites, p2p_A has 2 of 5; start skampi again/;

my ( $killed, $run ) = ended_by('kill');
isnt $run->{status}, 0, 'killed';
my $out = read_file("$killed/skampi.out");
is_deeply blocks_of($out), {}, 'nothing is in the results';
has_visits( $killed, skampi( $killed, '--visits', 'skampi.out' )->{out}, '--visits' );

subtest 'each program reads them, marks them, and says how to go on' => sub {
    $run = succeeds( perl_program( $killed, 'show' ), 'show' );
    like $run->{out} =~ s/\s+/ /gr, $WAY_ON, 'the warning';
    is( ( () = $run->{out} =~ /, [12] of 5 visits\b/g ), @LABELS, 'each suite is marked' );
    $run = succeeds( perl_program( $killed, 'export', 'skampi.out' ), 'export' );
    like $run->{err}, $WAY_ON, 'the warning';
    is( ( () = $run->{out} =~ /,"[12] of 5",cut(?=,)/mg ), 9, 'each row is marked' );

    for my $format (qw(gbench markdown osu)) {
        like perl_program( $killed, 'export', '--format', $format, 'skampi.out' )->{out},
          qr/2 of 5 visits/, $format;
    }
    $run =
      succeeds( perl_program( $killed, 'dorep', '-q', '--format', 'html', 'skampi.out' ), 'dorep' );
    my $page = read_file("$killed/skampi.out.html");
    like $page =~ s/<[^>]*>|\s+/ /gr =~ s/  +/ /gr, $WAY_ON, 'the warning';
    is( ( () = $page =~ /This suite is not finished: its arguments have [12] of 5 visits/g ),
        @LABELS, 'each suite is marked' );
    write_file( "$killed/other.out", skampi( $killed, '--visits', 'skampi.out' )->{out} );
    $run = perl_program( $killed, 'compare', 'skampi.out', q{--}, 'other.out' );
    like $run->{out} =~ s/\s+/ /gr, qr/warning: skampi.out: $WAY_ON/, 'compare'
      or diag( $run->{err} );
    $run = succeeds( perl_program( $killed, 'db', '--database', 'r.db', 'add', 'skampi.out' ),
        'db add' );
    like $run->{out}, qr/^run 1: skampi[.]out, 3 suites/,                 'it is stored';
    like $run->{err}, qr/warning: skampi[.]out: the run is not finished/, 'with a warning';
};

subtest '--status --write' => sub {
    $run = skampi( $killed, '--status', '--write' );
    is $run->{status}, 3, 'not finished';
    like $run->{out}, qr/^skampi[.]out: 3 suites with some of the visits written$/m,
      'it says what it wrote';
    my $written = read_file("$killed/skampi.out");
    is substr( $written, 0, length $out ), $out, 'what was there remains';
    has_visits( $killed, $written, 'written' );
    skampi( $killed, '--status', '--write' );
    is read_file("$killed/skampi.out"), $written, 'once more is the same';
};

sub is_resumed ($dir) {
    $run = preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
    like $run->{err}, qr/^skampi: resuming: 0 of 3 suites done, \d of 15 visits/m,
      'visits are counted';
    is $run->{status},           0,   'resumed' or diag( $run->{err} );
    is unsound( $dir, @LABELS ), q{}, 'each suite is there once';
    unlike read_file("$dir/skampi.out"), qr/PASSES \d of/, 'complete';
    is_deeply [ glob "$dir/skampi.out.?" ], [], 'no other file is left';
    return;
}

like preloaded_mpirun( $killed, 2, 'libabort.so', qw(-q --set @LABEL=commit=2) )->{err},
  qr/^skampi: 'skampi[.]out' .* was started with other parameters or labels/m, 'not by a new label';
is_resumed($killed);

for my $signal (qw(term int)) {
    subtest $signal => sub {
        my ( $dir, $ended ) = ended_by($signal);
        is $ended->{status}, 1, 'the run ends in order';
        like $ended->{err},
qr/^skampi: ended by SIG\U$signal\E; 3 suites with some of the visits written to 'skampi.out'; start again to resume$/m,
          'and says so';
        has_visits( $dir, read_file("$dir/skampi.out"), $signal );
        unlike read_file("$dir/skampi.log"), qr/suite-crashed/, 'no suite has crashed';
        is_resumed($dir);
    };
}

# With @TIMERUN, A's first visits are more than its turn has time for. They wait for another when C ends a run, then B;
# these two are the last ones, out of turn. A busy machine needs more time to begin.
subtest 'a suite that has to wait for its next turn' => sub {
    my $suites = $SUITES =~ s/17/35/r =~ s/Fixed_log/Fixed_linear/gr =~ s/= 64/= 400000/gr;
    my ( $dir, $us );
    for my $minutes ( 0.05, 0.2, 0.8 ) {
        $dir = scratch();
        write_file( "$dir/.skampi",
            "\@VERSION 4.2\n\@POSTPROC no\n\@TIMERUN $minutes\n\@MEASUREMENTS\n$suites" );
        local $ENV{SKAMPI_ABORT} = 'MPI_Scan:1:kill';
        preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
        $us = visits_in( $dir, 'suite-row' )->{p2p_A}{4}[0];
        last if defined $us;
    }
    for my $call ( qw(MPI_Scatter:1:kill), q{} ) {
        local $ENV{SKAMPI_ABORT} = $call;
        preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
    }
    my ( $suite, @others ) = SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites;
    cmp_ok abs( $suite->{rows}[0]{time_all} - ( $us // -1 ) ), '<=', 1e-6, 'its rows are kept';
    is_deeply [ read_file("$dir/skampi.log") =~ /^\S+ suite-crashed (\S+)/mg ], [qw(col_C col_B)],
      'only those that ended runs have crashed';
    is scalar( grep { $_->rows > 1 } @others ), 2, 'they have a part of the time, too';
};

done_testing;
