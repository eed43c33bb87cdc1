# Damaged files of all kinds that the Perl programs read: none of them makes a program warn, hang or die with a place in
# its source, and each message names the file. SKAMPI_LONG: 300 of each kind, each read by all commands.
use v5.36;

use Cpanel::JSON::XS  ();
use Cwd               qw(abs_path);
use SKaMPI::FreshRuns qw(fresh_run);
use SKaMPI::Generated qw(random_from);
use SKaMPI::Read::Times;
use SKaMPI::ReportTest qw(tool);
use SKaMPI::Samples    qw(tune_text verdicts_about $RECORDING $RULES);
use SKaMPI::Test       qw(blocks_of read_file write_file workplace);
use Test::More;

my $ROOT  = abs_path( __FILE__ =~ s{[^/]+\z}{../..}r );
my $LONG  = $ENV{SKAMPI_LONG};
my $COUNT = $LONG ? 300 : 10;

my @NUMBERS =
  qw(nan -nan inf -inf 0 -0 -1 1 0.5 1e999 -1e999 1e308 1e-320 0x10 1_000 1.5 . - + 1e 007 9007199254740993
  99999999999999999999 -3.5 1e15 12a =);
my @TEXTS = (
    q{},    q{ },       "\t", "\n", "\r", "\0", "\e[31m", split( / /, '# #@ = : { } " % \\' ),
    "\xff", "\xc3\xa9", "\xe4\xb8\xad", 'x' x 300, '9' x 400, '1 ' x 30
);

