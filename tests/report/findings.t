use v5.36;

use Test::More;
use SKaMPI::Document::Template;
use SKaMPI::Document::Summary;
use SKaMPI::Findings::Cases qw(candidates);
use SKaMPI::Findings::Findings;
use SKaMPI::Read::Output;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Results          qw(cases_of results);
use SKaMPI::Test             qw(blocks_of);

# Precedes a standard error.
my $PM = "\x{b1}";

sub findings (@suites) {
    return SKaMPI::Findings::Findings->of( results( {}, @suites ) );
}

sub texts (@suites) {
    return [ map { $_->{text} } all_of( findings(@suites) ) ];
}

sub all_of ($found) {
    return map { @{ $_->{findings} } } @{ $found->{groups} };
}

sub first_of ($found) {
    return ( all_of($found) )[0];
}

# The cases of a table (SKaMPI::Results) have these findings.
sub are_found ($table) {
    my @cases = cases_of($table);
    for my $case (@cases) {
        my ( $name, $suites, @wanted ) = @{$case};
        is_deeply texts( @{$suites} ), [ map { s/[+]-/$PM/gr } @wanted ], $name;
    }
    return @cases;
}

sub over_length ( $label, @rows ) {
    return [ $label, 'length', \@rows ];
}

my %NUMBER = map { ( "$_->{pattern}_$_->{name}" => $_->{number} ) } rows_of('types');

