# The numbers of other benchmarks on a simulated machine: with as=osu and as=imb, each type has the time that a
# loop by the program's definition has (tests/sim/others.c), and so do the processes with the shortest and the
# longest mean; without the key, it has another one.
use v5.36;

use Test::More;
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Rates qw(rates_of);
use SKaMPI::Sim            qw(build_in_scratch simulate);
use SKaMPI::SimRows        qw(few_repetitions output_of rows_of);
use SKaMPI::Test           qw(read_file write_file);

my @LENGTHS = ( 8, 4096 );
my $WITHIN  = 0.01;
my $TABLE   = read_file('src/model/others.def');
my %KEYS    = read_file('src/model/others.c') =~ /^\#define ([A-Z_]+) +"([^"]*)"/mg;

# Programs with the time of another one: IMB's of OSU's, and persistent requests on a simulated machine.
my %SAME = (
    PingPong            => 'osu_latency',
    osu_bw_persistent   => 'osu_bw',
    osu_bibw_persistent => 'osu_bibw',
    map { $_ => 'osu_' . lc }
      qw(Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Reduce
      Allreduce Reduce_scatter Reduce_scatter_block Barrier)
);

my ( $skampi, $truth ) = build_in_scratch('others');

sub others () {
    my @rows;
    for ( $TABLE =~ /^OTHER\(([^)]+)\)/mg ) {
        my ( $as, $type, $program, $how ) = /^(\w+), (\d+), "(\w+)"(.*)/s;
        my ($keys) = $how =~ /[.]keys = ("[^"]*"|\w+)/ ? $KEYS{$1} // $1 =~ tr/"//dr : q{};
        push @rows,
          { as => lc $as, type => $type, program => $program, keys => $keys, how => $how };
    }
    return @rows;
}

# Most programs have two processes; collectives and pairs have any number.
sub is_for ( $other, $np ) {
    return $np == 2 || $other->{how} =~ /SPREAD/ || $other->{program} =~ /multi_lat|mbw_mr/;
}

sub has_length ($other) {
    return $other->{program} !~ /barrier|_fop_/i;
}

sub suite ( $other, $np ) {
    my $step = $LENGTHS[1] - $LENGTHS[0];
    my $what =
      has_length($other)
      ? "Scale = Fixed_linear; Start_Argument = $LENGTHS[0]; End_Argument = $LENGTHS[1]; Stepwidth = $step;"
      : "Variation = Nodes; Scale = Fixed_linear; Start_Argument = $np; End_Argument = $np;";
    return
        "$other->{as}-$other->{program} { Type = $other->{type}; $what "
      . ( $other->{keys} =~ /elem/ ? q{} : 'Send_Datatype_Number = 1; ' )
      . qq(Parameters = "as=$other->{as} $other->{keys}"; }\n);
}

# program => length => [ mean, shortest, longest ]
sub truth_of ($np) {
    my %us;
    for ( split /\n/, simulate( 'uneven', $np, $truth, @LENGTHS ) ) {
        my ( $program, $length, @us ) = split;
        $us{$program}{$length} = \@us;
    }
    return \%us;
}

sub is_near ( $got, $true ) {
    return abs( $got - $true ) <= $WITHIN * $true;
}

for my $np ( 2, 12 ) {
    my @others = grep { is_for( $_, $np ) } others();
    my $true   = truth_of($np);
    my $rows   = rows_of( $skampi, 'uneven', $np, join q{}, few_repetitions(65_536),
        map { suite( $_, $np ) } @others );
    for my $other (@others) {
        my ( $as, $program ) = @{$other}{qw(as program)};
        my $of = $true->{ $SAME{$program} // $program };
        for my $length ( has_length($other) ? @LENGTHS : $LENGTHS[0] ) {
            my $row = $rows->{"$as-$program"}{ has_length($other) ? $length : $np };
            my ( $mean, @both ) = @{ $of->{$length} };
            my $what = "$program, $np processes, $length bytes";
            ok is_near( $row->{time}, $mean ), "$what: $row->{time} us, by the definition $mean";
            next if $other->{how} !~ /SPREAD/;
            ok is_near( $row->{extras}{ (qw(shortest longest))[$_] }, $both[$_] ),
              "$what: the process with the " . (qw(shortest longest))[$_] . ' mean'
              for 0, 1;
        }
    }
}

# Up and down links of eight hosts, in microseconds. A barrier of several rounds passes on how late a process was: the
# first calls after another message take 7 % less.
my @up    = qw(0.66 8.99 2.94 5.64 0.55 12.12 8.93 2.39);
my @down  = qw(12.72 1.08 2.43 9.97 0.42 2.27 0.38 7.54);
my $link  = 'bandwidth="1GBps" latency';
my @hosts = map {
qq(<host id="h$_" speed="1Gf"/><link id="u$_" $link="$up[$_]us"/><link id="d$_" $link="$down[$_]us"/>)
      . qq(<host_link id="h$_" up="u$_" down="d$_"/>)
} 0 .. $#up;
write_file( './unequal.xml', <<"END" );
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Cluster">@hosts<router id="s"/></zone></platform>
END
my @unequal   = ( './unequal', 8, '--cfg=smpi/coll-selector:ompi' );
my ($settled) = simulate( @unequal, $truth, 8 ) =~ /^osu_alltoallv 8 (\S+)/m;
my $short = output_of( [ $unequal[2], $skampi ], @unequal[ 0, 1 ], few_repetitions(64) . <<'END' );
A { Type = 68; Start_Argument = 8; End_Argument = 8; Parameters = "as=osu"; }
END
my $us = $short->suite('syncol_A')->{rows}[0]{time};
ok is_near( $us, $settled ),
  "the first calls after a control message do not count: $us us, $settled";

my ( $own, @as ) = output_of(
    $skampi,
    'uneven',
    5,
    few_repetitions( 65_536, '@BASETYPE1 (1,1,MPI_BYTE)' ) . join "\n",
    'a { Type = 47; Start_Argument = 8; End_Argument = 8; }',
    map { qq(b$_ { Type = $_; Start_Argument = 8; End_Argument = 8; Parameters = "as=osu"; }) } 47,
    1,
    175
)->suites;
my ( $bcast, $latency, $window ) = map { $_->rows->[0]{time} } @as;
cmp_ok $own->rows->[0]{time}, '>', 1.5 * $bcast, 'the slowest process takes longer than the mean';
is rates_of( $as[1], $as[1]->rows->[0] )->{bandwidth}, 8 / $latency,
  'a half has the bandwidth of one message';
is rates_of( $as[2], $as[2]->rows->[0] )->{bandwidth}, 2 * 64 * 8 / $window,
  'and a window that of all pairs';
is_deeply [ map { $_->name }
      SKaMPI::Findings::Selection->among( $own, @as )->collective_suites( 'MPI_Bcast', 'length' ) ],
  ['a'], 'figures about the machine come from suites without the key';

done_testing;
