# The same result database in a file and, in postgres.t, on a PostgreSQL server: what is added to one is equal in the
# other.
use v5.36;

use Cpanel::JSON::XS ();
use POSIX            qw(_exit);
use Test::More;

use SKaMPI::Database::Accounts;
use SKaMPI::Database::Cache;
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest qw(db generated_run);
use SKaMPI::PostgresServer;
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Test       qw(read_file);

my $why = SKaMPI::PostgresServer->why_not_wanted;
my $dir = workplace();

my $server = $why ? undef : SKaMPI::PostgresServer->start;
my %WHERE  = ( SQLite => "$dir/r.db", $server ? ( PostgreSQL => $server->create('results') ) : () );

my %RUNS = (
    'a.out' => generated_run(),
    'b.out' => generated_run( minute => 5, factor => 1.1 ),
    'c.out' =>
      generated_run( minute => 9, facts => { MPILIBRARY => "B\x{fc}cher <b>'\"; \x{4e2d}" } ),
);

# All that a reader says, as text without the moments at which it was added.
sub all_of ($store) {
    my $reader = SKaMPI::Database::Reader->new($store);
    my @runs   = $reader->runs( order => 'started' );
    my @all    = (
        $reader->counts,
        [ $reader->machines ],
        [ $reader->common_operations ],
        [ $reader->newest_with_figures( 1, 'point-to-point' ) ],
        [ $reader->runs( newest_of_group => 1, label => 'p2p_Suite01' ) ],
        [ $reader->launches_of( $runs[0] ), $reader->labels( $runs[0]{id} ) ],
        [ $reader->matrix( operation => 'MPI_Send-MPI_Recv', argument => 10 ) ],
        [ $reader->history( 'some-machine', 'p2p_Suite01', 8 ) ],
        [ $reader->runs( search => 'some', since => '2026-11-01', processes => 2, limit => 2 ) ],
        map {
            my $id = $_->{id};
            (
                $_,
                [ $reader->facts($id) ],
                [ $reader->warnings($id) ],
                [ $reader->figures($id) ],
                $reader->findings($id),
                [ map { $reader->series( $id, $_->{label} ) } $reader->suites($id) ],
                $reader->original($id)
            )
        } @runs
    );
    my $text = Cpanel::JSON::XS->new->canonical->encode( \@all );
    return $text =~ s/"received":"[^"]*"/"received":""/gr;
}

sub filled ($where) {
    my $store  = SKaMPI::Database::Store->connect_to( $where, create => 1 );
    my $writer = SKaMPI::Database::Writer->new($store);
    $writer->add( $RUNS{$_}, $_ ) for sort keys %RUNS;
    my $token   = SKaMPI::Database::Accounts->new($store)->make('joe');
    my $account = SKaMPI::Database::Accounts->new($store)->of_token($token);
    my $joe     = SKaMPI::Database::Writer->new( $store, account => $account->{id} );
    my $id =
      $joe->receive( generated_run( factor => 2, facts => { MACHINE => 'Joe' } ), 'joe.out' );
    is $joe->check($id)->{state}, 'checked', 'what others send waits';
    return $store;
}

