#!/usr/bin/perl
# Parameter files that cannot be used, on real MPI: one message with its place, exit status 2 on
# every rank, no hang, and the files of earlier runs are unchanged.
use v5.36;

use Test::More;
use SKaMPI::Test qw(scratch read_file write_file files_in skampi mpirun mpirun_each suites_of
  blocks_of);

my $HEAD = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n";
my $OK   = "\@MEASUREMENTS\nA { Type = 24; }\n";

# The files of earlier runs.
my %BEFORE = (
    'skampi.out'   => "#\@COMMENT of an earlier run\n",
    'skampi.out.1' => "#\@COMMENT of the one before\n",
    'skampi.log'   => "2026-01-31T23:59:59Z run-end skampi.out\n",
);

sub suites (@suites) {
    return "$HEAD\@MEASUREMENTS\n" . join q{}, map { "$_\n" } @suites;
}

sub suite ($fields) {
    return suites("A { $fields }");
}

sub random_bytes ( $seed, $from, $to ) {
    srand $seed;
    return join q{}, map { chr $from + int rand $to + 1 - $from } 1 .. 20_000;
}

sub directory_after_runs () {
    my $dir = scratch();
    write_file( "$dir/$_", $BEFORE{$_} ) for keys %BEFORE;
    return $dir;
}

sub is_as_before ( $dir, @more ) {
    is_deeply [ files_in($dir) ], [ sort keys %BEFORE, @more ], 'no new file';
    my @changed = grep { read_file("$dir/$_") ne $BEFORE{$_} } sort keys %BEFORE;
    is_deeply \@changed, [], 'no file is touched';
    return;
}

# A name, the fields of a suite, and "LINE:COLUMN: how the first message begins".
my $SUITES = <<'END';
Chunks of a broadcast: Type = 17; Variation = Chunks;
  5:28: type 'col_MPI_Bcast' is not varied over 'Chunks'
chunks of a barrier: Type = 18; Variation = Chunks;
  5:28: type 'col_MPI_Barrier' is not varied over 'Chunks'
a list of variations: Type = 17; Variation = Length, Nodes;
  5:34: 'Variation' takes one value: only numbers and types may be lists
a list with an unknown type: Type = 17, 92, 20;
  5:16: unknown type '92'
a list without an end: Type = 17, 20,;
  5:18: expected a value after ','
different elements: Type = 1; Send_Datatype_Number = 5; Receive_Datatype_Number = 5, 4;
  5:70: the sender's datatype 5 has elements MPI_INT, the receiver's 4 has MPI_DOUBLE
unknown type: Type = 92;
  5:12: unknown type '92'
unknown name of a type: Type = col_MPI_Bcst;
  5:12: unknown type 'col_MPI_Bcst', did you mean 'col_MPI_Bcast'?
no type: Variation = Length;
  5:1: suite 'A' has no Type
Min > Max: Type = 1; Min_Repetition = 9; Max_Repetition = 8;
  5:32: Min_Repetition 9 is more than Max_Repetition 8
quantile 0.5: Type = 1; Cut_Quantile = 0.5;
  5:30: expected a number from 0 to below 0.5
negative quantile: Type = 1; Cut_Quantile = -0.1;
  5:30: expected a number from 0 to below 0.5
Stepwidth 1 on a log scale: Type = 1; Scale = Fixed_log; Stepwidth = 1;
  5:46: Stepwidth is the factor on a logarithmic scale and must be above 1
Start > End: Type = 1; Start_Argument = 9; End_Argument = 8;
  5:32: Start_Argument 9 is more than End_Argument 8
Start too long for @MEMORY: Type = 1; Start_Argument = 40000;
  5:32: messages of 40000 bytes
default length too long: Type = 20; Variation = Nodes; Default_Message_length = 20000;
  5:60: messages of 20000 bytes
undefined basetype: Type = 1; Send_Datatype_Number = 20;
  5:38: datatype 20 is built from '@BASETYPE1', which is not defined
a sum of characters: Type = 19; Send_Datatype_Number = 2;
  5:39: no predefined operation reduces 'MPI_CHAR'
undefined topology: Type = 17; Virtual_Topology_Number = 1;
  5:42: '@TOPOLOGY1' is not defined
unknown field: Type = 1; Stepwith = 2;
  5:15: unknown field 'Stepwith', did you mean 'Stepwidth'?
field twice: Type = 1; Type = 1;
  5:15: field 'Type' is given twice
32 bit overflow: Type = 1; Max_Repetition = 4294967297;
  5:32: expected an integer from 1 to 10000000
