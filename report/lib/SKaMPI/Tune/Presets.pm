package SKaMPI::Tune::Presets;

# The environment variables of Intel MPI, I_MPI_ADJUST_BCAST='3:0-1023@1-2;7:1024-2147483647@1-2;...': presets for
# lengths of the own block and numbers of processes. The library obeys the first entry whose upper limits are not below
# the call's, otherwise the last one; so a variable decides about every call, and none of them returns to the library's
# own choice (preset 0 is another one). It drops a variable with words, such as 'max'.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Meaning::PlottedPoints qw(grouped);

my $MOST  = 2**31 - 1;
my $ENTRY = qr/(\d+)(?::(\d+)-(\d+)(?:\@(\d+)-(\d+))?)?/;

# The cells with a preset in each of them, where the test allows it: of a collective with a confirmed one, each other
# cell has the fastest that is not confirmed to be slower. If a cell has no such preset, the collective has no preset
# at all.
sub everywhere (@cells) {
    return map {
        my @own    = @{$_};
        my @filled = map { +{ %{$_}, chosen => $_->{chosen} || _not_slower($_) } } @own;
        my $whole  = ( any { $_->{chosen} } @own ) && !any { !$_->{chosen} } @filled;
        $whole ? @filled : map { +{ %{$_}, chosen => 0 } } @own
    } grouped( sub ($cell) { return $cell->{collective} }, @cells );
}

sub _not_slower ($cell) {
    my $points  = $cell->{points} // {};
    my ($least) = sort { $points->{$a}{log} <=> $points->{$b}{log} || $a <=> $b }
      grep { $points->{$_}{verdict} ne 'slower' } keys %{$points};
    return $least // 0;
}

sub presets_of (@cells) {
    my ( %by, %value );
    push $by{ $_->{variable} }{ $_->{processes} }->@*, $_ for grep { $_->{chosen} } @cells;
    for my $variable ( keys %by ) {
        my @sizes = sort { $a <=> $b } keys $by{$variable}->%*;
        my @entries;
        for my $i ( 0 .. $#sizes ) {
            my $from = $i ? $sizes[ $i - 1 ] + 1 : 1;
            push @entries,
              map { @sizes > 1 ? "$_\@$from-$sizes[$i]" : $_ }
              _lengths( $by{$variable}{ $sizes[$i] }->@* );
        }
        $value{$variable} = join q{;}, @entries;
    }
    return %value;
}

# Returns the entries for one number of processes.
sub _lengths (@cells) {
    my @runs;
    for my $cell ( sort { $a->{length} <=> $b->{length} } @cells ) {
        my ($preset) = $cell->{names}{ $cell->{chosen} } =~ /(\d+)\z/;
        push @runs, [ $preset, @runs ? $cell->{length} : 0 ] if !@runs || $runs[-1][0] != $preset;
    }
    return map {
        my $to = $_ < $#runs ? $runs[ $_ + 1 ][1] - 1 : $MOST;
        "$runs[$_][0]:$runs[$_][1]-$to"
    } 0 .. $#runs;
}

# Messages about a value as the library uses it.
sub problems_of_presets ($value) {
    my @entries = map { [/\A$ENTRY\z/] } split /;/, $value, -1;
    return
"expected PRESET:BYTES-BYTES\@PROCESSES-PROCESSES in numbers, separated by ';': the library ignores the variable"
      if !@entries || any { !@{$_} } @entries;
    my ( @problems, @before );
    for my $entry (@entries) {
        my @limits = ( $entry->[4] // $MOST, $entry->[2] // $MOST );
        my $ended  = @before && ( $limits[0] <=> $before[0] || $limits[1] <=> $before[1] ) <= 0;
        push @problems,
          "preset $entry->[0] is never used: an entry before it has the same or higher limits"
          if $ended;
        @before = @limits if !$ended;
    }
    push @problems, 'the last entry has limits, but is used above them, too'
      if any { $_ < $MOST } $entries[-1][2] // $MOST;
    return @problems;
}

1;
