package SKaMPI::Database::Web::JobQueue;

# Runs gnuplot and the report for the web server in an empty directory, without network where bubblewrap works, with
# limits on time, memory and size. All processes of the server share a lock: one job runs at a time.
use SKaMPI::Base;

use Fcntl      qw(:flock);
use File::Temp ();
use Mojo::IOLoop;
use Mojo::Promise;

use SKaMPI::Base::TextFile qw(open_own read_bytes write_bytes);
use SKaMPI::Safe::Tools    qw(confined run_one why_not_confined);

my $MAX_MEMORY = 500 * 1024 * 1024;
my $MAX_RESULT = 100 * 1024 * 1024;

my $NOT_CONFINED =
'this server makes no reports, as it cannot confine the programs (bubblewrap); download the file and use skampi report';

my %QUEUE = (
    name   => 'job',
    places => 1,
    most   => 40,
    full   => 'too many pictures and reports are waiting; try again soon'
);

# A promise of the result of CODE, which runs in a process of its own when it is its turn. QUEUE is a hash of name,
# places (at the same time, on the whole server), most (waiting in each worker) and full (the text with which the
# promise is rejected beyond that). A child must not have an open connection of SQLite, as it would lose the locks of
# its parent; so the parent closes it, and connects again when it needs to.
sub in_queue ( $settings, $queue, $code ) {
    return Mojo::Promise->reject( { kind => 'busy', text => $queue->{full} } )
      if ( $queue->{count} // 0 ) >= $queue->{most};
    $queue->{count}++;
    Mojo::IOLoop->next_tick( sub ($) { $settings->{store}->disconnect } );
    my $in_turn = sub (@) {
        my $path = "$settings->{room}/$queue->{name}-" . $$ % $queue->{places};
        my $lock = open_own($path);
        flock $lock, LOCK_EX or die "cannot wait in the queue: $!\n";
        return $code->();
    };
    return Mojo::IOLoop->subprocess->run_p($in_turn)->finally( sub { $queue->{count}-- } );
}

# JOB is a hash of files (bytes by name), command, results (the names of the files it writes), seconds,
# keep (a function that stores the list of their bytes or the error message, and returns the fault that prevents
# it) and is_strange (whether strangers wrote the files, which are then only read where bubblewrap
# works). Calls DONE with the list of bytes, or undef and an error message; and with the fault
# that prevented making or storing it. Meanwhile, the server answers others.
sub make ( $settings, $job, $done ) {
    return $done->( undef, $NOT_CONFINED, undef )
      if $job->{is_strange} && defined obstacle( $settings->{room} );
    my $made = sub () {
        my ( $bytes, $wrong ) = _run( $settings->{room}, $job );
        return ( $bytes, $wrong, scalar $job->{keep}->( $bytes, $wrong ) );
    };
    my $failed = sub ($failure) {
        return $done->(
            undef, ref $failure ? ( $failure->{text}, undef ) : ( undef, { text => "$failure" } )
        );
    };
    return in_queue( $settings, \%QUEUE, $made )->then( $done, $failed );
}

# Runs the job in an empty directory of its own.
sub _run ( $room, $job ) {
    my $place = File::Temp->newdir( 'job-XXXXXXXX', DIR => $room );
    write_bytes( "$place/$_", $job->{files}{$_} ) for keys %{ $job->{files} };
    my $tool = {
        %{$job}{qw(command read seconds)},
        directory => "$place",
        memory    => $MAX_MEMORY,
        output    => 'output.txt'
    };
    my $failed = run_one( defined obstacle($room) ? $tool : confined($tool) );
    return ( undef, $failed->{wrong} ) if $failed;
    return ( undef, 'the program has written nothing' )
      if grep { !-e "$place/$_" } @{ $job->{results} };
    my $bytes = eval {
        [ map { read_bytes( "$place/$_", $MAX_RESULT ) } @{ $job->{results} } ]
    };
    return ( $bytes, $bytes ? undef : 'the result is too large' );
}

# The reason why jobs cannot be confined; tested once, before the server starts.
sub obstacle ($room) {
    state $obstacle = why_not_confined($room);
    return $obstacle;
}

1;