my %store;
for my $kind ( sort keys %WHERE ) {
    subtest $kind => sub {
        my $store  = $store{$kind} = filled( $WHERE{$kind} );
        my $writer = SKaMPI::Database::Writer->new($store);
        my $joe    = SKaMPI::Database::Writer->new( $store, account => 2 );
        my $stolen = $joe->receive( generated_run( factor => 3 ), 'x.out' );
        ok !eval { $joe->check($stolen); 1 }, 'the machine of another account';
        like $@->{text}, qr/the machine 'Some machine' belongs to the account 'local'/,
          'is refused';
        is $store->row( run_state => $stolen ), undef, 'and the run removed';
        my $waiting =
          $joe->receive( generated_run( factor => 4, facts => { MACHINE => 'Joe' } ), 'y.out' );
        is $store->row( run_state => $waiting )->{state}, 'received',
          'received, and then interrupted';
        $writer->reindex;
        is $store->row( run_state => $waiting )->{state}, 'checked', 'reindex checks it';
        $writer->erase($waiting);
        is $writer->add( $RUNS{'a.out'}, 'again.out' )->{is_new}, 0, 'a duplicate';
        is_deeply [
            map { $_->{interpolated} } map {
                SKaMPI::Database::Reader->new($store)->history( 'some-machine', 'p2p_Suite01', $_ )
            } 8,
            10
          ],
          [ 0, 0, 0, 1, 1, 1 ], 'values between arguments are interpolated';
        is_deeply [
            SKaMPI::Database::Reader->new($store)->history( 'some-machine', 'p2p_Suite01', 1e6 ) ],
          [], 'none beyond them';
        my $same = $store->transaction( sub { $store->change('lock') } );
        is $same, 1, 'a transaction returns what its code returns';
        ok !eval {
            $store->transaction( sub { $writer->note( 1, 'x' ); die "no\n" } );
        }, 'a failure';
        is $store->row( run => 1, 0 )->{note}, undef, 'undoes all';
    };
    subtest "$kind: cache" => sub {
        my $cache = SKaMPI::Database::Cache->new( $store{$kind}, most => 100 );
        $cache->put( 'a', 'text/plain', "\0\xff" x 25, 1, 2 );
        $cache->put( 'b', 'text/plain', 'y' x 50, 2 );
        is $cache->get('a')->{bytes}, "\0\xff" x 25, 'bytes';
        $cache->put( 'c', 'text/plain', 'z' x 40, 3 );
        is $cache->get('a'), undef, 'the oldest is removed';
        SKaMPI::Database::Writer->new( $store{$kind} )->withdraw( 3, 'why' );
        is $cache->get('c'), undef, 'what was made from a run that changed is removed';
        ok $cache->get('b'), 'others remain';
        SKaMPI::Database::Writer->new( $store{$kind} )->publish(3);
    };
}

# The tables as a later program wants them: a changed one.
my @NOW   = @SKaMPI::Database::Sql::MIGRATIONS;
my @LATER = (
    @NOW,
    [ 'ALTER TABLE run ADD COLUMN rack TEXT', q{UPDATE run SET rack = 'r' || id} ],
    ['CREATE INDEX run_by_rack ON run (rack)'],
);

for my $where ( "$dir/old.db", $server ? $server->create('old') : () ) {
    subtest "tables of an earlier version, $where" => sub {
        my $before = all_of( filled($where) );
        my $again  = sub (@migrations) {
            local @SKaMPI::Database::Sql::MIGRATIONS = @migrations;
            my $store = eval { SKaMPI::Database::Store->connect_to($where) } // return $@->{text};
            return [ map { $_->{rack} } $store->query('SELECT rack FROM run ORDER BY id') ];
        };
        like $again->( @LATER, ['ALTER TABLE nothing ADD COLUMN x TEXT'] ), qr/nothing/,
          'a change that fails';
        is all_of( SKaMPI::Database::Store->connect_to($where) ), $before, 'is undone';
        is_deeply $again->(@LATER), [qw(r1 r2 r3 r4)], 'the tables are changed';
        is_deeply $again->(@LATER), [qw(r1 r2 r3 r4)], 'once';
        like $again->(@NOW),
          qr/written by a newer version of skampi db [(]tables 4, not 2[)]; update/,
          'an earlier program refuses them';
        local @SKaMPI::Database::Sql::MIGRATIONS = @LATER;
        is all_of( SKaMPI::Database::Store->connect_to($where) ), $before, 'all runs are there';
    };
}

# A run's results with these verdicts in the header, as they are sent.
sub confirmed ( $text, $outcome ) {
    return $text =~ s/^(?=\#-----\r?$)/#\@VERDICTS {\n#    "outcome" : "$outcome"\n# }\n/mr;
}

sub sent ( $writer, $text ) {
    my $answer = $writer->add( $text, 'v.out' );
    my $bytes =
      SKaMPI::Database::Reader->new( $writer->{store} )->original( $answer->{id} )->{bytes};
    return "$answer->{id} $answer->{is_new} " . ( $bytes =~ /"outcome" : "(\w+)"/ ? $1 : 'none' );
}

# The tables of version 1, which have no column for it, first.
for my $where ( "$dir/verdicts.db", $server ? $server->create('verdicts') : () ) {
    subtest "verdicts that are sent later, $where" => sub {
        my $handle = filled($where)->{handle};
        $handle->do($_)
          for 'DROP INDEX run_by_results', 'ALTER TABLE run DROP COLUMN results_sha256',
          q{UPDATE setting SET value = '1' WHERE name = 'schema'};
        my $store  = SKaMPI::Database::Store->connect_to($where);
        my $writer = SKaMPI::Database::Writer->new($store);
        my $text   = $RUNS{'b.out'};
        is sent( $writer, confirmed( $text, 'refuted' ) ), '2 0 refuted', 'belong to the run';
        is sent( $writer, confirmed( $text, 'confirmed' ) ), '2 0 confirmed',
          'new ones replace them';
        is sent( $writer, $text ), '2 0 confirmed', 'the results alone remove nothing';
        is $handle->selectrow_array('SELECT COUNT(*) FROM blob'), 4, 'one file for each run';
        my $joe    = SKaMPI::Database::Writer->new( $store, account => 2 );
        my $theirs = $joe->receive( confirmed( $text, 'forged' ), 'x.out' );
        ok !eval { $joe->check($theirs); 1 }, 'another account adds none';
        is sent( $writer, confirmed( $text, 'confirmed' ) ), '2 0 confirmed', 'as before';
        $writer->erase(2);

        for my $again ( $text, confirmed( $text, 'refuted' ) ) {
            ok !eval { sent( $writer, $again ); 1 }, 'an erased run does not come back';
        }
    };
}

{
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    local *SKaMPI::Database::Store::schema = sub { 'CREATE TABLE x (' };
    eval { SKaMPI::Database::Store->connect_to( "$dir/none.db", create => 1 ) };
    like $@->{text}, qr/\Adatabase '[^']*': [^\n]*\z/, 'tables that cannot be created';
}

