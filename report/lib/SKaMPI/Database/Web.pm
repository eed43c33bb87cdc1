package SKaMPI::Database::Web;

use v5.36;

use File::Temp ();
use Mojo::URL;
use Mojo::Server::Prefork;

use SKaMPI::Database::Store;
use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Keys;
use SKaMPI::Program qw(fail);

our @OPTIONS = qw(host=s@ listen=s proxy=s@ public workers=i);
our %DEFAULT =
  ( host => [], listen => 'http://127.0.0.1:8080', proxy => [], public => 0, workers => 4 );

my $USAGE = 2;

# Serves the database until it is interrupted.
sub serve ( $options, @words ) {
    my %given = ( %DEFAULT, %{$options} );
    check( \%given, @words );
    my $store = SKaMPI::Database::Store->connect_to( $given{database}, create => 1 );
    my $room  = File::Temp->newdir( 'skampi-db-XXXXXXXX', TMPDIR => 1 );
    my $keys  = SKaMPI::Database::Web::Keys->new( "$room", $given{listen} );
    my $app   = SKaMPI::Database::Web::App->new(
        settings => { %given, store => $store, room => "$room", keys => $keys } );
    my $server = server_of( $app, \%given );
    local $SIG{TERM} = $SIG{TERM};
    say 'Open this address once; the key in it becomes invalid then:';
    say '  ' . $keys->address;
    say "Anybody can read published runs at $given{listen}." if $given{public};
    STDOUT->flush;
    $server->run;
    return 0;
}

sub check ( $given, @words ) {
    fail( $USAGE, "unexpected '$words[0]'; see skampi-db --help" ) if @words;
    my $url = Mojo::URL->new( $given->{listen} );
    fail( $USAGE,
        "--listen: expected an address such as http://127.0.0.1:8080, got '$given->{listen}'" )
      if ( $url->scheme // q{} ) !~ /\Ahttps?\z/ || !$url->host || !$url->port;
    fail( $USAGE, '--workers: expected 1 to 64' )
      if $given->{workers} < 1 || $given->{workers} > 64;
    return;
}

# Workers that have answered many requests are replaced, which bounds their memory.
sub server_of ( $app, $given ) {
    my $server = Mojo::Server::Prefork->new(
        app             => $app,
        listen          => [ $given->{listen} ],
        workers         => $given->{workers},
        accepts         => 2000,
        max_requests    => 100,
        pid_file        => $app->settings->{room} . '/pid',
        trusted_proxies => $given->{proxy},
        reverse_proxy   => 0,
        silent          => 1,
    );
    return $server;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::Web - the web server of the result database

=head1 DESCRIPTION

C<serve(OPTIONS, WORDS)> runs the server and returns the exit status. C<@OPTIONS> are its options for L<Getopt::Long>.

=cut
