package SKaMPI::Bench::Steady;

# How far results differ from launch to launch: skampi against loops by the protocols of other
# benchmarks (tests/bench/bare_peers.c) that take as long. All launches, and those while the CPUs were
# at the distance that most launches had.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(all max shuffle sum);
use SKaMPI::Bench::Figures qw(median quantile plain at_most);
use SKaMPI::Bench::Launch  qw(root launches progress mpirun program ended_well skampi skampi_file);
use Time::HiRes            qw(time);

our @EXPORT_OK = qw(steadiness variance);

my $SEED     = 27;
my $LAUNCHES = 24;
my $PILOTS   = 5;

# From P10 to P90 of normal values.
my $DEVIATIONS = 2.563;

# Distances of the CPUs within this factor are the same; fewer launches than this have no spread.
my ( $SAME, $FEW ) = ( 1.6, 6 );

my %PEERS = ( osu => 'OSU', imb => 'IMB', repro => 'ReproMPI', skampi5 => 'SKaMPI 5' );

# passes=, Standard_error and Max_Repetition: those of standard.skampi, and more repetitions in a visit.
my %OURS = (
    skampi => [ 'auto',                 0.03,  400 ],
    former => [ 'auto estimate=median', 0.03,  400 ],
    once   => [ 1,                      0.03,  400 ],
    fine   => [ 'auto',                 0.005, 2000 ],
);
my %NAME = (
    %PEERS,
    skampi => 'skampi',
    former => 'skampi, estimate=median',
    once   => 'skampi, one pass',
    fine   => 'skampi, error of 0.5 %'
);

# The rows, as in the C file: three operations at 8 B, 1 KiB and 64 KiB.
my @TYPES = ( 47, 55, 61 );
my $ROWS  = 3 * @TYPES;

sub suite ( $type, $passes ) {
    return <<"SUITE";
type$type {
  Type = $type; Variation = Length; Scale = Fixed_log;
  Start_Argument = 8; End_Argument = 65536; Stepwidth = 1024; Parameters = "passes=$passes";
}
SUITE
}

sub parameters ( $passes, $error, $most ) {
    return <<"HEAD" . join q{}, map { suite( $_, $passes ) } @TYPES;
\@VERSION 4.1
\@MEMORY 8192
\@POSTPROC no
\@STANDARDERRORDEFAULT $error
\@MINREPDEFAULT 64
\@MAXREPDEFAULT $most
\@CUTQUANTILEDEFAULT 0.25
\@CACHEWARMUP 1
\@MEASUREMENTS
HEAD
}

# --- launches: each has "us", the times of the rows, and "seconds" ---

# A row must not be missing, as rows are known by their place.
sub ours ( $np, @limits ) {
    my @suites = sort { $a->name cmp $b->name } skampi( $np, parameters(@limits) )->suites;
    my @rows   = map {
        sort { $a->{argument} <=> $b->{argument} }
          @{ $_->rows }
    } @suites;
    die "a row was not measured\n" if @rows != $ROWS;
    return { us => [ map { $_->{time} } @rows ], errors => [ map { $_->{error} } @rows ] };
}

sub peer ( $np, $protocol, $seconds ) {
    my ($out) = ended_well( mpirun($np), program('bare_peers'), $protocol, $seconds );
    return { us => [ split q{ }, $out ] };
}

# With the distance of the CPUs before and after it.
sub timed ($launch) {
    my ($before) = ended_well( program('cpu_distance') );
    my $start_s  = time;
    my $result   = $launch->();
    my $seconds  = time - $start_s;
    my ($after)  = ended_well( program('cpu_distance') );
    return { %{$result}, seconds => $seconds, distances => [ $before, $after ] };
}

sub median_seconds (@launches) {
    return median( map { $_->{seconds} } @launches );
}

# Launches of skampi and of an empty loop, in turn.
sub pilots ($np) {
    my ( @ours, @empty );
    for ( 1 .. $PILOTS ) {
        push @ours,  timed( sub { ours( $np, @{ $OURS{skampi} } ) } );
        push @empty, timed( sub { peer( $np, 'osu', 0 ) } );
    }
    return ( \@ours, \@empty );
}

