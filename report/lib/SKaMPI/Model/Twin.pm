package SKaMPI::Model::Twin;

# A SimGrid platform whose messages take as long as those that were measured. twin_of(FIT, OUTPUT) returns a hash of
# platform (XML), hosts (the host file for smpirun -hostfile) and remarks (what the platform does not show), or fails
# with what is missing. SMPI 3.32 charges a message of L bytes, with s = L + 16:
#   L below send-is-detached-thresh:  os(L) + latency lf(s) + s / (bandwidth bf(s)) + or(L)
#   else                                      latency lf(s) + s / (bandwidth bf(s))
# A section "B:..." applies to sizes above B. Times are in microseconds here, and in seconds there.
use v5.36;

use Exporter   qw(import);
use List::Util qw(all any first max min uniq);

use SKaMPI::Base::Tabular   qw(xml_escaped);
use SKaMPI::Model::Pieces   qw(value_at);
use SKaMPI::Model::Readings qw(median);
use SKaMPI::Model::Terms    qw(least_squares);

our @EXPORT_OK = qw(twin_of);

# What SMPI adds to a payload before it looks up the factors.
my $HEADER = 16;

# Above it, MPI_Send is as slow as the whole message: it waits for the receiver.
my $AS_SLOW = 0.9;

# No limit by the window of TCP.
my $GAMMA = 1e12;

# No message is as long, and none is faster.
my $NEVER          = 2**30;
my $LEAST_PER_BYTE = 1e-7;
my $LEAST_US       = 1e-4;

my $S = 1e-6;

