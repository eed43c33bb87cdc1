package SKaMPI::Findings::Observations;

# Findings (SKaMPI::Findings::Findings) that compare no operations: processes that delay the others
# (SKaMPI::Stat::Disturbance), the arithmetic of reductions, messages in GPU memory and bare copies, what MPI adds to
# its medium, what partitions of a message cost and gain, and slow pairs.
use SKaMPI::Base;

use List::Util qw(max);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units
  qw(format_argument format_bandwidth format_bytes format_percent format_time list_text);
use SKaMPI::Findings::Medium qw(medium_findings);
use SKaMPI::Meaning::Matrix;
use SKaMPI::Meaning::Rates qw(bandwidth_of);
use SKaMPI::Meaning::Subject
  qw(attribute axis_of family_of heading_of is_in_gpu memories_of pattern_of title_of);
use SKaMPI::Stat::Disturbance;
use SKaMPI::Stat::Estimate qw(is_vague quotient);

my ( $LONGEST_HOST, $MAX_NAMED ) = ( 40, 8 );

sub observations ( $output, $selection ) {
    return (
        _disturber_findings( $output, $selection ),
        (
            map { _arithmetic( $selection, $_ ) }
              $selection->suites( 'syncol', 'MPI_Allreduce', 'length' )
        ),
        ( map { _copy( $selection, $_ ) } $selection->all ),
        (
            map {
                my $suite = $_;
                map { _finding( 'medium', $suite, $_->{share}, $_->{text} ) }
                  medium_findings( $output, $selection, $suite )
            } map { $selection->suites( 'p2p', $_, 'length' ) }
              qw(MPI_Send-MPI_Recv Stream_MPI_Isend)
        ),
        ( map { _partitions($_) } grep { axis_of($_) eq 'partitions' } $selection->all ),
        _slow_pair_findings($selection)
    );
}

# The finding of a kind about SUITE. The factor is its evidence, too, unless MORE has another.
sub _finding ( $kind, $suite, $factor, $text, %more ) {
    my $inexact = delete $more{inexact} // 0;
    return {
        kind     => $kind,
        factor   => $factor,
        evidence => $factor,
        slow     => { suite => $suite, inexact => $inexact },
        fast     => [],
        text     => $text,
        %more
    };
}

# Processes that delay the others. The factor is the part of the slow repetitions, the evidence
# their number. The text names the host of a process if the results do.
sub _disturber_findings ( $output, $selection ) {
    my ( @tallies, %suite );
    for my $suite ( grep { $_->kept_times } $selection->all ) {
        my @own = SKaMPI::Stat::Disturbance->tallies( $suite->kept_times );
        $suite{$_} = $suite for @own;
        push @tallies, @own;
    }
    my @findings;
    for my $found ( SKaMPI::Stat::Disturbance->findings(@tallies) ) {
        my ( $tally, @processes ) = ( $found->{tally}, @{ $found->{processes} } );
        my $part = max( map { $tally->may_cause($_) } @processes ) / $tally->disturbed;
        my $text = _disturber_text( $output, $suite{$tally}, $tally, $part, @processes );
        push @findings,
          _finding( 'disturber', $suite{$tally}, $part, $text,
            evidence => $part * $tally->disturbed );
    }
    return @findings;
}

