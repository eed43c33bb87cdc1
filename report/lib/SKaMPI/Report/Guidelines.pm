package SKaMPI::Report::Guidelines;

use v5.36;

use List::Util qw(any first);

use SKaMPI::Report::Estimate  qw(is_clearly_longer quotient sum_of);
use SKaMPI::Report::Selection qw(where_in);

# What should not be slower than what: an operation, the kind of the guideline and, one after the
# other, what does the same. Behind a colon stands the length of that, in lengths of the operation:
# p is the number of processes.
my @GUIDELINES = (
    [qw(MPI_Bcast variant MPI_Bcast_Send_Recv)],
    [qw(MPI_Bcast variant MPI_Bcast_Send_Recv2)],
    [qw(MPI_Gather variant MPI_Gather_SR)],
    [qw(MPI_Gather variant MPI_Gather_ISWA)],
    [qw(MPI_Alltoall variant MPI_Alltoall_Isend_Irecv)],
    [qw(MPI_Alltoallv variant MPI_Alltoallv_Isend_Irecv)],
    [qw(MPI_Allreduce variant MPI_Reduce_Bcast)],
    [qw(MPI_Reduce_scatter variant MPI_Reduce_Scatterv)],
    [qw(MPI_Gather general MPI_Gatherv)],
    [qw(MPI_Scatter general MPI_Scatterv)],
    [qw(MPI_Allgather general MPI_Allgatherv)],
    [qw(MPI_Alltoall general MPI_Alltoallv)],
    [qw(MPI_Gather general MPI_Allgather)],
    [qw(MPI_Reduce general MPI_Allreduce)],
    [qw(MPI_Scatter general MPI_Bcast:p)],
    [qw(MPI_Allreduce composed MPI_Reduce MPI_Bcast)],
    [qw(MPI_Allreduce composed MPI_Reduce_scatter:1/p MPI_Allgather:1/p)],
    [qw(MPI_Allgather composed MPI_Gather MPI_Bcast:p)],
    [qw(MPI_Bcast composed MPI_Scatter:1/p MPI_Allgather:1/p)],
    [qw(MPI_Reduce composed MPI_Reduce_scatter:1/p MPI_Gather:1/p)],
    [qw(MPI_Reduce_scatter composed MPI_Reduce:p MPI_Scatter)],
    [qw(MPI_Reduce_scatter composed MPI_Allreduce:p)],
);

my @PREFIXES = qw(syncol col p2p);

# All violations, one for each suite and guideline.
sub violations ( $class, $selection ) {
    my @violations;
    for my $guideline ( @GUIDELINES, _about_packing($selection) ) {
        for my $axis (qw(length nodes)) {
            push @violations, _violations( $selection, $axis, @{$guideline} );
        }
    }
    return @violations;
}

# A datatype should not be slower than a program that packs the message itself.
sub _about_packing ($selection) {
    my @packed = grep { /-pack-/ } $selection->operations;
    return map { [ s/-pack-/-/r, 'variant', $_ ] } @packed;
}

# Measured synchronously, or else by barriers.
sub _violations ( $selection, $axis, $operation, $kind, @parts ) {
    for my $prefix (@PREFIXES) {
        my ( $any, @violations );
        for my $suite ( $selection->suites( $prefix, $operation, $axis ) ) {
            my @terms = map { _term( $selection, $suite, $axis, $_ ) } @parts;
            next if @terms != @parts;
            $any = 1;
            push @violations, _violation( $selection, $suite, $kind, @terms );
        }
        return @violations if $any;
    }
    return;
}

# The suite of a part that is measured with the same defaults, and its length in lengths of the
# operation; nothing if there is none.
sub _term ( $selection, $suite, $axis, $part ) {
    my ( $operation, $length ) = split /:/, $part;
    my $default = $axis eq 'length' ? 'nodes' : 'message_length';
    my $wanted  = $suite->{$default} // return;
    my $factor  = _factor( $length, $axis, $suite->{nodes} ) or return;
    my $fits    = first { defined $_->{$default} && $_->{$default} == $wanted }
      $selection->suites( $suite->{prefix}, $operation, $axis );
    return $fits ? { suite => $fits, factor => $factor } : ();
}

