package SKaMPI::Meaning::Catalog;

# The meaning of patterns, types, keys, definitions of times and facts: the tables of the program, as skampi --catalog
# prints them and make writes them to build/catalog.json. Their members are those of the program's rows, which
# src/model, src/params and src/results explain; src/cli/inform_catalog.c chooses them.
use SKaMPI::Base;

use SKaMPI::Base::Program qw(catalog);

# The member that identifies a row of a table.
my %KEY = ( patterns => 'prefix', types => 'number', datatypes => 'number' );

sub rows_of ($table) { return @{ catalog()->{$table} } }

sub row_of ( $table, $key ) {
    state %index;
    my $rows = $index{$table} //= { map { $_->{ $KEY{$table} // 'name' } => $_ } rows_of($table) };
    return $rows->{$key};
}

# The row of a pattern, by its prefix, with vt on a virtual topology; undef if it is not known.
sub pattern_row ($prefix) {
    return row_of( patterns => $prefix =~ s/\Avt//r );
}

# The row of an operation as this pattern measures it or, if it is unknown, of the pattern; undef if both are unknown.
sub type_row ( $pattern, $operation ) {
    state $types = { map { ("$_->{pattern}_$_->{name}") => $_ } rows_of('types') };
    my $prefix = $pattern =~ s/\Avt//r;
    return $types->{"${prefix}_$operation"} // pattern_row($prefix);
}

# The constructor, such as vector for 31, including the part that grows with the message; an unknown number as a number.
sub datatype_name ($number) {
    my $row = row_of( datatypes => $number ) // {};
    return $row->{name} // $row->{text} // "datatype $number";
}

# Whether it is the basetype or derived from it.
sub is_derived ($number) { return ( row_of( datatypes => $number ) // {} )->{name} ? 1 : 0 }

# The possible variations, a word each.
sub axes () {
    state $axes = [ map { $_->{axis} // () } rows_of('variations') ];
    return @{$axes};
}

# The title of a fact in reports; undef if it is not shown by itself.
sub fact_title ($name) {
    state $titles = { map { $_->{title} ? ( $_->{name} => $_->{title} ) : () } rows_of('facts') };
    return $titles->{$name};
}

# The names of the facts in a list of the table: show, report, sides, runs, differences, definition, class, settings,
# machine or history.
sub shown_facts ($list) {
    return map { $_->{name} }
      sort     { $a->{shown}{$list} <=> $b->{shown}{$list} }
      grep     { $_->{shown}{$list} } rows_of('facts');
}

1;
