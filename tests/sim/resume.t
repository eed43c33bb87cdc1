# A run is killed within a suite on a dynamic scale, and resumed. The refinement depends only on the
# suite's measurements, so the points and the facts about them equal those of an uninterrupted run. On
# a simulated machine times repeat exactly.
use v5.36;

use POSIX       qw(setpgid);
use Time::HiRes qw(sleep);
use Test::More;
use SKaMPI::Sim  qw(build simulator simulate);
use SKaMPI::Test qw(read_file scratch write_file);

my ($skampi) = build('truth');
my @COMMAND = ( $skampi, '--quiet', '-f', 'p.skampi' );

# The second suite takes long enough to be killed within it.
my $PARAMETERS = <<'END';
@VERSION 4.1
@MEMORY 512
@MEASUREMENTS
first {
  Type = 1; Variation = Length; Scale = Dynamic_log; Stepwidth = 2; Max_Distance = 100000;
  Min_Distance = 4; Max_Steps = 40; Standard_error = 0.01;
}
second {
  Type = 1; Variation = Length; Scale = Dynamic_log; Stepwidth = 2; Max_Distance = 100000;
  Min_Distance = 4; Max_Steps = 50; Standard_error = 0.01;
  Min_Repetition = 400; Max_Repetition = 400;
}
END

sub prepared () {
    my $dir = scratch();
    chdir $dir or die "$dir: $!\n";
    write_file( 'p.skampi', $PARAMETERS );
    return;
}

# Suite => the arguments of its rows, with "+" if from the refinement, and the facts about them.
sub plans () {
    my ( %plan, $now );
    for ( split /\n/, read_file('skampi.out') ) {
        $now = $plan{$1} = [] if m{^#/[*]\@in(\S+)[.]ski[*]/};
        push @{$now}, $_                                  if /^#\@(?:SWEEP|INTERPOLATION) /;
        push @{$now}, "$1" . ( /refined=1/ ? q{+} : q{} ) if /^([0-9]+) /;
    }
    return \%plan;
}

# Starts skampi and kills it once the first block is written. Returns whether the second was not.
sub killed () {
    my $pid = fork // die "fork: $!\n";
    if ( $pid == 0 ) {
        setpgid( 0, 0 );
        open STDOUT, '>', 'killed.out' or die "killed.out: $!\n";
        exec simulator( 'jump', 2 ), @COMMAND or die "simulator: $!\n";
    }
    sleep 0.01 until -e 'skampi.out' && read_file('skampi.out') =~ /^#eol/m;
    kill KILL => -$pid;
    waitpid $pid, 0;
    return $? == 9 && 1 == ( () = read_file('skampi.out') =~ /^#eol/mg );
}

prepared();
simulate( 'jump', 2, @COMMAND );
my $expected = plans();
is_deeply [ sort keys %{$expected} ], [qw(p2p_first p2p_second)],
  'an uninterrupted run measures both suites';
cmp_ok scalar( grep { /[+]$/ } @{ $expected->{p2p_second} } ), '>', 10, 'and refines';

# On a busy machine, a run may end before it is seen.
do { prepared() } until killed();
is_deeply [ keys %{ plans() } ], ['p2p_first'], 'a run is killed within its second suite';
simulate( 'jump', 2, @COMMAND );
is_deeply plans(), $expected, 'and has the same points after it is resumed';
chdir q{/} or die "/: $!\n";
done_testing;
