# skampi-db site: the pages as files.
use v5.36;

use File::Find qw(find);
use Mojo::DOM;
use Test::More;

use SKaMPI::DatabaseTest qw(db generated_run);
use SKaMPI::ReportTest   qw(files_in workplace);
use SKaMPI::Test         qw(read_file write_file);

my $LONG = $ENV{SKAMPI_LONG};

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

umask oct 77;
my $run = db( $place, 'site', '--database', 'r.db', 'site' );
is "$run->{status} $run->{err}", '0 ', 'skampi-db site';
is( ( stat "$place/site" )[2] & oct 777, oct 700, 'a folder as the umask has it' );
like $run->{out}, qr/\Asite: [0-9]+ files; open index.html$/, 'and what it has written';

my @files;
find( { no_chdir => 1, wanted => sub { push @files, $File::Find::name if -f } }, "$place/site" );

my ( @broken, @dynamic, $hidden );
for my $path ( grep { /[.]html\z/ } @files ) {
    my $page = Mojo::DOM->new( read_file($path) );
    for my $link ( map { @{ $_->attr }{qw(href src)} } $page->find('[href], [src]')->each ) {
        next if !defined $link || $link =~ /\A#/;
        my $target = $path =~ s{[^/]+\z}{}r . $link;
        push @broken, "$path: $link" if $link =~ m{\A/|[?]|://} || !-f $target;
    }
    push @dynamic, $path if $page->at('form, input, a[href*=submit], .zoom, svg a');
    $hidden++ if $page->all_text =~ /Hidden/;
}
is_deeply \@broken,  [], 'all links lead to files of the site';
is_deeply \@dynamic, [], 'no forms';
ok !$hidden, 'only published runs';
is read_file("$place/site/run/1/original.out"), read_file("$place/a.out"),
  'the file as it was received';
like read_file("$place/site/index.html"), qr/Alpha &lt;b&gt;/, 'texts are escaped';
ok( ( grep { m{/compare/plot-.*[.]eps\z} } @files ) >= 2, 'comparisons as EPS' );

# A database without runs makes a small site.
db( $place, 'add', '--database', 'empty.db', 'c.out', '--unpublished' );

sub replaced (@options) {
    return db( $place, 'site', @options, '--database', 'empty.db', 'site' );
}

write_file( "$place/site/run/mine.txt", 'my own' );
my $refused = replaced();
is $refused->{status}, 2, 'a file of the user in the site';
like $refused->{err},
  qr{'site' has files that skampi db has not written, such as 'run/mine.txt'; .*--force},
  'and why it is refused';
ok -f "$place/site/run/1/original.out", 'the old site stays';
unlink "$place/site/run/mine.txt";
is replaced()->{status}, 0, 'its own files are replaced';
ok !-e "$place/site/run/1/original.out", 'by the new site';
write_file( "$place/site/mine.txt", 'my own' );
is replaced('--force')->{status}, 0, 'with --force, files of the user are, too';
ok !-e "$place/site/mine.txt" && -f "$place/site/index.html", 'the new site is there';
is_deeply [ grep { /\Asite-/ } files_in($place) ], [], 'and nothing else';
mkdir "$place/mine" or die "$place/mine: $!\n";
write_file( "$place/mine/file", 'my own' );
is db( $place, 'site', '--database', 'empty.db', 'mine' )->{status}, 2, 'a directory of the user';
ok -f "$place/mine/file", 'is untouched';

done_testing;
