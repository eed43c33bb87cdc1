# make install: which files it installs, that they run from there, and that make uninstall removes
# all of them.
use v5.36;

use File::Copy qw(copy);
use Test::More;
use SKaMPI::Generated qw(launch_text launches random_from);
use SKaMPI::Install   qw(make_in paths_under);
use SKaMPI::Test      qw($ROOT command scratch read_file write_file workplace);

my $dest   = scratch();
my @where  = ( "DESTDIR=$dest", 'PREFIX=/opt/bench' );
my $prefix = "$dest/opt/bench";

# Runs an installed program with an empty environment. Returns what it prints.
sub printed ( $program, @args ) {
    local $ENV{PATH} = "$prefix/bin:/usr/bin:/bin";
    delete local @ENV{qw(PERL5LIB)};
    my $run = command( q{.}, "$prefix/bin/$program", @args );
    is "$run->{status} $run->{signal} $run->{err}", '0 0 ', "$program @args";
    return $run->{out};
}

sub page ($name) {
    local $ENV{MANWIDTH} = 100;
    return command( q{.}, 'man', '-l', "$prefix/share/man/$name" )->{out} =~ s/.\x08//gr;
}

make_in( $ROOT, 'install', @where );

my @PROGRAMS =
  qw(skampi dorep skampi-show skampi-compare skampi-export skampi-launch skampi-tune skampi-profile
  skampi-model skampi-db);

subtest 'installed files' => sub {
    my @paths  = paths_under($prefix);
    my %is     = map { $_ => 1 } @paths;
    my @wanted = (
        ( map { "bin/$_" } @PROGRAMS ),
        'lib/skampi/libskampi-record.so',
        'lib/skampi/skampi-maxt',
        'share/skampi/standard.skampi',
        'share/doc/skampi/README',
        'share/doc/skampi/CITATION.cff',
        'share/bash-completion/completions/skampi',
        'share/zsh/site-functions/_skampi',
        'share/fish/vendor_completions.d/skampi-show.fish',
        ( map { "share/man/man1/$_.1" } @PROGRAMS ),
        map { "share/man/man5/$_" } qw(skampi.5 skampi.out.5)
    );
    ok $is{$_}, $_ for @wanted;
    my @modes = map { sprintf '%s %03o', $_, ( stat "$prefix/$_" )[2] & oct 777 } qw(bin/skampi
      share/skampi/report/show.pl share/skampi/quick.skampi share/man/man1/skampi.1);
    is_deeply [ map { /(\d+)$/ } @modes ], [qw(755 755 644 644)], 'modes';
    my @strange = grep { /~$|[.](?:orig|rej|new|o)$/ } @paths;
    is_deeply \@strange, [], 'no other files';
};

subtest 'documents name each program' => sub {
    my @installed = map { m{^bin/(.+)} ? $1 : () } paths_under($prefix);
    is_deeply [ sort @installed ], [ sort @PROGRAMS ], 'these are all';
    for my $document (qw(README CONTRIBUTING.md docs/manual/which.tex docs/manual/install.tex)) {
        my $text = read_file("$ROOT/$document") =~ s/[{]-[}]/-/gr;
        my @unnamed;
        for my $program (@installed) {
            my $source = $program                                         =~ s/^skampi-//r . '.pl';
            my $typed  = $program eq 'dorep' ? 'skampi report' : $program =~ s/-/ /r;
            push @unnamed, $program
              if $text !~ /\b(?:\Q$program\E(?![\w-])|(?:\Q$source\E|$typed)\b)/;
        }
        is_deeply \@unnamed, [], $document;
    }
};

