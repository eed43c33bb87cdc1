# Checks what a reader of the PDF sees (SKaMPI::Boxes), of a run of the test.
use v5.36;

use Test::More;
use SKaMPI::Boxes      qw($FULL pages_are_right part_with_text touching);
use SKaMPI::FreshRuns  qw(fresh_report);
use SKaMPI::ReportTest qw(why_not);

plan skip_all => why_not() if why_not();

subtest 'the quick suites on four processes' => sub {
    my $made = fresh_report() . '/skampi.out';
    my $text = pages_are_right( $made, 6 );
    ok -s "$made.files/$_", "-t keeps $_" for qw(report.tex p2p_MPI_Send-MPI_Recv.tmd);
    like $text, qr/within a host|between hosts/,        'page 1 has messages';
    like $text, qr/hollow: best equivalent/,            '... collectives';
    like $text, qr/Number of processes.*Key figures/s,  '... and operations over the processes';
    like $text, qr/Which call for which length.*Bold/s, 'a chart of calls';
};

subtest 'these checks find faults' => sub {
    my @apart =
      map { { text => $_, xMin => 10 * $_, xMax => 10 * $_ + 9, yMin => 50, yMax => 60 } } 1 .. 3;
    is_deeply [ touching( \@apart ) ], [], 'words that are apart';
    $apart[1]{xMin} = 12;
    is_deeply [ touching( \@apart ) ], ['1 and 2'], 'words that touch';
    cmp_ok part_with_text( \@apart ), '<', $FULL, 'a page that is empty below';
};

done_testing;
