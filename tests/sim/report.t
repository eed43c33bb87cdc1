# The report of a fresh, simulated run of the first suites of the standard file and some of each other sort: how
# long it is, that nothing is missing, that it looks right, and that its figures can be part of a paper.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(why_not dorep pdf_pages pdf_text tool);
use SKaMPI::Sim        ();
use SKaMPI::Test       qw($ROOT files_in read_file scratch write_file);

my ($missing) = grep { $_ ne q{} } why_not(), SKaMPI::Sim::why_not();
plan skip_all => $missing if defined $missing;

# In the units of gnuplot's pictures, 1/20 bp: a digit, and a line of text.
my ( $DIGIT, $LINE ) = ( 85, 180 );

my $dir    = scratch();
my $config = read_file("$ROOT/configs/standard.skampi");

# Point-to-point, which has most of the plots, and what has other figures.
$config =~ s/\A((?:.*?^\@MEASUREMENTS\b){2}.*?)^\@COMMENT.*/$1/ms;
$config =~ s/^\@VERSION .*/\@VERSION 4.2/m;
$config .= join q{},
  map { "$_\n" } 'Pairs { Type = 160; Variation = Pairs; Parameters = "pairs=round"; }',
'Overlap { Type = 300; Variation = Work; Scale = Fixed_linear; End_Argument = 200; Stepwidth = 100; }',
  map(
    {       "*-$_ { Type = 201, 202; Variation = Length; Scale = Fixed_log; Start_Argument = 8;"
          . qq( End_Argument = 65536; Stepwidth = 64; Parameters = "sync=$_"; }) }
    qw(flush fence pscw lock) ),
  map { qq(*-$_ { Type = 120, 124, 128, 132, 133; Parameters = "method=$_"; }) }
  qw(ddt manual pack contiguous);
$config =~ s/^\@MEMORY .*/\@MEMORY 1024/m;
$config =~ s/^\@MINREPDEFAULT .*/\@MINREPDEFAULT 4/m;
$config =~ s/^\@MAXREPDEFAULT .*/\@MAXREPDEFAULT 8/m;
$config =~ s/^\@LOGFILE .*/\@LOGFILE $dir\/skampi.log/m;
write_file( "$dir/.skampi", $config );
my ($skampi) = SKaMPI::Sim::build('truth');

# Ten probes a microsecond, not a hundred: here no time need be exact.
my @files = ( '-f', "$dir/.skampi", '-o', "$dir/skampi.out" );
SKaMPI::Sim::simulate( 'flat', 2, '--cfg=smpi/iprobe:1e-7', $skampi, '-q', @files );
my $report = dorep( $dir, '-t' );
is $report->{status}, 0,   'a report';
is $report->{err},    q{}, 'without complaints';

my $files = "$dir/skampi.out.files";
my $text  = pdf_text("$dir/skampi.out.pdf");
cmp_ok pdf_pages("$dir/skampi.out.pdf"), '<=', 28, 'pages, one of them about the machine';
like $text,
qr/Is the machine all right.*Key figures.*The machine.*Which call for which length.*Machine and run/s,
  'the answer comes first';

