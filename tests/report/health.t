#!/usr/bin/perl
# Is the machine all right? Each line from generated launches; the table of limits.
use v5.36;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../report/lib";
use SKaMPI::Document::HealthText   qw(health_text);
use SKaMPI::Findings::Health       qw(health_of health_status);
use SKaMPI::Findings::HealthLimits qw(health_limits health_lines);
use SKaMPI::Generated              qw(normal random_from);
use SKaMPI::Results                qw(results);

my $BINDING = "rank host cpus\n# 0 a 0\n# 1 a 1";
my %FACTS   = (
    MPILIBRARY       => 'Open MPI v4.1.4',
    PROCESSES        => 4,
    PROCESSESPERHOST => 'a:4',
    SERVED           => "pml: ob1\n# btl: self vader",
    CPUSHARE         => '99.5 %: rank 0 on host a, 3 involuntary switches',
    STEAL            => '0.0 %: host a',
    RESIDUAL         => '0.020000 microsec.',
);
my %TYPE = (
    'p2p_Send'         => [ '1 p2p_MPI_Send-MPI_Recv', 2 ],
    'syncol_memcpy'    => [ '58 syncol_memcpy',        40 ],
    'syncol_Allreduce' => [ '61 syncol_MPI_Allreduce', 10 ],
    'syncol_Reduce'    => [ '54 syncol_MPI_Reduce',    5 ],
    'syncol_Bcast'     => [ '47 syncol_MPI_Bcast',     6 ],
);

# A launch of messages of which work hides these parts, in percent.
sub hiding (@percent) {
    my $i    = 0;
    my @rows = map { ( 8 * ++$i ) . " 2 0.01 20 # overlap=$_ overlap_error=2" } @percent;
    my @suite =
      ( 'overlap_Isend', 'length', \@rows, { type => '300 overlap_MPI_Isend-MPI_Irecv' } );
    return results( \%FACTS, \@suite );
}

