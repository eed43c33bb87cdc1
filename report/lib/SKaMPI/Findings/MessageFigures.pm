package SKaMPI::Findings::MessageFigures;

# Latency, peak bandwidth and half-bandwidth length n1/2 of point-to-point messages
# (SKaMPI::Findings::KeyFigures), derived from all ping-pongs over the length; for streams and
# files, the largest values over all measured lengths and windows, by the formulas of
# SKaMPI::Meaning::Rates; and the effective bandwidth of rings.
use SKaMPI::Base;

use List::Util qw(any max min reduce sum0);

use SKaMPI::Findings::Selection   qw(figure_at);
use SKaMPI::Meaning::Applications qw(application_part);
use SKaMPI::Meaning::Rates        qw(rate_symbols rate_texts rates_of);
use SKaMPI::Meaning::Subject
  qw(attribute axis_of is_in_gpu is_plain operation_of option_of pattern_of title_of);
use SKaMPI::Stat::Estimate qw(relative_error scaled);

my ( $SHORT_BYTES, $PING_PONG ) = ( 64, 'MPI_Send-MPI_Recv' );

# Figures in the order of the table: what, of which pattern, unit, of which operations, and attributes of the suite.
my @FIGURES = (
    [ 'stream bandwidth',              'p2p',   'MB/s', qr/\AStream_MPI_/ ],
    [ 'bandwidth in both directions',  'p2p',   'MB/s', qr/\AStream_both_MPI_/ ],
    [ 'message rate',                  'p2p',   '/s',   qr/\AStream_MPI_/ ],
    [ 'stream bandwidth of all pairs', 'pairs', 'MB/s', qr/\AStream_MPI_/ ],
    [ 'message rate of all pairs',     'pairs', '/s',   qr/\AStream_MPI_/ ],
    [ 'writing files to the disk',     'io', 'MB/s', qr/\AMPI_File_write/, io_sync  => 'yes' ],
    [ 'reading files from the disk',   'io', 'MB/s', qr/\AMPI_File_read/,  io_cache => 'dropped' ],
    [ 'reading files from the page cache', 'io', 'MB/s', qr/\AMPI_File_read/, io_cache => 'kept' ],
);

sub rows_of ( $class, $selection ) {
    my @streams = grep { _is_stream($_) } $selection->all;
    return (
        _ping_pongs( $selection, 0 ),
        ( map { +{ %{$_}, what => "$_->{what} in GPU memory" } } _ping_pongs( $selection, 1 ) ),
        ( map { _stream_row( $selection, $_, @streams ) } @FIGURES ),
        _rings($selection)
    );
}

sub _ping_pongs ( $selection, $in_gpu ) {
    my @ping_pongs = grep { $_->{curve}->points }
      map { { suite => $_, curve => $selection->curve_of($_) } }
      grep { _counts($_) && is_in_gpu($_) == $in_gpu } $selection->all;

    # As other benchmarks, those of MPI_Send and MPI_Recv, if there are any: MPI_Bsend only copies.
    my @plain = grep { operation_of( $_->{suite} ) eq $PING_PONG } @ping_pongs;
    @ping_pongs = @plain if @plain;
    my @latency = _latency(@ping_pongs);
    my ($peak) = sort { $b->{bandwidth} <=> $a->{bandwidth} } map { _peak($_) } @ping_pongs;
    return @latency if !$peak;
    my $peak_row = figure_at(
        $peak->{suite},
        $peak->{point},
        group => 'point-to-point',
        what  => 'peak bandwidth',
        unit  => 'MB/s',
        _derived( $peak->{bandwidth}, $peak->{point} ),
        means      => 'one direction' . _by( $peak->{suite} ),
        definition => 'the largest length divided by half the round trip: one direction'
          . _by( $peak->{suite} )
          . '; MB and GB are 10^6 and 10^9 bytes',
    );
    return ( @latency, $peak_row, _half_rows($peak) );
}

# Excludes messages that are copied by hand, streams, one-sided accesses, exchanges in both directions at once, the
# empty operation, and messages of applications, which are also packed.
sub _counts ($suite) {
    return
         pattern_of($suite) eq 'p2p'
      && axis_of($suite) eq 'length'
      && attribute( $suite, 'staged' ) eq 'no'
      && operation_of($suite) !~
      /\A(?:MPI_Sendrecv|PingPing|Stream|Issue|RMA|Persistent_Startall|TCP|dummy)/
      && !application_part($suite);
}

