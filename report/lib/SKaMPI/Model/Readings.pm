package SKaMPI::Model::Readings;

# What models need of results: times of single messages and collectives, from one file per launch and any number of
# files with further points. new(OUTPUT...) takes SKaMPI::Read::Output.
#
# curves are what was measured over the length: by name, a hash of role, distance (near: on one host; far: between
# hosts; undef if it does not matter), type (its number), launches (the most that a point has) and points, each a hash
# of argument, values (one for each launch, in microseconds), value (their mean) and sigma (its standard error). Roles:
#   message  half a round trip of MPI_Send and MPI_Recv
#   send     what an MPI_Send takes of its process, of a window
#   isend    what the start of an MPI_Isend takes
#   receive  what an MPI_Irecv and the wait for it take of a process that computed while the message arrived
#   gap      a window of messages of one byte and its acknowledgement, over the number of messages
# collectives are the same by operation; their points have processes, too.
# resampled(SEED) is another such object: launches drawn with replacement; of a single launch, values with its errors.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max sum0 uniq);

use SKaMPI::Meaning::Subject qw(attribute axis_of is_plain operation_of subject_of);

our @EXPORT_OK = qw(median);

# A time is printed with six decimals of a microsecond. Work ends with a tick of the clock.
my $RESOLUTION_US = 3e-7;
my $TICKS_OF_WORK = 0.5;

# Fewer launches do not show their scatter.
my $FEWEST_LAUNCHES = 3;

# The median of the distances of a normal distribution from its middle.
my $MEDIAN_OF_SIGMA = 0.6745;

# By number of type: its role, the axis, and the time of one message from a row and the cost of a clock reading.
my %ROLE = (
    1   => [ message => 'length', sub ( $row, $cost, $ ) { return _half( $row, $cost ) } ],
    171 => [ send    => 'length', \&_of_window ],
    169 => [ isend   => 'length', \&_of_window ],
    302 => [ receive => 'length', \&_beside_work ],
    165 => [ gap => 'window', sub ( $row, $cost, $ ) { return ( $row->{time}, $row->{error} ) } ],
);

