package SKaMPI::Bench::Pages;

# How fast the pages of a result database with many runs are, alone and for 20 visitors.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);
use Mojo::IOLoop;
use Mojo::UserAgent;
use Time::HiRes qw(time);

use SKaMPI::Bench::Database qw(filled);
use SKaMPI::Bench::Figures  qw(at_most median quantile);
use SKaMPI::Database::Accounts;
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::LargeRequests;
use SKaMPI::WebTest qw(database_of serve);

our @EXPORT_OK = qw(large_requests pages);

# Bytes of a request that may cost as little as one without a body.
my $LARGE = 100_000_000;

my $SUITE    = 'syncol_MPI_Bcast-length-SM';
my $SERIES   = 12;
my $VISITORS = 20;
my $PAUSE_S  = 2;
my $DURING_S = $ENV{SECONDS} || 60;

# Requests whose middle is the figure.
my $TIMES = 5;

# Pages: name, address, and the limit in seconds.
sub _pages ($store) {
    my $reader = SKaMPI::Database::Reader->new( $store, public => 1 );
    my @newest = map { $_->{newest_run} } $reader->machines( limit => $SERIES );
    my $query  = join q{&}, map { "s=$_:$SUITE" } @newest;
    return (
        [ 'overview',                     '/',                                         0.3 ],
        [ 'matrix',                       '/matrix?operation=MPI_Bcast&argument=1024', 0.5 ],
        [ "compare, $SERIES series",      "/compare?$query",                           0.2 ],
        [ 'the same as JSON',             "/api/v1/compare?$query",                    0.2 ],
        [ 'the same as data of the plot', "/compare/plot.json?$query",                 0.2 ],
        [ 'its picture, not cached',      "/compare/plot.svg?$query",                  0.7 ],
    );
}

sub pages () {
    my $store = SKaMPI::Database::Store->connect_to( filled() );
    my ( $base, $guard ) = serve(
        { store => $store },
        public  => 1,
        most    => { read => 'inf', write => 0 },
        workers => 4
    );
    my @pages = _pages($store);
    my @rows  = map {
        my ( $name, $path, $limit ) = @{$_};
        at_most( "page: $name", '%.3f s', _seconds( "$base$path", $path =~ /svg/ ? 1 : $TIMES ),
            $limit )
    } @pages;
    my ( $late, $failed ) = _visit( $base, grep { $_->[1] !~ /svg/ } @pages );
    return (
        @rows,
        at_most( "$VISITORS visitors, $DURING_S s: slowest 5 % / limit", '%.2f', $late,   2 ),
        at_most( "$VISITORS visitors: errors",                           '%d',   $failed, 0 ),
    );
}

# What large requests cost a server of one process: those of 100 MB, and those that are not larger than an upload.
sub large_requests () {
    my $database = database_of();
    my $token    = SKaMPI::Database::Accounts->new( $database->{store} )->make('joe');
    my ( $url, $guard ) =
      serve( $database, public => 1, most => { read => 'inf', write => 'inf' } );
    my $requests = SKaMPI::LargeRequests->new( $guard->{child}, $url, $token );
    my @costs;
    for my $name ( $requests->names ) {
        push @costs, map { $requests->cost( $name, $_ ) } $LARGE, $LARGE / 2;
    }
    my ( $cpu, $memory ) = map {
        my $key = $_;
        max( map { $_->{$key} } @costs )
    } qw(cpu memory);
    my $count = @costs;
    return (
        at_most( "$count requests of 50 and 100 MB: slowest",     '%.2f s of CPU', $cpu,    0.5 ),
        at_most( "$count requests of 50 and 100 MB: most memory", '%.0f MB', $memory / 1e6, 50 ),
    );
}

# The middle of some requests; the first one makes the worker ready.
sub _seconds ( $url, $times ) {
    my $agent = Mojo::UserAgent->new( inactivity_timeout => 60 );
    $agent->get( $url =~ s{(\A\w+://[^/]+).*}{$1/about}sr );
    my @seconds = map { my $began = time; $agent->get($url)->result; time - $began } 1 .. $times;
    return median(@seconds);
}

# Each visitor asks for a page every 2 s. How long the slowest 5 % took, in limits, and the number of errors.
sub _visit ( $base, @pages ) {
    my $agent = Mojo::UserAgent->new( inactivity_timeout => 60, ioloop => Mojo::IOLoop->singleton );
    my %count = ( asked => 0, open => 0, failed => 0 );
    my ( @parts, $is_over );
    my $ask = sub (@) {
        return if $is_over;
        my ( undef, $path, $limit ) = @{ $pages[ $count{asked}++ % @pages ] };
        my $began = time;
        $count{open}++;
        $agent->get(
            "$base$path" => sub ( $, $tx ) {
                $count{open}--;
                $count{failed}++ if ( $tx->res->code // 0 ) != 200;
                push @parts, ( time - $began ) / $limit;
                Mojo::IOLoop->stop if $is_over && !$count{open};
            }
        );
    };
    for my $visitor ( 1 .. $VISITORS ) {
        Mojo::IOLoop->timer( $PAUSE_S * $visitor / $VISITORS =>
              sub ($loop) { $ask->(); $loop->recurring( $PAUSE_S => $ask ) } );
    }
    Mojo::IOLoop->timer( $DURING_S => sub ($loop) { $is_over = 1; $loop->stop if !$count{open} } );
    Mojo::IOLoop->start;
    Mojo::IOLoop->reset;
    return ( quantile( 0.95, @parts ), $count{failed} );
}

1;
