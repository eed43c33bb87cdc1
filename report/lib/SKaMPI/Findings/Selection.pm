package SKaMPI::Findings::Selection;

use v5.36;

use Exporter   qw(import);
use List::Util qw(first);

use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Subject qw(axis_of operation_of pattern_of variant_of);

our @EXPORT_OK = qw(where_in);

# Times of the slowest process are preferred to those that contain a barrier.
my @COLLECTIVE_PREFIXES = qw(syncol col);

# Made once for each output.
sub of ( $class, $output ) {
    return $output->{selection} //= $class->new($output);
}

sub new ( $class, $output ) {
    return $class->among( $output->suites );
}

sub among ( $class, @suites ) {
    my $self = bless { all => [], suites => {}, curves => {} }, $class;
    for my $suite ( grep { @{ $_->{rows} } } @suites ) {
        push @{ $self->{all} }, $suite;
        my $key = _key( pattern_of($suite), operation_of($suite), axis_of($suite) );
        push @{ $self->{suites}{$key} }, $suite;
    }
    return $self;
}

sub all ($self) { return @{ $self->{all} } }

sub suites ( $self, $prefix, $operation, $axis ) {
    return @{ $self->{suites}{ _key( $prefix, $operation, $axis ) } // [] };
}

sub collective_suites ( $self, $operation, $axis ) {
    return map { $self->suites( $_, $operation, $axis ) } @COLLECTIVE_PREFIXES;
}

# The suite that measures this operation (by default, the same) in the same way as SUITE.
sub like ( $self, $suite, $operation = operation_of($suite), %other ) {
    my $wanted = variant_of( $suite, %other );
    return
      first { variant_of($_) eq $wanted }
      $self->suites( pattern_of($suite), $operation, axis_of($suite) );
}

sub curve_of ( $self, $suite ) {
    return $self->{curves}{$suite} //= SKaMPI::Meaning::Curve->new($suite);
}

sub _key (@parts) {
    return join "\n", @parts;
}

# The place of a number in the results.
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

SKaMPI::Findings::Selection - finds suites by what they measure

=head1 SYNOPSIS

    my $selection = SKaMPI::Findings::Selection->of($output);
    my ($suite) = $selection->collective_suites( 'MPI_Bcast', 'length' );
    my $point = $selection->curve_of($suite)->at(8);

=head1 DESCRIPTION

=over

=item of(OUTPUT)

The selection of a L<SKaMPI::Read::Output>, created once.

=item among(SUITE...)

The selection of these suites.

=item all

The suites with rows, in the order of the file.

=item suites(PREFIX, OPERATION, AXIS)

The suites that measure this (L<SKaMPI::Meaning::Subject>), with any datatype.

=item collective_suites(OPERATION, AXIS)

The suites measured synchronously, then those measured by barriers, without those on virtual topologies.

=item like(SUITE, OPERATION, ATTRIBUTE => VALUE...)

The first suite that measures OPERATION (by default, that of SUITE) over the same axis and with the same
attributes as SUITE, except for those given; undef if there is none.

=item curve_of(SUITE)

Its L<SKaMPI::Meaning::Curve>, created once.

=back

=head2 Functions

=over

=item where_in(SUITE, POINT)

A hash of the suite's label, argument (undef if nothing is varied), column (its name and unit, for
C<format_argument> of L<SKaMPI::Base::Units>) and interpolated (0 or 1).

=back

=cut
