package SKaMPI::Bench::Duet;

# Comparisons of two settings by six launches of each: that take turns (skampi-launch --duet), and that follow each
# other. One setting is slower by a planted part (tests/shim/slower.c), or by nothing.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch  qw(launches mpirun program progress root);
use SKaMPI::Test           qw(command write_file workplace sections);

our @EXPORT_OK = qw(duets);

my @IN_TURNS = ('--duet');
my @IN_A_ROW = ( '-n', 6 );
my $RANGE    = 'Variation = Length; Start_Argument = 8; End_Argument = 65536; Stepwidth = 20;';
my $SUITES   = sections( MEMORY => 4096, MAXREPDEFAULT => 200 ) . <<"END";
* { Type = 47, 61; Scale = Fixed_log; $RANGE }
END

sub duets ($) {
    my @rows;
    for my $percent ( 5, 10 ) {
        my $found = "$percent % slower: points found";
        push @rows, row( "$found, in turns", [], _compared( $percent, @IN_TURNS ) ),
          row( "$found, in a row", [], _compared( $percent, @IN_A_ROW ) );
    }
    my @found = map { ( _compared( 0, @IN_TURNS ) )[1] } 1 .. launches(5);
    my $name  = 'equal settings: comparisons that find a difference';
    return ( @rows,
        row( $name, [ undef, 0 ], '%d of %d', scalar( grep { $_ } @found ), scalar @found ) );
}

# A format and its values: how many points the comparison calls slower or faster, of how many, and the width of their
# intervals.
sub _compared ( $percent, @how ) {
    my $place  = workplace( 'p.skampi' => $SUITES );
    my %slower = ( usual => 0, slower => $percent / 100 );
    my $load   = 'LD_PRELOAD=' . program('tests/libslower.so');
    write_file( "$place/$_", "$load\nSKAMPI_SLOWER=$slower{$_}\n" ) for keys %slower;
    progress("duet: $percent % slower, @how");
    local $ENV{COLUMNS} = 200;    # narrower tables leave out the intervals
    my @skampi = ( mpirun(2), program('skampi'), qw(-q -f p.skampi) );
    my $run =
      command( $place, $^X, root() . '/report/launch.pl', @how, qw(usual slower --), @skampi );
    my ( $points, $slower, $faster ) =
      $run->{out} =~ /^([0-9]+) points: ([0-9]+) slower, ([0-9]+) faster/m
      or die "no comparison: $run->{err}\n";
    my $interval = qr/\s([0-9.]+) to ([0-9.]+)\s+\S+\s+(?:slower|faster|undecided|equal)/;
    my @widths;

    while ( $run->{out} =~ /$interval/g ) {
        push @widths, log( $2 / $1 ) if $1 > 0;
    }
    my $width = @widths ? 100 * ( exp( median(@widths) / 2 ) - 1 ) : 0;
    return ( '%d of %d, intervals of +-%.1f %%', $slower + $faster, $points, $width );
}

1;
