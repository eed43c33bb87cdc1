package SKaMPI::Database::Store;

# The connection to a result database, a file (SQLite) or that of a server (PostgreSQL,
# dbi:Pg:dbname=skampi). It runs the statements of SKaMPI::Database::Sql by their names; texts are
# characters, and a reference to a scalar is binary data.
use SKaMPI::Base qw(where);

use DBI          ();
use Scalar::Util qw(looks_like_number);
use Time::HiRes  qw(sleep time);

use SKaMPI::Base::Units     qw(moment);
use SKaMPI::Database::Fault qw(fault fault_kind kind_of_error);
use SKaMPI::Database::Place qw(default_path is_on_network kind_of prepare_file uri_of);
use SKaMPI::Database::Sql
  qw(insert_statement is_number migrations schema schema_version statement update_statement);

# Seconds for which a command waits for another writer, and for a server that starts again.
my $PATIENCE_S = 60;

# Codes of SQLite when a file cannot be written or created.
my %NO_ROOM = map { $_ => 1 } 10, 13, 14;

# Differences between kinds of databases: type of binary data, how a value of it is bound, and what follows connecting.
my %KINDS = (
    SQLite => {
        bytes   => 'BLOB',
        freeze  => 'BEGIN',
        bind    => sub () { return DBI::SQL_BLOB() },
        options => {
            sqlite_unicode               => 1,
            sqlite_see_if_its_a_number   => 0,
            sqlite_extended_result_codes => 1
        },
        wait    => 'PRAGMA busy_timeout = %d',
        prepare => [
            'PRAGMA foreign_keys = ON',
            'PRAGMA synchronous = FULL',
            'PRAGMA trusted_schema = OFF',
            'PRAGMA secure_delete = ON',
            'PRAGMA cache_size = -16000',
        ],
    },
    Pg => {
        bytes   => 'BYTEA',
        freeze  => 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
        bind    => sub () { return { pg_type => DBD::Pg::PG_BYTEA() } },
        options => { pg_enable_utf8 => 1 },
        wait    => 'SET lock_timeout = %d',
        prepare => ['SET client_min_messages = warning'],
    },
);

# HOW is create (makes the database if it is missing), patience and outage (the seconds that writers
# wait for each other, and all for a server that starts again; then the failure is a
# SKaMPI::Database::Fault). Without WHERE, the user's own database. A closed or lost connection is
# made again; close it before you start a process that uses the same database.
sub connect_to ( $class, $where, %how ) {
    $where //= default_path();
    my $self = bless { where => $where, kind => kind_of($where), pid => 0 }, $class;
    $self->{$_} = $how{$_} // $PATIENCE_S for qw(patience outage);
    if ( $self->is_file ) { prepare_file( $where, $how{create} ) }
    $self->{dsn} = $self->is_file ? 'dbi:SQLite:uri=' . uri_of($where) . '?mode=rw' : $where;
    $self->_connect;
    $self->_check_tables( $how{create} );
    return $self;
}

sub is_file ($self) { return $self->{where} !~ /\Adbi:/ }

# A handle belongs to its process. A lost connection, or one to a replaced file, is made again outside a transaction.
sub _handle ($self) {
    return $self->{handle}
      if $self->{pid} == $$
      && ( $self->{is_within} || !$self->is_file || $self->_file eq $self->{file} );
    fault( 'lost', "database '$self->{where}': the connection was lost" ) if $self->{is_within};
    die "a process has started with an open connection to '$self->{where}'\n"
      if $self->is_file && $self->{pid} && $self->{pid} != $$;
    $self->_connect;
    $self->_check_tables(0);
    return $self->{handle};
}

# Identifies the file, to notice if another one of the same name replaces it.
sub _file ($self) {
    my ( $device, $number ) = stat $self->{where};
    return "$device:$number" if defined $number;
    return fault( 'broken', "database '$self->{where}': $!" );
}

sub _connect ($self) {
    $self->disconnect;
    $self->{file} = $self->_file if $self->is_file;
    return                       if eval { $self->_open( $self->{dsn} ); 1 };
    my $failure = $@;
    die $failure if !$self->is_file || !$NO_ROOM{ $self->{code} & 255 };

    # On a full disk, nobody can write a log, and the file can be read without. The next statement
    # tries again.
    $self->disconnect;
    $self->_open("$self->{dsn}&immutable=1");
    $self->{file} = 'full';
    return;
}

sub _open ( $self, $dsn ) {
    my $kind   = $KINDS{ $self->{kind} };
    my $handle = eval {
        DBI->connect(
            $dsn, undef, undef,
            {
                %{ $kind->{options} },
                RaiseError          => 1,
                PrintError          => 0,
                AutoCommit          => 1,
                AutoInactiveDestroy => 1,
            }
        );
    } or $self->_fail($@);
    @{$self}{qw(handle pid prepared)} = ( $handle, $$, {} );
    my @first = ( sprintf( $kind->{wait}, 1000 * $self->{patience} ), @{ $kind->{prepare} } );
    return if eval { $handle->do($_) for @first; $self->_choose_journal; 1 };
    my $error   = $@;
    my $failure = eval { $self->_fail($error) } // $@;
    $self->disconnect;
    die $failure;
}

