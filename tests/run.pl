#!/usr/bin/perl
# Runs test files as prove does, long ones first, and says what was left out and what stays in shared memory.
#
#   tests/run.pl FILE...      in the environment of "make check"
#
# SKAMPI_JOBS: how many at a time. build/times has the times of the last run ("make times").
use v5.36;
use FindBin;

my $TIMES = 'build/times';

# MPI libraries leave these if their processes are killed.
my $OF_KILLED = qr{/(?:(?:sm|vader)_segment[.]|mpich_shm_|Intel_MPI_)};

# Returns what skampi, its tests and MPI libraries keep in shared memory for this user and no process uses. Other
# programs may leave files there meanwhile.
sub shared_memory () {
    my %used;
    for my $path ( glob '/proc/[0-9]*/maps' ) {
        open my $maps, '<', $path or next;
        %used = ( %used, map { m{ (/dev/shm/.*)} ? ( $1 => 1 ) : () } readline $maps );
        close $maps;
    }
    return grep { /$OF_KILLED|skampi/ && -O && !$used{$_} } glob '/dev/shm/*';
}

package SKaMPI::Harness {
    use parent 'TAP::Harness';

    # The summary of prove, after a line for each reason to leave files out.
    sub summary ( $self, $aggregate, @more ) {
        my %files;
        for my $file ( $aggregate->descriptions ) {
            my $why = ( $aggregate->parsers($file) )[0]->skip_all;
            push @{ $files{$why} }, $file if $why;
        }
        for my $why ( sort keys %files ) {
            my $count = @{ $files{$why} };
            say "SKIP: $count file", $count == 1 ? q{} : 's', ": $why";
        }
        return $self->SUPER::summary( $aggregate, @more );
    }
}

# FILE => seconds that it takes on a quiet machine with two CPUs.
my %usual_s;
open my $table, '<', "$FindBin::Bin/table" or die "tests/table: $!\n";
while ( defined( my $line = readline $table ) ) {
    my ( undef, $seconds, $file ) = split q{ }, $line;
    $usual_s{$file} = $seconds if $line !~ /^#/;
}
close $table;
sub usual_s ($file) { return $usual_s{$file} // 0 }

my @tests = sort { usual_s($b) <=> usual_s($a) } @ARGV;
my %there = map  { $_ => 1 } shared_memory();
local $ENV{SKAMPI_TIMES} = $TIMES;
unlink $TIMES;
my $harness = SKaMPI::Harness->new(
    {
        exec => sub ( $self, $file ) {
            my $usual_s = 'SKAMPI_USUAL_S=' . usual_s($file);
            return [ 'env', $usual_s, $^X, "$FindBin::Bin/lib/watched.pl", $file ];
        },
        jobs  => $ENV{SKAMPI_JOBS} // 1,
        timer => 1,
    }
);
my $failed = $harness->runtests(@tests)->has_errors;
for my $left ( grep { !$there{$_} } shared_memory() ) {
    next if $left =~ $OF_KILLED && unlink $left;
    say {*STDERR} "left in shared memory: $left";
    $failed = 1;
}
exit( $failed ? 1 : 0 );
