package SKaMPI::Document::OverheadTable;

# The packing overheads of applications' messages as a table for a terminal.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any);

use SKaMPI::Base::Table;
use SKaMPI::Base::Terminal            qw(terminal_width wrapped);
use SKaMPI::Base::Units               qw(format_time);
use SKaMPI::Base::Words               qw(ratio_text);
use SKaMPI::Findings::ApplicationText qw(overhead_text size_text);
use SKaMPI::Findings::ApplicationCosts;
use SKaMPI::Meaning::Points qw(spread);

our @EXPORT_OK = qw(overhead_lines);

# The first, the middle and the last, unless all sizes are requested.
my $FEW_SIZES = 3;

# With more methods, the line has no space for the ratio.
my $MAX_METHODS = 3;

# A table for each set of suites that were measured in the same way (SKaMPI::Findings::ApplicationCosts), each after an
# empty line; nothing if the suites have no overheads.
sub overhead_lines ( $all, @suites ) {
    my @lines;
    for my $set ( SKaMPI::Findings::ApplicationCosts->sets_of(@suites) ) {
        my @rows  = _rows( $all, $set ) or next;
        my @words = grep { $_ ne q{} } 'Packing overhead: (t - t_net) / t', $set->words;
        my $title = join( ', ', @words ) . '; t_net: as many bytes in one piece';
        push @lines, q{}, wrapped($title), _table( $set, @rows );
    }
    return @lines;
}

sub _table ( $set, @rows ) {
    my @methods = map { SKaMPI::Findings::ApplicationCosts::title_of_method($_) } $set->methods;
    my @columns = map { { title => $_, limit => 16, right => 1 } } 'bytes', 't_net';
    push @columns, map { { title => $_, limit => 16, right => 1, optional => 1 } } @methods;
    push @columns, { title => 'datatype / manual', limit => 18, right => 1, optional => 1 }
      if _has_ratio($set);
    my $table = SKaMPI::Base::Table->new( { title => '  test' }, @columns );
    $table->add_titles;
    $table->add_row( @{$_} ) for @rows;
    return $table->lines( terminal_width() );
}

sub _has_ratio ($set) { return $set->methods <= $MAX_METHODS }

# The test is named in its first row.
sub _rows ( $all, $set ) {
    my @rows;
    for my $test ( $set->tests ) {
        my $name  = "  $test->{name}";
        my @sizes = grep {
            my $size = $_;
            any { $set->overhead( $size, $_ ) } $set->methods
        } @{ $test->{sizes} };
        for my $size ( $all ? @sizes : spread( $FEW_SIZES, @sizes ) ) {
            push @rows, [ $name, _cells( $set, $size ) ];
            $name = q{};
        }
    }
    return @rows;
}

sub _cells ( $set, $size ) {
    my ($ratio)   = $set->ratio($size);
    my @more      = _has_ratio($set) && $ratio ? ratio_text( @{$ratio}{qw(ratio error)} ) : ();
    my @overheads = map { overhead_text( scalar $set->overhead( $size, $_ ) ) } $set->methods;
    return ( size_text($size), format_time( $size->{times}{contiguous}{time} ), @overheads, @more );
}

1;

