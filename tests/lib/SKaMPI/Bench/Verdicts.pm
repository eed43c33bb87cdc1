package SKaMPI::Bench::Verdicts;

# How often the rule of all verdicts (SKaMPI::Stat::Verdicts) is wrong where nothing differs, and what it finds.
use v5.36;

use Exporter                         qw(import);
use List::Util                       qw(any max);
use SKaMPI::Bench::Figures           qw(at_least at_most plain);
use SKaMPI::Bench::Health            qw(simulated_launch);
use SKaMPI::Bench::Sides             qw(halves_of_one_program);
use SKaMPI::Compare::Launch          qw(read_launch);
use SKaMPI::Launch::Decision         qw(compared);
use SKaMPI::Database::Chart::Changes qw(change_points);
use SKaMPI::Generated                qw(normal random_from);
use SKaMPI::Stat::Verdicts           qw(judge_family);

our @EXPORT_OK = qw(verdicts_of_noise);

my ( $TRIALS, $HISTORIES, $POINTS ) = ( 500, 1000, 60 );

# Of 500 families of which each has an error with a probability of 5 %, at most 36 in 99.9 % of the cases.
my $MOST = 36;

my $SLOWER = log 1.25;

sub verdicts_of_noise () {
    return (
        ( map { _same($_) } 0.05, 0.25 ),
        ( map { _simulated($_) } 0.05, 0.25 ),
        ( map { _slower($_) } 0.05,    0.25 ),
        ( map { _histories($_) } 0.05, 0.25 ),
        halves_of_one_program()
    );
}

# A logarithm of a value has the spread of its point from launch to launch, and a fifth of that in common with all
# points.
sub _launch ( $random, $spread, $points ) {
    my $common = 0.2 * $spread * normal($random);
    return map { $common + $spread * normal($random) } 1 .. $points;
}

sub _sides ( $random, $spread, $launches, $points ) {
    my @all = map { [ _launch( $random, $spread, $points ) ] } 1 .. 2 * $launches;
    return map {
        my $k = $_;
        +{
            base => [ map { $_->[$k] } @all[ 0 .. $launches - 1 ] ],
            new  => [ map { $_->[$k] } @all[ $launches .. $#all ] ]
        }
    } 0 .. $points - 1;
}

# The logarithm of a ratio of two values of the launch.
sub _pairs ( $random, $spread, $launches, $points ) {
    my @all = map { [ _launch( $random, $spread, 2 * $points ) ] } 1 .. $launches;
    return map {
        my $k = $_;
        +{ pairs => [ map { $_->[$k] - $_->[ $k + $points ] } @all ] }
    } 0 .. $points - 1;
}

my %KIND = ( 'two sides' => \&_sides, pairs => \&_pairs );

sub _has_verdict (@points) {
    return any { $_->{verdict} =~ /\A(?:slower|faster)\z/ } @points;
}

sub _same ($spread) {
    return map {
        my ( $name, $wrong, $outside ) = ( $_, 0, 0 );
        for my $trial ( 1 .. $TRIALS ) {
            my @points = $KIND{$name}->( random_from( 7919 * $trial ), $spread, 6, $POINTS );
            judge_family( \@points );
            $wrong++   if _has_verdict(@points);
            $outside++ if any { $_->{p} <= 0.05 } @points;
        }
        my $title = sprintf 'nothing differs, spread %d %%, %s', 100 * $spread, $name;
        my @rows  = at_most( $title, '%d of 500 with a verdict', $wrong, $MOST );
        push @rows, at_most( "$title: p <= 5 %", '%d of 500', $outside, $MOST );
        @rows;
    } sort keys %KIND;
}

# All values of a simulated launch, which repeats exactly, with the same spread.
sub _simulated ($spread) {
    my $launch = read_launch( simulated_launch(), 'time' );
    my $count  = map { %{ $_->{values} } } values %{ $launch->{suites} };
    my ( $wrong, $points ) = ( 0, 0 );
    for my $trial ( 1 .. $TRIALS ) {
        my $random = random_from( 6911 * $trial );
        my @all    = map { _spread_out( $launch, _launch( $random, $spread, $count ) ) } 1 .. 12;
        my @points = compared( [ @all[ 0 .. 5 ] ], [ @all[ 6 .. 11 ] ], 0.05 )->points;
        $points = @points;
        $wrong++ if _has_verdict(@points);
    }
    return at_most(
        sprintf( 'the same simulated launches, spread %d %%', 100 * $spread ),
        '%d of 500 with a verdict',
        $wrong, $MOST, " ($points points)"
    );
}

sub _spread_out ( $launch, @logs ) {
    my %suites;
    for my $label ( sort keys %{ $launch->{suites} } ) {
        my $suite = $launch->{suites}{$label};
        my %values =
          map { $_ => $suite->{values}{$_} * exp shift @logs } sort keys %{ $suite->{values} };
        $suites{$label} = { %{$suite}, values => \%values };
    }
    return { %{$launch}, suites => \%suites };
}

# 3 of 200 points; at 8 launches a side, and in the confirmation of 3 candidates with 8 controls.
sub _slower ($spread) {
    my %found  = map { $_ => 0 } 'two sides', 'confirmed';
    my $trials = 60;
    for my $trial ( 1 .. $trials ) {
        my $random = random_from( 104_729 * $trial );
        my @points = _sides( $random, $spread, 8, 200 );
        $points[$_]{new} = [ map { $_ + $SLOWER } @{ $points[$_]{new} } ] for 0 .. 2;
        my @members = _pairs( $random, $spread, 8, 11 );
        $members[$_]{pairs} = [ map { $_ + $SLOWER } @{ $members[$_]{pairs} } ] for 0 .. 2;
        judge_family($_) for \@points, \@members;
        $found{'two sides'} += grep { $_->{verdict} eq 'slower' } @points[ 0 .. 2 ];
        $found{confirmed}   += grep { $_->{verdict} eq 'slower' } @members[ 0 .. 2 ];
    }
    my %share = map { $_ => 100 * $found{$_} / 3 / $trials } keys %found;
    my $name  = sprintf '1.25 slower, spread %d %%, 8 launches', 100 * $spread;
    return (
        $spread > 0.1
        ? plain( "$name: confirmed", '%.0f %% found', $share{confirmed} )
        : at_least( "$name: confirmed", '%.0f %% found', $share{confirmed}, 95 ),
        plain( "$name: 3 of 200 points", '%.0f %% found', $share{'two sides'} )
    );
}

# Each upload looks again.
sub _histories ($spread) {
    my ( $alarms, $looks, $with ) = ( 0, 0, 0 );
    for my $history ( 1 .. $HISTORIES ) {
        my $random  = random_from( 7907 * $history );
        my $uploads = 20 + 40 * ( $history % 2 );
        my @changes =
          change_points( map { { time => exp( $spread * normal($random) ), unit => $_ } }
              1 .. $uploads );
        $alarms += @changes;
        $looks  += $uploads;
        $with++ if @changes;
    }
    return at_most(
        sprintf( 'history, spread %d %%: alarms in 100 uploads', 100 * $spread ),
        '%.2f', 100 * $alarms / $looks,
        1,      sprintf ' (%d of %d histories)',
        $with,  $HISTORIES
    );
}

1;
