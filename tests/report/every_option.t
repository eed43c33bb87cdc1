# Every command and every documented option of the report's programs is called once. The first call of a program is made
# again with an output that has no room, which is one message and status 1, and with one that nobody reads, which is not
# an error; the first with -o where a file may have 64 bytes.
use v5.36;

use File::Copy qw(copy);
use File::Path qw(make_path);
use Pod::Text  ();
use Test::More;
use Text::ParseWords     qw(shellwords);
use SKaMPI::DatabaseTest qw(db generated_run);
use SKaMPI::Prestarted;
use SKaMPI::ReportTest qw(tool workplace);
use SKaMPI::Test       qw($ROOT read_file);

my ($VERSION) = read_file("$ROOT/build/catalog.json") =~ /\A[{]"version":"([^"]+)"/;
my %CHOICE = ( notes =>
      { ALGORITHMS => "bcast, 2 processes, coll_tuned_bcast_algorithm\n# 1 linear\n# 2 chain" } );
my $dir = workplace(
    (
        map { ( "$_.out" => generated_run( minute => $_, factor => 1 + $_ / 50, %CHOICE ) ) }
          1 .. 8
    ),
    ( map { $_ => generated_run( points => 10 ) } qw(model skampi.out skampi.out.1 skampi.out.2) ),
    ( map { ( "$_.out" => generated_run() ) } qw(here there) ),
    rules            => "# a table\n1\n7\n2\n2\n1\n0 0 0 0\n4\n1\n0 0 0 0\n",
    limits           => "* * 10%\n",
    'rules.verified' => "#\@DATE\n",
    token            => 'a' x 64,
    tcp              => 'A=1',
    shared           => 'A=2',
    marks            => "#!/bin/sh\n: > \"\${0%/*}/started\"\n",
    starts           => "#!/bin/sh\ncp \"\${0%/*}/\$(pwd | tail -c 2).out\" skampi.out\n",
    recording        => join "\n",
    '#@PROFILE 1',
    '#@PROGRAM a',
    '#@PROCESSES 2',
    '#@HOSTS 1',
    '#@COMPLETE yes',
    '#@RANK 0 a',
    '#@SECONDS 1',
    'MPI_Allreduce 2 1 8 9 - contiguous apart predefined 0 100 800 900 20',
    q{}
);
chmod oct 600, "$dir/token";
copy( "$dir/recording", "$dir/skampi.profile" );

for my $number ( 1 .. 8 ) {
    for my $place ( "run$number", ( $number < 5 ? 'old' : 'new' ) . "/$number" ) {
        make_path("$dir/$place");
        copy( "$dir/$number.out", "$dir/$place/skampi.out" );
    }
}
my %WORDS = (
    LAUNCHES => [ map { "$_.out" } 1 .. 6 ],
    SIDES    => [ qw(1.out 2.out 3.out 4.out -- 5.out), '6.out', '7.out', '8.out' ],
    RAW      => ["$ROOT/tests/report/data/raw/skampi.out"],
    ROOT     => [$ROOT]
);

