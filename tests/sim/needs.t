# Calling an MPI function that SMPI lacks ends the program. Suites that need one are skipped and listed,
# the others are measured, and a run with skipped suites is complete.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build_in_scratch needs_simgrid_3 simulator);
use SKaMPI::Test qw(keep_journal interrupt command read_file write_file succeeds);

needs_simgrid_3();
my ($skampi) = build_in_scratch('truth');
like command( q{.}, simulator( flat => 2 ), $skampi, 'show' )->{err},
  qr/^skampi: skampi show reads files: start it without smpirun$/m, 'a command';

my @MEASURED = qw(p2p_replace-4 col_bcast vtcol_grid col_replace-4 syncol_edges);
my %SKIPPED  = (
    'p2p_replace-0'    => 'MPI_Sendrecv_replace of empty messages',
    'col_replace-0'    => 'MPI_Sendrecv_replace of empty messages',
    'col_graph-create' => 'graph topologies',
    'col_dist-graph'   => 'graph topologies',
    'vtcol_graph'      => 'graph topologies',
    'vtsyncol_gather'  => 'neighbourhood collectives',
    'syncol_bcast'     => 'persistent collectives',
    'io_write'         => 'files (MPI-IO)',
    'overlap_iwrite'   => 'files (MPI-IO)',
    'simple_session'   => 'sessions (MPI 4)',
    'overlap_isr'      => 'MPI_Isendrecv (MPI 4)',
    'p2p_parts'        => 'partitioned communication (MPI 4)',
);
my $LACKS = 'the MPI library lacks';
my $OWN_TIME =
  'simulated processes take no time of their own, neither for local calls nor by noise';
$_                                                     = "$LACKS $_" for values %SKIPPED;
@SKIPPED{ map { "simple_$_" } qw(init rank building) } = ($OWN_TIME) x 3;
$SKIPPED{internal_noise}                               = $OWN_TIME;
$SKIPPED{p2p_threads}                                  = 'simulated processes have no threads';
$SKIPPED{p2p_subarray} =
  'the MPI library delivers wrong data of subarrays (MPI_Type_create_subarray)';
write_file( 'p.skampi', <<'END');
@VERSION 4.1
@MEMORY 64
@POSTPROC no
@BASETYPE1 MPI_INT
@BLOCKS 2
@BLOCKSIZE 4
@TOPOLOGY1 Cartesian 2 yes yes
@TOPOLOGY2 Graph [1] [0 2] [1 3] [2]
@MEASUREMENTS
replace-0 { Type = 9; Stepwidth = 64; }
replace-4 { Type = 9; Stepwidth = 64; Start_Argument = 4; }
bcast { Type = 17; Stepwidth = 64; }
graph-create { Type = 84; }
dist-graph { Type = 106; }
gather { Type = 103; Virtual_Topology_Number = 1; Stepwidth = 64; }
bcast { Type = 263; Stepwidth = 64; }
write { Type = 220; }
iwrite { Type = 333; }
session { Type = 397; }
isr { Type = 303; }
parts { Type = 269; }
threads { Type = 1; Parameters = "threads=2"; }
init { Type = 262; }
rank { Type = 25; }
building { Type = 100; Send_Datatype_Number = 30; }
noise { Type = 270; }
subarray { Type = 1; Send_Datatype_Number = 37; Receive_Datatype_Number = 37; }
grid { Type = 17; Virtual_Topology_Number = 1; Stepwidth = 64; }
graph { Type = 17; Virtual_Topology_Number = 2; Stepwidth = 64; }
replace-0 { Type = 86; Variation = Nodes; Default_Message_length = 0; }
replace-4 { Type = 86; Variation = Nodes; Default_Message_length = 4; }
edges { Type = 185; Stepwidth = 64; Parameters = "partners=8 periodic=no wait=any"; }
END

my @settings;

sub start (@args) {
    my @skampi = ( $skampi, '-q', '-f', 'p.skampi', @args );
    return @{ command( q{.}, simulator( 'flat', 4 ), @settings, @skampi ) }{qw(status err)};
}

sub printed (@args) {
    return @{ command( q{.}, simulator( 'flat', 1 ), $skampi, @args ) }{qw(status out err)};
}

