# Large, small and special reports as PDF and HTML: the standard suites, a single operation, and what applications send.
use v5.36;

use Test::More;
use SKaMPI::ApplicationResults qw(application_results other_library);
use SKaMPI::Boxes              qw(pages_are_right);
use SKaMPI::FreshRuns          qw(fresh_run);
use SKaMPI::ReportTest         qw(dorep pdf_text tidy why_not workplace);
use SKaMPI::Test               qw($ROOT read_file);

plan skip_all => why_not() if why_not();

# The results as r.out, with reports.
sub report_of ( $results, $format ) {
    my $place = workplace( 'r.out' => $results );
    my $made  = dorep( $place, '--format', $format, qw(-t r.out) );
    is "$made->{status}$made->{err}", '0', 'a report is made';
    return "$place/r.out";
}

subtest 'the standard suites' => sub {
    my $results = read_file("$ROOT/docs/examples/standard.out");
    $results =~ s{(^\#/\*\@in\w*Bcast.*?^\#eol)}{$1 =~ s/^1048576 /1398100 /gmr}gmse;
    my $made  = report_of( $results, 'all' );
    my $text  = pages_are_right( $made, 21 );
    my $count = $text =~ tr/\f//;
    like $text, qr/64 KiB\s+1398100 B/,
      'the head of a table: a number and its unit are in one line';
    cmp_ok scalar( () = $text =~ /MPI_$/mg ), '<', 10, 'names are seldom broken after MPI_';
    like read_file("$made.ps"), qr/^%%Pages: $count$/m, 'PostScript has as many pages';
    cmp_ok -s "$made.html", '<', 2e6, 'HTML: less than 2 MB';
    is_deeply tidy("$made.html"), [], 'tidy';
};

subtest 'a single operation' => sub {
    my $suites = 'Allreduce { Type = 36; Variation = Length; Scale = Fixed_log; Start_Argument = 4;'
      . " End_Argument = 65536; Stepwidth = 4; }\n";
    my $text = pages_are_right( report_of( fresh_run( suites => $suites ), 'pdf' ), 2 );
    unlike $text, qr/machine all right|The machine/, 'says nothing about the machine';
    like $text,   qr/Time of .*Allreduce/,           'page 1 has its plot';
};

subtest 'what applications send' => sub {
    my $text  = application_results();
    my $pages = pdf_text( report_of( $text, 'pdf' ) . '.pdf' );
    like $pages, qr/$_/, $_
      for 'Cartesian faces', 'Unstructured access', 'Interleaved data', 'Uses until paid';
    my $place = workplace( 'a.out' => $text, 'b.out' => other_library($text) );
    my $made  = dorep( $place, qw(--format pdf --compare a.out b.out) );
    is "$made->{status}$made->{err}", '0', 'compared';
    like pdf_text("$place/a.out.compared.pdf"), qr/at\s+\d+\s+of\s+\d+\s+sizes:\s+there/,
      'with its note';
};

done_testing;
