package SKaMPI::Tune::Sweep;

# The parameter file of the sweep, cut to a budget of time: lengths first, then passes, never launches.
use SKaMPI::Base;

use SKaMPI::Base::Program qw(duration fail);
use SKaMPI::Base::Units   qw(format_duration);

our @EXPORT_OK = qw(cut_to_budget);

# The text to use for launches of TEXT, each of TOOK seconds, after SPENT ones, and lines about what was cut, as
# earlier launches count only if nothing was. Fails if the budget does not allow any.
sub cut_to_budget ( $text, $took, $spent, $options ) {
    my $budget = duration( '--budget', $options->{budget} );
    my $n      = $options->{launches};
    return $text if $took * $n <= $budget;
    my ($lengths) = $text =~ /Default_Message_length = ([0-9, ]+);/;
    my ($passes)  = $text =~ /passes=([0-9]+)/;
    my @all       = split /, */, $lengths // q{};
    my ( $count, $share, $kept ) = ( $passes // 1, 1, \@all );
    for my $step ( 2, 3, scalar @all ) {
        last if @all < 2 || $took * $n * $share <= $budget - $spent;
        $kept  = [ grep { defined } @all[ map { $_ * $step } 0 .. $#all / $step ] ];
        $share = @{$kept} / @all;
    }
    while ( $count > 1 && $took * $n * $share * $count / $passes > $budget - $spent ) { $count-- }
    my $cost = $took * $n * $share * $count / ( $passes || 1 );
    fail(   "not started: $n launches would take "
          . format_duration($cost)
          . " even with one length and one pass, more than the budget of $options->{budget}" )
      if $cost > $budget - $spent;
    my $list = join ', ', @{$kept};
    $text =~ s/(Default_Message_length = )[0-9, ]+;/$1$list;/g;
    $text =~ s/passes=[0-9]+/passes=$count/g;
    return ( $text,
            "$n launches would take "
          . format_duration( $took * $n )
          . "; to keep the budget of $options->{budget}, each measures the lengths $list"
          . ( $count < ( $passes // 1 ) ? " in $count instead of $passes passes" : q{} )
          . ': about '
          . format_duration($cost) );
}

1;
