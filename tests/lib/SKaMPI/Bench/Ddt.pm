package SKaMPI::Bench::Ddt;

# method=manual of the tests of ddtbench against loops written by hand for the same layouts, timed as
# ddtbench does (tests/bench/bare_ddt.c): all pairs of a test and a size, 2 processes, kept data.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(sum0);
use SKaMPI::Bench::Figures qw(median quantile plain within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(by_hand);

# Types, the memory that they need, and counts: of allocations of the buffers, and of round trips
# after each. Launches of one group follow each other.
my @GROUPS = (
    { types => [ 120 .. 124 ], kib => 16_000,  counts => [ 10, 20 ] },
    { types => [ 125, 126 ],   kib => 64_000,  counts => [ 10, 20 ] },
    { types => [ 127 .. 129 ], kib => 272_000, counts => [ 10, 20 ] },
    { types => [ 130 .. 134 ], kib => 16_000,  counts => [ 10, 20 ] },
    { types => [136],          kib => 80_000,  counts => [ 2,  5 ] },
);

# A message is received where the last one was sent from, as in ddtbench, or in a second buffer.
# FFT needs two, and counts with both.
my %BUFFERS = ( one => 1, two => 2 );

my $PAIRS  = 69;
my $WANTED = 62;
my @NEAR   = ( 0.9,  1.1 );
my @FAR    = ( 0.75, 1.33 );

# FFT is alone in its group, so that its name is not taken from a list of types.
sub suites ($group) {
    my $n      = $group->{counts}[0] * $group->{counts}[1];
    my $types  = join ', ', @{ $group->{types} };
    my $fields = "Type = $types; Min_Repetition = $n; Max_Repetition = $n;";
    return qq(FFT-two { $fields Parameters = "method=manual"; }\n) if $types eq '136';
    return join q{},
      map { qq(*-$_ { $fields Parameters = "method=manual buffers=$_"; }\n) } qw(one two);
}

# The medians, by "TEST BYTES BUFFERS".
sub ours_us ($group) {
    my $head = "\@VERSION 4.2\n\@MEMORY $group->{kib}\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my %us;
    for my $suite ( skampi( 2, $head . suites($group) )->suites ) {
        my ( $test, $buffers ) = $suite->{name} =~ /(\w+)-(\w+)$/ or die "$suite->{name}?\n";
        for my $row ( @{ $suite->{rows} } ) {
            $us{"$test $row->{argument} $buffers"} = $row->{extras}{median};
        }
    }
    return \%us;
}

# The same of the loops: packing, communication and unpacking follow each other. They include three
# readings of the clock, a time of ours one.
sub bare_us ( $group, @cases ) {
    my @arguments;
    for my $case (@cases) {
        my ( $test, $bytes, $buffers ) = split q{ }, $case;
        push @arguments, $test, $bytes, $BUFFERS{$buffers}, @{ $group->{counts} };
    }
    my ($out)  = ended_well( mpirun(2), program('bare_ddt'), @arguments );
    my @phases = map { [split] } split /\n/, $out;
    return { map { $cases[$_] => sum0( @{ $phases[$_] }[ 1 .. 3 ] ) - 2 * $phases[$_][5] }
          0 .. $#cases };
}

# For each case the median of the ratios of launches that follow each other, and of both times.
sub compared ($group) {
    my @cases;
    my ( $ours, $bare ) = alternating(
        launches(7),
        "ddt, types @{ $group->{types} }",
        sub { my $us = ours_us($group); @cases = sort keys %{$us}; $us },
        sub { bare_us( $group, @cases ) }
    );
    return map {
        my $case = $_;
        my ( @ours, @bare );
        push @ours, $_->{$case} for @{$ours};
        push @bare, $_->{$case} for @{$bare};
        {
            case  => $case,
            ours  => median(@ours),
            bare  => median(@bare),
            ratio => median( map { $ours[$_] / $bare[$_] } 0 .. $#ours ),
        }
    } @cases;
}

sub by_hand () {
    my @all = map { compared($_) } @GROUPS;
    return ( ( map { summary( $_, @all ) } qw(one two) ),
        more_buffers(@all), $ENV{BENCH_PAIRS} ? map { pair_row($_) } @all : () );
}

sub is_within ( $limits, $pair ) {
    return $pair->{ratio} >= $limits->[0] && $pair->{ratio} <= $limits->[1];
}

sub label ($pair) {
    my ( $test, $bytes, $buffers ) = split q{ }, $pair->{case};
    return "$test, $bytes B" . ( $test eq 'FFT' ? q{} : ", $buffers" );
}

# How many ratios are near 1, and the farthest one.
sub summary ( $buffers, @all ) {
    my @pairs = grep { $_->{case} =~ /^FFT | $buffers$/ } @all;
    die @pairs . " pairs, not $PAIRS\n" if @pairs != $PAIRS;
    my ($farthest) = sort { abs( log $b->{ratio} ) <=> abs( log $a->{ratio} ) } @pairs;
    my $near = grep { is_within( \@NEAR, $_ ) } @pairs;
    return [
        "message buffers: $buffers; pairs within $NEAR[0] to $NEAR[1]",
        sprintf(
            '%d of %d; farthest %.2f: %s',
            $near, $PAIRS, $farthest->{ratio}, label($farthest)
        ),
        ">= $WANTED; all $FAR[0] to $FAR[1]",
        $near >= $WANTED && is_within( \@FAR, $farthest )
    ];
}

# What a second buffer costs, by skampi's times.
sub more_buffers (@all) {
    my %us      = map  { $_->{case} => $_->{ours} } @all;
    my @tests   = grep { exists $us{"$_ one"} } map { $_->{case} =~ /(.*) two$/ ? $1 : () } @all;
    my @factors = map  { $us{"$_ two"} / $us{"$_ one"} } @tests;
    return plain(
        'two buffers / one',
        '%.2f (%.2f to %.2f)',
        map { quantile( $_, @factors ) } 0.5,
        0, 1
    );
}

sub pair_row ($pair) {
    my $times = sprintf ' (%.3f us / %.3f us)', $pair->{ours}, $pair->{bare};
    return within( label($pair), '%.3f', $pair->{ratio}, \@NEAR, $times );
}

1;
