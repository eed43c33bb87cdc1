#!/usr/bin/perl

use v5.36;

use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver fail fail_usage read_options run_program);
use SKaMPI::Base::Tabular qw(json_text);
use SKaMPI::Model::Check  qw(check_twin);
use SKaMPI::Model::Fit;
use SKaMPI::Model::Points qw(points_file);
use SKaMPI::Model::Readings;
use SKaMPI::Model::Text     qw(fit_data fit_text ratio_text);
use SKaMPI::Model::Twin     qw(twin_of);
use SKaMPI::Read::SoundFile qw(read_sound_file);

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
    fail_usage('expected fit, points or twin, and result files; see skampi-model --help')
      if !@paths;
    check_choice( 'command',  $command,           sort keys %COMMAND );
    check_choice( '--format', $options->{format}, qw(text json) );
    check_output( $options->{output}, @paths );
    my @outputs = map { read_sound_file($_) } @paths;
    fail_usage("'$_' is a merge; give the launches that it was made of")
      for map { $_->name } grep { $_->is_postprocessed } @outputs;
    my $fit =
      SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new(@outputs), $command eq 'fit' ? () : 0 );
    fail('nothing to fit: no ping-pong with at least 4 lengths; measure configs/model.skampi')
      if !%{ $fit->{curves} };
    return $COMMAND{$command}->( $options, $fit, @outputs );
}

sub fit ( $options, $fit, @ ) {
    my $text = $options->{format} eq 'json' ? json_text( fit_data($fit) ) : fit_text($fit);
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
        print ratio_text(@rows);
    }
    return $DONE if $options->{check} && !defined $options->{output};
    deliver( $options->{output},                             $twin->{platform} );
    deliver( $options->{output} =~ s/(?:[.]xml)?\z/.hosts/r, $twin->{hosts} )
      if defined $options->{output};
    return $DONE;
}

__END__

=encoding utf8

=head1 NAME

skampi-model - fits models to measured times, and makes a simulated twin of the machine

=head1 SYNOPSIS

    skampi-model fit [--format=text|json] [-o FILE] RESULTS...
    skampi-model points [-o FILE.skampi] RESULTS...
    skampi-model twin [-o FILE.xml] [--check] RESULTS...

=head1 DESCRIPTION

RESULTS are files of launches of F<configs/model.skampi>, or of any suites that have what a model needs, and of further
points. Give all files of one machine; not their merge.

    mpirun -np 4 skampi -f model
    skampi-model points skampi.out -o more.skampi
    mpirun -np 4 skampi -f more.skampi
    skampi-model fit skampi.out points.out
    skampi-model twin skampi.out points.out -o machine.xml

=head2 fit

Prints time = a + b L, piece by piece, for messages (half a round trip of MPI_Send and MPI_Recv) within a host and
between hosts, and for what sending and receiving take of their process; the parameters of the LogGP model; and the times
of collectives over processes and length.

Where a piece ends is found: the number of pieces and their ends are those with the least sum of squared residuals, in
standard errors, and a price per piece. A piece has at least 4 lengths. A jump stays a jump. Intervals come from launches,
drawn with replacement and fitted again, breaks and all; from less than 3 launches, from the errors that they state.
What measurements cannot separate is C<not identifiable>, never a number.

=head2 points

Writes a parameter file for the lengths that are missing: within breaks whose place is not known to 1 %, and about
points that no piece fits. Measure them with the same command, and give both files to the next call. Two or three rounds
are enough.

=head2 twin

Writes a platform for SimGrid 3.32 (and a host file, F<FILE.hosts>) on which messages take as long as they were
measured, within a host and between hosts:

    smpirun -np 4 -platform machine.xml -hostfile machine.hosts ./program

SMPI has one set of sections for all distances; if those within a host differ, a note says by how much. How fast the hosts
compute was not measured: the platform has 1 Gf.

=head1 OPTIONS

=over

=item B<--check>

With B<twin>: measure the suites of the first file on the twin, and print measured / simulated for each suite: the
geometric mean, the smallest and the largest. It needs B<smpirun> and a skampi that was built with C<make MPI=smpi>.

=item B<--format>=B<text>|B<json>

The format of B<fit>; text by default. Times in JSON are microseconds, slopes microseconds per byte.

=item B<-o> FILE, B<--output>=FILE

Write the output to FILE.

=item B<--skampi>=FILE

The program for B<--check>; by default F<build/smpi/skampi> of the source tree.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

=head1 EXIT STATUS

0 if done, 1 if there is nothing to fit or the output cannot be written, 2 for wrong usage or a file that is not a result
file, 5 if a file is damaged or unfinished.

=head1 SEE ALSO

skampi(1), skampi-show(1), skampi-launch(1), smpirun(1)
