package SKaMPI::Document::PersistentTable;

# When persistent requests pay (SKaMPI::Findings::PersistentUses), as a table for a terminal.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Table;
use SKaMPI::Base::Terminal            qw(terminal_width wrapped);
use SKaMPI::Base::Units               qw(format_time);
use SKaMPI::Findings::ApplicationText qw(uses_text);
use SKaMPI::Findings::PersistentUses  qw(persistent_sets);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Points qw(spread);

our @EXPORT_OK = qw(persistent_lines);

# The first, the middle and the last argument, unless all are requested.
my $FEW = 3;

my $TITLE = 'Uses until a persistent request has paid: creation / (ordinary - persistent);'
  . ' never: not faster';

# The lines after an empty line, or nothing.
sub persistent_lines ( $all, @suites ) {
    my @sets  = persistent_sets( SKaMPI::Findings::Selection->among(@suites) ) or return;
    my $table = SKaMPI::Base::Table->new(
        { title => '  operation' },
        (
            map { { title => $_, limit => 10, right => 1 } }
              qw(argument ordinary persistent creation)
        ),
        { title => 'uses', limit => 14, right => 1 }
    );
    $table->add_titles;
    _add_set( $table, $all, $_ ) for @sets;
    return ( q{}, wrapped($TITLE), $table->lines( terminal_width() ) );
}

# The operation is named in its first row.
sub _add_set ( $table, $all, $set ) {
    my $name = "  $set->{title}";
    for my $row ( $all ? @{ $set->{rows} } : spread( $FEW, @{ $set->{rows} } ) ) {
        my @times = map { format_time( $_->{time} ) } @{$row}{qw(ordinary persistent creation)};
        $table->add_row( $name, $row->{argument}, @times, uses_text( $row->{uses} ) );
        $name = q{};
    }
    return;
}

1;

