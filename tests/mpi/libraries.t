# Each feature has the outcome with this MPI library that docs/libraries says, from which the manual makes a table:
# "run", "refused: why" by skampi, or "fault: what" the library or its launcher does; GOLDEN=write writes it. Of a
# library without such a file, nothing is a fault.
use v5.36;

use List::Util qw(uniq);
use Test::More;
use SKaMPI::Faults
  qw(await_end config_of labels_of memory_scratch ranks_in start start_mpirun unsound wait_for_suite);
use SKaMPI::Read::Output;
use SKaMPI::Test
  qw($ROOT command golden is_intel lacks_results launcher mpirun read_file scratch skampi slurp write_file workplace);

# Suites for what no shipped file has.
my %OWN = (
    'MPI 4' =>
      [ q{}, 'A { Type = 267, 269, 397, 399; }', 'B { Type = 1, 47; Parameters = "counts=c"; }' ],
    'virtual topologies' => [
        "\@TOPOLOGY1 Cartesian 2 yes no\n\@TOPOLOGY2 Graph [1] [0]\n\@TOPOLOGY3 Reorder 1 0\n",
        'A { Type = 87; Virtual_Topology_Number = 1; Parameters = "x_distance=1 y_distance=0"; }',
        'B { Type = 47; Virtual_Topology_Number = 2; }',
        'C { Type = 47; Virtual_Topology_Number = 3; }'
    ],
);

# Shipped files, as in the manual.
my %SHIPPED = (
    'quick'                => 'quick',
    'one-sided (rma)'      => 'one-sided',
    'non-blocking'         => 'nonblocking',
    'persistent'           => 'persistent',
    'irregular'            => 'irregular',
    'reductions'           => 'reductions',
    'algorithms of skampi' => 'algorithms',
    'threads'              => 'threads',
    'files (io)'           => 'io',
    'GPU memory'           => 'gpu',
);

# How processes end a run: what each does in its third MPI_Scan (tests/faults/abort.c).
my %ENDS = (
    'MPI_Abort, resumed'         => 'abort',
    'killed process, resumed'    => 'kill',
    'exit of a process'          => 'exit',
    'hanging call, SUITETIMEOUT' => 'hang',
);

# Signals that a terminal sends to the launcher and its group, or that are sent to a program before it.
my %SIGNALS = ( 'Ctrl-C' => ['-INT'], 'timeout -k' => [ 'TERM', qw(timeout -k 30 10000) ] );

my $LIMITS = '(?:MAXREP|MINREP|TIMEMEAS|MAXSTEPS|STANDARDERROR)DEFAULT|TIMERUN|POSTPROC|MEMORY';
my $SHORT =
  "\@MAXREPDEFAULT 2\n\@MINREPDEFAULT 2\n\@MAXSTEPSDEFAULT 2\n\@POSTPROC no\n\@MEMORY 512\n";

my @COMMANDS = (
    [ 'health'                        => sub { _judged('health') } ],
    [ 'selftest'                      => sub { _judged(qw(--selftest Bcast)) } ],
    [ 'merge of two runs'             => sub { _merged() } ],
    [ 'skampi-launch --path'          => sub { _path() } ],
    [ 'skampi-launch --duet'          => sub { _duet() } ],
    [ 'skampi-profile'                => sub { _profile() } ],
    [ 'choice of an algorithm'        => sub { _algorithm() } ],
    [ 'facts SERVED, LIMITS'          => sub { _facts() } ],
    [ 'the binding that a note names' => sub { _binding() } ],
);

# Returns their names, in the order of the table.
sub features () {
    return ( sort keys %SHIPPED ), ( sort keys %OWN ), ( sort keys %ENDS ), ( sort keys %SIGNALS ),
      map { $_->[0] } @COMMANDS;
}

sub outcome_of ($feature) {
    return _measured($feature)                   if $SHIPPED{$feature} || $OWN{$feature};
    return _ended( $ENDS{$feature} )             if $ENDS{$feature};
    return _signalled( @{ $SIGNALS{$feature} } ) if $SIGNALS{$feature};
    my ($found) = grep { $_->[0] eq $feature } @COMMANDS;
    return $found->[1]->();
}

