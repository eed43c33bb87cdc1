# Overlap on a simulated machine, which communicates by itself: everything that an operation starts before the
# work is hidden, nothing that it starts after it.
use v5.36;

use List::Util qw(max min);
use Test::More;
use SKaMPI::Sim     qw(build_in_scratch simulate);
use SKaMPI::SimRows qw(few_repetitions output_of);

my $TICK_US = 0.01;    # what a reading of the clock takes, too
my $ROUNDED = 2e-6;    # values are printed with six decimals
my ( $skampi, $known ) = build_in_scratch('overlap');

# Within 0.1 % of the larger time or two ticks.
sub is_about ( $got, $expected, $scale, $what ) {
    my $within = max( 1e-3 * $scale, 2 * $TICK_US ) + $ROUNDED;
    cmp_ok abs( $got - $expected ), '<=', $within, "$what: $got, expected $expected";
    return;
}

# The part of the operation that is hidden, and that of the processes which compute.
my %HIDDEN   = ( all  => 1, some => 1, half => 0.5, none => 0, slower => 1 );
my %COMPUTES = ( some => 0.5 );
my $rows     = 0;
for ( split /\n/, simulate( 'flat', 4, $known ) ) {
    my ( $name, $percent, $t, $p, $w, $hidden, $overlap, $available, $osu, $imb, $off ) = split;
    my $what = "$name, $percent %";
    $rows++;
    if ( $name eq 'sometimes' ) {
        my @shares = $percent == 0 ? () : ( $overlap, $available, $osu, $imb );
        like $_, qr/nan/, "$what: a share with an error above 10 is not known" for @shares;
        next;
    }
    next if $name eq 'slower' && $percent >= 100;    # what is slower is never hidden
    my $most = min( $HIDDEN{$name} * $p, $w );
    is_about( $w,      $p * $percent / 100, $w, "$what, work" ) if $name ne 'slower';
    is_about( $hidden, $most,               $p, "$what, hidden" );
    is_about( $t,      $p + $w - $most,     $t, "$what, time" );
    cmp_ok $off, q{==}, 0, "$what: the work is as long as wanted";

    if ( $percent == 0 ) {
        like $overlap, qr/nan/, "$what: no overlap without work";
    }
    else {
        is_about( $overlap / 100 * min( $p, $w ), $most, $p, "$what, overlap" );
        is_about( $imb / 100 * max( $p, $w ),     max( 0, $most - $TICK_US ), $p, "$what, as IMB" );
    }
    is_about( ( 1 - $available / 100 ) * $p, $t - $w, $p, "$what, availability" );
    my $mean = ( $COMPUTES{$name} // 1 ) * ( $p + $w - $t );
    is_about(
        $osu / 100 * $p,
        max( 0, $mean - 5 * $TICK_US ),
        $p, "$what, as OSU: means over the processes, and five readings"
    );
}
is $rows, 6 * 5, 'all rows';

my $RANGE = 'Scale = Fixed_linear; Start_Argument = 50; End_Argument = 150; Stepwidth = 100;';
my $TYPES = $ENV{SKAMPI_LONG} ? join q{, }, 300 .. 302, 310 .. 326 : '300, 301, 302, 311, 320, 326';

sub suites_of ( $np, $text ) {
    return output_of( $skampi, 'flat', $np, few_repetitions(4096) . $text )->suites;
}

# LEAST rows have work, and all of it is hidden.
sub judge_hidden ( $np, $suite, $least ) {
    my @worked = grep { $_->{extras}{work} > 0 } @{ $suite->{rows} };
    cmp_ok scalar @worked, '>=', $least, "$suite->{name}: rows with work";
    for my $row (@worked) {
        my ( $p, $w ) = $row->{extras}->@{qw(pure work)};
        is_about(
            $row->{extras}{hidden},
            min( $p, $w ),
            max( $p, $w ),
            "$np processes, $suite->{name}: all is hidden"
        );
    }
    return;
}

my $ALL = <<"END";
* { Type = $TYPES;
    Variation = Work; $RANGE Default_Message_length = 1024; }
tested { Type = 300; Variation = Work; $RANGE Default_Message_length = 4096; Parameters = "tests=3"; }
memory { Type = 300; Variation = Work; $RANGE Default_Message_length = 4096;
         Parameters = "work_in=memory"; }
length { Type = 322; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 1024;
         Stepwidth = 128; Parameters = "work=150"; }
nodes { Type = 310; Variation = Nodes; Scale = Fixed_linear; End_Argument = 3; }
END
for my $np ( 3, $ENV{SKAMPI_LONG} ? ( 2, 8 ) : () ) {
    my @suites = suites_of( $np, $ALL );
    is scalar @suites, 4 + split( /, /, $TYPES ), "$np processes: all suites";
    judge_hidden( $np, $_, $_->{name} eq 'nodes' ? min( 2, $np - 1 ) : 2 )
      for grep { $_->{name} ne 'tested' } @suites;
    my ($tested) = grep { $_->{name} eq 'tested' } @suites;
    for my $row ( @{ $tested->{rows} } ) {
        my ( $p, $w ) = $row->{extras}->@{qw(pure work)};
        my $late = $w - $p * $row->{argument} / 100;
        ok $late > -2 * $TICK_US && $late < 8 * $TICK_US,
          "the tests are not work; each of four parts ends with a reading of the clock: $late us";
    }
}

# The third process makes no call, and reads the clock less often than those that compute.
{
    my ($suite) =
      suites_of( 3, "idle { Type = 301; Variation = Work; $RANGE Node_Times = yes; }\n" );
    my @times = map { @{ $_->{node_times} } } @{ $suite->{rows} };
    is scalar @times,                    2 * 3, 'times of all processes';
    is scalar( grep { $_ < 0 } @times ), 0,     'none is below 0' or diag("@times");
}

# A clock that is read every 10 ns on 64 processes takes seconds.
if ( $ENV{SKAMPI_LONG} ) {
    my $once   = $RANGE =~ s/150/50/r;
    my @suites = suites_of( 64, "* { Type = 300, 311, 322; Variation = Work; $once }\n" );
    is scalar @suites, 3, '64 processes: all suites';
    judge_hidden( 64, $_, 1 ) for @suites;
}

done_testing;
