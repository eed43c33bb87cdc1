# Simulated runs with histogram=yes and raw=yes: the file with times agrees with the results in every
# pattern, survives a resumed run, and histograms of several runs add.
use v5.36;

use File::Copy qw(copy);
use List::Util qw(max sum0);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Sim  qw(build simulator);
use SKaMPI::Test qw(keep_journal interrupt scratch read_file write_file files_in skampi);

my ($skampi) = build('truth');

my $NP   = 3;
my $HEAD = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC yes\n\@TOPOLOGY1 Reorder 2 0 1\n"
  . "\@MAXREPDEFAULT 12\n\@MINREPDEFAULT 12\n\@MEASUREMENTS\n";
my $RANGE = 'Scale = Fixed_log; Stepwidth = 16; End_Argument = 64;';

# Label, fields, and the number of processes with times of their own.
my @SUITES = (
    [ 'p2p_A',      "Type = 1; $RANGE",                                                 2 ],
    [ 'mw_B',       "Type = 10; $RANGE",                                                0 ],
    [ 'col_C',      "Type = 17; $RANGE",                                                3 ],
    [ 'vtcol_D',    "Type = 17; $RANGE Virtual_Topology_Number = 1;",                   3 ],
    [ 'syncol_E',   "Type = 61; $RANGE",                                                3 ],
    [ 'vtsyncol_F', "Type = 61; $RANGE Virtual_Topology_Number = 1; Node_Times = yes;", 3 ],
    [ 'pairs_G',    "Type = 160; $RANGE",                                               3 ],
    [ 'simple_H',   'Type = 24;',                                                       0 ],
    [ 'check_I',    "Type = 170; $RANGE",                                               0 ],
    [ 'col_J',      "Type = 17; $RANGE", 3, 'enter=together' ],
    [ 'col_K',      'Type = 17; Variation = Nodes;', undef ],
    [ 'internal_L', 'Type = 51;',                    0 ],
);

sub prepared (@suites) {
    my $dir  = scratch();
    my $text = $HEAD;
    for my $suite (@suites) {
        my ( $label, $fields, undef, $more ) = @{$suite};
        $more //= $label =~ /[CH]\z/ ? q{} : 'raw=yes';
        $more .= ' passes=1' if $label ne 'internal_L';
        my ($name) = $label =~ /_(.*)/;
        $text .= "$name { $fields Parameters = \"" . "$more histogram=yes\"; }\n";
    }
    write_file( "$dir/.skampi", "$text" . "Z { Type = 17; $RANGE }\n" );
    return $dir;
}

sub run ( $dir, @more ) {
    return SKaMPI::Test::command( $dir, simulator( 'flat', $NP ), $skampi, '-q', @more );
}

