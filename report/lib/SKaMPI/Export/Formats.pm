package SKaMPI::Export::Formats;

# Results in the formats of other programs. A run is a hash of output (SKaMPI::Read::Output), number
# and suites (a list of SKaMPI::Read::Suite). SKaMPI::Export::Columns defines the content.
use SKaMPI::Base;

use SKaMPI::Base::Program          qw(fail);
use SKaMPI::Base::Table            qw(csv_cell csv_text markdown_text printable);
use SKaMPI::Base::Json             qw(pretty_json);
use SKaMPI::Base::TextFile         qw(characters);
use SKaMPI::Base::Units            qw(format_arguments format_error format_time);
use SKaMPI::Export::Columns        qw(columns reader_of record_of records_of);
use SKaMPI::Meaning::Likeness      qw(definition_of_times is_round_trip);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::Subject qw(attribute axis_of is_in_gpu memories_of operation_of pattern_of);
use SKaMPI::Read::ResultFile qw(fail_at);
use SKaMPI::Read::Times;

my $SCHEMA = 'skampi-results/1';

# The widths of the columns in the OSU benchmarks. These print two decimals, 4 % of 0.25 us.
my ( $FIRST, $WIDTH, $DECIMALS ) = ( 10, 20, 4 );

my %ARGUMENT = ( length => 'Size', nodes => 'Processes', chunks => 'Chunks', none => 'Size' );

my %FORMATS = (
    csv => sub (@runs) {
        join q{}, csv_titles(), map { _csv_lines($_) } @runs;
    },
    gbench => \&_gbench,
    json   => sub (@runs) {
        pretty_json( { schema => $SCHEMA, runs => [ map { _json_run($_) } @runs ] } );
    },
    markdown => \&_markdown,
    osu      => sub (@runs) {
        join "\n", map {
            my $name = printable( $_->{output}->name );
            map { _osu_table( $name, $_ ) } @{ $_->{suites} }
        } @runs;
    },
);

sub export_formats () { return ( sort keys %FORMATS ) }

sub format_results ( $format, @runs ) { return $FORMATS{$format}->(@runs) }

sub csv_titles () {
    return csv_text( [ map { $_->[1] } columns() ] );
}

sub _csv_lines ($run) {
    my $of_run = record_of( run => $run );
    return map {
        my $line = csv_line_of( $of_run, $_ );
        map { $line->($_) } @{ $_->rows }
    } @{ $run->{suites} };
}

# A function that returns the line of a row of the suite. OF_RUN is the record of its run.
sub csv_line_of ( $of_run, $suite ) {
    my %same    = ( %{$of_run}, %{ record_of( suite => $suite ) } );
    my @columns = columns();
    my @cells   = map  { csv_cell( $same{ $_->[1] } ) } @columns;
    my @places  = grep { $columns[$_][0] eq 'point' } keys @columns;
    my $values  = reader_of( point => map { $columns[$_][1] } @places );
    return sub ($row) {
        @cells[@places] = map { csv_cell($_) } $values->( $suite, $row );
        return join( q{,}, @cells ) . "\r\n";
    };
}

sub _json_run ($run) {
    my ( %header, @suites );
    push @{ $header{ $_->{name} } }, $_->{value} for $run->{output}->fields;
    for my $suite ( @{ $run->{suites} } ) {
        my $us     = $suite->fact('FIRSTCALL')->{us};
        my @points = map { record_of( point => $suite, $_ ) } @{ $suite->rows };
        my %own    = ( first_call_us => defined $us ? 0 + $us : undef, points => \@points );
        push @suites, { %{ record_of( suite => $suite ) }, %own };
    }
    return { %{ record_of( run => $run ) }, header => \%header, suites => \@suites };
}

