# Real runs with derived datatypes: every constructor on either side, all created types are freed,
# and a library that corrupts the data is detected.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(read_file mpirun preloaded_mpirun is_measured workplace);

my $HEAD = <<'END';
@VERSION 4.1
@MEMORY 1024
@MAXREPDEFAULT 6
@MAXSTEPSDEFAULT 3
@POSTPROC no
@BLOCKS 3
@BASETYPE1 MPI_INT
@BASETYPE2 (1,1,MPI_BYTE), (2,2,MPI_INT), (1,9,MPI_SHORT)
@TOPOLOGY1 Cartesian 2 yes no
END
my @NUMBERS = ( 20, 30 .. 37, 50 .. 58, 61 .. 64, 70 );

# A ping-pong over the length, visited once: every visit has the same datatypes.
sub suite ( $name, $fields ) {
    $fields =~ s/Parameters = "/Parameters = "passes=1 / or $fields .= ' Parameters = "passes=1";';
    return "$name { Type = 1; Scale = Fixed_log; Stepwidth = 16; Start_Argument = 4; $fields }\n";
}

sub datatypes ( $send, $receive, $base ) {
    return "Send_Datatype_Number = $send; Receive_Datatype_Number = $receive; "
      . "Basetype_Number = $base;";
}

# corrupt: the function that corrupts what it receives, if any.
sub measure ( $np, $corrupt, @suites ) {
    my $libraries = $suites[0] =~ /\Alib/ ? shift @suites : 'libdatatypes.so';
    my $dir       = workplace( 'p.skampi' => "$HEAD\@MEASUREMENTS\n" . join q{}, @suites );
    local $ENV{SKAMPI_CORRUPT} = $corrupt;
    my $run = preloaded_mpirun( $dir, $np, $libraries, '--quiet', '-f', 'p.skampi' );
    $run->{dir} = $dir;
    return $run;
}

# Every constructor sends, and the next one in the list receives.
sub every_pair () {
    my @suites;
    for my $i ( 0 .. $#NUMBERS ) {
        my ( $send, $receive ) = @NUMBERS[ $i - 1, $i ];
        push @suites, suite( "$send-$receive-$_", datatypes( $send, $receive, $_ ) ) for 1, 2;
    }
    return @suites;
}

my @suites = every_pair();
my $run    = measure( 2, q{}, @suites );
is_measured( $run, 'every constructor is measured' );
my $output = SKaMPI::Read::Output->from_file("$run->{dir}/skampi.out");
is scalar( $output->suites ), scalar @suites, 'all suites are present';
is_deeply [ map { $_->{text} } $output->problems ], [], 'and sound';

for my $rank ( 0, 1 ) {
    my ( $created, $committed, $freed ) = read_file("$run->{dir}/datatypes.$rank") =~ /\d+/g;
    cmp_ok $committed, '>=', @suites, 'types are committed';
    is $freed, $created, 'all created types are freed';
}

sub along_grid ($type) {
    return $type =~ /^8/ ? 'Parameters = "x_distance=1 y_distance=1"; ' : q{};
}

# MPICH 4.0.2 truncates long messages whose datatypes differ.
my $SHORT = 'Stepwidth = 64; End_Argument = 4096;';

# Each type checks its own data, so that a wrong origin of a message fails.
my @types = map { "t-$_ { Type = $_; $SHORT " . datatypes( 57, 33, 2 ) . " }\n" } 1, 7, 8, 10, 17,
  20, 31, 33, 35, 39 .. 43, 45, 46, 72, 74, 78, 80, 88, 90, 340, 342 .. 345, 348, 349, 267, 303;
push @types, map { "t-$_ { Type = $_; $SHORT " . datatypes( 57, 57, 2 ) . " }\n" } 9, 86, 268, 304;
push @types, map {
        "vt-$_ { Type = $_; $SHORT Virtual_Topology_Number = 1; "
      . along_grid($_)
      . datatypes( 57, $_ == 86 ? 57 : 33, 2 ) . " }\n"
} 20, 86, 88, 102, 104;
$run = measure( 4, q{}, @types, "\@VERIFY only\n" );
is $run->{status}, 0, 'collectives and workers move derived types'
  or diag( $run->{out}, $run->{err} );
my ($verified) = $run->{out} =~ /^ +passed +data +(\d+) operations, /m;
cmp_ok $verified // 0, '>=', @types - 5, 'all of them except a dummy and MPI_Isendrecv of MPI 4';

