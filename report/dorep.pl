#!/usr/bin/perl

use v5.36;

use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program qw(fail_usage run_program show_help show_version);
use SKaMPI::Base::Table   qw(shorten);
use SKaMPI::Compare::SidesContent;
use SKaMPI::Compare::Sides;
use SKaMPI::Document::Content;
use SKaMPI::Document::Options;
use SKaMPI::Document::Press;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Read::SoundFile qw(read_suites);
use SKaMPI::Safe::Delivery  qw(check_directory check_file);
use SKaMPI::Safe::Messages;
use SKaMPI::Safe::UserFiles qw(dorep_is_named dorep_path dorep_ships own_files tex_modules);

# The longest list of ignored files in a message.
my $LONGEST_NAMES = 200;

exit run_program( 'dorep', sub { return main(@ARGV) } );

sub main (@words) {
    my $options = eval { SKaMPI::Document::Options->from_command_line(@words) } or wrong_usage($@);
    show_help()    if $options->get('help');
    show_version() if $options->get('version');
    my $comparisons = eval { read_dorep($options) }   or wrong_usage($@);
    my $messages    = eval { messages_for($options) } or wrong_usage($@);
    $messages->complain($_) for $comparisons->problems;
    report_ignored( $options, $messages );
    my $status = make_reports( $options, $comparisons, $messages );
    return 1 if !$messages->finish;
    return $status || ( $comparisons->are_wrong ? 2 : 0 );
}

sub wrong_usage ($text) {
    chomp $text;
    return fail_usage("$text\nsee dorep --help");
}

sub messages_for ($options) {
    return SKaMPI::Safe::Messages->new( $options->get('messages'), $options->get('quiet') );
}

# The comparisons; the options in the same file become part of OPTIONS.
sub read_dorep ($options) {
    my $file = SKaMPI::Findings::ComparisonFile->from_file( dorep_path(), dorep_ships() );
    for my $line ( $file->options ) {
        eval { $options->add_from_file( dorep_is_named(), @{ $line->{words} } ); 1 }
          or die map { dorep_path() . ":$line->{line}: $_\n" } split /\n/, $@;
    }
    return $file;
}

# LaTeX and gnuplot files are programs and may come from a stranger.
sub report_ignored ( $options, $messages ) {
    return if $options->get('own');
    my @found = own_files( @{ $options->get('directory') } ) or return;
    my $names = shorten( join( ', ', @found ), $LONGEST_NAMES );
    $messages->complain("ignored: $names; use -u if these files are yours");
    return;
}

sub make_reports ( $options, $comparisons, $messages ) {
    my @paths  = $options->files          ? $options->files     : 'skampi.out';
    my @groups = $options->get('compare') ? [ $options->sides ] : map { [ [$_] ] } @paths;
    wrong_usage('cannot use -o with several reports')
      if @groups > 1 && defined $options->get('output');
    wrong_usage('--compare needs at least two files')
      if $options->get('compare') && @paths < 2;
    my $failed = 0;
    for my $group (@groups) {
        next if eval { make_report( $options, $comparisons, $messages, @{$group} ); 1 };
        my $wrong = ref $@ ? $@ : { status => 1, text => $@ };
        $messages->complain( $wrong->{text} );
        $failed ||= $wrong->{status};
        last if $wrong->{text} =~ /\Aterminated by signal/;
    }
    return $failed;
}

