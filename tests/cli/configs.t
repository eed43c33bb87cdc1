# The shipped parameter files, read as text. options.t has the bytes that the program prints of them.
use v5.36;

use File::Basename qw(basename);
use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::ParameterFile    qw(suites_written);
use SKaMPI::Test             qw($ROOT skampi plan_of read_file);

# Manual 1.5: pattern, type, name. A name with {BM|SM} has the types of both, in this order.
my @POINT_TO_POINT = rows(<<'END');
p2p 1        MPI_Send-MPI_Recv
p2p 4        MPI_Send-MPI_Iprobe_Recv
p2p 3        MPI_Send-MPI_Irecv
p2p 2        MPI_Send-MPI_Recv_with_Any_Tag
p2p 5        MPI_Ssend-MPI_Recv
p2p 6        MPI_Isend-MPI_Recv
p2p 34       MPI_Issend-MPI_Recv
p2p 7        MPI_Bsend-MPI_Recv
p2p 8        MPI_Sendrecv
p2p 9        MPI_Sendrecv_replace
p2p 29       dummy
END
my @MASTER_WORKER = rows(<<'END');
mw 10        MPI_Waitsome-{chunks|length|nodes}
mw 11        MPI_Waitany-length
mw 12        MPI_Recv_Any_Source-length
mw 13        MPI_Send-length
mw 14        MPI_Ssend-length
mw 15        MPI_Isend-length
mw 16        MPI_Bsend-length
mw 30        dummy
END
my @COLLECTIVE = rows(<<'END');
17/47        MPI_Bcast-{nodes-short|nodes-long|length}-{BM|SM}
72/73        MPI_Bcast_Send_Recv-{nodes-short|nodes-long|length}-{BM|SM}
80/81        MPI_Bcast_Send_Recv2-{nodes-short|nodes-long|length}-{BM|SM}
18/49        MPI_Barrier-{BM|SM}
19/54        MPI_Reduce-{nodes|length}-{BM|SM}
21/56        MPI_Scan-{nodes|length}-{BM|SM}
20/55        MPI_Alltoall-{nodes-short|nodes-long|length}-{BM|SM}
74/75        MPI_Alltoall_Isend_Irecv-{nodes-short|nodes-long|length}-{BM|SM}
33/48        MPI_Gather-{nodes-short|nodes-long|length}-{BM|SM}
45/70        MPI_Gather_SR-{nodes-short|nodes-long|length}-{BM|SM}
46/71        MPI_Gather_ISWA-{nodes-short|nodes-long|length}-{BM|SM}
35/60        MPI_Scatter-{nodes-short|nodes-long|length}-{BM|SM}
36/61        MPI_Allreduce-{nodes|length}-{BM|SM}
37/62        MPI_Reduce_Bcast-{nodes|length}-{BM|SM}
38/63        MPI_Reduce_scatter-{nodes|length}-{BM|SM}
39/64        MPI_Allgather-{nodes-short|nodes-long|length}-{BM|SM}
40/65        MPI_Scatterv-{nodes-short|nodes-long|length}-{BM|SM}
41/66        MPI_Gatherv-{nodes-short|nodes-long|length}-{BM|SM}
42/67        MPI_Allgatherv-{nodes-short|nodes-long|length}-{BM|SM}
43/68        MPI_Alltoallv-{nodes-short|nodes-long|length}-{BM|SM}
78/79        MPI_Alltoallv_Isend_Irecv-{nodes-short|nodes-long|length}-{BM|SM}
44/69        MPI_Reduce_Scatterv-{nodes|length}-{BM|SM}
22/57        MPI_Comm_split-nodes-{BM|SM}
76/77        MPI_Comm_dup-nodes-{BM|SM}
82/83        MPI_Cart_create-nodes-{BM|SM}
84/85        MPI_Graph_create-nodes-{BM|SM}
86/87        Col_Sendrecv_replace
88/89        Col_Isend_Irecv_Waitall
90/91        Ring_Sendrecv
31/59        dummy
END
my @LOCAL = rows(<<'END');
simple 24    MPI_Wtime
simple 25    MPI_Comm_rank
simple 26    MPI_Comm_size
simple 27    MPI_Iprobe
simple 28    MPI_attach
simple 32    dummy
END

