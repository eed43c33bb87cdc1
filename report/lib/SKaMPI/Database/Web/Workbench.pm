package SKaMPI::Database::Web::Workbench;

# Runs gnuplot and the report for the web server, in an empty directory, without network where
# bubblewrap works, with limits on time, memory and size. All processes of the server share a lock,
# so one job runs at a time.
use v5.36;

use Exporter   qw(import);
use Fcntl      qw(:flock);
use File::Temp ();
use Mojo::IOLoop;

use SKaMPI::Base::TextFile qw(read_bytes write_bytes);
use SKaMPI::Safe::Confine  qw(confined why_not_confined);
use SKaMPI::Safe::Tools    qw(run_one);

our @EXPORT_OK = qw(in_child);

# Address space of a job, and the largest result.
my $MAX_MEMORY = 500 * 1024 * 1024;
my $MAX_RESULT = 100 * 1024 * 1024;

my $NOT_CONFINED =
'this server makes no reports, as it cannot confine the programs (bubblewrap); download the file and use skampi-dorep';

# Jobs that may wait at the same time.
my $MAX_WAITING = 40;

# A promise of what CODE returns, which runs in a process of its own. A child must not have a connection of SQLite that is open,
# as it would lose the locks of its parent; so the parent closes it, and connects again when it needs to.
sub in_child ( $store, $code ) {
    Mojo::IOLoop->next_tick( sub ($) { $store->disconnect } );
    return Mojo::IOLoop->subprocess->run_p($code);
}

sub new ( $class, $settings ) {
    return bless { map { $_ => $settings->{$_} } qw(room store) }, $class;
}

# JOB is a hash of files (bytes by name), command, result (the name of the file it writes), seconds,
# keep (what stores the bytes or what is wrong, and returns the fault that prevents it) and
# is_strange (whether strangers wrote the files, which are then only read where bubblewrap works).
# Calls DONE with the bytes of the result, or undef and what is wrong; and with the fault that kept
# it from being made or stored. Meanwhile, the server answers others.
sub make ( $self, $job, $done ) {
    state $waiting = 0;
    return $done->( undef, $NOT_CONFINED, undef )
      if $job->{is_strange} && defined obstacle( $self->{room} );
    return $done->( undef, 'too many pictures and reports are waiting; try again soon', undef )
      if $waiting >= $MAX_WAITING;
    $waiting++;
    return in_child( $self->{store}, sub (@) { return $self->_one_at_a_time($job) } )
      ->finally( sub { $waiting-- } )
      ->then( $done, sub ($failure) { return $done->( undef, undef, { text => "$failure" } ) } );
}

# The bytes, what is wrong, and the fault.
sub _one_at_a_time ( $self, $job ) {
    my ( $bytes, $wrong );
    my $is_made = eval {
        open my $lock, '>', "$self->{room}/lock" or die "cannot open the lock of the queue: $!\n";
        flock $lock, LOCK_EX or die "cannot wait in the queue: $!\n";
        ( $bytes, $wrong ) = $self->_run($job);
        close $lock or die "cannot leave the queue: $!\n";
        1;
    };
    return ( undef,  undef,  { text => "$@" } ) if !$is_made;
    return ( $bytes, $wrong, scalar $job->{keep}->( $bytes, $wrong ) );
}

# The job in an empty directory of its own.
sub _run ( $self, $job ) {
    my $place = File::Temp->newdir( 'job-XXXXXXXX', DIR => $self->{room} );
    write_bytes( "$place/$_", $job->{files}{$_} ) for keys %{ $job->{files} };
    my $tool = {
        %{$job}{qw(command read seconds)},
        directory => "$place",
        memory    => $MAX_MEMORY,
        output    => 'output.txt'
    };
    my $failed = run_one( defined obstacle( $self->{room} ) ? $tool : confined($tool) );
    return ( undef, $failed->{wrong} )                  if $failed;
    return ( undef, 'the program has written nothing' ) if !-e "$place/$job->{result}";
    my $bytes = eval { read_bytes( "$place/$job->{result}", $MAX_RESULT ) };
    return ( $bytes, defined $bytes ? undef : 'the result is too large' );
}

# Why jobs cannot be confined; found out once, before the server starts, for all.
sub obstacle ($room) {
    state $obstacle = why_not_confined($room);
    return $obstacle;
}

1;
