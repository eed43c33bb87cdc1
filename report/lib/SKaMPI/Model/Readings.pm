package SKaMPI::Model::Readings;

# Readings for models: times of single messages and collectives, from one file per launch and any number of
# files with further points. new(OUTPUT...) takes SKaMPI::Read::Output.
#
# curves are what was measured over the length: by name, a hash of role, distance (near: on one host; far: between
# hosts; undef if it does not matter), where (the distance, and which pairs of it have this curve, if not all have the
# same), output and suite (its label), from which it is known, launches (the most that a point has) and points
# (SKaMPI::Stat::Pieces) in microseconds. Roles:
#   message  half a round trip of MPI_Send and MPI_Recv
#   send     what an MPI_Send takes of its process, of a window
#   isend    what the start of an MPI_Isend takes
#   receive  what an MPI_Irecv and the wait for it take of a process that computed while the message arrived
#   gap      a window of messages of one byte and its acknowledgement, over the number of messages
# collectives are the same by operation; their points have processes, too.
# resampled is another such object: launches drawn with replacement; of a single launch, values with its errors.
use SKaMPI::Base;

use List::Util qw(any first max min uniq);

use SKaMPI::Base::Program          qw(fail);
use SKaMPI::Meaning::Curve         qw($LONGEST_US);
use SKaMPI::Meaning::Legacy        qw(estimate_of);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::Subject       qw(attribute axis_of is_plain operation_of subject_of);
use SKaMPI::Stat::Estimate         qw(scattered);
use SKaMPI::Stat::Pieces           qw(are_alike with_errors);

# The exit status for results of different quantities.
my $NOT_COMPARABLE = 4;

# Fewer launches are not drawn from.
my $FEWEST_LAUNCHES = 3;

# The distance of the quartiles of normal values, in standard deviations.
my $QUARTILES = 1.349;

# Roles of types by number, what is varied, and the number of messages in a time; by default, of a window. Collectives
# are all types with a time from the common start to the last process.
my %ROLE = (
    1   => [ message => ['length'], 2 ],
    171 => [ send    => ['length'] ],
    169 => [ isend   => ['length'] ],
    302 => [ receive => ['length'] ],
    165 => [ gap     => ['window'], 1 ],
);
my @COLLECTIVE = ( collective => [qw(length nodes)], 1 );