# From table 3.5, not 1.5.
my @BEYOND = rows(<<'END');
23/58        memcpy-length-{BM|SM}
END

# Manual 1.3.3 and 2.1.8: every datatype that is built of a basetype.
my @DATATYPES = ( 20, 30 .. 37, 50 .. 58, 61 .. 64, 70 );

sub rows ($text) {
    return split /\n/, $text;
}

# "a-{x|y}" becomes "a-x", "a-y".
sub expand ($name) {
    my ( $before, $choices, $after ) = $name =~ /^(.*?)\{(.*?)\}(.*)$/ or return $name;
    return map { expand("$before$_$after") } split /[|]/, $choices;
}

# "col 17 MPI_Bcast-length-BM", "syncol 47 MPI_Bcast-length-SM": pattern, type, name.
sub suites_of ( $row, @methods ) {
    my ( $what, $name ) = $row  =~ /^(.*?\d)\s+(\S+)$/ or die "row '$row'\n";
    my ( $bm,   $sm )   = $what =~ m{^(\d+)/(\d+)$}    or return map { "$what $_" } expand($name);
    my %what = ( BM => "col $bm", SM => "syncol $sm" );
    return map {
        my $method = $_;
        map { "$what{$method} $_" } expand( $name =~ s/\{BM[|]SM\}/$method/r )
    } @methods;
}

# tests/cli/options.t has the numbers of each pattern.
my %PATTERN = map { $_->{number} => $_->{pattern} } rows_of('types');

sub pattern_of ($type) {
    return $PATTERN{$type};
}

# [name, text after it] of each section; text before the first is lost.
sub sections ($text) {
    my @parts = split /^[ \t]*@(\w+)/m, $text;
    shift @parts;
    my @sections;
    while ( my ( $name, $value ) = splice @parts, 0, 2 ) {
        push @sections, [ uc $name, $value ];
    }
    return @sections;
}

sub suites_in ($file) {
    my @found  = grep { $_->[0] eq 'MEASUREMENTS' } sections( read_file("$ROOT/configs/$file") );
    my @suites = suites_written( join( q{}, map { $_->[1] } @found ), \my @wrong );
    is_deeply \@wrong, [], "$file: only suites under \@MEASUREMENTS, and only fields in them";
    return @suites;
}

sub described ($suite) {
    return join q{ }, pattern_of( $suite->{Type} ), $suite->@{qw(Type name)};
}

