#!/usr/bin/perl
# Hostile files through the form and the API of the result database. SKAMPI_LONG: all of them.
use v5.36;

use Mojo::Parameters;
use Mojo::Path;
use Mojo::URL;
use Test::More;

use SKaMPI::Database::Reader;
use SKaMPI::HostileUploads qw(hostile_uploads $MARK);
use SKaMPI::WebTest        qw(database_of tester);

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $LONG = $ENV{SKAMPI_LONG};

# In the short form, some of those that are quickly read, and a label of wide characters.
my $EVERY = $LONG ? 1 : 61;

my @uploads =
  grep { $LONG || length $_->{bytes} < 100_000 && $_->{name} !~ /^many|bomb/ } hostile_uploads();
@uploads = @uploads[ grep { $_ % $EVERY == 0 || $uploads[$_]{name} eq 'beyond 16 bits as label' }
  0 .. $#uploads ];

my $database = database_of();
my $t        = tester( $database, owner => 1, most => { read => 1e6, write => 1e6 } );
$t->ua->inactivity_timeout(60);
my $token = $t->ua->get('/submit')->res->dom->at('[name=csrf_token]')->attr('value');

# Parts of a page that the templates did not write.
sub foreign_parts ($answer) {
    my $page = $answer->dom;
    my @wrong;
    push @wrong, 'a script' if $page->find('script')->size != 3;
    push @wrong, 'an action' if $page->find('*')->grep(
        sub ($part) {
            grep { /\Aon/i } keys %{ $part->attr };
        }
    )->size;
    push @wrong, 'an address' if $page->find('[href], [src], [action]')->grep(
        sub ($part) {
            join( q{ }, grep { defined } @{ $part->attr }{qw(href src action)} ) !~ m{\A[/#]};
        }
    )->size;
    push @wrong, 'styles' if $page->find('style, [style], iframe, object, embed, base')->size;
    return @wrong;
}

sub suite_address ( $id, $label ) {
    return Mojo::Path->new->leading_slash(1)->parts( [ 'run', $id, 'suite', $label ] )->to_string;
}

sub wrong_pages ($id) {
    my ($suite) = SKaMPI::Database::Reader->new( $database->{store} )->suites($id);
    my $label = $suite ? $suite->{label} : 'none';
    my @wrong;
    for my $path (
        "/run/$id", '/', '/machines', '/runs', '/matrix',
        suite_address( $id, $label ),
        Mojo::URL->new('/compare')->query( s => "$id:$label" )->to_string
      )
    {
        my $answer = $t->ua->get($path)->res;
        push @wrong, map { "$path: $_" } $answer->code, foreign_parts($answer)
          if $answer->code != 200 || foreign_parts($answer);
    }
    for my $path ( map { "/run/$id/$_" } qw(original results.csv results.json) ) {
        my $answer = $t->ua->get($path)->res;
        push @wrong, "$path: " . $answer->code
          if $answer->code != 200
          || $answer->headers->content_disposition !~ /\Aattachment; filename="skampi-\d+[.]\w+"\z/;
    }
    return @wrong;
}

my %count;
for my $upload (@uploads) {
    my $by_form = $count{all}++ % 2;
    my $tx =
      $by_form
      ? $t->ua->post(
        '/submit' => { Origin => 'http://127.0.0.1:8080' } => form => {
            csrf_token => $token,
            file       => { content => $upload->{bytes}, filename => $upload->{file} }
        }
      )
      : $t->ua->post( '/api/v1/runs' => $upload->{bytes} );
    my $answer = $tx->res;
    my $status = $answer->code // 0;
    $count{ $status < 400 ? 'accepted' : 'refused' }++;
    my $name = ( $by_form ? 'form' : 'API' ) . ": $upload->{name}";
    like $status,
        $upload->{expect} eq 'refused'  ? qr/\A4\d\d\z/
      : $upload->{expect} eq 'accepted' ? qr/\A20[01]\z/
      :                                   qr/\A(?:20[01]|422)\z/, $name;
    is_deeply [ foreign_parts($answer) ], [], "$name: the answer" if $by_form;
    my ($id) = $answer->text =~ m{(?:/run/|"id":)(\d+)};
    next if $status >= 400 || !defined $id;
    is_deeply [ wrong_pages($id) ], [], "$name: its pages";
}
ok $count{accepted} && $count{refused}, 'some are accepted, some refused';
ok !-e $MARK,                           'no program ran';

done_testing;
