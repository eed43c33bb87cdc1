package SKaMPI::Document::OverheadTable;

# Tables for a terminal: packing overheads of applications' messages, and uses until persistent requests pay.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Table                qw(table_lines wrapped);
use SKaMPI::Base::Units                qw(format_time ratio_text);
use SKaMPI::Findings::ApplicationCosts qw(title_of_method);
use SKaMPI::Findings::ApplicationText  qw(overhead_text size_text uses_text);
use SKaMPI::Findings::PersistentUses   qw(persistent_sets);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::PlottedPoints qw(spread);

# The number of sizes without --all: the first, the middle and the last.
my $FEW_SIZES = 3;

# A line with more methods has no space for the ratio.
my $MAX_METHODS = 3;

# A table for each set of suites that were measured in the same way (SKaMPI::Findings::ApplicationCosts), each after an
# empty line; nothing if the suites have no overheads.
sub overhead_lines ( $all, @suites ) {
    my @lines;
    for my $set ( SKaMPI::Findings::ApplicationCosts->sets_of(@suites) ) {
        my @rows;
        for my $test ( $set->tests ) {
            my @sizes = grep {
                my $size = $_;
                any { $set->overhead( $size, $_ ) } $set->methods
            } @{ $test->{sizes} };
            push @rows, _named( $test->{name}, map { _cells( $set, $_ ) } _some( $all, @sizes ) );
        }
        next if !@rows;
        my @words   = grep { $_ ne q{} } 'Packing overhead: (t - t_net) / t', $set->words;
        my $title   = join( ', ', @words ) . '; t_net: as many bytes in one piece';
        my @methods = map { title_of_method($_) . ':16>?' } $set->methods;
        push @methods, 'datatype / manual:18>?' if _has_ratio($set);
        push @lines, q{}, wrapped($title),
          table_lines( [ '  test', qw(bytes:16> t_net:16>), @methods ], @rows );
    }
    return @lines;
}

sub _has_ratio ($set) { return $set->methods <= $MAX_METHODS }

sub _some ( $all, @sizes ) { return $all ? @sizes : spread( $FEW_SIZES, @sizes ) }

sub _named ( $name, @rows ) {
    my @names = "  $name";
    return map { [ shift @names // q{}, @{$_} ] } @rows;
}

sub _cells ( $set, $size ) {
    my ($ratio)   = $set->ratio($size);
    my @more      = _has_ratio($set) && $ratio ? ratio_text( @{$ratio}{qw(ratio error)} ) : ();
    my @overheads = map { overhead_text( scalar $set->overhead( $size, $_ ) ) } $set->methods;
    return [ size_text($size), format_time( $size->{times}{contiguous}{time} ), @overheads, @more ];
}

my $TITLE = 'Uses until a persistent request has paid: creation / (ordinary - persistent);'
  . ' never: not faster';

sub persistent_lines ( $all, @suites ) {
    my @sets = persistent_sets( SKaMPI::Findings::Selection->among(@suites) ) or return;
    my @columns =
      ( '  operation', qw(argument:10> ordinary:10> persistent:10> creation:10> uses:14>) );
    my @rows;
    for my $set (@sets) {
        my @uses = map {
            my @times = map { format_time( $_->{time} ) } @{$_}{qw(ordinary persistent creation)};
            [ $_->{argument}, @times, uses_text( $_->{uses} ) ]
        } _some( $all, @{ $set->{rows} } );
        push @rows, _named( $set->{title}, @uses );
    }
    return ( q{}, wrapped($TITLE), table_lines( \@columns, @rows ) );
}

1;
