# At every name that a program touches, a stranger may have put anything: a link, a pipe, a device, garbage, odd
# numbers. Each program names it in a message or a remark, without a warning of Perl or a wait, and changes nothing that
# links lead to; what is beside results only adds a remark. SKAMPI_LONG: each thing at each name, and an odd number in
# each place.
use v5.36;

use Compress::Zlib ();
use Cwd            qw(abs_path);
use Test::More;
use SKaMPI::Hostile    qw(plant @PLANTED);
use SKaMPI::ReportTest qw(tool);
use SKaMPI::Results    qw(results_text);
use SKaMPI::Samples    qw(tune_text verdicts_about $RECORDING $RULES);
use SKaMPI::Test       qw(files_in slurp workplace write_file);

my $ROOT = abs_path( __FILE__ =~ s{[^/]+\z}{../..}r );
my $LONG = $ENV{SKAMPI_LONG};

# A program that waits is ended after this time; on a machine of any speed, none takes as long.
local $SKaMPI::Prestarted::SECONDS = 600;

sub run_text ($time) {
    my %facts = (
        MPILIBRARY => 'A',
        PROCESSES  => 2,
        DATE       => "Sun Nov 1 0$time:00:00 2026"
    );
    my @suites = map {
        [
            "p2p_$_->[0]", 'length',
            [ map { "$_ " . ( $_ + $time ) . ' 0.1' } 8, 64, 512 ],
            { type => "$_->[1] p2p_$_->[0]", nodes => 2, notes => '#@PARTNER 1 b' }
        ]
    } [ 'MPI_Send-MPI_Recv', 1 ], [ 'TCP', 305 ];
    return results_text( \%facts, @suites );
}

