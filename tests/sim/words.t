# Words with simulated processes, and runs that are limited by -t: words share its time, and what is not reached is
# named. Times are exact.
use v5.36;

use List::Util qw(max min);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build build_shim simulate);
use SKaMPI::Test qw(enter_scratch files_in write_file);

my ($skampi)  = build('truth');
my ($shimmed) = build_shim();
enter_scratch();

my $out =
  simulate( 'fast', 16, $skampi, split q{ }, 'bcast barrier -m 8,64 --set @MAXREPDEFAULT=40' );
like $out, qr/^# skampi .*; 16 processes: .*\n# syncol_MPI_Bcast: .*\n# +bytes .*\n +8 /,
  'the head';
is_deeply [ $out =~ /^ +(\d+) +[\d.]+ /mg ],              [ 8, 64, 2, 4, 8, 16 ], 'rows of both';
is_deeply [ grep { !/^hosts|platform/ } files_in(q{.}) ], [],                     'nothing is kept';

# The lengths of a range, from 8 on, as -t's last line names them.
sub lengths ($last) {
    return
      map { $_ >= 20 ? 2**( $_ - 20 ) . 'M' : $_ >= 10 ? 2**( $_ - 10 ) . 'K' : 2**$_ } 3 .. $last;
}

# A run: its simulated seconds, its last line, whether its status is 0, and the rows of each suite.
sub limited ( $np, $limit, $words ) {
    my $out =
      eval { simulate( 'fast', $np, $skampi, split q{ }, "$words -t $limit -o out --fresh" ) };
    my $good = defined $out;
    $out //= $@;
    my $output    = SKaMPI::Read::Output->from_file('out');
    my ($seconds) = $output->field('WALLTIME') =~ /([\d.]+) s/;
    my @rows      = map { $_->rows } $output->suites;
    return {
        seconds => $seconds,
        good    => $good,
        last    => $out =~ /^(# (?:done|stopped) .*)/m ? $1 : $out,
        suites  => \@rows,
    };
}

# The words, with the exponent of their last length; the start takes 0.015 to 0.02 s, and the limits reach to more than
# enough.
for my $case ( [ 2, 'allreduce', 25 ], [ 5, 'bcast reduce', 20 ], [ 16, 'alltoall reduce', 19 ] ) {
    my ( $np, $words, $last ) = @{$case};
    my @lengths = lengths($last);
    my @words   = split q{ }, $words;
    my $stopped = 0;
    for my $limit ( 0.01, 0.04, 0.06, 0.2 ) {
        my $run  = limited( $np, $limit, "$words -m 8:$lengths[-1]" );
        my $name = "$np processes, $words, $limit s";
        cmp_ok $run->{seconds}, '<=', max( $limit, 0.02 ), "$name: the time is kept";
        my @missing = map { _missing( $run->{last}, $_ ) } @words;
        my @counts  = map { scalar @{$_} } @{ $run->{suites} };
        is_deeply \@missing, [ map { [ @lengths[ $_ .. $#lengths ] ] } @counts ],
          "$name: what is not measured is named"
          or diag $run->{last};
        cmp_ok max(@counts) - min(@counts), '<=', 2, "$name: words share the time";
        is $run->{good}, !grep( { @{$_} } @missing ), "$name: status";
        $stopped += !$run->{good};
    }
    cmp_ok $stopped, '>', 0, "$np processes: some limits are too short";
}

# A call that would end after the limit is not begun: the first one of a length shows how long it takes.
{
    my $run = limited( 2, 0.02, 'pingpong -m 8,64M' );
    like $run->{last}, qr/ 1 of 2 rows; not reached: \S+ 64M\b/,
      'a length whose first call is too long';
    cmp_ok $run->{seconds}, '<', 0.02 + 0.03, 'one call of it';
}

# A word that ends early leaves its time to the other's first pass.
is_deeply [
    limited( 5, 0.045, 'bcast allgather -m 8:4M' )->{last} =~ /not reached: (.*?)(?:; [*v]|$)/ ],
  ['allgather 4M'], 'time that bcast leaves';

# A word that cannot be measured is named, too.
{
    my $run = limited( 5, 1, 'alltoall barrier -m 512K' );
    like $run->{last}, qr/ 3 rows; skipped: alltoall\b/, 'a word that is skipped';
    ok !$run->{good}, 'fails';
}

# Time can be up when a suite has its turn.
for my $limit ( 0.03, 0.04 ) {
    my $run =
      limited( 4, $limit, 'allreduce alltoall -m 1M --set groups=2 --set @MAXREPDEFAULT=40' );
    is scalar @{ $run->{suites} }, 2, "groups, $limit s: both suites are in the results";
}

# A run of a second has 12 of the computer's before it is mistaken for one that hangs; here, these are 12 ms.
{
    local $ENV{SKAMPI_FAST_TIMERS} = 1;
    $out = simulate( 'fast', 4, $shimmed, split q{ }, 'allreduce -m 8,64 -t 1' );
    like $out, qr/^# done in .*: 2 rows/m, 'the time of the simulated machine counts, not its own';
}

# The lengths of a word that the last line names.
sub _missing ( $last, $word ) {
    my ($names) = $last =~ /(?:not reached: |; )$word ([^;]*)/;
    return [ split /, /, $names // q{} ];
}

# Rank 0 of the suite's processes measures, which is the last of the run's.
write_file( 'p.skampi', <<'END');
@VERSION 4.2
@TIMERUN 0.0004
@MEMORY 131072
@TOPOLOGY1 Reorder 4 3 2 1 0
@MEASUREMENTS
A { Type = 47; Variation = Length; Virtual_Topology_Number = 1; Parameters = "arguments=8,33554432"; }
END
eval { simulate( 'fast', 5, $skampi, '-q', '-f', 'p.skampi', '-o', 'moved', '--fresh' ) };
my ($seconds) =
  SKaMPI::Read::Output->from_file('moved')->field('WALLTIME') =~ /([\d.]+) s/;
cmp_ok $seconds, '<', 0.024 + 0.02, 'one call after the time is over';

# A window is made for each visit, which counts in its time: none is left for a second repetition.
write_file( 'p.skampi', <<'END');
@VERSION 4.2
@MEASUREMENTS
A { Type = 204; Default_Message_length = 64; Time_Measurement = 3e-7; Parameters = "passes=1"; }
END
simulate( 'fast', 4, $skampi, '-q', '-f', 'p.skampi', '-o', 'window', '--fresh' );
my ($window) = SKaMPI::Read::Output->from_file('window')->suites;
is $window->{rows}[0]{count_all}, 1, 'making a window takes time';

done_testing;
