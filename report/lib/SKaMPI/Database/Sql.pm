package SKaMPI::Database::Sql;

# The SQL of the result database, which is in report/sql: the subset that SQLite and PostgreSQL share.
use SKaMPI::Base;

use SKaMPI::Base::TextFile qw(shipped_text);

# Statements that update the tables from version 1 to 2, from 2 to 3, and so on, in SQL that both kinds of databases
# know. Add a list with each change of report/sql/tables.sql, which new databases are created from.
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

my @PARTS = qw(fact warning figure finding suite);

# Statements by name, including those that are generated for several tables.
my %SQL = (
    $STATEMENTS =~ /^-- (\w+)\n((?:(?!--).+\n)+)/mg,
    ( map { ( "copied_$_" => "SELECT * FROM $_" ) } qw(token tombstone event) ),
    ( map { ( "copied_$_" => "SELECT * FROM $_ WHERE run_id = ?" ) } @PARTS ),
    ( map { ( "erase_$_"  => "DELETE FROM $_ WHERE run_id = ?" ) } @PARTS ),
);

my @FILTERS = map { /\Aruns_by_(\w+)/ ? $1 : () } sort keys %SQL;

sub schema_version () { return 1 + @MIGRATIONS }

# The statements that turn the tables of an earlier version into those of this one.
sub migrations ($version) {
    return map { @{$_} } @MIGRATIONS[ $version - 1 .. $#MIGRATIONS ];
}

sub is_number ($column) { return $IS_NUMBER{$column} }
sub parts_of_run ()     { return @PARTS }

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
    my ( $names, $values ) = map { join ', ', @{$_} } \@columns, [ (q{?}) x @columns ];
    return "INSERT INTO $table ($names) VALUES ($values)";
}

# The last value is the identifier of the row.
sub update_statement ( $table, @columns ) {
    return "UPDATE $table SET " . join( ', ', map { "$_ = ?" } @columns ) . ' WHERE id = ?';
}

# The text and the values of a query of runs. FILTER has conditions, limit, offset and order (received or started).
# Current and outdated have the date that decides, newest_of_group whether only published runs count.
sub select_runs ( $public, %filter ) {
    my @names = grep { defined $filter{$_} } @FILTERS;

    # The escape character ! takes away the meaning of % and _.
    $filter{search} = q{%} . ( lc( $filter{search} ) =~ s/([!%_])/!$1/gr ) . q{%}
      if defined $filter{search};
    my @values = map { ( $filter{$_} ) x ( () = $SQL{"runs_by_$_"} =~ /[?]/g ) } @names;
    my $where  = join ' AND ', map { "{$_}" } 'SEEN', map { "runs_by_$_" } @names;
    my $order  = $filter{order} // 'received';
    return (
        _filled("SELECT {RUN} {RUNS} WHERE $where ORDER BY {order_$order} LIMIT ? OFFSET ?"),
        $public, @values,
        $filter{limit}  // 100,
        $filter{offset} // 0
    );
}

1;
