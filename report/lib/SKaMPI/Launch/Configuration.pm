package SKaMPI::Launch::Configuration;

# The differences between the launches that skampi-launch interleaves. A configuration is a hash of
# name, path, environment, and values (of params, mpirun and binary).
use SKaMPI::Base;

use Cwd            qw(abs_path);
use File::Basename qw(basename dirname);
use List::Util     qw(any);

use SKaMPI::Base::Process  qw(is_there output_of);
use SKaMPI::Base::Program  qw(fail_usage);
use SKaMPI::Base::TextFile qw(read_bytes);

# The prefix of the environment variables for MCA parameters.
our $MCA = 'OMPI_MCA_';

# Keys that replace {KEY} in the command; all others are environment variables.
my @REPLACED = qw(params mpirun binary);

# The configurations of files with lines KEY=VALUE. COMMAND is the list of words to start. Fails with file, line and
# column for a mistake.
sub read_configurations ( $command, @paths ) {
    my @all = map { _read($_) } @paths;
    my %count;
    $count{$_}++ and fail_usage("two configurations are called '$_'; rename one of the files")
      for map { $_->{name} } @all;
    _check( $_, $command ) for @all;
    return @all;
}

sub only_configuration ($command) {
    my $only = new_configuration( name => 'launches', path => 'the command line' );
    _check( $only, $command );
    return $only;
}

sub new_configuration (%members) { return { environment => {}, values => {}, %members } }

sub _read ($path) {
    my $text = eval { read_bytes($path) } // fail_usage($@);
    my $name = basename($path) =~ s/[.](?:conf|env|txt)\z//r;
    fail_usage("'$path': expected a name of letters, digits, '.', '_' and '-'")
      if $name !~ /\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\z/;
    my $found  = new_configuration( name => $name, path => $path );
    my $number = 0;
    for my $line ( split /\r?\n/, $text ) {
        $number++;
        next if $line =~ /\A\s*(?:\#|\z)/;
        my $place = "$path:$number";
        my ( $key, $value ) = $line =~ /\A\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*\z/s
          or fail_usage("$place:1: expected KEY=VALUE, got '$line'");
        my $column = 1 + index( $line, q{=} ) + 1;
        fail_usage("$place:$column: the value contains a NUL byte") if $value =~ /\0/;
        my $is_replaced = any { $_ eq $key } @REPLACED;
        my $place_of    = $is_replaced ? $found->{values} : $found->{environment};
        fail_usage("$place:1: '$key' is given twice")     if exists $place_of->{$key};
        fail_usage("$place:$column: '$key' has no value") if $is_replaced && $value eq q{};
        $place_of->{$key} = $is_replaced ? _path( $value, $path, "$place:$column" ) : $value;
    }
    return $found;
}

# The absolute path of a value relative to the configuration's file, as each launch has a directory
# of its own. A word without a slash may also be a program, or a parameter file that ships.
sub _path ( $value, $beside, $place ) {
    return $value if $value =~ m{\A/};
    my $path = dirname($beside) . "/$value";
    return abs_path($path)                       if -e $path;
    fail_usage("$place: '$path' does not exist") if $value =~ m{/|[.]skampi\z};
    return $value;
}

# Each {KEY} of the command needs a value, and each value a {KEY}.
sub _check ( $configuration, $command ) {
    my $path = $configuration->{path};
    for my $key (@REPLACED) {
        my $is_used  = any { /\{$key\}/ } @{$command};
        my $is_given = exists $configuration->{values}{$key};
        fail_usage("the command contains {$key}, but '$path' has no line $key=...")
          if $is_used && !$is_given;
        fail_usage("'$path' has a line $key=..., but the command does not contain {$key}")
          if $is_given && !$is_used;
    }
    return;
}

# The words of the command, or those of the configuration, with their replacements. Words that name files of the
# working directory become absolute.
sub command_of ( $configuration, @words ) {
    @words = @{ $configuration->{words} } if $configuration->{words};
    my $values = $configuration->{values};
    my $keys   = join q{|}, @REPLACED;
    my $local  = qr{\A(?!/)(?:[^-].*/|.*[.][[:alpha:]]\w*\z)}s;
    my %named  = map { $words[$_] => 1 } grep { $_ && $words[ $_ - 1 ] eq '-f' } keys @words;
    return map { s/\{($keys)\}/$values->{$1}/gr }
      map { /$local/ && -e || $named{$_} && -f ? abs_path($_) : $_ } @words;
}

# The words of a command whose launcher gives these variables to processes on other hosts, too: that of Open MPI gives
# only its own without -x.
sub exported ( $words, @names ) {
    my ( $launcher, @more ) = @{$words};
    my @exported = map { ( '-x', $_ ) } grep { !/\A$MCA/ } sort @names;
    my $needs_x =
         @exported
      && basename($launcher) =~ /\A(?:mpirun|mpiexec|orterun|prterun)\b/
      && is_there($launcher)
      && output_of( $launcher, '--version' ) =~ /Open MPI|OpenRTE|PRRTE/;
    return ( $launcher, $needs_x ? @exported : (), @more );
}

1;
