#!/usr/bin/perl

use v5.36;

use Cwd qw(abs_path);
use FindBin;
use List::Util qw(first);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Process qw(output_of);
use SKaMPI::Base::Program
  qw(complain deliver deliver_bytes fail fail_usage percentage read_options run_command_of
  take_command);
use SKaMPI::Findings::Costs qw(cost_data cost_lines);
use SKaMPI::Profile::File   qw(parts_of read_profile);
use SKaMPI::Profile::Show   qw(show_lines);
use SKaMPI::Profile::Suites qw(plan_of recording_of_plan suites_text);
use SKaMPI::Read::SoundFile qw(read_results);

my $DONE = 0;

my $TOP = 20;

my %COMMANDS = ( record => \&record, show => \&show, suites => \&suites, cost => \&cost );

# The library that is preloaded: beside the installed programs, or in the source tree.
my @LIBRARIES = map { "$FindBin::RealBin/$_" } 'libskampi-record.so',
  '../build/openmpi/libskampi-record.so', '../build/mpich/libskampi-record.so';

exit run_command_of( 'skampi-profile', \%COMMANDS );

sub record () {
    my @command = take_command( \@ARGV );
    my ( $options, $more ) =
      read_options( \@ARGV, { output => 'skampi.profile' }, qw(output|o=s split=i library=s) );
    fail_usage('expected -- and the command that starts the program') if !@command || @{$more};
    fail_usage('--split: expected a number of collective calls, at least 1')
      if defined $options->{split} && $options->{split} < 1;
    my $path    = $options->{output};
    my $library = $options->{library} // first { -e } @LIBRARIES;
    fail('libskampi-record.so is missing; run make, or use --library')
      if !defined $library || !-e $library;
    unlink $path, parts_of("$path.parts");
    local $ENV{SKAMPI_RECORD}       = $path =~ m{\A/} ? $path : abs_path(q{.}) . "/$path";
    local $ENV{SKAMPI_RECORD_SPLIT} = $options->{split} // 0;
    local $ENV{LD_PRELOAD}          = join q{:}, abs_path($library), $ENV{LD_PRELOAD} // ();
    system { $command[0] } with_environment(@command);
    return ended( $path, $?, $! );
}

# Open MPI's mpirun starts processes on other hosts without the environment.
sub with_environment (@command) {
    return @command if $command[0] !~ m{(?:\A|/)(?:mpirun|mpiexec|orterun)[^/]*\z};
    delete local $ENV{LD_PRELOAD};
    return @command if output_of( $command[0], '--version' ) !~ /Open(?:RTE| MPI)/;
    return ( shift @command,
        ( map { ( '-x', $_ ) } qw(LD_PRELOAD SKAMPI_RECORD SKAMPI_RECORD_SPLIT) ), @command );
}

# The program's own status is ours.
sub ended ( $path, $status, $why ) {
    rmdir "$path.parts";    # if it is empty
    fail("cannot start the program: $why") if $status == -1;
    if    ( -e $path ) { complain("recorded: $path") }
    elsif ( parts_of("$path.parts") ) {
        complain(
            "the program ended without MPI_Finalize; what its processes had is in $path.parts");
    }
    else {
        complain(
'nothing was recorded: no process called MPI_Init, or it uses another MPI library than this recorder'
        );
    }
    return $status & 127 ? 128 + ( $status & 127 ) : $status >> 8;
}

sub print_lines (@lines) {
    say for @lines;
    return $DONE;
}

sub profile_of ($files) {
    fail_usage('expected the file of a recording') if !@{$files};
    my $path = shift @{$files};
    return eval { read_profile($path) } // fail_usage($@);
}

sub show () {
    my ( $options, $files ) = read_options( \@ARGV, { top => $TOP }, 'top=i' );
    my $p = profile_of($files);
    fail_usage("expected one recording, got '$files->[0]', too") if @{$files};
    return print_lines( show_lines( $p, $options->{top} || @{ $p->{cells} } ) );
}

sub plan ( $options, $p ) {
    my @plan = plan_of( $p, percentage( '--cover', $options->{cover} ) );
    fail('no suite covers a call of this recording') if !@plan;
    return \@plan;
}

sub suites () {
    my ( $options, $files ) = read_options( \@ARGV, { cover => '95%' }, 'cover=s' );
    my $p = profile_of($files);
    my ( $text, @more ) = suites_text( $p, plan( $options, $p ), $p->{path} );
    for (@more) {
        unlink $_->[0];
        deliver_bytes( @{$_} );
        complain("wrote $_->[0]");
    }
    return deliver( undef, $text );
}

sub cost () {
    my ( $options, $files ) = read_options( \@ARGV, { cover => '95%' }, 'cover=s' );
    my $p = profile_of($files);
    fail_usage('expected the results of the suites that skampi-profile suites makes')
      if !@{$files};
    my @sides = map { [ $_->name, $_ ] } map { read_results($_) } @{$files};
    return print_lines(
        cost_lines( cost_data( recording_of_plan( $p, plan( $options, $p ) ), @sides ) ) );
}

__END__

=encoding utf8

=head1 NAME

skampi-profile - records the MPI calls of a program, and says what they cost

=head1 SYNOPSIS

    skampi-profile record [-o FILE] [--split N] -- mpirun -np 16 PROGRAM...
    skampi-profile show [--top N] FILE
    skampi-profile suites [--cover 95%] FILE > app.skampi
    skampi-profile cost [--cover 95%] FILE RESULTS...

=head1 DESCRIPTION

B<record> starts a program with a library that counts its MPI calls and their times, by kinds: the call, the number of
processes and of their hosts, the length, and what else decides how long a call takes. The program runs as without it.
Its own exit status is returned. The recording is written at MPI_Finalize. If the program ends before, what each process
had remains in the directory F<FILE.parts>; the other commands read that too.

B<show> prints the kinds of calls that took most.

B<suites> prints a parameter file with a suite for each of the kinds that make up most of the MPI time, with the lengths,
processes and arrivals of the program. Run it with the same number of processes.

B<cost> compares the recording with the results: calls times measured cost, the rest that this does not explain, and,
with more than one result file, what the others would save.

=head1 OPTIONS

=over

=item B<-o>, B<--output> FILE

The file of the recording; default F<skampi.profile>. All hosts must see the same directory.

=item B<--split> N

Makes an MPI_Barrier before one of N collective calls, to separate waiting for late processes from the calls themselves.

=item B<--library> FILE

The recorder, if there is one for each of several MPI libraries.

=item B<--top> N

How many kinds of calls are shown; default 20; 0: all.

=item B<--cover> PERCENT

The part of the MPI time that the suites shall cover; default 95%. Use the same for B<suites> and B<cost>.

=item B<--help>, B<--version>

Print this page, or the version.

=back

=head1 ENVIRONMENT

By hand: set LD_PRELOAD to F<libskampi-record.so>, SKAMPI_RECORD to the file and SKAMPI_RECORD_SPLIT to N on all processes.

=head1 EXIT STATUS

B<record>: that of the program. Others: 0 done, 1 something failed, 2 usage or a file that cannot be read.

=head1 SEE ALSO

skampi(1), skampi.out(5), skampi-show(1), skampi-compare(1)
