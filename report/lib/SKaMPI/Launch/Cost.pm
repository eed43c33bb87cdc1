package SKaMPI::Launch::Cost;

# The estimated duration of a launch.
use SKaMPI::Base;

use File::Basename qw(basename);
use File::Temp     ();
use List::Util     qw(first);

use SKaMPI::Base::Process         qw(is_there run_command);
use SKaMPI::Base::TextFile        qw(beginning_of);
use SKaMPI::Launch::Configuration qw(command_of);

our @EXPORT_OK = qw(plan_of program_at time_limits);

# The time limit of the plan in seconds, and the longest plan that is read.
my $LIMIT_S = 30;
my $LARGEST = 1024 * 1024;

# Options of launchers for the number of processes.
my $COUNT = qr/(?<!\S)(?:-np?|--np?|--ntasks)[ =]?([1-9][0-9]{0,6})(?!\S)/;

# The cost of a launch of this configuration by the parameter file's time limits, as skampi --check prints it without
# any launcher: the line, the seconds at most (undef if a suite has no limit), and the expected seconds. An empty list
# if the command does not say which skampi it starts. PARAMETERS is the working directory's .skampi, or undef.
sub time_limits ( $configuration, $command, $parameters ) {
    my ( $status, $plan ) = plan_of( $configuration, $command, $parameters ) or return;
    my ($line) = $plan =~ /^time limits: (.+)$/m or return;
    return if $status;
    my ($seconds) = $line =~ /\Aat most ([0-9.]+) s for [0-9]+ suites?\z/;
    my ($about)   = $plan =~ /^run time: about ([0-9:]+)/m;
    my $about_s   = 0;
    $about_s = 60 * $about_s + $_ for split /:/, $about // q{};
    return ( $line, $seconds, $about_s );
}

# The exit status and the output of skampi --check for a launch; an empty list if the command does not say which skampi
# it starts.
sub plan_of ( $configuration, $command = [], $parameters = undef ) {
    my @words = command_of( $configuration, @{$command} );
    my $at    = program_at(@words) // return;
    my @check =
      ( @words[ ( basename( $words[0] ) eq 'smpirun' ? 0 : $at ) .. $#words ], '--check' );
    my ($processes) = join( q{ }, @words[ 0 .. $at - 1 ] ) =~ $COUNT;
    push @check, '-n', $processes if ( $processes // 1 ) > 1;
    my $place = File::Temp->newdir;
    return if defined $parameters && !symlink $parameters, "$place/.skampi";
    my $run = run_command(
        \@check,
        directory   => "$place",
        environment => $configuration->{environment},
        output      => 'plan',
        seconds     => $LIMIT_S,
    );
    return ( $run->{status}, beginning_of( "$place/plan", $LARGEST ) );
}

# The index of skampi itself in the words, after its launcher; undef if it is missing.
sub program_at (@words) {
    return first { basename( $words[$_] ) =~ /\Askampi/ && is_there( $words[$_] ) } 0 .. $#words;
}

1;
