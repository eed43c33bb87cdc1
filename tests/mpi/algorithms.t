# Algorithms of the MPI library that a suite chooses or varies: which ones are measured, what is left out and why,
# and that each one is in effect in its own measurements and nowhere else.
use v5.36;

use List::Util qw(any);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test
  qw(blocks_of is_measured read_file skampi mpirun preloaded_mpirun open_mpi_version suites_of workplace succeeds);

my $OPEN_MPI = $ENV{SKAMPI_MPI} eq 'openmpi';
my $INTEL    = $ENV{I_MPI_ROOT} && !$OPEN_MPI;
my $ENABLE   = 'OMPI_MCA_coll_tuned_use_dynamic_rules';
my $VARIABLE = $OPEN_MPI ? 'coll_tuned_bcast_algorithm' : 'MPIR_CVAR_BCAST_INTRA_ALGORITHM';
$VARIABLE = 'I_MPI_ADJUST_BCAST' if $INTEL;
my $HEAD = "\@VERSION 4.1\n\@MEMORY 1024\n\@POSTPROC no\n\@MAXREPDEFAULT 12\n\@MEASUREMENTS\n";
local $ENV{$ENABLE} = 1;

sub directory_with ( $suites, $head = $HEAD ) {
    return workplace( '.skampi' => $head . $suites );
}

# The lines of the fact: { about, names => { number => name }, out => { number => reason } }.
sub algorithms_of ( $dir, $label ) {
    my ($suite) =
      grep { $_->{label} eq $label } SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites;
    my ( $about, @lines ) = split /\n/, $suite->{notes}{ALGORITHMS} // q{};
    my %names = map { /^(\d+) (\w+)/               ? ( $1 => $2 ) : () } @lines;
    my %out   = map { /^(\d+) \w+, left out: (.+)/ ? ( $1 => $2 ) : () } @lines;
    return { about => $about, names => \%names, out => \%out };
}

sub arguments_of ( $dir, $label ) {
    return map { $_->[0] } suites_of( read_file("$dir/skampi.out") )->{$label}{rows}->@*;
}

subtest 'all that fit, under their names' => sub {
    plan skip_all => 'Intel MPI chooses when it starts' if $INTEL;
    my $dir = directory_with(<<'END');
V { Type = 47; Variation = Algorithm; Default_Message_length = 4096; Parameters = "passes=2"; }
B { Type = 49; Variation = Algorithm; }
END
    is_measured( mpirun( $dir, 3, '-q' ), 'done' );
    for my $label (qw(syncol_V syncol_B)) {
        my $found = algorithms_of( $dir, $label );
        my @kept  = grep { !$found->{out}{$_} } sort { $a <=> $b } keys $found->{names}->%*;
        is_deeply [ arguments_of( $dir, $label ) ], \@kept, "$label: a row for each that fits";
        is $kept[0], 0, 'the own choice is one';
    }
    my $bcast = algorithms_of( $dir, 'syncol_V' );
    is $bcast->{about}, "bcast, 3 processes, $VARIABLE", 'collective, processes and variable';
    is_deeply [ @{ $bcast->{names} }{ 0, 1 } ],
      $OPEN_MPI ? [qw(ignore basic_linear)] : [qw(auto binomial)],
      'names of the library';
    my %barrier = reverse algorithms_of( $dir, 'syncol_B' )->{names}->%*;
    my $two     = $OPEN_MPI ? 'two_proc' : 'smp';
    like algorithms_of( $dir, 'syncol_B' )->{out}{ $barrier{$two} },
      $OPEN_MPI ? qr/^for 2 processes only$/ : qr/does not take it here/, "$two does not fit";
};

