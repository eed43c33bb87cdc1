package SKaMPI::Verdict::Points;

# The points that two sides have in common. A point is a hash of label, argument (undef for suites that vary nothing),
# column, and base and new: for each launch the logarithm of its value, or undef; in a duet also pairs, the logarithm of
# the ratio. Rows of two numbers have the second one, the mean, as the member mean, a point with the part 'mean'. Where
# enough launches have it, the fast state is a point of its own, with the part 'fast'. If some visits of a value are in
# a slow state, base_slow and new_slow are lists: for each launch their percentage. unjudged is why there is no verdict
# of it; else missing.
use SKaMPI::Base;

use List::Util qw(any uniq);
use POSIX      qw(ceil);

use SKaMPI::Meaning::Marks qw(marks_of);

our @EXPORT_OK = qw(partners points_of);

# A point is compared if at least this part of the launches of both sides have it. Refinement chooses other
# arguments in each launch.
my $ENOUGH = 0.8;

# Takes two lists of launches (SKaMPI::Verdict::Launch), and whether they are pairs. Returns a list of points, and a
# hash of what is omitted: suites (labels of suites on one side only) and arguments (the number that fewer than 80 % of
# the launches of a side have).
sub points_of ( $base, $new, $is_paired = 0 ) {
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
        my ( $kept, $dropped ) = _points_of_suite( $label, $is_paired, @sides );
        push @points, @{$kept};
        $left_out{arguments} += $dropped;
    }
    return ( \@points, \%left_out );
}

sub _points_of_suite ( $label, $is_paired, @sides ) {
    my ($first)   = grep     { defined } @{ $sides[0] };
    my @arguments = uniq map { keys %{ $_->{values} } } grep { defined } map { @{$_} } @sides;
    my ( $dropped, @points ) = (0);
    for my $argument ( sort { ( $a || 0 ) <=> ( $b || 0 ) } @arguments ) {
        my $numbers = sub ($what) { _numbers( $what, $argument, $is_paired, @sides ) };
        my %time    = $numbers->('values');
        $dropped++ if !%time;
        next       if !%time;
        my %point = (
            label      => $label,
            argument   => $argument eq q{} ? undef : $argument + 0,
            column     => $first->{column},
            base_marks => _marks( $argument, @{ $sides[0] } ),
            new_marks  => _marks( $argument, @{ $sides[1] } ),
        );
        my $why = _why_unjudged( "$point{base_marks}$point{new_marks}", map { @{$_} } @sides );
        $point{unjudged} = $why if defined $why;
        my %mean = $numbers->('means');
        push @points, { %point, %time, _slow( $argument, @sides ) };
        $points[-1]{mean} = { %point, %mean, part => 'mean' } if %mean && _differ( \%time, \%mean );
        my %fast = $numbers->('fast') or next;
        push @points, { %point, %fast, part => 'fast' };
    }
    return ( \@points, $dropped );
}

# The logarithms of the launches of both sides, as base and new, and of their ratios, as pairs; nothing if too few
# launches of a side have a value.
sub _numbers ( $what, $argument, $is_paired, @sides ) {
    my @logs = map {
        [
            map {
                my $value = $_ && ( $_->{$what} // {} )->{$argument};
                $value
                  ? log $value
                  : undef
            } @{$_}
        ]
    } @sides;
    return if any { _is_few( @{$_} ) } @logs;
    my %of = ( base => $logs[0], new => $logs[1] );
    return %of if !$is_paired;
    my @pairs =
      map { _ratio( $argument, $logs[0][$_], $logs[1][$_], $sides[0][$_], $sides[1][$_] ) }
      keys @{ $logs[0] };
    return _is_few(@pairs) ? () : ( %of, pairs => \@pairs );
}

sub _is_few (@values) {
    return ( grep { defined } @values ) < ceil( $ENOUGH * @values - 1e-9 );
}

# The logarithm of the ratio in a pair; undef without two values of the same visits.
sub _ratio ( $argument, $base, $new, @suites ) {
    my ( $one, $other ) = map {
        join q{,},
          map { /\d/ ? 1 : 0 }
          @{ ( $_ // {} )->{visits}{$argument} // [] }
    } @suites;
    return defined $base && defined $new && $one eq $other ? $new - $base : undef;
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

# NEW in the order of its partners in BASE, launches of two sides that took turns on the same CPUs (skampi-launch
# --duet); nothing if a launch of either side lacks one (member duet of SKaMPI::Verdict::Launch).
sub partners ( $base, $new ) {
    my %by_id = map { ( $_->{duet}       // return ) => $_ } @{$new};
    my @found = map { $by_id{ $_->{duet} // return } // return } @{$base};
    return @found if @found == @{$new};
    return;
}

1;
