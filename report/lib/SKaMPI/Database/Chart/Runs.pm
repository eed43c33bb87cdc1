package SKaMPI::Database::Chart::Runs;

# A value over the runs of a machine.
use SKaMPI::Base;

use SKaMPI::Figure::Axis;
use SKaMPI::Figure::Plot;

our @EXPORT_OK = qw(plot_of_runs);

# The kind of axis for each unit.
my %KIND = ( us => 'time', 'MB/s' => 'bandwidth', '/s' => 'rate' );

# A SKaMPI::Figure::Plot of values with this unit, from 0. The rows, the oldest first, are hashes of run, started,
# value, text and, optionally, error and line: 0 for a dashed and 1 for a solid line at the run.
sub plot_of_runs ( $unit, $rows, %more ) {
    my ( %day, @points );
    for my $row ( @{$rows} ) {
        my $minute = substr( $row->{started} // q{}, 0, 16 ) =~ tr/T/ /r;
        my $text   = "run $row->{run}, $minute: $row->{text}";
        $day{ scalar @points } = substr $minute, 0, 10;
        push @points,
          { x => scalar @points, y => $row->{value}, error => $row->{error} // 0, text => $text };
    }
    return SKaMPI::Figure::Plot->new(
        name     => 'plot',
        x        => SKaMPI::Figure::Axis->new( 'count', 'linear', keys %day )->named( \%day ),
        y        => [ $KIND{$unit} // 'number', 'from_zero', map { $_->{y} } @points ],
        series   => [ { name => q{}, points => \@points } ],
        lines_at =>
          [ map { defined $rows->[$_]{line} ? [ $_, $rows->[$_]{line} ] : () } keys @{$rows} ],
        %more
    );
}

1;
