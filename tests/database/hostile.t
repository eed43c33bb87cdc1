# Files that an attacker might add to a database, by the command, the form and the API: each is refused with a clear
# message, or added and shown as text.
use v5.36;

use Cpanel::JSON::XS ();
use Mojo::Path;
use Mojo::URL;
use Test::More;
use Text::CSV_XS ();

use SKaMPI::Database::AcceptedFile qw(uncompressed);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Sql qw(tables);
use SKaMPI::DatabaseTest  qw(db generated_run);
use SKaMPI::Hostile
  qw(foreign_parts hostile_files hostile_run hostile_text kinds_of_text $MARK %TEXTS);
use SKaMPI::WebTest qw(database_of tester);

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $LONG = $ENV{SKAMPI_LONG};

my $database = database_of();
my $reader   = SKaMPI::Database::Reader->new( $database->{store} );
my $t        = tester( $database, owner => 1, most => { read => 1e6, write => 1e6 } );
$t->ua->inactivity_timeout(0);
my $token = $t->ua->get('/submit')->res->dom->at('[name=csrf_token]')->attr('value');
my %added;

# The status of an answer, the number of the run that it names, and the answer itself, which names no place in a source.
sub sent ($tx) {
    unlike $tx->res->text, qr/ at \S+ line [0-9]/, 'a message for people';
    my ($id) = $tx->res->text =~ m{(?:/run/|"id":)(\d+)};
    return ( $tx->res->code // 0, $tx->res->code < 400 ? $id : undef, $tx->res );
}

sub by_api ($bytes) { return sent( $t->ua->post( '/api/v1/runs' => $bytes ) ) }

sub by_form ( $bytes, $name ) {
    my %form = ( csrf_token => $token, file => { content => $bytes, filename => $name } );
    return sent( $t->ua->post( '/submit', { Origin => 'http://127.0.0.1:8080' }, form => \%form ) );
}

sub wrong_pages ($id) {
    my $label   = ( $reader->suites($id) )[0]{label};
    my $suite   = Mojo::Path->new->leading_slash(1)->parts( [ 'run', $id, 'suite', $label ] );
    my $compare = Mojo::URL->new('/compare')->query( s => "$id:$label" );
    my @wrong;
    for my $path ( "/run/$id", '/', '/machines', '/runs', '/matrix', "$suite", "$compare" ) {
        my $answer = $t->ua->get($path)->res;
        push @wrong, map { "$path: $_" } grep { $_ ne '200' } $answer->code,
          foreign_parts( $answer->dom, 2 );
    }
    for my $path ( map { "/run/$id/$_" } qw(original results.csv results.json) ) {
        my $answer = $t->ua->get($path)->res;
        push @wrong, "$path: " . $answer->code
          if $answer->code != 200
          || $answer->headers->content_disposition !~ /\Aattachment; filename="skampi-\d+[.]\w+"\z/;
    }
    return @wrong;
}

# In the short form, some also by the form, which takes them in the same way.
subtest 'files that are no run, and odd ones' => sub {
    my $number = 0;
    for my $file ( hostile_files() ) {
        my ( $status, $id, $answer ) = by_api( $file->{bytes} );
        like $status, $file->{match} ? qr/\A4\d\d\z/ : qr/\A(?:20[01]|422)\z/, "$file->{name}: API";
        like $answer->json->{error} // q{}, $file->{match}, 'the message' if $file->{match};
        $added{$id} = $file->{bytes} if defined $id;
        next if !$LONG && ( length $file->{bytes} > 100_000 || $number++ % 5 );
        my ( $of_form, $same, $page ) = by_form( $file->{bytes}, 'x.out' );
        is $of_form < 400, $status < 400, 'so does the form';
        is_deeply [ foreign_parts( $page->dom, 2 ) ], [], 'its answer';
    }
};

# Mojolicious sends no name of a file with a line end.
my @NAMES = grep { $TEXTS{$_} !~ /[\r\n]/ } sort keys %TEXTS;

subtest 'texts in all places' => sub {
    for my $first ( $LONG ? @NAMES : qw(SQL formula script) ) {
        my $run = hostile_run($first);
        my ( $status, $id, $page ) = by_form( $run, $TEXTS{$first} );
        is $status, 201, "the machine is a $first: accepted" or next;
        $added{$id} = $run;
        is_deeply [ wrong_pages($id) ], [], 'the pages are right';
    }
    for my $name ( $LONG ? @NAMES : qw(NUL image path shell template) ) {
        my $run = generated_run( points => 2, facts => { OWN => $name } );
        my ( $status, $id, $page ) = by_form( $run, $TEXTS{$name} );
        is $status, 201, "$name as file name: accepted" or next;
        $added{$id} = $run;
        is_deeply [ foreign_parts( $page->dom, 2 ) ], [], 'its answer';
    }
};

subtest 'files that cost much' => sub {
    for my $kind ( grep { $LONG || /^(?:notes|rows|suites|columns)$/ } kinds_of_text() ) {
        my $text = hostile_text( $kind, $LONG ? 200_000 : 50_000 );
        my ( $status, $id ) = by_api($text);
        like $status, qr/\A(?:20[01]|422)\z/, $kind;
        $added{$id} = $text if defined $id;
    }
};

ok !-e $MARK, 'nothing is executed';
is $reader->counts->{runs}, scalar keys %added, 'the database has the accepted runs';
is_deeply [
    grep { $reader->original($_)->{bytes} ne uncompressed( $added{$_}, 'x' ) }
      keys %added
  ],
  [],
  'files are kept byte for byte';
is_deeply [ grep { !/\A[a-z0-9]+(?:-[a-z0-9]+)*\z/ } map { $_->{slug} } $reader->machines ], [],
  'machines are plain words in addresses';
is_deeply [
    grep {
        !eval { $reader->runs( search => $_ ); 1 }
    } values %TEXTS
  ],
  [],
  'any text can be looked for';

subtest 'commands' => sub {
    my ( $dir, @ids ) = ( $database->{place}, sort keys %added );
    $database->{store}->disconnect;
    my $said  = sub (@words) { return db( $dir, '--database', 'r.db', @words )->{out} };
    my @texts = map { $said->( $_->@* ) } ['list'], ['machine'],
      map { [ 'show', $_ ] } @ids[ 0 .. 5 ];
    is_deeply [ grep { /[^\n[:print:]]|\p{Cf}/ } @texts ], [], 'do not control the terminal';
    my $json = $said->(qw(list --json --limit 1000));
    is scalar @{ Cpanel::JSON::XS->new->decode($json)->{runs} }, scalar @ids, 'list: JSON';
    my $csv = $said->( 'export', @ids );
    utf8::encode($csv);
    my $number = qr/\A-?[0-9.]+(?:e[+-]?[0-9]+)?\z/;
    is_deeply [
        grep { /\A[=+\-\@\t\r]/ && !/$number/ }
        map  { @{$_} } @{ Text::CSV_XS::csv( in => \$csv, encoding => 'UTF-8', binary => 1 ) }
      ],
      [],
      'export: CSV without formulas';
    is db( $dir, '--database', 'r.db', 'reindex' )->{status}, 0, 'reindex' if $LONG;
};

subtest 'erase' => sub {
    $database->{writer}->erase($_) for sort keys %added;
    my %stays = map  { $_ => 1 } qw(setting counter account tombstone event);
    my @full  = grep { !$stays{$_} && $database->{store}->query("SELECT 1 FROM $_") } tables();
    is_deeply \@full, [], 'all tables of runs are empty';
    is_deeply [ grep { $_->{what} !~ /\Aerased run [0-9]+\z/ }
          $database->{store}->rows( events => 1000 ) ], [], 'the log, too';
    is_deeply $reader->counts, { map { $_ => 0 } qw(machines runs suites points) },
      'nothing is left';
};

done_testing;