my @beside = map {
    suite( "by-$_", datatypes( 31, 56, 2 ) . " End_Argument = 65536; Parameters = \"method=$_\";" )
} qw(ddt pack contiguous);
push @beside, map {
    "whole-$_ { Type = $_; $SHORT Parameters = \"counts=type\"; " . datatypes( 57, 33, 2 ) . " }\n"
} 1, 17, 39, 64, 67, 160;
my @building = map {
    my $number = $_;
    map { "build-$number-$_ { Type = $_; " . datatypes( $number, $number, 2 ) . " }\n" } 100, 101
} @NUMBERS;
$run = measure( 2, q{}, @beside, @building );
is_measured( $run, 'types are packed, sent as bytes, as one element, built and freed' );
my %arguments =
  map {
    $_->{name} => join q{ },
      map { $_->{argument} // q{} }
      @{ $_->{rows} }
  } SKaMPI::Read::Output->from_file("$run->{dir}/skampi.out")->suites;
is $arguments{'by-pack'},       $arguments{'by-ddt'}, 'packed: the same lengths';
is $arguments{'by-contiguous'}, $arguments{'by-ddt'}, 'contiguous: the same lengths';
for ( $run->{err} =~ /^(rank \d: created .*)/mg ) {
    my ( $created, $freed ) = /created (\d+) .* freed (\d+)/;
    is $freed, $created, 'types built to be timed are freed';
}

# Suite => what its block says is wrong.
sub wrong_in ($dir) {
    return { map { $_->{label} => $_->{notes}{WRONGDATA} }
          SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites };
}

$run = measure(
    2, 'MPI_Recv',
    suite( 'A', datatypes( 31, 34, 1 ) ),
    suite( 'B', q{} ),
    suite( 'C', datatypes( 20, 64, 2 ) . ' End_Argument = 16384;' )
);
my $message = qr/datatype 31 from rank 1 does not arrive in datatype 34 on rank 0: byte 0 /;
my $wrong   = wrong_in( $run->{dir} );
is $run->{status}, 1, 'corrupt data: exit status 1';
like $run->{err},     qr/^skampi: p2p_A: $message/m, 'the difference is printed';
like $wrong->{p2p_A}, qr/\A$message/,                'the block says so';
ok !defined $wrong->{p2p_B} && defined $wrong->{p2p_C},
  'so does that of the next one, but of no other';
like qx{$^X report/show.pl $run->{dir}/skampi.out},
  qr/p2p_A: wrong data: datatype 31 from rank 1 /, 'shown';
my $log = read_file("$run->{dir}/skampi.log");
like $log, qr/ note p2p_A: $message/,                            'logged';
like $log, qr/ suite-end p2p_C\n(?:\S+ note .*\n)*\S+ run-end /, 'the run finishes';

# The launch dies when it verifies the second suite, which packs third.
{
    local $ENV{SKAMPI_ABORT} = 'MPI_Pack:3:kill';
    my $libraries = "libdatatypes.so:$ENV{SKAMPI_BUILD}/tests/libabort.so";
    $run =
      measure( 2, 'MPI_Recv', $libraries, suite( 'A', datatypes( 31, 34, 1 ) ), suite( 'B', q{} ) );
}
$run = mpirun( $run->{dir}, 2, '-q', '-f', 'p.skampi' );
is $run->{status}, 1, 'wrong data of an earlier launch: exit status 1';
like $run->{err}, qr/^skampi: p2p_A: wrong data arrived: see WRONGDATA in the results$/m,
  'they are named';

$run = measure( 2, 'MPI_Wait', map { suite( "type-$_", q{} ) =~ s/Type = 1;/Type = $_;/r } 6, 260 );
$wrong = wrong_in( $run->{dir} );
is $wrong->{'p2p_type-6'}, undef, 'other data are right';
like $wrong->{'p2p_type-260'}, qr/\Adatatype 5 from rank 1 does not arrive /,
  'data that the second start of a persistent request corrupts are detected';

my %collective = ( 17 => 'bcast', 20 => 'alltoall' );
$run = measure( 3, 'MPI_Alltoall',
    map { suite( $collective{$_}, datatypes( 31, 34, 1 ) ) =~ s/Type = 1;/Type = $_;/r } 17, 20 );
$wrong = wrong_in( $run->{dir} );
is $wrong->{'col_bcast'}, undef, 'the operation itself moves the data: no Alltoall, no error';
like $wrong->{'col_alltoall'},
  qr/\Adatatype 31 from rank 0 does not arrive in datatype 34 on rank 0/,
  'data that an Alltoall corrupts are detected';

# Broadcasts of 200 to 1,100 bytes are wrong.
$run = measure( 3, 'MPI_Bcast',
        "* { Type = 17, 20, 36, 72; Variation = Length; Scale = Fixed_linear; Stepwidth = 40;"
      . "End_Argument = 1200; }\n\@VERIFY only\n" );
is_deeply [ $run->{status}, !-e "$run->{dir}/skampi.out" ], [ 1, 1 ], 'nothing is measured';
like $run->{out}, qr/failed +col_MPI_Bcast +datatype 5 from rank 0 .* on rank 1: byte 0 of 200 /,
  'data that are wrong at some lengths are detected';
is scalar( () = $run->{out} =~ /^ +failed /mg ), 1, 'in that operation only';

done_testing();
