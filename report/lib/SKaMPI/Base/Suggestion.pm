package SKaMPI::Base::Suggestion;

# Names that a misspelled word may mean.
use v5.36;

use Exporter   qw(import);
use List::Util qw(min);

our @EXPORT_OK = qw(meant nearest);

# The name of which WORD is probably a misspelling, by the rule of skampi; undef if none is near.
sub nearest ( $word, @names ) {
    my $fewest = int( length($word) / 3 ) + 2;
    my $nearest;
    for my $name (@names) {
        next if abs( length($name) - length $word ) >= $fewest;
        my $edits = _edits( lc $word, lc $name );
        ( $fewest, $nearest ) = ( $edits, $name ) if $edits < $fewest;
    }
    return $nearest;
}

# The end of a message about an unknown WORD.
sub meant ( $word, @names ) {
    my $nearest = nearest( $word, @names );
    return defined $nearest ? "; did you mean '$nearest'?" : q{};
}

# The number of single-character edits between two texts.
sub _edits ( $from, $to ) {
    my @row = 0 .. length $to;
    for my $i ( 1 .. length $from ) {
        my @next = ($i);
        for my $j ( 1 .. length $to ) {
            my $differs = substr( $from, $i - 1, 1 ) ne substr( $to, $j - 1, 1 );
            push @next, min( $row[ $j - 1 ] + $differs, $row[$j] + 1, $next[ $j - 1 ] + 1 );
        }
        @row = @next;
    }
    return $row[-1];
}

1;

