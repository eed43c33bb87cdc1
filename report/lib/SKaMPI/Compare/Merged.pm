package SKaMPI::Compare::Merged;

# Several launches as one result, for plots.
use v5.36;

use Exporter   qw(import);
use List::Util qw(min sum0);

use SKaMPI::Compare::Points qw(points_of);
use SKaMPI::Stat::Estimates qw(estimate_mean);

our @EXPORT_OK = qw(merged_output);

# Words of a row that hold for the merge as well.
my @KEPT = qw(stop refined);

# OUTPUTS is a list of SKaMPI::Read::Output, LAUNCHES the same as a list of SKaMPI::Compare::Launch.
# The times are geometric means over the launches, and the errors standard errors between them, of
# the points that at least 80 % of the launches have. A single launch is returned as it is.
sub merged_output ( $outputs, $launches ) {
    my ( $first, @others ) = @{$outputs};
    return $first if !@others;
    my ($points) = points_of( $launches, $launches );
    my %points_of;
    push @{ $points_of{ $_->{label} } }, $_ for @{$points};
    my ( @suites, %seen );
    for my $suite ( grep { !$seen{ $_->{label} }++ } map { $_->suites } @{$outputs} ) {
        my $own  = $points_of{ $suite->{label} } // next;
        my @same = grep { defined } map { $_->suite( $suite->{label} ) } @{$outputs};
        push @suites, _suite( $suite, $own, @same );
    }
    my $count = @{$outputs};
    my %field = (
        name  => 'POSTPROCESSED',
        value => "geometric means of $count launches, standard errors between launches",
        line  => 0
    );
    my $merged =
      $first->with_suites( _common_name( map { $_->name } @{$outputs} ), \@suites, \%field );
    $merged->{postprocessed} = 1;
    return $merged;
}

sub _suite ( $suite, $points, @same ) {
    my %rows;
    push @{ $rows{ $_->{argument} // q{} } }, $_
      for grep { !$_->{few} } map { @{ $_->{rows} } } @same;
    my @rows = map { _row( $suite, $_, @{ $rows{ $_->{argument} // q{} } } ) } @{$points};
    my $copy = bless { %{$suite}, rows => \@rows }, ref $suite;
    delete @{$copy}{qw(times kept_times modes)};
    return $copy;
}

# The geometric mean, with its standard error.
sub _row ( $suite, $point, @rows ) {
    my @logs = grep { defined } @{ $point->{base} };
    my ( $mean, $sd ) = estimate_mean(@logs);
    my $time  = exp $mean;
    my $error = defined $sd ? $time * $sd / sqrt @logs : undef;
    my %row = ( %{ $rows[0] }, time => $time, error => $error, extras => _extras( $suite, @rows ) );
    delete @row{qw(node_times time_all error_all count_all)};
    $row{count} = sum0( map { $_->{count} // 0 } @rows );
    return \%row;
}

# The extra values are means over the launches.
sub _extras ( $suite, @rows ) {
    my %extras = map { $_ => $rows[0]{extras}{$_} } grep { defined $rows[0]{extras}{$_} } @KEPT;
    $extras{$_} = 1 for grep {
        my $key = $_;
        grep { $_->{extras}{$key} } @rows
    } qw(contended unsteady);
    for my $name ( map { $_->{name} } @{ $suite->{extra} } ) {
        my @values = grep { defined } map { ( $suite->extra( $_, $name ) )[0] } @rows or next;
        my ( $mean, $sd ) = estimate_mean(@values);
        $extras{$name} = sprintf '%.6f', $mean;
        $extras{"${name}_error"} = sprintf '%.6f', $sd / sqrt @values if defined $sd;
    }
    return \%extras;
}

# What the names have in common: "launches/mpich/*/skampi.out".
sub _common_name ( $first, @others ) {
    my ( $same, $end ) = ( length $first, length $first );
    for my $name (@others) {
        $same-- while substr( $name, 0, $same ) ne substr $first, 0, $same;
        $end-- while $end && substr( $name, -$end ) ne substr $first, -$end;
    }
    $end = min( $end, length($first) - $same, map { length($_) - $same } @others );
    return substr( $first, 0, $same ) . q{*} . ( $end > 0 ? substr $first, -$end : q{} );
}

1;

