package SKaMPI::Verdict::Markdown;

# Sides (SKaMPI::Verdict::Sides) as Markdown, for a pull request: the points that differ or, with ALL, every point.
use SKaMPI::Base;

use SKaMPI::Base::Table     qw(markdown_text printable);
use SKaMPI::Base::Units     qw(format_ratio);
use SKaMPI::Verdict::Csv    qw(rounded);
use SKaMPI::Verdict::Family qw(counts_text deciding is_different);
use SKaMPI::Verdict::Text   qw(argument_of interval_of ratio_cells why_text);

our @EXPORT_OK = qw(sides_markdown);

sub sides_markdown ( $sides, $all ) {
    my ( $result, @more ) = $sides->comparisons;
    return _columns( $sides, $all ) if @more;
    my @points =
      grep { $all || !defined $_->{verdict} || is_different( $_->{verdict} ) } $result->ranked;
    my $summary =
      $result->has_verdicts ? counts_text( $result->counts ) : 'descriptive only: too few launches';
    my @remarks = map { '- ' . printable($_) . "\n" } ( map { "warning: $_" } $result->warnings ),
      map { why_text($_) // () } @points;
    my @cells = map {
        my $point = deciding($_);
        [
            $point->{label},
            argument_of($point),
            ( map { rounded($_) } @{$point}{qw(base_value new_value)} ),
            format_ratio( $point->{ratio} ),
            interval_of($point),
            $point->{p}   // q{},
            $_->{verdict} // q{}
        ]
    } @points;
    return
        "**$summary**\n\n"
      . join( q{}, @remarks, @remarks ? "\n" : () )
      . markdown_text(
        [ 'suite', 'argument', 'base [us]', 'new [us]', 'ratio', '95 %', 'p', 'verdict' ], @cells );
}

sub _columns ( $sides, $all ) {
    my ( $first, @names ) = $sides->names;
    my @rows = map {
        my $row = $_;
        [
            $row->{point}{label},
            argument_of( $row->{point} ),
            rounded( $row->{point}{base_value} ),
            map {
                join q{ },
                  grep { length }
                  ratio_cells($_)
            } @{ $row->{points} }[ keys @names ]
        ]
    } $sides->rows($all);
    return markdown_text( [ 'suite', 'argument', "$first [us]", @names ], @rows );
}

1;
