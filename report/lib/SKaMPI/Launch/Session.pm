package SKaMPI::Launch::Session;

# Starts launches of one or more configurations, interleaved, until enough are done. new(STORE,
# COMMAND, CONFIGURATIONS, OPTIONS), then run. launches(NAME) are the launches of a configuration.
# The sequence is A B B A A B B A, so a drift of the machine affects all configurations
# equally. Whether to continue depends only on the intervals of each configuration, never on a
# comparison: that would make false alarms likely.
use SKaMPI::Base qw(@configurations);

use Fcntl          qw(O_NONBLOCK O_WRONLY SEEK_END);
use File::Basename qw(dirname);
use List::Util     qw(any max min sum0);

use SKaMPI::Base::Program         qw(complain fail);
use SKaMPI::Base::TextFile        qw(open_regular);
use SKaMPI::Base::Units           qw(counted format_duration);
use SKaMPI::Verdict::Launch       qw(read_launch);
use SKaMPI::Base::Process         qw(run_commands time_to_end %SIGNAL);
use SKaMPI::Launch::Configuration qw(command_of);
use SKaMPI::Launch::Precision     qw(widest_interval widest_text);
use SKaMPI::Launch::Answers       qw(time_limits with_fixed_grid);
use SKaMPI::Read::ResultFile      qw(read_whole_results);

# How many times as long as on a quiet machine the launches of --quick and of a duet may take, and the least time that a
# pair of a duet has.
our ( $BUSY, $LEAST_S ) = ( 3, 30 );

my ( $DONE, $FAILED, $SPENT ) = ( 0, 1, 3 );
my %ENDS = (
    budget => 'the budget is spent; add to --budget and start again to go on',
    busy   =>
"ended after $BUSY times what a quiet machine takes, with what was reached; --budget allows more"
);

# How long a launcher takes to start and to end, beside the plan's time.
my $START_S = 2;

# The exit status of skampi if something was not measured, and the part of the rows that must have a time.
my ( $PARTLY, $ENOUGH ) = ( 1, 0.5 );

# How long the second run of a duet waits for the first one to begin. It fails soon if that does not.
our $BEGIN_S = 60;

# The most tries of a launch.
my $TRIES = 2;

# The most operations that end a launch.
my $FAULTS = 100;

# Lines of a failed launch's log that are shown, and the bytes at its end that are read.
my ( $LOG_LINES, $LOG_BYTES ) = ( 5, 65_536 );

# OPTIONS are the options of SKaMPI::Launch::Options, with parameters (a file for each launch, or undef), is_fixed
# (whether nothing is refined) and inform (a function that prints a line).
sub new ( $class, $store, $command, $configurations, $options ) {
    my %self = ( launches => { map { $_->{name} => [] } @{$configurations} }, seconds => [] );
    @self{qw(store command configurations options)} =
      ( $store, $command, $configurations, $options );
    return bless \%self, $class;
}

sub launches ( $self, $name ) { return @{ $self->{launches}{$name} } }

sub spent_s ($self) { return $self->{store}->spent_s }

sub names ($self) {
    return map { $_->{name} } $self->configurations;
}

# Why a setting of a sweep is not launched again: it crashed, in this start or an earlier one, or the time limit ended
# it in this one.
sub crashes ( $self, $name ) {
    return $self->{late}{$name} // ( $self->{store}->crashes($name) ? 'crashes' : undef );
}

sub _without_crashes ($self) {
    return grep { !$self->crashes($_) } $self->names;
}

