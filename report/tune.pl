#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use Cwd         qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Temp  ();
use List::Util  qw(first max);

use SKaMPI::Base::Json    qw(pretty_json);
use SKaMPI::Base::Process qw(merge_results);
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver_bytes duration fail fail_usage print_plain read_options run_command_of
  take_command);
use SKaMPI::Base::TextFile        qw(read_bytes write_new_file);
use SKaMPI::Base::Units           qw(format_duration);
use SKaMPI::Meaning::Algorithms   qw(choices_text);
use SKaMPI::Launch::Configuration qw(new_configuration);
use SKaMPI::Launch::Answers       qw(printed_file time_limits);
use SKaMPI::Launch::Session       qw(ended);
use SKaMPI::Launch::Store;
use SKaMPI::Tune::Cells qw(cells_of choose_all joined launch_of starts_of $FEWEST);
use SKaMPI::Tune::File
  qw(canaries_of environment_of formats formats_for read_table stay table_files usage_of with_choices);
use SKaMPI::Tune::Show     qw(choice_data choice_lines verify_data verify_lines);
use SKaMPI::Tune::Launches qw(cut_to_budget felt parameters_of values_of verdicts_of);

my ( $DONE, $FAILED ) = 0 .. 1;
my $LARGEST = 1024 * 1024 * 1024;

my %COMMANDS = (
    measure => \&measure,
    choose  => \&choose,
    'write' => \&write_table,
    verify  => \&verify,
    check   => \&check
);

# The parameter file of the sweep: installed, or in the source tree.
my @SWEEPS = map { "$FindBin::RealBin/../$_" } 'tune.skampi', 'configs/tune.skampi';

exit run_command_of( 'skampi-tune', \%COMMANDS );

sub command_and_options ( $defaults, @known ) {
    my @command = take_command( \@ARGV );
    my ( $options, $words ) = read_options(
        \@ARGV, { launches => $FEWEST, %{$defaults} },
        @known, qw(budget=s directory|d=s launches|n=i timeout=s)
    );
    fail_usage('expected -- and the command that starts skampi: -- mpirun -np 4 skampi')
      if !@command;
    fail_usage("--launches: at least $FEWEST are needed") if $options->{launches} < $FEWEST;
    $options->{"${_}_s"} = duration( "--$_", $options->{$_} ) for qw(budget timeout);
    return ( $options, $words, @command );
}

