use v5.36;

use Encode   qw(decode);
use JSON::PP qw(decode_json);
use Test::More;
use SKaMPI::ApplicationResults qw(application_results);
use SKaMPI::Prestarted         qw(prestarted);
use SKaMPI::Document::SuiteView;
use SKaMPI::Meaning::Catalog qw(row_of);
use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Marks qw(mark_texts);
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT command golden read_file scratch write_file);

my $DATA = "$ROOT/tests/report/data";
my $SHOW = "$ROOT/report/show.pl";

sub show (@arguments) {
    my ( $out, $err, $status ) = prestarted( q{.}, $SHOW, @arguments );
    return { out => $out, err => $err, status => $status >> 8 };
}

sub file_with ($bytes) {
    return write_file( scratch() . '/x.out', $bytes );
}

my $STANDARD = '../../../docs/examples/standard.out';

my @GOLDEN = (
    [ 'old.txt',        'old.out' ],
    [ 'unfinished.txt', 'unfinished.out' ],
    [ 'merged.txt',     '../../cli/data/merged-disjoint.txt' ],
);
chdir $DATA or die "$DATA: $!";
for my $case (@GOLDEN) {
    my ( $golden, @arguments ) = @{$case};
    my $got = show(@arguments);
    is $got->{out},    golden( $golden, $got->{out} ), $golden;
    is $got->{status}, 0,                              'exit status';
    for my $columns ( 60, 200 ) {
        local $ENV{COLUMNS} = $columns;
        my @long = grep { length > $columns } split /\n/,
          decode( 'UTF-8', show(@arguments)->{out} );
        is_deeply \@long, [], "lines of at most $columns characters";
    }
}

subtest '--all' => sub {
    my $out = show(qw(--all old.out col_* waitsome))->{out};
    is_deeply [ $out =~ m{^.* ([0-9]+) (?:processes|chunks?)  }mg ], [ 2, 3, 9, 16, 1, 64 ],
      'each row is printed';
    like $out, qr{^ +3 processes  387 us  3[.]7 % +660 kB/s +8$}m, 'with its values';
};

subtest 'selecting suites' => sub {
    my @cases = (
        [ 'bcast'       => 1 ],
        [ 'BCAST'       => 1 ],
        [ 'col_*'       => 1 ],
        [ '*_MPI_?time' => 1 ],
        [ 'MPI_W*'      => 0 ],
        [ 'mpi_w'       => 2 ],
        [ '.'           => 0 ],
        [ '(?{die})'    => 0 ],
    );
    for my $case (@cases) {
        my ( $pattern, $count ) = @{$case};
        my $got = show( 'old.out', $pattern );
        is $got->{out} =~ /^([0-9]+) suites?,/m ? $1 : 0, $count, $pattern;
        is $got->{status}, $count ? 0 : 1, 'exit status';
    }
    is show( 'old.out', 'xyz' )->{err}, "skampi-show: no suite matches 'xyz'\n", 'a message';
};

# With a run's key figures: no more than fits a glance.
subtest 'the first screen' => sub {
    my %out;
    my $marked =
      read_file("$ROOT/docs/examples/standard.out") =~ s/^8 0[.]186694 .*\K$/ marks=*^/mr;
    for my $file ( $STANDARD, 'unfinished.out', 'old.out', file_with($marked) ) {
        my $name = $file =~ s{.*/|[.]out}{}gr;
        $out{$name} = decode( 'UTF-8', show($file)->{out} );
        my ($screen) = $out{$name} =~ /\A(.*?)\n\n/s;
        my @lines    = split /\n/, $screen;
        cmp_ok scalar @lines,                         '<=', 9,  "$file: lines";
        cmp_ok scalar( split q{ }, $screen ),         '<=', 70, 'words';
        cmp_ok scalar( grep { length > 80 } @lines ), '==', 0,  'columns';
    }
    like $out{standard},
qr/^  latency    105[.]6 ns \x{b1}0[.]5 % +half a round trip\n  bandwidth  15[.]9 GB\/s \x{b1}0[.]7 % +one direction; memcpy 126 GB\/s$/m,
      'what they are, and what is possible';
    like $out{standard}, qr/^  verdict +good; look at the findings \(1 launch\)$/m,
      'that there are findings';
    like $out{unfinished}, qr/^  verdict +look: set-up; not judged: messages \(1 launch\)$/m,
      'what was not judged';
    like $out{x}, qr/^  Allreduce  186[.]7 ns[*]\^ \x{b1}0[.]6 % +8 B; Reduce_Bcast 264 ns$/m,
      'the best equivalent';
    like $out{x},
qr/^  to decide  skampi health --launches 6 -- \S+ -np 2 skampi\n  [*] clock-limited, \^ unsteady\n\n/m,
      'the next run, and marks that appear';
    my @brief = split /\n/, show( '--brief', $STANDARD )->{out};
    cmp_ok scalar @brief, '<=', 12, '--brief: lines';
    like "@brief",
      qr/\ASKaMPI 4.*, Open MPI v4[.]1[.]4, .*hosts +vm:2.*binding +rank 0.*Barrier .*health /,
      'and content';
    local $ENV{POSIXLY_CORRECT} = 1;    # options may follow files nevertheless
    my $json = decode_json( command( q{.}, $SHOW, $STANDARD, qw(--brief --json) )->{out} );
    is_deeply [ map { $_->{name} } @{ $json->{figures} } ],
      [qw(latency bandwidth Allreduce Barrier)], '--brief --json: the same figures';
    cmp_ok abs( $json->{figures}[0]{value} - 0.1056 ), '<', 1e-4, 'as numbers';
    is_deeply [ sort keys %{$json} ],
      [qw(binding date figures hardware health hosts look mpi_library schema served skampi)],
      'and nothing else';
    my $row = '4 1.0 0.1 8 1.0 0.1 8';
    my $one = show( file_with("#/*\@incol_x.ski*/\n$row\n8$row\n16$row\n32$row\n#eol\n") )->{out};
    like $one, qr/\AResults in \S+\n\ncol\n  suite .*\n  x .*\n.*\n.*\n.* 324[.]0 us/,
      'of one operation, all its rows';
};