# The exit status, the program and its words.
my $CALLS = <<'END_OF_CALLS';
0 show -a --all --format text 1.out
0 show --json 1.out
0 show --brief 1.out
0 show --brief --json 1.out
0 show -t --times RAW
3 show --health -f json 1.out
0 show --odd --all LAUNCHES 7.out
0 export -f csv --format json -s *a* --suite *Suite* 1.out
0 export --raw -o export --output export RAW
0 export --json 1.out
0 export --schema
0 compare --json SIDES
3 compare -a --all --strict --value min --alpha 1% --fail-on any --threshold 1% --format csv SIDES
0 compare --force --fail-on never --thresholds limits -o compared --output compared --save base.json SIDES
3 compare --by @DATE LAUNCHES
0 show --baseline base.json 1.out
0 model points model
0 model fit --json model
0 model fit --format json -o fit --output fit model
1 model twin --check --skampi ./no-skampi model
0 dorep -b --bars --mono -m 3 --fewest 3 --format html -o page --output page 1.out
0 dorep --compare --format html -t --keep -q --quiet 1.out -- 2.out
0 dorep -u --own -d . --directory . --format html --baseline base.json 3.out
0 launch -n 3 --launches 3 --refine --timeout 1m -d three --directory three --until 99% --budget 1h -q --quiet --points p2p_Suite01/1-40 -- ./starts
0 launch --confirm 1.out -- ./starts
0 launch --force --strict --guard base.json --junit junit.xml --threshold 50% --value time -- ./starts
0 launch --duet --quick Allreduce -n 2 -d duet -- ./starts -- ./starts
0 launch --sweep A=1 -n 2 -- ./starts
0 launch --path --json --format json -n 2 -d path -- ./starts
0 launch --health -- ./starts
0 profile show --top 0 recording
0 profile show --format json --json recording
0 profile suites --cover 90% recording
0 profile cost recording model
0 profile record -o recorded --output recorded --split 3 --library rules -- true
0 tune measure -d tuned --directory tuned -n 6 --launches 6 --budget 1h --timeout 1m -f limits --file limits -- ./starts
0 tune choose --json --format json LAUNCHES
0 tune choose -o chosen --output chosen LAUNCHES
0 tune write --format ompi -o rules2 LAUNCHES
0 tune write --format ompi-json --library rules -o rules3 LAUNCHES
0 tune check rules
1 tune verify --launches 6 rules -- ./starts
0 db --database db add --unpublished --without-names 1.out
0 db --database db list --machine some-machine --search MPI --since 2020-01-01 --state checked --limit 3 --json
0 db --database db site --force pages
0 db --database db show --json 1
0 db --database db export --format csv 1
0 db --database db export --original -o original 1
0 db --database db reference --anonymous --force -o reference 1
0 db --database db reference --output reference 1
0 db --database db publish --note good 1
0 db --database db withdraw --reason wrong 1
0 db --database db machine --title Title --owner local some-machine
0 db --database db machine --json
0 db --database db token --trusted --no-trusted joe
0 db --database db token --list
0 db --database db token --revoke joe
0 db --database db reindex
0 db --database db copy --public db copied
0 db --database db submit --dry-run --machine m http://127.0.0.1:1 1.out
1 db --database db submit --with-names --token-file token http://127.0.0.1:1 1.out
2 db --database db serve --listen x --public --host h --proxy p --workers 1
0 db --database db erase 1
0 db --database db add --again 1.out
END_OF_CALLS

# The exit status, the program and its words, of calls with a file that cannot be read or written: they end before
# anything is measured.
my $BAD_FILES = <<'END_OF_CALLS';
2 export --output no/x 1.out
2 compare --output no/x SIDES
2 compare --save no/x SIDES
2 compare --thresholds no/x SIDES
2 model twin --check --output no/x model
1 model twin --check --skampi no/x model
2 dorep --format html --baseline no/x 1.out
2 show --baseline no/x 1.out
2 launch --confirm no/x -- ./marks
2 launch --guard no/x.json -- ./marks
2 launch --guard base.json --junit no/x -- ./marks
2 profile record --output no/x -- ./marks
2 profile record --library no/x -- ./marks
2 tune measure --file no/x -- ./marks
2 tune choose --output no/x LAUNCHES
2 tune write --output no/x LAUNCHES
2 tune write --library no/x LAUNCHES
2 tune verify --output no/x rules -- ./marks
1 db --database no/x list
1 db --database db export -o no/x 2
2 db --database db submit --token-file no/x http://127.0.0.1:1 1.out
END_OF_CALLS

