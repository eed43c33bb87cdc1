# The command line: what skampi prints without measuring, and its messages about a wrong one.
use v5.36;

use File::Basename qw(basename);
use IPC::Run       qw(run);
use Test::More;

use Cpanel::JSON::XS         ();
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test
  qw($ROOT scratch read_file files_in manual_table skampi mpirun mpirun_each workplace succeeds);

my $CONFIGS = "$ROOT/configs";
my $MAN     = "$CONFIGS/../docs/man";
my $SAMPLE  = "$CONFIGS/../docs/examples/standard.out";

# In the order of --help.
my @OPTIONS =
  qw(lengths time vary as set json format file output machine duet threads quiet fresh selftest health baseline save status write visits check processes list help-params help-output print-config fixed
  catalog postprocess force version verbose help);

# A suite that could be measured: only the option prevents that.
my $RUNNABLE = "\@VERSION 4.1\n\@MEASUREMENTS\nA { Type = 1; End_Argument = 4; }\n";

# Runs in a directory of its own, with a runner of SKaMPI::Test; nothing may be written there.
sub untouched ( $what, $runner, @args ) {
    my $dir = workplace( '.skampi' => $RUNNABLE );
    my $run = $runner->( $dir, @args );
    is_deeply [ files_in($dir) ], ['.skampi'], "$what: nothing is written";
    return $run;
}

sub printed (@args) {
    my $run = succeeds( untouched( "@args", \&skampi, @args ), "@args: done" );
    is $run->{err}, q{}, "@args: no complaint";
    return $run->{out};
}

sub refused (@args) {
    my $run = untouched( "@args", \&skampi, @args );
    is $run->{status}, 2,   "@args: usage";
    is $run->{out},    q{}, "@args: nothing but a complaint";
    return $run->{err};
}

sub lines_over_80 ($text) {
    return [ grep { length > 80 } split /\n/, $text ];
}

subtest 'version and help' => sub {
    like printed('--version'), qr/\Askampi \d+[.]\d+[.]\d+(?:-dev)?\n\z/, 'the version';
    is printed('-V'), printed('--version'), 'by its letter';
    like printed( '--version', '-v' ),
      qr/\Askampi .*^MPI library: \S.*^library: \/\S*libmpi.*^built: MPI=\w+ .*hwloc.*^host: /ms,
      'what a report of a problem needs';
    my $help  = printed('--help');
    my @named = $help =~ /^  (?:-\w, |    )--([\w-]+)(?: \S+)?  +\S/mg;
    is_deeply \@named, \@OPTIONS, 'every option has its line';
    my %column = map { length() => 1 } $help =~ /^(  (?:-\w, |    )--[\w-]+(?: \S+)?  +)\S/mg;
    is scalar keys %column, 1, 'aligned';
    is_deeply lines_over_80($help), [], 'at most 80 columns';
    like $help, $_, "says $_"
      for qr/mpirun -np N skampi/, qr/skampi[.]out/, qr/exit status: 0 done/;
};

# Joins the lines of a row that was wrapped.
sub unbroken ($list) {
    return $list =~ s/(?<=\S)\n {42}(?=\S)/ /gr;
}

# "Title prefix" of every number as the list has it; columns and names are counted.
sub listed ( $columns, $names, @lines ) {
    my ( $title, %listed );
    for my $line ( grep { /\S/ } @lines ) {
        if ( $line =~ /^ *(\d+) +(([[:lower:]\d]+)_\S+) +\S/ ) {
            $columns->{"$+[1] $-[2] $+[0]"}++ if length $2 < 35;    # others have their text below
            $names->{$2}++;
            $listed{$1} = "$title $3";
        }
        elsif ( $line !~ /^  (?:\S.*:|keys: \w+(?:, \w+)*)$/ ) {
            ($title) = $line =~ /^(.+?)(?:, varied over \w+(?: or \w+)*)?:$/
              or fail("neither a row nor a heading: '$line'");
        }
    }
    return \%listed;
}

