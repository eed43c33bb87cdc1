package SKaMPI::Bench::Twins;

# Figures about skampi-model: intervals that hold the truth, and this machine against its twin.
use v5.36;

use Exporter                     qw(import);
use List::Util                   qw(sum0);
use SKaMPI::Bench::Figures       qw(at_least plain);
use SKaMPI::Bench::Launch        qw(progress root skampi);
use SKaMPI::Model::Check         qw(check_twin);
use SKaMPI::Model::MissingPoints qw(points_file);
use SKaMPI::Model::Twin          qw(twin_of);
use SKaMPI::Sim                  qw(why_not build);
use SKaMPI::Test                 qw(read_file);
use SKaMPI::TwinMachine          qw(covered fit_of);

our @EXPORT_OK = qw(intervals twin_here);

my ( $LAUNCHES, $SEEDS ) = ( 10, 50 );

sub intervals ($) {
    return map { _coverage($_) } 0.01, 0.03, 0.1;
}

sub _coverage ($noise) {
    progress("noise $noise");
    my @machines = map { covered( $_, $LAUNCHES, $noise ) } 1 .. $SEEDS;
    my $name     = sprintf 'noise %g %%', 100 * $noise;
    my @rows;
    for my $what (qw(a b place)) {
        my $count   = sum0( map { $_->{$what}[1] } @machines );
        my $percent = 100 * sum0( map { $_->{$what}[0] } @machines ) / ( $count || 1 );
        push @rows,
          at_least( "$name: 95 % intervals of $what", '%.1f %%', $percent, 85, " of $count" );
    }
    my $right = sum0( map { $_->{breaks}[0] } @machines );
    return ( @rows, plain( "$name: all breaks found", '%d of %d', $right, $SEEDS ) );
}

# Measures the suites of model.skampi, and the points that the model lacks then: what was measured over what the twin
# takes, of ping-pongs, and collectives over the length.
sub twin_here ($) {
    return [ 'twin', why_not() ] if why_not();
    my ($simulated) = build('truth');
    progress('measuring');
    my @outputs = skampi( 2, read_file( root() . '/configs/model.skampi' ) );
    my $points  = points_file( fit_of(@outputs), $outputs[0] ) =~ s/^\@(?:OUT|LOG)FILE .*\n//gmr;
    progress('measuring points');
    push @outputs, skampi( 2, $points ) if length $points;
    my $twin = twin_of( fit_of(@outputs), $outputs[0] );
    my @suites =
      grep { $_->{name} =~ /-(?:far|near|length)\z/ } check_twin( $simulated, $twin, $outputs[0] );
    return (
        ( map { plain( "note: $_", q{} ) } @{ $twin->{remarks} } ),
        map {
            plain(
                "$_->{name}: measured / simulated",
                '%.2f (%.2f to %.2f), %d lengths',
                @{$_}{qw(ratio low high count)}
            )
        } @suites
    );
}

1;
