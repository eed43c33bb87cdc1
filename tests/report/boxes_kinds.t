# Checks the pages (SKaMPI::Boxes) of all kinds of results: of a busy machine, unfinished, merged, of
# version 4.1 with both ways of measuring, and compared. The standard suites are in standard.t.
use v5.36;

use Test::More;
use SKaMPI::Boxes      qw(pages_are_right);
use SKaMPI::FreshRuns  qw(fresh_report);
use SKaMPI::ReportTest qw(dorep why_not workplace);
use SKaMPI::Test       qw($ROOT command read_file);

plan skip_all => why_not() if why_not();

my $quick    = read_file( fresh_report() . '/skampi.out' );
my $standard = read_file("$ROOT/docs/examples/standard.out");

# The text of the PDF of these results, whose pages are checked.
sub checked ( $name, $most_pages, @options ) {
    my %files   = @options;
    my $place   = workplace(%files);
    my @compare = keys %files > 1 ? '--compare' : ();
    my @paths   = sort keys %files;
    my $made    = dorep( $place, qw(--format pdf -t), @compare, @paths );
    is "$made->{status}$made->{err}", '0', "$name: a report is made";
    return pages_are_right( "$place/$paths[0]" . ( @compare ? '.compared' : q{} ), $most_pages );
}

# Rows with errors as large as the times, and their marks, as of a busy machine.
sub busy ($text) {
    return $text =~
      s/^((?:[0-9]+ )?)([0-9.]+) [0-9.]+ ([0-9]+ .*\#)/$1$2 $2 $3 marks=! contended=1/gmr =~
      s/(?<=contended=1)(.*) marks=\S+/$1/gr;
}

# As version 4.1 wrote it: without facts, and collectives also with barriers.
sub as_of_41 ($text) {
    my ( $head, @suites ) = split m{(?=^\#?/\*\@in)}m,
      $text =~ s/^#\@(?!MACHINE|DATE).*\n(?:#[ ].*\n)*//gmr;
    my @all = map { s/(?<=[0-9])[ ]\#.*//gr } @suites;
    push @all, map { /\@insyncol_/ ? s/\@insyncol_/\@incol_/r =~ s/-SM\b/-BM/gr : () } @all;
    return join q{}, "#\@SKAMPIVERSION 4.1\n", $head, @all;
}

# Times of another machine: each suite by a factor of its own.
sub other ($text) {
    my $suite = 0;
    my $factor;
    return join q{}, map {
        $factor = 1 + 0.1 * ( $suite++ % 7 ) if m{\@in};
        s/^([0-9]+ )([0-9.]+)/$1 . $factor * $2/er
    } split /^/, $text;
}

subtest 'a busy machine' => sub {
    like checked( 'busy', 7, 'busy.out' => busy($quick) ), qr/not known: processes waited for CPUs/,
      'figures are not known';
};

subtest 'an unfinished run' => sub {
    like checked( 'unfinished', 6, 'part.out' => substr $quick, 0, 2 / 3 * length $quick ),
      qr/not finished/, 'it says so';
};

subtest 'a merge' => sub {
    my $place = workplace(
        'a.out' => $quick,
        'b.out' => $quick =~ s/^#\@DATE \K.*/Thu Jan  2 03:04:05 2025/mr
    );
    my $merge =
      command( $place, $ENV{SKAMPI_PROGRAM}, qw(--postprocess a.out b.out -o m.out --force) );
    is $merge->{status}, 0, 'merged' or diag $merge->{err};
    checked( 'merged', 7, 'm.out' => read_file("$place/m.out") );
};

subtest 'results of 4.1 with both ways of measuring' => sub {
    my $pages = checked( 'old', 32, 'old.out' => as_of_41($standard) );
    unlike $pages, qr/^(?:[0-9.]+\s+)?MPI_$/m,
      'names are broken at hyphens rather than underscores';
    unlike $pages, qr/\b7[.](?:2[1-9]|[3-9][0-9]) [A-Z]\w/, 'each pair is compared once';
};

subtest 'two standard runs' => sub {
    my $pages = checked( 'compared', 16, 'a.out' => $standard, 'b.out' => other($standard) );
    like $pages, qr/Without a clear difference, or with a smaller one/, 'differences first';
};

done_testing;
