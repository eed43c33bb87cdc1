# Running tools: without a shell, with limits, and with messages about failures.
use v5.36;

use File::Temp qw(tempdir);
use Test::More;
use SKaMPI::Base::Process qw(is_there output_of);
use SKaMPI::Safe::Tools   qw(cpu_count run_all run_one);
use SKaMPI::Test          qw($ROOT slurp read_file);

my $directory = tempdir( CLEANUP => 1 );

sub job (@command) {
    return {
        command   => \@command,
        directory => $directory,
        seconds   => 60,
        output    => 'said',
    };
}

sub said () {
    return slurp("$directory/said");
}

sub perl ($program) { return job( $^X, '-e', $program ) }

my @FAILURES = (
    [ 'exit status', perl('exit 3'),         qr/ exited with status 3\z/ ],
    [ 'signal',      perl('kill 9, $$'),     qr/ was killed by signal 9\z/ ],
    [ 'no program',  job('no-such-program'), qr/\Acannot start no-such-program\z/ ],
    [ 'a timeout',   { %{ perl('sleep 100') }, seconds => 0.2 }, qr/ took longer than 0[.]2 s\z/ ],
    [
        'a large file',
        perl('open F, q{>}, q{f}; seek F, 600*2**20, 0; syswrite F, 1 or die'),
        qr/was killed|exited/
    ],
    [ 'much memory', perl('my $x = q{x} x 3e9'), qr/was killed|exited/ ],
    [
        'more memory than the job may have',
        { %{ perl('my $x = q{x} x 3e8') }, memory => 200 * 2**20 },
        qr/was killed|exited/
    ],
);
for my $case (@FAILURES) {
    my ( $what, $job, $wrong ) = @{$case};
    my $failed = run_one($job);
    like $failed->{wrong}, $wrong, $what;
}

# A process in a session of its own, as mpiexec starts them, gets no signal of the group.
my $late = job( 'sh', '-c', 'setsid sh -c "echo \$\$ >began; exec sleep 100" & sleep 10000' );
$late->{seconds} = 0.1;
do { run_one($late); $late->{seconds} *= 2 } until -s "$directory/began";
my $stopped = read_file("$directory/began") =~ s/\s//r;
ok !readlink "/proc/$stopped/exe", 'a killed job has ended when all of its processes have';

{
    local $SIG{HUP} = 'IGNORE';
    my $hangs_up = perl('kill HUP => getppid; sleep 1; print q{done}');
    is run_one($hangs_up), undef,  'a program that nohup started goes on';
    is said(),             'done', '... to the end of its job';
}

is run_one( job( 'echo', '$HOME', '`id`', '; id', '*' ) ), undef, 'a command that succeeds';
is said(), "\$HOME `id` ; id *\n",                                'arguments pass no shell';
run_one( { %{ perl('print $ENV{NEW}, $ENV{openout_any}') }, environment => { NEW => 'x' } } );
is said(),    'xp',  'variables of the job are set';
is $ENV{NEW}, undef, 'and only for the job';
run_one( perl('print STDERR 1; print <STDIN>') );
is said(), 1, 'no input, and standard error is kept';

is output_of( $^X, '-e', 'print q{x} x 200_000' ), 'x' x 200_000, 'the output of a command';
is output_of( $^X, '-e', 'print 1; exit 1' ),      q{},           'nothing of one that fails';
{
    local $SKaMPI::Base::Process::OUTPUT_S = 0.2;
    is output_of( 'sh', '-c', 'echo 1; exec sleep 10000' ),     q{}, 'nor of one that does not end';
    is output_of( $^X,  '-e', '$| = 1; print 1 while 1' ),      q{}, 'or prints for ever';
    is output_of( 'sh', '-c', 'echo 1; exec >&- sleep 10000' ), q{}, 'or closes its output';
}

my @jobs   = map { perl("exit $_ % 3") } 0 .. 8;
my @failed = run_all( 4, @jobs );
is scalar(@failed), 6, 'all failures of many jobs are returned';

ok is_there('perl'),             'perl is found';
ok !is_there('no-such-program'), 'a missing program is not found';
cmp_ok cpu_count(), '>=', 1, 'there is a CPU';

# A report that the result database makes has less memory than the tools of a report may have.
SKIP: {
    skip 'prlimit is missing', 1 if !is_there('prlimit');
    my $lib = "$ROOT/report/lib";
    my $inner =
'print run_one({command => [qw(true)], directory => q{.}, seconds => 60, output => q{x}}) ? 1 : 0';
    my $wrong = run_one(
        {
            %{ job( $^X, "-I$lib", '-MSKaMPI::Safe::Tools=run_one', '-e', $inner ) },
            memory => 500 * 2**20
        }
    );
    is $wrong ? $wrong->{wrong} : said(), 0, 'a tool that runs tools under a smaller limit';
}

done_testing;
