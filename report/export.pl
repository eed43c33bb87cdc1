#!/usr/bin/perl

use v5.36;

use FindBin;
use List::Util qw(any);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program
  qw(check_choice check_output deliver fail fail_usage meant read_options run_program whole_match);
use SKaMPI::Export::Formats qw(export_formats format_results raw_text results_schema);
use SKaMPI::Read::SoundFile qw(read_sound_file);

my $NOTHING = 4;

my %DEFAULT = ( format => 'csv', raw => 0, suite => [] );
my @OPTIONS = qw(format|f=s output|o=s raw schema suite|s=s@);

exit run_program( 'skampi-export', \&main );

sub main () {
    my ( $options, $files, @more ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    my @paths = ( @{$files}, map { @{$_} } @more );
    check_options( $options, @paths );
    return deliver( $options->{output}, results_schema() ) if $options->{schema};
    my @runs   = map { run_of( $_, $options, $paths[ $_ - 1 ] ) } 1 .. @paths;
    my @labels = map { $_->{label} } map { $_->{output}->suites } @runs;
    my $hint   = meant( $options->{suite}[0] // q{}, @labels );
    fail( "no suite matches '@{ $options->{suite} }'$hint", $NOTHING )
      if !any { @{ $_->{suites} } } @runs;
    return deliver( $options->{output}, raw_text(@runs) ) if $options->{raw};
    return deliver( $options->{output}, format_results( $options->{format}, @runs ) );
}

sub check_options ( $options, @paths ) {
    check_choice( '--format', $options->{format}, export_formats() );
    fail_usage('--raw: only as csv') if $options->{raw} && $options->{format} ne 'csv';
    fail_usage('expected result files; see skampi-export --help')
      if !@paths && !$options->{schema};
    check_output( $options->{output}, @paths );
    return;
}

sub run_of ( $number, $options, $path ) {
    my $output      = read_sound_file($path);
    my @expressions = map { whole_match( $_, 'is' ) } @{ $options->{suite} };
    my @suites      = $output->results;
    @suites = grep {
        my $label = $_->{label};
        any { $label =~ $_ } @expressions
    } @suites if @expressions;
    return { output => $output, path => $path, number => $number, suites => \@suites };
}

__END__

=encoding utf8

=head1 NAME

skampi-export - writes SKaMPI results in the formats of other programs

=head1 SYNOPSIS

    skampi-export [--format FORMAT] [--suite PATTERN] [-o FILE] FILE...
    skampi-export --raw [--suite PATTERN] [-o FILE] FILE...

=head1 DESCRIPTION

Writes the rows of one or more result files on standard output, or to the file of B<-o>. The formats are:

=over

=item B<csv>

A table with one row for each point and run, and a header line (RFC 4180). Names contain units; columns are never
renamed, and new ones are added at the end. A missing value is an empty cell. A text that a spreadsheet would read as a formula gets an apostrophe in front.

=item B<json>

The same values as nested objects, with all header lines. Numbers are numbers; a missing value is C<null>.
B<--schema> prints the JSON schema.

=item B<gbench>

The JSON of Google Benchmark, with one entry for each point and file. Export the launches of each side to a file; the U
test of F<compare.py> then compares launches.

=item B<osu>

Tables in the layout of the OSU benchmarks, with four decimals. They say that they are SKaMPI's and what the time is.
Times of ping-pongs are halved.

=item B<markdown>

A table for each file.

=back

    skampi-export skampi.out.? > results.csv
    skampi-export -f gbench -o base.json old/skampi.out.?

In SQLite, C<.import --csv results.csv results> reads the CSV; in gnuplot, C<set datafile separator comma>.

=head1 OPTIONS

=over

=item B<-f> FORMAT, B<--format>=FORMAT

B<csv> (the default), B<gbench>, B<json>, B<markdown> or B<osu>.

=item B<-o> FILE, B<--output>=FILE

Write to FILE.

=item B<--raw>

The single times of suites with C<raw=yes> as CSV: a row for each repetition and process, where process -1 is the
repetition as a whole, from which the row of the results is computed.

=item B<--schema>

Print the JSON schema of the format json.

=item B<-s> PATTERN, B<--suite>=PATTERN

Only the suites whose label matches PATTERN, with C<*> and C<?>. May be given several times.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

=head1 EXIT STATUS

0 if everything was written, 1 if writing failed, 2 for wrong usage or a file that cannot be read or is not a result
file, 4 if no suite matches, 5 if a file is damaged or unfinished; then nothing is written.

=head1 SEE ALSO

skampi-compare(1), skampi(1), skampi.out(5)
