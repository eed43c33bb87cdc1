package SKaMPI::Meaning::SuiteFacts;

# Facts and notes about a suite. They may contain any text of the file; escape them before printing.
use SKaMPI::Base;

use List::Util qw(max pairs sum);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units
  qw(counted errors_text format_argument format_bytes format_percent format_time varied_text with_mu with_units);
use SKaMPI::Meaning::Marks    qw(mark_texts);
use SKaMPI::Meaning::Likeness qw(skew_note);
use SKaMPI::Meaning::Subject  qw(subject_of title_of);
use SKaMPI::Stat::Estimate    qw(relative_error);

my $LONGEST_NOTE = 300;

# The meaning of a row's mark of doubt, for work and for files.
our @DOUBTS = (
    'the work of a process differs by more than 5 % from what was wanted; overlap and availability'
      . ' are doubtful.',
    'part of the file stayed in the page cache, which the file system does not drop; the time is'
      . ' not that of a disk.',
);

# The titles of facts in their order, the request before the outcome, and functions of the suite, which return nothing
# if it does not have the fact.
my @FACTS = (
    Measures => sub ($suite) {
        my $subject = subject_of($suite);
        return if !defined $subject->{number};
        return "$subject->{pattern}_" . title_of($suite) . ", type $subject->{number}";
    },
    Varied => sub ($suite) {
        return if !defined $suite->varied;
        my ( $first, $last ) = ( $suite->first, $suite->last );
        return varied_text( $suite->varied ) if !defined $first || !defined $last;
        my $column = $suite->arguments->[0] // {};
        ( $first, $last ) = map { format_argument( $_, $column ) } $first, $last
          if ( $column->{unit} // q{} ) eq 'bytes' || $column->{names};
        my $range = $first eq $last ? $first : "$first to $last";
        return varied_text( $suite->varied ) . ", $range";
    },
    Scale => sub ($suite) {
        my ( $first, $last ) = ( $suite->first, $suite->last );
        return if !defined $suite->scale || defined $first && defined $last && $first == $last;
        my $step = $suite->scale eq 'logarithmic' ? 'factor' : 'step';
        $step = defined $suite->stepwidth ? sprintf ", $step %.6g", $suite->stepwidth : q{};
        return $suite->scale . $step if !$suite->adaptive;
        my ( $swept, $all ) = @{ $suite->fact('SWEEP') }{qw(swept all)};
        my $some = defined $all && $swept < $all ? ': ' . _note_of('SWEEP')->($suite) : q{};

        # A merge does not know which points were added, as each run has added others.
        my $rows  = $suite->rows;
        my $added = grep { $_->{extras}{refined} } @{$rows};
        $added = max( 0, @{$rows} - $swept ) if defined $suite->note('RUNS') && defined $swept;
        return $suite->scale . "$step$some; " . counted( $added, 'point' ) . ' added';
    },
    Interpolation => _note_of('INTERPOLATION'),
    Fixed         => sub ($suite) {
        my @parts;
        my $varied = $suite->varied // q{};
        push @parts, $suite->nodes . ' processes' if $suite->nodes && $varied !~ /nodes/;
        my ($chunks) = ( $suite->defaults // q{} ) =~ /([0-9]+ chunks(?: per worker)?)/;
        push @parts, $chunks if defined $chunks && $varied !~ /chunks/;
        push @parts, 'window of ' . $suite->window . ' messages'
          if defined $suite->window && $varied !~ /window/;
        push @parts, 'message length ' . format_bytes( $suite->message_length )
          if defined $suite->message_length && $varied !~ /length/;
        return @parts ? join ', ', @parts : undef;
    },
    Data     => _note_of('DATA'),
    Files    => _note_of('FILE'),
    Accuracy => sub ($suite) {
        return if !defined $suite->standard_error;
        my $cut  = $suite->cut_quantile;
        my $text = format_percent( $suite->standard_error );
        return $cut ? sprintf '%s; %.3g %% cut off at each end', $text, 100 * $cut : $text;
    },
    Idle => sub ($suite) {
        my $ranks = $suite->note('IDLE') // return;
        return 'without a partner: rank ' . shorten( $ranks, 80 );
    },
    Groups => sub ($suite) {
        my ( $groups, $size, $layout ) = @{ $suite->fact('GROUPS') }{qw(groups size layout)};
        return defined $groups ? "$groups of $size processes, $layout" : undef;
    },
    Rounds => _note_of( 'ROUNDS', 80 ),

    # The inequality of an irregular collective's parts; the last line has the most processes.
    Parts => sub ($suite) {
        my $last = $suite->fact('SPREAD')->{list}[-1] // return;
        my $hash = defined $last->{hash} ? length ", hash $last->{hash}" : 0;
        return shorten( substr( $last->{text}, 0, length( $last->{text} ) - $hash ), 200 );
    },
    Calls         => sub ($suite) { return $suite->note('LOOP') },
    Path          => _note_of('PATH'),
    'Index lists' => sub ($suite) {
        return $suite->fact('LISTS')->{unknown} ? undef : _note_of('LISTS')->($suite);
    },
    Passes => sub ($suite) { return $suite->note('PASSES') },

    # Errors between runs do not compare with the requested accuracy within a run.
    Errors => sub ($suite) { return defined $suite->note('RUNS') ? undef : _errors($suite) },
    'Between runs' =>
      sub ($suite) { return defined $suite->note('RUNS') ? _errors($suite) : undef },
    Outliers => sub ($suite) {
        my @rows = grep { defined $_->{extras}{outliers} } @{ $suite->rows } or return;
        my $all  = sum( map { $_->{count_all} // 0 } @rows );
        my $out  = sum( map { $_->{extras}{outliers} } @rows );
        return "$out of $all repetitions are far above the mean and left out of it";
    },

    # Visits that medians, and blocks of older versions, exclude.
    'Left out' => sub ($suite) {
        my @rows = grep { $_->{extras}{disturbed} } @{ $suite->rows } or return;
        return sprintf '%s, in %d of %d points',
          counted( sum( map { $_->{extras}{disturbed} } @rows ), 'visit' ),
          scalar @rows, scalar @{ $suite->rows };
    },
    Speeds => sub ($suite) {
        my $rows = grep { defined $_->{extras}{states} } @{ $suite->rows } or return;
        return
          sprintf 'the machine has several speeds: visits are around two times in %d of %d points',
          $rows, scalar @{ $suite->rows };
    },
    Effort => sub ($suite) {
        my @counts = grep { defined } map { $_->{count_all} // $_->{count} } @{ $suite->rows };
        return if !@counts;
        my $minutes = $suite->time_minutes ? sprintf ', %.3g min', $suite->time_minutes : q{};
        return sum(@counts) . " repetitions$minutes";
    },
    'First call' => sub ($suite) {
        my $us = $suite->fact('FIRSTCALL')->{us} // return;
        return with_mu( format_time($us) );
    },
);

# Pairs of title and text.
sub suite_facts ($suite) {
    return grep { defined $_->[1] } map { [ $_->[0], scalar $_->[1]->($suite) ] } pairs @FACTS;
}

# A function that returns a note of a suite, shortened.
sub _note_of ( $name, $longest = $LONGEST_NOTE ) {
    return sub ($suite) {
        my $text = $suite->note($name);
        return defined $text ? shorten( with_units($text), $longest ) : undef;
    };
}

sub _errors ($suite) {
    my @errors = grep { defined } map { relative_error($_) } @{ $suite->rows };
    return if !@errors;
    my $worst = errors_text(@errors) =~ s/\Aerrors //r;
    my $count = grep { $suite->is_inexact($_) } @{ $suite->rows };
    return $worst if !$count;
    return "$worst; $count of " . @{ $suite->rows } . ' points missed the accuracy';
}

# Sentences on why a suite ended before its last argument, and on wrong data.
sub suite_faults ($suite) {
    my ( $note, $wrong ) = ( $suite->note('NOTE'), $suite->note('WRONGDATA') );
    return grep { defined } $note, defined $wrong ? "wrong data: $wrong" : undef;
}

# Sentences on what makes the values of a suite less than they seem, of these points (SKaMPI::Meaning::PlottedPoints).
sub suite_warnings ( $suite, $points ) {
    my @notes;
    push @notes, 'This suite is incomplete: the run ended before it was finished.'
      if !$suite->complete;
    push @notes, 'This suite is not finished: its arguments have ' . $suite->visits . ' visits.'
      if defined $suite->visits;
    push @notes, map { shorten( "\u$_.", $LONGEST_NOTE ) } suite_faults($suite);
    push @notes, _rows( $points->unusable ) . ' no valid time.' if $points->unusable;
    push @notes, 'The plot shows ' . $points->some . ' of ' . $points->all . ' points.'
      if $points->are_thinned;
    my ( $doubtful, $all ) = ( $points->has('doubtful'), scalar $points->all );
    push @notes,
      "$doubtful of $all rows are marked as doubtful: $DOUBTS[ $suite->has_file ? 1 : 0 ]"
      if $doubtful;
    return @notes;
}

sub suite_notes ( $suite, $points ) {
    my @notes;
    push @notes, _rows( $points->outside ) . ' an argument outside of the range line; not shown.'
      if $points->outside;

    # Refinement adds other arguments in each run of a merge.
    my $count = grep { ( $_->{extras}{error} // q{} ) eq 'within' } @{ $suite->rows };
    push @notes,
      ( $count == 1 ? 'One point was' : "$count points were" )
      . ' measured by a single run only, with the error within that run.'
      if $count;
    for my $text ( mark_texts( { marks => '!^-tv' } ) ) {
        my $mark   = substr $text, 0, 1;
        my $marked = grep { index( $suite->marks( $_->{row} ), $mark ) >= 0 } $points->all or next;
        push @notes, "In $marked of " . $points->all . " rows ($mark)" . substr $text, 1;
    }
    if ( my @rows = grep { $suite->two_modes($_) } map { $_->{row} } $points->all ) {
        my @modes = map { "$_->{percent} % take " . with_mu( format_time( $_->{time} ) ) }
          $suite->two_modes( $rows[-1] );
        my ( $some, $all ) = ( scalar @rows, scalar $points->all );
        push @notes, "The repetitions of $some of $all rows have two modes."
          . " In the last of these, $modes[0] and $modes[1].";
    }
    return ( @notes, map { ucfirst "$_." } skew_note($suite) );
}

# A note on the mark of times that the clocks limit.
sub clock_note ( $suite, $points ) {
    return if !$points->has('limited');
    return 'the residual of clocks is more than half of the requested error in some rows'
      if !$suite->clock_limit;
    my ( $limit, $bound ) = map { with_mu( format_time($_) ) } $suite->clock_limit,
      $suite->clock_bound;
    return "times below $limit: the clocks may be up to $bound apart without any message showing"
      . ' it (clock bound), which is more than the requested error';
}

sub _rows ($count) {
    return $count == 1 ? 'One row has' : "$count rows have";
}

1;
