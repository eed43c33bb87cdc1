package SKaMPI::Tune::Choice;

# Which algorithm is chosen in each cell: a candidate that is confirmed against the library's own choice, over launches
# and all cells together (SKaMPI::Verdict::Family): its interval is below 1. Along the length, a change of the algorithm
# has a price, so that neither noise nor a gain of 1 % makes a table.
use SKaMPI::Base;

use SKaMPI::Base::Program   qw(fail);
use SKaMPI::Verdict::Family qw(judge_pairs);

our @EXPORT_OK = qw(choose_all $FEWEST $PRICE);

# The fewest launches; and the gain that a change of the algorithm along the length needs, as a logarithm of a ratio.
our ( $FEWEST, $PRICE ) = ( 6, 0.02 );

# Adds to each cell: points (number => point of the test), chosen (a number), best (number of the shortest geometric
# mean).
sub choose_all ( $launches, @cells ) {
    fail( "at least $FEWEST launches are needed, got " . @{$launches} )
      if @{$launches} < $FEWEST;
    my @points;
    for my $cell (@cells) {
        for my $number ( sort { $a <=> $b } keys $cell->{logs}->%* ) {
            my @pairs = $cell->{logs}{$number}->@*;
            next if grep { !defined } @pairs;
            push @points, $cell->{points}{$number} = { pairs => \@pairs };
        }
    }
    judge_pairs(@points);
    my %lines;
    for my $cell (@cells) {
        my $points = $cell->{points} // {};
        my ($best) =
          sort { $points->{$a}{log} <=> $points->{$b}{log} || $a <=> $b } keys %{$points};
        $cell->{best} = defined $best && $points->{$best}{log} < 0 ? $best : 0;
        push $lines{"$cell->{collective} $cell->{processes}"}->@*, $cell;
    }
    _along_length( $lines{$_}->@* ) for sort keys %lines;
    return;
}

# The cost of an algorithm in a cell; it is infinite unless the algorithm is known to be equal or faster.
sub _cost ( $cell, $number ) {
    return 0 if $number == 0;
    my $point = $cell->{points}{$number} // return 'inf';
    return $point->{high} < 1 ? $point->{log} : $point->{verdict} eq 'equal' ? 0 : 'inf';
}

# Chooses along the length by dynamic programming: the least sum of costs and prices, from the library's own choice on.
sub _along_length (@cells) {
    my %numbers = map  { $_ => 1 } 0, map { keys $_->{points}->%* } @cells;
    my @numbers = sort { $a <=> $b } keys %numbers;
    my @from;
    my %sum = ( 0 => 0 );
    for my $i ( 0 .. $#cells ) {
        my %next;
        for my $to (@numbers) {
            my ($way) = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] }
              map { [ $sum{$_} + ( $_ == $to ? 0 : $PRICE ), $_ ] } sort keys %sum;
            $next{$to} = $way->[0] + _cost( $cells[$i], $to );
            $from[$i]{$to} = $way->[1];
        }
        %sum = %next;
    }
    my ($at) = sort { $sum{$a} <=> $sum{$b} || $a <=> $b } @numbers;
    for my $i ( reverse 0 .. $#cells ) {
        $cells[$i]{chosen} = $at;
        $at = $from[$i]{$at};
    }
    return;
}

1;
