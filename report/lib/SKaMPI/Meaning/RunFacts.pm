package SKaMPI::Meaning::RunFacts;

# Facts about a run, for the first page. Texts of the file are unchanged; escape them before printing.
use SKaMPI::Base;

use SKaMPI::Base::Table            qw(shorten);
use SKaMPI::Base::Units            qw(list_text some_of with_mu with_units);
use SKaMPI::Meaning::Catalog       qw(fact_title shown_facts);
use SKaMPI::Meaning::Facts         qw(read_fact unknown_facts);
use SKaMPI::Meaning::PlottedPoints qw(grouped);

my $LONGEST_NAME = 150;

my $MAX_LINES    = 12;
my $MAX_WARNINGS = 50;
my $MAX_PROBLEMS = 8;
my $MAX_MISSING  = 40;
my $MAX_NAMED    = 4;

# A missing fact and the one that is shown instead.
my %INSTEAD = ( MPILIBRARY => 'MPIVERSION', PROCESSESPERHOST => 'HOSTNAME' );

# The placeholders in the parameter files that ship.
my $PLACEHOLDER =
qr/(?:NAME OF YOUR MACHINE|KIND OF YOUR (?:NODES|NETWORK)|YOUR NAME|Replace(?: these lines)?: .*)/;
my @DESCRIPTIONS = qw(MACHINE NODE NETWORK USER);

# Lines about how a library was built.
my $BUILD = qr/\S+ (?:configure|CC|CXX|F77|FC)\s*:/;

# Fields whose lines are changed before printing.
my %TIDY = (
    ( map { $_ => \&_filled_in } @DESCRIPTIONS ),
    ( map { $_ => \&_with_units } qw(TIMER STARTSKEW INIT FINALIZE RESIDUAL CLOCKBOUND) ),
    MPILIBRARY => sub (@lines) {
        return grep { !/\A$BUILD/ } @lines;
    },

    # "ranks 0 to 3: node1, CPUs 0-1", "ranks 0 to 3: node1, GPU 0: NVIDIA H200, driver CUDA/13.0"
    BINDING => sub (@lines) {
        my $place_of = sub ($rank) {
            my ( $host, $cpus ) = @{$rank}{qw(host cpus)};
            return "$host, CPU" . ( $cpus =~ /\A[0-9]+\z/ ? q{ } : 's ' ) . $cpus;
        };
        return _by_place( BINDING => $place_of, @lines );
    },
    GPUS => sub (@lines) {
        my $place_of = sub ($rank) {
            return sprintf '%s, GPU %s: %s, driver %s', @{$rank}{qw(host gpu name driver)};
        };
        return _by_place( GPUS => $place_of, @lines );
    },
);

