#!/usr/bin/perl
# LaTeX and gnuplot files of the user are programs, and may be a stranger's all the same. They are taken
# only with -u, and reach no file but those that dorep gives them.
use v5.36;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../report/lib";
use SKaMPI::Report::Confine qw(confined why_not_confined);
use SKaMPI::Report::Tools   qw(run_one);
use SKaMPI::ReportTest      qw(dorep files_in pdf_text result_text tool why_not workplace);
use SKaMPI::Test            qw(write_file);

plan skip_all => why_not() if why_not();

my $SECRET  = 'THE-SECRET-OF-ANOTHER-FILE';
my $RESULTS = result_text( {}, { label => 'p2p_x', rows => [ map { "$_ 1 .1 8" } 1 .. 5 ] } );

# A home with a secret in files of all the kinds that TeX reads.
my $home = workplace( map { $_ => "$SECRET\n" } 'note', 'note.tex', 'note.map' );
my $size = -s "$home/note";
my $date = 1900 + ( gmtime( ( stat "$home/note" )[9] ) )[5];
my $sum  = uc substr tool( $home, 'md5sum', 'note' )->{out}, 0, 32;
tool( $home, 'cp', tool( $home, 'kpsewhich', 'cmr10.tfm' )->{out} =~ s/\n//r, 'note.tfm' );
tool( $home, 'pdftex', '-interaction=nonstopmode', '-jobname=note', '\relax x\end' );

# How TeX may reach a file. PATH is the file's name.
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

# Absolute, up from here, and as kpathsea completes it, which openin_any=p does not see.
my @NAMES = ( $home, "../../../../../../..$home", '~', '$HOME' );

my $HEX  = uc unpack 'H20', $SECRET;
my $SEEN = qr/$SECRET|SEEN-|DUMP\s*$HEX|SUM\s*$sum|SIZE\s*$size|DATE\s*D:$date/;

# Whether LaTeX shows in its document or in what it says, without its lines of the text, what it should
# not reach.
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

sub slurp ($path) {
    open my $file, '<:raw', $path or return q{};
    my $bytes = do { local $/ = undef; <$file> };
    close $file or die "$path: $!";
    return $bytes;
}

local $ENV{HOME} = $home;

subtest 'without -u' => sub {
    my $place = workplace(
        'x.out'     => $RESULTS,
        'a.tma'     => "\\immediate\\pdfobj stream file{$home/note}",
        'p2p_x.dri' => "\\input $home/note "
    );
    my $got = dorep( $place, '-d', q{.}, '--format=pdf', 'x.out' );
    is $got->{status}, 0, 'a report';
    like $got->{err}, qr/not used: .*a[.]tma.*give -u if these files are yours/,
      'the files are named';
    is seen_in($place), q{}, 'and do nothing';
};

my $reason = why_not_confined( workplace() );
if ( defined $reason ) {
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => 'x' );
    my $got   = dorep( $place, '-u', 'x.out' );
    is $got->{status}, 1, "-u is refused, as bubblewrap does not work here: $reason";
    like $got->{err}, qr/cannot confine.*make the report without -u/, 'which is told';
    is_deeply [ files_in($place) ], [qw(a.tma x.out)], 'and nothing is made';
    done_testing;
    exit 0;
}

# Every attack works where nothing prevents it; nothing of it works in the confinement.
for my $what ( sort keys %ATTACKS ) {
    my $free = sub ($job) { return $job };
    ok shows( $ATTACKS{$what}, $home, { openin_any => 'a' }, $free ), "$what: a real attack"
      if $what ne 'pdfmapfile';
    my @seen = grep { shows( $ATTACKS{$what}, $_, {}, \&confined ) } @NAMES;
    is "@seen", q{}, "$what: reaches nothing";
}

subtest 'in a report' => sub {
    my @tex   = map { "\\IfFileExists{$_/note}{SEEN-FILE}{no}\n" } @NAMES[ 0, 1 ];
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => "\\section{Mine}@tex" );
    is dorep( $place, '-u', 'x.out' )->{status}, 0, 'both formats';
    like pdf_text("$place/x.out.pdf"), qr/Mine\s+no\s+no/, 'with LaTeX of the user';
    is seen_in($place), q{}, 'which sees nothing';
    write_file( "$place/b.tma", "\\immediate\\pdfobj stream file{$home/note}" );
    my $got = dorep( $place, '-u', '--format=pdf', '-o', 'y', 'x.out' );
    is $got->{status}, 1, 'a file that is not there ends it';
};

subtest 'writing' => sub {
    my $tex   = join q{}, map { "\\immediate\\openout5=$_/mark \\immediate\\write5{x}\n" } @NAMES;
    my $place = workplace(
        'x.out'     => $RESULTS,
        'a.tma'     => "\\catcode`\\\$=12 $tex",
        'p2p_x.gpl' => "system('touch $home/mark'); set print '$home/mark'; print 1\n"
    );
    dorep( $place, '-u', '--format=pdf', 'x.out' );
    ok !-e "$home/mark", 'leaves nothing outside, neither by TeX nor by gnuplot';
};

subtest 'links and others' => sub {
    for my $end (qw(tma gpl tmd dri)) {
        my $place = workplace( 'x.out' => $RESULTS );
        symlink "$home/note", "$place/p2p_x.$end" or die $!;
        my $got = dorep( $place, '-u', '--format=pdf', 'x.out' );
        is $got->{status}, 1, "$end: a link is refused";
        like $got->{err}, qr/'.*p2p_x[.]$end' is a link; -u takes regular files only/, 'by name';
    }
    my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => '\input{y}' );
    symlink "$home/note", "$place/y.tex" or die $!;
    is dorep( $place, '-u', '--format=pdf', 'x.out' )->{status}, 1,   'a link is not included';
    is seen_in($place),                                          q{}, 'nor seen';
};

subtest 'the environment' => sub {
    local $ENV{A_SECRET} = $SECRET;
    my $place = workplace(
        'x.out'     => $RESULTS,
        'p2p_x.gpl' => "set print 'p2p_x.tex'; print system('echo \$A_SECRET')\n"
    );
    dorep( $place, '-u', '--format=pdf', 'x.out' );
    is seen_in($place), q{}, 'is not for programs of others';
};

done_testing;
