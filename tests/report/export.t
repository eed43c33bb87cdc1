# skampi-export: programs that others wrote read each format and find the values of the results.
use v5.36;

use Cpanel::JSON::XS ();
use Encode           qw(decode);
use List::Util       qw(all);
use Test::More;
use Text::CSV_XS      ();
use SKaMPI::Generated qw(launch_text launches random_from);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(files_in tool workplace);
use SKaMPI::Test       qw($ROOT read_file refusals scratch write_file);

my $EXPORT  = "$ROOT/report/export.pl";
my $SAMPLE  = "$ROOT/docs/examples/standard.out";
my $MERGED  = "$ROOT/tests/cli/data/merged-disjoint.txt";
my $PYTHON  = '/usr/bin/python3';
my $COMPARE = '/usr/share/benchmark/compare.py';

my $dir = workplace();

sub export (@arguments) {
    my $run = tool( $dir, $^X, $EXPORT, @arguments );
    is "$run->{status} $run->{err}", '0 ', "skampi-export @arguments";
    return $run->{out};
}

sub csv_rows ($text) {
    utf8::encode($text);
    return
      @{ Text::CSV_XS::csv( in => \$text, headers => 'auto', encoding => 'UTF-8', binary => 1 ) };
}

sub is_there ($path) {
    return -e $path ? 1 : 0;
}

