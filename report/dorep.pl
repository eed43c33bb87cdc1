#!/usr/bin/perl

use v5.36;

use FindBin;
use Pod::Usage qw(pod2usage);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Output;
use SKaMPI::Report::ComparisonFile;
use SKaMPI::Report::Content;
use SKaMPI::Report::MachinesContent;
use SKaMPI::Report::Messages;
use SKaMPI::Report::Options;
use SKaMPI::Report::Press;
use SKaMPI::Report::Delivery  qw(check_directory check_file);
use SKaMPI::Report::UserFiles qw(dorep_is_named dorep_path dorep_ships own_files tex_modules);
use SKaMPI::Table             qw(shorten);

# Of the names of files that are not used.
my $LONGEST_NAMES = 200;

our $VERSION = '4.2.0';

exit main(@ARGV);

sub main (@words) {
    binmode $_, ':encoding(UTF-8)' for *STDOUT, *STDERR;
    my $options = eval { SKaMPI::Report::Options->from_command_line(@words) };
    return wrong_usage($@) if !$options;
    return show_help()     if $options->get('help');
    return show_version()  if $options->get('version');
    my $comparisons = eval { read_dorep($options) };
    return wrong_usage($@) if !$comparisons;
    my $messages = eval { messages_for($options) };
    return wrong_usage($@) if !$messages;
    $messages->complain($_) for $comparisons->problems;
    hint_at_own( $options, $messages );
    my $status = make_reports( $options, $comparisons, $messages );
    return 1 if !$messages->finish;
    return $status || ( $comparisons->are_wrong ? 2 : 0 );
}

sub wrong_usage ($text) {
    my $messages = SKaMPI::Report::Messages->new;
    $messages->complain($_) for split /\n/, $text;
    $messages->complain('see dorep.pl --help');
    return 2;
}

sub show_help {
    pod2usage( -verbose => 2, -noperldoc => 1, -exitval => 'NOEXIT', -output => \*STDOUT );
    return 0;
}

sub show_version {
    say "dorep.pl $VERSION";
    return 0;
}

sub messages_for ($options) {
    return SKaMPI::Report::Messages->new( $options->get('messages'), $options->get('quiet') );
}

# The comparisons; the options in the same file become part of OPTIONS.
sub read_dorep ($options) {
    my $file = SKaMPI::Report::ComparisonFile->from_file( dorep_path(), dorep_ships() );
    for my $line ( $file->options ) {
        eval { $options->add_from_file( dorep_is_named(), @{ $line->{words} } ); 1 }
          or die map { dorep_path() . ":$line->{line}: $_\n" } split /\n/, $@;
    }
    return $file;
}

# LaTeX and gnuplot files are programs, and may be a stranger's.
sub hint_at_own ( $options, $messages ) {
    return if $options->get('own');
    my @found = own_files( @{ $options->get('directory') } ) or return;
    my $names = shorten( join( ', ', @found ), $LONGEST_NAMES );
    $messages->complain("not used: $names; give -u if these files are yours");
    return;
}

sub make_reports ( $options, $comparisons, $messages ) {
    my @paths  = $options->files          ? $options->files : 'skampi.out';
    my @groups = $options->get('compare') ? [@paths]        : map { [$_] } @paths;
    return wrong_usage('one name (-o) for several reports')
      if @groups > 1 && defined $options->get('output');
    return wrong_usage('--compare needs two files or more')
      if $options->get('compare') && @paths < 2;
    my $failed = 0;
    for my $group (@groups) {
        next if eval { make_report( $options, $comparisons, $messages, @{$group} ); 1 };
        $messages->complain($@);
        $failed++;
        last if $@ =~ /\Aended by signal/;
    }
    return $failed ? 1 : 0;
}

sub make_report ( $options, $comparisons, $messages, @paths ) {
    my $name = $options->get('output') // ( @paths > 1 ? "$paths[0].compared" : $paths[0] );
    check_places( $options, $name );
    my $press = new_press($options);
    $press->look_for_tools;
    my @outputs = map { read_output($_) } @paths;
    my $content =
      @paths > 1
      ? machines_content_of( $options, @outputs )
      : content_of( $options, $comparisons, $messages, @outputs );
    $press->prepare($content);
    $press->draw;
    my $is_typeset = eval { $press->typeset; 1 };
    my $wrong      = $@;
    keep( $press, $name, $messages ) if $options->get('keep');
    die $wrong                       if !$is_typeset;
    $messages->complain($_) for $press->failed;
    deliver( $options, $press, $name, $messages );
    return;
}

# Early: nobody waits for a report that cannot be delivered.
sub check_places ( $options, $name ) {
    check_file("$name.$_") for $options->formats;
    return if !$options->get('keep');
    check_directory("$name.files");
    check_file('kill_temp');
    return;
}

