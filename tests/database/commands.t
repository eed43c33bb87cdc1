# skampi-db: the commands that add, list, change and remove runs.
use v5.36;

use Compress::Zlib   ();
use Cpanel::JSON::XS ();
use DBI;
use Test::More;

use SKaMPI::Verdict::Baseline qw(read_baseline);
use SKaMPI::Verdict::Launch   qw(read_launch);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::DatabaseTest qw(db generated_run $DB $SAMPLE);
use SKaMPI::Generated    qw(odd_files_of);
use SKaMPI::ReportTest   qw(files_in workplace);
use SKaMPI::Test         qw(read_file);

sub library ($name) { return { MPILIBRARY => $name } }

my $dir = workplace(
    'a.out' => generated_run( facts  => library('Open MPI 4.1.4') ),
    'b.out' => generated_run( minute => 5, facts => library('Open MPI 4.1.4'), factor => 1.1 ),
    'c.out' => generated_run( minute => 9, facts => library('Open MPI 5.0.1') ),
    'd.out' => generated_run( minute => 9, facts => library('Some MPI 2.0') ),
);

sub ok_db (@arguments) {
    my $run = db( $dir, '--database', 'r.db', @arguments );
    is "$run->{status} $run->{err}", '0 ', "skampi-db @arguments";
    return $run->{out};
}

sub wrong ( $status, $expression, @arguments ) {
    my $run = db( $dir, '--database', 'r.db', @arguments );
    is $run->{status}, $status, "skampi-db @arguments: status";
    like $run->{err}, $expression, 'and why';
    return;
}

sub listed (@arguments) {
    return @{ Cpanel::JSON::XS->new->decode( ok_db( 'list', '--json', @arguments ) )->{runs} };
}

sub states () {
    return { map { $_->{id} => $_->{state} } listed() };
}

sub reader (%how) {
    return SKaMPI::Database::Reader->new( SKaMPI::Database::Store->connect_to("$dir/r.db"), %how );
}

subtest 'no database yet' => sub {
    wrong( 1, qr/there is no database 'r[.]db'; skampi db add FILE creates it/, 'list' );
    is_deeply [ files_in($dir) ], [qw(a.out b.out c.out d.out)], 'and none is created';
};

