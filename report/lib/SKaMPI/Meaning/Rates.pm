package SKaMPI::Meaning::Rates;

# Bandwidth and rate of messages, derived from times. For ping-pongs, streams and the cost of
# issuing, by one pair or by all pairs at once, for files, and for the arithmetic of
# MPI_Reduce_local. Other suites have no rates.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Subject qw(attribute axis_of operation_of pattern_of);

our @EXPORT_OK = qw(bandwidth_factor rates_of rate_symbols rate_texts);

# In the order in which they are explained.
my @SYMBOLS = (
    [ L => 'message length' ],
    [ W => 'messages in a window' ],
    [ x => 'time' ],
    [ P => 'pairs' ],
    [ p => 'processes' ],
);

# What one repetition of an operation transfers, by the operation's name: messages of the length and events that
# are counted (of streams, for each message of the window), and the formulas for the reader.
my @KINDS = (
    {
        pattern   => 'io',
        name      => qr/\AMPI_File_(?:read|write)/,
        messages  => 1,
        events    => 1,
        processes => 1,
        bandwidth => 'p L / x, the parts of all processes together',
        rate      => 'p / x, calls of all processes per second',
    },
    {
        pattern   => 'io',
        name      => qr/\AMPI_File_sync/,
        messages  => 1,
        processes => 1,
        bandwidth => 'p L / x, what all processes have written before',
    },
    {
        pattern   => 'syncol',
        name      => qr/\AMPI_Reduce_local\z/,
        messages  => 1,
        bandwidth => 'L / x, what one process combines',
    },
    {
        name      => qr/\AStream_both_/,
        messages  => 2,
        events    => 2,
        windows   => 1,
        bandwidth => '2 W L / x, windows in both directions',
        rate      => '2 W / x, messages per second in both directions',
    },
    {
        name      => qr/\AStream_/,
        messages  => 1,
        events    => 1,
        windows   => 1,
        bandwidth => 'W L / x, a window in one direction',
        rate      => 'W / x, messages per second',
    },
    {
        name    => qr/\AIssue_/,
        events  => 1,
        windows => 1,
        rate    => 'W / x, messages issued per second'
    },
    {
        name      => qr/\A(?:MPI_Sendrecv|PingPing|Persistent_Startall)/,
        messages  => 2,
        events    => 1,
        bandwidth => '2 L / x, both directions of an exchange',
        rate      => '1 / x, exchanges per second',
    },
    {
        name      => qr/\ARMA_(?!sync)/,
        window    => 1,
        sync      => 'notify',
        messages  => 2,
        events    => 2,
        windows   => 1,
        bandwidth => '2 W L / x, windows of accesses in both directions',
        rate      => '2 W / x, accesses per second in both directions',
    },
    {
        name      => qr/\ARMA_(?!sync)/,
        window    => 1,
        messages  => 1,
        events    => 1,
        windows   => 1,
        bandwidth => 'W L / x, a window of accesses',
        rate      => 'W / x, accesses per second',
    },
    {
        name      => qr/\ARMA_(?!sync)/,
        sync      => 'notify',
        messages  => 2,
        events    => 1,
        bandwidth => '2 L / x, both directions of a round trip with notifications',
        rate      => '1 / x, round trips with notifications per second',
    },
    {
        name      => qr/\ARMA_(?!sync)/,
        messages  => 1,
        events    => 1,
        bandwidth => 'L / x, one access',
        rate      => '1 / x, accesses per second',
    },
    {
        name      => qr/\A(?:MPI|Persistent)_/,
        messages  => 2,
        events    => 1,
        bandwidth => '2 L / x, both directions of a round trip',
        rate      => '1 / x, round trips (transactions) per second',
    },
);

# Streams of pairs are added up, with the slowest pair's time; a ping-pong of pairs is that of the slowest pair.
my $ALL_PAIRS = 'P times ';

