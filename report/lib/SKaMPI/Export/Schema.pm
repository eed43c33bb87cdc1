package SKaMPI::Export::Schema;

# The JSON schema of all documents that SKaMPI's programs print, made from report/schema.txt and the exported columns.
# That file says how its lines are written.
use SKaMPI::Base;

use SKaMPI::Base::Json      qw(pretty_json);
use SKaMPI::Base::TextFile  qw(shipped_text);
use SKaMPI::Export::Columns qw(columns columns_of);

our @EXPORT_OK = qw(schema_text);

my %TYPE = ( text => 'string', map { $_ => $_ } qw(number integer boolean object) );

sub schema_text () {
    my ( %defs, @documents, $def );
    for my $line ( grep { !/\A(?:#|\s*\z)/ } split /\n/, shipped_text('schema.txt') ) {
        if ( $line =~ /\A(document|record) (\S+)(?: (.+))?\z/ ) {
            my %empty = ( properties => {}, required => [], additionalProperties => \0 );
            $def = $defs{ _key($2) } = { type => 'object', %empty };
            $def->{description} = $3 if defined $3;
            next if $1 eq 'record';
            push @documents, $2;
            _add( $def, schema => { const => $2, description => 'name and version' } );
        }
        elsif ( $line =~ /\A  columns (\w+)\z/ ) { _add_columns( $def, columns_of($1) ) }
        elsif ( $line =~ /\A  (\w+)\z/ ) {
            my $name = $1;
            _add_columns( $def, grep { $_->[1] eq $name } columns() );
        }
        elsif ( $line =~ /\A  (\w+) ([^\s?]+)([?]?) (.+)\z/ ) {
            _add( $def, $1, { %{ _type($2) }, description => $4 }, $3 );
        }
        else { die "schema.txt: cannot read the line '$line'\n" }
    }
    return pretty_json(
        {
            '$schema' => 'https://json-schema.org/draft/2020-12/schema',
            title     => 'JSON of SKaMPI',
            oneOf     => [ map { _reference($_) } @documents ],
            '$defs'   => \%defs,
        }
    );
}

sub _key ($name) { return $name =~ tr{/}{-}r }

sub _reference ($name) { return { '$ref' => '#/$defs/' . _key($name) } }

sub _add ( $def, $name, $property, $is_optional = 0 ) {
    $def->{properties}{$name} = $property;
    push @{ $def->{required} }, $name if !$is_optional;
    return;
}

sub _add_columns ( $def, @columns ) {
    die "schema.txt: a name without a kind is not that of a column\n" if !@columns;
    _add( $def, $_->[1], { %{ _type( $_->[2] ) }, description => $_->[3] } ) for @columns;
    return;
}

# NAME[] is a list, NAME{} an object with any names. Other members may be null.
sub _type ( $kind, $is_element = 0 ) {
    return { type => 'array',  items                => _type( $1, 1 ) } if $kind =~ /\A(.+)\[\]\z/;
    return { type => 'object', additionalProperties => _type( $1, 1 ) } if $kind =~ /\A(.+)\{\}\z/;
    return { type => [ $TYPE{$kind}, 'null' ] } if $TYPE{$kind};
    return $is_element ? _reference($kind) : { anyOf => [ _reference($kind), { type => 'null' } ] };
}

1;
