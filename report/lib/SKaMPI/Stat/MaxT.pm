package SKaMPI::Stat::MaxT;

# The permutation test over whole launches, which src/stats/maxt.h defines. SKaMPI::Verdict::Family is what other
# modules use.
use SKaMPI::Base;

use List::Util qw(first min);

use SKaMPI::Base::Process  qw(run_command);
use SKaMPI::Base::Program  qw(fail);
use SKaMPI::Base::TextFile qw(read_bytes shipped_path write_bytes);

# Places of the program: after installing, and in the source tree.
my @PLACES      = map { shipped_path($_) } 'skampi-maxt', '../build/skampi-maxt';
my $RELABELINGS = 10_000;
my $MAX_EXACT   = 20_000;
my $SEED        = 1;

# The longest output of the program.
my $LARGEST = 1024 * 1024 * 1024;

# The smallest adjusted p that so few launches can reach: one of all relabelings, or two of them if the sides have equal
# sizes, since swapping the sides gives the same |T|. Without BASE: for pairs, whose signs are all turned.
sub smallest_p ( $base, $new ) {
    my $choices = $base ? 1 : 2**$new;
    $choices *= ( $base + $_ ) / $_ for $base ? 1 .. $new : ();
    return 1 / $RELABELINGS if $choices > $MAX_EXACT;
    return min( 1, ( $base == $new || !$base ? 2 : 1 ) / $choices );
}

# Adds t, p, log (the difference) and scale to each point, of two sides (base and new) or of pairs. Returns a hash of
# relabelings, which (all or random) and critical: log +- critical * scale are simultaneous intervals.
sub test_points ( $points, $alpha ) {
    my @sides  = $points->[0]{pairs} ? qw(pairs) : qw(base new);
    my @sizes  = map { scalar @{ $points->[0]{$_} } } @sides;
    my @counts = ( @sides > 1 ? () : 0, @sizes, scalar @{$points} );
    my $values = q{};
    for my $side (@sides) {
        for my $i ( 0 .. $#{ $points->[0]{$side} } ) {
            $values .= pack 'd*', map { $_->{$side}[$i] // 'nan' } @{$points};
        }
    }
    my @lines  = _run( $values, @counts, $RELABELINGS, $SEED, $alpha );
    my ($head) = splice @lines, 0, 1;
    for my $point ( @{$points} ) {
        @{$point}{qw(t p log scale)} = split q{ }, shift @lines;
    }
    my %test;
    @test{qw(relabelings which critical)} = split q{ }, $head;
    return \%test;
}

sub _run ( $bytes, @arguments ) {
    my $program = first { -x } @PLACES;
    fail("'skampi-maxt' is missing; run make in the source tree, or install SKaMPI again")
      if !$program;
    require File::Temp;
    my $place = File::Temp->newdir;
    write_bytes( "$place/values", $bytes );
    my %files = ( directory => "$place", input => 'values', output => 'lines' );
    my $run   = run_command( [ $program, @arguments ], %files );
    my @lines = split /^/, read_bytes( "$place/lines", $LARGEST );
    fail("'$program' failed: @lines") if defined $run->{failed} || @lines != 1 + $arguments[2];
    return @lines;
}

1;
