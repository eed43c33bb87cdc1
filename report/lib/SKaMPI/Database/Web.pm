package SKaMPI::Database::Web;

use v5.36;

use File::Temp ();
use Mojo::URL;
use Mojo::Server::Prefork;

use SKaMPI::Database::Store;
use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Keys;
use SKaMPI::Program qw(fail);

my %DEFAULT = (
    host    => [],
    listen  => ['http://127.0.0.1:8080'],
    proxy   => [],
    public  => 0,
    workers => 4
);
my $MAX_WORKERS = 64;

# A worker answers as many connections, then another one replaces it, which bounds the memory.
my $ACCEPTS = 2000;

my ( $FAILED, $USAGE ) = ( 1, 2 );

sub run_serve ( $options, @words ) {
    my %given = ( %DEFAULT, %{$options} );
    _check( \%given, @words );
    my $store = SKaMPI::Database::Store->connect_to( $given{database}, create => 1 );
    my $room  = File::Temp->newdir( 'skampi-db-XXXXXXXX', TMPDIR => 1 );
    my $keys  = SKaMPI::Database::Web::Keys->new( "$room", $given{listen}[0],
        sub ($line) { say $line; STDOUT->flush } );
    my $app = SKaMPI::Database::Web::App->new(
        settings => { %given, store => $store, room => "$room", keys => $keys } );
    my $server = _server_of( $app, \%given );
    _start($server);
    say 'To see all runs, open this address once; then its key becomes invalid:';
    say '  ' . $keys->address;
    say "Anybody can read published runs at $given{listen}[0]" if $given{public};
    STDOUT->flush;
    $server->run;
    return 0;
}

sub _start ($server) {
    return if eval { $server->start; 1 };
    my $reason = $@ =~ s/ at \S+ line [0-9]+.*//sr;
    return fail( $FAILED, lcfirst "$reason; choose another address with --listen" );
}

sub _check ( $given, @words ) {
    fail( $USAGE, "unexpected '$words[0]'; see skampi-db --help" ) if @words;
    _check_address($_) for @{ $given->{listen} };
    fail( $USAGE, "--workers: expected 1 to $MAX_WORKERS, got $given->{workers}" )
      if $given->{workers} < 1 || $given->{workers} > $MAX_WORKERS;
    return;
}

sub _check_address ($text) {
    my $url = Mojo::URL->new($text);
    return if ( $url->scheme // q{} ) =~ /\Ahttps?\z/ && $url->host && $url->port;
    return fail( $USAGE,
        "--listen: expected an address such as http://127.0.0.1:8080, got '$text'" );
}

sub _server_of ( $app, $given ) {
    return Mojo::Server::Prefork->new(
        app             => $app,
        listen          => $given->{listen},
        workers         => $given->{workers},
        accepts         => $ACCEPTS,
        pid_file        => $app->settings->{room} . '/pid',
        reverse_proxy   => @{ $given->{proxy} } ? 1 : 0,
        trusted_proxies => $given->{proxy},
        silent          => 1,
    );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::Web - the web server of the result database

=head1 DESCRIPTION

C<run_serve(OPTIONS, WORDS)> runs the server until it is interrupted and returns the exit status.

=cut