# The suites, shortened to one visit of two repetitions and to short lengths.
sub _parameters ($feature) {
    my ( $sections, @suites ) = @{ $OWN{$feature} // [] };
    my $text =
      $SHIPPED{$feature}
      ? skampi( scratch(), '--print-config', $SHIPPED{$feature} )->{out}
      : "\@VERSION 4.2\n$sections\@MEASUREMENTS\n" . join "\n", @suites, q{};
    $text        =~ s/^\@(?:$LIMITS)\b.*\n//mg;
    $text        =~ s/\{([^{}]*)\}/'{' . _shortened($1) . '}'/ge;
    return $text =~ s/^(?=\@MEASUREMENTS)/$SHORT/mr;
}

sub _shortened ($fields) {
    $fields =~
      s/\b(?:M(?:ax|in)_Repetition|Max_Steps|Scale|Stepwidth|Default_Message_length)\s*=[^;]*;//g;
    $fields =~ s/(Variation\s*=\s*\w+;)/$1 Scale = Fixed_log; Stepwidth = 4096;/;
    $fields =~ s/End_Argument\s*=\s*\K\d{4,}/4096/;
    $fields =~ s/Threads;.*End_Argument\s*=\s*\K\d+/2/s;
    $fields =~ s/Parameters\s*=\s*"\K/passes=1 / or $fields .= ' Parameters = "passes=1";';
    return $fields;
}

# Also with more processes than CPUs; with many more only if they yield. Names the numbers of processes of which only
# some have an outcome.
sub _measured ($feature) {
    my @counts = ( 2, 3, $feature eq 'quick' && _yields() ? 5 : () );
    my ( @parts, %of );
    for my $np (@counts) {
        for my $part ( _measured_by( $feature, $np ) ) {
            push @parts,          $part if !$of{$part};
            push @{ $of{$part} }, $np;
        }
    }
    return join '; ',
      map { @{ $of{$_} } == @counts ? $_ : "$_ (" . join( ' and ', @{ $of{$_} } ) . ' processes)' }
      @parts;
}

sub _measured_by ( $feature, $np ) {
    my $dir = memory_scratch();    # a disk that others use would make files slow
    write_file( "$dir/.skampi", _parameters($feature) );
    my $run = mpirun( $dir, $np, '-q' );
    my @why = map { s/: \S+: cannot open.*//r }
      $run->{err} =~ /: warning: suite '[^']+': skipped, (.*?)(?:; also \d+ other suites?: .*)?$/mg;
    my @refused = map { "refused: $_" } uniq @why;
    return @refused     if $run->{err} =~ /all suites were skipped/;
    return _fault($run) if $run->{status} != 0 && !lacks_results( $run->{err} );
    return ( 'run', @refused );
}

sub _fault ($run) {
    my ($first) = grep { !/^(?:skampi: (?:note|warning)|\s*$)/ } split /\n/, $run->{err};
    return "fault: status $run->{status}: " . ( $first // q{} );
}

sub _command ($run) { return $run->{status} == 0 ? 'run' : _fault($run) }

# A run of which a call ends; the next one completes it.
sub _ended ($how) {
    my $dir = workplace( '.skampi' => config_of( $how eq 'hang' ? "\@SUITETIMEOUT 5\n" : () ) );
    local $ENV{SKAMPI_ABORT} = "MPI_Scan:3:$how:$dir/once";
    my $status = await_end( $dir, start_mpirun( $dir, 2 ) );
    return 'fault: mpirun ends with 0' if $status == 0;
    my $second = await_end( $dir, start_mpirun( $dir, 2 ) );
    return "fault: resumed with status $second"
      if $second != 0 && !lacks_results( slurp("$dir/stderr") );
    my $unsound = unsound( $dir, labels_of() );
    return "fault: $unsound" if $unsound;
    return $how eq 'hang' && $status != 1 ? "run; fault: mpirun ends with $status, not 1" : 'run';
}

# A run with a long suite, which a signal ends.
sub _signalled ( $signal, @before ) {
    my $dir = workplace( '.skampi' => <<'END' );
@VERSION 4.1
@POSTPROC no
@MEASUREMENTS
A { Type = 24; Parameters = "passes=1"; }
B { Type = 21; Default_Message_length = 65536; Standard_error = 0; Time_Measurement = 60; Max_Repetition = 10000000; }
END
    my $pid = start( $dir, 'setsid', @before, launcher(2), $ENV{SKAMPI_PROGRAM}, '-q' );
    wait_for_suite( $dir, 'col_B' );
    kill $signal, $pid;
    await_end( $dir, $pid );
    return 'fault: processes are left' if ranks_in($dir);
    return 'fault: A is lost' if skampi( $dir, '--status' )->{out} !~ /^  done +simple_A/m;
    return slurp("$dir/stderr") =~ /ended by SIG/
      ? 'run'
      : 'run; fault: mpirun does not pass on the last messages';
}

# 3: it cannot be said, as other programs use the CPUs.
sub _judged (@words) {
    my $run = mpirun( scratch(), 2, '-q', @words );
    return $run->{status} == 3 ? 'run' : _command($run);
}

sub _merged () {
    my $dir = scratch();
    write_file( "$dir/.skampi", "\@VERSION 4.2\n\@MEASUREMENTS\nA { Type = 24; }\n" );
    mpirun( $dir, 2, '-q' ) for 1, 2;
    return slurp("$dir/skampi.out") =~ / runs=2 / ? 'run' : 'fault: not merged';
}

sub _tool ( $name, @arguments ) {
    return command( scratch(), $^X, "$ROOT/report/$name.pl", @arguments );
}

sub _path () {
    my $run = _tool(
        qw(launch -n 2 --path --quick),
        'pingpong -m 8',
        q{--}, launcher(2), $ENV{SKAMPI_PROGRAM}
    );
    return $run->{out} =~ /, within a host:\n/ ? _command($run) : 'fault: no path';
}

sub _duet () {
    my @side = ( launcher(2), $ENV{SKAMPI_PROGRAM} );
    return _command(
        _tool( qw(launch -n 2 --duet --quick), 'pingpong -m 8', q{--}, @side, q{--}, @side ) );
}

sub _profile () {
    my $run = _tool( 'profile', 'record', '--library', "$ENV{SKAMPI_BUILD}/libskampi-record.so",
        '-o', 'recording', q{--}, launcher(2), $ENV{SKAMPI_PROGRAM}, qw(-q pingpong -m 8) );
    return $run->{err} =~ /recorded: / ? _command($run) : 'fault: nothing is recorded';
}

sub _algorithm () {
    local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;
    my $run = mpirun(
        scratch(), 2,
        qw(-q bcast -m 8 --set),
        'algorithm=' . ( is_intel() ? 'preset_1' : 'binomial' )
    );
    my ($why) = $run->{err} =~ /: skipped, (.*)$/m;
    return defined $why ? "refused: $why" : _command($run);
}

sub _facts () {
    my $dir = scratch();
    mpirun( $dir, 2, qw(-q wtime -o x.out) );
    my $output = SKaMPI::Read::Output->from_file("$dir/x.out");
    my @none   = grep { !length( $output->field($_) // q{} ) } qw(SERVED LIMITS);
    return @none ? "fault: the library does not report @none" : 'run';
}

# Free processes get a note; bound as it says, they do not.
sub _binding () {
    my @how     = launcher(2);
    my @free    = ( $how[0], is_intel() ? qw(-genv I_MPI_PIN off) : qw(--bind-to none) );
    my @run     = ( $ENV{SKAMPI_PROGRAM}, qw(-q wtime) );
    my ($words) = command( scratch(), @free, @how[ 1 .. $#how ], @run )->{err} =~
      /not bound: .*start with mpirun (.*)/;
    return 'fault: no note' if !defined $words;
    my $bound = command( scratch(), $how[0], split( q{ }, $words ), @how[ 1 .. $#how ], @run );
    return $bound->{err} =~ /not bound/ ? "fault: $words does not bind" : _command($bound);
}

sub _yields () { return $ENV{SKAMPI_MPI} eq 'openmpi' || is_intel() }

my $NAME = qr/^MPI library: (Open MPI|MPICH|Intel\S* MPI)\D*(\d+)/m;
my ( $library, $version ) = skampi( scratch(), qw(--version -v) )->{out} =~ $NAME
  or plan skip_all => 'a library that docs/libraries does not know';
my $path  = "$ROOT/docs/libraries/" . ( $library =~ s/\(R\)//r =~ s/ /_/gr ) . "-$version.txt";
my @lines = map { my $text = "$_: " . outcome_of($_); note($text); "$text\n" } features();
my $known = golden( $path, join q{}, @lines );
if ($known) { is join( q{}, @lines ), $known, "$library $version" }
else {
    is join( q{}, grep { /: fault: / } @lines ), q{}, 'no fault';
}

for my $file ( glob "$ROOT/docs/libraries/*.txt" ) {
    is_deeply [ map { s/: .*//sr } split /^/m, read_file($file) ], [ features() ], $file;
}
done_testing;
