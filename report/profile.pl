#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use Cwd        qw(abs_path);
use File::Spec ();
use File::Temp ();
use List::Util qw(first);

use SKaMPI::Base::Process qw(is_there run_command);
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver deliver_bytes fail fail_usage percentage read_options run_command_of
  take_command);
use SKaMPI::Base::TextFile        qw(is_present locked_file);
use SKaMPI::Base::Json            qw(pretty_json);
use SKaMPI::Launch::Configuration qw(exported);
use SKaMPI::Meaning::Costs        qw(cost_data cost_document cost_lines);
use SKaMPI::Profile::File         qw(is_part parts_of read_profile);
use SKaMPI::Profile::Show         qw(profile_data show_lines);
use SKaMPI::Profile::Suites       qw(plan_of recording_of_plan suites_text);
use SKaMPI::Read::ResultFile      qw(read_results);

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
    fail("cannot start '$command[0]': no such program") if !is_there( $command[0] );
    my $path    = $options->{output};
    my $library = $options->{library} // first { -e } @LIBRARIES;
    fail_usage( ( defined $library ? "'$library'" : 'libskampi-record.so' )
        . ' is missing; run make, or use --library' )
      if !defined $library || !-e $library;
    check_output($path) if !is_part($path);
    fail_usage("'$path.parts' is not a directory; choose another name with -o")
      if is_present("$path.parts") && ( -l "$path.parts" || !-d _ );
    my ($foreign) = grep { !is_part($_) } parts_of("$path.parts");
    fail_usage("'$foreign' is not of a recording; choose another name with -o") if $foreign;
    my $is_new = !-e "$path.lock";
    my $lock =
      eval { locked_file("$path.lock") }
      // fail_usage( $@
          || "another program is recorded to '$path' now; choose another name with -o" );
    unlink $path, parts_of("$path.parts");
    my $place = File::Temp->newdir( TMPDIR => 1 );
    my $run   = run_command(
        [ exported( \@command, qw(LD_PRELOAD SKAMPI_RECORD SKAMPI_RECORD_SPLIT) ) ],
        directory   => q{.},
        keep        => $lock,
        environment => {
            SKAMPI_RECORD       => File::Spec->rel2abs($path),
            SKAMPI_RECORD_SPLIT => $options->{split} // 0,
            LD_PRELOAD          =>
              join( q{:}, preloadable( abs_path($library), "$place" ), $ENV{LD_PRELOAD} // () ),
        }
    );
    unlink "$path.lock" if $is_new;
    return ended( $path, $run );
}

# The dynamic linker takes blanks and colons as the end of a path: a library with them in its path is preloaded by a
# link.
sub preloadable ( $library, $place ) {
    return $library if $library !~ /[\s:]/;
    fail("cannot preload '$library': neither its path nor TMPDIR may have a blank or a colon")
      if $place =~ /[\s:]/ || !symlink $library, "$place/recorder.so";
    return "$place/recorder.so";
}

# The exit status is that of the program.
sub ended ( $path, $run ) {
    rmdir "$path.parts";    # unless it contains files
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
    complain( $run->{failed} ) if $run->{signal};
    return $run->{status};
}

sub print_lines (@lines) { return deliver( undef, join "\n", @lines, q{} ) }

sub profile_of ($files) {
    fail_usage('expected the file of a recording') if !@{$files};
    my $path = shift @{$files};
    return eval { read_profile($path) } // fail_usage($@);
}

sub show () {
    my ( $options, $files ) =
      read_options( \@ARGV, { top => $TOP, format => 'text' }, 'format=s', 'top=i' );
    check_choice( '--format', $options->{format}, qw(text json) );
    my $p = profile_of($files);
    fail_usage('--top: expected a number, at least 0')           if $options->{top} < 0;
    fail_usage("expected one recording, got '$files->[0]', too") if @{$files};
    return deliver( undef, pretty_json( profile_data($p) ) )     if $options->{format} eq 'json';
    return print_lines( show_lines( $p, $options->{top} || scalar @{ $p->{cells} } ) );
}

sub plan ( $options, $p ) {
    my @plan = plan_of( $p, percentage( '--cover', $options->{cover} ) );
    fail('no suite covers a call of this recording') if !@plan;
    return \@plan;
}

sub suites () {
    my ( $options, $files ) = read_options( \@ARGV, { cover => '95%' }, 'cover=s' );
    my $p    = profile_of($files);
    my $plan = plan( $options, $p );
    my ( $text, @more ) = suites_text( $p, $plan, $p->{path} );
    for (@more) {
        deliver_bytes( @{$_} );
        complain("wrote $_->[0]");
    }
    return deliver( undef, $text );
}

sub cost () {
    my ( $options, $files ) =
      read_options( \@ARGV, { cover => '95%', format => 'text' }, qw(cover=s format=s) );
    check_choice( '--format', $options->{format}, qw(text json) );
    my $p = profile_of($files);
    fail_usage('expected the results of the suites that skampi profile suites makes')
      if !@{$files};
    my @sides     = map { [ $_->name, $_ ] } map { read_results($_) } @{$files};
    my $recording = recording_of_plan( $p, plan( $options, $p ) );
    my $data      = cost_data( $recording, @sides );
    return print_lines( cost_lines($data) ) if $options->{format} eq 'text';
    return deliver( undef,
        pretty_json( cost_document( $recording, $sides[0][1], $data->{notes} ) ) );
}