# Every faulty number of a file, or one to four faults of any kind.
sub mutated ( $content, $random ) {
    my $pick  = sub (@of) { return $of[ $random->() * @of ] };
    my $value = qr/(?<![\w.])-?[0-9][0-9.e+-]*|(?<==)[^\s,;]+/;
    my $rate  = $random->() < 0.5 ? 0 : 0.04;
    my ($key) = map { $_ // q{} } $pick->( $content =~ /(\w+)=/g );
    my $new   = $pick->(@NUMBERS);
    $content =~ s/$value/$random->() < $rate ? $pick->(@NUMBERS) : $&/gse;
    $content =~ s/\b$key=\K[^\s,;]+/$new/g if !$rate;
    for ( 1 .. $pick->( 1, 1, 2, 4 ) ) {
        my @lines = split /^/, $content eq q{} ? "\n" : $content;
        my $at    = int $random->() * @lines;
        my $fault = $pick->(qw(value byte text line line cut));
        if ( $fault eq 'value' ) {
            $lines[$at] =~ s/$value/$random->() < 0.5 ? $pick->( @NUMBERS, @TEXTS ) : $&/ge;
        }
        elsif ( $fault eq 'line' ) {
            splice @lines, $at, $pick->( 0, 1 ), ( $pick->(@lines) ) x $pick->( 0, 1, 2 );
        }
        elsif ( $fault eq 'cut' ) { splice @lines, $at, $pick->( 1, 1, scalar @lines ) }
        else {
            my $text = $fault eq 'byte' ? chr int 256 * $random->() : $pick->(@TEXTS);
            substr $lines[$at] //= q{}, $random->() * length( $lines[$at] // q{} ),
              $pick->( 0, 1 ), $text;
        }
        $content = join q{}, @lines;
    }
    return $content;
}

# The fault in how a program took a file; empty without one.
sub fault_of ( $run, $name, $is_json ) {
    return "signal $run->{signal}" if $run->{signal};
    return "status $run->{status}" if $run->{status} > 5;
    return 'a place in the source' if "$run->{out}$run->{err}" =~ / at \S+ line [0-9]+/;
    return 'died while reading'    if $run->{err}              =~ /takes more than/;
    return 'no name of the file'   if $run->{status} =~ /[25]/ && $run->{err} !~ /\Q$name\E/;
    return 'no JSON'
      if $is_json && $run->{out} && !eval { Cpanel::JSON::XS->new->decode( $run->{out} ) };
    return q{};
}

my $SUITES = <<'END';
Ping { Type = 1; Variation = Length; Scale = Dynamic_log; Start_Argument = 8; End_Argument = 4096; Stepwidth = 8; Parameters = "raw=yes"; }
*-SM { Type = 47, 55, 170; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 512; Stepwidth = 8; }
Nodes { Type = 47; Variation = Nodes; Default_Message_length = 64; }
Pairs { Type = 180; Variation = Pairs; Default_Message_length = 8; Parameters = "pairs=round"; }
*-o { Type = 300, 201; Variation = Length; Scale = Fixed_log; Start_Argument = 8; End_Argument = 512; Stepwidth = 8; }
Wtime { Type = 24; }
END
my $FRESH = fresh_run( processes => 3, suites => $SUITES );
my $TIMES = 'skampi.out.times-419549ce';
my $RAW   = "$ROOT/tests/report/data/raw";

# The baseline of the fresh run.
sub baseline () {
    my $dir = workplace( 'r.out' => $FRESH );
    tool( $dir, $^X, "$ROOT/report/compare.pl", qw(--force --save b.json r.out) );
    return read_file("$dir/b.json");
}

# For each kind: the name of the file, and what reads it.
my %COMMANDS = map { shift @{$_} => $_ } blocks_of(<<"END");
results :: r.out :: show -a r.out :: show --health --format json r.out :: export --format json r.out :: compare base.out -- r.out :: db --database x.db add r.out :: model fit r.out :: profile cost p r.out
old :: old.out :: show -a old.out :: export old.out
times :: $TIMES :: show --times -a r.out :: export --raw r.out
launches :: l6 :: tune choose l1 l2 l3 l4 l5 l6
recording :: p :: profile show p :: profile suites p :: profile cost p r.out
rules :: rules :: tune check rules :: tune verify rules -- false
selection :: json :: tune check json
json :: json :: tune check json
presets :: env :: tune check env
verdicts :: r.out.verdicts :: show r.out
thresholds :: t :: compare --thresholds t r.out -- r.out
comparison :: .dorep :: dorep --format html r.out
baseline :: b.json :: compare b.json -- r.out :: show --baseline b.json r.out :: launch --guard b.json -- false
END

# The content of that file.
my %CONTENT = (
    results   => $FRESH,
    old       => read_file("$ROOT/tests/report/data/old.out"),
    times     => read_file("$RAW/$TIMES"),
    launches  => tune_text(6),
    recording => $RECORDING,
    rules     => $RULES,
    selection => '{"collective=bcast":{"comm_size<=4":{"algorithm=MPIR_Bcast_intra_smp":{}},'
      . '"comm_size=any":{"algorithm=MPIR_Bcast_intra_binomial":{}}}}',
    json => '{"rule_file_version":3,"module":"tuned","collectives":{"bcast":[{"comm_size_min":2,'
      . '"rules":[{"msg_size_min":0,"msg_size_max":8,"alg":6},{"alg":"ring","reqs":0}]}]}}',
    presets    => "I_MPI_ADJUST_BCAST='3:0-1023\@1-2;7:1024-2147483647\@1-2;1'\n",
    verdicts   => verdicts_about($FRESH),
    thresholds => "# words\n* * 15%\np2p_* 0-1024 10%\n",
    comparison =>
      "# words\nBcast: col_Bcast, simple_Wtime,\n  Wtime\n--mono -b\nP: col_MPI_Bcast/length\n",
    baseline => baseline(),
);

# Files beside it.
my %OTHER = ( map { ( "l$_" => tune_text($_) ) } 1 .. 5 );
@OTHER{qw(r.out base.out p)} = ( $FRESH, $FRESH, $RECORDING );

# The hash of the reference, so that the times themselves are read.
sub renew_reference ( $dir, $times ) {
    my $hash = SKaMPI::Read::Times::_hash($times);
    my $text = read_file("$RAW/skampi.out") =~
      s/^(\#\@TIMES \S+) 0 .*/"$1 0 " . length($times) . " $hash"/mer;
    return write_file( "$dir/r.out", $text );
}

for my $kind ( sort keys %COMMANDS ) {
    my ( $name, @commands ) = $COMMANDS{$kind}->@*;
    my $dir = workplace( %OTHER,
        $kind =~ /times|comparison/ ? ( 'r.out' => read_file("$RAW/skampi.out") ) : () );
    my @wrong;
    for my $seed ( 1 .. $COUNT ) {
        my $damaged = mutated( $CONTENT{$kind}, random_from( 7919 * $seed ) );
        write_file( "$dir/$name", $damaged );
        renew_reference( $dir, $damaged ) if $kind eq 'times';
        for my $command ( $LONG ? @commands : $commands[ $seed % @commands ] ) {
            my ( $program, @arguments ) = split q{ }, $command;
            my $run   = tool( $dir, $^X, "$ROOT/report/$program.pl", @arguments );
            my $fault = fault_of( $run, $name, scalar $command =~ /-format json/ ) || next;
            push @wrong, "$command, seed $seed: $fault: $run->{err}";
        }
    }
    is join( q{}, @wrong ), q{}, "$kind: damaged files";
}

# A fact of the suites that is missing, a key with an impossible value, a call of more processes than there are, rows
# without a quartile or with a large error, and a list of columns without the argument.
my ( $head, $blocks ) = split /^(?=#-----)/m, $FRESH, 2;
my %odd = map { $_ => [ 'show', '-a', $FRESH =~ s/^\#\@$_\b.*\n//mgr ] } $blocks =~ /^#\@(\w+)/mg;
$odd{$_}        = [ 'show', '-a', $FRESH =~ s/\b$_=\K[^ ";]+/12a/gr ] for $head =~ /\b([a-z_]+)=/g;
$odd{processes} = [ 'profile', 'suites',             $RECORDING =~ s/^MPI_Alltoallv \K2/1e300/gmr ];
$odd{p25}       = [ 'model',   'fit',                $FRESH     =~ s/\bp25=\S+//gr ];
$odd{error}     = [ 'model',   'fit',                $FRESH     =~ s/^[0-9]+ \S+ \K\S+/1e308/gmr ];
$odd{columns}   = [ 'tune', 'choose l1 l2 l3 l4 l5', tune_text(6) =~ s/[(](?=%d[)] <results>)//r ];

for my $what ( sort keys %odd ) {
    my ( $program, $word, $content ) = $odd{$what}->@*;
    my $dir = workplace( %OTHER, f => $content );
    my $run = tool( $dir, $^X, "$ROOT/report/$program.pl", split( q{ }, $word ), 'f' );
    is fault_of( $run, 'f', 0 ), q{}, $what;
}
done_testing;
