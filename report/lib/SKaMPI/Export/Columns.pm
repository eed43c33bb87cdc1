package SKaMPI::Export::Columns;

# What is exported: one table for all formats. A column is never renamed or removed; new ones follow
# at the end.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Moment       qw(iso_date);
use SKaMPI::Meaning::Rates     qw(bandwidth_of);
use SKaMPI::Meaning::Datatypes qw(datatype_name);
use SKaMPI::Meaning::Likeness  qw(definition_of_times);
use SKaMPI::Meaning::RunFacts  qw(compared_facts machine_name);
use SKaMPI::Meaning::Subject   qw(attribute axis_of operation_of pattern_of subject_of);

our @EXPORT_OK = qw(columns_of columns reader_of record_of records_of);

my $NUMBER = qr/\A[+-]?[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?\z/;

# Words of a row that have a column; the others are in the column extra.
my %OWN =
  map { $_ => 1 }
  qw(stop accuracy few min p25 median p75 max invalid contended unsteady refined runs of within);

# The level (run, suite or point), the name with its unit, the kind (text, integer, number), the
# meaning, and the function that returns the value: of a run (a hash of output, number, suites and,
# if the file does not name it, machine), of a suite, or of a suite and a row.
my @COLUMNS = (
    [ run => run => integer => 'number of the file, from 1', sub ($run) { return $run->{number} } ],
    [ run => file => text   => 'name of the file', sub ($run) { return $run->{output}->name } ],
    [
        run => date => text =>
          'when the run began, in local time, with its distance from UTC if the file has it',
        sub ($run) { return iso_date( $run->{output}->field('DATE') ) }
    ],
    [
        run => machine => text =>
          'name of the machine: the first line of @MACHINE, or the host of rank 0',
        sub ($run) { return $run->{machine} // machine_name( $run->{output} ) }
    ],
    [ run => skampi      => text    => 'version of SKaMPI',          _field('SKAMPIVERSION') ],
    [ run => mpi_library => text    => 'version of the MPI library', _field('MPILIBRARY') ],
    [ run => processes   => integer => 'number of processes',        _field('PROCESSES') ],
    [ run => hosts       => text    => 'processes on each host',     _field('PROCESSESPERHOST') ],
    [
        run => oversubscribed => text => 'yes if a host has more processes than CPUs',
        _field('OVERSUBSCRIBED')
    ],
    [ suite => suite => text => 'label of the suite', sub ($suite) { return $suite->{label} } ],
    [
        suite => type => integer => 'number of the type',
        sub ($suite) { return subject_of($suite)->{number} }
    ],
    [ suite => operation => text => 'what is measured',              \&operation_of ],
    [ suite => pattern   => text => 'how it is measured',            \&pattern_of ],
    [ suite => variation => text => 'length, nodes, chunks or none', \&axis_of ],
    [ suite => time_of   => text => 'what the time is',              \&definition_of_times ],
    [ suite => data      => text => 'kept, fresh or cold data',      _attribute('data') ],
    [ suite => cache     => text => 'warm or cold cache',            _attribute('cache') ],
    [ suite => datatype  => text => 'datatype, of both sides if they differ', \&_datatype ],
    [
        suite => topology => text => 'number of the virtual topology, 0 for none',
        _attribute('topology')
    ],
    [ suite => argument_name => text   => 'what the argument counts', _argument('name') ],
    [ suite => argument_unit => text   => 'its unit',                 _argument('unit') ],
    [ point => argument      => number => 'the argument',             _value('argument') ],
    [
        point => time_us => number => 'the time, without the repetitions that Cut_Quantile drops',
        _value('time')
    ],
    [ point => time_error_us     => number  => 'its standard error',          _value('error') ],
    [ point => count             => integer => 'its repetitions',             _value('count') ],
    [ point => time_all_us       => number  => 'the time of all repetitions', _value('time_all') ],
    [ point => time_all_error_us => number  => 'its standard error',          _value('error_all') ],
    [ point => count_all         => integer => 'all repetitions',             _value('count_all') ],
    [ point => min_us            => number  => 'the fastest repetition',      _word('min') ],
    [ point => p25_us            => number  => 'the first quartile',          _word('p25') ],
    [ point => median_us         => number  => 'the median',                  _word('median') ],
    [ point => p75_us            => number  => 'the third quartile',          _word('p75') ],
    [ point => max_us            => number  => 'the slowest repetition',      _word('max') ],
    [ point => stop              => text    => 'why the measurement ended',   _word('stop') ],
    [ point => invalid => integer => 'repetitions that were not synchronised',  _word('invalid') ],
    [ point => refined => integer => '1 if refinement added the argument',      _word('refined') ],
    [ point => runs    => integer => 'in a merge: runs that have the argument', _word('runs') ],
    [ point => runs_of => integer => 'in a merge: all runs',                    _word('of') ],
    [
        point => within_us => number => 'in a merge: the standard error within the runs',
        _word('within')
    ],
    [
        point => bandwidth_MBps => number =>
          'bytes transferred per microsecond, by the definition of the pattern',
        \&_bandwidth
    ],
    [
        point => extra => text => 'other words of the row, key=value, separated by semicolons',
        \&_extra
    ],
    [ run => kernel => text => 'release of the operating system', _field('OSRELEASE') ],
    [
        run => binding => text => 'the CPUs of the ranks',
        sub ($run) { return ( compared_facts( $run->{output} ) )[0]{Binding} }
    ],
    [
        run => clock_bound_us => number =>
          'largest difference between clocks that messages cannot detect',
        sub ($run) {
            return ( ( $run->{output}->field('CLOCKBOUND') // q{} ) =~ /\A([0-9.]+) microsec/ )[0];
        }
    ],
    [
        point => accuracy => text =>
          'reached or missed, if the measurement did not end by accuracy',
        _word('accuracy')
    ],
    [
        point => few => text => 'yes if it has fewer than 4 repetitions, and so no errors',
        sub ( $, $row ) { return $row->{few} ? 'yes' : undef }
    ],
    [
        point => contended => integer =>
'1 if processes waited for CPUs that other programs used; in a merge, runs in which they did',
        _word('contended')
    ],
    [
        suite => time_name => text =>
          'the name of what the time is, with words for what keys change of it',
        sub ($suite) { return $suite->time_name }
    ],
    [
        point => clock_limited => integer =>
'1 if the clock bound is more than the requested error of the time, or the residual more than half',
        sub ( $suite, $row ) { return $suite->is_clock_limited($row) || undef }
    ],
    [
        point => unsteady => integer =>
'1 if the times are not those of independent repetitions; in a merge, runs in which they are not',
        _word('unsteady')
    ],
);

sub columns () {
    return @COLUMNS;
}

sub columns_of ($level) {
    return grep { $_->[0] eq $level } @COLUMNS;
}

# A hash of the values of a level, with undef for missing ones. SUBJECT is what that level's
# functions take.
sub record_of ( $level, @subject ) {
    return { map { $_->[1] => scalar _typed( $_->[2], scalar $_->[4]->(@subject) ) }
          columns_of($level) };
}

# A function that returns the values of these columns of a level, in this order.
sub reader_of ( $level, @names ) {
    my %column = map { $_->[1] => $_ } columns_of($level);
    my @wanted = map { [ @{ $column{$_} }[ 2, 4 ] ] } @names;
    return sub (@subject) {
        return map { scalar _typed( $_->[0], scalar $_->[1]->(@subject) ) } @wanted;
    };
}

# A flat record for each row of each suite of a run.
sub records_of ($run) {
    my $of_run = record_of( run => $run );
    my @records;
    for my $suite ( @{ $run->{suites} } ) {
        my %of_suite = ( %{$of_run}, %{ record_of( suite => $suite ) } );
        push @records, { %of_suite, %{ record_of( point => $suite, $_ ) } } for @{ $suite->{rows} };
    }
    return @records;
}

# A number, or undef if the text is none; a text without line ends.
sub _typed ( $kind, $value ) {
    return if !defined $value || $value eq q{};
    return "$value" =~ s/\s*[\r\n]+/ /gr if $kind eq 'text';
    return if $value !~ $NUMBER;
    return $value - $value == 0 ? $value + 0 : undef;
}

sub _field ($name) {
    return sub ($run) { return $run->{output}->field($name) };
}

sub _attribute ($name) {
    return sub ($suite) { return attribute( $suite, $name ) };
}

sub _argument ($name) {
    return sub ($suite) { return ( $suite->{arguments}[0] // {} )->{$name} };
}

sub _value ($name) {
    return sub ( $, $row ) { return $row->{$name} };
}

sub _word ($name) {
    return sub ( $, $row ) { return $row->{extras}{$name} };
}

sub _datatype ($suite) {
    return join ' to ', map { /\A[0-9]+\z/ ? datatype_name($_) : $_ } split q{ },
      attribute( $suite, 'datatype' );
}

sub _bandwidth ( $suite, $row ) {
    my $bandwidth = $suite->{bandwidth} //= bandwidth_of($suite) // {};
    return if !$bandwidth->{factor} || !$row->{time} || $row->{time} <= 0;
    return sprintf '%.6g', $bandwidth->{factor} * $row->{argument} / $row->{time};
}

sub _extra ( $, $row ) {
    my $words = $row->{extras};
    return join q{;},
      map { "$_=$words->{$_}" } sort grep { !$OWN{$_} && $words->{$_} ne 'nan' } keys %{$words};
}

1;

