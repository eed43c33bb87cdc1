# Groups on simulated networks. On one switch, groups do not disturb each other: all take the time of one
# group alone, which is that of a run with as many processes. On a shared backbone, each group adds its bytes.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(few_repetitions is_about rows_of);

my $HEAD = few_repetitions( 65_536, '@BASETYPE1 (1,1,MPI_BYTE), (2,2,MPI_INT)' );

my ($skampi) = build_in_scratch('truth');

# Name of a suite => argument => row.
sub measured ( $platform, $np, @suites ) {
    return rows_of( $skampi, $platform, $np, join q{}, $HEAD, @suites );
}

my @TYPES   = $ENV{SKAMPI_LONG} ? ( 47, 48, 49, 55, 61, 81, 87, 91, 185 ) : ( 47, 49, 55, 185 );
my $LENGTHS = 'Scale = Fixed_linear; Start_Argument = 8; End_Argument = 65536; Stepwidth = 65528;';

sub suites ($keys) {
    my %varied = ( 49 => 'Variation = Groups;' );
    my @types  = grep { $keys || $_ != 49 } @TYPES;
    return
      map { "t$_ { Type = $_; @{[ $varied{$_} // $LENGTHS ]} Parameters = \"$keys\"; }\n" } @types;
}

my @CASES = ( [ 8, 2, 'cyclic' ], [ 8, 4, 'block' ] );
push @CASES, map { ( [ 8, $_, qw(block cyclic) ], [ 60, $_, qw(block cyclic) ] ) } ( 2, 4 )
  if $ENV{SKAMPI_LONG};
for my $case (@CASES) {
    my ( $np, $size, @layouts ) = @{$case};
    my $alone  = measured( 'flat', $size, suites(q{}) );
    my $groups = $np / $size;
    for my $layout (@layouts) {
        my $rows = measured( 'flat', $np, suites("groups=$groups layout=$layout") );
        for my $name ( sort keys %{$alone} ) {
            for my $length ( 8, 65_536 ) {
                my $row = $rows->{$name}{$length};
                my $us  = $alone->{$name}{$length}{time};
                is_about( $row->{time}, $us, "star, $groups groups of $size, $layout, $name" );
                is_about( $row->{extras}{$_}, $us, $_ ) for qw(group_mean group_fastest);
            }
        }
        is_deeply [ map { $_->{extras}{groups} } map { $rows->{t49}{$_} } 1 .. $groups ],
          [ 1 .. $groups ], 'the number of groups varies';
    }
}

# backbone.xml: all share one link. Broadcasts to one other process.
my $rows = measured(
    'backbone',
    8,
'half { Type = 47; Variation = Groups; Default_Message_length = 2097152; Parameters = "groups=4"; }'
      . "\n",
'full { Type = 47; Variation = Groups; Default_Message_length = 4194304; Parameters = "groups=4"; }'
      . "\n"
);
my %added = map { $_ => $rows->{full}{$_}{time} - $rows->{half}{$_}{time} } 1 .. 4;
is_about( $added{$_}, $_ * $added{1}, "backbone: $_ broadcasts of 2 MiB more" ) for 2 .. 4;

# torus4x4: groups of four in a row are near each other, groups across the rows are far.
my $torus = measured( 'torus4x4', 16,
    map { "$_ { Type = 55; $LENGTHS Parameters = \"groups=4 layout=$_\"; }\n" } qw(block cyclic) );
isnt $torus->{block}{65_536}{time}, $torus->{cyclic}{65_536}{time}, 'torus: the layout matters';

# uneven.xml: the links differ, and so do the groups; the slowest is named.
my $uneven = measured( 'uneven', 12, "u { Type = 61; $LENGTHS Parameters = \"groups=4\"; }\n" );
my $row    = $uneven->{u}{65_536};
cmp_ok $row->{extras}{group_fastest}, '<', $row->{extras}{group_mean}, 'uneven: groups differ';
cmp_ok $row->{extras}{group_mean},    '<', $row->{time},               'the slowest is reported';
is $row->{extras}{slowest_rank}, 3 * $row->{extras}{slowest_group}, 'and named';

# Data of derived types are verified within the groups.
my $derived = measured(
    'flat', 6,
    map {
"d$_ { Type = $_; Send_Datatype_Number = 53; $LENGTHS Parameters = \"groups=3 layout=cyclic\"; }\n"
    } 47,
    55, 185,
    188
);
is scalar keys %{$derived}, 4, 'data arrive in the groups';

done_testing;
