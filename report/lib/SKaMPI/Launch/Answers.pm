package SKaMPI::Launch::Answers;

# Asks the skampi of a command, without its launcher, for the cost of a launch, and for its parameter file with other
# values, or without refinement, which chooses other arguments in each launch: a comparison has only arguments that most
# launches measured.
use SKaMPI::Base;

use File::Basename qw(basename);
use File::Temp     ();
use List::Util     qw(any first);

use SKaMPI::Base::Process         qw(is_there run_command skampi_program);
use SKaMPI::Base::Program         qw(complain fail_usage);
use SKaMPI::Base::TextFile        qw(beginning_of write_new_file);
use SKaMPI::Launch::Configuration qw(command_of);

# How long skampi may take to answer, and the longest answer that is read.
my ( $LIMIT_S, $LARGEST ) = ( 30, 256 * 1024 * 1024 );

# Options of launchers for the number of processes.
my $COUNT = qr/(?<!\S)(?:-np?|--np?|--ntasks)[ =]?([1-9][0-9]{0,6})(?!\S)/;

# Messages that were printed: each launch prints the file anew.
my %said;

# The exit status of skampi for what it does not accept.
my $REFUSED = 2;

# How a command in a directory has ended (SKaMPI::Base::Process), and what it printed.
sub _answer ( $directory, $environment, @command ) {
    my $place = File::Temp->newdir;
    my %with  = ( directory => $directory, environment => $environment, seconds => $LIMIT_S );
    my $run   = run_command( \@command, %with, output => "$place/answer" );
    return ( $run, beginning_of( "$place/answer", $LARGEST ) );
}

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
    my ( $run, $plan ) = _answer( "$place", $configuration->{environment}, @check );
    return ( $run->{status}, $plan );
}

# The index of skampi itself in the words, after its launcher; undef if it is missing.
sub program_at (@words) {
    return first { basename( $words[$_] ) =~ /\Askampi/ && is_there( $words[$_] ) } 0 .. $#words;
}

# The words after the program, if the first of them says what is measured.
sub words_of (@words) {
    splice @words, 0, 1 + ( program_at(@words) // $#words );
    return ( $words[0] // q{-} ) =~ /\A-/ ? () : @words;
}

# Whether it names the result file.
sub has_output (@words) {
    my $at = program_at(@words) // return 0;
    return any { /\A(?:-o|--output(?:=.*)?)\z/s } @words[ $at + 1 .. $#words ];
}

# The parameter file of the working directory (or undef) and the words of a command, whose file is replaced by a copy
# in DIRECTORY without refinement. A copy has the file of the command or, if no word after the program names one, that
# of the working directory.
sub with_fixed_grid ( $directory, $environment, $parameters, @words ) {
    my $program = program_at(@words) // return ( $parameters, @words );
    my $at      = first { $words[$_] =~ /\A(?:-f|--file(?:=.*)?)\z/s } $program + 1 .. $#words;
    my $copy    = sub ($path) {
        my $name = $path =~ s{.*/|[.]skampi\z}{}gr =~ s/[^\w.-]/_/gr || 'dot';
        my $text = printed_file( $environment, \@words, '--fixed', '-f', $path ) // return $path;
        write_new_file( "$directory/$name-fixed.skampi", $text );
        return "$directory/$name-fixed.skampi";
    };

    # A launch whose words say what is measured does not read it.
    return ( $parameters && ( eval { $copy->($parameters) } // $parameters ), @words )
      if !defined $at;
    my ($name) = $words[$at] =~ /=(.*)/s;
    my $of = defined $name ? $at : $at + 1;
    $name //= $words[$of] // return ( $parameters, @words );
    splice @words, $at, $of - $at + 1, '-f', $copy->($name);
    return ( $parameters, @words );
}

# The parameter file that skampi prints with these OPTIONS: that of the command or, if it does not run without its
# launcher (as for SMPI), the one beside this program. Fails if skampi refuses the file, as a launch would; returns
# undef after a message if none prints it.
sub printed_file ( $environment, $command, @options ) {
    my $at  = program_at( @{$command} );
    my $why = q{'skampi' is not found};
    for my $program ( defined $at ? $command->[$at] : (), skampi_program() // () ) {
        my ( $run, $text ) =
          _answer( q{.}, $environment, $program, '-q', '--print-config', @options );
        return $text if !defined $run->{failed};
        fail_usage($text) if $text =~ /^[^\n]+:[0-9]+:[0-9]+: /m;
        ($why) = "$text\n$run->{failed}" =~ /([^\n]+)/;
        last if $run->{status} == $REFUSED;
    }
    return complain("the parameter file is used as it is: skampi --print-config @options: $why")
      if !$said{$why}++;
    return;
}

1;
