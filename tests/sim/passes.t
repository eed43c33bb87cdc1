# passes=k: the arguments are measured in turn, and an interrupted run continues after the last complete
# pass. On a simulated machine times repeat exactly.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulate);
use SKaMPI::Test qw(keep_journal interrupt read_file skampi write_file enter_scratch);

my ($skampi) = build('truth');
my $dir = enter_scratch();

my $RANGE = 'Start_Argument = 4; End_Argument = 4096; Min_Repetition = 16; Max_Repetition = 16;';
write_file( 'p.skampi', <<"END");
\@VERSION 4.1
\@MEMORY 512
\@MEASUREMENTS
once  { Type = 1; Scale = Dynamic_log; $RANGE Max_Steps = 12; Parameters = "passes=1"; }
turns { Type = 1; Scale = Dynamic_log; $RANGE Max_Steps = 12; Parameters = "passes=4"; }
cut   { Type = 1; Scale = Fixed_log; $RANGE Time_Suite = 0.00003; Parameters = "passes=4"; }
few   { Type = 1; Scale = Fixed_log; $RANGE Time_Suite = 0.0003; Parameters = "passes=4"; }
least { Type = 61; Scale = Fixed_log; $RANGE Parameters = "passes=3 estimate=minimum"; }
END

sub run_skampi () {
    simulate( 'jump', 4, $skampi, '--quiet', '-f', 'p.skampi' );
    return { map { $_->{name} => $_ } SKaMPI::Read::Output->from_file('skampi.out')->suites };
}

sub passes_in_journal ($suite) {
    return scalar( () = read_file('.journal') =~ / suite-pass \w+_$suite /g );
}

sub values_of ($suite) {
    return [ map { sprintf '%d %.4f', $_->{argument}, $_->{time} } @{ $suite->{rows} } ];
}

keep_journal(q{.});
my $suites = run_skampi();
my @turns  = @{ $suites->{turns}{rows} };
is_deeply values_of( $suites->{turns} ), values_of( $suites->{once} ),
  'without drift, passes change nothing';
is_deeply [ map { $_->{extras}{passes} } @turns ], [ (4) x @turns ],  'rows count their passes';
is_deeply [ map { $_->{count_all} } @turns ],      [ (16) x @turns ], 'which share the repetitions';
is $suites->{once}{rows}[0]{extras}{passes}, undef, 'only such suites do';
like $suites->{turns}{notes}{PASSES}, qr/\A4: times are of the repetitions of all visits/,
  'the block';
like $suites->{least}{notes}{PASSES}, qr/\A3: times are the smallest of the visits/, 'estimate';
is_deeply [ passes_in_journal('turns'), passes_in_journal('least') ], [ 3, 2 ],
  'each pass but the last is in the journal';

my $got = @{ $suites->{cut}{rows} };
is $suites->{cut}{notes}{NOTE}, "ended by Time_Suite: $got of 20 arguments measured", 'cut';
like $suites->{few}{notes}{NOTE},
  qr/\Aended by Time_Suite: \d+ of 20 arguments have fewer than 4 visits\z/, 'fewer visits';
for my $name (qw(cut few)) {
    is $_->{extras}{stop}, $_->{extras}{passes} < 4 ? 'time' : 'repetitions', "$name: stop"
      for @{ $suites->{$name}{rows} };
}

# As if killed in the third pass.
my $whole = $suites->{turns};
interrupt( q{.}, 'p2p_turns' );
my $journal = read_file('skampi.out.journal');
$journal =~ s/\A(?:.*\n)*?(?:.* suite-pass p2p_turns .*\n(?:.*\n)*?){2}\K(?:.*\n)*//;
unlink qw(skampi.out.journal .journal) or die "journal: $!\n";
write_file( 'skampi.out.journal', $journal );
link 'skampi.out.journal', '.journal' or die "journal: $!\n";
my $visits = SKaMPI::Read::Output->from_text( skampi( $dir, '--visits', 'skampi.out' )->{out} )
  ->suite('p2p_turns');
is $visits->visits, '2 of 4', 'the visits so far';
is_deeply values_of($visits), values_of($whole), 'have the same values';
is_deeply [ map { $_->{extras}{stop} } @{ $visits->{rows} } ], [ ('none') x @turns ],
  'nothing ended them';
$suites = run_skampi();
is passes_in_journal('turns'), 3, 'a resumed run measures only the passes that are missing';
is_deeply values_of( $suites->{turns} ), values_of($whole), 'with the same arguments and times';
is_deeply [ map { $_->{extras}{passes} } @{ $suites->{turns}{rows} } ], [ (4) x @turns ],
  'from all passes';
is $suites->{turns}{notes}{FIRSTCALL}, $whole->{notes}{FIRSTCALL}, 'and with the first call';

done_testing;
