package SKaMPI::Bench::Verdicts;

# Verdicts of skampi-compare on two sides: what they find in generated launches, and how often they are wrong. A row has
# the cut mean of its visits, some of which are slow, and their mean; or launches are slower or faster as a whole. And
# comparisons of two settings by launches that take turns (skampi-launch --duet), and that follow each other.
use v5.36;

use Exporter                qw(import);
use List::Util              qw(any sum0);
use SKaMPI::Base::Json      qw(decode_json);
use SKaMPI::Bench::Figures  qw(median row);
use SKaMPI::Bench::Launch   qw(mpirun program progress root);
use SKaMPI::Generated       qw(launches normal random_from);
use SKaMPI::Test            qw(command sections workplace write_file);
use SKaMPI::Verdict::Family qw(is_different judge_launches);

our @EXPORT_OK = qw(duets judged_sets upper_limit verdicts);

# Launches of each side. The slow visits take 1.5 times as long. The sets in which slower points and alarms are counted.
my ( $LAUNCHES, $SLOW ) = ( 8, 1.5 );
my ( $FEW, $MANY ) = ( $ENV{BENCH_SEEDS} || 50, 40 * ( $ENV{BENCH_SEEDS} || 50 ) );

# Points that vary by themselves, in launches that vary as a whole; points with 10 visits of which 10 % are slow.
my %VISITS = ( within => 0.02, visits => 10 );
my %WHOLE  = ( %VISITS, points => 200, between => 0.05, common => 0.02, usual => 0.02 );
my %STATES = ( %VISITS, points => 10,  between => 0,    common => 0,    usual => 0.1 );

# Name, the least percentage of slower points that are found, and launches: the first DIFFERING points of NEW are FACTOR
# times slower or have the share CHANGED of slow visits.
my @FOUND = (
    ( map { ( _slower_at( $_, 10 ), _slower_at( $_, 20 ) ) } 4, 5, 7 ),
    [ '2 -> 22 % of 10 visits',  undef, %STATES, differing => 10, changed => 0.22, usual => 0.02 ],
    [ '10 -> 40 % of 10 visits', 90,    %STATES, differing => 10, changed => 0.4 ],
);

# Name and launches, where points that do not differ are wrongly called slower or faster.
my %COMMON = ( %WHOLE, common => 0.05, visits => 0 );
my @ALARMS = (
    [ 'states, 10 points',           %STATES, differing => 0 ],
    [ 'spread 5 %, 10 points',       %COMMON, differing => 0,  points  => 10 ],
    [ 'states, 3 of 10 10 -> 40 %',  %STATES, differing => 3,  changed => 0.4 ],
    [ 'spread 5 %, 20 of 80 slower', %COMMON, differing => 20, points  => 80, factor => 1.2 ],
);

sub _slower_at ( $launches, $percent ) {
    my %with = ( %WHOLE, differing => 10, factor => 1 + $percent / 100, launches => $launches );
    return [ "$percent % at 10 of 200, $launches launches", undef, %with ];
}

sub verdicts ($) {
    my @rows;
    for my $case (@FOUND) {
        my ( $name, $least, %with ) = @{$case};
        progress("slower points: $name");
        my @shares = map { judged_sets( $FEW, %with, has_mean => $_ )->{slower} } 1, 0;
        push @rows, row( $name, [$least], '%.0f %% slower, %.0f %% by the time alone', @shares );
    }
    for my $case (@ALARMS) {
        my ( $name, %with ) = @{$case};
        progress("wrong verdicts: $name");
        my @alarms = ( judged_sets( $MANY, %with, has_mean => 1 )->{alarms}, $MANY );
        my $format = '%.1f %% at most: %d of %d';
        push @rows, row( "wrong: $name", [ undef, 6 ], $format, upper_limit(@alarms), @alarms );
    }
    return @rows;
}

# Percentages of the differing points that are slower and of the others that are equal, if only by time, and the number
# of sets in which one of the others, or the launch as a whole where nothing differs, is slower or faster. The seeds are
# fixed.
sub judged_sets ( $sets, %with ) {
    my ( $slower, $equal, $alarms ) = ( 0, 0, 0 );
    for my $seed ( 1 .. $sets ) {
        my @points = _points( random_from( 7919 * $seed ), %with );
        my $test   = judge_launches( \@points );
        my @others = splice @points, $with{differing};
        $slower += grep { $_->{verdict} eq 'slower' } @points;
        $equal  += grep { $_->{verdict} =~ /equal/ } @others;
        push @others, $test->{whole} // () if !@points;
        $alarms++ if any { is_different( $_->{verdict} ) } @others;
    }
    my $rest = $with{points} - $with{differing};
    return {
        slower => $with{differing} && 100 * $slower / $sets / $with{differing},
        equal  => $rest            && 100 * $equal / $sets / $rest,
        alarms => $alarms
    };
}

sub _points ( $random, %with ) {
    my @differs = 0 .. $with{differing} - 1;
    my %factors = map { $_ => $with{factor} // 1 } @differs;
    my %shares  = map { $_ => $with{changed} } @differs;
    my @base    = _launches( $random, {}, %with );
    my @new     = _launches( $random, \%shares, %with, slower => \%factors );
    return map {
        my $k = $_;
        my ( $time, $mean ) = map {
            my $i = $_;
            {
                base => [ map { log $_->[$k][$i] } @base ],
                new  => [ map { log $_->[$k][$i] } @new ]
            }
        } 0, 1;
        $time->{mean} = $mean if $with{has_mean} && $with{visits};
        $time
    } 0 .. $with{points} - 1;
}

# For each launch and point its time and its mean.
sub _launches ( $random, $shares, %with ) {
    return map {
        my $times = $_;
        [
            map {
                my $time   = $times->[$_];
                my @visits = _visits( $random, $shares->{$_} // $with{usual} // 0, %with );
                my @middle = @visits[ @visits / 4 .. $#visits - int @visits / 4 ];
                [ map { $time * sum0( @{$_} ) / @{$_} } \@middle, \@visits ]
            } keys @{$times}
        ]
    } launches( $random, launches => $LAUNCHES, %with );
}

# Sorted; of a launch without visits, 1.
sub _visits ( $random, $share, %with ) {
    return 1 if !$with{visits};
    my @visits =
      map { exp( $with{within} * normal($random) ) * ( $random->() < $share ? $SLOW : 1 ) }
      1 .. $with{visits};
    return ( sort { $a <=> $b } @visits );
}

# The upper limit of a percentage (Wilson, 95 %) of which COUNT of ALL were seen.
sub upper_limit ( $count, $all ) {
    my ( $share, $z ) = ( $count / $all, 1.96 );
    my $half = $z * sqrt( $share * ( 1 - $share ) / $all + $z**2 / 4 / $all**2 );
    return 100 * ( $share + $z**2 / 2 / $all + $half ) / ( 1 + $z**2 / $all );
}

# One of two settings is slower by a planted part (tests/shim/slower.c), or by nothing.

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
    my @equal  = map  { [ _compared( 0, 5, @IN_TURNS ) ] } 1 .. SKaMPI::Bench::Launch::launches(5);
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
