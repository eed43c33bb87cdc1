#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any min);

use SKaMPI::Base::Program
  qw(check_choice check_output deliver deliver_bytes fail fail_usage meant read_options run_program whole_match);
use SKaMPI::Base::TextFile   qw(utf8_bytes);
use SKaMPI::Export::Formats  qw(csv_line_of csv_titles export_formats format_results raw_text);
use SKaMPI::Export::Columns  qw(record_of schema_text);
use SKaMPI::Read::ResultFile qw(read_whole_results);

my $NOTHING = 4;

# The bytes that are copied at once.
my $CHUNK = 256 * 1024;

my %DEFAULT = ( format => 'csv', raw => 0, suite => [] );
my @OPTIONS = qw(format|f=s output|o=s raw schema suite|s=s@);

exit run_program( 'skampi-export', \&main );

sub main () {
    my ( $options, $files, @more ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    my @paths = ( @{$files}, map { @{$_} } @more );
    check_choice( '--format', $options->{format}, export_formats() );
    fail_usage('--raw: only as csv') if $options->{raw} && $options->{format} ne 'csv';
    fail_usage('expected result files; see skampi export -h')
      if !@paths && !$options->{schema};
    check_output( $options->{output}, @paths );
    return deliver( $options->{output}, schema_text() ) if $options->{schema};
    my $is_wanted = wanted( map { whole_match( $_, 'is' ) } @{ $options->{suite} } );
    my $stream =
      $options->{format} eq 'csv' && !$options->{raw} ? new_stream() : undef;
    my @runs;

    for my $number ( 1 .. @paths ) {
        my $path = $paths[ $number - 1 ];
        my $output =
          $stream
          ? add_to_stream( $stream, $path, $number, $is_wanted )
          : read_whole_results($path);
        my @suites = grep { $is_wanted->($_) } $output->results;
        push @runs, { output => $output, path => $path, number => $number, suites => \@suites };
    }
    my @labels = map { $_->label } map { $_->{output}->suites } @runs;
    my $hint   = meant( $options->{suite}[0] // q{}, @labels );
    fail( "no suite matches '@{ $options->{suite} }'$hint", $NOTHING )
      if !any { @{ $_->{suites} } } @runs;
    return deliver( $options->{output}, raw_text(@runs) ) if $options->{raw};
    return deliver_bytes( $options->{output}, sub ($to) { print_stream( $stream, $to, @runs ) } )
      if $stream;
    return deliver( $options->{output}, format_results( $options->{format}, @runs ) );
}

# A function that says whether the label of a suite matches an expression, if there are any.
sub wanted (@expressions) {
    return sub ($suite) {
        my $label = $suite->label;
        return !@expressions || any { $label =~ $_ } @expressions;
    };
}

# CSV of results of any size. Each row is written to a temporary file when it is read, so that memory does not grow with
# the rows. They are copied in the order of the suites, after all files were read and found to be free of errors.
sub new_stream () {
    open my $file, '+>:raw', undef    ## no critic (RequireBriefOpen): the stream has it
      or die "cannot create a temporary file: $!\n";
    return { file => $file, bytes => 0, last => {} };
}

# Reads a file. Keeps the lines of suites for which a function is true. Returns the results, whose suites have only
# their first row.
sub add_to_stream ( $stream, $path, $number, $is_wanted ) {
    my $file = $stream->{file};
    my $take = sub ( $output, $suite, $row ) {
        return if $suite->is_internal || !$is_wanted->($suite);
        my $part = $suite->once( part => sub ($) { part_of( $stream, $output, $number, $suite ) } );
        my $bytes = utf8_bytes( $part->{line}->($row) );
        print {$file} $bytes or die "cannot write a temporary file: $!\n";
        $stream->{bytes} += length $bytes;
        return;
    };
    my %any = map { $_ => 'inf' } qw(bytes lines rows), 'node times';
    return read_whole_results( $path, $path, %any, take => $take );
}

# The place of a suite's lines in the temporary file, and the function that makes a line.
sub part_of ( $stream, $output, $number, $suite ) {
    my $of_run = $output->once(
        of_run => sub ($) { record_of( run => { output => $output, number => $number } ) } );
    $stream->{last}{end} = $stream->{bytes};
    return $stream->{last} = { from => $stream->{bytes}, line => csv_line_of( $of_run, $suite ) };
}

# Prints the CSV of the runs to a handle of bytes. Returns whether that succeeded.
sub print_stream ( $stream, $to, @runs ) {
    my $file = $stream->{file};
    $stream->{last}{end} = $stream->{bytes};
    print {$to} csv_titles() or return 0;
    for my $part (
        map {
            $_->once( part => sub ($) { } )
              // ()
        } map { @{ $_->{suites} } } @runs
      )
    {
        seek $file, $part->{from}, 0 or return 0;
        my $left = $part->{end} - $part->{from};
        while ( $left > 0 ) {
            my $got = read $file, my $bytes, min( $left, $CHUNK ) or return 0;
            print {$to} $bytes or return 0;
            $left -= $got;
        }
    }
    return 1;
}
