#!/usr/bin/perl

# Checks what a reader of the PDF sees: full pages, texts that do not touch, large plots, and no sentence twice.
use v5.36;

use FindBin;
use List::Util qw(max min);
use Test::More;
use SKaMPI::FreshRuns  qw(fresh_run);
use SKaMPI::ReportTest qw(dorep files_in pdf_text tool why_not workplace);
use SKaMPI::Test       qw(read_file);

plan skip_all => why_not() if why_not();

my $ROOT = "$FindBin::Bin/../..";

# In points: the upper and lower end of the text on a page, and what a word may extend into another.
my $POINTS = 72 / 25.4;
my ( $TOP,    $BOTTOM ) = ( 17 * $POINTS, ( 297 - 15 ) * $POINTS );
my ( $ACROSS, $BELOW )  = ( 1, 0.5 );

# The part of a page that must have text, and the part of a word's box without ink, above and below.
my ( $FULL, $INKLESS ) = ( 2 / 3, 0.2 );

# The size of a plot in centimetres, and the most characters of a sentence that may recur.
my ( $WIDTH, $HEIGHT, $SHORT ) = ( 6, 4.5, 50 );

# The words of each page: hashes of text and of the ends of their boxes, without the page number.
sub pages_of ($pdf) {
    my @pages;
    for ( split /\n/, tool( q{.}, qw(pdftotext -bbox), $pdf, q{-} )->{out} ) {
        push @pages, [] if /<page /;
        my %end = /(\w+)="([0-9.]+)"/g;
        my ($text) = />(.*)<\/word>/ or next;
        push @{ $pages[-1] }, { %end, text => $text } if $end{yMin} < $BOTTOM;
    }
    return @pages;
}

sub part_with_text ($page) {
    return ( max( 0, map { $_->{yMax} } @{$page} ) - $TOP ) / ( $BOTTOM - $TOP );
}

sub touching ($page) {
    my @words;
    for my $word ( @{$page} ) {
        my $cut = $INKLESS * ( $word->{yMax} - $word->{yMin} );
        push @words, { %{$word}, yMin => $word->{yMin} + $cut, yMax => $word->{yMax} - $cut };
    }
    my @found;
    for my $i ( keys @words ) {
        for my $other ( @words[ $i + 1 .. $#words ] ) {
            my ( $across, $below ) =
              map {
                min( $words[$i]{"${_}Max"}, $other->{"${_}Max"} ) -
                  max( $words[$i]{"${_}Min"}, $other->{"${_}Min"} )
              } qw(x y);
            push @found, "$words[$i]{text} and $other->{text}"
              if $across > $ACROSS && $below > $BELOW;
        }
    }
    return @found;
}

sub sentences_twice ($pdf) {
    my %count;
    $count{$_}++
      for grep { length > $SHORT }
      pdf_text($pdf) =~ s/\s+/ /gr =~ /(?<=[.] )([A-Z][^.]+[.])(?= |\z)/g;
    return [ grep { $count{$_} > 1 } sort keys %count ];
}

# The names and sizes of plots of times and bandwidths in the kept files; others are as high as their rows.
sub small_plots ($directory) {
    my @small;
    for my $name ( grep { /[.]gpl\z/ } files_in($directory) ) {
        my $commands = read_file("$directory/$name");
        next if $commands !~ /^set xtics/m || $commands !~ /yerrorbars/;
        my ( $width, $height ) = $commands =~ /size ([0-9.]+)cm,([0-9.]+)cm/;
        push @small, "$name: $width x $height" if $width < $WIDTH || $height < $HEIGHT;
    }
    return \@small;
}

sub check_report ( $name, $most_pages, $results ) {
    my $place = workplace( 'r.out' => $results );
    my $made  = dorep( $place, qw(--format pdf -t r.out) );
    is $made->{status}, 0, 'a report is made' or diag $made->{err};
    my $pdf   = "$place/r.out.pdf";
    my @pages = pages_of($pdf);
    cmp_ok scalar @pages, '<=', $most_pages, "at most $most_pages pages";
    my @parts = map { part_with_text($_) } @pages;
    is_deeply [ grep { $parts[ $_ - 1 ] < $FULL } 1 .. $#parts ], [],
      'all pages but the last are full'
      or diag join q{ }, map { sprintf '%.2f', $_ } @parts;
    is_deeply [
        map {
            my $i = $_;
            map { "page $i: $_" } touching( $pages[ $i - 1 ] )
        } 1 .. @pages
      ],
      [],
      'no text touches another';
    is_deeply small_plots("$place/r.out.files"), [], 'plots are large enough';
    is_deeply sentences_twice($pdf),             [], 'no sentence is there twice';
    return pdf_text($pdf);
}

my ($quick) = read_file("$ROOT/configs/quick.skampi") =~ /^\@MEASUREMENTS\n(.*)/ms;

subtest 'the quick suites on four processes' => sub {
    my $text = check_report( 'quick', 6, fresh_run( suites => $quick, processes => 4 ) );
    like $text, qr/within a host|between hosts/,        'page 1 has messages';
    like $text, qr/hollow: best equivalent/,            '... collectives';
    like $text, qr/Number of processes.*Key figures/s,  '... and operations over the processes';
    like $text, qr/Which call for which length.*Blue/s, 'a chart of calls';
};

subtest 'the standard suites' => sub {
    check_report( 'standard', 20, read_file("$ROOT/docs/examples/standard.out") );
};

subtest 'a single operation' => sub {
    my $suites = 'Allreduce { Type = 36; Variation = Length; Scale = Fixed_log; Start_Argument = 4;'
      . " End_Argument = 65536; Stepwidth = 4; }\n";
    my $text = check_report( 'one', 2, fresh_run( suites => $suites ) );
    unlike $text, qr/machine all right|The machine/, 'says nothing about the machine';
    like $text,   qr/Time of .*Allreduce/,           'page 1 has its plot';
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
