package SKaMPI::Bench::Duet;

# Comparisons of two settings by launches that take turns (skampi-launch --duet), and that follow each other. One
# setting is slower by a planted part (tests/shim/slower.c), or by nothing.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Base::Json     qw(decode_json);
use SKaMPI::Bench::Figures qw(median row);
use SKaMPI::Bench::Launch  qw(launches mpirun program progress root);
use SKaMPI::Test           qw(command write_file workplace sections);

our @EXPORT_OK = qw(duets);

my @IN_TURNS = ('--duet');
my @IN_A_ROW = ( '-n', 8 );
my $SUITES   = sections( MEMORY => 4096, MAXREPDEFAULT => 200 ) . <<'END';
* { Type = 47, 61; Scale = Fixed_log; Variation = Length; Start_Argument = 16384; End_Argument = 1048576; }
END

sub duets ($) {
    my @rows;
    for my $percent ( 3, 5 ) {
        for my $how ( [ 'in turns', @IN_TURNS ], [ 'in a row', @IN_A_ROW ] ) {
            my ( $name, @options ) = @{$how};
            my @points = _compared( $percent, 2, @options );
            push @rows,
              row(
                "$percent % slower: points found, $name",
                $percent > 3 && $name eq 'in turns' ? [ 0.9 * @points, undef ] : [],
                '%d of %d, intervals of +-%.1f %%',
                scalar( grep { $_->{verdict} eq 'slower' } @points ),
                scalar @points,
                100 * (
                    exp( median( map { log $_->{ratio_high} / $_->{ratio_low} } @points ) / 2 ) - 1
                )
              );
        }
    }
    my @equal  = map  { [ _compared( 0, 5, @IN_TURNS ) ] } 1 .. launches(5);
    my @points = map  { @{$_} } @equal;
    my $same   = grep { $_->{time_verdict} eq 'equal' } @points;
    my $found  = grep {
        grep { $_->{verdict} =~ /slower|faster|mixed/ }
          @{$_}
    } @equal;
    return (
        @rows,
        row(
            'equal settings: points equal by time',
            [ 70, undef ],
            '%.0f %%', 100 * $same / @points
        ),
        row(
            'equal settings: comparisons that find a difference',
            [ undef, 0 ],
            '%d of %d', $found, scalar @equal
        )
    );
}

# The points of a comparison with a threshold in %.
sub _compared ( $percent, $threshold, @how ) {
    my $place  = workplace( 'p.skampi' => $SUITES );
    my %slower = ( usual => 0, slower => $percent / 100 );
    my $load   = 'LD_PRELOAD=' . program('tests/libslower.so');
    write_file( "$place/$_", "$load\nSKAMPI_SLOWER=$slower{$_}\n" ) for keys %slower;
    progress("duet: $percent % slower, @how");
    my @skampi  = ( mpirun(2), program('skampi'), qw(-q -f p.skampi) );
    my @command = ( $^X, root() . '/report/launch.pl', @how, '--threshold', "$threshold%" );
    my $run     = command( $place, @command, qw(--json -d l usual slower --), @skampi );
    die "no comparison: $run->{err}\n" if $run->{out} !~ /\A\{/;
    return @{ decode_json( $run->{out} )->{comparison}{comparisons}[0]{points} };
}

1;
