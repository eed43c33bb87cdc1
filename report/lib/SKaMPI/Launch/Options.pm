package SKaMPI::Launch::Options;

# The options of skampi-launch. launch_options(WORD...) returns a hash of them, checked and with defaults, a list of the
# words after the first --, and the paths of configurations; or fails.
use SKaMPI::Base;

use List::Util qw(first);

use SKaMPI::Base::Program
  qw(argument_range check_choice check_output duration fail_usage parts_of percentage read_options take_command whole_match);
use SKaMPI::Launch::Answers     qw(words_of);
use SKaMPI::Verdict::Baseline   qw(is_baseline read_baseline);
use SKaMPI::Verdict::Launch     qw(value_kinds);
use SKaMPI::Launch::Sweep       qw(sweep_of);
use SKaMPI::Verdict::Family     qw(fewest_launches);
use SKaMPI::Verdict::Thresholds qw(threshold_of);

# The time after which --until and --sweep stop without --budget.
my $BUDGET = '1h';

my $PAIRS = 8;

my %DEFAULT = (
    format    => 'text',
    points    => [],
    threshold => '5%',
    value     => 'time',
);
my @OPTIONS =
  qw(budget=s confirm=s directory|d=s duet force format=s guard=s health junit=s launches|n=i path points=s@ quick=s quiet|q refine strict sweep=s@ threshold=s timeout=s until=s value=s);

# Modes that measure one configuration in their own way; and modes which the first word may name, and whose launches are
# in a directory of that name, without -d. The launches of --confirm are identified by the results' checksum.
my @ALONE = qw(confirm guard);
my @NAMED = qw(guard health sweep);

# Examples of a verb and its words.
my %EXAMPLES = (
    guard  => 'guard base.json',
    health => 'health --launches 6',
    sweep  => 'sweep UCX_TLS=shm,tcp'
);

