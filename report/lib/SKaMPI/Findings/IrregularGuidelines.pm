package SKaMPI::Findings::IrregularGuidelines;

# What irregular collectives should not cost more than. The kinds are
# - equal counts: with equal counts, MPI_Gatherv does what MPI_Gather does, and should not be more
#     than 5 % slower.
# - one type: MPI_Alltoallw with one type does what MPI_Alltoallv does.
# - padded: the regular operation with all parts as long as the longest moves more data, and a
#     program can pad its parts.
# - unequal counts: the regular operation of the same total. This is not a guideline: it shows what
#     unequal parts cost.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Subject qw(attribute axis_of operation_of);

our @EXPORT_OK = qw(irregular_guidelines);

# The spread of suites whose operation has none.
my $NONE = 'linear';

# Hashes of kind, operation, spread and factor: what should not be faster than the suite if its length is multiplied by
# the factor.
sub irregular_guidelines ($suite) {
    my ($call) = operation_of($suite) =~ /\AIrregular_([A-Za-z_]{1,40})\z/ or return;
    my $spread = attribute( $suite, 'spread' );
    my $kind   = $spread eq 'uniform' ? 'equal counts' : 'unequal counts';
    my $plain  = 'MPI_' . $call =~ s/[vw]\z//r;
    return (
        { kind => $kind, operation => $plain, spread => $NONE, factor => 1 },
        _padded( $suite, $plain ),
        $call eq 'Alltoallw'
        ? {
            kind      => 'one type',
            operation => 'Irregular_Alltoallv',
            spread    => $spread,
            factor    => 1
          }
        : (),
    );
}

# The regular operation with all parts as long as the longest, if that is the same for the whole suite.
sub _padded ( $suite, $plain ) {
    my ($longest) =
      ( $suite->{notes}{SPREAD} // q{} ) =~ /\A[^\n]*: longest ([0-9]{1,9}[.][0-9]{3})\b[^\n]*\z/;
    return if axis_of($suite) ne 'length' || !defined $longest || $longest <= 1;
    return { kind => 'padded', operation => $plain, spread => $NONE, factor => $longest };
}

1;

