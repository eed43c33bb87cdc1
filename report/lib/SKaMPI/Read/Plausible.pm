package SKaMPI::Read::Plausible;

# Impossible values of a row, however they were measured. This is the one check of all programs: a database refuses such
# a file; the others name the line, and ignore these errors, counts and percentiles.
use SKaMPI::Base;

use SKaMPI::Meaning::Curve   qw($FARTHEST $LONGEST_US);
use SKaMPI::Meaning::Subject qw(axis_of);

our @EXPORT_OK = qw(implausible is_process_count $MOST_PROCESSES);

my @PERCENTILES = qw(min p25 median p75 max);
my @TIMES       = qw(time error time_all error_all);

# The MPI library counts processes in an int.
our $MOST_PROCESSES = 2**31 - 1;

# No larger count is sure to be a whole number.
my $MOST = 2**53;

# A sentence about the first impossible value of a row (SKaMPI::Read::Suite), or an empty list. With
# @ABSOLUTE, times may be below 0.
sub implausible ( $suite, $row, $is_absolute ) {
    my ( $extras, @found ) = $row->{extras};
    my $errors = $suite->once( errors => \&_errors );
    push @found, 'an error is below 0'
      if _drop( $row, grep { ( $row->{$_} // 0 ) < 0 } qw(error error_all) ) +
      _drop( $extras, grep { ( $extras->{$_} // 0 ) < 0 } @{$errors} );
    push @found, 'a count is not a whole number'
      if _drop( $row, grep { _is_no_count( $row->{$_} // 0 ) } qw(count count_all) );
    push @found, "@PERCENTILES are not in ascending order" if _drop_unordered($extras);
    push @found, 'the time is below 0'
      if ( $row->{time} // 0 ) < 0 && !$is_absolute && !$suite->is_internal;
    my @times =
      ( @{$row}{@TIMES}, @{$extras}{@PERCENTILES}, @{ $row->{node_times} // [] } );
    push @found, sprintf q{a time is above %g us}, $LONGEST_US
      if !$suite->is_internal && grep { defined && $_ > $LONGEST_US } @times;
    my $argument = $row->{argument} // 1;
    push @found, sprintf q{the argument is above %g}, $FARTHEST if $argument > $FARTHEST;
    push @found, 'the argument is below 0' if $argument < 0;
    push @found, "the argument is not a number of processes from 1 to $MOST_PROCESSES"
      if !is_process_count($argument) && axis_of($suite) eq 'nodes';
    return @found ? 'suite \'' . $suite->label . "': " . join q{; }, @found : ();
}

# The words of a row that are errors.
sub _errors ($suite) {
    return [ 'within', map { "$_->{name}_error" } @{ $suite->declared } ];
}

sub is_process_count ($number) {
    return $number >= 1 && $number <= $MOST_PROCESSES && $number == int $number;
}

sub _is_no_count ($number) { return $number < 0 || $number > $MOST || $number != int $number }

# Removes the numbers of a hash that are wrong. Returns how many.
sub _drop ( $numbers, @wrong ) {
    @{$numbers}{@wrong} = () if @wrong;
    return scalar @wrong;
}

sub _drop_unordered ($extras) {
    my $last;
    for my $name (@PERCENTILES) {
        my $value = $extras->{$name} // next;
        return _drop( $extras, @PERCENTILES ) if defined $last && $value < $last;
        $last = $value;
    }
    return 0;
}

1;
