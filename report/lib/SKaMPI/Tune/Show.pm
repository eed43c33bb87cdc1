package SKaMPI::Tune::Show;

# The tables of skampi-tune on the terminal.
use v5.36;

use Exporter   qw(import);
use List::Util qw(all max uniq);

use SKaMPI::Stat::Verdicts qw($MATTERS);

our @EXPORT_OK = qw(choice_lines verify_lines);

# Rows of cells, in columns; numbers to the right.
sub _columns (@rows) {
    my @width = map {
        my $i = $_;
        max map { length( $_->[$i] // q{} ) } @rows
    } 0 .. max map { $#{$_} } @rows;
    return map {
        my $row = $_;
        join( q{  },
            map { sprintf $row->[$_] =~ /\A[0-9.]/ ? "%$width[$_]s" : "%-$width[$_]s", $row->[$_] }
              0 .. $#{$row} ) =~ s/\s+\z//r
    } @rows;
}

sub _interval ($point) {
    return defined $point->{low}
      ? sprintf '%.2f (%.2f to %.2f)', @{$point}{qw(ratio low high)}
      : q{-};
}

sub _median (@values) {
    my @sorted = sort { $a <=> $b } grep { defined } @values;
    return @sorted ? $sorted[ @sorted / 2 ] : undef;
}

# A row for each cell.
sub choice_lines ( $launches, @cells ) {
    my $about = $launches->[0]{about};
    my @rows  = [ 'collective', 'processes', 'bytes', 'own us', 'best', 'best/own', 'chosen' ];
    for my $cell (@cells) {
        my $best = $cell->{best};
        my $own  = _median( $cell->{own}->@* );
        push @rows,
          [
            @{$cell}{qw(collective processes length)},
            defined $own ? sprintf '%.2f',
            $own : q{-},
            $best           ? "$best $cell->{names}{$best}"                       : 'own choice',
            $best           ? _interval( $cell->{points}{$best} )                 : q{-},
            $cell->{chosen} ? "$cell->{chosen} $cell->{names}{ $cell->{chosen} }" : q{-},
          ];
    }
    my $count = grep { $_->{chosen} } @cells;
    return (
        "$about->{library}; hosts $about->{hosts}; " . @{$launches} . ' launches',
        _columns(@rows),
        $count
        ? "$count of "
          . @cells
          . ' cells have another algorithm. The best of many looks better than it is: only skampi-tune verify says what the table gains.'
        : "No algorithm is confirmed faster than the library's own choice: the table is empty.",
        _left_out(@cells),
    );
}

sub _left_out (@cells) {
    my @short = grep { !keys %{ $_->{points} // {} } } @cells;
    return @short
      ? @short
      . ' cells have no algorithm with values in all launches: '
      . join( ', ', map { $_->{key} } @short )
      : ();
}

# Returns lines, the cells that stay, and whether the table is obeyed and faster.
sub verify_lines ( $sum, $felt, @cells ) {
    my @rows = [ 'collective', 'processes', 'bytes', 'algorithm', 'tuned/own', 'in sweep', q{} ];
    my @kept = grep { defined $_->{verified}{high} && $_->{verified}{high} < 1 + $MATTERS } @cells;
    my %kept = map  { $_ => 1 } @kept;
    for my $cell (@cells) {
        push @rows,
          [
            @{$cell}{qw(collective processes length)},
            "$cell->{chosen} $cell->{name}",
            _interval( $cell->{verified} ),
            $cell->{ratio},
            $kept{$cell} ? 'stays' : 'goes back to the own choice'
          ];
    }
    my @lines  = ( _columns(@rows), 'sum of all cells, tuned/own: ' . _interval($sum) );
    my @unfelt = grep { !$_->{felt} } @{$felt};
    push @lines, map {
        sprintf
          '%s: a table with %s at %d bytes makes it %.1f times slower (%.1f in the sweep): %s',
          $_->{collective}, $_->{name},  $_->{length},
          $_->{factor},     $_->{ratio}, $_->{felt}
          ? 'obeyed'
          : 'not obeyed'
    } @{$felt};
    my %shown = map { $_->{collective} => 1 } @{$felt};
    push @lines, map {
"$_: no algorithm is 3 times slower, so whether the table is obeyed is seen from its gain only"
      }
      grep { !$shown{$_} } uniq map { $_->{collective} } @cells;
    push @lines, 'not obeyed: ' . _reason() if @unfelt;
    my $faster = defined $sum->{high} && $sum->{high} < 1;
    push @lines, 'the sum of the cells is not confirmed faster' if !$faster && @kept == @cells;
    return ( \@lines, \@kept, !@unfelt && ( $faster || @kept < @cells ) );
}

sub _reason () {
    return
'another setting of the command forces an algorithm or a rules file, the library has another version or reads '
      . 'another format, another component (han, hcoll, ucc) serves the calls, or the processes do not see the file';
}

1;
