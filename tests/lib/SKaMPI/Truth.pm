package SKaMPI::Truth;

# Which types are compared with their true times on simulated machines: those that skampi lists,
# except those with a reason not to be.
use v5.36;

use Exporter                 qw(import);
use SKaMPI::Meaning::Catalog qw(row_of rows_of);

our @EXPORT_OK =
  qw(only listed_types compared_types quick_types types_on_grid types_with_reason has_length has_window has_work);

# The argument with which tests/sim/truth.c measures these types only.
sub only (@types) {
    return 'types=' . join q{,}, q{}, @types, q{};
}

# Features that SMPI lacks, in the words of the catalogue.
my $MISSING = 'missing in SMPI';
my %LACKED  = map { $_ => 1 } 'simulated processes have no TCP',
  map { "the MPI library lacks $_" } 'graph topologies', 'neighbourhood collectives',
  'sessions (MPI 4)',
  'files (MPI-IO)', 'persistent collectives', 'MPI_Isendrecv (MPI 4)';

my %OF_PATTERN = (
    simple   => 'sends no message',
    internal => 'measured by skampi itself; or compared in shim/noise.t',
    delayed  => 'compared in shim/selftest.t',
    check    => 'compared in by_ack.t'
);

sub _reason ($type) {
    my %has = map { $_ => 1 } @{ $type->{traits} };
    return $OF_PATTERN{ $type->{pattern} } if $OF_PATTERN{ $type->{pattern} };
    return $OF_PATTERN{simple} if "$type->{pattern} $type->{name}" =~ /^(?:p2p|pairs) dummy\z/;
    return "$MISSING; simulated with a library of its own in partitions.t"
      if $type->{name} eq 'Partitioned';
    return 'compared in applications.t' if $type->{topic} eq 'applications';
    return 'compared in rma.t'          if $has{one_sided};
    return $MISSING                     if grep { $LACKED{$_} } @{ $type->{needs} };
    return;
}

my %REASON =
  map { my $reason = _reason($_); $reason ? ( $_->{number} => $reason ) : () } rows_of('types');

my @QUICK = (
    1,   5,   8,   10,  13,  17, 18, 19, 31, 36, 47, 49, 54, 56, 59, 61, 86, 87, 90, 91, 160 .. 163,
    165, 167, 172, 175, 177, 180, 184, 185, 300, 311, 322
);

# type => prefix of its pattern
sub listed_types () {
    return map { $_->{number} => $_->{pattern} } rows_of('types');
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

sub _has ( $type, $trait ) {
    return scalar grep { $_ eq $trait } @{ row_of( types => $type )->{traits} };
}

sub has_length ($type) {
    return _has( $type, 'has_length' );
}

sub has_window ($type) {
    return _has( $type, 'window' );
}

sub has_work ($type) {
    return row_of( types => $type )->{pattern} eq 'overlap';
}

1;
