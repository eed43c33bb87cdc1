#!/usr/bin/perl
# Clocks that change: set, or with another drift, at once or all the time. What the checks say of
# their error is not less than the true one, the lines are right afterwards, and every synchronised
# value is true to 0.5 %.
use v5.36;

use Test::More;
use SKaMPI::Broadcast qw(true_us suites_apart run_suites rows_of is_true);
use SKaMPI::Sim       qw(why_not build build_shim shimmed_simulate);
use SKaMPI::Test      qw(scratch);

plan skip_all => why_not() if why_not();

my $RIGHT     = 0.005;        # microseconds
my $LENGTH    = 12;
my $APART_S   = 1.2;
my $PLATFORM  = 'fat_tree';
my $PRECISION = 1e-6;         # microseconds, of what is printed

# What the clocks do.
my %CHANGE = (
    'set by 20 us, then 4 ppm' => 'set=20e-6@0.6,turn=4@0.6',
    '10 to 12 ppm'             => 'drift=10,turn=2@0.6',
    '10 to 10.5 ppm'           => 'drift=10,turn=0.5@0.6',
    '50 ppm * sin(t / 20 s)'   => 'sine=50@20',
    'set twice'                => 'offset=5,set=3e-3@0.6,set=1e-6@3.1',
);

my ( undef, $truth ) = build('truth');
my ( $skampi, undef, $checks ) = build_shim();
my $dir = scratch();
chdir $dir or die "$dir: $!\n";

# --- what checks say ---

sub is_check_right ( $name, $line ) {
    my ( $true_before, $found, $true_after, $left ) = split q{ }, $line;
    cmp_ok $found + $PRECISION, '>=', $true_before, "$name: the error before is not understated";
    cmp_ok $left + $PRECISION,  '>=', $true_after,  'nor the one that is left';
    cmp_ok $true_after,         '<=', $RIGHT,       'and none is left';
    return;
}

sub refreshed (@lines) {
    return map { (split)[-1] } @lines;
}

for my $name ( sort keys %CHANGE ) {
    for my $np ( 2, $CHANGE{$name} =~ m{sine|turn=0.5} || $ENV{SKAMPI_LONG} ? 64 : () ) {
        my @lines = split /\n/,
          shimmed_simulate( $CHANGE{$name}, $PLATFORM, $np, 300, $checks, 4, $APART_S );
        is_check_right( "$np processes, $name", $_ ) for @lines;
        my ( $first, @later ) = refreshed(@lines);
        cmp_ok $first, '>', 0, 'the change was noticed';
        next if $CHANGE{$name} !~ /turn/;

        # Among many there is a process that takes a small share in the change and notices it later.
        is "@later[ ( $np == 2 ? 0 : 1 ) .. $#later ]", $np == 2 ? '0 0 0' : '0 0',
          'and its drift was learnt';
    }
}

# --- what suites measure ---

for my $name ( sort keys %CHANGE ) {
    for my $np ( 2, $name =~ /sin/ || $ENV{SKAMPI_LONG} ? 64 : () ) {
        my ( $delays, @suites ) =
          suites_apart( $APART_S, $LENGTH, 'Standard_Error = 0.0003; Max_Repetition = 8;' );
        my $true_us = true_us( $truth, $PLATFORM, $np, $LENGTH );
        my $output  = run_suites( $skampi, "$CHANGE{$name},$delays", $PLATFORM, $np, @suites );
        my @rows    = rows_of( $output, 'bcast' );
        is scalar @rows, 5, "$np processes, $name: all suites";
        is_true( "$np processes, $name", $_, $true_us ) for @rows;
    }
}

chdir q{/} or die "/: $!\n";
done_testing;