# By tool, lists of launches. All tools once in a round, in random order. The peers' loops take as long
# as makes a launch as long as the median of those of skampi so far.
sub interleaved ($np) {
    my ( $ours, $empty ) = pilots($np);
    my $count = launches($LAUNCHES);
    my $seconds;
    my %launch = (
        map {
            my $tool = $_;
            (
                $tool => sub {
                    $PEERS{$tool} ? peer( $np, $tool, $seconds ) : ours( $np, @{ $OURS{$tool} } );
                }
            )
        } keys %NAME
    );
    my %launches;
    srand $SEED;
    for my $round ( 1 .. $count ) {
        progress("steadiness, np = $np, round $round of $count");
        $seconds = max( 0.1,
            median_seconds( @{$ours}, @{ $launches{skampi} // [] } ) -
              median_seconds( @{$empty} ) );
        push @{ $launches{$_} }, timed( $launch{$_} ) for shuffle sort keys %launch;
    }
    return \%launches;
}

# --- figures ---

# A row's values of a kind, of the launches that have one.
sub column ( $launches, $kind, $i ) {
    return grep { defined } map { $_->{$kind}[$i] } @{$launches};
}

# A row's variance from launch to launch, of the logarithms of its times.
sub log_variance (@us) {
    my @logs = map { log } @us;
    my $mean = sum(@logs) / @logs;
    return sum( map { ( $_ - $mean )**2 } @logs ) / $#logs;
}

# The root of its mean over the rows: it does not jump, as a percentile does, where the share of a state of the
# machine passes 10 %.
sub spread_of (@launches) {
    return
      sqrt( sum( map { log_variance( column( \@launches, 'us', $_ ) ) } 0 .. $ROWS - 1 ) / $ROWS );
}

# The percentage of rows' times that are in another state: above 1.6 medians.
sub slow_share (@launches) {
    my $slow = 0;
    for my $i ( 0 .. $ROWS - 1 ) {
        my @us = column( \@launches, 'us', $i );
        $slow += grep { $_ > $SAME * median(@us) } @us;
    }
    return 100 * $slow / ( $ROWS * @launches );
}

# By tool, the launches that began and ended at the usual distance of the CPUs. Near and distant differ
# by a factor of 3 to 5.
sub alike ($launches) {
    my $usual = median( map { @{ $_->{distances} } } map { @{$_} } values %{$launches} );
    my %alike;
    for my $tool ( keys %{$launches} ) {
        $alike{$tool} = [
            grep {
                all { abs( log( $_ / $usual ) ) < log $SAME }
                  @{ $_->{distances} }
            } @{ $launches->{$tool} }
        ];
    }
    return \%alike;
}

sub spread_row ( $who, $tool, $all, $alike ) {
    my $few = @{$alike} < $FEW;
    return plain(
        "$who, $NAME{$tool}",
        '%.3f (%.1f %% slow); at one distance %s; %.2f s',
        spread_of( @{$all} ),
        slow_share( @{$all} ),
        $few ? 'too few' : sprintf( '%.3f (%d)', spread_of( @{$alike} ), scalar @{$alike} ),
        median_seconds( @{$all} )
    );
}

sub ratio_row ( $who, $tool, $launches, $most ) {
    my $figure = "$who: $NAME{$tool} / the best other";
    return plain( $figure, 'too few launches' ) if grep { @{$_} < $FEW } values %{$launches};
    my %spread = map { ( $_ => spread_of( @{ $launches->{$_} } ) ) } keys %{$launches};
    my ($best) = sort { $spread{$a} <=> $spread{$b} } keys %PEERS;
    return at_most( $figure, '%.2f', $spread{$tool} / $spread{$best}, $most, " ($PEERS{$best})" );
}

# The median of the stated errors, in standard deviations of the launches as P10 and P90 show them; that of the rows.
sub error_row ( $who, $launches ) {
    my @ratios = map {
        my @us      = column( $launches, 'us', $_ );
        my $scatter = ( quantile( 0.9, @us ) - quantile( 0.1, @us ) ) / $DEVIATIONS;
        median( column( $launches, 'errors', $_ ) ) / $scatter
    } 0 .. $ROWS - 1;
    return plain( "$who: error / scatter of launches", '%.2f', median(@ratios) );
}

sub steadiness ($section) {
    my $np       = $section =~ /4/ ? 4 : 2;
    my $launches = interleaved($np);
    my $alike    = alike($launches);
    my $who      = "np = $np";
    return (
        (
            map { spread_row( $who, $_, $launches->{$_}, $alike->{$_} ) }
              qw(skampi former once fine osu imb repro skampi5)
        ),
        ( map { ratio_row( $who,                 $_, $launches, 1 ) } qw(skampi fine) ),
        ( map { ratio_row( "$who, one distance", $_, $alike,    0.9 ) } qw(skampi fine) ),
        error_row( $who,                 $launches->{skampi} ),
        error_row( "$who, one distance", $alike->{skampi} )
    );
}

# --- where the variance lies ---

sub rows_by_name ($output) {
    my %row;
    for my $suite ( $output->suites ) {
        $row{ $suite->name . q{ } . ( $_->{argument} // q{} ) } = $_ for @{ $suite->rows };
    }
    return \%row;
}

# The parts of repetitions, visits and launches in the variance of a row from launch to launch, by the row's own
# errors; relative to its time.
sub components (@rows) {
    my ( $launches, $visits, $repetitions ) = ( log_variance( map { $_->{time} } @rows ), 0, 0 );
    for my $row (@rows) {
        $visits += ( $row->{error} / $row->{time} )**2 / @rows;
        $repetitions +=
          ( $row->{extras}{within} / $row->{time} )**2 / $row->{extras}{passes} / @rows;
    }
    return ( $repetitions, max( 0, $visits - $repetitions ), max( 0, $launches - $visits ) );
}

sub has_components ($row) {
    return $row && $row->{time} > 0 && defined $row->{error} && defined $row->{extras}{within};
}

sub variance ($) {
    return map { variance_of($_) } qw(quick standard);
}

sub variance_of ($name) {
    my @launches = map {
        progress("variance, $name, launch $_");
        rows_by_name( ( skampi_file( 2, root() . "/configs/$name.skampi" ) )[0] )
    } 1 .. launches($FEW);
    my @components;
    for my $row ( sort keys %{ $launches[0] } ) {
        my @rows = map { $_->{$row} } @launches;
        push @components, [ components(@rows) ] if all { has_components($_) } @rows;
    }
    my @sources = qw(repetitions visits launches);
    return map {
        my $i   = $_;
        my @own = map { 100 * sqrt $_->[$i] } @components;
        plain(
            "$name, np = 2: $sources[$i]",
            '%.2f %% (a tenth of the rows above %.2f)',
            median(@own), quantile( 0.9, @own )
        )
    } 0 .. $#sources;
}

1;
