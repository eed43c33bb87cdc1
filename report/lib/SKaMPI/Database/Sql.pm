package SKaMPI::Database::Sql;

# The SQL of the result database, which is in report/sql: the subset that SQLite and PostgreSQL share.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::TextFile qw(shipped_text);

our @EXPORT_OK =
  qw(described_columns insert_statement is_number migrations parts_of_run schema schema_version
  select_runs statement tables);

# What turns the tables of version 1 into those of version 2, these into those of version 3, and so on: lists of statements
# that both kinds of databases know. Add a list with each change of report/sql/tables.sql; a new database has them already.
our @MIGRATIONS = (
    [
        'ALTER TABLE run ADD COLUMN results_sha256 TEXT',
        'UPDATE run SET results_sha256 = sha256',
        'CREATE INDEX run_by_results ON run (results_sha256)'
    ],
);

my ( $TABLES, $STATEMENTS ) =
  map { shipped_text("sql/$_.sql") =~ s/\A(?:--.*\n)+//r } qw(tables statements);

# The columns that are numbers, and sums of them.
my %IS_NUMBER = map { $_ => 1 } qw(machines runs tokens newest_run),
  $TABLES =~ /^\s+(\w+) (?:INTEGER|DOUBLE)/mg;

# The columns of a run that its file defines.
my @DESCRIBED = qw(machine_id started version library vendor library_version processes hosts
  oversubscribed merged wall_s suites points warnings group_key parameters_key);

# The tables with rows of a run.
my @PARTS = qw(fact warning figure finding suite);

# Texts by name, and those that are the same for several tables.
my %SQL = (
    $STATEMENTS =~ /^-- (\w+)\n((?:(?!--).+\n)+)/mg,
    describe_run => 'UPDATE run SET ' . join( ', ', map { "$_ = ?" } @DESCRIBED ) . ' WHERE id = ?',
    ( map { ( "copied_$_" => "SELECT * FROM $_" ) } qw(token tombstone event) ),
    ( map { ( "copied_$_" => "SELECT * FROM $_ WHERE run_id = ?" ) } @PARTS ),
    ( map { ( "erase_$_"  => "DELETE FROM $_ WHERE run_id = ?" ) } @PARTS ),
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

sub tables () { return $TABLES =~ /^CREATE TABLE (\w+)/mg }

# The statements that create the tables, where BYTES is the type of binary data.
sub schema ($bytes) {
    return grep { /\S/ } split /;\n/, $TABLES =~ s/\bBYTES\b/$bytes/gr;
}

sub statement ($name) {
    return _filled( $SQL{$name} // die "no statement '$name'\n" );
}

sub _filled ($text) {
    return $text =~ s/\{(\w+)\}/statement($1)/ger =~ s/\s+/ /gr;
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
    my $where  = join ' AND ', '{SEEN}', map { $CONDITIONS{$_} } @names;
    my $order  = $ORDERS{ $filter{order} // 'received' } // die "no order '$filter{order}'\n";
    return (
        _filled("SELECT {RUN} {RUNS} WHERE $where ORDER BY $order LIMIT ? OFFSET ?"),
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
