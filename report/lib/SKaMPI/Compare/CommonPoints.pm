package SKaMPI::Compare::CommonPoints;

# The points that two sides have in common. A point is a hash of label, argument (undef for suites that vary nothing),
# column, and base and new: for each launch the logarithm of its value, or undef. Where enough launches have it, the
# fast state is a point of its own, with the part 'fast'. If some visits of a value are in a slow state, base_slow and
# new_slow are lists: for each launch their percentage. unjudged is why there is no verdict of it; else missing.
use SKaMPI::Base;

use List::Util qw(uniq);
use POSIX      qw(ceil);

use SKaMPI::Meaning::Marks qw(marks_of);

our @EXPORT_OK = qw(points_of);

# A point is compared if at least this part of the launches of both sides have it. Refinement chooses other
# arguments in each launch.
my $ENOUGH = 0.8;

# Takes two lists of launches (SKaMPI::Compare::Launch). Returns a list of points, and a hash of
# what is omitted: suites (labels of suites on one side only) and arguments (the number that fewer
# than 80 % of the launches of a side have).
sub points_of ( $base, $new ) {
    my @labels = uniq map { sort keys %{ $_->{suites} } } @{$base}, @{$new};
    my ( @points, %left_out );
    for my $label (@labels) {
        my @sides = map {
            [ map { $_->{suites}{$label} } @{$_} ]
        } $base, $new;
        my @has = map {
            scalar grep { defined }
              @{$_}
        } @sides;
        push @{ $left_out{suites} }, $label and next if grep { !$_ } @has;
        my ( $kept, $dropped ) = _points_of_suite( $label, @sides );
        push @points, @{$kept};
        $left_out{arguments} += $dropped;
    }
    return ( \@points, \%left_out );
}

sub _points_of_suite ( $label, @sides ) {
    my ($first)   = grep     { defined } @{ $sides[0] };
    my @arguments = uniq map { keys %{ $_->{values} } } grep { defined } map { @{$_} } @sides;
    my ( $dropped, @points ) = (0);
    for my $argument ( sort { ( $a || 0 ) <=> ( $b || 0 ) } @arguments ) {
        my @logs = _logarithms( values => $argument, @sides );
        $dropped++ if !@logs;
        next       if !@logs;
        my %point = (
            label      => $label,
            argument   => $argument eq q{} ? undef : $argument + 0,
            column     => $first->{column},
            base_marks => _marks( $argument, @{ $sides[0] } ),
            new_marks  => _marks( $argument, @{ $sides[1] } ),
        );
        my $why = _why_unjudged( "$point{base_marks}$point{new_marks}", map { @{$_} } @sides );
        $point{unjudged} = $why if defined $why;
        push @points, { %point, base => $logs[0], new => $logs[1], _slow( $argument, @sides ) };
        my @fast = _logarithms( fast => $argument, @sides ) or next;
        push @points, { %point, part => 'fast', base => $fast[0], new => $fast[1] };
    }
    return ( \@points, $dropped );
}

# The logarithms of the launches of both sides; an empty list if too few launches of a side have a value.
sub _logarithms ( $what, $argument, @sides ) {
    my @logs = map {
        [ map { my $value = $_ && $_->{$what}{$argument}; $value ? log $value : undef } @{$_} ]
    } @sides;
    my $few = grep {
        ( grep { defined } @{$_} ) < ceil( $ENOUGH * @{$_} - 1e-9 )
    } @logs;
    return $few ? () : @logs;
}

# Percentages of slow visits; 0 for a launch without a slow state.
sub _slow ( $argument, @sides ) {
    my @slow = map {
        [ map { $_->{slow}{$argument} // 0 } grep { defined && $_->{values}{$argument} } @{$_} ]
    } @sides;
    return if !grep { $_ } map { @{$_} } @slow;
    return ( base_slow => $slow[0], new_slow => $slow[1] );
}

# Values by different rules, and of few visits, are shown but not judged.
sub _why_unjudged ( $marks, @suites ) {
    my @rules = uniq sort map { $_->{definition}{estimate} // () } grep { defined } @suites;
    return 'times by different rules: ' . join ', ', @rules if @rules > 1;
    return index( $marks, 'v' ) < 0 ? undef : 'fewer than five visits';
}

# The marks of the first launch that has any; a baseline has no marks.
sub _marks ( $argument, @suites ) {
    return marks_of( map { { marks => $_->{marks}{$argument} } } grep { defined } @suites );
}

1;
