package SKaMPI::Stat::MaxT;

# The permutation test over whole launches. test_points(POINTS, ALPHA) runs skampi-maxt
# (src/stats/maxt.h defines the test) and adds to each point t and p, the p value adjusted for
# all points. smallest_p(BASE, NEW) is the smallest p value that these numbers of launches can
# reach.
use v5.36;

use Exporter       qw(import);
use File::Basename qw(dirname);
use File::Temp     ();
use List::Util     qw(first min);

use SKaMPI::Base::Process  qw(run_command);
use SKaMPI::Base::Program  qw(fail);
use SKaMPI::Base::TextFile qw(read_bytes write_bytes);

our @EXPORT_OK = qw(smallest_p test_points);

# Where the program is: after installing, and in the source tree.
my @PLACES      = map { dirname(__FILE__) . "/../../../$_" } 'skampi-maxt', '../build/skampi-maxt';
my $RELABELINGS = 10_000;
my $MAX_EXACT   = 20_000;
my $SEED        = 1;

# What the program prints, at most.
my $LARGEST = 1024 * 1024 * 1024;

# The smallest adjusted p that so few launches can reach: one of all relabelings, or two of them if the
# sides have equal sizes, since swapping the sides gives the same |T|.
sub smallest_p ( $base, $new ) {
    my $choices = 1;
    $choices *= ( $base + $_ ) / $_ for 1 .. $new;
    return 1 / $RELABELINGS if $choices > $MAX_EXACT;
    return min( 1, ( $base == $new ? 2 : 1 ) / $choices );
}

# Adds t and p to each point. Returns a hash of relabelings, which (all or random) and critical.
sub test_points ( $points, $alpha ) {
    my @sizes  = map { scalar @{ $points->[0]{$_} } } qw(base new);
    my @lines  = _run( _values($points), @sizes, scalar @{$points}, $RELABELINGS, $SEED, $alpha );
    my ($head) = splice @lines, 0, 1;
    for my $point ( @{$points} ) {
        @{$point}{qw(t p)} = split q{ }, shift @lines;
    }
    my %test;
    @test{qw(relabelings which critical)} = split q{ }, $head;
    return \%test;
}

# For each launch, the values of all points.
sub _values ($points) {
    my $bytes = q{};
    for my $side (qw(base new)) {
        for my $i ( 0 .. $#{ $points->[0]{$side} } ) {
            $bytes .= pack 'd*', map { $_->{$side}[$i] // 'nan' } @{$points};
        }
    }
    return $bytes;
}

sub _run ( $bytes, @arguments ) {
    my $program = first { -x } @PLACES;
    fail( 1, "'skampi-maxt' is missing; run make in the source tree, or install SKaMPI again" )
      if !$program;
    my $place = File::Temp->newdir;
    write_bytes( "$place/values", $bytes );
    my $run = run_command(
        [ $program, @arguments ],
        directory => "$place",
        input     => 'values',
        output    => 'lines'
    );
    my @lines = split /^/, read_bytes( "$place/lines", $LARGEST );
    fail( 1, "'$program' failed: @lines" ) if defined $run->{failed} || @lines != 1 + $arguments[2];
    return @lines;
}

1;

