#!/usr/bin/perl
# Data are verified after the run: the values are those of a run without that, bit for bit, and each suite says of how
# many arguments the data were verified.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulate);
use SKaMPI::Test qw(read_file scratch write_file);

my ($skampi) = build('truth');
my $dir = scratch();

sub prepare ( $verify, $suites ) {
    chdir $dir or die "$dir: $!\n";
    unlink glob 'skampi.*';
    write_file( 'p.skampi',
        "\@VERSION 4.2\n\@VERIFY $verify\n\@POSTPROC no\n\@MEASUREMENTS\n$suites" );
    return;
}

sub suites () { return SKaMPI::Read::Output->from_file('skampi.out')->suites }

# Types of the patterns p2p, mw, col, syncol, pairs, overlap; reductions; one-sided; unequal parts; no data.
my $ALL = <<'END';
* { Type = 1, 10, 17, 60, 36, 54, 180, 311, 201, 245, 18; Variation = Length; Max_Repetition = 4;
    Scale = Dynamic_log; Max_Steps = 5; Parameters = "passes=1"; End_Argument = 65536; }
N { Type = 20; Variation = Nodes; }
END

# The rows: the text from the first row of each suite on.
sub rows_of ($verify) {
    prepare( $verify, $ALL );
    simulate( 'flat', 4, $skampi, '-q', '-f', 'p.skampi' );
    return [ grep { /^[^#]/ } split /^/, read_file('skampi.out') ];
}

my $without = rows_of('no');
ok !( grep { defined $_->{notes}{VERIFIED} } suites() ), 'no: nothing is said';
my $with = rows_of('yes');
is_deeply $with, $without, 'the values are the same';
my %verified = map { $_->{label} => $_->{notes}{VERIFIED} } suites();
is $verified{col_MPI_Barrier}, undef, 'a barrier has no data';
delete $verified{col_MPI_Barrier};
like $verified{$_} // q{}, qr/\A[1-9]\d* of [1-9]\d*(?::|\z)/, $_ for sort keys %verified;

chdir q{/} or die "/: $!\n";
done_testing();