# Label, argument and time of each row, without the internal measurements.
my @wanted = map {
    my $suite = $_;
    map { [ $suite->{label}, $_->{argument} // q{}, $_->{time} ] } @{ $suite->{rows} }
} grep { $_->{prefix} ne 'internal' } SKaMPI::Read::Output->from_file($SAMPLE)->suites;

my @NAMES = split q{,},
    'run,file,date,machine,skampi,mpi_library,processes,hosts,oversubscribed,suite,type,'
  . 'operation,pattern,variation,time_of,data,cache,datatype,topology,argument_name,argument_unit,argument,'
  . 'time_us,time_error_us,count,time_all_us,time_all_error_us,count_all,min_us,p25_us,median_us,p75_us,max_us,'
  . 'stop,invalid,refined,runs,runs_of,within_us,bandwidth_MBps,extra,kernel,binding,clock_bound_us,'
  . 'accuracy,few,contended,time_name,clock_limited,unsteady,visits,estimate,'
  . 'send_in,receive_in,staged,in_place,warmup,argument_word,marks,labels';

subtest 'CSV: Text::CSV_XS' => sub {
    my $text = export($SAMPLE);
    is + ( split /\r\n/, $text )[0], join( q{,}, @NAMES ), 'the columns: add new ones at the end';
    my @rows = csv_rows($text);
    is_deeply [ map { [ @{$_}{qw(suite argument time_us)} ] } @rows ], \@wanted, 'every row';
    my ($first) = @rows;
    like $first->{date}, qr/^2026-\d\d-\d\dT\d\d:\d\d:\d\d[+]00:00$/, 'the date';
    is $first->{operation}, 'MPI_Send-MPI_Recv', 'the operation';
    like $first->{extra}, qr/\Apartner=1;passes=\d+(?:;\w+=[\d.]+)*\z/, 'other words';
    is $rows[1]{bandwidth_MBps}, sprintf( '%.6g', 2 * 4 / $rows[1]{time_us} ),
      'both directions of a ping-pong';
    my ($merged) = csv_rows( export($MERGED) );
    is "@{$merged}{qw(runs runs_of within_us)}", '2 3 0.2', 'a merge';
};

subtest 'CSV: any number of rows, in bounded memory' => sub {
    my $rows = 120_000;
    my $row  = '1.000000 0.010000 100 1.000000 0.010000 200 # stop=accuracy min=1.000000 passes=5';
    write_file( "$dir/large.out",
        "#/*\@inp2p_A.ski*/\n" . "$row\n" x $rows . "#eol\n#skampi finished.\n" );
    my $got = tool( $dir, 'prlimit', '--as=100000000', q{--}, $^X, $EXPORT, 'large.out' );
    is $got->{err},                     q{},       'in 100 MB';
    is + ( () = $got->{out} =~ /\n/g ), 1 + $rows, 'each row';
    my $other = tool( $dir, $^X, $EXPORT, '--format', 'osu', 'large.out' );
    like $other->{err}, qr/more than 100000 rows/, 'only as CSV';
};

subtest 'CSV: SQLite' => sub {
    plan
      skip_all => 'sqlite3 is missing (make deps)'
      if !grep { is_there("$_/sqlite3") } split /:/,
      $ENV{PATH};
    export( '-o', 'r.csv', $SAMPLE );
    my $query = 'select count(*), round(sum(time_us), 3) from r';
    my $got   = tool( $dir, 'sqlite3', ':memory:', '.import --csv r.csv r', $query );
    my $sum   = 0;
    $sum += $_->[2] for @wanted;
    is $got->{out} . $got->{err}, sprintf( "%d|%s\n", scalar @wanted, 0 + sprintf '%.3f', $sum ),
      'count and sum';
};

subtest 'CSV: gnuplot' => sub {
    plan
      skip_all => 'gnuplot is missing (make deps)'
      if !grep { is_there("$_/gnuplot") } split /:/,
      $ENV{PATH};
    export( '-s', 'p2p_MPI_Send-MPI_Recv', '-o', 'p.csv', $SAMPLE );
    my $got = tool( $dir, 'gnuplot', '-e',
q{set datafile separator comma; stats 'p.csv' using 'argument':'time_us' nooutput; print STATS_records, STATS_max_x}
    );
    my @own = grep { $_->[0] eq 'p2p_MPI_Send-MPI_Recv' } @wanted;
    is $got->{err}, sprintf( "%d %.1f\n", scalar @own, $own[-1][1] ),
      'points and the longest message';
};

subtest 'JSON' => sub {
    my $text = export( '--format', 'json', $SAMPLE, $MERGED );
    my $data = Cpanel::JSON::XS->new->decode($text);
    is $data->{schema}, 'skampi-results/1', 'the schema';
    my @points = map {
        my $suite = $_;
        map { [ $suite->{suite}, $_->{argument} // q{}, $_->{time_us} ] } @{ $suite->{points} }
    } @{ $data->{runs}[0]{suites} };
    is_deeply \@points, \@wanted, 'every point';
    my ($first_call) =
      read_file($SAMPLE) =~ /\@in\Q$wanted[0][0]\E[.]ski.*?^[#]\@FIRSTCALL +([\d.]+)/ms;
    cmp_ok $data->{runs}[0]{suites}[0]{first_call_us}, '==', $first_call, 'the first call';
    like $data->{runs}[0]{header}{SUITES}[0], qr/\AMPI_Send-MPI_Recv \{/, 'the header';
    unlike $text, qr/"(?:time_us|argument|count|type)" : "/,              'numbers are numbers';
  SKIP: {
        skip 'python3-jsonschema is missing (make deps)', 2
          if system("$PYTHON -c 'import jsonschema' 2>$dir/null") != 0;
        write_file( "$dir/schema.json", export('--schema') );
        export( '-f', 'json', '-o', 'r.json', $SAMPLE, $MERGED );
        my $valid = 'import json,jsonschema,sys; s,d=[json.load(open(f)) for f in sys.argv[1:]];'
          . ' jsonschema.Draft202012Validator.check_schema(s); jsonschema.validate(d,s)';
        is tool( $dir, $PYTHON, '-c', $valid, 'schema.json', 'r.json' )->{status}, 0, 'valid';
        write_file( "$dir/r.json", read_file("$dir/r.json") =~ s/"count" : 50/"count" : "50"/r );
        isnt tool( $dir, $PYTHON, '-c', $valid, 'schema.json', 'r.json' )->{status}, 0,
          'texts are not numbers';
    }
};

# Ten launches a side, so that compare.py makes its U test.
sub place_of_launches {
    my $random = random_from(4);
    my %same   = ( launches => 10, points => 6, between => 0.01 );
    for my $side ( [ base => {} ], [ new => { 3 => 1.5 } ] ) {
        my ( $name, $slower ) = @{$side};
        my @all = launches( $random, %same, slower => $slower );
        write_file( "$dir/$name.$_", launch_text( $all[$_] ) ) for 0 .. 9;
    }
    return;
}

subtest 'Google Benchmark: compare.py' => sub {
    plan skip_all => 'libbenchmark-tools is missing (make deps)' if !is_there($COMPARE);
    plan skip_all => 'python3-scipy is missing (make deps)'
      if system("$PYTHON -c 'import scipy' 2>$dir/null") != 0;
    place_of_launches();
    export( '-f', 'gbench', '-o', "$_.json", glob "$dir/$_.?" ) for qw(base new);
    my $got =
      tool( $dir, $PYTHON, $COMPARE, '--no-color', 'benchmarks', 'base.json', 'new.json' )->{out};
    like $got, qr/^p2p_Suite01\/16 +[+]0[.][45]\d+ .*$/m, 'the slower point';
    like $got, qr/^p2p_Suite01\/16_pvalue +(0[.]000\d) +\1 +U Test, Repetitions: 10 vs 10$/m,
      'launches are repetitions';
    my ($p) = $got =~ /^p2p_Suite01\/4_pvalue +(\S+)/m;
    cmp_ok $p, '>', 0.01, 'another point';
};

subtest 'the layout of OSU' => sub {
    my $text =
      export( '-f', 'osu', '-s', 'p2p_MPI_Send-MPI_Recv', '-s', 'syncol_MPI_Bcast-length-SM',
        $SAMPLE );
    my ( $p2p, $bcast ) = split /\n\n/, $text;
    like $p2p, qr/\A# SKaMPI results in the layout of the OSU benchmarks, from/, 'it is ours';
    like $p2p, qr/^# Size +Latency \(us\)$/m,                                    'the head';
    my $read = SKaMPI::Read::Output->from_file($SAMPLE);
    my ( $p2p_us, $bcast_us ) = map { $_->{time_all} } map {
        grep { $_->{argument} eq '8' }
          @{ $read->suite($_)->{rows} }
    } qw(p2p_MPI_Send-MPI_Recv syncol_MPI_Bcast-length-SM);
    my ($at8) = $p2p =~ /^8\s+(\S+)/m;
    is $at8, sprintf( '%.4f', $p2p_us / 2 ), 'half a round trip, as ReFrame reads it';
    like $bcast, qr/^# Size +Avg Latency\(us\)$/m, 'a collective';
    ($at8) = $bcast =~ /^8\s+(\S+)/m;
    is $at8, sprintf( '%.4f', $bcast_us ), 'whole: the mean of all repetitions';

    for my $name ( 'window', 'slowest access' ) {
        my $time = $name =~ tr/ /_/r;
        my $file = write_file( scratch() . '/file',
            read_file($SAMPLE) =~ s/^#\@TIME \Kround_trip$/$time/mgr );
        like export( '-f', 'osu', '-s', 'p2p_MPI_Send-MPI_Recv', $file ),
          qr/^# Size +$name \(us\)$/m,
          "no latency: $name";
    }
};

like export( '-f', 'markdown', '-s', '*_MPI_Wtime', $SAMPLE ),
  qr/^\| simple\\_MPI\\_Wtime \|  \| \S+ ns \| \S+ % \| \d+ \|$/m,
  'Markdown';

subtest 'single times' => sub {
    my $kept = "$ROOT/tests/report/data/raw/skampi.out";
    my @rows = csv_rows( export( '--raw', $kept ) );
    my @own =
      grep { $_->{suite} eq 'col_Bcast' && $_->{argument} eq '8' && $_->{process} == 1 } @rows;
    is join( q{ }, map { $_->{time_us} } @own ), '15.058 0.802 0.772 0.731 0.721 0.791',
      'of a process';
    is join( q{ }, map { $_->{repetition} } @own ), '1 2 3 4 5 6',
      'in the order of the repetitions';
    is scalar( grep { $_->{suite} eq 'simple_Wtime' && $_->{argument} eq q{} } @rows ), 6,
      'a suite without argument';
    is scalar @rows, 2 * 3 * 6 + 6, 'all';
    my $none = tool( $dir, $^X, $EXPORT, '--raw', $SAMPLE );
    is "$none->{status} $none->{err}",
      "4 skampi-export: no suite has kept its single times (raw=yes)\n", 'none';
    write_file( "$dir/alone.out", read_file($kept) );
    my $alone = tool( $dir, $^X, $EXPORT, '--raw', 'alone.out' );
    is $alone->{status}, 5, 'without the file of the times';
    like $alone->{err}, qr/\Askampi-export: alone[.]out:[0-9]+: cannot read '/, 'a message';
};

subtest 'texts that could do harm' => sub {
    my $evil = launch_text( [ 1 .. 3 ], facts => { MPILIBRARY => "a,\"b\"\n# c" } );
    write_file( "$dir/evil", $evil );
    my ($row) = csv_rows( export('evil') );
    is $row->{mpi_library}, 'a,"b" c', 'commas, quotes and line ends';
    write_file( "$dir/latin", $evil =~ s/Suite01/Suite\xe9/gr );
    my ($latin) = csv_rows( export('latin') );
    is $latin->{suite}, "p2p_Suite\xe9", 'Latin-1 becomes UTF-8';
};

subtest 'bad input' => sub {
    my $good = read_file($MERGED);
    write_file( "$dir/good",  $good );
    write_file( "$dir/other", $good );
    write_file( "$dir/bad",   $good =~ s/^4 /4 x /mr );
    write_file( "$dir/cut",   substr $good, 0, length($good) / 2 );
    symlink 'nowhere', "$dir/link" or die "link: $!\n";
    refusals( <<'END', sub (@words) { tool( $dir, $^X, $EXPORT, @words ) } );
2 : expected result files
2 -f xml good : --format: expected csv, gbench, json, markdown or osu; got 'xml'
2 missing : cannot read 'missing'
2 -o good good : 'good' is also read
2 -o other good : 'other' contains SKaMPI results
2 -o link good : 'link' is a link
4 -s none good : no suite matches 'none'
5 -o new good bad : bad:\d+: damaged: not a number: 'x'
5 -o new cut : cut:\d+:
2 -o missing/new good : cannot write
END
    ok !is_there("$dir/new"), 'nothing is written';
    is_deeply [ grep { /^[.]skampi/ } files_in($dir) ], [], 'no temporary files';
};

done_testing;
