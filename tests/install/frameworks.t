# The files for frameworks, configs/frameworks, name only what the frameworks document, fit this version, and their
# scripts do what they say. In make check-long, the steps of the GitHub action are run.
use v5.36;

use Test::More;
use Time::Piece;
use SKaMPI::Test qw($ROOT command read_file scratch slurp write_file);

my $DIR = "$ROOT/configs/frameworks";
my ( $VERSION, $DATE ) = read_file("$ROOT/Makefile") =~ /^VERSION = (\S+)\nRELEASED = (\S+)$/m;

# Kinds of names, and names, each pair of which frameworks.py prints on a line.
my %DOCUMENTED = (

# https://reframe-hpc.readthedocs.io/en/stable/regression_test_api.html and deferrable_functions_reference.html
    'reframe.py' => <<'END',
import: reframe reframe.core.builtins.run_before reframe.core.builtins.sanity_function reframe.core.builtins.variable
import: reframe.utility.sanity reframe.utility.typecheck
use: reframe.RunOnlyRegressionTest reframe.simple_test reframe.utility.sanity.assert_eq reframe.utility.sanity.defer
use: reframe.utility.sanity.make_performance_function reframe.utility.typecheck.List
keyword: variable(value)
class: descr executable executable_opts job keep_files num_tasks perf_variables postrun_cmds reference sourcesdir
class: stagedir valid_prog_environs valid_systems
END

# https://ramble.readthedocs.io/en/latest/application_dev_guide.html; lib/ramble/ramble/language of its sources
    'application.py' => <<'END',
import: ramble.appkit.*
name: ExecutableApplication executable figure_of_merit figure_of_merit_context required_package software_spec
name: success_criteria tags workload workload_variable
keyword: executable(use_mpi) figure_of_merit(contexts) figure_of_merit(fom_regex) figure_of_merit(group_name)
keyword: figure_of_merit(log_file) figure_of_merit(units) figure_of_merit_context(output_format)
keyword: figure_of_merit_context(regex) required_package(package_manager) software_spec(package_manager)
keyword: software_spec(pkg_spec) success_criteria(match) success_criteria(mode) workload(executables)
keyword: workload_variable(default) workload_variable(description) workload_variable(workloads)
class: name row
END

# https://spack.readthedocs.io/en/latest/packaging_guide_creation.html and packaging_guide_build.html
    'package.py' => <<'END',
import: spack.package.* spack_repo.builtin.build_systems.makefile.MakefilePackage
name: depends_on filter_file find make variant version
keyword: depends_on(type) depends_on(when) find(recursive) variant(default) variant(description)
class: homepage manual_download spec url
END
);

# https://docs.easybuild.io/version-specific/easyconfig-parameters/
my %EASYCONFIG = map { $_ => 1 }
  qw(easyblock name version homepage description toolchain toolchainopts
  sources builddependencies dependencies skipsteps buildopts installopts sanity_check_paths
  sanity_check_commands moduleclass);

# https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
my $ACTION =
  qr/^(?:name|description|inputs|outputs|runs|using|steps|id|shell|env|run|required|default|value
  |[A-Z_]+|command|build|base-ref|base-command|base|launches|threshold|status)\z/x;

# https://slurm.schedmd.com/sbatch.html and https://openpbs.org (qsub)
my %DIRECTIVE = (
    'slurm.sh'          => qr/^#SBATCH --(?:job-name|ntasks|time|requeue|open-mode|signal)\b/,
    'frameworks/pbs.sh' => qr/^#PBS -(?:N|l (?:select|walltime)|j)\b/,
);

sub text_of ($name) { return read_file("$DIR/$name") }

