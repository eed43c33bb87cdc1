# The README is short, shows a run that its command makes again, and names only what exists. Its commands work
# as printed, one after the other, and several runs are merged as it says; doors.t types the other ones.
# docs/examples has the facts that such a run has.
use v5.36;

use List::Util qw(uniq);
use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test             qw($ROOT scratch read_file write_file files_in is_measured mpirun);
use SKaMPI::Typed            qw(commands_of programs typed);

my $MAX_LINES = 110;
my $EXAMPLE   = "$ROOT/docs/examples/standard.out";

my $WITH_LATEX = grep { -x "$_/pdflatex" } split /:/, $ENV{PATH};

my $readme = read_file("$ROOT/README");

cmp_ok scalar( () = $readme =~ /\n/g ), '<=', $MAX_LINES, 'at most two screens';

# Without numbers, of which an error may be missing, and without the marks of rows: both depend on what else the machine
# does; nor with the unit, which depends on how fast it is.
sub shape ($screen) {
    return map {
        s/\s\K[-!^*tv]+\z//r =~ s/\[\Kns\b/us/gr =~ s/[\d.]+|(?<= )-(?= )/0/gr =~ s/\s+/ /gr =~
          s/ \z//r
      }
      map { s/^# (?:done|stopped by -t:).*/# done/r } grep { /^(?:#| +[0-9])/ } split /\n/, $screen;
}

subtest 'the screen is a run that its command makes again' => sub {
    my ( $command, $screen ) = $readme =~ /^    [\$] ([^\n]+)\n(.*?)\n\n/ms;
    my $dir = scratch();
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    my ( $status, $out ) = typed( $dir, $command );

    # On a busy machine, -t ends a run earlier.
    my $is_short = $out =~ /^# stopped by -t: /m;
    is $status, 0, $command or diag $out;
    my ( $got, $expected ) =
      map {
        [ grep { !$is_short || /^#/ } shape($_) ]
      } $out, $screen =~ s/^    //gmr;
    is_deeply $got, $expected, 'prints the same lines';
};

my @paths = $readme =~ m{(?<![\w/])((?:docs|configs|report)/[\w./-]*\w|CONTRIBUTING[.]md)}g;
my @made  = qw(docs/manual.pdf);
is_deeply [ grep { !-e "$ROOT/$_" } grep { $_ ne $made[0] } @paths ], [], 'all files exist';

# A program that none of them names cannot be found.
is_deeply [ grep { $readme !~ /\bskampi $_\b/ } qw(report), programs() ], [],
  'README names every program of report';

# Sections, fields, keys and variations of the catalogue that the manual of SKaMPI 4.1 has.
my %IN_4_1 = map { $_ => 1 } qw(
  @ABSOLUTE @BASETYPE1 @BLOCKS @BLOCKSIZE @CACHEWARMUP @COMMENT @CUTQUANTILEDEFAULT @LOGFILE @MACHINE @MAXREPDEFAULT
  @MAXSTEPSDEFAULT @MEASUREMENTS @MEMORY @MINREPDEFAULT @MULTIPLEOFDEFAULT @NAMEOFRUN @NETWORK @NODE @OUTFILE @POSTPROC
  @STANDARDERRORDEFAULT @TIMEMEASDEFAULT @TIMESUITEDEFAULT @TOPOLOGY1 @USER @VECTORSTRIDE @VERSION
  Cut_Quantile Default_Chunks Default_Message_length End_Argument Max_Distance Max_Repetition Max_Steps Min_Distance
  Min_Repetition Multiple_of Node_Times Parameters Receive_Basetype_Number Receive_Datatype_Number Scale
  Send_Basetype_Number Send_Datatype_Number Standard_error Start_Argument Stepwidth Time_Measurement Time_Suite Type
  Variation Virtual_Topology_Number distance x_distance y_distance Chunks Length Nodes None);

subtest 'what is beyond 4.1 is named' => sub {
    my @names = map { $_->{name} } ( map { @{ $_->{rows} } } rows_of('help') ),
      rows_of('variations');
    my @topics = grep { $_ ne 'basic' } uniq map { $_->{topic} } rows_of('types');
    my ($beyond) =
      read_file("$ROOT/docs/manual/differences.tex") =~ /^\\item\[Beyond 4[.]1\](.*?)^\\end/ms;
    my @named = $beyond =~ /\\code[{](?:Variation = )?(.*?)[}]/g;
    is_deeply [ uniq sort map { s/\\//gr } @named ],
      [ uniq sort @topics, grep { !$IN_4_1{$_} } @names ], 'in differences.tex, and nothing else';
    my @patterns =
      grep { $_->{prefix} !~ /^(?:p2p|mw|col|simple|syncol|internal)\z/ } rows_of('patterns');
    is_deeply [ grep { $beyond !~ /\b$_\b/ } map { $_->{title} } @patterns ], [], 'patterns, too';

    my ( $paper, $which ) = map { read_file("$ROOT/docs/$_") } qw(paper.md manual/which.tex);
    my @commands = map { $_->{name} } rows_of('commands');
    is_deeply [ grep { $which !~ /&[^&]* skampi $_\b/ } @commands ], [],
      'which.tex has a question for each command';
    is_deeply [ grep { $paper !~ /`$_`/ } @commands, @topics, qw(send_in threads) ], [],
      'paper.md has all commands and topics';
};
cmp_ok -s "$ROOT/docs/examples/page1.png", '<=', 150 * 1024, 'the picture is small';

# With fewer arguments, and without LaTeX where it is missing.
sub cheaper ($command) {
    my $shorter = q{sed -i 's,^@TIMEMEASDEFAULT .*,@TIMEMEASDEFAULT 0.00005,}
      . q{; s,^@MAXSTEPSDEFAULT .*,@MAXSTEPSDEFAULT 4,; s,Stepwidth = 4;,Stepwidth = 64;,'};
    return $command =~ s/^editor/$shorter/r =~
      s/report\z/$WITH_LATEX ? 'report' : 'report --format html'/er;
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

# A suite without results, which the messages name, has no facts of them.
sub compare_facts ( $path, $messages ) {
    my ( $old, $new ) = map { facts($_) } $EXAMPLE, $path;
    my @both = grep { $old->{$_} } sort keys %{$new};
    cmp_ok scalar(@both), '>', 10, 'docs/examples has these suites, too';
    for my $part ( grep { $messages !~ /^skampi: \Q$_\E: no result for /m } @both ) {
        is join( q{ }, sort keys %{ $old->{$part} } ), join( q{ }, sort keys %{ $new->{$part} } ),
          "facts of docs/examples: $part"
          or diag 'make example measures it again';
    }
    return;
}

subtest 'the classic way' => sub {
    my $dir = scratch();
    symlink $ENV{SKAMPI_PROGRAM}, "$dir/skampi" or die "$dir/skampi: $!\n";
    my @commands = commands_of( $readme, 'The classic way' );
    is scalar(@commands), 6, 'six lines';
    my ( $run, $merge ) = map { "#skampi finished.$_" } q{}, '-postprocessed';
    for my $number ( keys @commands ) {
        my ( $status, $out ) = typed( $dir, cheaper( $commands[$number] ) );
        is $status, 0, $commands[$number] or diag $out;
        is_deeply endings($dir), { 'skampi.out' => $run }, 'one run' if $number == 3;
    }
    ok -s "$dir/skampi.out.$_", "skampi.out.$_" for $WITH_LATEX ? 'pdf' : (), 1, 2;
    is endings($dir)->{'skampi.out'}, $merge, 'two runs and their merge';
    my ($file) = $readme =~ /complete one:\n\n(.*?)\n\n/s;
    write_file( "$dir/whole", $file );
    is + ( typed( $dir, './skampi --check whole' ) )[0], 0, 'a complete parameter file';
};

subtest 'docs/examples' => sub {
    my $dir = scratch();
    typed( $dir, cheaper($_) ) for 'skampi --print-config quick > .skampi', 'editor .skampi';
    my $run = mpirun( $dir, 2, '-q' );
    is_measured( $run, 'measured' );
    compare_facts( "$dir/skampi.out", $run->{err} );
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

done_testing;