# The suite of a line: type, Parameters or other fields, a further line, and rows, or the time of 8, 64 and 512 bytes.
sub defined_suite ($line) {
    state $suites = 0;
    my ( $type, $fields, $notes, $rows ) =
      $line =~ /\A(\S+)(?: [{](.*?)[}])?(?: (#.*))?: ([\d., ]+)\z/
      or die "not a suite: $line\n";
    my ( $prefix, $name ) = ( $type =~ /([a-z0-9]+)/, 'S' . ++$suites );
    $fields //= q{};
    $prefix = "vt$prefix"                 if $line   =~ /Topology/;
    $fields = qq{Parameters = "$fields";} if $fields !~ /;/;
    my @rows = $rows =~ / / ? split /, /, $rows : map { "$_ $rows 0.1" } 8, 64, 512;
    return {
        text  => "$name { Type = $NUMBER{$type}; $fields }",
        suite => [
            "${prefix}_$name", 'length',
            \@rows, { type => "$NUMBER{$type} $type", notes => $notes }
        ]
    };
}

# The suites of each block have as many findings, which begin with these words; "..." are any others.
sub findings_begin ($table) {
    for my $block ( blocks_of( $table =~ s/[+]-/$PM/gr ) ) {
        my ( $name, @lines ) = @{$block};
        my @wanted = map {
            /\A= (.*)/
              ? join '.*', map { quotemeta } split / [.]{3} /, $1
              : ()
        } @lines;
        my @suites = map { defined_suite($_) } grep { !/\A=/ } @lines;
        my $output = results( { SUITES => join "\n# ", map { $_->{text} } @suites },
            map { $_->{suite} } @suites );
        my @found;
        for my $group ( @{ SKaMPI::Findings::Findings->of($output)->{groups} } ) {
            push @found, map { "$group->{about}: $_->{text}" } @{ $group->{findings} };
        }
        is @found, @wanted, $name;
        like $found[$_], qr/\A$wanted[$_]/ for keys @wanted;
    }
    return;
}

subtest 'one-sided accesses and messages' => sub {
    findings_begin(<<'END');
slow accesses
  p2p_MPI_Send-MPI_Recv {partner=farthest}: 8 10 0, 1024 10 0, 2048 10 0
  p2p_RMA_Put {partner=farthest assert=none lock=shared sync=flush}: 8 9 0, 1024 1000 0, 2048 1000 0
  = slower: RMA_Put (synchronised by flush) took 100 times as long as MPI_Send-MPI_Recv at 1 KiB ... send messages instead
with notifications, too
  p2p_MPI_Send-MPI_Recv {partner=farthest}: 8 10 0, 1024 10 0, 2048 10 0
  p2p_RMA_Put {partner=farthest assert=none lock=shared sync=notify}: 8 12 0, 1024 12 0, 2048 12 0
  = slower: RMA_Put (synchronised by notify) took 1.20 times as long as MPI_Send-MPI_Recv at 8 B
not if the target computes
  p2p_MPI_Send-MPI_Recv {partner=farthest}: 8 10 0, 1024 10 0, 2048 10 0
  p2p_RMA_Put {partner=farthest assert=none lock=shared sync=flush busy=1000}: 8 1000 0, 1024 1000 0, 2048 1000 0
nor if a lock is part of the time
  p2p_MPI_Send-MPI_Recv {partner=farthest}: 8 10 0, 1024 10 0, 2048 10 0
  p2p_RMA_Put {partner=farthest assert=none lock=shared sync=lock}: 8 1000 0, 1024 1000 0, 2048 1000 0
equal times are not a finding
  p2p_MPI_Send-MPI_Recv {partner=farthest}: 8 10 0, 1024 10 0, 2048 10 0
  p2p_RMA_Put {partner=farthest assert=none lock=shared sync=flush}: 8 10 0, 1024 10 0, 2048 10 0
END
};

subtest 'neighbours in a virtual topology' => sub {
    my @suites = map { [ "vtsyncol_$_->[0]", 'length', [ "8 $_->[1] .1", "64 $_->[1] .1" ] ] }
      ( [ 'MPI_Neighbor_alltoall' => 30 ], [ 'Neighbor_Isend_Irecv' => 10 ] );
    like texts(@suites)->[0],
      qr/\AMPI_Neighbor_alltoall took 3[.]00 .*times as long as Neighbor_Isend_Irecv at 8 B/,
      'should not be slower than messages';
};

subtest 'reordered ranks' => sub {
    my $square = 'Cartesian 4 x 4, periodic yes yes';
    my %shape  = (
        SQUARE => $square,
        KEPT   => "$square, NOREORDER",
        LINE   => 'Cartesian 16, periodic yes, NOREORDER'
    );
    my $cases = <<'END';
slower
  syncol_MPI_Neighbor_alltoall 1 SQUARE: 30
  syncol_MPI_Neighbor_alltoall 2 KEPT: 20
  = slower: MPI_Neighbor_alltoall took 1.50 +- 0.01 times as long with reordered ranks as with NOREORDER at 8 B
equal times
  syncol_MPI_Neighbor_alltoall 1 SQUARE: 20
  syncol_MPI_Neighbor_alltoall 2 KEPT: 20
slower as it was
  syncol_MPI_Neighbor_alltoall 1 SQUARE: 20
  syncol_MPI_Neighbor_alltoall 2 KEPT: 30
other shapes
  syncol_MPI_Neighbor_alltoall 1 SQUARE: 30
  syncol_MPI_Neighbor_alltoall 2 LINE: 20
no NOREORDER
  syncol_MPI_Neighbor_alltoall 1 SQUARE: 30
  syncol_MPI_Neighbor_alltoall 2 SQUARE: 20
no neighbours
  syncol_MPI_Bcast 1 SQUARE: 30
  syncol_MPI_Bcast 2 KEPT: 20
END
    for my $end ( q{}, ': rank process host', ', the first of 20' ) {
        findings_begin( $cases =~
              s/(\d) ([A-Z]+):/{Virtual_Topology_Number = $1;} #\@TOPOLOGY $shape{$2}$end:/gr );
    }
};

# Suites whose errors are this part of their times.
sub with_errors ( $part, @suites ) {
    return map {
        my ( $label, $axis, $rows, @more ) = @{$_};
        [ $label, $axis, [ map { s{(\S+) \S+\z}{"$1 " . $part * $1}er } @{$rows} ], @more ]
    } @suites;
}

subtest 'the arithmetic of a reduction' => sub {
    my @all = over_length( 'syncol_MPI_Allreduce-length-SM',
        '0 5 .1', '8 20 .1', '1000 80 .1', '2000 90 .1' );
    my @local =
      over_length( 'syncol_MPI_Reduce_local-length-SM', '0 1 .1', '8 2 .1', '1000 20 .1' );
    my $found = findings( @all, @local );
    is_deeply [ map { "$_->{about}: $_->{findings}[0]{text}" } @{ $found->{groups} } ],
      [
'arithmetic: MPI_Allreduce: to combine a buffer once takes 25.0 % of its time at 1000 B, 4 processes '
          . '(20.00 us of 80.00 us, 50.0 MB/s).' ], 'its part at the longest length';
    is_deeply texts(@all),                               [], 'unknown without MPI_Reduce_local';
    is_deeply texts( with_errors( 0.4, @all, @local ) ), [], 'unknown with errors above 50 %';
    is scalar @{ texts( with_errors( 0.3, @all, @local ) ) }, 1, 'but with smaller ones it is not';
    findings_begin(<<'END');
named by its operation
  syncol_MPI_Allreduce {op=max}: 8 20 .1
  syncol_MPI_Reduce_local {op=max}: 8 20 .1
  = arithmetic: MPI_Allreduce (op max): to combine
END
};

subtest 'files at the next place and at the same one' => sub {
    findings_begin(<<'END');
slower at the next place
  io_MPI_File_read_at {io_walk=1000}: 4096 1 .1, 65536 4 .1, 131072 4 .1
  io_MPI_File_read_at {io_walk=no}: 4096 1 .1, 65536 2 .1, 131072 2 .1
  = places: MPI_File_read_at took 2.00 +- 0.11 times as long at the next place of the file as always at the same one
    at 64 KiB
without the key, results are of the same place
  io_MPI_File_read_at {io_sync=no}: 4096 1 .1, 65536 4 .1, 131072 4 .1
  io_MPI_File_read_at {io_walk=no}: 4096 1 .1, 65536 2 .1, 131072 2 .1
END
};

subtest 'fresh and kept data' => sub {
    findings_begin(<<'END');
the factor
  p2p_MPI_Send-MPI_Recv {data=fresh paced=yes}: 1024 10 0, 4096 30 0, 65536 180 0
  p2p_MPI_Send-MPI_Recv {data=kept paced=no}: 1024 10 0, 4096 20 0, 65536 100 0
  = fresh data: MPI_Send-MPI_Recv took 1.80 times as long with fresh data as with kept data at 64 KiB, 4 processes
    (180.0 us against 100.0 us); fresh data took longer at 2 of 3 arguments from 4 KiB to 64 KiB.
the ping-pongs that are paced are compared
  p2p_MPI_Send-MPI_Recv {data=fresh paced=yes}: 1024 10 0, 4096 30 0, 65536 180 0
  p2p_MPI_Send-MPI_Recv {data=kept paced=no}: 1024 5 0, 4096 5 0, 65536 5 0
  p2p_MPI_Send-MPI_Recv {data=kept paced=yes}: 1024 10 0, 4096 20 0, 65536 100 0
  = fresh data: MPI_Send-MPI_Recv took 1.80 times as long with fresh data as with kept data at 64 KiB
equal times are not a finding
  p2p_MPI_Send-MPI_Recv {data=fresh paced=yes}: 1024 10 0, 4096 20 0, 65536 100 0
  p2p_MPI_Send-MPI_Recv {data=kept paced=no}: 1024 10 0, 4096 20 0, 65536 100 0
nor are those of cold data
  p2p_MPI_Send-MPI_Recv {cache=cold data=cold paced=yes}: 1024 10 0, 4096 30 0, 65536 180 0
  p2p_MPI_Send-MPI_Recv {data=kept paced=no}: 1024 10 0, 4096 20 0, 65536 100 0
END
};

subtest 'guidelines' => sub {
    are_found(<<'END');
a point-to-point version
  syncol_MPI_Bcast-length-SM: 4 10 0.1, 8 20 0.1, 16 30 0.1
  syncol_MPI_Bcast_Send_Recv-length-SM: 4 10 0.1, 8 10 0.1, 16 20 0.1
  = MPI_Bcast took 2.00 +- 0.02 times as long as MPI_Bcast_Send_Recv at 8 B, 4 processes (20.00 us against
    10.00 us); it took longer at 2 of 3 arguments from 8 B to 16 B.
over the number of processes
  col_MPI_Gather-nodes-short over nodes: 2 2 0, 3 4 0, 4 6 0
  col_MPI_Gather_SR-nodes over nodes: 2 1 0, 3 3 0, 4 5 0
  = MPI_Gather took 2.00 times as long as MPI_Gather_SR at 2 processes, 256 B (2.000 us against 1.000 us); it took
    longer at all 3 arguments from 2 processes to 4 processes.
a sequence
  syncol_MPI_Allreduce-length-SM: 8 25 0.1
  syncol_MPI_Reduce-length-SM: 8 12 0.1
  syncol_MPI_Bcast-length-SM: 8 8 0.1
  = MPI_Allreduce took 1.25 +- 0.01 times as long as MPI_Reduce followed by MPI_Bcast at 8 B, 4 processes
    (25.00 us against 20.00 us).
a part is missing :: col_MPI_Allreduce: 8 25 0 :: col_MPI_Reduce: 8 12 0
of other lengths
  syncol_MPI_Allgather-length-SM: 8 30 0.1, 16 32 0.1
  syncol_MPI_Gather-length-SM: 8 10 0.1, 16 10 0.1
  syncol_MPI_Bcast-length-SM: 8 1 0, 32 10 0.1, 64 20 0.1
  = MPI_Allgather took 1.50 +- 0.01 times as long as MPI_Gather followed by MPI_Bcast of 32 B at 8 B, 4
    processes (30.00 us against 20.00 us); it took longer at all 2 arguments from 8 B to 16 B.
parts of a length
  syncol_MPI_Bcast-length-SM: 64 4 0
  syncol_MPI_Scatter-length-SM: 16 1 0
  syncol_MPI_Allgather-length-SM: 16 1 0
  = MPI_Bcast took 2.00 times as long as MPI_Scatter of 16 B followed by MPI_Allgather of 16 B at 64 B, 4
    processes (4.000 us against 2.000 us).
a datatype
  p2p_MPI_Send-MPI_Recv-31: 112 8 0
  p2p_MPI_Send-MPI_Recv-pack-31: 112 4 0
  p2p_MPI_Send-MPI_Recv-pack-32: 112 4 0
  = MPI_Send-MPI_Recv (vector) took 2.00 times as long as MPI_Send-MPI_Recv (vector, packed data) at 112 B, 4
    processes (8.000 us against 4.000 us).
less than 5 % slower :: col_MPI_Gather: 8 10.4 0 :: col_MPI_Gatherv: 8 10 0
not beyond two errors :: col_MPI_Gather: 8 13.9 1 :: col_MPI_Gatherv: 8 10 1
beyond 5 % and two errors
  col_MPI_Gather: 8 14 1
  col_MPI_Gatherv: 8 10 1
  = MPI_Gather took 1.40 +- 0.17 times as long as MPI_Gatherv at 8 B, 4 processes (14.00 us against 10.00 us).
faster than required :: col_MPI_Gather: 8 10 0 :: col_MPI_Allgather: 8 20 0
BM and SM are not compared :: col_MPI_Gather: 8 20 0 :: syncol_MPI_Gatherv: 8 10 0
synchronous suites are preferred
  col_MPI_Scatter-length-BM: 8 40 0
  col_MPI_Scatterv-length-BM: 8 10 0
  syncol_MPI_Scatter-length-SM: 8 20 0
  syncol_MPI_Scatterv-length-SM: 8 10 0
  = MPI_Scatter took 2.00 times as long as MPI_Scatterv at 8 B, 4 processes (20.00 us against 10.00 us).
different defaults
  col_MPI_Gather {nodes=8}: 8 20 0
  col_MPI_Gatherv {nodes=4}: 8 10 0
  col_MPI_Scatter-nodes over nodes {message_length=8}: 2 20 0
  col_MPI_Scatterv-nodes over nodes {message_length=4}: 2 10 0
topologies and datatypes
  vtcol_MPI_Gather: 8 20 0
  vtcol_MPI_Gatherv: 8 10 0
  col_MPI_Gather-31: 8 20 0
  col_MPI_Gatherv: 8 10 0
measured arguments are preferred
  col_MPI_Gather: 8 30 0, 12 99 0, 16 60 0
  col_MPI_Gatherv: 8 10 0, 16 20 0
  = MPI_Gather took 3.00 times as long as MPI_Gatherv at 8 B, 4 processes (30.00 us against 10.00 us); it took
    longer at all 2 arguments from 8 B to 16 B.
interpolated if no argument is in common
  col_MPI_Gather: 12 30 0
  col_MPI_Gatherv: 8 10 0, 16 20 0
  = MPI_Gather took 2.00 times as long as MPI_Gatherv at 12 B, 4 processes (30.00 us against 15.00 us).
never extrapolated :: col_MPI_Gather: 4 30 0, 17 99 0 :: col_MPI_Gatherv: 8 10 0, 16 20 0
END
};

subtest 'a longer message is faster' => sub {
    are_found(<<'END');
at one argument :: p2p_a: 8 10 0.1, 16 30 0.1, 32 20 0.1, 64 40 0.1
at several arguments
  p2p_a: 8 22 0.1, 16 30 0.1, 32 20.4 0.1, 64 19 0.1
  = p2p_a: 16 B took 30.00 us, 1.58 +- 0.01 times as long as 64 B (19.00 us); a longer message took less time
    at 3 of 4 arguments from 8 B to 32 B.
with a longer message that is not the next
  p2p_a: 8 30 0.1, 16 31 0.1, 32 20.5 0.1, 64 20 0.1
  = p2p_a: 16 B took 31.00 us, 1.55 +- 0.01 times as long as 64 B (20.00 us); a longer message took less time
    at 2 of 4 arguments from 8 B to 16 B.
nowhere :: p2p_a: 8 10 0.1, 16 10 0.1, 32 20 0.1
by less than 5 % :: p2p_a: 8 10.4 0, 16 10 0
few repetitions :: p2p_a: 8 12 0 7, 16 10 0
few repetitions of the other one :: p2p_a: 8 12 0, 16 10 0 7
implausible times :: p2p_a: 8 12 0, 16 nan 0, 32 -1 0, 64 0 0
rows out of order :: p2p_a: 16 20 0, 8 10 0
END
    my @falling = ( '8 20 0', '16 10 0' );
    is_deeply texts(
        over_length( 'p2p_dummy',                    @falling ),
        over_length( 'internal_a',                   @falling ),
        over_length( 'syncol_MPI_Bcast_init-length', @falling ),
        [ 'mw_a', 'nodes', \@falling ]
      ),
      [],
'only messages count: not processes, dummies, internal measurements or the creation of requests';
};

# The same times for all suites, longer for longer messages: there are no findings.
sub steady ($label) {
    return over_length( $label, map { 2**$_ . q{ } . ( 10 + $_ ) . ' 0.01' } 2 .. 12 );
}

sub with_factor ( $suite, $i, $factor ) {
    my ( $label, $axis, $rows ) = @{$suite};
    my @changed = @{$rows};
    my ( $argument, $time, $error ) = split / /, $changed[$i];
    $changed[$i] = join q{ }, $argument, $factor * $time, $error;
    return [ $label, $axis, \@changed ];
}

subtest 'a disturbed argument makes at most one finding' => sub {
    my @names =
      qw(Bcast Bcast_Send_Recv Bcast_Send_Recv2 Gather Gather_SR Gather_ISWA Gatherv Reduce
      Allreduce Reduce_Bcast Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv);
    my @suites =
      map { ( steady("syncol_MPI_$_-length-SM"), steady("col_MPI_$_-length-BM") ) } @names;
    push @suites, map { steady("p2p_MPI_Send-MPI_Recv$_") } '-31', '-pack-31', '-contiguous-31';
    is_deeply texts(@suites), [], 'no finding without a disturbance';
    my ( $some, $all, @several );
    for my $s ( 0 .. $#suites ) {
        for my $i ( $ENV{SKAMPI_LONG} ? ( 0, 4, 10 ) : ( 0, 4, 10 )[ $s % 3 ] ) {
            for my $factor ( $ENV{SKAMPI_LONG} ? ( 10, 0.1 ) : ( 10, 0.1 )[ $s / 2 % 2 ] ) {
                my @disturbed = @suites;
                $disturbed[$s] = with_factor( $suites[$s], $i, $factor );
                my @found = @{ texts(@disturbed) };
                $all++;
                $some++ if @found;
                push @several, "$suites[$s][0] $i $factor: @found" if @found > 1;
            }
        }
    }
    is_deeply \@several, [], 'never two findings';
    cmp_ok $some, '>', $all / 4, 'but often one';
};

subtest 'a suite that is slow everywhere violates each guideline' => sub {
    my @slow   = ( map { "$_ 30 0.1" } 4, 8, 16, 32 );
    my @fast   = ( map { "$_ 20 0.1" } 4, 8, 16, 32 );
    my @suites = map { over_length( "syncol_$_", /Send/ ? @fast : @slow ) }
      qw(MPI_Bcast MPI_Bcast_Send_Recv MPI_Bcast_Send_Recv2);
    is scalar @{ texts(@suites) }, 2, 'two findings';
    my @found =
      map { $_->{factor} } all_of( findings( with_factor( $suites[0], 1, 10 ), @suites[ 1, 2 ] ) );
    is_deeply \@found, [ 1.5, 1.5 ], 'a disturbed argument is not a candidate';
};

subtest 'a library that is slower than a textbook algorithm' => sub {
    my @algorithms = ( map { "${_}_binomial" } qw(Bcast Reduce Gather Scatter) );
    push @algorithms, map { ( "${_}_ring", "${_}_doubling" ) } qw(Allgather Allreduce);
    for my $other ( @algorithms, qw(Alltoall_pairwise Alltoall_Bruck Barrier_dissemination) ) {
        my $name   = $other =~ s/_.*//r;
        my @suites = map { [ "syncol_$_->[0]", 'nodes', [ "4 $_->[1] 0.1", "8 $_->[1] 0.1" ] ] }
          ( [ "MPI_$name", 30 ], [ $other, 20 ] );
        my $found = texts(@suites);
        is scalar @{$found}, 1, "$other: a finding";
        like $found->[0], qr/\AMPI_$name took 1[.]50 .* times as long as $other at/, 'names both';
        is_deeply texts( [ @{ $suites[0] } ], [ @{ $suites[1] }[ 0, 1 ], $suites[0][2] ] ), [],
          'and none at the same time';
    }
};

subtest 'collective access to files' => sub {
    findings_begin(<<'END');
slower than the individual one
  io_MPI_File_read_at_all {io_cache=kept}: 4096 30 0.1, 8192 30 0.1
  io_MPI_File_read_at {io_cache=kept}: 4096 20 0.1, 8192 20 0.1
  = slower: MPI_File_read_at_all took 1.50 +- 0.01 times as long as MPI_File_read_at at 4 KiB
with and without the page cache
  io_MPI_File_read_at_all {io_cache=dropped}: 4096 30 0.1, 8192 30 0.1
  io_MPI_File_read_at {io_cache=kept}: 4096 20 0.1, 8192 20 0.1
END
};

subtest 'one buffer is not slower than two' => sub {
    findings_begin(<<'END');
only the same operation is compared
  syncol_MPI_Allreduce {in_place=yes}: 30
  syncol_MPI_Allreduce: 20
  syncol_MPI_Reduce_Bcast {in_place=no}: 25
  = slower: MPI_Allreduce (in place) took 1.50 +- 0.01 times as long as with two buffers at 8 B
both take as long :: syncol_MPI_Allreduce {in_place=yes}: 20 :: syncol_MPI_Allreduce: 20
other data :: syncol_MPI_Allreduce {in_place=yes data=fresh}: 30 :: syncol_MPI_Allreduce: 20
END
};

subtest 'what to use instead of a slow collective' => sub {
    my @suites = map { [ "syncol_$_->[0]", 'nodes', [ "4 $_->[1] 0.1", "8 $_->[1] 0.1" ] ] }
      ( [ 'MPI_Allreduce', 30 ], [ 'Allreduce_ring', 20 ] );
    my %advice = (
        'Open MPI v4.1.4, package: Debian' =>
'OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_allreduce_algorithm=ring in the environment.',
        'MPICH Version:	4.0.2' => 'point-to-point calls itself.',
        'Some MPI'             => 'point-to-point calls itself.',
    );
    for my $library ( sort keys %advice ) {
        my ($text) =
          map { $_->{text} }
          all_of(
            SKaMPI::Findings::Findings->of( results( { MPILIBRARY => $library }, @suites ) ) );
        like $text, qr/\Q$advice{$library}\E\z/, $library;
    }
    like SKaMPI::Findings::Guidelines::advice_of( 'Alltoall_Bruck', 'MPICH Version: 4.0.2' ),
      qr/ MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=brucks in the environment[.]\z/,
      'MPICH has a variable';
};

subtest 'irregular collectives' => sub {
    findings_begin(<<'END');
equal counts should not cost more
  syncol_MPI_Alltoall: 20
  syncol_Irregular_Alltoallv {spread=uniform}: 24
  = slower: Irregular_Alltoallv (parts uniform) took 1.20 +- 0.01 times as long as MPI_Alltoall at 8 B
except for 5 % :: syncol_MPI_Alltoall: 20 :: syncol_Irregular_Alltoallv {spread=uniform}: 20.9
unequal counts are a group by themselves
  syncol_MPI_Alltoall: 20
  syncol_Irregular_Alltoallv {spread=sparse:1}: 60
  = unequal parts: Irregular_Alltoallv (parts sparse:1) took 3.00 +- 0.02 times as long as MPI_Alltoall at 8 B
messages to the processes that get any should not be faster
  syncol_Irregular_Alltoallv {spread=sparse:2}: 30
  syncol_Irregular_Alltoallv_Isend_Irecv {spread=sparse:2}: 20
  = slower: Irregular_Alltoallv (parts sparse:2) took 1.50 +- 0.01 times as long as Irregular_Alltoallv_Isend_Irecv
nor need they be slower
  syncol_Irregular_Alltoallv {spread=sparse:2}: 20
  syncol_Irregular_Alltoallv_Isend_Irecv {spread=sparse:2}: 30
one type should not cost more
  syncol_Irregular_Alltoallv {spread=sparse:2}: 20
  syncol_Irregular_Alltoallw {spread=sparse:2}: 30
  = slower: Irregular_Alltoallw (parts sparse:2) took 1.50 ... With one datatype, both do the same.
different parts are not compared
  syncol_Irregular_Alltoallv {spread=sparse:2}: 20
  syncol_Irregular_Alltoallw {spread=sparse:3}: 30
nor should the regular operation with padded parts be faster
  syncol_MPI_Gather: 10
  syncol_Irregular_Gatherv {spread=sparse:2} #@SPREAD sparse:2, 4 processes: longest 2.000 of the mean, Gini 0.500: 30
  = slower: Irregular_Gatherv (parts sparse:2) took 3.00 +- 0.03 times as long as MPI_Gather of 16 B at 8 B ... padding all parts
  = unequal parts: Irregular_Gatherv
which takes longer, as a rule
  syncol_MPI_Gather: 40
  syncol_Irregular_Gatherv {spread=sparse:2} #@SPREAD sparse:2, 4 processes: longest 2.000 of the mean, Gini 0.500: 30
reductions, too
  syncol_MPI_Reduce_scatter: 9
  syncol_Irregular_Reduce_scatter {spread=uniform}: 18
  = slower: Irregular_Reduce_scatter (parts uniform) took 2.00 +- 0.02 times as long as MPI_Reduce_scatter at 8 B
types of 4.1 with equal counts
  syncol_MPI_Gather: 10
  syncol_MPI_Gatherv: 20
  = slower: MPI_Gatherv took 2.00 +- 0.02 times as long as MPI_Gather at 8 B
END
};

subtest 'derived datatypes' => sub {
    my $slow  = over_length( 'p2p_MPI_Send-MPI_Recv-31', '112 8 0.1', '448 20 0.1', '896 21 0.1' );
    my @bytes = ( '112 8 0.1', '448 9 0.1', '896 9 0.1' );
    my $text =
        "MPI_Send-MPI_Recv (vector) took 2.33 $PM 0.03 times as long as MPI_Send-MPI_Recv %s "
      . 'at 896 B, 4 processes (21.00 us against 9.000 us); it took at least 2 times as long at '
      . '2 of 3 arguments from 448 B to 896 B.';
    my @cases = ( [ 'contiguous-31' => '(contiguous data)' ], [ '20' => '(basetype)' ], );
    for my $case (@cases) {
        my ( $ending, $words ) = @{$case};
        my $suite = over_length( "p2p_MPI_Send-MPI_Recv-$ending", @bytes );
        is_deeply texts( $slow, $suite ), [ sprintf $text, $words ], "compared with $ending";
    }
    my @other = map { over_length( "p2p_MPI_Send-MPI_Recv-$_", @bytes ) }
      qw(contiguous-32 struct-20 pack-struct-31 34);
    is_deeply texts( $slow, @other ), [], 'other datatypes and basetypes are not compared';
    my $less = over_length( 'p2p_MPI_Send-MPI_Recv-31', '112 8 0.1', '448 17 0.1', '896 17.9 0.1' );
    is_deeply texts( $less, over_length( 'p2p_MPI_Send-MPI_Recv-20', @bytes ) ), [],
      'less than twice as long is not a finding';
    my @bcast =
      map { over_length( "syncol_MPI_Bcast$_-SM", @{ $_ eq '-31' ? $slow->[2] : \@bytes } ) } '-31',
      q{};
    like texts(@bcast)->[0], qr/\AMPI_Bcast \(vector\) took .* as long as MPI_Bcast at/,
      'compared with a basic type';
};

subtest 'equivalent descriptions' => sub {
    are_found(<<'END');
the same bytes by another constructor
  p2p_MPI_Send-MPI_Recv-31: 112 9 0, 448 20 0
  p2p_MPI_Send-MPI_Recv-32: 112 8 0, 448 10 0
  = MPI_Send-MPI_Recv (vector) took 2.00 times as long as MPI_Send-MPI_Recv (hvector) at 448 B, 4 processes
    (20.00 us against 10.00 us); it took longer at all 2 arguments from 112 B to 448 B. These datatypes
    describe the same bytes.
vectors of indexed elements
  p2p_MPI_Send-MPI_Recv-62: 112 9 0, 448 20 0
  p2p_MPI_Send-MPI_Recv-61: 112 8 0, 448 10 0
  = MPI_Send-MPI_Recv (vector of indexed) took 2.00 times as long as MPI_Send-MPI_Recv (vector of vectors) at
    448 B, 4 processes (20.00 us against 10.00 us); it took longer at all 2 arguments from 112 B to 448 B.
    These datatypes describe the same bytes.
other bytes :: p2p_MPI_Send-MPI_Recv-31: 112 9 0, 448 20 0 :: p2p_MPI_Send-MPI_Recv-33: 112 8 0, 448 10 0
two of half the length
  syncol_MPI_Bcast: 8 10 0, 16 30 0
  = MPI_Bcast took 1.50 times as long as MPI_Bcast of 8 B followed by MPI_Bcast of 8 B at 16 B, 4 processes
    (30.00 us against 20.00 us).
cheaper together :: syncol_MPI_Bcast: 8 10 0, 16 20 0
no such message :: syncol_MPI_Alltoallv: 8 10 0, 16 30 0
Allgather and Alltoall
  syncol_MPI_Allgather: 8 30 0
  syncol_MPI_Alltoall: 8 20 0
  = MPI_Allgather took 1.50 times as long as MPI_Alltoall at 8 B, 4 processes (30.00 us against 20.00 us).
Gather and Reduce of all messages
  syncol_MPI_Gather: 8 30 0
  syncol_MPI_Reduce: 32 20 0
  = MPI_Gather took 1.50 times as long as MPI_Reduce of 32 B at 8 B, 4 processes (30.00 us against 20.00 us).
Barrier and Allreduce
  syncol_MPI_Barrier over nodes: 2 6 0, 4 9 0
  syncol_MPI_Allreduce over nodes: 2 5 0, 4 6 0
  = MPI_Barrier took 1.50 times as long as MPI_Allreduce at 4 processes, 256 B (9.000 us against 6.000 us); it
    took longer at all 2 arguments from 2 processes to 4 processes.
fewer processes
  syncol_MPI_Barrier over nodes: 2 9 0, 3 8 0, 4 6 0
  = syncol_MPI_Barrier: 2 processes took 9.000 us, 1.50 times as long as 4 processes (6.000 us); more processes took
    less time at 2 of 3 arguments from 2 processes to 3 processes.
END
};

subtest 'findings as data' => sub {
    my $found = findings(
        over_length( 'syncol_MPI_Allreduce-length-SM', '4 24 0.1', '8 25 0.1 8 # stop=time' ),
        over_length( 'syncol_MPI_Reduce-length-SM',    '4 12 0.1', '8 12 0.3' ),
        over_length( 'syncol_MPI_Bcast-length-SM',     '4 8 0.1',  '8 8 0.4' ),
    );
    my ($finding) = all_of($found);
    is
"$finding->{kind} $finding->{factor} $finding->{count} $finding->{of} $finding->{first} $finding->{last}",
      'composed 1.25 2 2 4 8', 'kind, factor and number of cases';
    is $finding->{sum}{time}, 20, 'the time of the sum';
    cmp_ok abs( $finding->{sum}{error} - 0.5 ), '<', 1e-9, 'the error of the sum';
    is_deeply [ map { "$_->{label} $_->{argument} $_->{time}" } $finding->{slow},
        @{ $finding->{fast} } ],
      [
        'syncol_MPI_Allreduce-length-SM 8 25',
        'syncol_MPI_Reduce-length-SM 8 12',
        'syncol_MPI_Bcast-length-SM 8 8'
      ],
      'the suites';
    is $finding->{is_weak}, 1, 'the finding is weak';
    like $finding->{text}, qr/ One of these times did not reach the requested accuracy[.]\z/,
      'its text says so';
};

# A measurement that a time limit ended may still have reached the requested accuracy.
subtest 'ended by time' => sub {
    my $end       = '8 # stop=time';
    my @suite     = over_length( 'p2p_a', "4 30 3 $end", "8 20 0.4 $end", "16 10 0.2 $end" );
    my $requested = { nodes => 4, standard_error => 3 };
    my $found     = findings( [ @{ $suite[0] }, $requested ] );
    is first_of($found)->{is_weak}, 1, 'a time that missed the accuracy makes the finding weak';
    is
      scalar( grep { $_ eq '1 of 3 measurements did not reach the requested accuracy' }
          @{ $found->{cautions} } ), 1, 'and is counted';
    $found = findings( [ 'p2p_a', 'length', [ @{ $suite[0][2] }[ 1, 2 ] ], $requested ] );
    is first_of($found)->{is_weak},                           0, 'the others reached it';
    is scalar( grep { /accuracy/ } @{ $found->{cautions} } ), 0, 'without a warning';
    is first_of( findings( over_length( 'p2p_a', "8 20 0 $end", "16 10 0 $end" ) ) )->{is_weak},
      0, 'an error of 0 reaches any accuracy';
};

# A ping-pong, and one of a derived datatype that takes FACTOR times as long, with this relative error, at the
# lengths 2**n for n of a list, and 1.01 times at the others.
sub slower_datatype ( $number, $factor, $error, @lengths ) {
    my %is_slow = map { $_ => 1 } @lengths;
    my @rows    = map {
        my $time = 10 * ( $is_slow{$_} ? $factor : 1.01 );
        join q{ }, 2**$_, $time, $error * $time
    } 3 .. 8;
    return [ "p2p_MPI_Send-MPI_Recv-$number", 'length', \@rows ];
}

subtest 'evidence' => sub {
    my @all   = 3 .. 8;
    my $plain = slower_datatype( 5, 1, 0.01 );
    $plain->[0] =~ s/-5\z//;
    my @cases = (
        [ 'accurate times first',   [ 2.5, 0.01, @all ], [ 3, 0.2, @all ] ],
        [ 'of all arguments first', [ 2.5, 0.01, @all ], [ 3, 0.01, 7, 8 ] ],
        [ 'else the larger factor', [ 3, 0.01, @all ],   [ 2.5, 0.01, @all ] ],
        [ 'equal with tiny errors', [ 3, 0, @all ],      [ 2.5, 0, @all ] ],
    );
    for my $case (@cases) {
        my ( $name, $strong, $weak ) = @{$case};
        my @suites =
          ( $plain, slower_datatype( 31, @{$strong} ), slower_datatype( 34, @{$weak} ) );
        my @factors = map { sprintf '%.1f', $_->{factor} } all_of( findings(@suites) );
        is_deeply [ map { 0 + $_ } @factors ], [ $strong->[0], $weak->[0] ], $name;
    }
};

subtest 'order and number' => sub {
    my @suites  = map { over_length( "p2p_s$_", '8 ' . ( 10 + $_ ) . ' 0', '16 10 0' ) } 1 .. 25;
    my $found   = findings(@suites);
    my @factors = map { $_->{factor} } all_of($found);
    is scalar @factors, 10, 'at most ten findings';
    is_deeply \@factors, [ sort { $b <=> $a } @factors ],
      'equal errors: the largest factor is first';
    is $factors[0],                                         3.5, 'of all';
    is $found->{groups}[0]{omitted},                        15,  'the others are counted';
    is findings( @suites[ 0 .. 3 ] )->{groups}[0]{omitted}, 0,   'none is omitted';
    is_deeply findings( over_length( 'p2p_a', '8 1 0', '16 2 0' ) )->{groups}, [],
      'no group without findings';
    my @bcast = map { over_length( "syncol_$_-length-SM", '8 ' . ( /Send/ ? 10 : 11 ) . ' 0' ) }
      qw(MPI_Bcast MPI_Bcast_Send_Recv);
    my $both = findings( @suites, @bcast );
    is_deeply [ map { "$_->{about}: " . @{ $_->{findings} } } @{ $both->{groups} } ],
      [ 'slower: 1', 'not steady: 10' ], 'no kind displaces another';
};

subtest 'messages of applications' => sub {
    my @cases = are_found(<<'END');
MPI_Pack is faster
  p2p_SPECFEM3D_oc {type=132 p2p_SPECFEM3D_oc}: 1972 20 0.1
  p2p_SPECFEM3D_oc-pack {type=132 p2p_SPECFEM3D_oc}: 1972 10 0.1
  = SPECFEM3D_oc took 2.00 +- 0.02 times as long as SPECFEM3D_oc (packed data) at 1972 B, 4 processes (20.00
    us against 10.00 us).
MPI_Pack is slower
  p2p_SPECFEM3D_oc {type=132 p2p_SPECFEM3D_oc}: 1972 10 0.1
  p2p_SPECFEM3D_oc-pack {type=132 p2p_SPECFEM3D_oc}: 1972 20 0.1
MPI_Put is much slower
  p2p_SPECFEM3D_oc {type=132 p2p_SPECFEM3D_oc}: 1972 20 0.1
  p2p_SPECFEM3D_oc-put {type=132 p2p_SPECFEM3D_oc}: 1972 400 0.1
  = SPECFEM3D_oc (by MPI_Put) took 20.0 +- 0.1 times as long as SPECFEM3D_oc at 1972 B, 4 processes (400.0 us
    against 20.00 us). Two fences for each message are part of the time, but seldom most of it; send messages
    instead.
MPI_Put is slower by fences
  p2p_SPECFEM3D_oc {type=132 p2p_SPECFEM3D_oc}: 1972 20 0.1
  p2p_SPECFEM3D_oc-put {type=132 p2p_SPECFEM3D_oc}: 1972 180 0.1
one piece
  p2p_NAS_LU_x {type=125 p2p_NAS_LU_x}: 480 3 0
  p2p_NAS_LU_x-contiguous {type=125 p2p_NAS_LU_x}: 480 2 0
  = NAS_LU_x took 1.50 times as long as NAS_LU_x (contiguous data) at 480 B, 4 processes (3.000 us against
    2.000 us). The datatype has one piece, so nothing needs to be packed.
many pieces cost more than one
  p2p_WRF_x_sa {type=122 p2p_WRF_x_sa}: 63168 3 0
  p2p_WRF_x_sa-contiguous {type=122 p2p_WRF_x_sa}: 63168 2 0
the same bytes, as vectors and as subarrays
  p2p_WRF_x_vec {type=120 p2p_WRF_x_vec}: 63168 10 0
  p2p_WRF_x_sa {type=122 p2p_WRF_x_sa}: 63168 8 0
  = WRF_x_vec took 1.25 times as long as WRF_x_sa at 63168 B, 4 processes (10.00 us against 8.000 us). These
    datatypes describe the same bytes.
nothing is varied
  p2p_WRF_x_vec over nothing {type=120 p2p_WRF_x_vec}: 0 10 0
  p2p_WRF_x_sa over nothing {type=122 p2p_WRF_x_sa}: 0 8 0
  = WRF_x_vec took 1.25 times as long as WRF_x_sa (10.00 us against 8.000 us). These datatypes describe the
    same bytes.
the other way round
  p2p_WRF_x_vec {type=120 p2p_WRF_x_vec}: 63168 8 0
  p2p_WRF_x_sa {type=122 p2p_WRF_x_sa}: 63168 10 0
  = WRF_x_sa took 1.25 times as long as WRF_x_vec at 63168 B, 4 processes (10.00 us against 8.000 us). These
    datatypes describe the same bytes.
loops of both are the same
  p2p_WRF_x_vec-manual {type=120 p2p_WRF_x_vec}: 63168 10 0
  p2p_WRF_x_sa-manual {type=122 p2p_WRF_x_sa}: 63168 8 0
a long stride
  p2p_NAS_MG_y-manual {type=128 p2p_NAS_MG_y}: 4096 10 0
  p2p_NAS_MG_z-manual {type=129 p2p_NAS_MG_z}: 4096 8 0
  = NAS_MG_y (manual packing) took 1.25 times as long as NAS_MG_z (manual packing) at 4 KiB, 4 processes
    (10.00 us against 8.000 us). Both send as many rows of the same length; those of NAS_MG_y are further
    apart (TLB, prefetching).
END
    my $found = findings( @{ $cases[0][1] } );
    is $found->{groups}[0]{about}, 'applications', 'they are a group';
    my @building = map {
        [
            "simple_Build_WRF_x_vec$_", 'length',
            [ '63168 9 0', '102648 5 0' ], { type => '140 simple_Build_WRF_x_vec' }
        ]
    } q{}, '-free';
    is_deeply texts(@building), [], 'the time to build a datatype need not grow with its bytes';
};

subtest 'names are not changed' => sub {
    my $label   = 'p2p_\input{x}$(id)`id`%#~^{_';
    my $finding = first_of( findings( over_length( $label, '8 20 0', '16 10 0' ) ) );
    is $finding->{slow}{label}, $label, 'label';
    like $finding->{text}, qr/\A\Q$label\E: 8 B took/, 'text';
};

subtest 'one argument of several' => sub {
    my $once    = SKaMPI::Read::Suite->new( 'p2p_X', 1 );
    my $visited = $once->with( notes => { PASSES => '5: times are medians' } );
    my $count   = sub ( $isolated, $slow, @fast ) {
        my %case = ( is_isolated => $isolated, slow => { suite => $slow } );
        return scalar candidates( 9, { %case, fast => [ map { { suite => $_ } } @fast ] } );
    };
    is $count->( 0, $once, $once ),                 1, 'counts if its neighbour is slow, too';
    is $count->( 1, $once, $once ),                 0, 'else it does not';
    is $count->( 1, $visited, $visited, $visited ), 1, 'unless all were visited several times';
    is $count->( 1, $visited, $visited, $once ),    0, 'not only some';
};

subtest 'one cause in several suites' => sub {
    my @jump  = map { over_length( "syncol_MPI_Bcast-$_", '8 10 0', '16 30 0' ) } 1 .. 6;
    my @texts = texts( @jump, over_length( 'syncol_MPI_Bcast-7', '16 10 0', '32 30 0' ) )->@*;
    is @texts, 2, 'is one finding; at another argument, it is another one';
    my ($same) = map { /The same in (.*)/ ? $1 : () } @texts;
    is $same,
      join( ', ', map { "syncol_MPI_Bcast-$_" } 2 .. 4 ) . ', syncol_MPI_Bcast-5 and 1 more.',
      'which names the others';
};

subtest 'what was compared' => sub {
    my @one      = ( 'p2p_MPI_Send-MPI_Recv', '1024 5 0.1 20' );
    my %compared = (
        'one length'           => [ 0, 0, over_length(@one) ],
        'two lengths'          => [ 0, 1, over_length( @one, '1500 6 0.1 20' ) ],
        'two that do the same' => [
            2,
            2,
            map { over_length( "syncol_$_-length", '1024 5 0.1 20', '1500 6 0.1 20' ) } 'MPI_Bcast',
            'MPI_Bcast_Send_Recv'
        ],
    );
    for my $name ( sort keys %compared ) {
        my ( $times, $suites, @suites ) = @{ $compared{$name} };
        my $found = findings(@suites);
        is_deeply $found->{compared}, { times => $times, suites => $suites }, $name;
        my %summary = (
            %{ SKaMPI::Document::Summary->new( results( {}, @suites ), {} )->data },
            figures     => [],
            collectives => { rows => [], plain => [] },
            findings    => []
        );
        my $page =
          SKaMPI::Document::Template->new->text( 'summary', { summary => \%summary, notes => [] } );
        my ($none) = $page =~ /^((?:None:|Nothing) .*[.])$/m;
        like $none,   $times + $suites ? qr/\ANone: / : qr/\ANothing was compared/, "$name: $none";
        unlike $none, qr/equivalent/, "$name: no claim about equivalents" if !$times;
    }
};

subtest 'what a user can change comes before protocols' => sub {
    my @gather  = ( '8 10 0.1',    '64 12 0.1',   '512 20 0.1' );
    my @gatherv = ( '8 12 0.1',    '64 15 0.1',   '512 25 0.1' );
    my @drop    = ( '4 900 0.001', '8 900 0.001', '512 5 0.001', '4096 9 0.001' );
    my $found   = SKaMPI::Findings::Findings->of(
        results(
            {},
            [ 'syncol_MPI_Gather',     'length', \@gather ],
            [ 'syncol_MPI_Gatherv',    'length', \@gatherv ],
            [ 'p2p_MPI_Send-MPI_Recv', 'length', \@drop ]
        )
    );
    my @kinds = map { $_->{kind} } sort { $b->{evidence} <=> $a->{evidence} }
      map { @{ $_->{findings} } } @{ $found->{groups} };
    is_deeply \@kinds, [ 'equal counts', 'longer' ], 'though the drop is much larger';
};

done_testing;
