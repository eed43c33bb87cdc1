use v5.36;

use Test::More;
use SKaMPI::Findings::Choices;
use SKaMPI::Results qw(cases_of results);

# "length: fastest time error; next margin" of each row.
sub summary (@suites) {
    return [
        map {
            my $choice = $_;
            ( "$choice->{task}, $choice->{measured}", map { _row($_) } @{ $choice->{rows} } )
        } SKaMPI::Findings::Choices->of( results( {}, @suites ) )
    ];
}

sub _row ($row) {
    my $text = "$row->{length}: $row->{fastest} $row->{time} $row->{error}";
    $text .= "; $row->{next} $row->{margin}" if $row->{next} ne q{};
    return $text =~ s/\x{b5}/u/gr =~ s/\x{b1}/+-/gr =~ s/ +\z//r;
}

sub over_length ( $label, @rows ) {
    return [ $label, 'length', \@rows ];
}

subtest 'the fastest of equivalent operations' => sub {
    my @cases = cases_of(<<'END');
three operations
  syncol_MPI_Bcast: 4 10 0.1, 8 20 0.2, 16 40 0.4
  syncol_MPI_Bcast_Send_Recv: 4 20 0.1, 8 20 0.2, 16 20 0.1
  syncol_MPI_Bcast_Send_Recv2: 4 15 0.1, 8 30 0.1, 16 80 0.1
  = Broadcast, synchronised
  = 4 B: MPI_Bcast 10.00 us +- 1.0 %; MPI_Bcast_Send_Recv2 1.50 +- 0.02
  = 8 B: MPI_Bcast 20.00 us +- 1.0 %; MPI_Bcast_Send_Recv 1.00 +- 0.01
  = 16 B: MPI_Bcast_Send_Recv 20.00 us +- 0.5 %; MPI_Bcast 2.00 +- 0.02
textbook algorithms
  syncol_MPI_Allreduce: 8 20 0.1, 1024 60 0.1
  syncol_Allreduce_ring: 8 40 0.1, 1024 30 0.1
  syncol_Allreduce_doubling: 8 10 0.1, 1024 90 0.1
  = Reduce to all, synchronised
  = 8 B: Allreduce_doubling 10.00 us +- 1.0 %; MPI_Allreduce 2.00 +- 0.02
  = 1 KiB: Allreduce_ring 30.00 us +- 0.3 %; MPI_Allreduce 2.00 +- 0.01
synchronised suites are preferred
  col_MPI_Gather: 4 10 0
  col_MPI_Gatherv: 4 10 0
  syncol_MPI_Gather: 4 10 0
  syncol_MPI_Gatherv: 4 10 0
  = Gather, synchronised
  = 4 B: MPI_Gather 10.00 us +- 0.0 %; MPI_Gatherv 1.00
suites with barriers, if there is no pair of synchronised ones
  col_MPI_Gather: 4 10 0
  col_MPI_Gatherv: 4 10 0
  syncol_MPI_Gather: 4 10 0
  = Gather, by barriers
  = 4 B: MPI_Gather 10.00 us +- 0.0 %; MPI_Gatherv 1.00
interpolated times
  p2p_MPI_Sendrecv: 4 10 0.1, 12 20 0.1
  p2p_MPI_Sendrecv_replace: 8 30 0.1
  = Exchange messages, ping-pong
  = 8 B: MPI_Sendrecv ~15.00 us +- 0.5 %; MPI_Sendrecv_replace ~2.00 +- 0.01
the next with its ratio, however small
  p2p_MPI_Sendrecv: 4 0.4345 0.01, 8 1 0.5, 12 1 1.5
  p2p_MPI_Sendrecv_replace: 4 1.267 0.45, 8 1.04 0, 12 1.06 0
  = Exchange messages, ping-pong
  = 4 B: MPI_Sendrecv 434.5 ns +- 2.3 %; MPI_Sendrecv_replace 2.92 +- 1.04
  = 8 B: MPI_Sendrecv 1.000 us +- 50.0 %; MPI_Sendrecv_replace 1.04 +- 0.52
  = 12 B: not known
contended and unsteady times
  p2p_MPI_Sendrecv: 4 10 0.1 8 # contended=1, 12 20 0.1 8
  p2p_MPI_Sendrecv_replace: 8 30 0.1 8 # unsteady=1
  = Exchange messages, ping-pong
  = 8 B: MPI_Sendrecv ~15.00 us! +- 0.5 %; MPI_Sendrecv_replace ~2.00 +- 0.01!^
suites found by type
  mw_a {type=10 mw_MPI_Waitsome}: 4 10 0
  mw_b {type=11 mw_MPI_Waitany}: 4 20 0
  mw_MPI_Recv_Any_Source {type=30 mw_dummy}: 4 5 0
  = Wait for any worker, all chunks
  = 4 B: MPI_Waitsome 10.00 us +- 0.0 %; MPI_Waitany 2.00
a single operation :: syncol_MPI_Bcast: 4 10 0.1, 8 20 0.2, 16 40 0.4
derived datatypes
  syncol_MPI_Bcast-31: 4 10 0.1, 8 20 0.2, 16 40 0.4
  syncol_MPI_Bcast_Send_Recv-31: 4 10 0.1, 8 20 0.2, 16 40 0.4
other numbers of processes
  syncol_MPI_Bcast {nodes=4}: 4 10 0.1, 8 20 0.2, 16 40 0.4
  syncol_MPI_Bcast_Send_Recv {nodes=8}: 4 10 0.1, 8 20 0.2, 16 40 0.4
no argument in common :: col_MPI_Gather: 8 1 0 :: col_MPI_Gatherv: 4 1 0
END
    for my $case (@cases) {
        my ( $name, $suites, @wanted ) = @{$case};
        is_deeply summary( @{$suites} ), \@wanted, $name;
    }
};

subtest 'which marks a choice has' => sub {
    my ($choice) = SKaMPI::Findings::Choices->of(
        results(
            {},
            over_length( 'p2p_MPI_Sendrecv', '4 10 0.1 8', '12 20 0.1 8' ),
            over_length( 'p2p_MPI_Sendrecv_replace', '8 30 0.1 8 # contended=1' )
        )
    );
    is $choice->{marks}, q{!}, 'those of its times; interpolation is another';
};

subtest 'many arguments' => sub {
    my @many = map { 2**$_ . ' 10 0.1' } 1 .. 25;
    my ($choice) = SKaMPI::Findings::Choices->of(
        results(
            {},
            over_length( 'col_MPI_Scatter',  @many ),
            over_length( 'col_MPI_Scatterv', @many )
        )
    );
    cmp_ok scalar @{ $choice->{rows} }, '<=', 10, 'a task has at most ten rows';
};

done_testing;
