# A program that is recorded on a simulated machine: calls times measured cost is the simulated time, waiting for late
# processes is the known one, and what another algorithm would save is what it saves.
use v5.36;

use List::Util              qw(max sum0);
use SKaMPI::Meaning::Costs  qw(cost_data costs_of recording_of savings_of);
use SKaMPI::Profile::File   qw(mpi_us read_profile);
use SKaMPI::Profile::Show   qw(uncovered_us waiting_us);
use SKaMPI::Profile::Suites qw(plan_of recording_of_plan suites_text);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulator);
use SKaMPI::Test qw(write_file enter_scratch succeeds);
use Test::More;

my ( $skampi, $program ) = build('program');
my $dir = enter_scratch();

sub run_simulated ( $machine, $settings, @command ) {
    my @simulator = simulator( @{$machine} );
    my $run =
      succeeds( SKaMPI::Test::command( $dir, @simulator, @{$settings}, @command ), "@command" );
    return $run->{out};
}

# The profile of the program, the microseconds it took in MPI, and those of waiting.
sub recorded ( $machine, $settings, $split, @arguments ) {
    local @ENV{qw(SKAMPI_RECORD SKAMPI_RECORD_SPLIT)} = ( 'app', $split );
    my ( $all, $waited ) = split q{ }, run_simulated( $machine, $settings, $program, @arguments );
    return ( read_profile('app'), $all, $waited );
}

sub results_of ( $machine, $settings, $p, $plan ) {
    unlink glob 'skampi.*';
    my ( $text, @files ) = suites_text( $p, $plan, 'app' );
    write_file( @{$_} ) for [ 'app.skampi', $text ], @files;
    run_simulated( $machine, $settings, $skampi, '--quiet', '-f', 'app.skampi' );
    return SKaMPI::Read::Output->from_file('skampi.out');
}

sub is_within ( $got, $expected, $part, $what ) {
    return cmp_ok abs( $got - $expected ), '<=', $part * abs $expected,
      sprintf '%s: %.3f, expected %.3f', $what, $got, $expected;
}

my @MACHINES = (
    [ flat => 4 ],
    $ENV{SKAMPI_LONG} ? ( [ two_level => 8 ], [ dragonfly => 7 ], [ torus64 => 33 ] ) : ()
);
for my $machine (@MACHINES) {
    my $what  = "$machine->[0], $machine->[1] processes";
    my @calls = qw(Allreduce:4096 Barrier Alltoall:256 Allgather:1000 Bcast:2048
      Allgatherv:400 Alltoallv:400 Reduce_scatter:400);

    my ( $p, $all ) = recorded( $machine, [], 0, 50, 0, @calls );
    is_within( mpi_us($p), $all, 1e-3, "$what, recorded time" );
    is uncovered_us($p), 0, "$what: suites cover all";
    my $plan = [ plan_of( $p, 1 ) ];
    is scalar @{$plan}, scalar @calls, "$what: a suite for each";
    my $output = results_of( $machine, [], $p, $plan );
    my $short  = recording_of_plan( $p, $plan );
    my $costs  = costs_of( $short, $output );
    is_deeply cost_data( scalar recording_of($output), [ q{}, $output ] ),
      cost_data( $short, [ q{}, $output ] ), "$what: the results alone say the same";
    is_within( $costs->{ $_->{name} }{time}, $_->{us}, 0.01, "$what, $_->{name}" )
      for @{ $short->{calls} };
    is_within( sum0( map { $_->{time} } values %{$costs} ), $all, 0.01, "$what, all" );

# Each half of a round trip is the time of one message, on both sides; all messages of a halo are one measurement.
# The measured pair is another one where they differ.
    for my $messages ( grep { $machine->[0] eq 'flat' } qw(Pingpong:1024 Pingpong:10000 Halo:512) )
    {
        my ( $of, $took ) = recorded( $machine, [], 0, 50, 0, $messages );
        my @parts  = plan_of( $of, 1 );
        my $result = results_of( $machine, [], $of, \@parts );
        my $cost   = costs_of( recording_of_plan( $of, \@parts ), $result );
        is uncovered_us($of), 0, "$what, $messages: suites cover all";
        is_within( sum0( map { $_->{time} } values %{$cost} ), $took, 0.01, "$what, $messages" );
    }

    for my $late ( [ 'Allreduce:4096', 100 ], [ 'Alltoall:1024', 30 ], [ 'Barrier', 100 ] ) {
        my ( $call, $us ) = @{$late};
        my ( $with, undef, $waited ) = recorded( $machine, [], 5, 400, $us, $call );
        is_within( sum0( map { waiting_us($_) } @{ $with->{cells} } ),
            $waited, 0.05, "$what, waiting in $call" );
    }

# With a root: all wait for it where it sends, it alone waits where it receives, and no one waits for the others. Waits
# are known to the time of the call, which is short on this machine.
    next if $machine->[0] ne 'flat';
    my ( $last, $calls ) = ( $machine->[1] - 1, 400 );
    for my $rooted (
        [ 1000, 0,     'Bcast:2048',  $last ],
        [ 1000, 0,     'Reduce:2048', 0 ],
        [ 1000, $last, 'Bcast:2048',  0 ],
        [ 1000, $last, 'Reduce:2048', 1 ],
        [ 20,   $last, 'Bcast:20000', 0 ],
      )
    {
        my ( $us, $late, $call, $wait ) = @{$rooted};
        my ($with) = recorded( $machine, [], 5, $calls, "$us\@$late", $call );
        my $got = sum0( map { waiting_us($_) } @{ $with->{cells} } ) / $calls / $us;
        cmp_ok abs( $got - $wait ), '<=', 0.05 * max( 1, $wait ),
          sprintf '%s, %s, %d late by %d us: %.3f wait, expected %d', $what, $call, $late, $us,
          $got, $wait;
    }
}

my @machine = ( flat => 8 );
my @other   = ('--cfg=smpi/allreduce:lr');
my @usual   = ('--cfg=smpi/allreduce:rdb');
my ( $p, $now ) = recorded( \@machine, \@usual, 0, 50, 0, 'Allreduce:65536', 'Allreduce:64' );
my $plan  = [ plan_of( $p, 1 ) ];
my $short = recording_of_plan( $p, $plan );
my @costs =
  map { costs_of( $short, results_of( \@machine, $_, $p, $plan ) ) } \@usual, \@other;
my ( undef, $then ) = recorded( \@machine, \@other, 0, 50, 0, 'Allreduce:65536', 'Allreduce:64' );
cmp_ok abs( $now - $then ), '>', 0.1 * $now, 'the algorithms differ';
is_within( savings_of(@costs)->{time}, $now - $then, 0.02, 'what another algorithm saves' );

done_testing();
