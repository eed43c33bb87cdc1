# Commands, which start the report programs, as if they were beside the program or in its source tree; and the short
# help, which lists them.
use v5.36;

use File::Copy qw(copy);
use File::Path qw(make_path);
use JSON::PP   qw(decode_json);
use List::Util qw(uniq);
use Test::More;
use SKaMPI::Test
  qw($ROOT blocks_of command manual_table mpirun read_file scratch skampi succeeds write_file);

delete @ENV{qw(OMPI_COMM_WORLD_SIZE MPI_LOCALNRANKS PMI_RANK PMIX_RANK SLURM_PROCID)};

# As installed and as in a source tree, with report programs that print how they were started.
my $place    = scratch();
my @commands = @{ decode_json( skampi( $place, '--catalog' )->{out} )->{commands} };
my @names    = map      { $_->{name} } @commands;
my @programs = uniq map { $_->{program} // () } @commands;
my ( $bin, $tree ) = map { "$place/$_" } 'a place/bin', 'tree/build/openmpi';
make_path( $bin, $tree, "$place/tree/report" );
for my $program (@programs) {
    my $text = qq{#!/bin/sh\nprintf '%s|' $program "\$@"\nexit 7\n};
    write_file( "$bin/$program",                                           $text );
    write_file( "$place/tree/report/" . $program =~ s/^skampi-//r . '.pl', $text );
}
for my $folder ( $bin, $tree ) {
    copy( $ENV{SKAMPI_PROGRAM}, "$folder/skampi" ) or die "skampi: $!\n";
    chmod oct 755, "$folder/skampi";
}

# Variables of launchers and what is typed; status and what is printed. A batch script and a shell in a job of Slurm are
# its tasks, too, and start programs.
my @TYPED = blocks_of(<<'END');
show :: 7 skampi-show|
show -a skampi.out * :: 7 skampi-show|-a|skampi.out|*|
report x.out --format html :: 7 dorep|x.out|--format|html|
compare a -- b :: 7 skampi-compare|a|--|b|
export -f osu x :: 7 skampi-export|-f|osu|x|
launch -n 5 -- mpirun -np 2 skampi :: 7 skampi-launch|-n|5|--|mpirun|-np|2|skampi|
sweep A=1,2 -- mpirun :: 7 skampi-launch|sweep|A=1,2|--|mpirun|
guard b.json -- mpirun :: 7 skampi-launch|guard|b.json|--|mpirun|
tune check r :: 7 skampi-tune|check|r|
profile show p :: 7 skampi-profile|show|p|
model fit x :: 7 skampi-model|fit|x|
db add x :: 7 skampi-db|add|x|
health --launches 6 -- mpirun -np 4 skampi :: 7 skampi-launch|--health|--launches|6|--|mpirun|-np|4|skampi|
health --json -- mpirun :: 7 skampi-launch|--health|--json|--|mpirun|
health --launches=6 :: 7 skampi-launch|--health|--launches=6|
help show :: 7 skampi-show|--help|
help report :: 7 dorep|--help|
help guard :: 7 skampi-launch|guard|--help|
OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 report x :: 2 skampi: skampi report reads files: start it without mpirun
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 show x :: 0
PMI_RANK=0 db add :: 2 skampi: skampi db reads files: start it without mpirun
PMIX_RANK=0 launch :: 2 skampi: skampi launch starts mpirun itself: start it without mpirun
MPI_LOCALNRANKS=2 PMI_RANK=0 SLURM_PROCID=0 show :: 2 skampi: skampi show reads files: start it without mpirun
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 show :: 2 skampi: skampi show reads files: start it without srun
SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 PMI_RANK=1 show :: 0
OMPI_COMM_WORLD_SIZE=2 health --launches 2 -- mpirun
    :: 2 skampi: skampi health starts mpirun itself with --launches: start it without mpirun
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 PMI_RANK=0 show :: 7 skampi-show|
SLURM_PROCID=0 show :: 7 skampi-show|
END
for my $case ( ( map { [ $bin, @{$_} ] } @TYPED ), map { [ $tree, @{$_} ] } @TYPED ) {
    my ( $folder, $typed, $expected ) = @{$case};
    my ( $variables, $words ) = $typed =~ /\A((?:[A-Z_]+=\d )*)(.*)/;
    my $run =
      command( $place, 'env', split( q{ }, $variables ), "$folder/skampi", split q{ }, $words );
    is "$run->{status} $run->{out}$run->{err}" =~ s/\s+\z//r, $expected, "$folder/skampi $typed";
}
my $twice = mpirun( $place, 2, qw(report x) );
is $twice->{status} . join( q{}, $twice->{err} =~ /^(skampi: .*)$/mg ),
  '2skampi: skampi report reads files: start it without mpirun', 'two processes say it once';

unlink "$bin/dorep" or die "dorep: $!\n";
chmod oct 644, "$bin/skampi-show";
my %CANNOT = (
    report =>
qr{dorep, but there is neither '\Q$bin\E/dorep' nor '\Q$bin\E/[.][.]/[.][.]/report/dorep[.]pl'; use},
    show => qr{\Askampi: cannot start '\Q$bin\E/skampi-show': Permission denied; it needs perl},
);
for my $typed ( sort keys %CANNOT ) {
    my $run = command( $place, "$bin/skampi", $typed );
    like "$run->{err}$run->{status}", qr/(?:$CANNOT{$typed}).*\n2\z/, "$typed cannot be started";
}

# Words that the program itself understands.
my @HERE = blocks_of(<<'END');
measure allreduce --print-config :: out :: syncol_MPI_Allreduce;
measure show :: err :: 'show' is a command: it comes first, as in skampi show
measure list :: err :: unknown word 'list'
allreduce report :: err :: 'report' is a command
repot :: err :: unknown word 'repot', did you mean 'report'?
help bcast :: out :: --vary: Length Nodes
help health :: out :: --baseline FILE
health -h :: out :: --launches 6 -- mpirun
help :: out :: usage: mpirun
health --list :: err :: unexpected 'health'
END
for my $case (@HERE) {
    my ( $typed, $stream, $expected ) = @{$case};
    like skampi( $place, split q{ }, $typed )->{$stream}, qr/\Q$expected\E/, "skampi $typed";
}

my $help  = succeeds( skampi( $place, '-h' ), 'the short help' )->{out};
my @lines = split /\n/, $help;
cmp_ok scalar @lines, '<=', 40, 'at most 40 lines';
is_deeply [ grep { length > 80 } @lines ], [], '... of at most 80 columns';
is scalar( grep { /\A {2}(?:mpirun -np 2 )?skampi \w/ } @lines[ 0 .. 2 ] ), 3,
  'three examples first';
is skampi( $place, qw(measure -h) )->{out}, $help, 'also of measure';
my %listed = (
    'the short help'  => [ $help                    =~ /^ {2}([a-z]+) {2,}\S/mg ],
    'the manual'      => [ manual_table('commands') =~ /^\\skampicommand\{(\w+)/mg ],
    'the manual page' => [ manual_table("$ROOT/docs/man/skampi.1.pod") =~ /^=item B<([a-z]+)>$/mg ],
);
is_deeply $listed{$_}, \@names, "$_ has each command" for sort keys %listed;
my ($installed) = read_file("$ROOT/install.mk") =~ /^PROGRAMS = (.*)/m;
is_deeply [ sort @programs ], [ sort 'dorep', map { "skampi-$_" } split q{ }, $installed ],
  'each installed report program has a command';

done_testing;
