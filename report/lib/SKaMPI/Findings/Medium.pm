package SKaMPI::Findings::Medium;

# The cost of MPI above the medium below it: ping-pongs and streams beside TCP without MPI (types 305 and 306) of the
# same run, and beside what other programs measured (SKaMPI::Read::MediumFile).
use SKaMPI::Base;

use List::Util qw(any sum);

use SKaMPI::Base::Units      qw(format_bytes format_percent format_with_error);
use SKaMPI::Meaning::Catalog qw(pattern_row);
use SKaMPI::Meaning::Rates   qw(bandwidth_of rate_texts);
use SKaMPI::Meaning::Subject qw(attribute differing is_plain is_tcp option_of pattern_of title_of);
use SKaMPI::Read::MediumFile qw(media_beside);

# The media of a suite over the length: hashes of name, and points, in the order of the length: hashes of argument, time
# (microseconds, of as many messages as the suite's) and error. The file beside the results is read once.
sub media_of ( $output, $selection, $suite ) {
    return if !is_plain($suite) || ( $suite->varied // q{} ) ne 'message length';
    return if !defined rate_texts($suite)->{bandwidth};
    return if !any { $_ eq 'one_pair' } @{ pattern_row( pattern_of($suite) )->{traits} };
    my $path   = $output->path;
    my $beside = defined $path ? $output->once( media => sub ($) { [ media_beside($path) ] } ) : [];
    return ( ( map { _tcp( $selection, $_ ) } grep { _is_tcp_of( $suite, $_ ) } $selection->all ),
        map { _of_file( $suite, $_ ) } @{$beside} );
}

# Whether another suite is TCP with the same client, data, and number of messages in each direction.
sub _is_tcp_of ( $suite, $other ) {
    return
         is_tcp($other)
      && ( $other->varied // q{} ) eq 'message length'
      && ( $other->note('PARTNER') // q{} ) eq ( $suite->note('PARTNER') // q{} )
      && ( rate_texts($other)->{bandwidth} // q{} ) eq rate_texts($suite)->{bandwidth}
      && ( $other->window // 1 ) == ( $suite->window // 1 )
      && !differing( [qw(cache data paced buffers loop)], $suite, $other );
}

sub _tcp ( $selection, $suite ) {
    my $connections = option_of( $suite, 'connections' );
    my $by = join ', ', $suite->fact('INTERFACE')->{interface} // (),
      $connections > 1 ? "$connections connections" : ();
    return {
        name   => 'TCP without MPI' . ( $by ? " ($by)" : q{} ),
        points => [ grep { $_->{argument} > 0 && $_->{time} } $selection->curve_of($suite)->points ]
    };
}

# A round trip is two messages; a window takes as long as its bytes at that bandwidth.
sub _of_file ( $suite, $medium ) {
    my $is_stream = $suite->window ? 1 : 0;
    return if $is_stream != ( $medium->{kind} eq 'bandwidth' );
    my $factor = bandwidth_of($suite)->{factor};
    my $value  = $medium->{values};
    return {
        name   => $medium->{name},
        points => [
            map {
                {
                    argument => $_,
                    time     => $is_stream ? $factor * $_ / $value->{$_} : 2 * $value->{$_}
                }
              }
              sort { $a <=> $b } keys %{$value}
        ]
    };
}

# Hashes of share (of the medium's bandwidth, at the longest common length) and text, where MPI costs something. Only
# for data that stay the same, as other programs send them.
sub medium_findings ( $output, $selection, $suite ) {
    return if attribute( $suite, 'data' ) ne 'kept' || attribute( $suite, 'cache' ) ne 'warm';
    my %own = map { $_->{argument} => $_ } grep { $_->{time} } $selection->curve_of($suite)->points;
    my @found;
    for my $medium ( media_of( $output, $selection, $suite ) ) {
        my @common = map { [ $own{ $_->{argument} }, $_ ] }
          grep { $own{ $_->{argument} } } @{ $medium->{points} };
        next if !@common;
        my ( $mpi, $bare ) = @{ $common[-1] };
        my $share = $bare->{time} / $mpi->{time};
        my $adds  = $suite->window ? undef : _adds( @{ $common[0] } );
        next if $share >= 1 && !defined $adds;
        my $has = sprintf 'has %s of its bandwidth at %s',
          _with_error( format_percent($share), $share * _relative( $mpi, $bare ) ),
          format_bytes( $mpi->{argument} );
        my $what = join ', and ', $adds // (), $has;
        push @found,
          { share => $share, text => title_of($suite) . " and $medium->{name}: MPI $what." };
    }
    return @found;
}

# Half of the difference of two round trips.
sub _adds ( $mpi, $bare ) {
    my $us = ( $mpi->{time} - $bare->{time} ) / 2;
    return if $us <= 0;
    my $error = _relative( $mpi, $bare, 2 * $us );
    return sprintf 'adds %s to a message of %s',
      _with_error( format_with_error( $us, $error * $us, 'time' ), $error ),
      format_bytes( $mpi->{argument} );
}

# The error of two times, relative to their own sizes, or to another one.
sub _relative ( $one, $other, $size = undef ) {
    return sqrt sum map { ( ( $_->{error} // 0 ) / ( $size // $_->{time} ) )**2 } $one, $other;
}

sub _with_error ( $text, $error ) {
    return $text . ( $error ? " \x{b1}" . format_percent($error) : q{} );
}

1;
