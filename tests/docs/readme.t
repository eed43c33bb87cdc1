# The README is short, shows a run that its command makes again, and names only what exists. Its commands work
# as printed, one after the other, and several runs are merged as it says. docs/examples has the facts
# that such a run has.
use v5.36;

use Test::More;
use SKaMPI::Test  qw($ROOT command scratch read_file write_file files_in);
use SKaMPI::Typed qw(typed);

my $MAX_LINES = 110;
my $EXAMPLE   = "$ROOT/docs/examples/standard.out";

my $readme = read_file("$ROOT/README");

cmp_ok scalar( () = $readme =~ /\n/g ), '<=', $MAX_LINES, 'at most two screens';

# Without numbers, of which an error may be missing, and without the marks of rows: both depend on what else the machine
# does; nor with the unit, which depends on how fast it is.
sub shape ($screen) {
    return map {
        s/\s\K[-!^*tv]+\z//r =~ s/\[\Kns\b/us/gr =~ s/[\d.]+|(?<= )-(?= )/0/gr =~ s/\s+/ /gr =~
          s/ \z//r
      }
      map { s/^# done.*/# done/r } grep { /^[# ]/ } split /\n/, $screen;
}

subtest 'the screen is a run that its command makes again' => sub {
    my ( $command, $screen ) = $readme =~ /^    [\$] ([^\n]+)\n(.*?)\n\n/ms;
    my $dir = scratch();
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    my ( $status, $out ) = typed( $dir, $command );
    is $status, 0, $command or diag $out;
    is_deeply [ shape($out) ], [ shape( $screen =~ s/^    //gmr ) ], 'prints the same lines';
};

my @paths = $readme =~ m{(?<![\w/])((?:docs|configs|report)/[\w./-]*\w|CONTRIBUTING[.]md)}g;
my @made  = qw(docs/manual.pdf);
is_deeply [ grep { !-e "$ROOT/$_" } grep { $_ ne $made[0] } @paths ], [], 'all files exist';

# A program that none of them names cannot be found.
for my $path (qw(README docs/manual/which.tex)) {
    my $text = read_file("$ROOT/$path");
    is_deeply [ grep { $text !~ /\b\Q$_\E\b/ } grep { /[.]pl\z/ } files_in("$ROOT/report") ],
      [], "$path names every program of report";
}

# With two processes and the shortest of the shipped files, which is made shorter, with fewer arguments.
sub cheaper ($command) {
    my $shorter = q{sed -i 's,^@TIMEMEASDEFAULT .*,@TIMEMEASDEFAULT 0.00005,}
      . q{; s,^@MAXSTEPSDEFAULT .*,@MAXSTEPSDEFAULT 4,; s,Stepwidth = 4;,Stepwidth = 64;,' .skampi};
    return $command =~ s/(-np?) 16\b/$1 2/r =~ s/standard/quick/r =~
      s/> [.]skampi\K\z/ && $shorter/r;
}

sub endings ($dir) {
    my %ending;
    for my $name ( grep { /^skampi[.]out/ } files_in($dir) ) {
        ( $ending{$name} ) = read_file("$dir/$name") =~ /^(.*)\n\z/m;
    }
    return \%ending;
}

# Newer than the example: to be removed when it is measured again, on a machine as quiet as it was.
my @NEWER = qw(ESTIMATE LIBRARY LIMITS RULE SPAN TMPDIR VERIFIED);

# The names of the facts of header, trailer and each suite, without those that depend on the machine or checkout.
sub facts ($path) {
    my ( $part, %facts ) = ('header');
    for my $line ( split /\n/, read_file($path) ) {
        $part             = $1 // 'trailer' if $line =~ m{^[#](?:/[*]\@in(\S+)[.]ski[*]/|eol)$};
        $facts{$part}{$1} = 1               if $line =~ /^[#]\@([A-Z]+)/;
    }
    delete @{$_}{ qw(CONTENDED NOTE PROGRAM SELFTEST SKIPPED WARNING), @NEWER } for values %facts;
    return \%facts;
}

sub compare_facts ($path) {
    my ( $old, $new ) = map { facts($_) } $EXAMPLE, $path;
    my @both = grep { $old->{$_} } sort keys %{$new};
    cmp_ok scalar(@both), '>', 10, 'docs/examples has these suites, too';
    for my $part (@both) {
        is join( q{ }, sort keys %{ $old->{$part} } ), join( q{ }, sort keys %{ $new->{$part} } ),
          "facts of docs/examples: $part"
          or diag 'make example measures it again';
    }
    return;
}

sub try_merging ( $dir, $again ) {
    my ( $run, $merge ) = map { "#skampi finished.$_" } q{}, '-postprocessed';
    is_deeply endings($dir), { 'skampi.out' => $run }, 'one run' or diag explain endings($dir);
    typed( $dir, "$again -q" );
    is_deeply endings($dir),
      { 'skampi.out' => $merge, 'skampi.out.1' => $run, 'skampi.out.2' => $run },
      'two runs and their merge'
      or diag explain endings($dir);
    return;
}

# The commands of a section, as far as they do not take too long for this test; the manual's tutorial runs the others.
sub commands_of ($title) {
    my ($section) = $readme =~ /^\Q$title\E\n-+\n(.*?)^\S[^\n]*\n-{3,}$/ms;
    return $section =~ /^ {7}([^\s@]\S* .*[^{}\n])$/mg;
}

subtest 'three doors' => sub {
    my @doors = commands_of('Three doors');
    is scalar(@doors), 9, 'three commands each';
    for my $program (qw(mpirun dorep profile launch db tune model)) {
        ok scalar( grep { m{(?:^|&& )(?:[.]/|report/)?$program\b} } @doors ),
          "a command with $program";
    }
    my @options =
      map { [ m{^report/(\w+)[.]pl}, /(--(?!format)\w+)/ ] } grep { /^report.*--\w/ } @doors;
    for my $used (@options) {
        my ( $program, $option ) = @{$used};
        my $run = command( q{.}, $^X, "$ROOT/report/$program.pl", '--help' );
        like $run->{out}, qr/\Q$option\E\b/, "$program.pl has $option";
    }
    my $dir = scratch();
    my ($times) = grep { /-m 8/ } @doors;
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    my ( $status, $out ) = typed( $dir, cheaper($times) =~ s/8:1M/8:64/r );
    is $status, 0, $times or diag $out;
};

subtest 'your own suites' => sub {
    my $dir = scratch();
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    my ( $name, $file ) = $readme =~ /complete one, (\S+):\n\n(.*?)\n\n/s;
    write_file( "$dir/$name", $file =~ s/1000$/10/mr =~ s/(?=[}])/End_Argument = 64; /r . "\n" );
    my @commands = commands_of('Your own suites');
    is scalar(@commands), 2, 'two commands';
    for my $command (@commands) {
        my ( $status, $out ) = typed( $dir, $command );
        is $status, 0, $command or diag $out;
    }
    try_merging( $dir, $commands[-1] );
};

subtest 'docs/examples' => sub {
    my $dir = scratch();
    typed( $dir, cheaper('skampi --print-config standard > .skampi') );
    my ( $status, $out ) = typed( $dir, 'mpirun -np 2 skampi -q' );
    is $status, 0, 'measured' or diag $out;
    compare_facts("$dir/skampi.out");
};

subtest 'docs/bench.md: its first page repeats figures of its table' => sub {
    my ( $page, $rest ) =
      read_file("$ROOT/docs/bench.md") =~ /^[#][#] On one page\n(.*?)^[#][#] (.*)\z/ms;
    my @figures = $page =~ /(?<![\w.])\d+[.]\d+/g;
    cmp_ok scalar(@figures), '>', 20, 'figures';
    is_deeply [ grep { $rest !~ /(?<![\d.])\Q$_\E(?!\d)/ } @figures ], [], 'all are there';
};

my $makefiles = join q{},
  map { read_file($_) } map { glob "$ROOT/$_" } qw(Makefile *.mk docs/*.mk tests/*.mk);
my @targets = $readme =~ /\bmake (demo|[a-z]+(?=[" ]))/g;
my @unknown =
  grep { $makefiles !~ /^(?:[\w-]+ )*$_(?: [\w-]+)*:/m } grep { !/^(?:a|alone)$/ } @targets;
is_deeply \@unknown, [], 'all targets exist' or diag "@targets";

my ( $version, $date ) = $makefiles =~ /^VERSION = (\S+)\nRELEASED = (\S+)$/m;
like read_file("$ROOT/CITATION.cff"), qr/^version: \Q$version\E\ndate-released: \Q$date\E$/m,
  'CITATION.cff has the version and date of the Makefile';
is read_file("$ROOT/CHANGES") =~ /^([\d.]+), /m ? $1 : q{}, $version, 'CHANGES begins with it';

done_testing;
