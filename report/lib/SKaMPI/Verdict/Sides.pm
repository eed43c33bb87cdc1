package SKaMPI::Verdict::Sides;

# Sides, each a list of launches (SKaMPI::Verdict::Launch), each compared with the first one. All comparisons together
# have the error alpha.
use SKaMPI::Base qw(alpha by @comparisons @names @counts);

use List::Util qw(any max uniq);

use SKaMPI::Stat::Estimate qw($ALPHA);
use SKaMPI::Verdict::Comparison;
use SKaMPI::Verdict::Family qw(is_different);

# SETTINGS are those of SKaMPI::Verdict::Comparison for all; names has those of the sides, by is what these differ in
# (undef for BASE and NEW), with is_forced, suites are compared that are not alike, and obstacles is a list: for each
# side but the first, why it has no verdicts.
sub new ( $class, $launches, %settings ) {
    my ( $base, @others ) = @{$launches};
    my ( $names, $by )    = @settings{qw(names by)};
    my $new         = $settings{is_forced} ? 'new' : 'of_alike';
    my $alpha       = $settings{alpha} // $ALPHA;
    my @comparisons = map {
        SKaMPI::Verdict::Comparison->$new(
            $base, $others[$_], %settings,
            alpha    => $alpha / @others,
            names    => $names && [ @{$names}[ 0, $_ + 1 ] ],
            obstacle => ( $settings{obstacles} // [] )->[$_]
        )
    } keys @others;
    return bless {
        by          => $by,
        alpha       => $alpha,
        names       => $names // ( @others > 1 ? [ 1 .. @{$launches} ] : [qw(BASE NEW)] ),
        counts      => [ map { scalar @{$_} } @{$launches} ],
        comparisons => \@comparisons
    }, $class;
}

sub has_points ($self) {
    return any { scalar $_->points } $self->comparisons;
}

sub has_verdicts ($self) {
    return any { $_->has_verdicts } $self->comparisons;
}

# The rows of a table with a column for each side but the first, those that differ and the largest differences first:
# point, of the first comparison that has it, and points, for each comparison its own or undef. Rows in which all points
# are equal are left out, unless ALL is true.
sub rows ( $self, $all ) {
    my ( %rows, @keys );
    for my $i ( keys @{ $self->{comparisons} } ) {
        for my $point ( $self->{comparisons}[$i]->ranked ) {
            my $key = join "\n", map { $_ // q{} } @{$point}{qw(label argument part)};
            push @keys, $key if !$rows{$key};
            $rows{$key}{point} //= $point;
            $rows{$key}{points}[$i] = $point;
        }
    }
    my @ranked;
    for my $row ( @rows{@keys} ) {
        my @known = grep { defined } @{ $row->{points} };
        next if !$all && !any { ( $_->{verdict} // q{} ) !~ /equal/ } @known;
        my $differs = any { is_different( $_->{verdict} ) } @known;
        push @ranked, [ $row, $differs ? 1 : 0, max map { abs $_->{log} } @known ];
    }
    return map { $_->[0] } sort { $b->[1] <=> $a->[1] || $b->[2] <=> $a->[2] } @ranked;
}

# Which of these verdicts any point has, or any launch as a whole.
sub found ( $self, @verdicts ) {
    my %wanted = map { $_ => 1 } @verdicts;
    return uniq grep { $wanted{ $_ // q{} } }
      map { $_->{verdict} } map { ( $_->points, $_->whole // () ) } $self->comparisons;
}

1;
