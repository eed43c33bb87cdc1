#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any max uniq);

use SKaMPI::Base::Program
  qw(check_choice complain fail fail_usage meant print_plain read_options run_program whole_match);
use SKaMPI::Base::Table               qw(shorten terminal_width wrapped);
use SKaMPI::Base::Json                qw(pretty_json);
use SKaMPI::Base::TextFile            qw(characters number_of);
use SKaMPI::Document::FirstScreen     qw(brief_document brief_lines first_screen);
use SKaMPI::Findings::ApplicationText qw(overhead_lines);
use SKaMPI::Findings::PersistentUses  qw(persistent_lines);
use SKaMPI::Findings::HealthText      qw(health_lines health_text health_title);
use SKaMPI::Document::TableNotes      qw(extra_cells row_marked table_notes);
use SKaMPI::Findings::Acknowledged    qw(acknowledged_warnings);
use SKaMPI::Meaning::Costs            qw(cost_data cost_lines recording_of);
use SKaMPI::Findings::Health          qw(health_document health_of health_status);
use SKaMPI::Meaning::Catalog          qw(fact_title shown_facts);
use SKaMPI::Meaning::Marks            qw(mark_lines);
use SKaMPI::Meaning::PlottedPoints    qw(grouped spread);
use SKaMPI::Meaning::Rates            qw(rate_texts rates_of);
use SKaMPI::Meaning::Subject          qw(operation_of);
use SKaMPI::Meaning::RunFacts         qw(described machine_name range_notes run_warnings);
use SKaMPI::Read::ResultFile          qw(read_results read_suites);
use SKaMPI::Stat::Estimate            qw(relative_error);
use SKaMPI::Base::Units
  qw(format_arguments format_error format_time format_with_error some_of with_units);

SKaMPI::Base->later( 'SKaMPI::Verdict::Launch',  qw(read_launch) );
SKaMPI::Base->later( 'SKaMPI::Verdict::OddRuns', qw(found_odd odd_lines odd_status) );
SKaMPI::Base->later( 'SKaMPI::Verdict::Usual',   qw(add_usual) );
SKaMPI::Base->later( 'SKaMPI::Export::Formats',  qw(format_results) );

my $DONE = 0;

my $PROBLEMS = 5;
my $LONGEST  = 500;

# The most extra values of a row that are shown with their errors.
my $WITH_ERRORS = 3;

# The columns of --times.
my @PERCENTILES =
  ( [ min => 0 ], [ p25 => 25 ], [ median => 50 ], [ p75 => 75 ], [ p99 => 99 ], [ max => 100 ] );

exit run_program( 'skampi-show', \&main );

