package SKaMPI::Database::Chart::Groups;

# Verdicts about two groups of launches, as those of skampi-compare, kept in the cache for each
# pair.
use v5.36;

use Cpanel::JSON::XS qw(decode_json encode_json);
use Digest::SHA      qw(sha256_hex);

use SKaMPI::Compare::Result;
use SKaMPI::Compare::Thresholds;
use SKaMPI::Meaning::Likeness qw(obstacles);

my ( $ALPHA, $THRESHOLD ) = ( 0.05, 0.05 );

sub new ( $class, $reader, $cache ) {
    return bless { reader => $reader, cache => $cache }, $class;
}

# How the launches of two series compare: a hash of points (verdict, low and high by argument),
# launches (their numbers) and basis (what was tested, or why nothing was).
sub compared ( $self, $base, $new ) {
    return { points => {}, basis => 'the first series' } if $base == $new;
    my @suites = map { $_->{suite}{label} } $base, $new;
    return _descriptive('only suites of the same name are tested') if $suites[0] ne $suites[1];
    my @runs = map { [ $self->_launches_of( $_->{run} ) ] } $base, $new;
    return _descriptive('both are launches of one group') if $runs[0][0] == $runs[1][0];
    my $key   = sha256_hex( join q{ }, 'verdict/2', $suites[0], map { join ',', @{$_} } @runs );
    my $cache = $self->{cache};
    my $known = $cache->get($key);
    return decode_json( $known->{bytes} ) if $known;
    my $found = eval { $self->_test( $suites[0], @runs ) } // return _failed($@);
    $cache->put( $key, 'application/json', encode_json($found), map { @{$_} } @runs );
    return $found;
}

sub _launches_of ( $self, $run ) {
    return @{ $self->{launches}{ $run->{group_key} } //=
          [ map { $_->{id} } $self->{reader}->launches_of($run) ] };
}

sub _test ( $self, $label, @runs ) {
    my @counts = map { scalar @{$_} } @runs;
    return _descriptive( 'single launches are not tested', @counts )
      if $counts[0] < 2 || $counts[1] < 2;
    my @sides = map { [ $self->{reader}->launches( 'time', [$label], @{$_} ) ] } @runs;
    my ($obstacle) = obstacles( map { @{$_} } @sides );
    return _descriptive( $obstacle, @counts ) if defined $obstacle;
    my $result = SKaMPI::Compare::Result->new(
        @sides,
        {
            alpha      => $ALPHA,
            value      => 'time',
            thresholds => SKaMPI::Compare::Thresholds->new( $THRESHOLD, undef )
        }
    );
    return _descriptive( 'at least ' . $result->fewest_launches . ' launches each are required',
        @counts )
      if !$result->has_verdicts;
    my %points =
      map { ( ( $_->{argument} // 0 ) => { %{$_}{qw(verdict low high)} } ) } $result->points;
    return {
        points   => \%points,
        launches => \@counts,
        basis    => "tested: $counts[0] against $counts[1] launches, 5 % in all"
    };
}

sub _failed ($failure) {
    my $text = ref $failure ? $failure->{text} : $failure;
    return _descriptive( 'the test failed: ' . $text =~ s/\s+\z//r );
}

sub _descriptive ( $reason, @counts ) {
    return { points => {}, launches => \@counts, basis => "descriptive: $reason" };
}

1;

