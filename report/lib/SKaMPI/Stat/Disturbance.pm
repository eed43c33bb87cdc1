package SKaMPI::Stat::Disturbance;

# Which process causes the slow repetitions. A repetition is disturbed if its time exceeds the
# median by more than three robust standard deviations. A process is late in it if its own time
# exceeds its own median by more than three robust standard deviations and by at least a quarter of
# the repetition's delay. So a process that always finishes last is not late. Several processes are
# late if one waits for another. The cause finishes first, since its delay reaches the others by
# messages; those that finish within three standard deviations of it may be the cause, too. If all
# are equally late, the repetition shows no cause.
# processes are ranks.
use SKaMPI::Base qw(disturbed @processes);

use List::Util qw(first max min none);

use SKaMPI::Stat::Probability qw(binomial_tail);

my $LATE_SIGMAS = 3;
my $LATE_PART   = 0.25;

# All processes are equally late within this part.
my $EQUAL_PART = 0.1;

# The probability of any false alarm among all hypotheses.
my $ALPHA = 0.05;

# With fewer repetitions, chance often picks the same process.
my $FEWEST = 5;

# Quartiles of a normal distribution are this many standard deviations apart.
my $QUARTILES = 1.349;

# A tally for each number of processes, over the arguments and runs of a suite.
sub tallies ( $class, $times ) {
    my %tally;
    for my $argument ( $times->arguments ) {
        my @processes = $times->processes($argument) or next;
        my $tally     = $tally{"@processes"} //=
          bless { processes => \@processes, causes => [], disturbed => 0 }, $class;
        $tally->_add_repetitions($_) for grep { $_->{-1} } $times->runs($argument);
    }
    return map { $tally{$_} } sort keys %tally;
}

# Numbers of disturbed repetitions: those that a process may cause, those in which it was late, and
# those in which all were late, without a cause.
sub may_cause ( $self, $process ) { return $self->{by}{$process}   // 0 }
sub late_in   ( $self, $process ) { return $self->{late}{$process} // 0 }
sub all_late  ($self)             { return $self->{all}            // 0 }

sub _add_repetitions ( $self, $rows ) {
    my %values = map     { $_ => [ split /,/, $rows->{$_}{disturbed} // q{} ] } keys %{$rows};
    my $count  = min map { scalar @{$_} } values %values;
    for my $i ( 0 .. $count - 1 ) {
        my %time   = map { $_ => $values{$_}[$i] } keys %values;
        my $excess = $time{-1} - $rows->{-1}{p50};
        my @late   = grep {
            my $late = $time{$_} - $rows->{$_}{p50};
            $late >= $LATE_PART * $excess && $late > $LATE_SIGMAS * _sigma( $rows->{$_} )
        } grep { $_ >= 0 } keys %{$rows};

        # In the order in which they finish.
        @late = sort { $time{$a} <=> $time{$b} || $a <=> $b } @late;
        my @causes = $self->_causes( $rows, \%time, @late );
        $self->{disturbed}++;
        $self->{all} += @late == $self->processes && !@causes;
        $self->{late}{$_}++ for @late;
        $self->{by}{$_}++   for @causes;
        push @{ $self->{causes} }, { map { $_ => 1 } @causes };
    }
    return;
}

sub _sigma ($row) { return ( $row->{p75} - $row->{p25} ) / $QUARTILES }

# The possible causes. A delay reaches other processes by messages, so the first late process to finish is the cause.
# Processes that finish at the same time may be it, too. If all are equally late, the first one may have waited itself;
# but a process that waits for nobody any more makes up for a part of its delay.
sub _causes ( $self, $rows, $time, @late ) {
    return if !@late;
    my ( $first, @others ) = map { $time->{$_} - $rows->{$_}{p50} } @late;
    my @sorted = sort { $a <=> $b } @others;
    my $median = $sorted[ @sorted / 2 ] // $first;
    my $gap    = $LATE_SIGMAS * max map { _sigma( $rows->{$_} ) } @late;
    return if @late == $self->processes && $median - $first <= max( $EQUAL_PART * $median, $gap );
    return grep { $time->{$_} <= $time->{ $late[0] } + $gap } @late;
}

# The processes that may cause significantly more than a third of the disturbed repetitions (or 2/p
# of them, with p < 6 processes; so none of two): binomial test, Holm's correction over all
# processes of all tallies, 5 %. A third is more than each process on the longest path of a tree
# causes if all are disturbed alike. Each finding is a hash of tally and processes.
sub findings ( $class, @tallies ) {
    my @tested;
    for my $tally ( grep { $_->disturbed >= $FEWEST } @tallies ) {
        my $share = max( 1 / 3, 2 / $tally->processes );
        for my $process ( $tally->processes ) {
            my @numbers = ( $tally->may_cause($process), $tally->disturbed );
            my $p       = $share < 1 ? binomial_tail( @numbers, $share ) : 1;
            push @tested, { tally => $tally, process => $process, p => $p };
        }
    }
    my @sorted = sort { $a->{p} <=> $b->{p} } @tested;
    my $end    = first { $sorted[$_]{p} * ( @sorted - $_ ) > $ALPHA } keys @sorted;
    splice @sorted, $end if defined $end;
    return map { $_->_named(@sorted) } @tallies;
}

# The processes found in this tally, except those that only share the repetitions of another one.
# Several that share all of them are a group.
sub _named ( $self, @found ) {
    my @own   = grep { $_->{tally} == $self } @found or return;
    my @ranks = sort { $a <=> $b } map { $_->{process} } @own;
    my @left  = grep {
        my $rank = $_;
        none { $self->_is_rather( $_, $rank ) } @ranks
    } @ranks;
    return { tally => $self, processes => \@left };
}

# Whether the first one is the cause without the second one more often than the other way round: sign test.
sub _is_rather ( $self, $one, $other ) {
    my $with    = grep { $_->{$one}   && !$_->{$other} } @{ $self->{causes} };
    my $without = grep { $_->{$other} && !$_->{$one} } @{ $self->{causes} };
    return $with > $without && binomial_tail( $with, $with + $without, 0.5 ) <= $ALPHA;
}

1;
