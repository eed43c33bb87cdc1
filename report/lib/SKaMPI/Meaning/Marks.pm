package SKaMPI::Meaning::Marks;

# The marks of times, which the program writes into the rows (marks=). A value is a hash of marks, or with the names of
# @MARKS: true or false.
use SKaMPI::Base;

# Each mark, the name of its condition, its meaning, and that in short.
my @MARKS = (
    [
        q{*} => 'clock_limited',
        'clocks may be apart by more than the error that was asked for', 'clock-limited'
    ],
    [ q{!} => 'contended', 'processes waited for CPUs', 'waited for CPUs' ],
    [
        q{^} => 'unsteady',
        'unsteady: repetitions depend on each other, or visits show a step or a drift',
        'unsteady'
    ],
    [ q{-} => 'empty', 'no valid repetition', 'no valid repetition' ],
    [
        t => 'tailed',
        'the mean of all calls is far above the time, by more than a quarter and its error',
        'mean far above time'
    ],
    [ v => 'rare', 'fewer than five visits, as the file asks', 'few visits' ],
);

# Whether a row missed the requested accuracy, a fraction: a hash of few, time, error, and its words: accuracy and, for
# older files, stop.
sub is_missed ( $asked, $row, $words = $row ) {
    my ( $said, $time, $error ) = ( $words->{accuracy}, @{$row}{qw(time error)} );
    $said //= 'reached' if ( $words->{stop} // 'accuracy' ) eq 'accuracy';
    return $row->{few}        ? 1 : 0 if $row->{few} || ( $error // 1 ) == 0;
    return $said eq 'reached' ? 0 : 1 if defined $said;
    return !$asked || !defined $time || !defined $error || $error > $asked * $time ? 1 : 0;
}

# The marks that one of the values has, such as "*!".
sub marks_of (@values) {
    return join q{}, map { $_->[0] } _marks(@values);
}

# A text with these marks; a letter is not part of a unit before it.
sub marked ( $text, @values ) {
    my $marks = marks_of(@values);
    return $text . ( $marks =~ /\A[a-z]/ ? " $marks" : $marks );
}

# The meanings of these marks, a sentence for each.
sub mark_texts (@values) {
    return map { "$_->[0]: $_->[2]." } _marks(@values);
}

# A line with the meanings of the marks in these texts, "^ unsteady, v few visits"; none without marks.
sub mark_lines (@texts) {
    my @words = map { "$_->[0] $_->[3]" } _marks( map { { marks => $_ } } @texts );
    return @words ? join( q{, }, @words ) : ();
}

sub _marks (@values) {
    my $all = join q{}, map { $_->{marks} // () } @values;
    return grep {
        my ( $symbol, $name ) = @{$_};
        index( $all, $symbol ) >= 0 || grep { $_->{$name} } @values
    } @MARKS;
}

1;