subtest 'what applications send' => sub {
    my $out = decode( 'UTF-8', show( file_with( application_results() ), 'p2p_WRF*' )->{out} );
    like $out, qr{suite +argument +time +[+]- +case +pack +communication +unpack$}m,
      'columns of the phases';
    like $out, qr{^ +102648 B  141[.]6 us   0[.]6 % +2  27[.]82 us +93[.]88 us  19[.]90 us$}m,
      'a row';
    my ($table) = $out =~ m{^Packing overhead: (.*?)\n\n}ms;
    is $table, <<"END" =~ s{\n\z}{}r, 'packing overhead';
(t - t_net) / t; t_net: as many bytes in one piece
  test          bytes     t_net      datatype        manual      MPI_Pack
  WRF_x_vec   63168 B  16.54 us  65.7 \x{b1} 0.2 %  80.4 \x{b1} 0.1 %  86.1 \x{b1} 0.1 %
             102648 B  22.83 us  73.1 \x{b1} 0.8 %  83.9 \x{b1} 0.1 %  87.9 \x{b1} 0.1 %
             173712 B  35.83 us  73.7 \x{b1} 1.0 %  85.2 \x{b1} 0.1 %  86.3 \x{b1} 0.2 %
  not shown: datatype / manual
END
};

subtest 'unsteady rows, and rows with two modes' => sub {
    my $text =
      "#/*\@incol_x.ski*/\n2 6.2 0.1 4 # unsteady=1 modes=5.79:70,6.369:30\n4 7 0.1 4 # unsteady=0"
      . " modes=1:2\n#eol\n";
    my $out = show( file_with($text) )->{out};
    like $out,   qr/2[.]000 us\^ .* 5[.]79 us 70 %, 6[.]37 us$/m, 'both';
    like $out,   qr/4[.]000 us /,                                 'neither';
    like $out,   qr/^  \^ unsteady$/m, 'what the mark means, below the table';
    unlike $out, qr/ 2 %/,             'not a pair of modes';
};

subtest 'which rows have an error, and which have reached the accuracy' => sub {
    my $pattern = '#Pattern: Collective varied over the number of nodes [number] (%d).';
    my $limit   = "#max. allowed standard error is 3.00 %";
    my $rows    = "2 8 0 1 8 0 3 # stop=repetitions\n4 8 0 5 8 0 5 # stop=time accuracy=missed\n"
      . "8 8 4 1 8 4 4 # stop=repetitions accuracy=reached\n16 8 2 8 8 2 8 # stop=accuracy accuracy=missed\n";
    my $out =
      show( q{--all}, file_with("#/*\@incol_A.ski*/\n$pattern\n$limit\n$rows#eol\n") )->{out};
    is_deeply [ $out =~ /8(?:[.]0+)? us +(-|[\d.]+ %) +\d\b/g ],
      [ q{-}, '0.0 %', '50.0 %', '25.0 %' ],
      'none of three repetitions, 0 of several without a difference';
    is_deeply [ $out =~ /^(\d .* (?:ended by \w+|too few \w+ for an error))/mg ],
      [
        ( map { "1 inaccurate, ended by $_" } qw(accuracy repetitions) ),
        '1 measurement with too few repetitions for an error'
      ],
      'the summary';
};

# Rows of @RULE 1 have their marks from the program, whatever other details say; older ones have not.
my %MARKED = (
    'marks=t'               => '1.00 us t',
    'marks=*!^v few=visits' => '1.00 us*!^v',
    'contended=1'           => '1.00 us',
    'residual=1'            => '1.00 us',
);

