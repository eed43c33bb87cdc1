#!/usr/bin/perl
# LaTeX and gnuplot files of the user are programs, and may be a stranger's all the same. They are taken
# only with -u, and reach no file but those that dorep gives them.
use v5.36;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../report/lib";
use SKaMPI::Report::Confine qw(why_not_confined);
use SKaMPI::Report::Workshop;
use SKaMPI::ReportTest qw(dorep files_in pdf_text result_text tool why_not workplace);

plan skip_all => why_not() if why_not();

my $SECRET  = 'THE-SECRET-OF-ANOTHER-FILE';
my $RESULTS = result_text( {}, { label => 'p2p_x', rows => [ map { "$_ 1 .1 8" } 1 .. 5 ] } );

# A home with a secret in files of all the kinds that TeX reads.
my $home = workplace( map { $_ => "$SECRET\n" } 'note', 'note.tex', 'note.tfm', 'note.map' );
my $size = -s "$home/note";
my $date = ( localtime( ( stat "$home/note" )[9] ) )[5] + 1900;
tool( $home, 'sh', '-c', "printf %s $SECRET | md5sum" );
my ($sum) = map { uc substr $_, 0, 32 } tool( $home, 'md5sum', 'note' )->{out};
tool( $home, 'cp', "$FindBin::Bin/data/dot.pdf", 'note.pdf' );

my $SET_UP = '\catcode`\$=12 \catcode`\~=12 \pdfcompresslevel=0 \newread\hostile ';

# How TeX may reach a file. PATH is the file's name.
my %ATTACKS = (
    'input'           => '\input PATH ',
    'openin'          => '\openin\hostile=PATH \ifeof\hostile\else\read\hostile to\x\x\fi',
    'pdfximage'       => '\pdfximage{PATH.pdf}SEEN-PICTURE',
    'pdfobj file'     => '\immediate\pdfobj stream file{PATH}',
    'pdffiledump'     => 'DUMP\pdffiledump offset 0 length 10{PATH}',
    'pdfmdfivesum'    => 'SUM\pdfmdfivesum file{PATH}',
    'pdffilesize'     => 'SIZE\pdffilesize{PATH}',
    'pdffilemoddate'  => 'DATE\pdffilemoddate{PATH}',
    'pdfmapfile'      => '\pdfmapfile{PATH.map}',
    'font'            => '\font\f=PATH SEEN-FONT',
    'IfFileExists'    => '\IfFileExists{PATH}{SEEN-FILE}{}',
    'includegraphics' => '\includegraphics{PATH.pdf}SEEN-PICTURE',
    'lstinput'        => '\csname @@input\endcsname PATH ',
    'the name'        => '\csname pdfobj\endcsname stream file{PATH}',
    'a copy'          => '\csname tex_openin:D\endcsname\hostile=PATH \csname tex_read:D\endcsname'
      . '\hostile to\x\x',
    'a copy of pdfobj' => '\immediate\csname tex_pdfobj:D\endcsname stream file{PATH}',
    'special'          => '\special{psfile=PATH}\special{header=PATH}',
);

# Absolute, up from here, and as kpathsea completes it; and the same by links in the directory.
my @NAMES = ( $home, "../../../../../../..$home", '~', '$HOME' );

my $HEX  = uc unpack 'H20', $SECRET;
my $SEEN = qr/$SECRET|SEEN-|DUMP\s*$HEX|SUM\s*$sum|SIZE\s*$size|DATE\s*D:$date/;

sub seen_in ($place) {
    return join ', ', grep { slurp("$place/$_") =~ $SEEN || shown("$place/$_") =~ $SEEN }
      grep { /^x[.]out[.]/ } files_in($place);
}

sub slurp ($path) {
    open my $file, '<:raw', $path or return q{};
    my $bytes = do { local $/ = undef; <$file> };
    close $file or die "$path: $!";
    return $bytes;
}

sub shown ($path) { return $path =~ /pdf\z/ ? pdf_text($path) : q{} }

local $ENV{HOME} = $home;

subtest 'without -u' => sub {
    my $place = workplace(
        'x.out'     => $RESULTS,
        'a.tma'     => "$SET_UP\\immediate\\pdfobj stream file{$home/note}",
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

# Every attack is tried by itself, as the first that fails would end LaTeX.
for my $what ( sort keys %ATTACKS ) {
    for my $name (@NAMES) {
        my $tex   = $SET_UP . $ATTACKS{$what} =~ s{PATH}{$name/note}gr;
        my $place = workplace( 'x.out' => $RESULTS, 'a.tma' => "Mine: $tex\n" );
        my $got   = dorep( $place, '-u', 'x.out', '--format', $what eq 'special' ? 'ps' : 'pdf' );
        unlike $got->{out} . $got->{err}, $SEEN, "$what of $name says nothing";
        is seen_in($place), q{}, 'and shows nothing';
    }
}

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
