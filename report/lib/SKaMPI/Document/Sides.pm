package SKaMPI::Document::Sides;

# Several sides, each of one or more launches, compared with the first one. Unlike skampi-compare, it refuses nothing:
# if the number of processes or another fact differs that concerns all suites, there are no verdicts.
# outputs are one result for each side: a merge of its launches, if they are several.
use SKaMPI::Base qw(@outputs);

use List::Util qw(min sum0);

use SKaMPI::Meaning::Likeness qw(obstacles_of_files);
use SKaMPI::Stat::Estimate    qw(estimate_mean);
use SKaMPI::Verdict::Launch   qw(launch_of);
use SKaMPI::Verdict::Points   qw(points_of);
use SKaMPI::Verdict::Sides;

# SIDES are lists of SKaMPI::Read::Output, one for each launch.
sub of ( $class, @sides ) {
    my @launches = map {
        [ map { launch_of( $_, 'time' ) } @{$_} ]
    } @sides;
    my @outputs = map { _merged_output( $sides[$_], $launches[$_] ) } 0 .. $#sides;
    return bless { launches => \@launches, outputs => \@outputs }, $class;
}

sub counts ($self) {
    return map { scalar @{$_} } @{ $self->{launches} };
}

# A SKaMPI::Verdict::Comparison for each side except the first; without points if these have
# nothing in common. KNOWN, a SKaMPI::Verdict::Sides, replaces them.
sub results ( $self, $known = undef ) {
    my ( $base, @others ) = @{ $self->{launches} };
    $self->{known} = $known // $self->{known} // SKaMPI::Verdict::Sides->new( $self->{launches},
        obstacles => [ map { ( obstacles_of_files( @{$base}, @{$_} ) )[0] } @others ] );
    return $self->{known}->comparisons;
}

# Members of a row that a merge keeps.
my @KEPT = qw(stop refined);

# OUTPUTS is a list of SKaMPI::Read::Output, LAUNCHES the same as a list of SKaMPI::Verdict::Launch.
# The times are geometric means over the launches, and the errors standard errors between them, of
# the points that at least 80 % of the launches have. A single launch is returned as it is.
sub _merged_output ( $outputs, $launches ) {
    my ( $first, @others ) = @{$outputs};
    return $first if !@others;
    my ($points) = points_of( $launches, $launches );
    my %points_of;
    push @{ $points_of{ $_->{label} } }, $_ for grep { !$_->{part} } @{$points};
    my ( @suites, %seen );
    for my $suite ( grep { !$seen{ $_->label }++ } map { $_->suites } @{$outputs} ) {
        my $own  = $points_of{ $suite->label } // next;
        my @same = grep { defined } map { $_->suite( $suite->label ) } @{$outputs};
        my %rows;
        push @{ $rows{ $_->{argument} // q{} } }, $_
          for grep { !$_->{few} } map { @{ $_->rows } } @same;
        my @rows = map { _row( $suite, $_, @{ $rows{ $_->{argument} // q{} } } ) } @{$own};
        push @suites, $suite->with( rows => \@rows, times => undef );
    }
    my $count = @{$outputs};
    my %field = (
        name  => 'POSTPROCESSED',
        value => "geometric means of $count launches, standard errors between launches",
        line  => 0
    );
    return $first->with_suites( _common_name( map { $_->name } @{$outputs} ), \@suites, \%field )
      ->with( postprocessed => 1 );
}

# A row with the geometric mean of ROWS, one of each launch, and with its standard error.
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

sub _extras ( $suite, @rows ) {
    my %extras = map { $_ => $rows[0]{extras}{$_} } grep { defined $rows[0]{extras}{$_} } @KEPT;
    $extras{$_} = 1 for grep {
        my $key = $_;
        grep { $_->{extras}{$key} } @rows
    } qw(contended unsteady);
    for my $name ( map { $_->{name} } @{ $suite->declared } ) {
        my @values = grep { defined } map { ( $suite->extra( $_, $name ) )[0] } @rows or next;
        my ( $mean, $sd ) = estimate_mean(@values);
        $extras{$name} = sprintf '%.6f', $mean;
        $extras{"${name}_error"} = sprintf '%.6f', $sd / sqrt @values if defined $sd;
    }
    return \%extras;
}

# The common part of the names: "launches/mpich/*/skampi.out".
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
