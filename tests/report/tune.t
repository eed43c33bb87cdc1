# Tables of algorithms: what is chosen from launches with known times, the rules file for it, and what the library makes
# of files that others wrote.
use v5.36;

use IPC::Run   qw(finish start);
use List::Util qw(sum0);
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::Document::Template;
use SKaMPI::Meaning::Algorithms qw(algorithms_of choices_text);
use SKaMPI::Base::Json          qw(from_json);
use SKaMPI::Regret              qw(chosen recorded_noise);
use SKaMPI::Samples             qw($RULES);
use SKaMPI::Tune::Cells         qw(choose_all %SIZES);
use SKaMPI::Tune::File
  qw(canaries_of environment_of formats formats_for read_table stay table_files with_choices);
use SKaMPI::Tune::JsonRules qw(json_rules);
use SKaMPI::Tune::Presets   qw(everywhere presets_of problems_of_presets);
use SKaMPI::Tune::Rules     qw(problems_of read_rules rules_of rules_text);
use SKaMPI::Tune::Selection qw(own_trees problems_of_selection selection_texts);
use SKaMPI::Tune::Show      qw(verify_lines);
use SKaMPI::Tune::Launches  qw(cut_to_budget felt verdicts_of);
use SKaMPI::ReportTest      qw(tool);
use SKaMPI::Test            qw($ROOT scratch slurp write_file workplace);

local @SKaMPI::Prestarted::PERL = ( $^X, '-MSKaMPI::FakeJob' );

sub problems ($text) {
    my ( $table, @problems ) = read_rules($text);
    return ( @problems, $table ? problems_of( @{$table} ) : () );
}

# The text of a file whose lines end with slashes, with these parts.
sub file_of ($text) {
    my %part =
      ( TWO => '1/7/2/2/1/0 0 0 0/', THREE => '1/7/3/2/1/0 0 0 0/4/', TAIL => '5/1/0 0 0 0/' );
    return $text =~ s/\b(TWO|THREE|TAIL)\b-?/$part{$1}/gr =~ tr{/}{\n}r;
}

# Files without a fault, as the library reads them.
my @GOOD = (
    'THREE-2/0 6 0 0/4096 0 0 0/TAIL',
    '# a comment/THREE-2 # rules/0, 6, 0, 0/4096 0 0 0/TAIL',
    'THREE-1/0 0 0 0/TAIL',
    '1 7 1 2 1 0 0 0 0',
);
is_deeply [ problems( file_of($_) ) ], [], "nothing to object: $_" for @GOOD;

