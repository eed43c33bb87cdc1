#!/usr/bin/perl

use v5.36;

use FindBin;
use List::Util qw(any max);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program
  qw(check_choice complain fail fail_usage meant read_options run_program whole_match);
use SKaMPI::Base::Table             qw(shorten terminal_width wrapped);
use SKaMPI::Base::Tabular           qw(json_text);
use SKaMPI::Base::TextFile          qw(characters);
use SKaMPI::Document::OverheadTable qw(overhead_lines persistent_lines);
use SKaMPI::Document::HealthText    qw(health_text);
use SKaMPI::Document::TableNotes    qw(extra_cells row_marks table_notes);
use SKaMPI::Findings::Acknowledged  qw(acknowledged_warnings);
use SKaMPI::Findings::Costs         qw(cost_data cost_lines recording_of);
use SKaMPI::Findings::Health        qw(health_of health_status);
use SKaMPI::Meaning::Catalog        qw(fact_title);
use SKaMPI::Meaning::Rates          qw(rate_texts rates_of);
use SKaMPI::Meaning::RunFacts       qw(contention_warnings described machine_name);
use SKaMPI::Read::SoundFile         qw(read_results read_suites);
use SKaMPI::Read::Times;
use SKaMPI::Base::Units
  qw(format_arguments format_bandwidth format_percent format_rate format_time with_units);

my $DONE = 0;

my $PROBLEMS = 5;
my $WARNINGS = 20;
my $LONGEST  = 500;

# The facts that are printed.
my @HEAD =
  qw(MACHINE NODE NETWORK HARDWARE USER DATE POSTPROCESSED SKAMPIVERSION MPILIBRARY SERVED SETTINGS PROCESSES PROCESSESPERHOST
  OVERSUBSCRIBED SELFTEST TIMER GLOBALCLOCK STARTSKEW INIT FINALIZE RESIDUAL CLOCKBOUND WALLTIME CPUSHARE STEAL CACHE DATA ERROR
  ABSOLUTE);

# The columns of --times.
my @PERCENTILES =
  ( [ min => 0 ], [ p25 => 25 ], [ median => 50 ], [ p75 => 75 ], [ p99 => 99 ], [ max => 100 ] );

exit run_program( 'skampi-show', \&main );

