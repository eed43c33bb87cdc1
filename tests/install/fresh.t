# tests/fresh/bare.sh: a new system for the project's own commands. A debootstrap of the test makes one
# of this system's programs, so that it takes no time and no network.
use v5.36;

use SKaMPI::Test qw($ROOT read_file scratch write_file);
use Test::More;
use Time::HiRes qw(sleep);

my $bare    = "$ROOT/tests/fresh/bare.sh";
my $dir     = scratch();
my $place   = "$dir/fresh";
my $stubs   = "$dir/stubs";
my $project = "$dir/project";

sub program ( $path, @lines ) {
    return write_file( $path, join q{}, map { "$_\n" } '#!/bin/sh', @lines );
}

# A project with one committed file, and its own bare.sh.
sub make_project () {
    my $make =
        'mkdir -p "$1/tests/fresh" && cp "$2" "$1/tests/fresh" && cd "$1" && echo old >file'
      . ' && git init -q && git add . && git -c user.name=x -c user.email=x@x commit -qm x'
      . ' && echo new >file';
    system( 'sh', '-c', $make, 'sh', $project, $bare ) == 0 or die "no project\n";
    return;
}

mkdir $_ or die "$_: $!\n" for $stubs;
make_project();
chmod 0755, $dir or die "$dir: $!\n";
program( "$stubs/apt-get",     'echo http://mirror.example/debian' );
program( "$stubs/debootstrap", <<'END');
set -eu
while [ $# -gt 3 ]; do shift; done
suite=$1
shift
root=$1
case $root in "$SKAMPI_FRESH"/room.*) ;; *) echo "E: no room: $root"; exit 1 ;; esac
echo "$suite $2" >"$DEBOOTSTRAP_ASKED"
[ -z "${DEBOOTSTRAP_FAILS:-}" ] || { echo "E: no such mirror"; exit 1; }
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/mnt" "$root/etc/apt/apt.conf.d" "$root/usr/bin"
ln -s usr/bin "$root/bin"
for name in sh env umount sleep cat ls; do
    path=$(command -v $name)
    cp "$path" "$root/usr/bin"
    for library in $(ldd "$path" | grep -o '/[^ ]*'); do cp --parents -L "$library" "$root"; done
done
printf '#!/bin/sh\n' >"$root/usr/bin/apt-get" && chmod +x "$root/usr/bin/apt-get"
END

my @ENVIRONMENT =
  ( "SKAMPI_FRESH=$place", "PATH=$stubs:$ENV{PATH}", "DEBOOTSTRAP_ASKED=$dir/asked" );

sub words ( $commands, @more ) {
    return ( 'env', @ENVIRONMENT, @more, "$project/tests/fresh/bare.sh", $commands );
}

# Runs the commands in the new system; returns status, signal, out, err.
sub bare ( $commands, @more ) {
    return SKaMPI::Test::command( $dir, words( $commands, @more ) );
}

# The remains of systems: the base, which later ones copy.
sub left () {
    return join q{ }, map { s{.*/}{}r } grep { -d } glob "$place/*";
}

sub mounts () {
    return scalar grep { /\Q$place\E/ } split /\n/, read_file('/proc/self/mountinfo');
}

my $nobody = SKaMPI::Test::command(
    q{/},
    qw(setpriv --reuid 65534 --clear-groups --),
    words( 'true', "SKAMPI_FRESH=/tmp/none-$$" )
);
if ( $> == 0 ) {
    is $nobody->{status}, 77,                      'not root: exit status 77';
    is $nobody->{out},    "skipped: needs root\n", '... and a reason';
}

my $first = bare('ls; cat file; sleep 0; ls /; exit 3');
plan skip_all => $first->{out} =~ s/skipped: //r if $first->{status} eq '77';

is $first->{status}, 3,   'the exit status of the commands';
is $first->{err},    q{}, 'no complaint';
like $first->{out}, qr/uncommitted changes are left out/, 'a note on uncommitted changes';
like $first->{out}, qr/^file\ntests\nold$/m,              'the committed project';
is $1, 'http://mirror.example/debian', 'from the mirror that apt uses'
  if read_file("$dir/asked") =~ /(\S+)\n/;
is left(),   'base.bookworm', 'the system is removed, its base is kept';
is mounts(), 0,               'no mount stays';

unlink "$dir/asked";
is bare('exit 0')->{status}, 0, 'a second time';
ok !-e "$dir/asked", '... from the same base';
is bare( 'exit 0', 'FRESH_RELEASE=trixie' )->{status}, 0, 'another release';
like read_file("$dir/asked"), qr/\Atrixie /, '... has a base of its own';
system( 'rm', '-rf', "$place/base.trixie" ) == 0 or die "rm: $!\n";

# Found by a number that nobody else sleeps for.
my $SECONDS = "1000.$$";
my $ASLEEP  = "sleep\0$SECONDS\0";

# The sleeping processes may take a moment to end.
sub until_none_sleeps () {
    sleep 0.05 while grep {
        ( eval { read_file($_) } // q{} ) eq $ASLEEP
    } glob '/proc/[0-9]*/cmdline';
    return;
}

for my $signal (qw(TERM INT KILL)) {
    write_file( "$dir/out", q{} );
    my $pid = fork // die "fork: $!\n";
    if ( $pid == 0 ) {
        open STDOUT, '>>', "$dir/out" or die "out: $!\n";

        # Programs that a shell starts in the background ignore SIGINT, and so would their children.
        local @SIG{qw(INT TERM)} = ('DEFAULT') x 2;
        exec words("echo started; sleep $SECONDS & sleep $SECONDS; echo ended") or die "exec: $!\n";
    }
    sleep 0.05 while read_file("$dir/out") !~ /^started$/m;
    kill $signal, $pid;
    waitpid $pid, 0;
    until_none_sleeps();
    is mounts(), 0,               "SIG$signal: no process stays, and no mount";
    is left(),   'base.bookworm', '... no system' if $signal ne 'KILL';
}

system( 'rm', '-rf', "$place/base.bookworm" ) == 0 or die "rm: $!\n";
my $failed = bare( 'true', 'DEBOOTSTRAP_FAILS=yes' );
is $failed->{status}, 1, 'debootstrap fails: so does the test';
like $failed->{err}, qr/E: no such mirror/, '... with its reason';
is left(), q{}, '... and nothing stays, not even of the killed one';

done_testing;
