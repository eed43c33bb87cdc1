# The result database's server answers while its database fails, and continues afterwards. A PostgreSQL server fails in
# postgres_faults.t.
use v5.36;

use File::Copy qw(move);
use Mojo::UserAgent;
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::ChildGuard;
use SKaMPI::Database::Accounts;
use SKaMPI::Database::Place qw(is_on_network);
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest qw(db generated_run);
use SKaMPI::PostgresServer;
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Test       qw(slurp write_file);
use SKaMPI::WebTest    qw(serve);

# How long a server waits for a database that stays locked, and for one that does not.
my ( $PATIENCE_S, $VERY_PATIENT_S ) = ( 1, 3600 );

my $dir    = workplace( 'a.out' => generated_run() );
my $agent  = Mojo::UserAgent->new( inactivity_timeout => 0 );
my $minute = 1;

# A server for a database with a run; a hash of its address, and of functions that read and send.
sub server_of ( $where, $patience_s = $PATIENCE_S ) {
    db( $dir, 'add', '--database', $where, 'a.out' );
    my $store = SKaMPI::Database::Store->connect_to( $where, patience => $patience_s, outage => 0 );
    my $token = SKaMPI::Database::Accounts->new($store)->make('joe');
    my ( $url, $guard ) =
      serve( { store => $store }, public => 1, most => { read => 1e6, write => 1e6 } );
    return {
        url   => $url,
        guard => $guard,
        where => $where,
        get   => sub { return $agent->get("$url/run/1")->res },
        post  => sub {
            return $agent->post( "$url/api/v1/runs",
                { Authorization => "Bearer $token" } =>
                  generated_run( minute => ++$minute, facts => { MACHINE => 'Joe' } ) )->res;
        },
    };
}

# Both requests; a status of both, or of each.
sub answers_are ( $server, $read, $sent, $why, $name ) {
    my ( $page, $answer ) = map { $server->{$_}->() } qw(get post);
    is $page->code,   $read, "$name: a page";
    is $answer->code, $sent, "$name: an upload";
    return if $sent < 500;
    like $answer->json->{error}, $why, "$name: says why";
    is $answer->headers->header('Retry-After'), 60, "$name: and when to come back";
    return;
}

# The answer to the request for a report, when there is one.
sub report ($server) {
    my $answer;
    do { $answer = $agent->get("$server->{url}/run/1/report.pdf")->res } while $answer->code == 202;
    return $answer;
}

# A process that is within a transaction or a snapshot until it is ended, or for some time.
sub locker ( $where, $kind = 'transaction', $seconds = undef ) {
    my $begun = "$dir/locked";
    unlink $begun;
    my $child = fork // die "fork: $!\n";
    if ( !$child ) {
        my $store = SKaMPI::Database::Store->connect_to($where);
        $store->$kind(
            sub {
                $store->rows('run_ids');
                write_file( $begun, 'x' );
                sleep $seconds // 1e6;
            }
        );
        _exit(0);
    }
    sleep 0.02 until slurp($begun);
    return SKaMPI::ChildGuard->new($child);
}

my $BROKEN = qr/cannot be used; its owner sees why .*; try again/;

subtest 'a file' => sub {
    my $path   = "$dir/r.db";
    my $server = server_of($path);
    answers_are( $server, 200, 201, undef, 'sound' );
    move( $path, "$path.kept" );
    answers_are( $server, 503, 503, $BROKEN, 'removed' );
    ok !-e $path, 'no other one is created';
    write_file( $path, 'no database ' x 1000 );
    answers_are( $server, 503, 503, $BROKEN, 'replaced by another file' );
    unlink $path;
    db( $dir, 'add', '--database', $path, 'a.out' );
    is $server->{post}->()->code, 401, 'replaced by another database: its accounts';
    move( "$path.kept", $path );
    answers_are( $server, 200, 201, undef, 'back' );
    my $lock = locker($path);
    answers_are( $server, 200, 503, qr/the database is busy/, 'locked by others for long' );
    undef $lock;
    my $patient = server_of( $path, $VERY_PATIENT_S );
    $lock = locker( $path, 'transaction', 0.3 );
    is $patient->{post}->()->code, 201, 'locked by others for a moment';
    $lock = locker( $path, 'snapshot' );
    answers_are( $server, 200, 201, undef, 'while a backup reads' );
    is $server->{get}->()->code, 200, 'and another page';
    undef $lock;
    $server->{post}->();
    is -s "$path-wal", 0, 'the file has all runs without its log';
};

subtest 'file systems' => sub {
    my $mounts = "x / ext4 rw 0 0\ny $dir nfs4 rw 0 0\nz $dir/a\\040b tmpfs rw 0 0\n";
    mkdir "$dir/a b" or die "a b: $!\n";
    my @cases = ( [ '/r.db', 0 ], [ "$dir/r.db", 1 ], [ "$dir/a b/r.db", 0 ], [ '/none/r.db', 0 ] );
    is is_on_network( $_->[0], $mounts ), $_->[1], $_->[0] for @cases;
};

subtest 'a full disk' => sub {
    my $place = "$dir/full";
    mkdir $place or die "$place: $!\n";
    my $is_mounted = $> == 0
      && system( 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', $place ) == 0;
    plan skip_all => 'needs a tmpfs of its own' if !$is_mounted;
    my $server = server_of("$place/r.db");
    open my $file, '>', "$place/filler" or die "filler: $!\n";
    $file->autoflush;
    1 while print {$file} 'x' x 4096;
    answers_are( $server, 200, 507, qr/the disk of the server is full; try again/, 'full' );
    my $picture = $agent->get("$server->{url}/compare/plot.svg?s=1:p2p_Suite01")->res;
    is $picture->code, 200, 'a picture that cannot be kept';
    like $picture->body, qr/<svg/, 'is answered';
    is report($server)->code, 507, 'a report says why there is none';
    close $file;
    unlink "$place/filler";
    answers_are( $server, 200, 201, undef, 'with room again' );
    undef $server;
    system 'umount', $place;
};

subtest 'PostgreSQL' => sub {
    my $why = SKaMPI::PostgresServer->why_not_wanted;
    plan skip_all => $why if $why;
    my $postgres = SKaMPI::PostgresServer->start;
    my $server   = server_of( $postgres->create('results') );
    answers_are( $server, 200, 201, undef, 'sound' );
    $postgres->stop;
    answers_are( $server, 503, 503, qr/the database does not answer; try again/, 'stopped' );
    $postgres->resume;
    answers_are( $server, 200, 201, undef, 'started again' );
    $postgres->stop;
    $postgres->resume;
    answers_are( $server, 200, 201, undef, 'restarted between two requests' );
    my $lock = locker( $server->{where} );
    is $server->{post}->()->code, 503, 'locked by others for long';
    undef $lock;

    subtest 'a command waits for a server that restarts' => sub {
        my $child = fork // die "fork: $!\n";
        if ( !$child ) {
            my $store  = SKaMPI::Database::Store->connect_to( $server->{where} );
            my $writer = SKaMPI::Database::Writer->new($store);
            my $is_told;
            my $count = eval {
                $writer->reindex(
                    sub (@) { write_file( "$dir/begun", 'x' ) if !$is_told++; sleep 0.3 } );
            };
            _exit( $count ? 0 : 1 );
        }
        sleep 0.02 until -e "$dir/begun";
        $postgres->stop;
        sleep 1;
        $postgres->resume;
        waitpid $child, 0;
        is $?, 0, 'reindex';
    };
};

done_testing;
