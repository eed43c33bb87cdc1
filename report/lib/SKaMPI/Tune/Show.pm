package SKaMPI::Tune::Show;

# The tables of skampi-tune on the terminal.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Table         qw(table_lines);
use SKaMPI::Base::TextFile      qw(number_of);
use SKaMPI::Base::Units         qw(format_bytes);
use SKaMPI::Meaning::Algorithms qw(algorithms_of);
use SKaMPI::Stat::Estimate      qw($MATTERS);

sub _interval ($point) {
    return defined $point->{low}
      ? sprintf '%.2f (%.2f to %.2f)', @{$point}{qw(ratio low high)}
      : q{-};
}

my $NOT_OBEYED =
'not obeyed: another setting of the command forces an algorithm or a rules file, the library has another version or reads '
  . 'another format, another component (han, hcoll, ucc) serves the calls, or the processes do not see the file';

my @TITLES = ( 'collective', 'hosts>', 'length>', 'own choice>', 'best', 'best/own', 'chosen' );

# A row for each cell, and the heat map: * marks those that are confirmed.
sub choice_lines ( $launches, $choices, @cells ) {
    my $about = $launches->[0]{about};
    my $found = algorithms_of($choices);
    my @short = grep { !keys %{ $_->{points} // {} } } @cells;
    return (
        "$about->{library}; $about->{processes} processes, hosts $about->{hosts}; "
          . @{$launches}
          . ' launches',
        table_lines(
            \@TITLES,
            map {
                [ map { tr/\x{b5}/u/r } @{$_}{qw(collective layout length own best ratio chosen)} ]
            } $found->{rows}->@*
        ),
        q{},
        table_lines(
            [ 'best/own (* confirmed)', map { "$_>" } $found->{lengths}->@* ],
            map {
                [ $_->{name}, map { $_->{text} . ( $_->{level} ? q{*} : q{} ) } $_->{cells}->@* ]
            } $found->{map}->@*
        ),
        q{},
        $found->{sentence} // (),
        @short
        ? @short
          . ' cells have no algorithm with values in all launches: '
          . join( ', ', map { $_->{key} } @short )
        : ()
    );
}

# The data of JSON (report/schema.txt).
sub choice_data ( $launches, @cells ) {
    my $about = $launches->[0]{about};
    return {
        schema      => 'skampi-choices/1',
        mpi_library => $about->{library},
        processes   => number_of( $about->{processes} ),
        hosts       => $about->{hosts},
        launches    => scalar @{$launches},
        cells       => [ map { _choice($_) } @cells ],
    };
}

sub _choice ($cell) {
    my ( $best, $chosen ) = map { 0 + ( $_ // 0 ) } @{$cell}{qw(best chosen)};
    my $point = ( $cell->{points} // {} )->{$best};
    return {
        ( map { $_ => $cell->{$_} } qw(collective layout) ),
        length_bytes => 0 + $cell->{length},
        own_us       => defined $cell->{own_us} ? 0 + $cell->{own_us} : undef,
        best         => $best,
        best_name    => $cell->{names}{$best},
        _ratios($point),
        chosen      => $chosen,
        chosen_name => $cell->{names}{$chosen},
    };
}

sub _ratios ($point) {
    return map { ( "ratio$_->[0]" => $point->{ $_->[1] } ) } [ q{}, 'ratio' ], [ _low => 'low' ],
      [ _high => 'high' ];
}

# The data of JSON: what verify_lines says, but whether the table is verified.
sub verify_data ( $table, $sum, $felt, @cells ) {
    my %kept = map { $_ => 1 } _kept(@cells);
    return {
        schema => 'skampi-verify/1',
        table  => $table,
        _ratios($sum),
        cells => [
            map {
                {
                    collective   => $_->{collective},
                    processes    => 0 + $_->{processes},
                    length_bytes => 0 + $_->{length},
                    chosen       => 0 + $_->{chosen},
                    chosen_name  => $_->{name},
                    _ratios( $_->{verified} ),
                    sweep_ratio => number_of( $_->{ratio} ),
                    stays       => $kept{$_} ? \1 : \0
                }
            } @cells
        ],
        canaries => [
            map {
                {
                    collective   => $_->{collective},
                    length_bytes => 0 + $_->{length},
                    name         => $_->{name},
                    ratio        => $_->{factor},
                    sweep_ratio  => number_of( $_->{ratio} ),
                    obeyed       => $_->{felt} ? \1 : \0
                }
            } @{$felt}
        ],
    };
}

sub _kept (@cells) {
    return grep { defined $_->{verified}{high} && $_->{verified}{high} < 1 + $MATTERS } @cells;
}

# Returns lines, the cells that stay, and whether the table is obeyed and faster.
sub verify_lines ( $sum, $felt, @cells ) {
    my @kept = _kept(@cells);
    my %kept = map { $_ => 1 } @kept;
    my @rows = map {
        [
            @{$_}{qw(collective processes)},
            format_bytes( $_->{length} ),
            "$_->{chosen} $_->{name}",
            _interval( $_->{verified} ),
            $_->{ratio},
            $kept{$_} ? 'stays' : 'goes back to the own choice'
        ]
    } @cells;
    my @titles =
      ( 'collective', 'processes>', 'length>', 'algorithm', 'tuned/own', 'in sweep', q{} );
    my @lines =
      ( table_lines( \@titles, @rows ), 'sum of all cells, tuned/own: ' . _interval($sum) );
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
    push @lines, $NOT_OBEYED if @unfelt;
    my $faster = defined $sum->{high} && $sum->{high} < 1;
    push @lines, 'the sum of the cells is ' . ( $sum->{verdict} // 'undecided' ) . ', not faster'
      if !$faster && @kept == @cells;
    return ( \@lines, \@kept, !@unfelt && ( $faster || @kept < @cells ) );
}

1;
