# @POSTPROC: after each run, skampi.out is the merge of all runs that belong together.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(read_file write_file files_in skampi mpirun workplace succeeds);

my $FILE = <<'END';
@VERSION 4.1
@MACHINE Two boards
@TIMEMEASDEFAULT 0.0001
@MEASUREMENTS
A { Type = 1; Scale = Fixed_log; End_Argument = 64; Stepwidth = 4; Node_Times = yes; }
B { Type = 24; }
C { Type = 17; Scale = Fixed_log; Start_Argument = 4; End_Argument = 16; Stepwidth = 2; }
END
my @ROWS = ( [ 0, 4, 16, 64 ], [undef], [ 4, 8, 16 ] );

sub notes_in ($run) {
    return [ grep { / merged(?: from|:)/ } split /\n/, $run->{err} ];
}

sub runs_of ($output) {
    my ( $title, @runs ) = split /\n/, $output->field('POSTPROCESSED') // q{};
    return [ sort map { ( split q{ } )[0] } @runs ];
}

subtest 'three starts' => sub {
    my $dir = workplace( '.skampi' => $FILE );
    my @runs;
    for my $start ( 1 .. 3 ) {
        my $run = succeeds( mpirun( $dir, 2 ), "start $start: done" );
        push @runs, read_file( $start == 1 ? "$dir/skampi.out" : "$dir/skampi.out.$start" );
        my @kept = $start == 1 ? () : map { "skampi.out.$_" } 1 .. $start;
        is_deeply [ files_in($dir) ], [ '.skampi', 'skampi.log', 'skampi.out', @kept ], 'the files';
        like "@{ notes_in($run) }",
          qr/'skampi[.]out' is merged from $start runs; this one is 'skampi[.]out[.]$start'/,
          'printed'
          if $start > 1;
        like read_file("$dir/skampi.log"), qr/ note 'skampi[.]out' is merged from $start runs/,
          'and logged'
          if $start > 1;
    }
    ok read_file("$dir/skampi.out.$_") eq $runs[ $_ - 1 ], "run $_ is unchanged" for 1 .. 3;
    my $merged = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is_deeply [ $merged->problems ], [], 'the merge is sound';
    ok $merged->is_postprocessed, 'its trailer says that it is a merge';
    is_deeply runs_of($merged), [ map { "skampi.out.$_" } 1 .. 3 ], 'and of which runs';
    is_deeply [ map { $_->{label} } $merged->suites ], [qw(p2p_A simple_B col_C)], 'every suite';
    my @rows = map { $_->{rows} } $merged->suites;
    is_deeply [ map { $_->{argument} } @{ $rows[$_] } ], $ROWS[$_], 'every row' for 0 .. 2;
    is scalar( grep { $_->{extras}{runs} != 3 } map { @{$_} } @rows ), 0, 'of three runs';
    is scalar( grep { @{ $_->{node_times} } != 2 } @{ $rows[0] } ),    0, 'node times of both';
    my $by_hand = skampi( $dir, qw(-p -o - skampi.out.3 skampi.out.1 skampi.out.2) );
    my ( $lists, $same ) =
      map { /(^#-----\n.*^#eol\n)/ms } $by_hand->{out}, read_file("$dir/skampi.out");
    is $lists, $same, 'the same as --postprocess';
};

# Standard error has a summary, the log has a line for each file.
subtest 'another number of processes' => sub {
    my $dir = workplace( '.skampi' => $FILE );
    is mpirun( $dir, 2, '-q' )->{status}, 0, 'two of them';
    write_file( "$dir/skampi.out.$_", read_file("$dir/skampi.out") ) for 1 .. 2;
    my $run = succeeds( mpirun( $dir, 3 ), 'three' );
    my $why = q{: @PROCESSES is '2', not '3'};
    is_deeply notes_in($run),
      ["skampi: 'skampi.out.1' is not merged$why; 2 other files are left out, too: see the log"],
      'the reason is printed';
    my @logged = read_file("$dir/skampi.log") =~ / note '(\S+)' is not merged\Q$why\E$/mg;
    is_deeply \@logged, [ map { "skampi.out.$_" } 1 .. 3 ], 'logged';
    ok !SKaMPI::Read::Output->from_file("$dir/skampi.out")->is_postprocessed, 'no merge';
};

subtest 'quietly, elsewhere' => sub {
    my $dir = workplace( '.skampi' => $FILE );
    mkdir "$dir/sub" or die "sub: $!\n";
    my $run;
    $run = mpirun( $dir, 2, '-q', '-o', 'sub/x.out' ) for 1 .. 2;
    is_deeply notes_in($run),           [],                          'nothing is printed';
    is_deeply [ files_in("$dir/sub") ], [qw(x.out x.out.1 x.out.2)], 'next to each other';
    is_deeply runs_of( SKaMPI::Read::Output->from_file("$dir/sub/x.out") ), [qw(x.out.1 x.out.2)],
      'merged';
};

done_testing;
