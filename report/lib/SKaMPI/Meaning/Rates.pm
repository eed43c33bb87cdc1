package SKaMPI::Meaning::Rates;

# Bandwidths and rates, derived from times by the formulas of the catalogue: the bytes and events of
# one repetition of a type.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Meaning::Catalog qw(row_of type_row);
use SKaMPI::Meaning::Subject
  qw(attribute axis_of count_option_of operation_of option_of pattern_of);

my @SYMBOLS = (
    [ L => 'message length' ],
    [ W => 'messages in a window' ],
    [ x => 'time' ],
    [ P => 'pairs' ],
    [ p => 'processes' ],
);

# The factor of a rate by the words of its row; undef if it is unknown. OF has the suite's parameters.
my %TIMES = (
    window    => sub ( $suite, $of ) { return $of->{window} },
    pairs     => sub ( $suite, $of ) { return $of->{pairs} },
    processes => sub ( $suite, $of ) { return $of->{nodes} },
    others    => sub ( $suite, $of ) {
        my $size = _size( $suite, $of ) // return;
        return $size > 1 ? $size - 1 : undef;
    },
    part     => sub ( $suite, $of ) { return 1 / ( _size( $suite, $of ) // return ) },
    partners => sub ( $suite, $of ) { return count_option_of( $suite, 'partners' ) },

    # Two neighbours in each dimension: "4 x 4".
    neighbours => sub ( $suite, $of ) {
        my $sizes = $suite->fact('TOPOLOGY')->{sizes} // return;
        return 2 * grep { $_ > 1 } split / x /, $sizes;
    },
    chunks => sub ( $suite, $of ) {
        my $chunks = $suite->chunks || return;
        return $chunks if ( $suite->defaults // q{} ) !~ /chunks per worker/;
        return ( $of->{nodes} // 0 ) > 1 ? $chunks * ( $of->{nodes} - 1 ) : undef;
    },
);

# The processes of a collective: those of a group, unless the number of groups is varied.
sub _size ( $suite, $of ) {
    return if axis_of($suite) eq 'groups' || !$of->{nodes};
    return $of->{nodes} / ( count_option_of( $suite, 'groups' ) // return );
}

# The rate of a time that is unlike the type's, by the key as: half of a round trip is one message.
sub _rate_of_other_time ( $suite, $type ) {
    my ($name) = split / /, $suite->time_name;
    return if option_of( $suite, 'as' ) eq 'no' || $name eq ( $type->{time} // $name );
    my $rate = row_of( rates => ( row_of( times => $name ) // {} )->{rate} // q{} ) // return;
    return $rate->{plotted} ? undef : $rate;
}

# The suite's row of the catalogue; one access in an epoch is no window.
sub _rate_of ($suite) {
    my $type = type_row( pattern_of($suite), operation_of($suite) ) // {};
    my $rate = row_of( rates => $type->{rate} // q{} )              // return;
    $rate = _rate_of_other_time( $suite, $type ) // $rate;
    $rate = row_of( rates => $rate->{notified} )
      if $rate->{notified} && ( attribute( $suite, 'sync' ) // q{} ) eq 'notify';
    return $rate if !$rate->{single} || axis_of($suite) eq 'window' || $suite->window;
    return row_of( rates => $rate->{single} );
}

sub _words_of ($rate) { return split / /, $rate->{by} // q{} }

# The parameters of a row, as far as they are known: its argument, or what the suite has fixed.
sub _parameters ( $suite, $row ) {
    my %of = map { $_ => $suite->$_ } qw(window nodes);
    $of{threads}           = count_option_of( $suite, 'threads' );
    $of{length}            = $suite->message_length;
    $of{ axis_of($suite) } = $row->{argument};
    $of{length} = $row->{extras}{length} // $of{length};    # length_is=total: that of a part
    my ($pairs) = map { $_->{extras}{pairs} // () } $row, @{ $suite->rows };
    $of{pairs} = axis_of($suite) ne 'nodes' || $row->{extras}{pairs} ? $pairs : undef;
    $of{pairs} //= int( $of{nodes} / 2 ) if $of{nodes};
    return \%of;
}

# The factor of a rate; undef if a part of it is unknown. Each thread makes the same calls.
sub _times ( $suite, $rate, $of ) {
    my $factor = $of->{threads} // return;
    $factor *= $TIMES{$_}->( $suite, $of ) // return for _words_of($rate);
    return $factor;
}

# A hash of bandwidth (MB/s, 10^6 bytes per second) and rate (per second): round trips, exchanges or
# messages. Values that do not apply, or that the file does not determine, are missing. The ROW may
# be any hash of argument and time.
sub rates_of ( $suite, $row ) {
    my $rate = _rate_of($suite) // return {};
    return {} if $rate->{plotted} || ( $row->{time} // 0 ) <= 0;
    my $of     = _parameters( $suite, $row );
    my $factor = _times( $suite, $rate, $of ) // return {};
    my %rates;
    $rates{rate}      = $rate->{events} * $factor / $row->{time} * 1e6 if $rate->{events};
    $rates{bandwidth} = $rate->{messages} * $factor * $of->{length} / $row->{time}
      if $rate->{messages} && $of->{length};
    return \%rates;
}

# The meaning of bandwidth for a suite that is varied over the message length, the size of the window, or threads: a
# hash of name (of the rate), factor (bytes transferred for each byte of the length, for each message of the window, or
# for each thread: factor * argument / microseconds are MB/s), and text, the definition in words that follow
# "bandwidth". Undef if no bandwidth is defined.
sub bandwidth_of ($suite) {
    my $rate = _rate_of($suite) // return;
    my $axis = axis_of($suite);
    my @axes = ( 'length', 'threads', grep { $_ eq 'window' } _words_of($rate) );
    return if !$rate->{messages} || !any { $_ eq $axis } @axes;
    my $of     = _parameters( $suite, { argument => 1 } );
    my $factor = ( _times( $suite, $rate, $of ) // 0 ) * $rate->{messages} * ( $of->{length} // 0 );
    return if !$factor;
    my $text = $rate->{plotted} // "is $rate->{bandwidth}";
    $text .= ', of all threads together' if _has_threads($suite);
    return { name => $rate->{name}, factor => $factor, text => $text };
}

sub _has_threads ($suite) {
    return axis_of($suite) eq 'threads' || ( count_option_of( $suite, 'threads' ) // 1 ) > 1;
}

# A hash of bandwidth and rate: how they are computed. Empty for a suite without these.
sub rate_texts ($suite) { return $suite->once( rate_texts => \&_texts ) }

sub _texts ($suite) {
    my $rate    = _rate_of($suite) // return {};
    my $threads = _has_threads($suite) ? ', times the number of threads' : q{};
    return { map { $_ => "$rate->{$_}$threads" } grep { defined $rate->{$_} } qw(bandwidth rate) };
}

# The meaning of the letters in such texts: "L: message length, x: time".
sub rate_symbols (@texts) {
    return join ', ', map { "$_->[0]: $_->[1]" }
      grep {
        my $symbol = $_->[0];
        grep { /\b$symbol\b/ } @texts
      } @SYMBOLS;
}

1;
