package SKaMPI::Report::IrregularGuidelines;

use v5.36;

use Exporter qw(import);

use SKaMPI::Report::Subject qw(attribute operation_of);

our @EXPORT_OK = qw(irregular_guidelines);

# The spread of suites whose operation has none.
my $NONE = 'linear';

# What the suite of an irregular collective is compared with: a list of hashes of kind, operation and spread.
sub irregular_guidelines ($suite) {
    my ($call) = operation_of($suite) =~ /\AIrregular_([A-Za-z_]{1,40})\z/ or return;
    my $spread = attribute( $suite, 'spread' );
    my $kind   = $spread eq 'uniform' ? 'equal counts' : 'unequal counts';
    my $plain  = 'MPI_' . $call =~ s/[vw]\z//r;
    return (
        { kind => $kind, operation => $plain, spread => $NONE },
        $call eq 'Alltoallw'
        ? { kind => 'one type', operation => 'Irregular_Alltoallv', spread => $spread }
        : (),
    );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::IrregularGuidelines - what irregular collectives should not cost more than

=head1 DESCRIPTION

C<irregular_guidelines(SUITE)> returns hashes of kind, operation and spread: what should not be faster than SUITE. The
kinds are

=over

=item equal counts

With equal counts, C<MPI_Gatherv> does what C<MPI_Gather> does, and should not be more than 5 % slower.

=item one type

C<MPI_Alltoallw> with one type does what C<MPI_Alltoallv> does.

=item unequal counts

The regular operation of the same total. This is no guideline: it shows what unequal parts cost.

=back

=cut