# With a write-ahead log, readers and a writer do not wait for each other. A network file system needs the older
# journal. A database that others use or that cannot be written keeps its journal.
sub _choose_journal ($self) {
    return if !$self->is_file;
    my $mode = is_on_network( $self->{where} ) ? 'DELETE' : 'WAL';
    $self->_do_now("PRAGMA journal_mode = $mode");
    return $self->{handle}->do('SELECT 1 FROM sqlite_master');
}

# Runs a statement without waiting, and ignores failures.
sub _do_now ( $self, $statement ) {
    my $handle = $self->{handle};
    $handle->sqlite_busy_timeout(0);
    eval { $handle->do($statement); 1 } or $handle->set_err( undef, undef );
    $handle->sqlite_busy_timeout( 1000 * $self->{patience} );
    return;
}

# Fails with a message that says what to do, not with the place in this program. A server may make ERROR an object.
sub _fail ( $self, $error ) {
    die $error if ref $error eq 'HASH';
    my $text = "$error";
    my ($reason) = $text =~
/\A(?:DBD::\w+::\w+ \w+ failed: |DBI connect\(.*?\) failed: |install_driver\(\w+\) failed: )?(.*)/s;
    $reason = ( split /\n/, $reason || $text )[0] =~ s/ at \S+ line [0-9]+[.]?\z//r;
    my $kind = $self->_kind_of_fault;
    $reason .= '; install libdbd-pg-perl' if $text =~ /install_driver/;
    $reason .= '; free some space'        if $kind eq 'full';
    $reason .= '; choose another file'    if $text =~ /not a database/;
    return fault( $kind, "database '$self->{where}': $reason" );
}

