package SKaMPI::Database::Chart::Launches;

# A group of launches as one series of a comparison.
use v5.36;

use Exporter   qw(import);
use List::Util qw(first sum0);

use SKaMPI::Stat::Distribution qw(value_at);

our @EXPORT_OK = qw(suite_of_launches);

# An error between fewer launches would be one by chance.
my $FEWEST = 4;

# One suite (SKaMPI::Database::Reader) of the same suite of several launches: the geometric means of
# the times at the arguments that all of them have, with the standard errors between at least four
# launches, and their quartiles.
sub suite_of_launches (@suites) {
    return $suites[0] if @suites < 2;
    my %at;
    for my $suite (@suites) {
        push @{ $at{ $_->{argument} // q{} } }, $_
          for grep { ( $_->{time_us} // 0 ) > 0 } @{ $suite->{points} };
    }
    my @common =
      grep { @{ $at{ $_->{argument} // q{} } // [] } == @suites } @{ $suites[0]{points} };
    return { %{ $suites[0] },
        points => [ map { _point( @{ $at{ $_->{argument} // q{} } } ) } @common ] };
}

sub _point (@points) {
    my @times = sort { $a <=> $b } map { $_->{time_us} } @points;
    my $mean  = sum0( map { log } @times ) / @times;
    my $time  = exp $mean;
    my $error = sqrt( sum0( map { ( log($_) - $mean )**2 } @times ) / ( @times - 1 ) / @times );
    my %part  = ( min_us => 0, p25_us => 25, median_us => 50, p75_us => 75, max_us => 100 );
    return {
        argument      => $points[0]{argument},
        time_us       => $time,
        time_error_us => @times < $FEWEST ? undef : $time * $error,
        count => sum0( map { $_->{count}                       // 0 } @points ),
        stop  => ( first { $_ ne 'accuracy' } map { $_->{stop} // q{} } @points ) // 'accuracy',
        map { $_ => value_at( \@times, $part{$_} ) } keys %part
    };
}

1;