sub measure () {
    my ( $options, $words, @command ) = command_and_options( { directory => 'tune' }, 'file|f=s' );
    fail_usage("unexpected '$words->[0]'") if @{$words};
    my $path = $options->{file} // ( first { -e } @SWEEPS )
      // fail(q{'tune.skampi' is missing; use --file});
    my $text = eval { read_bytes( $path, $LARGEST ) } // fail_usage($@);
    my $side = new_configuration(
        name        => 'sweep',
        environment => { OMPI_MCA_coll_tuned_use_dynamic_rules => 1 },
        values      => { parameters                            => sha256_hex($text) }
    );
    my $store = SKaMPI::Launch::Store->open_directory( $options->{directory}, \@command, $side );
    my $file  = $store->path . '/sweep.skampi';
    my @cut   = ( $options, $store, $side->{environment}, $path, $file, \@command );

    if ( !-e $file ) {
        my ( undef, undef, $expected ) = time_limits( $side, \@command, abs_path($path) );
        if ( !$expected || !is_cut( $expected, @cut ) ) {
            announce( $options, $expected );
            write_new_file( $file, $text );
        }
    }
    my ( $took, @sides );
    do {
        $store->set_aside( 'sweep', 1 ) if @sides;
        my $before = $store->spent_s;
        my ($first) = launched( $options, $store, \@command, $file, 1, $side )->launches('sweep');
        $took  = $store->spent_s - $before;
        @sides = ( $side, presets( $side, $first->{name} ) );
    } while $took && is_cut( $took * @sides, @cut );
    my $all = eval { launched( $options, $store, \@command, $file, $options->{launches}, @sides ) };
    my $why = $@;
    for my $number ( 1 .. $options->{launches} ) {
        print_plain( map { $store->results( $_->{name}, $number ) // () } @sides );
    }
    return $all ? $DONE : die $why;
}

# Whether launches that take TOOK seconds each do not fit into the budget, so that the file of the launches is replaced:
# it has fewer lengths and passes than PATH.
sub is_cut ( $took, $options, $store, $environment, $path, $file, $command ) {
    return 0 if $took * $options->{launches} <= ( $options->{budget_s} // 'inf' );
    my $print = sub (@what) {
        return printed_file( $environment, $command, '-f', @what )
          // fail('the sweep cannot be cut to the budget');
    };
    my ( $said, @settings ) =
      cut_to_budget( $print->( -e $file ? $file : $path ), $took, $store->spent_s, $options );
    write_new_file( $file, $print->( $path, map { ( '--set', $_ ) } @settings ) );
    complain($said);
    return 1;
}

# A session of launches of a parameter file (SKaMPI::Launch::Session), at its end. Fails if it ended early.
sub launched ( $options, $store, $command, $parameters, $launches, @sides ) {
    my $session = SKaMPI::Launch::Session->new(
        $store, $command,
        \@sides,
        {
            %{$options},
            launches   => $launches,
            parameters => $parameters,
            value      => 'time',
            asked      => [],
            inform     => \&complain
        }
    );
    my $status = ended( $session->run );
    return $status ? fail( q{}, $status ) : $session;
}

# Launches of the command without the table FILE, with it and, twice, with canaries: for each, lists of hashes of the
# value of each cell. The launches of a table have a directory of their own, whose time counts in the budget.
sub launch_all ( $options, $file, $command, @cells ) {
    my @canaries = $file->{canary}->@*;
    my $text     = parameters_of( @cells, @canaries );
    my $tuned    = environment_of( $file->{format}, abs_path( $file->{path} ), $file->{text} );
    my @sides    = (
        new_configuration( name => 'default' ),
        new_configuration( name => 'tuned', environment => $tuned )
    );
    my $part = substr sha256_hex( $file->{text} . $text ), 0, 8;
    my $store =
      SKaMPI::Launch::Store->open_directory( "$options->{directory}/$part", $command, @sides );
    my $slow = $store->path . '/canary.rules';
    my @slow = table_files( $file->{format}, $slow,
        { about => [], canaries => [], library => $file->{library} }, @canaries );
    write_new_file( @{$_} ) for @slow, [ $store->path . '/cells.skampi', $text ];
    my $canary = new_configuration(
        name        => 'canary',
        environment => environment_of( $file->{format}, $slow, $slow[0][1] )
    );
    my %values;

    for my $turn ( [ $options->{launches}, @sides ], @canaries ? [ 2, $canary ] : () ) {
        my $session =
          launched( $options, $store, $command, $store->path . '/cells.skampi', @{$turn} );
        $values{$_} = [ map { values_of( $_->{name} ) } $session->launches($_) ]
          for $session->names;
    }
    $options->{budget_s} -= $store->spent_s if defined $options->{budget_s};
    return \%values;
}

# Configurations of each preset of a library that chooses when it starts.
sub presets ( $sweep, $results ) {
    my %most  = starts_of($results);
    my $count = max 0, values %most;
    complain(
        "the library chooses when it starts: each launch is one without and $count with presets")
      if $count;
    return map {
        my $number = $_;
        my @chosen = grep { $most{$_} >= $number } keys %most;
        new_configuration(
            name        => "preset-$number",
            environment => { %{ $sweep->{environment} }, map { ( $_ => $number ) } @chosen }
        )
    } 1 .. $count;
}

sub announce ( $options, $expected_s ) {
    my $all   = "$options->{launches} launches in '$options->{directory}'";
    my $takes = $expected_s && format_duration( $expected_s * $options->{launches} );
    return complain(
        $takes
        ? "$all take about $takes on a quiet machine"
        : "$all; the first will show how long one takes"
    );
}

sub chosen_cells (@paths) {
    fail_usage('expected the results of launches of tune.skampi') if !@paths;
    my @launches = joined( map { launch_of($_) } @paths );
    my @cells    = cells_of(@launches);
    choose_all( \@launches, @cells );
    return ( \@launches, @cells );
}

sub choose () {
    my ( $options, $paths ) =
      read_options( \@ARGV, { format => 'text' }, qw(format=s output|o=s) );
    check_choice( '--format', $options->{format}, qw(text json) );
    check_output( $options->{output}, @{$paths} );
    my ( $launches, @cells ) = chosen_cells( @{$paths} );
    my $choices = choices_text( scalar @{$launches}, @cells );
    if ( $options->{format} eq 'json' ) { print pretty_json( choice_data( $launches, @cells ) ) }
    else { print_plain( choice_lines( $launches, $choices, @cells ) ) }
    put_merged( $options->{output}, $paths, $choices ) if defined $options->{output};
    return $DONE;
}

# The merged launches with the choices in their header, for reports and databases.
sub put_merged ( $output, $paths, $choices ) {
    my $place = File::Temp->newdir;
    my $wrong = merge_results( $paths, "$place/merged", directory => q{.}, output => "$place/log" );
    fail( 'not merged: ' . ( read_bytes("$place/log") || $wrong ) ) if defined $wrong;
    my $text = read_bytes( "$place/merged", $LARGEST );
    my $fact = $choices =~ s/\n/\n# /gr;
    $text =~ s/^(?=#-----$)/#\@CHOICES $fact\n/m;
    return deliver_bytes( $output, $text );
}

sub write_table () {
    my ( $options, $paths ) = read_options( \@ARGV, {}, qw(format=s library=s output|o=s) );
    check_choice( '--format', $options->{format}, formats() ) if defined $options->{format};
    my ( $launches, @cells ) = chosen_cells( @{$paths} );
    my @formats = formats_for( $cells[0] );
    my $format  = $options->{format} // $formats[0]
      // fail_usage('there is no format for the variables of these results');
    fail_usage(
        "these results are of a library that does not read '$format'; use --format " . join ' or ',
        @formats
    ) if !grep { $_ eq $format } @formats;
    my $output = $options->{output}
      // ( $format =~ /\Aompi(?:-v2)?\z/ ? 'skampi.rules' : 'skampi.env' );
    check_output( $output, @{$paths} );
    my $library = $options->{library};
    fail_usage("cannot read '$library': $!") if defined $library && !-r $library;
    $library = abs_path($library) if defined $library;
    @cells   = eval { with_choices( $format, $library, @cells ) } or fail_usage($@);
    my %with = (
        about    => [ about( $launches, $paths ) ],
        canaries => [ canaries_of(@cells) ],
        library  => $library
    );
    print_plain( put( $output, $format, \%with, @cells ) );
    return $DONE;
}

sub about ( $launches, $paths ) {
    my $of    = $launches->[0]{about};
    my $bytes = join q{}, map { read_bytes( $_, $LARGEST ) } @{$paths};
    return (
        "made by skampi-tune $of->{program} from "
          . @{$launches}
          . ' launches; errors are simultaneous 95 % intervals',
        "library: $of->{library}; valid for this version",
        "hosts: $of->{hosts}; $of->{processes} processes; $of->{date}",
        'checksum of the results (SHA-256): ' . sha256_hex($bytes),
'cells and canaries: type, collective, processes, bytes, algorithm, name, variable, ratio, its interval',
    );
}

# Writes a table. Returns lines that say so, and how it is used.
sub put ( $output, $format, $with, @cells ) {
    my $path = abs_path($output);
    deliver_bytes( @{$_} ) for reverse table_files( $format, $path, $with, @cells );
    my $count = grep { $_->{chosen} } @cells;
    my $all   = @cells;
    return
      "$output: no algorithm is confirmed against the library's own choice; the table is empty"
      if !$count;
    return ( "$output: $count cells of $all replace the library's own choice",
        'use it: ' . usage_of( $format, $path ) );
}

sub check () {
    my ( $options, $paths ) = read_options( \@ARGV, {} );
    fail_usage('expected one rules file') if @{$paths} != 1;
    my $file = read_file( $paths->[0] );
    print_plain( map { "$file->{path}:$_" } $file->{problems}->@* );
    my $state =
        $file->{table} ? 'the library reads rules of ' . $file->{table}->@* . ' collectives'
      : defined $file->{dropped} ? $file->{dropped}
      :                            "format $file->{format}";
    print_plain(
        "$file->{path}: $state" . ( $file->{problems}->@* ? q{} : '; nothing to object' ) );
    return $file->{problems}->@* ? $FAILED : $DONE;
}

sub read_file ($path) {
    return eval { read_table($path) } // fail_usage($@);
}

sub verify () {
    my ( $options, $words, @command ) =
      command_and_options( { directory => 'tune-verify', format => 'text' },
        qw(format=s output|o=s) );
    check_choice( '--format', $options->{format}, qw(text json) );
    fail_usage('expected one table before --') if @{$words} != 1;
    my $file = read_file( $words->[0] );
    check_output( $options->{output}, $file->{path} );
    $options->{output} //= "$file->{path}.verified";    # checked if it is written
    complain("$file->{path}:$_") for $file->{problems}->@*;
    fail('not obeyed: the library drops the whole file') if defined $file->{dropped};
    my @cells = $file->{cell}->@*;
    fail('the table has no cells that skampi tune write chose: nothing to verify')
      if !@cells;
    $options->{print} = $options->{format} eq 'json' ? sub { } : \&print_plain;
    my $status = verified( $options, $file, \@command, @cells );
    print pretty_json( { %{ $options->{data} }, verified => $status == $DONE ? \1 : \0 } )
      if $options->{format} eq 'json';
    return $status;
}

sub verified ( $options, $file, $command, @cells ) {
    my @kept = verify_once( $options, $file, $command, @cells );
    return $FAILED if @kept && !defined $kept[0];

    if ( @kept < @cells ) {
        if ( !@kept ) {
            complain('no cell is left');
            return $FAILED;
        }
        $file = rest_of( $file, $options, @kept );
        $options->{print}->('once more, with the cells that are left');
        my @again = verify_once( $options, $file, $command, @kept );
        return $FAILED if @again != @kept || !defined $again[0];
    }
    $options->{print}->("$file->{path}: verified");
    return $DONE;
}

sub rest_of ( $file, $options, @kept ) {
    my $path = $options->{output};
    my %kept = map { $_->{collective} => 1 } @kept;
    my %with = (
        about    => [ $file->{text} =~ /^# ((?:made|library:|hosts:|checksum|cells)[^\n]*)/mg ],
        canaries => [ grep { $kept{ $_->{collective} } } $file->{canary}->@* ],
        library  => $file->{library}
    );
    $options->{print}->( put( $path, $file->{format}, \%with, @kept ) );
    return read_file($path);
}

sub verify_once ( $options, $file, $command, @cells ) {
    my $values = launch_all( $options, $file, $command, @cells );
    my $sum    = verdicts_of( $values, @cells );
    my @felt   = felt( $values, $file->{canary}->@* );
    my ( $lines, $kept, $good ) = verify_lines( $sum, \@felt, @cells );
    $options->{print}->( @{$lines} );
    $options->{data} = verify_data( $file->{path}, $sum, \@felt, @cells );
    return $good ? stay( $file->{format}, $kept, @cells ) : (undef);
}
