#!/usr/bin/perl

# How the report runs its tools: no shell, with limits, and what is told where one fails.
use v5.36;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../report/lib";
use SKaMPI::Report::Tools qw(cpu_count is_there run_all run_one);

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
    open my $file, '<', "$directory/said" or return q{};
    my $text = do { local $/ = undef; <$file> };
    close $file or die "said: $!";
    return $text;
}

sub perl ($program) { return job( $^X, '-e', $program ) }

my @FAILURES = (
    [ 'exit status', perl('exit 3'),         qr/ ended with exit status 3\z/ ],
    [ 'signal',      perl('kill 9, $$'),     qr/ was ended by signal 9\z/ ],
    [ 'no program',  job('no-such-program'), qr/\Ano-such-program cannot be started\z/ ],
    [ 'too late',    { %{ perl('sleep 100') }, seconds => 0.2 }, qr/ took longer than 0[.]2 s\z/ ],
    [
        'too large', perl('open F, q{>}, q{f}; seek F, 600*2**20, 0; syswrite F, 1 or die'),
        qr/ended/
    ],
    [ 'too much memory', perl('my $x = q{x} x 3e9'), qr/ended/ ],
);
for my $case (@FAILURES) {
    my ( $what, $job, $wrong ) = @{$case};
    my $failed = run_one($job);
    like $failed->{wrong}, $wrong, $what;
}

is run_one( job( 'echo', '$HOME', '`id`', '; id', '*' ) ), undef,                  'a success';
is said(),                                                 "\$HOME `id` ; id *\n", 'no shell';
run_one( { %{ perl('print $ENV{NEW}, $ENV{openout_any}') }, environment => { NEW => 'x' } } );
is said(),    'xp',  'the environment';
is $ENV{NEW}, undef, 'of the job alone';
run_one( perl('print STDERR 1; print <STDIN>') );
is said(), 1, 'no input; complaints are kept';

my @jobs   = map { perl("exit $_ % 3") } 0 .. 8;
my @failed = run_all( 4, @jobs );
is scalar(@failed), 6, 'all failures of many jobs';

ok is_there('perl'),             'perl is there';
ok !is_there('no-such-program'), 'another program is not';
cmp_ok cpu_count(), '>=', 1, 'processors';

done_testing;
