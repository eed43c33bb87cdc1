# skampi-launch with a real mpirun: launches, their merge, and the comparison of two configurations.
use v5.36;

use Test::More;
use SKaMPI::Test qw($ROOT command write_file workplace);

my $dir = workplace( short => "params=short.skampi\n", long => "params=long.skampi\n" );
for my $case ( [ short => 2 ], [ long => 3 ] ) {
    my ( $name, $least ) = @{$case};
    write_file( "$dir/$name.skampi", <<"END_OF_FILE" );
\@VERSION 4.1
\@MAXREPDEFAULT 10
\@MINREPDEFAULT $least
\@MEASUREMENTS
Send { Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = 4; End_Argument = 8; Stepwidth = 4; }
Wtime { Type = 24; }
END_OF_FILE
}
symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "skampi: $!\n";

my @oversubscribe = $ENV{SKAMPI_MPI} eq 'openmpi' ? ('--oversubscribe') : ();
my @command =
  ( $ENV{SKAMPI_MPIRUN}, @oversubscribe, '-np', 2, $ENV{SKAMPI_PROGRAM}, '-f', '{params}' );
local $ENV{PATH} = "$dir:$ENV{PATH}";
my $run = command( $dir, $^X, "$ROOT/report/launch.pl", qw(-n 2 short long --), @command );
is $run->{status}, 0, 'status 0' or diag $run->{err};
my $out = $run->{out};
like $out, qr/^$_: 2 launches; widest interval /m, "$_: two launches" for qw(short long);
my $TIME = qr/[\d.]+ (?:s|ms|us|\x{b5}s)/;
like $out, qr/^long: 2 launches;[^\n]*\n(?:  (?!MPI_)[^\n]*\n)*  MPI_Init: median /m,
  'for each configuration, MPI_Init';
is
  scalar( () =
      $out =~
      /^  MPI_(?:Init|Finalize): median $TIME, middle half $TIME to $TIME, minimum $TIME$/mg ), 4,
  'and MPI_Finalize';
like $out, qr/^$_: merged in launches\/$_[.]out$/m, "$_: merged" for qw(short long);

# Visits at two speeds of the machine make a further point of a row.
like $out, qr/^[3-6] points, descriptive only: at least 4 launches a side/m, 'the comparison';

done_testing;