# One entry for each launch, the unit of sampling: the U test of Google Benchmark's compare.py then compares
# launches.
sub _gbench (@runs) {
    my @records = grep { defined $_->{time_us} } map { records_of($_) } @runs;
    my $name_of = sub ($record) { join q{/}, $record->{suite}, $record->{argument} // () };
    my @all;
    for my $own ( grouped( $name_of, @records ) ) {
        for my $i ( keys @{$own} ) {
            my $record = $own->[$i];
            my $name   = $name_of->($record);
            my $time   = $record->{time_all_us} // $record->{time_us};
            push @all,
              {
                name             => $name,
                run_name         => $name,
                run_type         => 'iteration',
                threads          => 1,
                repetitions      => 0 + @{$own},
                repetition_index => $i,
                iterations       => $record->{count} // 1,
                real_time        => $time,
                cpu_time         => $time,
                time_unit        => 'us',
                defined $record->{visits} ? ( label => "$record->{visits} visits" ) : (),
              };
        }
    }
    my $output  = $runs[0]{output};
    my %context = (
        date       => record_of( run => $runs[0] )->{date} // q{},
        host_name  => $output->field('HOSTNAME')           // q{},
        executable => 'skampi ' . ( $output->field('SKAMPIVERSION') // q{} ),
        num_cpus   => record_of( run => $runs[0] )->{processes} // 1,
    );
    return pretty_json( { context => \%context, benchmarks => \@all } );
}

sub _markdown (@runs) {
    my @text;
    for my $run (@runs) {
        my @rows;
        for my $suite ( @{ $run->{suites} } ) {
            my $label = join ', ', $suite->label, map { "$_ visits" } $suite->visits // ();
            for my $row ( @{ $suite->rows } ) {
                my ( $time, $error, $count ) = @{$row}{qw(time error count)};
                my $part = defined $error && $time ? format_error( $error / $time ) : q{-};
                push @rows,
                  [ $label, format_arguments( $row, $suite ), format_time($time), $part, $count ];
            }
        }
        my $library = $run->{output}->fact('MPILIBRARY')->{list}[0]{text};
        my $title   = join ', ',
          map { printable($_) } grep { defined } record_of( run => $run )->{machine}, $library;
        push @text, "$title\n\n" . markdown_text( [qw(suite argument time error count)], @rows );
    }
    return join "\n", @text;
}

# A table that parsers of OSU benchmark output can read; these print means of all repetitions, half of a ping-pong.
sub _osu_table ( $name, $suite ) {
    my $factor = is_round_trip($suite) ? 0.5 : 1;
    my $what   = printable( definition_of_times($suite) ) . ( $factor == 1 ? q{} : ', halved' );
    my $column =
        $factor < 1                 ? 'Latency (us)'
      : pattern_of($suite) =~ /col/ ? 'Avg Latency(us)'
      :                               ( split q{ }, $suite->time_name )[0] =~ tr/_/ /r . ' (us)';
    my $visits = defined $suite->visits ? q{, } . $suite->visits . ' visits' : q{};
    my ( $label, $operation ) = ( $suite->label, printable( operation_of($suite) ) );
    my $text =
        "# SKaMPI results in the layout of the OSU benchmarks, from $name\n"
      . "# SKaMPI $label, operation $operation$visits\n# Time, mean of all repetitions: $what\n"
      . _osu_memory($suite);
    $text .= sprintf "%-*s%*s\n", $FIRST, '# ' . ( $ARGUMENT{ axis_of($suite) } // 'Argument' ),
      $WIDTH, $column;

    for my $row ( grep { defined $_->{time} } @{ $suite->rows } ) {
        $text .= sprintf "%-*s%*.*f\n", $FIRST, $row->{argument} // 0, $WIDTH, $DECIMALS,
          $factor * ( $row->{time_all} // $row->{time} );
    }
    return $text;
}

# The names of memories, as osu_* -d cuda D D prints them.
my %OSU_MEMORY = (
    host    => 'HOST (H)',
    pinned  => 'HOST (H)',
    managed => 'MANAGED (M)',
    map { $_ => 'DEVICE (D)' } qw(cuda hip)
);

sub _osu_memory ($suite) {
    my @names  = is_in_gpu($suite) ? grep { defined } @OSU_MEMORY{ memories_of($suite) } : ();
    my $staged = attribute( $suite, 'staged' ) eq 'yes' ? ', staged by hand'             : q{};
    return @names == 2
      ? "# Send Buffer on $names[0] and Receive Buffer on $names[1]$staged\n"
      : q{};
}

my $NOTHING = 4;

my @RAW_COLUMNS = qw(run file suite argument argument_unit launch process repetition time_us);

# The single times of suites with raw=yes (SKaMPI::Read::Times) as CSV, a row for each repetition and process, process
# -1 being the repetition as a whole, from which the row of the results is computed. The runs have path, too.
sub raw_text (@runs) {
    my @records = map { _records_of_run($_) } @runs;
    fail( 'no suite has kept its single times (raw=yes)', $NOTHING ) if !@records;
    return csv_text( \@RAW_COLUMNS, @records );
}

sub _records_of_run ($run) {
    my @records;
    for my $suite ( @{ $run->{suites} } ) {
        my $times = SKaMPI::Read::Times->new( $run->{path}, $suite ) // next;
        my ($problem) = $times->problems;
        fail_at( $run->{path}, $suite->line, characters($problem) )
          if defined $problem;
        my %of_suite = (
            run           => $run->{number},
            file          => $run->{output}->name,
            suite         => $suite->label,
            argument_unit => ( $suite->arguments->[0] // {} )->{unit},
        );
        for my $argument ( $times->arguments ) {
            my %same   = ( %of_suite, argument => @{ $suite->arguments } ? $argument : undef );
            my $launch = 0;
            for my $rows ( $times->runs($argument) ) {
                $launch++;
                push @records, map { +{ %same, launch => $launch, %{$_} } } _records_of($rows);
            }
        }
    }
    return @records;
}

sub _records_of ($rows) {
    my @records;
    for my $process ( sort { $a <=> $b } keys %{$rows} ) {
        my $repetition = 0;
        for my $time ( split /,/, $rows->{$process}{times} // q{} ) {
            push @records, { process => $process, repetition => ++$repetition, time_us => $time };
        }
    }
    return @records;
}

1;
