# Is the machine all right? Each line from generated launches; the table of limits.
use v5.36;

use Test::More;
use SKaMPI::Findings::HealthText qw(health_text);
use SKaMPI::Findings::Health     qw(health_of health_status);
use SKaMPI::Generated            qw(normal random_from);
use SKaMPI::Base::Program        qw(catalog_path);
use SKaMPI::Meaning::Catalog     qw(rows_of);
use SKaMPI::ReportTest           qw(tool workplace);
use SKaMPI::Results              qw(results results_text);
use SKaMPI::Stat::Estimate       qw(student);
use SKaMPI::Test                 qw($ROOT read_file);

my %FACTS = (
    MPILIBRARY       => 'Open MPI v4.1.4',
    PROCESSES        => 4,
    PROCESSESPERHOST => 'a:4',
    SERVED           => "pml: ob1\n# btl: self vader",
    CPUSHARE         => '99.5 %: rank 0 on host a, 3 involuntary switches',
    STEAL            => '0.0 %: host a',
    RESIDUAL         => '0.001400 microsec.',
    CLOCKBOUND       => '57.000000 microsec., by half of the round trips between processes',
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
    my @rows = map { ( 8 * ++$i ) . " 2 0.01 20 # overlap=$_ overlap_error=2 passes=5" } @percent;
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
            sprintf '%d %f %f 20 # p25=%f median=%f p75=%f passes=5', $_, $time, 0.01 * $time,
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
    evenness                => 'not measured',
    steadiness              => 'good',
    'overlap and one-sided' => 'not measured',
};

my @LINES   = ( qw(set-up messages collectives evenness steadiness), 'overlap and one-sided' );
my %is_line = map { $_ => 1 } @LINES;
@is_line{qw(hosts findings usual)} = (1) x 3;    # skampi health, and other questions
ok $is_line{ $_->{line} } && $_->{limit} > 0 && length $_->{todo}, "limit $_->{name}"
  for rows_of('limits');

subtest 'healthy launches' => sub {
    my $health = health_of( launches( 1, 6, 0.03, {} ) );
    is_deeply [ map { $_->{name} } @{ $health->{lines} } ], \@LINES, 'six lines';
    is_deeply states($health), $GOOD, 'all good except what was not measured';
    is $health->{launches},    6, 'launches';
    is health_status($health), 0, 'status: what was judged is good';
    my $one = health_of( launches( 1, 1, 0.03, {} ) );
    is_deeply [ states($one), health_status($one) ], [ $GOOD, 0 ], 'one launch, too';
    my ($own) =
      launches( 1, 1, 0.03, { OVERSUBSCRIBED => 'yes', MPILIBRARY => 'Open MPI v4.1.4' } );
    like health_of($own)->{more}, qr/ -np 4 --oversubscribe skampi\z/,
      'an option that Open MPI needs';
    my $text = join "\n", health_text($one);
    like $text, qr/^Is the machine all right\? good \(1 launch\)$/m, 'the answer';
    like $text, qr/^  good +set-up: /m,                              'on the terminal';
    like $text,
      qr/^  Another run decides more: skampi health --launches 6 -- \S+ -np 4 skampi$/m,
      'what only another run decides is a line';
};

# An error between this many visits.
my $VISITS = 5;

# A suite with one row.
sub suite_of ( $label, $us, $error ) {
    return [ $label, 'length', ["8 $us $error 20 # passes=$VISITS"], { type => $TYPE{$label}[0] } ];
}

# A launch whose line has a value this many times its limit, with this standard error of its logarithm.
my %LAUNCH_WITH = (
    messages => sub ( $ratio, $error ) {
        return suite_of( 'p2p_Send', 20 * $ratio, 20 * $ratio * $error );
    },
    collectives => sub ( $ratio, $error ) {
        return (
            suite_of( 'syncol_Allreduce', 8 * $ratio, 8 * $ratio * $error ),
            map { suite_of( "syncol_$_", 1, 0 ) } qw(Reduce Bcast)
        );
    },
    steadiness => sub ( $ratio, $error ) {
        my $lost = 5 * $ratio;
        return [
            'internal_Detours', 'nodes',
            ["0 9 1 20 # lost=$lost lost_error=@{[ $error * $lost ]}"],
            { type => '270 internal_noise' }
        ];
    },
    'overlap and one-sided' => sub ( $ratio, $error ) {
        my $hidden = 20 / $ratio;
        return [
            'overlap_Isend',
            'length',
            [
"8 2 0.01 20 # overlap=$hidden overlap_error=@{[ $hidden * ( exp($error) - 1 ) ]} passes=$VISITS"
            ],
            { type => '300 overlap_MPI_Isend-MPI_Irecv' }
        ];
    },
);