sub read_output ($path) {
    my $output = SKaMPI::Output->from_file($path);
    die "no suite in '$path'\n" if !$output->suites;
    return $output;
}

sub new_press ($options) {
    my $own   = $options->get('own');
    my $press = SKaMPI::Report::Press->new( formats => [ $options->formats ], own => $own );
    $press->bring_own if $own;
    return $press;
}

sub content_of ( $options, $comparisons, $messages, $output ) {
    my $applied = $comparisons->applied_to($output);
    $messages->complain($_) for @{ $applied->{notes} };
    return SKaMPI::Report::Content->new(
        $output,
        comparisons => $applied->{comparisons},
        modules     => [ $options->get('own') ? tex_modules() : () ],
        directories => [ text_directories($options) ],
        style       => style_of($options),
    );
}

sub machines_content_of ( $options, @outputs ) {
    return SKaMPI::Report::MachinesContent->new(
        \@outputs,
        directories => [ text_directories($options) ],
        style       => style_of($options),
    );
}

# LaTeX about suites is the user's own, too.
sub text_directories ($options) {
    return $options->get('own') ? ( @{ $options->get('directory') }, q{.} ) : ();
}

sub style_of ($options) {
    return { map { $_ => $options->get($_) } qw(bars fewest mono) };
}

sub keep ( $press, $name, $messages ) {
    $press->workshop->keep( "$name.files", 'kill_temp' );
    $messages->inform("temporary files: $name.files; ./kill_temp removes them");
    return;
}

sub deliver ( $options, $press, $name, $messages ) {
    for my $format ( $options->formats ) {
        $press->workshop->deliver( $press->result($format), "$name.$format" );
        $messages->inform( "$name.$format: " . $press->page_count . ' pages' );
    }
    return;
}

__END__

=encoding utf8

=head1 NAME

dorep.pl - makes a report of SKaMPI's results

=head1 SYNOPSIS

dorep.pl [OPTIONS] [FILE...]

dorep.pl --compare [OPTIONS] FILE FILE...

=head1 DESCRIPTION

Makes F<skampi.out.pdf> and F<skampi.out.ps> of F<skampi.out>, or a report of each FILE. It has what
the file tells about the machine and the run, with every warning; a page of key figures and findings;
which call is the fastest for which length; a section for each pattern with a plot of every suite, or a table where there are few points; and
comparisons of suites.

Results of older versions of SKaMPI are read, too, and results of a run that has not finished: the
report says what is missing. Editing the C<range:> line of a suite in the result file restricts its
plot to that range.

=head2 How to read the numbers

The report goes by what a suite measures, as C<#@TYPE> and C<#@SUITES> in the file say, whatever its
name is. Only for files without these lines it reads the names of suites.

Two times are called equal if they differ by less than two combined standard errors or by less than
5 %. A suite is called fastest (of two, faster) only at arguments at which all others are clearly
slower. C<~> marks a time that was not measured at its argument but lies on a straight line between
measured ones.

=head2 How to read a plot

Times are those of the suite's definition, which its text tells. Bars are one standard error to each
side; the axes span the values, and a longer bar is cut off. Filled marks stand for arguments of the sweep, hollow ones for those that refinement added, a
cross for points that ended by C<Max_Repetition> or for lack of time before their error was as small
as asked for. An axis is logarithmic where the suite's scale is, or where most of its values would lie at
the beginning of a linear one; 0 then has a place of its own, left of a dotted line. Of more than 500 points, 500 are drawn.

Bandwidths are in units of 10^6 or 10^9 bytes per second: a ping-pong's counts both directions, a
collective's is that of one process, and master-worker's is all that the master sends.

=head1 OPTIONS

=over

=item B<-b>, B<--bars>

Bar charts of the single processes' times, at the first and the last argument of suites with
C<Node_Times>; they are those of the repetition nearest to the reported time.

=item B<--compare>

One report of several result files: their common suites over each other, with a legend made of
C<@MACHINE>. It is called F<FILE.compared>, after the first file, if there is no B<-o>.

=item B<-d> DIRECTORY, B<--directory>=DIRECTORY

With B<-u>, search DIRECTORY for texts about suites (F<.dri> files) before those that ship; may be given
several times. See L</FILES>.

=item B<--format>=B<pdf>|B<ps>|B<both>

What to make; both if nothing else is said.

=item B<-m> NUMBER, B<--fewest>=NUMBER

A suite with fewer points than that gets a table and no plot; 4 if nothing else is said.

=item B<--mono>

Nothing but black and grey. Curves differ in marks and dashes with and without colours.

=item B<-o> NAME, B<--output>=NAME

