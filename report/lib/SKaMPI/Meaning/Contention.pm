package SKaMPI::Meaning::Contention;

# Measurements whose processes waited for CPUs. contention_warnings(OUTPUT) returns a sentence
# without its full stop if suites have the fact CONTENDED, else nothing. $CONTENDED marks a row for
# which is_contended of SKaMPI::Read::Suite holds; $CONTENDED_TEXT explains it. @ROW_MARKS has
# this and other conditions that a row's key states: its method, its sign and what it means.
# row_marks(SUITE, ROW) returns the signs of a row.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw($CONTENDED $CONTENDED_TEXT @ROW_MARKS contention_warnings row_marks);

# Marks a row, and what that means.
our $CONTENDED      = q{!};
our $CONTENDED_TEXT = 'processes waited for CPUs that other programs used';

our @ROW_MARKS = (
    [ is_contended => $CONTENDED, $CONTENDED_TEXT ],
    [
        is_unsteady => q{~},
        'unsteady: repetitions depend on each other, or visits show a step or a drift'
    ],
);

sub row_marks ( $suite, $row ) {
    return join q{}, map { $_->[1] } grep { $suite->can( $_->[0] )->( $suite, $row ) } @ROW_MARKS;
}

# What the program says about the suite, among those that it calls contended, with the least share of a CPU.
sub contention_warnings ($output) {
    my @contended = sort { _share($a) <=> _share($b) }
      grep { defined $_->{notes}{CONTENDED} } $output->suites
      or return;
    my ( $count, $all ) = ( scalar @contended, scalar $output->suites );
    my ($text) = split /\n/, $contended[0]{notes}{CONTENDED};
    return "contended: in $count of $all suites; in $contended[0]{label}, $text";
}

sub _share ($suite) {
    my ($percent) = ( $suite->{notes}{CPUSHARE} // q{} ) =~ /\A([0-9]{1,3}[.][0-9])/;
    return $percent // 100;
}

1;