# A launch whose suites take FACTOR{LABEL} times as long as a healthy one's.
sub launch ( $random, $spread, $facts, %factor ) {
    my @suites;
    for my $label ( sort keys %TYPE ) {
        my ( $type, $us ) = @{ $TYPE{$label} };
        my @rows = map {
            my $time =
              $us * ( 1 + $_ / 8192 ) * ( $factor{$label} // 1 ) * exp( $spread * normal($random) );
            sprintf '%d %f %f 20 # p25=%f median=%f p75=%f', $_, $time, 0.01 * $time,
              map { $_ * $time } 0.95, 1, 1.05
        } 8, 512, 4096, 65_536, 524_288;
        push @suites, [ $label, 'length', \@rows, { type => $type } ];
    }
    return results( { %FACTS, %{$facts} }, @suites );
}

sub launches ( $seed, $count, $spread, $facts, %factor ) {
    my $random = random_from($seed);
    return map { launch( $random, $spread, $facts, %factor ) } 1 .. $count;
}

sub states ($health) {
    return { map { $_->{name} => $_->{state} } @{ $health->{lines} } };
}

sub line_of ( $health, $name ) {
    return ( grep { $_->{name} eq $name } @{ $health->{lines} } )[0];
}

my $GOOD = {
    'set-up'                => 'good',
    messages                => 'good',
    collectives             => 'good',
    evenness                => 'cannot tell',
    steadiness              => 'good',
    'overlap and one-sided' => 'not measured',
};

is_deeply [ map { $_->[0] } health_lines() ],
  [ 'set-up', qw(messages collectives evenness steadiness), 'overlap and one-sided' ], 'six lines';
my %is_line = map { $_->[0] => 1 } health_lines();
ok $is_line{ $_->{line} } && $_->{limit} > 0 && length $_->{todo}, "limit $_->{name}"
  for health_limits();

subtest 'healthy launches' => sub {
    my $health = health_of( launches( 1, 6, 0.03, {} ) );
    is_deeply states($health), $GOOD, 'all good but for what was not measured';
    is $health->{launches},    6, 'launches';
    is health_status($health), 3, 'status: it cannot tell all';
    my $one = health_of( launches( 1, 1, 0.03, {} ) );
    is states($one)->{steadiness}, 'cannot tell', 'one launch does not show how launches differ';
    like line_of( $one, 'steadiness' )->{decides}, qr/skampi-launch --health/, 'what would';
    like join( "\n", health_text($health) ),       qr/^  good +set-up: /m,     'on the terminal';
};

subtest 'what a line says' => sub {
    my $set_up = line_of( health_of( launches( 5, 1, 0.03, {} ) ), 'set-up' );
    is $set_up->{value},
      'the library uses pml ob1; each process got at least 99.5 % of a CPU (rank 0 on host a); '
      . 'hosts lost at most 0.0 % of their CPUs to others (host a); clocks agree within 20.00 ns',
      'set-up';
    my @put     = ( 'p2p_Put', 'length', ['8 2 0.01 20'], { type => '201 p2p_RMA_Put' } );
    my $besides = line_of( health_of( results( \%FACTS, \@put ) ), 'overlap and one-sided' );
    is "$besides->{state}: $besides->{value}",
      'cannot tell: RMA_Put (synchronised by flush) at 8 B: 2.000 us (1.980 us to 2.020 us)',
      'without a message to hold it against';
    is $besides->{decides}, 'messages that are measured in the same way', 'what would decide';
};

subtest 'overlap' => sub {
    for my $case (
        [ look => [ 4, 1 ],             [ 6, 2 ], [ 1, 0.5 ], [ -2, -9 ], [ 8, 1 ], [ 0, 0 ] ],
        [ good => map { [ $_, 3 ] } 45, 50,       38,         41,         55,       47 ],
        [ look          => [ 4,  1 ] ],
        [ good          => [ 3,  45 ] ],
        [ 'cannot tell' => [ 18, 2 ] ],
      )
    {
        my ( $state, @launches ) = @{$case};
        my $line =
          line_of( health_of( map { hiding( @{$_} ) } @launches ), 'overlap and one-sided' );
        is $line->{state}, $state, "$state, " . @launches . ': ' . $line->{value};
    }
    my $line = line_of( health_of( hiding(30) ), 'overlap and one-sided' );
    is "$line->{value}; $line->{against}",
      'MPI_Isend and MPI_Irecv, hidden by work at the best length: 30.0 % (26.4 % to 34.1 %); '
      . 'work that hides all of it; limit at least 20.0 %', 'the larger, the better';
};

# The process that loses most counts.
subtest 'detours' => sub {
    for my $case ( [ look => 20, 2 ], [ good => 0.3, 0.1 ], [ good => 0, 0 ] ) {
        my ( $state, $lost, $error ) = @{$case};
        my @rows  = map { "$_ 9 1 20 # lost=" . $_ * $lost . " lost_error=$error" } 0, 1;
        my @suite = (
            'internal_Detours', 'nodes', \@rows,
            { type => '270 internal_noise', notes => '#@EXTRA lost [percent] of the time' }
        );
        my $line = line_of( health_of( map { results( \%FACTS, \@suite ) } 1 .. 6 ), 'steadiness' );
        is $line->{state}, $state, "$lost %: $line->{value}";
        like $line->{value}, qr/process 1 loses/, 'the process that loses most' if $lost;
    }
};

# The header of a run that was ended has neither; the suite in the middle counts.
subtest 'set-up of an unfinished run' => sub {
    my %begun = map { $_ => $FACTS{$_} } grep { !/\A(?:CPUSHARE|STEAL|RESIDUAL)\z/ } keys %FACTS;
    for my $case ( [ look => 41, 25, 99 ], [ good => 98, 25, 99 ] ) {
        my ( $state, @percents ) = @{$case};
        my @suites = map {
            [
                "p2p_Send$_", 'length', ['8 2 0.01 20'],
                { notes => "#\@CPUSHARE $_.0 %: rank 1 on host a, 9 involuntary switches" }
            ]
        } @percents;
        my $line = line_of( health_of( results( \%begun, @suites ) ), 'set-up' );
        is $line->{state}, $state, "$state: $line->{value}";
        like $line->{value}, qr/least $percents[0]\.0 % of a CPU .* in half of the suites or more/,
          'whose share, and in what';
    }
};

# Defects, and the lines that show them.
my @DEFECTS = (
    [
        'contention', { CPUSHARE => '41.0 %: rank 1 on host a, 9 involuntary switches' },
        {}, ['set-up']
    ],
    [ 'a warning',     { WARNING => 'not bound: rank 0 can be moved; bind it' }, {}, ['set-up'] ],
    [ 'a set clock',   { RESIDUAL => '250000.0 microsec.' },                     {}, ['set-up'] ],
    [ 'TCP in a host', { SERVED => "pml: ob1\n# btl: self tcp" },                {}, ['set-up'] ],
    [ 'steal',         { STEAL => '30.0 %: host a' },                            {}, ['set-up'] ],
    [ 'slow copies',       {}, { p2p_Send => 1500 },      ['messages'] ],
    [ 'a slow collective', {}, { syncol_Allreduce => 9 }, ['collectives'] ],
);
for my $defect (@DEFECTS) {
    my ( $name, $facts, $factor, $lines ) = @{$defect};
    my %expected = ( %{$GOOD}, map { $_ => 'look' } @{$lines} );
    for my $count ( 1, 6 ) {
        my $health = health_of( launches( 2, $count, 0.03, $facts, %{$factor} ) );
        my %states = %{ states($health) };
        $expected{steadiness} = $count == 1 ? 'cannot tell' : 'good';
        is_deeply \%states, \%expected, "$name, $count: only its line";
        is health_status($health), 1, 'status 1';
        ok length line_of( $health, $lines->[0] )->{todo}, 'what to do';
    }
}

subtest 'what to do' => sub {
    my $slow =
      line_of( health_of( launches( 3, 6, 0.03, {}, syncol_Allreduce => 9 ) ), 'collectives' );
    like $slow->{value},
      qr/^MPI_Allreduce at .*, against MPI_Reduce and MPI_Bcast: [78][.]\d+ \([67][.]\d+ to /,
      'value with interval';
    like $slow->{cost}, qr/ us, [78][.]\d+ times$/, 'cost';
    my %set = ( SETTINGS => 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring (environment)' );
    $slow =
      line_of( health_of( launches( 3, 6, 0.03, \%set, syncol_Allreduce => 9 ) ), 'collectives' );
    is $slow->{todo}, 'leave out the setting MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring',
      'a forced algorithm';
};

is states( health_of( launches( 4, 6, 0.9, {} ) ) )->{steadiness}, 'look', 'launches that differ';

subtest 'healthy launches have no look' => sub {
    my $looks = 0;
    for my $seed ( 10 .. 39 ) {
        my $health = health_of( launches( $seed, 6, 0.08, {} ) );
        $looks++ if grep { $_->{state} eq 'look' } @{ $health->{lines} };
    }
    cmp_ok $looks, '<=', 1, 'at most 1 of 30';
};

done_testing;