sub _peak ($ping_pong) {
    my @points = grep { $_->{argument} > 0 } $ping_pong->{curve}->points or return;
    my $point  = reduce { _bandwidth($a) >= _bandwidth($b) ? $a : $b } @points;
    return { %{$ping_pong}, point => $point, bandwidth => _bandwidth($point) };
}

sub _latency (@ping_pongs) {
    my @first = map { +{ %{$_}, point => ( $_->{curve}->points )[0] } } @ping_pongs;
    my ($fastest) = sort { $a->{point}{time} <=> $b->{point}{time} }
      grep { $_->{point}{argument} <= $SHORT_BYTES } @first
      or return;
    my $by = _by( $fastest->{suite} );
    return figure_at(
        $fastest->{suite}, scaled( $fastest->{point}, 0.5 ),
        group      => 'point-to-point',
        what       => 'latency',
        means      => 'half a round trip' . $by,
        definition => "half the round trip of the shortest message$by; at most $SHORT_BYTES bytes",
    );
}

# Names the operation of another ping-pong.
sub _by ($suite) {
    return operation_of($suite) eq $PING_PONG ? q{} : ' of ' . title_of($suite);
}

# Bytes per microsecond are megabytes per second.
sub _bandwidth ($point) { return 2 * $point->{argument} / $point->{time} }

# A value with the relative error of the time that it is derived from.
sub _derived ( $value, $point ) {
    my $relative = relative_error($point);
    return ( value => $value, error => defined $relative ? $value * $relative : undef );
}

# The half-bandwidth length. Its error includes only that of the peak, whose marks it has.
sub _half_rows ($peak) {
    my $half     = $peak->{bandwidth} / 2;
    my $relative = relative_error( $peak->{point} );
    my @points   = $peak->{curve}->points;
    my ( $length, @ends ) = map { scalar _length_of_bandwidth( $half * $_, @points ) } 1,
      defined $relative && $relative < 1 ? ( 1 - $relative, 1 + $relative ) : ();
    return if !defined $length;
    my $error = @ends == 2 && defined $ends[0] ? ( $ends[1] - $ends[0] ) / 2 : undef;
    $error = $length * $relative if defined $relative && $relative >= 1;
    my %near = ( argument => sprintf( '%.0f', $length ), interpolated => 1 );
    return figure_at(
        $peak->{suite}, \%near,
        group      => 'point-to-point',
        what       => 'half-bandwidth length n1/2',
        value      => $near{argument},
        error      => $error,
        unit       => 'B',
        marks      => $peak->{point}{marks},
        definition =>
          'the shortest length at which the ping-pong with the peak bandwidth reaches half of '
          . 'it, interpolated between measured times',
    );
}

# The length at which 2 * length / time first reaches this bandwidth; undef if the shortest message does.
sub _length_of_bandwidth ( $bandwidth, @points ) {
    my $left;
    for my $right (@points) {
        if ( _bandwidth($right) < $bandwidth ) { $left = $right; next }
        return if !$left;
        my $slope = ( $right->{time} - $left->{time} ) / ( $right->{argument} - $left->{argument} );
        my $offset = $left->{time} - $slope * $left->{argument};
        my $below  = 2 - $bandwidth * $slope;
        return $below > 0 ? $bandwidth * $offset / $below : $right->{argument};
    }
    return;
}

# Whether a suite gives a figure of streams: of all pairs, and of files that did not stay in the page cache.
sub _is_stream ($suite) {
    return 0 if any { $suite->is_doubtful($_) } @{ $suite->rows };
    return
         ( pattern_of($suite) eq 'io' || operation_of($suite) =~ /\AStream_/ )
      && axis_of($suite) =~ /\A(?:length|window)\z/
      && is_plain($suite);
}

