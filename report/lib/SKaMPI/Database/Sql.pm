package SKaMPI::Database::Sql;

# All SQL of the result database: the subset that SQLite and PostgreSQL share.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK =
  qw(described_columns insert_statement is_number migrations parts_of_run schema schema_version select_runs statement tables);

# What turns the tables of version 1 into those of version 2, these into those of version 3, and so on: lists of statements
# that both kinds of databases know. Add a list with each change of the tables below; a new database has them already.
our @MIGRATIONS = (
    [
        'ALTER TABLE run ADD COLUMN results_sha256 TEXT',
        'UPDATE run SET results_sha256 = sha256',
        'CREATE INDEX run_by_results ON run (results_sha256)'
    ],
);

# All tables: name, then columns with their types, then conditions. BYTES is replaced by the type of binary data.
# Identifiers come from the table counter, so that none is ever used twice.
my @TABLES = (
    [ setting => 'name TEXT PRIMARY KEY', 'value TEXT NOT NULL' ],
    [ counter => 'name TEXT PRIMARY KEY', 'value INTEGER NOT NULL' ],
    [
        account => 'id INTEGER PRIMARY KEY',
        'name TEXT NOT NULL UNIQUE',
        'trusted INTEGER NOT NULL',
        'created TEXT NOT NULL'
    ],
    [
        token => 'secret TEXT PRIMARY KEY',
        'account_id INTEGER NOT NULL REFERENCES account (id)',
        'created TEXT NOT NULL'
    ],
    [
        blob => 'sha256 TEXT PRIMARY KEY',
        'bytes BYTES NOT NULL',
        'size INTEGER NOT NULL'
    ],
    [
        machine => 'id INTEGER PRIMARY KEY',
        'slug TEXT NOT NULL UNIQUE',
        'name TEXT NOT NULL UNIQUE',
        'title TEXT NOT NULL',
        'owner_id INTEGER NOT NULL REFERENCES account (id)',
        'created TEXT NOT NULL'
    ],
    [
        run => 'id INTEGER PRIMARY KEY',
        'machine_id INTEGER REFERENCES machine (id)',
        'account_id INTEGER NOT NULL REFERENCES account (id)',
        'sha256 TEXT NOT NULL UNIQUE REFERENCES blob (sha256)',
        'file TEXT NOT NULL',
        'state TEXT NOT NULL',
        'reason TEXT',
        'note TEXT',
        'received TEXT NOT NULL',
        'started TEXT',
        'version TEXT',
        'library TEXT',
        'vendor TEXT',
        'library_version TEXT',
        'processes INTEGER',
        'hosts INTEGER',
        'oversubscribed INTEGER',
        'merged INTEGER',
        'wall_s DOUBLE PRECISION',
        'suites INTEGER',
        'points INTEGER',
        'warnings INTEGER',
        'group_key TEXT',
        'parameters_key TEXT',
        'outdated_by INTEGER',
        'latest INTEGER NOT NULL',
        'results_sha256 TEXT'
    ],
    [
        fact => 'run_id INTEGER NOT NULL REFERENCES run (id)',
        'position INTEGER NOT NULL',
        'name TEXT NOT NULL',
        'value TEXT NOT NULL',
        'PRIMARY KEY (run_id, position)'
    ],
    [
        warning => 'run_id INTEGER NOT NULL REFERENCES run (id)',
        'position INTEGER NOT NULL',
        'kind TEXT NOT NULL',
        'text TEXT NOT NULL',
        'PRIMARY KEY (run_id, position)'
    ],
    [
        figure => 'run_id INTEGER NOT NULL REFERENCES run (id)',
        'position INTEGER NOT NULL',
        'data TEXT NOT NULL',
        'PRIMARY KEY (run_id, position)'
    ],
    [
        finding => 'run_id INTEGER NOT NULL REFERENCES run (id)',
        'position INTEGER NOT NULL',
        'data TEXT NOT NULL',
        'PRIMARY KEY (run_id, position)'
    ],
    [
        meaning => 'id INTEGER PRIMARY KEY',
        'key TEXT NOT NULL UNIQUE',
        'operation TEXT NOT NULL',
        'pattern TEXT NOT NULL',
        'variation TEXT NOT NULL',
        'axis_key TEXT NOT NULL',
        'data TEXT NOT NULL'
    ],
    [
        suite => 'run_id INTEGER NOT NULL REFERENCES run (id)',
        'position INTEGER NOT NULL',
        'label TEXT NOT NULL',
        'meaning_id INTEGER NOT NULL REFERENCES meaning (id)',
        'points INTEGER NOT NULL',
        'first DOUBLE PRECISION',
        'last DOUBLE PRECISION',
        'rows TEXT NOT NULL',
        'PRIMARY KEY (run_id, position)',
        'UNIQUE (run_id, label)'
    ],
    [
        cache => 'key TEXT PRIMARY KEY',
        'type TEXT NOT NULL',
        'bytes BYTES NOT NULL',
        'size INTEGER NOT NULL',
        'number INTEGER NOT NULL'
    ],
    [
        cache_run => 'key TEXT NOT NULL REFERENCES cache (key)',
        'run_id INTEGER NOT NULL',
        'PRIMARY KEY (key, run_id)'
    ],
    [ tombstone => 'sha256 TEXT PRIMARY KEY', 'run_id INTEGER NOT NULL', 'erased TEXT NOT NULL' ],
    [
        event => 'id INTEGER PRIMARY KEY',
        'moment TEXT NOT NULL',
        'account_id INTEGER NOT NULL REFERENCES account (id)',
        'run_id INTEGER',
        'what TEXT NOT NULL'
    ],
);

