use v5.36;

use List::Util qw(any uniq);
use Test::More;
use SKaMPI::Document::Texts  qw(shipped_texts);
use SKaMPI::Meaning::Catalog qw(datatype_name);
use SKaMPI::Meaning::Subject qw(family_of);
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(intro_for text_for);
use SKaMPI::Test       qw($ROOT command read_file scratch skampi write_file workplace);

# Words of a name that repeat the suite's type or variation.
my %KNOWN = map { $_ => 1 } qw(BM SM length nodes chunks window groups work spread threads);

# Predefined datatypes need no text.
$KNOWN{$_} = 1 for grep { datatype_name($_) =~ /^MPI_/ } 1 .. 199;

# The calls of the sources: the operations of src/ops and the datatypes of src/context, each with the MPI names that are
# reached from its row. The compiler's preprocessor expands the macros.
my $BRACES = qr/(?<braces>\{(?:[^{}]++|(?&braces))*\})/;

# "col_MPI_Bcast" => { MPI_Bcast => 1, ... }
sub calls_of_operations ($root) {
    my %derived = map { bodies($_) } datatypes($root), code( $root, 'src/patterns/overlap.c' );
    my %prefix  = prefixes($root);
    my %calls;
    for my $path ( files( $root, 'src/ops/*.c' ), map { "src/patterns/$_.c" } qw(internal delayed) )
    {
        my $code = code( $root, $path );
        my %body = ( %derived, ( map { bodies($_) } used_by( $root, $path ) ), bodies($code) );
        for my $row ( rows_of($code) ) {
            my %names = reached( $row =~ s/"[^"]*"//gr, \%body );
            my @families =
              map { family_of($_) } grep { defined } @prefix{ $row =~ /&(\w+_pattern)\b/g };
            my ($texts) = $row =~ /\bname = ("[^,]*")/;
            my $name = $texts =~ s/"\s*"|"//gr;
            $calls{$_} = { %{ $calls{$_} // {} }, %names } for map { "${_}_$name" } @families;
        }
    }
    return %calls;
}

# "syncol_pattern" => "syncol", ...
sub prefixes ($root) {
    return map {
        code( $root, $_ ) =~ /^const struct pattern (\w+) = \{(?:(?!^\};).)*?[.]prefix = "(\w+)"/gms
    } files( $root, 'src/patterns/*.c' );
}

# "30" => { MPI_Type_contiguous => 1, ... }; a row is for the numbers up to the next row's.
sub calls_of_datatypes ($root) {
    my @codes = datatypes($root);
    my %body  = map { bodies($_) } @codes;
    my %row   = map { /\{ (\d+),/ ? ( $1 => $_ ) : () } map { rows_of($_) } @codes;
    my $at;
    return
      map { $at = $row{$_} // $at; defined $at ? ( $_ => { reached( $at, \%body ) } ) : () }
      1 .. 99;
}

# The code of the operations whose headers a file includes.
sub used_by ( $root, $path ) {
    my @names = read_file("$root/$path") =~ m{^#include "ops/(\w+)[.]h"}mg;
    return map { code( $root, $_ ) } map { files( $root, "src/ops/{$_,${_}_*}.c" ) } @names;
}

# The files that know what a constructor is, whatever they are called.
sub datatypes ($root) {
    return map { code( $root, $_ ) }
      grep     { read_file("$root/$_") =~ /\bstruct (?:constructor|application_recipe)\b/ }
      files( $root, 'src/context/*.c' );
}

sub mentioned ($text) {
    my %seen  = map { $_ => 1 } $text =~ s/\\_/_/gr =~ /\b(MPI_\w+)/g;
    my @names = sort keys %seen;
    return @names;
}

sub files ( $root, $pattern ) {
    return map { s{^\Q$root\E/}{}r } grep { -e } glob "$root/$pattern";
}

# Without comments and macros, for a library that has everything.
sub code ( $root, $path ) {
    state $mpi = scratch();
    state %code;
    mkdir "$mpi/context";
    write_file( "$mpi/$_", q{} ) for qw(mpi.h context/declared.h);
    return $code{$path} //= do {
        my $run = command( q{.}, qw(cc -E -P -std=c11 -D_POSIX_C_SOURCE=200809L -DMPI_VERSION=4),
            "-I$mpi", "-I$root/src", "$root/$path" );
        die "cc: $path: $run->{err}\n" if $run->{status} || $run->{signal};
        $run->{out};
    };
}

# Name => text of functions and tables.
sub bodies ($code) {
    my %body;
    $body{$1} = $+{braces} while $code =~ /\b(\w+)\([^;{}()]*\)\s*$BRACES/g;
    $body{$1} = $+{braces}
      while $code =~ /\bconst struct \w+ (?!rows\b)(\w+)(?:\[[^]]*\])* = $BRACES;/g;
    return %body;
}

sub rows_of ($code) {
    my @tables = $code =~ /^static const struct (?:op|constructor) rows\[\] = $BRACES/mg or return;
    my @rows;
    for my $table ( map { substr $_, 1, -1 } @tables ) {
        push @rows, $+{braces} while $table =~ /$BRACES/g;
    }
    return @rows;
}

sub reached ( $text, $body ) {
    my ( %seen, @open );
    push @open, $text;
    while ( defined( my $piece = shift @open ) ) {
        for my $name ( $piece =~ /(?<![>.])\b([A-Za-z_]\w*)/g ) {
            push @open, $body->{$name} if !$seen{$name}++ && exists $body->{$name};
        }
    }
    return %seen;
}

my %calls = calls_of_operations($ROOT);
my %texts = %{ shipped_texts() };

sub sentences ($text) {
    return scalar( () = $text =~ /[.](?=\s|\z)/g );
}

# The suites in the plan of a parameter file: label, and what is varied, as result files call it.
sub suites_in ($config) {
    my $plan =
      skampi( $ROOT, '--check', $config, '-n', '16' )->{out} =~ s/number of \Kprocesses,/nodes,/gr;
    my @suites = $plan =~ /^([a-z]\w*_\S+)\n +type [^\n]*\n(?: ++(?!skipped,)([a-z ]+),)?/mg;
    my @found;
    while ( my ( $label, $varied ) = splice @suites, 0, 2 ) {
        push @found, { label => $label, varied => $varied };
    }
    return @found;
}

sub variations_of ( $family, $name ) {
    return ( 'message length', 'number of nodes', 'size of the window', 'distance' )
      if $name =~ /^(?:Stream|Issue)_/;
    return ( 'message length', 'number of nodes', 'size of the window' )
      if $name =~ /^RMA_(?:Put|Get|Accumulate)\z/;
    return ( 'message length', 'number of nodes', 'number of partitions' )
      if $name eq 'Partitioned';
    return ( 'message length', 'number of nodes' ) if $family =~ /^(?:check|io)$/;
    return ( 'message length', 'number of nodes', 'work' ) if $family eq 'overlap';
    return ( 'message length', 'number of nodes', 'number of the spread' )
      if $name =~ /^Irregular_/;
    return ( 'message length', 'number of nodes', 'number of groups' ) if $family eq 'col';
    return ( 'message length', 'number of nodes', 'number of groups', 'distance', 'pair' )
      if $family =~ /^(?:p2p|pairs)$/;
    return ( 'message length', 'number of nodes', 'number of chunks' ) if $family eq 'mw';
    return (undef);
}

# Everything that skampi can measure, with the names of --list.
sub suites_beyond () {
    my @suites;
    for my $operation ( sort keys %calls ) {
        my ( $family, $name ) = split /_/, $operation, 2;
        my @prefixes = $family eq 'col' ? qw(col syncol vtcol vtsyncol) : $family;
        push @prefixes, 'pairs' if $calls{$operation}{pairs_pattern};
        push @prefixes, 'vtmw'  if $family eq 'mw';
        @prefixes = grep { !/^vt/ } @prefixes if $name eq 'dummy';
        for my $prefix (@prefixes) {
            push @suites,
              map { { label => "${prefix}_$name", varied => $_ } } variations_of( $family, $name );
        }
    }
    return @suites;
}

# The files: nothing precedes the first heading, and a heading occurs once.
my $all_files = join q{}, map { read_file($_) } glob "$ROOT/report/texts/*.tex";
my @headings  = $all_files =~ /^%%(.*)$/mg;
is_deeply [ sort @headings ], [ map { " $_" } sort keys %texts ], 'each heading occurs once';
is_deeply [ grep { read_file($_) !~ /\A%% \S/ } glob "$ROOT/report/texts/*.tex" ], [],
  'each file begins with a heading';

# Every suite has a text, and every text a suite.
# The suites of tune.skampi are called after their processes; reports take the text of their types.
my %suites = map { m{([^/]+)$} ? ( $1 => [ suites_in($_) ] ) : () }
  grep { !m{/tune[.]} } glob "$ROOT/configs/*.skampi";
for my $config ( sort keys %suites ) {
    my @suites = @{ $suites{$config} };
    cmp_ok scalar @suites, '>', 10, "$config: the plan has its suites";
    my @without = grep { !defined text_for($_) } @suites;
    is_deeply [ map { $_->{label} } @without ], [], "$config: every suite has a text";
}
my @beyond  = suites_beyond();
my @without = grep { !defined text_for($_) } @beyond;
is_deeply [ map { $_->{label} } @without ], [], 'every operation has a text';

# With --mono there are none.
my @texts = grep { !/preamble/ } map { glob "$ROOT/report/$_/*.t*" } qw(templates texts);
is_deeply [ grep { read_file($_) =~ /\b(?:blue|orange|coloured)\b/i } @texts ], [],
  'no text names a colour';

my @suites = ( map { @{$_} } @suites{ sort keys %suites } );
my @all    = grep { defined text_for($_) } @suites, @beyond;
my @intros = map  { intro_for($_) } uniq map { $_->{label} =~ /^([^_]+)/ } @all;
is scalar( grep { !defined } @intros ), 0, 'every pattern has an introduction';

# The text of a suite whose keys only the list of suites says: its name, and pattern and number of its operation.
sub with_keys ( $name, $type, $keys ) {
    my ( $number, $prefix ) = $type =~ /^(\d+) ([a-z0-9]+)_/;
    my $label = "${prefix}_$name";
    return text_for( SKaMPI::Read::Output->from_text(<<"END")->suite($label) );
#\@SUITES $name { Type = $number; Parameters = "$keys"; }
#/*\@in$label.ski*/
#Pattern: P varied over the message length [bytes] (%d).
#\@TYPE $type
#eol
END
}

my $together = with_keys( 'A', '17 col_MPI_Bcast', 'enter=together cache=warm' );
like $together,   qr/at the same instant/, 'enter=together has its own time';
unlike $together, qr/skew/,                'without the skew of a barrier';
like text_for('col_MPI_Bcast'), qr/skew with which the processes left the previous barrier/,
  'which the usual one contains';

sub sending ($keys) { return with_keys( 'A', '1 p2p_MPI_Send-MPI_Recv', $keys ) }
my $cold = sending('cache=cold data=cold paced=yes');
like $cold,                           qr/The data are cold/,  'data=cold has a text';
like sending('data=fresh paced=yes'), qr/The data are fresh/, 'and data=fresh';
like sending('data=kept paced=yes'),  qr/The data are kept/,  'and paced=yes';
unlike sending('data=kept paced=no'), qr/The data are/,       'the usual data have no text';

# Only the list of suites says in which memory the messages are.
my %in = map { $_ => sending("send_in=$_") } qw(host pinned cuda managed hip);
my @to = map { sending("send_in=pinned receive_in=$_") } qw(host cuda managed hip);
push @to, sending('send_in=cuda receive_in=pinned staged=yes');
push @to, sending('in_place=yes');
like $in{$_},     qr/send\\_in=$_\b/,       "send_in=$_ has a text" for qw(pinned cuda managed hip);
unlike $in{host}, qr/memory/,               'the host needs none';
like $to[3],      qr/receive\\_in=hip/,     'receive_in has one';
like $to[4],      qr/copies what it sends/, 'and staged=yes';
like $to[5],      qr/one buffer/,           'and in_place=yes';

# A word of the name that a key says, too, is explained once.
my $manual = with_keys( 'WRF_x_vec-manual', '120 p2p_WRF_x_vec', 'method=manual' );
is scalar( () = $manual =~ /loops as an application/g ), 1, 'a word is explained once';

my @rooted = map { with_keys( 'A', '47 syncol_MPI_Bcast', "root=$_" ) } qw(3 rotate each 0);
like $rooted[0],   qr/root is not rank~0/,             'root=3 has a text';
like $rooted[1],   qr/mean over the roots/,            'and root=rotate';
like $rooted[2],   qr/median over the roots/,          'and root=each';
unlike $rooted[3], qr/over the roots|another process/, 'the usual root has no text';

my @printed = ( $together, $cold, @rooted, @to, values %in, @intros, map { text_for($_) } @all );
my @unused  = grep {
    my $text = $texts{$_};
    !any { index( $_, $text ) >= 0 } @printed
} sort keys %texts;
is_deeply \@unused, [], 'every text is printed somewhere';

# The words after an operation that no text explains.
sub unexplained ($suite) {
    my ( $prefix, $name ) = split /_/, $suite->{label}, 2;
    my $family      = family_of( $prefix =~ s/^vt//r );
    my ($operation) = grep { index( "${family}_$name-", "$_-" ) == 0 }
      sort { length $b <=> length $a } keys %calls;
    my @words = split /-/, substr "${family}_$name", length $operation;
    return
      grep { $_ ne q{} && !$KNOWN{$_} && !has_word( "$operation-", $prefix, $family, $_ ) } @words;
}

sub has_word ( $operation, $prefix, $family, $word ) {
    my $topology = $prefix =~ /^vt/ ? 'vt-' : $operation;
    my ($kind) = "${operation}_" =~ /^([^_]+_[^_]+)/;
    return any { exists $texts{"word/$_$word"} } $operation, "$kind-", $topology, "$family-", q{};
}

is_deeply [ uniq map { unexplained($_) } @suites ], [], 'every word of a name is explained';

my @varied_silently =
  grep { $_->{varied} && text_for($_) !~ /\bvaries\b/ && $_->{label} !~ /_dummy/ } @all;
is_deeply [ uniq map { $_->{label} } @varied_silently ], [], 'every text says what is varied';
my @timeless =
  grep { text_for($_) !~ /\btime\b[^.:;]* is (?:that|half|the (?:master|full|diff))/ } @all;
is_deeply [ uniq map { $_->{label} } @timeless ], [], 'every text says what the time is';

my @long = grep { sentences( text_for($_) // q{} ) !~ /^[2-8]$/ } @suites;
is_deeply [ map { $_->{label} } @long ], [], 'every text has a few sentences';

# A text may mention only MPI functions that are called: by the operation, if it describes one.
my $sources   = join q{}, map { read_file($_) } glob "$ROOT/src/*/*.[ch] $ROOT/src/*/*.def";
my %anything  = map { $_ => 1 } mentioned($sources);
my %constants = map { $_ => 1 } grep { !/[a-z]/ } keys %anything;

my %of = calls_of_datatypes($ROOT);

sub may_mention ($text) {
    my ($operation) = $text =~ m{^operation/(.*)};
    return { %{ $calls{$operation} // {} }, %constants } if defined $operation;
    my ($datatype) = $text =~ m{^word/(\d+)$};
    return $of{$datatype} if defined $datatype;
    return \%anything;
}

for my $name ( sort keys %texts ) {
    my $may   = may_mention($name);
    my $calls = $texts{$name} =~ s/\\textsf\{[^}]*\}//gr;
    is_deeply [ grep { !$may->{$_} } mentioned($calls) ], [], "$name: mentions only what is called";
}

# Names of suites to compare with are names of operations or methods.
my %operation = map { s/^[^_]+_//r => 1 } keys %calls;
for my $name ( sort keys %texts ) {
    my @named = map { s/\\_/_/gr } $texts{$name} =~ /\\textsf\{([^}]*)\}/g;
    is_deeply [ grep { !$operation{$_} && !/^-[BS]M$/ } @named ], [], "$name: compares with suites"
      if @named;
}

like text_for('p2p_MPI_Sendrecv_replace'), qr/half of two exchanges/,
  'the time of an exchange is not that of a round trip';
unlike text_for('p2p_MPI_Sendrecv_replace'), qr/full round trip/, '... and has one definition';
like text_for('p2p_MPI_Send-MPI_Recv'), qr/full round trip/,
  'the time of a ping-pong is that of a round trip';
unlike text_for('p2p_MPI_Send-MPI_Recv'), qr/varies/, 'a label does not say what varies';
like text_for( { label => 'p2p_MPI_Send-MPI_Recv', varied => 'number of nodes' } ),
  qr/The number of processes varies/, 'a suite does';
like text_for('col_MPI_Bcast-length-BM'),    qr/root.*barrier/s,  'BM: until the barrier';
like text_for('syncol_MPI_Bcast-length-SM'), qr/slowest process/, 'SM: the slowest process';
like text_for('vtcol_MPI_Bcast-length'), qr/virtual topology/,    'a virtual topology is mentioned';
like text_for('p2p_MPI_Send-MPI_Recv-30'), qr/Datatype~30.*\$b\$/s,
  'a datatype and its parameters are described';

for my $operation ( grep { /^p2p_/ } sort keys %calls ) {
    is scalar( text_for($operation) =~ /half of two exchanges/ ),
      scalar( exists $calls{$operation}{TIME_EXCHANGE} ),
      "$operation: its text and its row agree about half of two exchanges";
}
is text_for('syncol_MPI_Bcast-mine-length-SM'), text_for('syncol_MPI_Bcast-length-SM'),
  'an unknown word is ignored';
is text_for("syncol_MPI_Bcast-$_-length-SM"), text_for('syncol_MPI_Bcast-length-SM'),
  "... and '$_', which has a meaning for other operations"
  for qw(all two random next root linear transpose);
is text_for('syncol_MPI_Bcast_mine-length-SM'), undef,
  'an operation is not found by a part of its name';

# Results of an older version.
my $old = SKaMPI::Read::Output->from_file("$ROOT/tests/report/data/old.out");
like text_for( $old->suite('mw_MPI_Waitsome-chunks') ), qr/number of chunks varies/,
  'a suite of a result file has the text of its variation';

# If the results have the type, the name of the suite does not matter.
sub suite_of_type ( $label, $type ) {
    my $text = "#/*\@in$label.ski*/\n#Pattern: x.\n#\@TYPE $type\n#eol\n";
    return ( SKaMPI::Read::Output->from_text($text)->suites )[0];
}
is text_for( suite_of_type( 'syncol_dots', '61 syncol_MPI_Allreduce' ) ),
  text_for('syncol_MPI_Allreduce'), 'a name without the operation';
is text_for( suite_of_type( 'vtcol_MPI_Bcast', '36 col_MPI_Allreduce' ) ),
  text_for('vtcol_MPI_Allreduce'), 'a name with another operation';
is text_for( suite_of_type( 'p2p_MPI_Send-MPI_Recv-30', '1 p2p_MPI_Send-MPI_Recv' ) ),
  text_for('p2p_MPI_Send-MPI_Recv-30'), 'a name with a datatype';
is text_for(
    suite_of_type( 'syncol_Irregular_Alltoallv-random', '240 syncol_Irregular_Alltoallv' ) ),
  text_for('syncol_Irregular_Alltoallv-linear'), 'a spread is that of the parameters';
is text_for( suite_of_type( 'io_MPI_File_read_at-dropped', '222 io_MPI_File_read_at' ) ),
  text_for('io_MPI_File_read_at-same'), '... and so are io_cache and io_walk';
is text_for( suite_of_type( 'p2p_x', $_ ) ), undef, "'$_' is not a type"
  for '1 p2p_../x', '1 p2p_MPI_Send-MPI_Recv x', 'p2p_MPI_Sendrecv', q{};

my $own = scratch();
mkdir "$own/operation" or die "$own: $!";
write_file( "$own/p2p_MPI_Sendrecv.dri",        "Our text.\n" );
write_file( "$own/MPI_Wtime.dri",               "Caf\xc3\xa9" );
write_file( "$own/MPI_Iprobe.dri",              "Caf\xe9" );
write_file( "$own/operation/col_MPI_Bcast.dri", "Our part.\n" );
is text_for( 'p2p_MPI_Sendrecv',  $own ), 'Our text.', 'a text for a suite replaces the others';
is text_for( 'simple_MPI_Wtime',  $own ), "Caf\xe9",   '... also without prefix; UTF-8';
is text_for( 'simple_MPI_Iprobe', $own ), "Caf\xe9",   'Latin-1';
like text_for( 'col_MPI_Bcast-length', $own ), qr/\AOur part.\n\n.*barrier/,
  'a single part is replaced';
is text_for( 'p2p_MPI_Sendrecv', scratch(), $own ), 'Our text.', 'several directories are searched';

write_file( "$own/x..y.dri",               'never' );
write_file( "$own/x y.dri",                'never' );
write_file( "$own/.x.dri",                 'never' );
write_file( "$own/..x.dri",                'never' );
write_file( "$own/p2p_MPI_Sendrecv\n.dri", 'never' );
for my $label (
    '../x',                     "$own/p2p_MPI_Sendrecv",
    'x y',                      '.x',
    '..x',                      'x..y',
    "p2p_MPI_Sendrecv\n",       "p2p_MPI_Sendrecv\0",
    'operation/col_MPI_Bcast',  'col_../MPI_Bcast',
    'p2p_MPI_Sendrecv-../../x', "p2p_MPI_Sendrecv\x{e9}",
    '\input{x}',                '$(id)',
    q{},                        'a' x 100_000,
    'p2p_' . '-' x 150,
  )
{
    is text_for( $label, $own ), undef, 'no text: ' . substr $label =~ s/[^ -~]/?/gr, 0, 40;
    is intro_for( $label, $own ), undef, '... and no introduction';
}

# Long names may be broken after an underscore.
my @PREAMBLE = (
    q{\documentclass[a4paper]{article}},          q{\let\underscore\_},
    q{\renewcommand{\_}{\underscore\allowbreak}}, q{\setlength{\emergencystretch}{2em}},
);

sub document () {
    my @bodies = map { "\\section*{}\n$texts{$_}" } sort keys %texts;
    return join "\n", @PREAMBLE, q{\begin{document}}, @bodies, @intros, q{\end{document}}, q{};
}

like $_, qr/\A[\x20-\x7e\n]+\z/, 'plain ASCII' for join q{}, values %texts;
SKIP: {
    my ($pdflatex) = grep { -x } map { "$_/pdflatex" } split /:/, $ENV{PATH};
    skip 'pdflatex is not installed', 2 if !$pdflatex;
    my $dir = workplace( 'all.tex' => document() );
    my @command =
      ( $pdflatex, qw(-no-shell-escape -halt-on-error -interaction=nonstopmode all.tex) );
    my $run = command( $dir, @command );
    is "$run->{status} $run->{signal}", '0 0', 'all texts are LaTeX'
      or diag $run->{out} =~ /^(!.*)/ms;
    my @badly = read_file("$dir/all.log") =~ /^((?:Missing character|Overfull).*\n.*)/mg;
    is_deeply \@badly, [], '... that fits its lines';
}

done_testing;
