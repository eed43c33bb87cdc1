# Parameter files that cannot be used, on real MPI: one message with its place, exit status 2 on
# every rank, no hang, and the files of earlier runs are unchanged.
use v5.36;

use JSON::PP qw(decode_json);
use Test::More;
use SKaMPI::Test qw(read_file write_file files_in skampi mpirun mpirun_each blocks_of workplace);

my $HEAD = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n";
my $OK   = "\@MEASUREMENTS\nA { Type = 24; }\n";

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
    return workplace(%BEFORE);
}

sub is_as_before ( $dir, @more ) {
    is_deeply [ files_in($dir) ], [ sort keys %BEFORE, @more ], 'no new file';
    my @changed = grep { read_file("$dir/$_") ne $BEFORE{$_} } sort keys %BEFORE;
    is_deeply \@changed, [], 'no file is touched';
    return;
}

# Suites that only a run refuses. A name, the fields, and "LINE:COLUMN: how the first message begins".
my $SUITES = <<'END';
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
    [ 'random bytes', random_bytes( 1, 0, 255 ), qr/\d+:\d+: [^\n]*this is not a text file/ ],
    [ 'random bytes beyond ASCII', random_bytes( 2, 160, 255 ), qr/1:1: [^\n]*expected a section/ ],
    [ 'random letters',            random_bytes( 3, 32,  126 ), qr/1:\d+: / ],
    [ 'a program', read_file( $ENV{SKAMPI_PROGRAM} ), '1:1: control character 0x7f' ],
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
);

# A run of two processes says the same, once. Every second case; all of them in make check-long.
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
        try_run( $dir, $check ) if $i % 2 == 0 || $ENV{SKAMPI_LONG};
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

# All options that name a file, each with one that cannot be read or written; @FILE is one that can.
subtest 'files of options' => sub {
    my %words = (
        file     => '2 -f no/x',
        output   => '2 -f @FILE -o no/x',
        baseline => '2 --health --baseline no/x',
        save     => '2 --health --save no/x',
        visits   => '1 --visits no/x',
        check    => '2 --check no/x',
    );
    my $dir = directory_after_runs();
    write_file( "$dir/x.skampi", suite('Type = 24;') );
    my $catalog = decode_json( skampi( $dir, '--catalog' )->{out} );
    my @naming =
      map { $_->{name} } grep { ( $_->{value} // q{} ) =~ /FILE/ } @{ $catalog->{options} };
    is_deeply [ sort @naming ], [ sort keys %words ], 'the options';
    for my $case ( sort values %words ) {
        my ( $status, @words ) = split q{ }, $case =~ s/\@FILE/x.skampi/r;
        my $run = mpirun( $dir, 2, @words );
        is $run->{status}, $status, "@words: status" or diag $run->{out};
        is scalar( () = $run->{err} =~ m{^skampi: .*no/x'?: No such}mg ), 1, 'one reason';
        is $run->{out}, q{},                                                 'nothing is measured';
        is_as_before( $dir, 'x.skampi' );
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
    $run = mpirun_each( $dir, 2, 'bcast', '-m', '8,900G', '--set', 'counts=type' );
    is $run->{ranks}, '1 1', 'status, if words need them';
    like $run->{err}, qr/\Askampi: '\S+' has \d+ MiB of free [^\n]+ 921600 MiB [^\n]+ \(-m\)/,
      'memory and option';
};

done_testing;