sub is_near ( $got, $expected, $what ) {
    return ok( defined $got && abs( $got - $expected ) <= 2e-6 * ( 1 + abs $expected ), $what )
      || diag( ( $got // 'undef' ) . " is not $expected" );
}

# The row of the results and that of the repetitions' times.
sub compare_row ( $label, $row, $of ) {
    is $of->count,                    $row->{count_all},       "$label: count";
    is $of->late,                     $row->{extras}{invalid}, "$label: dropped repetitions";
    is sum0( values %{ $of->bins } ), $of->count, "$label: the histogram has all of them";
    is_near $of->percentile(0),   $row->{extras}{min},    "$label: shortest";
    is_near $of->percentile(50),  $row->{extras}{median}, "$label: median";
    is_near $of->percentile(100), $row->{extras}{max},    "$label: longest";
    is_near $of->mean,            $row->{time_all},       "$label: mean";
    return;
}

# The repetition's time is the slowest process's.
sub compare_processes ( $label, $times, $argument ) {
    my @each =
      map { [ $times->distribution( $argument, $_ )->single_times ] } $times->processes($argument);
    my @all = $times->distribution($argument)->single_times;
    my @slowest =
      map {
        my $i = $_;
        max map { $_->[$i] } @each
      } 0 .. $#all;
    is_deeply \@slowest, \@all, "$label: the slowest process of each repetition";
    return;
}

my $dir = prepared(@SUITES);
keep_journal($dir);
my $run = run($dir);
is $run->{status}, 0, 'measured' or diag $run->{err};
my $copy = scratch();
copy( "$dir/$_", $copy ) or die "$_: $!\n" for files_in($dir);
my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
is_deeply [ $output->problems ], [], 'sound results';

for my $suite (@SUITES) {
    my ( $label, undef, $own ) = @{$suite};
    my $result = $output->suite($label);
    my $times  = SKaMPI::Read::Times->new( $output->path, $result );
    is_deeply [ $times->problems ], [], "$label: no problem";
    for my $row ( @{ $result->{rows} } ) {
        my $argument = $row->{argument} // 0;
        compare_row( $label, $row, $times->distribution($argument) );
        my @processes = $times->processes($argument);
        is @processes, $own // $argument, "$label: processes with times of their own";
        is $times->distribution( $argument, $_ )->count, $row->{count_all}, "$label: of process $_"
          for @processes;
        compare_processes( $label, $times, $argument ) if $label =~ /syncol/;
    }
}
is $output->suite('col_Z')->{times}, undef, 'a suite that does not ask for times has none of them';

# The times of one suite in all runs of a file.
sub total ( $file, $label ) {
    my $results = SKaMPI::Read::Output->from_file($file);
    my $times   = SKaMPI::Read::Times->new( $file, $results->suite($label) );
    is_deeply [ $times->problems ], [], "$label: no problem in the merge";
    return $times->distribution(16)->bins;
}

subtest 'merged runs' => sub {

    # Simulated times are equal: files of one second would be copies.
    my $text = read_file("$dir/skampi.out");
    write_file( "$dir/skampi.out", $text =~ s/^(#\@DATE .*) \d\d:\d\d:\d\d/$1 00:00:00/mr );
    is run($dir)->{status}, 0, 'measured again';
    my %sum;
    for my $run ( 1, 2 ) {
        my $bins = total( "$dir/skampi.out.$run", 'syncol_E' );
        $sum{$_} += $bins->{$_} for keys %{$bins};
    }
    is_deeply total( "$dir/skampi.out", 'syncol_E' ), \%sum, 'histograms of two runs add';
    my $other = scratch();
    skampi( $dir, '--postprocess', 'skampi.out.1', 'skampi.out.2', '-o', "$other/m.out" );
    is_deeply total( "$other/m.out", 'syncol_E' ), \%sum, 'and in another directory';
    is scalar( grep { /[.]times-/ } files_in($dir) ), 2, 'one file for each run';
};

# Ends a run within a suite: its block is missing, its times may be there or torn.
subtest 'resumed' => sub {
    my $run = $copy;
    my ($name) = grep { /[.]times-/ } files_in($run);
    interrupt( $run, 'vtsyncol_F' );
    write_file( "$run/$name", read_file("$run/$name") . "12 0 3 1.1 2." );
    is run($run)->{status}, 0, 'resumed';
    my $results = SKaMPI::Read::Output->from_file("$run/skampi.out");

    for my $suite ( grep { $_->{times} } $results->suites ) {
        my $times = SKaMPI::Read::Times->new( $results->path, $suite );
        is_deeply [ $times->problems ], [], "$suite->{label}: no problem";
        is $times->distribution( $_->{argument} // 0 )->count, $_->{count_all}, 'all times'
          for @{ $suite->{rows} };
    }
    is scalar( grep { /[.]times-/ } files_in($run) ), 2, 'a file of each launch';
};

subtest 'results that are a device' => sub {
    my $run = prepared( $SUITES[0] );
    is run( $run, '-o', '/dev/null' )->{status}, 0, 'measured';
    is_deeply [ glob '/dev/null.times*' ], [], 'no file beside it';
};

like skampi( $dir, '--check', '.skampi', '-n', $NP )->{out},
  qr/times of at most 12 repetitions: [0-9]+ KiB more per process; at most [0-9]+ KiB in the file/,
  '--check states the memory';

done_testing;
