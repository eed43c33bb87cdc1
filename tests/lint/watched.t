# A test that hangs, in a loop or asleep, also in a session of its own, is ended: all of its processes, and no other.
# Its files are removed.
use v5.36;

use IPC::Run qw(start finish run);
use Test::More;
use SKaMPI::ChildGuard;
use SKaMPI::Test qw($ROOT write_file workplace);

my $dir = workplace( gdb => "#!/bin/sh\necho '#0 where_it_hangs ()'\n" );
local @ENV{qw(PATH SKAMPI_TIMES)} = ( "$dir:$ENV{PATH}", q{} );
my $NUMBER = 100_000 + $$;

# Status and messages of watched.pl, for a test that may take some seconds.
sub watched ( $most_s, $name, $command ) {
    local $ENV{SKAMPI_MOST_S} = $most_s;
    my $test = write_file( "$dir/$name.t", "system 'sh', '-c', q{$command};\nexit 3;\n" );
    my $run  = start [ $^X, "$ROOT/tests/lib/watched.pl", $test ], '<', \undef, '>', \my $out,
      '2>', \my $err;
    my $other = fork // die "fork: $!\n";
    exec 'sleep', $NUMBER if $other == 0;
    my $guard = SKaMPI::ChildGuard->new($other);
    finish $run;
    ok kill( 0, $other ), 'another process goes on';
    return ( $run->full_result >> 8, $err );
}

my ( $status, $said ) =
  watched( 1, 'hangs', "setsid sleep 2$NUMBER & setsid sh -c 'while :; do :; done'" );
is $status, 124, 'a test that hangs fails';
like $said,   qr/^# \S+hangs[.]t took 1 s and has not ended:\n#   \d+ \S/m, 'by name';
unlike $said, qr/sleep $NUMBER/, 'nothing else is listed';
like $said,   qr/^#   \d+ S sleep 2$NUMBER \n#     \w+.*\n#     #0 where_it_hangs/m, 'what sleeps';
like $said,   qr/^#   \d+ \S sh -c while/m,                                          'what runs';
like $said,   qr/file '\S+hangs[.]t' line 1$/m, 'where the test is';
is_deeply [ watched( 99, 'ends', 'true' ) ], [ 3, q{} ], 'another keeps its status';
is + ( watched( 1, 'leaves', "setsid sleep 2$NUMBER &" ) )[0], 124, 'a test that leaves a process';
( $status, $said ) = watched( 99, 'writes', 'touch $TMPDIR/file; mkdir ~/folder; echo ~ >&2' );
my ($home) = $said =~ /(.+)/;
like $home, qr{^/}, 'a test has a home';
ok !-e $home, 'which is removed';
{
    local $SIG{INT} = 'IGNORE';
    is_deeply [ watched( 99, 'asks', 'kill -INT $$; echo ignored >&2' ) ], [ 3, q{} ],
      'signals that nohup and background jobs ignore end its programs';
}
run [ 'pgrep', '-f', "sleep 2$NUMBER" ], '>', \my $left;
is $left, q{}, 'all that hangs is ended';

done_testing;
