#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any max);

use SKaMPI::Base::Program qw(check_choice complain fail meant read_options run_program whole_match);
use SKaMPI::Base::Table   qw(shorten terminal_width wrapped);
use SKaMPI::Base::Json    qw(pretty_json);
use SKaMPI::Base::TextFile          qw(characters number_of);
use SKaMPI::Document::OverheadTable qw(overhead_lines persistent_lines);
use SKaMPI::Document::HealthText    qw(health_text);
use SKaMPI::Document::TableNotes    qw(extra_cells row_marks table_notes);
use SKaMPI::Export::Formats         qw(format_results);
use SKaMPI::Findings::Acknowledged  qw(acknowledged_warnings);
use SKaMPI::Findings::Costs         qw(cost_data cost_lines recording_of);
use SKaMPI::Findings::Health        qw(health_document health_of health_status);
use SKaMPI::Meaning::Catalog        qw(fact_title shown_facts);
use SKaMPI::Meaning::PlottedPoints  qw(grouped spread);
use SKaMPI::Meaning::Rates          qw(rate_texts rates_of);
use SKaMPI::Meaning::RunFacts
  qw(contention_warnings described machine_name visit_warnings warnings_of);
use SKaMPI::Read::ResultFile qw(read_results read_suites);
use SKaMPI::Stat::Estimate   qw(relative_error);
use SKaMPI::Base::Units
  qw(format_arguments format_bandwidth format_error format_rate format_time with_units);

my $DONE = 0;