subtest 'add' => sub {
    my $suites = () = read_file($SAMPLE) =~ m{^[#]/[*]\@in}mg;
    is ok_db( 'add', $SAMPLE ), "run 1: $SAMPLE, $suites suites of 'Two virtual CPUs', published\n",
      'what it says';
    is sprintf( '%04o', ( stat "$dir/r.db" )[2] & oct 7777 ), '0600', 'only the owner reads it';
    like ok_db( 'add', $SAMPLE ), qr/^run 1: .*; it was already there$/, 'the same file';
    like ok_db( 'add', '--unpublished', 'a.out', 'b.out' ),
      qr/^run 2: a[.]out.*, checked\nrun 3: b/,
      'several files';
    is_deeply states(), { 1 => 'published', 2 => 'checked', 3 => 'checked' }, 'states';
};

subtest 'the odd run' => sub {
    my $other = workplace();
    odd_files_of($other);
    my $few = db( $other, qw(--database odd.db add), map { "odd.$_" } 1 .. 4, 6, 7 );
    is scalar( my @lines = split /\n/, $few->{out} ), 6, 'six runs: nothing is said';
    like db( $other, qw(--database odd.db add odd.8) )->{out},
      qr/published\n7 runs, 60 points: run 7 is not odd\n\z/, 'the seventh is not odd';
    my $more = db( $other, qw(--database odd.db add odd.5) )->{out};
    like $more, qr/^run 8: odd.5, .*\n8 runs, 60 points: run 8 is odd\n.*Suite02  20 B to 64 B/s,
      'place';
    like $more, qr/  run 8, kernel: 6[.]1[.]0-28\n    the others: 6[.]1[.]0-27 \(6 of 7\)/,
      'its own fact';
    is db( $other, qw(--database odd.db add --unpublished odd.8) )->{out} =~ tr/\n//, 1, 'again';
};

subtest 'what was added' => sub {
    my $reader = reader();
    my ($got)  = $reader->launches( 'time', undef, 1 );
    my $wanted = read_launch( $SAMPLE, 'time' );
    delete @{$_}{qw(asked name)} for $got, $wanted;
    is_deeply $got, $wanted, 'a comparison finds in it what it finds in the file';
    is $reader->original(1)->{bytes}, read_file($SAMPLE), 'the file as received';
    is_deeply [ map { $_->{label} } $reader->suites(1) ],
      [
        grep { !/^internal/ }
        map  { $_->{label} } SKaMPI::Read::Output->from_file($SAMPLE)->suites
      ],
      'all suites in their order';
    my $series = $reader->series( 1, 'p2p_MPI_Send-MPI_Recv' );
    is $series->{points}[1]{bandwidth_MBps}, sprintf( '%.6g', 8 / $series->{points}[1]{time_us} ),
      'bandwidth';
};

subtest 'publish, withdraw' => sub {
    ok_db( 'publish', '--note', 'rack 3', 2, 3 );
    is_deeply [ map { $_->{note} } listed( '--machine', 'some-machine' ) ], [ ('rack 3') x 2 ],
      'note';
    ok_db( 'withdraw', '--reason', 'wrong cable', 2 );
    is_deeply states(), { 1 => 'published', 2 => 'withdrawn', 3 => 'published' }, 'states';
    my $public = reader( public => 1 );
    is_deeply [ map { $_->{id} } $public->runs ], [ 3, 1 ], 'the public sees published runs';
    is $public->run(2),      undef, 'not others';
    is $public->original(2), undef, 'nor their files';
    is_deeply $public->gone(2), { state => 'withdrawn', reason => 'wrong cable' }, 'but why';
    is_deeply [ $public->suites(2) ], [], 'no suites';
    wrong( 2, qr/say why: --reason=TEXT/, 'withdraw', 3 );
    ok_db( 'publish', 2 );
};

subtest 'outdated' => sub {
    ok_db( 'add', 'c.out' );
    is_deeply states(), { 1 => 'published', 2 => 'outdated', 3 => 'outdated', 4 => 'published' },
      'a newer run with another version of the library outdates both launches of a group';
    ok_db( 'withdraw', '--reason', 'no', 4 );
    is states()->{2}, 'published', 'unless it is withdrawn';
    ok_db( 'publish', 4 );
};

subtest 'reference' => sub {
    my %facts = ( DATE => 'Sun Nov  1 00:00:00 2026', USER => 'jane', HOSTNAME => 'login7' );
    my %of    = map {
        (
            "r$_" => generated_run(
                minute => $_,
                facts  => {
                    %facts,
                    PROCESSESPERHOST => "blade$_:2",
                    BINDING          => "rank host cpus\n# 0 blade$_ 0\n# 1 blade$_ 1"
                }
            )
        )
    } 1 .. 3;
    $of{bad} = $of{r3} =~ s/^(#\@TIMEOF .*)/$1\n#\@CONTENDED rank 0 waited/mr;
    my $place = workplace(%of);
    my @db    = qw(--database ref.db);
    db( $place, @db, 'add', sort keys %of );
    my $run = db( $place, @db, 'reference', '-o', 'all', 1 .. 4 );
    is $run->{status}, 1, 'a run is left out: status 1';
    like $run->{err}, qr/^skampi-db: left out: 'run 1': contended: .*--force takes it$/m,
      '... and named';
    my $text = read_file("$place/all");
    like $text, qr/\A\@BASELINE 2 time\n/, 'a baseline';
    is join( q{ }, $text =~ /^\@RUN \d+ (\S+)/mg ), 'blade1 blade2 blade3', 'of three hosts';
    like $text, qr/^\@CLASS BINDING rank host cpus; 0 [*] 0; 1 [*] 1$/m, 'a class without hosts';
    is scalar( map { $_->{suites} } read_baseline( "$place/all", 'time' ) ), 3, 'is read';
    my $like = db( $place, @db, 'reference', 2 )->{out};
    is scalar( () = $like =~ /^\@RUN /mg ), 3, 'of runs like one';
    my $public = db( $place, @db, qw(reference --anonymous --force 1 2 3 4) )->{out};
    unlike $public, qr/blade|jane|login7/, 'no names';
    is join( q{ }, $public =~ /^\@RUN \d+ (\S+)/mg ), 'node1 node2 node3 node1',
      'but as many hosts';
    is_deeply [ $public =~ /^\@CLASS (.*)$/mg ], [ $text =~ /^\@CLASS (.*)$/mg ], 'the same class';
    is_deeply [ $public =~ /^\d+ time \S+ (.*)$/mg ], [ $text =~ /^\d+ time (.*)$/mg ],
      'the same values';
    wrong( 2, qr/there is no run 99/, 'reference', 99 );
};

subtest 'list, show, machine, export' => sub {
    is_deeply [ map { $_->{id} } listed( '--search', 'OPEN mpi 5' ) ], [4], 'search';
    is_deeply [ map { $_->{id} } listed( '--search', '%' ) ],          [],  'no wildcards';
    is_deeply [ map { $_->{id} } listed( '--state', 'outdated' ) ], [ 3, 2 ], 'by state';
    is_deeply [ map { $_->{id} } listed( '--state', 'published', '--limit', 2 ) ], [ 4, 1 ],
      'as many as there are, without the outdated ones between them';
    like ok_db('list'),
      qr/^ +4 +2026-11-01 00:09 +some-machine +2 +Open MPI 5[.]0[.]1 +4 +published$/m,
      'a row';
    like ok_db( 'show', 1 ), qr/^latency +[\d.]+ ns/m, 'key figures';
    like ok_db( 'machine', 'some-machine', '--title', 'Rack 3' ), qr/^some-machine +Rack 3 +3/m,
      'title';
    ok_db( 'export', '--original', '-o', 'o.out', 1 );
    is read_file("$dir/o.out"),                         read_file($SAMPLE), 'the original';
    is scalar( () = ok_db( 'export', 2, 3 ) =~ /\n/g ), 1 + 2 * 31,         'CSV of two runs';
};

subtest 'erase and reindex' => sub {
    my $before = ok_db( 'show', '--json', 3 );
    ok_db('reindex');
    is ok_db( 'show', '--json', 3 ), $before, 'reindex changes nothing';
    ok_db( 'erase', 2 );
    wrong( 2, qr/run 2 was erased on 2/,                                'show', 2 );
    wrong( 1, qr/a[.]out: the run was erased .* is not accepted again/, 'add',  'a.out' );
    unlike read_file("$dir/r.db"),           qr/a[.]out/, 'nothing of it is left in the file';
    like ok_db( 'add', '--again', 'a.out' ), qr/^run 5:/, 'unless its owner asks for it';
    ok_db( 'add', 'd.out' );
    is states()->{4}, 'published', 'a newer run of another library outdates nothing';
};

subtest 'tokens' => sub {
    my $token = ok_db( 'token', 'joe' );
    like $token, qr/\A[0-9a-f]{64}\n\z/, 'a token';
    chomp $token;
    unlike read_file("$dir/r.db"), qr/$token/, 'is not kept';
    is ok_db( 'token', '--list' ), "local  trusted  tokens: 0\njoe  not trusted  tokens: 1\n",
      'list';
    ok_db( 'token', '--revoke', 'joe' );
    like ok_db( 'token', '--list' ), qr/^joe .*tokens: 0$/m, 'revoked';
    wrong( 2, qr/'a b' is not a valid name of an account/, 'token', 'a b' );
};

subtest 'the manual page has each command' => sub {
    my ($commands) = db( $dir, 'x' )->{err} =~ /expected (.*?);/;
    my $page = read_file( $DB =~ s{report/db[.]pl\z}{docs/man/skampi-db.1.pod}r );
    like $page, qr/^=item B<$_>/m, $_ for split /, | or /, $commands;
};

subtest 'wrong words' => sub {
    wrong( 2, qr/command: expected add, .*; got 'ad'; did you mean 'add'[?]/, 'ad' );
    wrong( 2, qr/command: expected add, / );
    wrong( 2, qr/expected the number of a run, got 'x'/, 'publish', 'x' );
    wrong( 2, qr/there is no run 99/,                    $_, 99 ) for qw(publish erase show export);
    wrong( 2, qr/--state: expected received/,            'list',    '--state', 'x' );
    wrong( 2, qr/cannot read 'none': No such file/,          'add', 'none' );
    wrong( 2, qr/cannot read '[.]': (?:it )?is a directory/, 'add', q{.} );
    my $place = db( $dir, 'add', '--database', 'a.out/x.db', 'a.out' );
    like $place->{err}, qr{there is no directory 'a[.]out'; create it, or name another database},
      'no such place';

    for my $words ( [qw(add a.out)], [qw(token joe)], ['serve'] ) {
        my $mistyped = db( $dir, @{$words}, '--database', 'resluts/x.db' );
        like $mistyped->{err}, qr{no directory 'resluts'}, "@{$words}: a mistyped directory";
    }
    ok !-e "$dir/resluts", 'is not created';
    wrong( 2, qr{/etc/passwd:1: not a result file of SKaMPI}, 'add', '/etc/passwd' );
    my $run = db( $dir, 'list', '--database', 'a.out' );
    like $run->{err}, qr/database 'a[.]out': file is not a database; choose another file/,
      'no database';
    $run = db( $dir, 'list', '--database', 'dbi:Pg:dbname=x;password=y' );
    like $run->{err}, qr/a password does not belong on the command line/, 'a password';
};

subtest 'a stored file is damaged' => sub {
    my $handle = DBI->connect( "dbi:SQLite:dbname=$dir/r.db", q{}, q{}, { RaiseError => 1 } );
    $handle->do( 'UPDATE blob SET bytes = ? WHERE sha256 = (SELECT sha256 FROM run WHERE id = 3)',
        undef, Compress::Zlib::memGzip("no results\n") );
    $handle->disconnect;
    wrong( 1, qr/: run 3: /, 'reindex' );
};

done_testing;
