package SKaMPI::Bench::Steady;

# How far results differ from launch to launch: skampi against loops by the protocols of other benchmarks
# (tests/bench/bare_peers.c) that take as long.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max shuffle sum);
use SKaMPI::Bench::Figures qw(median quantile plain at_most);
use SKaMPI::Bench::Launch  qw(launches progress mpirun program ended_well skampi);
use Time::HiRes            qw(time);

our @EXPORT_OK = qw(spread_of steadiness);

my $SEED = 27;

# From P10 to P90 of normal values.
my $DEVIATIONS = 2.563;

my %NAME = (
    skampi  => 'skampi',
    osu     => 'OSU',
    imb     => 'IMB',
    repro   => 'ReproMPI',
    skampi5 => 'SKaMPI 5'
);
my @PEERS = grep { $_ ne 'skampi' } sort keys %NAME;

# The nine rows of the C program, with the limits of standard.skampi.
my $ROWS       = 9;
my $PARAMETERS = <<'END';
@MEMORY 8192
@STANDARDERRORDEFAULT 0.03
@MINREPDEFAULT 64
@MAXREPDEFAULT 400
@CUTQUANTILEDEFAULT 0.25
@CACHEWARMUP 1
@MEASUREMENTS
* { Type = 47, 55, 61; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536;
    Stepwidth = 1024; Parameters = "passes=auto"; }
END

sub steadiness ($section) {
    my $np       = $section =~ /4/ ? 4 : 2;
    my %launches = _interleaved($np);
    my %spread   = map {
        $_ => spread_of( map { $_->{us} } @{ $launches{$_} } )
    } keys %launches;
    my ($best) = sort { $spread{$a} <=> $spread{$b} } @PEERS;
    my @rows = map {
        my $s = median( map { $_->{seconds} } @{ $launches{$_} } );
        plain( "np = $np, $NAME{$_}", '%.3f; %.2f s a launch', $spread{$_}, $s )
    } 'skampi', @PEERS;
    my $ratio  = $spread{skampi} / $spread{$best};
    my $beside = " ($NAME{$best})";
    return (
        @rows,
        at_most( "np = $np: skampi / the best other", '%.2f', $ratio, 1, $beside ),
        plain(
            "np = $np: error / scatter of launches",
            '%.2f',
            _error_ratio( @{ $launches{skampi} } )
        )
    );
}

# By tool, lists of launches. All tools once in a round, in random order. The peers' loops take as long as makes a
# launch as long as the median of those of skampi so far.
sub _interleaved ($np) {
    my ( @pilots, @empty );
    for ( 1 .. 5 ) {
        push @pilots, _timed( \&_ours, $np );
        push @empty, _timed( \&_peer, $np, 'osu', 0 );
    }
    my ( %launches, $count );
    $count = launches(24);
    srand $SEED;
    for my $round ( 1 .. $count ) {
        progress("steadiness, np = $np, round $round of $count");
        my @so_far  = ( @pilots, @{ $launches{skampi} // [] } );
        my $seconds = max( 0.1, _seconds(@so_far) - _seconds(@empty) );
        for my $tool ( shuffle sort keys %NAME ) {
            my @launch = $tool eq 'skampi' ? \&_ours : ( \&_peer, $tool, $seconds );
            push @{ $launches{$tool} }, _timed( shift @launch, $np, @launch );
        }
    }
    return %launches;
}

sub _seconds (@launches) {
    return median( map { $_->{seconds} } @launches );
}

sub _timed ( $launch, @with ) {
    my $start_s = time;
    my $result  = $launch->(@with);
    return { %{$result}, seconds => time - $start_s };
}

# A row must not be missing, as rows are known by their place.
sub _ours ($np) {
    my @suites = sort { $a->name cmp $b->name } skampi( $np, $PARAMETERS )->suites;
    my @rows   = map {
        sort { $a->{argument} <=> $b->{argument} }
          @{ $_->rows }
    } @suites;
    die "a row was not measured\n" if @rows != $ROWS;
    return { us => [ map { $_->{time} } @rows ], errors => [ map { $_->{error} } @rows ] };
}

sub _peer ( $np, $protocol, $seconds ) {
    my ($out) = ended_well( mpirun($np), program('bare_peers'), $protocol, $seconds );
    return { us => [ split q{ }, $out ] };
}

# --- figures ---

# The root of the rows' mean variance from launch to launch, of the logarithms of their times: it does not jump, as a
# percentile does, where the share of a state of the machine passes 10 %. Each launch is a list of times.
sub spread_of (@launches) {
    my @rows = 0 .. $#{ $launches[0] };
    my $sum  = sum(
        map {
            my $i = $_;
            _log_variance( map { $_->[$i] } @launches )
        } @rows
    );
    return sqrt( $sum / @rows );
}

sub _log_variance (@us) {
    my @logs = map { log } @us;
    my $mean = sum(@logs) / @logs;
    return sum( map { ( $_ - $mean )**2 } @logs ) / $#logs;
}

# The median of the stated errors, in standard deviations of the launches as P10 and P90 show them; that of the rows.
sub _error_ratio (@launches) {
    return median(
        map {
            my $i       = $_;
            my @us      = map { $_->{us}[$i] } @launches;
            my $scatter = ( quantile( 0.9, @us ) - quantile( 0.1, @us ) ) / $DEVIATIONS;
            median( grep { defined } map { $_->{errors}[$i] } @launches ) / $scatter
        } 0 .. $ROWS - 1
    );
}

1;
