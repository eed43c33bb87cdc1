package SKaMPI::Launch::Quick;

# A comparison of two commands: what skampi measures for a word, or what they say themselves, and the answer in a
# sentence.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Program         qw(fail_usage parts_of);
use SKaMPI::Base::Units           qw(exact_percent format_ratio);
use SKaMPI::Launch::Configuration qw(new_configuration);
use SKaMPI::Launch::Answers       qw(has_output plan_of words_of);
use SKaMPI::Verdict::Family       qw(deciding needed_text);
use SKaMPI::Verdict::Text         qw(argument_of);

# The exit status of skampi for words that it does not know.
my $WRONG = 2;

# The configurations: each -- of WORDS begins another command, which measures what the words of --quick name. Their
# launches have a directory of their own, if none was chosen. Fails if skampi does not know the words. Without --quick,
# the commands have their words, parameter files and outputs themselves.
sub quick_configurations ( $options, $paths, @words ) {
    fail_usage("--quick: expected -- and a command, got '$paths->[0]'") if @{$paths};
    my @commands = parts_of(@words);
    fail_usage('expected one or two commands: -- A or -- A -- B')
      if @commands > 2 || grep { !@{$_} } @commands;
    my @quick = split q{ }, $options->{quick};
    fail_usage('--quick: expected a word such as Bcast')
      if !@quick && @commands < 2 && !words_of( @{ $commands[0] } );
    my @names = @commands > 1 ? qw(A B) : 'launches';
    my @all   = map {
        my @command = @{ $commands[$_] };
        my @more    = ( has_output(@command) ? () : qw(-q -o skampi.out), @quick );
        new_configuration(
            name   => $names[$_],
            words  => [ @command, @more ],
            values => { words => "@more" }
        )
    } keys @commands;
    my ( $status, $plan ) = @quick ? plan_of( $all[0] ) : 0;
    if ( ( $status // 0 ) == $WRONG ) {
        my ($line) = $plan =~ /^(?:skampi: )?(?:command line:[0-9:]+ )?([^\n]+)/;
        fail_usage( '--quick: ' . ( $line // 'skampi does not know these words' ) );
    }
    my @name = @quick ? @quick : words_of( @{ $commands[0] } );
    $options->{directory} .= q{/} . join q{_}, map { tr/A-Za-z0-9.-/_/cr } @name
      if @name && $options->{directory} =~ /\A(?:launches|sweep)\z/;
    return @all;
}

# The statement of a SKaMPI::Verdict::Comparison, with the mean over all arguments, about the sides with these names; of
# a single suite, also where.
sub quick_sentence ( $result, $base, $new ) {
    my $of = $result->overall;
    return 'No verdict: ' . ( $of->{unjudged} // $result->why_no_verdicts ) . q{.}
      if !defined $of->{verdict};
    my @points = $result->points;
    @points = () if 1 < uniq map { $_->{label} } @points;
    my %where   = map { $_ => scalar _where( $_, @points ) } qw(slower faster);
    my $verdict = $of->{verdict};
    my $point   = deciding($of);
    my @numbers = @{$point}{qw(ratio low high)};
    @numbers = map { 1 / $_ } @numbers[ 0, 2, 1 ] if $verdict eq 'faster';
    my ( $ratio, @limits ) = map { format_ratio($_) } @numbers;
    my $mean   = $point == $of ? q{} : ' by the mean';
    my $equal  = 'equal within ' . exact_percent( $of->{threshold} );
    my %unsure = (
        equal        => $equal,
        'time equal' => "$equal by time, mean not known",
        mixed        => 'mixed: time and mean differ in their directions',
        undecided    => 'undecided: ' . needed_text($of) . ' launches of each would decide'
    );
    my $text =
      $unsure{$verdict}
      ? "$new / $base is $ratio ($limits[0] to $limits[1]), $unsure{$verdict}"
      : "$new is $ratio times $verdict than $base$mean ($limits[0] to $limits[1])";
    $text .= ", certainly $where{$verdict}" if $where{$verdict};
    $text .= "; $_ $where{$_}" for grep { $where{$_} && $_ ne $verdict } sort keys %where;
    return "$text.";
}

# The arguments with this verdict: "from 4 KiB to 64 KiB and at 1 MiB"; undef without any.
sub _where ( $verdict, @points ) {
    my @runs = ( [] );
    for my $point ( sort { ( $a->{argument} // 0 ) <=> ( $b->{argument} // 0 ) } @points ) {
        if ( $point->{verdict} eq $verdict ) { push @{ $runs[-1] }, $point }
        else                                 { push @runs, [] }
    }
    my @texts = map {
        join ' to ', map { argument_of($_) } @{$_} > 1
          ? @{$_}[ 0, -1 ]
          : @{$_}
    } grep { @{$_} } @runs;
    return if !@texts || $texts[0] eq q{};
    return join ' and ', map { ( / to / ? 'from ' : 'at ' ) . $_ } @texts;
}

1;