subtest 'list' => sub {
    my $list = printed('--list');
    my ( $types,  $datatypes ) = split /\nDatatypes: /,     $list;
    my ( $topics, $rows )      = split /\nTypes: [^\n]+\n/, unbroken($types);
    my @lines = split /\n/, $rows;
    my ( %columns, %names );
    my %title    = map { $_->{prefix} => "$_->{title} $_->{prefix}" } rows_of('patterns');
    my %expected = map { $_->{number} => $title{ $_->{pattern} } }
      grep { $_->{number} < 100 } rows_of('types');
    my $listed = listed( \%columns, \%names, @lines );
    delete $listed->@{ grep { $_ >= 100 } keys %{$listed} };
    is_deeply $listed, \%expected, 'the numbers of 4.1, under their patterns';
    my @twice = grep { $names{$_} > 1 } keys %names;
    is_deeply \@twice, [], 'every name once';
    is scalar( grep { /^ *\d/ } @lines ), scalar keys %names, 'and every number once';
    is scalar keys %columns,              1,                  'aligned';
    is_deeply lines_over_80($list), [], 'at most 80 columns';
    like $datatypes, qr/^ +5: MPI_INT\n/m,                                     'datatypes';
    like $datatypes, qr/^ +70: [^:]+; needs\s+'\@BLOCKSIZE' of at least 3\n/m, 'and what they need';
};

subtest 'list of a topic' => sub {
    my ($overview) = printed('--list') =~ /\ATopics: .*?\n\n(.*?)\n\nTypes: /s;
    my @topics = $overview =~ /^  ([a-z]+) +\S/mg;
    cmp_ok scalar @topics, '>', 8, 'there are some';
    my ( %seen, $numbers );
    for my $topic (@topics) {
        my @numbers = printed( '--list', uc $topic ) =~ /^ *(\d+)  \w/mg;
        ok @numbers, "$topic has types";
        $seen{$_}++ for @numbers;
    }
    my @all =
      split( /\nDatatypes: /, printed('--list') ) && printed('--list') =~ /^ *(\d+)  \w+_\S/mg;
    is_deeply [ sort keys %seen ],               [ sort @all ], 'every type has a topic';
    is_deeply [ grep { $_ != 1 } values %seen ], [],            'and only one';
    unlike printed( '--list', 'irregular' ), qr/_RMA_/,               'other topics are left out';
    like printed('--list'), qr/^  one-sided communication:\n +200 /m, 'headings within a pattern';
};

subtest 'list of some' => sub {
    my $list  = printed('--list');
    my @lines = grep { /^ *\d+  \w*bcast/i } split /^/m, unbroken($list);
    is unbroken( printed( '--list', 'bcast' ) ), join( q{}, sort @lines ), 'by a part of the name';
    is unbroken( printed( '--list', '47' ) ), ( grep { /^ +47 / } @lines )[0], 'by the number';
    like printed( '--list', '32' ), qr/^   32  simple_dummy .*^   32: vector of blocks/ms,
      'the type and the datatype with a number';
    is printed( '--list', 'datatypes' ), $list =~ s/\A.*\n(?=Datatypes: )//sr, 'all datatypes';
    my @prefixed = grep { /syncol_MPI_Bcast/ } @lines;
    is unbroken( printed('-lsyncol_MPI_Bcast') ), join( q{}, @prefixed ), 'with prefix';
    like refused( '--list', 'zzz' ),
qr/\Askampi: 'zzz' is not a topic or a number, and not in the name of a type or datatype; see .*\n\z/,
      'none';
    like refused( '--list', 'Bcats' ), qr/name of a type or datatype, did you mean 'Bcast'[?]\n\z/,
      'a slip';
    like refused( '--list', $_->[0] ), qr/; the file '$_->[1]' ships with skampi: -f $_->[1]\n\z/,
      "$_->[0]: a file"
      for [qw(gpu gpu)], [qw(thread threads)];
};

subtest 'help on the parameter file' => sub {
    my $all = printed('--help-params');
    like $all, qr/^  \Q$_\E\s/m, $_
      for qw(@MEMORY @CACHE @ERROR Type Stepwidth partner distance error);
    is_deeply lines_over_80($all), [], 'at most 80 columns';
    for my $name (qw(Stepwidth @MEMORY partner)) {
        my @one = grep { /^  \S/ } split /\n/, printed( '--help-params', $name );
        is scalar @one, 1, "$name alone";
        like $one[0], qr/^  \Q$name\E +\S/, 'with its values';
        is printed("--help-params=$name"), printed( '--help-params', lc $name ),
          'written otherwise';
    }
};

