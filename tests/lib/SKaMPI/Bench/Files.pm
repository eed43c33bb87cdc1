package SKaMPI::Bench::Files;

# skampi's files against bare loops that access the next place with each call, as IMB and IOR do
# (tests/bench/bare_file.c), 2 processes; and the next place against always the same one.
use v5.36;

use Exporter               qw(import);
use SKaMPI::Bench::Figures qw(median plain within);
use SKaMPI::Bench::Launch  qw(launches alternating mpirun program ended_well skampi);

our @EXPORT_OK = qw(files);

my %TYPE  = ( write => 220,     read   => 222 );
my %SIZE  = ( 4096  => '4 KiB', 65_536 => '64 KiB', 1_048_576 => '1 MiB' );
my %COUNT = ( 4096  => 900,     65_536 => 400,      1_048_576 => 60 );
my @CASES = map {
    my $call = $_;
    map { [ $call, $_, $COUNT{$_} ] } sort { $a <=> $b } keys %SIZE
} qw(write read);

sub suite ( $case, $name, $parameters ) {
    my ( $call, $len, $n ) = @{$case};
    return
"$name-$call-$len { Type = $TYPE{$call}; Variation = Length; Start_Argument = $len; End_Argument = $len; "
      . qq(Min_Repetition = $n; Max_Repetition = $n; Parameters = "$parameters"; }\n);
}

# The medians: first those of the next place, then those of the same.
sub ours_us () {
    my $output = skampi(
        2,
        "\@VERSION 4.2\n\@MEMORY 8192\n\@POSTPROC no\n\@MEASUREMENTS\n" . join q{},
        ( map { suite( $_, 'next', 'io_walk=33554432' ) } @CASES ),
        ( map { suite( $_, 'same', 'io_walk=no' ) } @CASES )
    );
    my @us = map { $_->{rows}[0]{extras}{median} } $output->suites;
    die "a suite was not measured\n" if @us != 2 * @CASES;
    return \@us;
}

sub bare_us () {
    my ($out) = ended_well( mpirun(2), program('bare_file'), map { @{$_} } @CASES );
    return [ split q{ }, $out ];
}

sub files () {
    my ( $ours, $bare ) = alternating( launches(7), 'files', \&ours_us, \&bare_us );
    return map { rows_of( $_, $ours, $bare ) } 0 .. $#CASES;
}

sub rows_of ( $i, $ours, $bare ) {
    my ( $call, $len ) = @{ $CASES[$i] };
    my @next   = map { $_->[$i] } @{$ours};
    my @same   = map { $_->[ $i + @CASES ] } @{$ours};
    my @loop   = map { $_->[$i] } @{$bare};
    my $ratio  = median( map { $next[$_] / $loop[$_] } 0 .. $#next );
    my $beside = sprintf ' (%.2f us / %.2f us)', median(@next), median(@loop);
    return (
        within( "$call, $SIZE{$len}: skampi / bare loop", '%.3f', $ratio, [ 0.8, 1.25 ], $beside ),
        plain(
            "$call, $SIZE{$len}: the next place / the same",
            '%.2f',
            median( map { $next[$_] / $same[$_] } 0 .. $#next )
        )
    );
}

1;
