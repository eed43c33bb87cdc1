package SKaMPI::Read::MediumFile;

# The medium below MPI, as other programs measured it: the file FILE.medium beside the results FILE has, one after the
# other, the output of ib_write_lat, ib_write_bw (perftest), fi_pingpong, fi_bw (libfabric) and ucx_perftest.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Program  qw(complain);
use SKaMPI::Base::TextFile qw(is_present number_of read_bytes);

# The largest file that is read.
my $LARGEST = 1024 * 1024;

my ( $MILLION, $MEBI ) = ( 1e6, 1024 * 1024 );

my %SIZE = ( q{} => 1, k => 1024, m => 1024**2, g => 1024**3 );

# Lines that begin a table: their form, the program, what it measures, the column of the value (from 0; that of the
# length is the first), and what the value is multiplied by. A latency is that of a message in one direction, in
# microseconds; a bandwidth becomes 10^6 bytes per second.
my @TABLES = (
    [ qr/\A\s*#bytes\s+#iterations\s+t_min.*t_typical/, 'perftest', 'latency', 4, 1 ],
    [ qr/\A\s*#bytes\s+#iterations\s+t_avg/,            'perftest', 'latency', 2, 1 ],
    [
        qr{\A\s*#bytes\s+#iterations\s+BW peak\[Mi?B/sec\]},
        qw(perftest bandwidth 3),
        $MEBI / $MILLION
    ],
    [ qr{\A\s*#bytes\s+#iterations\s+BW peak\[Gb/sec\]}, 'perftest',    'bandwidth', 3, 1000 / 8 ],
    [ qr/\A\s*bytes\s+#sent\s+#ack\s+total\s+time/,      'fi_pingpong', 'latency',   6, 1 ],
    [ qr/\A\s*bytes\s+iters\s+total\s+time/,             'fi_bw',       'bandwidth', 4, 1 ],
);

# Tests of perftest that are no messages in one direction.
my $OTHER_TEST = qr/Bidirectional|RDMA_Read\s+Latency|Atomic/;

# Values that no medium has are a mistake, and so are lengths that no message has.
my ( $LEAST, $MOST, $LONGEST ) = ( 1e-4, 1e9, 2**50 );

# Lists of hashes of name (of the program), kind (latency or bandwidth) and values (by length in bytes). A file that
# cannot be read is a warning.
sub media_beside ($path) {
    my $file = "$path.medium";
    return if !is_present($file);
    my $bytes = eval { read_bytes( $file, $LARGEST ) };
    my @media = defined $bytes ? media_in($bytes)                               : ();
    my $wrong = defined $bytes ? "'$file' contains no table of a known program" : $@ =~ s/\n.*//sr;
    complain("$wrong; it is not used") if !@media;
    return @media;
}

# A table ends with the first line that is none of its rows.
sub media_in ($bytes) {
    my ( @media, $table, $is_other, $is_ping_pong, %ucx );
    for my $line ( split /\r?\n/, $bytes ) {
        $is_other     = $line =~ $OTHER_TEST if $line =~ /\b(?:Latency|BW)\s+Test\b/;
        $is_ping_pong = 1 if $line =~ /pingpong/;
        my ($begun) = grep { $line =~ $_->[0] } @TABLES;
        if ($begun) {
            $table        = $is_other ? undef : $is_ping_pong ? _as_ping_pong($begun) : $begun;
            $is_ping_pong = 0;
            next;
        }
        my @found = _ucx( \%ucx, $line ) ? @{ $ucx{found} } : $table ? _row( $table, $line ) : ();
        $table = undef if !@found && $line =~ /\S/;
        _add( \@media, @found ) if @found && _is_possible( @found[ 2, 3 ] );
    }
    return grep { %{ $_->{values} } } @media;
}

sub _is_possible ( $length, $value ) {
    return $length >= 1 && $length <= $LONGEST && $value >= $LEAST && $value <= $MOST;
}

# fi_bw and fi_rdm_pingpong of fabtests print the same columns. Only a line before them says which it is.
sub _as_ping_pong ($table) {
    my ( $form, $name ) = @{$table};
    return $name eq 'fi_bw' ? [ $form, 'fi_pingpong', 'latency', 5, 1 ] : $table;
}

sub _row ( $table, $line ) {
    my ( undef, $name, $kind, $of_value, $factor ) = @{$table};
    my @words = split q{ }, $line;
    my ( $length, $unit ) = ( $words[0] // q{} ) =~ /\A([0-9]+)([kmg]?)\z/i or return;
    my $value = number_of( $words[$of_value] // q{} ) // return;
    return ( $name, $kind, $length * $SIZE{ lc $unit }, $value * $factor );
}

# A table in a frame for each length, whose last line (Final) has the averages of all iterations. MB are MiB. Only the
# side that listens prints the length; it is the bandwidth divided by the message rate.
sub _ucx ( $ucx, $line ) {
    $ucx->{length} = $1 if $line =~ /\A\|\s*Message size:\s+([0-9]+)/;
    $ucx->{shows}  = $1 if $line =~ /\A\|.*\|\s*(latency|overhead)\s*\(usec\)/;
    return 0 if $line !~ /\AFinal:\s+(.*)/;
    my ( $us, $mib, $rate ) = ( map { number_of($_) } split q{ }, $1 )[ 3, 5, 7 ];
    return 0 if any { ( $_ // 0 ) < $LEAST || $_ > $LONGEST } $us, $mib, $rate;
    my $length = delete $ucx->{length}
      // _rounded( $mib * $MEBI / $rate, 0.005 / $mib + 0.5 / $rate );
    my @found =
        ( $ucx->{shows} // q{} ) eq 'latency'
      ? ( 'latency', $length, $us )
      : ( 'bandwidth', $length, $mib * $MEBI / $MILLION );
    $ucx->{found} = [ 'ucx_perftest', @found ];
    return 1;
}

# The power of two within this part of a number, or the nearest whole number.
sub _rounded ( $number, $part ) {
    my $power = 2**sprintf '%.0f', log($number) / log 2;
    return abs( $power / $number - 1 ) <= $part ? $power : sprintf '%.0f', $number;
}

sub _add ( $media, $name, $kind, $length, $value ) {
    my ($medium) = grep { $_->{name} eq $name && $_->{kind} eq $kind } @{$media};
    push @{$media}, $medium = { name => $name, kind => $kind, values => {} } if !$medium;
    $medium->{values}{ $length + 0 } = $value;
    return;
}

1;
