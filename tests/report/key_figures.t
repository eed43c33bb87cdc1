use v5.36;

use Test::More;
use SKaMPI::Document::Summary;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Results qw(cases_of results);

sub rows (@suites) {
    return SKaMPI::Findings::KeyFigures->rows_of( results( {}, @suites ) );
}

# "what [length] value+-error unit label@argument", with words for special cases.
sub summary ($row) {
    my $where = $row->{where};
    return join q{ }, $row->{what}, $row->{length} // (),
      sprintf( '%.6g+-%s',
        $row->{value},
        defined $row->{error} ? sprintf '%.4g',
        $row->{error} : '?' ),
      $row->{unit}, "$where->{label}\@" . ( $where->{argument} // q{} ),
      $where->{interpolated} ? 'interpolated' : (), $row->{nearest} ? 'nearest' : (),
      $row->{processes} ? "of $row->{processes}" : ();
}

sub summaries (@suites) {
    return [ map { summary($_) } rows(@suites) ];
}

# A network: 2 us and 1000 bytes per us one way.
my @ROUND = map { "$_ " . 2 * ( 2 + $_ / 1000 ) . ' 0.04' } 0, 1000, 4000, 1_000_000;

subtest 'point-to-point' => sub {
    my @cases = cases_of(<<'END');
all three figures
  p2p_MPI_Send-MPI_Recv: 0 4 0.04, 1000 6 0.04, 4000 12 0.04, 1000000 2004 0.04
  = latency 2+-0.02 us p2p_MPI_Send-MPI_Recv@0
  = peak bandwidth 998.004+-0.01992 MB/s p2p_MPI_Send-MPI_Recv@1000000
  = half-bandwidth length n1/2 1992+-0.07936 B p2p_MPI_Send-MPI_Recv@1992 interpolated
of the fastest suites
  p2p_a: 0 4 0.1, 64 9 0.1, 128 20 0.1
  p2p_b: 0 5 0.1, 64 10 0.1, 128 16 0.1
  = latency 2+-0.05 us p2p_a@0
  = peak bandwidth 16+-0.1 MB/s p2p_b@128
  = half-bandwidth length n1/2 29+-0.2645 B p2p_b@29 interpolated
of MPI_Send and MPI_Recv rather than of a faster one
  p2p_MPI_Send-MPI_Recv: 0 4 0.1, 64 9 0.1
  p2p_MPI_Bsend-MPI_Recv: 0 2 0.1, 64 3 0.1
  = latency 2+-0.05 us p2p_MPI_Send-MPI_Recv@0
  = peak bandwidth 14.2222+-0.158 MB/s p2p_MPI_Send-MPI_Recv@64
  = half-bandwidth length n1/2 20+-0.303 B p2p_MPI_Send-MPI_Recv@20 interpolated
none of exchanges and dummies
  p2p_MPI_Sendrecv: 0 4 0, 64 9 0
  p2p_MPI_Sendrecv_replace: 0 4 0, 64 9 0
  p2p_PingPing: 0 4 0, 64 9 0
  p2p_dummy: 0 4 0, 64 9 0
none of messages of applications :: p2p_face {type=126 p2p_NAS_LU_y}: 480 4 0
without a short message
  p2p_a: 65 4 0.1, 1000 8 0.1
  = peak bandwidth 250+-3.125 MB/s p2p_a@1000
  = half-bandwidth length n1/2 318+-5.418 B p2p_a@318 interpolated
of short messages only
  p2p_a: 64 4 0.1
  = latency 2+-0.05 us p2p_a@64
  = peak bandwidth 32+-0.8 MB/s p2p_a@64
the shortest message reaches half the peak
  p2p_a: 8 4 0.1, 16 7 0.1
  = latency 2+-0.05 us p2p_a@8
  = peak bandwidth 4.57143+-0.06531 MB/s p2p_a@16
unknown errors
  p2p_a: 0 4 nan, 64 4.5 nan, 128 5 nan
  = latency 2+-? us p2p_a@0
  = peak bandwidth 51.2+-? MB/s p2p_a@128
  = half-bandwidth length n1/2 57+-? B p2p_a@57 interpolated
not of few repetitions
  p2p_a: 0 3 0.01 3, 8 4 0.1 4, 64 4.5 0.1, 128 0.1 0.01 2
  = latency 2+-0.05 us p2p_a@8
  = peak bandwidth 28.4444+-0.6321 MB/s p2p_a@64
  = half-bandwidth length n1/2 30+-0.7078 B p2p_a@30 interpolated
none over the number of processes :: p2p_a over nodes: 2 4 0
END
    for my $case (@cases) {
        my ( $name, $suites, @wanted ) = @{$case};
        is_deeply summaries( @{$suites} ), \@wanted, $name;
    }
};

subtest 'a vague number is no figure' => sub {
    my %wanted = (
        '8 10 5 8'                 => undef,
        '8 10 5.1 8'               => 'not known: its error is above 50 %',
        '8 10 5.1 8 # contended=1' => 'not known: processes waited for CPUs',
        '8 10 nan 8 # contended=1' => 'not known: processes waited for CPUs',
        '8 10 0.4 8 # contended=1' => undef,
        '8 10 0.6 8 # contended=1' => 'not known: processes waited for CPUs',
        '8 10 nan 8'               => undef,
    );
    for my $row ( sort keys %wanted ) {
        my ($figure) = rows( [ 'syncol_MPI_Bcast-length-SM', 'length', [$row] ] );
        is $figure->{unknown}, $wanted{$row}, "row $row";
        is $figure->{error},   undef,         'without an error' if defined $wanted{$row};
    }
    my @rows    = ( '0 4 0.04 8', '1000 6 0.04 8', '4000 12 nan 8 # contended=1' );
    my @figures = rows( [ 'p2p_a', 'length', \@rows ] );
    is_deeply [ map { $_->{unknown} // $_->{value} } @figures ],
      [ 2, ('not known: processes waited for CPUs') x 2 ], 'a length of a peak that is not known';
    is $figures[2]{where}{interpolated}, 0, 'without a mark';
    my $share = '%: rank 0 on host a, 35 involuntary switches';
    for my $facts (
        [ OVERSUBSCRIBED => 'yes' ],
        [ CPUSHARE       => "79.0 $share" ],
        [ STEAL          => '20.0 %: host a' ],
        [ CPUSHARE       => "99.0 $share" ],
        [ CPUSHARE       => "23.0 $share", '8 10 0.1 8 # contended=1' ],
      )
    {
        my $output = results( { @{$facts}[ 0, 1 ] },
            [ 'syncol_MPI_Bcast-length-SM', 'length', [ $facts->[2] // '8 10 5.1 8' ] ] );
        my ($figure) = SKaMPI::Findings::KeyFigures->rows_of($output);
        my $why = $facts->[1] =~ /99/ ? 'its error is above 50 %' : 'processes waited for CPUs';
        is $figure->{unknown}, "not known: $why", "@{$facts}";
    }
};

subtest 'collective operations' => sub {
    my @cases = cases_of(<<'END');
measured and interpolated
  syncol_MPI_Bcast-length-SM: 4 10 1, 8 12 1, 32768 90 1, 131072 290 1
  = MPI_Bcast 8 12+-1 us syncol_MPI_Bcast-length-SM@8 of 4
  = MPI_Bcast 65536 156.667+-0.7454 us syncol_MPI_Bcast-length-SM@65536 interpolated of 4
synchronous suites are preferred
  col_MPI_Scan-length-BM: 8 1 0
  syncol_MPI_Scan-length-SM: 8 1 0
  = MPI_Scan 8 1+-0 us syncol_MPI_Scan-length-SM@8 of 4
suites with barriers, if there is no other
  col_MPI_Scan-length: 8 1 0
  syncol_MPI_Scan-SM:
  = MPI_Scan 8 1+-0 us col_MPI_Scan-length@8 of 4
the nearest length
  col_MPI_Reduce: 16 1 0, 32768 2 0
  = MPI_Reduce 16 1+-0 us col_MPI_Reduce@16 nearest of 4
  = MPI_Reduce 32768 2+-0 us col_MPI_Reduce@32768 nearest of 4
no length is near :: col_MPI_Reduce: 17 1 0, 32767 2 0
over the number of processes
  col_MPI_Bcast-nodes-short over nodes: 2 1 0
  col_MPI_Bcast-nodes-long over nodes {message_length=65536}: 2 1 0, 16 5 0
  = MPI_Bcast 65536 5+-0 us col_MPI_Bcast-nodes-long@16 of 16
without a length
  syncol_MPI_Comm_dup-nodes-SM over nodes: 2 1 0, 7 5 0
  syncol_MPI_Barrier-SM over nodes: 2 1 0, 7 5 0
  = MPI_Barrier 5+-0 us syncol_MPI_Barrier-SM@7 of 7
  = MPI_Comm_dup 5+-0 us syncol_MPI_Comm_dup-nodes-SM@7 of 7
other suites are ignored
  vtsyncol_MPI_Bcast-length-SM: 8 1 0
  syncol_MPI_Bcast-31-SM: 8 1 0
  syncol_MPI_Bcast_Send_Recv: 8 1 0
  mw_MPI_Bcast: 8 1 0
implausible times :: col_MPI_Bcast: 8 nan 0, 16 0 0, 4 -1 0
measured values are preferred
  syncol_MPI_Bcast-length-SM: 32768 9 1, 131072 9 1
  syncol_MPI_Bcast-nodes-long-SM over nodes {message_length=65536}: 2 8 1, 4 81 1
  = MPI_Bcast 65536 81+-1 us syncol_MPI_Bcast-nodes-long-SM@4 of 4
also if they contain a barrier
  syncol_MPI_Bcast-length-SM: 32768 9 1, 131072 9 1
  col_MPI_Bcast-length-BM: 32768 8 1, 65536 81 1
  = MPI_Bcast 65536 81+-1 us col_MPI_Bcast-length-BM@65536 of 4
interpolated values are preferred to another length
  syncol_MPI_Bcast-length-SM: 32768 9 1, 65535 9 1
  col_MPI_Bcast-length-BM: 32768 8 1, 131072 8 1
  = MPI_Bcast 65536 8+-0.7454 us col_MPI_Bcast-length-BM@65536 interpolated of 4
END
    for my $case (@cases) {
        my ( $name, $suites, @wanted ) = @{$case};
        is_deeply summaries( grep { @{ $_->[2] } } @{$suites} ), \@wanted, $name;
    }
};

subtest 'local calls' => sub {
    is_deeply summaries(
        [ 'simple_MPI_Wtime',              undef, ['0 0.03 0.001'] ],
        [ 'simple_dummy',                  undef, ['0 0.01 0.001'] ],
        [ 'simple_MPI_Type_create-commit', undef, ['0 0.5 0.001'] ]
      ),
      ['MPI_Wtime 0.03+-0.001 us simple_MPI_Wtime@'], 'MPI calls without a datatype are shown';
};

subtest 'implausible numbers' => sub {
    my @huge = ( '1 1e-300 0', '1e300 1e300 1e300', '8 1e308 0', '16 1e15 1e308', '1e18 1e-9 0' );
    my @rows = rows( [ 'p2p_a', 'length', \@huge, { range => q{} } ] );
    is scalar @rows, 3, 'there are three rows';
    for my $row (@rows) {
        ok $row->{value} - $row->{value} == 0, "$row->{what} is finite";
    }
};

subtest 'every row has a definition' => sub {
    my @rows = rows(
        [ 'p2p_a',                'length', \@ROUND ],
        [ 'col_MPI_Bcast-length', 'length', ['8 1 0'] ],
        [ 'simple_MPI_Wtime',     undef,    ['0 1 0'] ]
    );
    is join( q{ }, map { $_->{group} } @rows ),
      'point-to-point point-to-point point-to-point collective local', 'rows are in groups';
    is_deeply [ grep { !length $_->{definition} } @rows ], [], 'none is empty';
    is_deeply $rows[3]{where}{column},
      { name => 'message length', unit => 'bytes', format => '%d' },
      'rows have the unit of the argument';
};

# Each value is in the column of its length; values without a length are separate.
subtest 'columns of the table' => sub {
    my @cases = cases_of(<<"END");
both lengths, and no length
  col_MPI_Bcast: 8 1 0, 65536 9 0
  col_MPI_Barrier-nodes over nodes: 4 3 0
  = 8 B, 64 KiB
  = MPI_Bcast: 1.000, 9.000
  = MPI_Barrier: 3.000
only the long one
  col_MPI_Bcast: 8 1 0, 65536 9 0
  col_MPI_Reduce: 16384 7 0, 131072 9 0
  = 8 B, 64 KiB
  = MPI_Bcast: 1.000, 9.000; MPI_Reduce: , ~7.857
  =
interpolated values, and values measured in another way
  syncol_MPI_Bcast: 8 1 0, 16384 1 0, 131072 9 0
  syncol_MPI_Reduce: 8 1 0, 16384 1 0
  col_MPI_Reduce: 65536 5 0, 131072 9 0
  = 8 B, 64 KiB
  = MPI_Bcast: 1.000, ~4.429; MPI_Reduce: 1.000, 5.000\x{2020}
  =
the usual definition is that of most rows
  col_MPI_Bcast: 8 1 0
  syncol_MPI_Reduce: 8 1 0
  syncol_MPI_Scan: 8 1 0
  = 8 B
  = MPI_Bcast: 1.000\x{2020}; MPI_Reduce: 1.000; MPI_Scan: 1.000
  =
near lengths
  col_MPI_Bcast: 16 1 0, 32768 9 0
  = 8 B, 64 KiB
  = MPI_Bcast: 1.000 (at 16 B), 9.000 (at 32 KiB)
  =
END
    for my $case (@cases) {
        my ( $name, $suites, @wanted ) = @{$case};
        my $output = results( {}, @{$suites} );
        $_->{notes}{TIMEOF} = 'one call' for $output->suites;
        my $table = SKaMPI::Document::Summary->new( $output, {} )->data->{collectives};
        my @rows  = map {
            "$_->{what}: " . join ', ',
              map { $_->{value} }
              @{ $_->{cells} }
        } @{ $table->{rows} };
        my @plain = map { "$_->{what}: $_->{value}" } @{ $table->{plain} };
        my @got   = ( join( ', ', @{ $table->{lengths} } ), join( '; ', @rows ), "@plain" );
        is_deeply [ map { s/ \x{b5}s//gr } @got ], \@wanted, $name;
    }
};

subtest 'notes explain the marks' => sub {
    my $output = results(
        {},
        [ 'syncol_MPI_Bcast', 'length', [ '4 1 0', '16 2 0' ] ],
        [ 'col_MPI_Reduce',   'length', ['8 3 0'] ]
    );
    $_->{notes}{TIMEOF} = 'one call' for $output->suites;
    is_deeply(
        SKaMPI::Document::Summary->new( $output, {} )->data->{collectives}{notes},
        [
            'Times are: from the common start until the slowest process is done.',
"\x{2020} on the root, including the barrier after the operation; contains the skew with which the"
              . ' previous barrier was left.',
            '~ interpolated between measured lengths.'
        ],
        'definitions and interpolation'
    );
};

subtest 'with all processes' => sub {
    my @suites = map { [ "col_$_", 'nodes', [ '2 1 0', '4 2 0' ], { message_length => 8 } ] }
      qw(MPI_Bcast MPI_Barrier);
    my @counts = map {
        scalar( () =
              SKaMPI::Findings::KeyFigures->rows_of( results( { PROCESSES => $_ }, @suites ) ) )
    } 4, 8;
    is_deeply \@counts, [ 2, 0 ], 'values with fewer processes are ignored';
};

done_testing;
