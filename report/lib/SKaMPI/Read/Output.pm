package SKaMPI::Read::Output;

# Reads the results of a SKaMPI run. Reads result files of this version and of older ones, also
# incomplete or edited files. A file may come from anyone: nothing in it is executed. Errors in it
# are reported as problems and do not stop the reading. The values may contain any character except
# line ends; escape them before printing. Methods: name, of the file, as a text; path, undef without a file; line_count,
# the number of its lines; and those below.
# suites are in the order of the parameter file or, without a list of them, of the results; objects of
# SKaMPI::Read::Suite.
# fields are all header fields in the order of the file, each a hash of name, value and line.
use SKaMPI::Base qw(name path line_count usual @suites @fields);

use List::Util qw(none);

use SKaMPI::Base::Table    qw(shorten);
use SKaMPI::Base::TextFile qw(characters number_of open_regular utf8_bytes);
use SKaMPI::Meaning::Facts qw(read_fact);
use SKaMPI::Read::Lines;
use SKaMPI::Read::Beside    qw(add_paths);
use SKaMPI::Read::Plausible qw(implausible is_process_count $MOST_PROCESSES);
use SKaMPI::Read::Skampi5   qw(is_of_skampi5);
use SKaMPI::Read::Suite;

# Limits of what is read from a file; the rest is ignored. The data read from any file fit into 250 MB.
my %MOST = (
    bytes        => 256 * 1024 * 1024,
    lines        => 500_000,
    fields       => 1000,
    suites       => 10_000,
    rows         => 100_000,
    notes        => 200_000,
    'node times' => 1_000_000,
);
my $MAX_PROBLEMS = 100;

# The longest text of a suite's fields.
my $LONGEST_FIELDS = 8192;

# The longest value of a field, including its continuation lines, and the longest text of a problem.
my $LONGEST_VALUE   = 1024 * 1024;
my $LONGEST_PROBLEM = 300;

