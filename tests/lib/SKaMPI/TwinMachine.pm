package SKaMPI::TwinMachine;

# Simulated machines with random pieces, and the twins that skampi-model makes of what was measured on them.
# random_machine(SEED, LONGEST) is a hash of longest (length), platform (XML), breaks and pieces (of messages between
# hosts: a and b of half a round trip, in microseconds). prove_twin(SKAMPI, SEED, LONGEST) writes the platform, measures
# it, asks for further points until none is missing, and compares the twin; covered(SEED, LAUNCHES, NOISE) counts
# intervals that hold the truth. own_links(SKAMPI) measures a machine whose pairs of hosts have links of their own; it
# returns the fit and the first output. They work in the current directory.
use v5.36;

use Exporter           qw(import);
use List::Util         qw(any);
use SKaMPI::Model::Fit qw(points_file);
use SKaMPI::Model::Readings;
use SKaMPI::Model::Twin qw(twin_of);
use SKaMPI::Read::Output;
use SKaMPI::Results qw(results);
use SKaMPI::Sim     qw(simulate);
use SKaMPI::Test    qw(write_file);

our @EXPORT_OK = qw(covered fit_of own_links prove_twin random_machine);

# Events that are closer than a picosecond are simulated as one; by default, than a nanosecond: once in some thousand
# messages it makes one early by up to that.
my $PRECISE = '--cfg=surf/precision:1e-12';

my $NP       = 4;
my $ROUNDS   = 6;
my $HEADER   = 16;
my $NO_LIMIT = 2**30;
my $ALL      = 2**20;

my $SECTIONS = <<'END';
@VERSION 4.2
@MEMORY 16384
@MAXREPDEFAULT 5
@MINREPDEFAULT 5
@MULTIPLEOFDEFAULT 1
@CUTQUANTILEDEFAULT 0
@MEASUREMENTS
END

# As in configs/model.skampi, with fewer repetitions: each is the same here.
my %GRID = (
    Far     => [ 1,   1,     q{},                    'partner=farthest' ],
    Near    => [ 1,   1,     q{},                    'partner=nearest' ],
    Send    => [ 171, 1,     q{},                    'window=4' ],
    Isend   => [ 169, 1,     q{},                    'window=4' ],
    Receive => [ 302, 1 / 2, 'Variation = Length; ', 'work=150' ],
);

# The links of rank 0: from, to, latency (us) and bandwidth (GB/s). The suites use the fastest and the slowest.
my @OWN_LINKS = ( [ 0, 1, 10, 1 ], [ 0, 2, 20, 2 ], [ 0, 3, 25, 0.5 ] );

sub _grid ($longest) {
    my @suites;
    for my $name ( sort keys %GRID ) {
        my ( $type, $part, $more, $keys ) = @{ $GRID{$name} };
        push @suites,
"$name { Type = $type; ${more}Send_Datatype_Number = 1; Scale = Fixed_log; Stepwidth = 1.189207; "
          . 'Start_Argument = 1; End_Argument = '
          . int( $longest * $part )
          . qq(; Parameters = "$keys"; });
    }
    return join "\n", @suites;
}

sub _uniform ( $low, $high ) { return $low + ( $high - $low ) * rand }

sub _log_uniform ( $low, $high ) { return exp _uniform( log $low, log $high ) }

sub random_machine ( $seed, $longest = $ALL ) {
    srand $seed;
    my @breaks  = _breaks( int( _uniform( 0, 5.999 ) ), $longest / 5 );
    my %machine = (
        longest  => $longest,
        breaks   => \@breaks,
        latency  => _log_uniform( 2,    50 ),
        per_byte => _log_uniform( 8e-5, 2e-3 )
    );
    $machine{threshold} = @breaks && rand() < 0.7 ? $breaks[ rand @breaks ] + 1 : $NO_LIMIT;
    $machine{pieces}    = [ map { _piece( \%machine, $_ ) } 0, @breaks ];
    $machine{platform}  = _platform( \%machine );
    return \%machine;
}

# At least a factor of 2 apart.
sub _breaks ( $count, $last ) {
    while (1) {
        my @breaks = sort { $a <=> $b } map { int _log_uniform( 16, $last ) } 1 .. $count;
        return @breaks if !grep { $breaks[$_] < 2 * $breaks[ $_ - 1 ] } 1 .. $#breaks;
    }
    return;
}

# os and or are a constant and a time per byte; sizes above $above have this piece.
sub _piece ( $machine, $above ) {
    my %piece = (
        above      => $above,
        lat        => _uniform( 1, 5 ),
        bw         => _log_uniform( 0.1, 1 ),
        'smpi/os'  => [ _log_uniform( 0.2, 3 ), _uniform( 0, 3e-4 ) ],
        'smpi/or'  => [ _log_uniform( 0.2, 3 ), _uniform( 0, 3e-4 ) ],
        'smpi/ois' => [ _log_uniform( 0.1, 1 ), 0 ],
    );
    $piece{b} = $machine->{per_byte} / $piece{bw};
    $piece{a} = $machine->{latency} * $piece{lat} + $HEADER * $piece{b};
    for my $over ( $above + 1 < $machine->{threshold} ? @piece{qw(smpi/os smpi/or)} : () ) {
        $piece{a} += $over->[0];
        $piece{b} += $over->[1];
    }
    return \%piece;
}