sub new ( $class, @outputs ) {
    my $self = bless { outputs => \@outputs, readings => [] }, $class;
    for my $launch ( keys @outputs ) {
        my $output = $outputs[$launch];
        my $cost   = $output->fact('TIMER')->{cost_us};
        $cost = 0 if ( $output->field('ABSOLUTE') // q{} ) eq 'yes';
        my @readings = map { _readings( $output, $_, $cost // 0 ) } $output->results;
        $_->{launch} = $launch for @readings;
        push @{ $self->{readings} }, @readings;
    }
    $self->_divide;
    return $self->_joined;
}

sub _readings ( $output, $suite, $cost ) {
    my $known = $ROLE{ subject_of($suite)->{number} // 0 };
    my ( $role, $axes, $of ) = @{ $known // \@COLLECTIVE };
    return if !is_plain($suite) || ( !$known && $suite->time_name ne 'slowest' );
    return if !any { $_ eq axis_of($suite) } @{$axes};
    my %curve = ( role => $role, output => $output, suite => $suite->label );
    $curve{rule} = estimate_of($suite);
    if ($known) {
        %curve       = ( %curve, _pair( $suite, $output ) );
        $curve{name} = join q{ }, $role, $curve{where} // ();
    }
    else { ( $curve{name}, $cost ) = ( operation_of($suite), 0 ) }
    $of //= $suite->window || 1;
    return map { _reading( \%curve, $suite, $_, $cost, $of ) }
      grep { !$_->{few} && defined $_->{time} && $_->{time} <= $LONGEST_US } @{ $suite->rows };
}

sub _reading ( $curve, $suite, $row, $cost, $of ) {
    my ( $work, $error ) = $suite->extra( $row, 'work' );
    my %reading = (
        curve     => $curve,
        argument  => $row->{argument},
        processes => 0,
        value     => max( 0, $row->{time} - ( $work // 0 ) - $cost ) / $of,
        time      => $row->{time} / $of,
        error => min( $LONGEST_US, sqrt( _error( $suite, $row )**2 + ( $error // 0 )**2 ) / $of ),
    );
    return $curve->{role} eq 'receive' && !defined $work ? () : \%reading
      if $curve->{role} ne 'collective';
    my @point = ( $row->{argument}, $suite->nodes // 0 );
    @point = ( attribute( $suite, 'message_length' ) || 0, $point[0] )
      if axis_of($suite) eq 'nodes';
    @reading{qw(argument processes)} = @point;
    return $reading{value} > 0 && $point[1] > 1 ? \%reading : ();
}

# The error of a row. Clocks that are apart move all times of a suite alike: then the scatter of repetitions counts.
sub _error ( $suite, $row ) {
    my ( $p25, $p75 ) = @{ $row->{extras} }{qw(p25 p75)};
    return $row->{error} // 0 if !$suite->is_clock_limited($row) || !defined $p25 || !defined $p75;
    return ( $p75 - $p25 ) / $QUARTILES / sqrt max( 1, $row->{count_all} // 0 );
}

# Rank 0's partner, and whether they share a host.
sub _pair ( $suite, $output ) {
    my ( $rank, $host ) = @{ $suite->fact('PARTNER') }{qw(rank host)};
    return if !defined $host;
    my $where  = $host eq ( $output->field('HOSTNAME') // q{} ) ? 'near' : 'far';
    my $chosen = join q{ }, $where, $suite->label, attribute( $suite, 'partner' ) // q{};
    return ( pair => "$where $rank $host", chosen => $chosen, distance => $where, where => $where );
}

# Makes curves of their own for pairs whose messages are faster or slower than those of pairs with
# more readings. The partners that launches choose for the same suite count as one.
sub _divide ($self) {
    my ( %first, %all, %messages, @kinds, %as );
    for my $reading ( grep { $_->{curve}{pair} } @{ $self->{readings} } ) {
        my $curve = $reading->{curve};
        my $pair  = $curve->{pair} = $first{ $curve->{chosen} } //= $curve->{pair};
        push @{ $_->{$pair} }, $reading for \%all, $curve->{role} eq 'message' ? \%messages : ();
    }
    for my $pair ( sort { @{ $all{$b} } <=> @{ $all{$a} } || $a cmp $b } keys %messages ) {
        my ( $distance, $rank ) = split q{ }, $pair;
        my @points = _points( @{ $messages{$pair} } );
        my @others = grep { $_->{distance} eq $distance } @kinds;
        my $kind   = first { are_alike( $_->{points}, \@points ) } @others;
        $as{$pair} = $kind ? $kind->{as} : @others ? ", as with rank $rank" : q{};
        push @kinds, { distance => $distance, points => \@points, as => $as{$pair} } if !$kind;
    }
    for my $curve ( uniq map { $_->{curve} } @{ $self->{readings} } ) {
        $curve->{$_} .= $as{ $curve->{pair} // q{} } // q{} for qw(name where);
    }
    return;
}

sub _points (@readings) {
    my %points;
    for my $reading (@readings) {
        my $point = $points{"$reading->{argument} $reading->{processes}"} //=
          { map { $_ => $reading->{$_} } qw(argument processes) };
        push @{ $point->{"${_}s"} }, $reading->{$_} for qw(value time error);
        $point->{launches}{ $reading->{launch} } = 1;
    }
    return with_errors(
        sort { $a->{processes} <=> $b->{processes} || $a->{argument} <=> $b->{argument} }
          values %points );
}

sub _joined ($self) {
    my %curves;
    my $name_of = sub ($reading) { return $reading->{curve}{name} };
    for my $readings ( grouped( $name_of, @{ $self->{readings} } ) ) {
        my $curve = $readings->[0]{curve};
        my ( $rule, @others ) = uniq map { $_->{curve}{rule} } @{$readings};
        fail(
"'$curve->{name}': times are by the rules '$rule' and '$others[0]'; measure all by the same",
            $NOT_COMPARABLE
        ) if @others;
        my @points = _points( @{$readings} );
        my $most   = max map { scalar keys %{ $_->{launches} } } @points;
        $curves{ $curve->{name} } = { %{$curve}, points => \@points, launches => $most };
    }
    $self->{all} = \%curves;
    return $self;
}

# The curves of collectives, or all others.
sub curves ( $self, $is_collective = 0 ) {
    return grep { ( $_->{role} eq 'collective' ) == $is_collective }
      map { $self->{all}{$_} } sort keys %{ $self->{all} };
}

# The launches that intervals can draw from.
sub launches ($self) {
    return max( 0, map { $_->{launches} } values %{ $self->{all} } );
}

# Draws launches among those with the same suites, so that files with further points keep theirs.
sub resampled ($self) {
    my ( %files, %of, @drawn );
    for my $launch ( keys @{ $self->{outputs} } ) {
        my $labels = join "\n", uniq sort map { $_->label } $self->{outputs}[$launch]->results;
        push @{ $files{$labels} }, $launch;
    }
    push @{ $of{ $_->{launch} } }, $_ for @{ $self->{readings} };
    for my $labels ( sort keys %files ) {
        my @group  = @{ $files{$labels} };
        my $is_few = @group < $FEWEST_LAUNCHES;
        push @drawn, map { $is_few ? scattered( $_, $_->{error} ) : $_ }
          map { @{ $of{$_} // [] } } map { $is_few ? $_ : $group[ rand @group ] } @group;
    }
    return ( bless { outputs => $self->{outputs}, readings => \@drawn }, ref $self )->_joined;
}

1;
