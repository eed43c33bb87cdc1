package SKaMPI::Report::Figures;

use v5.36;

use Exporter qw(import);

use SKaMPI::Report::Axis;
use SKaMPI::Report::Bandwidth qw(bandwidth_of);
use SKaMPI::Report::Escape    qw(tex);
use SKaMPI::Report::Plot;

our @EXPORT_OK = qw(time_plot bandwidth_plot);

# Times that differ by more than this factor need a logarithmic axis, where the arguments have one.
my $WIDE = 20;

my %TITLE = (
    length => 'Message length',
    nodes  => 'Number of processes',
    chunks => 'Number of chunks',
);

# Time over the argument, for the points of one or several suites.
sub time_plot ( $name, $series, %more ) {
    my @points = map { @{ $_->{points} } } @{$series};
    my $suite  = $series->[0]{suite};
    my ( $x, $x_title ) = _argument_axis( $suite, map { $_->{x} } @points );
    return SKaMPI::Report::Plot->new(
        name    => $name,
        x       => $x,
        x_title => $x_title,
        y       => _time_axis( $x, @points ),
        y_title => 'Time',
        series  => $series,
        %more,
    );
}

# The same as bandwidth; points without a length or a time have none.
sub bandwidth_plot ( $name, $series, %more ) {
    my @curves = map { _bandwidths($_) } @{$series};
    my @points = map { @{ $_->{points} } } @curves or return;
    my ( $x, $x_title ) = _argument_axis( $curves[0]{suite}, map { $_->{x} } @points );
    return SKaMPI::Report::Plot->new(
        name    => $name,
        x       => $x,
        x_title => $x_title,
        y       =>
          SKaMPI::Report::Axis->new( 'bandwidth', 'linear', map { _ends($_) } @points )->from_zero,
        y_title => 'Bandwidth',
        series  => \@curves,
        %more,
    );
}

sub _bandwidths ($series) {
    my $bandwidth = bandwidth_of( $series->{suite} ) or return;
    my @points;
    for my $point ( grep { $_->{x} > 0 && $_->{y} > 0 } @{ $series->{points} } ) {
        my $y = $bandwidth->{factor} * $point->{x} / $point->{y};
        push @points, { %{$point}, y => $y, error => $y * $point->{error} / $point->{y} };
    }
    return { %{$series}, points => \@points };
}

sub _argument_axis ( $suite, @values ) {
    my $column = $suite->{arguments}[0] // {};
    my ($what) = ( $column->{name} // q{} ) =~ /\b(length|nodes|chunks)\b/;
    my $kind   = !$what ? 'number' : $what eq 'length' ? 'length' : 'count';
    my $scale  = $suite->{scale} // 'linear';
    my $title  = $what ? $TITLE{$what} : ucfirst tex( $column->{name} // 'argument', 60 );
    return ( SKaMPI::Report::Axis->new( $kind, $scale, @values ), $title );
}

sub _time_axis ( $x, @points ) {
    my @positive = sort { $a <=> $b } grep { $_ > 0 } map { $_->{y} } @points;
    my @ends     = map  { _ends($_) } @points;
    return SKaMPI::Report::Axis->new( 'time', 'linear', @ends )->from_zero
      if !@positive || !$x->is_logarithmic || $positive[-1] / $positive[0] < $WIDE;
    my @shown = grep { $_ >= $positive[0] / 2 } @ends;
    return SKaMPI::Report::Axis->new( 'time', 'logarithmic', @shown )->without_zero;
}

# Of the error bar.
sub _ends ($point) {
    return ( $point->{y} - $point->{error}, $point->{y} + $point->{error} );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Figures - which plots show suites

=head1 DESCRIPTION

C<time_plot(NAME, SERIES, MORE...)> and C<bandwidth_plot(NAME, SERIES, MORE...)> return objects of
L<SKaMPI::Report::Plot>. SERIES is a list of hashes of suite, points and title; the first suite says
what the x axis is and which scale it has. Both axes are logarithmic where the suite's scale is and
the times differ widely. C<bandwidth_plot> returns nothing where no length is varied.

=cut