# The configuration of the launch at this place of the sequence A B B A A B ..., and its number.
sub turn ( $self, $place ) {
    my @all   = @{ $self->{configurations} };
    my $round = int $place / @all;
    my $i     = $place % @all;
    return ( $all[ $round % 2 ? $#all - $i : $i ], $round + 1 );
}

# Starts launches until enough are done. Returns why it ended: done, budget, failed, or a signal's name.
sub run ($self) {
    my $count = @{ $self->{configurations} };
    my $step  = $self->{options}{duet} ? $count : 1;
    for ( my $place = 0 ; ; $place += $step ) {
        my $round = $place / $count;
        return 'done'
          if $place % $count == 0 && $round >= $self->{options}{launches} && $self->is_known;
        my ( undef, $number ) = $self->turn($place);
        my @configurations = map { ( $self->turn($_) )[0] } $place .. $place + $step - 1;
        next            if grep { $self->crashes( $_->{name} ) } @configurations;
        next            if $self->_has( $number, @configurations );
        return 'budget' if $self->_is_spent;
        my $signal = $self->_launch( $number, @configurations );
        return $signal if defined $signal;
        $self->{options}{inform}->( $self->forecast )
          if @{ $self->{seconds} } == $count / $step && $self->_left;
    }
    return;
}

# Takes the launches with this number of an earlier start, if all of these configurations have one.
sub _has ( $self, $number, @configurations ) {
    my @names = map { $_->{name} } @configurations;
    return 0 if grep { !defined $self->{store}->results( $_, $number ) } @names;
    my @failed = grep { defined $self->_take( $_, $number ) } @names;
    return 1 if !@failed;
    $self->_forget( $number, @names );
    return 0;
}

# Drops the launches with this number that were taken.
sub _forget ( $self, $number, @names ) {
    for my $launches ( map { $self->{launches}{$_} } @names ) {
        splice @{$launches}, $number - 1 if @{$launches} >= $number;
    }
    return;
}

# Lines about the cost of the launches that are missing: from the complete ones, or else from the time limits of the
# parameter file.
sub forecast ($self) {
    my @left    = $self->_left;
    my $seconds = $self->{store}->seconds_of_a_launch( $self->names );
    return 'no launch is missing' if !@left && !defined $self->{options}{until};
    return sprintf 'a launch takes %s; at least %d more: %s',
      format_duration($seconds), scalar @left, format_duration( $seconds * @left )
      if defined $seconds;
    my ( @lines, $total );
    for my $configuration ( @{ $self->{configurations} } ) {
        my $name = $self->names > 1 ? " of $configuration->{name}" : q{};
        my ( $line, $at_most ) = @{ $self->_time_of($configuration) };
        push @lines, "time limits of a launch$name: " . ( $line // 'unknown' );
        return ( @lines, 'the first launch will show how long one takes' ) if !defined $at_most;
        $total += $at_most * grep { $_ == $configuration } @left;
    }
    return ( @lines,
            counted( scalar @left, 'launch', 'launches' )
          . ': measuring takes at most '
          . format_duration($total)
          . ' by these limits; starting and synchronising take additional time' );
}

# The configurations of the launches that are missing.
sub _left ($self) {
    my $count = $self->{options}{launches} * $self->names;
    my @turns = map { [ $self->turn($_) ] } 0 .. $count - 1;
    return map { $_->[0] }
      grep     { !$self->crashes( $_->[0]{name} ) }
      grep     { !defined $self->{store}->results( $_->[0]{name}, $_->[1] ) } @turns;
}

# Whether each configuration has a narrow enough interval at each point asked for.
sub is_known ($self) {
    my $goal = $self->{options}{until} // return 1;
    return !any { !defined || $_->{width} > $goal }
      map { $self->_widest($_) } $self->_without_crashes;
}

sub _widest ( $self, $name ) {
    return widest_interval( $self->{options}{asked}, $self->launches($name) );
}

# The time limits of a launch (SKaMPI::Launch::Answers), a list. The settings of a sweep do not change the plan.
sub _time_of ( $self, $configuration ) {
    my $plan = $configuration->{setting} ? 'of all' : $configuration->{name};
    return $self->{time}{$plan} //=
      [ time_limits( $configuration, $self->{command}, $self->{options}{parameters} ) ];
}

# Without a budget, sets one: FACTOR times what all launches take on a quiet machine, if their plans say it.
sub bound_by_estimate ( $self, $factor ) {
    return if defined $self->{options}{budget_s};
    my $all_s =
      $self->_planned_s( map { ($_) x $self->{options}{launches} } @{ $self->{configurations} } )
      // return;
    @{ $self->{options} }{qw(budget_s is_bounded)} = ( $factor * $all_s, 1 );
    return;
}

# The time of the launches that are missing: by complete ones, or else by their plans; undef if these do not say it.
sub expected_s ($self) {
    my @left  = $self->_left;
    my $one_s = $self->{store}->seconds_of_a_launch( $self->names );
    return defined $one_s ? $one_s * @left : $self->_planned_s(@left);
}

sub _planned_s ( $self, @configurations ) {
    my @seconds = map { $self->_time_of($_)->[2] } @configurations;
    return if any { !$_ } @seconds;
    return sum0( map { $_ + $START_S } @seconds );
}

# Whether the next launch would exceed the budget, by the time of earlier ones; at least one of each configuration is
# started.
sub _is_spent ($self) {
    my $budget = $self->{options}{budget_s} // return 0;
    return 0
      if $self->{options}{is_bounded} && grep { !$self->launches($_) } $self->_without_crashes;
    my @known = @{ $self->{seconds} };
    return $self->{store}->spent_s + ( @known ? max(@known) : 0 ) > $budget;
}

# Launches a configuration, or those of a duet at once. Returns the name of a signal that ended it, or failed: a pair
# has, but earlier ones can be compared.
sub _launch ( $self, $number, @configurations ) {
    my @names = map { $_->{name} } @configurations;
    my $title = join ' and ', @names;
    my $is_late;
    for my $try ( 1 .. $TRIES ) {
        my @runs    = $self->_runs( $number, @configurations );
        my $seconds = max map { $_->{seconds} } @runs;
        $self->{store}->add_spent($seconds);
        $is_late ||= grep { $_->{late} } @runs;
        my $is_cut = defined $self->_limit_s && $is_late;
        my @kept =
          map { $is_cut ? q{} : scalar $self->_kept( $runs[$_], $names[$_], $number ) } keys @runs;
        my @failed =
          map {
            defined $kept[$_]
              ? scalar $self->_take( $names[$_], $number, $is_cut )
              : $runs[$_]{failed}
          }
          keys @runs;
        if ( !grep { defined } @failed ) {
            complain($_) for grep { $_ } @kept;
            push @{ $self->{seconds} }, $seconds;
            $self->_report( $_, $number, $seconds ) for @names;
            return;
        }
        $self->_forget( $number, @names );
        my @aside    = map  { $self->{store}->set_aside( $_, $number ) } @names;
        my ($signal) = grep { defined } map { $_->{signal} } @runs;
        return $signal if defined $signal;
        complain(
            join "\n    ",
            "launch $number of $names[$_] failed: $failed[$_]; see $aside[$_]/launch.log",
            _last_lines("$aside[$_]/launch.log")
        ) for grep { defined $failed[$_] } 0 .. $#failed;
    }
    return $self->_give_up( $title, $is_late ) if @{ $configurations[0]{setting} // [] };
    my $why = "launch $number of $title failed $TRIES times; start again to go on";
    fail($why) if $number == 1 || !$self->{options}{duet};
    complain($why);
    return 'failed';
}

sub _give_up ( $self, $name, $is_late ) {
    if ($is_late) { $self->{late}{$name} = 'time limit' }
    else          { $self->{store}->add_crash($name) }
    my $retry = "remove $self->{options}{directory}/$name";
    return complain(
        $is_late
        ? "$name took longer than --timeout; the other settings go on, and the next start tries it again"
        : "$name crashes; the other settings go on; to try it again, $retry"
    );
}

# Starts the launches, and returns how each ended (SKaMPI::Base::Process).
sub _runs ( $self, $number, @configurations ) {
    my @jobs = map { $self->_job( $_, $self->{store}->make_directory( $_->{name}, $number ) ) }
      @configurations;
    return $self->_run_past_faults( $jobs[0] ) if @jobs == 1;
    my @pipes = $self->{store}->make_pipes;
    push @{ $jobs[$_]{command} }, '--duet', "$pipes[$_]:$pipes[1 - $_]" for 0, 1;
    my @titles = map { "launch $number of $_->{name}" } @configurations;
    my $late   = time + $BEGIN_S;
    $jobs[1]{after} = sub {    # MPI_Init of the first
        return 1 if sysopen my $reader, $pipes[0], O_WRONLY | O_NONBLOCK;
        return 0 if time < $late;
        complain("$titles[0] has not begun within $BEGIN_S s; $titles[1] begins nevertheless");
        return 1;
    };
    for my $place ( 0, 1 ) {
        my ( $this, $other ) = @titles[ $place, 1 - $place ];
        $jobs[$place]{ended} = sub ($job) {
            my $seconds = format_duration( time_to_end($job) );
            complain("$this failed; $other has $seconds to end, too") if $job->{status};
        };
    }
    my @runs = run_commands(@jobs);
    $self->{store}->remove_pipes;
    return @runs;
}

# Returns an empty text for a launch that succeeded, a message for one of which a few rows are empty, else undef. A duet
# compares each point by the pairs that have it, so there any row is enough.
sub _kept ( $self, $run, $name, $number ) {
    return q{} if !defined $run->{failed};
    return     if defined $run->{signal} || $run->{status} != $PARTLY;
    my $path   = $self->{store}->results( $name, $number ) // return;
    my $output = eval { read_whole_results($path) }        // return;
    return if !$output->is_finished;
    my @rows  = map  { @{ $_->rows } } $output->results;
    my $timed = grep { ( $_->{time} // 0 ) > 0 } @rows;
    return if !$timed || $timed < ( $self->{options}{duet} ? 0 : $ENOUGH ) * @rows;
    return "launch $number of $name exited with status $PARTLY; $timed of " . @rows
      . ' rows have a time, so it is kept';
}

# An MPI library that is not GPU-aware ends the run in each of its operations once: the next start in the same
# directory goes on without that one, and then states that suites failed.
sub _run_past_faults ( $self, $job ) {
    my ($run)   = run_commands($job);
    my $seconds = $run->{seconds};
    my $starts  = 1;
    while ( defined $run->{failed} && $starts++ < $FAULTS && _has_fault( $job->{directory} ) ) {
        ($run) = run_commands($job);
        $seconds += $run->{seconds};
    }
    delete $run->{failed}
      if $starts > 2 && !defined $run->{signal} && !_has_fault( $job->{directory} );
    return { %{$run}, seconds => $seconds };
}

sub _has_fault ($directory) {
    opendir my $handle, $directory or return 0;
    return any { /[.]fault[.]\d+$/ && -s "$directory/$_" } readdir $handle;
}

sub _job ( $self, $configuration, $directory ) {
    my ( $parameters, @words ) =
      ( $self->{options}{parameters}, command_of( $configuration, @{ $self->{command} } ) );
    ( $parameters, @words ) =
      with_fixed_grid( dirname($directory), $configuration->{environment}, $parameters, @words )
      if $self->{options}{is_fixed};
    -e "$directory/.skampi"
      or symlink $parameters, "$directory/.skampi"
      or fail("cannot write '$directory/.skampi': $!")
      if defined $parameters;
    return {
        command     => \@words,
        directory   => $directory,
        environment => $configuration->{environment},
        output      => 'launch.log',
        seconds     => min( grep { defined } $self->{options}{timeout_s}, $self->_limit_s ),
        $self->{store}->lock_for_command,
    };
}

# On a busy machine, a pair of a duet without a budget ends after what is left, with the visits that it has.
sub _limit_s ($self) {
    my ( $budget_s, $is_bounded, $is_duet ) = @{ $self->{options} }{qw(budget_s is_bounded duet)};
    return $is_bounded && $is_duet ? max( $LEAST_S, $budget_s - $self->spent_s ) : undef;
}

# Reads the results of a launch, which may come from an earlier start; one that IS_CUT is not finished. Returns an error
# message, or undef.
sub _take ( $self, $name, $number, $is_cut = 0 ) {
    my $path   = $self->{store}->results( $name, $number ) // return 'it wrote no result file';
    my $launch = eval { read_launch( $path, $self->{options}{value} ) };
    return ref $@ ? $@->{text} : $@ if !$launch;
    return 'it is not finished'     if $launch->{some} && !$is_cut;
    push @{ $self->{launches}{$name} }, $launch;
    return;
}

# The last lines of skampi's output, without those that a launcher frames by lines.
sub _last_lines ($path) {
    my $log = eval { open_regular($path) } // return;
    seek $log, -$LOG_BYTES, SEEK_END;    # a shorter file is read from its beginning
    my @lines = grep { /\S/ } <$log>;
    close $log or return;
    chomp @lines;
    my $framed;
    my @own = grep {
        my $is_frame = /\A[-=]{20,}\s*\z/;
        $framed = !$framed if $is_frame;
        !$is_frame && !$framed
    } @lines;
    @lines = @own if @own;
    return splice @lines, -min( $LOG_LINES, scalar @lines );
}

sub _report ( $self, $name, $number, $seconds ) {
    my $widest = $self->_widest($name);
    my $state  = sprintf '%s %d: %.1f s', $name, $number, $seconds;
    $state .= '; ' . widest_text($widest) if $widest;
    $self->{options}{inform}->($state);
    return;
}

# The exit status for an end of run (or an exit status), after a message.
sub ended ($end) {
    return $end    if $end =~ /\A[0-9]+\z/;
    return $DONE   if $end eq 'done';
    return $FAILED if $end eq 'failed';
    complain( $ENDS{$end} // "ended by SIG$end; start again with the same command to go on" );
    return $SIGNAL{$end} ? 128 + $SIGNAL{$end} : $SPENT;
}

1;
