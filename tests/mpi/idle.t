# A process that has no part in a ping-pong waits without using a CPU.
use v5.36;

use Test::More;
use SKaMPI::Test qw(read_file write_file mpirun workplace sections);

my $dir = workplace( '.skampi' => sections( VERSION => 4.1 ) . <<'END' );
A { Type = 125; Min_Repetition = 150000; Max_Repetition = 150000; Parameters = "case=12,12"; }
END

# Starts the program, and writes what it and its children used to a file for each rank.
my $wrapper = write_file( "$dir/wrapper", <<"END");
#!/bin/sh
$ENV{SKAMPI_PROGRAM} "\$@"
status=\$?
times > "cpu.\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}"
exit \$status
END

my $run = do {
    local $ENV{SKAMPI_PROGRAM} = $wrapper;
    mpirun( $dir, 3, '--quiet' );
};
is $run->{status}, 0, 'a run of three processes' or diag $run->{err};

# User and system seconds of the children, in the second line.
sub cpu_s ($rank) {
    my @lines = split /\n/, read_file("$dir/cpu.$rank");
    my $total = 0;
    $total += 60 * $1 + $2 while $lines[1] =~ /([0-9]+)m([0-9.]+)s/g;
    return $total;
}

my @used      = map { cpu_s($_) } 0 .. 2;
my ($partner) = read_file("$dir/skampi.out") =~ /^#\@PARTNER ([12]) /m;
my $idle      = 3 - $partner;
cmp_ok $used[$idle], '<=', $used[0] / 2,
  "process $idle has no partner and uses little CPU: @used s";

done_testing;
