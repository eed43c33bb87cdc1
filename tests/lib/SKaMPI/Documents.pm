package SKaMPI::Documents;

# Checks JSON documents against the schema that skampi-export --schema prints.
use v5.36;

use Cpanel::JSON::XS        ();
use Exporter                qw(import);
use SKaMPI::Export::Columns qw(schema_text);
use SKaMPI::Test            qw(command workplace);

our @EXPORT_OK = qw(document_names problem_of schema);

my $PYTHON = '/usr/bin/python3';

# Prints the first problem of a document, with its place.
my $VALIDATE = <<'END_OF_PROGRAM';
import json, jsonschema, sys
schema, document = [json.load(open(name)) for name in sys.argv[1:]]
jsonschema.Draft202012Validator.check_schema(schema)
key = document['schema'].replace('/', '-')
one = {'$schema': schema['$schema'], '$ref': '#/$defs/' + key, '$defs': schema['$defs']}
for error in jsonschema.Draft202012Validator(one).iter_errors(document):
    print('/'.join(map(str, error.absolute_path)) + ': ' + error.message[:300])
    break
END_OF_PROGRAM

sub schema () { return Cpanel::JSON::XS->new->decode( schema_text() ) }

sub document_names () {
    my $schema = schema();
    return
      map { $schema->{'$defs'}{ $_->{'$ref'} =~ s{.*/}{}r }{properties}{schema}{const} }
      @{ $schema->{oneOf} };
}

# Returns what is wrong with the text of a document; empty if nothing is.
sub problem_of ($text) {
    my $dir = workplace(
        schema   => schema_text(),
        document => $text
    );
    my $run = command( $dir, $PYTHON, '-c', $VALIDATE, 'schema', 'document' );
    return $run->{out} . $run->{err};
}

1;
