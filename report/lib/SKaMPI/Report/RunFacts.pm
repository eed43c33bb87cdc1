package SKaMPI::Report::RunFacts;

use v5.36;

use Exporter qw(import);

use SKaMPI::Report::Words qw(list_text);
use SKaMPI::Table         qw(shorten);
use SKaMPI::Units         qw(format_time with_mu);

our @EXPORT_OK =
  qw(defines_times described kind_of_errors known_facts machine_name run_facts run_notes run_summary run_warnings);

# Of a title.
my $LONGEST_NAME = 150;

my $MOST_LINES    = 12;
my $MOST_WARNINGS = 50;
my $MOST_PROBLEMS = 8;
my $MOST_MISSING  = 40;

# What the first page tells: header fields, and what they are called. Of several the first that is
# there counts.
my @FACTS = (
    [ 'Node',               'NODE' ],
    [ 'Network',            'NETWORK' ],
    [ 'Hardware',           'HARDWARE' ],
    [ 'Operating system',   'OSNAME' ],
    [ 'User',               'USER' ],
    [ 'Date',               'DATE' ],
    [ 'Merge of',           'POSTPROCESSED' ],
    [ 'Run',                'NAMEOFRUN' ],
    [ 'MPI library',        'MPILIBRARY', 'MPIVERSION' ],
    [ 'MPI standard',       'MPISTANDARD' ],
    [ 'Processes',          'PROCESSES' ],
    [ 'Hosts',              'PROCESSESPERHOST', 'HOSTNAME' ],
    [ 'Binding',            'BINDING' ],
    [ 'Oversubscribed',     'OVERSUBSCRIBED' ],
    [ 'Timer',              'TIMER' ],
    [ 'Global clock',       'GLOBALCLOCK' ],
    [ 'Start skew',         'STARTSKEW' ],
    [ 'Clock residual',     'RESIDUAL' ],
    [ 'Clock bound',        'CLOCKBOUND' ],
    [ 'Caches',             'CACHE' ],
    [ 'Overhead taken off', 'ABSOLUTE' ],
    [ 'Run time',           'WALLTIME' ],
    [ 'SKaMPI',             'SKAMPIVERSION' ],
);

# The other ones: part of another fact or of the title, told elsewhere, or only for who reads the file.
my @OTHER_FACTS = (
    qw(MACHINE OSRELEASE ARCHITECTURE),
    qw(WARNING SKIPPED),
    qw(COMMENT OSVERSION GOVERNOR CLOCKSOURCE SYNCHRONISED JOBID PARAMETERS SUITES ENVIRONMENT CHECKSUM),
);

# What the parameter files that ship say before somebody fills them in.
my $PLACEHOLDER =
qr/(?:NAME OF YOUR MACHINE|KIND OF YOUR (?:NODES|NETWORK)|YOUR NAME|Replace(?: these lines)?: .*)/;
my @DESCRIPTIONS = qw(MACHINE NODE NETWORK USER);

# How a library was built says little, in many lines.
my $BUILD = qr/\S+ (?:configure|CC|CXX|F77|FC)\s*:/;

# Fields whose lines are not printed as they stand.
my %TIDY = (
    ( map { $_ => \&_filled_in } @DESCRIPTIONS ),
    ( map { $_ => \&_with_units } qw(TIMER STARTSKEW RESIDUAL) ),
    MPILIBRARY => sub (@lines) {
        return grep { !/\A$BUILD/ } @lines;
    },
    BINDING => \&_bindings,
);