sub _disturber_text ( $output, $suite, $tally, $part, @processes ) {
    my $name  = heading_of( $suite, $suite->label );
    my $slow  = $tally->disturbed . ' slow repetitions';
    my $share = format_percent($part);
    my @bound = $suite->prefix =~ /\Avt/ ? () : @{ $output->fact('BINDING')->{list} };
    my %hosts = map { $_->{rank} => shorten( $_->{host}, $LONGEST_HOST ) } @bound;
    my @names = map { defined $hosts{$_} ? "$_ on $hosts{$_}" : $_ } @processes;
    splice @names, $MAX_NAMED, @names, 'others' if @names > $MAX_NAMED;
    return "$name: process $names[0] delays the others in $share of $slow." if @names == 1;
    my $all = join ' or ', join( ', ', @names[ 0 .. $#names - 1 ] ), $names[-1];
    return "$name: one of the processes $all delays the others in up to $share of $slow;"
      . ' these processes are late together, so that their times do not show which.';
}

# The part of MPI_Allreduce that is arithmetic: to combine one buffer with another
# (MPI_Reduce_local). An MPI_Allreduce has to do this at least once, less a part of 1/p; algorithms
# for short messages do it more often. Requires that the local combination was measured in the same
# way, and takes the longest length that both have: there, the arithmetic counts most.
sub _arithmetic ( $selection, $suite ) {
    my $local = $selection->like( $suite, 'MPI_Reduce_local' ) or return;
    my ( $all, $one ) = _longest_common( $selection, $suite, $local ) or return;
    my $share = $one->{time} / $all->{time};
    my $place = join ', ', format_argument( $all->{argument}, $suite->arguments->[0] ),
      defined $suite->nodes ? $suite->nodes . ' processes' : ();
    my $times = join ' of ', map { format_time( $_->{time} ) } $one, $all;
    my $text  = sprintf '%s: to combine a buffer once takes %s of its time at %s (%s, %s).',
      title_of($suite), format_percent($share), $place, $times,
      format_bandwidth( $all->{argument} / $one->{time} );
    return _finding( 'arithmetic', $suite, $share, $text,
        inexact => $all->{inexact} || $one->{inexact} );
}

# The points of the longest length that both suites have, unless their quotient is too vague.
sub _longest_common ( $selection, @suites ) {
    my ( $known, $other ) = map {
        +{
            map  { $_->{argument} => $_ }
            grep { $_->{argument} > 0 } $selection->curve_of($_)->points
        }
    } @suites;
    my $longest = max( grep { $other->{$_} } keys %{$known} ) // return;
    my @points  = map { $_->{$longest} } $known, $other;
    return is_vague( quotient(@points) ) ? () : @points;
}

# The bandwidth of messages in GPU memory at the longest length, as a part of that of bare copies.
sub _copy ( $selection, $suite ) {
    return if family_of( pattern_of($suite) ) ne 'p2p';
    return if !is_in_gpu($suite) || attribute( $suite, 'staged' ) eq 'yes';
    my $factor = ( bandwidth_of($suite) // return )->{factor};
    my ( $first, @shares, @texts );
    for my $copy ( $selection->copies_like($suite) ) {
        my ( $point, $bare ) = _longest_common( $selection, $suite, $copy ) or next;
        $first //= $point;
        next if $point->{argument} != $first->{argument};
        push @shares, $factor * $bare->{time} / $point->{time};
        push @texts, sprintf '%s of a copy from %s to %s (%s)', format_percent( $shares[-1] ),
          memories_of($copy), format_bandwidth( $bare->{argument} / $bare->{time} );
    }
    return if !@texts;
    my $text = sprintf '%s: %s at %s, %s.', title_of($suite),
      format_argument( $first->{argument}, $suite->arguments->[0] ),
      format_bandwidth( $factor * $first->{argument} / $first->{time} ), list_text(@texts);
    return _finding( 'copy', $suite, $shares[0], $text, inexact => $first->{inexact} );
}

# The cost of the most partitions relative to the fewest, and the gain of their early arrival.
sub _partitions ($suite) {
    my @rows = grep { $_->{time} } @{ $suite->rows };
    return if @rows < 2;
    my ( $few, $many ) = @rows[ 0, -1 ];
    return if is_vague( quotient( $many, $few ) );
    my ( $whole, $gain, $limit ) = map { ( $suite->extra( $many, $_ ) )[0] } qw(whole gain limit);
    my $times  = join ' against ', map { format_time( $_->{time} ) } $many, $few;
    my $length = $suite->message_length;
    my $text   = sprintf '%s: a message%s in %d partitions takes %.2f times as long as in %d (%s)',
      heading_of( $suite, $suite->label ), defined $length ? ' of ' . format_bytes($length) : q{},
      $many->{argument}, $many->{time} / $few->{time}, $few->{argument}, $times;
    $text .= sprintf ', and %.2f times as long as without partitions', $many->{time} / $whole
      if $whole;
    my @shares = map { format_percent( $_ / 100 ) } $gain // 0, $limit // 0;
    my $early  = 'If the last one is ready late, early arrival of the others gains';
    $text .=
      defined $gain
      ? ". $early $shares[0] of the time, of at most $shares[1]."
      : '. The gain of early arrival varies too much to be stated.';
    return _finding( 'partitions', $suite, $many->{time} / $few->{time},
        $text, inexact => $suite->is_inexact($many) || $suite->is_inexact($few) );
}

sub _slow_pair_findings ($selection) {
    my @findings;
    for my $matrix ( map { SKaMPI::Meaning::Matrix->of($_) // () } $selection->all ) {
        my $suite = $matrix->suite;
        my $name  = heading_of( $suite, $suite->label );
        for ( $matrix->slow_pairs ) {
            my ( $pair, $class ) = @{$_};
            my $factor = $pair->{time} / $class->{median};
            my $times  = join ' against ', map { format_time($_) } $pair->{time}, $class->{median};
            my $text =
              sprintf '%s: pair %s takes %.1f times as long as the median of the pairs %s (%s).',
              $name, $pair->{name}, $factor, $class->{name}, $times;
            push @findings,
              _finding( 'slow pair', $suite, $factor, $text,
                inexact => $suite->is_inexact( $pair->{row} ) );
        }
    }
    return @findings;
}

1;