subtest 'it runs from there' => sub {
    my ($version) = read_file("$ROOT/Makefile") =~ /^VERSION = (\S+)/m;
    like printed( 'skampi', '--version' ), qr/\Askampi \Q$version\E(?:-dev)?\n\z/, 'the version';
    my $quick = "$prefix/share/skampi/quick.skampi";
    is printed( 'skampi', '--print-config', 'quick' ), read_file($quick), 'a shipped file';
    like printed( 'skampi', '--check', $quick ), qr/^p2p_MPI_Send-MPI_Recv$/m, 'and its plan';
    my $old = "$ROOT/tests/report/data/old.out";
    like printed( 'skampi-show', $old ), qr/\d+ suites?, \d+ measurements?;/, 'a table';
    my $random = random_from(1);
    my @files;

    for my $times ( launches( $random, launches => 8, points => 3, between => 0.001 ) ) {
        push @files, write_file( "$dest/" . @files . '.out', launch_text($times) );
    }
    like printed( 'skampi-compare', @files[ 0 .. 3 ], q{--}, @files[ 4 .. 7 ] ),
      qr/^3 points: 0 slower, 0 faster, 0 undecided, 3 equal$/m, 'a comparison';
    like printed( 'skampi-export', $files[0] ), qr/^1,.*,p2p_Suite01,/m, 'CSV';
};

subtest 'manual pages' => sub {
    my $missing = !grep { -x "$_/man" } split /:/, $ENV{PATH};
    plan skip_all => 'man is missing' if $missing;
    my $options = page('man1/skampi.1');
    like $options, qr/^ +-f, --file FILE$/m, 'options';
    my $parameters = page('man5/skampi.5');
    like $parameters,               qr/^ +$_$/m, "parameter $_" for qw(@MEMORY Stepwidth partner);
    like page('man5/skampi.out.5'), qr/^ +time_cleaned, /m, 'columns';
    my $table = page('man1/skampi-show.1');
    like $table,   qr/^NAME\n +skampi-show - /m, 'the table';
    unlike $table, qr/show[.]pl|POD ERRORS/,     'by its installed name';
};

# The completions that bash offers for the last word.
sub completed ( $function, @words ) {
    my $script = <<'END';
source "$1"; shift
function=$1; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
$function "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
    my $run =
      command( q{.}, 'bash', '-c', $script, 'bash',
        "$prefix/share/bash-completion/completions/skampi",
        $function, @words );
    is $run->{err}, q{}, "@words: silent";
    return join q{ }, grep { length } split /\n/, $run->{out};
}

