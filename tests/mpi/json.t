# The JSON documents of all programs, each made from fresh runs, are valid by the schema that skampi-export --schema
# prints. A program of C that gets a document has a row in @MADE, too.
use v5.36;

use Cpanel::JSON::XS qw(encode_json);
use Test::More;
use SKaMPI::Export::Columns qw(schema_text);
use SKaMPI::Generated       qw(files_of odd_files_of);
use SKaMPI::Test       qw($ROOT command read_file scratch write_file sections succeeds workplace);
use SKaMPI::Tune::File qw(table_files);

my $PYTHON = '/usr/bin/python3';

plan skip_all => 'python3-jsonschema is missing (make deps)'
  if system("$PYTHON -c 'import jsonschema' 2>/dev/null") != 0;
plan skip_all => 'MPICH has other algorithms' if $ENV{SKAMPI_MPI} ne 'openmpi';

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

my $SCHEMA = Cpanel::JSON::XS->new->decode( schema_text() );

my @NAMES = map { $SCHEMA->{'$defs'}{ $_->{'$ref'} =~ s{.*/}{}r }{properties}{schema}{const} }
  @{ $SCHEMA->{oneOf} };

# Returns what is wrong with the text of a document; empty if nothing is.
sub problem_of ($text) {
    my $place = workplace( schema => schema_text(), document => $text );
    my $run   = command( $place, $PYTHON, '-c', $VALIDATE, 'schema', 'document' );
    return $run->{out} . $run->{err};
}

my $TWIN = "$ROOT/build/smpi/skampi";
my $dir  = scratch();
my @RUN  = ( $ENV{SKAMPI_MPIRUN}, '--oversubscribe', '-np', 2, $ENV{SKAMPI_PROGRAM}, '-q' );
local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;

sub tool ( $name, @words ) { return command( $dir, $^X, "$ROOT/report/$name.pl", @words ) }

write_file( "$dir/.skampi",
    sections( MEMORY => 64, MINREPDEFAULT => 8, MAXREPDEFAULT => 16 ) . <<'END_OF_FILE' );
Ping { Type = 1; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 64; Stepwidth = 8; Parameters = "raw=yes"; }
* { Type = 17, 72; Scale = Fixed_linear; Start_Argument = 64; End_Argument = 128; Stepwidth = 64; }
Barrier { Type = 18; Variation = Nodes; }
Choice { Type = 17; Variation = Algorithm; Default_Message_length = 64; }
END_OF_FILE
files_of($dir);
odd_files_of($dir);
my @LAUNCHES = map { "launches/launches/$_/skampi.out" } 1 .. 6;

# A cell and a slow algorithm, as skampi-tune write would choose them.
my %CELL = (
    collective => 'bcast',
    processes  => 2,
    length     => 64,
    type       => 17,
    variable   => 'coll_tuned_bcast_algorithm',
    names      => { map { $_ => "a$_" } 0 .. 9 },
    chosen     => 1,
    points     => { 1 => { ratio => 0.5, low => 0.4, high => 0.6, log => log 0.5 } }
);
my %SLOW = ( %CELL, length => 128, chosen => 2, ratio => 4, points => {} );
my ($table) = table_files( 'ompi', 'table', { about => [], canaries => [ \%SLOW ] }, \%CELL );
write_file( "$dir/table", $table->[1] );

# The document, and the program and words that print it; files that one of them makes are read by later ones.
my @MADE = (
    [ 'skampi-launch/2', 'launch', qw(-n 6 --json --), @RUN ],
    [
        'skampi-launch/2', 'launch', qw(-n 2 --json -d both --quick col_MPI_Barrier --),
        @RUN,              q{--},    @RUN
    ],
    [
        'skampi-launch/2',                                                           'launch',
        qw(-n 2 --json -d swept --quick col_MPI_Barrier --sweep btl_tcp_links=1 --), @RUN
    ],
    [ 'skampi-results/1', 'export',  '--json',            $LAUNCHES[0] ],
    [ 'skampi-results/1', 'show',    '--json',            $LAUNCHES[0], 'bcast' ],
    [ 'skampi-brief/1',   'show',    '--json',            '--brief',    $LAUNCHES[0] ],
    [ 'skampi-times/1',   'show',    qw(--json --times),  $LAUNCHES[0] ],
    [ 'skampi-health/1',  'show',    qw(--json --health), @LAUNCHES ],
    [ 'skampi-compare/3', 'compare', '--json', @LAUNCHES[ 0 .. 3 ], q{--}, @LAUNCHES[ 4, 5 ] ],
    [ 'skampi-odd/1',     'show',    qw(--json --odd),           map { "odd.$_" } 1 .. 8 ],
    [ 'skampi-compare/3', 'compare', qw(--json --by @OSRELEASE), map { "odd.$_" } 1 .. 8 ],
    [ 'skampi-compare/3', 'compare', qw(--json --by library base.1 base.2 new.1 new.2) ],
    [
        'skampi-compare/3',             'compare',
        qw(--json --force --save base), $LAUNCHES[0],
        q{--},                          $LAUNCHES[1]
    ],
    [
        'skampi-launch/2',                                          'launch',
        qw(--json -n 1 --path -d paths --quick col_MPI_Barrier --), @RUN
    ],
    [ 'skampi-compare/3',  'launch',  qw(--json --guard base -n 2 --),       @RUN ],
    [ 'skampi-verdicts/1', 'launch',  qw(--json -n 6 --confirm slow.out --), @RUN ],
    [ 'skampi-choices/1',  'tune',    qw(choose --json),                     @LAUNCHES ],
    [ 'skampi-verify/1',   'tune',    qw(verify --json table --),            @RUN ],
    [ 'skampi-model/1',    'model',   qw(fit --json),                        @LAUNCHES ],
    [ 'skampi-twin/1',     'model',   qw(twin --check --json),               $LAUNCHES[0] ],
    [ 'skampi-profile/1',  'profile', qw(show --json recording) ],
    [ 'skampi-cost/1',     'profile', qw(cost --json recording), $LAUNCHES[0] ],
    [ 'skampi-runs/1',     'db',      qw(--database db list --json) ],
    [ 'skampi-run/1',      'db',      qw(--database db show --json 1) ],
    [ 'skampi-machines/1', 'db',      qw(--database db machine --json) ],
);