sub main () {
    my ( $option, @parts ) = read_options(
        \@ARGV,
        { all => 0, format => 'text' },
        qw(all|a baseline=s brief format|f=s health odd times|t)
    );
    my ( $path, @patterns ) = map { @{$_} } @parts;
    check_choice( '--format', $option->{format}, qw(json text) );
    return show_health( $option->{format}, $path // 'skampi.out', @patterns ) if $option->{health};
    return show_odd( $option, grep { defined } $path, @patterns )             if $option->{odd};
    $path //= 'skampi.out';
    my $output = read_suites($path);
    my @suites = selected( [ $output->suites ], [ map { characters($_) } @patterns ] );
    complain($_) for problems($output);
    my $baseline = $option->{baseline} // $ENV{SKAMPI_BASELINE};
    my @usual    = defined $baseline ? add_usual( $output, $baseline ) : ();
    my @names    = map { ( $_->label, $_->name, $_->name =~ s/-.*//r ) } $output->suites;
    fail( "no suite matches '$patterns[0]'" . meant( $patterns[0], @names ) ) if !@suites;
    return show_times( $option, $output, @suites )                            if $option->{times};
    return show_brief( $option->{format}, $output )                           if $option->{brief};

    if ( $option->{format} eq 'json' ) {
        my @plain = grep { !$_->is_internal } @suites;
        print format_results( 'json', { output => $output, number => 1, suites => \@plain } );
        return $DONE;
    }
    my $is_one = 1 == uniq map { operation_of($_) } grep { !$_->is_internal } @suites;
    my $all    = $option->{all} || $is_one && @suites == 1;
    my ( $first, @health ) = @patterns ? ( [q{}] ) : health( $output, $is_one );
    my @warnings = warnings_in($output);
    print_plain($_)
      for wrapped( 'Results in ' . $output->name ), @{$first},
      $is_one ? () : ( @health, @warnings ), tables( $all, @suites ),
      overhead_lines( $all, @suites ), persistent_lines( $all, @suites ), q{},
      $is_one   ? ( @health, @warnings ) : (),
      @patterns ? ()                     : calls_of_program($output),
      ( map { wrapped($_) } table_notes( $output, @suites ), @usual ), q{}, machine_lines($output);
    return $DONE;
}

sub show_brief ( $format, $output ) {
    my $health = health_of($output);
    print $format eq 'json'
      ? pretty_json( brief_document( $output, $health ) )
      : map { "$_\n" } brief_lines( $output, $health );
    return $DONE;
}

# The first lines, and those about the machine's health. The rows of one operation are its figures.
sub health ( $output, $is_one ) {
    my $health = health_of($output);
    my @lines  = health_lines($health);
    return ( [q{}], @lines ? ( health_title($health), q{}, @lines, q{} ) : () ) if $is_one;
    return ( [ first_screen( $output, $health ), q{} ], @lines ? ( @lines, q{} ) : () );
}

# Answers "Is my machine all right?" from the launches in the files.
sub show_health ( $format, @paths ) {
    my $health = health_of( map { read_results($_) } @paths );
    print $format eq 'json'
      ? pretty_json( health_document($health) )
      : map { "$_\n" } health_text($health);
    return health_status($health);
}

# Answers "Which of my runs is odd, and where?".
sub show_odd ( $option, @paths ) {
    fail_usage('--odd: expected result files, one for each run') if !@paths;
    my $found = found_odd( map { read_launch( $_, 'time' ) } @paths );
    print $option->{format} eq 'json'
      ? pretty_json($found)
      : map { "$_\n" } odd_lines( $found, $option->{all} );
    return odd_status($found);
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
    print_plain( $table->lines( terminal_width() ) );
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
    return some_of( $PROBLEMS, 'and %d more', @texts );
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

sub machine_lines ($output) {
    my @names = shown_facts('show');
    my $wide  = max( map { length fact_title($_) } @names );
    my @lines;
    for my $name (@names) {
        my $value = join $name eq 'LABEL' ? q{; } : "\n", described( $output, $name );
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

# Warnings, each on as many lines as it needs: the remedy is at the end.
sub warnings_in ($output) {
    my @texts = ( run_warnings($output), range_notes($output), acknowledged_warnings($output) );
    my @lines = map { wrapped( 'warning: ' . shorten( $_, $LONGEST ), q{    }, q{  } ) } @texts;
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
        push @lines, group_title( $group->[0] ), group_table( $all, @{$group} ),
          legend( $all, @{$group} ), map { path_lines($_) } @{$group};
    }
    return @lines;
}

# The path of a ping-pong's messages, if a launch showed it (skampi-launch --path).
sub path_lines ($suite) {
    my $path = $suite->note('PATH') // return;
    return wrapped( shorten( 'path of ' . $suite->name . ": $path", $LONGEST ), q{    }, q{  } );
}

sub group_table ( $all, @suites ) {
    my @names    = uniq map { $_->{name} } map { extra_cells( $_, {} ) } @suites;
    my @modes    = ( grep { has_modes( $all, $_ ) } @suites ) ? 'modes:30' : ();
    my $has_mean = any { $_->has_mean } @suites;
    my @usual = ( grep { defined $_->{usual} } map { @{ $_->rows } } @suites ) ? 'usual:44?' : ();
    my $table = SKaMPI::Base::Table->titled(
        '  suite',
        qw(argument:13> time:12> +-:9>),
        @usual,
        $has_mean ? map { $_ . q{?} x @usual } qw(mean:12> +-:9>) : (),
        ( map { "$_:24>?" } @names ),
        ( map { "$_:9>?" } rates_in( $suites[0] ) ),
        @modes,
        'count:7>?',
        'ended by:14?'
    );
    my %has =
      ( names => \@names, modes => scalar @modes, mean => $has_mean, usual => scalar @usual );
    for my $suite (@suites) {
        my @rows  = shown( $all, $suite );
        my @notes = ( q{  } . $suite->name, range_note($suite) );
        for my $i ( 0 .. max( $#rows, $#notes ) ) {
            $table->add_row( $notes[$i], $rows[$i] ? cells( $suite, $rows[$i], \%has ) : () );
        }
    }
    return $table->lines( terminal_width() );
}

sub has_modes ( $all, $suite ) {
    return any { $suite->two_modes($_) } shown( $all, $suite );
}

# The meaning of the marks of the rows that are shown, in a line.
sub legend ( $all, @suites ) {
    my @marks = map {
        my $suite = $_;
        map { $suite->marks($_) } shown( $all, $suite )
    } @suites;
    return map { wrapped( $_, q{ } x 4, q{  } ) } mark_lines(@marks);
}

sub shown ( $all, $suite ) { return $all ? @{ $suite->rows } : some( @{ $suite->rows } ) }

sub rates_in ($suite) {
    return grep { rate_texts($suite)->{$_} } qw(bandwidth rate);
}

# Lists of suites whose times have the same definition.
sub groups (@suites) {
    return grouped(
        sub ($suite) { return join "\n", $suite->prefix, $suite->time_name, rates_in($suite) },
        @suites );
}

sub group_title ($suite) {
    my $of    = $suite->note('TIMEOF');
    my $title = $suite->pattern // $suite->prefix;
    $title .= ' on a virtual topology' if $suite->prefix =~ /^vt/;
    $title .= ": $of"                  if defined $of && !$suite->is_internal;
    return wrapped( shorten( $title, $LONGEST ) );
}

# The first, middle and last row; of pairs, the fastest, the median and the slowest.
sub some (@rows) {
    @rows = sort { ( $a->{time} // 0 ) <=> ( $b->{time} // 0 ) } @rows
      if ref $rows[0] && $rows[0]{arguments};
    return spread( 3, @rows );
}

# "2 - 16 processes": what both count is said once.
sub range_text ( $first, $last ) { return "$first - $last" =~ s/([ ][a-z]+)(?=[ ]-[ ].*\1\z)//r }

sub range_note ($suite) {
    my @rows = @{ $suite->rows };
    my @note;
    push @note, 'no row'                                                            if !@rows;
    push @note, range_text( map { format_arguments( $_, $suite ) } @rows[ 0, -1 ] ) if @rows > 1;
    push @note, scalar(@rows) . ' points'                                           if @rows > 3;
    push @note, 'incomplete'               if !$suite->complete;
    push @note, $suite->visits . ' visits' if defined $suite->visits;
    return @note ? q{    } . join ', ', @note : ();
}

sub cells ( $suite, $row, $has ) {
    my %extra = map { $_->{name} => $_ } extra_cells( $suite, $row );
    my $names = $has->{names};
    my %mean  = ( time => $row->{time_all}, error => $row->{error_all} );
    return (
        format_arguments( $row, $suite ),
        row_marked( scalar format_with_error( @{$row}{qw(time error)}, 'time' ), $suite, $row ),
        format_error( relative_error($row) ),
        $has->{usual} ? $row->{usual} : (),
        $has->{mean}
        ? (
            format_with_error( @mean{qw(time error)}, 'time' ),
            format_error( relative_error( \%mean ) )
          )
        : (),
        ( map { extra_text( $extra{$_}, @{$names} <= $WITH_ERRORS ) } @{$names} ),
        rate_cells( $suite, $row ),
        $has->{modes} ? modes_text( $suite->two_modes($row) ) : (),
        $row->{count},
        $row->{extras}{stop},
    );
}

sub extra_text ( $cell, $has_error ) {
    my ( $value, $error ) = map { $_ // q{} } @{ $cell // {} }{qw(value error)};
    return $error eq q{} || !$has_error ? $value : "$value \x{b1} $error";
}

# The two modes of the repetitions, and the share of the first: "5.79 us 70 %, 6.37 us".
sub modes_text (@modes) {
    my ( $first, $second ) =
      map { format_with_error( $_->{time}, $_->{time} / 50, 'time' ) } @modes;
    return defined $second ? "$first $modes[0]{percent} %, $second" : q{};
}

sub rate_cells ( $suite, $row ) {
    my $rates = rates_of( $suite, $row );
    my $part  = relative_error($row) // 0;
    return
      map { format_with_error( $rates->{$_}, $part * ( $rates->{$_} // 0 ), $_ ) } rates_in($suite);
}
