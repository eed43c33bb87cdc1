# Whatever has the name of a file of a run: the run uses another one, or ends with a message that names it. It does not
# wait, follow a link, or change or remove what is there.
use v5.36;

use POSIX qw(mkfifo);
use Test::More;
use SKaMPI::Test qw(command files_in read_file workplace write_file);

my $GARBAGE = join q{}, map { chr( $_ * 7 % 256 ) } 0 .. 1_000_000;
my %KINDS   = (
    'a link'                 => sub ($path) { symlink 'victim',    $path },
    'a dangling link'        => sub ($path) { symlink 'nowhere',   $path },
    'a link to a directory'  => sub ($path) { symlink 'directory', $path },
    'a link to /dev/zero'    => sub ($path) { symlink '/dev/zero', $path },
    'a pipe'                 => sub ($path) { mkfifo( $path, oct 600 ) },
    'a directory'            => sub ($path) { mkdir $path },
    'an unreadable file'     => sub ($path) { write_file( $path, 'mine' ); chmod 0, $path },
    'garbage'                => sub ($path) { write_file( $path, $GARBAGE ) },
    'a file of another user' =>
      sub ($path) { write_file( $path, 'theirs' ); chown 65_534, 65_534, $path },
);
delete $KINDS{'a file of another user'} if $> != 0;
my @NAMES = qw(skampi.out skampi.log skampi.out.journal skampi.out.1);

my $SUITE = "\@VERSION 4.2\n\@MEASUREMENTS\nA { Type = 1; }\n";
my $RUN   = workplace( '.skampi' => $SUITE );
command( $RUN, "$ENV{SKAMPI_UNIT}/dummy_run", 2 );
my $RESULTS = read_file("$RUN/skampi.out");

# The numbers of the files there, whatever their names.
sub numbers_in ($dir) {
    return { map { ( lstat "$dir/$_" )[1] => 1 } files_in($dir) };
}

sub planted ( $name, $kind ) {
    my $dir = workplace( victim => "precious\n", '.skampi' => $SUITE, '1.out' => $RESULTS );
    mkdir "$dir/directory"        or die "directory: $!\n";
    $KINDS{$kind}->("$dir/$name") or die "$kind: $!\n";
    return $dir;
}

# How skampi touches other names.
my %OTHERS = (
    'given.skampi' => [qw(--check -f given.skampi)],
    'merged.out'   => [qw(--postprocess 1.out -o merged.out)],
);

# Ends a run that hangs.
sub checked ( $name, $kind, @words ) {
    my $dir    = planted( $name, $kind );
    my $number = ( lstat "$dir/$name" )[1];
    my $run    = command( $dir, 'timeout', 60, @words );
    my $what   = "$words[0]: $kind as $name" =~ s{\S*/}{}r;
    cmp_ok $run->{status}, '<=', 3, "$what: it ends by itself" or diag $run->{err};
    like $run->{err}, qr/^(?:skampi: [^\n]*'|(?=\S+:1:))\Q$name\E/m, "$what: the message names it"
      if $run->{status} =~ /[12]/;
    is read_file("$dir/victim"), "precious\n", "$what: no link is followed";
    is_deeply [ files_in("$dir/directory") ], [], "$what: nor one to a directory";
    ok !-e "$dir/nowhere",          "$what: nor one to nothing";
    ok numbers_in($dir)->{$number}, "$what: it remains";
    return;
}

for my $kind ( sort keys %KINDS ) {
    for my $name (@NAMES) {
        checked( $name, $kind, "$ENV{SKAMPI_UNIT}/dummy_run", 2 );
        checked( $name, $kind, $ENV{SKAMPI_PROGRAM}, '--status' ) if $name ne 'skampi.out.1';
    }
    checked( $_, $kind, $ENV{SKAMPI_PROGRAM}, @{ $OTHERS{$_} } ) for sort keys %OTHERS;
}

done_testing;