sub _half ( $row, $cost ) {
    return ( ( $row->{time} - $cost ) / 2, ( $row->{error} // 0 ) / 2 );
}

sub _of_window ( $row, $cost, $suite ) {
    my $window = $suite->{window} || 1;
    return ( ( $row->{time} - $cost ) / $window, ( $row->{error} // 0 ) / $window );
}

sub _beside_work ( $row, $cost, $suite ) {
    my ( $work, $error ) = $suite->extra( $row, 'work' );
    return if !defined $work;
    return ( max( 0, $row->{time} - $work - $cost ),
        sqrt( ( $row->{error} // 0 )**2 + ( $error // 0 )**2 ) );
}

sub new ( $class, @outputs ) {
    my $self = bless { outputs => \@outputs, readings => [] }, $class;
    for my $launch ( keys @outputs ) {
        my $clock = _clock( $outputs[$launch] );
        $self->_read( $launch, $_, $clock ) for $outputs[$launch]->results;
    }
    return $self->_joined;
}

# Its tick and the cost of a reading, in microseconds; what @ABSOLUTE has subtracted is not subtracted again.
sub _clock ($output) {
    my ( $tick, $cost ) =
      ( $output->field('TIMER') // q{} ) =~ /tick ([0-9.]+) microsec.*cost ([0-9.]+) microsec/;
    $cost = 0 if ( $output->field('ABSOLUTE') // q{} ) eq 'yes';
    return { tick => $tick // 0, cost => $cost // 0 };
}

sub _read ( $self, $launch, $suite, $clock ) {
    my $role = $ROLE{ subject_of($suite)->{number} // 0 };
    return $self->_read_collective( $launch, $suite ) if !$role;
    my ( $name, $axis, $time_of ) = @{$role};
    return if axis_of($suite) ne $axis || !is_plain($suite);
    my $distance = _distance( $suite, $self->{outputs}[$launch] );
    my %curve    = (
        name       => join( q{ }, $name, $distance // () ),
        role       => $name,
        distance   => $distance,
        fields     => $suite->{requested},
        resolution => $name eq 'receive' ? $TICKS_OF_WORK * $clock->{tick} : 0,
    );
    for my $row ( grep { !$_->{few} && defined $_->{time} } @{ $suite->{rows} } ) {
        my ( $value, $error ) = $time_of->( $row, $clock->{cost}, $suite ) or next;
        $self->_add( $launch, \%curve, $row->{argument}, undef, $value, $error );
    }
    return;
}

# Whether rank 0 and its partner share a host.
sub _distance ( $suite, $output ) {
    my ($partner) = ( $suite->{notes}{PARTNER} // return ) =~ /\A[0-9]+ (\S+)/ or return;
    return $partner eq ( $output->field('HOSTNAME') // q{} ) ? 'near' : 'far';
}

sub _read_collective ( $self, $launch, $suite ) {
    my $axis = axis_of($suite);
    return
         if $suite->time_name ne 'slowest'
      || ( $axis ne 'length' && $axis ne 'nodes' )
      || !is_plain($suite);
    my $operation = operation_of($suite);
    for my $row ( grep { !$_->{few} && ( $_->{time} // 0 ) > 0 } @{ $suite->{rows} } ) {
        my ( $length, $processes ) =
          $axis eq 'length'
          ? ( $row->{argument}, $suite->{nodes} )
          : ( attribute( $suite, 'message_length' ) || 0, $row->{argument} );
        next if !defined $processes || $processes < 2;
        $self->_add(
            $launch,
            { name => $operation, role => 'collective' },
            $length // 0,
            $processes, @{$row}{qw(time error)}
        );
    }
    return;
}

sub _add ( $self, $launch, $curve, $argument, $processes, $value, $error ) {
    push @{ $self->{readings} },
      {
        curve     => $curve,
        launch    => $launch,
        argument  => $argument,
        processes => $processes,
        value     => $value,
        error     => $error // 0,
      };
    return;
}

# Makes the curves of the readings.
sub _joined ($self) {
    my ( %curves, %points );
    for my $reading ( @{ $self->{readings} } ) {
        my $name  = $reading->{curve}{name};
        my $curve = $curves{$name} //= { %{ $reading->{curve} } };
        my $point = $points{$name}{"$reading->{argument} @{[$reading->{processes} // 0]}"} //=
          { argument => $reading->{argument}, processes => $reading->{processes} };
        push @{ $point->{values} }, $reading->{value};
        push @{ $point->{errors} }, $reading->{error};
        $point->{launches}{ $reading->{launch} } = 1;
    }
    for my $name ( keys %curves ) {
        my @points = sort {
            ( $a->{processes} // 0 ) <=> ( $b->{processes} // 0 )
              || $a->{argument} <=> $b->{argument}
        } values %{ $points{$name} };
        $curves{$name}{launches} = max map { scalar keys %{ $_->{launches} } } @points;
        $curves{$name}{points}   = [ _estimated( $curves{$name}{resolution} // 0, @points ) ];
    }
    $self->{all} = \%curves;
    return $self;
}

# The value of each point, and its standard error: of the middle relative scatter between launches, or of the stated
# errors, if there are too few; at least what the distances from neighbours show, and the resolution of the file.
sub _estimated ( $resolution, @points ) {
    $_->{value} = sum0( @{ $_->{values} } ) / @{ $_->{values} } for @points;
    my $relative = max( _stated(@points), _beside_neighbours(@points) );
    for my $point (@points) {
        my $error = $relative * $point->{value} / sqrt @{ $point->{values} };
        $point->{sigma} = sqrt( $error**2 + max( $resolution, $RESOLUTION_US )**2 );
    }
    return @points;
}

# For a single launch.
sub _stated (@points) {
    my @shown = grep { @{ $_->{values} } >= $FEWEST_LAUNCHES && $_->{value} > 0 } @points;
    return median( map { _deviation($_) / $_->{value} } @shown ) if @shown;
    return median( map { $_->{value} > 0 ? median( @{ $_->{errors} } ) / $_->{value} : () }
          @points );
}

sub _deviation ($point) {
    my @values = @{ $point->{values} };
    return sqrt( sum0( map { ( $_ - $point->{value} )**2 } @values ) / ( @values - 1 ) );
}

# How far points are from the line between their neighbours, as a relative error of each launch.
sub _beside_neighbours (@points) {
    my @off;
    for my $i ( 1 .. $#points - 1 ) {
        my ( $left, $point, $right ) = @points[ $i - 1 .. $i + 1 ];
        my $width = $right->{argument} - $left->{argument} or next;
        my $part  = ( $point->{argument} - $left->{argument} ) / $width;
        my ( $y0, $y1 ) = ( ( 1 - $part ) * $left->{value}, $part * $right->{value} );
        my $scale = sqrt( $point->{value}**2 + $y0**2 + $y1**2 ) or next;
        push @off, abs( $point->{value} - $y0 - $y1 ) / $scale * sqrt @{ $point->{values} };
    }
    return median(@off) / $MEDIAN_OF_SIGMA;
}

# 0 of none.
sub median (@values) {
    return 0 if !@values;
    my @sorted = sort { $a <=> $b } @values;
    return ( $sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ] ) / 2;
}

sub outputs ($self) { return @{ $self->{outputs} } }

sub curve ( $self, $name ) { return $self->{all}{$name} }

sub curves ($self) {
    return map { $self->{all}{$_} }
      grep { $self->{all}{$_}{role} ne 'collective' } sort keys %{ $self->{all} };
}

sub collectives ($self) {
    return map { $self->{all}{$_} }
      grep { $self->{all}{$_}{role} eq 'collective' } sort keys %{ $self->{all} };
}

# The launches that intervals can draw from.
sub launches ($self) {
    return max( 0, map { $_->{launches} } values %{ $self->{all} } );
}

# Launches are drawn among those with the same suites, so that files with further points keep theirs.
sub resampled ($self) {
    my %files;
    for my $launch ( keys @{ $self->{outputs} } ) {
        my $labels = join "\n", uniq sort map { $_->{label} } $self->{outputs}[$launch]->results;
        push @{ $files{$labels} }, $launch;
    }
    my ( @drawn, %is_single );
    for my $group ( values %files ) {
        @is_single{ @{$group} } = ( @{$group} < $FEWEST_LAUNCHES ) x @{$group};
        push @drawn,
          map { @{$group} < $FEWEST_LAUNCHES ? $_ : $group->[ rand @{$group} ] } @{$group};
    }
    my %of;
    push @{ $of{ $_->{launch} } }, $_ for @{ $self->{readings} };
    my @readings = map { _drawn( $is_single{$_}, @{ $of{$_} // [] } ) } @drawn;
    return ( bless { outputs => $self->{outputs}, readings => \@readings }, ref $self )->_joined;
}

sub _drawn ( $is_single, @readings ) {
    return @readings if !$is_single;
    return map { +{ %{$_}, value => $_->{value} + $_->{error} * _normal() } } @readings;
}

sub _normal () {
    return sqrt( -2 * log( 1 - rand ) ) * cos( 2 * 3.14159265358979 * rand );
}

1;
