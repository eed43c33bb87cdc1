#!/usr/bin/perl
# A test that hangs, in a loop or asleep, also in a session of its own, is ended: all of its processes, and no other.
use v5.36;

use FindBin;
use IPC::Run qw(start finish run);
use Test::More;
use SKaMPI::ChildGuard;
use SKaMPI::Test qw(scratch write_file);

my $dir = scratch();
write_file( "$dir/gdb", "#!/bin/sh\necho '#0 where_it_hangs ()'\n" );
chmod 0755, "$dir/gdb";
local @ENV{qw(PATH SKAMPI_COSTS)} = ( "$dir:$ENV{PATH}", q{} );
my $NUMBER = 100_000 + $$;

# Status and messages of limited.pl, with limits for CPU time, idle time and time.
sub limited ( $limits, $test ) {
    local $ENV{SKAMPI_LIMITS} = $limits;
    my $run = start [ $^X, "$FindBin::Bin/../lib/limited.pl", $test ], '<', \undef, '>', \my $out,
      '2>', \my $err;
    my $other = fork // die "fork: $!\n";
    exec 'sleep', $NUMBER if $other == 0;
    my $guard = SKaMPI::ChildGuard->new($other);
    finish $run;
    ok kill( 0, $other ), 'another process goes on';
    return ( $run->full_result >> 8, $err );
}

sub script ( $name, $command ) {
    return write_file( "$dir/$name.t", "system 'sh', '-c', q{$command};\nexit 3;\n" );
}
my $APART = "setsid sleep 2$NUMBER & setsid sh -c 'while :; do :; done'";

for my $case (
    [ '1 99 99', $APART,           'used 1 s of CPU time' ],
    [ '99 1 99', "sleep 2$NUMBER", 'used hardly any CPU time for 1 s' ],
    [ '99 99 1', "sleep 2$NUMBER", 'took 1 s' ]
  )
{
    my ( $limits, $command, $why ) = @{$case};
    my ( $status, $said ) = limited( $limits, script( 'hangs', $command ) );
    is $status, 124, "$why: it fails";
    like $said,   qr/^# \S+hangs[.]t $why and has not ended:\n#   \d+ \S/m, 'by name';
    unlike $said, qr/sleep $NUMBER/, 'nothing else is listed';
    run [ 'pgrep', '-f', "sleep 2$NUMBER" ], '>', \my $left;
    is $left, q{}, 'all are ended';
    next if $command ne $APART;
    like $said, qr/^#   \d+ S sleep 2$NUMBER \n#     \w+.*\n#     #0 where_it_hangs/m,
      'what sleeps';
    like $said, qr/^#   \d+ R sh -c while/m,      'what runs';
    like $said, qr/file '\S+hangs[.]t' line 1$/m, 'where the test is';
}
is_deeply [ limited( '99 99 99', script( 'ends', 'true' ) ) ], [ 3, q{} ],
  'another keeps its status';
is + ( limited( '99 1 99', script( 'leaves', "setsid sleep 2$NUMBER &" ) ) )[0], 124,
  'a test that leaves a process';

done_testing;
