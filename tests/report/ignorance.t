# Nothing is known: all errors are as large as the times. No text of skampi-show and of the report may claim anything.
use v5.36;

use Encode qw(decode);
use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Document::Template;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(page_of);
use SKaMPI::Test       qw($ROOT command read_file scratch write_file);

# Words that claim, except that a line of the health is good: set-up and steadiness are no times.
my $CLAIM =
  qr/\b(?:faster|slower|equal|as\ fast|shortest\ time|times\ as\ long|within\ 5\ |good|best)\b/x;

# A latency may be within its limit with its whole interval.
my $JUDGED =
qr/good: set-up, (?:messages, )?steadiness; not judged: (?:messages, )?collectives|\b(?:set-up|messages|steadiness)\}?: good\b/;

# The argument of a row is missing in suites without one.
my $text = read_file("$ROOT/docs/examples/standard.out") =~
  s/^((?:[0-9]+ )?)([0-9.]+) [0-9.]+ ([0-9]+ )/$1$2 $2 $3/gmr;
my $dir = scratch();
write_file( "$dir/ignorant.out", $text );

sub show (@options) {
    my $made = command( $dir, $^X, "$ROOT/report/show.pl", @options, 'ignorant.out' );
    return decode( 'UTF-8', $made->{out} ) =~ s/\s+/ /gr;
}

# The sentences of a page, without those of the prose, which explain.
sub sentences ($page) {
    my $prose = join q{ }, map { read_file($_) } glob "$ROOT/report/{texts,templates}/*";
    $prose =~ s/\s+/ /g;
    return grep { index( $prose, $_ ) < 0 } split /(?<=[.;:}])\s+|\s*\\\w+(?:\{\w*\})?\s*/,
      $page =~ s/\s+/ /gr;
}

subtest 'skampi-show' => sub {
    for my $options ( [], ['--brief'], ['--health'] ) {
        my $said = show( @{$options} );
        like $said, qr/$JUDGED/, "@{$options}: the headline says what was not judged";
        $said =~ s/$JUDGED|\bgood (?=(?:set-up|messages|steadiness): )//g;
        unlike $said, $CLAIM, 'and nothing claims';
    }
    is scalar( () = show('--brief') =~ /not known: its error is above 50 %/g ), 4,
      'no figure is known';
};

subtest 'the report' => sub {
    my $output  = SKaMPI::Read::Output->from_text($text);
    my $file    = SKaMPI::Findings::ComparisonFile->from_file( "$ROOT/report/default.dorep", 1 );
    my $content = SKaMPI::Document::Content->new(
        $output,
        comparisons => $file->applied_to($output)->{comparisons},
        style       => { fewest => 4, mono => 0, bars => 0 }
    );
    my $document = SKaMPI::Document::Template->new;
    my $page     = join "\n", page_of($content),
      map { $document->text( 'suite', { suite => $_->data } ) }
      grep { $_->isa('SKaMPI::Document::SuiteView') } $content->views;
    like $page, qr/cannot be told apart \(errors above 100 \\%\)/, 'comparisons say what is known';
    like $page, qr/Latency&+not known: /,                          'figures, too';
    unlike $page, qr/\\choice(?:\{(?:best|[1-4])\})\{(?!Bold)/,    'no call of the chart is marked';
    is_deeply [ grep { $_ =~ $CLAIM } sentences( $page =~ s/$JUDGED//gr ) ], [],
      'no sentence claims';
};

done_testing;