my $PROBLEMS = 5;
my $WARNINGS = 20;
my $LONGEST  = 500;

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
    my @names = map { ( $_->label, $_->name, $_->name =~ s/-.*//r ) } $output->suites;
    fail( "no suite matches '$patterns[0]'" . meant( $patterns[0], @names ) ) if !@suites;
    return show_times( $option, $output, @suites )                            if $option->{times};
    return show_json( $output, @suites ) if $option->{format} eq 'json';
    say
      for head( $output, !@patterns ), tables( $option->{all}, @suites ),
      overhead_lines( $option->{all}, @suites ),
      persistent_lines( $option->{all}, @suites ), q{},
      @patterns ? () : calls_of_program($output),
      ( map { wrapped($_) } table_notes( $output, @suites ) ),
      @patterns ? () : ( q{}, machine_lines($output) );
    return $DONE;
}

# Answers "Is my machine all right?" from the launches in the files.
sub show_health ( $format, @paths ) {
    my $health = health_of( map { read_results($_) } @paths );
    print $format eq 'json'
      ? pretty_json( health_document($health) )
      : map { "$_\n" } health_text($health);
    return health_status($health);
}

sub show_json ( $output, @suites ) {
    print format_results( 'json',
        { output => $output, number => 1, suites => [ grep { !$_->is_internal } @suites ] } );
    return $DONE;
}

sub show_times ( $option, $output, @suites ) {
    my @kept = grep { $_->times } @suites;
    fail('no suite has kept the times of its repetitions') if !@kept;
    return print_times(@kept)                              if $option->{format} eq 'json';
    my $table = SKaMPI::Base::Table->titled(
        '  suite',
        qw(argument:12> process:7> count:9> late:7>?),
        map { "$_->[0]:10>" . ( $_->[0] =~ m{\Ap} ? q{?} : q{} ) } @PERCENTILES
    );
    add_times( $table, $option->{all}, $_ ) for @kept;
    say for $table->lines( terminal_width() );
    return $DONE;
}

# All times as JSON (report/schema.txt).
sub print_times (@suites) {
    my @rows;
    for my $suite (@suites) {
        my %suite = ( suite => $suite->label, argument_unit => $suite->arguments->[0]{unit} );
        my $times = $suite->kept_times;
        for my $argument ( $times->arguments ) {
            push @rows, map {
                my $of = $times->distribution( $argument, $_ );
                +{
                    %suite,
                    argument => number_of($argument),
                    process  => $_ < 0 ? undef : 0 + $_,
                    count    => $of->count,
                    late     => $of->late,
                    map { ( "$_->[0]_us" => 0 + $of->percentile( $_->[1] ) ) } @PERCENTILES
                }
            } $times->all_processes($argument);
        }
    }
    print pretty_json( { schema => 'skampi-times/1', rows => \@rows } );
    return $DONE;
}

sub add_times ( $table, $all, $suite ) {
    my $times = $suite->kept_times;
    my $name  = q{  } . $suite->name;
    complain($_) for $times->problems;
    my @arguments = $times->arguments;
    for my $argument ( $all ? @arguments : some(@arguments) ) {
        my @argument = format_arguments( { argument => $argument }, $suite );
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
        any { $suite->label =~ $_ } @expressions
    } @{$suites};
}

# A shell pattern matches the whole label, any other text a part of it.
sub expression ($pattern) {
    return qr/\Q$pattern\E/i if $pattern !~ /[*?]/;
    return whole_match( $pattern, 'is' );
}

# The answer first, then the warnings. For chosen suites, only the measured quantity and place.
sub head ( $output, $is_whole ) {
    return (
        wrapped( 'Results in ' . $output->name ),
        q{}, $is_whole ? health_text( health_of($output) ) : machine_lines($output),
        q{}, warnings_in($output)
    );
}

sub machine_lines ($output) {
    my @names = shown_facts('show');
    my $wide  = max( map { length fact_title($_) } @names );
    my @lines;
    for my $name (@names) {
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
    my @texts = map { first_line($_) } warnings_of($output);
    push @texts, visit_warnings($output), contention_warnings($output),
      acknowledged_warnings($output);
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

sub has_rates ($suite) { return scalar %{ rate_texts($suite) } }

# Lists of suites whose times have the same definition.
sub groups (@suites) {
    return grouped(
        sub ($suite) { return join "\n", $suite->prefix, $suite->time_name, has_rates($suite) },
        @suites );
}

sub group_title ($suite) {
    my $of    = $suite->note('TIMEOF');
    my $title = $suite->pattern // $suite->prefix;
    $title .= ' on a virtual topology' if $suite->prefix =~ /^vt/;
    $title .= ": $of"                  if defined $of && !$suite->is_internal;
    return wrapped( shorten( $title, $LONGEST ) );
}

# Adds a suite; its name is in its first row, its range in the second.
sub add_suite ( $table, $all, $suite ) {
    my @rows  = $all ? @{ $suite->rows } : some( @{ $suite->rows } );
    my @notes = ( q{  } . $suite->name, range_note($suite) );
    for my $i ( 0 .. max( $#rows, $#notes ) ) {
        $table->add_row( $notes[$i], $rows[$i] ? cells( $suite, $rows[$i] ) : () );
        add_extra_values( $table, $suite, $rows[$i] ) if $rows[$i];
    }
    return;
}

# Adds one line for each extra value below the time; the name is in the first column.
sub add_extra_values ( $table, $suite, $row ) {
    $table->add_row( "      mode, $_->{percent} %", q{}, format_time( $_->{time} ) )
      for $suite->two_modes($row);
    $table->add_row( "      $_->{name}", q{}, @{$_}{qw(value error)} )
      for grep { $_->{value} ne q{} } extra_cells( $suite, $row );
    return;
}

# The first, middle and last row; of pairs, the fastest, the median and the slowest.
sub some (@rows) {
    @rows = sort { ( $a->{time} // 0 ) <=> ( $b->{time} // 0 ) } @rows
      if ref $rows[0] && $rows[0]{arguments};
    return spread( 3, @rows );
}

sub range_note ($suite) {
    my @rows = @{ $suite->rows };
    my @note;
    push @note, 'no row' if !@rows;
    push @note, join ' - ', map { format_arguments( $_, $suite ) } @rows[ 0, -1 ] if @rows > 1;
    push @note, scalar(@rows) . ' points'  if @rows > 3;
    push @note, 'incomplete'               if !$suite->complete;
    push @note, $suite->visits . ' visits' if defined $suite->visits;
    return @note ? q{    } . join ', ', @note : ();
}

sub cells ( $suite, $row ) {
    return (
        format_arguments( $row, $suite ),
        format_time( $row->{time} ) . row_marks( $suite, $row ),
        format_error( relative_error($row) ),
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