64 bit overflow: Type = 1; End_Argument = 18446744073709551617;
  5:30: expected an integer from 0 to 
floating point overflow: Type = 1; Time_Suite = 1e999;
  5:28: expected a number from 0 to 
type overflow: Type = 4294967297;
  5:12: unknown type '4294967297'
nodes from more than processes on: Type = 17; Variation = Nodes; Start_Argument = 3;
  5:52: nothing to measure: the first number of nodes is 3
partner beyond the run: Type = 1; Parameters = "cache=cold partner=2";
  5:28: partner 2 is not among the 2 processes
root beyond the run: Type = 47; Parameters = "root=2";
  5:29: root 2 is not among the 2 processes of this run
a distance beyond the run: Type = 1; Variation = Distance; Start_Argument = 2;
  5:54: nothing to measure: no distance from 2 on among the 2 processes
arguments below the cases of an application: Type = 120; Variation = Length; End_Argument = 5;
  5:52: nothing to measure: the cases of type 120 have from 63168 to 173712 bytes
a fixed partner where nodes vary: Type = 1; Variation = Nodes; Parameters = "partner=1";
  5:47: a fixed partner
END

# Has further files, with their bytes.
my @CASES = (
    ( map { [ $_->[0], suite( $_->[0] =~ s/\A.*?: //r ), $_->[1] ] } blocks_of($SUITES) ),
    [
        'a sum of characters as basetype',
        "\@BASETYPE3 MPI_CHAR\n"
          . suite('Type = 61; Basetype_Number = 3; Send_Datatype_Number = 20;'),
        q{6:60: no predefined operation reduces 'MPI_CHAR'}
    ],
    [
        'the same name twice',
        suites( 'A { Type = 1; }', 'A { Type = 2; }' ),
        q{6:1: duplicate suite 'p2p_A'; give it another name}
    ],
    [ 'name ../x', suites('../x { Type = 1; }'), q{5:1: '../x' cannot be the name of a suite} ],
    [ 'name a/b',  suites('a/b { Type = 1; }'),  q{5:1: 'a/b' cannot be the name of a suite} ],
    [
        'name with a control character',
        suites("a\x1b[31mb { Type = 1; }"),
        '5:2: control character 0x1b'
    ],
    [ 'name with DEL',      suites("ab\x7f { Type = 1; }"),         '5:3: control character 0x7f' ],
    [ 'name too long',      suites( 'x' x 201 . ' { Type = 1; }' ), q{5:1: 'xxxx} ],
    [ 'cut off in a value', suites('A { Type = 1; Variation ='), q{5:26: suite 'A' is not closed} ],
    [ 'cut off in a field', suites('A { Ty'),                    q{5:7: suite 'A' is not closed} ],
    [ 'cut off after a name', suites('A'),                       q{5:2: suite 'A' is incomplete} ],
    [ 'NUL byte',     "$HEAD\@MACHINE a\0b\n$OK", '4:11: NUL byte: this is not a text file' ],
    [ 'random bytes', random_bytes( 1, 0, 255 ),  qr/\d+:\d+: [^\n]*this is not a text file/ ],
    [ 'random bytes beyond ASCII', random_bytes( 2, 160, 255 ), qr/1:1: [^\n]*expected a section/ ],
    [ 'random letters',            random_bytes( 3, 32, 126 ),  qr/1:\d+: / ],
    [ 'a program', read_file( $ENV{SKAMPI_PROGRAM} ),           '1:1: control character 0x7f' ],
    [
        'error after a line of 10 MB',
        "$HEAD\@MACHINE @{[ 'x' x 10_000_000 ]}\n\@MEMROY 1\n$OK",
        q{5:1: unknown section '@MEMROY'}
    ],
    [
        'error in a line of 10 MB',
        suite( 'Type = 1; Foo = ' . 'x' x 10_000_000 . q{;} ),
        q{5:15: unknown field 'Foo'}
    ],
    [ 'a name of 10 MB',  suites( 'x' x 10_000_000 . ' { Type = 1; }' ), q{5:1: 'xxxx} ],
    [ 'a million braces', suites( '{' x 1_000_000 ), q{5:1: expected the name of a suite} ],
    [
        'integer overflow in a section',
        "$HEAD\@CACHEWARMUP 99999999999999999999\n$OK",
        '4:14: expected an integer from 0 to 1000000'
    ],
    [
        'too many arguments',
        suite('Type = 10; Variation = Chunks; End_Argument = 2000000000;'),
        qr/5:\d+: [^\n]*2000000000/
    ],
    [ 'no @VERSION', $OK, '1:1: no @VERSION' ],
    [
        'old @VERSION',
        "\@VERSION 3.0\n$OK",
        q{1:1: the file is for version 3.0, older than 4.0: write '@VERSION 4.0'}
    ],
    [ 'empty', q{}, '1:1: no @VERSION' ],
    [
        'the same file for results and log',
        "$HEAD\@OUTFILE skampi.log\n$OK",
        q{4:1: '@OUTFILE' and '@LOGFILE' are the same file}
    ],
);

# A run of two processes says the same, once. Every fifth case; all of them in make check-long.
sub try_run ( $dir, $check ) {
    my $run = mpirun_each( $dir, 2, '-f', 'x.skampi' );
    is $run->{ranks}, '2 2', 'status of every rank';
    ok $run->{err} eq $check->{err}, 'once, and as --check has it';
    is $run->{out}, q{}, 'and nothing else';
    return;
}

for my $i ( 0 .. $#CASES ) {
    my ( $what, $bytes, $message ) = @{ $CASES[$i] };
    subtest $what => sub {
        my $dir = directory_after_runs();
        write_file( "$dir/x.skampi", $bytes );
        my $check = skampi( $dir, '--check', 'x.skampi' );
        my $begin = ref $message ? $message : qr/\Q$message\E/;
        is $check->{status}, 2, 'exit status';
        like $check->{err}, qr/\Ax[.]skampi:$begin/, 'message with its place';
        cmp_ok length $check->{err}, '<', 30_000, 'not too much';
        unlike $check->{err}, qr{[\x00-\x09\x0b-\x1f\x7f]}, 'no control characters';
        try_run( $dir, $check ) if $i % 5 == 0 || $ENV{SKAMPI_LONG};
        is_as_before( $dir, 'x.skampi' );
    };
}

subtest 'no parameter file' => sub {
    for my $args ( [], [ '-f', 'nothere' ], [ '-f', q{.} ], [ '-f', 'skampi.out/x' ] ) {
        my $dir  = directory_after_runs();
        my $run  = mpirun_each( $dir, 2, @{$args} );
        my $file = $args->[1] // '.skampi';
        is $run->{ranks}, '2 2', "'$file': status of every rank";
        like $run->{err}, qr/\Askampi: cannot read '\Q$file\E': [^\n]+\n/, 'the reason';
        is scalar( () = $run->{err} =~ /skampi --print-config standard > [.]skampi/g ), 1,
          'and once what to do';
        is_as_before($dir);
    }
};

# Terabytes, all of which a cold cache uses.
subtest 'memory that no host has' => sub {
    my $dir = directory_after_runs();
    write_file( "$dir/.skampi",
        "$HEAD\@MEASUREMENTS\nA { Type = 1; Parameters = \"cache=cold\"; }\n" =~
          s/MEMORY 64/MEMORY 2147483647/r );
    my $run = mpirun_each( $dir, 2 );
    is $run->{ranks}, '1 1', 'status of every rank';
    like $run->{err}, qr/\Askampi: '\S+' has \d+ MiB of memory, too little for 2 [^\n]+ \@MEMORY/,
      'the message says how much memory the host has, and what to do';
    is_as_before( $dir, '.skampi' );
};

subtest 'mpirun' => sub {
    my $dir = directory_after_runs();
    write_file( "$dir/.skampi", suite('Type = 92;') );
    my $run = mpirun( $dir, 2 );
    is $run->{status},                                2, 'its status';
    is scalar( () = $run->{err} =~ /unknown type/g ), 1, 'one message';
    is_as_before( $dir, '.skampi' );
};

subtest 'unusual but valid files' => sub {
    my $dir  = scratch();
    my $text = "\xef\xbb\xbf\@MACHINE Two boards\nand a wire\n\@VERSION 5.0\n$OK";
    write_file( "$dir/.skampi", $text =~ s/\n/\r\n/gr );
    my $run = mpirun_each( $dir, 2, '--quiet' );
    is $run->{ranks}, '0 0', 'byte order mark and line ends of DOS';
    is scalar( () = $run->{err} =~ /^[.]skampi:3:1: warning: .*version 5[.]0/mg ), 1, 'one warning';
    my $out = read_file("$dir/skampi.out");
    unlike $out, qr/\r|\xef\xbb\xbf/,                            'which do not reach the results';
    like $out,   qr/^#\@MACHINE Two boards\n# and a wire\n#\@/m, 'a text of two lines';
    ok suites_of($out)->{simple_A}{complete}, 'measured';
};

done_testing;
