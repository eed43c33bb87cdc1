package SKaMPI::Verdict::Page;

# The comparison of two groups of launches of a suite, for a page: a hash of points (by argument, hashes of verdict, low
# and high, and mean_ratio if the mean decides), launches (their numbers) and basis: how they were compared, or why not.
use SKaMPI::Base;

use List::Util qw(min);

use SKaMPI::Meaning::Likeness qw(hardware_note obstacles);
use SKaMPI::Verdict::Comparison;
use SKaMPI::Verdict::Family qw(deciding);

our @EXPORT_OK = qw(compared_page described_page);

# Takes a function that returns the launches (SKaMPI::Verdict::Launch) with such numbers, and two lists of numbers.
sub compared_page ( $launches_of, @runs ) {
    my @counts = map { scalar @{$_} } @runs;
    return described_page( 'single launches are not tested', @counts ) if min(@counts) < 2;
    my @sides = map { [ $launches_of->( @{$_} ) ] } @runs;
    my ($obstacle) = obstacles( map { @{$_} } @sides );
    return described_page( $obstacle, @counts ) if defined $obstacle;
    my $result = SKaMPI::Verdict::Comparison->new(@sides);
    return described_page( 'at least ' . $result->fewest_launches . ' launches each are required',
        @counts )
      if !$result->has_verdicts;
    my %points = map {
        my $point = deciding($_);
        my %found = ( verdict => $_->{verdict}, %{$point}{qw(low high)} );
        $found{mean_ratio} = $point->{ratio} if $point != $_;
        ( ( $_->{argument} // 0 ) => \%found )
    } grep { !$_->{part} } $result->points;
    my $note = hardware_note(@sides);
    return {
        points   => \%points,
        launches => \@counts,
        basis    => "tested: $counts[0] against $counts[1] launches, 5 % in all"
          . ( defined $note ? "; $note" : q{} )
    };
}

sub described_page ( $reason, @counts ) {
    return { points => {}, launches => \@counts, basis => "descriptive: $reason" };
}

1;
