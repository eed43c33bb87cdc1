#!/usr/bin/perl

use v5.36;

use Cwd         qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Path  qw(make_path);
use File::Temp  ();
use FindBin;
use List::Util qw(first);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Process qw(merge_results);
use SKaMPI::Base::Program
  qw(check_choice complain deliver_bytes duration fail fail_usage read_options run_command_of
  take_command);
use SKaMPI::Base::TextFile       qw(read_bytes write_new_file);
use SKaMPI::Base::Units          qw(format_duration);
use SKaMPI::Findings::Algorithms qw(choices_text);
use SKaMPI::Tune::Cells          qw(cells_of launch_of);
use SKaMPI::Tune::Choice         qw(choose_all $FEWEST);
use SKaMPI::Tune::File   qw(canaries_of environment_of formats read_table table_text with_choices);
use SKaMPI::Tune::Show   qw(choice_lines verify_lines);
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
    duration( '--budget', $options->{budget} );    # a wrong one is found before the first launch
    my $path = $options->{file} // ( first { -e } @SWEEPS )
      // fail(q{'tune.skampi' is missing; use --file});
    my $text        = read_bytes( $path, $LARGEST );
    my %environment = ( OMPI_MCA_coll_tuned_use_dynamic_rules => 1 );
    my @paths;

    for my $number ( 1 .. $options->{launches} ) {
        my $began = time;
        push @paths,
          launch_once( $options->{directory}, "sweep-$number", $text, \%environment, @command );
        my $took = time - $began;
        complain( "launch $number of $options->{launches}: " . format_duration($took) );
        next if $number > 1 || !defined $options->{budget};
        ( $text, my @said ) = cut_to_budget( $text, $took, $options );
        complain($_) for @said;
        redo if @said && shift @paths;
    }
    say for @paths;
    return $DONE;
}

sub chosen_cells (@paths) {
    fail_usage('expected the results of launches of tune.skampi') if !@paths;
    my @launches = map { launch_of($_) } @paths;
    my @cells    = cells_of(@launches);
    choose_all( \@launches, @cells );
    return ( \@launches, @cells );
}

sub choose () {
    my ( $options,  $paths ) = read_options( \@ARGV, {}, 'output|o=s' );
    my ( $launches, @cells ) = chosen_cells( @{$paths} );
    my $choices = choices_text( scalar @{$launches}, @cells );
    say for choice_lines( $launches, $choices, @cells );
    put_merged( $options->{output}, $paths, $choices ) if defined $options->{output};
    return $DONE;
}

