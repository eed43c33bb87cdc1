package SKaMPI::Verdict::Latex;

# A comparison (SKaMPI::Verdict::Comparison) for the report of sides: data for the template sides-summary.tt.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Units     qw(counted format_ratio with_mu);
use SKaMPI::Meaning::Marks  qw(mark_texts);
use SKaMPI::Stat::Estimate  qw(geometric_mean);
use SKaMPI::Verdict::Family qw(counts_text deciding four_counts verdict_counts);
use SKaMPI::Verdict::Text   qw(argument_of interval_of time_text whole_text why_text);

our @EXPORT_OK = qw(comparison_latex);

my $MAX_DIFFERENCES = 10;

# The comparison of side NUMBER + 1 with the first one. SECTIONS is a list of hashes of title and points, PLOTS a list
# of plots of the ratios.
sub comparison_latex ( $number, $result, $sections, $plots ) {
    my @points  = $result->points;
    my @largest = $result->largest($MAX_DIFFERENCES);
    my $why     = $result->why_no_verdicts;
    my @groups  = map { _wins( $_->{title}, @{ $_->{points} } ) } @{$sections};
    push @groups, _wins( 'All', @points ) if @groups > 1;
    return {
        number   => $number + 1,
        headline => _headline($result),
        why      => @points
          || defined $result->setting('obstacle') ? _numbered( $number, $why // q{} ) : q{},
        has_interval => ( any { defined $_->{low} } @points ) ? 1 : 0,
        warnings     => [ map { with_mu( _numbered( $number, $_ ) ) } $result->warnings ],
        groups       => \@groups,
        differences  => [ map { _difference($_) } @largest ],
        why_differ   => [ map { with_mu($_) } map { why_text($_) // () } @largest ],
        marks => [ mark_texts( map { { marks => "$_->{base_marks}$_->{new_marks}" } } @largest ) ],
        has_verdicts => defined $why ? 0 : 1,
        plots        => [ map { $_->name } @{$plots} ],
    };
}

# Renames BASE and NEW of skampi-compare's messages to the numbers of the sides.
sub _numbered ( $number, $text ) {
    my %number = ( BASE => 1, NEW => $number + 1 );
    return $text =~ s/\A(BASE|NEW)\b/($number{$1})/r;
}

sub _headline ($result) {
    my $count  = $result->points;
    my $points = counted( $count, 'common point' );
    return 'No points can be compared.' if !$count;
    return "$points."                   if !$result->has_verdicts;
    my $counts = $result->counts;
    my $whole  = whole_text($result);
    return "$points: " . counts_text($counts) . ( defined $whole ? ". The $whole." : q{.} );
}

# The numbers of slower and faster points of a pattern, by verdict and by size, and the mean ratio.
sub _wins ( $title, @points ) {
    my $mean   = geometric_mean(@points);
    my $counts = verdict_counts(@points);
    return {
        title    => $title,
        points   => scalar @points,
        verdicts => [ four_counts($counts) ],
        longer   => scalar( grep { $_->{log} >= log 1 + $_->{threshold} } @points ),
        shorter  => scalar( grep { -$_->{log} >= log 1 + $_->{threshold} } @points ),
        mean     => format_ratio( $mean->{ratio} ),
        interval => interval_of($mean),
    };
}

sub _difference ($of) {
    my $verdict = $of->{verdict} // q{};
    my $point   = deciding($of);
    return {
        label    => $point->{label},
        argument => argument_of($point),
        base     => with_mu( time_text( $point, 'base' ) ),
        new      => with_mu( time_text( $point, 'new' ) ),
        ratio    => format_ratio( $point->{ratio} ),
        interval => interval_of($point),
        p        => defined $point->{p} ? sprintf( '%.2g', $point->{p} ) : q{},
        verdict  => $verdict,
        colour   => $verdict =~ /\A(?:slower|faster)\z/ ? $verdict : q{},
    };
}

1;