# The arguments of every line that begins with a macro: macro => [ [arguments] ].
sub macros ($latex) {
    my %macros;
    for my $line ( split /\n/, $latex ) {
        my ( $macro, $rest ) = $line =~ /^\\(skampi\w+)((?:[{].*[}])+)$/ or next;
        push @{ $macros{$macro} }, [ $rest =~ /[{]((?:[^{}\\]|\\[{}]|\\|[{][}])*)[}]/g ];
    }
    return \%macros;
}

subtest 'tables for documents' => sub {
    my $list   = macros( manual_table('types') );
    my @listed = printed('--list') =~ /^ *(\d+)  \S/mg;
    is_deeply [ sort map { $_->[0] } @{ $list->{skampitype} } ], [ sort @listed ], 'every type';
    my @datatypes = printed('--list') =~ /^ *(\d+): \S/mg;
    is_deeply [ map { $_->[0] } @{ $list->{skampidatatype} } ], \@datatypes, 'every datatype';
    is_deeply [ grep { @{$_} != 3 } @{ $list->{skampitype} } ], [],          'three columns';
    my @names = printed('--help-params') =~ /^  (\S+)/mg;
    my $rows  = macros( manual_table('params') );
    is_deeply [ map { $_->[0] =~ s/\\_/_/gr } @{ $rows->{skampirow} } ], \@names, 'every row';
    is_deeply [ grep { @{$_} != 5 } @{ $rows->{skampirow} } ],           [],      'five columns';
    is_deeply [ manual_table("$MAN/skampi.5.pod") =~ /^=item B<([^>]+)>/mg ], \@names, 'in POD';
    is_deeply [ manual_table("$MAN/skampi.1.pod") =~ /^=item .*B<--([\w-]+)>/mg ], \@OPTIONS,
      'options';
    my $options = macros( manual_table('options') )->{skampioption};
    is_deeply [ map { $_->[1] =~ s/[{][}]//gr } @{$options} ], \@OPTIONS, 'and for the manual';
};

subtest 'the catalogue' => sub {
    my $text    = printed('--catalog');
    my $catalog = Cpanel::JSON::XS->new->decode($text);
    is $text, read_file("$CONFIGS/../build/catalog.json"), 'is what make wrote';
    is_deeply [ map { "$_->{number} $_->{pattern}_$_->{name}" } @{ $catalog->{types} } ],
      [
        sort { ( split q{ }, $a )[0] <=> ( split q{ }, $b )[0] }
        map  { s/ +/ /r } printed('--list') =~ /^ +([0-9]+ +[a-z0-9]+_\S+)/mg
      ],
      'all types';
    my %is  = map  { $_->{name} => 1 } @{ $catalog->{times} };
    my @own = grep { !$is{ $_->{time} } } map { @{ $catalog->{$_} } } qw(types);
    is_deeply \@own, [], 'each with a definition of its times';
    my %type = map { $_->{number} => $_ } @{ $catalog->{types} };
    is_deeply [ map { [ @{ $type{$_} }{qw(least_processes most_processes)} ] } 1, 10, 24, 47, 275 ],
      [ [ 2, 2 ], [ 2, undef ], [ 1, 1 ], [ 2, undef ], [ 2, 2 ] ],
      'how many processes take part: of a pair, with a master, one, all, a late pair';
    my ($pattern) = grep { $_->{prefix} eq 'syncol' } @{ $catalog->{patterns} };
    is_deeply [ map { "$_->{when} $_->{start} $_->{time}" } @{ $pattern->{variants} } ],
      [
        'as=osu or imb barrier mean_process',
        'groups above 1 clock slowest_group',
        'root=each clock median_root'
      ],
      'and what keys change';
    my %defaults = map { $_->{name} => $_->{default} } @{ $catalog->{keys} };
    is_deeply [ @defaults{qw(groups cache sync op)} ], [qw(1 warm flush sum)], 'defaults of keys';
};

subtest 'parameter files that ship' => sub {
    my @shipped = glob "$CONFIGS/*.skampi";
    my @names   = map { basename( $_, '.skampi' ) } @shipped;
    cmp_ok scalar @names, '>=', 3, 'at least three';
    for my $i ( 0 .. $#shipped ) {
        ok printed( '--print-config', $names[$i] ) eq read_file( $shipped[$i] ),
          "$names[$i]: the file";
        my $dir   = workplace( print => printed( qw(--print-config -f), $shipped[$i] ) );
        my @plans = map { skampi( $dir, '-q', '--check', $_ )->{out} } $shipped[$i], "$dir/print";
        is $plans[1], $plans[0] =~ s/^.* are ignored:.*\n//mgr, 'as it is read: the same plan';
        unlike printed( qw(--print-config --fixed -f), "$dir/print" ), qr/Dynamic_/,
          'without refinement';
    }
    my $unknown = refused( '--print-config', 'standrd' );
    like $unknown, qr/'standrd'.*did you mean 'standard'/,       'a suggestion';
    like $unknown, qr/ \Q$_\E\b/,                                "names $_" for @names;
    unlike refused( '--print-config', 'zzz' ), qr/did you mean/, 'no suggestion if none is near';
};

subtest 'a file as it is read' => sub {
    my $file = workplace( file => <<'END' ) . '/file';
@VERSION 4.2
@COMMENT two
lines
@MEASUREMENTS
A { Type = 47; Parameters = "passes=2 root=1"; }
B-* { Type = 49, 48; Variation = Nodes; Scale = Dynamic_log; }
@COMMENT after them
END
    my @set = map { ( '--set', $_ ) } 'Type=54,55', 'passes=3', 'End_Argument=8';
    like printed( qw(--print-config --fixed -f), $file, @set ),
      qr/\A\@COMMENT\ two\nlines\n\@VERSION\ 4[.]2\n.*
        ^A\ [{]\ Type\ =\ 47;.*\ Scale\ =\ Fixed_log;.*\ End_Argument\ =\ 8;.*\ root=1\ passes=3\ .*
        ^B-MPI_Reduce\ [{]\ Type\ =\ 54;.*\ Scale\ =\ Fixed_log;.*\ passes=3\ .*^B-MPI_Alltoall\ [^\n]*\n\z/msx,
      'what is set replaces fields and keys, and a list the values of a list';
    my %wrong = (
        'passes=x'                => q{expected an integer from 1 to 10000 or auto, got 'x'},
        'passes=1 passes=2'       => q{key 'passes' is given twice},
        'Start_Argument=1,2'      => q{a list replaces a list, and no suite has one in this field},
        '@LABEL=commit'           => q{expected a label NAME=VALUE: a name of at most 40 letters},
        "\@LABEL=a=3\n\@MEMORY 7" => q{a label has no line break},
    );
    for my $setting ( sort keys %wrong ) {
        my $said = refused( qw(--print-config -f), $file, '--set', $setting );
        like $said, qr/\Askampi: option '--set': \Q$wrong{$setting}\E/, $setting;
    }
    my $labelled = workplace( '.skampi' => "\@LABEL a=1\n\@LABEL b=2\n\@LABEL c=3\n$RUNNABLE" );
    my @replaced = qw(--print-config -f .skampi --set @LABEL=c=9 --set @LABEL=a=9);
    like skampi( $labelled, @replaced )->{out},
      qr/^\@LABEL b=2\n\@LABEL c=9\n\@LABEL a=9\n\@(?!LABEL)/m, 'labels replace those of the file';
    my @labels = map { ( '--set', "\@LABEL=n$_=1" ) } 1 .. 33;
    like refused( qw(--print-config -f), $file, @labels ),
      qr/\Askampi: option '--set': expected at most 32 labels$/m, 'too many labels';
};

subtest 'by its name' => sub {
    my $run = succeeds( untouched( 'quick', \&skampi, qw(--check quick -n 2) ), 'planned' );
    like $run->{err}, qr/\Askampi: no file 'quick' here; using the shipped file 'quick'/,
      'says which one';
    is untouched( 'quick', \&skampi, qw(-q --check -f quick -n 2) )->{err}, q{}, '--quiet does not';
    my $dir = workplace( quick => $RUNNABLE );
    like skampi( $dir, '--check', 'quick' )->{out}, qr/\A1 suite,/, 'a file comes first';
    mkdir "$dir/standard" or die "$!\n";
    is skampi( $dir, qw(--check -n 2 quick) )->{out}, skampi( $dir, qw(--check quick -n 2) )->{out},
      'the file may be the last word';
    like refused( '--check', '-n', 2, 'quick', 'standard' ), qr/'quick' is a whole parameter file/,
      'but only one';
    like skampi( $dir, '--check', 'standard' )->{err}, qr/\Askampi: cannot read 'standard': /,
      'also one that cannot be read';
    like refused( '--help-params', 'Scle' ), qr/called 'Scle'; did you mean 'Scale'[?]$/m,
      'a mistyped field';
    like refused( '--help-params', 'xyzzy' ), qr/called 'xyzzy'; see skampi --help-params$/m,
      'another word';
    like refused( '--check', 'standrad' ), qr/ships with skampi: -f standard$/m, 'a mistyped file';
    my $unknown = refused( '--check', 'quik' );
    like $unknown, qr/\Askampi: cannot read 'quik': /,       'no such name';
    like $unknown, qr/^skampi: or use .* ships .*-f quick/m, 'says that there are some';
};

subtest 'wrong and doubtful command lines' => sub {
    my @cases = (
        [ ['--foo'],                      q{unknown option '--foo'} ],
        [ ['-x'],                         q{unknown option '-x'} ],
        [ ['-xq'],                        q{unknown option '-x} ],
        [ [ '--quiet', '-qx', '--list' ], q{unknown option '-} ],
        [ ['-f'],                         q{option '-f' needs a value} ],
        [ ['--output'],                   q{option '--output' needs a value} ],
        [ ['--print-config'],             q{option '--print-config' needs a value} ],
        [ [ '--list', '--', '--list' ],   q{unexpected '--list'} ],
        [ [ '-n', '1' ],  q{expected a number of processes from 2 to 10000000, got '1'} ],
        [ [ '-n', '3x' ], q{got '3x'} ],
        [ [ '-n', q{} ],  q{option '--processes' needs a value, not ''} ],
        [ [ '-n', '99999999999999999999' ], q{got '99999999999999999999'} ],

        # An answer that may be meant differently from how it is read.
        [ ['--version=3'], q{option '--version' takes no value, got '--version=3'} ],
        [ ['--qui=yes'],   q{option '--quiet' takes no value} ],
        [ ['--f'],    q{option '--f' is ambiguous: '--format', '--file', '--fresh', '--fixed', } ],
        [ ['--pr=x'], q{option '--pr' is ambiguous: '--processes', '--print-config'} ],
        [ ['--stauts'],       q{unknown option '--stauts'; did you mean '--status'?} ],
        [ ['--Version'],      q{did you mean '--version'?} ],
        [ ["-\xc3\xa4"],      q{unknown option that is not an ASCII letter} ],
        [ [ '--list', '-c' ], q{'--list' and '--check' are different tasks} ],
        [ [ '--help', '-V' ], q{'--help' and '--version' are different tasks} ],
        [ ['--force'],        q{option '--force' goes with '--health' or '--postprocess' only} ],
        [ [ '-n', 4 ],        q{option '--processes' goes with '--status' or '--check' only} ],
        [ [ '--status', '--fresh' ],       q{option '--fresh' does not go with '--status'} ],
        [ [ '--fresh', '--status' ],       q{option '--fresh' does not go with '--status'} ],
        [ [qw(--print-config quick -o x)], q{option '--output' does not go with '--print-config'} ],
        [ [qw(--status -n 2 x)],           q{unexpected 'x'; a parameter file is given with -f} ],
        map { [ [ $_, q{} ], q{needs a value, not ''} ] } qw(-f --output --check --list),
    );
    for my $case (@cases) {
        my ( $args, $message ) = @{$case};
        like refused( @{$args} ), qr/\Askampi: [^\n]*\Q$message\E[^\n]*\n\z/, 'one line';
    }
    is printed( '--vers', '-V', '-q' ), printed('--version'),
      'the same twice, a beginning, quietly';
    my @word = ( 'bcast', '--print-config' );
    local $ENV{POSIXLY_CORRECT} = 1;
    is printed(@word), printed( reverse @word ), 'an option after a word';
};

# Files and words may have names of strangers.
subtest 'no name controls a terminal' => sub {
    my $evil = "\e[31m\xc2\x9bX";
    my $dir  = workplace(
        "$evil.skampi" => "\@VERSION 4.2\nX",
        map { ( "$evil.$_" => read_file($SAMPLE) ) } qw(a b)
    );
    for my $words (
        ( map { [ $_, $evil ] } grep { !/^(?:quiet|selftest)$/ } map { "--$_" } @OPTIONS ),
        ( map { [ 'bcast', $_, $evil ] } qw(-m -n -t --as --vary --set -o) ),
        [$evil],
        [ 'bcast', $evil ],
        ["--$evil"],
        ["-$evil"],
        [ '--check', "$evil.skampi" ],
        ["$evil.skampi"],
        [ '--set',         "$evil=1", 'bcast' ],
        [ '--postprocess', "$evil.a", "$evil.b", '-o',      "$evil/x" ],
        [ '--postprocess', "$evil.a", "$evil.a", '-o',      'x' ],
        [ '--postprocess', '--force', "$evil.a", "$evil.b", '-o', "$evil.x" ],
        [ '--visits',      "$evil.a" ],
        [ '--status',      '-o', "$evil.a" ]
      )
    {
        my $run = skampi( $dir, @{$words} );
        unlike "$run->{out}$run->{err}", qr/\e|\xc2\x9b/, "@{$words}" =~ s/\e|\xc2\x9b/?/gr;
    }
};

subtest 'under mpirun, one process prints' => sub {
    for my $args ( ['--list'], ['--check'] ) {
        my $run = untouched( "@{$args}", \&mpirun, 2, @{$args} );
        ok $run->{out} eq printed( @{$args} ), "@{$args}: as without it";
        is "$run->{status} $run->{err}", '0 ', "@{$args}: done";
    }
    for my $args ( ['--foo'], [ '--check', 'nothere' ] ) {
        my $run = untouched( "@{$args}", \&mpirun_each, 2, @{$args} );
        ok $run->{err} eq refused( @{$args} ), "@{$args}: as without it";
        like $run->{ranks}, qr/\A2 [02]\z/, "@{$args}: usage";
    }
};

subtest 'a run needs two processes' => sub {
    my $message =
qr/\Askampi: at least two processes are needed;[^\n]* mpirun -np 2 skampi\n[ ]{4}[(]if you did, .* srun --mpi=pmix[)]\n/;
    like refused(),              $message, 'without mpirun';
    like refused( '-o', 'out' ), $message, 'with other options, too';
    my $run = untouched( 'alone', \&mpirun_each, 1 );
    is $run->{ranks}, 2, 'mpirun -np 1: usage';
    like $run->{err}, $message, 'the same message';
};

# Exit status and words; every option of --help has a call.
my @CALLS = (
'0 --check --file quick --output x --machine y --threads multiple --quiet --fresh --processes 2',
    '0 bcast --lengths 8 --time 5 --as osu --set root=0 --check --json --format text',
    '0 bcast --vary nodes --check',
    '0 bcast --vary Processes --check',
    '3 --status --write --file quick',
    "0 --visits $SAMPLE",
    '1 --selftest',
    '2 --duet none:none --threads multiple',
    '2 --health --baseline none --save none',
    '2 --postprocess none --force --output x',
    map { "0 --$_" } 'list rma',
    'version --verbose',
    qw(help-params help-output catalog help),
    'print-config quick --fixed'
);

subtest 'every option is called' => sub {
    my %called = map { $_ => 1 } map { /--([\w-]+)/g } @CALLS;
    is_deeply [ grep { !$called{$_} } @OPTIONS ], [], 'each has a call';
    for my $call (@CALLS) {
        my ( $status, @words ) = split q{ }, $call;
        is skampi( scratch(), @words )->{status}, $status, $call;
    }
};

subtest 'lost output is reported' => sub {
    plan skip_all => 'no /dev/full' if !-e '/dev/full';
    my $err = q{};
    run [ $ENV{SKAMPI_PROGRAM}, '--list' ], '<', \undef, '>', '/dev/full', '2>', \$err;
    is $? >> 8, 1, '--list > /dev/full: failed';
    like $err, qr/\Askampi: cannot write to standard output: .+\n\z/, 'and says so';
};

done_testing;
