package SKaMPI::PostgresServer;

# A PostgreSQL server for a test: its own data, socket and user; it listens to no port.
use v5.36;

use File::Temp  qw(tempdir);
use Time::HiRes qw(sleep);

# The server refuses to run as root.
my $USER = 'postgres';

# Why there is none; empty if there can be one.
sub why_not ($class) {
    return 'libdbd-pg-perl is missing (make deps)' if !eval { require DBD::Pg; 1 };
    return 'postgresql is missing (make deps)'     if !_programs();
    return "there is no user $USER for the server" if $> == 0 && !defined getpwnam $USER;
    return q{};
}

# Tests of all kinds of databases have a file of their own for this one, which takes longest.
sub why_not_wanted ($class) {
    return $0 =~ /postgres/ ? $class->why_not : 'in postgres*.t only';
}

sub _programs () {
    my ($newest) = reverse sort glob '/usr/lib/postgresql/*/bin/initdb';
    return $newest ? $newest =~ s{/initdb\z}{}r : undef;
}

sub start ($class) {
    my $directory = tempdir( CLEANUP => 1 );
    if ( $> == 0 ) {
        chown scalar getpwnam($USER), -1, $directory or die "$directory: $!\n";
    }
    my $self     = bless { directory => $directory, owner => $$ }, $class;
    my $programs = _programs();
    my @init = ( "$programs/initdb", '-D', "$directory/data", qw(-A trust -U skampi --no-sync) );
    $self->_run( @init, qw(--locale=C -E UTF8 --no-instructions) );
    $self->resume;
    return $self;
}

sub resume ($self) {
    my $directory = $self->{directory};
    $self->{pid} = $self->_spawn(
        _programs() . '/postgres', '-D', "$directory/data",   '-k',
        $directory,                '-c', 'listen_addresses=', '-c',
        'fsync=off',               '-c', 'max_connections=20'
    );
    sleep 0.05 while !-S "$directory/.s.PGSQL.5432" || !$self->_answers;
    return;
}

sub stop ($self) {
    kill INT => $self->{pid};
    waitpid delete $self->{pid}, 0;
    return;
}

sub _answers ($self) {
    die "the PostgreSQL server ended\n" if waitpid( $self->{pid}, 1 ) != 0;
    return DBI->connect( $self->dsn('postgres'), undef, undef, { PrintError => 0 } );
}

sub dsn ( $self, $database ) {
    return "dbi:Pg:dbname=$database;host=$self->{directory};user=skampi";
}

sub create ( $self, $database ) {
    DBI->connect( $self->dsn('postgres'), undef, undef, { RaiseError => 1 } )
      ->do("CREATE DATABASE $database");
    return $self->dsn($database);
}

sub _run ( $self, @command ) {
    waitpid $self->_spawn(@command), 0;
    die "$command[0] failed with $?\n" if $?;
    return;
}

sub _spawn ( $self, @command ) {
    @command = ( 'setpriv', "--reuid=$USER", "--regid=$USER", '--clear-groups', @command )
      if $> == 0;
    my $child = fork // die "fork: $!\n";
    return $child if $child;
    open STDOUT, '>',  "$self->{directory}.log" or die "log: $!\n";
    open STDERR, '>&', \*STDOUT                 or die "log: $!\n";
    chdir $self->{directory} or die "$self->{directory}: $!\n";
    exec {'setpriv'} @command if $> == 0;
    exec { $command[0] } @command or die "$command[0]: $!\n";
}

sub DESTROY ($self) {
    return if $self->{owner} != $$ || !$self->{pid};
    local $?;
    $self->stop;
    unlink "$self->{directory}.log";
    return;
}

1;