sub several_writers ($where) {
    my @children;
    for my $writer ( 1 .. 3 ) {
        my $child = fork // die "fork: $!\n";
        push @children, $child and next if $child;
        my @names = map { "w$_" } $writer % 2 ? 1 .. 4 : reverse 1 .. 4;
        my $added = eval {
            my $store = SKaMPI::Database::Store->connect_to( $where, create => 1 );
            my $own   = SKaMPI::Database::Writer->new($store);
            $own->add( generated_run( facts => { MACHINE => $_ } ), $_ ) for @names;
            1;
        };
        _exit( $added ? 0 : 1 );
    }
    my @status = map { waitpid $_, 0; $? } @children;
    my $counts =
      SKaMPI::Database::Reader->new( SKaMPI::Database::Store->connect_to($where) )->counts;
    return "@status: $counts->{runs} runs, $counts->{machines} machines";
}

SKIP: {
    skip $why, 3 if $why;
    is several_writers( $server->create('shared') ), '0 0 0: 4 runs, 4 machines',
      'writers wait for each other on the server';
    is all_of( $store{PostgreSQL} ), all_of( $store{SQLite} ), 'both kinds have the same content';
    subtest 'copy' => sub {
        my $back = db( $dir, 'copy', $WHERE{PostgreSQL}, 'back.db' );
        is "$back->{status} $back->{err}$back->{out}", "0 4 runs\n", 'from the server to a file';
        my $copy = SKaMPI::Database::Store->connect_to("$dir/back.db");
        is all_of($copy), all_of( $store{SQLite} ), 'is the same';
        my $full = db( $dir, 'copy', 'r.db', 'back.db' );
        like $full->{err}, qr/'back[.]db' has runs already; choose an empty database/,
          'not onto others';
        my $other = $server->create('other');
        is db( $dir, 'copy', 'r.db', $other )->{status},          0, 'from a file to the server';
        is all_of( SKaMPI::Database::Store->connect_to($other) ), all_of($copy), 'is the same';
    };
}

subtest 'copy --public' => sub {
    my $writer = SKaMPI::Database::Writer->new( $store{SQLite} );
    $writer->withdraw( 2, 'secret reason' );
    $writer->publish(4);
    is db( $dir, 'copy', '--public', 'r.db', 'p.db' )->{out}, "3 runs\n", 'published runs';
    my $bytes = read_file("$dir/p.db");
    is index( $bytes, 'secret reason' ), -1, 'no other runs';
    my $copy = SKaMPI::Database::Store->connect_to("$dir/p.db");
    is_deeply [ map { $_->{name} } $copy->rows('accounts') ], ['local'], 'no accounts';
    is_deeply [ map { $copy->rows("copied_$_") } qw(token event tombstone) ], [],
      'no tokens, no log';
    my ( $got, $wanted ) =
      map { SKaMPI::Database::Reader->new( $_, public => 1 ) } $copy, $store{SQLite};
    is_deeply [ map { $_->{id} } $got->runs ], [ map { $_->{id} } $wanted->runs ],
      'the same numbers';
    is $got->original(1)->{bytes}, $wanted->original(1)->{bytes}, 'the same files';
};

done_testing;
