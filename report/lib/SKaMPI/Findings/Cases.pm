package SKaMPI::Findings::Cases;

# The arguments at which a finding holds. A finding is a hash of
#   kind   variant, general, composed, datatype or longer
#   cases  a list in the order of the arguments
#   of     how many arguments were compared
# and a case a hash of
#   argument     of the slow operation
#   factor       the ratio of the times
#   slow         the operation there: a hash of suite, time, error, inexact and the values of where_in
#                of SKaMPI::Findings::Selection
#   fast         a list of such hashes: the operations that do the same
#   sum          the estimate of their total time
#   is_isolated  1 if the neighbouring arguments show nothing similar
# Most isolated cases are disturbed measurements, so each measurement is part of at most one finding about
# them: that of a suite which contradicts itself, or else the one with the largest factor.
use SKaMPI::Base;

use List::Util qw(all max none sum0);

use SKaMPI::Findings::Selection qw(where_in);
use SKaMPI::Stat::Estimate      qw(median quotient);

# A case is isolated if its factor is at least this many times that of its neighbours.
my $ISOLATED = 2;

# Findings of the first rank claim an argument first: a suite that contradicts itself explains more than a comparison.
my %RANK = ( longer => 0 );

# slow is a pair of suite and point, fast a list of such pairs, sum the estimate of their total.
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
    return $point->{measured} //= {
        suite => $suite,
        %{ where_in( $suite, $point ) }, %{$point}{qw(time error count inexact visits marks)}
    };
}

# Takes all compared arguments in order, each a hash of factor and is_slow. Sets is_isolated of the slow ones: 1 if no
# neighbour is slow, or only by a much smaller factor.
sub mark_isolated (@compared) {
    for my $i ( grep { $compared[$_]{is_slow} } keys @compared ) {
        my ( $case, @near ) = map { $_ < 0 ? () : $compared[$_] // () } $i, $i - 1, $i + 1;
        my @like = grep { $_->{is_slow} && $_->{factor} * $ISOLATED > $case->{factor} } @near;
        $case->{is_isolated} = @like ? 0 : 1;
    }
    return;
}

# The cases of a finding about COUNT arguments that may be confirmed: those that hold at two neighbouring arguments, if
# there are two, or that the launch measured again.
sub candidates ( $count, @cases ) {
    return @cases if $count == 1;
    return grep {
        !$_->{is_isolated} || all { defined $_->{suite}->note('PASSES') } $_->{slow},
          @{ $_->{fast} }
    } @cases;
}

# The findings with the remaining cases, the factor, slow, fast and sum of their worst case, and with count, first and
# last: the number of cases, and their smallest and largest argument. Findings without remaining cases are dropped.
sub each_once (@findings) {
    my %claimed;
    my @ordered =
      sort {
        ( $RANK{ $a->{kind} } // 1 ) <=> ( $RANK{ $b->{kind} } // 1 )
          || _largest_factor($b) <=> _largest_factor($a)
      } @findings;
    my @once;
    for my $finding (@ordered) {
        my @cases = grep {
            !$_->{is_isolated}
              || none { $claimed{$_} }
              _measurements($_)
        } @{ $finding->{cases} }
          or next;
        $claimed{$_} = 1 for map { _measurements($_) } grep { $_->{is_isolated} } @cases;
        my ($worst) = sort { $b->{factor} <=> $a->{factor} } @cases;
        push @once,
          {
            %{$finding},
            cases => \@cases,
            %{$worst}{qw(factor slow fast sum)},
            count => scalar @cases,
            first => $cases[0]{argument},
            last  => $cases[-1]{argument},
          };
    }
    return @once;
}

sub _largest_factor ($finding) {
    return max( map { $_->{factor} } @{ $finding->{cases} } );
}

sub _measurements ($case) {
    return map { "$_->{label}\n" . ( $_->{argument} // q{} ) } $case->{slow}, @{ $case->{fast} };
}

# The least error: those of one launch do not contain the differences between launches.
my $MIN_ERROR = 0.001;

# Adds to each finding its evidence: a factor of 1.2 at all arguments is stronger than a factor of 3 at a single
# one, or than a factor of 2 with an error of 40 %. Its cases have the statistic of skampi-compare, T = ln(ratio) / (s +
# s0), with the standard error s of the logarithm, and s0, the median of s over all cases. An argument without a case
# counts as 0: the sum of T is divided by the root of the number of arguments.
sub add_evidence (@findings) {
    my @cases   = map { @{ $_->{cases} } } @findings;
    my @ratios  = map { scalar quotient( @{$_}{qw(slow sum)} ) } @cases;
    my @errors  = map { ( $_->{error} // 0 ) / $_->{ratio} } @ratios;
    my $typical = max( $MIN_ERROR, median(@errors) );
    for my $i ( 0 .. $#cases ) {
        $cases[$i]{t} = abs( log $cases[$i]{factor} ) / ( $errors[$i] + $typical );
    }
    for my $finding (@findings) {
        my $sum = sum0( map { $_->{t} } @{ $finding->{cases} } );
        $finding->{evidence} = $sum / sqrt $finding->{of};
    }
    return;
}

1;