# The only message about each file.
my $BAD = <<'END';
: \A1: the file ends where the number of collectives
# nothing/: the file ends where the number of collectives
words only/: the file ends where the number of collectives
0/: 1: the number of collectives is 0, expected 1 to 22
23/: 1: the number of collectives is 23
-1/: 1: the number of collectives is -1
1/: ends where the number of a collective
1/22/: 2: the number of a collective is 22, expected 0 to 21
1/-7/: 2: the number of a collective is -7
1/2048/: 2: the number of a collective is 2048.*or a count before is wrong
1/7/: \A2: the file ends where the number of communicator sizes
1/7/-2/: 3: the number of communicator sizes is -2
1/7/1/: ends where a communicator size
1/7/1/-4/: 4: a communicator size is -4
1/7/1/2/: ends where the number of rules
1/7/1/2/-1/: 5: the number of rules is -1
1/7/1/2/1/: ends where a message size
1/7/1/2/1/0/: ends where an algorithm
1/7/1/2/1/0 1/: ends where a fanout
1/7/1/2/1/0 1 0/: ends where a segment size
1/7/1/2/1/0 -1 0 0/: 6: an algorithm is -1
1/7/1/2/1/0 1 -1 0/: 6: a fanout is -1
1/7/1/2/1/0 1 0 -8/: 6: a segment size is -8
1/7/1/2/1/-1 1 0 0/: 6: a message size is -1
1/7/1/2/1/4096 0 0 0/: 6: the first message size is 4096, not 0: the library drops the whole file
2/7/1/2/1/0 0 0 0/: ends where the number of a collective
1/7/2/2/1/0 0 0 0/: ends where a communicator size
1/7/1/2/2/0 0 0 0/: ends where a message size
1/7/1/2/1/0 0 0 0/3/: 7: numbers follow the last rule: a count is too small
THREE-1/0 10 0 0/TAIL: 9: bcast has no algorithm 10
1/6/3/2/1/0 0 0 0/4/1/0 7 0 0/TAIL: 9: barrier has no algorithm 7
1/3/3/2/1/0 0 0 0/4/1/0 99 0 0/TAIL: 9: alltoall has no algorithm 99
1/5/1/2/1/0 0 0 0/: 2: .* no algorithms of collective 5
1/16/1/2/1/0 0 0 0/: 2: .* no algorithms of collective 16
1/7/2/64/1/0 6 0 0/65/1/0 0 0 0/: 4: bcast: fewer than 64 processes use the rules of 64; begin with 2
2/7/1/2/1/0 0 0 0/7/1/2/1/0 0 0 0/: 7: bcast comes again: its rules from line 2 on are never used
TWO-4/1/0 6 0 0/: 7: bcast: the last rule, for 4 processes, has no end
1/7/3/4/1/0 0 0 0/2/1/0 0 0 0/8/1/0 0 0 0/: 7: bcast: communicator sizes are not ascending
THREE-3/0 6 0 0/4096 1 0 0/64 0 0 0/TAIL: 7: bcast, 4 processes: message sizes are not ascending
THREE-2/0 6 0 0/0x1000 0 0 0/TAIL: 10: '0x1000' is read as the hexadecimal number 4096
THREE-2/0 6 0 0/0100 0 0 0/TAIL: 10: '0100' is read as the octal number 64
rule-file-version-2/1/7/1/2/1/0 0 0 0 0/: 1: version 2 of the format is only for Open MPI from 4[.]1[.]8
END
for my $row ( split /\n/, $BAD ) {
    my ( $text, $expected ) = split /: /, $row, 2;
    my @problems = problems( file_of($text) );
    is @problems, 1, "one message: $expected" or diag join "\n", @problems;
    like $problems[0], qr/$expected/, 'the right one';
}

# Files that Open MPI 4.1.4 ignores without a word, or uses where nobody wants it: with any of them, a Bcast of 64 KiB
# among 4 processes took as long as without a file, or, with rules for 64 processes, 25 to 110 times as long.
my $SLOW    = file_of('THREE-1/0 4 0 1024/TAIL');
my @IGNORED = (
    [ $SLOW, 0, 'rules of 1 collectives; nothing to object' ],
    [ undef, 2, 'No such file' ],

    # out of step, but in all ranges
    [ file_of('2/7/2/2/1/0 0 0 0/4/2/0 4 0 0/0/1/2/2/0/0/'), 1, 'not ascending|no end' ],
);
subtest 'files that Open MPI ignores' => sub {
    my $path = scratch() . '/rules';
    for my $row (@IGNORED) {
        my ( $text, $status, $message ) = @{$row};
        unlink $path;
        write_file( $path, $text ) if defined $text;
        my $run = tool( q{.}, $^X, "$ROOT/report/tune.pl", 'check', $path );
        is $run->{status}, $status, "status $status: $message";
        like "$run->{out}$run->{err}", qr/$message/, 'and why';
    }
};

# Launches of a table that the library does not use: dynamic rules are off, the processes do not see the file, another
# setting comes first. What is slow in the canary is then not felt.
subtest 'tables that nothing reads' => sub {
    my %cell = ( name => 'binomial', chosen => 6, ratio => 0.5 );
    @cell{qw(collective processes length type)} = ( 'bcast', 4, 65_536, 47 );
    my %canary = ( %cell, chosen => 4, name => 'split_binary_tree', ratio => 30 );
    for my $row ( [ 30, 0.5, 1 ], [ 1, 1, 0 ], [ 1.4, 0.5, 0 ], [ 30, 1.02, 0 ] ) {
        my ( $slower, $tuned, $good ) = @{$row};
        my $name   = 'tune_bcast_4_65536';
        my %values = (
            default => [ map { +{ $name => 10 + $_ / 10 } } 1 .. 6 ],
            tuned   => [ map { +{ $name => $tuned * ( 10 + $_ / 11 ) } } 1 .. 6 ],
            canary  => [ map { +{ $name => 10 * $slower } } 1 .. 2 ],
        );
        my @felt = felt( \%values, \%canary );
        my ( $lines, undef, $is_good ) =
          verify_lines( verdicts_of( \%values, \%cell ), \@felt, \%cell );
        my $what = "the canary is $slower times slower, the table takes $tuned of the time";
        is !!$is_good, !!$good, $what;
        my $said = join "\n", @{$lines};
        like $said, $slower < 1.5 ? qr/^not obeyed: another setting/m : qr/: obeyed$/m,
          'so it says';
    }
};

