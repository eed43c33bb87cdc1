# Data are verified after the run: the values are those of a run without that, bit for bit, and each suite says of how
# many arguments the data were verified.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(read_file);

my ($skampi) = build_in_scratch('truth');

# Types of the patterns p2p, mw, col, syncol, pairs, overlap; reductions; one-sided; unequal parts; no data.
my $ALL = <<'END';
* { Type = 1, 10, 17, 60, 36, 54, 180, 311, 201, 245, 18; Variation = Length; Max_Repetition = 4;
    Scale = Dynamic_log; Stepwidth = 32; Max_Steps = 6; Parameters = "passes=1"; End_Argument = 65536; }
N { Type = 20; Variation = Nodes; }
END

# By suite, what is said of its data; and the rows.
sub measured ($verify) {
    my $head   = "\@VERSION 4.2\n\@VERIFY $verify\n\@POSTPROC no\n\@MEASUREMENTS\n";
    my $output = output_of( $skampi, 'flat', 4, $head . $ALL );
    my %notes  = map { $_->{label} => $_->{notes}{VERIFIED} } $output->suites;
    return ( \%notes, grep { /^[^#]/ } split /^/, read_file('skampi.out') );
}

my ( $silent,   @without ) = measured('no');
my ( $verified, @with )    = measured('yes');
ok !( grep { defined } values %{$silent} ), 'no: nothing is said';
is_deeply \@with, \@without, 'the values are the same';
is $verified->{col_MPI_Barrier}, undef, 'a barrier has no data';
delete $verified->{col_MPI_Barrier};
like $verified->{$_} // q{}, qr/\A[1-9]\d* of [1-9]\d*(?::|\z)/, $_ for sort keys %{$verified};

done_testing();
