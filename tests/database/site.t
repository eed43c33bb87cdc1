#!/usr/bin/perl
# skampi-db site: the pages as files.
use v5.36;

use File::Find qw(find);
use Mojo::DOM;
use Test::More;

use SKaMPI::DatabaseTest qw(db generated_run);
use SKaMPI::ReportTest   qw(workplace);
use SKaMPI::Test         qw(read_file);

my $LONG = $ENV{SKAMPI_LONG};

# A run with few suites, as each of them is drawn.
sub small_run (%with) {
    return generated_run( points => 10, %with );
}

my $place = workplace(
    'a.out' => small_run( facts => { MACHINE => 'Alpha <b>' } ),
    $LONG ? ( 'b.out' => small_run( facts => { MACHINE => 'Beta' }, factor => 2 ) ) : (),
    'c.out' => small_run( minute => 9, facts => { MACHINE => 'Hidden' } ),
);
db( $place, 'add', '--database', 'r.db', $LONG ? qw(a.out b.out) : 'a.out' );
db( $place, 'add', '--database', 'r.db', '--unpublished', 'c.out' );

my $run = db( $place, 'site', '--database', 'r.db', 'site' );
is "$run->{status} $run->{err}", '0 ', 'skampi-db site';
like $run->{out}, qr/\Asite: [0-9]+ files; open index.html$/, 'and what it has written';

my @files;
find( { no_chdir => 1, wanted => sub { push @files, $File::Find::name if -f } }, "$place/site" );

my ( @broken, @dynamic, $hidden );
for my $path ( grep { /[.]html\z/ } @files ) {
    my $page = Mojo::DOM->new( read_file($path) );
    for my $link ( map { @{ $_->attr }{qw(href src data-plot)} }
        $page->find('[href], [src], [data-plot]')->each )
    {
        next if !defined $link || $link =~ /\A#/;
        my $target = $path =~ s{[^/]+\z}{}r . $link;
        push @broken, "$path: $link" if $link =~ m{\A/|[?]|://} || !-f $target;
    }
    push @dynamic, $path if $page->at('form, input, a[href*=submit]');
    $hidden++ if $page->all_text =~ /Hidden/;
}
is_deeply \@broken,  [], 'all links lead to files of the site';
is_deeply \@dynamic, [], 'no forms';
ok !$hidden, 'only published runs';
is read_file("$place/site/run/1/original.out"), read_file("$place/a.out"),
  'the file as it was received';
like read_file("$place/site/index.html"), qr/Alpha &lt;b&gt;/, 'texts are escaped';
ok( ( grep { m{/compare/plot-.*[.]eps\z} } @files ) >= 2, 'comparisons as EPS' );

is db( $place, 'site', '--database', 'r.db', 'site' )->{status}, 0,
  'again, in the place of the old one'
  if $LONG;
mkdir "$place/mine" or die "$place/mine: $!\n";
open my $file, '>', "$place/mine/file" or die "$place/mine/file: $!\n";
close $file or die "$place/mine/file: $!\n";
my $refused = db( $place, 'site', '--database', 'r.db', 'mine' );
is $refused->{status}, 2, 'a directory of the user';
like $refused->{err}, qr/'mine' has files of others; name a new or empty directory/,
  'and why it is refused';
ok -f "$place/mine/file", 'it is untouched';

done_testing;