sub _platform ($machine) {
    my @pieces = @{ $machine->{pieces} };
    my %set    = map { $_ => _overheads( $_, @pieces ) } qw(smpi/os smpi/or smpi/ois);
    for my $name (qw(lat bw)) {
        $set{"smpi/$name-factor"} = join q{;},
          map { ( $_->{above} ? $_->{above} + $HEADER : 0 ) . ":$_->{$name}" } @pieces;
    }
    $set{"smpi/$_-thresh"}    = $machine->{threshold} for qw(async-small send-is-detached);
    $set{'network/TCP-gamma'} = 1e12;
    my $settings = join "\n", map { qq(<prop id="$_" value="$set{$_}"/>) } sort keys %set;
    my $latency  = $machine->{latency} * 1e-6 / 2;
    my $bw       = 1e6 / $machine->{per_byte};
    my $near     = _log_uniform( 2e-7, 2e-6 );
    my $near_bw  = _log_uniform( 2e9,  2e10 );
    return <<"XML";
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config id="General">
$settings
</config>
<cluster id="c" prefix="host" suffix="" radical="0-1" speed="1Gf" lat="${latency}s" bw="${bw}Bps"
         loopback_lat="${near}s" loopback_bw="${near_bw}Bps"/>
</platform>
XML
}

sub _overheads ( $name, @pieces ) {
    return join q{;}, map {
        join q{:}, $_->{above},
          map { $_ * 1e-6 }
          @{ $_->{$name} }
    } @pieces;
}

# Writes a platform as NAME.xml, two hosts with two processes each, or others, and measures suites there.
sub run_on ( $skampi, $name, $platform, $suites, @hosts ) {
    write_file( "$name.xml",    $platform );
    write_file( "$name.hosts",  join q{}, map { "host$_\n" } @hosts ? @hosts : ( 0, 0, 1, 1 ) );
    write_file( "$name.skampi", "\@OUTFILE $name.out\n\@LOGFILE $name.log\n$suites" );
    unlink glob "$name.out* $name.log*";
    simulate( "./$name", $NP, $PRECISE, $skampi, '--quiet', '-f', "$name.skampi" );
    return SKaMPI::Read::Output->from_file("$name.out");
}

sub fit_of (@outputs) {
    return SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new(@outputs), 0 );
}

