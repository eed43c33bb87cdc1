package SKaMPI::Bench::Duet;

# Comparisons of two settings by six launches of each: that take turns (skampi-launch --duet), and that follow each
# other. One setting is slower by a planted part (tests/shim/slower.c), or by nothing.
use v5.36;

use Exporter               qw(import);
use IPC::Run               qw(run);
use SKaMPI::Bench::Figures qw(at_most median plain);
use SKaMPI::Bench::Launch  qw(launches mpirun program progress root);
use SKaMPI::Test           qw(scratch write_file);

our @EXPORT_OK = qw(duets);

my $LAUNCHES = 6;
my $RANGE =
'Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536; Stepwidth = 20;';
my $SUITES = <<"END";
\@VERSION 4.2
\@MEMORY 4096
\@MAXREPDEFAULT 200
\@POSTPROC no
\@MEASUREMENTS
Allreduce { Type = 61; $RANGE }
Bcast { Type = 47; $RANGE }
END

sub duets ($) {
    my @rows;
    for my $percent ( 5, 10 ) {
        my %of = map { $_ => [ _compared( $_, $percent ) ] } qw(--duet -n);
        push @rows,
          plain( "$percent % slower: points found, in turns", '%d of %d%s', @{ $of{'--duet'} } ),
          plain( "$percent % slower: points found, in a row", '%d of %d%s', @{ $of{-n} } );
    }
    my @same  = map  { [ _compared( '--duet', 0 ) ] } 1 .. launches(5);
    my $found = grep { $_->[0] } @same;
    return (
        @rows,
        at_most(
            'equal settings: comparisons that find a difference',
            '%d', $found, 0, ' of ' . @same
        )
    );
}

# How many points the comparison calls slower or faster, of how many, and the width of their intervals.
sub _compared ( $how, $percent ) {
    my $place = scratch();
    write_file( "$place/p.skampi", $SUITES );
    for my $side ( [ usual => 0 ], [ slower => $percent / 100 ] ) {
        write_file( "$place/$side->[0]",
            'LD_PRELOAD=' . program('tests/libslower.so') . "\nSKAMPI_SLOWER=$side->[1]\n" );
    }
    progress("duet: $percent % slower, $how");
    my ( $out, $err ) = ( q{}, q{} );
    run [
        $^X,
        root() . '/report/launch.pl',
        $how eq '-n' ? ( '-n', $LAUNCHES ) : $how,
        qw(usual slower --),
        mpirun(2), program('skampi'), qw(-q -f p.skampi)
      ],
      '>', \$out, '2>', \$err, init => sub { chdir $place or die "$place: $!\n" };
    my ( $points, $slower, $faster ) = $out =~ /^([0-9]+) points: ([0-9]+) slower, ([0-9]+) faster/m
      or die "no comparison: $err\n";
    my @widths = map { log } map { $_->[1] / $_->[0] } _intervals($out);
    my $width  = @widths ? 100 * ( exp( median(@widths) / 2 ) - 1 ) : 0;
    return ( $slower + $faster, $points, sprintf ', intervals of +-%.1f %%', $width );
}

sub _intervals ($text) {
    my @intervals;
    push @intervals, [ $1, $2 ]
      while $text =~ /\s([0-9.]+) to ([0-9.]+)\s+(?:slower|faster|undecided|equal)/g;
    return grep { $_->[0] > 0 } @intervals;
}

1;
