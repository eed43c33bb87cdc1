# The report takes the names of patterns, facts and variations from the catalogue: no module has a list of them.
use v5.36;

use SKaMPI::Meaning::Catalog qw(axes rows_of);
use SKaMPI::Test             qw($ROOT read_file);
use Test::More;

# Files that name some of them on purpose.
my %REASON = (
    'what a finding or a key figure is about: operations of these patterns' => [
        map { "Findings/$_" }
          qw(Acknowledged Observations Choices Guidelines HealthMeasures KeyFigures OneSided PersistentUses MessageFigures References
          Selection)
    ],
    'which suites the first page shows'                    => [qw(Document/Overview)],
    'the plot of the overlap, and the reference in a plot' =>
      [qw(Figure/Figures Figure/ApplicationFigures)],
    'which facts are shown, and in which order' =>
      [qw(Meaning/RunFacts Document/SidesContent Findings/HealthSetup)],
    'which facts make launches comparable, or runs a group' => [qw(Database/Record ../../compare)],
    'which facts contain names of hosts and users'          => [qw(Database/Anonymous)],
    'forms of facts in older versions'                      => [qw(Meaning/Legacy)],
    'facts that a file beside the results adds'             => [qw(Read/Beside)],
    'what each launch measures once'                        => [qw(Verdict/Launch)],
    'a command or option of this name'                      => [qw(../../model ../../tune)],
    'other meanings of pairs'                               => [
        qw(Meaning/Matrix Meaning/Rates Meaning/SuiteFacts Document/SidesSummary Database/Web/Controller/Compare Launch/Confirmation Launch/Decision Launch/Options Verdict/Comparison Verdict/Points Meaning/Likeness
          Stat/MaxT
          Verdict/Family Findings/Health Tune/Cells Tune/Launches)
    ],
);
my %is_excepted = map { $_ => 1 } map { @{$_} } values %REASON;

my %prefixes = map { $_ => 1 } map { ( $_->{prefix}, "vt$_->{prefix}" ) } rows_of('patterns');
my %facts    = map { $_->{name} => 1 }
  grep { $_->{name} ne 'TMPDIR' } rows_of('facts');    # an option of File::Temp
my $axis = join q{|}, axes();

sub code_of ($path) {
    my $code = read_file($path);
    return $code =~ s/^\s*\#.*//mgr;
}

# The words in lists and before arrows.
sub listed_in ($code) {
    return ( $code =~ /\b(\w+)\s*=>/g, map { split } $code =~ /\bqw\(([^)]*)\)/g );
}

# Names in it that belong to the catalogue. A fact that is asked for by its name is not a list.
sub copied_in ($code) {
    my @listed = listed_in($code);
    my %found  = map { $_ => 1 } grep { $prefixes{$_} } @listed, $code =~ /'(\w+)'/g;
    $found{$_} = 1 for grep { $facts{$_} } @listed;
    $found{$1} = 1 if $code =~ /\b((?:$axis)(?:[|](?:$axis))+)\b/;
    my @sorted = sort keys %found;
    return @sorted;
}

my @files = split /\n/, qx{find '$ROOT/report' -name '*.p[lm]'};
my %found;
for my $path (@files) {
    my $name = $path =~ s{^\Q$ROOT\E/report/(?:lib/SKaMPI/)?}{}r =~ s/[.]p[lm]\z//r;
    $name = "../../$name" if $path =~ /[.]pl\z/;
    my @copied = copied_in( code_of($path) );
    $found{$name} = "@copied" if @copied;
}
is_deeply {
    map { $is_excepted{$_} ? () : ( $_ => $found{$_} ) } keys %found
}, {}, 'names that belong to the catalogue are in no other file';
is_deeply [ grep { !$found{$_} } sort keys %is_excepted ], [], 'no exception is superfluous';

ok scalar( () = copied_in($_) ), "found: $_"
  for q{'syncol'}, 'qw(DATE)', 'qr/(length|nodes|chunks)/', 'col => 1';
is_deeply [ copied_in(q{field('DATE') . 'collective' . $length}) ], [],
  'a fact by its name is allowed';

done_testing;