subtest 'each suite and each line of default.dorep' => sub {
    my $words   = $text =~ s/\s+//gr;
    my @missing = grep { index( $words, $_->{name} =~ s/\s+//gr ) < 0 }
      SKaMPI::Read::Output->from_file("$dir/skampi.out")->suites;
    is join( q{ }, map { $_->{name} } @missing ), q{}, 'suites';
    my $tex = read_file("$files/report.tex");
    for my $name (
        'Ways of sending',
        'Ways of receiving',
        'Fresh and kept data',
        'Which call for which length'
      )
    {
        like $tex, qr/\Q$name\E/, $name;
    }
    my @drawn = map { /^(.*)[.]gpl\z/ } files_in($files);
    my %shown = map { $_ => 1 } map { /\\plot\{([^}]+)\}/g } map { read_file("$files/$_") }
      grep { /[.]tmd\z|\Areport[.]tex\z/ } files_in($files);
    is join( q{ }, grep { !$shown{$_} } @drawn ), q{}, 'each plot is shown';
    unlike $text, qr/could not be drawn/, 'and was drawn';
};

subtest 'boxes' => sub {
    for my $log (qw(report-pdf.txt report-ps.txt)) {
        my @wide =
          grep { $_ > 5 } read_file("$files/$log") =~ /^Overfull \\[hv]box \(([0-9.]+)pt/mg;
        diag join "\n", read_file("$files/$log") =~ /^(Overfull .*\n.*\n.*\n)/mg if @wide;
        is "@wide", q{}, "$log: none is more than 5 pt too large";
    }
};

# Texts that "\put(X,Y){\makebox(0,0)...{\strut{}TEXT}}" places: the labels of the ticks are right of the axis
# or below it, centred; those of the lower panel, too.
subtest 'labels of ticks do not overlap' => sub {
    my ( @wrong, $count );
    for my $name ( grep { /[.]tex\z/ && !/\Areport/ } files_in($files) ) {
        my @put = read_file("$files/$name") =~
          /\\put\((\d+),(\d+)\)\{\\makebox\(0,0\)(\[r\])?\{\\strut\{\}(.*?)\}\}%/g;
        my ( @x, @y );
        while ( my ( $x, $y, $right, $label ) = splice @put, 0, 4 ) {
            next if $label =~ /\A\z|[a-z]{4}/ || $right && $label !~ /[0-9]/;
            if ($right) { push @y, [ $y, $LINE / 2, $x ] }
            else { push @x, [ $x, $DIGIT * length( $label =~ s/\\textmu |\\[,%]/ /gr ) / 2 ] }
        }
        $count += @x + @y;
        push @wrong, "$name: x" if touch(@x);
        push @wrong, "$name: y" if touch(@y);
    }
    cmp_ok $count, '>', 150, 'labels';
    is "@wrong", q{}, 'none';
};

sub touch (@labels) {
    @labels = sort { $a->[0] <=> $b->[0] } @labels;
    return grep {
        my ( $first, $second ) = @labels[ $_ - 1, $_ ];
        $second->[0] - $first->[0] < $first->[1] + $second->[1]
    } 1 .. $#labels;
}

# By the lowest word of each page but the last, above the page's number.
subtest 'pages are not half empty' => sub {
    my @pages = split /<page /, tool( $dir, 'pdftotext', '-bbox', 'skampi.out.pdf', q{-} )->{out};
    for my $number ( 1 .. $#pages - 1 ) {
        my ($height) = $pages[$number] =~ /height="([0-9.]+)"/;
        my $lowest = max grep { $_ < 0.94 * $height } $pages[$number] =~ /yMax="([0-9.]+)"/g;
        cmp_ok $lowest, '>', 0.5 * $height, "page $number";
    }
};

# As the manual shows it: no style file of ours, another directory, the font of the paper.
subtest 'all figures in a paper' => sub {
    my @figures = map { /^(.*)[.]gpl\z/ } files_in($files);
    my @lines =
      map { "\\noindent\\resizebox{\\linewidth}{!}{\\input{skampi.out.files/$_}}\n" } @figures;
    write_file( "$dir/paper.tex", <<'END' . join( "\n", @lines ) . "\\end{document}\n" );
\documentclass{article}
\usepackage{graphicx,xcolor}
\graphicspath{{skampi.out.files/}}
\begin{document}
END
    my $latex = tool( $dir, 'pdflatex', '-halt-on-error', '-interaction=nonstopmode', 'paper.tex' );
    my $tex   = join q{}, map { read_file("$files/$_.tex") } @figures;
    unlike $tex, qr/(?<!\\strut[{][}])\\fontsize/, 'small labels are aligned';
    is $latex->{status}, 0, scalar(@figures) . ' figures';
    unlike $latex->{out}, qr/^Overfull|^LaTeX Warning: File/m, 'that fit';
};

done_testing;
