# The manual can be built, its references are defined, and its text fits on the pages. Its tables
# are what the program prints, and it draws every pattern.
use v5.36;

use List::Util qw(uniq);
use Test::More;
use SKaMPI::Install qw(make_in);
use SKaMPI::Test    qw($ROOT read_file workplace);

# A line may be too wide by this many points.
my $POINTS = 2;

sub numbers ( $table, $pattern ) {
    return read_file("$ROOT/build/docs/$table.tex") =~ /$pattern/g;
}

plan
  skip_all => 'pdflatex is missing (make deps)'
  if !grep { -x "$_/pdflatex" } split /:/,
  $ENV{PATH};
plan skip_all => 'lmodern is missing (make deps)'
  if system('kpsewhich lmodern.sty >/dev/null');

# Without installing packages, as make docs would.
make_in( $ROOT, 'docs/manual.pdf' );
my $log = read_file("$ROOT/build/docs/manual.log");
like $log, qr/^Output written on \S+ \(\d{2,3} pages/m, 'all chapters';
is_deeply [ $log =~ /^(LaTeX Warning: .*(?:undefined|multiply).*)/mg ], [],
  'all references are defined';
my @wide = grep { $_ > $POINTS } $log =~ /^Overfull \\hbox \((\S+)pt too wide\)/mg;
push @wide, grep { $_ > 532 } qx{pdftotext -bbox $ROOT/docs/manual.pdf -} =~ /xMax="([0-9.]+)"/g;
is_deeply \@wide,                                   [], 'no line is too wide, of examples neither';
is_deeply [ $log =~ /^(Missing character: .*)/mg ], [], 'every character has a glyph';

# A drawing is the same bytes each time, so its date is not that of its making.
my $drawn =
  workplace( map { $_ => read_file("$ROOT/docs/examples/$_") } qw(barrier.csv barrier.gpl) );
make_in( $ROOT, 'barrier-drawing', "EXAMPLES=$drawn" );
my ($released) = read_file("$ROOT/Makefile") =~ /^RELEASED = (\S+)/m;
like qx{TZ=UTC pdfinfo -isodates $drawn/barrier.pdf}, qr/^CreationDate: +\Q$released\ET00:00:00Z$/m,
  'the date of a drawing';

# The appendix has the number of every type.
my %described = map { $_ => 1 } numbers( 'operations', qr/(\d+)(?=[\d, ]*[}][{]%$)/m );
my @types     = numbers( 'types', qr/^\\skampitype[{](\d+)[}]/m );
is join( q{ }, grep { !delete $described{$_} } @types ), q{}, 'every type is described'
  or diag 'Add a text about it to a file of report/texts.';
is join( q{ }, sort { $a <=> $b } keys %described ), q{}, 'and nothing else';

# The table of other benchmarks: numbers and names of types belong together.
my %name_of =
  map { s/(?:\\allowbreak)?[{][}]//gr }
  numbers( 'types', qr/^\\skampitype[{](\d+)[}][{]([^ ]+?)[}][{](?![}])/m );
my $which = read_file("$ROOT/docs/manual/which.tex");
my @rows  = $which =~ /[{](\d+)[}][{]([\w\\-]+?)(?=[ }\n]|\\textnormal)/g;
cmp_ok scalar(@rows), '>', 20, 'a table of other benchmarks';
while ( my ( $number, $name ) = splice @rows, 0, 2 ) {
    like $name_of{$number}, qr/\A\w+?\\_\Q$name\E\z/, "type $number";
}

# And the types with the key as have the numbers of the program's table.
my $as     = read_file("$ROOT/src/model/others.def");
my %listed = map { $_ => 1 } map { /(\d+)/g } $which =~ /&\s*((?:\d+,\s*)*\d+)\s*&\s*[01][.]/g;
is_deeply [ sort keys %listed ], [ uniq sort $as =~ /^OTHER\(\w+, (\d+)/mg ],
  'types with the key as';

# For every pattern except the internal measurements, the chapter has a section with a drawing.
my @sections = split /^(?=\\section)/m, read_file("$ROOT/docs/manual/patterns.tex");
for my $title ( numbers( 'types', qr/^\\begin[{]skampitypes[}][{](.+?)[}][{]\w+[}][{]/m ) ) {
    my $pattern = $title =~ s/[{][}]//gr;
    next if $pattern eq 'Internal';
    my ($section) = grep { /\\index[{]\Q$pattern\E[}]/ } @sections;
    like $section // q{}, qr/\\begin[{]timing[}]/, "a drawing of $pattern";
}

done_testing;