my ( %used, %seen );
for my $call ( split /\n/, $CALLS ) {
    my ( $status, $name, @words ) = map { @{ $WORDS{$_} // [$_] } } split q{ }, $call;
    my @run = ( $dir, $^X, "$ROOT/report/$name.pl", @words );
    my $run = $name eq 'db' ? db( $dir, @words ) : tool(@run);
    $used{$name}{$_} = 1 for @words;
    is $run->{status}, $status, $call or diag $run->{err};
    unlike $run->{err}, qr/ at \S+ line \d/, "$call: no warning of Perl";
    subtest "$call: lost output" => sub { lost(@run) }
      if $run->{out} ne q{} && !$seen{$name}++;

    if ( "@words" =~ /\A(?!record).*-o (\S+)/ && !$seen{"-o $name"}++ ) {
        unlink "$dir/$1";
        my $small = tool( $dir, 'sh', '-c', 'trap "" XFSZ; exec prlimit --fsize=96 "$@"',
            'sh', @run[ 1 .. $#run ] );
        like "$small->{status} $small->{err}", qr/\A1 [^\n]*File too large\n\z/,
          "$call: no room for the file";
    }
}

sub lost (@run) {
    my $full = do { local $SKaMPI::Prestarted::OUTPUT = '/dev/full'; tool(@run) };
    is $full->{status}, 1, 'no room: status 1';
    is scalar( () = $full->{err} =~ /: cannot write the output: No space left on device\n/g ), 1,
      'one message';
    my $closed = do { local $SKaMPI::Prestarted::OUTPUT = 'closed'; tool(@run) };
    unlike $closed->{err}, qr/cannot write|[Pp]ipe/, 'nobody reads: quiet';
    return;
}

for my $name ( sort keys %used ) {
    my $page =
      read_file( "$ROOT/docs/man/" . ( $name eq 'dorep' ? q{} : 'skampi-' ) . "$name.1.pod" );
    my @documented = map { /(?<=[<\[])(--?[\w-]+)/g } $page =~ /^(?:=item|   ) (.*)/mg;
    my %prints =
      ( '--help' => qr/^EXIT STATUS$/m, '--version' => qr/\A(?:skampi-)?$name $VERSION\n\z/ );
    for my $option ( sort keys %prints ) {
        my @run = ( $dir, $^X, "$ROOT/report/$name.pl", $option );
        my $run = tool(@run);
        like $run->{out}, $prints{$option}, "$name $option";
        is "$run->{status}$run->{err}", '0', 'without a message';
        lost(@run) if $name eq 'show';
    }
    subtest "$name -h" => sub { short($name) };
    my @missing = grep { !/\A(?:-h|--help|--version)\z/ && !$used{$name}{$_} } @documented;
    is "@missing", q{}, "$name: every documented option has a call";
}

# The short help fits a terminal, and begins with three commands or more that the program accepts. The server would not
# end. Programs of MPI are the script that copies a result.
sub short ($name) {
    my $help  = tool( $dir, $^X, "$ROOT/report/$name.pl", '-h' )->{out};
    my @lines = split /\n/, $help;
    cmp_ok scalar(@lines), '<=', 40, 'lines';
    is_deeply [ grep { length > 80 } @lines ], [], 'columns';
    my %dirs;
    my @examples = map { /\A  (skampi .*)/ ? $1 : () } @lines;
    cmp_ok scalar(@examples), '>=', 3, 'examples';
    for my $example ( grep { !/ serve\z/ } @examples ) {
        my $typed =
          $example                       =~ s{mpirun -np? \d+ \S+}{./starts}gr =~ s/ > \S+\z//r =~
          s/\$\(cat results\)/LAUNCHES/r =~ s/\bdb\b\K/ --database short.db/r =~
          s/report\b\K/ --format html/r  =~ s/record\K/ -o short.profile/r;
        my ( undef, $program, @words ) = shellwords($typed);
        ( $program, @words ) = ( 'launch', $program, @words ) if $program =~ /sweep|guard|health/;
        @words =
          map { $_ eq q{--} && !$dirs{$example}++ ? ( '-d', 'short' . keys %dirs, $_ ) : $_ }
          @words
          if $program eq 'launch';
        @words = map {
            my @paths = /[*]/ ? glob "$dir/$_" : @{ $WORDS{$_} // [] };
            @paths ? @paths : $_
        } @words;
        my $run = tool( $dir, $^X, "$ROOT/report/" . $program =~ s/report/dorep/r . '.pl', @words );
        isnt $run->{status}, 2, $example or diag $run->{err};
    }
    return;
}

subtest 'no page shows its own markup' => sub {
    for my $path ( glob "$ROOT/docs/man/*.pod" ) {
        my $pod = Pod::Text->new( width => 80 );
        $pod->output_string( \my $text );
        $pod->parse_file($path);
        unlike $text, qr/(?:^|\s)=[a-z]+[0-9]?(?:\s|$)|\b[BCEFILXZ]<|\\f[BIPR]/m, $path;
    }
};

my %bad;
for my $call ( split /\n/, $BAD_FILES ) {
    my ( $status, $name, @words ) = map { @{ $WORDS{$_} // [$_] } } split q{ }, $call;
    my $run =
      $name eq 'db' ? db( $dir, @words ) : tool( $dir, $^X, "$ROOT/report/$name.pl", @words );
    is $run->{status}, $status, "$call: status" or diag $run->{err};
    like $run->{err}, qr{no/x}, 'which file';
    ok !-e "$dir/started", 'nothing is started';
    $bad{$name}{$_} = 1 for @words;
}
for my $name ( sort keys %used ) {
    my $page =
      read_file( "$ROOT/docs/man/" . ( $name eq 'dorep' ? q{} : 'skampi-' ) . "$name.1.pod" );
    my @naming = map { [/(--?[a-z][\w-]*)>[ =](?:I<)?FILE/g] } $page =~ /^=item (.*)/mg;
    ok scalar( grep { $bad{$name}{$_} } @{$_} ), "$name: a bad file for @{$_}"
      for grep { @{$_} } @naming;
}

# A token that was not printed is not kept.
like tool( $dir, $^X, "$ROOT/report/db.pl", qw(--database db token --list) )->{out},
  qr/^joe .*tokens: 0$/m, 'token';

done_testing;
