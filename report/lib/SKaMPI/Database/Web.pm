package SKaMPI::Database::Web;

# The web server of the result database.
use SKaMPI::Base;

use Fcntl      qw(:mode);
use File::Path qw(remove_tree);
use File::Spec ();
use File::Temp ();
use Mojo::Server::Prefork;

use SKaMPI::Base::Program  qw(fail fail_usage print_plain);
use SKaMPI::Base::TextFile qw(locked_file);
use SKaMPI::Database::Store;
use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Keys;
use SKaMPI::Database::Web::JobQueue;

my %DEFAULT = (
    host    => [],
    listen  => ['127.0.0.1:8080'],
    proxy   => [],
    public  => 0,
    workers => 4
);
my $MAX_WORKERS = 64;

# The file in a server's directory that it has locked.
my $ALIVE = 'alive';

# Seconds for which a connection waits for an answer, which may wait for others.
my $INACTIVITY_S = 120;
my $LAST_PORT    = 65_535;

# The connections that a worker serves before another one replaces it, which bounds the memory.
my $ACCEPTS = 2000;

# Seconds for which a request waits for another writer; then the visitor is asked to come back.
my $PATIENCE_S = 5;

sub run_serve ( $options, @words ) {
    my %given = ( %DEFAULT, %{$options} );
    fail_usage("unexpected '$words[0]'; see skampi db -h") if @words;
    $given{listen} = [ map { url_to_listen($_) } @{ $given{listen} } ];
    fail_usage("--workers: expected 1 to $MAX_WORKERS, got $given{workers}")
      if $given{workers} < 1 || $given{workers} > $MAX_WORKERS;
    my $store = SKaMPI::Database::Store->connect_to(
        $given{database},
        create   => 1,
        patience => $PATIENCE_S,
        outage   => 0
    );
    _remove_old_rooms();
    my $room = File::Temp->newdir( 'skampi-db-XXXXXXXX', TMPDIR => 1 );
    my $lock = locked_file("$room/$ALIVE");  # locked as long as any of the server's processes lives
    local @ENV{qw(TMPDIR MOJO_TMPDIR)} = ("$room") x 2;
    my $keys =
      SKaMPI::Database::Web::Keys->new( "$room", $given{listen}[0], \&print_plain );
    my $app = SKaMPI::Database::Web::App->new(
        settings => { %given, store => $store, room => "$room", keys => $keys } );
    my $server = Mojo::Server::Prefork->new(
        app                => $app,
        listen             => $given{listen},
        workers            => $given{workers},
        accepts            => $ACCEPTS,
        inactivity_timeout => $INACTIVITY_S,
        pid_file           => "$room/pid",
        reverse_proxy      => @{ $given{proxy} } ? 1 : 0,
        trusted_proxies    => $given{proxy},
        silent             => 1
    );

    if ( !eval { $server->start; 1 } ) {
        my $reason = $@ =~ s/ at \S+ line [0-9]+.*//sr;
        fail( lcfirst "$reason; choose another address with --listen" );
    }
    my $obstacle = SKaMPI::Database::Web::JobQueue::obstacle("$room");
    print_plain(
        'To see all runs, open this address once; then its key becomes invalid:',
        '  ' . $keys->address,
        $given{public} ? "Anybody can read published runs at $given{listen}[0]" : (),
        defined $obstacle
        ? "This server makes no reports, as bubblewrap does not work here: $obstacle"
        : ()
    );
    STDOUT->flush;
    $store->disconnect;
    $server->run;
    return 0;
}

# Removes the directories of servers that were killed.
sub _remove_old_rooms () {
    for my $room ( glob( quotemeta( File::Spec->tmpdir ) . '/skampi-db-????????' ) ) {
        my ( $mode, $owner ) = ( lstat $room )[ 2, 4 ];
        next if !S_ISDIR($mode) || $owner != $> || !-e "$room/$ALIVE";
        remove_tree( $room, { error => \my $ignored } ) if eval { locked_file("$room/$ALIVE") };
    }
    return;
}

# Converts HOST:PORT, PORT of this machine, or :PORT of all its addresses to a URL.
sub url_to_listen ($text) {
    my ( $scheme, $host, $port ) =
      $text =~ m{\A(https?://)?(?:([\w.-]*|\*|\[[0-9a-fA-F:.]+\]):)?([0-9]{1,5})/?\z};
    fail_usage(
"--listen: expected HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080, or :PORT for all addresses; got '$text'"
    ) if !$port || $port > $LAST_PORT || $scheme && !length( $host // q{} );
    $host //= '127.0.0.1';
    return ( $scheme // 'http://' ) . ( length $host ? $host : q{*} ) . ":$port";
}

1;
