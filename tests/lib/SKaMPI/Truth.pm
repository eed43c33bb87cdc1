package SKaMPI::Truth;

# Which types are compared with their true times on simulated machines: those that skampi lists,
# except those with a reason not to be.
use v5.36;

use Exporter     qw(import);
use SKaMPI::Test qw(skampi);

our @EXPORT_OK =
  qw(only listed_types compared_types quick_types types_on_grid types_with_reason has_length has_window has_work);

# The argument with which tests/sim/truth.c measures these types only.
sub only (@types) {
    return 'types=' . join q{,}, q{}, @types, q{};
}

my $LOCAL    = 'sends no message';
my $INTERNAL = 'measured by skampi itself';
my $MISSING  = 'missing in SMPI';
my @MISSING  = (
    84,         85,         102 .. 109, 220 .. 239, 263 .. 268, 283 .. 285,
    303 .. 306, 327 .. 331, 333 .. 338, 360 .. 372, 380 .. 396
);
my $CHECK = 'compared in by_ack.t';
my $TABLE = 'compared in applications.t';
my $RMA   = 'compared in rma.t';

my %REASON = (
    ( map { $_ => $LOCAL } 24 .. 29, 32, 100, 101, 140 .. 154, 164, 262, 377, 397 .. 399, 420 ),
    ( map { $_ => $INTERNAL } 50 .. 53 ),
    ( map { $_ => 'compared in shim/noise.t' } 270, 271 ),
    269 => "$MISSING; simulated with a library of its own in partitions.t",
    ( map { $_ => 'compared in shim/selftest.t' } 272 .. 278 ),
    170 => $CHECK,
    ( map { $_ => $TABLE } 120 .. 136 ),
    ( map { $_ => $RMA } 200 .. 208, 210 .. 218 ),
    ( map { $_ => $MISSING } @MISSING ),
);

my @QUICK = (
    1,   5,   8,   10,  13,  17, 18, 19, 31, 36, 47, 49, 54, 56, 59, 61, 86, 87, 90, 91, 160 .. 163,
    165, 167, 172, 175, 177, 180, 184, 185, 300, 311, 322
);

my %NO_LENGTH = map { $_ => 1 } 18, 22, 49, 57, 76, 77, 82, 83, 310, 350, 410;

# type => prefix of its pattern
sub listed_types () {
    my ($types) = split /^Datatypes/m, skampi( q{.}, '--list' )->{out};
    return $types =~ /^ +(\d+)  ([a-z0-9]+)_/mg;
}

# In order of their numbers; of all patterns or of some.
sub compared_types (@prefixes) {
    my %prefix = listed_types();
    my %wanted = map  { $_ => 1 } @prefixes ? @prefixes : values %prefix;
    my @types  = sort { $a <=> $b } grep { !$REASON{$_} && $wanted{ $prefix{$_} } } keys %prefix;
    return @types;
}

# Types of all patterns with small buffers and few messages: a load that many processes can handle in
# seconds.
sub quick_types () {
    return @QUICK;
}

# The types that are compared on a Cartesian topology of two periodic dimensions.
sub types_on_grid () {
    return ( 186, 286, 332 );
}

# The types that are not compared for this reason, or for any; in order.
sub types_with_reason ( $reason = undef ) {
    my @types = sort { $a <=> $b }
      grep { !defined $reason || $REASON{$_} =~ /$reason/ } keys %REASON;
    return @types;
}

sub has_length ($type) {
    return !$NO_LENGTH{$type};
}

sub has_window ($type) {
    return scalar grep { $_ == $type } 165 .. 169, 171, 175 .. 178, 373 .. 376;
}

sub has_work ($type) {
    return $type >= 300 && $type < 340;
}

1;