Write F<NAME.pdf> and F<NAME.ps>.

=item B<-p> FILE, B<--messages>=FILE

Write all messages to this file.

=item B<-q>, B<--quiet>

Nothing but complaints.

=item B<-t>, B<--keep>

Keep the temporary files in F<NAME.files>, with NAME as of B<-o>: F<report.tex>, for each suite its
part of that (F<.tmd>), and for each plot its commands (F<.gpl>) and its data (F<.dat>). A script
F<kill_temp> in the working directory removes them again.

=item B<-u>, B<--own>

Use your own LaTeX and gnuplot files: F<.tma>, F<.dri>, F<.tmd> and F<.gpl> files of the working
directory, and F<.dri> files of the directories that B<-d> names. A F<.gpl> or F<.tmd> file is used
instead of the generated one of the same name; start from those that B<-t> keeps. All of them are
programs. Without B<-u>, dorep.pl names those that it finds and uses none. With B<-u>, it accepts regular
files only, and bubblewrap(1) confines LaTeX and gnuplot: they read no files but programs, fonts and
copies of the working directory's F<.tex>, F<.sty>, F<.cls>, F<.tikz>, F<.bib>, F<.txt>, F<.csv>,
F<.dat>, F<.pdf>, F<.eps>, F<.png> and F<.jpg> files. If bubblewrap does not work, dorep.pl stops.

=item B<-h>, B<--help>

Show this page.

=item B<--version>

Show the version.

=back

Options that can be on or off may be switched off again, as with B<--no-mono>.

=head1 FILES

=over

=item F<.dorep>

In the working directory; if C<$DOREP> names a file, that one; else F<default.dorep>, which ships.
Every line describes a comparison,

    Name: suite, suite, ...

with the suites' names and the prefixes of their patterns (C<p2p>, C<mw>, C<col>, C<syncol>,
C<simple>; C<vtmw>, C<vtcol> and C<vtsyncol> on virtual topologies). All are compared with the first one. A
comparison is made if the results have at least two of its suites. In a file of yours, a suite that the
results do not have, that is varied over something else than the first one, or whose time is defined
differently is reported with its line and left out, and the exit status is 2.

Instead of naming suites, a comparison may
describe them by type and by what is varied (C<length>, C<nodes>, C<chunks> or C<none>),

    Broadcast: syncol_MPI_Bcast/length, syncol_MPI_Bcast_Send_Recv/length
    Datatypes: p2p_MPI_Send-MPI_Recv/length/method=contiguous, p2p_MPI_Send-MPI_Recv/length/method=ddt

with an attribute and its value after a further slash, or an attribute alone, which then may differ:
C<datatype>, C<basetype>, C<method>, C<cache>, C<partner>, C<distance>, C<topology>, C<options>, C<message_length>,
C<nodes>, C<chunks>. There is one comparison for each set of suites that have everything else in common, and
none if there is no such set.

A line that ends with a
comma, a colon or a backslash goes on in the next one. A line that starts with C<#> is a comment, one that
starts with C<-> has options, as C<-b --mono>; those of the command line win. C<-u> is not allowed.
C<-d>, C<-o>, C<-p> and C<-t> are allowed only in the file that C<$DOREP> names: a F<.dorep> file in the
working directory may have come with a stranger's results.

=item F<*.tma>

LaTeX of yours. With B<-u>, such files of the working directory become part of the report, before the
comparisons.

=item F<NAME.dri>

With B<-u>, LaTeX about the suite NAME, with or without the prefix. It replaces the text at its head.

=back

=head1 FILES THAT ARE WRITTEN

Every file is written under a new name and renamed when it is complete. dorep.pl never writes through a
link, and replaces a file only if it made that file and nobody has changed it since: each file ends with
a comment that holds its checksum, and F<NAME.files> contains F<SHA256SUMS>. In all other cases it stops
and names the file. Move the file away, or choose another name with B<-o> or B<-p>.

=head1 RESULTS OF OTHERS

A result file may come from a stranger. Nothing in it is executed, and nothing in it names a file: its
texts are escaped for LaTeX and gnuplot, no shell is started, and the tools run in a new directory,
without the right to start programs, and with limits on time, memory and file size.

=head1 LIMITS

Of a result file, at most 256 MB, 500,000 lines, 100,000 rows and 10,000 suites are read. The report
shows the first 500 suites, at most 500 points in a plot, 40 rows in a suite's table and 50 warnings. It
says what it leaves out.

=head1 EXIT STATUS

0 if all reports were made, 1 if one could not be made, 2 for wrong usage. Mistakes in a F<.dorep> file
give 2 as well; the reports are made without the comparisons that are wrong.

=head1 SEE ALSO

show.pl(1) shows results on the terminal.

=cut
