# A file that was written for more processes or memory: its suites end where this run ends, and say
# so. And what the command line says of the machine.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(read_file cpus mpirun skampi workplace);

my $HEAD  = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@MACHINE theirs\n\@STANDARDERROR 0.2\n";
my @NODES = map { "N$_ { Type = 18; Variation = Nodes; End_Argument = 3$_; }" } 0 .. 7;
my $MORE  = join "\n", @NODES,
  'L { Type = 17; End_Argument = 1e8; Max_Steps = 3; Scale = Fixed_log; Stepwidth = 64; }',
  'W { Type = 24; Variation = Length; End_Argument = 1e8; }',
  'E { Type = 17; End_Argument = 64; Scale = Fixed_log; Stepwidth = 64; }';

my $dir    = workplace( '.skampi' => "$HEAD\@MEASUREMENTS\n$MORE\n" );
my $run    = mpirun( $dir, 2, '--quiet', '--machine', "Mine & ours\n64 nodes" );
my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
my %suite  = map { $_->{label} => $_ } $output->suites;

is $run->{status},            0,                       'the run is complete';
is $output->field('MACHINE'), "Mine & ours\n64 nodes", '--machine';
my @warnings = grep { /warning: suite/ } split /\n/, $run->{err};
is @warnings, 2, 'a warning for each reason';
like $warnings[0],
  qr/^[.]skampi:7:51: .*'col_N0': End_Argument 30 is more than the 2 processes: .* is 2; also 7/,
  'by processes';
like $warnings[1],
  qr/^[.]skampi:15:31: .*'col_L': End_Argument 100000000 needs more than '\@MEMORY 64'/,
  'by memory';
my $log = read_file("$dir/skampi.log");
like $log, qr/^\S+ note \Q$_\E$/m, 'in the log' for @warnings;
is $suite{"col_N$_"}{notes}{NOTE},
  "End_Argument 3$_ is more than the 2 processes: the last argument is 2", "col_N$_: its block"
  for 0 .. 7;
like $suite{col_L}{notes}{ NOTE }, qr/MEMORY 64': the last argument is 65536$/, 'col_L: its block';
is $suite{col_L}{rows}[-1]{argument}, 65_536, 'which ends there'
  if ref $suite{col_L}{rows}[-1] eq 'HASH';
ok !exists $suite{$_}{notes}{NOTE}, "$_: nothing to say" for qw(col_E simple_W);

# Suite, Max_Value, and the last argument.
my @SHORT = (
    [ 'col_A', 'Type = 20; Variation = Nodes; Default_Message_length = 12000;', 3, 2 ],
    [
        'p2p_A',
'Type = 165; Variation = Window; Default_Message_length = 4096; Parameters = "buffers=many";',
        1024,
        8
    ],
);
for my $case (@SHORT) {
    my ( $label, $fields, $most, $last ) = @{$case};
    my $short = workplace( '.skampi' => "$HEAD\@MEASUREMENTS\nA { $fields }\n" );
    my $why =
      "End_Argument $most (Max_Value) needs more than '\@MEMORY 64': the last argument is $last";
    like mpirun( $short, 3, '--quiet' )->{err},
      qr/^[.]skampi:7:1: warning: suite '$label': \Q$why\E$/m, "$label: a warning";
    like read_file("$short/skampi.log"), qr/ note .*\Q$why\E$/m, 'in the log';
    my ($suite) = SKaMPI::Read::Output->from_file("$short/skampi.out")->suites;
    is $suite->{notes}{NOTE},        $why,  'in the block';
    is $suite->{rows}[-1]{argument}, $last, 'which ends there';
    like skampi( $short, '--check', '-n', 3 )->{err}, qr/\Q$why\E/, 'with --check';
}

subtest 'the machine is warned of in the log, too' => sub {
    my $np = 1 + cpus();
    plan skip_all => "needs $np processes" if $np > 17;
    my $many           = workplace( '.skampi' => "$HEAD\@MEASUREMENTS\nA { Type = 24; }\n" );
    my $loud           = mpirun( $many, $np, '--quiet' );
    my @oversubscribed = $loud->{err} =~ /^skampi: (warning: oversubscribed: .*)$/m;
    is @oversubscribed, 1, 'a warning';
    like read_file("$many/skampi.log"), qr/^\S+ note \Q$oversubscribed[0]\E$/m, 'in the log';
};

done_testing;
