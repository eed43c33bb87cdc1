package SKaMPI::Read::Suite;

# One suite of a result file: its header lines and its rows. SKaMPI::Read::Output makes objects of
# this class. Others read them by these methods:
# - label, prefix, name: col_MPI_Bcast-nodes, col and MPI_Bcast-nodes. A label is a plain file name.
# - line, path: where it begins in the file, and the path of the file, or undef.
# - complete: true if the block ends with #eol.
# - pattern, varied, unit: Collective, number of nodes and number. Varied and unit are undefined if
#     nothing is varied.
# - scale, adaptive: linear or logarithmic, and whether refinement added arguments.
# - first, last, stepwidth: the range, from the range: line. Users may edit that line to select what
#     is plotted.
# - defaults, nodes, chunks, window, message_length, time_minutes: the line of
#     default values, and those of its numbers that are present.
# - standard_error, cut_quantile: Fractions: 0.03 for 3 %.
# - arguments, columns: the columns of the Format line, each a hash of name, unit and format; of an argument whose
#     numbers have names (#@ALGORITHMS, #@MEMORIES) also names, by number.
# - note(NAME): the value of the line #@NAME of the suite, or undef; fact(NAME): the values in its text
#     (SKaMPI::Meaning::Facts); fact_names: the names of all these lines.
# - declared: the extra values of the rows as lines #@EXTRA declare them, in this order, each a hash of
#     name, unit (undefined for plain numbers) and text.
# - requested: a hash of the suite's fields in the parameter file (#@SUITES of the header), or
#     undef. SKaMPI::Meaning::Subject derives from them what the suite measures.
# - times: a list of the lines #@TIMES, one for each run with histogram=yes or raw=yes
#     (SKaMPI::Read::Times); undef if there are none.
# - clock_bound: the run's #@CLOCKBOUND in microseconds, or undef.
# - rows: the rows in the order of the file, each a hash of argument (missing for local operations),
#     time, error, count, time_all, error_all, count_all (the first three exclude the repetitions
#     that Cut_Quantile drops, the others include them; files older than 1.20 have only the first
#     three), node_times (a list, if there are any), extras (a hash of the key=value words after #:
#     numbers except for those that the catalogue calls words or modes), column NAME for columns with
#     other names, and line. Times and errors are in microseconds. Numbers are undefined if they are
#     not finite, or cannot be (SKaMPI::Read::Plausible).
#     few is 1 if the row has few=yes or, in an older file, fewer than 4 valid repetitions, of all
#     runs in a merge. Its errors are then missing, also if an older file states them, and findings,
#     key figures and comparisons do not use it.
#     Some older files give [%] as the unit of the standard errors. These numbers are microseconds,
#     too, as their ratios to the times and to the requested accuracy show.
use SKaMPI::Base
  qw(label prefix name line path complete pattern varied unit scale adaptive first last stepwidth
  defaults nodes chunks window message_length time_minutes standard_error cut_quantile arguments
  columns declared requested times clock_bound rows);

use List::Util   qw(any max none);
use Scalar::Util qw(looks_like_number);

use SKaMPI::Base::Table      qw(shorten);
use SKaMPI::Base::TextFile   qw(number_of $NUMBER);
use SKaMPI::Meaning::Catalog qw(pattern_row rows_of);
use SKaMPI::Meaning::Facts   qw(read_fact);
use SKaMPI::Meaning::Legacy  qw(older_marks start_of time_of);
use SKaMPI::Meaning::Subject qw(axis_of count_option_of subject_of);
use SKaMPI::Meaning::Marks   qw(is_missed marks_of);

my $PLAIN = qr/[0-9]+(?:[.][0-9]+)?/;

# Limits of the header: characters of a line, and lines.
my $LONGEST   = 1024;
my $MAX_LINES = 30;

my $LONGEST_NAME = 40;

# Header lines that are kept with their facts.
my $MOST_KNOWN = 1000;

# The most extra values of a row, as in the program. Each may have an error; a row has fewer than 24
# other key=value words.
my $MAX_VALUES = 8;
my $MAX_EXTRAS = 24 + 2 * $MAX_VALUES;

# The limit of the extra value "off", as in the program's list.
my $MAX_OFF_PERCENT = 5;

# File systems in memory keep all pages.
my $MAX_CACHED_PERCENT = 1;

# Fewer repetitions show no error, as in the program.
my $FEWEST = 4;

my $NO_EXTRAS = {};

