package SKaMPI::Report::Selection;

use v5.36;

use Exporter qw(import);

use SKaMPI::Report::Curve;

our @EXPORT_OK = qw(axis_of operation_of where_in);

# What names end with, beside the operation. A number is a datatype's, and another measurement.
my $ENDING = qr/-(?:BM|SM|nodes|length|chunks|short|long)\z/;

# Times of one call on the slowest process are told before those that hold a barrier.
my @COLLECTIVE_PREFIXES = qw(syncol col);

sub new ( $class, $output ) {
    my $self = bless { suites => {}, curves => {}, operations => {} }, $class;
    for my $suite ( grep { @{ $_->{rows} } } $output->suites ) {
        my $key = _key( $suite->{prefix}, operation_of($suite), axis_of($suite) );
        push @{ $self->{suites}{$key} }, $suite;
        $self->{operations}{ operation_of($suite) } = 1;
    }
    return $self;
}

sub operations ($self) {
    my @sorted = sort keys %{ $self->{operations} };
    return @sorted;
}

sub suites ( $self, $prefix, $operation, $axis ) {
    return @{ $self->{suites}{ _key( $prefix, $operation, $axis ) } // [] };
}

sub collective_suites ( $self, $operation, $axis ) {
    for my $prefix (@COLLECTIVE_PREFIXES) {
        my @suites = $self->suites( $prefix, $operation, $axis );
        return @suites if @suites;
    }
    return;
}

sub curve_of ( $self, $suite ) {
    return $self->{curves}{$suite} //= SKaMPI::Report::Curve->new($suite);
}

sub _key (@parts) {
    return join "\n", @parts;
}

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

=head1 SYNOPSIS

    my $selection = SKaMPI::Report::Selection->new($output);
    my ($suite) = $selection->collective_suites( 'MPI_Bcast', 'length' );
    my $point = $selection->curve_of($suite)->at(8);

=head1 DESCRIPTION

=over

=item operations

The names of all that are measured, sorted.

=item suites(PREFIX, OPERATION, AXIS)

The suites with rows, in the order of the file.

=item collective_suites(OPERATION, AXIS)

Those measured synchronously or, where there is none, by barriers; not those on virtual topologies.

=item curve_of(SUITE)

Its L<SKaMPI::Report::Curve>, made once.

=back

=head2 Functions

=over

=item axis_of(SUITE)

What is varied: C<length>, C<nodes>, C<chunks>, C<none>, or the text of the file.

=item operation_of(SUITE)

C<MPI_Bcast> of C<MPI_Bcast-nodes-short-SM>. The parameter files that ship name suites like that; a
suite with a derived datatype or a variant of its own, C<MPI_Bcast-31-SM>, keeps that ending.

=item where_in(SUITE, POINT)

A hash of the suite's label, argument (undef where nothing is varied), column (its name and unit, as
C<format_argument> of L<SKaMPI::Units> wants it) and interpolated (0 or 1).

=back

=cut