sub launch_options (@words) {
    my $start = first { $words[$_] =~ m{(?:\A|/)[a-z]*(?:run|exec)(?:[.][\w.]+)?\z} } keys @words;
    if ( defined $start && !grep { $_ eq q{--} } @words ) {
        splice @words, $start, 0, q{--};
        fail_usage("expected -- before the command: skampi launch @words");
    }
    my @command = take_command( \@words );
    my $verb    = first { $_ eq ( $words[0] // q{} ) } @NAMED;
    shift @words if defined $verb;
    my ( $options, $paths ) = read_options( \@words, \%DEFAULT, @OPTIONS );
    my $such = $EXAMPLES{ $verb // q{} } // 'launch -n 5';
    fail_usage("expected -- and a command, such as: skampi $such -- mpirun -np 2 skampi")
      if !@command;
    _take_verb( $verb, $options, $paths ) if defined $verb;
    $options->{quick} //= q{}
      if !@{$paths}
      && !grep( { defined $options->{$_} } qw(confirm guard health) )
      && ( parts_of(@command) > 1 || words_of(@command) );
    _check_health( $options, $paths, \@command ) if $options->{health};
    _check_alone( $options, @{$paths} );
    _check_duet( $options, $paths, \@command ) if $options->{duet};
    _check_sweep( $options, @{$paths} )        if $options->{sweep};
    _check($options);
    my $mode = first { defined $options->{$_} } @NAMED;
    $options->{directory} //= $mode // 'launches' if !defined $options->{confirm};
    return ( $options, \@command, @{$paths} );
}

# Takes what a verb is about from the words: "sweep NAME=VALUE..." is --sweep NAME=VALUE, "guard FILE" --guard FILE.
sub _take_verb ( $verb, $options, $words ) {
    if    ( $verb eq 'health' ) { $options->{health} = 1 }
    elsif ( $verb eq 'guard' )  { $options->{guard} //= shift @{$words} // q{} }
    else                        { push @{ $options->{sweep} }, splice @{$words} }
    return;
}

# Sets the launches that verdicts about pairs need, and the parameter file health.
sub _check_health ( $options, $paths, $command ) {
    fail_usage('--health: expected no configurations, and no --quick')
      if @{$paths} || defined $options->{quick};
    fail_usage('--health has its own parameter file; leave out -f')
      if grep { /\A(?:-f|--file)/ } @{$command};
    $options->{launches} //= fewest_launches('pairs');
    push @{$command}, '-f', 'health';
    return;
}

sub _check_alone ( $options, @configurations ) {
    my ( $mode, $other ) = grep { defined $options->{$_} } @ALONE;
    fail_usage('--junit needs --guard')
      if defined $options->{junit} && !defined $options->{guard};
    return if !defined $mode;
    fail_usage("--$mode and --$_ exclude each other")
      for grep { defined $options->{$_} } $other // (), qw(health path quick until);
    fail_usage("--$mode takes no configuration, got '$configurations[0]'") if @configurations;
    fail_usage("--guard: expected a baseline of skampi compare --save, got '$options->{guard}'")
      if $mode eq 'guard' && !is_baseline( $options->{guard} );
    $options->{base} = [ read_baseline( $options->{guard}, 'time' ) ] if $mode eq 'guard';
    return check_output( $options->{junit} );
}

# A duet has two sides, and verdicts about pairs. With six of them, the fewest, each would have to be slower.
sub _check_duet ( $options, $paths, $command ) {
    fail_usage("--duet and --$_ exclude each other")
      for grep { defined $options->{$_} } qw(confirm guard health);
    my $sides = defined $options->{quick} ? 1 + grep { $_ eq q{--} } @{$command} : @{$paths};
    fail_usage("--duet: expected two configurations, or two commands, got $sides")
      if $sides != 2;
    $options->{launches} //= $PAIRS;
    return;
}

# Replaces the texts of --sweep by their meaning (SKaMPI::Launch::Sweep).
sub _check_sweep ( $options, @configurations ) {
    fail_usage("--sweep takes no configuration, got '$configurations[0]'") if @configurations;
    fail_usage("--sweep and --$_ exclude each other")
      for grep { defined $options->{$_} } @ALONE, qw(duet health);
    $options->{sweep} = [ sweep_of( @{ $options->{sweep} } ) ];
    return;
}

sub _check ($options) {
    my $needs_several = grep { defined } @{$options}{qw(guard until)};
    my $least = defined $options->{confirm} ? fewest_launches('pairs') : $needs_several ? 2 : 1;
    $options->{most}      = $options->{launches} // 40;
    $options->{has_count} = defined $options->{launches};
    $options->{launches} //= 5;
    fail_usage("--launches: expected at least $least, got $options->{most}")
      if $options->{most} < $least;
    check_choice( '--value',  $options->{value},  value_kinds() );
    check_choice( '--format', $options->{format}, qw(text json) );
    $options->{is_json} = $options->{format} eq 'json';
    $options->{quiet} ||= $options->{is_json};
    $options->{until}     = percentage( '--until', $options->{until} ) if defined $options->{until};
    $options->{threshold} = eval { threshold_of( $options->{threshold} ) }
      // fail_usage( '--threshold: ' . $@ =~ s/\n//r );
    $options->{budget} //= $BUDGET if defined $options->{until} || $options->{sweep};
    $options->{"${_}_s"} = duration( "--$_", $options->{$_} ) for qw(budget timeout);

    # A text is "PATTERN" or "PATTERN/FROM-TO".
    $options->{asked} = [];
    for my $text ( @{ $options->{points} } ) {
        my ( $pattern, $range ) = split m{/}, $text, 2;
        my %asked = ( expression => whole_match($pattern) );
        @asked{qw(from to)} = eval { argument_range($range) }
          or fail_usage("--points $text: $@")
          if defined $range;
        push @{ $options->{asked} }, \%asked;
    }
    return;
}

1;