# A row's numbers as programs write them, all finite.
my $PLAIN_ROW = qr/\A(?:[ ]*[0-9]{1,15}(?:[.][0-9]{1,15})?+(?![^ ]))+[ ]*\z/;

# Values of a row that are not finite numbers.
my $WORD = qr/\A(?:$NUMBER|[+-]?(?:nan|inf(?:inity)?))\z/i;

# The contents of header lines, in any order: an expression, and names for its groups. All of them
# take time proportional to the length of the line.
my $VARIED = qr/[ ]varied[ ]over[ ](?:the[ ])?([^\[]+?)(?:[ ]?\[([^\]]*)\].*)?/;
my $FIRST  = qr/(?:(?![ ]varied[ ]over[ ]|[.]?\z).)+/;
my @FACTS  = (
    [ qr/^Pattern: ($FIRST)(?:$VARIED)?[.]?$/,      qw(pattern varied unit) ],
    [ qr/^The x scale is (\w+)/,                    'scale' ],
    [ qr/^The x scale.*?, (no )?automatic/,         'fixed' ],
    [ qr/^range: ?($PLAIN) ?- ?($PLAIN)/,           qw(first last) ],
    [ qr/stepwidth: ?($PLAIN)/,                     'stepwidth' ],
    [ qr/^default values: ?(.*)/,                   'defaults' ],
    [ qr/^default values:.*?\b([0-9]++) nodes/,     'nodes' ],
    [ qr/^default values:.*?\b([0-9]++) chunks/,    'chunks' ],
    [ qr/^default values:.*?window of ([0-9]++)/,   'window' ],
    [ qr/^default values:.*?length ([0-9]+) bytes/, 'message_length' ],
    [ qr{time for suite \S+?/($PLAIN) ?min},        'time_minutes' ],
    [ qr/allowed standard error is ($PLAIN) ?%/,    'standard_error' ],
    [ qr/cut quantile is ($PLAIN) ?%/,              'cut_quantile' ],
    [ qr/^Format: ?(.*)/,                           'format' ],
);

my @NUMBERS = qw(first last stepwidth nodes chunks window message_length time_minutes);

# Names of the result columns in the Format line, and the names used here.
my @COLUMNS = qw(time error count time_all error_all count_all);
my %COLUMN;
@COLUMN{qw(time_cleaned standard_error_cleaned count_cleaned time_all standard_error_all count_all)}
  = @COLUMNS;

sub new ( $class, $label, $line ) {
    my ( $prefix, $name ) = $label =~ /\A([a-z0-9]+)_(.+)\z/s;
    my %suite = (
        label    => $label,
        prefix   => $prefix // q{},
        name     => $name   // $label,
        line     => $line,
        header   => [],
        notes    => {},
        declared => [],
        rows     => [],
        complete => 0,
    );
    return bless \%suite, $class;
}

# Whether a label is a plain file name, as labels become file names.
sub label_is_sound ($label) {
    return length $label <= 255 && $label !~ m{\A[.]|/|[\p{Cc}]};
}

sub add_header ( $self, $text ) {
    push @{ $self->{header} }, substr $text, 0, $LONGEST if @{ $self->{header} } < $MAX_LINES;
    return;
}

# Continues a header line that an editor or a mail program has wrapped.
sub continue_header ( $self, $text ) {
    return if !@{ $self->{header} };
    $self->{header}[-1] = substr "$self->{header}[-1] $text", 0, $LONGEST;
    return 1;
}

