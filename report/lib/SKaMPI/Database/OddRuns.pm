package SKaMPI::Database::OddRuns;

# The odd runs of a machine (SKaMPI::Verdict::OddRuns), among those that a history takes together; and where the times
# of its runs change.
use SKaMPI::Base;

use List::Util qw(max);

use SKaMPI::Base::Program      qw(catalog);
use SKaMPI::Verdict::OddRuns   qw(found_odd odd_of);
use SKaMPI::Database::Settings qw(line_key $PUBLISHED);
use SKaMPI::Stat::Estimate     qw($MATTERS);
use SKaMPI::Stat::OddRun       qw(fewest_runs);
use SKaMPI::Stat::Probability  qw(student_quantile);

# The most runs that are compared, and that are looked at.
my ( $MOST, $SEEN ) = ( 30, 300 );

# The newest runs that are like this one, oldest first.
sub runs_like ( $reader, $run ) {
    my $key  = line_key($run);
    my @like = grep { !$_->{merged} && $_->{state} =~ $PUBLISHED && line_key($_) eq $key }
      $reader->runs( machine => $run->{machine}, limit => $SEEN, order => 'started' );
    splice @like, $MOST if @like > $MOST;
    return reverse @like;
}

# The document skampi-odd/1 of these runs, with the number of the run, id, in each row.
sub odd_among ( $reader, @runs ) {
    my @ids  = map { $_->{id} } @runs;
    my $code = sub () {
        my $found = found_odd( $reader->launches( 'time', undef, @ids ) );
        $_->{id} = $ids[ $_->{number} - 1 ] for map { @{ $found->{$_} } } qw(odd differences);
        return ( $found, @ids );
    };
    return ( $code->() )[0] if @ids < fewest_runs();
    return $reader->cache->data( "odd @{[ catalog()->{version} ]} @ids", $code );
}

# Returns the part of the document about one run, among the runs like it.
sub odd_about ( $reader, $run ) {
    return odd_of( odd_among( $reader, runs_like( $reader, $run ) ), "run $run->{id}" );
}

# Returns the documents of a machine: of the runs like its newest run, and of others among which a run is odd.
sub odd_on ( $reader, $slug ) {
    my ( %seen, @found );
    for my $run ( grep { !$_->{merged} } $reader->runs( machine => $slug, order => 'started' ) ) {
        next if $seen{ line_key($run) }++;
        my $found = odd_among( $reader, runs_like( $reader, $run ) );
        push @found, $found if !@found || @{ $found->{odd} };
    }
    return @found;
}

# Units on each side of a change.
my $FEWEST = 3;

# The probability of an error in each look.
my $ALPHA = 0.01;

# Units without any spread, such as those of a simulated machine, differ by rounding.
my $MIN_SPREAD = 0.002;

# Runs that are searched; the newest.
my $MAX_RUNS = 500;

# Where the times of a machine's runs change. The rule is that of all verdicts
# (SKaMPI::Verdict::Family): a change is where the whole interval of the ratio is beyond the
# difference that matters. As the units are a sequence, the test is Student's t of the units before
# and after, at least three each, since the last change. Each new unit is another look at all
# places, and has its own share of errors: on noise of any size, at most one of a hundred looks
# shows a change. Later looks do not take back a change.
#
# The runs are in the order of their dates, each a hash of time and unit. Runs of one unit, a job or
# a day, share what was different there, so they count once. Returns a hash of index (of the first
# run after the change), ratio, low and high for each change.
sub change_points (@runs) {
    my $skipped = max( 0, @runs - $MAX_RUNS );
    my @units   = _units( map { +{ %{ $runs[$_] }, index => $_ } } $skipped .. $#runs );
    my ( $start, @found ) = (0);
    for my $end ( 0 .. $#units ) {
        my $change = _change( @units[ $start .. $end ] ) // next;
        $start += $change->{place};
        push @found,
          { index => $units[$start]{index}, map { $_ => $change->{$_} } qw(ratio low high) };
    }
    return @found;
}

# Neighbouring runs of one unit, with the mean of the logarithms.
sub _units (@runs) {
    my @units;
    for my $run (@runs) {
        push @units, { index => $run->{index}, unit => $run->{unit}, logs => [] }
          if !@units || !defined $run->{unit} || $run->{unit} ne ( $units[-1]{unit} // q{} );
        push @{ $units[-1]{logs} }, log $run->{time};
    }
    for my $unit (@units) {
        $unit->{log} += $_ / @{ $unit->{logs} } for @{ $unit->{logs} };
    }
    return @units;
}

# The most significant change of a series, or undef. All places are tested, so each has its share of the errors.
sub _change (@units) {
    my ( $count, $places ) = ( scalar @units, @units - 2 * $FEWEST + 1 );
    return if $places < 1;
    state %factor;
    my $factor = $factor{$count} //= student_quantile( $count - 2, $ALPHA / 2 / $places );
    my ( $sum, $square ) = ( [0], [0] );
    for my $log ( map { $_->{log} } @units ) {
        push @{$sum},    $sum->[-1] + $log;
        push @{$square}, $square->[-1] + $log**2;
    }
    my $best;
    for my $place ( $FEWEST .. $count - $FEWEST ) {
        my $after = $count - $place;
        my $log   = ( $sum->[-1] - $sum->[$place] ) / $after - $sum->[$place] / $place;
        my $within =
          $square->[-1] - $sum->[$place]**2 / $place - ( $sum->[-1] - $sum->[$place] )**2 / $after;
        my $error =
          sqrt( max( $within / ( $count - 2 ), $MIN_SPREAD**2 ) * ( 1 / $place + 1 / $after ) );
        my $t = abs($log) / $error;
        next if abs($log) - $factor * $error <= log( 1 + $MATTERS ) || $best && $best->{t} >= $t;
        my ( $ratio, $low, $high ) = map { exp } $log, $log - $factor * $error,
          $log + $factor * $error;
        $best = { place => $place, t => $t, ratio => $ratio, low => $low, high => $high };
    }
    return $best;
}

1;
