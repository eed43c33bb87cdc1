package SKaMPI::Launch::Grid;

# Parameter files as skampi prints them: with other values, and without refinement, which chooses other arguments in
# each launch: a comparison has only arguments that most launches measured.
use SKaMPI::Base;

use File::Temp ();
use List::Util qw(first);

use SKaMPI::Base::Process  qw(run_command skampi_program);
use SKaMPI::Base::Program  qw(complain fail_usage);
use SKaMPI::Base::TextFile qw(beginning_of write_new_file);
use SKaMPI::Launch::Cost   qw(program_at);

our @EXPORT_OK = qw(printed_file with_fixed_grid);

# How long skampi may take to print a file, and the longest that is read.
my ( $LIMIT_S, $LARGEST ) = ( 30, 256 * 1024 * 1024 );

# Messages that were printed: each launch prints the file anew.
my %said;

# The exit status of skampi for what it does not accept.
my $REFUSED = 2;

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
    my $place = File::Temp->newdir;
    my $at    = program_at( @{$command} );
    my $why   = q{'skampi' is not found};
    for my $program ( defined $at ? $command->[$at] : (), skampi_program() // () ) {
        my $run = run_command(
            [ $program, '-q', '--print-config', @options ],
            directory   => q{.},
            environment => $environment,
            output      => "$place/printed",
            seconds     => $LIMIT_S
        );
        my $text = beginning_of( "$place/printed", $LARGEST );
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
