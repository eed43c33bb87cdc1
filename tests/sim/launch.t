# skampi-launch with a simulator: launches of a simulated machine, what they will cost, and their comparison.
use v5.36;

use File::Copy qw(copy);
use Test::More;
use SKaMPI::ReportTest qw(tool workplace);
use SKaMPI::Sim        qw(build simulator);
use SKaMPI::Test       qw($ROOT);

my $LAUNCH   = "$ROOT/report/launch.pl";
my ($skampi) = build('truth');
my $dir      = workplace( 'p.skampi' => <<'END', A => "SIDE=A\n", B => "SIDE=B\n" );
@VERSION 4.1
@MAXREPDEFAULT 5
@MEASUREMENTS
A { Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 16; Stepwidth = 8; Time_Measurement = 0.5; }
END

# As a user writes it: without what tests preload; the platform is a file of this directory.
my ( undef, undef, @simulator ) = simulator( 'flat', 2 );
for (@simulator) {
    copy( $_, "$dir/flat.xml" ) && ( $_ = 'flat.xml' ) if /flat[.]xml\z/;
}
my $run = tool( $dir, $^X, $LAUNCH, qw(-n 2 A B --), @simulator, $skampi, '-f', 'p.skampi' );
is $run->{status}, 0, 'status 0';
like $run->{err}, qr/\A(?:skampi-launch: [AB]: not merged: some launches are equal\n)*\z/,
  'launches that began in the same second are not merged';
like $run->{out}, qr/^time limits of a launch of A: at most 60[.]0 s for 1 suite$/m, 'its limits';
like $run->{out}, qr/^4 launches: measuring takes at most 4[.]00 min/m,              'the cost';
like $run->{out}, qr/^2 points, descriptive only: at least 4 launches a side/m, 'the comparison';
like $run->{out}, qr/ 8 B  (\S+ \S+)  \1  1[.]000  1[.]000 to 1[.]000$/m, 'equal to the last digit';

done_testing;