sub machine_name ($output) {
    my ($name) = ( described( $output, 'MACHINE' ), described( $output, 'HOSTNAME' ) );
    return shorten( $name // 'Unnamed machine', $LONGEST_NAME );
}

# The lines of a header field, without the placeholders of the parameter files that ship.
sub described ( $output, $name ) {
    return _filled_in( _lines_of( $output, $name ) );
}

sub _filled_in (@lines) {
    return grep { !/\A$PLACEHOLDER\z/ } @lines;
}

sub _with_units (@lines) {
    return map { with_mu( with_units($_) ) } @lines;
}

# A line for each run of ranks with equal places, which a function returns; the lines of a fact of unknown form.
sub _by_place ( $name, $place_of, @lines ) {
    my $fact = read_fact( 0, $name, join "\n", @lines );
    return @lines if $fact->{unknown};
    my @groups;
    for my $rank ( @{ $fact->{list} } ) {
        my ( $number, $place ) = ( $rank->{rank}, $place_of->($rank) );
        push @groups, { first => $number, place => $place }
          if !@groups || $groups[-1]{place} ne $place;
        $groups[-1]{last} = $number;
    }
    return map {
        my ( $first, $last ) = @{$_}{qw(first last)};
        ( $first eq $last ? "rank $first" : "ranks $first to $last" ) . ": $_->{place}"
    } @groups;
}

sub run_facts ($output) {
    my ( undef, @machine ) = _lines( described( $output, 'MACHINE' ) );
    return (
        @machine ? [ 'Machine', @machine ] : (),
        map { _fact( $output, $_ ) } shown_facts('report')
    );
}

# The facts that compared_facts omits, for a comparison's list of runs.
sub run_summary ($output) {
    return map { _fact( $output, $_ ) } shown_facts('runs');
}

# A hash of the facts that a comparison shows side by side, a text for each title, followed by all
# such titles.
sub compared_facts ($output) {
    my %facts;
    my @names = shown_facts('sides');
    for my $name (@names) {
        my $found = _fact( $output, $name ) or next;
        my ( $title, @lines ) = @{$found};
        $facts{$title} = join '; ', @lines;
    }
    return ( \%facts, map { _title($_) } @names );
}

sub _title ($name) { return ucfirst fact_title($name) }

sub _fact ( $output, $shown ) {
    for my $name ( $shown, $INSTEAD{$shown} // () ) {
        my @lines = _lines( tidied_lines( $name, _value( $output, $name ) ) );
        return [ _title($shown), @lines ] if @lines;
    }
    return;
}

# The lines of a field as they are printed, without placeholders.
sub tidied_lines ( $name, $value ) {
    my @lines = grep { /\S/ } split /\n/, $value;
    return $TIDY{$name} && @lines ? $TIDY{$name}->(@lines) : @lines;
}

sub _lines_of ( $output, $name ) {
    return grep { /\S/ } split /\n/, _value( $output, $name );
}

sub _value ( $output, $name ) {
    my $value = $output->field($name) // q{};
    return $value if $name ne 'OSNAME';
    return join q{ }, $value, $output->field('OSRELEASE') // (),
      $output->field('ARCHITECTURE') // ();
}

sub _lines (@lines) {
    return some_of( $MAX_LINES, '... and %d more', @lines );
}

# The warnings of the run, almost without limit: each of them weakens the results.
sub run_warnings ($output) {
    my @texts = map { s/\n/ /gr } warnings_of($output);
    return some_of( $MAX_WARNINGS, 'and %d more',
        @texts, visit_warnings($output), contention_warnings($output) );
}

# The program's warnings, and suites that it could not measure; or its notes: that processes can be moved, though times
# are right.
sub warnings_of ( $output, $notes = 0 ) {
    my @texts  = map { $_->{value} } grep { $_->{name} eq 'WARNING' } $output->fields;
    my @failed = @{ $output->fact('FAILED')->{list} };

    # One text for each reason: what the library cannot do.
    for my $suites ( grouped( sub ($suite) { $suite->{why} }, @failed ) ) {
        my $names = list_text( some_of( $MAX_NAMED, '%d more', map { $_->{suite} } @{$suites} ) );
        push @texts, "not measured: $names: $suites->[0]{why}";
    }
    return
      grep { ( ( read_fact( 0, 'WARNING', $_ )->{kind} // q{} ) eq 'not bound' ) == $notes } @texts;
}

# Sentences about data that are missing in the file or look wrong.
sub run_notes ($output) {
    my @notes;
    push @notes, 'The run is not finished: the file has no trailer.' if !$output->is_finished;
    my @missing = $output->missing_suites;
    push @notes, sprintf 'Missing: %d of %d suites of the parameter file: %s.', scalar @missing,
      $output->planned_count, list_text( some_of( $MAX_MISSING, '%d more', @missing ) )
      if @missing;
    my @fields = grep { _lines_of( $output, $_ ) && !described( $output, $_ ) } @DESCRIPTIONS;
    push @notes,
      'The machine and the run are not fully described: the parameter file does not fill in '
      . list_text( map { "\@$_" } @fields ) . q{.}
      if @fields;
    push @notes,
'These results come from an older version of SKaMPI and do not say how they were measured; see the'
      . ' manual of that version. Methods and definitions of this version may not apply to them.'
      if !defines_times($output);
    push @notes, map { ucfirst "$_." } warnings_of( $output, 1 ), range_notes($output),
      unknown_facts($output);
    my @problems = map { "Line $_->{line}: $_->{text}." } $output->problems;
    return ( @notes, some_of( $MAX_PROBLEMS, 'And %d more.', @problems ) );
}

# A note on suites whose "range:" line leaves out rows.
sub range_notes ($output) {
    my @cut = grep {
        my $suite = $_;
        grep { $suite->is_outside( $_->{argument} ) } @{ $suite->rows }
    } $output->suites or return;
    my $names = list_text( some_of( $MAX_MISSING, '%d more', map { $_->name } @cut ) );
    return "the range line leaves rows out of plots, key figures and findings, in $names";
}

# Whether the file defines its times, as results of version 4.2 and later do.
sub defines_times ($output) {
    return scalar grep { defined $_->note('TIMEOF') } $output->suites;
}

# A sentence about the kind of the results' errors, or an empty list. Older versions do not say how they merged runs.
sub kind_of_errors ($output) {
    my %merge = %{ $output->fact('POSTPROCESSED') };
    return
"Values are geometric means of $merge{launches} launches; their errors are standard errors between these launches."
      if $merge{launches};
    return
"Values are medians of $merge{runs} runs; their errors are standard errors of these medians between the runs: two"
      . ' cover 95 %. Means of all calls are means over the runs.'
      if $merge{runs};
    return 'These results are merged from several runs.'
      if $output->is_postprocessed && ( !exists $merge{by} || $merge{unknown} );
    return if !defines_times($output);
    return
'Errors are standard errors as SKaMPI 4.1 computed them (paper): with a quarter cut off at each end, they are'
      . ' about half as large as the uncertainty within this run; other runs may differ by more.'
      if ( $output->fact('ERROR')->{usual} // q{} ) eq 'paper';
    return
      'Errors are standard errors within this launch; launches differ by more (skampi launch).';
}

# A sentence without its full stop if visits of suites are missing.
sub visit_warnings ($output) {
    my @some = grep { defined $_->visits } $output->suites or return;
    my ( $count, $all ) = ( scalar @some, $output->planned_count );
    return "the run is not finished: visits are missing in $count of $all suites, "
      . "@{[ $some[0]->label ]} has @{[ $some[0]->visits ]}; start skampi again to complete them";
}

# A sentence without its full stop if processes waited for CPUs: the text about the suite with the least share of one.
sub contention_warnings ($output) {
    my $share     = sub ($suite) { return $suite->fact('CPUSHARE')->{percent} // 100 };
    my @contended = sort { $share->($a) <=> $share->($b) }
      grep { defined $_->note('CONTENDED') } $output->suites
      or return;
    my ( $count, $all ) = ( scalar @contended, scalar $output->suites );
    my ($text) = split /\n/, $contended[0]->note('CONTENDED');
    return "contended: in $count of $all suites; in " . $contended[0]->label . ", $text";
}

1;
