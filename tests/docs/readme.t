#!/usr/bin/perl
# The README is short, shows results of docs/examples, and names only what exists. Its commands work
# as printed, one after the other, and several runs are merged as it says. docs/examples has the facts
# that such a run has.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Install qw(root);
use SKaMPI::Test    qw(scratch read_file write_file files_in);
use SKaMPI::Typed   qw(typed);

my $MAX_LINES = 120;
my $EXAMPLE   = root() . '/docs/examples/standard.out';

my $readme = read_file( root() . '/README' );

sub squeezed ($line) {
    return $line =~ s/\s+/ /gr =~ s/\A | \z//gr;
}

cmp_ok scalar( () = $readme =~ /\n/g ), '<=', $MAX_LINES, 'at most two screens';

subtest 'the table is from docs/examples' => sub {
    my ($table) = $readme =~ /^([ ]{4}Synchronous Collective:.*?)\n\n/ms;
    my $shown = q{};
    local $ENV{COLUMNS} = 110;
    run [ $^X, root() . '/report/show.pl', $EXAMPLE ], '<', \undef, '>', \$shown;
    my %shown = map { squeezed($_) => 1 } split /\n/, $shown;
    my @lines = map { squeezed($_) } split /\n/, $table // q{};
    cmp_ok scalar(@lines), '>', 4, 'a table';
    is_deeply [ grep { !$shown{$_} } @lines ], [], 'with lines that skampi-show prints';
    my ( $day, $year ) =
      read_file($EXAMPLE) =~ /^[#]\@DATE \w+ (\w+ +\d+) \S+ (\d+)(?: [+-]\d+)?$/m;
    like $readme, qr/\Q$day $year\E/, 'and its date';
};

my @paths = $readme =~ m{(?<![\w/])((?:docs|configs|report)/[\w./-]*\w|CONTRIBUTING[.]md)}g;
my @made  = qw(docs/manual.pdf);
is_deeply [ grep { !-e root() . "/$_" } grep { $_ ne $made[0] } @paths ], [], 'all files exist';

# A program that none of them names cannot be found.
for my $path (qw(README docs/manual/which.tex)) {
    my $text = read_file( root() . "/$path" );
    is_deeply [ grep { $text !~ /\b\Q$_\E\b/ } grep { /[.]pl\z/ } files_in( root() . '/report' ) ],
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
my @NEWER = qw(ESTIMATE TMPDIR VERIFIED);

# The names of the facts of header, trailer and each suite, without those that depend on the machine.
sub facts ($path) {
    my ( $part, %facts ) = ('header');
    for my $line ( split /\n/, read_file($path) ) {
        $part             = $1 // 'trailer' if $line =~ m{^[#](?:/[*]\@in(\S+)[.]ski[*]/|eol)$};
        $facts{$part}{$1} = 1               if $line =~ /^[#]\@([A-Z]+)/;
    }
    delete @{$_}{ qw(CONTENDED NOTE SELFTEST SKIPPED WARNING), @NEWER } for values %facts;
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

subtest 'what to do' => sub {
    my ($section) = $readme =~ /^Five things to do\n-+\n(.*?)^If a run/ms;
    my $dir = scratch();
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    symlink root() . '/report',   "$dir/report" or die "$dir/report: $!\n";
    my ( $name, $file ) = $section =~ /complete one, (\S+):\n\n(.*?)\n\n/s;
    my @commands = map { cheaper(s/ {3,}.*//r) } $section =~ /^ {7}([^\s@]\S* .*[^{}\n])$/mg;
    for my $program (qw(skampi mpirun show dorep export launch compare)) {
        ok scalar( grep { m{^(?:[.]/|report/)?$program\b} } @commands ), "a command with $program";
    }

    # The report takes too long for this test.
    write_file( "$dir/$name", "$file\n" );
    for my $command ( grep { !/dorep/ } @commands ) {
        write_file( "$dir/$name", $file =~ s/1000$/10/mr =~ s/(?=[}])/End_Argument = 64; /r )
          if $command =~ /launch/;
        my ( $status, $out ) = typed( $dir, $command );
        my $finds_slower = $command =~ /compare/ && $status == 256;
        is $status, $finds_slower ? 256 : 0, $command or diag $out;
    }
    compare_facts("$dir/skampi.out");
    try_merging( $dir, grep { $_ eq 'mpirun -np 2 ./skampi' } @commands );
};

my $makefiles = join q{},
  map { read_file($_) } map { glob root() . "/$_" } qw(Makefile *.mk docs/*.mk tests/*.mk);
my @targets = $readme =~ /\bmake (demo|[a-z]+(?=[" ]))/g;
my @unknown =
  grep { $makefiles !~ /^(?:[\w-]+ )*$_(?: [\w-]+)*:/m } grep { !/^(?:a|alone)$/ } @targets;
is_deeply \@unknown, [], 'all targets exist' or diag "@targets";

my ( $version, $date ) = $makefiles =~ /^VERSION = (\S+)\nRELEASED = (\S+)$/m;
like read_file( root() . '/CITATION.cff' ), qr/^version: \Q$version\E\ndate-released: \Q$date\E$/m,
  'CITATION.cff has the version and date of the Makefile';
is read_file( root() . '/CHANGES' ) =~ /^([\d.]+), /m ? $1 : q{}, $version,
  'CHANGES begins with it';

done_testing;
