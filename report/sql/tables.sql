-- The tables of the result database, in the subset of SQL that SQLite and PostgreSQL share. BYTES stands for the type of binary
-- data. Identifiers come from the table counter, so that none is ever used twice. A change of a table needs a
-- migration of the databases that exist: @MIGRATIONS of SKaMPI::Database::Sql.

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE counter (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
);

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    trusted INTEGER NOT NULL,
    created TEXT NOT NULL
);

CREATE TABLE token (
    secret TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    created TEXT NOT NULL
);

CREATE TABLE blob (
    sha256 TEXT PRIMARY KEY,
    bytes BYTES NOT NULL,
    size INTEGER NOT NULL
);

CREATE TABLE machine (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    owner_id INTEGER NOT NULL REFERENCES account (id),
    created TEXT NOT NULL
);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    machine_id INTEGER REFERENCES machine (id),
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256 TEXT NOT NULL UNIQUE REFERENCES blob (sha256),
    file TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    note TEXT,
    received TEXT NOT NULL,
    started TEXT,
    version TEXT,
    library TEXT,
    vendor TEXT,
    library_version TEXT,
    processes INTEGER,
    hosts INTEGER,
    oversubscribed INTEGER,
    merged INTEGER,
    wall_s DOUBLE PRECISION,
    suites INTEGER,
    points INTEGER,
    warnings INTEGER,
    group_key TEXT,
    parameters_key TEXT,
    outdated_by INTEGER,
    latest INTEGER NOT NULL,
    results_sha256 TEXT
);

CREATE TABLE fact (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE warning (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE figure (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE finding (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE meaning (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    pattern TEXT NOT NULL,
    variation TEXT NOT NULL,
    axis_key TEXT NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE suite (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    meaning_id INTEGER NOT NULL REFERENCES meaning (id),
    points INTEGER NOT NULL,
    first DOUBLE PRECISION,
    last DOUBLE PRECISION,
    rows TEXT NOT NULL,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, label)
);

CREATE TABLE cache (
    key TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    bytes BYTES NOT NULL,
    size INTEGER NOT NULL,
    number INTEGER NOT NULL
);

CREATE TABLE cache_run (
    key TEXT NOT NULL REFERENCES cache (key),
    run_id INTEGER NOT NULL,
    PRIMARY KEY (key, run_id)
);

CREATE TABLE tombstone (
    sha256 TEXT PRIMARY KEY,
    run_id INTEGER NOT NULL,
    erased TEXT NOT NULL
);

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    moment TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id),
    run_id INTEGER,
    what TEXT NOT NULL
);

CREATE INDEX run_by_machine ON run (machine_id, parameters_key);
CREATE INDEX run_by_group ON run (group_key);
CREATE INDEX run_by_arrival ON run (received);
CREATE INDEX run_by_start ON run (started);
CREATE INDEX run_latest ON run (latest);
CREATE INDEX run_by_results ON run (results_sha256);
CREATE INDEX suite_by_meaning ON suite (meaning_id, run_id);
CREATE INDEX meaning_by_operation ON meaning (operation, variation);
CREATE INDEX cache_by_run ON cache_run (run_id);
CREATE INDEX cache_by_number ON cache (number);
