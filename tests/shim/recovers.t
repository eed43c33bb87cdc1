#!/usr/bin/perl
# A process that stops for a while costs little more time than it stops: leads and slots that were
# estimated meanwhile become short again, and values stay exact. On a simulated machine.
use v5.36;

use List::Util qw(sum);
use Test::More;
use SKaMPI::Sim     qw(build_shim shimmed_simulate);
use SKaMPI::Install qw(root);
use SKaMPI::Test    qw(scratch read_file write_file);

my $STOP_S = 0.05;

my $PARAMETERS = <<'END';
@VERSION 4.1
@MEMORY 1024
@POSTPROC no
@MINREPDEFAULT 300
@MAXREPDEFAULT 300
@MEASUREMENTS
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

# Seconds, and the times of the rows.
sub simulated ($settings) {
    my $dir = scratch();
    write_file( "$dir/.skampi", $PARAMETERS );
    chdir $dir or die "$dir: $!\n";
    shimmed_simulate( $settings, 'flat', 2, $skampi, '--quiet' );
    chdir q{/} or die "/: $!\n";
    my $text = read_file("$dir/skampi.out");
    my ($run_s) = $text =~ /^#\@WALLTIME ([0-9.]+) s/m;
    return ( $run_s, join q{ }, map { (split)[1] } grep { /^[0-9]/ } split /\n/, $text );
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
    my $dir = scratch();
    write_file( "$dir/.skampi", <<'END' );
@VERSION 4.2
@MEMORY 65536
@POSTPROC no
@MINREPDEFAULT 100
@MAXREPDEFAULT 100
@MEASUREMENTS
A { Type = 175; Variation = Length; Scale = Fixed_linear; Start_Argument = 65536; End_Argument = 65536;
  Parameters = "passes=1"; }
END
    chdir $dir or die "$dir: $!\n";
    shimmed_simulate( 'pause=1:0.005:0.02', 'flat', 2, $skampi, '--quiet' );
    chdir q{/} or die "/: $!\n";
    my ($row) = read_file("$dir/skampi.out") =~ /^(65536 .*)$/m;
    my %has = $row =~ /(\w+)=(\S+)/g;
    is $has{stop}, 'accuracy', 'all repetitions that were asked for' or diag $row;
    cmp_ok $has{invalid}, q{<}, 75, "$has{invalid} invalid ones for 100 valid";
};

# A process that hardly ever runs: no suite goes on like this to its end.
subtest 'a suite without hope ends early' => sub {
    my $dir = scratch();
    write_file( "$dir/.skampi", $PARAMETERS =~ s/Stepwidth = 8/Stepwidth = 2/r );
    chdir $dir or die "$dir: $!\n";
    eval { shimmed_simulate( 'pause=1:0.02:0.0002', 'flat', 2, $skampi, '--quiet' ) };
    my $said = $@;
    chdir q{/} or die "/: $!\n";
    like $said, qr/^skampi: syncol_A: ended early: in 4 measurements/m, 'with a message';
    my $text = read_file("$dir/skampi.out");
    like $text, qr/^#\@NOTE ended early: in 4 measurements one after the other, most/m,
      'and a note';
    my $show = root() . '/report/show.pl';
    like `$^X $show $dir/skampi.out`, qr/^syncol_A: ended early: in 4 measurements/m,
      'that skampi-show prints';
    my @rows   = $text =~ /^([0-9].*)$/mg;
    my $visits = sum map { /passes=([0-9]+)/ } @rows;
    cmp_ok $visits, q{<}, 2 * 13, "$visits visits of 10 * 13";
    is scalar( grep { /stop=unsynchronised/ } @rows[ -4 .. -1 ] ), 4, 'of which the last are bad';
    my ($run_s) = $text =~ /^#\@WALLTIME ([0-9.]+) s/m;
    cmp_ok $run_s, q{<}, 30, "after $run_s s";
};

done_testing;
