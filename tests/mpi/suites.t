# Real runs of every type, variation, scale, datatype and key: what --check plans is measured, every
# row is sound, and the parameters echoed in the output are those of the run.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Meaning::Catalog qw(row_of rows_of);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(blocks_of skampi mpirun plan_of workplace);

my $COUNT = 10;
my $HEAD  = <<"END";
\@VERSION 4.1
\@MEMORY 64
\@MINREPDEFAULT $COUNT
\@MAXREPDEFAULT $COUNT
\@POSTPROC no
\@BASETYPE1 MPI_LONG_DOUBLE
\@BASETYPE2 MPI_CHAR
\@TOPOLOGY1 Cartesian 2 yes no
\@TOPOLOGY2 Reorder 2 0 1
\@TOPOLOGY3 Graph [1 2] [0] [0]
\@TOPOLOGY4 Reorder 1 0
\@TOPOLOGY5 Cartesian NOREORDER 3 yes no no
\@TOPOLOGY6 Directed [2 2] [0] [2]
END

# Types in a graph that has an edge twice. Of MPI_Neighbor_alltoallw's two messages, MPICH 4.0.2 loses one.
my $TWICE = $ENV{SKAMPI_MPI} eq 'mpich' ? '102 330' : '102 285 330';

# Runs the suites; returns the output, and what --check says about them.
sub measure ( $np, $head, @suites ) {
    my $dir = workplace( 'p.skampi' => "$head\@MEASUREMENTS\n" . join q{}, map { "$_\n" } @suites );
    my $run = mpirun( $dir, $np, '--quiet', '-f', 'p.skampi' );
    my $plan   = skampi( $dir, '--check', 'p.skampi', '-n', $np )->{out};
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is_deeply [ map { $_->{text} } $output->problems ], [],
      'nothing is missing or wrong in the output';
    ok $output->is_finished, 'it is finished';
    judge_misses( $run, $output );
    return ( $output, $plan );
}

# If other programs use the CPUs, processes may fail to start together: the row says so, and the exit status if no
# repetition of it is valid.
sub is_missed ($row) {
    return $row->{extras}{stop} eq 'unsynchronised';
}

sub judge_misses ( $run, $output ) {
    my @missed = grep { is_missed($_) } map { @{ $_->{rows} } } $output->suites;
    is $run->{status}, ( grep { $_->{count_all} == 0 } @missed ) ? 1 : 0, 'exit status'
      or diag( $run->{err} );
    return;
}