sub measured_machine ( $skampi, $machine ) {
    my ( $platform, @hosts ) = ( $machine->{platform}, @{ $machine->{hosts} // [] } );
    my @outputs =
      run_on( $skampi, 'grid', $platform, $SECTIONS . _grid( $machine->{longest} ), @hosts );
    for my $round ( 1 .. $ROUNDS ) {
        my $text = points_file( fit_of(@outputs), $outputs[0] ) || last;
        $text =~ s/^\@(?:OUT|LOG)FILE .*\n//gm;
        push @outputs, run_on( $skampi, "points$round", $platform, $text, @hosts );
    }
    return @outputs;
}

sub own_links ($skampi) {
    my ( $links, $routes ) = ( q{}, q{} );
    for my $end ( @OWN_LINKS, [ 1, 2, 12, 1 ], [ 1, 3, 14, 1 ], [ 2, 3, 16, 1 ] ) {
        my ( $from, $to, $us, $gbps ) = @{$end};
        my $name = "l$from$to";
        $links .= qq(<link id="$name" latency="${us}us" bandwidth="${gbps}GBps" )
          . qq(sharing_policy="FATPIPE"/>\n);
        $routes .= qq(<route src="host$from" dst="host$to"><link_ctn id="$name"/></route>\n);
    }
    my $hosts    = join "\n", map { qq(<host id="host$_" speed="1Gf"/>) } 0 .. 3;
    my $zone     = qq(<zone id="z" routing="Full">\n$hosts\n$links$routes</zone>);
    my $platform = random_machine(1)->{platform} =~ s/<cluster.*?>/$zone/sr;
    $platform =~ s/(-factor" value=")[^"]*/${1}0:1/g;
    $platform =~ s/<prop id="smpi.(?!lat|bw).*//g;
    my %machine = ( longest => 2**16, hosts => [ 0 .. 3 ], platform => $platform );
    my @outputs = measured_machine( $skampi, \%machine );
    return ( fit_of(@outputs), $outputs[0] );
}

# Measures a random machine and its twin. Returns a hash of machine, breaks (that were found), missed (those of the
# machine that were not, or not to 1 %), remarks, files (that were measured), and worst: for messages between hosts
# (far) and within one (near) outside of breaks, and for collectives, the largest relative difference and its length.
sub prove_twin ( $skampi, $seed, $longest ) {
    my $machine = random_machine( $seed, $longest );
    my @outputs = measured_machine( $skampi, $machine );
    my $fit     = fit_of(@outputs);
    my @breaks  = @{ $fit->{curves}{'message far'}{breaks} };
    my $twin    = twin_of( $fit, $outputs[0] );
    my ( $one, $other ) =
      map { run_on( $skampi, 'compared', $_, $SECTIONS . _compared($longest) ) }
      $machine->{platform},
      $twin->{platform};
    return {
        machine => $machine,
        breaks  => \@breaks,
        missed  => [ grep { !_is_found( $_, @breaks ) } @{ $machine->{breaks} } ],
        remarks => $twin->{remarks},
        files   => scalar @outputs,
        worst   => _worst( $one, $other, @breaks ),
    };
}

sub _compared ($longest) {
    my $messages =
      'Type = 1; Send_Datatype_Number = 1; Scale = Fixed_log; Start_Argument = 3; Stepwidth = '
      . ( $longest / 3 )**( 1 / 40 );
    my $last = int( $longest / 4 );
    return <<"END";
far  { $messages; End_Argument = $longest; Parameters = "partner=farthest"; }
near { $messages; End_Argument = $longest; Parameters = "partner=nearest"; }
* { Type = 47, 48, 54, 55, 60, 61, 64; Scale = Fixed_log; Start_Argument = 20; Stepwidth = 6; End_Argument = $last; }
END
}

sub _is_found ( $place, @breaks ) {
    return any { $_->{low} <= $place && $place < $_->{high} && !$_->{wide} } @breaks;
}

sub _worst ( $one, $other, @breaks ) {
    my %worst;
    for my $suite ( $one->suites ) {
        my $name = $suite->name =~ /\A(?:far|near)\z/ ? $suite->name : 'collectives';
        my %twins =
          map { $_->{argument} => $_->{time} } @{ $other->suite( $suite->label )->rows };
        for my $row ( @{ $suite->rows } ) {
            my $length = $row->{argument};
            next
              if $name ne 'collectives' && any { $_->{low} < $length && $length < $_->{high} }
              @breaks;
            my $off = abs( $twins{$length} / $row->{time} - 1 );
            $worst{$name} = [ $off, $length ] if $off > ( $worst{$name} // [-1] )->[0];
        }
    }
    return \%worst;
}

# How many of the intervals of a machine's messages hold the truth, of LAUNCHES launches with noise: a hash of covered
# and count for a, b (of pieces) and place (of breaks).
sub covered ( $seed, $launches, $relative ) {
    my $machine = random_machine( $seed, $ALL );
    my @outputs = map { _generated( $machine, $relative ) } 1 .. $launches;
    my $found =
      SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new(@outputs) )->{curves}{'message far'};
    my %count  = map { $_ => [ 0, 0 ] } qw(a b place breaks);
    my @breaks = @{ $found->{breaks} };
    $count{breaks} = [ @breaks == @{ $machine->{breaks} } ? 1 : 0, 1 ];
    return \%count if !$count{breaks}[0];
    for my $i ( keys @{ $machine->{pieces} } ) {
        my ( $true, $piece ) = ( $machine->{pieces}[$i], $found->{pieces}[$i] );
        _count( $count{$_},
            $piece->{"${_}_low"} <= $true->{$_} && $true->{$_} <= $piece->{"${_}_high"} )
          for qw(a b);
    }
    for my $i ( keys @breaks ) {
        my $place = $machine->{breaks}[$i];
        _count( $count{place},
            ( $breaks[$i]{from} // 0 ) <= $place && $place < ( $breaks[$i]{to} // 0 ) );
    }
    return \%count;
}

sub _count ( $pair, $is_covered ) {
    $pair->[0]++ if $is_covered;
    $pair->[1]++;
    return;
}

# A launch's results for messages between hosts.
sub _generated ( $machine, $relative ) {
    my ( $piece, @rows, %seen ) = (0);
    for my $i ( 0 .. 80 ) {
        my $length = int 2**( $i / 4 );
        next if $seen{$length}++;
        my ($true) = grep { $_->{above} < $length } reverse @{ $machine->{pieces} };
        my $normal = sqrt( -2 * log( 1 - rand ) ) * cos( 2 * 3.14159265358979 * rand );
        my $time   = 2 * ( $true->{a} + $true->{b} * $length ) * ( 1 + $relative * $normal );
        push @rows, sprintf '%d %.6f %.6f 8', $length, $time, $relative * $time / 10;
    }
    return results(
        { HOSTNAME => 'host0' },
        [
            'p2p_Far', 'length',
            \@rows, { type => '1 p2p_MPI_Send-MPI_Recv', notes => '#@PARTNER 1 host1' }
        ]
    );
}

1;
