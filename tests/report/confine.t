# LaTeX and gnuplot files in the working directory are programs and may come from a stranger. They are used
# only with -u, and can read only the files that dorep.pl gives them.
use v5.36;

use Test::More;
use SKaMPI::ReportTest  qw(dorep files_in pdf_text result_text tool why_not workplace);
use SKaMPI::Safe::Tools qw(confined run_one why_not_confined);
use SKaMPI::Test        qw(slurp write_file);

plan skip_all => why_not() if why_not();

my $SECRET  = 'THE-SECRET-OF-ANOTHER-FILE';
my $RESULTS = result_text( {}, { label => 'p2p_x', rows => [ map { "$_ 1 .1 8" } 1 .. 5 ] } );

# A home directory with a secret in files of all kinds that TeX reads.
my $home = workplace( map { $_ => "$SECRET\n" } 'note', 'note.tex', 'note.map' );
my $size = -s "$home/note";
my $date = 1900 + ( gmtime( ( stat "$home/note" )[9] ) )[5];
my $sum  = uc substr tool( $home, 'md5sum', 'note' )->{out}, 0, 32;
tool( $home, 'cp', tool( $home, 'kpsewhich', 'cmr10.tfm' )->{out} =~ s/\n//r, 'note.tfm' );
tool( $home, 'pdftex', '-interaction=nonstopmode', '-jobname=note', '\relax x\end' );

# Ways in which TeX can access a file. PATH is the file's name.
my %ATTACKS = (
    'input'            => '\input PATH ',
    'openin'           => '\openin5=PATH \ifeof5\else\read5to\x\x\fi',
    'pdfximage'        => '\immediate\pdfximage{PATH.pdf}SEEN-PICTURE',
    'pdfobj file'      => '\immediate\pdfobj stream file{PATH}',
    'pdffiledump'      => 'DUMP\pdffiledump offset 0 length 10{PATH}',
    'pdfmdfivesum'     => 'SUM\pdfmdfivesum file{PATH}',
    'pdffilesize'      => 'SIZE\pdffilesize{PATH}',
    'pdffilemoddate'   => 'DATE\pdffilemoddate{PATH}',
    'pdfmapfile'       => '\pdfmapfile{=PATH.map}x',
    'font'             => '\font\f=PATH \relax\ifx\f\nullfont\else SEEN-FONT\fi',
    'IfFileExists'     => '\IfFileExists{PATH.tex}{SEEN-FILE}{}',
    'primitive input'  => '\csname @@input\endcsname PATH ',
    'pdfobj, spelled'  => '\immediate\csname pdfobj\endcsname stream file{PATH}',
    'pdfobj, a copy'   => '\immediate\csname tex_pdfobj:D\endcsname stream file{PATH}',
    'filesize, a copy' => 'SIZE\csname tex_filesize:D\endcsname{PATH}',
    'openin, a copy' => '\csname tex_openin:D\endcsname5=PATH \csname tex_read:D\endcsname5to\x\x',
);

# The directory as an absolute path, a relative path, and in forms that kpathsea expands, which
# openin_any=p does not recognise.
my @NAMES = ( $home, "../../../../../../..$home", '~', '$HOME' );

# The forms that each attack uses: the one that is recognised least, or all.
my @TRIED = $ENV{SKAMPI_LONG} ? @NAMES : $NAMES[2];

my $HEX  = uc unpack 'H20', $SECRET;
my $SEEN = qr/$SECRET|SEEN-|DUMP\s*$HEX|SUM\s*$sum|SIZE\s*$size|DATE\s*D:$date/;

# Whether the document or output of LaTeX, without the lines that quote the input, contains something that
# LaTeX should not be able to read.
sub shows ( $attack, $name, $more, $guard ) {
    my $place = workplace(
        'a.tex' => join "\n",
        '\documentclass{article}\pdfcompresslevel=0 \begin{document}',
        '\catcode`\$=12 \catcode`\~=12 \catcode`\_=12 \catcode`\:=11',
        $attack =~ s{PATH}{$name/note}gr,
        'Text.\end{document}'
    );
    my @command = qw(pdflatex -no-shell-escape -interaction=nonstopmode a.tex);
    my %job     = ( command => \@command, directory => $place, seconds => 60, output => 'said' );
    run_one( $guard->( { %job, environment => $more } ) );
    my $said = join q{}, grep { !/SEEN-/ } split /^/, slurp("$place/said");
    my $text = -e "$place/a.pdf" ? pdf_text("$place/a.pdf") : q{};
    return scalar grep { $_ =~ $SEEN } $said, slurp("$place/a.pdf"), $text;
}

sub seen_in ($place) {
    my @made = map { "$place/$_" } grep { /^x[.]out[.]/ } files_in($place);
    return join ', ', grep { ( slurp($_) . ( /pdf\z/ ? pdf_text($_) : q{} ) ) =~ $SEEN } @made;
}

local $ENV{HOME} = $home;

subtest 'without -u' => sub {
    my $place = workplace(
        'x.out'     => $RESULTS,
        'a.tma'     => "\\immediate\\pdfobj stream file{$home/note}",
        'p2p_x.dri' => "\\input $home/note "
    );
    my $got = dorep( $place, '-d', q{.}, '--format=pdf', 'x.out' );
    is $got->{status}, 0, 'the report is made';
    like $got->{err}, qr/ignored: .*a[.]tma.*use -u if these files are yours/,
      'the files are listed';
    is seen_in($place), q{}, 'they have no effect';
};

my $reason = why_not_confined( workplace() );
if ( defined $reason ) {
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => 'x' );
    my $got   = dorep( $place, '-u', 'x.out' );
    is $got->{status}, 1, "-u fails, as bubblewrap does not work here: $reason";
    like $got->{err}, qr/cannot confine.*run without -u/, 'with a message';
    is_deeply [ files_in($place) ], [qw(a.tma x.out)], 'no file is written';
    done_testing;
    exit 0;
}

