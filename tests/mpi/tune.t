# skampi-tune on the real library: a bad choice that it was started with is found, replaced, and verified; a library
# that does not use the table is caught. Takes a minute: in the long form only.
use v5.36;

use Test::More;
use SKaMPI::Test qw(command scratch read_file write_file);

plan skip_all => 'SKAMPI_LONG=1: takes a minute' if !$ENV{SKAMPI_LONG};
my $OPEN_MPI = $ENV{SKAMPI_MPI} eq 'openmpi';

# With more processes than CPUs, MPICH takes minutes.
plan skip_all => 'MPICH' if !$OPEN_MPI;

# Settings of the library that make MPI_Bcast slow.
my $BAD = {
    OMPI_MCA_coll_tuned_use_dynamic_rules           => 1,
    OMPI_MCA_coll_tuned_bcast_algorithm             => 4,
    OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize => 1024
};
my ( $NP, $FACTOR ) = ( 4, 10 );
my @COMMAND = ( $ENV{SKAMPI_MPIRUN}, '--oversubscribe', '-np', $NP, $ENV{SKAMPI_PROGRAM}, '-q' );
my $TUNE    = 'report/tune.pl';
my $dir     = scratch();
my $root    = qx(pwd) =~ s/\n//r;

sub tune (@words) {
    return command( $dir, $^X, "$root/$TUNE", @words );
}

write_file( "$dir/sweep", <<"END" );
\@VERSION 4.2
\@POSTPROC no
\@SHUFFLE yes
\@MEMORY 65536
\@MINREPDEFAULT 8
\@MAXREPDEFAULT 24
\@STANDARDERRORDEFAULT 1.0
\@MEASUREMENTS
A_* { Type = 47; Variation = Algorithm; Default_Message_length = 262144, 1048576; Parameters = "passes=3"; }
END
local @ENV{ keys $BAD->%* } = values $BAD->%*;
my $measured = tune( 'measure', '-f', 'sweep', '--', @COMMAND );
my @results  = split /\n/, $measured->{out};
is @results, 6, 'six launches' or diag $measured->{err};
my $chosen = tune( 'choose', '-o', 'merged.out', @results );
is $chosen->{status}, 0, 'chosen';
like $chosen->{out}, qr/^(\d) of \1 cells have another algorithm/m, 'the bad choice is found'
  or diag $chosen->{out};
my $page = qx(cd $dir && $^X $root/report/dorep.pl --format html merged.out && cat merged.out.html);
like $page, qr/Algorithms of collectives \(6 launches\).*<span class="heat[1-4]">/s,
  'the merged launches have the table in their report';
my $written = tune( 'write', '-o', 'table', @results );
is $written->{status},                 0, 'written' or diag $written->{err};
is tune( 'check', 'table' )->{status}, 0, 'nothing to object';
my $verified = tune( 'verify', 'table', '--', @COMMAND );
is $verified->{status}, 0, 'verified' or diag $verified->{out} . $verified->{err};
my ($ratio) = $verified->{out} =~ /^sum of all cells, tuned\/own: ([\d.]+)/m;
cmp_ok $ratio // 1, '<', 1 / $FACTOR, "at least $FACTOR times faster";

subtest 'a library that does not use the table' => sub {
    my @deaf =
      ( $COMMAND[0], '--mca', 'coll_tuned_use_dynamic_rules', 0, @COMMAND[ 1 .. $#COMMAND ] );
    my $deaf = tune( 'verify', '-d', 'deaf', 'table', '--', @deaf );
    is $deaf->{status}, 1, 'exit 1';
    write_file( "$dir/dropped", read_file("$dir/table") =~ s/^0 \d+ 0 0$/7 1 0 0/mr );
    my $dropped = tune( 'verify', '-d', 'dropped.d', 'dropped', '--', @COMMAND );
    is $dropped->{status}, 1, 'a file that the library drops';
    like $dropped->{err}, qr/not obeyed: the library drops the whole file/, 'and why';
};

done_testing;
