package SKaMPI::Tune::Sweep;

# The parameter file of the sweep, cut to a budget of time: lengths first, then passes, never launches.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Program qw(duration);
use SKaMPI::Base::Units   qw(format_duration);

our @EXPORT_OK = qw(cut_to_budget);

# after a launch of TEXT that took TOOK seconds: the text to use, and lines about what was cut. The launch itself
# counts only if nothing was.
sub cut_to_budget ( $text, $took, $options ) {
    my $budget = duration( '--budget', $options->{budget} );
    my $n      = $options->{launches};
    return $text if $took * $n <= $budget;
    my ($lengths) = $text =~ /Default_Message_length = ([0-9, ]+);/;
    my ($passes)  = $text =~ /passes=([0-9]+)/;
    my @all       = split /, */, $lengths // q{};
    my ( $count, $share, $kept ) = ( $passes // 1, 1, \@all );
    for my $step ( 2, 3, scalar @all ) {
        last if @all < 2 || $took * $n * $share <= $budget - $took;
        $kept  = [ grep { defined } @all[ map { $_ * $step } 0 .. $#all / $step ] ];
        $share = @{$kept} / @all;
    }
    while ( $count > 1 && $took * $n * $share * $count / $passes > $budget - $took ) { $count-- }
    my $list = join ', ', @{$kept};
    $text =~ s/(Default_Message_length = )[0-9, ]+;/$1$list;/g;
    $text =~ s/passes=[0-9]+/passes=$count/g;
    my $cost = $took * $n * $share * $count / ( $passes || 1 );
    return ( $text,
            "$n launches would take "
          . format_duration( $took * $n )
          . "; to keep the budget of $options->{budget}, each measures the lengths $list"
          . ( $count < ( $passes // 1 ) ? " in $count instead of $passes passes" : q{} )
          . ': about '
          . format_duration($cost)
          . ( $cost > $budget - $took ? ', which is still more' : q{} ) );
}

1;