sub _stream_row ( $selection, $figure, @suites ) {
    my ( $what, $pattern, $unit, $operation, %attributes ) = @{$figure};
    my $kind = $unit eq '/s' ? 'rate' : 'bandwidth';
    @suites = grep { pattern_of($_) eq $pattern && operation_of($_) =~ $operation } @suites;
    for my $name ( keys %attributes ) {
        @suites = grep { attribute( $_, $name ) eq $attributes{$name} } @suites;
    }

    # Suites that access other places of a file each time do what programs do.
    my @advancing = grep { attribute( $_, 'io_walk' ) ne 'no' } @suites;
    my @found;
    for my $suite ( @advancing ? @advancing : @suites ) {
        push @found,
          map { { suite => $suite, point => $_, value => rates_of( $suite, $_ )->{$kind} // 0 } }
          $selection->curve_of($suite)->points;
    }
    my ($best) = sort { $b->{value} <=> $a->{value} } @found;
    return if !$best || $best->{value} <= 0;
    my ( $suite, $point ) = @{$best}{qw(suite point)};
    my $formula = rate_texts($suite)->{$kind};
    return figure_at(
        $suite, $point,
        group => $pattern eq 'io' ? 'files' : 'streams',
        what  => $what,
        unit  => $unit,
        _derived( $best->{value}, $point ),
        definition => "the largest $formula (" . rate_symbols($formula) . ')',
    );
}

# The lengths of b_eff: 1, 2, 4, ... 4096 bytes, and eight more up to the longest in equal ratios.
my $LONGEST_FIXED = 4096;
my $MORE          = 8;

my @METHODS    = map { "Rings_$_" } qw(Sendrecv Isend_Irecv Alltoallv);
my $DEFINITION = 'bandwidth of all processes in rings: the mean over 21 message lengths of the best'
  . ' method, averaged logarithmically over the ring sizes, and over natural and random orders';

# The average of the effective bandwidth benchmark, in all and per process. For each ring size and order, the bandwidth
# at a length L is 2 p L / t with the time t of the fastest method, interpolated between measured lengths. b_eff is the
# mean over 21 lengths, averaged logarithmically over the ring sizes of an order, and over both orders.
sub _rings ($selection) {
    my ( %patterns, @points );
    for my $suite ( map { $selection->suites( 'syncol', $_, 'length' ) } @METHODS ) {
        my $curve = $selection->curve_of($suite);
        my @curve = $curve->points;
        next if @curve < 2 || ( $suite->nodes // 0 ) < 2;
        my $order   = option_of( $suite, 'order' ) =~ s/:.*//r;
        my $pattern = join q{ }, $order, option_of( $suite, 'ring' ), $suite->nodes;
        push @{ $patterns{$pattern} }, $curve;
        push @points, { suite => $suite, point => $curve[-1] };
    }
    my $value     = _b_eff( \%patterns ) // return;
    my ($last)    = sort { $b->{point}{argument} <=> $a->{point}{argument} } @points;
    my $processes = $last->{suite}->nodes;
    return map {
        figure_at(
            $last->{suite}, { %{ $last->{point} }, interpolated => 1 },
            group      => 'effective bandwidth',
            what       => $_->[0],
            value      => $_->[1],
            error      => undef,
            unit       => 'MB/s',
            definition => $_->[2],
        )
      } [ 'b_eff', $value, $DEFINITION ],
      [ 'b_eff per process', $value / $processes, "b_eff, divided by $processes processes" ];
}

# The averages of both orders, if both were measured with the same number of processes.
sub _b_eff ($patterns) {
    my %processes = map { (split)[2] => 1 } keys %{$patterns};
    return if keys %processes != 1;
    my $longest = min( map { ( $_->arguments )[-1] } map { @{$_} } values %{$patterns} );
    my %logs;
    for my $pattern ( sort keys %{$patterns} ) {
        my ( $order, undef, $processes ) = split / /, $pattern;
        my $mean = _mean( $patterns->{$pattern}, $processes, _lengths($longest) );
        return if $mean <= 0;
        push @{ $logs{$order} }, log $mean;
    }
    return if keys %logs != 2;
    return exp( sum0( map { sum0( @{$_} ) / @{$_} } values %logs ) / 2 );
}

sub _lengths ($longest) {
    my @lengths = grep { $_ <= $longest } map { 2**$_ } 0 .. 12;
    push @lengths,
      map { $LONGEST_FIXED * ( $longest / $LONGEST_FIXED )**( $_ / $MORE ) } 1 .. $MORE
      if $longest > $LONGEST_FIXED;
    return @lengths;
}

# The mean of the bandwidths at all lengths, each of the best method: each process sends two messages.
sub _mean ( $methods, $processes, @lengths ) {
    my @best;
    for my $length (@lengths) {
        my @times = map { _time_at( $length, $_ ) } @{$methods};
        push @best, max( map { $_ > 0 ? 2 * $processes * $length / $_ : 0 } @times );
    }
    return sum0(@best) / @best;
}

# The time at a length; beyond the measured lengths, the time of the nearest.
sub _time_at ( $length, $curve ) {
    my @points = $curve->points;
    my $point  = $curve->at($length) // $points[ $length < $points[0]{argument} ? 0 : -1 ];
    return $point->{time};
}

1;
