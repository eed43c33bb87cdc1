# skampi-launch --confirm and --guard: what they measure again, how many launches, and what these decide. Jobs
# that are not started (SKaMPI::FakeJob) measure what the parameter file asks for, with known times.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use SKaMPI::Database::Record qw(record_of_run);
use SKaMPI::Read::Output;
use SKaMPI::Read::Beside qw(with_verdicts);
use SKaMPI::Findings::Findings;
use SKaMPI::ReportTest qw(tool workplace);
use SKaMPI::Results    qw(results_text);
use SKaMPI::Test       qw($ROOT read_file refusals write_file);

my $LAUNCH = "$ROOT/report/launch.pl";

local @SKaMPI::Prestarted::PERL = ( $^X, '-MSKaMPI::FakeJob' );

my @NAMES = map { [ split q{ }, $_, 2 ] } 'Bcast 47 syncol_MPI_Bcast',
  'SendRecv 73 syncol_MPI_Bcast_Send_Recv', 'Gather 48 syncol_MPI_Gather',
  'Gatherv 66 syncol_MPI_Gatherv';
local $ENV{ALL} = join "\n# ", map {
"$_->[0] { Type = @{[ $_->[1] =~ /(\d+)/ ]}; Variation = Length; Scale = Dynamic_log; Start_Argument = 64; End_Argument = 256; Stepwidth = 2.0; Max_Steps = 16; }"
} @NAMES;