my @INDEXES = (
    'run_by_machine ON run (machine_id, parameters_key)',
    'run_by_group ON run (group_key)',
    'run_by_arrival ON run (received)',
    'run_by_start ON run (started)',
    'run_latest ON run (latest)',
    'run_by_results ON run (results_sha256)',
    'suite_by_meaning ON suite (meaning_id, run_id)',
    'meaning_by_operation ON meaning (operation, variation)',
    'cache_by_run ON cache_run (run_id)',
    'cache_by_number ON cache (number)',
);

# A fact of the header by its name, for each run.
sub _fact ($name) {
    return "(SELECT fact.value FROM fact WHERE fact.run_id = run.id AND fact.name = '$name'"
      . ' ORDER BY fact.position LIMIT 1)';
}

my $ENVIRONMENT = _fact('ENVIRONMENT') . ' AS environment';
my $RUN =
    'run.id, machine.slug AS machine, machine.title AS machine_name, account.name AS account,'
  . ' run.sha256, run.file, run.state, run.reason, run.note, run.received, run.started,'
  . ' run.version, run.library, run.vendor, run.library_version, run.processes, run.hosts,'
  . ' run.oversubscribed, run.merged, run.wall_s, run.suites, run.points, run.warnings,'
  . ' run.group_key, run.parameters_key, run.outdated_by, run.latest, '
  . _fact('NAMEOFRUN')
  . " AS name_of_run, $ENVIRONMENT";
my $RUNS = 'FROM run JOIN account ON account.id = run.account_id'
  . ' LEFT JOIN machine ON machine.id = run.machine_id';
my $SUITE = 'suite.run_id, suite.position, suite.label, suite.points, suite.first, suite.last,'
  . ' suite.meaning_id, meaning.axis_key, meaning.data';
my $SUITES = 'FROM suite JOIN meaning ON meaning.id = suite.meaning_id';

