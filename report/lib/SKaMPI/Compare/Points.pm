package SKaMPI::Compare::Points;

# The points that two sides have in common. A point is a hash of label, argument (undef for suites
# that vary nothing), column, and base and new: for each launch the logarithm of its value, or
# undef. Where enough launches have it, the fast state is a point of its own, with the part 'fast'. Of a value of which
# some visits are in a slow state, base_slow and new_slow are lists: for each launch their percentage.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);
use POSIX      qw(ceil);

use SKaMPI::Meaning::Marks qw(marks_of);

our @EXPORT_OK = qw(points_of);

# A point is compared if at least this part of the launches of both sides have it. Refinement chooses other
# arguments in each launch.
my $ENOUGH = 0.8;

# Takes two lists of launches (SKaMPI::Compare::Launch). Returns a list of points, and a hash of
# what is left out: suites (the labels of those that only one side has) and arguments (how many
# fewer than 80 % of the launches of a side have).
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
        push @points, { %point, base => $logs[0], new => $logs[1], _slow( $argument, @sides ) };
        my @fast = _logarithms( fast => $argument, @sides ) or next;
        push @points, { %point, part => 'fast', base => $fast[0], new => $fast[1] };
    }
    return ( \@points, $dropped );
}

# For both sides the logarithms of the launches; nothing if too few of a side have it.
sub _logarithms ( $what, $argument, @sides ) {
    my @logs = map {
        [ map { my $value = $_ && $_->{$what}{$argument}; $value ? log $value : undef } @{$_} ]
    } @sides;
    my $few = grep {
        ( grep { defined } @{$_} ) < ceil( $ENOUGH * @{$_} - 1e-9 )
    } @logs;
    return $few ? () : @logs;
}

# A launch without a slow state has none of its visits there.
sub _slow ( $argument, @sides ) {
    my @slow = map {
        [ map { $_->{slow}{$argument} // 0 } grep { defined && $_->{values}{$argument} } @{$_} ]
    } @sides;
    return if !grep { $_ } map { @{$_} } @slow;
    return ( base_slow => $slow[0], new_slow => $slow[1] );
}

# One of the launches has it; a baseline has none.
sub _marks ( $argument, @suites ) {
    return marks_of( map { { marks => $_->{marks}{$argument} } } grep { defined } @suites );
}

1;
