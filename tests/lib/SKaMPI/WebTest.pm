package SKaMPI::WebTest;

# The pages of a result database, for tests: called directly, or served to a browser.
use v5.36;

use Exporter   qw(import);
use File::Temp ();
use IO::Socket::IP;
use Mojo::IOLoop::Server;
use Mojo::Server::Daemon;
use Mojo::Server::Prefork;
use POSIX ();
use Mojo::URL;
use Test::Mojo;
use Time::HiRes qw(sleep);

use SKaMPI::ChildGuard;
use SKaMPI::Database::Store;
use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Keys;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest qw(generated_run);

our @EXPORT_OK = qw(app_of database_of key_of runs_of_machines serve tester);

# A database with these files, published; states by number for others.
sub database_of (@texts) {
    my $place  = File::Temp->newdir;
    my $store  = SKaMPI::Database::Store->connect_to( "$place/r.db", create => 1 );
    my $writer = SKaMPI::Database::Writer->new($store);
    $writer->add( $_, 'skampi.out', publish => 1 ) for @texts;
    return { place => $place, store => $store, writer => $writer };
}

# Texts of runs: LAUNCHES of each machine, by its name and the factor of its times.
sub runs_of_machines ( $launches, %factor ) {
    my @texts;
    for my $machine ( sort keys %factor ) {
        push @texts, map {
            generated_run(
                minute => $_,
                factor => $factor{$machine} * ( 1 + $_ / 200 ),
                facts  => { MACHINE => $machine }
            )
        } 1 .. $launches;
    }
    return @texts;
}

sub app_of ( $database, %settings ) {
    my $room   = $database->{room} //= File::Temp->newdir;
    my $listen = $settings{listen} // ['http://127.0.0.1:8080'];
    my $keys   = SKaMPI::Database::Web::Keys->new( "$room", $listen->[0], sub ($) { } );
    my $app    = SKaMPI::Database::Web::App->new(
        settings => {
            host   => [],
            proxy  => [],
            public => 0,
            %settings,
            listen => $listen,
            room   => "$room",
            keys   => $keys,
            store  => $database->{store},
            keep   => $database,
        }
    );
    $app->log->level( $ENV{WEB_LOG} // 'fatal' );
    return $app;
}

sub key_of ($app) {
    my ($key) = $app->settings->{keys}->address =~ /key=(\w+)/;
    return $key;
}

# A Test::Mojo of a visitor; the owner has used the key.
sub tester ( $database, %settings ) {
    my $owner = delete $settings{owner};
    my $app   = app_of( $database, %settings );
    my $test  = Test::Mojo->new($app);
    $test->ua->on( start => sub ( $, $tx ) { $tx->req->headers->host('127.0.0.1:8080') } )
      if !$settings{keep_host};
    return $test if !$owner;
    $test->ua->get( '/?key=' . key_of($app) );
    return $test;
}

sub _server ( $app, $address, $workers ) {
    my %same = ( app => $app, listen => [$address], silent => 1 );
    return Mojo::Server::Daemon->new(%same) if !$workers;
    my $room = $app->settings->{room};
    return Mojo::Server::Prefork->new( %same, workers => $workers, pid_file => "$room/pid" );
}

sub _wait_for ($address) {
    my $url = Mojo::URL->new($address);
    sleep 0.02 until IO::Socket::IP->new( PeerAddr => $url->host, PeerPort => $url->port );
    return;
}

# Starts a server in a child; returns its address and a guard that ends it.
sub serve ( $database, %settings ) {
    my $address = 'http://127.0.0.1:' . Mojo::IOLoop::Server->generate_port;
    $database->{store}->disconnect;
    my $child = fork // die "fork: $!\n";
    if ( !$child ) {
        my $app = app_of( $database, %settings, listen => [$address] );
        _server( $app, $address, delete $settings{workers} )->run;
        POSIX::_exit(0);
    }
    my $guard = SKaMPI::ChildGuard->new($child);
    _wait_for($address);
    return ( $address, $guard );
}

1;
