package SKaMPI::Report::Cases;

use v5.36;

use Exporter   qw(import);
use List::Util qw(any);

use SKaMPI::Report::Selection qw(where_in);

our @EXPORT_OK = qw(case_of each_once mark_isolated);

# A case is isolated if its factor is that many times its neighbours'.
my $ISOLATED = 2;

# What comes first may claim an argument: a suite that contradicts itself explains more than others do.
my %RANK = ( longer => 0 );

# slow and fast are pairs of suite and point; sum: the estimate that fast adds up to.
sub case_of ( $slow, $fast, $sum ) {
    return {
        argument => $slow->[1]{argument},
        slow     => _measured( @{$slow} ),
        fast     => [ map { _measured( @{$_} ) } @{$fast} ],
        sum      => $sum,
        factor   => $slow->[1]{time} / $sum->{time},
    };
}

sub _measured ( $suite, $point ) {
    return { suite => $suite, %{ where_in( $suite, $point ) }, %{$point}{qw(time error inexact)} };
}

# compared: all arguments, in their order, each a hash of factor and is_slow. Those that are slow
# and whose neighbours are not, or by much less, get is_isolated.
sub mark_isolated (@compared) {
    for my $i ( grep { $compared[$_]{is_slow} } 0 .. $#compared ) {
        my @neighbours = map { $_ < 0 ? () : $compared[$_] // () } $i - 1, $i + 1;
        $compared[$i]{is_isolated} =
          ( any { _is_like( $compared[$i], $_ ) } @neighbours ) ? 0 : 1;
    }
    return;
}

sub _is_like ( $case, $neighbour ) {
    return $neighbour->{is_slow} && $neighbour->{factor} * $ISOLATED > $case->{factor};
}

# One disturbed argument of one suite may make cases of many findings: it counts in the first of them
# only. Findings without a case are left out.
sub each_once (@findings) {
    my %claimed;
    my @ordered =
      sort {
        ( $RANK{ $a->{kind} } // 1 ) <=> ( $RANK{ $b->{kind} } // 1 ) || _most($b) <=> _most($a)
      } @findings;
    return map { _summed_up( $_, \%claimed ) } @ordered;
}

sub _most ($finding) {
    return _worst( @{ $finding->{cases} } )->{factor};
}

sub _worst (@cases) {
    my ($worst) = sort { $b->{factor} <=> $a->{factor} } @cases;
    return $worst;
}

# The worst of its cases represents the finding.
sub _summed_up ( $finding, $claimed ) {
    my @cases = grep { !_is_claimed( $_, $claimed ) } @{ $finding->{cases} } or return;
    $claimed->{$_} = 1 for map { _places($_) } grep { $_->{is_isolated} } @cases;
    my $worst = _worst(@cases);
    return {
        %{$finding},
        %{$worst}{qw(factor slow fast sum)},
        count => scalar @cases,
        first => $cases[0]{argument},
        last  => $cases[-1]{argument},
    };
}

sub _is_claimed ( $case, $claimed ) {
    return $case->{is_isolated} && any { $claimed->{$_} } _places($case);
}

# The measurements that it rests on.
sub _places ($case) {
    return map { "$_->{label}\n" . ( $_->{argument} // q{} ) } $case->{slow}, @{ $case->{fast} };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Cases - the arguments at which a finding holds

=head1 DESCRIPTION

A finding is a hash of

    kind   variant, general, composed, datatype or longer
    cases  a list in the order of the arguments
    of     how many arguments were compared

and a case, made by C<case_of([SUITE, POINT], [[SUITE, POINT]...], SUM)>, a hash of

    argument     of the slow operation
    factor       how many times as long
    slow         the operation there: a hash of suite, time, error, inexact and what where_in of
                 SKaMPI::Report::Selection says
    fast         a list: the same of what does the same
    sum          the estimate they add up to
    is_isolated  1 where the neighbouring arguments show nothing like it

C<mark_isolated(COMPARED)> finds out the last of these. C<each_once(FINDINGS)> returns the findings
with the factor, slow, fast and sum of their worst case, and count, first and last: how many cases, and
their smallest and largest argument. An isolated case most often comes of a disturbed measurement, and
each measurement is part of one finding at most for that: that of a suite which contradicts itself, or else
the one with the greatest factor.

=cut