# Times of algorithms 0, 1, ... in each cell of 6 launches with noise of 1 %, the same in each test.
sub launches_with (%us) {
    my $state = 12_345;
    my $noise = sub {
        $state = ( $state * 1_103_515_245 + 12_345 ) % 2**31;
        return 0.01 * ( 2 * $state / 2**31 - 1 );
    };
    my @cells;
    for my $key ( sort keys %us ) {
        my ( $collective, $processes, $length ) = split q{ }, $key;
        my @times = $us{$key}->@*;
        my %logs  = map {
            my $n = $_;
            $n => [ map { log( $times[$n] / $times[0] ) + $noise->() } 1 .. 6 ]
        } 1 .. $#times;
        push @cells,
          {
            key        => $key,
            type       => 47,
            collective => $collective,
            processes  => $processes,
            layout     => "1x$processes",
            length     => $length,
            variable   => 'v',
            names      => { map { $_ => "a$_" } 0 .. $#times },
            logs       => \%logs,
            own_us     => $times[0],
          };
    }
    my $by     = sub ($cell) { sprintf '%s %9d %9d', @{$cell}{qw(collective processes length)} };
    my @sorted = sort { $by->($a) cmp $by->($b) } @cells;
    choose_all( [ ( {} ) x 6 ], @sorted );
    return @sorted;
}

subtest 'what is chosen' => sub {
    my @cells = launches_with(
        'bcast 4 4'     => [ 10, 5,    20,  9.9 ],
        'bcast 4 64'    => [ 10, 5.05, 5.0, 30 ],    # a tie keeps the neighbour's choice
        'bcast 4 1024'  => [ 10, 9.8,  20,  9.7 ],
        'bcast 4 65536' => [ 10, 40,   20,  5 ],
        'alltoall 4 8'  => [ 10, 9.9,  10.1 ],
    );
    is_deeply [ map { "$_->{key}: $_->{chosen}" } @cells ],
      [ 'alltoall 4 8: 0', 'bcast 4 4: 1', 'bcast 4 64: 1', 'bcast 4 1024: 3', 'bcast 4 65536: 3' ],
      'the fastest of those confirmed, with few changes';
    my @table = rules_of(@cells);
    my ( $read, @problems ) = read_rules( rules_text( 1, @table ) );
    is_deeply [ @problems, problems_of( @{$read} ) ], [], 'the library reads it';
    is_deeply [ map { [ $_->{size}, $_->{rules} ] } $read->[0]{sizes}->@* ],
      [
        [ 2, [ [ 0, 0, 0, 0 ] ] ],
        [ 4, [ [ 0, 1, 0, 0 ], [ 1024, 3, 0, 0 ], [ 65_537, 0, 0, 0 ] ] ],
        [ 5, [ [ 0, 0, 0, 0 ] ] ]
      ],
      'begins with 2, ends after 4 processes and above the longest length';
    is @{$read}, 1, 'no rules of a collective without a choice';
    my ($canary) = canaries_of(@cells);
    is "$canary->{key} $canary->{chosen}", 'bcast 4 65536 1', 'the slowest one is the canary';
};

subtest 'the table in the header of the merged launches' => sub {
    my @cells = launches_with(
        'alltoall 4 8'  => [ 10, 11, 12 ],
        'bcast 2 65536' => [ 10, 9.9 ],
        'bcast 4 64'    => [ 10, 6, 3.3, 9.9 ],
        'bcast 4 65536' => [ 10, 6.5 ],
    );
    my $text  = choices_text( 6, @cells );
    my $found = algorithms_of($text);
    is $found->{title}, 'Algorithms of collectives (6 launches)', 'title';
    is_deeply [ map { join q{ }, @{$_}{qw(collective layout length own best chosen)} }
          $found->{rows}->@* ],
      [
        "alltoall 1x4 8 B 10.00 \x{b5}s own choice -",
        "bcast 1x2 64 KiB 10.00 \x{b5}s 1 a1 -",
        "bcast 1x4 64 B 10.00 \x{b5}s 2 a2 2 a2",
        "bcast 1x4 64 KiB 10.00 \x{b5}s 1 a1 1 a1",
      ],
      'own choice, best and chosen one';
    like $found->{rows}[2]{ratio}, qr/\A0[.]33 [(]0[.]3[123] to 0[.]3[345][)]\z/, 'ratio';
    is_deeply [
        map {
            "$_->{name}: " . join q{ },
              map { "$_->{text}/$_->{level}" }
              $_->{cells}->@*
        } $found->{map}->@*
      ],
      [ 'alltoall 1x4: 1.00/0 /0 /0', 'bcast 1x2: /0 /0 0.99/0', 'bcast 1x4: /0 0.33/4 0.65/3' ],
      'the heat map is shaded where a gain is confirmed';
    my $latex = SKaMPI::Document::Template->new->text( 'algorithms', { algorithms => $found } );
    like $latex, qr/^bcast 1x4&&\\heat\{4\}\{0[.]33\}&\\heat\{3\}\{0[.]65\}/m, 'in the report';
    is algorithms_of("6 launches; words\nno row\nbcast 1x4 x 1 1 a 1 1 1 1 a\n"), undef,
      'nothing of what a stranger wrote';
};

subtest 'sizes of rules' => sub {
    my @cells = launches_with(
        'alltoall 4 8' => [ 10, 5 ],
        'alltoall 8 8' => [ 10, 5 ],
        'barrier 4 0'  => [ 10, 5 ]
    );
    my %of = map { $_->{id} => $_->{sizes} } rules_of(@cells);
    is_deeply $of{3}[1]{rules}, [ [ 0, 1, 0, 0 ], [ 33, 0, 0, 0 ] ],
      'bytes of all-to-all are those of all parts';
    is_deeply [ map { $_->{size} } $of{3}->@* ], [ 2, 4, 5, 8, 9 ],
      'the numbers between two measured ones are left alone';
    is_deeply $of{6}[1]{rules}, [ [ 0, 1, 0, 0 ] ], 'a barrier has no length';
};

# With the noise of a real machine, in which nothing differs.
subtest 'a library against itself' => sub {
    srand 7;
    my $with = 0;
    for my $sweep ( 1 .. 20 ) {
        my %cell  = ( collective => 'bcast', processes => 4, us => { map { $_ => 10 } 0 .. 5 } );
        my @cells = map { +{ %cell, key => "bcast 4 $_", length => $_ } } 1 .. 12;
        $with++ if grep { $_->{chosen} } chosen( \@cells, recorded_noise(), 6 );
    }
    cmp_ok $with, '<=', 3, "$with of 20 sweeps have an entry";
};

# A file with the trees of a library of MPICH, as compilers leave them between texts.
sub library_with (@texts) {
    return write_file( scratch() . '/libmpi.so', join "\0", 'ELF', @texts, q{} );
}
my $MPIR =
    '{"collective=bcast":{"comm_type=intra":{"comm_size<8":{"algorithm=MPIR_Bcast_intra_smp":{}},'
  . '"comm_size=any":{"algorithm=MPIR_Bcast_intra_a9":{}}},"comm_type=inter":{"algorithm=MPIR_Bcast_inter_x":{}}},'
  . join( q{,},
    map    { qq{"collective=$_":{"algorithm=MPIR_X_intra_y":{}}} }
      grep { $_ ne 'bcast' } sort( keys %SIZES ),
    qw(allgatherv alltoallv alltoallw gatherv scatterv) )
  . '}';
my $CH4 =
  '{"collective=bcast":{"comm_type=intra":{"composition=MPIDI_Bcast_intra_composition_alpha":{}}}}';
my @NAMES = map { "algorithm=MPIR_$_" } qw(Bcast_intra_a1 Bcast_allcomm_a2 Allgather_intra_a1);

# Two collectives of a library whose variables are called PREFIX_COLLECTIVE_END.
sub named ( $variable, @cells ) {
    return map { +{ %{$_}, variable => sprintf $variable, uc $_->{collective} } } @cells;
}
my %VARIABLES = (
    ompi  => 'coll_tuned_%s_algorithm',
    mpich => 'MPIR_CVAR_%s_INTRA_ALGORITHM',
    intel => 'I_MPI_ADJUST_%s'
);

subtest 'files of each format' => sub {
    my $dir     = scratch();
    my $library = library_with( $MPIR, $CH4, @NAMES );
    my @cells   = launches_with( 'bcast 4 4' => [ 10, 5, 90 ], 'bcast 4 64' => [ 10, 5, 9 ] );
    for my $format ( formats() ) {
        my ($of) = grep { $format =~ /\A$_/ } keys %VARIABLES;
        my @of = with_choices( $format, $library, named( $VARIABLES{$of}, @cells ) );
        my %with =
          ( about => ['an explanation'], canaries => [ canaries_of(@of) ], library => $library );
        my @files = table_files( $format, "$dir/$format", \%with, @of );
        write_file( @{$_} ) for @files;
        my $file = read_table("$dir/$format");
        is $file->{format}, $format, $format;
        is_deeply $file->{problems},
          [ grep { $format eq 'ompi-v2' && /^1: / } $file->{problems}->@* ],
          'nothing to object';
        is_deeply [ map { "$_->{processes} $_->{length} $_->{chosen} $_->{type}" }
              $file->{cell}->@* ],
          [ '4 4 1 47', '4 64 1 47' ], 'its cells';
        is $file->{canary}[0]{chosen}, 2, 'its canary';
        my $environment = environment_of( $format, "$dir/$format", $files[0][1] );
        my ($path) = grep { m{/} } reverse sort values %{$environment};
        is $path // q{-}, $format =~ /-env\z/ ? q{-} : $files[-1][0],
          'the environment that uses it';
        ok -s $path, 'and the file that it names' if defined $path;
        is $environment->{MPIR_CVAR_BCAST_DEVICE_COLLECTIVE}, 0, 'without the device'
          if $format eq 'mpich-env';
        is_deeply [ formats_for( $of[0] ) ],
          [
            grep   { /\A$of/ }
              sort { $b =~ /env/ <=> $a =~ /env/ || $a =~ /json/ <=> $b =~ /json/ || $a cmp $b }
              formats()
          ],
          'formats of this library';
    }
};

subtest 'presets of Intel MPI' => sub {
    my @cells = named(
        $VARIABLES{intel},
        launches_with(
            'bcast 2 8'     => [ 10, 5,     4 ],
            'bcast 4 8'     => [ 10, 11,    5,  20 ],
            'bcast 4 64'    => [ 10, 10.01, 5,  20 ],
            'bcast 4 1024'  => [ 10, 10.01, 30, 20 ],
            'barrier 4 0'   => [ 10, 20,    5 ],
            'alltoall 4 8'  => [ 10, 5 ],
            'alltoall 4 64' => [ 10, 50 ],
            'reduce 4 8'    => [ 10, 10 ],
        )
    );
    $_->{names} = { map { $_ => "preset_$_" } 0 .. 3 } for @cells;
    my %value = presets_of( everywhere(@cells) );
    is $value{I_MPI_ADJUST_BCAST},
      '2:0-2147483647@1-2;2:0-1023@3-4;1:1024-2147483647@3-4',
'every length and number of processes has one; where none is confirmed, one that is not slower';
    is $value{I_MPI_ADJUST_BARRIER}, '2:0-2147483647', 'one number of processes';
    is_deeply [ sort keys %value ], [qw(I_MPI_ADJUST_BARRIER I_MPI_ADJUST_BCAST)],
      'none for a collective with a cell in which all are slower, or without a confirmed one';
    is_deeply [ map { problems_of_presets($_) } values %value ], [], 'nothing to object';
    my @kept = grep { $_->{length} != 64 } @cells;
    is_deeply [
        map  { $_->{key} }
        grep { $_->{collective} eq 'bcast' } stay( 'intel-env', \@kept, @cells )
      ],
      [], 'a variable without one of its cells is dropped';
    is scalar( stay( 'ompi', \@kept, @cells ) ), scalar @kept, 'rules are not';
};

subtest 'a tree of MPICH' => sub {
    my @cells = named(
        $VARIABLES{mpich},
        launches_with(
            'bcast 4 8'     => [ 10, 10, 5 ],
            'bcast 4 64'    => [ 10, 5,  10 ],
            'bcast 4 1024'  => [ 10, 10, 10, 5 ],
            'barrier 4 0'   => [ 10, 5 ],
            'allgather 4 8' => [ 10, 5 ],
        )
    );
    my $own  = own_trees( library_with( $MPIR, $CH4, @NAMES ) );
    my %text = selection_texts( $own,
        with_choices( 'mpich-json', library_with( $MPIR, $CH4, @NAMES ), @cells ) );
    my $path = sub ($tree) { $tree =~ s/\s+//gr };
    like $path->( $text{mpir} ), qr/^[{]"collective=bcast":[{]"comm_type=intra":[{]"comm_size<=3":/,
      'fewer processes have the own tree';
    like $path->( $text{mpir} ),
qr/"comm_size<=4":[{]"avg_msg_size<=63":[{]"algorithm=MPIR_Bcast_allcomm_a2":[{]}},"avg_msg_size<=1023":[{]"algorithm=MPIR_Bcast_intra_a1":[{]}},"avg_msg_size<=1024":[{]"comm_size<8"/,
      'lengths; what the library cannot select by name is its own choice';
    like $path->( $text{mpir} ), qr/"total_msg_size<=32":[{]"algorithm=MPIR_Allgather_intra_a1"/,
      'the bytes of all processes';
    like $path->( $text{mpir} ), qr/"collective=barrier":[{]"algorithm=MPIR_X_intra_y"/,
      'a collective without a choice';
    like $path->( $text{mpir} ), qr/"comm_type=inter":[{]"algorithm=MPIR_Bcast_inter_x"/,
      'other branches';
    like $path->( $text{ch4} ), qr/"avg_msg_size<=63":[{]"comm_type=inter":[{]"composition=/,
      'the device leaves these calls to MPIR';
    is_deeply [ map { problems_of_selection($_) } values %text ], [], 'nothing to object';
    my %canary = selection_texts( $own, @cells );
    unlike $canary{mpir}, qr/algorithm=MPIR_"/, 'a canary without a name is the own choice, too';
    eval { own_trees( library_with('nothing') ) };
    like $@, qr/no selection trees/, 'a file that is not the library';
};

subtest 'JSON of Open MPI 6' => sub {
    my @cells = launches_with(
        'alltoall 4 8'  => [ 10, 5 ],
        'alltoall 4 64' => [ 10, 10, 5 ],
        'bcast 2 8'     => [ 10, 10 ]
    );
    my $data = from_json( json_rules(@cells) );
    is_deeply $data->{collectives}, from_json(<<'END'),
{"alltoall":[{"comm_size_min":4,"comm_size_max":4,"rules":[
    {"msg_size_min":0,"msg_size_max":255,"alg":"a1","reqs":0},
    {"msg_size_min":256,"msg_size_max":256,"alg":"a2","reqs":0}]}]}
END
      'limits are included, and all else is the own choice';
};

# The only message about each file.
my $JSON = <<'END';
{"a=b":{}} :: 1: unknown condition 'a=b'
{"collective=bcast":{"comm_size<=4":{"algorithm=MPIDI_POSIX_x":{}}}} :: has no 'comm_size=any' at its end
{"collective=bcast":{"count=any":{"algorithm=MPIDI_POSIX_x":{}},"count<=4":{"algorithm=MPIDI_POSIX_x":{}},"count=any":{"algorithm=MPIDI_POSIX_x":{}}}} :: what follows 'count=any' is never used
{"collective=bcast":{}} :: 'collective=bcast' has no algorithm
{"collective=bcast":1} :: 1: expected an object
{"collective=bcast" {}} :: 1: expected a condition
{"rule_file_version":3 :: no JSON: the library ignores the file
{"rule_file_version":2,"module":"tuned","collectives":{}} :: 1: the file: 'rule_file_version' cannot be '2'
{"rule_file_version":3,"collectives":{}} :: 1: the file: 'module' is missing
{"rule_file_version":3,"module":"tuned","collectives":[]} :: 1: collectives: expected an object
COLL Bcast :: 2: Bcast: no collective: the library drops the file
COLL reducescatter :: 2: reducescatter: no collective: the library drops the file
COLL bcast :: 2: bcast: an entry: expected a list
ENTRY  :: 2: bcast: an entry: 'rules' is missing
ENTRY "comm_max":4,"rules":[] :: an entry: 'comm_max' is unknown and ignored
ENTRY "comm_size_min":8,"comm_size_max":4,"rules":[] :: comm_size from 8 to 4: the limits are exchanged
ENTRY "rules":[]},{"comm_size_min":4,"rules":[] :: comm_size from 4 to inf: never used
ENTRY "comm_size_max":"inf","rules":[] :: 'comm_size_max' cannot be 'inf'
ENTRY "comm_rank_distribution":"all","rules":[] :: 'comm_rank_distribution' cannot be 'all'
RULE "reqs":0 :: a rule: 'alg' is missing
RULE "alg":6,"message_size_min":0 :: 'message_size_min' is unknown and ignored
RULE "alg":6,"seg_size":"inf" :: 'seg_size' cannot be 'inf'
RULE "alg":6,"msg_size_max":8},{"alg":1,"msg_size_min":4,"msg_size_max":8 :: msg_size from 4 to 8: never used
RULE "alg":6,"msg_size_min":"inf","msg_size_max":8 :: the limits are exchanged
END
subtest 'faulty files of JSON' => sub {
    my $head = qq({"rule_file_version":3,"module":"tuned","collectives":{\n);
    for my $row ( split /\n/, $JSON ) {
        my ( $text, $expected ) = split / :: /, $row;
        $text =~ s/\ACOLL (\w+)/$head"$1":{}}}/;
        $text =~ s/\AENTRY (.*)/$head"bcast":[{$1}]}}/;
        $text =~ s/\ARULE (.*)/$head"bcast":[{"rules":[{$1}]}]}}/;
        my @problems = read_table( write_file( scratch() . '/json', "$text\n" ) )->{problems}->@*;
        is @problems, 1, "one message: $expected" or diag join "\n", @problems;
        like $problems[0] // q{}, qr/\Q$expected\E/, 'the right one';
    }
    my $lacks = join q{},
      problems_of_selection('{"collective=bcast":{"algorithm=MPIR_Bcast_intra_smp":{}}}');
    like $lacks, qr/no tree of allgather, .*: their first call ends/, 'a tree of one collective';
    like join( q{}, problems_of_selection( '{}' . q{ } x 4094 ) ), qr/at a page of 4096 bytes/,
      'a whole page';
};

subtest 'faulty environments' => sub {
    is_deeply environment_of( 'mpich-env', 'x', "LD_PRELOAD=/mine\nMPIR_CVAR_X='1'\n" ),
      { MPIR_CVAR_X => 1 }, 'a table sets nothing but choices of algorithms';
    my %said = (
        q{I_MPI_ADJUST_BCAST='1:0-max'}                       => 'the library ignores the variable',
        q{I_MPI_ADJUST_BCAST='-1'}                            => 'the library ignores the variable',
        q{I_MPI_ADJUST_BCAST='2;1:0-8'}                       => 'preset 1 is never used',
        q{I_MPI_ADJUST_BCAST='2:0-8'}                         => 'is used above them, too',
        q{I_MPI_ADJUST_BCAST='2:0-8@3-4;1:0-9@1-2'}           => 'preset 1 is never used',
        q{I_MPI_ADJUST_BCAST=2:0-8;1}                         => 'needs quotes',
        q{MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/nowhere} => 'No such file',
        q{OMPI_MCA_coll_tuned_dynamic_rules_filename=/nowhere} => 'No such file',
    );
    for my $line ( sort keys %said ) {
        my $file = read_table( write_file( scratch() . '/env', "# mine\n$line\n" ) );
        like $file->{problems}[0] // q{}, qr/\A2: \w+: .*\Q$said{$line}\E/, $line;
    }
};

# Launches of jobs that are not started (SKaMPI::FakeJob).
sub tune ( $dir, @words ) {
    return tool( $dir, $^X, "$ROOT/report/tune.pl", @words );
}

sub launched ($dir) { return scalar( () = slurp("$dir/order") =~ /\n/g ) }

my $SWEEP = <<'END';
@VERSION 4.2
@MEASUREMENTS
A { Type = 47; Default_Message_length = 1, 2, 3, 4, 5, 6, 7; Parameters = "passes=3"; }
END

# A program that would run for an hour, or for PLAN.
my $HOUR = <<'END';
#!/bin/sh
case $* in *--print*) exec "$SKAMPI_PROGRAM" "$@";; esac
echo 'time limits: none'; echo "run time: about ${PLAN:-1:00:00 h}"
END

subtest 'a budget' => sub {
    my $text = join q{},
      map { "A-$_ { Default_Message_length = $_; Parameters = \"root=0 passes=3\"; }\n" } 1 .. 7;
    my %options = ( launches => 6, budget => '30m', budget_s => 1800 );
    my ( $said, @set ) = cut_to_budget( $text, 400, 400, \%options );
    is "@set", 'Default_Message_length=1,3,5,7 passes=3', 'lengths first';
    like $said, qr/^6 launches would take .* lengths 1, 3, 5, 7: /, 'and says so';
    ( $said, @set ) = cut_to_budget( $text, 1000, 1000, \%options );
    is "@set", 'Default_Message_length=1 passes=2', 'then passes';
    my $dir     = workplace( sweep => $SWEEP, 'skampi-fake' => $HOUR );
    my @measure = qw(measure -f sweep --budget);
    my $refused = tune( $dir, @measure, '10m', q{--}, "$dir/skampi-fake" );
    is $refused->{status}, 1, 'a launch that does not fit is not started';
    like $refused->{err}, qr/^skampi-tune: not started: .* more than the budget of 10m$/m,
      'and why';
    ok !-e "$dir/tune/sweep", 'no launch';
    local $ENV{PLAN} = '0:30 s';
    my $failed = tune( $dir, @measure, '10m', qw(-d failed --), 'FAIL=3,4', "$dir/skampi-fake" );
    like $failed->{err},
      qr/\A[^\n]+: 6 launches in '\S+' take about 3[.]00 min on a quiet machine\n/,
      'the time is said first';
    like $failed->{err}, qr/^skampi-tune: launch 3 of sweep failed: .*\n.*this is launch 3$/m,
      'what the program says';
    is $failed->{out}, join( q{}, map { "$dir/failed/sweep/$_/skampi.out\n" } 1, 2 ),
      'the complete launches are printed';
    unlink "$dir/order";
    my @first = ( @measure, '50s', qw(-d first --), 'SECONDS=10,3', 'fake' );
    my $run   = tune( $dir, @first );
    like $run->{err},
      qr/one takes\n.*sweep 1: 10[.]0 s[^\n]*\n[^\n]*: 6 launches would take 60[.]0 s; /s,
      'cut after the first launch';
    like slurp("$dir/first/sweep.skampi"), qr/^A-5 .* passes=3 .*\nA-7 [^\n]*\n\z/m, 'the file';
    is launched($dir),              7,           'which is made again';
    is tune( $dir, @first )->{out}, $run->{out}, 'started again';
    is launched($dir),              7,           'nothing is repeated';
    unlink "$dir/order";
    my $spent = tune( $dir, @measure, '35s', qw(-d spent --), 'SECONDS=5,10', 'fake' );
    is $spent->{status}, 3, 'a budget that is spent';
    like $spent->{out}, qr{sweep/4/skampi[.]out\n\z}, 'with the complete launches';
};

subtest 'an interrupted verification' => sub {
    my $dir   = workplace( rules => $RULES, other => $RULES =~ s/^0 6/0 5/mr );
    my @words = qw(-d v/x -- HANG=3 ALL= fake-points);
    my $verify =
      start [ $^X, '-MSKaMPI::FakeJob', "$ROOT/report/tune.pl", qw(verify rules), @words ],
      '<', \undef, '>', \my $out, '2>', \my $err, init => sub { chdir $dir };
    sleep 0.02 while !glob "$dir/v/x/*/tuned/2/launch.log";
    $verify->signal('INT');
    finish $verify;
    is $? >> 8, 130, 'the status shows the signal';
    like $err, qr/^skampi-tune: ended by SIGINT; start again with the same command to go on$/m,
      'a message';
    my $run = tune( $dir, qw(verify rules), @words );
    is $run->{status}, 1, 'a table without effect';
    like $run->{out}, qr/^bcast: a table with split .*: not obeyed$/m, 'and why';
    is launched("$dir/v/x"), 15,
      'six launches without, six with the table, two canaries, and that one';
    tune( $dir, qw(verify other), @words );
    is launched("$dir/v/x"), 29, 'except for another table';
};

done_testing;