sub main () {
    my ( $option, @parts ) = read_options( \@ARGV, { all => 0, format => 'text' },
        'all|a', 'format|f=s', 'health', 'times|t' );
    my ( $path, @patterns ) = map { @{$_} } @parts;
    check_choice( '--format', $option->{format}, qw(json text) );
    return show_health( $option->{format}, $path // 'skampi.out', @patterns ) if $option->{health};
    $path //= 'skampi.out';
    my $output = read_suites($path);
    my @suites = selected( [ $output->suites ], [ map { characters($_) } @patterns ] );
    complain($_) for problems($output);
    fail( no_match( $patterns[0], $output->suites ) )     if !@suites;
    return show_times( $output, $option->{all}, @suites ) if $option->{times};
    say
      for head( $output, !@patterns ), tables( $option->{all}, @suites ),
      overhead_lines( $option->{all}, @suites ),
      persistent_lines( $option->{all}, @suites ), q{},
      @patterns ? () : calls_of_program($output),
      ( map { wrapped($_) } table_notes( $output, @suites ) ),
      @patterns ? () : ( q{}, machine_lines($output) );
    return $DONE;
}

# Is the machine all right? From the launches in the files.
sub show_health ( $format, @paths ) {
    my $health = health_of( map { read_results($_) } @paths );
    print $format eq 'json' ? json_text($health) : map { "$_\n" } health_text($health);
    return health_status($health);
}

sub no_match ( $pattern, @suites ) {
    return "no suite matches '$pattern'"
      . meant( $pattern, map { ( @{$_}{qw(label name)}, $_->{name} =~ s/-.*//r ) } @suites );
}

# The percentiles of suites that have kept their times.
sub show_times ( $output, $all, @suites ) {
    my @kept  = grep { $_->{times} } @suites;
    my $table = SKaMPI::Base::Table->titled(
        '  suite',
        qw(argument:12> process:7> count:9> late:7>?),
        map { "$_->[0]:10>" . ( $_->[0] =~ m{\Ap} ? q{?} : q{} ) } @PERCENTILES
    );
    add_times( $table, $all, $output, $_ ) for @kept;
    fail('no suite has kept the times of its repetitions') if !@kept;
    say for $table->lines( terminal_width() );
    return $DONE;
}

sub add_times ( $table, $all, $output, $suite ) {
    my $times = SKaMPI::Read::Times->new( $output->path, $suite );
    my $name  = "  $suite->{name}";
    complain($_) for $times->problems;
    my @arguments = $times->arguments;
    for my $argument ( $all ? @arguments : some(@arguments) ) {
        my @argument = argument( $suite, { argument => $argument } );
        for my $process ( $times->all_processes($argument) ) {
            my $of   = $times->distribution( $argument, $process );
            my $rank = $process < 0 ? 'all' : $process;
            my @us   = map { format_time( scalar $of->percentile( $_->[1] ) ) } @PERCENTILES;
            $table->add_row( $name, @argument, $rank, $of->count, $of->late, @us );
            ( $name, @argument ) = ( q{}, q{} );
        }
    }
    return;
}

sub calls_of_program ($output) {
    my @lines = cost_lines( scalar cost_data( scalar recording_of($output), [ q{}, $output ] ) );
    return @lines ? ( @lines, q{} ) : ();
}

# The first few problems of the file.
sub problems ($output) {
    my @texts = map { $output->name . ":$_->{line}: $_->{text}" } $output->problems;
    my @more  = splice @texts, $PROBLEMS;
    return @more ? ( @texts, 'and ' . @more . ' more' ) : @texts;
}

# The suites whose label matches a pattern; all suites if there are no patterns.
sub selected ( $suites, $patterns ) {
    my @expressions = map { expression($_) } @{$patterns};
    return @{$suites} if !@expressions;
    return grep {
        my $suite = $_;
        any { $suite->{label} =~ $_ } @expressions
    } @{$suites};
}

# A shell pattern matches the whole label, any other text a part of it.
sub expression ($pattern) {
    return qr/\Q$pattern\E/i if $pattern !~ /[*?]/;
    return whole_match( $pattern, 'is' );
}

# The answer first, then the warnings. For chosen suites only what was measured where.
sub head ( $output, $is_whole ) {
    return (
        wrapped( 'Results in ' . $output->name ),
        q{}, $is_whole ? health_text( health_of($output) ) : machine_lines($output),
        q{}, warnings_in($output)
    );
}

sub machine_lines ($output) {
    my $wide = max( map { length fact_title($_) } @HEAD );
    my @lines;
    for my $name (@HEAD) {
        my $value = join "\n", described( $output, $name );
        $value = machine_name($output) if $name eq 'MACHINE' && $value eq q{};
        push @lines,
          wrapped(
            shorten( first_line( with_units($value) ), $LONGEST ),
            q{ } x ( $wide + 4 ),
            sprintf "  %-*s  ",
            $wide, fact_title($name)
          ) if $value ne q{};
    }
    return @lines;
}

# The first warnings, each on as many lines as it needs: the remedy is at the end.
sub warnings_in ($output) {
    my @texts = map { first_line( $_->{value} ) } grep { $_->{name} eq 'WARNING' } $output->fields;
    push @texts, contention_warnings($output), acknowledged_warnings($output);
    my @more  = splice @texts, $WARNINGS;
    my @lines = map { wrapped( 'warning: ' . shorten( $_, $LONGEST ), q{    }, q{  } ) } @texts;
    push @lines, '  and ' . @more . ' more warnings' if @more;
    return @lines ? ( @lines, q{} ) : ();
}

sub first_line ($text) {
    my ( $first, $more ) = split /\n/, $text, 2;
    return defined $more ? "$first ..." : $first;
}

sub tables ( $all, @suites ) {
    my @lines;
    for my $group ( groups(@suites) ) {
        push @lines, q{} if @lines;
        push @lines, group_title( $group->[0] ), group_table( $all, @{$group} );
    }
    return @lines;
}

sub group_table ( $all, @suites ) {
    my $table = SKaMPI::Base::Table->titled( '  suite', qw(argument:13> time:12> error:9> count:7>),
        'ended by:14?', has_rates( $suites[0] ) ? qw(bandwidth:9>? rate:8>?) : () );
    add_suite( $table, $all, $_ ) for @suites;
    return $table->lines( terminal_width() );
}

sub has_rates ($suite) {
    return scalar %{ rate_texts($suite) };
}

# Lists of suites whose times have the same definition.
sub groups (@suites) {
    my ( @groups, %group_of );
    for my $suite (@suites) {
        my $kind = join "\n", $suite->{prefix}, $suite->time_name, has_rates($suite);
        push @groups, $group_of{$kind} = [] if !$group_of{$kind};
        push @{ $group_of{$kind} }, $suite;
    }
    return @groups;
}

sub group_title ($suite) {
    my $of    = $suite->{notes}{TIMEOF};
    my $title = $suite->{pattern} // $suite->{prefix};
    $title .= ' on a virtual topology' if $suite->{prefix} =~ /^vt/;
    $title .= ": $of"                  if defined $of && !$suite->is_internal;
    return wrapped( shorten( $title, $LONGEST ) );
}

# The suite's name is in its first row, its range in the second.
sub add_suite ( $table, $all, $suite ) {
    my @rows  = $all ? @{ $suite->{rows} } : some( @{ $suite->{rows} } );
    my @notes = ( "  $suite->{name}", range_note($suite) );
    for my $i ( 0 .. max( $#rows, $#notes ) ) {
        $table->add_row( $notes[$i], $rows[$i] ? cells( $suite, $rows[$i] ) : () );
        add_extra_values( $table, $suite, $rows[$i] ) if $rows[$i];
    }
    return;
}

# One line for each, below the time; the name is in the first column.
sub add_extra_values ( $table, $suite, $row ) {
    $table->add_row( "      mode, $_->{percent} %", q{}, format_time( $_->{time} ) )
      for $suite->two_modes($row);
    $table->add_row( "      $_->{name}", q{}, @{$_}{qw(value error)} )
      for grep { $_->{value} ne q{} } extra_cells( $suite, $row );
    return;
}

# First, middle and last; of pairs, the fastest, the median and the slowest.
sub some (@rows) {
    @rows = sort { $a->{time} <=> $b->{time} } @rows if ref $rows[0] && $rows[0]{arguments};
    return @rows                                     if @rows <= 3;
    return @rows[ 0, @rows / 2, -1 ];
}

sub range_note ($suite) {
    my @rows = @{ $suite->{rows} };
    my @note;
    push @note, 'no row' if !@rows;
    push @note, join ' - ', map { argument( $suite, $_ ) } @rows[ 0, -1 ] if @rows > 1;
    push @note, scalar(@rows) . ' points' if @rows > 3;
    push @note, 'incomplete'              if !$suite->{complete};
    return @note ? q{    } . join ', ', @note : ();
}

sub argument ( $suite, $row ) {
    return format_arguments( $row, $suite );
}

sub cells ( $suite, $row ) {
    return (
        argument( $suite, $row ),
        format_time( $row->{time} ) . row_marks( $suite, $row ),
        format_percent( $suite->relative_error($row) ),
        $row->{count},
        $row->{extras}{stop},
        rate_cells( $suite, $row ),
    );
}

sub rate_cells ( $suite, $row ) {
    return if !has_rates($suite);
    my $rates = rates_of( $suite, $row );
    return ( format_bandwidth( $rates->{bandwidth} ), format_rate( $rates->{rate} ) );
}

__END__

=encoding utf8

=head1 NAME

skampi-show - prints SKaMPI results on the terminal

=head1 SYNOPSIS

    skampi-show [--all] [--times] [FILE [PATTERN...]]
    skampi-show --health [--format json] FILE...

=head1 DESCRIPTION

Says whether the machine is all right, with what to do, then prints the warnings of the run and, for each suite, the times at the
first, the middle and the last argument: with the standard error relative to the time (C<-> if it is
not known, as for fewer than 4 repetitions), the number of repetitions, and the reason why the measurement ended. Additional values of a row are printed below its
time, and the two modes of its repetitions. Marks beside a time are explained below the tables. A C<*> marks synchronised times that the clocks limit: C<#@CLOCKBOUND> is more than the requested error of such a time, or
the residual of its row more than half of it.

FILE is F<skampi.out> by default. A PATTERN selects suites by their label, which is the prefix of the
measurement pattern and the suite's name (C<col_MPI_Bcast-nodes>). It is a part of the label or, with C<*>
and C<?>, matches the whole label. Case is ignored.

    skampi-show skampi.out bcast 'p2p_*'

For messages of applications (types 120 to 136), a table of packing overheads follows: (t - t_net) / t with the
time t and the time t_net of as many bytes in one piece (C<method=contiguous>), with its standard error. The last
column is the time with datatypes divided by that with manual packing.

If the ordinary operation, the persistent one, and the creation of its request were measured, another table
follows: the number of uses after which the request has paid, creation / (ordinary - persistent), with its
standard error; C<never> if a persistent use is not faster, C<more than> if not clearly. The request
of a collective is created with messages of the same length; a window of W messages needs W requests.

=head1 OPTIONS

=over

=item B<-a>, B<--all>

Show every row.

=item B<--health>

Only say whether the machine is all right, from the launches in the FILEs: six lines, set-up, messages, collectives,
evenness, steadiness, and overlap and one-sided; each C<good>, C<look> or C<cannot tell>, with its value and interval,
what it is held against, what it costs and what to do. The manual has the table of all limits. C<skampi-launch --health>
makes six launches that leave nothing open.

=item B<-f> FORMAT, B<--format>=FORMAT

With C<--health>, C<text> (the default) or C<json>.

=item B<-t>, B<--times>

Show percentiles of the times of all repetitions and of each process, for suites with C<histogram=yes> or
C<raw=yes>. Process C<all> has the times of the repetitions, the others those of their own part. C<late> is
the number of repetitions that were dropped because this process started late.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

Lines fit the terminal, or have 80 characters without one; the environment variable COLUMNS sets another width.

=head1 EXIT STATUS

0 if a suite was printed, 1 if no suite matches, 2 for wrong usage or a file that cannot be read or is not a result file.
With C<--health>: 0 if all is good, 1 if there is something to look at, 3 if it cannot tell.

=head1 SEE ALSO

dorep(1) makes a report; skampi(1), skampi.out(5)
