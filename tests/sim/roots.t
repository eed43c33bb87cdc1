# Another root on simulated machines. On uneven hosts, a root's time is that of rank 0 when the hosts are
# rotated. rotate is the mean over the roots; each is their median, and names the best and the worst. On a
# switch, all roots take the same time.
use v5.36;

use List::Util qw(max min sum);
use Test::More;
use SKaMPI::Sim     qw(build_in_scratch simulate simulate_on);
use SKaMPI::SimRows qw(few_repetitions is_about rows_of true_times);
use SKaMPI::Test    qw(write_file);
use SKaMPI::Truth   qw(only);

my $NP      = 5;
my @LENGTHS = ( 8, 65_536 );
my $REPS    = 2 * $NP;
my $HEAD    = few_repetitions( 65_536, '@BASETYPE1 (1,1,MPI_BYTE), (2,2,MPI_INT)' ) =~
  s/(?<=REPDEFAULT )4/$REPS/gr;
my $VARIED = 'Scale = Fixed_linear; Start_Argument = 8; End_Argument = 65536; Stepwidth = 65528;';

# Barrier-measured types have no rotate and each.
my %TYPES =
  $ENV{SKAMPI_LONG}
  ? map { $_ => 1 } 47, 48, 54, 60, 62, 65, 66, 70, 71, 73, 81, 187, 188
  : map { $_ => 1 } 47, 54, 60, 71, 73;
my @BARRIER = ( 17, 33 );
my @ONLY    = only( keys %TYPES, @BARRIER );

my ( $skampi, $truth ) = build_in_scratch('truth');

sub suite ( $type, $root, $more = q{} ) {
    return "t$type-$root { Type = $type; $VARIED Parameters = \"root=$root $more\"; }\n";
}

sub derived ( $type, $root ) {
    return "d$type-$root { Type = $type; Send_Datatype_Number = 53; Scale = Fixed_linear; "
      . "Start_Argument = 1260; End_Argument = 1260; Parameters = \"root=$root\"; }\n";
}

# Name of a suite => argument => row.
sub measured ( $platform, $np, @suites ) {
    return rows_of( $skampi, $platform, $np, join q{}, $HEAD, @suites );
}

# Independent of skampi, as long as it has the same MPI calls: type => length => microseconds, with rank 0 on the host
# of rank $root.
sub truth_on_rotated ($root) {
    my @hosts = map { sprintf "u%02d\n", ( $_ + $root ) % $NP } 0 .. $NP - 1;
    write_file( 'hosts', join q{}, @hosts );
    return true_times( simulate_on( 'hosts', 'uneven', $NP, $truth, 1, 8, @ONLY, @LENGTHS ) );
}

# A barrier has no root that the hosts could be rotated for.
sub truth_with_root ($root) {
    return true_times( simulate( 'uneven', $NP, $truth, 1, 8, @ONLY, "root=$root", @LENGTHS ) );
}

my @types   = sort { $a <=> $b } keys %TYPES;
my @roots   = ( 0 .. $NP - 1, qw(rotate each) );
my @derived = map { ( derived( $_, 3 ), derived( $_, 'rotate' ), derived( $_, 'each' ) ) } 47, 48,
  60, 71, 73, 187, 188;
my $rows = measured(
    'uneven', $NP,
    (
        map {
            my $type = $_;
            map { suite( $type, $_ ) } @roots
        } @types
    ),
    (
        map {
            my $type = $_;
            map { suite( $type, $_ ) } 0 .. $NP - 1
        } @BARRIER
    ),
);

for my $root ( $ENV{SKAMPI_LONG} ? 0 .. $NP - 1 : 3 ) {
    my %true = ( %{ truth_on_rotated($root) }, %{ truth_with_root($root) }{@BARRIER} );
    for my $type ( @types, @BARRIER ) {
        is_about( $rows->{"t$type-$root"}{$_}{time}, $true{$type}{$_}, "type $type, root $root" )
          for @LENGTHS;
    }
}

for my $type (@types) {
    for my $length (@LENGTHS) {
        my @us     = map { $rows->{"t$type-$_"}{$length}{time} } 0 .. $NP - 1;
        my $what   = "type $type, $length bytes";
        my $rotate = $rows->{"t$type-rotate"}{$length};
        my $each   = $rows->{"t$type-each"}{$length};
        my %extra  = %{ $each->{extras} };
        is_about( $rotate->{time},        sum(@us) / $NP,                        "$what, rotate" );
        is_about( $rotate->{extras}{max}, max(@us),                              "$what, slowest" );
        is_about( $each->{time},          ( sort { $a <=> $b } @us )[ $NP / 2 ], "$what, median" );
        is_about( $extra{best},           min(@us),                              "$what, best" );
        is_about( $extra{worst},          max(@us),                              "$what, worst" );
        is_about( $us[ $extra{best_root} ],  min(@us), "$what, best root" );
        is_about( $us[ $extra{worst_root} ], max(@us), "$what, worst root" );
        is $each->{count_all}, $REPS, "$what, a repetition is a call for each root";
    }
}

my $flat = measured( 'flat', 4, map { suite( $_, 'each' ) } grep { $_ != 54 } @types );
for my $name ( sort keys %{$flat} ) {
    for my $row ( values %{ $flat->{$name} } ) {
        is_about( $row->{extras}{$_}, $row->{time}, "switch, $name, $_" ) for qw(best worst);
    }
}

my $groups = measured( 'flat', 8, suite( 47, 3 ), suite( 73, 'rotate', 'groups=2' ), @derived );
is scalar( grep { /^d/ } keys %{$groups} ), scalar @derived, 'data arrive from and at other roots';

my $alone = measured( 'flat', 4, suite( 73, 0 ) );
is_about(
    $groups->{'t73-rotate'}{$_}{time},
    $alone->{'t73-0'}{$_}{time},
    'the root rotates in each group'
) for @LENGTHS;

done_testing;