# Kinds of lines, those that start with # and the others; the first match counts.
my @BEGIN    = ( qr{^\#?/\*\@in(.*)[.]ski\*/\s*$}, \&_begin_suite );
my @FINISHED = ( qr/^\#?\s?skampi finished[.]/,    \&_leave_suite );
my @COMMENTS = (
    [ qr/^\#\@(\S+)\s*(.*)/,                           \&_add_field ],
    [ qr/^\#((?!eol\b|skampi finished[.])[a-zA-Z].*)/, \&_add_header ],
    [ qr/^\#eol\b/,                                    \&_end_suite ],
    [@BEGIN],
    [ qr/^\#-{3,}\s*$/, \&_leave_suite ],
    [@FINISHED],
    [ qr/^\#\ (.*)/, \&_continue_field ],
    [ qr/^\#(.*)/,   \&_add_header ],
);
my @OTHERS = (
    [ qr/^\s*([+-]?[.]?[0-9].*|[+-]?(?:nan|inf)\b.*)/i, \&_add_row ],
    [@BEGIN], [@FINISHED], [ qr/^(.*)/, \&_continue_header ],
);

# An object with the content of the file. NAME is by default that of the file; MOST may have other limits than %MOST,
# and a function, take, which gets this object, the suite and each of its rows: a suite then keeps only its first row.
# Dies if the file cannot be read or has too many bytes.
sub from_file ( $class, $path, $name = characters($path), %most ) {
    return $class->_from_handle( open_regular($path), $name, $path, %most );
}

# Like from_file, for a text (characters, not bytes); PATH is the place of files beside it.
sub from_text ( $class, $text, $name = 'skampi.out', $path = undef, %most ) {
    my $bytes = utf8_bytes($text);
    open my $file, '<:raw', \$bytes    ## no critic (RequireBriefOpen): the next line closes it
      or die "cannot read '$name': $!\n";
    return $class->_from_handle( $file, $name, $path, %most );
}

sub _from_handle ( $class, $file, $name, $path = undef, %most ) {
    my $take = delete $most{take};
    %most = ( %MOST, %most );
    my $kind  = is_of_skampi5($file) ? 'SKaMPI::Read::Skampi5' : 'SKaMPI::Read::Lines';
    my $lines = $kind->new( $file, $name, @most{qw(lines bytes)} );
    my $self  = bless {
        most     => \%most,
        take     => $take,
        name     => $name,
        path     => $path,
        lines    => $lines,
        fields   => [],
        suites   => [],
        by_label => {},
        problems => [],
        limits   => [],
        count    => {},
    }, $class;
    $self->_take_lines($lines);
    $self->_judge_end( $lines->last_line );
    $self->_sort_suites;
    $self->{line_count} = $lines->number;
    delete $self->{lines};
    close $file or die "cannot read '$name': $!\n";
    add_paths($self);
    return $self;
}

# Sorts suites as the header lists them, since suites that take turns end in another order; suites
# that it lacks follow. Also sets the fields of every suite as the parameter file requests them.
sub _sort_suites ($self) {
    my @planned = $self->planned;
    my %place   = map { ( "$planned[$_]{name} $planned[$_]{type}" => $_ ) } reverse keys @planned;
    my %of      = map { $_ => $place{ _planned_of($_) } // scalar @planned } $self->suites;
    $self->_add_of_run($_) for $self->suites;
    $self->{suites} = [ sort { $of{$a} <=> $of{$b} } $self->suites ];
    return;
}

# Adds to a suite what the header of the file says of it.
sub _add_of_run ( $self, $suite ) {
    if ( !$self->{lines_of} ) {
        $self->{lines_of} = {};
        push @{ $self->{lines_of}{ $_->{name} } }, $_
          for grep { defined $_->{fields} } $self->planned;
    }
    $suite->{path}        = $self->{path};
    $suite->{clock_bound} = $self->fact('CLOCKBOUND')->{bound_us};
    $suite->name_arguments;

    # Suites of different patterns may have the same name; the type distinguishes them.
    my $type = $suite->fact('TYPE')->{number};
    my @found =
      grep { !defined $type || $_->{type} eq $type } @{ $self->{lines_of}{ $suite->{name} } // [] };
    $suite->{requested} =
      @found == 1 ? { _fields( $found[0]{fields} ), Type => $found[0]{type} } : undef;
    return;
}

# The fields and the key=value words of Parameters: "Scale = Dynamic_log; Parameters = "partner=farthest cache=warm";"
sub _fields ($text) {
    my %fields     = $text =~ /(\w+) = ("[^"]*"|[^;]*);/g;
    my $parameters = delete $fields{Parameters} // q{};
    return ( %fields, $parameters =~ /(\w+)=([^\s"]+)/g );
}

# Reads line by line: holding each line of a large file in a scalar takes several times the file's size.
sub _take_lines ( $self, $lines ) {
    while ( defined( my $line = $lines->next_line ) ) {
        next if $line !~ /\S/;
        my $wrong = $lines->problem;
        $self->_problem($wrong) if defined $wrong;
        if   ( $line =~ /\A *[0-9]/ ) { $self->_add_row($line) }
        else                          { $self->_take($line) }
    }
    $self->_limit( 'more than ' . $lines->number . ' lines' ) if $lines->has_more;
    return;
}

# The suites that the parameter file requests, without those that measure the clocks.
sub results ($self) {
    return grep { !$_->is_internal } $self->suites;
}

# Problems: data that were skipped or look wrong, each a hash of line, text and, if that is only a value that cannot be
# (SKaMPI::Read::Plausible), odd: first the limits that the file exceeds, then at most 100 others.
sub problems ($self) { return ( @{ $self->{limits} }, @{ $self->{problems} } ) }

# Information from the trailer (the last line). A file without one comes from a run that is still
# running or was interrupted.
sub is_finished      ($self) { return $self->{finished}      // 0 }
sub is_postprocessed ($self) { return $self->{postprocessed} // 0 }

# The value of the header line #@NAME value with its continuation lines, or undef.
sub field ( $self, $name ) {
    my ($field) = grep { $_->{name} eq $name } $self->fields;
    return $field ? $field->{value} : undef;
}

# The values in its text (SKaMPI::Meaning::Facts).
sub fact ( $self, $name ) {
    return $self->{facts}{$name} //= read_fact( 0, $name, $self->field($name) );
}

# A copy with another name and other suites, and fields that take precedence over those of the header.
sub with_suites ( $self, $name, $suites, @fields ) {
    return $self->with(
        name     => $name,
        suites   => $suites,
        by_label => { map { $_->label => $_ } @{$suites} },
        fields   => [ @fields, @{ $self->{fields} } ],
        facts    => {},
    );
}

sub suite ( $self, $label ) {
    return $self->{by_label}{$label};
}

# The names of suites that #@SUITES requests and that have no complete block.
sub missing_suites ($self) {
    my %done    = map { _planned_of($_) => 1 } grep { $_->{complete} } $self->suites;
    my @missing = grep {
        my ( $name, $type ) = @{$_}{qw(name type)};
        none { $done{"$name $_"} } $type, q{}
    } $self->planned;
    return map { $_->{name} } @missing;
}

# The number of suites that #@SUITES requests, 0 in files without this line.
sub planned_count ($self) { return scalar( () = $self->planned ) }

# Hashes of name, fields (their text if it is not too long, without the type) and type (its number, or empty).
sub planned ($self) {
    return map {
        {
            name   => $_->{name},
            fields => length $_->{fields} > $LONGEST_FIELDS ? undef : $_->{fields},
            type   => $_->{type} // q{}
        }
    } @{ $self->fact('SUITES')->{list} };
}

sub _planned_of ($suite) {
    return join q{ }, $suite->{name}, $suite->fact('TYPE')->{number} // q{};
}

sub _take ( $self, $text ) {
    for my $kind ( $text =~ /^\#/ ? @COMMENTS : @OTHERS ) {
        my ( $expression, $action ) = @{$kind};
        next if $text !~ $expression;
        return $self->$action( $1, $2 );
    }
    return;
}

sub _problem ( $self, $text, %more ) {
    push @{ $self->{problems} }, { %{ $self->_here($text) }, %more }
      if @{ $self->{problems} } < $MAX_PROBLEMS;
    return;
}

# Each limit is reported once, before all other problems: missing data matter more than odd data.
sub _limit ( $self, $text ) {
    push @{ $self->{limits} }, $self->_here("$text; the rest is ignored");
    return;
}

sub _here ( $self, $text ) {
    return { line => $self->{lines}->number, text => shorten( $text, $LONGEST_PROBLEM ) };
}

# Counts one more of these things, or $more; 0 if that exceeds the limit.
sub _has_room ( $self, $things, $more = 1 ) {
    my $count = \$self->{count}{$things};
    ${$count} //= 0;
    my $most = $self->{most}{$things};
    return 0 if ${$count} > $most;
    ${$count} += $more;
    return 1 if ${$count} <= $most;
    $self->_limit("more than $most $things");
    return 0;
}

sub _begin_suite ( $self, $label, @ ) {
    $self->_leave_suite;
    $self->{skipping} = !SKaMPI::Read::Suite::label_is_sound($label);
    return $self->_problem('skipped a suite whose name is not a valid file name')
      if $self->{skipping};
    $self->{skipping} = !$self->_has_room('suites');
    return                                      if $self->{skipping};
    $self->_problem("duplicate suite '$label'") if $self->suite($label);
    $self->{suite} = SKaMPI::Read::Suite->new( $label, $self->{lines}->number );
    push @{ $self->{suites} }, $self->{suite};
    $self->{by_label}{$label} //= $self->{suite};
    return;
}

sub _leave_suite ( $self, @ ) {
    my $suite = delete $self->{suite};
    delete @{$self}{qw(field skipping)};
    return if !$suite;
    $suite->end_header;
    $self->_problem("suite '$suite->{label}' is incomplete") if !$suite->{complete};
    return;
}

sub _end_suite ( $self, @ ) {
    $self->{suite}{complete} = 1 if $self->{suite};
    return $self->_leave_suite;
}

# Adds a field to the suite, or to the run if it is outside of a suite.
sub _add_field ( $self, $name, $value ) {
    delete $self->{field};
    return                                   if $self->{skipping};
    return $self->_add_note( $name, $value ) if $self->{suite};
    return                                   if !$self->_has_room('fields');
    my $line = $self->{lines}->number;
    push @{ $self->{fields} }, { name => $name, value => $value, line => $line };
    $self->{field}    = \$self->{fields}[-1]{value};
    $self->{absolute} = 1 if $name eq 'ABSOLUTE' && $value =~ /\Ayes\b/i;
    $self->_problem( "#\@$name is not a whole number from 1 to $MOST_PROCESSES", odd => 1 )
      if $name eq 'PROCESSES' && !is_process_count( number_of($value) // 0 );
    return;
}

sub _add_note ( $self, $name, $value ) {
    return if !$self->_has_room('notes');
    chop $value while substr( $value, -1 ) eq q{ };    # for a fact that is replaced in place
    my $notes = $self->{suite}{notes};
    delete $self->{suite}{facts};
    $self->{suite}->add_extra($value) if $name eq 'EXTRA';
    push @{ $self->{suite}{times} }, $value if $name eq 'TIMES';
    $value          = "$notes->{NOTE}; $value" if $name eq 'NOTE' && defined $notes->{NOTE};
    $notes->{$name} = $value;
    $self->{field}  = \$notes->{$name};
    return;
}

sub _continue_field ( $self, $text, @ ) {
    my $value = $self->{field} or return;
    ${$value} .= "\n$text";
    return if length ${$value} <= $LONGEST_VALUE;
    $self->_problem('text with too many lines; cut');
    delete $self->{field};
    return;
}

sub _add_header ( $self, $text, @ ) {
    delete $self->{field};
    $self->{suite}->add_header($text) if $self->{suite} && !@{ $self->{suite}{rows} };
    return;
}

sub _add_row ( $self, $text, @ ) {
    delete $self->{field};
    my $suite = $self->{suite};
    return                                           if $self->{skipping};
    return $self->_problem('row outside of a suite') if !$suite;
    return                                           if $self->{lines}->is_cut;
    return                                           if !$self->_has_room('rows');
    my $room  = $self->{most}{'node times'} - ( $self->{count}{'node times'} // 0 );
    my $wrong = $suite->add_row( $text, $self->{lines}->number, $room );
    return $self->_problem($wrong) if $wrong;
    my $row = $suite->{rows}[-1];
    $self->_problem( $_, odd => 1 ) for implausible( $suite, $row, $self->{absolute} );
    my $taken = @{ $row->{node_times} // [] };
    $self->_has_room( 'node times', $taken + ( delete $suite->{times_skipped} // 0 ) );
    my $take = $self->{take} // return;
    my $rows = $suite->{rows};
    $self->_add_of_run($suite) if @{$rows} == 1;
    $take->( $self, $suite, $row );
    pop @{$rows} if @{$rows} > 1;
    return;
}

sub _continue_header ( $self, $text, @ ) {
    my $suite = $self->{suite};
    return if $self->{skipping};
    return if $suite && !@{ $suite->{rows} } && $suite->continue_header($text);
    return $self->_problem('neither a row nor a comment');
}

sub _judge_end ( $self, $last, $ended ) {
    if ( $last =~ /^\#?\s?skampi finished[.](.*)/ ) {
        $self->{finished}      = 1;
        $self->{postprocessed} = $1 =~ /-postprocessed/ ? 1 : 0;
    }
    elsif ( !$ended && $last !~ /^(?:\#eol)?$/ ) {
        $self->_problem('the file ends in the middle of a line');

        # Digits of the last number of the last row may be missing.
        my $rows = ( $self->{suite} // {} )->{rows} // [];
        pop @{$rows} if @{$rows} && $rows->[-1]{line} == $self->{lines}->number;
    }
    return $self->_leave_suite;
}

1;
