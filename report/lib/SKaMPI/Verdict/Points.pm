package SKaMPI::Verdict::Points;

# The points that two sides have in common. A point is a hash of label, argument (undef for suites that vary nothing),
# column, and base and new: for each launch the logarithm of its value, or undef; in a duet also pairs, the logarithm of
# the ratio. Rows of two numbers have the second one, the mean, as the member mean, a point with the part 'mean'. Where
# enough launches have it, the fast state is a point of its own, with the part 'fast'. If some visits of a value are in
# a slow state, base_slow and new_slow are lists: for each launch their percentage. unjudged is why there is no verdict
# of it; else missing. without is the number of launches that have few visits; they are left out if others suffice.
use SKaMPI::Base;

use List::Util qw(any uniq);
use POSIX      qw(ceil);

use SKaMPI::Meaning::Marks qw(marks_of);

# A point is compared if at least this part of the launches of both sides have it. Refinement chooses other
# arguments in each launch.
my $ENOUGH = 0.8;

# Takes two lists of launches (SKaMPI::Verdict::Launch), and whether they are pairs. Returns a list of points, and a
# hash of what is omitted: suites (labels of suites on one side only) and arguments (the number that fewer than 80 % of
# the launches of a side have).
sub points_of ( $base, $new, $is_paired = 0 ) {
    my ( @points, %left_out, %sides_with );
    $sides_with{$_}++ for map { _labels( @{$_} ) } $base, $new;
    for my $label ( _labels( @{$base}, @{$new} ) ) {
        my @sides = map {
            [ map { $_->{suites}{$label} } @{$_} ]
        } $base, $new;
        if ( $sides_with{$label} < 2 ) {
            push @{ $left_out{suites} }, $label;
            next;
        }
        my ( $kept, $dropped ) = _points_of_suite( $label, $is_paired, @sides );
        push @points, @{$kept};
        $left_out{arguments} += $dropped;
    }
    return ( \@points, \%left_out );
}

sub _labels (@launches) {
    return uniq map { sort keys %{ $_->{suites} } } @launches;
}

sub _points_of_suite ( $label, $is_paired, @sides ) {
    my @suites    = grep          { defined } map { @{$_} } @sides;
    my @arguments = uniq map      { keys %{ $_->{values} } } @suites;
    my @rules     = uniq sort map { $_->{definition}{estimate} // () } @suites;
    my ( $dropped, @points ) = (0);
    for my $argument ( sort { ( $a || 0 ) <=> ( $b || 0 ) } @arguments ) {

        # Launches with few visits count only if the others are too few; then there is no verdict.
        my @whole = map {
            [ map { _has_few_visits( $_, $argument ) ? undef : $_ } @{$_} ]
        } @sides;
        my %of_whole = _numbers( 'values', $argument, $is_paired, @whole );
        my @used     = %of_whole ? @whole : @sides;
        my $numbers  = sub ($what) { _numbers( $what, $argument, $is_paired, @used ) };
        my %time     = $numbers->('values');
        $dropped++ if !%time;
        next       if !%time;

        # A mark is that of any launch; a baseline has no marks.
        my @marks = map {
            marks_of( map { { marks => $_->{marks}{$argument} } } grep { defined } @{$_} )
        } @used;
        my %point = (
            label      => $label,
            argument   => $argument eq q{} ? undef : $argument + 0,
            column     => $suites[0]{column},
            base_marks => $marks[0],
            new_marks  => $marks[1],
            without    => scalar grep { _has_few_visits( $_, $argument ) } @suites
        );
        $point{unjudged} = 'fewer than five visits' if !%of_whole;
        $point{unjudged} = 'times by different rules: ' . join ', ', @rules if @rules > 1;
        my %mean = $numbers->('means');
        push @points, { %point, %time, _slow( $argument, @sides ) };
        $points[-1]{mean} = { %point, %mean, part => 'mean' } if %mean && _differ( \%time, \%mean );
        my %fast = $numbers->('fast') or next;
        push @points, { %point, %fast, part => 'fast' };
    }
    return ( \@points, $dropped );
}

sub _has_few_visits ( $suite, $argument ) {
    return index( ( ( $suite // {} )->{marks} // {} )->{$argument} // q{}, 'v' ) >= 0;
}

# The logarithms of the launches of both sides, as base and new, and of their ratios, as pairs: undef without two values
# of the same visits. Nothing if too few launches of a side have a value.
sub _numbers ( $what, $argument, $is_paired, @sides ) {
    my $log_of = sub ($suite) {
        my $value = $suite && ( $suite->{$what} // {} )->{$argument};
        return $value ? log $value : undef;
    };
    my @logs = map {
        [ map { $log_of->($_) } @{$_} ]
    } @sides;
    return if any { _is_few( @{$_} ) } @logs;
    my %of = ( base => $logs[0], new => $logs[1] );
    return %of if !$is_paired;
    my @pairs;
    for my $i ( keys @{ $logs[0] } ) {
        my ( $base,     $new )     = map { $_->[$i] } @logs;
        my ( $base_has, $new_has ) = map { _visits( $argument, $_->[$i] ) } @sides;
        push @pairs, defined $base && defined $new && $base_has eq $new_has ? $new - $base : undef;
    }
    return _is_few(@pairs) ? () : ( %of, pairs => \@pairs );
}

sub _is_few (@values) {
    return ( grep { defined } @values ) < ceil( $ENOUGH * @values - 1e-9 );
}

# Which visits of an argument have a time: "1,0,1".
sub _visits ( $argument, $suite ) {
    return join q{,}, map { /\d/ ? 1 : 0 } @{ ( $suite // {} )->{visits}{$argument} // [] };
}

# Whether any value is another one: without a cut, the mean is the time.
sub _differ (@numbers) {
    my @values = map {
        join q{ }, map { defined ? sprintf '%.9g', $_ : q{-} } @{ $_->{base} }, @{ $_->{new} }
    } @numbers;
    return $values[0] ne $values[1];
}

# Percentages of slow visits; 0 for a launch without a slow state.
sub _slow ( $argument, @sides ) {
    my @slow = map {
        [ map { $_->{slow}{$argument} // 0 } grep { defined && $_->{values}{$argument} } @{$_} ]
    } @sides;
    return if !grep { $_ } map { @{$_} } @slow;
    return ( base_slow => $slow[0], new_slow => $slow[1] );
}

# Copies of launches, without the suites of these labels.
sub without_suites ( $labels, @launches ) {
    return map {
        my %suites = %{ $_->{suites} };
        delete @suites{ @{$labels} };
        +{ %{$_}, suites => \%suites }
    } @launches;
}

# NEW in the order of its partners in BASE, launches of two sides that took turns on the same CPUs (skampi-launch
# --duet); nothing if a launch of either side lacks one (member duet of SKaMPI::Verdict::Launch).
sub partners ( $base, $new ) {
    my %by_id = map { ( $_->{duet}       // return ) => $_ } @{$new};
    my @found = map { $by_id{ $_->{duet} // return } // return } @{$base};
    return @found if @found == @{$new};
    return;
}

1;
