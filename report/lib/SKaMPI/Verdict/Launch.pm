package SKaMPI::Verdict::Launch;

# A launch, as a comparison needs it: a hash of
#   name, sum         of the file: its name, and a checksum of its bytes; sum may be undef
#   start             when the launch began, in seconds; undefined if unknown
#   facts             facts of the header by name (SKaMPI::Meaning::Likeness)
#   merged, resumed   1 if the file is a merge, or consists of several launches
#   duet              if it took turns with another one, what identifies both
#   asked             by a suite's name, its lines of #@SUITES; not of a baseline's, whose suites have them
#   some, contended   if suites have only some of their visits, or processes waited for CPUs, a sentence that says so
#   few, unusable     the numbers of rows that have few repetitions, and of others that have no
#                     such value above 0
#   suites            by label, a hash of definition (SKaMPI::Meaning::Likeness), column (a hash of
#                     name and unit, or undef), values and, of times, means (by argument), errors (the
#                     relative standard errors within the launch), visits (lists of the times of a duet's
#                     visits, as texts), and of visits in several states fast (the values of the fast
#                     ones) and slow (the percentage of the slow ones)
use SKaMPI::Base;

use SKaMPI::Base::Program      qw(fail);
use SKaMPI::Base::TextFile     qw(sum_of_file);
use SKaMPI::Base::Units        qw(format_time seconds_of);
use SKaMPI::Meaning::Curve     qw($LONGEST_US);
use SKaMPI::Meaning::Facts     qw(read_fact);
use SKaMPI::Meaning::Likeness  qw(definition_of facts_of);
use SKaMPI::Meaning::RunFacts  qw(contention_warnings visit_warnings);
use SKaMPI::Read::ResultFile   qw($DAMAGED read_whole_results);
use SKaMPI::Stat::Distribution qw(value_at);
use SKaMPI::Stat::Estimate     qw(relative_error);