subtest 'a chosen one' => sub {
    plan skip_all => 'Intel MPI chooses when it starts' if $INTEL;
    my ( $name, $number ) = $OPEN_MPI ? ( 'Binomial', 6 ) : ( 'binomial', 1 );
    my $dir = directory_with(<<"END");
A { Type = 47; Scale = Fixed_log; Stepwidth = 64; End_Argument = 4096; Parameters = "algorithm=$name"; }
N { Type = 17; Variation = Nodes; Parameters = "algorithm=$number"; }
P { Type = 47; Scale = Fixed_log; Stepwidth = 64; End_Argument = 4096; Parameters = "processes=below:1"; }
END
    is_measured( mpirun( $dir, 3, '-q' ), 'done' );
    for my $label (qw(syncol_A col_N)) {
        is_deeply algorithms_of( $dir, $label )->{names}, { $number => lc $name }, "$label: $name";
    }
    is_deeply [ arguments_of( $dir, 'col_N' ) ], [ 2, 3 ], 'over processes';
    like read_file("$dir/skampi.out"),
      qr/^[#]Description of the P.*\n(?:#.*\n)*[#]default values: 2 nodes/m,
      'among fewer processes';
};

# Fields, and the error without its place.
my $REFUSED = <<'END';
Type = 47; Parameters = "segment=1024";
  'segment' and 'fanout' need 'algorithm=NAME'
Type = 47; Variation = Algorithm; Parameters = "algorithm=2";
  'Variation = Algorithm' varies the key 'algorithm'; remove it
Type = 47; Variation = Nodes; Parameters = "processes=2";
  'processes' cannot be combined with 'Variation = Nodes'
Type = 47; Parameters = "algorithm=2 groups=2";
  a chosen algorithm, or number of processes, cannot be combined with groups
Type = 47; Virtual_Topology_Number = 1; Parameters = "algorithm=2";
  a chosen algorithm, or number of processes, cannot be combined with a virtual topology
Type = 47; Parameters = "algorithm=2 threads=2";
  the library chooses the algorithm of each thread's communicator; remove 'algorithm'
Type = 61; Parameters = "algorithm=2 op=user_noncommutative";
  algorithms are chosen for operations that commute
END
for my $case ( blocks_of($REFUSED) ) {
    my ( $fields, $message ) = @{$case};
    my $run = skampi( directory_with("R { $fields }"), '--check', '--processes', 8 );
    is $run->{status}, 2, "$fields: refused";
    like $run->{err}, qr/^[^:\n]+:6:\d+: \Q$message\E/m, 'with its place';
}

# Suites, the reason why they are not measured, and a variable of the environment.
my @SKIPPED = blocks_of(<<'END');
P { Type = 47; Parameters = "processes=5"; }
  too few processes for 'processes'
M { Type = 55; Variation = Algorithm; Default_Message_length = 200000; }
  needs more than '@MEMORY 1024'
N { Type = 66; Parameters = "algorithm=1"; }
  this MPI library has no variable for the algorithm of MPI_Gatherv
V { Type = 67; Variation = Algorithm; }
  this MPI library does not let a program set coll_tuned_allgatherv_algorithm
E { Type = 47; Variation = Algorithm; }
  algorithms need: OMPI_MCA_coll_tuned_use_dynamic_rules=1 in the environment
  OMPI_MCA_coll_tuned_use_dynamic_rules=0
S { Type = 43; Parameters = "algorithm=1 segment=1024"; }
  coll_tuned_alltoallv_algorithm has no segments
T { Type = 49; Parameters = "algorithm=two_proc"; }
  two_proc: for 2 processes only
L { Type = 61; Parameters = "algorithm=ring"; }
  ring: needs an element for each process
H { Type = 47; Variation = Algorithm; }
  coll/adapt answers before coll/tuned, whose algorithms were wanted; start with OMPI_MCA_coll=^adapt in the environment
  OMPI_MCA_coll_adapt_priority=90
R { Type = 47; Variation = Algorithm; }
  the rules file of coll_tuned_dynamic_rules_filename comes before a chosen algorithm; start without it
  OMPI_MCA_coll_tuned_dynamic_rules_filename=/nowhere
END
@SKIPPED = @SKIPPED[ 0, 1 ] if !$OPEN_MPI;

# Open MPI 5 lets a program set it.
@SKIPPED = grep { $_->[1] !~ /\Aalgorithms need/ } @SKIPPED if $OPEN_MPI && open_mpi_version() >= 5;

subtest 'what cannot be set is named and skipped' => sub {
    for my $row (@SKIPPED) {
        my ( $suite, $why, $setting ) = @{$row};
        my %more = split /=/, $setting // q{};
        local @ENV{ keys %more } = values %more;
        my $dir = directory_with("$suite\nX { Type = 24; }\n");
        my $run = skampi( $dir, '--check', '-n', 3 );
        is $run->{status}, 0, $why;
        like $run->{out}, qr/skipped, \Q$why\E$/m,                         'the plan says so';
        like $run->{err}, qr/: warning: suite '\w+': skipped, \Q$why\E$/m, 'a warning, too';
    }
    my $dir = directory_with("$SKIPPED[0][0]\nX { Type = 24; }\n");
    is mpirun( $dir, 2, '-q' )->{status}, 0, 'a run without the suite is complete';
    like read_file("$dir/skampi.out"), qr/^#\@SKIPPED syncol_P, \Q$SKIPPED[0][1]\E$/m,
      'its header names it';
    is_deeply [ keys suites_of( read_file("$dir/skampi.out") )->%* ], ['simple_X'],
      'it has no block';
    my $status = succeeds( skampi( $dir, '--status' ), 'complete' );
    like $status->{out}, qr/: complete, 1 of 2 suites done, .*, 1 skipped\n  skipped   syncol_P\n/,
      'the status says so';
    $dir = directory_with("$SKIPPED[0][0]\n");
    my $run = mpirun( $dir, 2, '-q' );
    is $run->{status}, 2, 'nothing is left';
    like $run->{err}, qr/all suites were skipped; none can be measured here/, 'an error';
};

subtest 'unknown names and numbers' => sub {
    for my $value (qw(binomail 9999)) {
        my $dir = directory_with("A { Type = 47; Parameters = \"algorithm=$value\"; }\n");
        my $run = skampi( $dir, '--check' );
        is $run->{status}, 2, "algorithm=$value";
        like $run->{err},
          qr/\A[.]skampi:6:\d+: \Q$VARIABLE\E has no algorithm '$value'; it has 0 \w+, 1 \w+, 2 /,
          'one error with the names';
    }
};

my $US      = 150;
my $SEGMENT = $OPEN_MPI ? 'Parameters = "segment=512";' : q{};

# Each algorithm N takes N * US longer; the program's own messages do not. With segments, the second suite has
# communicators of its own, which are made after those of the last algorithm of the first one.
sub delayed_run () {
    my $dir =
      directory_with(
        <<'END' =~ s/SEGMENT/$SEGMENT/r, $HEAD =~ s/\@MAXREP.*\n/\@MAXREPDEFAULT 24\n/r );
V { Type = 47; Variation = Algorithm; Default_Message_length = 4096; Parameters = "passes=3"; }
C { Type = 17; Variation = Algorithm; Default_Message_length = 4096; SEGMENT }
X { Type = 17; Scale = Fixed_linear; Start_Argument = 4096; End_Argument = 4096; }
END
    local $ENV{SHIM_VARIABLE} = $VARIABLE;
    local $ENV{SHIM_US}       = $US;
    local $ENV{SHIM_REFUSE}   = 2;
    local $ENV{SHIM_AT_CALL}  = 1                                   if !$OPEN_MPI;
    local $ENV{SHIM_DEVICE}   = 'MPIR_CVAR_BCAST_DEVICE_COLLECTIVE' if !$OPEN_MPI;
    delete local $ENV{SHIM_AT_CALL} if $OPEN_MPI;
    my $run = preloaded_mpirun( $dir, 2, 'libalgorithms.so', '-q' );

# On a machine that is too busy, processes do not start together, and a synchronised suite ends early.
    my $busy = $run->{err} =~ /^skampi: \S+: (?:ended early|no result for)/m;
    is $run->{status}, $busy ? 1 : 0, 'done' or diag $run->{err};
    my $suites = suites_of( read_file("$dir/skampi.out") );
    my $close  = 1;

    for my $label (qw(syncol_V col_C)) {
        my @rows = grep { $_->[1] ne 'nan' } $suites->{$label}{rows}->@*;
        next if $busy && $label ne 'col_C';
        cmp_ok scalar @rows, '>', 2, "$label: rows";
        ok !( any { $_->[0] == 2 } @rows ), 'an algorithm that the library refuses has no row';
        like algorithms_of( $dir, $label )->{out}{2}, qr/does not take it here/, 'it is named';
        for my $row (@rows) {
            my ($least) = "@{$row}" =~ / min=(\S+)/;
            cmp_ok $least, '>=', $row->[0] * $US - 1, "$label: algorithm $row->[0] was in effect";
            $close &&= $least < ( $row->[0] + 1 ) * $US;
        }
    }
    my ($least) = "@{ $suites->{col_X}{rows}[0] }" =~ / min=(\S+)/;
    return $close && $least < $US;
}

subtest 'each one is in effect in its own measurements only' => sub {
    plan skip_all => 'Intel MPI chooses when it starts' if $INTEL;
    ok( ( any { delayed_run() } 1 .. 3 ), 'no other one, nor in other suites' );
};

# With rules that have conditions, the row is that of the own choice.
subtest 'a library that chooses when it starts' => sub {
    local @ENV{qw(SHIM_PRESETS SHIM_BYTES)} = ( 3, 0 ) if !$INTEL;
    my $dir = directory_with(<<'END');
V { Type = 47; Variation = Algorithm; Default_Message_length = 4096; }
C { Type = 47; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; Parameters = "algorithm=preset_2"; }
END
    for my $row ( [ q{}, 0 ], [ 2, 2 ], [ '2:0-8;1:9-4096', 0 ] ) {
        my ( $value, $number ) = @{$row};
        local $ENV{I_MPI_ADJUST_BCAST} = $value;
        unlink "$dir/skampi.out";
        is_measured( preloaded_mpirun( $dir, 2, 'libalgorithms.so', '-q' ),
            "started with '$value'" );
        is_deeply [ arguments_of( $dir, 'syncol_V' ) ], [$number], 'the algorithm that it has';
        my $found = algorithms_of( $dir, 'syncol_V' );
        is $found->{about}, 'bcast, 2 processes, I_MPI_ADJUST_BCAST', 'the variable';
        is_deeply [ @{ $found->{names} }{ 0 .. 2 } ], [qw(auto preset_1 preset_2)], 'all names';
        is $found->{out}{1}, 'the library chooses it only when it starts',
          'why others are left out';
        is exists suites_of( read_file("$dir/skampi.out") )->{syncol_C} ? 2 : 0, $number,
          'a suite that needs another one is skipped';
    }
};

done_testing;