subtest 'good and look need the whole interval' => sub {
    for my $name ( sort keys %LAUNCH_WITH ) {
        my $half = 0.05 * ( $name eq 'steadiness' ? 2 : student( $VISITS - 1 ) );
        for my $case (
            [ -$half - 0.01, 'good',        0 ],
            [ -$half + 0.01, 'cannot tell', 0 ],
            [ $half - 0.01,  'cannot tell', 3 ],
            [ $half + 0.01,  'look',        1 ]
          )
        {
            my ( $log, $state, $status ) = @{$case};
            my $health = health_of( results( \%FACTS, $LAUNCH_WITH{$name}->( exp $log, 0.05 ) ) );
            my $line   = line_of( $health, $name );
            is "$line->{state}, status " . health_status($health), "$state, status $status",
              "$name: $line->{value}";
            is length $line->{todo} > 0, $state eq 'look', 'what to do only if there is something';
        }
    }
};

# A value that is within its limit, that may be, that may be beyond it, and that is beyond it.
subtest 'show, its page and the manual have one status' => sub {
    my $page   = read_file("$ROOT/docs/man/skampi-show.1.pod") =~ s/\s+/ /gr;
    my @words  = ( "$ROOT/docs/tables.pl", catalog_path(), 'health_states' );
    my @manual = split /^/m, tool( q{.}, $^X, @words )->{out};
    my %state  = ( 0.5 => 'good', 0.99 => 'good', 1.01 => 'cannot tell', 2 => 'look' );
    for my $ratio ( sort keys %state ) {
        my $dir =
          workplace( x => results_text( \%FACTS, $LAUNCH_WITH{messages}->( $ratio, 0.05 ) ) );
        my $got = tool( $dir, $^X, "$ROOT/report/show.pl", '--health', 'x' );
        my ( $status, undef, $state, $text ) =
          map { split /&|\\\\\n/ } grep { /^\d&[^&]*&$state{$ratio}&/ } @manual;
        like $got->{out}, qr/^Is the machine all right[?] $state\b/, "$ratio: $state";
        is $got->{status}, $status, 'status of the manual';
        like $page, qr/=item $status, $state \Q\u$text\E[.] /, 'and of the page';
    }
};

subtest 'evenness needs the whole interval' => sub {
    for my $case ( [ good => 1.5 ], [ 'cannot tell' => 1.95 ], [ look => 3 ] ) {
        my ( $state, $ratio ) = @{$case};
        my @launches = map {
            my $slow = $ratio * exp( 0.05 * $_ );
            results(
                \%FACTS,
                [
                    'syncol_memcpy', 'length',
                    ["8 9 0.01 20 1 1 $slow # passes=5"], { type => $TYPE{syncol_memcpy}[0] }
                ]
            )
        } -2 .. 3;
        my $line = line_of( health_of(@launches), 'evenness' );
        is $line->{state}, $state, $line->{value};
    }
};

# Errors as they were seen: no interval of 250 digits is printed.
subtest 'errors above the value' => sub {
    for my $name ( sort keys %LAUNCH_WITH ) {
        for my $error ( 0.8, 4, 300 ) {
            my $health = health_of( results( \%FACTS, $LAUNCH_WITH{$name}->( 0.5, $error ) ) );
            my $line   = line_of( $health, $name );
            is $line->{state}, 'cannot tell', "$name, error $error";
            like $line->{value}, qr/: error above 50 %\z/, 'no ratio is printed';
        }
    }
    my ($many) = results( \%FACTS, $LAUNCH_WITH{messages}->( 0.5, 0.01 ) );
    $_->{extras}{passes} = 1e12 for map { @{ $_->{rows} } } map { $_->suites } $many;
    is line_of( health_of($many), 'messages' )->{value},
      'latency within a host: 5.000 us (4.903 us to 5.099 us)', 'any number of visits';
    my @single = map { results( \%FACTS, $LAUNCH_WITH{messages}->( $_, 0.01 ) ) } 0.5, 1.5;
    delete $_->{extras}{passes} for map { @{ $_->{rows} } } map { $_->suites } @single;
    is_deeply [ map { line_of( health_of($_), 'messages' )->{state} } @single ],
      [ ('cannot tell') x 2 ], 'one visit has no interval';
};

