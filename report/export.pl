#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Program
  qw(check_choice check_output deliver deliver_bytes fail fail_usage meant read_options run_program whole_match);
use SKaMPI::Export::Formats qw(export_formats format_results raw_text);
use SKaMPI::Export::Columns qw(schema_text);
use SKaMPI::Export::Stream;
use SKaMPI::Read::ResultFile qw(read_whole_results);

my $NOTHING = 4;

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
      $options->{format} eq 'csv' && !$options->{raw} ? SKaMPI::Export::Stream->new : undef;
    my @runs;

    for my $number ( 1 .. @paths ) {
        my $path = $paths[ $number - 1 ];
        my $output =
          $stream ? $stream->add( $path, $number, $is_wanted ) : read_whole_results($path);
        my @suites = grep { $is_wanted->($_) } $output->results;
        push @runs, { output => $output, path => $path, number => $number, suites => \@suites };
    }
    my @labels = map { $_->label } map { $_->{output}->suites } @runs;
    my $hint   = meant( $options->{suite}[0] // q{}, @labels );
    fail( "no suite matches '@{ $options->{suite} }'$hint", $NOTHING )
      if !any { @{ $_->{suites} } } @runs;
    return deliver( $options->{output}, raw_text(@runs) ) if $options->{raw};
    return deliver_bytes( $options->{output}, sub ($to) { $stream->print_to( $to, @runs ) } )
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
