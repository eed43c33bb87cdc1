package SKaMPI::Meaning::Bandwidth;

# What bandwidth means for a suite. bandwidth_of(SUITE) returns undef unless the suite is varied
# over the message length, or over the size of the window, and its pattern has a bandwidth.
# Otherwise it returns a hash of factor (bytes transferred for each unit of the argument; factor *
# argument / microseconds are MB/s) and text, the definition in words that follow "bandwidth".
# SKaMPI::Meaning::Rates knows those of point-to-point messages.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Rates   qw(bandwidth_factor rate_texts);
use SKaMPI::Meaning::Subject qw(axis_of family_of operation_of option_of pattern_of);

our @EXPORT_OK = qw(bandwidth_of);

my $PER_TIME = 'the message length, divided by the time';

# For each family of patterns, the bytes transferred for each byte of the message length, and the definition for the
# reader. Bytes per microsecond are MB/s.
my %DEFINITION = (
    p2p => {
        factor => sub ($suite) { return 2 },
        text   => 'of both directions together: twice the message length, divided by the time',
    },
    mw => {
        factor => \&_chunks,
        text   => 'of all that the master sends: number of chunks times their length, divided by'
          . ' the time',
    },
    col => {
        factor => sub ($suite) { return 1 },
        text   => 'of one process: the message length, divided by the time',
    },
);

# Operations that are not like the others of their family.
my $OF_BOTH  = 'of one process, what it sends and receives';
my $OF_RINGS = {
    factor => sub ($suite) { return 2 },
    text   => "of one process, what it sends: twice $PER_TIME"
};
my %OF_OPERATION = (
    ( map { $_ => $OF_RINGS } qw(Rings_Sendrecv Rings_Isend_Irecv Rings_Alltoallv) ),
    Chain_Sendrecv => { factor => sub ($suite) { return 2 }, text => "$OF_BOTH: twice $PER_TIME" },
    Exchange => { factor => sub ($suite) { return 4 }, text => "$OF_BOTH: 4 times $PER_TIME" },
    Halo     => {
        factor => \&_partners,
        text   => "of one process, what it sends: number of partners times $PER_TIME"
    },
    Halo_Cartesian => {
        factor => \&_neighbours,
        text   => "of one process, what it sends: number of neighbours times $PER_TIME"
    },
    Fan_out =>
      { factor => \&_others, text => "of rank 0: number of other processes times $PER_TIME" },
    Fan_in =>
      { factor => \&_others, text => "of rank 0: number of other processes times $PER_TIME" },
);

# A dummy operation transfers nothing.
sub bandwidth_of ($suite) {
    return                      if operation_of($suite) =~ /\A(?:dummy|RMA_sync)\z/;
    return _of_messages($suite) if %{ rate_texts($suite) };
    return                      if axis_of($suite) ne 'length';
    my $family     = family_of( pattern_of($suite) =~ s/\Avt//r );
    my $definition = $OF_OPERATION{ operation_of($suite) } // $DEFINITION{$family} or return;
    my $factor     = $definition->{factor}->($suite)                               or return;
    return { factor => $factor, text => $definition->{text} };
}

sub _partners ($suite) {
    return option_of( $suite, 'partners' );
}

# Two in each dimension: "Cartesian 4 x 4, periodic yes no".
sub _neighbours ($suite) {
    my ($sizes) = ( $suite->{notes}{TOPOLOGY} // q{} ) =~ /\ACartesian ([0-9x ]{1,500})/ or return;
    return 2 * grep { $_ > 1 } split / x /, $sizes;
}

sub _others ($suite) {
    return ( $suite->{nodes} // 0 ) > 1 ? $suite->{nodes} - 1 : undef;
}

sub _of_messages ($suite) {
    my $factor = bandwidth_factor($suite) or return;
    return { factor => $factor, text => 'is ' . rate_texts($suite)->{bandwidth} };
}

# The number of all chunks, or undef if the file does not say it.
sub _chunks ($suite) {
    return if !$suite->{chunks};
    my $is_per_worker = ( $suite->{defaults} // q{} ) =~ /chunks per worker/;
    return $suite->{chunks} if !$is_per_worker;
    return ( $suite->{nodes} // 0 ) > 1 ? $suite->{chunks} * ( $suite->{nodes} - 1 ) : undef;
}

1;

