#!/usr/bin/perl
# Files that an attacker might add: each is refused with a clear message, or added and shown as text.
use v5.36;

use Cpanel::JSON::XS ();
use List::Util       qw(any);
use Test::More;
use Text::CSV_XS ();

use SKaMPI::Database::AcceptedFile qw(uncompressed);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Sql qw(tables);
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest   qw(db);
use SKaMPI::HostileUploads qw(hostile_texts hostile_uploads $MARK);
use SKaMPI::ReportTest     qw(files_in workplace);

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

# By default, all that are refused and a part of the others.
my $EVERY = $ENV{SKAMPI_LONG} ? 1 : 16;

my $dir    = workplace();
my $store  = SKaMPI::Database::Store->connect_to( "$dir/r.db", create => 1 );
my $writer = SKaMPI::Database::Writer->new($store);
my $reader = SKaMPI::Database::Reader->new($store);

my @cases = hostile_uploads();
cmp_ok scalar @cases, '>=', 200, 'at least 200 cases';
my $number = 0;
my @tried  = grep { $_->{expect} eq 'refused' || $number++ % $EVERY == 0 } @cases;

my ( @wrong, @long, %added );
for my $case (@tried) {
    my $before  = (times)[0] + (times)[2];
    my $answer  = eval { $writer->add( $case->{bytes}, $case->{file} ) };
    my $failure = $@;
    push @long, $case->{name} if (times)[0] + (times)[2] - $before > 20;
    push @wrong, "$case->{name}: " . why( $case, $answer, $failure )
      if defined why( $case, $answer, $failure );
    $added{ $answer->{id} } = $case if $answer;
}

sub why ( $case, $answer, $failure ) {
    if ($answer) {
        return 'was accepted' if $case->{expect} eq 'refused';
        return;
    }
    return "died with $failure"            if !ref $failure;
    return "was refused: $failure->{text}" if $case->{expect} eq 'accepted';
    return "says $failure->{text}"         if $case->{match} && $failure->{text} !~ $case->{match};
    return "does not name the file: $failure->{text}" if index( $failure->{text}, 'out' ) < 0;
    return;
}

is_deeply \@wrong, [], 'each is accepted or refused as it should be';
is_deeply \@long,  [], 'in time';
cmp_ok scalar keys %added, '>=', 10, 'some are accepted';
ok !-e $MARK, 'nothing is executed';
is $reader->counts->{runs}, scalar keys %added, 'the database has the accepted runs';

subtest 'files are kept as they came' => sub {
    my @changed = grep { $reader->original($_)->{bytes} ne uncompressed( $added{$_}{bytes}, 'x' ) }
      sort keys %added;
    is_deeply \@changed, [], 'byte for byte';
};

subtest 'machines' => sub {
    my @slugs = map { $_->{slug} } $reader->machines;
    is_deeply [ grep { !/\A[a-z0-9]+(?:-[a-z0-9]+)*\z/ } @slugs ], [],
      'are plain words in addresses';
};

subtest 'lists' => sub {
    my @texts = map { db( $dir, '--database', 'r.db', @{$_} )->{out} } ['list'], ['machine'],
      map { [ 'show', $_ ] } ( sort keys %added )[ 0 .. 9 ];
    is_deeply [ grep { /[^\n[:print:]]|\p{Cf}/ } @texts ], [], 'do not control the terminal';
    my $json = db( $dir, '--database', 'r.db', 'list', '--json', '--limit', 1000 )->{out};
    is scalar @{ Cpanel::JSON::XS->new->decode($json)->{runs} }, scalar keys %added, 'JSON';
};

subtest 'CSV' => sub {
    my $text = db( $dir, '--database', 'r.db', 'export', sort keys %added )->{out};
    utf8::encode($text);
    my @rows   = @{ Text::CSV_XS::csv( in => \$text, encoding => 'UTF-8', binary => 1 ) };
    my $number = qr/\A-?[0-9.]+(?:e[+-]?[0-9]+)?\z/;
    my @found  = grep { /\A[=+\-\@\t\r]/ && !/$number/ } map { @{$_} } @rows;
    is_deeply \@found, [], 'has no formulas';
};

subtest 'searching' => sub {
    my @found = map {
        my $text = $_;
        eval { [ $reader->runs( search => $text ) ] } // "$text: $@"
    } hostile_texts();
    is_deeply [ grep { !ref } @found ], [], 'any text can be looked for';
    is $reader->counts->{runs}, scalar keys %added, 'and changes nothing';
};

subtest 'reindex and erase' => sub {
    is db( $dir, '--database', 'r.db', 'reindex' )->{status}, 0, 'all files are read again'
      if $ENV{SKAMPI_LONG};
    $writer->erase($_) for sort keys %added;
    my %stays = map  { $_ => 1 } qw(setting counter account tombstone event);
    my @full  = grep { !$stays{$_} && $store->query("SELECT 1 FROM $_") } tables();
    is_deeply \@full, [], 'all tables of runs are empty';
    is_deeply [ grep { $_->{what} !~ /\Aerased run [0-9]+\z/ } $store->rows( events => 1000 ) ],
      [], 'the log, too';
    is_deeply $reader->counts, { map { $_ => 0 } qw(machines runs suites points) },
      'nothing is left';
};

done_testing;