sub without_comments ($text) { return $text =~ s/^\s*#.*\n//mgr }

sub output_of (@command) {
    my $run = command( q{.}, @command );
    return $run->{out} . $run->{err};
}

for my $file ( sort keys %DOCUMENTED ) {
    my @known = map {
        my ( $kind, @names ) = split /:? /;
        map { "$kind $_" } @names
    } split /\n/, $DOCUMENTED{$file};
    my %known = map { $_ => 1 } @known;
    my $used  = output_of( 'python3', "$ROOT/tests/install/frameworks.py", "$DIR/$file" );
    is_deeply [ grep { !$known{$_} } split /\n/, $used ], [], "$file: names that are documented";
    is join( q{ }, sort @known ), join( q{ }, sort split /\n/, $used ), '... and all of them';
}

is_deeply [ grep { !$EASYCONFIG{$_} } text_of('skampi.eb') =~ /^(\w+) =/mg ], [],
  'skampi.eb: parameters';
is_deeply [ grep { !/$ACTION/ }
      without_comments( text_of('action.yml') ) =~ /^ *(?:- )?([\w-]+):(?= |$)/mg ],
  [], 'action.yml: keys';
for my $file ( sort keys %DIRECTIVE ) {
    my @lines = read_file("$ROOT/configs/$file") =~ /^(#(?:SBATCH|PBS).*)/mg;
    is_deeply [ grep { !/$DIRECTIVE{$file}/ } @lines ], [], "$file: options";
}
unlike text_of($_), qr/sha256="\w|^checksums/m, '... no checksum' for qw(package.py skampi.eb);

# The Makefile's version and date; what is made has them from there.
my $day = Time::Piece->strptime( $DATE, '%Y-%m-%d' );
is_deeply [ read_file("$ROOT/$_->[0]") =~ $_->[1] ], [ @{$_}[ 2 .. $#{$_} ] ],
  "$_->[0]: this version"
  for (
    [ 'CHANGES',      qr/^(\d[\d.]+), (.+)$/m,                     $VERSION, $DATE ],
    [ 'CITATION.cff', qr/^version: (\S+)\ndate-released: (\S+)$/m, $VERSION, $DATE ],
    [
        'debian/changelog', qr/\A\w+ [(](\S+)[)].*?^ -- .*?  (.{16}) /ms,
        $VERSION,           $day->strftime('%a, %d %b %Y')
    ],
    [
        'configs/frameworks/package.py',
        qr/skampi-([\d.]+)[.]tar.*^    version[(]"(\S+)"[)]/ms,
        ($VERSION) x 2
    ],
    [
        'configs/frameworks/skampi.eb',
        qr/SKaMPI-([\d.]+)-gompi.*^version = '(\S+)'$/ms,
        ($VERSION) x 2
    ],
  );

subtest 'YAML' => sub {
    my $why = output_of( 'python3', '-c', 'import yaml' );
    plan skip_all => 'python3-yaml is missing (make deps)' if $why;
    is output_of(
        'python3',                                             '-c',
        'import sys, yaml; yaml.safe_load(open(sys.argv[1]))', "$DIR/action.yml"
      ),
      q{}, 'action.yml';
};

# Scripts are run with programs of these names in their place.
sub programs (%lines) {
    my $dir = scratch();
    chmod 0755, $dir;
    write_file( "$dir/$_", "#!/bin/sh\n$lines{$_}\n" ) for keys %lines;
    return $dir;
}

# Exit status and words of a prolog, by the status of the measurement and of skampi-show. A minute passes between two
# looks at the clock, so that two programs have 1 and 0 minutes.
sub prolog ( $script, $measured, $shown, $stamp = scratch() . '/stamp' ) {
    my $dir = programs(
        scontrol =>
'case "$*" in "update NodeName="*" State=DRAIN Reason=SKAMPI: "*) echo drain: yes ;; esac',
        setpriv => <<"END",
case "\$*" in *skampi-show*) echo '  look   messages: slow'; exit $shown ;; esac
echo 'some reason'; exit $measured
END
        date     => q{echo . >>$0.s; echo $((60 * $(wc -l <$0.s)))},
        timeout  => 'echo "look $3"; shift 3; exec "$@"',
        chown    => 'exit 0',
        logger   => 'exit 0',
        pbsnodes => "echo \"\$@\" >$0.offline",
    );
    local $ENV{SKAMPI_PATH}  = $dir;
    local $ENV{SKAMPI_STAMP} = $stamp;
    local $ENV{PATH}         = "$dir:$ENV{PATH}";
    my $said = output_of("$DIR/$script");
    return [ $? >> 8, $said =~ s/.*?: //r =~ s/\s+/ /gr ];
}

is_deeply prolog( 'slurm_prolog.sh', 0, 0 ), [ 0, q{} ], 'a prolog: nothing is slow';
is_deeply prolog( 'slurm_prolog.sh', 0, 3 ), [ 0, q{} ], '... it cannot tell';
is_deeply prolog( 'slurm_prolog.sh', 1, 1 ), [ 0, 'not measured: some reason ' ],
  '... not measured';
is_deeply prolog( 'slurm_prolog.sh', 0, 1 ),
  [ 1, 'slower than its limits: look 1 look messages: slow ' ],
  '... slow';
{
    my $stamp = scratch() . '/stamp';
    is prolog( 'slurm_prolog.sh', 0, $_->[0], $stamp )->[0], $_->[1], "... $_->[2]"
      for [ 1, 1, 'slow, before each job' ], [ 1, 1, 'again' ], [ 0, 0, 'not any more' ],
      [ 1, 0, 'measured once a day' ];
    utime 0, time - 25 * 3600, $stamp;
    is prolog( 'slurm_prolog.sh', 0, 1, $stamp )->[0], 1, '... and the next day';
    my $check = prolog( 'slurm_check.sh', 0, 1, $stamp );
    is $check->[0], 0, 'a health check has status 0';
    like $check->[1], qr/^yes .*: look 1 look messages: slow/, '... and drains';
    is_deeply prolog( 'slurm_check.sh', 1, 1, $stamp ), [ 0, 'not measured: some reason ' ],
      '... but not without a measurement';
}

# A job's check of its nodes: what skampi prints counts, not the launcher's status.
for my $case (
    [ 'The hosts: healthy', 0, 0 ],
    [ 'The hosts: bad',     1, 1 ],
    [ 'The hosts: look',    3, 0 ],
    [ 'no such partition',  1, 0 ],
    [ 'The hosts: bad',     0, 1 ]
  )
{
    my ( $text, $status, $expected ) = @{$case};
    my $dir = programs( launcher => "echo '$text'; exit $status" );
    my $run = command( $dir, "$DIR/slurm_health.sh", "$dir/launcher" );
    is $run->{status}, $expected, "a job's check: $text, status $status";
    is $run->{err} =~ /not measured: .*launcher ended with status 1$/ ? 1 : 0,
      $text =~ /hosts/ ? 0 : 1, '... and whether it was measured';
}
is prolog( 'pbs_prologue.sh', 0, 0 )->[0], 0, 'a prologue of PBS: nothing is slow';
is prolog( 'pbs_prologue.sh', 0, 1 )->[0], 2, '... slow';

# Programs that a prolog starts have the rights of nobody: they can do nothing to files of root, and what they print
# does not control a terminal. In namespaces of their own, in which a user who is not root becomes root.
subtest 'a prolog beside a hostile user' => sub {
    my $dir = programs( 'skampi-show' => <<'END', mpirun => <<'END', logger => 'exit 0' );
{ id -u; id -g; id -G; } >&2
cat ../said >&2 && echo readable
printf '  look  \033[31mX\n'
exit 1
END
for name in said health ../said ../health; do
    rm -f $name; ln -s "$0.victim" $name; mkfifo $name
done
grep -E '^(CapInh|CapEff|NoNewPrivs)' /proc/self/status >skampi.out
END
    write_file( "$dir/mpirun.victim", 'mine' );
    my @as_root = (
        qw(unshare --mount --pid --fork --kill-child),
        $> == 0 ? () : qw(--map-root-user --map-auto)
    );
    my $why = output_of( @as_root, qw(setpriv --reuid nobody --clear-groups test -r), $dir );
    plan skip_all => "not allowed here: $why" if $?;
    local $ENV{SKAMPI_PATH}  = $dir;
    local $ENV{SKAMPI_STAMP} = "$dir/stamp";
    my $said = output_of( @as_root, 'sh', '-c', <<'END', $dir, "$DIR/slurm_prolog.sh" );
rm() { cat ../health skampi.out; ls -A ..; command rm "$@"; }
. "$1"
END
    is $? >> 8, 1, 'a verdict';
    like $said, qr/slower than its limits:   look   \[31mX $/m, '... that is text';
    my ( $user, $group ) = ( getpwnam 'nobody' )[ 2, 3 ];
    like $said,   qr/^$user\n$group\n$group\n/m,                       'user and groups';
    like $said,   qr/^CapInh:\s+0+\nCapEff:\s+0+\nNoNewPrivs:\s+1\n/m, 'no capabilities';
    unlike $said, qr/^readable$/m,            'files of root cannot be read';
    like $said,   qr/^health\nsaid\nwork\n/m, 'no file of the user beside those of root';
    is slurp("$dir/mpirun.victim"), 'mine', 'a file of root is unchanged';
};

# The steps of the action, as the runner of GitHub starts them.
subtest 'the action' => sub {
    plan skip_all => 'only in make check-long' if !$ENV{SKAMPI_LONG} || $ENV{SKAMPI_VARIANT};
    my $dir = scratch();
    my %tools =
      map { ( "skampi-$_" => "exec $^X $ROOT/report/$_.pl \"\$@\"" ) } qw(launch compare);
    my @steps = text_of('action.yml') =~ /^      run: \|\n((?:[ ]{8}.*\n|\n)+)/mg;
    is scalar(@steps), 2, 'two steps';
    write_file( "$dir/p.skampi",
            "\@VERSION 4.2\n\@MAXREPDEFAULT 20\n\@MEASUREMENTS\n"
          . "A { Type = 1; Scale = Fixed_log; Start_Argument = 4; End_Argument = 64; Stepwidth = 4; }\n"
    );
    command( $dir, 'sh', '-c',
        'git init -q && git add p.skampi && git -c user.name=x -c user.email=x commit -qm x' );
    my @environment = (
        'PATH=' . programs(%tools) . ":$ENV{PATH}",
        qw(BASE= BASE_COMMAND= LAUNCHES=5 THRESHOLD=5% REF=HEAD),
        'COMMAND=mpirun --oversubscribe -np 2 skampi -q -f p.skampi',
        'BUILD=touch built',
        "GITHUB_OUTPUT=$dir/output",
        "GITHUB_STEP_SUMMARY=$dir/summary",
        "GITHUB_WORKSPACE=$dir",
    );

    for my $step (@steps) {
        local $ENV{OMPI_MCA_rmaps_base_oversubscribe} = 1;
        my $run =
          command( $dir, 'env', @environment, qw(bash --noprofile --norc -eo pipefail -c), $step );
        ok $run->{status} < 2, 'done, whether something is slower or not'
          or diag $run->{out}, $run->{err};
    }
    my ($status) = slurp("$dir/output") =~ /^status=(\d)$/m;
    ok -e "$dir/skampi-base/built" && -s "$dir/skampi-base.json", 'a base was built and measured';
    ok defined $status             && $status =~ /^[013]$/,       'a verdict';
    like slurp("$dir/summary"),    qr/^\|/m,       'a summary' if $status ne '3';
    like slurp("$dir/skampi.xml"), qr/<testsuite/, 'JUnit';
};

done_testing;
