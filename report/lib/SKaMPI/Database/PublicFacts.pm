package SKaMPI::Database::PublicFacts;

# Which facts of a result file may leave the user's machine. public_facts and, among them,
# facts_with_names: those whose values may contain names of hosts, users and paths. is_public(NAME)
# and is_with_names(NAME) ask about one.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);

use SKaMPI::Meaning::Catalog qw(row_of rows_of);

our @EXPORT_OK = qw(facts_with_names is_public is_with_names public_facts);

# The facts "#@NAME" that may leave the user's machine, as the program's table of facts says; all others stay. Some may
# contain names of hosts, users and paths, which are replaced.
sub public_facts () {
    return uniq map { $_->{name} } grep { $_->{public} } rows_of('facts');
}

sub facts_with_names () {
    return uniq map { $_->{name} } grep { $_->{with_names} } rows_of('facts');
}

sub is_public ($name) {
    my $fact = row_of( facts => $name );
    return $fact && $fact->{public} ? 1 : 0;
}

sub is_with_names ($name) {
    my $fact = row_of( facts => $name );
    return $fact && $fact->{with_names} ? 1 : 0;
}

1;

