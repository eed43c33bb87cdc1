package SKaMPI::Database::Fault;

# Failures of the database and the machine. A fault is a failure (SKaMPI::Base::Program) with a
# kind: busy (another writer), full (the disk), lost (the server of the database does not answer) or
# broken. It does not judge the request, which may be tried again.
use SKaMPI::Base;

my $FAILED = 1;

# Kinds of faults, by the codes of SQLite (its lowest byte, or all of it) and the beginnings of those of PostgreSQL.
my %CODES = (
    SQLite => { 5  => 'busy', 6     => 'busy', 13  => 'full', 4874 => 'full' },
    Pg     => { 40 => 'busy', '55P' => 'busy', 531 => 'full', '08' => 'lost', '57P' => 'lost' },
);

# The messages for visitors. Each of these faults may be gone at the next try.
my %ANSWERS = (
    busy   => [ 503, 'the database is busy' ],
    full   => [ 507, 'the disk of the server is full' ],
    lost   => [ 503, 'the database does not answer' ],
    broken =>
      [ 503, 'the database cannot be used; its owner sees why in the messages of the server' ],
);

sub fault ( $kind, $text ) {
    die { status => $FAILED, text => $text, kind => $kind };
}

sub fault_kind ($failure) {
    return ref $failure eq 'HASH' ? $failure->{kind} : undef;
}

# Whether a failure is a fault; unforeseen failures are faults.
sub is_fault ($failure) {
    return ref $failure ne 'HASH' || defined $failure->{kind} ? 1 : 0;
}

# The HTTP status and the sentence for a visitor, who does not see the names of files.
sub fault_answer ($failure) {
    my $kind = fault_kind($failure);
    my ( $status, $text ) = @{ $ANSWERS{ $kind // 'broken' } };
    return ( $status, "$text; try again in a minute" );
}

# DATABASE is SQLite or Pg; the code is a number, and that of PostgreSQL five characters.
sub kind_of_error ( $database, $code ) {
    my $known = $CODES{$database};
    my @parts = $database eq 'Pg' ? map { substr $code, 0, $_ } 3, 2 : ( $code, $code & 255 );
    return ( grep { defined } @{$known}{@parts} )[0] // 'broken';
}

1;
