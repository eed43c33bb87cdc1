package SKaMPI::Read::Plausible;

# Impossible values of a row, however they were measured. This is the one check of all programs: a database refuses such
# a file; the others name the line, and ignore these errors, counts and percentiles.
use SKaMPI::Base;

use SKaMPI::Meaning::Curve   qw($FARTHEST $LONGEST_US);
use SKaMPI::Meaning::Subject qw(axis_of);

my @PERCENTILES = qw(min p25 median p75 max);
my @TIMES       = qw(time error time_all error_all);

# The MPI library counts processes in an int.
our $MOST_PROCESSES = 2**31 - 1;

# No larger count is sure to be a whole number.
my $MOST = 2**53;

# A sentence about the first impossible value of a row (SKaMPI::Read::Suite), or an empty list. With
# @ABSOLUTE, times may be below 0.
sub implausible ( $suite, $row, $is_absolute ) {
    my @found       = _drop_wrong( $suite, $row, my $extras = $row->{extras} );
    my $is_internal = $suite->is_internal;
    push @found, 'the time is below 0'
      if ( $row->{time} // 0 ) < 0 && !$is_absolute && !$is_internal;
    my @times = ( @{$row}{@TIMES}, @{$extras}{@PERCENTILES}, @{ $row->{node_times} // [] } );
    push @found, sprintf q{a time is above %g us}, $LONGEST_US
      if !$is_internal && grep { defined && $_ > $LONGEST_US } @times;
    my $argument = $row->{argument} // 1;
    push @found, sprintf q{the argument is above %g}, $FARTHEST if $argument > $FARTHEST;
    push @found, 'the argument is below 0' if $argument < 0;
    push @found, "the argument is not a number of processes from 1 to $MOST_PROCESSES"
      if !is_process_count($argument) && axis_of($suite) eq 'nodes';
    return @found ? 'suite \'' . $suite->label . "': " . join q{; }, @found : ();
}

# Removes wrong errors, counts and percentiles. Returns what was wrong.
sub _drop_wrong ( $suite, $row, $extras ) {
    my $names  = $suite->once( errors => \&_errors );
    my @errors = grep { ( $row->{$_}    // 0 ) < 0 } qw(error error_all);
    my @words  = grep { ( $extras->{$_} // 0 ) < 0 } @{$names};
    my @counts = grep {
        my $count = $row->{$_} // 0;
        $count < 0 || $count > $MOST || $count != int $count
    } qw(count count_all);
    my @sorted = @{$extras}{@PERCENTILES};    # a slice within grep would add these names
    @sorted = grep { defined } @sorted;
    my @found = (
        @errors || @words ? 'an error is below 0'           : (),
        @counts           ? 'a count is not a whole number' : ()
    );
    if ( grep { $sorted[$_] < $sorted[ $_ - 1 ] } 1 .. $#sorted ) {
        push @found, "@PERCENTILES are not in ascending order";
        push @words, @PERCENTILES;
    }
    @{$row}{ @errors, @counts } = ();
    @{$extras}{@words} = ();
    return @found;
}

# The words of a row that are errors.
sub _errors ($suite) {
    return [ 'within', map { "$_->{name}_error" } @{ $suite->declared } ];
}

sub is_process_count ($number) {
    return $number >= 1 && $number <= $MOST_PROCESSES && $number == int $number;
}

1;
