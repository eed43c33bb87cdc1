package SKaMPI::Bench::Steady;

# How far results differ from launch to launch: both numbers of skampi, against loops by the protocols of other
# benchmarks (tests/bench/bare_peers.c) that take as long. With BENCH_OSU=DIRECTORY, its osu_bcast, osu_alltoall and
# osu_allreduce are launched, too.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max min shuffle sum);
use SKaMPI::Bench::Figures qw(median quantile row);
use SKaMPI::Bench::Launch  qw(ended_well launches mpirun program progress skampi);
use Time::HiRes            qw(time);

our @EXPORT_OK = qw(spread_of steadiness);

my $SEED = 27;

# A loop's launch takes at most this, on a busy machine, too.
my $LONGEST_S = 2.5;

# From P10 to P90 of normal values.
my $DEVIATIONS = 2.563;

my %LOOPS = (
    osu     => 'loop as OSU',
    imb     => 'loop as IMB',
    repro   => 'loop as ReproMPI',
    skampi5 => 'loop as SKaMPI 5'
);
my %PEERS = ( %LOOPS, $ENV{BENCH_OSU} ? ( program => 'OSU itself' ) : () );

# The columns of skampi's two numbers and their errors.
my %NUMBERS = ( time => [qw(time error)], mean => [qw(time_all error_all)] );

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

sub steadiness ($) {
    return map { _rows_at($_) } 2, 4;
}

sub _rows_at ($np) {
    my %launches = _interleaved($np);
    my ( %spread, @rows, @errors );
    for my $number (qw(time mean)) {
        my @own = map { $_->{$number} } @{ $launches{skampi} };
        $launches{$number} = \@own;
        push @errors,
          row( "np = $np: error of $number / scatter of launches", [], '%.2f', _error_ratio(@own) );
    }
    for my $tool ( qw(time mean), sort keys %PEERS ) {
        my @launches = @{ $launches{$tool} };
        my $name     = $PEERS{$tool} // "skampi, $tool";
        $spread{$tool} = spread_of( map { $_->{us} } @launches );
        push @rows,
          row( "np = $np, $name", [], '%.3f; %.2f s a launch', $spread{$tool},
            _seconds(@launches) );
    }
    my ($best) = sort { $spread{$a} <=> $spread{$b} } keys %PEERS;
    for my $number (qw(time mean)) {
        my @ratio = ( "%.2f ($PEERS{$best})", $spread{$number} / $spread{$best} );
        push @rows, row( "np = $np: $number / the best other", [ undef, 1 ], @ratio );
    }
    return ( @rows, @errors );
}

# By tool, lists of launches. All tools once in a round, in random order. The peers' loops take as long as makes a
# launch as long as the median of those of skampi so far.
sub _interleaved ($np) {
    my $count  = launches(10);
    my @pilots = map { _ours($np) } 1 .. 5;
    my @empty  = map { _peer( $np, 'osu', 0 ) } 1 .. 5;
    my %launches;
    srand $SEED;
    for my $round ( 1 .. $count ) {
        progress("steadiness, np = $np, round $round of $count");
        my @so_far  = map { $_->{time} } @pilots, @{ $launches{skampi} // [] };
        my $seconds = min( $LONGEST_S, max( 0.1, _seconds(@so_far) - _seconds(@empty) ) );
        for my $tool ( shuffle 'skampi', sort keys %PEERS ) {
            push @{ $launches{$tool} },
                $tool eq 'skampi'  ? _ours($np)
              : $tool eq 'program' ? _osu($np)
              :                      _peer( $np, $tool, $seconds );
        }
    }
    return %launches;
}

sub _seconds (@launches) {
    return median( map { $_->{seconds} } @launches );
}

# A row must not be missing, as rows are known by their place.
sub _ours ($np) {
    my $start_s = time;
    my $output  = skampi( $np, $PARAMETERS );
    my $seconds = time - $start_s;
    my @rows;
    for my $suite ( sort { $a->name cmp $b->name } $output->suites ) {
        push @rows, sort { $a->{argument} <=> $b->{argument} } @{ $suite->rows };
    }
    die "a row was not measured\n" if @rows != $ROWS;
    my %launch;
    for my $number ( keys %NUMBERS ) {
        my ( $us, $errors ) = map {
            my $column = $_;
            [ map { $_->{$column} } @rows ]
        } @{ $NUMBERS{$number} };
        $launch{$number} = { us => $us, errors => $errors, seconds => $seconds };
    }
    return \%launch;
}

sub _peer ( $np, $protocol, $seconds ) {
    my $start_s = time;
    my ($out) = ended_well( mpirun($np), program('bare_peers'), $protocol, $seconds );
    return { us => [ split q{ }, $out ], seconds => time - $start_s };
}

# The averages that OSU's own programs print at the lengths of the rows.
sub _osu ($np) {
    my $start_s = time;
    my @us;
    for my $name (qw(bcast alltoall allreduce)) {
        my ($out) = ended_well( mpirun($np), "$ENV{BENCH_OSU}/osu_$name", '-m', 65_536 );
        push @us, map { $out =~ /^$_ +(\S+)/m } 8, 1024, 65_536;
    }
    return { us => \@us, seconds => time - $start_s };
}

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