# Each side is a list of files. A report of one side is about its only file.
sub make_report ( $options, $comparisons, $messages, @sides ) {
    my $first = $sides[0][0];
    my $name  = $options->get('output') // ( @sides > 1 ? "$first.compared" : $first );
    check_places( $options, $name );
    my $press = new_press($options);
    $press->look_for_tools;
    my @read = map {
        [ map { read_suites($_) } @{$_} ]
    } @sides;
    my $content =
      @sides > 1
      ? machines_content_of( $options, @read )
      : content_of( $options, $comparisons, $messages, $read[0][0] );
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

# Checked first, so that no one waits for a report that cannot be written.
sub check_places ( $options, $name ) {
    check_file("$name.$_") for $options->formats;
    return if !$options->get('keep');
    check_directory("$name.files");
    check_file('kill_temp');
    return;
}

sub new_press ($options) {
    my $own   = $options->get('own');
    my $press = SKaMPI::Document::Press->new( formats => [ $options->formats ], own => $own );
    $press->prepare_own if $own;
    return $press;
}

sub content_of ( $options, $comparisons, $messages, $output ) {
    my $applied = $comparisons->applied_to($output);
    $messages->complain($_) for @{ $applied->{notes} };
    return SKaMPI::Document::Content->new(
        $output,
        comparisons => $applied->{comparisons},
        modules     => [ $options->get('own') ? tex_modules() : () ],
        directories => [ text_directories($options) ],
        style       => style_of($options),
    );
}

sub machines_content_of ( $options, @sides ) {
    return SKaMPI::Compare::SidesContent->new(
        SKaMPI::Compare::Sides->of(@sides),
        directories => [ text_directories($options) ],
        style       => style_of($options),
    );
}

# Texts about suites are LaTeX of the user, too.
sub text_directories ($options) {
    return $options->get('own') ? ( @{ $options->get('directory') }, q{.} ) : ();
}

sub style_of ($options) {
    return { map { $_ => $options->get($_) } qw(bars fewest mono) };
}

sub keep ( $press, $name, $messages ) {
    $press->workshop->keep( "$name.files", 'kill_temp' );
    $messages->inform("$name.files: temporary files; ./kill_temp removes them");
    return;
}

sub deliver ( $options, $press, $name, $messages ) {
    for my $format ( $options->formats ) {
        $press->workshop->deliver( $press->result($format), "$name.$format" );
        my $pages = $press->page_count($format);
        $messages->inform( "$name.$format: " . ( $pages == 1 ? 'one page' : "$pages pages" ) );
    }
    return;
}

__END__

=encoding utf8

=head1 NAME

dorep - makes a report of SKaMPI results

=head1 SYNOPSIS

    dorep [OPTIONS] [FILE...]
    dorep --compare [OPTIONS] FILE FILE...
    dorep --compare [OPTIONS] BASE... -- NEW... [-- NEW...]

=head1 DESCRIPTION

Makes F<skampi.out.pdf> and F<skampi.out.ps> from F<skampi.out>, or a report of each FILE. The report
contains: warnings, key figures, machine and run, and findings; which call is fastest for
which length; a section for each pattern with a plot of every suite, or a table if it has few points; and
comparisons of suites. For messages of applications (types 120 to 159) there are also: a page of packing overheads,
the ratio of datatypes to manual packing, bandwidths, the phases of each test, and the cost of building datatypes.
For one-sided communication there is a page of bars: each operation with each synchronisation, and what the
synchronisation takes alone.

Results of older versions of SKaMPI and of unfinished runs are accepted; the report lists the suites that
are missing. To restrict the plot of a suite to a range, edit its C<range:> line in the result file.

=head2 How to read the numbers

The report goes by what a suite measures (C<#@TYPE> and C<#@SUITES> in the file), not by its name. Only for
files without these lines it reads the names of suites.

Of one launch, a time is called longer than another if their ratio, less two of its standard errors, exceeds 1.05. That
describes this launch; only several launches have a verdict (skampi-compare(1)). C<~> marks
a time that was not measured at its argument but interpolated linearly between measured times.

=head2 How to read a plot

The text of each suite or section defines the times. Facts that most suites of a section share are printed once, at
its beginning, as is the meaning of the marks. Bars are one standard error to each side. The axes span
the values; a longer bar is cut off. Filled marks are arguments of the sweep, hollow marks those that
refinement added. A cross marks points that C<Max_Repetition> or a time limit ended before they reached the
requested accuracy. Two lines are beside the points: a fitted model (straight lines over the length, or a formula for a
collective), and a reference, what is known to be possible: memcpy of as many bytes, the fastest suite that does the same with
other calls, or one message. The facts say how far the points are from both; the low plot below shows
measured / fitted - 1. An axis is logarithmic if the suite's scale is, or if most values would be at the
beginning of a linear axis; 0 then has a separate place, left of a dotted line. A plot shows at most 500
points.

Bandwidths are in units of 10^6 or 10^9 bytes per second. For a ping-pong they count both directions, for a
collective the data of one process, for master-worker everything that the master sends.

=head1 OPTIONS

=over

=item B<-b>, B<--bars>

Add bar charts of the processes' times, at the first and last argument of suites with C<Node_Times>, in the
repetition nearest to the reported time.

=item B<--compare>

Make one report of several result files: their common suites in the same plots, with a legend from
C<@MACHINE>. Without B<-o>, it is called F<FILE.compared>, after the first file.

Each file is a side of its own. To compare several launches a side, write C<--> between the sides, as for
skampi-compare(1):

    dorep --compare openmpi/*/skampi.out -- mpich/*/skampi.out

The report begins with a summary: what the sides are, the verdicts of skampi-compare(1) with how many points of each
pattern are slower or faster, the ten largest differences with their intervals, ratios over the length, and the key
figures side by side. There are no verdicts if a side is a single launch, or if the sides differ in the number of
processes; the summary says so. The times of a side are geometric means over its launches, their errors are standard
errors between launches.

For messages of applications,
it shows packing overheads side by side, and marks sizes at which the times of as many bytes in one piece differ by
more than 5 %.

=item B<-d> DIRECTORY, B<--directory>=DIRECTORY

With B<-u>, search DIRECTORY for texts about suites (F<.dri> files) before those that ship. May be given
several times. See L</FILES>.

=item B<--format>=B<html>|B<pdf>|B<ps>|B<both>|B<all>

The formats to make; both, which is PDF and PostScript, by default. The HTML is one file, which loads nothing from
anywhere, with the texts, numbers and plots of the PDF, and the rows of all suites as JSON. It needs gnuplot, but no
LaTeX.

=item B<-m> NUMBER, B<--fewest>=NUMBER

Print a table instead of a plot for suites with fewer points; 4 by default.

=item B<--mono>

Use black and grey only. Curves differ in marks and dashes in any case.

=item B<-o> NAME, B<--output>=NAME

Write F<NAME.pdf> and F<NAME.ps>, or F<NAME.html>.

=item B<-p> FILE, B<--messages>=FILE

Write all messages to this file.

=item B<-q>, B<--quiet>

Print complaints only.

=item B<-t>, B<--keep>

Keep the temporary files in F<NAME.files>, where NAME is that of B<-o>: F<report.tex>; for each suite, its
part of the document (F<.tmd>); for each plot, its commands (F<.gpl>), data (F<.dat>), and what a paper needs
(F<.tex> with F<.pdf> or F<.eps>; see "Figures for a paper" in the manual). The script
F<kill_temp> in the working directory removes them.

=item B<-u>, B<--own>

Use your own LaTeX and gnuplot files: F<.tma>, F<.dri>, F<.tmd> and F<.gpl> files of the working directory,
and F<.dri> files of the directories that B<-d> names. A F<.gpl> or F<.tmd> file replaces the generated file
of the same name; start from those that B<-t> keeps. All of these files are programs. Without B<-u>,
dorep lists those that it finds and ignores them. With B<-u>, it accepts only regular files, and
bubblewrap(1) confines LaTeX and gnuplot: they can read only programs, fonts, and copies of the working
directory's F<.tex>, F<.sty>, F<.cls>, F<.tikz>, F<.bib>, F<.txt>, F<.csv>, F<.dat>, F<.pdf>, F<.eps>,
F<.png> and F<.jpg> files. If bubblewrap does not work, dorep stops. The HTML has no
F<.tmd> and F<.gpl> files, and of F<.tma> and F<.dri> files those commands that the texts that ship could have; dorep
names the others.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

To switch an option off again, write B<--no-> before its name, as in B<--no-mono>.

=head1 FILES

=over

=item F<.dorep>

The comparisons are in the file that C<$DOREP> names, or else in F<.dorep> in the working directory, or else
in F<default.dorep>, which ships. Each line describes a comparison:

    Name: suite, suite, ...

A suite is written as the prefix of its pattern (C<p2p>, C<pairs>, C<mw>, C<col>, C<syncol>, C<simple>;
C<vtmw>, C<vtcol> and C<vtsyncol> on virtual topologies), C<_>, and its name. All suites are compared with the
first one. A comparison is made if the results have at least two of its suites. If your file names a suite
that the results do not have, or that is varied over another quantity than the first one, dorep reports its line,
skips the suite and exits with status 2. Times with different definitions are drawn with a note.

Instead of naming suites, a comparison may describe them by type and by what is varied (C<length>, C<nodes>,
C<chunks> or C<none>):

    Broadcast: syncol_MPI_Bcast/length, syncol_MPI_Bcast_Send_Recv/length
    Datatypes: p2p_MPI_Send-MPI_Recv/length/method=contiguous, p2p_MPI_Send-MPI_Recv/length/method=ddt

After a further slash, an attribute and its value restrict the suites; an attribute without a value may
differ. Attributes are C<datatype>, C<basetype>, C<method>, C<cache>, C<enter>, C<data>, C<paced>,
C<buffers>, C<partner>, C<distance>, C<topology>, C<options>, C<message_length>, C<nodes> and C<chunks>. There is a comparison for each set of suites that agree
in everything else, and none if there is no such set.

A line that ends with a comma, a colon or a backslash continues on the next line. A line that starts with
C<#> is a comment. A line that starts with C<-> contains options, such as C<-b --mono>; the command line
overrides them. C<-u> is not allowed. C<-d>, C<-o>, C<-p> and C<-t> are allowed only in the file that
C<$DOREP> names, as a F<.dorep> file in the working directory may come with a stranger's results.

=item F<*.tma>

Your LaTeX. With B<-u>, these files of the working directory become part of the report, before the
comparisons.

=item F<NAME.dri>

With B<-u>, LaTeX about the suite NAME, with or without the prefix. It replaces the text of the suite.

=back

=head1 OUTPUT FILES

dorep writes each file under a temporary name and renames it when it is complete. It never writes through
a link, and replaces a file only if it made that file and the file is unchanged: each file ends with a comment
that contains its checksum, and F<NAME.files> contains F<SHA256SUMS>. In all other cases it stops and names the
file. Move the file, or choose another name with B<-o> or B<-p>.

=head1 UNTRUSTED RESULTS

A result file may come from a stranger. Nothing in it is executed, and nothing in it names a file. Its texts
are escaped for LaTeX and gnuplot, no shell is started, and the tools run in a new directory, without
permission to start programs, and with limits on time, memory and file size.

=head1 LIMITS

dorep reads at most 256 MB, 500,000 lines, 100,000 rows and 10,000 suites of a result file. The report
shows the first 500 suites, at most 500 points in a plot, 40 rows in a suite's table, and 50 warnings. It
says what it omits.

=head1 EXIT STATUS

0 if all reports were made, 1 if one could not be made, 2 for wrong usage or a file that cannot be read or
is not a result file. Errors in a F<.dorep> file also give 2; the reports are made without the invalid comparisons.

=head1 SEE ALSO

skampi-show(1) prints results on the terminal.
