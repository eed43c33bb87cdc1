package SKaMPI::Meaning::Algorithms;

# The choices of skampi-tune, which it writes into the header of the merged launches (#@CHOICES) for terminal, report
# and web. choices_text(LAUNCHES, CELLS) is the fact's value. algorithms_of(VALUE) is undef or a hash of texts:
#   title       how many launches
#   rows        a list of collective, layout (hosts x processes of each), length, own (the library's choice),
#               best (algorithm), ratio (of its time, with the simultaneous interval) and chosen
#   lengths, map  a heat map: a list of name and cells, each a hash of text (the best ratio) and level, 1 to 4 for
#               confirmed gains, or 0
#   sentence    how many are chosen
use SKaMPI::Base;

use List::Util qw(min uniq);

use SKaMPI::Base::Units    qw(format_bytes format_time with_mu);
use SKaMPI::Meaning::Facts qw(read_fact);

# The gains at which the levels begin.
my @LEVELS = ( 0.9, 0.7, 0.4 );

my $MOST = 2000;

my @WORDS = qw(collective layout length own best name ratio low high chosen chosen_name);

# The time of the library's own choice, if it is known.
my $OWN = qr/\A(?:[0-9]+(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?|-)\z/;

sub choices_text ( $launches, @cells ) {
    my @lines = "$launches launches; @WORDS";
    for my $cell (@cells) {
        my ( $best, $chosen ) = map { $_ // 0 } @{$cell}{qw(best chosen)};
        my $point = $cell->{points}{$best} // { ratio => 1, low => 1, high => 1 };
        push @lines, join q{ }, @{$cell}{qw(collective layout length)},
          defined $cell->{own_us} ? sprintf '%.4g', $cell->{own_us} : q{-}, $best,
          $cell->{names}{$best} // q{-},
          ( map { sprintf '%.3f', min( $_, 9999 ) } @{$point}{qw(ratio low high)} ), $chosen,
          $cell->{names}{$chosen} // q{-};
    }
    return join "\n", @lines;
}

sub algorithms_of ($value) {
    my $fact  = read_fact( 0, 'CHOICES', $value );
    my @cells = grep { $_->{own} =~ $OWN } @{ $fact->{list} } or return;
    splice @cells, $MOST if @cells > $MOST;
    my @lengths = sort { $a <=> $b } uniq map { $_->{length} } @cells;
    my $chosen  = grep { $_->{chosen} } @cells;
    return {
        title    => "Algorithms of collectives ($fact->{launches} launches)",
        rows     => [ map { _row($_) } @cells ],
        lengths  => [ map { format_bytes($_) } @lengths ],
        map      => [ _map( \@lengths, @cells ) ],
        sentence => $chosen
        ? "$chosen of "
          . @cells
          . ' cells have another algorithm. The best of many looks better than it is: only skampi tune verify says what the table gains.'
        : "No algorithm is confirmed against the library's own choice: the table is empty.",
    };
}

sub _row ($cell) {
    return {
        ( map { $_ => $cell->{$_} } qw(collective layout) ),
        length => format_bytes( $cell->{length} ),
        own    => $cell->{own} eq q{-} ? q{-} : with_mu( format_time( $cell->{own} ) ),
        best   => $cell->{best}        ? "$cell->{best} $cell->{name}" : 'own choice',
        ratio  => $cell->{best}
        ? sprintf( '%.2f (%.2f to %.2f)', @{$cell}{qw(ratio low high)} )
        : q{-},
        chosen => $cell->{chosen} ? "$cell->{chosen} $cell->{chosen_name}" : q{-},
    };
}

sub _map ( $lengths, @cells ) {
    my %of;
    $of{"$_->{collective} $_->{layout}"}{ $_->{length} } = $_ for @cells;
    return map {
        my $row = $of{$_};
        { name => $_, cells => [ map { _shade( $row->{$_} ) } @{$lengths} ] }
    } uniq map { "$_->{collective} $_->{layout}" } @cells;
}

sub _shade ($cell) {
    return { text => q{}, level => 0 } if !$cell;
    my $level = 1 + grep { $cell->{ratio} < $_ } @LEVELS;
    return {
        text  => sprintf( '%.2f', $cell->{ratio} ),
        level => $cell->{chosen} ? $level : 0
    };
}

1;
