# Complete reports, made by the real tools.
use v5.36;

use Encode   qw(decode);
use IPC::Run qw(start);
use Test::More;
use Time::HiRes         qw(sleep);
use SKaMPI::ReportTest  qw(dorep files_in pdf_pages pdf_text tool why_not workplace);
use SKaMPI::Safe::Tools qw(why_not_confined);
use SKaMPI::Test        qw($ROOT slurp);

plan skip_all => why_not() if why_not();

# Without bubblewrap, -u fails (tests/report/confine.t).
my $unconfined = why_not_confined( workplace() );
$unconfined &&= "-u does not work here: $unconfined";

my $DOREP = "$ROOT/report/dorep.pl";

my $RESULTS    = slurp("$ROOT/tests/report/data/report.out");
my $UNFINISHED = slurp("$ROOT/tests/report/data/unfinished.out");
my $OLD        = slurp("$ROOT/tests/report/data/old.out");
my $COMPARISON = "Two of them: p2p_MPI_Send-MPI_Recv, p2p_MPI_Isend-MPI_Recv\n";

# The text of an HTML report. LaTeX takes most of the time of this file.
sub html_text ($path) {
    return decode( 'UTF-8', slurp($path) ) =~ s/<[^>]*>/ /gr =~ s/\x{a0}/ /gr =~ s/&#39;/'/gr;
}

sub page_of ( $text, $what ) {
    my @pages  = split /\f/, $text;
    my ($page) = grep { $pages[ $_ - 1 ] =~ $what } 1 .. @pages;
    return $page;
}