# Functions that make what must be there before a program starts.
my %BEFORE = (
    'launch --confirm' => sub {
        my $text = read_file("$dir/$LAUNCHES[0]");
        $text =~
          s/^(\d+ )([\d.]+) [\d.]+ \d+/"$1$2 " . $2 \/ 1000 . ' 99'/gem;  # however busy the machine
        $text =~ s{^(\#/\*\@incol_MPI_Bcast[.]ski.*?^64 )[\d.]+}{${1}9999}ms or die "no Bcast\n";
        write_file( "$dir/slow.out", $text );
    },
    'profile show' => sub {
        my $run = succeeds(
            tool(
                qw(profile record -o recording --split 3 --library),
                "$ENV{SKAMPI_BUILD}/libskampi-record.so",
                q{--}, @RUN
            ),
            'a recording'
        );
    },
    'db list' => sub { tool( qw(db --database db add), $LAUNCHES[0] ) },
);

my %seen;
for my $made (@MADE) {
    my ( $name, @words ) = @{$made};
    my ($before) = grep {
        my ( $program, $word ) = split q{ };
        $program eq $words[0] && grep { $_ eq $word } @words
    } sort keys %BEFORE;
    $BEFORE{$before}->() if defined $before;
  SKIP: {
        $seen{$name} = 1;
        skip 'no simulator' if $name eq 'skampi-twin/1' && !-e $TWIN;
        my $run = tool(@words);
        like $run->{out}, qr/\A\{.*"schema" : "\Q$name\E"/s, "$name of @words[ 0, 1 ]"
          or diag "$run->{status} $run->{err}";
        is problem_of( $run->{out} ), q{}, 'is valid';
    }
}

# Documents that programs before 4.3 have written.
my %OLD =
  ( value => 'time', alpha => 0.05, base_launches => 4, new_launches => 4, descriptive => \1 );
%OLD = (
    %OLD,
    schema => 'skampi-compare/2',
    limits => 'of each point',
    map( { $_ => undef } qw(test whole) ),
    map( { $_ => [] } qw(differences warnings points) ),
    map( { $_ => {} } qw(counts suites) )
);
my %OLD_BY = ( schema => 'skampi-compare-by/1', by => 'kernel', alpha => 0.05, sides => [] );
for my $old ( \%OLD, { %OLD_BY, comparisons => [ \%OLD ] } ) {
    $seen{ $old->{schema} } = 1;
    is problem_of( encode_json($old) ), q{}, "$old->{schema} is valid";
}
$seen{'skampi-path/1'} = 1;
is problem_of( read_file("$dir/paths/launches/1/skampi.out.path") ), q{},
  'the file of a path is valid';

my @OF_SKAMPI = (
    [ 'skampi-plan/1',   q{},                 qw(bcast --check --json) ],
    [ 'skampi-list/1',   q{},                 qw(--list --json) ],
    [ 'skampi-status/1', q{},                 qw(--status --json) ],
    [ 'skampi-status/1', 'launches/launches', qw(-f quick --status --json) ],
);
for my $made (@OF_SKAMPI) {
    my ( $name, $of, @words ) = @{$made};
    my $out = command( "$dir/$of", $ENV{SKAMPI_PROGRAM}, @words )->{out};
    like $out, qr/"schema":"\Q$name\E"/, "$name of skampi @words";
    is problem_of($out), q{}, 'is valid';
    $seen{$name} = 1;
}
for my $line ( split /\n/, command( $dir, @RUN, 'bcast', 'wtime', '-m', '8,64', '--json' )->{out} )
{
    is problem_of($line), q{}, 'a line is valid';
    $seen{$1} = 1 if $line =~ /"schema":"([^"]+)"/;
}
my $hosts = command( $dir, @RUN, qw(health --json) )->{out};
is problem_of($hosts), q{}, 'the health of hosts';
$seen{'skampi-hosts/1'}    = 1;
$seen{'skampi-baseline/1'} = 1;
is problem_of( read_file("$ROOT/tests/report/data/baseline-1.json") ), q{}, 'a baseline of 4.2';
is_deeply [ sort keys %seen ], [ sort @NAMES ], 'each document was made';

my $health = tool( qw(show --json --health), $LAUNCHES[0] )->{out};
like problem_of( $health =~ s/"about"/"aobut"/r ), qr{lines/0:.*aobut}, 'another name is found';
like problem_of( $health =~ s/"launches" : 1/"launches" : "1"/r ), qr/launches:/,
  'a text is no number';

for my $key ( sort keys %{ $SCHEMA->{'$defs'} } ) {
    my $of   = $SCHEMA->{'$defs'}{$key};
    my @open = grep { ( $of->{properties}{$_}{description} // q{} ) eq q{} }
      sort keys %{ $of->{properties} };
    is "@open", q{}, "$key: each name has a description";
}

done_testing;