# The kind of fault after a failed statement. A lost connection is not used again.
sub _kind_of_fault ($self) {
    my $code = $self->{code} = ( $self->{kind} eq 'Pg' ? $DBI::state : $DBI::err ) || 0;
    my $kind = kind_of_error( $self->{kind}, $code );
    $kind = 'full' if ( $self->{file} // q{} ) eq 'full';
    $kind = 'lost' if $self->{kind} eq 'Pg' && $self->{pid} && !$self->{handle}->ping;
    $self->disconnect if $kind eq 'lost';
    return $kind;
}

# The next statement connects again. Statements of a lost connection cannot be released there.
sub disconnect ($self) {
    $_->{RaiseError}  = 0 for values %{ $self->{prepared} };
    $self->{prepared} = {};
    eval { $self->{handle}->disconnect } if $self->{pid} == $$;
    $self->{pid} = 0;
    return;
}

sub _check_tables ( $self, $create ) {
    my $version = $self->_version;
    if ( !defined $version && $create ) {
        eval { $self->_create; 1 } or do {
            my $failure = $@;
            $version = $self->_version // die $failure;
        };
        $version //= schema_version();
    }
    fault( 'broken', "'$self->{where}' is not a database of SKaMPI; choose another one" )
      if !defined $version;
    $self->transaction(
        sub {
            my $old = $self->value( setting => 'schema' );
            eval { $self->{handle}->do($_) for migrations($old); 1 } or $self->_fail($@);
            $self->change( set => schema_version(), 'schema' );
        }
    ) if $version < schema_version();
    my $own = schema_version();
    fault( 'broken',
"'$self->{where}' was written by a newer version of skampi db (tables $version, not $own); update this program"
    ) if $version > $own;
    return;
}

sub _version ($self) {
    my $found =
      eval { [ $self->{handle}->selectrow_array( statement('setting'), undef, 'schema' ) ] };
    return $found->[0] if $found;
    my $error = $@;
    $self->_fail($error)
      if ref $error eq 'HASH'
      || $error =~ /not a database|disk|malformed|unable/
      || $self->_kind_of_fault ne 'broken';
    return;
}

sub _create ($self) {
    my $handle = $self->_handle;
    my $is_new = !$handle->tables( undef, $self->{kind} eq 'Pg' ? 'public' : undef, q{%}, 'TABLE' );
    die "'$self->{where}' is not a database of SKaMPI; choose another one\n" if !$is_new;
    return $self->_in_transaction(
        sub {
            my @tables = schema( $KINDS{ $self->{kind} }{bytes} );
            eval { $handle->do($_) for @tables; 1 } or $self->_fail($@);
            $self->insert( setting => { name => 'schema', value => schema_version() } );
            $self->insert( counter => map { { name => $_, value => $_ eq 'account' ? 1 : 0 } }
                  qw(account machine run meaning event cache) );
            $self->insert(
                account => { id => 1, name => 'local', trusted => 1, created => moment() } );
        }
    );
}

# Run the statement NAME of SKaMPI::Database::Sql: rows returns a list of hashes, row the first
# hash, value the first column of the first row, do the number of changed rows.
sub rows ( $self, $name, @values ) {
    return $self->query( statement($name), @values );
}

sub row ( $self, $name, @values ) {
    return ( $self->rows( $name, @values ) )[0];
}

sub value ( $self, $name, @values ) {
    my $statement = $self->_executed( statement($name), @values );
    my ($value) = $statement->fetchrow_array;
    $statement->finish;
    return $value;
}

sub change ( $self, $name, @values ) {
    return 0 + $self->_executed( statement($name), @values )->rows;
}

# Rows are hashes with the same keys.
sub insert ( $self, $table, @rows ) {
    return if !@rows;
    my @columns = sort keys %{ $rows[0] };
    my $text    = insert_statement( $table, @columns );
    $self->_executed( $text, @{$_}{@columns} ) for @rows;
    return;
}

sub update ( $self, $table, $id, %row ) {
    my @columns = sort keys %row;
    $self->_executed( update_statement( $table, @columns ), @row{@columns}, $id );
    return;
}

# The next identifier of a table, or the first of COUNT; in a transaction.
sub next_id ( $self, $table, $count = 1 ) {
    $self->change( count_up => $count, $table );
    return $self->value( count => $table ) - $count + 1;
}

# The rows of a query that SKaMPI::Database::Sql has composed.
sub query ( $self, $text, @values ) {
    my $rows = $self->_executed( $text, @values )->fetchall_arrayref( {} );
    for my $row ( @{$rows} ) {

        # Servers return numbers as texts.
        for my $name ( grep { is_number($_) } keys %{$row} ) {
            my $value = $row->{$name};
            $row->{$name} = 0 + "$value" if defined $value && looks_like_number($value);
        }
    }
    return @{$rows};
}

sub _executed ( $self, $text, @values ) {
    my $execute = sub () {
        my $handle    = $self->_handle;
        my $statement = eval {
            my $prepared = $self->{prepared}{$text} //= $handle->prepare($text);
            for my $i ( 1 .. @values ) {
                my $value = $values[ $i - 1 ];
                $prepared->bind_param( $i,
                    ref $value ? ( ${$value}, $KINDS{ $self->{kind} }{bind}->() ) : $value );
            }
            $prepared->execute;
            $prepared;
        };
        return $statement // $self->_fail($@);
    };
    return $self->{is_within} ? $execute->() : $self->_try( $execute, 'lost' );
}

# Returns what CODE returns, and tries again if it fails by one of these kinds of faults.
sub _try ( $self, $code, @kinds ) {
    my %seconds = ( busy => $self->{patience}, lost => $self->{outage} );
    my %ends    = map { $_ => time + $seconds{$_} } @kinds;
    for ( my $try = 1 ; ; $try++ ) {
        my $result;
        return $result if eval { $result = $code->(); 1 };
        my $failure = $@;
        my $end     = $ends{ fault_kind($failure) // q{} };
        die $failure                            if !defined $end || $try > 1 && time > $end;
        sleep rand( $try < 10 ? $try / 10 : 1 ) if $try > 1;
    }
    return;
}

# Makes all changes of CODE or none; returns what it returns. A transaction within another one
# belongs to it. Writers wait for each other, and for a server that starts again.
sub transaction ( $self, $code ) {
    return $code->() if $self->{is_within};
    my $all = sub () { $self->change('lock'); return $code->() };
    return $self->_try( sub () { return $self->_in_transaction($all) }, qw(busy lost) );
}

# Runs CODE on the state of one moment; returns what it returns.
sub snapshot ( $self, $code ) {
    eval { $self->_handle->do( $KINDS{ $self->{kind} }{freeze} ); 1 } or $self->_fail($@);
    local $self->{is_within} = 1;
    my $result  = eval { [ $code->() ] };
    my $failure = $@;
    eval { $self->{handle}->do('ROLLBACK'); 1 } or $self->disconnect;
    die $failure if !$result;
    return $result->[0];
}

sub _in_transaction ( $self, $code ) {
    my $handle = $self->_handle;
    local $self->{is_within} = 1;
    my $result;
    eval {
        eval { $handle->begin_work; 1 } or $self->_fail($@);
        $result = $code->();
        eval { $handle->commit; 1 } or $self->_fail($@);
        1;
    } or do {
        my $failure = $@;
        eval { $handle->rollback if !$handle->{AutoCommit}; 1 } or $self->disconnect;
        die $failure;
    };

# Empties the log unless others still read, so that the file alone is the database, without erased data.
    $self->_do_now('PRAGMA wal_checkpoint(TRUNCATE)') if $self->is_file;
    return $result;
}

1;
