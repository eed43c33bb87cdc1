package SKaMPI::Compare::SidesFigures;

# The key figures of several results, side by side.
use v5.36;

use List::Util qw(uniq);

use SKaMPI::Base::Units          qw(format_bytes format_percent);
use SKaMPI::Base::Words          qw(factor_text);
use SKaMPI::Meaning::Marks       qw(marks_of);
use SKaMPI::Findings::KeyFigures qw(figure_text);

# Tables of at most MOST outputs each: numbers (of the outputs, from 1) and rows, each a hash of
# what and cells (hashes of value, error and ratio, all texts). A ratio is to the first output; it
# is a dagger if the figures differ in definition, length or number of processes.
sub tables_of ( $class, $most, @outputs ) {
    my @rows = _rows(@outputs) or return;
    my @left = 0 .. $#outputs;
    my @tables;
    while ( my @some = splice @left, 0, $most ) {
        my @part = grep { defined } map { _part( $_, @some ) } @rows;
        push @tables, { numbers => [ map { $_ + 1 } @some ], rows => \@part } if @part;
    }
    return @tables;
}

# A row for each figure that at least two outputs have: its name and the figures.
sub _rows (@outputs) {
    my ( %row, @keys );
    for my $i ( 0 .. $#outputs ) {
        for my $figure ( SKaMPI::Findings::KeyFigures->rows_of( $outputs[$i] ) ) {
            my $key = join "\n", @{$figure}{qw(group what)}, $figure->{wanted} // q{};
            push @keys, $key;
            $row{$key}{what} //= _what($figure);
            $row{$key}{figures}[$i] //= $figure;
        }
    }
    my @rows = map { $row{$_} } uniq @keys;
    return grep {
        ( grep { defined } @{ $_->{figures} } ) > 1
    } @rows;
}

sub _what ($figure) {
    my $what = ucfirst $figure->{what} =~ s{1/2}{\x{bd}}r;
    return $what if !defined $figure->{wanted};
    return "$what, " . format_bytes( $figure->{wanted} );
}

sub _part ( $row, @numbers ) {
    my @figures = @{ $row->{figures} }[@numbers];
    return if !grep { defined } @figures;
    my $first = $row->{figures}[0];
    my @cells = map { _cell( $first, $_ ) } @figures;
    $cells[0]{ratio} = q{} if $numbers[0] == 0;
    return { what => $row->{what}, cells => \@cells };
}

sub _cell ( $first, $figure ) {
    return { value => "\x{2013}", error => q{}, ratio => q{} } if !$figure;
    my $is_known = defined $figure->{error} && $figure->{value} > 0;
    return {
        value => ( $figure->{where}{interpolated} ? q{~} : q{} )
          . figure_text($figure)
          . marks_of($figure),
        error => $is_known
        ? "\x{b1} " . format_percent( $figure->{error} / $figure->{value} )
        : q{},
        ratio => _ratio( $first, $figure ),
    };
}

sub _ratio ( $first, $figure ) {
    return q{} if !$first || $first->{value} <= 0;
    return "\x{2020}"
      if grep { ( $first->{$_} // q{} ) ne ( $figure->{$_} // q{} ) }
      qw(definition processes length unit);
    return factor_text( $figure->{value} / $first->{value} );
}

1;