# How a suite departs from what its name promises; "" if it does not.
sub broken_promise ($suite) {
    my $name      = $suite->{name};
    my $variation = $suite->{Variation} // 'None';
    my $length    = $suite->{Default_Message_length};
    my ($end)     = $name =~ /-(chunks|length|nodes(?:-short|-long)?)(?:-[BS]M)?$/;
    if ( pattern_of( $suite->{Type} ) eq 'simple' ) {
        my $allowed = qr/^(?:name|Type|Time_Measurement)$/;
        $allowed = qr/^(?:name|Type|Default_Message_length|\w+type_Number)$/
          if $suite->{Type} =~ /^10[01]$/;
        my @more = grep { !/$allowed/ } keys %{$suite};
        return @more ? "a simple operation has no @more" : q{};
    }
    return q{} if pattern_of( $suite->{Type} ) eq 'internal';
    for my $field (qw(Scale Start_Argument End_Argument Stepwidth)) {
        return "no $field" if !exists $suite->{$field};
    }
    return "varies over $variation" if $end && $end !~ /^\L$variation/;
    return "sends $length"          if ( $length // 256 ) != ( $name =~ /-long/ ? 65536 : 256 );
    return q{};
}

sub check_suites ($file) {
    my @suites = suites_in($file);
    my %seen;
    my @twice = grep { $seen{ pattern_of( $_->{Type} ) . "_$_->{name}" }++ } @suites;
    is_deeply [ map { described($_) } @twice ], [], "$file: every name once in its pattern";
    my @broken;
    for my $suite (@suites) {
        my $promise = broken_promise($suite);
        push @broken, "$suite->{name}: $promise" if $promise ne q{};
    }
    is_deeply \@broken, [], "$file: every suite is what its name says";
    return;
}

sub check_preamble ( $file, $run ) {
    my ( %value, %count );
    for my $section ( sections( read_file("$ROOT/configs/$file") ) ) {
        my ( $name, $text ) = $section->@*;
        $value{$name} = $text =~ s/^\s+|\s+$//gr;
        $count{$name}++;
    }
    is $value{VERSION},   '4.1', "$file: version";
    is $value{NAMEOFRUN}, $run,  "$file: name of the run";
    my @empty = grep { ( $value{$_} // q{} ) eq q{} } qw(MACHINE NODE NETWORK USER COMMENT);
    is_deeply \@empty, [], "$file: something to replace in every text section";
    my @twice = grep { $count{$_} > 1 && !/^(COMMENT|MEASUREMENTS)$/ } sort keys %count;
    is_deeply \@twice, [], "$file: every other section once";
    return;
}

my @standard = (
    map( { suites_of($_) } @POINT_TO_POINT,     @MASTER_WORKER, @LOCAL ),
    map( { suites_of( $_, 'SM' ) } @COLLECTIVE, @BEYOND ),
    'col 31 dummy',
    'check 170 bcast_by_ack',
    map { "p2p 1 MPI_Send-MPI_Recv-$_" } qw(kept fresh)
);
is_deeply [ sort map { described($_) } suites_in('standard.skampi') ], [ sort @standard ],
  'standard.skampi: the names of manual 1.5, memcpy, a check of the clocks, and fresh data';
is_deeply [ sort map { described($_) } suites_in('all-collectives.skampi') ],
  [ sort map { suites_of( $_, qw(BM SM) ) } @COLLECTIVE, @BEYOND ],
  'all-collectives.skampi: all of them by both methods';

my %shipped = map { $_ => 1 } @standard, map { suites_of( $_, 'BM' ) } @COLLECTIVE;
my @quick   = map { described($_) } suites_in('quick.skampi');
is_deeply [ grep { !$shipped{$_} } @quick ], [], 'quick.skampi: names of the other two files';
is_deeply [ sort keys %{ { map { s/ .*//r => 1 } @quick } } ], [qw(col mw p2p simple syncol)],
  'quick.skampi: every pattern';

# "p2p 1 30 contiguous": pattern, type, datatype on both sides, method; of one basetype.
sub rows_of_datatype ( $n, $basetype, @methods ) {
    my @rows = ( "syncol 47 $n $basetype ddt", map { "p2p 1 $n $basetype $_" } @methods );
    return @rows if $n == 20 && $basetype == 1;
    return ( @rows, "simple 100 $n $basetype ddt", "simple 101 $n $basetype ddt" );
}

sub datatype_rows ( $basetype, @methods ) {
    return map { rows_of_datatype( $_, $basetype, @methods ) } @DATATYPES;
}

sub datatype_row ($suite) {
    my ($method) = ( $suite->{Parameters} // q{} ) =~ /method=(\w+)/;
    return "unequal sides: $suite->{name}"
      if exists $suite->{Receive_Datatype_Number};
    return join q{ }, pattern_of( $suite->{Type} ), $suite->@{qw(Type Send_Datatype_Number)},
      $suite->{Basetype_Number} // 1, $method // 'ddt';
}

# The program makes the same suites of the lists as this test does. Open MPI lets it set algorithms only so.
local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;
for my $path ( glob "$ROOT/configs/*.skampi" ) {
    my $file   = basename($path);
    my $run    = skampi( q{.}, '--check', $path, '-n', 16 );
    my @labels = map { s/^vt//r } keys plan_of( $run->{out} )->%*;
    my @named  = map { pattern_of( $_->{Type} ) . "_$_->{name}" } suites_in($file);
    is_deeply [ sort @labels ], [ sort @named ], "$file: labels";
}

# All tests and sizes of ddtbench, by each method and, except FFT, to build; short messages of five with MPI_Put.
my %ddtbench = plan_of( skampi( q{.}, '--check', "$ROOT/configs/ddtbench.skampi" )->{out} )->%*;
is scalar( map { @{ $_->{arguments} } } values %ddtbench ), 64 * 6 + 5 * 4 + 16,
  'ddtbench.skampi: all sizes';
is scalar( keys %ddtbench ), 15 * 6 + 4 + 5, 'ddtbench.skampi: all tests';

# Figures 5 to 14 of the comparison of five benchmarks: type, and what differs from the defaults.
my @FIGURES = (
    '1 partner=1',
    '1 ',
    '1 buffers=one',
    '160 pairs=half',
    '180 pairs=half',
    '183 ',
    '49 ',
    '49 loop=50',
    '47 ',
    '47 root=rotate',
    '47 data=cold',
    '47 loop=20',
    '47 histogram=yes',
    '60 ',
    '48 ',
    '55 '
);
is_deeply [ map { "$_->{Type} " . ( $_->{Parameters} // q{} ) =~ tr/"//dr }
      suites_in('compare-benchmarks.skampi') ], \@FIGURES, 'compare-benchmarks.skampi: figures';
my @sync = ( 47, 54, 64, 55 );
is_deeply [ map { $_->{Type} } suites_in('barriers.skampi') ],
  [ @sync, 17, 19, 39, 20, @sync, @sync ],
  'barriers.skampi: the same operations by each definition';
is scalar( grep { $_->{Variation} eq 'Pairs' } suites_in('network.skampi') ), 2,
  'network.skampi: all pairs, short and long';

# Suites of a sweep after which Max_Steps does not suffice for a point in half of its segments. A
# segment has room for one if it is two elements and two times Min_Distance long.
sub starved ($plan) {
    my @starved;
    for my $label ( sort keys %{$plan} ) {
        my ( $most, @sweep ) = ( $plan->{$label}{most}, @{ $plan->{$label}{arguments} } );
        next if !defined $most || $most == @sweep;
        my $room = grep { $sweep[$_] - $sweep[ $_ - 1 ] >= 8 } 1 .. $#sweep;
        push @starved, $label if $most - @sweep < $room / 2;
    }
    return \@starved;
}

for my $file (qw(standard.skampi all-collectives.skampi quick.skampi)) {
    for my $processes ( 2, 64 ) {
        my $run = skampi( q{.}, '--check', "$ROOT/configs/$file", '-n', $processes );
        is_deeply starved( plan_of( $run->{out} ) ), [],
          "$file: half of the segments are probed, $processes processes";
    }
}

is_deeply [ sort map { datatype_row($_) } suites_in('dt-short.skampi') ],
  [ sort map { datatype_rows( $_, qw(ddt contiguous) ) } 1 ],
  'dt-short.skampi: every datatype, of MPI_INT';
is_deeply [ sort map { datatype_row($_) } suites_in('dt-long.skampi') ],
  [ sort map { datatype_rows( $_, qw(ddt contiguous pack) ) } 1, 2 ],
  'dt-long.skampi: every datatype, of two basetypes, packed as well';

# "55 2 55 2": type and topology.
sub topology_row ($suite) {
    return join q{ }, $suite->{Type}, $suite->{Virtual_Topology_Number} // 0;
}

# Grid 1, torus 2, good permutation 3, bad 4, one that undoes a distance 5, torus with ranks kept 6.
is_deeply [ sort map { topology_row($_) } suites_in('vt16.skampi') ],
  [
    sort '55 0', '55 1', '55 2',
    ('87 1') x 2,
    ('87 2') x 2,
    '105 1', '105 2', '105 6',
    map( { ( "$_ 3", "$_ 4" ) } 47, 73, 54 ),
    ('91 0') x 2, '91 5'
  ],
  'vt16.skampi: on a grid, on a torus and on permutations';

my %RUN = (
    'vt16.skampi'            => 'VirtualTopologies16',
    'dt-short.skampi'        => 'DatatypesShort',
    'dt-long.skampi'         => 'DatatypesLong',
    'standard.skampi'        => 'StandardSuite',
    'all-collectives.skampi' => 'AllCollectives',
    'quick.skampi'           => 'QuickLook',
);
for my $file ( sort keys %RUN ) {
    check_suites($file);
    check_preamble( $file, $RUN{$file} );
}

done_testing;