# A directory with results in which these suites take FACTOR times as long at all lengths.
sub place (%factors) {
    my @suites = map {
        my $name = $_->[0];
        [
            "syncol_$name",
            'length',
            [ map { join q{ }, $_, 0.01 * $_ * ( $factors{$name} // 1 ), 0.001, 20 } 64, 128, 256 ],
            { type => $_->[1] }
        ]
    } @NAMES;
    my %fields = (
        PARAMETERS => "\@VERSION 4.1\n# \@OUTFILE x.out\n# \@MEMORY 64",
        MACHINE    => "ours\n# of 2026",
        LABEL      => "a=1\n# b=x y",
        SUITES     => $ENV{ALL},
        WALLTIME   => '0.1 s, 90 % measuring'
    );
    return workplace( 'skampi.out' => results_text( \%fields, @suites ) =~
          s/^skampi finished/#skampi finished/mr );
}

sub launch ( $dir, @arguments ) {
    return tool( $dir, $^X, $LAUNCH, @arguments, qw(-- fake-points) );
}

sub verdicts_in ($dir) {
    return decode_json( read_file("$dir/skampi.out.verdicts") );
}

sub findings_in ($dir) {
    my $found =
      SKaMPI::Findings::Findings->of( SKaMPI::Read::Output->from_file("$dir/skampi.out") );
    return ( $found->{cautions}[0],
        map { "$_->{state}: $_->{text}" } map { @{ $_->{findings} } } @{ $found->{groups} } );
}

# The candidates of the results are Bcast, which is slower in all launches, and Gather, which is not.
my $dir = place( Bcast => 1.5, Gather => 1.4 );
local @ENV{qw(SLOWER SECONDS)} = ( 'Bcast=1.5', 1.25 );
my ( undef, @before ) = findings_in($dir);
my $run = launch( $dir, qw(--confirm skampi.out --budget 9s -n 8) );

subtest 'confirmed and refuted' => sub {
    is_deeply [ map { /\A(candidate: \w+)/ } @before ],
      [ ('candidate: MPI_Bcast'), ('candidate: MPI_Gather') ], 'before';
    is "$run->{status} $run->{err}", '0 ', 'status 0';
    like $run->{out}, qr/\A2 candidates, 8 controls, in launches of about /, 'the plan';
    my $content = verdicts_in($dir);
    my %outcome =
      map { $_->{slow}{suite} => $_ } grep { $_->{role} eq 'candidate' } @{ $content->{verdicts} };
    is $outcome{syncol_Bcast}{outcome},  'confirmed', 'a slower one';
    is $outcome{syncol_Gather}{outcome}, 'refuted',   'an equal one';
    cmp_ok abs( $outcome{syncol_Bcast}{ratio} - 1.5 ), '<', 0.05, 'the ratio of the other launches';
    my @controls = grep { $_->{role} eq 'control' } @{ $content->{verdicts} };
    is_deeply [ scalar(@controls), grep { $_->{outcome} ne 'quiet' } @controls ], [8],
      'quiet controls';
    like $run->{out}, qr/^8 controls quiet, 0 tripped$/m, 'which is printed';
    is $content->{scope}{hosts},    'node1:4', 'the scope';
    is $content->{scope}{launches}, 7,         'launches of 1.25 s in 9 s';
    my ( undef, @after ) = findings_in($dir);
    like $after[0],
qr/\Aconfirmed: MPI_Bcast took 1[.]50 .* In \d+ other launches on node1:4, 2026-11-23 10:.*: 1[.]\d+ times as long \(1[.]\d+ to 1[.]\d+\)[.]/,
      'the report has it';
    like $after[1], qr/\Arefuted: MPI_Gather/, 'both';
};

subtest 'what the launches measure' => sub {
    my ($confirm) = glob "$dir/confirm-*";
    my $text = read_file("$confirm/points.skampi");
    like $text,
qr/^\@VERSION 4[.]1\n\@MEMORY 64\n\@MACHINE ours\nof 2026\n\@LABEL a=1\n\@LABEL b=x y\n\@SHUFFLE yes\n\@POSTPROC no\n\@MEASUREMENTS\n/,
      'the sections and descriptions, in another order in each launch';
    like $text,
qr/^Bcast[.]at-(\d+) \{ Type = 47; .* Scale = Fixed_linear; Start_Argument = \1; End_Argument = \1; /m,
      'single points';
    is scalar( () = $text =~ /[.]again \{/g ), 8, 'controls twice';
    my $launches = -s "$confirm/count" ? read_file("$confirm/count") + 0 : 0;
    my $count    = -s "$dir/order";
    is launch( $dir, qw(--confirm skampi.out --budget 9s -n 8 -q) )->{status}, 0, 'again';
    is -s "$dir/order",                      $count,    'no launch is added';
    is verdicts_in($dir)->{scope}{launches}, $launches, 'the number was fixed';
};

subtest 'in a database' => sub {
    my $bytes = with_verdicts( read_file("$dir/skampi.out"), "$dir/skampi.out" );
    my $found = record_of_run( SKaMPI::Read::Output->from_text($bytes) )->{findings};
    my @all   = map { @{ $_->{findings} } } @{ $found->{groups} };
    my %state = map { $_->{text} =~ /\AMPI_(Bcast|Gather) took/ ? ( $1 => $_->{state} ) : () } @all;
    is_deeply \%state, { Bcast => 'confirmed', Gather => 'refuted' }, 'the states';
    my $warning = qr/\A'\#\@VERDICTS' is not used: it is damaged/;
    my $damaged = SKaMPI::Read::Output->from_text( $bytes =~ s/"slow" :/"fast" :/r );
    like SKaMPI::Findings::Findings->of($damaged)->{cautions}[0], $warning, 'damaged: a warning';
};

subtest 'damaged verdicts' => sub {
    my $good = read_file("$dir/skampi.out.verdicts");
    my @bad  = (
        [ q{},  'damaged' ],
        [ '[]', 'damaged' ],
        [ $good =~ s/verdicts\/1/verdicts\/2/r,         'another version' ],
        [ $good =~ s/"ratio" : [0-9.]+/"ratio" : "x"/r, 'damaged' ],
        [ $good =~ s/"sha256" : "./"sha256" : "x/r,     'another result file' ],
        [ substr( $good, 0, 500 ), 'damaged' ]
    );
    for my $case (@bad) {
        write_file( "$dir/skampi.out.verdicts", $case->[0] );
        my ( $warning, @states ) = findings_in($dir);
        like $warning, qr/skampi[.]out[.]verdicts' is not used: .*$case->[1]/,
          "$case->[1]: a warning";
        like $states[0], qr/\Acandidate/, 'and a candidate';
    }
};

subtest 'a control that trips' => sub {
    local $ENV{SLOWER} = 'again=2';
    my $other = place( Bcast => 1.5 );
    like launch( $other, qw(--confirm skampi.out --budget 9s -n 8) )->{out},
      qr/^0 controls quiet, 8 tripped: the same measurement differs from itself/m, 'is printed';
};

subtest 'nothing to confirm, and bad input' => sub {
    my $none = place();
    write_file( "$none/notes", "no results\n" );
    is launch( $none, qw(--confirm skampi.out) )->{out}, "skampi.out has no candidates\n",
      'no candidates';
    refusals( <<'END', sub (@words) { launch( $none, @words ) } );
2 --confirm missing : 'missing'
2 --confirm skampi.out --until 5% : --confirm and --until exclude each other
2 --confirm skampi.out --guard b.json : --confirm and --guard exclude each other
2 --confirm skampi.out A : --confirm takes no configuration, got 'A'
2 --guard skampi.out : expected a baseline of
2 --guard missing.json : cannot read 'missing.json'
2 --junit x.xml : --junit needs --guard
2 --confirm notes : notes:1:
END
    my $own = tool( $none, $^X, $LAUNCH, qw(--confirm skampi.out -- mpiexec skampi -f quick) );
    like $own->{err}, qr/--confirm writes the parameter file; leave out -f/,
      'a parameter file of its own';
    write_file( "$dir/skampi.out",
        read_file("$dir/skampi.out") =~ s/^#\@PARAMETERS.*\n(?:# .*\n)*//mr );
    like launch( $dir, qw(--confirm skampi.out) )->{err}, qr/lacks the parameters of its suites/,
      'results without parameters';
};

sub guarded ($slower) {
    my $place = place();
    {
        local $ENV{SLOWER} = q{};
        launch( $place, qw(-q -n 5 -d base) );
    }
    my @base = map { "$place/base/launches/$_/skampi.out" } 1 .. 5;
    tool( $place, $^X, "$ROOT/report/compare.pl", '--save', 'base.json', @base );
    local $ENV{SLOWER} = $slower;
    return ( $place, launch( $place, qw(guard base.json --junit guard.xml) ) );
}

subtest 'guard' => sub {
    my ( $place, $same ) = guarded(q{});
    is "$same->{status} $same->{err}", '0 ', 'nothing is slower: status 0';
    like $same->{out}, qr/^nothing exceeds the baseline$/m, 'in words';
    like read_file("$place/guard.xml"),
      qr/<testsuite name="skampi-compare" tests="4" failures="0"/, q{JUnit's XML};
    {
        local @ENV{qw(CPU SLOWER)} = ( 'another CPU', q{} );
        my @on_other = map { launch( $place, qw(-d other --guard base.json), @{$_} ) } [],
          ['--force'];
        is join( q{ }, map { $_->{status} } @on_other ), '4 0',
          'other hardware: status 4, or forced';
        like $_->{err}, qr/the hardware differs: 'a CPU' and 'another CPU'/, 'named' for @on_other;
    }
    my $base = read_file("$place/base.json");
    write_file( "$place/base.json", $base =~ s/"estimate"\s*:\s*\K"cut"/"median"/gr );
    my $unlike = launch( $place, qw(--guard base.json) );
    is $unlike->{status}, 3, 'a baseline by another rule: status 3';
    like $unlike->{err}, qr/: no verdict: times by different rules: cut, median$/m, 'in words';
    ( $place, my $slow ) = guarded('Gather=1.3');
    is "$slow->{status} $slow->{err}", '1 ', 'one is slower: status 1';
    like $slow->{out}, qr/^3 points exceed the baseline; measured again in 6 launches$/m,
      'only its points are measured again';
    like $slow->{out}, qr/^3 points: 3 slower, 0 faster, 0 undecided, 0 equal$/m, 'and decide';
    like read_file("$place/guard.xml"), qr/tests="1" failures="1".*name="syncol_Gather"/s,
      q{JUnit's XML};
    my $text = read_file("$place/guard/again/points.skampi");
    is scalar( () = $text =~ / \{ Type/g ), 3, 'the parameter file';
};

done_testing;