sub end_header ($self) {
    return if $self->{columns};
    for my $text ( @{ $self->{header} } ) {
        my $facts = _facts_of($text);
        $self->{$_} //= $facts->{$_} for keys %{$facts};
    }
    $self->_tidy_facts;
    $self->_read_format( delete $self->{format} // q{} );
    return;
}

# The facts of a header line. Most suites have the same lines.
sub _facts_of ($text) {
    state %known;
    %known = ()          if keys %known > $MOST_KNOWN;
    return $known{$text} if $known{$text};
    my ( $line, %found ) = _one_blank($text);
    for my $fact (@FACTS) {
        my @caught = $line =~ $fact->[0] or next;
        $found{ $fact->[ 1 + $_ ] } //= $caught[$_] for keys @caught;
    }
    return $known{$text} = \%found;
}

# Puts one blank between words, so that expressions need not backtrack over long runs of blanks.
sub _one_blank ($text) {
    return join q{ }, split q{ }, $text;
}

sub _tidy_facts ($self) {
    $self->{adaptive} = !delete $self->{fixed}                    if $self->{scale};
    $self->{varied}   = _one_blank( $self->{varied} =~ tr/_/ /r ) if $self->{varied};
    $self->{unit} //= $self->{varied} =~ /length/ ? 'bytes' : 'number' if $self->{varied};
    $_ /= 100 for grep { defined } @{$self}{qw(standard_error cut_quantile)};
    $_ += 0   for grep { defined } @{$self}{@NUMBERS};
    return;
}

# "<args> NAME [UNIT] (FORMAT) ... <results> NAME [UNIT] (FORMAT) ..."; older files have free text here,
# so their columns are known by their number only.
sub _read_format ( $self, $format ) {
    my ( $arguments, $results ) = $format =~ /<args>(.*?)<results>(.*)/s;
    $self->{columns} = [ _columns( $results // q{} ) ];
    my @arguments = _columns( $arguments // q{} );
    @arguments = ( { name => $self->{varied}, unit => $self->{unit} } )
      if !defined $results && $self->{varied};
    $self->{arguments} = [ map { _argument($_) } @arguments ];
    $self->{varied} //= $arguments[0]{name} if @arguments;
    return;
}

# The argument of a column. Older versions write "message_length [byte]" instead of "message length [bytes]".
sub _argument ($column) {
    my $name = _one_blank( $column->{name} =~ tr/_/ /r );
    my $unit = lc( $column->{unit} // q{} ) =~ s/\A\s*bytes?\s*\z/bytes/r;
    $unit = 'bytes' if $unit eq q{} && $name =~ /\blength\z/;
    return { %{$column}, name => $name, unit => $unit };
}

sub _columns ($list) {
    my @columns;
    while ( $list =~ /\G([^\[\]]+)\[([^\[\]]*)\] ?\(([^()]*)\)(?: per process)?/gc ) {
        push @columns, { name => $1, unit => $2, format => $3 };
        $columns[-1]{name} = _one_blank( $columns[-1]{name} );
    }
    return @columns;
}

# Adds a row with at most MAX_TIMES node times. Returns what is wrong with it, or nothing.
sub add_row ( $self, $text, $line, $most_times = 'inf' ) {
    $self->end_header if !$self->{columns};
    my ( $numbers, $extras ) = split /#/, $text, 2;
    my @texts = $self->_values( $numbers, $most_times );
    my @values;
    if ( $numbers =~ $PLAIN_ROW ) {
        @values = map { $_ + 0 } @texts;
    }
    else {
        @values = map { number_of($_) } @texts;
        my ($wrong) = grep { !defined $values[$_] && $texts[$_] !~ $WORD } keys @texts;
        return "not a number: '$texts[$wrong]'" if defined $wrong;
    }
    my @arguments = splice @values, 0, scalar @{ $self->{arguments} };
    my $names     = $self->_names( scalar @values );
    return 'fewer columns than the Format line lists' if @values < @{$names};
    return 'the argument is not a number'             if grep { !defined } @arguments;

    my %row = ( line => $line, extras => $self->_extras($extras) );
    $row{argument}    = $arguments[0] if @arguments;
    $row{arguments}   = \@arguments   if @arguments > 1;
    @row{ @{$names} } = splice @values, 0, scalar @{$names};
    _forget_errors( \%row );
    $row{node_times} = \@values if @values;
    push @{ $self->{rows} }, \%row;
    return;
}

# Removes the errors of few repetitions, in a merge of all runs: such a row is not an estimate.
# Older files state errors of any number.
sub _forget_errors ($row) {
    my $all = ( $row->{count_all} // $row->{count} ) || $FEWEST;
    return if ( $row->{extras}{few} // q{} ) ne 'yes' && $all >= $FEWEST;
    $row->{few} = 1;
    delete @{$row}{ grep { exists $row->{$_} } qw(error error_all) };
    return;
}

# The words of a row. Node times beyond the limit are counted and skipped.
sub _values ( $self, $numbers, $most_times ) {
    my @values = split q{ }, $numbers;
    my $most   = $self->{most_values} //=
      @{ $self->{arguments} } + max( scalar @COLUMNS, scalar @{ $self->{columns} } );
    return @values if @values <= $most + $most_times;
    $self->{times_skipped} += @values - $most;
    return @values[ 0 .. $most - 1 ];
}

# Adds the declaration "NAME [UNIT] meaning" of an extra value of the rows.
sub add_extra ( $self, $note ) {
    my ( $name, $unit, $text ) = @{ read_fact( 1, 'EXTRA', $note ) }{qw(name unit text)};
    return if @{ $self->{declared} } >= $MAX_VALUES || ( $name // q{=} ) =~ /=/;
    push @{ $self->{declared} }, { name => $name, unit => $unit, text => $text // q{} };
    return;
}

sub note ( $self, $name ) { return $self->{notes}{$name} }

# Whether it measures the clocks, for the run itself: its rows are processes.
sub is_internal ($self) {
    return $self->{is_internal} //=
      any { $_ eq 'per_process' } @{ ( pattern_row( $self->{prefix} ) // {} )->{traits} };
}

sub fact ( $self, $name ) {
    return $self->{facts}{$name} //= read_fact( 1, $name, $self->{notes}{$name} );
}

sub fact_names ($self) { return keys %{ $self->{notes} } }

# The facts that name the numbers of an argument, by axis.
my %NAMES = ( algorithm => 'ALGORITHMS', map { $_ => 'MEMORIES' } qw(sent received) );

# Adds these names to the column of the argument.
sub name_arguments ($self) {
    my $fact = $NAMES{ axis_of($self) } // return;
    $self->{arguments}[0]{names} =
      { map { $_->{number} => shorten( $_->{name}, $LONGEST_NAME ) }
          @{ $self->fact($fact)->{list} } };
    return;
}

sub has_file ($self) { return defined $self->{notes}{FILE} }

# How many visits the arguments of a suite that is not finished had, such as "2 of 5"; undef for others.
sub visits ($self) {
    my ( $done, $all ) = @{ $self->fact('PASSES') }{qw(done visits)};
    return defined $done ? "$done of $all" : undef;
}

# The extra value of this name in a row and its error, undefined if missing.
sub extra ( $self, $row, $name ) {
    my ( $value, $error ) =
      map { number_of( $row->{extras}{$_} ) } $name, "${name}_error";
    return ( $value, $row->{few} || ( $error // 0 ) < 0 ? undef : $error );
}

# Whether a row with this argument is outside of the suite's range: line.
sub is_outside ( $self, $argument ) {
    my ( $first, $last ) = @{$self}{qw(first last)};
    return 0 if grep { !defined } $argument, $first, $last;
    return $argument < $first || $argument > $last ? 1 : 0;
}

# Whether the row has few repetitions, or an error above the requested accuracy (is_missed of SKaMPI::Meaning::Marks).
sub is_inexact ( $self, $row ) {
    return is_missed( $self->{standard_error}, $row, $row->{extras} );
}

# Whether, in a row of the overlap pattern, the work of a process differs too much from the intended
# one (off=), or with io_cache=dropped too much of the file stayed in the page cache (cached=).
sub is_doubtful ( $self, $row ) {
    my $drops = ( $self->fact('FILE')->{cache} // 'kept' ) ne 'kept';
    my ( $name, $limit ) =
        $self->{prefix} =~ /\A(?:vt)?overlap\z/ ? ( off    => $MAX_OFF_PERCENT )
      : $drops                                  ? ( cached => $MAX_CACHED_PERCENT )
      :                                           return 0;
    my ($value) = $self->extra( $row, $name );
    return defined $value && $value > $limit ? 1 : 0;
}

# The two times around which the row's repetitions are (modes=), each a hash of time and percent,
# the part of the repetitions; empty if it has one mode.
sub two_modes ( $self, $row ) {
    my @numbers = ( $row->{extras}{modes} // q{} ) =~ /\A($PLAIN):($PLAIN),($PLAIN):($PLAIN)\z/
      or return;
    return map { { time => $numbers[$_], percent => $numbers[ $_ + 1 ] } } 0, 2;
}

# The name of the definition of its times, with words for the changes by keys, as #@TIME has it.
sub time_name ($self) {
    return $self->{time_name} //= $self->{notes}{TIME} // time_of( subject_of($self) );
}

# Whether all processes start at a common instant of the global clock.
sub starts_by_clock ($self) {
    my $start = $self->{start} //= $self->{notes}{START} // start_of($self);
    return $start eq 'clock' ? 1 : 0;
}

# Whether the times contain the skew with which the previous barrier was left. Files that do not define their times
# do not say it.
sub contains_skew ($self) {
    return defined $self->{notes}{TIMEOF} && $self->time_name =~ /\Aroot_and_barrier\b/ ? 1 : 0;
}

# The time in microseconds below which the undetectable part of clock differences may exceed the requested error
# (#@CLOCKBOUND divided by it, for a suite with a common start); undef if it is unknown.
sub clock_limit ($self) {
    my ( $bound, $asked ) = ( $self->{clock_bound}, $self->asked_of_call );
    return $bound && $asked && $self->starts_by_clock ? $bound / $asked : undef;
}

# The requested error of one call; with loop=, that of all calls of an interval.
sub asked_of_call ($self) {
    return $self->{asked_of_call} //=
      ( $self->{standard_error} // 0 ) * ( count_option_of( $self, 'loop' ) // 1 );
}

# Whether the clocks may be apart by more than the requested error of a row's time.
sub is_clock_limited ( $self, $row ) { return index( $self->marks($row), q{*} ) >= 0 ? 1 : 0 }

# The marks of a row's time (SKaMPI::Meaning::Marks), as the program wrote them, or of a point that has them.
sub marks ( $self, $row ) {
    return $row->{marks} // $row->{extras}{marks} // q{} if defined $self->{notes}{RULE};
    return $row->{older_marks} //= marks_of( older_marks( $self, $row ) );
}

# How a row's time follows from its repetitions; empty if the file does not say it.
sub estimate ($self) { return $self->{notes}{ESTIMATE} // q{} }

# Whether its rows have a mean that is not their time.
sub has_mean ($self) {
    return
         defined $self->{notes}{RULE}
      && ( $self->{cut_quantile} || $self->estimate ne 'cut' )
      && any { defined $_->{time_all} } @{ $self->{rows} };
}

# The evidence for a row's error: a hash of its marks and visits, the number of visits, or runs of a
# merge, that it is between.
sub evidence ( $self, $row ) {
    my ( $runs, $passes, $disturbed ) = @{ $row->{extras} }{qw(runs passes disturbed)};
    my $visits = $runs // ( $passes // 1 ) - ( $disturbed // 0 );
    return { visits => $visits, marks => $self->marks($row) };
}

# The times of all repetitions, a SKaMPI::Read::Times, or undef.
sub kept_times ($self) {
    return if !$self->{times} || !defined $self->{path};
    require SKaMPI::Read::Times;
    return $self->{kept_times} //= SKaMPI::Read::Times->new( $self->{path}, $self );
}

# The peaks of the distribution of a row's repetitions (SKaMPI::Stat::Distribution); empty if it is unknown.
sub modes ( $self, $row ) {
    my $times    = $self->kept_times or return;
    my $argument = $row->{argument} // 0;
    my $known    = $self->{modes}{$argument} //=
      [ map { $_->modes } $times->distribution($argument) // () ];
    return @{$known};
}

sub is_bimodal ( $self, $row ) {
    my @modes = ( $self->two_modes($row), $self->modes($row) );
    return @modes > 1 ? 1 : 0;
}

# The names of the columns after the arguments; further columns are node times.
sub _names ( $self, $count ) {
    my $named = $self->{names} //= [
        map { $COLUMN{$_} // "column $_" }
        grep { $_ ne 'node_time' } map { $_->{name} } @{ $self->{columns} }
    ];
    return $named if @{$named};
    return $count < @COLUMNS ? [ @COLUMNS[ 0 .. 2 ] ] : \@COLUMNS;
}

# The key=value words after a row: numbers, or words if the catalogue calls them so, else undef; names that neither the
# catalogue nor the suite declares only with numbers.
sub _extras ( $self, $text ) {
    state $kind_of = { map { $_->{name} => $_->{kind} } rows_of('details') };
    return $NO_EXTRAS if !defined $text;
    my @words = split q{ }, $text, $MAX_EXTRAS + 1;
    splice @words, $MAX_EXTRAS;
    my %extras = map { split /=/, $_, 2 } grep { index( $_, q{=} ) > 0 } @words;
    for my $name (
        grep { $extras{$_} =~ tr/0-9.//c || !looks_like_number( $extras{$_} ) }
        keys %extras
      )
    {
        my $kind = $kind_of->{$name};
        next if defined number_of( $extras{$name} ) || ( $kind // q{} ) =~ /\A(?:word|modes)\z/;
        $extras{$name} = undef;
        delete $extras{$name}
          if !defined $kind && none { $_->{name} eq $name } @{ $self->{declared} };
    }
    return %extras ? \%extras : $NO_EXTRAS;
}

1;
