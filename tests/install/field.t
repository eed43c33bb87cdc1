# The field kit without Slurm: each step has a line, one that fails or hangs is named and gone on from, and the file to
# send has no names. A make of the test links what is built already; in make check-long, the kit is built.
use v5.36;

use Sys::Hostname qw(hostname);
use Test::More;
use SKaMPI::Base::TextFile qw(locked_file);
use SKaMPI::Install        qw(make_in packing_lacks);
use SKaMPI::Test           qw($ROOT command launcher read_file scratch write_file);

plan skip_all => packing_lacks() if packing_lacks();

my $dir = scratch();
my ($archive) = make_in( $ROOT, 'field-kit' ) =~ /^(build\S+[.]tar[.]gz)$/m;
is system( 'tar', '-xzf', "$ROOT/$archive", '-C', $dir ), 0, 'unpacked';
my $kit = "$dir/our kit";
rename glob("$dir/skampi-field-*"), $kit or die "$kit: $!\n";

write_file( "$dir/nodes", "1\npbs7.example.org\n" );

# Short forms of the long steps. OSU's fails, barriers' starts nothing, health is killed after its verdict, selftest
# ends as with srun -K. The launcher's line is in the messages of each step.
my @launcher = launcher(2);
executable( launcher => <<"END");
echo "on \$(hostname) by zoe\@example.org as zoe in /home/zoe/secret, 192.168.7.9, fd00::2, rack[1:7-9], rack09-a, pbs7" >&2
echo from aa-BB-cc-dd-ee-ff, 0x001122fffe334455, enx0011aabbccdd
export OMPI_MCA_time_x=1 OMPI_MCA_time_y=fd00::/8
case "\$*" in
*--selftest) @launcher "\$@" Bcast; exit 143 ;;
*' standard '*) set -- "\$1" bcast -m 8 -o "\$2.out" ;;
*' barriers '*) exit 0 ;;
*--as*) exit 7 ;;
*' health') echo 'The hosts: healthy'; exit 137 ;;
esac
exec @launcher "\$@"
END

sub executable ( $name, $text ) {
    write_file( "$dir/$name", "#!/bin/sh\n$text" );
    return chmod 0755, "$dir/$name";
}

# Runs the kit with this as make. Returns the status, a hash of the steps and their results, and the file to send.
sub field ( $make, @words ) {
    executable( make => $make ) if defined $make;
    local $ENV{PATH}                                          = "$dir:$ENV{PATH}";
    local @ENV{qw(USER SLURM_JOB_ACCOUNT SLURM_CLUSTER_NAME)} = qw(zoe projectx time);
    local $ENV{SLURM_JOB_NODELIST}                            = 'login,rack[08-10,12]-a';
    local $ENV{PBS_NODEFILE}                                  = "$dir/nodes";
    my $run =
      command( $kit, 'sh', '-c', "echo \$\$ >$dir/pid; exec sh field.sh \"\$@\"", 'sh', @words );
    is $run->{err}, q{}, 'no warnings';
    my ($sent) = $run->{out} =~ m{^Please read (.+?) and}m;
    my %result = $run->{out} =~ /^(\w+): (.*) [(]\d+ s[)]$/mg;
    return ( $run->{status}, \%result, read_file( $sent // die $run->{out} . $run->{err} ) );
}

my $link = "ln -sf $ENV{SKAMPI_PROGRAM} '$kit/skampi'\n";
my @rest = qw(launcher selftest health path barriers standard osu page);
my ( $status, $result, $sent ) = field(
    $ENV{SKAMPI_LONG} && $ENV{SKAMPI_MPI} eq 'openmpi' ? undef : $link,
    qw(--seconds 100000 --measure 1 --),
    "$dir/launcher"
);
is $status, 1, 'a step that fails: the status';
is_deeply [ sort keys %{$result} ], [ sort qw(build limits), @rest ], 'all steps';
my %failed = (
    osu      => 'exited with status 7',
    health   => 'exited with status 137, healthy',
    barriers => 'printed no results'
);
for my $name ( sort keys %{$result} ) {
    my $expected = $failed{$name} ? qr/\Afailed: $failed{$name}\z/ : qr/\Aok\b/;
    like $result->{$name}, $expected, "$name: its result"
      or diag $sent =~ /(==== $name: messages.*?)==== /s;
    like $sent, qr/^\Q$name\E: /m, "$name: in the file";
}
like $sent, qr/\ASKaMPI [0-9][.\w-]+, field kit$/m, 'the version';
my $host = hostname();
unlike $sent, qr/(?<![A-Za-z0-9])\Q$host\E(?![A-Za-z0-9])/,      'no host';
unlike $sent, qr/\b(?:zoe|projectx|example|secret|rack|pbs7)\b/, 'no user, path or list of hosts';
unlike $sent, qr/\Q$dir\E| kit\/|192[.]168|fd00:/,               'no folder, no address';
like $sent,   qr/^\#processes +time /m, 'a name that is a word of skampi is left';
my ($hashed) =
  $sent =~
/^on (\S+) by user\@node as user-[0-9a-f]{8} in \(path\), \(address\), \(address\), \(hosts\), node-[0-9a-f]{8}, node-[0-9a-f]{8}$/m;
like $sent,   qr/^from \(address\), \(address\), \(address\)$/m, 'addresses of devices';
like $hashed, qr/\Anode-[0-9a-f]{8}\z/,                          'a hash of the host';
like $sent,   qr/^#\@HOSTNAME \Q$hashed\E$/m,                    '... which is that of the results';

sub all_are ( $why, $result ) {
    is_deeply [ @{$result}{ 'limits', @rest } ], [ ("not done: $why") x ( @rest + 1 ) ],
      "others: $why";
    return;
}

my $tidies = "trap 'sleep 0.2; touch $dir/tidy; exit' TERM; while :; do sleep 0.1; done";
( $status, $result ) = field( "($tidies) & wait\n", qw(--seconds 31) );
like "$status, $result->{build}", qr/\A1, failed: took longer than \d s\z/, 'a step that hangs';
ok -e "$dir/tidy", '... has time to tidy up after its shell was ended';
all_are( 'no time is left', $result );

( $status, $result, $sent ) = field("kill \$(cat $dir/pid); sleep 1000 & wait\n");
is "$status, $result->{build}", '1, failed: ended by SIGTERM', 'the job is ended';
all_are( 'ended by SIGTERM', $result );
like $sent, qr/^build: failed: ended by SIGTERM/m, '... and the file is written';

system 'rm', '-r', glob "'$kit'/field-*/";
eval { field("kill -KILL \$(cat $dir/pid)\n") };
like read_file( glob "'$kit'/field-*/skampi-field.txt" ),
  qr/^build: not done: the kit was killed$/m, 'the kit is killed';

( $status, $result ) = field("echo 'a.c:1: error'; exit 2\n");
is_deeply [ $status, @{$result}{qw(build limits launcher page)} ],
  [ 1, 'failed: exited with status 2', 'ok', ('not done: skampi was not built') x 2 ],
  'skampi cannot be built: the former one is not taken';

my $lock = locked_file("$kit/field.lock");
is_deeply [ command( $kit, qw(sh field.sh) )->@{qw(status out err)} ],
  [ 1, q{}, "field: another run of the kit uses this folder; wait for its end\n" ],
  'a second run in the same folder';

done_testing;