subtest 'a report' => sub {
    my $place = workplace( 'skampi.out' => $RESULTS, '.dorep' => $COMPARISON );
    my $got   = dorep($place);
    is $got->{status}, 0,                                                   'exit status';
    is $got->{err},    q{},                                                 'no complaint';
    is $got->{out},    "skampi.out.pdf: 2 pages\nskampi.out.ps: 2 pages\n", 'the message';
    is_deeply [ files_in($place) ], [qw(.dorep skampi.out skampi.out.pdf skampi.out.ps)],
      'only the report is written';

    my $pdf = "$place/skampi.out.pdf";
    is pdf_pages($pdf), 2, 'pages';
    my $text = pdf_text($pdf);
    my @on   = (
        [ 1, qr/\APair of nodes\s+MPI performance report: / ],
        [ 1, qr/^Is the machine all right[?] cannot tell/m ],
        [ 1, qr/^Key figures$/m ],
        [ 1, qr/Latency\s.*250[.]0 ns/s ],
        [ 1, qr/^Findings$/m ],
        [ 1, qr/^1\s+Point-to-point\s+2\s+2\s+Comparisons\s+2/m ],
        [ 2, qr/^1\s+Point-to-point\s+Two processes/m ],
        [ 2, qr/^1[.]1\s+MPI_Send-MPI_Recv$/m ],
        [ 2, qr/^1[.]2\s+MPI_Isend-MPI_Recv$/m ],
        [ 1, qr/added by refinement.*requested accuracy not reached/s ],
        [ 2, qr/Bandwidth\s+2 L \/ x, both directions of a round trip/ ],
        [ 1, qr/10 \x{b5}s/ ],
        [ 2, qr/^2\s+Comparisons\s+Suites over/m ],
        [ 2, qr/^2[.]1\s+Two of them$/m ],
        [ 2, qr/The\s+order\s+changes\s+between\s+256\s+B\s+and\s+1\s+KiB/ ],
        [ 2, qr/^3\s+Machine and run.*Zo\x{eb}/ms ],
    );
    is page_of( $text, $_->[1] ) // 0, $_->[0], "page $_->[0] has $_->[1]" for @on;

    my @fonts = split /\n/, tool( $place, 'pdffonts', $pdf )->{out};
    is scalar( grep { /Type 3/ } @fonts ),                       0, 'no bitmap fonts';
    is scalar( grep { !/\byes yes\b/ } @fonts[ 2 .. $#fonts ] ), 0, 'all fonts are embedded';
    is scalar( split /\n/, tool( $place, 'pdfimages', '-list', $pdf )->{out} ), 2,
      'plots are vector graphics';
    my $drawn = () = slurp($pdf) =~ m{/Subtype ?/Form}g;
    is $drawn, 9,
      'it has nine plots: two of messages, two of each suite, two and a key of the comparison';
    my $ps = slurp("$place/skampi.out.ps");
    like $ps, qr/\A%!PS-Adobe/,  'PostScript';
    like $ps, qr/^%%Pages: 2$/m, 'it has as many pages';
    is scalar( () = $ps =~ /^%%BeginDocument: .*eps/mg ), 9, 'it has as many plots';
    unlike $ps, qr/^%%DocumentNeededFonts/m, 'it contains all fonts';
};

subtest 'old and unfinished results' => sub {
    my $place = workplace( 'old' => $OLD, 'unfinished' => $UNFINISHED );
    my $got   = dorep( $place, '-q', '-b', '--format', 'html', 'old', 'unfinished' );
    is "$got->{status}$got->{out}$got->{err}", '0', 'both reports are made, without messages';
    like html_text("$place/old.html"), qr/merged from several runs/, 'merged runs are mentioned';
    my $text = html_text("$place/unfinished.html");
    like $text, qr/The run is not finished.*col_MPI_Barrier-nodes' is incomplete/s,
      'missing results are mentioned';
    like $text, qr/oversubscribed: 4 processes.*governor: CPU/s, 'every warning is printed';
    like $text, qr/K\x{f6}nig/,                                  'umlauts are printed';
    like $text, qr/Time of each process at 2 processes.*Time of each process at 4 processes/s,
      '--bars adds bar charts';
};

subtest 'options' => sub {
    my $place = workplace( 'x.out' => $RESULTS );
    is dorep( $place, qw(--format ps -o y -m 8 --mono x.out) )->{status}, 0, 'several options';
    is_deeply [ files_in($place) ], [qw(x.out y.ps)], '-o and --format determine the files';
    unlike slurp("$place/y.ps"), qr/0[.]83\d* 0[.]36\d* 0 (?:rg|setrgbcolor)/,
      '--mono uses no colour';
    my @wrong = (
        [ '-x'                    => qr/unknown option: x/ ],
        [ '--format=x'            => qr/expected html, pdf, ps, both or all, got 'x'/ ],
        [ '-m0'                   => qr/at least 1 point/ ],
        [ '--compare'             => qr/at least two files/ ],
        [ qw(--compare x.out --), => qr/expected files before and after each --/ ],
        [ qw(--compare -- x.out), => qr/expected files before and after each --/ ],
        [ qw(-o z x.out x.out),   => qr/cannot use -o/ ],
    );
    for my $case (@wrong) {
        my $message = pop @{$case};
        my $got     = dorep( $place, @{$case} );
        is $got->{status}, 2, "@{$case}: exit status";
        like $got->{err}, $message, 'with the reason';
    }
    my $got = dorep( $place, 'nothing' );
    is $got->{status}, 2, 'a missing file';
    like $got->{err}, qr/\Adorep: cannot read 'nothing': .*\n\z/, 'one error';
};

subtest '.dorep' => sub {
    my $place = workplace(
        'x.out'  => $RESULTS,
        '.dorep' => "# mine\n--format html\n$COMPARISON",
        'chosen' => "--format ps\n-o mine\n-m 100\n",
    );
    is dorep( $place, '-o', 'yours.html', 'x.out' )->{status}, 0, 'a file with options';
    is dorep( $place, '-o', 'paper.ps',   'x.out' )->{status}, 0, 'the end of a name is a format';
    {
        local $ENV{DOREP} = 'chosen';
        is dorep( $place, '--format', 'html', 'x.out' )->{status}, 0, '$DOREP names a file';
    }
    is_deeply [ files_in($place) ], [qw(.dorep chosen mine.html paper.ps x.out yours.html)],
      'the command line overrides the options of a file';
    my $text = html_text("$place/mine.html");
    like $text,   qr/640 B.*1[.]500 \x{b5}s.*0[.]7 %/s, '-m 100: a table has every point';
    unlike $text, qr/Bandwidth of/,                     'there is no plot';
    $place = workplace(
        'x.out'  => $RESULTS,
        'other'  => "# mine\n$COMPARISON" . "Another:\n p2p_MPI_Send-MPI_Recv,\n p2p_nope\n",
        '.dorep' => "--oops\n",
    );
    my $got = dorep( $place, 'x.out' );
    is $got->{status}, 2, 'an unknown option in the file';
    like $got->{err}, qr/[.]dorep:1: unknown option: oops/, 'with its line';
    local $ENV{DOREP} = 'other';
    $got = dorep( $place, '--format=html', 'x.out' );
    is $got->{status}, 2, 'an unknown suite';
    is $got->{err}, "dorep: other:5: no suite 'p2p_nope' in the results\n",
      'is reported with its line';
    like html_text("$place/x.out.html"), qr/Two of them/, 'the other comparison is made';
};

subtest 'own files' => sub {
    plan skip_all => $unconfined if $unconfined;
    my $place = workplace(
        'x.out'                     => $RESULTS,
        'a.tma'                     => "\\section{Of my own}\n\\input{trees}\n",
        'trees.tex'                 => "Trees are green.\n",
        'p2p_MPI_Send-MPI_Recv.tmd' => "\\subsection{Mine instead}\n"
          . "\\plot{p2p_MPI_Send-MPI_Recv}\n",
        'p2p_MPI_Send-MPI_Recv.gpl' => "set terminal cairolatex pdf input\n"
          . "set output 'p2p_MPI_Send-MPI_Recv.tex'\n"
          . "plot 'p2p_MPI_Send-MPI_Recv.dat' title 'my curve'\n",
        'p2p_MPI_Isend-MPI_Recv.gpl' => "plot nonsense(\n",
        'MPI_Isend-MPI_Recv.dri'     => "Sky is blue.\n",
        '.dorep'                     => $COMPARISON,
    );
    my $got = dorep( $place, '--format=html', 'x.out' );
    is $got->{status}, 0, 'without -u, the report is made';
    my @own = qw(MPI_Isend-MPI_Recv.dri a.tma p2p_MPI_Isend-MPI_Recv.gpl p2p_MPI_Send-MPI_Recv.gpl
      p2p_MPI_Send-MPI_Recv.tmd);
    is $got->{err},
      'dorep: ignored: ' . join( ', ', @own ) . "; use -u if these files are yours\n",
      'the files are listed';
    my $text = html_text("$place/x.out.html");
    unlike $text, qr/Trees are green|Mine instead|my curve|Sky is blue/, 'none of them is used';
    $got = dorep( $place, '--format=pdf', '-u', 'x.out' );
    is $got->{status}, 0, 'with -u, the report is made';
    $text = pdf_text("$place/x.out.pdf");
    like $text, qr/Trees are green.*Two of them/s, '.tma files precede the comparisons';
    like $text, qr/Mine instead/,                  '.tmd files are used';
    like $text, qr/my curve/,                      '.gpl files are used';
    like $text, qr/Sky is blue/,                   '.dri files are used';

    like $got->{err}, qr/p2p_MPI_Isend-MPI_Recv[.]gpl: gnuplot exited with status 1: .*line 1/,
      'a .gpl file with an error is reported';
    like $text, qr/This plot could not be drawn/, 'also in the report';

    $place = workplace( 'x.out' => $RESULTS, 'a.tma' => "\\oops\n" );
    $got   = dorep( $place, '--format=pdf', '-u', 'x.out' );
    is $got->{status}, 1, 'a .tma file with an error';
    like $got->{err}, qr/Undefined control sequence.*oops/s, 'is reported';
    is_deeply [ files_in($place) ], [qw(a.tma x.out)], 'no file is written';
};

subtest 'errors of the tools' => sub {
    plan skip_all => $unconfined if $unconfined;
    my @cases = (
        [ 'of pdfTeX', '\font\x=tcss0800 \x a', qr/: !pdfTeX error: .*tcss0800/ ],
        [ 'of dvips',  '\special{header=nowhere.pro}', qr/: dvips: ! .*nowhere[.]pro/, 'ps' ],
    );
    for my $case (@cases) {
        my ( $what, $tex, $reason, $format ) = @{$case};
        my $place = workplace( 'x.out' => $RESULTS, 'p2p_MPI_Send-MPI_Recv.tmd' => $tex );
        my $got   = dorep( $place, '-u', '--format=' . ( $format // 'pdf' ), 'x.out' );
        is $got->{status}, 1, "an error $what";
        like $got->{err}, $reason, 'the reason';
    }
};

subtest 'temporary files' => sub {
    my $place = workplace( q{it's x.out} => $RESULTS );
    is dorep( $place, '--format=html', '-t', q{it's x.out} )->{status}, 0, '-t keeps them';
    my %kept = map { $_ => 1 } files_in("$place/it's x.out.files");
    ok $kept{$_}, $_ for qw(report.html p2p_MPI_Send-MPI_Recv.gpl p2p_MPI_Send-MPI_Recv.dat);
    is tool( $place, 'sh', './kill_temp' )->{status}, 0, 'kill_temp runs';
    is_deeply [ files_in($place) ], [ q{it's x.out}, q{it's x.out.html} ],
      'it removes them and itself';
};

subtest 'the first pass of LaTeX has boxes of the plots\' sizes' => sub {
    my $place = workplace( 'x.out' => $RESULTS );
    is dorep( $place, '--format=pdf', '-t', 'x.out' )->{status}, 0, 'a report';
    my %size = slurp("$place/x.out.files/boxes.tex") =~
      /csname box of (.+?)\\endcsname(.*height [0-9]+bp.*kern [0-9]+bp)/g;
    ok %size, 'boxes';
    for my $name ( sort keys %size ) {
        my ( $height, $width ) = $size{$name} =~ /height ([0-9]+)bp.*kern ([0-9]+)bp/;
        my $picture = sprintf '\begin{picture}(%d.00,%d.00)', map { 20 * $_ } $width, $height;
        ok index( slurp("$place/x.out.files/$name.tex"), $picture ) >= 0, "gnuplot's size of $name";
    }
};

subtest 'a signal' => sub {
    plan skip_all => $unconfined if $unconfined;
    my $place   = workplace( 'x.out' => $RESULTS, 'p2p_MPI_Send-MPI_Recv.gpl' => "pause 100\n" );
    my $scratch = "$place/scratch";
    mkdir $scratch or die "$scratch: $!";
    local $ENV{TMPDIR} = $scratch;
    my $err = q{};
    my $run = start [ $^X, $DOREP, '-u', '--format=pdf', 'x.out' ], '<', \undef, '>', \my $out,
      '2>', \$err, init => sub { chdir $place };
    sleep 0.1 until glob "$scratch/*/p2p_MPI_Send-MPI_Recv.log";
    $run->signal('TERM');
    $run->finish;
    is $err, "dorep: terminated by signal TERM\n", 'the message';
    is_deeply [ files_in($scratch) ], [], 'no temporary file is left';
    is_deeply [ files_in($place) ], [qw(p2p_MPI_Send-MPI_Recv.gpl scratch x.out)],
      'no other file is left';
};

subtest 'several machines' => sub {
    my $place = workplace( 'a.out' => $RESULTS, 'b.out' => $UNFINISHED );
    is dorep( $place, '--compare', '--format=pdf', 'a.out', 'b.out' )->{status}, 0, '--compare';
    my $text = pdf_text("$place/a.out.compared.pdf");
    like $text, qr/Comparison of machines.*Pair of nodes.*Two boards and a wire/s,
      'it names the machines';
    like $text, qr/No verdicts: processes: .4. in .b[.]out., .2. in .a[.]out./,
      'the summary says why there are no verdicts';
    like $text, qr/Key figures.*Point-to-point\s+\d.*The runs/s,  'what differs precedes the runs';
    like $text, qr/The runs have different numbers of processes/, 'it mentions differences';
    like $text, qr/^1[.]1\s+MPI_Send-MPI_Recv$/m,                 'it has the common suites';
};

done_testing;