sub _kind_of ($suite) {
    my $pattern = pattern_of($suite) =~ s/\Apairs\z/p2p/r;
    for my $kind (@KINDS) {
        next         if $pattern ne ( $kind->{pattern} // 'p2p' );
        return $kind if operation_of($suite) =~ $kind->{name} && _is_so( $suite, $kind );
    }
    return;
}

# One access in an epoch is no window.
sub _is_so ( $suite, $kind ) {
    return 0 if $kind->{window} && axis_of($suite) ne 'window' && !$suite->{window};
    return !$kind->{sync} || ( attribute( $suite, 'sync' ) // q{} ) eq $kind->{sync};
}

sub _adds_up ( $suite, $kind ) {
    return $kind->{windows} && pattern_of($suite) eq 'pairs';
}

# The parameters of a row, as far as they are known: its argument, or what the suite has fixed.
sub _parameters ( $suite, $row ) {
    my %fixed = (
        length => $suite->{message_length},
        window => $suite->{window},
        nodes  => $suite->{nodes},
    );
    my %of      = ( %fixed, axis_of($suite) => $row->{argument} );
    my ($pairs) = map { $_->{extras}{pairs} // () } $row, @{ $suite->{rows} };
    $of{pairs} = axis_of($suite) ne 'nodes' || $row->{extras}{pairs} ? $pairs : undef;
    $of{pairs} //= int( $of{nodes} / 2 ) if $of{nodes};
    return \%of;
}

# What to multiply with; undef if a part of it is unknown.
sub _times ( $suite, $kind, $of ) {
    my $factor = 1;
    $factor *= $of->{window} // return if $kind->{windows};
    $factor *= $of->{nodes}  // return if $kind->{processes};
    $factor *= $of->{pairs}  // return if _adds_up( $suite, $kind );
    return $factor;
}

# A hash of bandwidth (MB/s, 10^6 bytes per second) and rate (per second): round trips, exchanges or
# messages. What does not apply, or cannot be computed from the file, is missing. The ROW may be any
# hash of argument and time.
sub rates_of ( $suite, $row ) {
    my $kind = _kind_of($suite) // return {};
    return {} if ( $row->{time} // 0 ) <= 0;
    my $of     = _parameters( $suite, $row );
    my $factor = _times( $suite, $kind, $of ) // return {};
    my %rates;
    $rates{rate}      = $kind->{events} * $factor / $row->{time} * 1e6 if $kind->{events};
    $rates{bandwidth} = $kind->{messages} * $factor * $of->{length} / $row->{time}
      if $kind->{messages} && $of->{length};
    return \%rates;
}

# Bytes transferred for each byte of the length, or for each message of the window if that is
# varied: factor * argument / microseconds are MB/s. Undef if the argument is something else.
sub bandwidth_factor ($suite) {
    my $kind = _kind_of($suite) // return;
    my $axis = axis_of($suite);
    return if !$kind->{messages} || $axis !~ ( $kind->{windows} ? qr/length|window/ : qr/length/ );
    my $of     = _parameters( $suite, { argument => 1 } );
    my $factor = _times( $suite, $kind, $of ) // return;
    return defined $of->{length} ? $kind->{messages} * $factor * $of->{length} : undef;
}

# A hash of bandwidth and rate: the formulas and what they count.
# A hash of bandwidth and rate: how they are computed. Empty if the suite has none.
sub rate_texts ($suite) {
    my $kind = _kind_of($suite) // return {};
    my $all  = _adds_up( $suite, $kind ) ? $ALL_PAIRS : q{};
    return {
        map  { $_ => $all . $kind->{$_} }
        grep { defined $kind->{$_} } qw(bandwidth rate)
    };
}

# rate_symbols(TEXT...): what the letters in such texts mean.
# What the letters of these formulas mean: "L: message length, x: time".
sub rate_symbols (@texts) {
    return join ', ', map { "$_->[0]: $_->[1]" }
      grep {
        my $symbol = $_->[0];
        grep { /\b$symbol\b/ } @texts
      } @SYMBOLS;
}

1;

