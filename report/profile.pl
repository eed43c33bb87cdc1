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