# The columns that are numbers, and sums of them.
my %IS_NUMBER = map { $_ => 1 } qw(machines runs tokens newest_run),
  map { /\A(\w+) (?:INTEGER|DOUBLE)/ ? $1 : () } map { @{$_}[ 1 .. $#{$_} ] } @TABLES;

# The columns of a run that its file defines.
my @DESCRIBED = qw(machine_id started version library vendor library_version processes hosts
  oversubscribed merged wall_s suites points warnings group_key parameters_key);

# The tables with rows of a run.
my @PARTS = qw(fact warning figure finding suite);

# A reader sees published runs only, or all.
my $SEEN = "(run.state = 'published' OR CAST(? AS INTEGER) = 0)";

my $OF_RUN = 'run_id = ? ORDER BY position';

my %STATEMENTS = (
    lock     => q{UPDATE setting SET value = value WHERE name = 'schema'},
    setting  => 'SELECT value FROM setting WHERE name = ?',
    set      => 'UPDATE setting SET value = ? WHERE name = ?',
    count_up => 'UPDATE counter SET value = value + ? WHERE name = ?',
    count    => 'SELECT value FROM counter WHERE name = ?',
    counts   => "SELECT COUNT(*) AS runs, COUNT(DISTINCT run.machine_id) AS machines,"
      . " COALESCE(SUM(run.suites), 0) AS suites, COALESCE(SUM(run.points), 0) AS points"
      . " FROM run WHERE $SEEN",

    accounts         => 'SELECT id, name, trusted, created FROM account ORDER BY id',
    account          => 'SELECT id, name, trusted, created FROM account WHERE name = ?',
    account_by_id    => 'SELECT id, name, trusted, created FROM account WHERE id = ?',
    account_of_token => 'SELECT account.id, account.name, account.trusted FROM account'
      . ' JOIN token ON token.account_id = account.id WHERE token.secret = ?',
    trust         => 'UPDATE account SET trusted = ? WHERE id = ?',
    tokens        => 'SELECT account_id, COUNT(*) AS tokens FROM token GROUP BY account_id',
    revoke_tokens => 'DELETE FROM token WHERE account_id = ?',

    machines => 'SELECT machine.id, machine.slug, machine.title AS name, account.name AS owner,'
      . ' COUNT(*) AS runs, MIN(run.started) AS first, MAX(run.started) AS newest,'
      . ' (SELECT other.id FROM run AS other WHERE other.machine_id = machine.id'
      . "  AND (other.state = 'published' OR CAST(? AS INTEGER) = 0)"
      . q{  ORDER BY COALESCE(other.started, '') DESC, other.id DESC LIMIT 1) AS newest_run,}
      . ' MAX(run.processes) AS processes'
      . ' FROM machine JOIN account ON account.id = machine.owner_id'
      . " JOIN run ON run.machine_id = machine.id WHERE $SEEN"
      . ' GROUP BY machine.id, machine.slug, machine.title, account.name'
      . ' ORDER BY MAX(run.id) DESC',
    machine_by_slug => 'SELECT id, slug, name, owner_id FROM machine WHERE slug = ?',
    machine_by_name => 'SELECT id, slug, name, owner_id FROM machine WHERE name = ?',
    title_machine   => 'UPDATE machine SET title = ? WHERE id = ?',
    own_machine     => 'UPDATE machine SET owner_id = ? WHERE id = ?',
    forget_machine  => 'DELETE FROM machine WHERE id = ? AND NOT EXISTS'
      . ' (SELECT 1 FROM run WHERE run.machine_id = machine.id)',

    run            => "SELECT $RUN $RUNS WHERE run.id = ? AND $SEEN",
    run_of_file    => 'SELECT id, state, reason, machine_id FROM run WHERE sha256 = ?',
    run_of_results => 'SELECT id, machine_id, sha256 FROM run WHERE results_sha256 = ?'
      . " AND account_id = ? AND id <> ? AND state <> 'received' ORDER BY id",
    run_for_check => 'SELECT run.id, run.sha256, run.file, run.state, run.machine_id,'
      . ' run.account_id, blob.bytes FROM run JOIN blob ON blob.sha256 = run.sha256'
      . ' WHERE run.id = ?',
    run_ids   => 'SELECT id FROM run ORDER BY id',
    run_state => 'SELECT id, state, reason, machine_id, sha256, results_sha256, file FROM run'
      . ' WHERE id = ?',
    original => 'SELECT run.file, run.sha256, blob.bytes, blob.size FROM run'
      . " JOIN blob ON blob.sha256 = run.sha256 WHERE run.id = ? AND $SEEN",
    describe_run => 'UPDATE run SET ' . join( ', ', map { "$_ = ?" } @DESCRIBED ) . ' WHERE id = ?',
    set_state    => 'UPDATE run SET state = ?, reason = ? WHERE id = ?',
    set_file     => 'UPDATE run SET sha256 = ?, file = ? WHERE id = ?',
    set_note     => 'UPDATE run SET note = ? WHERE id = ?',
    runs_of_machine => 'SELECT id, state, started, vendor, library, processes, group_key,'
      . " parameters_key, outdated_by, latest, $ENVIRONMENT FROM run WHERE machine_id = ?",
    set_age => 'UPDATE run SET outdated_by = ?, latest = ? WHERE id = ?',

    facts               => "SELECT name, value FROM fact WHERE $OF_RUN",
    warnings            => "SELECT kind, text FROM warning WHERE $OF_RUN",
    figures             => "SELECT data FROM figure WHERE $OF_RUN",
    newest_with_figures => "SELECT $RUN $RUNS JOIN figure ON figure.run_id = run.id"
      . " WHERE run.machine_id = ? AND $SEEN AND figure.data LIKE ?"
      . q{ ORDER BY COALESCE(run.started, '') DESC, run.id DESC LIMIT 1},
    findings => "SELECT data FROM finding WHERE $OF_RUN",

    meaning         => 'SELECT id FROM meaning WHERE key = ?',
    meanings_of_run => 'SELECT DISTINCT meaning_id FROM suite WHERE run_id = ?',
    forget_meaning  => 'DELETE FROM meaning WHERE id = ? AND NOT EXISTS'
      . ' (SELECT 1 FROM suite WHERE suite.meaning_id = meaning.id)',
    suites => "SELECT $SUITE $SUITES WHERE suite.run_id = ? ORDER BY suite.position",
    series => "SELECT $SUITE, suite.rows $SUITES WHERE suite.run_id = ? AND suite.label = ?",
    labels => "SELECT suite.run_id, suite.label, meaning.operation $SUITES"
      . ' WHERE suite.run_id = ? ORDER BY suite.position',
    all_series => "SELECT $SUITE, suite.rows $SUITES WHERE suite.run_id = ?"
      . ' ORDER BY suite.position',
    common_operation =>
      'SELECT meaning.operation, meaning.variation, COUNT(DISTINCT run.machine_id) AS machines,'
      . ' MAX(suite.first) AS first, MIN(suite.last) AS last'
      . ' FROM run JOIN suite ON suite.run_id = run.id'
      . ' JOIN meaning ON meaning.id = suite.meaning_id WHERE run.latest = 1'
      . ' GROUP BY meaning.operation, meaning.variation'
      . " ORDER BY COUNT(DISTINCT run.machine_id) DESC, MIN(CASE WHEN meaning.variation = 'length'"
      . " THEN 0 ELSE 1 END), MIN(CASE WHEN meaning.pattern = 'p2p' THEN 0 ELSE 1 END),"
      . ' meaning.operation, meaning.variation',
    matrix => "SELECT $SUITE, suite.rows FROM run JOIN suite ON suite.run_id = run.id"
      . ' JOIN meaning ON meaning.id = suite.meaning_id'
      . ' WHERE run.latest = 1 AND meaning.operation = ? AND meaning.variation = ?',
    history => "SELECT $SUITE, suite.rows FROM (SELECT run.id, COALESCE(run.started, '') AS began"
      . " FROM run WHERE run.machine_id = ? AND $SEEN AND EXISTS"
      . ' (SELECT 1 FROM suite WHERE suite.run_id = run.id AND suite.label = ?)'
      . ' ORDER BY 2 DESC, 1 DESC LIMIT ? OFFSET ?) AS recent'
      . ' JOIN suite ON suite.run_id = recent.id AND suite.label = ?'
      . ' JOIN meaning ON meaning.id = suite.meaning_id'
      . ' ORDER BY recent.began DESC, recent.id DESC',

    cached       => 'SELECT type, bytes FROM cache WHERE key = ?',
    cache_size   => 'SELECT COALESCE(SUM(size), 0) FROM cache',
    cache_first  => 'SELECT key, size FROM cache ORDER BY number LIMIT 1',
    uncache_runs => 'DELETE FROM cache_run WHERE key = ?',
    uncache      => 'DELETE FROM cache WHERE key = ?',
    cached_keys  => 'SELECT key FROM cache_run WHERE run_id = ?',

    is_erased => 'SELECT run_id, erased FROM tombstone WHERE sha256 = ?',
    was_run   => 'SELECT sha256, erased FROM tombstone WHERE run_id = ?',
    events    => 'SELECT event.moment, account.name AS account, event.run_id, event.what FROM event'
      . ' JOIN account ON account.id = event.account_id ORDER BY event.id DESC LIMIT ?',
    forget_events => 'DELETE FROM event WHERE run_id = ?',

    any_run        => 'SELECT COUNT(*) FROM run',
    counters       => 'SELECT name, value FROM counter',
    set_count      => 'UPDATE counter SET value = ? WHERE name = ?',
    copied_runs    => "SELECT run.id, run.machine_id FROM run WHERE $SEEN ORDER BY run.id",
    copied_run     => 'SELECT * FROM run WHERE id = ?',
    copied_blob    => 'SELECT * FROM blob WHERE sha256 = ?',
    copied_meaning => 'SELECT * FROM meaning WHERE id = ?',
    ( map { ( "copied_$_" => "SELECT * FROM $_" ) } qw(account token machine tombstone event) ),
    ( map { ( "copied_$_" => "SELECT * FROM $_ WHERE run_id = ?" ) } @PARTS ),

    erase_blob => 'DELETE FROM blob WHERE sha256 = ?',
    erase_run  => 'DELETE FROM run WHERE id = ?',
    ( map { ( "erase_$_" => "DELETE FROM $_ WHERE run_id = ?" ) } @PARTS ),
);

# Conditions of select_runs by the name of the filter. current and outdated have the date that
# decides, newest_of_group whether only published runs count.
my %CONDITIONS = (
    machine => 'machine.slug = ?',
    state   => 'run.state = ?',
    current =>
      "run.state = 'published' AND run.outdated_by IS NULL AND COALESCE(run.started, '9') >= ?",
    outdated =>
      "run.state = 'published' AND (run.outdated_by IS NOT NULL OR COALESCE(run.started, '9') < ?)",
    since      => 'run.started >= ?',
    before     => 'run.started < ?',
    processes  => 'run.processes = ?',
    group      => 'run.group_key = ?',
    parameters => 'run.parameters_key = ?',
    latest     => 'run.latest = ?',
    label      => 'EXISTS (SELECT 1 FROM suite WHERE suite.run_id = run.id AND suite.label = ?)',
    newest_of_group => 'run.id IN (SELECT MAX(id) FROM run'
      . q{ WHERE state = 'published' OR CAST(? AS INTEGER) = 0 GROUP BY group_key)},
    search => q{(LOWER(machine.title) LIKE ? ESCAPE '!' OR LOWER(run.library) LIKE ? ESCAPE '!')},
);
my %ORDERS = ( received => 'run.id DESC', started => 'run.started DESC, run.id DESC' );