keep_journal(q{.});
my ( $status, $err ) = start();
my $output = SKaMPI::Read::Output->from_file('skampi.out');

subtest 'the run' => sub {
    is $status, 0, 'is complete';
    is_deeply [ map { $_->{label} } $output->suites ], \@MEASURED, 'all other suites are measured';
    like $err, qr/^p[.]skampi:\d+:\d+: warning: [^\n]*skipped, \Q$_\E/m, "a warning says why: $_"
      for values %SKIPPED;
    like $err, qr/\b\Q$_\E\b/, "a warning names the suite: $_" for sort keys %SKIPPED;
    my @skipped = map { $_->{value} } grep { $_->{name} eq 'SKIPPED' } $output->fields;
    is_deeply [ sort @skipped ],
      [ sort map { "$_, $SKIPPED{$_}" } keys %SKIPPED ],
      'the result file lists the skipped suites';
    like read_file('skampi.log'), qr/^\S+ note p[.]skampi:\d+:\d+: warning: .* skipped/m,
      'the log contains the warnings';
};

subtest 'status and plan' => sub {
    my ( $complete, $out ) = printed( '-f', 'p.skampi', '--status' );
    is $complete, 0, 'the run is complete';
    like $out, qr/\Askampi[.]out: complete, 5 of 5 suites done/, 'and counts only measured suites';
    ( my $checked, $out ) = printed( '--check', '-f', 'p.skampi', '-n', 4 );
    is $checked, 0, '--check: the file can be used';
    like $out, qr/^\Q$_\E\n.*\n +skipped, \Q$SKIPPED{$_}\E$/m, "plan: $_" for sort keys %SKIPPED;
    ( my $listed, $out ) = printed('--list=Graph_create');
    like $out =~ s/\s+/ /gr,
      qr/MPI_Graph_create of a ring; the MPI library lacks graph topologies/,
      '--list';
};

subtest 'an unfinished run' => sub {
    interrupt( q{.}, $MEASURED[2] );
    my ($again) = start();
    is $again, 0, 'is resumed';
    my $resumed = SKaMPI::Read::Output->from_file('skampi.out');
    is_deeply [ map { $_->{label} } $resumed->suites ], \@MEASURED, 'and completed';
};

subtest 'an all-to-all of long messages among five processes' => sub {
    write_file( 'p.skampi', <<'END');
@VERSION 4.2
@OUTFILE o5
@LOGFILE l5
@MEMORY 16M
@MEASUREMENTS
long { Type = 55; Scale = Fixed_log; Start_Argument = 524288; End_Argument = 524288; }
short { Type = 55; Scale = Fixed_log; Start_Argument = 262144; End_Argument = 262144; }
nodes { Type = 55; Variation = Nodes; }
END
    my $run = succeeds( command( q{.}, simulator( 'flat', 5 ), $skampi, qw(-q -f p.skampi) ),
        'does not end the run' );
    like $run->{err}, qr/'syncol_long': skipped, the MPI library ends the program in MPI_Alltoall/,
      'a warning says why';
    is_deeply [ map { $_->{label} } SKaMPI::Read::Output->from_file('o5')->suites ],
      [qw(syncol_short syncol_nodes)], 'the others are measured';
};

subtest 'no suite can be measured' => sub {
    write_file( 'p.skampi',
        "\@VERSION 4.1\n\@OUTFILE o\n\@LOGFILE l\n\@MEASUREMENTS\nA { Type = 85; }\n" );
    my ( $refused, $why ) = start();
    is $refused, 2, 'the file is rejected';
    like $why, qr/^p[.]skampi:5:1: all suites were skipped; none can be measured here/m,
      'the message says why';
    ok !-e 'o', 'no result file is written';
};

subtest 'a clock that does not advance' => sub {
    write_file( 'p.skampi', "\@VERSION 4.1\n\@MEASUREMENTS\nA { Type = 17; }\n" );
    @settings = '--cfg=smpi/wtime:0';
    my ( $refused, $why ) = start();
    is $refused, 1, 'ends the run';
    my @messages = $why =~ /^(skampi: .*)$/mg;
    is_deeply \@messages,
      [
'skampi: the clock (MPI_Wtime) does not advance while it is read; a simulator needs --cfg=smpi/wtime:1e-8'
      ],
      'with one message, which names the remedy';
};

done_testing;