subtest 'completion' => sub {
    my $skampi = "$prefix/bin/skampi";
    my $dir    = scratch();
    copy( "$ROOT/tests/report/data/old.out", "$dir/old.out" ) or die "old.out: $!\n";
    write_file( "$dir/$_", q{} ) for qw(.skampi a.skampi b.txt);
    chdir $dir or die "$dir: $!\n";
    my @cases = (
        [ '_skampi', [ $skampi, '--print' ],                qr/^--print-config$/ ],
        [ '_skampi', [ $skampi, '-' ],                      qr/--file .*--help .*--list/ ],
        [ '_skampi', [ $skampi, '--print-config', 'q' ],    qr/^quick$/ ],
        [ '_skampi', [ $skampi, '--list', 'syncol_MPI_B' ], qr/^syncol_MPI_Bcast syncol_MPI_B/ ],
        [ '_skampi', [ $skampi, '--help-params', 'Stepw' ], qr/^Stepwidth$/ ],
        [ '_skampi', [ $skampi, '--help-params', 'MEMO' ],  qr/^MEMORY$/ ],
        [ '_skampi', [ $skampi, '--help-params', '@MEMO' ], qr/^\@MEMORY$/ ],
        [ '_skampi', [ $skampi, '--help-params', q{@}, 'MEMO' ], qr/^MEMORY$/ ],
        [ '_skampi', [ $skampi, '--help-params', q{@} ],         qr/^COMMENT .*\bMEMORY\b/ ],
        [ '_skampi', [ $skampi, '--file', q{=} ],                qr/^a[.]skampi [.]skampi$/ ],
        [
            '_skampi', [ $skampi, '--list', q{=}, 'p2p_MPI_Sendrecv_r' ],
            qr/^p2p_MPI_Sendrecv_replace$/
        ],
        [ '_skampi', [ $skampi, '-f', q{} ],                       qr/^a[.]skampi [.]skampi$/ ],
        [ '_skampi', [ $skampi, '-f', q{.} ],                      qr/^[.]skampi\b/ ],
        [ '_skampi', [ $skampi, '--postprocess', 'old.out', q{} ], qr/^old[.]out$/ ],
        [ '_skampi', [ $skampi, 'allreduce', 'bca' ],              qr/^bcast\b/ ],
        [ '_skampi', [ $skampi, '--as', q{} ],                     qr/^osu imb$/ ],
        [ '_skampi', [ $skampi, 'rep' ],                           qr/^report$/ ],
        [ '_skampi', [ $skampi, 'report', q{} ],                   qr/^old[.]out$/ ],
        [ '_skampi', [ $skampi, 'show', '--he' ],                  qr/^--health --help$/ ],
        [ '_skampi', [ $skampi, 'db', 're' ],                      qr/^reference reindex$/ ],
        [ '_skampi', [ $skampi, 'export', '-f', 'o' ],             qr/^osu$/ ],
        [ '_skampi_show', [ "$prefix/bin/skampi-show", '--a' ],    qr/^--all$/ ],
        [
            '_skampi_reports',
            [ "$prefix/bin/skampi-compare", '--thr' ],
            qr/^--threshold --thresholds$/
        ],
        [ '_skampi_reports', [ "$prefix/bin/skampi-compare", '--format', 'j' ], qr/^json junit$/ ],
        [ '_skampi_launch',  [ "$prefix/bin/skampi-launch", '--bu' ],           qr/^--budget$/ ],
        [ '_skampi_launch',  [ 'skampi-launch', 'o' ],                          qr/^old[.]out$/ ],
        [ '_skampi_db',      [ "$prefix/bin/skampi-db", '--dat' ],              qr/^--database$/ ],
        [ '_skampi_db',      [ "$prefix/bin/skampi-tune", 'v' ],                qr/^verify$/ ],
        [ '_skampi_db',      [ 'skampi-db', 'add', 'o' ],                       qr/^old[.]out$/ ],
        [ '_skampi_reports', [ 'skampi-compare', 'o' ],                         qr/^old[.]out$/ ],
        [ '_skampi_show',    [ 'dorep', 'old.out', 'o' ],                       qr/^old[.]out$/ ],
        [ '_skampi_show',    [ 'skampi-show', 'old.out', 'p2p' ],               qr/^$/ ],
    );
    for my $case (@cases) {
        my ( $function, $words, $expected ) = @{$case};
        like completed( $function, @{$words} ), $expected, "@{$words}[1..$#{$words}]";
    }
    chdir q{/} or die "/: $!\n";
};

my $payload = '$(touch${IFS}PWNED)`touch${IFS}PWNED`';

# A directory with files that have commands in them and in their names.
sub hostile_place () {
    return workplace( 'evil.out' => "#\@X\n#/*\@in${payload}x.ski*/\n", "$payload.out" => q{} );
}

# No text of a stranger, in a file or as its name, is run or offered as a suite.
subtest 'completion of hostile files' => sub {
    my $dir = hostile_place();
    chdir $dir or die "$dir: $!\n";
    my $skampi = "$prefix/bin/skampi";
    for my $case (
        [ '_skampi_show',    'skampi-show',    'evil.out', q{} ],
        [ '_skampi_reports', 'skampi-compare', 'evil.out', q{} ],
        [ '_skampi_launch',  'skampi-launch',  q{} ],
      )
    {
        is_deeply [ sort split q{ }, completed( @{$case} ) ], [ "$payload.out", 'evil.out' ],
          $case->[0];
    }
    is completed( '_skampi', $skampi, @{$_}, $payload ), q{}, "skampi @{$_}"
      for [], ['--as'], ['--list'], ['--help-params'];
    ok !-e "$dir/PWNED", 'nothing was run';
    chdir q{/} or die "/: $!\n";
};

