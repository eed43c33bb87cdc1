package SKaMPI::Report::Selection;

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(axis_of operation_of suites_measuring where_in);

# What names end with, beside the operation. A number is a datatype's, and another measurement.
my $ENDING = qr/-(?:BM|SM|nodes|length|chunks|short|long)\z/;

# Times of one call on the slowest process are told before those that hold a barrier.
my @COLLECTIVE_PREFIXES = qw(syncol col);

# What is varied: length, nodes, chunks, none, or whatever the file says.
sub axis_of ($suite) {
    return 'none' if !@{ $suite->{arguments} };
    my $name = $suite->{arguments}[0]{name};
    return $name =~ /\b(length|nodes|chunks)\b/ ? $1 : $name;
}

# "MPI_Bcast" of "MPI_Bcast-nodes-short-SM"
sub operation_of ($suite) {
    my $name = $suite->{name};
    1 while $name =~ s/$ENDING//;
    return $name;
}

# Those of a collective operation, varied over that, in the order of the file: the synchronous ones
# or, where there is none, those measured by barriers.
sub suites_measuring ( $output, $operation, $axis ) {
    my @fit = grep { operation_of($_) eq $operation && axis_of($_) eq $axis && @{ $_->{rows} } }
      $output->suites;
    for my $prefix (@COLLECTIVE_PREFIXES) {
        my @suites = grep { $_->{prefix} eq $prefix } @fit;
        return @suites if @suites;
    }
    return;
}

# Where a number stands, for who looks it up.
sub where_in ( $suite, $point ) {
    return {
        label        => $suite->{label},
        argument     => axis_of($suite) eq 'none' ? undef : $point->{argument},
        column       => $suite->{arguments}[0],
        interpolated => $point->{interpolated},
    };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Selection - which suite measures what

=head1 DESCRIPTION

=over

=item axis_of(SUITE)

What is varied: C<length>, C<nodes>, C<chunks>, C<none>, or the text of the file.

=item operation_of(SUITE)

C<MPI_Bcast> of C<MPI_Bcast-nodes-short-SM>. The parameter files that ship name suites like that; a
suite with a derived datatype or a variant of its own, C<MPI_Bcast-31-SM>, keeps that ending.

=item suites_measuring(OUTPUT, OPERATION, AXIS)

The suites of a collective operation over this axis, without virtual topology, that have rows:
measured synchronously or, where there is none, by barriers.

=item where_in(SUITE, POINT)

A hash of the suite's label, argument (undef where nothing is varied), column (its name and unit, as
C<format_argument> of L<SKaMPI::Units> wants it) and interpolated (0 or 1). POINT is of a
L<SKaMPI::Report::Curve>.

=back

=cut
