#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use Cwd         qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Path  qw(make_path);
use File::Temp  ();
use List::Util  qw(first max shuffle);

use SKaMPI::Base::Json    qw(pretty_json);
use SKaMPI::Base::Process qw(merge_results);
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver_bytes duration fail fail_usage print_plain read_options run_command_of
  take_command);
use SKaMPI::Base::TextFile       qw(read_bytes write_new_file);
use SKaMPI::Base::Units          qw(format_duration);
use SKaMPI::Findings::Algorithms qw(choices_text);
use SKaMPI::Launch::Cost         qw(time_limits);
use SKaMPI::Tune::Cells          qw(cells_of joined launch_of starts_of);
use SKaMPI::Tune::Choice         qw(choose_all $FEWEST);
use SKaMPI::Tune::File
  qw(canaries_of environment_of formats formats_for read_table stay table_files usage_of with_choices);
use SKaMPI::Tune::Show   qw(choice_data choice_lines verify_data verify_lines);
use SKaMPI::Tune::Sweep  qw(cut_to_budget);
use SKaMPI::Tune::Verify qw(felt launch_all launch_once verdicts_of);

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
    my ( $options, $words ) = read_options( \@ARGV, $defaults, @known );
    fail_usage('expected -- and the command that starts skampi: -- mpirun -np 4 skampi')
      if !@command;
    $command[-1] = abs_path( $command[-1] ) if $command[-1] =~ m{/} && -e $command[-1];
    return ( $options, $words, @command );
}

sub measure () {
    my ( $options, $words, @command ) = command_and_options(
        { directory => 'tune', launches => $FEWEST },
        qw(directory|d=s launches|n=i budget=s file|f=s)
    );
    fail_usage("unexpected '$words->[0]'")                if @{$words};
    fail_usage("--launches: at least $FEWEST are needed") if $options->{launches} < $FEWEST;
    my $budget = duration( '--budget', $options->{budget} );
    my $path   = $options->{file} // ( first { -e } @SWEEPS )
      // fail(q{'tune.skampi' is missing; use --file});
    my $text        = eval { read_bytes( $path, $LARGEST ) } // fail_usage($@);
    my %environment = ( OMPI_MCA_coll_tuned_use_dynamic_rules => 1 );
    my $cut         = sub ( $took, $spent ) {
        ( $text, my @said ) = cut_to_budget( $text, $took, $spent, $options );
        complain($_) for @said;
        return scalar @said;
    };
    my ( undef, undef, $expected ) =
      time_limits( { environment => \%environment }, \@command, abs_path($path) );
    my $was_cut = $expected && defined $budget && $cut->( $expected, 0 );
    announce( $options, $expected ) if !$was_cut;
    my ( $spent, @paths ) = (0);

    for my $number ( 1 .. $options->{launches} ) {
        my $began = time;
        my @new   = eval { all_starts( $options, $number, $text, \%environment, @command ) };
        ended_early( \@paths, $@ ) if !@new;
        push @paths, @new;
        $spent += my $took = time - $began;
        redo if $number == 1 && defined $budget && $cut->( $took, $spent ) && splice @paths;
        my $left = $options->{launches} - $number;
        complain( "launch $number of $options->{launches}: "
              . format_duration($took)
              . ( $left ? "; $left more: about " . format_duration( $took * $left ) : q{} ) );
        next if !defined $budget || !$left;
        ended_early( \@paths,
            "only $number of $options->{launches} launches fit into $options->{budget}" )
          if $spent + $took > $budget;
    }
    print_plain(@paths);
    return $DONE;
}

# Launches the sweep once, and again with each preset of a library that chooses when it starts. Returns the paths.
sub all_starts ( $options, $launch, $text, $environment, @command ) {
    my $start = sub ( $name, %more ) {
        return launch_once( $options->{directory}, "sweep-$launch$name",
            $text, { %{$environment}, %more }, @command );
    };
    my @paths   = $start->(q{});
    my %presets = -s $paths[0] ? starts_of( $paths[0] ) : ();
    my $most    = max 0, values %presets;
    complain(
        "the library chooses when it starts: each launch is one without and $most with presets")
      if $most && $launch == 1;
    for my $number ( shuffle 1 .. $most ) {
        push @paths,
          $start->(
            "-preset-$number",
            map { ( $_ => $number ) } grep { $presets{$_} >= $number } keys %presets
          );
    }
    return @paths;
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

# Fails with the message or failure WHY, after the paths of the launches that are complete.
sub ended_early ( $paths, $why ) {
    print_plain( @{$paths} );
    return ref $why ? die $why : fail($why);
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
      command_and_options( { directory => 'tune-verify', rounds => $FEWEST, format => 'text' },
        qw(directory|d=s format=s rounds|n=i output|o=s) );
    check_choice( '--format', $options->{format}, qw(text json) );
    fail_usage('expected one table before --')          if @{$words} != 1;
    fail_usage("--rounds: at least $FEWEST are needed") if $options->{rounds} < $FEWEST;
    my $file = read_file( $words->[0] );
    check_output( $options->{output}, $file->{path} );
    $options->{output} //= "$file->{path}.verified";    # checked if it is written
    complain("$file->{path}:$_") for $file->{problems}->@*;
    fail('not obeyed: the library drops the whole file') if defined $file->{dropped};
    my @cells = $file->{cell}->@*;
    fail('the table has no cells that skampi-tune write chose: nothing to verify')
      if !@cells;
    $options->{print} = $options->{format} eq 'json' ? sub { } : \&print_plain;
    my $status = verified( $options, $file, \@command, @cells );
    print pretty_json( { %{ $options->{data} }, verified => $status == $DONE ? \1 : \0 } )
      if $options->{format} eq 'json';
    return $status;
}

sub verified ( $options, $file, $command, @cells ) {
    my @kept = verify_once( $options, $file, 1, $command, @cells );
    return $FAILED if @kept && !defined $kept[0];

    if ( @kept < @cells ) {
        if ( !@kept ) {
            complain('no cell is left');
            return $FAILED;
        }
        $file = rest_of( $file, $options, @kept );
        $options->{print}->('once more, with the cells that are left');
        my @again = verify_once( $options, $file, 2, $command, @kept );
        return $FAILED if @again != @kept || !defined $again[0];
    }
    $options->{print}->("$file->{path}: verified");
    return $DONE;
}

# The table without the cells that failed.
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

sub verify_once ( $options, $file, $turn, $command, @cells ) {
    my @canaries = $file->{canary}->@*;
    make_path("$options->{directory}/$turn");
    my $directory = abs_path("$options->{directory}/$turn");
    my $slow      = "$directory/canary.rules";
    my @slow      = table_files( $file->{format}, $slow,
        { about => [], canaries => [], library => $file->{library} }, @canaries );
    write_new_file( @{$_} ) for @slow;
    my %setting = (
        directory   => $directory,
        rounds      => $options->{rounds},
        canaries    => \@canaries,
        command     => $command,
        environment => {
            tuned  => environment_of( $file->{format}, abs_path( $file->{path} ), $file->{text} ),
            canary => environment_of( $file->{format}, $slow,                     $slow[0][1] ),
        },
    );
    my $values = launch_all( \%setting, \&complain, @cells );
    my $sum    = verdicts_of( $values, @cells );
    my @felt   = felt( $values, @canaries );
    my ( $lines, $kept, $good ) = verify_lines( $sum, \@felt, @cells );
    $options->{print}->( @{$lines} );
    $options->{data} = verify_data( $file->{path}, $sum, \@felt, @cells );
    return $good ? stay( $file->{format}, $kept, @cells ) : (undef);
}