subtest 'two numbers a row, and the marks that the program wrote' => sub {
    my $head = join "\n", "#/*\@incol_A.ski*/",
      '#Pattern: Collective varied over the message length [bytes] (%d).',
      '#max. allowed standard error is 3.00 %, cut quantile is 25.00 %', q{};
    my $now = "$head#\@RULE 1\n#\@ESTIMATE cut\n#\@SPAN 1.95 s\n";
    for my $details ( sort keys %MARKED ) {
        my $row = "4 1.0 0.1 8 2.0 0.2 16 # $details unseen=20.6\n#eol\n";
        my $out = show( q{--all}, file_with("$now$row") )->{out};
        like $out, qr/ A +4 B +\Q$MARKED{$details}\E +10[.]0 % +2[.]0 us +10[.]0 % +8$/m, $details;
        like $out,
          qr/^time: the middle half of all calls [(]Cut_Quantile 0[.]25[)]; mean: all calls[.]$/m,
          'what both are';
        like $out =~ s/\s+/ /gr,
          qr/ Visits: over 1[.]95 s; a state of the machine below 21 % of the time may be unseen/,
          'what is unseen';
        my $old = show( q{--all}, file_with("$head$row") )->{out};
        unlike $old, qr/2[.]0 us/, 'an older file has one';
        like $old,   qr/us!/,      'and its marks follow from details' if $details =~ /contended/;
    }
    my %known = map { $_ => 1 } row_of( details => 'marks' )->{text} =~ /(?:\A|, )(\S) /g;
    is_deeply [ sort keys %known ], [ sort map { /\A(.):/ } mark_texts( { marks => q{*!^-tv} } ) ],
      'the same marks';
    my ($few) =
      SKaMPI::Read::Output->from_text("${now}4 1 .1 8 1 .1 8 # marks=v\n8 1 .1 8 1 .1 8\n#eol\n")
      ->suites;
    is_deeply [ map { $_->{error} } SKaMPI::Meaning::Curve->new($few)->points ], [ undef, 0.1 ],
      'few visits have no error that a finding may rest on';
    my ($suite) = SKaMPI::Read::Output->from_text(
        $now . join( q{}, map { "$_ 1 .1 8 $_.5 .1 16\n" } 1 .. 5 ) . "#eol\n" )->suites;
    my $view = SKaMPI::Document::SuiteView->new( $suite, name => 'a' );
    is_deeply [ $view->marks ], ['\\meanmark\\ mean of all calls'], 'a line in the plot';
    my ($value) =
      @{ SKaMPI::Document::SuiteView->new( $suite, name => 'a', fewest => 9 )->data->{values} };
    is_deeply [ @{$value}{qw(mean mean_error)} ], [ "1.500 \x{b5}s", '6.7 %' ],
      'columns of the table';
};

subtest 'the command line' => sub {
    is show('--nonsense')->{status}, 2, 'an unknown option';
    my $missing = show('nowhere.out');
    is $missing->{status}, 2, 'a missing file';
    is $missing->{err}, "skampi-show: cannot read 'nowhere.out': No such file or directory\n",
      'a message';
    is show()->{err}, "skampi-show: cannot read 'skampi.out': No such file or directory\n",
      'the default file';
    my $empty = show( file_with(q{}) );
    like $empty->{err}, qr/\Askampi-show: \S+:1: not a result file of SKaMPI\n\z/, 'an empty file';
    is $empty->{status}, 2, 'its status';
    is show('--tmies')->{err},
"skampi-show: unknown option: tmies; did you mean '--times'?\nskampi-show: see skampi show -h\n",
      'a mistyped option';
    is show( 'old.out', 'mpi_bcats' )->{err},
      "skampi-show: no suite matches 'mpi_bcats'; did you mean 'MPI_Bcast'?\n", 'a mistyped name';
};

subtest 'descriptions that nobody has filled in' => sub {
    my $facts = join q{},
      map { "#\@$_->[0] $_->[1]\n# Replace: more.\n" } [ MACHINE => 'NAME OF YOUR MACHINE' ],
      [ NODE => 'KIND OF YOUR NODES' ], [ USER => 'Ann' ];
    my $got = show(
        file_with(
            "$facts#\@HOSTNAME node1\n#/*\@inp2p_A.ski*/\n#Pattern: x.\n#eol\n#skampi finished.\n")
    );
    like $got->{out}, qr/^  machine +node1\n  user +Ann$/m, 'the host, and what is filled in';
};

subtest 'many problems' => sub {
    my $got = show( file_with( "#/*\@incol_x.ski*/\n2 1 0 4\n#eol\n" . "word\n" x 30 ) );
    is scalar( split /\n/, $got->{err} ), 6, 'are reported in a few lines';
    like $got->{err}, qr/and 25 more$/m, 'with the number of the others';
};

done_testing;
