package SKaMPI::Model::Twin;

# A SimGrid platform whose messages take as long as those that were measured. SMPI 3.32 charges a message of L bytes,
# with s = L + 16:
#   L below send-is-detached-thresh:  os(L) + latency lf(s) + s / (bandwidth bf(s)) + or(L)
#   else                                      latency lf(s) + s / (bandwidth bf(s))
# A section "B:..." applies to sizes above B. Times are in microseconds here, and in seconds there.
use SKaMPI::Base;

use Cwd        qw(abs_path);
use File::Temp ();
use List::Util qw(all any first max min sum0 uniq);

use SKaMPI::Base::Process  qw(is_there run_command);
use SKaMPI::Base::TextFile qw(read_bytes write_new_file);
use SKaMPI::Read::Output;
use SKaMPI::Read::PointsFile qw(kept_sections);
use SKaMPI::Safe::Escape     qw(html);
use SKaMPI::Stat::Estimate   qw(estimate_mean median);
use SKaMPI::Stat::Pieces     qw(value_at);
use SKaMPI::Stat::Terms      qw(least_squares);

# Bytes that SMPI adds to a payload before it looks up the factors.
my $HEADER = 16;

# Above this part of the message's time, MPI_Send waits for the receiver.
my $AS_SLOW = 0.9;

# TCP's window, so large that it is no limit.
my $GAMMA = 1e12;

# A length that no message has, and a bandwidth that none reaches.
my $NEVER          = 2**30;
my $LEAST_PER_BYTE = 1e-7;
my $LEAST_US       = 1e-4;

my $S = 1e-6;

