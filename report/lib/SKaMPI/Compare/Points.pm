package SKaMPI::Compare::Points;

# The points that two sides have in common. A point is a hash of label, argument (undef for suites
# that vary nothing), column, and base and new: for each launch the logarithm of its value, or
# undef.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);
use POSIX      qw(ceil);

use SKaMPI::Meaning::Marks qw(marks_of);

our @EXPORT_OK = qw(points_of);

# A point is compared if at least this part of the launches of both sides have it. Refinement chooses other
# arguments in each launch.
my $ENOUGH = 0.8;

# Takes two lists of launches (SKaMPI::Compare::Launch). Returns a list of points, and a hash of
# what is left out: suites (the labels of those that only one side has) and arguments (how many
# fewer than 80 % of the launches of a side have).
sub points_of ( $base, $new ) {
    my @labels = uniq map { sort keys %{ $_->{suites} } } @{$base}, @{$new};
    my ( @points, %left_out );
    for my $label (@labels) {
        my @sides = map {
            [ map { $_->{suites}{$label} } @{$_} ]
        } $base, $new;
        my @has = map {
            scalar grep { defined }
              @{$_}
        } @sides;
        push @{ $left_out{suites} }, $label and next if grep { !$_ } @has;
        my ( $kept, $dropped ) = _points_of_suite( $label, @sides );
        push @points, @{$kept};
        $left_out{arguments} += $dropped;
    }
    return ( \@points, \%left_out );
}

sub _points_of_suite ( $label, @sides ) {
    my ($first)   = grep     { defined } @{ $sides[0] };
    my @arguments = uniq map { keys %{ $_->{values} } } grep { defined } map { @{$_} } @sides;
    my ( $dropped, @points ) = (0);
    for my $argument ( sort { ( $a || 0 ) <=> ( $b || 0 ) } @arguments ) {
        my @logs = map { _logarithms( $argument, @{$_} ) } @sides;
        my $few  = grep {
            ( grep { defined } @{$_} ) < ceil( $ENOUGH * @{$_} - 1e-9 )
        } @logs;
        $dropped += $few ? 1 : 0;
        next if $few;
        push @points,
          {
            label      => $label,
            argument   => $argument eq q{} ? undef : $argument + 0,
            column     => $first->{column},
            base       => $logs[0],
            new        => $logs[1],
            base_marks => _marks( $argument, @{ $sides[0] } ),
            new_marks  => _marks( $argument, @{ $sides[1] } ),
          };
    }
    return ( \@points, $dropped );
}

sub _logarithms ( $argument, @suites ) {
    return [ map { my $value = $_ && $_->{values}{$argument}; $value ? log $value : undef }
          @suites ];
}

# One of the launches has it; a baseline has none.
sub _marks ( $argument, @suites ) {
    return marks_of( map { { marks => $_->{marks}{$argument} } } grep { defined } @suites );
}

1;
