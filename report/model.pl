#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver fail fail_usage read_options run_program);
use SKaMPI::Base::Json qw(pretty_json);
use SKaMPI::Model::Fit qw(points_file);
use SKaMPI::Model::Readings;
use SKaMPI::Model::Text      qw(fit_data fit_text ratio_data ratio_text);
use SKaMPI::Model::Twin      qw(check_twin twin_of);
use SKaMPI::Read::ResultFile qw(read_whole_results);

my $DONE = 0;

my %COMMAND = ( fit => \&fit, points => \&points, twin => \&twin );

# A skampi for the simulator, in the source tree.
my $SIMULATED = "$FindBin::RealBin/../build/smpi/skampi";

my %DEFAULT = ( format => 'text', skampi => $SIMULATED );
my @OPTIONS = qw(check format=s output|o=s skampi=s);

exit run_program( 'skampi-model', \&main );

sub main () {
    my ( $options, $words ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    my ( $command, @paths ) = @{$words};
    fail_usage('expected fit, points or twin, and result files; see skampi model -h')
      if !@paths;
    check_choice( 'command',  $command,           sort keys %COMMAND );
    check_choice( '--format', $options->{format}, qw(text json) );
    check_output( $options->{output}, @paths );
    my @outputs = map { read_whole_results($_) } @paths;
    fail_usage("'$_' is a merge; give the launches that it was made of")
      for map { $_->name } grep { $_->is_postprocessed } @outputs;
    my $fit =
      SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new(@outputs), $command eq 'fit' ? () : 0 );
    fail('nothing to fit: no ping-pong with at least 4 lengths; measure them by skampi -f model')
      if !%{ $fit->{curves} };
    return $COMMAND{$command}->( $options, $fit, @outputs );
}

sub fit ( $options, $fit, @ ) {
    my $text = $options->{format} eq 'json' ? pretty_json( fit_data($fit) ) : fit_text($fit);
    return deliver( $options->{output}, $text );
}

sub points ( $options, $fit, $output, @ ) {
    my $text = points_file( $fit, $output );
    return deliver( $options->{output}, $text ) if length $text;
    complain('no points are missing');
    return $DONE;
}

sub twin ( $options, $fit, $output, @ ) {
    my $twin = eval { twin_of( $fit, $output ) } or fail($@);
    complain("note: $_") for @{ $twin->{remarks} };
    if ( $options->{check} ) {
        my @rows = eval { check_twin( $options->{skampi}, $twin, $output ) } or fail($@);
        print $options->{format} eq 'json' ? pretty_json( ratio_data(@rows) ) : ratio_text(@rows);
        return $DONE if !defined $options->{output};
    }
    deliver( $options->{output},                             $twin->{platform} );
    deliver( $options->{output} =~ s/(?:[.]xml)?\z/.hosts/r, $twin->{hosts} )
      if defined $options->{output};
    return $DONE;
}
