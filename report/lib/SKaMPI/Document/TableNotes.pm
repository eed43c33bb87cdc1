package SKaMPI::Document::TableNotes;

# The notes below skampi-show's tables: the number of measurements, those that ended early or
# inaccurate, and the meaning of columns and marks.
use SKaMPI::Base;

use List::Util qw(any max uniq);

use SKaMPI::Base::Table         qw(shorten);
use SKaMPI::Base::Units         qw(counted format_error format_value some_of);
use SKaMPI::Meaning::Marks      qw(marked);
use SKaMPI::Meaning::Rates      qw(rate_symbols rate_texts);
use SKaMPI::Meaning::SuiteFacts qw(suite_faults @DOUBTS);

# The reasons why a measurement ended before it reached the requested accuracy.
my %ENDS = (
    accuracy       => 'each visit reached it, but they differ by more',
    visits         => 'each visit reached it, but they differ by more',
    repetitions    => 'Max_Repetition was reached first',
    time           => 'Time_Measurement or Time_Suite was used up',
    none           => 'the run ended before further visits',
    unsynchronised => 'too many repetitions in which a process started late',
);

# Marks a time of overlap whose work did not take the wanted time, or of a file that stayed in the page cache.
our $DOUBTFUL = q{?};

# The text of a row's time with its marks, as the legends explain them.
sub row_marked ( $text, $suite, $row ) {
    return marked( $text, { marks => $suite->marks($row) } )
      . ( $suite->is_doubtful($row) ? $DOUBTFUL : q{} );
}

sub table_notes ( $output, @suites ) {
    my @rows   = map { @{ $_->rows } } @suites;
    my $counts = counted( scalar @suites, 'suite' ) . ', ' . counted( scalar @rows, 'measurement' );
    return (
        "$counts; the run is " . ( $output->is_finished ? 'finished.' : 'not finished.' ),
        _faults(@suites), _ends(@suites),
        _legends_of_doubts(@suites),
        _legend( $output, @suites ),
        _rate_lines(@suites), extra_legend(@suites)
    );
}

# Sentences on suites that ended before their last argument, or with wrong data.
sub _faults (@suites) {
    my %labels;
    for my $suite (@suites) {
        push @{ $labels{s/\n/; /gr} }, $suite->label for suite_faults($suite);
    }
    return map {
        my ( $first, @more ) = @{ $labels{$_} };
        $first . ( @more ? ' and ' . counted( scalar @more, 'other suite' ) : q{} ) . ": $_."
    } sort keys %labels;
}

sub _ends (@suites) {
    my ( %missed, $few );
    for my $suite ( grep { !$_->is_internal } @suites ) {
        $missed{ $_->{extras}{stop} // q{} }++
          for grep { $suite->is_inexact($_) } @{ $suite->rows };
        $few += grep { $_->{few} } @{ $suite->rows };
    }
    my @lines = map { "$missed{$_} inaccurate, ended by $_: $ENDS{$_}." }
      grep { $missed{$_} } sort keys %ENDS;
    push @lines, counted( $few, 'measurement' ) . ' with too few repetitions for an error.' if $few;

    # A state of the machine needs a share of the time to be seen.
    my @rows   = map { @{ $_->rows } } @suites;
    my $span_s = max( map { $_->fact('SPAN')->{span_s} // () } @suites );
    my $unseen = max( map { $_->{extras}{unseen}       // () } @rows );
    my @parts  = defined $span_s ? sprintf 'over %.3g s', $span_s : ();
    push @parts, sprintf 'a state of the machine below %.0f %% of the time may be unseen', $unseen
      if defined $unseen;
    push @lines, 'Visits: ' . join( '; ', @parts ) . q{.} if @parts;
    my $two = grep { defined $_->{extras}{states} } @rows;
    push @lines,
      "The machine has several speeds: visits are around two times in $two of "
      . counted( scalar @rows, 'measurement' ) . q{.}
      if $two;
    return @lines;
}

# The meaning of the columns, which differs for a merge of several runs.
sub _legend ( $output, @suites ) {
    my $is_merge = defined $output->field('POSTPROCESSED');
    my $between =
      ( any { defined $_->note('PASSES') } @suites )
      ? 'standard error between visits'
      : 'standard error';
    $between = 'standard error between the runs, or within the only one' if $is_merge;
    my $errors = "+-: $between; count: repetitions" . ( $is_merge ? ' of all runs.' : q{.} );
    my @both   = grep { $_->has_mean } @suites or return $errors;
    my @half   = grep { $_->estimate eq 'cut' && $_->cut_quantile == 0.25 } @both;
    my $part =
      @half == @both
      ? 'the middle half of all calls (Cut_Quantile 0.25)'
      : 'what Cut_Quantile, or estimate, leaves of all calls';
    return ( $errors, "time: $part; mean: all calls." );
}

sub _rate_lines (@suites) {
    my @texts = map { rate_texts($_) } @suites;
    my @parts;
    for my $name (qw(bandwidth rate)) {
        my @formulas = uniq grep { defined } map { $_->{$name} } @texts or next;
        push @parts, "$name: " . join '; ', @formulas;
    }
    push @parts, rate_symbols( map { values %{$_} } @texts ) if @parts;
    return @parts;
}

# The meaning of the mark of doubtful times; tables explain the others.
sub _legends_of_doubts (@suites) {
    my @doubtful;
    for my $suite (@suites) {
        $doubtful[ $suite->has_file ? 1 : 0 ] ||=
          any { $suite->is_doubtful($_) } @{ $suite->rows };
    }
    return map { $doubtful[$_] ? "$DOUBTFUL: $DOUBTS[$_]" : () } keys @DOUBTS;
}

# The program's names, units and texts are shorter; those of a result file may have any length.
my $LONGEST_NAME = 40;
my $LONGEST_TEXT = 100;

# The program writes up to eight values for each pattern; a file may declare any number.
my $MAX_NAMES = 16;

# A list in the order of the declarations, each a hash of the texts name, value and error (relative
# to the value, or in percentage points if the value is in percent). Value and error are empty if
# the row does not have them; an unknown share is "-".
sub extra_cells ( $suite, $row ) {
    return map { _cell( $_, $row, $suite->extra( $row, $_->{name} ) ) } @{ $suite->declared };
}

sub _error_text ( $extra, $value, $error ) {
    return q{} if !defined $error || !defined $value;
    return shorten( format_value( $error, $extra->{unit} ), $LONGEST_NAME )
      if ( $extra->{unit} // q{} ) eq q{%};
    return $value != 0 ? format_error( $error / abs $value ) : q{};
}

sub _cell ( $extra, $row, $value, $error ) {
    my ( $name, $unit ) = @{$extra}{qw(name unit)};
    my $is_unknown = ( $unit // q{} ) eq q{%} && exists $row->{extras}{$name};
    return {
        name => shorten( $name, $LONGEST_NAME ),
        value => defined $value ? shorten( format_value( $value, $unit ), $LONGEST_NAME )
        : $is_unknown ? q{-}
        : q{},
        error => _error_text( $extra, $value, $error ),
    };
}

# The meaning of the names, NAME: TEXT; NAME: TEXT; empty if the suites have no extra values.
sub extra_legend (@suites) {
    my @texts = uniq map { shorten( "$_->{name}: $_->{text}", $LONGEST_TEXT ) }
      map { @{ $_->declared } } @suites;
    return join '; ', some_of( $MAX_NAMES, 'and %d more', @texts );
}

1;