subtest 'contention turns its own light' => sub {
    my %facts  = ( CPUSHARE => '24.0 %: rank 1 on host a, 9 involuntary switches' );
    my @output = launches( 2, 1, 0.03, \%facts, p2p_Send => 1500, syncol_Allreduce => 9 );
    for my $row ( map { @{ $_->{rows} } } map { $_->suites } @output ) {
        $row->{extras}{contended} = 1;
    }
    my $health = health_of(@output);
    is_deeply states($health),
      {
        %{$GOOD},
        'set-up' => 'look',
        map { $_ => 'cannot tell' } qw(messages collectives steadiness)
      },
      'the others cannot tell';
    my $text = join "\n", health_text($health);
    like $text, qr/^Is the machine all right\? look: set-up; not judged: messages, collectives,$/m,
      'the answer';
    like $text,   qr/^  cannot tell +messages: Processes waited for CPUs[.]$/m, 'and why';
    unlike $text, qr/ptrace|other programs/, 'what has no evidence is not named';
    my $over = { %facts, OVERSUBSCRIBED => 'yes' };
    is
      scalar( grep { $_->{name} eq 'set-up' }
          @{ health_of( launches( 2, 1, 0.03, $over ) )->{lines} } ),
      1, 'more processes than CPUs: one cause, one line';
    $facts{CPUSHARE} .= ', other programs 3.1 s';
    like line_of( health_of( launches( 2, 1, 0.03, \%facts ) ), 'set-up' )->{todo},
      qr/^stop other programs/, 'with evidence, they are';
    my @launches = launches( 2, 6, 0.03, {}, syncol_Allreduce => 9 );
    $_->{extras}{contended} = 1 for map { @{ $_->{rows} } } map { $_->suites } @launches[ 0, 1 ];
    is_deeply states( health_of(@launches) ), { %{$GOOD}, collectives => 'look' },
      'two of six launches: the others judge';

    for my $case ( [ 0, 1, 'whose errors are small' ], [ 3, 6, 'whose errors are not' ] ) {
        my ( $status, $times, $what ) = @{$case};
        @launches = launches( 2, 6, 0.03, {} );
        for my $row ( map { @{ $_->{rows} } } map { $_->suites } @launches[ 0 .. 3 ] ) {
            $row->{extras}{contended} = 1;
            $row->{error} *= $times;
        }
        is health_status( health_of(@launches) ), $status, "four of six, $what: status $status";
    }
};

subtest 'processes that are not bound are a note' => sub {
    my $note   = 'not bound: rank 0 can be moved; start with mpirun --bind-to core';
    my $health = health_of( launches( 2, 1, 0.03, { WARNING => $note } ) );
    is_deeply [ states($health), health_status($health), $health->{notes}[-1] ],
      [ $GOOD, 0, $note ], 'with the option to add';
};

subtest 'what a line says' => sub {
    my $set_up = line_of( health_of( launches( 5, 1, 0.03, {} ) ), 'set-up' );
    is $set_up->{value},
      'the library uses pml ob1; each process got at least 99.5 % of a CPU (rank 0 on host a); '
      . 'hosts lost at most 0.0 % of their CPUs to others (host a); clocks agree within 57.00 us',
      'set-up';
    my @put = ( 'p2p_Put', 'length', ['8 2 0.01 20 # passes=5'], { type => '201 p2p_RMA_Put' } );
    my $besides = line_of( health_of( results( \%FACTS, \@put ) ), 'overlap and one-sided' );
    is "$besides->{state}: $besides->{value}",
      'cannot tell: RMA_Put (synchronised by flush) at 8 B: 2.000 us (1.972 us to 2.028 us)',
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
      'MPI_Isend and MPI_Irecv, hidden by work at the best length: 30.0 % (25.1 % to 35.9 %); '
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
    [ 'a warning',   { WARNING => 'shared core: rank 0 and 1 others; bind them' }, {}, ['set-up'] ],
    [ 'a set clock', { RESIDUAL => '250000.0 microsec.' },                         {}, ['set-up'] ],
    [ 'far clocks',  { CLOCKBOUND => '121.0 microsec., by half of trips' },        {}, ['set-up'] ],
    [ 'TCP in a host',     { SERVED => "pml: ob1\n# btl: self tcp" },              {}, ['set-up'] ],
    [ 'steal',             { STEAL => '30.0 %: host a' },                          {}, ['set-up'] ],
    [ 'slow copies',       {}, { p2p_Send => 1500 },      ['messages'] ],
    [ 'a slow collective', {}, { syncol_Allreduce => 9 }, ['collectives'] ],
);
for my $defect (@DEFECTS) {
    my ( $name, $facts, $factor, $lines ) = @{$defect};
    my %expected = ( %{$GOOD}, map { $_ => 'look' } @{$lines} );
    for my $count ( 1, 6 ) {
        my $health = health_of( launches( 2, $count, 0.03, $facts, %{$factor} ) );
        my %states = %{ states($health) };
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
    my $far =
      line_of( health_of( launch( random_from(3), 0.03, { CLOCKBOUND => '121.0 microsec.' } ) ),
        'set-up' );
    like $far->{todo}, qr/^use hosts that are nearer/, 'a bound that the clocks cannot mend';
    my %set = ( SETTINGS => 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring (environment)' );
    $slow =
      line_of( health_of( launches( 3, 6, 0.03, \%set, syncol_Allreduce => 9 ) ), 'collectives' );
    is $slow->{todo}, 'leave out the setting MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring',
      'a forced algorithm';
};

is states( health_of( launches( 4, 6, 0.9, {} ) ) )->{steadiness}, 'look', 'launches that differ';

subtest 'healthy launches have no look' => sub {
    my $looks = 0;
    for my $seed ( 10 .. 19 ) {
        my $health = health_of( launches( $seed, 6, 0.08, {} ) );
        $looks++ if grep { $_->{state} eq 'look' } @{ $health->{lines} };
    }
    is $looks, 0, 'none of 10';
};

done_testing;
