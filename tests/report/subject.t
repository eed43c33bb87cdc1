use v5.36;

use Test::More;
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Meaning::Rates   qw(bandwidth_of);
use SKaMPI::Meaning::Catalog qw(datatype_name is_derived);
use SKaMPI::Meaning::Subject
  qw(attribute attributes heading_of is_plain operation_of pattern_of with_operation title_of
  variant_of);
use SKaMPI::Document::SuiteView;
use SKaMPI::ReportTest qw(text_for);
use SKaMPI::Results    qw(results);
use SKaMPI::Test       qw($ROOT blocks_of skampi);

sub suite_of ( $label, $type = undef, $list = undef ) {
    my $output = results( { $list ? ( SUITES => $list ) : () },
        [ $label, 'length', [ '4 1 0.1', '8 1 0.1' ], { type => $type } ] );
    return ( $output->suites )[0];
}

# "pattern operation", and the attributes that do not have their default value.
sub summary ($suite) {
    my $default = suite_of('p2p_a');
    my @more    = map { "$_=" . attribute( $suite, $_ ) }
      grep { ( attribute( $suite, $_ ) // q{} ) ne ( attribute( $default, $_ ) // q{} ) }
      attributes();
    return join q{ }, pattern_of($suite), operation_of($suite), @more;
}

sub line_of ( $name, $fields ) {
    return "$name { $fields }";
}

# A name; a suite, perhaps its type, and its fields; what it measures.
my $MEASURED = <<'END';
a usual name :: syncol_MPI_Bcast-nodes-short-SM :: syncol MPI_Bcast
a datatype :: col_MPI_Bcast-31-BM :: col MPI_Bcast datatype=31
a basetype :: p2p_MPI_Send-MPI_Recv-pack-struct-31 :: p2p MPI_Send-MPI_Recv datatype=31 basetype=struct method=pack
the manual's own name :: p2p_p2p_dummy :: p2p dummy
a hyphen :: simple_MPI_Type_create-commit :: simple MPI_Type_create-commit
any other name :: p2p_halo :: p2p halo
a type :: p2p_halo as 1 p2p_MPI_Send-MPI_Recv :: p2p MPI_Send-MPI_Recv
a type that contradicts the name
  syncol_MPI_Bcast-length-SM as 81 syncol_MPI_Bcast_Send_Recv2
  syncol MPI_Bcast_Send_Recv2
an invalid type :: col_MPI_Scan as eighty-one :: col MPI_Scan
the list of suites
  p2p_halo as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Send_Basetype_Number = 2; Receive_Basetype_Number = 2;
    Send_Datatype_Number = 31; Receive_Datatype_Number = 30; Virtual_Topology_Number = 3; Parameters =
    "partner=nearest cache=cold method=pack x_distance=1 y_distance=2 distance=1";
  p2p MPI_Send-MPI_Recv datatype=31 30 basetype=2 method=pack cache=cold partner=nearest distance=1 2 1
    topology=3
options without a meaning here
  p2p_a as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Parameters = "pairs=next fast=1";
  p2p MPI_Send-MPI_Recv options=fast=1 pairs=next
pairs by distance
  pairs_a as 180 pairs_MPI_Sendrecv: Type = 180; Parameters = "pairs=xor:2 matchings=10";
  pairs MPI_Sendrecv options=pairs=xor:2
random pairs
  pairs_a as 180 pairs_MPI_Sendrecv: Type = 180; Parameters = "pairs=random:2 matchings=10";
  pairs MPI_Sendrecv options=pairs=random:2
fresh data
  p2p_a as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Parameters = "cache=warm data=fresh paced=yes buffers=one";
  p2p MPI_Send-MPI_Recv data=fresh buffers=one
cold data
  p2p_a as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Parameters = "cache=cold data=cold paced=yes";
  p2p MPI_Send-MPI_Recv data=cold
kept data, paced
  p2p_a as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Parameters = "cache=warm data=kept paced=yes buffers=two";
  p2p MPI_Send-MPI_Recv paced=yes
a list that contradicts the name
  p2p_MPI_Send-MPI_Recv-pack-31 as 1 p2p_MPI_Send-MPI_Recv: Type = 1; Send_Basetype_Number = 1;
    Receive_Basetype_Number = 1; Send_Datatype_Number = 5; Receive_Datatype_Number = 5; Parameters =
    "method=ddt x_distance=1 y_distance=0 distance=1";
  p2p MPI_Send-MPI_Recv
a list with another type
  p2p_a as 1 p2p_MPI_Send-MPI_Recv: Type = 2; Send_Datatype_Number = 31;
  p2p MPI_Send-MPI_Recv
END

subtest 'what a suite measures' => sub {
    for ( blocks_of($MEASURED) ) {
        my ( $name,  $what, $wanted ) = @{$_};
        my ( $label, $type, $fields ) = $what =~ /\A(\S+?)(?: as ([^:]*))?(?:: (.*))?\z/;
        my $list = $fields && line_of( $label =~ s/\A[^_]+_//r, $fields );
        is summary( suite_of( $label, $type, $list ) ), $wanted, $name;
    }
    my $nodes =
      ( results( {}, [ 'col_a', 'nodes', ['2 1 0'], { message_length => 8 } ] )->suites )[0];
    is attribute( $nodes, 'message_length' ), 8,   'a fixed value is an attribute';
    is attribute( $nodes, 'nodes' ),          q{}, 'a varied quantity is not an attribute';
};

subtest 'variants and plain messages' => sub {
    my ( $plain, $vector, $packed ) = map { suite_of("p2p_MPI_Send-MPI_Recv$_") } q{}, '-31',
      '-pack-31';
    is join( q{ }, map { is_plain($_) ? 1 : 0 } $plain, $vector, $packed ), '1 0 0', 'is_plain';
    isnt variant_of($vector),                   variant_of($packed), 'variants differ';
    is variant_of( $vector, method => 'pack' ), variant_of($packed), 'except for the method';
};

subtest 'texts for the reader' => sub {
    my @cases = (
        [ ['p2p_MPI_Send-MPI_Recv'],    'MPI_Send-MPI_Recv',                              'x' ],
        [ ['p2p_MPI_Send-MPI_Recv-57'], 'MPI_Send-MPI_Recv (vector of growing vectors)',  'x' ],
        [ ['p2p_MPI_Send-MPI_Recv-contiguous-57'], 'MPI_Send-MPI_Recv (contiguous data)', 'x' ],
        [ ['col_MPI_Bcast-struct-31'],             'MPI_Bcast (vector, of a struct)',     'x' ],
        [ [ 'p2p_p2p_dummy', '29 p2p_dummy' ],     'dummy',                               'x' ],
        [
            [ 'col_MPI_Bcast', '80 col_MPI_Bcast_Send_Recv2' ],
            'MPI_Bcast_Send_Recv2',
            'x (MPI_Bcast_Send_Recv2)'
        ],
        [ [ 'p2p_halo', '1 p2p_MPI_Send-MPI_Recv' ], 'MPI_Send-MPI_Recv', 'x (MPI_Send-MPI_Recv)' ],
    );
    is heading_of( suite_of('p2p_MPI_Send-MPI_Recv-31'), 'x' ), 'x (vector)',
      'the heading has the datatype';
    is heading_of( suite_of('p2p_MPI_Send-MPI_Recv-contiguous-31'), 'x' ), 'x',
      'but not for contiguous data';
    for my $case (@cases) {
        my ( $suite, $title, $text ) = @{$case};
        is title_of( suite_of( @{$suite} ) ),            $title, "title of $suite->[0]";
        is with_operation( suite_of( @{$suite} ), 'x' ), $text,  "text of $suite->[0]";
    }
};

subtest 'the list of suites' => sub {
    my $list = join "\n# ",
      'a { Type = 1; Scale = Dynamic_log; Parameters = "k=v l=w;x"; }',
      'b { Type = 1; }',
      'b { Type = 2; }',
      'c { Type = 3; }',
      'c { Type = 3; }',
      'no suite',
      'd { ' . 'x' x 10_000 . ' }';
    my $fields =
      sub ( $name, $type = undef ) { suite_of( "p2p_$name", $type, $list )->{requested} };
    is_deeply $fields->( 'a', 1 ),
      { Type => 1, Scale => 'Dynamic_log', k => 'v', l => 'w;x' }, 'fields of a suite';
    is $fields->( 'b', 2 )->{Type}, 2, 'suites are distinguished by type';
    is $fields->( @{$_} ), undef, "no fields of @{$_}"
      for ['b'], [ 'c', 3 ], [ 'a', 2 ], ['d'], ['no suite'], ['e'];
};

# The suites have wrong names. All parts of the report use the type.
subtest 'the report uses the type, not the name' => sub {
    my @rows  = ( '0 0.01 0.0001', '64 0.01 0.0001', '1048576 0.01 0.0001' );
    my $dummy = [ 'p2p_MPI_Send-MPI_Recv', 'length', \@rows, { type => '29 p2p_dummy' } ];
    my $real  = [
        'p2p_dummy', 'length',
        [ '0 2 0.1', '64 3 0.1', '1048576 100 1' ], { type => '1 p2p_MPI_Send-MPI_Recv' }
    ];
    my @figures = SKaMPI::Findings::KeyFigures->rows_of( results( {}, $dummy, $real ) );
    is_deeply [ map { "$_->{what} $_->{where}{label}" } @figures ],
      [ map { "$_ p2p_dummy" } 'latency', 'peak bandwidth', 'half-bandwidth length n1/2' ],
      'key figures';

    my ( $empty, $messages ) = results( {}, $dummy, $real )->suites;
    is bandwidth_of($empty),              undef, 'a dummy has no bandwidth';
    is bandwidth_of($messages)->{factor}, 2,     'messages have one';

    my @misnamed = (
        [ 'syncol_MPI_Bcast', 'length', ['8 20 0.1'], { type => '73 syncol_MPI_Bcast_Send_Recv' } ],
        [ 'syncol_a',         'length', ['8 40 0.1'], { type => '47 syncol_MPI_Bcast' } ],
    );
    my $output = results( {}, @misnamed );
    my ($row) = SKaMPI::Findings::KeyFigures->rows_of($output);
    is "$row->{what} $row->{value}", 'MPI_Bcast 40', 'collective operations';
    my ($group) = @{ SKaMPI::Findings::Findings->of($output)->{groups} };
    like $group->{findings}[0]{text}, qr/\AMPI_Bcast took .* as MPI_Bcast_Send_Recv at 8 B/,
      'findings';

    my ($suite) = $output->suites;
    my $data = SKaMPI::Document::SuiteView->new( $suite, name => 'x' )->data;
    is $data->{title}, 'MPI_Bcast (MPI_Bcast_Send_Recv)', 'titles';
    is_deeply [ grep { $_->{title} eq 'Measures' } @{ $data->{details} } ],
      [ { title => 'Measures', text => 'syncol_MPI_Bcast_Send_Recv, type 73' } ], 'facts';
    unlike text_for( suite_of( 'p2p_p2p_dummy', '1 p2p_MPI_Send-MPI_Recv' ) ),
      qr/nothing is sent/i, 'texts';
    is text_for( suite_of( 'p2p_dummy', '1 p2p_MPI_Send-MPI_Recv' ) ),
      text_for( suite_of('p2p_MPI_Send-MPI_Recv') ), 'the text is that of the type';
    is text_for( suite_of( 'p2p_halo', '29 p2p_dummy' ) ), text_for('p2p_dummy'),
      'also for a dummy';
};

subtest 'names of datatypes agree with --list' => sub {
    plan skip_all => 'needs skampi' if !$ENV{SKAMPI_PROGRAM};
    my ($list) = skampi( $ROOT, '--list' )->{out} =~ /^Datatypes:[^\n]*\n(.*)/ms;
    my %listed = $list =~ /^ +([0-9]+): (\w+)/mg;
    cmp_ok scalar keys %listed, '>', 25, 'there are datatypes';
    is_deeply [ grep { datatype_name($_) eq "datatype $_" } sort keys %listed ], [],
      'all of them have a name';
    is datatype_name($_), $listed{$_}, $listed{$_}
      for grep { $listed{$_} =~ /\AMPI_/ } sort keys %listed;
    is_deeply [ grep { is_derived($_) && $listed{$_} =~ /\AMPI_/ } keys %listed ], [],
      'MPI datatypes are not derived';
    my %same = map { datatype_name($_) => 1 } keys %listed;
    is scalar keys %same, scalar keys %listed, 'names are distinct';
};

subtest 'plain operations' => sub {
    my $type  = '61 syncol_MPI_Allreduce';
    my @cases = (
        [ q{},               1 ],
        [ 'op=none',         0 ],
        [ 'groups=2',        0 ],
        [ 'arrival=last:50', 0 ],
        [ 'algorithm=3',     0 ],
        [ 'loop=5',          0 ],
        [ 'loop=1',          1 ],
        [ 'outliers=5',      1 ],
        [ 'op=sum',          1 ],
        [ 'op=bor',          0 ],
        [ 'op=bor',          1, 'Send_Datatype_Number = 1; Receive_Datatype_Number = 1;' ],
        [ 'root=0',          1 ],
        [ 'root=3',          0 ],
        [ 'root=each',       0 ],
    );
    for my $case (@cases) {
        my ( $parameters, $expected, $fields ) = ( @{$case}, q{} );
        my $list  = line_of( 'a', "Type = 61; $fields Parameters = \"$parameters\";" );
        my $suite = suite_of( 'syncol_a', $type, $list );
        is is_plain($suite) ? 1 : 0, $expected, "'$parameters'";
    }
};

done_testing;
