# Commands, which start the report programs, as if they were beside the program or in its source tree; and the short
# help, which lists them.
use v5.36;

use File::Copy qw(copy);
use File::Path qw(make_path);
use JSON::PP   qw(decode_json);
use Test::More;
use SKaMPI::Test
  qw($ROOT blocks_of command manual_table mpirun read_file scratch skampi succeeds write_file);

my @LAUNCHED =
  qw(OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK MPI_LOCALNRANKS PMI_RANK PMIX_RANK SLURM_PROCID
  SLURM_STEP_NUM_TASKS);
delete @ENV{@LAUNCHED};

# Installed and in a source tree: the folder of the program, and the file of a report program.
my $place   = scratch();
my %LAYOUTS = (
    installed     => [ "$place/a place/bin", sub ($name) { "$place/a place/bin/$name" } ],
    'source tree' => [
        "$place/tree/build/openmpi",
        sub ($name) { "$place/tree/report/" . $name =~ s/^skampi-//r . '.pl' }
    ],
);
my @commands = @{ decode_json( skampi( $place, '--catalog' )->{out} )->{commands} };
my @programs = map { $_->{program} // () } @commands;
for my $layout ( values %LAYOUTS ) {
    my ( $folder, $file_of ) = @{$layout};
    make_path( $folder, $file_of->('x') =~ s{/[^/]*\z}{}r );
    copy( $ENV{SKAMPI_PROGRAM}, "$folder/skampi" ) or die "skampi: $!\n";
    chmod oct 755, "$folder/skampi";
    write_file( $file_of->($_), qq{#!/bin/sh\nprintf '%s|' $_ "\$@"\nexit 7\n} ) for @programs;
}

# What is typed, and what it starts, with its arguments.
my @STARTED = blocks_of(<<'END');
show :: skampi-show|
show -a skampi.out * :: skampi-show|-a|skampi.out|*|
Show x :: skampi-show|x|
report x.out --format html :: dorep|x.out|--format|html|
compare a -- b :: skampi-compare|a|--|b|
export -f osu x :: skampi-export|-f|osu|x|
launch -n 5 -- mpirun -np 2 skampi :: skampi-launch|-n|5|--|mpirun|-np|2|skampi|
sweep A=1,2 -- mpirun :: skampi-launch|sweep|A=1,2|--|mpirun|
guard b.json -- mpirun :: skampi-launch|guard|b.json|--|mpirun|
tune check r :: skampi-tune|check|r|
profile show p :: skampi-profile|show|p|
model fit x :: skampi-model|fit|x|
db add x :: skampi-db|add|x|
health --launches 6 -- mpirun -np 4 skampi :: skampi-launch|--health|--launches|6|--|mpirun|-np|4|skampi|
health --json -- mpirun :: skampi-launch|--health|--json|--|mpirun|
health --launches=6 :: skampi-launch|--health|--launches=6|
help show :: skampi-show|--help|
help report :: dorep|--help|
help guard :: skampi-launch|guard|--help|
END
for my $case (
    map {
        my $kind = $_;
        map { [ $kind, @{$_} ] } @STARTED
    } sort keys %LAYOUTS
  )
{
    my ( $kind, $typed, $expected ) = @{$case};
    my $run = command( $place, "$LAYOUTS{$kind}[0]/skampi", split q{ }, $typed );
    is "$run->{out}$run->{status}$run->{err}", "${expected}7", "$kind: skampi $typed";
}

my $skampi = "$LAYOUTS{installed}[0]/skampi";

# Variables of launchers, what is typed, and the message; without one, the program is started: a batch script and a
# shell in a job of Slurm are its tasks, too.
my @LAUNCHERS = blocks_of(<<'END');
OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 :: report x :: report reads files: start it without mpirun
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 :: show x :: silent
PMI_RANK=0 :: db add :: db reads files: start it without mpirun
PMIX_RANK=0 :: launch :: launch starts mpirun itself: start it without mpirun
MPI_LOCALNRANKS=2 PMI_RANK=0 SLURM_PROCID=0 :: show :: show reads files: start it without mpirun
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 :: show :: show reads files: start it without srun
SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 PMI_RANK=1 :: show :: silent
OMPI_COMM_WORLD_SIZE=2 :: health --launches 2 -- mpirun
    :: health starts mpirun itself with --launches: start it without mpirun
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 PMI_RANK=0 :: show
SLURM_PROCID=0 :: show
END
for my $case (@LAUNCHERS) {
    my ( $variables, $typed, $message ) = @{$case};
    my $run = command( $place, 'env', ( split q{ }, $variables ), $skampi, split q{ }, $typed );
    my $expected =
        !defined $message    ? '7'
      : $message eq 'silent' ? '0'
      :                        "2skampi: skampi $message\n";
    is "$run->{status}$run->{err}", $expected, "$variables $typed";
}
my $twice = mpirun( $place, 2, qw(report x) );
is scalar( () = $twice->{err} =~ /^skampi: skampi report reads files: start it without mpirun$/mg ),
  1, 'two processes say it once';
is $twice->{status}, 2, '... and that is the status';

subtest 'programs that are missing' => sub {
    unlink "$LAYOUTS{installed}[0]/dorep" or die "dorep: $!\n";
    my $run = command( $place, $skampi, 'report' );
    is $run->{status}, 2, 'usage';
    like $run->{err},
qr{\Askampi: skampi report is the program dorep, but there is neither '\S+ place/bin/dorep' nor '},
      'one line says what';
    like $run->{err},
      qr{nor '\S+ place/bin/../../report/dorep[.]pl'; use skampi where 'make install' .*\n\z},
      '... and what to do';
    chmod oct 644, "$LAYOUTS{installed}[0]/skampi-show";
    like command( $place, $skampi, 'show' )->{err},
      qr{\Askampi: cannot start '\S+ place/bin/skampi-show': Permission denied; it needs perl\n\z},
      'one that cannot be started';
};

# What is done by the program itself.
my @HERE = blocks_of(<<'END');
measure allreduce --print-config :: out :: syncol_MPI_Allreduce;
measure allreduce -m 8 --check :: out :: syncol_MPI_Allreduce
measure show :: err :: 'show' is a command: it comes first, as in skampi show
measure list :: err :: unknown word 'list'
allreduce report :: err :: 'report' is a command
repot :: err :: unknown word 'repot', did you mean 'report'?
help bcast :: out :: --vary: Length Nodes
help rma :: out :: RMA_Rget
help health :: out :: --baseline FILE
health --help :: out :: --baseline FILE
help :: out :: usage: mpirun
health --list :: err :: unexpected 'health'
END
for my $case (@HERE) {
    my ( $typed, $stream, $expected ) = @{$case};
    like skampi( $place, split q{ }, $typed )->{$stream}, qr/\Q$expected\E/, "skampi $typed";
}

subtest 'the short help' => sub {
    my $help  = succeeds( skampi( $place, '-h' ), 'done' )->{out};
    my @lines = split /\n/, $help;
    cmp_ok scalar @lines, '<=', 40, 'at most 40 lines';
    is_deeply [ grep { length > 80 } @lines ], [], '... of at most 80 columns';
    is_deeply [ map { /\A {2}(?:mpirun -np 2 )?skampi / ? 1 : 0 } @lines[ 0 .. 3 ] ],
      [ 1, 1, 1, 0 ],
      'three examples first';
    is_deeply [ $help =~ /^ {2}([a-z]+) {2,}\S/mg ], [ map { $_->{name} } @commands ],
      'each command';
    is skampi( $place, qw(measure -h) )->{out}, $help, 'also of measure';
    my $page = manual_table("$ROOT/docs/man/skampi.1.pod");
    like $page, qr/^=item B<$_>$/m, "the manual page has $_" for map { $_->{name} } @commands;
    is manual_table('commands') =~ s/^\\skampicommand\{(\w+)\}.*\n/$1 /mgr,
      join( q{}, map { "$_->{name} " } @commands ), 'and the manual';
};

subtest 'each report program has a command' => sub {
    my ($installed) = read_file("$ROOT/install.mk") =~ /^PROGRAMS = (.*)/m;
    my %has = map { $_ => 1 } @programs;
    is_deeply [ sort keys %has ], [ sort 'dorep', map { "skampi-$_" } split q{ }, $installed ],
      'as installed';
};

done_testing;