# Commands that print the completions of a line.
my %SHELLS = (
    bash => [ '-c', 'bash "$1/share/bash-completion/completions/skampi" "${@:2}"', 'bash' ],
    zsh  => [ '-f', '-c', <<'END', 'zsh' ],
compadd() { print -l -- $found }
compset() { : }
fpath=($1/share/zsh/site-functions)
autoload _skampi
shift
words=("$@") CURRENT=$#
_skampi
END
    fish => [ '--no-config', '-c', <<'END' ],
source $argv[1]/share/fish/vendor_completions.d/skampi.fish
complete -C "$argv[2..-1]"
END
);
for my $shell ( sort keys %SHELLS ) {
    subtest "completion in $shell" => sub {
        plan skip_all => "$shell is missing" if !grep { -x "$_/$shell" } split /:/, $ENV{PATH};
        local $ENV{PATH} = "$prefix/bin:$ENV{PATH}";
        my %cases = (
            'skampi allr'             => qr/^allreduce$/m,
            'skampi --print-config q' => qr/^quick$/m,
            'skampi-show --heal'      => qr/^--health$/m,
            'skampi-db rei'           => qr/^reindex$/m,
            'skampi show --heal'      => qr/^--health$/m,
            $shell eq 'bash'
            ? ()
            : ( 'skampi --print-config=q' => qr/^(?:--print-config=)?quick$/m ),
        );
        for my $line ( sort keys %cases ) {
            my $run = command( q{.}, $shell, @{ $SHELLS{$shell} }, $prefix, split q{ }, $line );
            like $run->{out}, $cases{$line}, $line or diag $run->{err};
        }
        my $dir = hostile_place();
        my $run =
          command( $dir, $shell, @{ $SHELLS{$shell} }, $prefix, 'skampi-show', 'evil.out', q{} );
        like "$run->{out}$run->{err}", qr/evil[.]out/, 'a hostile file is offered';
        ok !-e "$dir/PWNED", '... and nothing was run';
    };
}

subtest 'uninstall' => sub {
    write_file( "$prefix/share/skampi/mine.skampi", "mine\n" );
    make_in( $ROOT, 'uninstall', @where );
    my @left = grep { !m{/$} } paths_under($prefix);
    is_deeply \@left, ['share/skampi/mine.skampi'], 'only files that others put there remain';
    unlink "$prefix/share/skampi/mine.skampi" or die "mine.skampi: $!\n";
    make_in( $ROOT, 'uninstall', @where );
    ok !-e $prefix, 'no directory remains';
};

subtest 'a place with a blank in its name' => sub {
    my $place = "$dest/my programs";
    make_in( $ROOT, 'install', "PREFIX=$place", 'DESTDIR=' );
    is command( q{.}, "$place/bin/$_", '--version' )->{err}, q{}, "$_ runs from there"
      for @PROGRAMS;
    like command( q{.}, "$place/bin/skampi", 'show', '--help' )->{out}, qr/skampi-show - /,
      'also by its command';
    make_in( $ROOT, 'uninstall', "PREFIX=$place", 'DESTDIR=' );
    ok !-e $place, 'and can be removed';
};

# Few files suffice.
subtest 'directories that every system has remain' => sub {
    my @usr = ( "DESTDIR=$dest", 'PREFIX=/usr/local', 'REPORT_FILES=report/show.pl' );
    make_in( $ROOT, 'install',   @usr );
    make_in( $ROOT, 'uninstall', @usr );
    my @left = paths_under("$dest/usr/local");
    ok scalar( grep { $_ eq 'bin/' } @left ), 'bin';
    is_deeply [ grep { !m{/$} || /skampi/ } @left ], [], 'and nothing of skampi';
};

done_testing;