my %FILES = (
    ( map { ( "r$_.out" => run_text($_) ) } 1 .. 6 ),
    ( map { ( "l$_.out" => tune_text($_) ) } 1 .. 6 ),
    'thresholds'    => "# words\n* * 15%\np2p_* 0-1024 10%\n",
    'r1.out.medium' => "Final: 1000 0.5 0.6 0.7 0.8 1.5 1.5 199957 199957\n",
    'r1.out.path'   =>
      '{"schema":"skampi-path/1","library":"A","paths":[{"pair":"within","from":0,"to":4095}]}',
    'r1.out.verdicts' => verdicts_about( run_text(1) ),
    'r1.out.gz'       => Compress::Zlib::memGzip( run_text(1) ),
    'calls'           => $RECORDING,
    'rules.conf'      => $RULES,
    'save'            => qq{#!/bin/sh\ncp ../../../r\${PWD##*/}.out skampi.out\n},
);
{
    my $dir = workplace(%FILES);
    tool( $dir, $^X, "$ROOT/report/compare.pl", '--save', 'base.json', 'r1.out' );
    $FILES{'base.json'} = slurp("$dir/base.json");
}

# The names that a command reads, and those that it writes.
my @COMMANDS = (
    [ 'show -a r1.out',             'r1.out r1.out.medium r1.out.path' ],
    [ 'dorep --format html r1.out', 'r1.out .dorep r1.out.path r1.out.verdicts', 'r1.out.html' ],
    [ 'dorep --format html -t r1.out',                    q{},      'r1.out.files kill_temp' ],
    [ 'export -o table.csv r1.out',                       'r1.out', 'table.csv' ],
    [ 'compare --save base.json r1.out',                  'r1.out', 'base.json' ],
    [ 'compare base.json -- r2.out',                      'base.json' ],
    [ 'compare --thresholds thresholds r1.out -- r2.out', 'thresholds' ],
    [ 'db --database all.db add r1.out',    'r1.out r1.out.path r1.out.verdicts', 'all.db' ],
    [ 'db --database all.db add r1.out.gz', 'r1.out.gz.path r1.out.gz.verdicts' ],
    [ 'model points -o more.skampi r1.out', 'r1.out', 'more.skampi' ],
    [ 'profile show calls',                 'calls' ],
    [ 'profile show partly',                'partly.parts/0' ],
    [ 'profile record -o partly -- true',   q{}, 'partly partly.lock partly.parts partly.parts/0' ],
    [ 'tune choose -o merged l1.out l2.out l3.out l4.out l5.out l6.out', 'l6.out', 'merged' ],
    [ 'tune check rules.conf',                                           'rules.conf' ],
    [ 'launch -n 4 -d runs -- ./save', 'runs/launch.json', 'runs/launch.lock runs/merge.log' ],
);

my @ODD = qw(-1 0 nan inf 1e300 9223372036854775808);

# Describes all that must not change: the places that links lead to, and what is no regular file.
sub untouched ($name) {
    my $is =
      -l $name ? 'link to ' . readlink $name : -p $name ? 'pipe' : -d $name ? 'directory' : 'file';
    return join "\n", $is, slurp('victim'), files_in('home'), slurp('home/0'),
      -e 'nowhere' ? 'nowhere' : q{};
}

# The faults in how a command takes something at a name.
sub faults_of ( $command, $name, $is_said, $prepare ) {
    my $dir = workplace( %FILES, victim => 'mine' );
    mkdir "$dir/home" or die $!;
    write_file( "$dir/home/0", q{} );
    chmod oct 755, "$dir/save";
    chdir $dir or die $!;
    $prepare->();
    my $before = untouched($name);
    my ( $program, @words ) = split q{ }, $command;
    my $run    = tool( $dir, $^X, "$ROOT/report/$program.pl", @words );
    my ($last) = $name =~ m{([^/]+)\z};
    my $said   = "$run->{out}$run->{err}";
    my $most   = $name =~ /[.](?:medium|path|verdicts)\z/ ? 0 : 5;
    my @wrong;
    push @wrong, "signal $run->{signal}, status $run->{status}"
      if $run->{signal} || $run->{status} > $most;
    push @wrong, 'a place in the source'                if $said =~ / at \S+ line [0-9]+/;
    push @wrong, 'a character that controls a terminal' if $said =~ /[^\n[:print:]]/;
    $said .= slurp('r1.out.html') if $name ne 'r1.out.html' && -f 'r1.out.html';
    push @wrong, 'not said' if $is_said && $said !~ /(?:\Q$name\E|'$last)(?:'|&\#39;|:)/;
    push @wrong, 'changed: ' . untouched($name) if untouched($name) ne $before;
    chdir q{/};
    return @wrong ? ( @wrong, $run->{err} ) : ();
}

# Counts what the short form leaves out.
my $turn = 0;

# Whether a thing at a name of a command must be named: not where it is a file of this user, or what belongs there.
sub is_named ( $what, $name, $is_read ) {
    return 0 if $what eq 'no permission' && !$>;
    return $is_read || $what !~ /garbage|permission/ && "$name $what" ne 'partly.parts a directory';
}

for (@COMMANDS) {
    my ( $command, $read, $written ) = @{$_};
    my %is_read = map { $_ => 1 } split q{ }, $read;
    for my $name ( map { split } $read, $written // q{} ) {
        for my $what (@PLANTED) {
            next if !$LONG && $turn++ % 7 && $what !~ /pipe|dangling/;
            my $is_said = is_named( $what, $name, $is_read{$name} );
            is_deeply [ faults_of( $command, $name, $is_said, sub { plant( $what, $name ) } ) ],
              [], "$command: $what as $name";
        }
    }
    for my $name ( grep { defined $FILES{$_} } sort keys %is_read ) {
        my $number = qr/(?<![\w.])-?[0-9]+(?:[.][0-9]+)?(?![\w.])/;
        my $count  = () = $FILES{$name} =~ /$number/g;
        for my $place ( $LONG ? 0 .. $count - 1 : map { ( $turn + 7 * $_ ) % $count } 0, 1 ) {
            my ( $n, $odd ) = ( 0, $ODD[ $turn++ % @ODD ] );
            my $text = $FILES{$name} =~ s/$number/$n++ == $place ? $odd : $&/ger;
            is_deeply [ faults_of( $command, $name, 0, sub { write_file( $name, $text ) } ) ], [],
              "$command: $odd as number $place of $name";
        }
    }
}

done_testing;