sub _factor ( $length, $axis, $nodes ) {
    return 1 if !defined $length;
    return   if $axis ne 'length' || !$nodes;
    return $length eq 'p' ? $nodes : 1 / $nodes;
}

# The worst of them stands for the suite.
sub _violation ( $selection, $suite, $kind, @terms ) {
    my @compared = map { _compared( $selection, $_, @terms ) } $selection->curve_of($suite)->points;
    my @measured = grep { !$_->{interpolated} } @compared;
    @compared = @measured if @measured;
    my @slower = grep { is_clearly_longer( $_->{point}, $_->{sum} ) } @compared or return;
    my ($worst) = sort { $b->{factor} <=> $a->{factor} } @slower;
    return {
        kind   => $kind,
        factor => $worst->{factor},
        slow   => _told( $suite, $worst->{point} ),
        fast   => [ map { _told( $terms[$_]{suite}, $worst->{parts}[$_] ) } 0 .. $#terms ],
        sum    => $worst->{sum},
        count  => scalar @slower,
        of     => scalar @compared,
        first  => $slower[0]{point}{argument},
        last   => $slower[-1]{point}{argument},
    };
}

# A point beside what does the same, or nothing where that was not measured.
sub _compared ( $selection, $point, @terms ) {
    my @parts =
      map { $selection->curve_of( $_->{suite} )->at( $point->{argument} * $_->{factor} ) // () }
      @terms;
    return if @parts != @terms;
    my $sum = sum_of(@parts);
    return {
        point        => $point,
        parts        => \@parts,
        sum          => $sum,
        factor       => quotient( $point, $sum )->{ratio},
        interpolated => ( any { $_->{interpolated} } @parts ) ? 1 : 0,
    };
}

sub _told ( $suite, $point ) {
    return { suite => $suite, %{ where_in( $suite, $point ) }, %{$point}{qw(time error inexact)} };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Guidelines - operations that are slower than others that do the same

=head1 DESCRIPTION

An MPI library keeps all of its promises, and is slower than it has to be, where a user could put
another operation, or several, in the place of the one that is made for the purpose. What should
hold is known as self-consistent performance guidelines (J. L. Traeff, W. Gropp, R. Thakur:
Self-consistent MPI performance requirements, EuroPVM/MPI 2007). There are three kinds:

=over

=item variant

A collective should not be slower than the same written by hand, which a suite measures as well:
C<MPI_Bcast> and C<MPI_Bcast_Send_Recv>, C<MPI_Allreduce> and C<MPI_Reduce_Bcast>. Nor should a message
of a derived datatype be slower than one that is packed by hand: C<MPI_Send-MPI_Recv-31> and
C<MPI_Send-MPI_Recv-pack-31>.

=item general

An operation should not be slower than a more general one: C<MPI_Gather> and C<MPI_Gatherv>,
C<MPI_Reduce> and C<MPI_Allreduce>.

=item composed

Nor slower than the sum of others that do the same, each measured by a suite of its own:
C<MPI_Allreduce> and C<MPI_Reduce> followed by C<MPI_Bcast>. The sum of their slowest processes, or of
their times with a barrier, is an upper bound of what they would take one after the other, so such a
finding is a safe one.

=back

Suites are compared that are measured the same way (synchronously, or else by barriers), over the same,
and with the same default number of processes or length. Lengths count as the suites count them: per
process where every process has a part of its own. What is clearly longer is said in
L<SKaMPI::Report::Estimate>. Arguments that all suites have measured are compared; if there are none,
times in between are interpolated.

C<violations(SELECTION)> takes a L<SKaMPI::Report::Selection> and returns a list of hashes:

    kind         variant, general, composed
    factor       how many times as long, at the argument where this is most
    slow         the operation there: a hash of suite, time, error, inexact and what where_in of
                 SKaMPI::Report::Selection says
    fast         a list: the same of what does the same
    sum          the estimate they add up to
    count, of    at how many of the compared arguments it is clearly slower
    first, last  the smallest and the largest of these arguments

=cut
