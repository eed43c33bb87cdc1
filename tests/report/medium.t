# The cost of MPI above the medium below it: TCP of the same run, and what other programs print, in FILE.medium.
use v5.36;

use Test::More;
use SKaMPI::Findings::Medium     qw(medium_findings);
use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Read::MediumFile qw(media_in);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Results    qw(results_text);

my $FI_PINGPONG = <<'END';
bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
64      50      =50      6.2k        0.00s     12.14        5.27       0.19
64k     50      =50      6.2m        0.00s   2988.42       21.93       0.05
1m      50      =50      100m        0.02s   5188.92      202.08       0.00
END
my $UCX = <<'END';
+--------------+--------------+------------------------------+---------------------+-----------------------+
|              |              |        latency (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |
+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
|    Stage     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |
+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
Final:                  1000      4.823     5.001     5.001        1.53       1.53      199957      199957
+--------------+--------------+------------------------------+---------------------+-----------------------+
|              |              |       overhead (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |
+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
|    Stage     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |
+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
Final:                  1000      4.903    34.068    34.068     1834.57    1834.57       29353       29353
END
my $PERFTEST = <<'END';
---------------------------------------------------------------------------------------
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 2       1000          0.92           3.12         0.95                0.96             0.05           1.05                    3.12
 65536   1000          6.80           9.00         6.90                6.91             0.10           7.20                    9.00
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 65536      5000             11658.93            11000.00                0.186527
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 1048576    5000             97.00              96.00                0.011
END

# Impossible values.
my @SHORT = split /, /,
  '100.0 -101.0 1 5, 100 nan 1 5, 100 1e300 1 1e-300, 100 1e-300 1 1e300, 100 1 1 -5, '
  . '100 inf 1 inf, 100 1e300 1 1, 100 0 1 0, 100';
my @LONG = (
    ( map { "$_ 5 5 5 0 0 1 1" } -1, '1e300', '9' x 400, 0 ),
    map { "8 5 5 5 0 0 $_ 1" } qw(-1 nan 1e300)
);

# NAME kind LENGTH:VALUE...
sub said (@media) {
    return map {
        my $values = $_->{values};
        join q{ }, @{$_}{qw(name kind)}, map { sprintf '%d:%.5g', $_, $values->{$_} }
          sort { $a <=> $b }
          keys %{$values}
    } @media;
}

for my $case (
    [ 'fi_pingpong' => $FI_PINGPONG, 'fi_pingpong latency 64:5.27 65536:21.93 1048576:202.08' ],
    [
        'ucx_perftest' => $UCX,
        'ucx_perftest latency 8:5.001', 'ucx_perftest bandwidth 65536:1923.7'
    ],
    [
        'perftest' => $PERFTEST,
        'perftest latency 2:0.95 65536:6.9', 'perftest bandwidth 65536:11534 1048576:12000'
    ],
    [ 'fi_bw' => <<'END', 'fi_bw bandwidth 64:52.1' ],
bytes   iters   total       time     MB/sec    usec/xfer   Mxfers/sec
64      1k      62k         0.00s     52.10       1.23       0.81
END
    ( map { [ "ucx_perftest with $_", "Final: 1000 0.5 0.6 0.7 $_\n" ] } @SHORT ),
    ( map { [ "fi_pingpong with $_",  $FI_PINGPONG =~ s/^64 .*/$_/msr ] } @LONG ),
    [ 'anything else'                     => "bytes\nFinal: x y\n64 1 2 3\n\x00\xff\n" ],
    [ 'zero, and a table that is cut off' => "$FI_PINGPONG" =~ s/5[.]27.*/0.00/sr ],
  )
{
    my ( $name, $text, @expected ) = @{$case};
    is_deeply [ said( media_in($text) ) ], \@expected, $name;
}

sub suite_of ( $type, $rows, %facts ) {
    my $label = $type =~ s/.* //r . ( $facts{window} // q{} );
    my %usual = ( type => $type, nodes => 2, notes => '#@PARTNER 1 b' );
    return [ $label, 'length', $rows, { %usual, %facts } ];
}

my $TEXT = results_text(
    {},
    suite_of(
        '305 p2p_TCP',
        [ '8 20 0.2', '1024 30 0.3', '4096 40 0.4', '65536 100 1' ],
        notes => "#\@PARTNER 1 b\n#\@INTERFACE ib0 10.0.0.1"
    ),
    suite_of(
        '1 p2p_MPI_Send-MPI_Recv',
        [ '8 24 0.2', '1024 36 0.3', '4096 44 0.4', '65536 125 1' ]
    ),
    suite_of( '306 p2p_Stream_TCP',       ['65536 1000 10'], window => 64 ),
    suite_of( '165 p2p_Stream_MPI_Isend', ['65536 1100 11'], window => 64 ),
    suite_of( '165 p2p_Stream_MPI_Isend', ['65536 1100 11'], window => 32 ),
);

sub findings ($path) {
    my $output    = SKaMPI::Read::Output->from_file($path);
    my $selection = SKaMPI::Findings::Selection->of($output);
    return map { $_->{text} } map { medium_findings( $output, $selection, $_ ) } $output->suites;
}

my $dir = workplace( 'r.out' => $TEXT );
is_deeply [ findings("$dir/r.out") ],
  [
"MPI_Send-MPI_Recv and TCP without MPI (ib0): MPI adds 2.00 us \x{b1}7.1 % to a message of 8 B, and has 80.0 % "
      . "\x{b1}1.0 % of its bandwidth at 64 KiB.",
    "Stream_MPI_Isend and TCP without MPI: MPI has 90.9 % \x{b1}1.3 % of its bandwidth at 64 KiB.",
  ],
  'TCP of the same run';

my $output = SKaMPI::Read::Output->from_file("$dir/r.out");
my ($mpi) = grep { $_->label eq 'p2p_MPI_Send-MPI_Recv' } $output->suites;
like + ( map { $_->{text} } lines_of( $output, $mpi ) )[0],
  qr/\A1[.]100 .* to 1[.]250 .* times as long as TCP without MPI [(]ib0[)]\z/, 'a line of its plot';

$dir = workplace( 'r.out' => $TEXT, 'r.out.medium' => $PERFTEST );
is_deeply [ grep { /perftest/ } findings("$dir/r.out") ],
  [
"MPI_Send-MPI_Recv and perftest: MPI adds 55.6 us \x{b1}0.9 % to a message of 64 KiB, and has 11.0 % "
      . "\x{b1}0.09 % of its bandwidth at 64 KiB.",
    "Stream_MPI_Isend and perftest: MPI has 33.1 % \x{b1}0.3 % of its bandwidth at 64 KiB.",
    "Stream_MPI_Isend and perftest: MPI has 16.5 % \x{b1}0.2 % of its bandwidth at 64 KiB.",
  ],
  'and of a file';

$dir = workplace( 'r.out' => $TEXT, 'r.out.medium' => 'x' x 2_000_000 );
my ( @findings, $warned );
{
    local *STDERR;
    open STDERR, '>', \$warned or die "stderr: $!\n";
    @findings = findings("$dir/r.out");
}
is scalar @findings, 2, 'a file that is too large';
like $warned, qr/r[.]out[.]medium' is larger than 1048576 bytes; it is not used\n\z/,
  'is one warning';
unlike $warned, qr/\n./, '... of one line';

done_testing();
