package SKaMPI::Tune::Sweep;

# The sweep within a budget of time: fewer lengths first, then fewer passes, never fewer launches.
use SKaMPI::Base;

use List::Util qw(max uniq);

use SKaMPI::Base::Program qw(fail);
use SKaMPI::Base::Units   qw(format_duration);

our @EXPORT_OK = qw(cut_to_budget);

# A sentence about what is cut, and the settings that cut it, for launches of TEXT (as skampi prints it), each of TOOK
# seconds, that do not fit into the budget after SPENT seconds. Fails if even the least does not fit.
sub cut_to_budget ( $text, $took, $spent, $options ) {
    my ( $n, $left ) = ( $options->{launches}, $options->{budget_s} - $spent );

    # Suites that a list of lengths makes have the length in their names.
    my @all =
      uniq map { /^\S*?(?<!\d)(\d+)(?!\d)\S* \{.* Default_Message_length = \1;/ } split /\n/,
      $text;
    my $passes = max 1, $text =~ / passes=(\d+)/g;
    my ( $count, $share, $kept ) = ( $passes, 1, \@all );
    for my $step ( 2, 3, scalar @all ) {
        last if @all < 2 || $took * $n * $share <= $left;
        $kept  = [ @all[ grep { $_ % $step == 0 } keys @all ] ];
        $share = @{$kept} / @all;
    }
    $count-- while $count > 1 && $took * $n * $share * $count / $passes > $left;
    my $cost = $took * $n * $share * $count / $passes;
    fail(   "not started: $n launches would take "
          . format_duration($cost)
          . " even with one length and one pass, more than the budget of $options->{budget}" )
      if $cost > $left;
    return (
        "$n launches would take "
          . format_duration( $took * $n )
          . "; to keep the budget of $options->{budget}, each measures the lengths "
          . join( ', ', @{$kept} )
          . ( $count < $passes ? " in $count instead of $passes passes" : q{} )
          . ': about '
          . format_duration($cost),
        @all ? 'Default_Message_length=' . join q{,},
        @{$kept} : (),
        $passes == 1 ? () : "passes=$count"
    );
}

1;