sub schema_version () { return 1 + @MIGRATIONS }

# The statements that turn the tables of an earlier version into those of this one.
sub migrations ($version) {
    return map { @{$_} } @MIGRATIONS[ $version - 1 .. $#MIGRATIONS ];
}

sub is_number ($column)  { return $IS_NUMBER{$column} }
sub parts_of_run ()      { return @PARTS }
sub described_columns () { return @DESCRIBED }

sub tables () {
    return map { $_->[0] } @TABLES;
}

# The statements that create the tables, where BYTES is the type of binary data.
sub schema ($bytes) {
    my @tables = map {
        my ( $name, @parts ) = @{$_};
        "CREATE TABLE $name (" . join( ', ', map { s/\bBYTES\b/$bytes/r } @parts ) . ')'
    } @TABLES;
    return ( @tables, map { "CREATE INDEX $_" } @INDEXES );
}

sub statement ($name) {
    return $STATEMENTS{$name} // die "no statement '$name'\n";
}

sub insert_statement ( $table, @columns ) {
    return
        "INSERT INTO $table ("
      . join( ', ', @columns )
      . ') VALUES ('
      . join( ', ', map { q{?} } @columns ) . ')';
}

# The text and the values of a query of runs. FILTER has conditions, and limit, offset and order
# (received or started).
sub select_runs ( $public, %filter ) {
    my @names  = grep { defined $filter{$_} } sort keys %CONDITIONS;
    my @values = map  { ( _value( $_, $filter{$_} ) ) x ( () = $CONDITIONS{$_} =~ /[?]/g ) } @names;
    my $where  = join ' AND ', $SEEN, map { $CONDITIONS{$_} } @names;
    my $order  = $ORDERS{ $filter{order} // 'received' } // die "no order '$filter{order}'\n";
    return (
        "SELECT $RUN $RUNS WHERE $where ORDER BY $order LIMIT ? OFFSET ?",
        $public, @values,
        $filter{limit}  // 100,
        $filter{offset} // 0
    );
}

# The escape character ! takes away the meaning of % and _.
sub _value ( $name, $value ) {
    return $value if $name ne 'search';
    return q{%} . ( lc($value) =~ s/([!%_])/!$1/gr ) . q{%};
}

1;

