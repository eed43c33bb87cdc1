#!/usr/bin/perl
# A slow wire:  delay.pl DELAY_US INTERFACE INTERFACE
# Each frame that is sent into one of the two TAP interfaces comes out of the other one, at least
# that many microseconds later. Returns when the wire works; it stays as long as its PID namespace.
# (tc's netem would do the same in the kernel, if the kernel has it.)
use v5.36;

use List::Util  qw(max);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $TUNSETIFF   = 0x400454ca;    # of Linux: <linux/if_tun.h>
my $TAP_NO_INFO = 0x1002;        # IFF_TAP | IFF_NO_PI
my $MAX_FRAME   = 65_536;

sub attach ($interface) {
    open my $tap, '+<:raw', '/dev/net/tun' or die "/dev/net/tun: $!\n";
    my $request = pack 'Z16 S x22', $interface, $TAP_NO_INFO;
    ioctl $tap, $TUNSETIFF, $request or die "$interface: $!\n";
    return $tap;
}

sub now () {
    return clock_gettime(CLOCK_MONOTONIC);
}

# The files that have something to read, within a time limit; undef: no limit.
sub readable ( $wait_s, @files ) {
    my $wanted = q{};
    vec( $wanted, fileno $_, 1 ) = 1 for @files;
    select $wanted, undef, undef, $wait_s;
    return grep { vec $wanted, fileno $_, 1 } @files;
}

sub relay ( $delay_s, @ends ) {
    my %other = ( $ends[0] => $ends[1], $ends[1] => $ends[0] );
    my @under_way;
    while (1) {
        my $wait_s = @under_way ? max( 0, $under_way[0]{due} - now() ) : undef;
        for my $from ( readable( $wait_s, @ends ) ) {
            sysread $from, my $frame, $MAX_FRAME or next;
            push @under_way, { due => now() + $delay_s, to => $other{$from}, frame => $frame };
        }
        while ( @under_way && $under_way[0]{due} <= now() ) {
            my $late = shift @under_way;
            syswrite $late->{to}, $late->{frame};    # lost where the interface is down
        }
    }
    return;
}

my ( $delay_us, @interfaces ) = @ARGV;
my @ends = map { attach($_) } @interfaces;
my $pid  = fork // die "fork: $!\n";
relay( $delay_us * 1e-6, @ends ) if $pid == 0;