# A hash of platform (XML), hosts (the host file for smpirun -hostfile) and remarks (properties that
# the platform does not show), or fails with the name of a missing curve.
sub twin_of ( $fit, $output ) {
    my $curves = $fit->{curves};
    my %found  = map { $curves->{$_}{curve}{role} => $curves->{$_} } reverse sort keys %{$curves};
    my $base   = $found{message}
      // die "no ping-pong over the length in the results; skampi -f model measures them\n";
    my %twin = ( base => $base, remarks => [] );
    _check_kinds( \%twin, $curves );
    _add_pieces( \%twin, \%found );
    _add_sections( \%twin );
    _add_near( \%twin, $curves->{'message near'} );
    my @counts = map { $_->{processes} } @{ $output->fact('PROCESSESPERHOST')->{list} };
    @counts = ( $output->field('PROCESSES') // 2 ) if !@counts;
    my $wtime = $output->fact('TIMER')->{cost_us};
    return {
        platform => _platform( \%twin, $#counts, $wtime // 0 ),
        hosts    => join( q{}, map { "host$_\n" x $counts[$_] } keys @counts ),
        remarks  => $twin{remarks}
    };
}

# Fails unless each distance has one kind of link.
sub _check_kinds ( $twin, $curves ) {
    for my $name ( sort grep { /\Amessage .*, as / } keys %{$curves} ) {
        my ( $distance, $rank ) = $name =~ /(near|far), as with (.*)/;
        my @others = @{ ( $curves->{"message $distance"} // next )->{pieces} };
        my $off    = median( map { abs( $_->{value} / value_at( $_->{argument}, @others ) - 1 ) }
              @{ $curves->{$name}{curve}{points} } );
        my $text = sprintf
'messages with %s are of another kind: half of them are more than %.0f %% off those of other pairs',
          $rank, 100 * $off;
        die "$text, and a twin has one kind of link between hosts; give results of one kind\n"
          if $distance eq 'far' && $off > 1 - $AS_SLOW;
        push @{ $twin->{remarks} }, $text;
    }
    return;
}

# The pieces of messages and overheads, and the length from which on MPI_Send waits.
sub _add_pieces ( $twin, $found ) {
    my @breaks = map { $_ ? @{ $_->{breaks} } : () } @{$found}{qw(message send receive)};
    my @places;    # at which curves change together: the common part of overlapping breaks
    for my $break ( sort { $a->{low} <=> $b->{low} } @breaks ) {
        my ( $low, $high ) = @{$break}{qw(low high)};
        my $before = @places && $low < $places[-1]{high} ? pop @places : {};
        push @places, { low => $low, high => min( $high, $before->{high} // $high ) };
    }
    $twin->{places} = \@places;
    for my $role (qw(message send receive isend)) {
        $twin->{$role} =
          [ $found->{$role} ? _placed( $found->{$role}, @{ $twin->{places} } ) : () ];
    }

# MPI_Send waits if it takes about as long as the message all along a piece, except at its beginning,
# where the message may belong to the piece before.
    my $slow = first {
        my $piece = $_;
        all { $piece->{a} + $piece->{b} * $_ >= $AS_SLOW * value_at( $_, @{ $twin->{message} } ) }
          sqrt( $piece->{first} * $piece->{last} ), $piece->{last}
    } @{ $twin->{send} };
    $twin->{threshold} = $slow ? $slow->{above} + 1 : $NEVER;
    for my $role (qw(send receive)) {
        $twin->{$role} = [ grep { $_->{above} + 1 < $twin->{threshold} } @{ $twin->{$role} } ];
        push @{ $twin->{remarks} }, "no suite measured what a process spends to $role; it is 0 here"
          if !$found->{$role};
    }
    return;
}

# The pieces of a curve, each with above: the length above which it applies.
sub _placed ( $found, @places ) {
    my @above = (0);
    for my $break ( @{ $found->{breaks} } ) {
        my $place = first { $_->{low} < $break->{high} && $break->{low} < $_->{high} } @places,
          $break;
        push @above, int( ( $place->{low} + $place->{high} - 1 ) / 2 );
    }
    return map { +{ %{ $found->{pieces}[$_] }, above => $above[$_] } } keys @above;
}

# The sections of messages, each with above, and the latency and the time per byte that remain for the network.
sub _add_sections ($twin) {
    my @above = map { $_->{above} } map { @{ $twin->{$_} } } qw(message send receive);
    push @above, $twin->{threshold} - 1 if $twin->{threshold} < $NEVER;
    @above = sort { $a <=> $b } uniq @above;
    my @sections = _sections( $twin, @above );
    for my $role (qw(receive send)) {
        next if !@{ $twin->{$role} } || !any { $_->{negative} } @sections;
        push @{ $twin->{remarks} },
          "what a process spends to $role overlaps with the message; it is 0 here";
        $twin->{$role} = [];
        @sections = _sections( $twin, @above );
    }
    $twin->{latency}  = $sections[0]{latency};
    $twin->{per_byte} = $sections[-1]{per_byte};
    $twin->{sections} = \@sections;
    return;
}

# Sections for the lengths above each of these. A steep line may begin below 0: then a time per byte remains.
sub _sections ( $twin, @above ) {
    my @sections;
    for my $i ( keys @above ) {
        my ( $above, $end ) = ( $above[$i], $above[ $i + 1 ] // $NEVER );
        my $piece = _above( $above, @{ $twin->{message} } );
        my ( $over_us, $over_per_byte ) = _overhead( $twin, $above );
        my ( $start, $slope )           = ( $piece->{a} - $over_us, $piece->{b} - $over_per_byte );
        my $first = max( $piece->{first}, $above + 1 );
        my $last  = max( $first,          min( $piece->{last}, $end ) );
        my ( $short, $long ) = map { $start + $slope * $_ } $first, $last;
        $slope = max( $slope, $LEAST_PER_BYTE );
        my $latency = $short - $slope * ( $first + $HEADER );
        my %section = ( above => $above, latency => $latency, per_byte => $slope );

        if ( $latency < 0 || $long < 0 ) {
            $section{latency}  = $LEAST_US;
            $section{per_byte} = max( $LEAST_PER_BYTE, $long / ( $last + $HEADER ) );
            $section{negative} = min( $short, $long ) < 0 && $above + 1 < $twin->{threshold};
        }
        push @sections, \%section;
    }
    return @sections;
}

sub _above ( $above, @pieces ) {
    return first { $_->{above} <= $above } reverse @pieces;
}

# The overhead of both processes for a message above a length, a constant and a time per byte.
sub _overhead ( $twin, $above ) {
    return ( 0, 0 ) if $above + 1 >= $twin->{threshold};
    my @parts = grep { defined } map { _above( $above, @{ $twin->{$_} } ) } qw(send receive);
    return ( sum0( map { $_->{a} } @parts ), sum0( map { $_->{b} } @parts ) );
}

# Latency and time per byte within a host, with the same factors: SMPI has one set of them for all distances.
sub _add_near ( $twin, $near ) {
    return if !$near || $near == $twin->{base};
    my @rows;
    for my $point ( @{ $near->{curve}{points} } ) {
        my ( $length, $value ) = @{$point}{qw(argument value)};
        next if any { $_->{low} < $length && $length < $_->{high} } @{ $twin->{places} };
        my $above   = max( 0, $length - 1 );
        my $section = _above( $above, @{ $twin->{sections} } );
        my ( $over_us, $over_per_byte ) = _overhead( $twin, $above );
        my $rest = $value - $over_us - $over_per_byte * $length;
        next if $rest <= 0;
        my $bytes = ( $length + $HEADER ) * $section->{per_byte} / $twin->{per_byte};
        push @rows, [ [ $section->{latency} / $twin->{latency}, $bytes ], $rest, 1 / $rest**2 ];
    }
    my @link = least_squares(@rows) or return;
    my $off =
      100 * median( map { abs( ( $_->[0][0] * $link[0] + $_->[0][1] * $link[1] ) / $_->[1] - 1 ) }
          @rows );
    push @{ $twin->{remarks} },
      sprintf
      'within a host, messages follow other sections: half of them are more than %.0f %% off', $off
      if $off > 100 * ( 1 - $AS_SLOW );
    $twin->{near} =
      { latency => max( $LEAST_US, $link[0] ), per_byte => max( $LEAST_PER_BYTE, $link[1] ) };
    return;
}

sub _platform ( $twin, $last, $wtime ) {
    my $near     = $twin->{near} // $twin;
    my $link     = ( $twin->{base}{curve}{distance} // q{} ) eq 'far' ? $twin : $near;
    my @sections = @{ $twin->{sections} };
    my %set      = (
        'smpi/os'         => _overheads( @{ $twin->{send} } ),
        'smpi/or'         => _overheads( @{ $twin->{receive} } ),
        'smpi/ois'        => _overheads( @{ $twin->{isend} } ),
        'smpi/lat-factor' => _factors( map { [ $_, $_->{latency} / $twin->{latency} ] } @sections ),
        'smpi/bw-factor'  =>
          _factors( map { [ $_, $twin->{per_byte} / $_->{per_byte} ] } @sections ),
        'smpi/send-is-detached-thresh' => $twin->{threshold},
        'smpi/async-small-thresh'      => $twin->{threshold},
        'smpi/wtime'                   => _number( $wtime * $S ),
        'network/TCP-gamma'            => $GAMMA,
    );
    my $settings = join "\n",
      map { qq(    <prop id="$_" value="$set{$_}"/>) } grep { length $set{$_} } sort keys %set;
    my @values = map { _number($_) } $link->{latency} * $S / 2, 1 / $link->{per_byte} / $S,
      $near->{latency} * $S, 1 / $near->{per_byte} / $S;
    my $remarks = join q{},
      map { "\n     Note: " . ( html($_) =~ s/--/- -/gr ) . q{.} } @{ $twin->{remarks} };
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

# Overheads as SMPI reads them, "above:seconds:seconds per byte;...", or empty if nothing was measured.
sub _overheads (@pieces) {
    return join q{;}, map {
        join q{:}, $_->{above},
          map { _number( max( 0, $_ ) * $S ) }
          @{$_}{qw(a b)}
    } @pieces;
}

sub _factors (@pairs) {
    return join q{;},
      map { ( $_->[0]{above} ? $_->[0]{above} + $HEADER : 0 ) . q{:} . _number( $_->[1] ) } @pairs;
}

sub _number ($value) { return sprintf '%.12g', $value }

# Settings of SMPI: computing takes no time, and a process that polls looks every 10 ns.
my @SETTINGS = qw(--cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-8
  --cfg=smpi/grow-injected-times:no --log=root.thres:critical);

# Takes the path of a skampi that was built with MPI=smpi, a twin and results. Returns rows of
# name, count, ratio (the geometric mean of measured / simulated), low and high, or dies with an error message.
sub check_twin ( $skampi, $twin, $output ) {
    die "'smpirun' is missing; install libsimgrid-dev\n" if !is_there('smpirun');
    die "'$skampi' is missing; 'make MPI=smpi' makes it, and --skampi says where it is\n"
      if !is_there($skampi);
    my $suites    = $output->field('SUITES') // die "the results do not say what was measured\n";
    my $directory = File::Temp->newdir;
    write_new_file( "$directory/twin.xml",   $twin->{platform} );
    write_new_file( "$directory/twin.hosts", $twin->{hosts} );
    write_new_file( "$directory/.skampi", join "\n", kept_sections($output), '@MEASUREMENTS',
        $suites, q{} );
    my @command = (
        qw(smpirun -hostfile twin.hosts -platform twin.xml),
        @SETTINGS, abs_path($skampi), '--quiet'
    );
    splice @command, 1, 0, '-np', $twin->{hosts} =~ tr/\n//;
    my $run  = run_command( \@command, directory => "$directory", output => 'said' );
    my @said = split /^/m, read_bytes("$directory/said");
    die join q{}, "the simulation $run->{failed}\n", grep { /^skampi:|[.]skampi/ } @said
      if $run->{failed};
    my $simulated = SKaMPI::Read::Output->from_file("$directory/skampi.out");
    return map { _compared( $_, $simulated->suite( $_->label ) // () ) } $output->results;
}

sub _compared ( $suite, $twin = undef ) {
    my %twins = map { _key($_) => $_->{time} } $twin ? @{ $twin->rows } : ();
    my @logs  = map { log( $_->{time} / $twins{ _key($_) } ) }
      grep { ( $_->{time} // 0 ) > 0 && ( $twins{ _key($_) } // 0 ) > 0 } @{ $suite->rows }
      or return;
    my %row = ( name => $suite->label, count => scalar @logs );
    @row{qw(low ratio high)} = map { exp } min(@logs), ( estimate_mean(@logs) )[0], max(@logs);
    return \%row;
}

sub _key ($row) { return join q{-}, @{ $row->{arguments} // [ $row->{argument} // q{} ] } }

1;