# The values that can be compared: the name, and where a row has it. The time of a merge is a
# median, which would drop slow launches.
my %VALUES = (
    time     => sub ($row) { return $row->{extras}{run_mean} // $row->{time} },
    time_all => sub ($row) { return $row->{time_all} },
    map {
        my $name = $_;
        $name => sub ($row) { return $row->{extras}{$name} }
    } qw(min p25 median p75 max),
);

sub value_kinds () { return ( sort keys %VALUES ) }

# Reads the launch of a file; fails if anything is wrong with it.
sub read_launch ( $path, $kind ) {
    return launch_of( read_whole_results($path), $kind );
}

# A launch of results that were read before (SKaMPI::Read::Output). KIND is one of value_kinds.
sub launch_of ( $output, $kind ) {
    my $path   = $output->path;
    my %facts  = map { $_->{name} => $_->{value} } reverse $output->fields;
    my $launch = new_launch(
        \%facts,
        name   => $output->name,
        sum    => defined $path ? eval { sum_of_file($path) } // fail( $@, $DAMAGED ) : undef,
        merged => $output->is_postprocessed,
        ( map { ( duet      => $_ ) } $output->fact('DUET')->{id} // () ),
        ( map { ( some      => $_ ) } visit_warnings($output) ),
        ( map { ( contended => $_ ) } contention_warnings($output) ),
    );
    for my $suite ( map { _parts($_) } $output->results ) {
        my ($column) = map { +{ %{$_}{qw(name unit)} } } @{ $suite->arguments };
        $launch->{suites}{ $suite->label } =
          launch_suite( $launch, definition_of($suite), $column,
            $kind, map { +{ %{$_}, marks => $suite->marks($_) } } @{ $suite->rows } );
    }
    return $launch;
}

# A launch without suites, from the facts of its header by name. Together with launch_suite, it
# also serves launches that are not in a file of their own.
sub new_launch ( $facts, %more ) {
    my %asked;
    my $suites = read_fact( 0, 'SUITES', $facts->{SUITES} )->{list} // [];
    push @{ $asked{ $_->{name} } }, $_->{text} for @{$suites};
    return {
        asked    => \%asked,
        start    => scalar seconds_of( $facts->{DATE} ),
        facts    => facts_of($facts),
        once     => once_of( sub ($name) { return $facts->{$name} } ),
        resumed  => exists $facts->{RESUMED} ? 1 : 0,
        few      => 0,
        unusable => 0,
        suites   => {},
        %more
    };
}

# A suite of a launch. Rows with few repetitions, and others without a positive value, such as NaN of a row without
# valid repetitions, are left out and counted.
sub launch_suite ( $launch, $definition, $column, $kind, @rows ) {
    my @enough   = grep { !$_->{few} } @rows;
    my $value_of = sub ($row) { return _usable( $VALUES{$kind}->($row) ) };
    $launch->{few}      += @rows - @enough;
    $launch->{unusable} += grep { !defined $value_of->($_) } @enough;
    return {
        definition => $definition,
        column     => $column,
        values     => _by_argument( $value_of, @enough ),
        $kind eq 'time' ? _with_time(@enough) : (),
        errors => _by_argument( \&relative_error,                    @rows ),
        visits => _by_argument( \&_visits,                           @rows ),
        marks  => _by_argument( sub ($row) { return $row->{marks} }, @rows ),
    };
}

# The defined values of a function of a row, by argument; the first row with an argument counts.
sub _by_argument ( $value_of, @rows ) {
    return {
        map {
            my $value = $value_of->($_);
            defined $value ? ( ( $_->{argument} // q{} ) => $value ) : ()
        } reverse @rows
    };
}

sub _visits ($row) {
    my $visits = $row->{extras}{visits};
    return defined $visits ? [ split /,/, $visits ] : undef;
}

# Splits a suite of all pairs of processes into one for each lower rank, over its partners.
sub _parts ($suite) {
    return $suite if @{ $suite->arguments } < 2;
    my %rows;
    for my $row ( @{ $suite->rows } ) {
        my ( $rank, $partner ) = @{ $row->{arguments} };
        push @{ $rows{$rank} }, { %{$row}, argument => $partner };
    }
    my ( $label, @arguments ) = ( $suite->label, $suite->arguments->[1] );
    return map { $suite->with( arguments => \@arguments, label => "$label/$_", rows => $rows{$_} ) }
      sort { $a <=> $b } keys %rows;
}

sub _usable ($value) {
    return defined $value && $value > 0 && $value < $LONGEST_US ? $value + 0 : undef;
}

# The second numbers of the rows, the means, and the fast times and the percentages of slow visits, where visits are in
# two states.
sub _with_time (@rows) {
    return (
        means => _by_argument( sub ($row) { return _usable( $row->{time_all} ) },     @rows ),
        fast  => _by_argument( sub ($row) { return _usable( $row->{extras}{fast} ) }, @rows ),
        slow  => _by_argument( \&_percent_slow,                                       @rows )
    );
}

sub _percent_slow ($row) {
    my ($percent) = ( $row->{extras}{states} // q{} ) =~ /:([0-9]{1,3}(?:[.][0-9]+)?)\z/;
    return $percent ? 0 + $percent : undef;
}

# Facts with a time that each launch has once, in the order in which they happen, and their titles.
my @FACTS = ( [ INIT => 'MPI_Init' ], [ FINALIZE => 'MPI_Finalize' ] );

# The times in microseconds that a launch has once. FACT returns the value of a fact by its name.
sub once_of ($fact) {
    return {
        map {
            my $us = read_fact( 0, $_->[0], $fact->( $_->[0] ) )->{us};
            defined $us ? ( $_->[0] => $us ) : ()
        } @FACTS
    };
}

# A line for each fact that at least two launches (hashes with such times as once) have.
sub once_lines (@launches) {
    my @lines;
    for my $fact (@FACTS) {
        my ( $name, $title ) = @{$fact};
        my @times = sort { $a <=> $b } map { $_->{once}{$name} // () } @launches;
        next if @times < 2;
        push @lines, sprintf '  %s: median %s, middle half %s to %s, minimum %s', $title,
          map { format_time( value_at( \@times, $_ ) ) } 50, 25, 75, 0;
    }
    return @lines;
}

1;
