package SKaMPI::Export::Columns;

# The exported columns: one table for all formats. A column is never renamed or removed; new ones
# follow at the end.
use SKaMPI::Base;

use SKaMPI::Base::Units       qw(iso_date);
use SKaMPI::Base::Json        qw(pretty_json);
use SKaMPI::Base::TextFile    qw(number_of shipped_text);
use SKaMPI::Meaning::Rates    qw(bandwidth_of);
use SKaMPI::Meaning::Legacy   qw(estimate_of);
use SKaMPI::Meaning::Likeness qw(definition_of_times);
use SKaMPI::Meaning::RunFacts qw(compared_facts machine_name);
use SKaMPI::Meaning::Subject  qw(attribute axis_of operation_of pattern_of subject_of words_for);

# Words of a row that have a column; the others are in the column extra.
my %OWN =
  map { $_ => 1 }
  qw(stop accuracy few min p25 median p75 max invalid warmup contended unsteady marks refined runs of within);

# Columns that are computed: functions of a run (a hash of output, number, suites and, if the file
# does not name it, machine), of a suite, or of a suite and a row.
my %OF = (
    run     => sub ($run) { return $run->{number} },
    file    => sub ($run) { return $run->{output}->name },
    date    => sub ($run) { return iso_date( $run->{output}->field('DATE') ) },
    machine => sub ($run) { return $run->{machine} // machine_name( $run->{output} ) },
    binding => sub ($run) { return ( compared_facts( $run->{output} ) )[0]{Binding} },
    labels  => sub ($run) {
        return join q{;}, map { $_->{text} } @{ $run->{output}->fact('LABEL')->{list} };
    },
    clock_bound_us => sub ($run) { return $run->{output}->fact('CLOCKBOUND')->{bound_us} },
    suite          => sub ($suite) { return $suite->label },
    type           => sub ($suite) { return subject_of($suite)->{number} },
    operation      => \&operation_of,
    pattern        => \&pattern_of,
    variation      => \&axis_of,
    time_of        => \&definition_of_times,
    visits         => sub ($suite) { return $suite->visits },
    estimate       => \&estimate_of,
    time_name      => sub ($suite) { return $suite->time_name },
    datatype       => sub ($suite) {
        return _says_nothing($suite) ? undef : ( words_for( $suite, 'datatype' ) )[0];
    },
    bandwidth_MBps => sub ( $suite, $row ) {
        my $bandwidth = $suite->once( bandwidth => sub ($) { bandwidth_of($suite) // {} } );
        return if !$bandwidth->{factor} || !$row->{time} || $row->{time} <= 0;
        return sprintf '%.6g', $bandwidth->{factor} * $row->{argument} / $row->{time};
    },
    extra => sub ( $, $row ) {
        my $words = $row->{extras};
        my @names = sort grep { !$OWN{$_} && defined $words->{$_} } keys %{$words};
        return join q{;}, map { "$_=$words->{$_}" } @names;
    },
    few           => sub ( $,      $row ) { return $row->{few} ? 'yes' : $row->{extras}{few} },
    argument_word => sub ( $suite, $row ) {
        return ( ( $suite->arguments->[0] // {} )->{names} // {} )->{ $row->{argument} // q{} };
    },
    clock_limited => sub ( $suite, $row ) { return $suite->is_clock_limited($row) || undef },
    marks         => sub ( $suite, $row ) { return $suite->marks($row) },
);

# Columns with a source: a fact of the header; an attribute of the suite, or its argument; a value
# or a word of the row. Each makes the function.
my %SOURCE = (
    fact => sub ($name) {
        sub ($run) { return $run->{output}->field($name) }
    },
    attribute => sub ($name) {
        sub ($suite) { return _says_nothing($suite) ? undef : attribute( $suite, $name ) }
    },
    argument => sub ($name) {
        sub ($suite) { return ( $suite->arguments->[0] // {} )->{$name} }
    },
    value => sub ($name) {
        sub ( $, $row ) { return $row->{$name} }
    },
    word => sub ($name) {
        sub ( $, $row ) { return $row->{extras}{$name} }
    },
);

# The level (run, suite or point), the name with its unit, the kind, the source, and the meaning.
my @COLUMNS = map {
    my ( $level, $name, $kind, $source, $meaning ) = split q{ }, s/\s+/ /gr, 5;
    my ( $make, $of ) = split /:/, $source;
    [ $level, $name, $kind, $meaning =~ s/ \z//r, $of ? $SOURCE{$make}->($of) : $OF{$name} ]
} <<'END' =~ /^(\S.*\n(?:\s+.*\n)*)/mg;
run run integer - number of the file, from 1
run file text - name of the file
run date text - when the run began, in local time, with its distance from UTC if the file has it
run machine text - name of the machine: the first line of @MACHINE, or the host of rank 0
run skampi text fact:SKAMPIVERSION version of SKaMPI
run mpi_library text fact:MPILIBRARY version of the MPI library
run processes integer fact:PROCESSES number of processes
run hosts text fact:PROCESSESPERHOST processes on each host
run oversubscribed text fact:OVERSUBSCRIBED yes if a host has more processes than CPUs
suite suite text - label of the suite
suite type integer - number of the type
suite operation text - what is measured
suite pattern text - how it is measured
suite variation text - length, nodes, chunks or none
suite time_of text - what the time is
suite data text attribute:data kept, fresh or cold data
suite cache text attribute:cache warm or cold cache
suite datatype text - datatype, of both sides if they differ
suite topology text attribute:topology number of the virtual topology, 0 for none
suite argument_name text argument:name what the argument counts
suite argument_unit text argument:unit its unit
point argument number value:argument the argument
point time_us number value:time the time, without the repetitions that Cut_Quantile drops
point time_error_us number value:error its standard error
point count integer value:count its repetitions
point time_all_us number value:time_all the mean: all repetitions, in the program's visits of equal weight
point time_all_error_us number value:error_all its standard error
point count_all integer value:count_all all repetitions
point min_us number word:min the fastest repetition
point p25_us number word:p25 the first quartile
point median_us number word:median the median
point p75_us number word:p75 the third quartile
point max_us number word:max the slowest repetition
point stop text word:stop why the measurement ended
point invalid integer word:invalid repetitions that were not synchronised
point refined integer word:refined 1 if refinement added the argument
point runs integer word:runs in a merge: runs that have the argument
point runs_of integer word:of in a merge: all runs
point within_us number word:within in a merge: the standard error within the runs
point bandwidth_MBps number - bytes transferred per microsecond, by the definition of the pattern
point extra text - other words of the row, key=value, separated by semicolons
run kernel text fact:OSRELEASE release of the operating system
run binding text - the CPUs of the ranks
run clock_bound_us number - largest difference between clocks that messages cannot detect
point accuracy text word:accuracy reached or missed, if the measurement did not end by accuracy
point few text - yes: fewer than 5 repetitions, and so no errors; visits: fewer than 5 visits
point contended integer word:contended 1 if processes waited for CPUs; in
    a merge, runs in which they did
suite time_name text - the name of what the time is, with words for what keys change of it
point clock_limited integer - 1 if the clock bound is more than the requested error of the time, or
    the residual more than half
point unsteady integer word:unsteady 1 if the times are not those of independent repetitions; in a
    merge, runs in which they are not
suite visits text - of a suite that is not finished, how many visits its arguments had, 2 of 5
suite estimate text - the rule of its times: cut, median or minimum, in older files also mean
suite send_in text attribute:send_in the memory of sent messages: host, pinned, cuda, managed or hip
suite receive_in text attribute:receive_in the memory of received messages, or same
suite staged text attribute:staged yes: messages are copied to the host and back by hand
suite in_place text attribute:in_place yes: calls pass MPI_IN_PLACE
point warmup integer word:warmup repetitions that do not count, before the others of each visit
point argument_word text - the name of an argument that is a number of one, as of an algorithm or a memory
point marks text - characters as in tables: * clocks may be apart, ! processes waited for CPUs, ^ unsteady,
    - no valid repetition, t mean far above time, v few visits
run labels text - the facts of @LABEL, NAME=VALUE, separated by semicolons
END

# Whether keys without a value are unknown, not the defaults.
sub _says_nothing ($suite) { return ( $suite->pattern // q{} ) eq 'SKaMPI 5' }

sub columns () { return @COLUMNS }

sub columns_of ($level) {
    return grep { $_->[0] eq $level } @COLUMNS;
}

# A hash of the values of a level, with undef for missing ones. SUBJECT: arguments of the level's functions.
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
        push @records, { %of_suite, %{ record_of( point => $suite, $_ ) } } for @{ $suite->rows };
    }
    return @records;
}

# A number, or undef if the text is not a number; a text without line ends.
sub _typed ( $kind, $value ) {
    return                               if !defined $value || $value eq q{};
    return "$value" =~ s/\s*[\r\n]+/ /gr if $kind eq 'text';
    return number_of($value);
}

# The JSON schema of all documents that SKaMPI's programs print, made from report/schema.txt, which says how its lines
# are written, and the exported columns.
my %TYPE = ( text => 'string', map { $_ => $_ } qw(number integer boolean object) );

sub schema_text () {
    my ( %defs, @documents, $def );
    for my $line ( grep { !/\A(?:#|\s*\z)/ } split /\n/, shipped_text('schema.txt') ) {
        if ( $line =~ /\A(document|record) (\S+)(?: (.+))?\z/ ) {
            my %empty = ( properties => {}, required => [], additionalProperties => \0 );
            $def = $defs{ _key($2) } = { type => 'object', %empty };
            $def->{description} = $3 if defined $3;
            next if $1 eq 'record';
            push @documents, $2;
            _add( $def, schema => { const => $2, description => 'name and version' } );
        }
        elsif ( $line =~ /\A  columns (\w+)\z/ ) { _add_columns( $def, columns_of($1) ) }
        elsif ( $line =~ /\A  (\w+)\z/ ) {
            my $name = $1;
            _add_columns( $def, grep { $_->[1] eq $name } columns() );
        }
        elsif ( $line =~ /\A  (\w+) ([^\s?]+)([?]?) (.+)\z/ ) {
            _add( $def, $1, { %{ _type($2) }, description => $4 }, $3 );
        }
        else { die "schema.txt: cannot read the line '$line'\n" }
    }
    return pretty_json(
        {
            '$schema' => 'https://json-schema.org/draft/2020-12/schema',
            title     => 'JSON of SKaMPI',
            oneOf     => [ map { _reference($_) } @documents ],
            '$defs'   => \%defs,
        }
    );
}

sub _key ($name) { return $name =~ tr{/}{-}r }

sub _reference ($name) { return { '$ref' => '#/$defs/' . _key($name) } }

sub _add ( $def, $name, $property, $is_optional = 0 ) {
    $def->{properties}{$name} = $property;
    push @{ $def->{required} }, $name if !$is_optional;
    return;
}

sub _add_columns ( $def, @columns ) {
    die "schema.txt: a name without a kind is not that of a column\n" if !@columns;
    _add( $def, $_->[1], { %{ _type( $_->[2] ) }, description => $_->[3] } ) for @columns;
    return;
}

# NAME[] is a list, NAME{} an object with any names. Other members may be null.
sub _type ( $kind, $is_element = 0 ) {
    return { type => 'array',  items                => _type( $1, 1 ) } if $kind =~ /\A(.+)\[\]\z/;
    return { type => 'object', additionalProperties => _type( $1, 1 ) } if $kind =~ /\A(.+)\{\}\z/;
    return { type => [ $TYPE{$kind}, 'null' ] } if $TYPE{$kind};
    return $is_element ? _reference($kind) : { anyOf => [ _reference($kind), { type => 'null' } ] };
}

1;