sub machine_name ($output) {
    my ($name) = ( described( $output, 'MACHINE' ), described( $output, 'HOSTNAME' ) );
    return shorten( $name // 'Unnamed machine', $LONGEST_NAME );
}

# The lines of a field that somebody wrote.
sub described ( $output, $name ) {
    return _filled_in( _lines_of( $output, $name ) );
}

sub _filled_in (@lines) {
    return grep { !/\A$PLACEHOLDER\z/ } @lines;
}

sub _with_units (@lines) {
    return map { s/\b([0-9]{1,15}[.][0-9]{1,9}) microsec[.]/with_mu( format_time($1) )/ger } @lines;
}

# "ranks 0 to 3: node1, CPUs 0-1" of a line for each rank.
sub _bindings ( $title, @lines ) {
    my @ranks = map { /\A([0-9]+) (\S+) (\S+)\z/ ? [ $1, $2, $3 ] : () } @lines;
    return ( $title, @lines ) if $title ne 'rank host cpus' || @ranks < @lines;
    my @groups;
    for my $rank (@ranks) {
        my ( $number, $host, $cpus ) = @{$rank};
        my $place = "$host, CPU" . ( $cpus =~ /\A[0-9]+\z/ ? q{ } : 's ' ) . $cpus;
        push @groups, { first => $number, place => $place }
          if !@groups || $groups[-1]{place} ne $place;
        $groups[-1]{last} = $number;
    }
    return map { _ranks_text( @{$_}{qw(first last)} ) . ": $_->{place}" } @groups;
}

sub _ranks_text ( $first, $last ) {
    return $first eq $last ? "rank $first" : "ranks $first to $last";
}

# The names of all header and trailer fields that a file of this version may have; a test compares them
# with what the program writes.
sub known_facts () {
    return ( @OTHER_FACTS, map { my ( undef, @names ) = @{$_}; @names } @FACTS );
}

# Pairs of title and lines of text.
sub run_facts ($output) {
    return ( _rest_of_machine($output), map { _fact( $output, @{$_} ) } @FACTS );
}

# The most important ones, for runs beside each other.
sub run_summary ($output) {
    my %is_wanted = map { $_ => 1 } 'Node', 'Network', 'User', 'Date', 'MPI library', 'Processes',
      'Hosts';
    return grep { $is_wanted{ $_->[0] } } run_facts($output);
}

sub _rest_of_machine ($output) {
    my ( undef, @lines ) = _lines( described( $output, 'MACHINE' ) );
    return @lines ? [ 'Machine', @lines ] : ();
}

sub _fact ( $output, $title, @names ) {
    for my $name (@names) {
        my @lines = _lines_of( $output, $name );
        @lines = _lines( $TIDY{$name} && @lines ? $TIDY{$name}->(@lines) : @lines );
        return [ $title, @lines ] if @lines;
    }
    return;
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

# All of them, but not more than a page has room for.
sub _lines (@lines) {
    return @lines if @lines <= $MOST_LINES;
    my $more = @lines - $MOST_LINES + 1;
    return ( @lines[ 0 .. $MOST_LINES - 2 ], "... and $more lines more" );
}

# All of them: each weakens what the report says.
sub run_warnings ($output) {
    my @all  = map { $_->{value} =~ s/\n/ /gr } grep { $_->{name} eq 'WARNING' } $output->fields;
    my @more = splice @all, $MOST_WARNINGS;
    return @more ? ( @all, 'and ' . @more . ' warnings more' ) : @all;
}

# What is missing or looks wrong in the file.
sub run_notes ($output) {
    my @notes;
    push @notes, 'The run is not finished: the file ends before its trailer.'
      if !$output->is_finished;
    push @notes, _missing_note($output), _undescribed_note($output), _older_note($output);
    my @problems = map { "Line $_->{line}: $_->{text}." } $output->problems;
    my @more     = @problems > $MOST_PROBLEMS ? splice @problems, $MOST_PROBLEMS : ();
    push @problems, 'And ' . @more . ' more like that.' if @more;
    return ( @notes, @problems );
}

sub _missing_note ($output) {
    my @missing = $output->missing_suites or return;
    my $count   = @missing;
    my @more    = splice @missing, $MOST_MISSING;
    my $names   = list_text( @missing, @more ? scalar(@more) . ' more' : () );
    return
        "Missing: $count of "
      . $output->planned_count
      . " suites of the parameter file: $names.";
}

# Results of version 4.2 and later define their times.
sub defines_times ($output) {
    return scalar grep { defined $_->{notes}{TIMEOF} } $output->suites;
}

sub _older_note ($output) {
    return if defines_times($output);
    return
'These results come from an older version of SKaMPI and do not say how their times were taken;'
      . ' the manual of that version does. Methods and definitions of this version need not hold for them.';
}

# What the errors of these results are errors of. Older versions do not say how they merged runs.
sub kind_of_errors ($output) {
    my ( $runs, $how ) =
      ( $output->field('POSTPROCESSED') // q{} ) =~ /\A(medians of [0-9]+ runs?), ([^\n]*)/;
    return "Values are $runs; their errors are standard errors of these medians, from the median"
      . ' absolute deviation between the runs.'
      if ( $how // q{} ) =~ /median absolute deviation/;
    return "Values are $runs; their errors are standard errors of the mean of the runs." if $runs;
    return 'These results are merged from several runs.'
      if $output->is_postprocessed
      && ( $output->field('POSTPROCESSED') // q{} ) !~ /\Avalues and errors of 1 run\b/;
    return if !defines_times($output);
    return
'Errors are standard errors between the repetitions of this run; other runs may differ by more.';
}

sub _undescribed_note ($output) {
    my @fields = grep { _lines_of( $output, $_ ) && !described( $output, $_ ) } @DESCRIPTIONS;
    return if !@fields;
    return
        'Nobody has filled in '
      . list_text( map { "\@$_" } @fields )
      . ' of the parameter file: what was measured is not described.';
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::RunFacts - what the first page tells about a run

=head1 DESCRIPTION

C<machine_name(OUTPUT)>, C<described(OUTPUT, FIELD)>, the lines of a field without what the parameter files
ship with, C<run_facts(OUTPUT)>, a list of lists of a title and lines, C<run_summary(OUTPUT)>, the most important of them,
C<known_facts>, the names of all facts that a run can have,
C<run_warnings(OUTPUT)>, C<run_notes(OUTPUT)>: sentences about what is missing or looks wrong, and
C<defines_times(OUTPUT)>, whether the file says what its times are times of, and C<kind_of_errors(OUTPUT)>, one about what the errors are errors of, or nothing.
The texts are as they stand in the file.

=cut