# The merged launches with the choices in their header, for reports and databases.
sub put_merged ( $output, $paths, $choices ) {
    my $place = File::Temp->newdir;
    my $wrong = merge_results( $paths, "$place/merged", directory => q{.}, output => "$place/log" );
    fail("not merged: $wrong") if defined $wrong;
    my $text = read_bytes( "$place/merged", $LARGEST );
    my $fact = $choices =~ s/\n/\n# /gr;
    $text =~ s/^(?=#-----$)/#\@CHOICES $fact\n/m;
    return deliver_bytes( $output, $text );
}

sub write_table () {
    my ( $options, $paths ) = read_options( \@ARGV, { format => 'ompi' }, qw(format=s output|o=s) );
    check_choice( '--format', $options->{format}, formats() );
    my $format = $options->{format};
    my $output = $options->{output} // ( $format eq 'mpich-env' ? 'skampi.env' : 'skampi.rules' );
    my ( $launches, @cells ) = chosen_cells( @{$paths} );
    my $ours = $cells[0]{variable} =~ /\AMPIR_/ ? 'mpich-env' : 'ompi';
    fail_usage("these results are of a library that does not read '$format'; use --format $ours")
      if ( $ours eq 'mpich-env' ) != ( $format eq 'mpich-env' );
    @cells = with_choices( $format, @cells );
    return put( $output, $format, [ about( $launches, $paths ) ], \@cells,
        [ canaries_of(@cells) ] );
}

sub about ( $launches, $paths ) {
    my $of    = $launches->[0]{about};
    my $bytes = join q{}, map { read_bytes( $_, $LARGEST ) } @{$paths};
    return (
        "made by skampi-tune $of->{program} from "
          . @{$paths}
          . ' launches; errors are simultaneous 95 % intervals',
        "library: $of->{library}; valid for this version",
        "hosts: $of->{hosts}; $of->{processes} processes; $of->{date}",
        'checksum of the results (SHA-256): ' . sha256_hex($bytes),
'cells and canaries: type, collective, processes, bytes, algorithm, name, variable, ratio, its interval',
    );
}

sub put ( $output, $format, $about, $cells, $canaries ) {
    deliver_bytes( $output, table_text( $format, $about, $canaries, @{$cells} ) );
    my $count = grep { $_->{chosen} } @{$cells};
    my ( $all, $path ) = ( scalar @{$cells}, abs_path($output) );
    say "$output: "
      . (
        $count
        ? "$count cells of $all have another algorithm than the library's own choice"
        : q{no algorithm is confirmed against the library's own choice; the table is empty}
      );
    say 'use it: ', $format eq 'mpich-env'
      ? "set -a; . ./$output; mpirun ..."
      : "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $path ..."
      if $count;
    return $DONE;
}

sub check () {
    my ( $options, $paths ) = read_options( \@ARGV, {} );
    fail_usage('expected one rules file') if @{$paths} != 1;
    my $file = read_file( $paths->[0] );
    say "$file->{path}:$_" for $file->{problems}->@*;
    my $state =
        $file->{format} eq 'mpich-env' ? 'environment variables of MPICH'
      : $file->{table} ? 'the library reads rules of ' . $file->{table}->@* . ' collectives'
      :                  'the library drops the whole file, without a message';
    say "$file->{path}: $state" . ( $file->{problems}->@* ? q{} : '; nothing to object' );
    return $file->{problems}->@* ? $FAILED : $DONE;
}

sub read_file ($path) {
    return eval { read_table($path) } // fail_usage($@);
}

sub verify () {
    my ( $options, $words, @command ) = command_and_options(
        { directory => 'tune-verify', rounds => $FEWEST },
        qw(directory|d=s rounds|n=i output|o=s)
    );
    fail_usage('expected one table before --')          if @{$words} != 1;
    fail_usage("--rounds: at least $FEWEST are needed") if $options->{rounds} < $FEWEST;
    my $file = read_file( $words->[0] );
    complain("$file->{path}:$_") for $file->{problems}->@*;
    fail('not obeyed: the library drops the whole file')
      if $file->{format} ne 'mpich-env' && !$file->{table};
    my @cells = $file->{cell}->@*;
    fail('the table has no cells that skampi-tune write chose: nothing to verify')
      if !@cells;
    my @kept = verify_once( $options, $file, 1, \@command, @cells );
    return $FAILED if @kept && !defined $kept[0];

    if ( @kept < @cells ) {
        fail('no cell is left') if !@kept;
        $file = rest_of( $file, $options, @kept );
        say 'once more, with the cells that are left';
        my @again = verify_once( $options, $file, 2, \@command, @kept );
        return $FAILED if @again != @kept || !defined $again[0];
    }
    say "$file->{path}: verified";
    return $DONE;
}

# The table without the cells that failed.
sub rest_of ( $file, $options, @kept ) {
    my $path  = $options->{output} // "$file->{path}.verified";
    my @about = $file->{text} =~ /^# ((?:made|library:|hosts:|checksum|cells)[^\n]*)/mg;
    my %kept  = map { $_->{collective} => 1 } @kept;
    put( $path, $file->{format}, \@about, \@kept,
        [ grep { $kept{ $_->{collective} } } $file->{canary}->@* ] );
    return read_file($path);
}

sub verify_once ( $options, $file, $turn, $command, @cells ) {
    my @canaries = $file->{canary}->@*;
    make_path("$options->{directory}/$turn");
    my $directory = abs_path("$options->{directory}/$turn");
    my $slow      = "$directory/canary.rules";
    my $text      = table_text( $file->{format}, [], [], @canaries );
    write_new_file( $slow, $text );
    my %setting = (
        directory   => $directory,
        rounds      => $options->{rounds},
        canaries    => \@canaries,
        command     => $command,
        environment => {
            tuned  => environment_of( $file->{format}, abs_path( $file->{path} ), $file->{text} ),
            canary => environment_of( $file->{format}, $slow,                     $text ),
        },
    );
    my $values = launch_all( \%setting, \&complain, @cells );
    my $sum    = verdicts_of( $values, @cells );
    my @felt   = felt( $values, @canaries );
    my ( $lines, $kept, $good ) = verify_lines( $sum, \@felt, @cells );
    say for @{$lines};
    return $good ? @{$kept} : (undef);
}

__END__

=encoding utf8

=head1 NAME

skampi-tune - finds the fastest collective algorithms of the MPI library, and proves it

=head1 SYNOPSIS

    skampi-tune measure [OPTION...] -- mpirun -np 4 skampi
    skampi-tune choose [-o FILE] RESULTS...
    skampi-tune write [--format ompi|ompi-v2|mpich-env] [-o FILE] RESULTS...
    skampi-tune verify [OPTION...] TABLE -- mpirun -np 4 skampi
    skampi-tune check FILE

=head1 DESCRIPTION

MPI libraries choose an algorithm for each collective by a table that somebody measured elsewhere. This program measures
all of them here, writes a table of those that are confirmed against the library's own choice, and verifies in new
launches that the library obeys the table and is faster with it.

=over

=item B<measure>

starts F<tune.skampi> in at least 6 launches and prints the paths of the results. Each launch measures all algorithms of
nine collectives, shuffled, among all processes and the powers of two below.

=item B<choose>

prints, for each collective, number of processes and length, the library's own choice, the best algorithm and the chosen
one. An algorithm with a shorter time is a candidate. It is confirmed if the whole interval of its ratio is below 1, by the
paired test over all launches and cells that SKaMPI uses for all verdicts, and chosen if it is confirmed and gains more than 2 %. If none is, the table is empty, and says so. Ratios are of lower quartiles. That of the best is too good: what the table gains is what B<verify> finds. With B<-o>, the merged
launches are written to a file with this table, for dorep(1) and the result database.

=item B<write>

writes the table in the format of the library: B<ompi> (rules, all versions of Open MPI), B<ompi-v2> (from 4.1.8 and 5.0.7),
B<mpich-env> (environment variables of MPICH, which know no lengths). For other numbers of processes than those measured, and above the
longest length, the rules leave the choice to the library.

=item B<verify>

launches the command with and without the table, A B B A. A cell stays if its ratio is below 1.05 with confidence; the sum of
all cells must be faster: its whole interval is below 1. Cells that fail go back to the library's own choice, and the rest is verified once more. A canary, a table
of the slowest algorithms, shows whether the library obeys tables at all.

=item B<check>

reads a rules file as Open MPI does and says what the library would make of it. Open MPI drops a faulty file without a word.

=back

=head1 OPTIONS

=over

=item B<-d>, B<--directory>=I<NAME>

where the launches are: F<tune>, for B<verify> F<tune-verify>.

=item B<-n>, B<--launches>=I<N>, B<--rounds>=I<N>

how many, at least 6.

=item B<--budget>=I<TIME>

of B<measure>, such as 30m: if the first launch shows that 6 would take longer, lengths are left out, then passes, never launches.

=item B<-f>, B<--file>=I<FILE>

another parameter file for B<measure>.

=item B<-o>, B<--output>=I<FILE>

of B<write> (F<skampi.rules> or F<skampi.env>), of the merged launches of B<choose>, and of the table that B<verify> writes if cells fail.

=item B<--help>, B<--version>

=back

=head1 EXIT STATUS

0 if all is well, also for an empty table; 1 if the table does not obey, is not faster, or has problems; 2 for wrong usage.

=head1 EXAMPLE

    skampi-tune measure -- mpirun -np 16 skampi > results
    skampi-tune write -o our.rules $(cat results)
    skampi-tune verify our.rules -- mpirun -np 16 skampi

=head1 SEE ALSO

skampi(1), skampi-launch(1), skampi-compare(1)
