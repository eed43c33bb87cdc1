# A process that stops for a while costs little more time than it stops: leads and slots that were
# estimated meanwhile become short again, and values stay exact. On a simulated machine.
use v5.36;

use List::Util qw(sum);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(build_shim);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw($ROOT enter_scratch sections);

my $STOP_S = 0.05;

my $PARAMETERS =
  sections( VERSION => 4.1, MEMORY => 1024, MINREPDEFAULT => 300, MAXREPDEFAULT => 300 ) . <<'END';
A { Type = 47; Variation = Length; Scale = Fixed_log; Start_Argument = 16; End_Argument = 65536; Stepwidth = 8;
  Parameters = "data=fresh"; }
END

# The value of SKAMPI_SHIM, and how much longer than without it the run may take: times so long, and so
# many seconds more.
my @CASES = (
    [ 'pause=1:0.005:0.05',              3, 0 ],
    [ 'pause=1:0.005:0.02',              3, 0 ],
    [ 'pause=*:0.005:0.05',              3, 0 ],
    [ "delay=1:MPI_Bcast:$STOP_S:16\@2", 1, 4 * $STOP_S ],       # the call that is an estimate
    [ "delay=1:MPI_Bcast:$STOP_S:8",     1, 60 * 6 * $STOP_S ]
    ,    # announcements in 6 rows, 10 visits each
    [ 'delay=1:MPI_Bcast:0.005:8', 1, 60 * 6 * 0.005 ],
);

my ($skampi) = build_shim();
enter_scratch();

sub rows_of ($output) {
    return map { @{ $_->rows } } $output->suites;
}

sub run_s ($output) {
    return ( split q{ }, $output->field('WALLTIME') )[0];
}

# Seconds, and the times of the rows.
sub simulated ($settings) {
    my $output = output_of( $skampi, 'flat', 2, $PARAMETERS, $settings );
    return ( run_s($output), join q{ }, map { $_->{time} } rows_of($output) );
}

my ( $usual_s, $usual_us ) = simulated(q{});
for my $case (@CASES) {
    my ( $settings, $times, $more_s ) = @{$case};
    my ( $run_s, $us ) = simulated($settings);
    cmp_ok $run_s, q{<=}, $times * $usual_s + $more_s, "$settings: not much longer than $usual_s s";
    is $us, $usual_us, 'the same times';
}

# Windows of long messages: a batch of slots, as long as they are, would hardly ever end before the next
# stop.
subtest 'long repetitions beside stops' => sub {
    my $output =
      output_of( $skampi, 'flat', 2,
        sections( MEMORY => 65536, MINREPDEFAULT => 100, MAXREPDEFAULT => 100 )
          . <<'END', 'pause=1:0.005:0.02' );
A { Type = 175; Variation = Length; Scale = Fixed_linear; Start_Argument = 65536; End_Argument = 65536;
  Parameters = "passes=1"; }
END
    my ($row) = rows_of($output);
    is $row->{extras}{stop}, 'accuracy', 'all repetitions that were asked for';
    my $invalid = $row->{extras}{invalid};
    cmp_ok $invalid, q{<}, 75, "$invalid invalid ones for 100 valid";
};

# A process that hardly ever runs: no suite goes on like this to its end.
subtest 'a suite without hope ends early' => sub {
    my $text = $PARAMETERS =~ s/Stepwidth = 8/Stepwidth = 2/r;
    ok !eval { output_of( $skampi, 'flat', 2, $text, 'pause=1:0.02:0.0002' ) }, 'it fails';
    my $early =
      qr/^(?:skampi: )?syncol_A: ended early: in 4 measurements one after the other, most/m;
    like $@, $early, 'with a message';
    my $output = SKaMPI::Read::Output->from_file('skampi.out');
    my $show   = "$ROOT/report/show.pl";
    like `$^X $show skampi.out`, $early, 'and a note, which skampi-show prints';
    my @rows   = map     { $_->{extras} } rows_of($output);
    my $visits = sum map { $_->{passes} // 0 } @rows;
    cmp_ok $visits, q{<}, 3 * 13, "$visits visits of 10 * 13";
    is scalar( grep { $_->{stop} eq 'unsynchronised' } @rows[ -4 .. -1 ] ), 4,
      'of which the last are bad';
    cmp_ok run_s($output), q{<}, 30, 'after ' . run_s($output) . ' s';
};

done_testing;