sub twin_of ( $fit, $output ) {
    my $curves = $fit->{curves};
    my $base   = $curves->{'message far'} // $curves->{'message near'}
      // die "no ping-pong over the length in the results; measure the suites of model.skampi\n";
    my %twin = ( base => $base, remarks => [], hosts => [ _hosts($output) ] );
    _add_overheads( \%twin, $curves );
    _add_sections( \%twin );
    _add_near( \%twin, $curves->{'message near'} );
    $twin{wtime} = ( $output->field('TIMER') // q{} ) =~ /cost ([0-9.]+) microsec/ ? $1 : 0;
    return {
        platform => _platform( \%twin ),
        hosts    => join( q{}, map { "$_\n" } map { ( $_->[0] ) x $_->[1] } @{ $twin{hosts} } ),
        remarks  => $twin{remarks}
    };
}

# The number of processes of each host, in their order.
sub _hosts ($output) {
    my @counts = ( $output->field('PROCESSESPERHOST') // q{} ) =~ /:([0-9]+)(?:\s|\z)/g;
    @counts = ( $output->field('PROCESSES') // 2 ) if !@counts;
    return map { [ "host$_", $counts[$_] ] } keys @counts;
}

# os, or and ois, and from which length on MPI_Send waits.
sub _add_overheads ( $twin, $curves ) {
    my %found = map { $curves->{$_}{curve}{role} => $curves->{$_} } sort keys %{$curves};
    my %pieces;
    my @places =
      _places( map { @{ $_->{breaks} } } $twin->{base}, grep { defined } @found{qw(send receive)} );
    for my $role (qw(send receive isend)) {
        $pieces{$role} = [ $found{$role} ? _placed( $found{$role}, @places ) : () ];
    }
    $twin->{places}  = \@places;
    $twin->{message} = [ _placed( $twin->{base}, @places ) ];
    my $slow = first { _is_as_slow( $_, $twin->{base} ) } @{ $pieces{send} };
    $twin->{threshold} = $slow ? $slow->{above} + 1 : $NEVER;
    $twin->{isend}     = $pieces{isend};
    for my $role (qw(send receive)) {
        $twin->{$role} = [ grep { $_->{above} + 1 < $twin->{threshold} } @{ $pieces{$role} } ];
        push @{ $twin->{remarks} }, "no suite measured what a process spends to $role; it is 0 here"
          if !$found{$role};
    }
    return;
}

# Whether, all along this piece, MPI_Send takes about as long as the message.
sub _is_as_slow ( $piece, $base ) {
    return
      all { $piece->{a} + $piece->{b} * $_ >= $AS_SLOW * value_at( $_, @{ $base->{pieces} } ) }
      @{$piece}{qw(first last)};
}

# Where curves change together: what breaks that overlap have in common.
sub _places (@breaks) {
    my @places;
    for my $break ( sort { $a->{low} <=> $b->{low} } @breaks ) {
        my $place = $places[-1];
        if ( $place && $break->{low} < $place->{high} ) {
            $place->{low}  = $break->{low};
            $place->{high} = min( $place->{high}, $break->{high} );
        }
        else { push @places, { low => $break->{low}, high => $break->{high} } }
    }
    return @places;
}

# The pieces of a curve, each with above: the length above which it applies.
sub _placed ( $found, @places ) {
    my @above = ( 0, map { _above( $_, @places ) } @{ $found->{breaks} } );
    return map { +{ %{ $found->{pieces}[$_] }, above => $above[$_] } } keys @above;
}

sub _above ( $break, @places ) {
    my $place = first { $_->{low} < $break->{high} && $break->{low} < $_->{high} } @places;
    $place //= $break;
    return int( ( $place->{low} + $place->{high} - 1 ) / 2 );
}

# The sections of messages, each with above, and the latency and the time per byte that remain for the network.
sub _add_sections ($twin) {
    my $message = $twin->{message};
    my @over    = ( @{ $twin->{send} }, @{ $twin->{receive} } );
    my @above   = sort { $a <=> $b } uniq map { $_->{above} } @{$message}, @over;
    push @above, $twin->{threshold} - 1 if $twin->{threshold} < $NEVER;
    @above = sort { $a <=> $b } uniq @above;
    my @sections = map { _section( $twin, $message, $_ ) } @above;
    for my $role (qw(receive send)) {
        next if !@{ $twin->{$role} } || !grep { $_->{negative} } @sections;
        push @{ $twin->{remarks} },
          "what a process spends to $role overlaps with the message; it is 0 here";
        $twin->{$role} = [];
        @sections = map { _section( $twin, $message, $_ ) } @above;
    }
    $twin->{latency}  = $sections[0]{latency};
    $twin->{per_byte} = $sections[-1]{per_byte};
    $twin->{sections} = \@sections;
    return;
}

sub _section ( $twin, $message, $above ) {
    my $piece = _piece_above( $message, $above );
    my ( $start, $slope ) = @{$piece}{qw(a b)};
    for my $over ( $above + 1 < $twin->{threshold} ? @{$twin}{qw(send receive)} : () ) {
        my $part = _piece_above( $over, $above ) // next;
        $start -= $part->{a};
        $slope -= $part->{b};
    }
    my $first = max( $piece->{first}, $above + 1 );
    my ( $short, $long ) = map { $start + $slope * $_ } $first, $piece->{last};
    $slope = $LEAST_PER_BYTE if $slope < $LEAST_PER_BYTE;
    my $latency  = $short - $slope * ( $first + $HEADER );
    my $negative = $latency < 0 || $long < 0;
    ( $latency, $slope ) =
      ( $LEAST_US, max( $LEAST_PER_BYTE, $long / ( $piece->{last} + $HEADER ) ) )
      if $negative;
    return {
        above    => $above,
        latency  => $latency,
        per_byte => $slope,
        negative => $negative && $above + 1 < $twin->{threshold}
    };
}

sub _piece_above ( $pieces, $above ) {
    return first { $_->{above} <= $above } reverse @{$pieces};
}

# Latency and time per byte within a host, with the same factors: SMPI has one set of them for all distances.
sub _add_near ( $twin, $near ) {
    return if !$near || $near == $twin->{base};
    my @rows = map { _near_row( $twin, $_ ) } @{ $near->{curve}{points} };
    my ( $latency, $per_byte ) = least_squares(@rows) or return;
    my @off = map { abs( ( $_->[0][0] * $latency + $_->[0][1] * $per_byte ) / $_->[1] - 1 ) } @rows;
    push @{ $twin->{remarks} },
      sprintf
      'within a host, messages follow other sections: half of them are more than %.0f %% off',
      100 * median(@off)
      if median(@off) > 1 - $AS_SLOW;
    $twin->{near} =
      { latency => max( $LEAST_US, $latency ), per_byte => max( $LEAST_PER_BYTE, $per_byte ) };
    return;
}

sub _near_row ( $twin, $point ) {
    my $length = $point->{argument};
    return if any { $_->{low} < $length && $length < $_->{high} } @{ $twin->{places} };
    my $section = first { $_->{above} < $length } reverse @{ $twin->{sections} };
    $section //= $twin->{sections}[0];
    my $rest = $point->{value};
    for my $over ( $length < $twin->{threshold} ? @{$twin}{qw(send receive)} : () ) {
        my $part = _piece_above( $over, max( 0, $length - 1 ) ) // next;
        $rest -= $part->{a} + $part->{b} * $length;
    }
    return if $rest <= 0;
    return [
        [
            $section->{latency} / $twin->{latency},
            ( $length + $HEADER ) * $section->{per_byte} / $twin->{per_byte}
        ],
        $rest,
        1 / $rest**2
    ];
}

sub _platform ($twin) {
    my $near = $twin->{near} // $twin;
    my $far  = $twin->{base}{curve}{distance} eq 'far' ? $twin : undef;
    my @all  = @{ $twin->{hosts} };
    my $link = $far // $near;
    my %set  = (
        'smpi/os'         => _overheads( $twin->{send} ),
        'smpi/or'         => _overheads( $twin->{receive} ),
        'smpi/ois'        => _overheads( $twin->{isend} ),
        'smpi/lat-factor' =>
          _factors( map { [ $_, $_->{latency} / $twin->{latency} ] } @{ $twin->{sections} } ),
        'smpi/bw-factor' =>
          _factors( map { [ $_, $twin->{per_byte} / $_->{per_byte} ] } @{ $twin->{sections} } ),
        'smpi/send-is-detached-thresh' => $twin->{threshold},
        'smpi/async-small-thresh'      => $twin->{threshold},
        'smpi/wtime'                   => _number( $twin->{wtime} * $S ),
        'network/TCP-gamma'            => $GAMMA,
    );
    my $settings = join "\n",
      map { qq(    <prop id="$_" value="$set{$_}"/>) } sort grep { length $set{$_} } keys %set;
    my @values = map { _number($_) } $link->{latency} * $S / 2, 1 / $link->{per_byte} / $S,
      $near->{latency} * $S, 1 / $near->{per_byte} / $S;
    my $remarks = join q{},
      map { "\n     Note: " . ( xml_escaped($_) =~ s/--/- -/gr ) . q{.} } @{ $twin->{remarks} };
    my $last = $#all;
    return <<"XML";
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- Made by skampi-model from measured times; for SimGrid 3.32. How fast hosts compute was not measured.$remarks -->
<platform version="4.1">
  <config id="General">
$settings
  </config>
  <cluster id="twin" prefix="host" suffix="" radical="0-$last" speed="1Gf" lat="$values[0]s" bw="$values[1]Bps"
           loopback_lat="$values[2]s" loopback_bw="$values[3]Bps"/>
</platform>
XML
}

# "above:seconds:seconds per byte;..."; empty if nothing was measured.
sub _overheads ($pieces) {
    return join q{;}, map {
        join q{:}, $_->{above},
          map { _number( max( 0, $_ ) * $S ) }
          @{$_}{qw(a b)}
    } @{$pieces};
}

sub _factors (@pairs) {
    return join q{;},
      map { ( $_->[0]{above} ? $_->[0]{above} + $HEADER : 0 ) . q{:} . _number( $_->[1] ) } @pairs;
}

sub _number ($value) { return sprintf '%.12g', $value }

1;
