# Suites in which the MPI library aborts: once, always, and several. A crashed suite is retried last; if it crashes
# again, all others are complete.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(unsound config_of labels_of);
use SKaMPI::Test
  qw(read_file write_file skampi mpirun preloaded_mpirun suites_of succeeds workplace);

# Suites of config_of, by the operation that only this suite calls.
my %SUITE_OF = (
    MPI_Ssend    => 'p2p_S02',
    MPI_Reduce   => 'col_S06',
    MPI_Alltoall => 'col_S07',
    MPI_Scan     => 'col_S08',
);
my @LABELS = grep { !/S12/ } labels_of();

# Without S12: a busy machine may leave a synchronised suite without valid repetitions.
sub config (@more) { return config_of(@more) =~ s/^S12 .*\n//mr }

sub start ( $dir, $faults ) {
    local $ENV{SKAMPI_ABORT} = $faults;
    return preloaded_mpirun( $dir, 2, 'libabort.so', '-q' );
}

sub labels_in ($dir) {
    return [ sort keys %{ suites_of( read_file("$dir/skampi.out") ) } ];
}

sub without (@some) {
    my %some = map { $_ => 1 } @some;
    return [ sort grep { !$some{$_} } @LABELS ];
}

sub prepared (@more) {
    return workplace( '.skampi' => config(@more) );
}

sub status_of ($dir) {
    my $run = skampi( $dir, '--status' );
    return ( $run->{status}, $run->{out} );
}

sub messages_of ($run) {
    return join q{}, grep { /^skampi: (?!note: |warning: )/ } $run->{err} =~ /^.*\n/mg;
}

subtest 'once' => sub {
    my $dir = prepared();
    isnt start( $dir, "MPI_Scan:3:abort:$dir/once" )->{status}, 0, 'a suite crashes';
    my ( $status, $text ) = status_of($dir);
    is $status, 3, 'not finished';
    like $text, qr/^  crashed   col_S08 \(crashed 1 time\)$/m, 'the status names it';
    my $run = succeeds( start( $dir, "MPI_Scan:3:abort:$dir/once" ), 'it does not crash again' );
    is messages_of($run),
      "skampi: resuming: 7 of 11 suites done; crashed: col_S08 (retried last)\n",
      'the message says so';
    is unsound( $dir, @LABELS ), q{}, 'complete';
    is( ( status_of($dir) )[0], 0, 'and the status says so' );
    my @order = read_file("$dir/skampi.out") =~ m{^#/[*]\@in(\S+)[.]ski}mg;
    is $order[-1], 'col_S08', 'it was measured last';
    like read_file("$dir/skampi.out"),
      qr/^#eol\n#\@RESUMED .+, after 7 of 11 suites\n# processes \S+:2\n(?:# .*\n)+#-----\n/m,
      'the result file says where the run was resumed';
};

subtest 'two suites, always' => sub {
    my $dir    = prepared();
    my $always = 'MPI_Ssend:2:abort,MPI_Alltoall:5:kill';
    my @crash  = @SUITE_OF{qw(MPI_Ssend MPI_Alltoall)};
    my $rest   = without(@crash);
    isnt start( $dir, $always )->{status}, 0, "start $_" for 1 .. 2;
    isnt start( $dir, $always )->{status}, 0, 'start 3';
    is_deeply labels_in($dir), $rest, 'the rest is complete';
    isnt start( $dir, $always )->{status}, 0, 'start 4';
    my ( $status, $text ) = status_of($dir);
    is $status, 3, 'not finished';
    like $text, qr/^  crashed   \Q$_\E \(crashed 2 times\)$/m, "$_ was measured twice" for @crash;
    is start( $dir, q{} )->{status}, 0,   'with the library repaired';
    is unsound( $dir, @LABELS ),     q{}, 'complete';
};

subtest 'given up' => sub {
    my $dir = prepared("\@MAXRETRIES 1\n");
    isnt start( $dir, 'MPI_Scan:1:abort' )->{status}, 0, "start $_" for 1 .. 2;
    my $run = start( $dir, 'MPI_Scan:1:abort' );
    is $run->{status}, 1, 'status 1: a suite could not be measured';
    is messages_of($run),
      "skampi: resuming: 10 of 11 suites done; crashed, and not retried: col_S08\n",
      'the message names it';
    my ( $status, $text ) = status_of($dir);
    is $status, 0, 'the run is complete';
    like $text, qr/^  given up  col_S08$/m, 'except for that suite';
    is_deeply labels_in($dir), without('col_S08'), 'all other suites are complete';
    like read_file("$dir/skampi.out"), qr/^#skampi finished[.]\n\z/m, 'with its trailer';
};

subtest 'in the second of three passes' => sub {
    my $dir = workplace( '.skampi' => <<'END' );
@VERSION 4.2
@POSTPROC no
@MAXREPDEFAULT 12
@MEASUREMENTS
A { Type = 21; Start_Argument = 4; End_Argument = 4; Parameters = "passes=3"; }
B { Type = 24; Parameters = "passes=3"; }
END
    isnt start( $dir, 'MPI_Scan:7:abort' )->{status}, 0, 'a suite crashes';
    like(
        ( status_of($dir) )[1],
        qr/^  crashed   col_A [(]crashed 1 time[)], 1 visit of each argument done$/m,
        'the status says what is done'
    );
    my $run = preloaded_mpirun( $dir, 2, 'libabort.so' );
    is_deeply [ $run->{err} =~ /^\[.+?\] (\S+ [(]pass \d[)])/mg ],
      [ map { ( "$_ (pass 2)", "$_ (pass 3)" ) } qw(simple_B col_A) ],
      'the progress counts the passes of each suite'
      or diag( $run->{err} );
};

subtest 'refusals' => sub {
    my $dir = prepared();
    isnt start( $dir, 'MPI_Scan:1:abort' )->{status}, 0, 'a suite crashes';
    my @files   = qw(skampi.out skampi.out.journal skampi.log);
    my @before  = map { read_file("$dir/$_") } @files;
    my $refused = sub ( $what, $np, $expected ) {
        my $run = mpirun( $dir, $np, '-q' );
        is $run->{status}, 1, $what;
        like messages_of($run),
          qr/\Askampi: 'skampi[.]out' is not finished, $expected.* --fresh, .*\n\z/,
          'why, and what to do';
        is_deeply [ map { read_file("$dir/$_") } @files ], \@before, 'the files are unchanged';
    };
    $refused->( 'other processes', 3, 'and was started with 2 processes, not 3; ' );
    write_file( "$dir/.skampi", config("\@MEMORY 1024\n") );
    $refused->(
        'other parameters',
        2, 'and was started with other parameters or labels, or by an older version; '
    );
    is( ( status_of($dir) )[0], 1, '--status fails as well' );
    write_file( "$dir/.skampi", config("\@USER Somebody else\n\@MAXRETRIES 3\n") );
    is( ( status_of($dir) )[0], 3, 'other texts are not other parameters' );
    is skampi( $dir, qw(--status -n 3) )->{status}, 1,
      '--status fails for another number of processes';
    write_file( "$dir/.skampi", config("\@MEMORY 1024\n") );
    is mpirun( $dir, 3, '-q', '--fresh' )->{status}, 0,          'fresh';
    is unsound( $dir, @LABELS ),                     q{},        'complete';
    is read_file("$dir/skampi.out.1"),               $before[0], 'the old file is kept';
};

done_testing;