sub node_times_expected ( $suite, $row, $np ) {
    return 0 if $suite->{prefix} !~ /^(?:p2p|(?:vt)?overlap|io|(?:vt)?(?:syn)?col)$/;
    return 2 if $suite->{prefix} eq 'p2p';
    return ( $suite->{varied} // q{} ) eq 'number of nodes'
      ? $row->{argument}
      : ( $suite->{nodes} // $np );
}

sub are_in_order (@numbers) {
    return !grep { $numbers[ $_ - 1 ] > $numbers[$_] } 1 .. $#numbers;
}

# The faults in the numbers of a row; some times may be 0.
sub faults_of_times ( $row, $zero ) {
    my @times = ( $row->@{qw(time time_all)}, $row->{extras}->@{qw(min p25 median p75 max)} );
    return 'a time is missing' if grep { !defined || !/^-?\d+[.]?\d*(?:e-?\d+)?$/ } @times;
    my ( $time, $all, @sorted ) = @times;
    return (
        ( grep { $_ < 0 || ( !$zero && $_ == 0 ) } $time, $all, $sorted[2] ) ? 'no time' : (),
        are_in_order(@sorted) ? () : 'quantiles out of order',
        are_in_order( $sorted[0] - 1e-5, $time, $sorted[-1] + 1e-5 ) ? () : 'mean out of bounds',
        ( grep { !defined || $_ < 0 } $row->@{qw(error error_all)} ) ? 'no standard error' : (),
    );
}

# Repetitions may lack only where some started late.
sub faults_of_count ($row) {
    my ( $n, $stop ) = ( $row->{count_all}, $row->{extras}{stop} );
    my $cut = $COUNT - 2 * int( $COUNT * 0.25 );
    return (
        $n == $COUNT || ( $n < $COUNT && $row->{extras}{invalid} ) ? () : "$n repetitions",
        $n < $COUNT || $row->{count} == $cut                       ? () : 'wrong cut',
        $stop =~ /^(?:accuracy|repetitions)$/                      ? () : "stop=$stop",
    );
}

# A row for n nodes is about the first n of them.
sub faults_of_partner ( $row, $suite, $np ) {
    my $nodes   = ( $suite->{varied} // q{} ) eq 'number of nodes' ? $row->{argument} : $np;
    my $partner = $row->{extras}{partner} // return;
    return $partner >= 1 && $partner < $nodes ? () : "partner $partner among $nodes";
}

sub faults_of_nodes ( $row, $count ) {
    my @times = @{ $row->{node_times} // [] };
    return 'node times: ' . scalar @times if @times != $count;
    return ( grep { !defined || $_ < 0 } @times ) ? 'a node time below 0' : ();
}

# The times are those of the repetition nearest to the reported time: that of the server or root,
# or, if all start together, the longest one. It is within the repetitions that the cut leaves.
sub is_typical ( $suite, $row ) {
    my @times = @{ $row->{node_times} };
    my $time  = $suite->{prefix} =~ /syncol/ ? max(@times) : $times[0];
    return $row->{extras}{p25} <= $time && $time <= $row->{extras}{p75};
}

# Rows of a pattern that communicates follow a first call that took some time.
sub faults_of_first_call ( $suite, %asked ) {
    my $note = $suite->{notes}{FIRSTCALL};
    return defined $note ? 'a first call' : () if $suite->{prefix} eq 'internal';
    my $varies = $suite->{varied} && $suite->{prefix} ne 'delayed';
    my $varied = $varies ? qr/ at \Q$suite->{varied}\E (\d+)/ : qr//;
    return 'first call: ' . ( $note // 'none' )
      if ( $note // q{} ) !~ /^(\d+[.]\d{6}) microsec[.]$varied on [\w, ]+; in no row$/;
    return 'no time of the first call'
      if $1 == 0 && !$asked{zero} && $suite->{prefix} ne 'simple';
    return if !$varies;
    return ( grep { $_->{argument} == $2 } @{ $suite->{rows} } ) ? () : 'first call of no row';
}

# Compares with the suite's part of the plan. Options: zero (times may be 0), nodes (node times are
# wanted), and arguments (if they are not in the plan).
sub faults_of_suite ( $suite, $plan, $np, %asked ) {
    my @faults;
    for my $row ( grep { !is_missed($_) } @{ $suite->{rows} } ) {
        my $nodes = $asked{nodes} ? node_times_expected( $suite, $row, $np ) : 0;
        my @wrong = (
            faults_of_times( $row, $asked{zero} ),
            faults_of_count($row),
            faults_of_partner( $row, $suite, $np ),
            faults_of_nodes( $row, $nodes )
        );
        push @faults, map { ( $row->{argument} // 'row' ) . ": $_" } @wrong;
    }
    return (
        @faults,
        faults_of_first_call( $suite, %asked ),
        faults_of_arguments( $suite, $plan, %asked )
    );
}

sub faults_of_arguments ( $suite, $plan, %asked ) {
    my @got     = map { $_->{argument} // () } @{ $suite->{rows} };
    my @refined = map { $_->{argument} // () } grep { $_->{extras}{refined} } @{ $suite->{rows} };
    my %is_refined = map  { $_ => 1 } @refined;
    my @sweep      = grep { !$is_refined{$_} } @got;
    my @planned    = @{ $asked{arguments} // $plan->{arguments} };
    return (
        "@sweep" eq "@planned"                ? () : "arguments @sweep, not @planned",
        are_in_order(@got)                    ? () : 'rows out of order',
        @got <= ( $plan->{most} // @planned ) ? () : 'too many rows',
        @refined && !$suite->{adaptive}       ? 'refined on a fixed scale' : (),
        @{ $suite->{rows} } > 0               ? ()                         : 'no row',
    );
}

# Requirements of some types: neighbours, a datatype, a matrix that the processes can divide.
sub needed_by ($type) {
    my %has = map { $_ => 1 } @{ $type->{traits} };
    return 'Virtual_Topology_Number = 1;' if $has{neighbours};
    return 'Send_Datatype_Number = 31;'   if $has{builds};
    return 'Parameters = "case=12";'      if $type->{name} eq 'FFT';
    return q{};
}

# A suite of every type. Dummies may take no time. Internal measurements have a row for each process
# that they concern, from rank 0 on or from rank 1.
sub demands_on ( $label, $np ) {
    my ($type) = $label =~ /T(\d+)$/;
    my $row    = row_of( types => $type );
    my $is_own = $row->{pattern} =~ /^(?:internal|delayed)\z/;
    my $first  = ( grep { $_ eq 'of_others' } @{ $row->{traits} } ) ? 1 : 0;
    return (
        nodes => 1,
        zero  => $is_own || $row->{name} eq 'dummy',
        $is_own ? ( arguments => [ $first .. $np - 1 ] ) : ()
    );
}

for my $np ( 2, $ENV{SKAMPI_LONG} ? 3 : () ) {
    subtest "every type, $np processes" => sub {
        my @types  = rows_of('types');
        my $fields = 'Scale = Fixed_log; Stepwidth = 256; Node_Times = yes;';
        my ( $output, $text ) = measure(
            $np,
            $HEAD =~ s/MEMORY 64/MEMORY 1024/r,
            map { "T$_->{number} { Type = $_->{number}; $fields " . needed_by($_) . '}' } @types
        );
        my $plan    = plan_of($text);
        my $skipped = grep { $_->{name} eq 'SKIPPED' } $output->fields;
        is scalar( $output->suites ), @types - $skipped, 'every suite that the library can measure';
        for my $suite ( $output->suites ) {
            my $label  = $suite->{label};
            my @faults = faults_of_suite( $suite, $plan->{$label}, $np, demands_on( $label, $np ) );
            is_deeply \@faults, [], $label;
        }
        like $output->suite('simple_T151')->{notes}{LISTS}, qr/^seed \d+, 10 lists in turn$/,
          'the seed of lists of indices';
    };
}

# Name, types and fields of special suites. One suite for each of the types, for three processes.
my $COARSE  = 'Stepwidth = 256; Max_Steps = 5;';
my @VARIETY = (
    blocks_of(<<"END"),
nodes :: 1 10 17 47 90 :: Variation = Nodes;
nodes-from-3 :: 2 12 36 61 :: Variation = Nodes; Start_Argument = 3;
nodes-dynamic :: 55 :: Variation = Nodes; Scale = Dynamic_linear;
nodes-on-grid :: 10 17 47 87 102 107 :: Variation = Nodes; Virtual_Topology_Number = 1;
chunks :: 10 13 :: Variation = Chunks; Start_Argument = 1; End_Argument = 5;
chunks-log :: 16 :: Variation = Chunks; Scale = Fixed_log; Stepwidth = 4; End_Argument = 16;
together :: 17 22 31 86 :: $COARSE Parameters = "enter=together";
together-on-2 :: 17 :: $COARSE Virtual_Topology_Number = 2; Parameters = "enter=together";
seven-chunks :: 14 :: Default_Chunks = 7; $COARSE
dynamic-log :: 17 :: Max_Steps = 12; Stepwidth = 8;
dynamic-linear :: 47 :: Scale = Dynamic_linear; Max_Steps = 12; Stepwidth = 20000;
fixed-linear :: 1 :: Scale = Fixed_linear; Stepwidth = 10000; Multiple_of = 8;
only-0 :: 20 60 :: End_Argument = 0;
cold :: 1 8 11 20 55 :: $COARSE Parameters = "cache=cold";
paper :: 1 47 :: $COARSE Parameters = "error=paper";
char :: 33 :: Send_Datatype_Number = 20; Recv_Datatype_Number = 20; Basetype_Number = 2; $COARSE
byte-double :: 1 :: Send_Datatype_Number = 1; Receive_Datatype_Number = 4; $COARSE Parameters = "method=contiguous";
near-on-1 :: 102 103 104 105 283 284 285 286 330 :: $COARSE Virtual_Topology_Number = 1;
END
    ( map { [ $_, '1 9', "$COARSE Parameters = \"partner=$_\";" ] } qw(nearest farthest 1 2) ),
    ( map { [ 'by-name',    $_,            $COARSE ] } qw(col_MPI_Bcast SYNCOL_mpi_bcast) ),
    ( map { [ "sent-$_",    '17',          both_datatypes($_) ] } 1 .. 5, 20 ),
    ( map { [ "reduced-$_", '19 61',       both_datatypes($_) ] } 1,      3 .. 5, 20 ),
    ( map { [ "to$_",       '86 87 88 89', grid_distance($_) ] } '0,0',   '1,1',  '-3,4', '-1,0' ),
    ( map { [ "ring$_",     '90 91', "$COARSE Parameters = \"distance=$_\";" ] } -3, 0, 1, 4 ),
    ( map { [ "on-$_", '10 13 17 47 72 90', "$COARSE Virtual_Topology_Number = $_;" ] } 1 .. 5 ),
    ( map { [ "grid-on-$_", '86 87 88 89', "$COARSE Virtual_Topology_Number = $_;" ] } 1, 2, 4, 5 ),
    ( map { [ "near-on-$_", '102 285 330', "$COARSE Virtual_Topology_Number = $_;" ] } 3, 5 ),
    [ 'near-on-6', $TWICE, "$COARSE Virtual_Topology_Number = 6;" ],
);

sub both_datatypes ($number) {
    return "Send_Datatype_Number = $number; Receive_Datatype_Number = $number; $COARSE";
}

sub grid_distance ($xy) {
    my ( $x, $y ) = split /,/, $xy;
    return "$COARSE Parameters = \"x_distance=$x y_distance=$y\";";
}

# Visited once, as this is not about visits: every type has them above.
sub suites_for ( $name, $types, $fields ) {
    $fields =~ s/Parameters = "/Parameters = "passes=1 / or $fields .= ' Parameters = "passes=1";';
    return map { "$name-$_ { Type = $_; Node_Times = yes; $fields }" } split q{ }, $types;
}

# Visited once: quartiles are medians over the visits, and these times are of one.
subtest 'the times of processes are those of the repetition nearest to the reported time' => sub {
    my $fields =
      'Max_Repetition = 200; Min_Repetition = 100; Standard_error = 0.001; Cut_Quantile = 0.25;';
    my @suites = map {
        my ( $name, $type, $how ) = @{$_};
qq($name { Type = $type; Scale = Fixed_log; Node_Times = yes; $fields Parameters = "passes=1 $how"; })
      } [ 'T1', 1, q{} ], [ 'T17', 17, q{} ], [ 'T47', 47, q{} ],
      [ 'together', 17, 'enter=together' ];
    my ($output) = measure( 2, $HEAD, @suites );
    for my $suite ( $output->suites ) {
        my @rows = @{ $suite->{rows} };
        cmp_ok scalar( grep { is_typical( $suite, $_ ) } @rows ), '>=', 0.9 * @rows,
          $suite->{label};
        like $suite->{notes}{NODETIMES}, qr/nearest to the reported time/, '... and it says so';
    }
};

my ( $output, $text );
subtest 'variety' => sub {
    my @suites = map { suites_for( @{$_} ) } @VARIETY;
    ( $output, $text ) = measure( 3, $HEAD, @suites );
    my $plan = plan_of($text);
    is scalar( $output->suites ), scalar @suites, 'every suite';
    for my $suite ( $output->suites ) {
        my @faults = faults_of_suite( $suite, $plan->{ $suite->{label} }, 3, nodes => 1 );
        is_deeply \@faults, [], $suite->{label};
    }
    is $output->field('CACHE'), 'warm, cold if a suite says so',        'caches';
    is $output->field('ERROR'), 'winsorised, paper if a suite says so', 'errors';
    my $host    = $output->field('HOSTNAME');
    my %partner = ( 1 => '1', 2 => '2', nearest => '[12]', farthest => '[12]' );
    is $output->suite('vtcol_on-1-17')->{notes}{TOPOLOGY},
      "Cartesian 3 x 1, periodic yes no: rank process host\n0 0 $host\n1 1 $host\n2 2 $host",
      'a grid';
    is $output->suite('vtsyncol_on-2-47')->{notes}{TOPOLOGY},
      "Reorder of 3 processes: rank process host\n0 1 $host\n1 2 $host\n2 0 $host", 'a permutation';
    is $output->suite('vtmw_on-4-10')->{notes}{TOPOLOGY},
      "Reorder of 2 processes, the first of 3: rank process host\n0 1 $host\n1 0 $host", 'of two';
    like $output->suite("p2p_$_-1")->{notes}{PARTNER}, qr/^$partner{$_} \Q$host\E$/, "partner $_"
      for sort keys %partner;
    my @long_doubles = map { $_->{argument} } @{ $output->suite('col_reduced-20-19')->{rows} };
    is_deeply [ grep { $_ % 16 } @long_doubles ], [], 'whole long doubles';
    is $output->suite('mw_seven-chunks-14')->{chunks}, 7, 'seven chunks';
};

subtest 'the parameters that the output echoes' => sub {
    my $dir = workplace(
        'p.skampi' => join "\n",
        $output->field('PARAMETERS'),
        '@MEASUREMENTS', $output->field('SUITES'), q{}
    );
    my $check = skampi( $dir, '--check', 'p.skampi', '-n', 3 );
    is $check->{err}, q{}, 'are a parameter file';
    is_deeply [ split /\n/, $check->{out} ], [ split /\n/, $text ], 'with the same plan';
};

subtest 'time limits' => sub {
    my $most = 1_000_000;
    my ( $limited, $planned ) = measure(
        2,
        $HEAD,
        "p2p { Type = 1; Time_Measurement = 0.0005; Max_Repetition = $most; End_Argument = 8; }",
        "col { Type = 18; Time_Measurement = 0.0005; Max_Repetition = $most; }",
        "sm { Type = 49; Time_Measurement = 0.0005; Max_Repetition = $most; }",
        "mw { Type = 10; Variation = Chunks; Start_Argument = 5; End_Argument = 5;"
          . " Time_Measurement = 0.0005; Max_Repetition = $most; }",
        "simple { Type = 24; Time_Measurement = 0.0005; Max_Repetition = $most; }",
        'suite { Type = 1; Time_Suite = 0.0005; Scale = Fixed_linear; Stepwidth = 4; }',
    );
    for my $label (qw(p2p_p2p col_col syncol_sm mw_mw)) {
        for my $row ( grep { !is_missed($_) } @{ $limited->suite($label)->{rows} } ) {
            is $row->{extras}{stop}, 'time', "$label: the limit ended it";
        }
    }
    is $limited->suite('simple_simple')->{rows}[0]{extras}{stop}, 'time', 'a local operation';
    my $suite = $limited->suite('p2p_suite');
    my @got   = map { $_->{argument} } @{ $suite->{rows} };
    my @plan  = @{ plan_of($planned)->{p2p_suite}{arguments} };
    cmp_ok scalar @got, '<', plan_of($planned)->{p2p_suite}{most}, 'Time_Suite ends a suite';
    my $last = $#got < $#plan ? $#got : $#plan;
    is_deeply [ @got[ 0 .. $last ] ], [ @plan[ 0 .. $last ] ], 'after its first arguments';
};

subtest 'cold caches, warm-up' => sub {
    my @suites = map { "A { Type = $_; Scale = Fixed_log; Stepwidth = 64; }" } 1, 10, 17, 47, 24;
    my ( $cold, $planned ) = measure( 2, "$HEAD\@CACHE cold\n\@CACHEWARMUP 3\n",
        @suites, 'B { Type = 1; End_Argument = 4; Parameters = "cache=warm"; }' );
    is scalar( $cold->suites ), 6, 'every suite';
    for my $suite ( $cold->suites ) {
        my @faults = faults_of_suite( $suite, plan_of($planned)->{ $suite->{label} }, 2 );
        is_deeply \@faults, [], $suite->{label};
    }
};

# The overhead of a barrier-measured suite is nearly all of the time of a short memcpy.
sub middle_of_medians ($run) {
    my @medians =
      sort { $a <=> $b } map { $_->{extras}{median} } map { @{ $_->{rows} } } $run->suites;
    return $medians[ @medians / 2 ];
}

subtest 'overhead' => sub {
    my @suites =
      map { "M$_ { Type = 23; End_Argument = 4; Start_Argument = 4; Max_Repetition = 500; }" }
      1 .. 9;
    my ( $plain, $less );
    for my $try ( 1 .. 3 ) {
        ($plain) = measure( 2, $HEAD,                   @suites );
        ($less)  = measure( 2, "$HEAD\@ABSOLUTE yes\n", @suites );
        last if middle_of_medians($less) < 0.8 * middle_of_medians($plain);
    }
    cmp_ok middle_of_medians($less), '<', 0.8 * middle_of_medians($plain), 'is subtracted';
    is $less->field('ABSOLUTE'),  'yes', 'the header says so';
    is $plain->field('ABSOLUTE'), 'no',  'likewise';
    my ( $given, $none ) = map { $_->suite('col_M1')->{rows}[0]{extras}{overhead} } $less, $plain;
    cmp_ok $given, '>', 0, 'the row has its size';
    is $none, undef, 'but not without @ABSOLUTE';
};

done_testing;
