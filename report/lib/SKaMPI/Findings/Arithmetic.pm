package SKaMPI::Findings::Arithmetic;

# Findings about the part of MPI_Allreduce that is arithmetic: to combine one buffer with another (MPI_Reduce_local). An
# MPI_Allreduce has to do this at least once, less a part of 1/p; algorithms for short messages do it more often.
use v5.36;

use SKaMPI::Base::Units      qw(format_argument format_bandwidth format_percent format_time);
use SKaMPI::Meaning::Subject qw(title_of);

# One finding for each MPI_Allreduce whose local combination was measured in the same way.
sub of ( $class, $selection ) {
    return
      map { _finding( $selection, $_ ) } $selection->suites( 'syncol', 'MPI_Allreduce', 'length' );
}

# At the longest length that both have measured: there, the arithmetic counts most.
sub _finding ( $selection, $suite ) {
    my $local  = $selection->like( $suite, 'MPI_Reduce_local' ) or return;
    my %local  = map  { $_->{argument} => $_ } _measured( $selection, $local );
    my @common = grep { $local{ $_->{argument} } } _measured( $selection, $suite ) or return;
    my $all    = $common[-1];
    my $one    = $local{ $all->{argument} };
    my $share  = $one->{time} / $all->{time};
    return {
        kind     => 'arithmetic',
        factor   => $share,
        evidence => $share,
        slow     => { suite => $suite, inexact => $all->{inexact} || $one->{inexact} },
        fast     => [],
        text     => _text( $suite, $all, $one, $share ),
    };
}

sub _measured ( $selection, $suite ) {
    return grep { $_->{argument} > 0 } $selection->curve_of($suite)->points;
}

sub _text ( $suite, $all, $one, $share ) {
    my $place = join ', ', format_argument( $all->{argument}, $suite->{arguments}[0] ),
      defined $suite->{nodes} ? "$suite->{nodes} processes" : ();
    return
        title_of($suite)
      . ': to combine a buffer once takes '
      . format_percent($share)
      . " of its time at $place ("
      . format_time( $one->{time} ) . ' of '
      . format_time( $all->{time} ) . ', '
      . format_bandwidth( $all->{argument} / $one->{time} ) . ').';
}

1;

