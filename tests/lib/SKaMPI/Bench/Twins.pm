package SKaMPI::Bench::Twins;

# Figures about skampi-model: random simulated machines against their twins, and intervals that hold the truth.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max sum0);
use SKaMPI::Bench::Figures qw(at_least at_most);
use SKaMPI::Bench::Launch  qw(progress);
use SKaMPI::Sim            qw(why_not build);
use SKaMPI::Test           qw(scratch);
use SKaMPI::TwinMachine    qw(covered prove_twin);

our @EXPORT_OK = qw(twins intervals);

# A machine takes about 25 s of CPU; BENCH_LAUNCHES says how many.
my $MACHINES = 100;
my $LONGEST  = 2**17;

my $LAUNCHES = 10;
my $SEEDS    = 50;

sub twins () {
    return [ 'twins', why_not() ] if why_not();
    my ($skampi) = build('truth');
    my $count = $ENV{BENCH_LAUNCHES} // $MACHINES;
    chdir scratch() or die "no directory: $!\n";
    my ( %worst, @wrong );
    for my $seed ( 1 .. $count ) {
        progress("machine $seed");
        my $proof = eval { prove_twin( $skampi, $seed, $LONGEST ) };
        push @wrong, $seed if !$proof || @{ $proof->{missed} };
        next if !$proof;
        for my $what ( keys %{ $proof->{worst} } ) {
            $worst{$what} = max( $worst{$what} // 0, $proof->{worst}{$what}[0] );
        }
    }
    return (
        at_most(
            "machines of $count with a break not found to 1 %",
            '%d', scalar @wrong,
            0,    " (@wrong)"
        ),
        at_most( 'messages between hosts, worst', '%.4f %%', 100 * $worst{far},         0.1 ),
        at_most( 'messages within a host, worst', '%.4f %%', 100 * $worst{near},        0.1 ),
        at_most( 'seven collectives, worst',      '%.4f %%', 100 * $worst{collectives}, 1 ),
    );
}

sub intervals () {
    return map { _coverage($_) } 0.01, 0.03, 0.1;
}

sub _coverage ($noise) {
    progress("noise $noise");
    my @counts = map { covered( $_, $LAUNCHES, $noise ) } 1 .. $SEEDS;
    my @rows;
    for my $what (qw(a b place)) {
        my ( $covered, $count ) = map {
            my $i = $_;
            sum0( map { $_->{$what}[$i] } @counts )
        } 0, 1;
        push @rows,
          at_least(
            sprintf( 'noise %g %%: 95 %% intervals of %s', 100 * $noise, $what ),
            '%.1f %%', 100 * $covered / ( $count || 1 ),
            85,        " of $count"
          );
    }
    my $right = sum0( map { $_->{breaks}[0] } @counts );
    return ( @rows,
        [ sprintf( 'noise %g %%: all breaks found', 100 * $noise ), "$right of $SEEDS", q{} ] );
}

1;
