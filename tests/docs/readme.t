#!/usr/bin/perl
# The README is short, shows results of docs/examples, and names only what exists.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Install qw(root);
use SKaMPI::Test    qw(read_file);

my $MAX_LINES = 120;
my $EXAMPLE   = root() . '/docs/examples/standard.out';

my $readme = read_file( root() . '/README' );

sub squeezed ($line) {
    return $line =~ s/\s+/ /gr =~ s/\A | \z//gr;
}

cmp_ok scalar( () = $readme =~ /\n/g ), '<=', $MAX_LINES, 'at most two screens';

subtest 'the table is from docs/examples' => sub {
    my ($table) = $readme =~ /^([ ]{4}Synchronous Collective:.*?)\n\n/ms;
    my $shown = q{};
    run [ $^X, root() . '/report/show.pl', $EXAMPLE ], '<', \undef, '>', \$shown;
    my %shown = map { squeezed($_) => 1 } split /\n/, $shown;
    my @lines = map { squeezed($_) } split /\n/, $table // q{};
    cmp_ok scalar(@lines), '>', 4, 'a table';
    is_deeply [ grep { !$shown{$_} } @lines ], [], 'with lines that show.pl prints';
    my ( $day, $year ) = read_file($EXAMPLE) =~ /^[#]\@DATE \w+ (\w+ +\d+) \S+ (\d+)$/m;
    like $readme, qr/\Q$day $year\E/, 'and its date';
};

my @paths = $readme =~ m{(?<![\w/])((?:docs|configs|report)/[\w./-]*\w|CONTRIBUTING[.]md)}g;
my @made  = qw(docs/manual.pdf);
is_deeply [ grep { !-e root() . "/$_" } grep { $_ ne $made[0] } @paths ], [], 'all files exist';

my $makefiles = join q{},
  map { read_file($_) } map { glob root() . "/$_" } qw(Makefile *.mk docs/*.mk tests/*.mk);
my @targets = $readme =~ /\bmake (demo|[a-z]+(?=[" ]))/g;
my @unknown =
  grep { $makefiles !~ /^(?:[\w-]+ )*$_(?: [\w-]+)*:/m } grep { !/^(?:a|alone)$/ } @targets;
is_deeply \@unknown, [], 'all targets exist' or diag "@targets";

done_testing;