# Every attack works without confinement (looked at in the long form), and none works with it.
for my $what ( sort keys %ATTACKS ) {
    my $free = sub ($job) { return $job };
    ok shows( $ATTACKS{$what}, $home, { openin_any => 'a' }, $free ),
      "$what: works without confinement"
      if $ENV{SKAMPI_LONG} && $what ne 'pdfmapfile';
    my @seen = grep { shows( $ATTACKS{$what}, $_, {}, \&confined ) } @TRIED;
    is "@seen", q{}, "$what: reads nothing if confined";
}

subtest 'in a report' => sub {
    my @tex   = map { "\\IfFileExists{$_/note}{SEEN-FILE}{no}\n" } @NAMES[ 0, 1 ];
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => "\\section{Mine}@tex" );
    is dorep( $place, '-u', 'x.out' )->{status}, 0, 'both formats are made';
    like pdf_text("$place/x.out.pdf"), qr/Mine\s+no\s+no/, 'LaTeX of the user is used';
    is seen_in($place), q{}, 'it can read nothing';
    write_file( "$place/b.tma", "\\immediate\\pdfobj stream file{$home/note}" );
    my $got = dorep( $place, '-u', '--format=pdf', '-o', 'y', 'x.out' );
    is $got->{status}, 1, 'reading a missing file is an error';
};

subtest 'writing' => sub {
    my $tex   = join q{}, map { "\\immediate\\openout5=$_/mark \\immediate\\write5{x}\n" } @NAMES;
    my $place = workplace(
        'x.out'     => $RESULTS,
        'a.tma'     => "\\catcode`\\\$=12 $tex",
        'p2p_x.gpl' => "system('touch $home/mark'); set print '$home/mark'; print 1\n"
    );
    dorep( $place, '-u', '--format=pdf', 'x.out' );
    ok !-e "$home/mark", 'neither TeX nor gnuplot write outside of their directory';
};

subtest 'links' => sub {
    for my $end ( 'tma', $ENV{SKAMPI_LONG} ? qw(gpl tmd dri) : () ) {
        my $place = workplace( 'x.out' => $RESULTS );
        symlink "$home/note", "$place/p2p_x.$end" or die $!;
        my $got = dorep( $place, '-u', '--format=pdf', 'x.out' );
        is $got->{status}, 1, "$end: a link is refused";
        like $got->{err}, qr/'.*p2p_x[.]$end' is a link; -u accepts only regular files/,
          'with its name';
    }
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => '\input{y}' );
    symlink "$home/note", "$place/y.tex" or die $!;
    is dorep( $place, '-u', '--format=pdf', 'x.out' )->{status}, 1, 'including a link is an error';
    is seen_in($place),                                          q{}, 'its target is not read';
};

subtest 'the environment' => sub {
    local $ENV{A_SECRET} = $SECRET;
    my $place = workplace(
        'x.out'     => $RESULTS,
        'p2p_x.gpl' => "set print 'p2p_x.tex'; print system('echo \$A_SECRET')\n"
    );
    dorep( $place, '-u', '--format=pdf', 'x.out' );
    is seen_in($place), q{}, 'variables with secrets are removed';
};

done_testing;
