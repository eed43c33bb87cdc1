package SKaMPI::Launch::Store;

# The directory in which skampi-launch and skampi-tune keep the launches.
#   DIRECTORY/launch.json        the command, the time spent, and which settings crash
#   DIRECTORY/NAME               of a configuration; a setting that crashes is tried again once it is removed
#   DIRECTORY/NAME/3             the third launch of the configuration NAME, with its results and launch.log
#   DIRECTORY/NAME/3.failed-1    one that failed or was interrupted
#   DIRECTORY/NAME.out           the merge of the launches of NAME
#   DIRECTORY/.duet-xxxxxx       the pipes of a duet, while it runs
# open_directory(PATH, COMMAND, CONFIGURATION...) fails if the directory has complete launches of another command,
# or if another start works in it.
use SKaMPI::Base qw(path spent_s);

use Cwd        qw(abs_path);
use Encode     qw(encode);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use POSIX      qw(mkfifo);

use SKaMPI::Base::Json    qw(decode_json pretty_json to_json);
use SKaMPI::Base::Program qw(fail fail_usage);
use SKaMPI::Base::TextFile
  qw(has_results is_present locked_file names_in read_bytes write_new_file);

my $SCHEMA = 'skampi-launch/1';
my $STATE  = 'launch.json';
my $LOCK   = 'launch.lock';

# The directory of all launches of a command. An existing one is continued if it was made for the
# same command and configurations.
sub open_directory ( $class, $path, $command, @configurations ) {
    _make($path);
    my $self = bless { path => abs_path($path), spent_s => 0, crashes => {} }, $class;

# The lock is held until this program and the commands that it has started end. The file has the number of the last
# one.
    $self->{lock} = locked_file("$self->{path}/$LOCK");
    if ( !$self->{lock} ) {
        my ($process) = read_bytes("$self->{path}/$LOCK") =~ /([0-9]+)\n\z/;
        fail_usage(
            defined $process
            ? "process $process of an earlier start still works in '$path'; wait for it, or: kill $process"
            : "another start works in '$path'"
        );
    }
    $self->remove_pipes;
    $self->{command} =
      to_json( [ $command, map { [ @{$_}{qw(name environment values)} ] } @configurations ] );
    my $state = "$self->{path}/$STATE";
    $self->_take( $path, $state ) if is_present($state);
    $self->save;
    return $self;
}

sub _make ($path) {
    return if eval { make_path($path); 1 } && -d $path;
    return fail("cannot make the directory '$path': $!");
}

sub lock_for_command ($self) {
    return keep => $self->{lock},
      started   => sub ($process) { $self->{lock}->syswrite("$process\n") };
}

sub _take ( $self, $path, $state ) {
    my $known = eval { decode_json( read_bytes($state) ) };
    fail_usage("'$path/$STATE' is damaged or of another version; choose another directory (-d)")
      if ref $known ne 'HASH' || ( $known->{schema} // q{} ) ne $SCHEMA;
    if ( ( $known->{command} // q{} ) ne $self->{command} ) {
        return if !grep { defined $self->results( $_, 1 ) } names_in( $self->{path} );
        fail_usage( "'$path' has launches of another command or configuration; "
              . 'choose another directory (-d)' );
    }
    $self->{spent_s} = $known->{spent_s} if ( $known->{spent_s} // q{} ) =~ /\A[0-9.]+\z/;
    my @crashed = ref $known->{crashes} eq 'HASH' ? keys %{ $known->{crashes} } : ();
    $self->{crashes}{$_} = 1 for grep { -d "$self->{path}/$_" } @crashed;
    return;
}

sub save ($self) {
    my %state =
      ( schema => $SCHEMA, %{$self}{qw(command crashes)}, spent_s => 0 + $self->{spent_s} );
    write_new_file( "$self->{path}/$STATE", encode( 'UTF-8', pretty_json( \%state ) ) );
    return;
}

sub crashes ( $self, $name ) { return $self->{crashes}{$name} }

sub add_crash ( $self, $name ) {
    $self->{crashes}{$name} = 1;
    return $self->save;
}

sub add_spent ( $self, $seconds ) {
    $self->{spent_s} += $seconds;
    return $self->save;
}

# The average time of a complete launch of these configurations, with failed tries; undef before the first one.
sub seconds_of_a_launch ( $self, @names ) {
    my $count = 0;
    for my $name (@names) {
        my $number = 1;
        $number++ while defined $self->results( $name, $number );
        $count += $number - 1;
    }
    return $count && $self->{spent_s} ? $self->{spent_s} / $count : undef;
}

sub directory ( $self, $name, $number ) {
    return "$self->{path}/$name/$number";
}

# Makes a directory; an earlier, unfinished launch is kept under another name.
sub make_directory ( $self, $name, $number ) {
    my $path = $self->directory( $name, $number );
    $self->set_aside( $name, $number ) if is_present($path);
    _make($path);
    return $path;
}

# Two new pipes for a duet, in a directory of their own, which only this user may enter.
sub make_pipes ($self) {
    my $directory = eval { tempdir( '.duet-XXXXXX', DIR => $self->{path} ) }
      // fail("cannot make a directory in '$self->{path}': $!");
    my @pipes = map { "$directory/$_" } 0, 1;
    for my $pipe (@pipes) {
        mkfifo( $pipe, oct 600 ) or fail("cannot make the pipe '$pipe': $!");
    }
    return @pipes;
}

# Removes the pipes of a duet, also those that a killed start has left.
sub remove_pipes ($self) {
    for my $name ( grep { /\A[.]duet-\w{6}\z/ } names_in( $self->{path} ) ) {
        my $directory = "$self->{path}/$name";
        next if -l $directory || !unlink grep { -p } map { "$directory/$_" } 0, 1;
        rmdir $directory;
    }
    return;
}

# Renames the directory of a launch that failed or was interrupted.
sub set_aside ( $self, $name, $number ) {
    my $path = $self->directory( $name, $number );
    my $i    = 1;
    $i++ while is_present("$path.failed-$i");
    rename $path, "$path.failed-$i" or fail("cannot rename '$path': $!");
    return "$path.failed-$i";
}

# The result file in a launch's directory, or undef: skampi.out or, if it has another name, the only one.
sub results ( $self, $name, $number ) {
    my $path = $self->directory( $name, $number );
    return "$path/skampi.out" if -f "$path/skampi.out" && !-l "$path/skampi.out";
    my @found =
      grep { !/[.](?:log|journal)\z/ && -f "$path/$_" && !-l "$path/$_" && has_results("$path/$_") }
      eval { names_in($path) };
    return @found == 1 ? "$path/$found[0]" : undef;
}

1;
