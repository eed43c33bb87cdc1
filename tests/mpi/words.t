# A measurement named on the command line: rows on standard output, and nothing kept.
use v5.36;

use IPC::Run qw(run);
use JSON::PP qw(decode_json);
use Test::More;
use SKaMPI::Export::Columns qw(records_of);
use SKaMPI::Faults          qw(ranks_in);
use SKaMPI::Read::Output;
use SKaMPI::Test
  qw($ROOT command files_in is_measured launcher mpirun preloaded_mpirun read_file scratch write_file);

my $NUMBER = qr/<?\d[\d.e+]*|-/;
my $ROW    = qr/^ *(\d+) +($NUMBER) +($NUMBER) +($NUMBER) +($NUMBER) +($NUMBER)  ([-*!^tv]*)$/m;

sub words ( $np, $line ) {
    my $dir = scratch();
    return ( mpirun( $dir, $np, split q{ }, $line ), $dir );
}

for my $np ( 2, 3, 5 ) {
    subtest "$np processes" => sub {
        my ( $run, $dir ) = words( $np, 'col_MPI_Allreduce col_MPI_Barrier -m 8,64,1K' );
        is_measured( $run, 'the run' );
        is_deeply [ files_in($dir) ], [], 'no file is kept';
        my @lines = split /\n/, $run->{out};
        like $lines[0],
          qr/^# skampi \S+, \S.*; $np processes[^:]*: \S+:$np; clocks: .*ticks of \S+ us$/,
          'library, hosts and clocks';
        like $run->{out}, qr/^# col_MPI_Allreduce: .*\n# +bytes +time \[[nu]s\] .*\n +8 +\d/m,
          'the suite, its columns, then rows';
        like $lines[-1], qr/^# done in \S+ s: \d+ rows/, 'the end';
        my @arguments = sort { $a <=> $b } map { $_->[0] } _rows( $run->{out} );
        is_deeply [ splice @arguments, -3 ], [ 8, 64, 1024 ], 'the lengths';
        is_deeply [ @arguments[ 0, -1 ] ], [ 2, $np ], 'the barrier, from 2 to all processes';
        unlike $run->{out}, qr/of \d+ visits|\e/, 'final rows only';
    };
}

# The numbers and marks of each row, and its unit of time in microseconds.
sub _rows ($text) {
    my ( $us, @rows ) = 1;
    for my $line ( split /\n/, $text ) {
        $us = $1 eq 'ns' ? 1e-3 : 1 if $line =~ / time \[([nu]s)\]/;
        push @rows, [ $1, $2, $3, $4, $5, $6, $7, $us ] if $line =~ $ROW;
    }
    return @rows;
}

subtest 'with a result file' => sub {
    my ( $run, $dir ) = words( 3, 'pingpong bandwidth -m 64,1K -o out' );
    is_measured( $run, 'the run' );
    is_deeply [ files_in($dir) ], [qw(out skampi.log)], 'results and log';
    my $output = SKaMPI::Read::Output->from_file("$dir/out");
    my @stored =
      records_of( { output => $output, suites => [ $output->suites ] } );
    my @shown = _rows( $run->{out} );
    is scalar @shown, scalar @stored, 'as many rows';
    for my $i ( keys @stored ) {
        my ( $argument, $time, $error, $mean, $mean_error, $bandwidth, undef, $us ) =
          @{ $shown[$i] };
        is $argument, $stored[$i]{argument}, 'argument';
        _is_near( $time,      $stored[$i]{time_us} / $us,     'time' );
        _is_near( $mean,      $stored[$i]{time_all_us} / $us, 'mean' );
        _is_near( $bandwidth, $stored[$i]{bandwidth_MBps},    'bandwidth' );
    }
};

# As far as the digits go that are shown.
sub _is_near ( $shown, $value, $name ) {
    my $decimals = length( $shown =~ s/\A[^.]*[.]?//r );
    cmp_ok abs( $shown - $value ), '<=', 0.51 * 10**-$decimals, $name;
    return;
}

subtest 'JSON' => sub {
    my ( $run, $dir ) = words( 2, 'col_MPI_Bcast wtime -m 8,64 --json' );
    my @all = map { decode_json($_) } split /\n/, $run->{out};
    my ( $head, $end ) = ( shift @all, pop @all );
    is_deeply [ @{$head}{qw(schema processes command suites)} ],
      [
        'skampi-head/1', 2,
        [ split q{ }, 'col_MPI_Bcast wtime -m 8,64 --json' ],
        [qw(col_MPI_Bcast simple_MPI_Wtime)]
      ],
      'first what was asked for';
    is_deeply [ @{$end}{qw(schema complete missing)} ], [ 'skampi-end/1', JSON::PP::true, [] ],
      'last that it is complete';
    my @rows = grep { $_->{final} } @all;
    cmp_ok $_->{visits}, '>=', 1, 'rows so far, after each pass' for grep { !$_->{final} } @all;
    cmp_ok scalar @all, '>', 3, 'and some of them';
    is_deeply [ map { $_->{argument} // q{-} } @rows ], [ 8, 64, q{-} ], 'a line for each row';
    is_deeply [ map { $_->{schema} } @rows ],           [ ('skampi-row/1') x 3 ], 'of one schema';
    is scalar( grep { $_->{final} } @rows ), 3, 'final';
    ok $rows[0]{time_us} > 0, 'a time';
    is_deeply [ files_in($dir) ], [], 'no file';
};

subtest 'standard input and output' => sub {
    my $dir = scratch();
    my ($config) = words( 2, 'bcast -m 8 --print-config' );
    my ( $out, $err );
    run [ launcher(2), $ENV{SKAMPI_PROGRAM}, qw(-q -f - -o -) ], '<', \$config->{out}, '>', \$out,
      '2>', \$err,
      init => sub { chdir $dir or die };
    like $out, qr/^#\@SKAMPIVERSION/m,     'a result file';
    like $out, qr/^#skampi finished[.]$/m, 'complete';
    is_deeply [ files_in($dir) ], [], 'no file';
};

subtest 'a shipped file' => sub {
    my ( $run, $dir ) = words( 2, 'quick -t 3' );
    like $run->{out}, qr/^# (?:done in|stopped by -t).*: \d+ (?:of \d+ )?rows/m,
      'rows on standard output';
    is_deeply [ files_in($dir) ], [], 'no file';
};

subtest 'in the columns of OSU and IMB' => sub {
    my ($run) = words( 2, 'bcast bw --as osu -m 8,1K' );
    like $run->{out},
      qr/^# As osu_bcast of OSU 7[.]4, .*\n# a mean .*\n# Size +Avg Latency\(us\)/m, 'OSU';
    is scalar( () = $run->{out} =~ /^(?:8|1024) +[0-9.]+/mg ), 4, 'rows of both';
    ($run) = words( 2, 'bcast --as imb -m 8,1K' );
    like $run->{out}, qr/^ +#bytes #repetitions .*\n +8 +\d+ +[0-9.]+ +[0-9.]+ +[0-9.]+  \S*$/m,
      'IMB';
};

# The process that is in a call for too long ends the run.
subtest 'a run that hangs' => sub {

    # Text that mpiexec of Intel MPI adds to standard output.
    my $banner = qr/^\n=+\n=   BAD TERMINATION.*\z/ms;
    my $dir    = scratch();
    local $ENV{SKAMPI_ABORT} = 'MPI_Scan:3:hang';
    my $run = preloaded_mpirun( $dir, 2, 'libabort.so', split q{ },
        'col_MPI_Bcast col_MPI_Scan -m 8,64 --set @SUITETIMEOUT=5' );
    $run->{out} =~ s/$banner//;
    isnt $run->{status}, 0, 'status'
      if $ENV{SKAMPI_MPI} eq 'openmpi';    # some mpiexec of MPICH hide it
    like $run->{out}, qr/^# col_MPI_Bcast: .*\n#.*\n +8 +[\d.]/m, 'rows so far';
    like $run->{err}, qr/suite 'col_MPI_Scan' at argument \d+ takes longer than .* ends here$/m,
      'operation and length; nothing to continue';
    like $run->{out},
      qr/^# stopped: col_MPI_Scan at argument \d+ took longer than \@SUITETIMEOUT .*\n\z/m,
      'the last line';
    $run = preloaded_mpirun( $dir, 2, 'libabort.so', split q{ },
        'scan -m 8 --set @SUITETIMEOUT=5 --json' );
    my $end = decode_json( ( split /\n/, $run->{out} =~ s/$banner//r )[-1] );
    is_deeply [ @{$end}{qw(schema complete)} ], [ 'skampi-end/1', JSON::PP::false ],
      'the last object';
    like $end->{stopped}, qr/^syncol_MPI_Scan at argument 8 took longer/, '... says why';
};

# A terminal gets rows that are not final, which are replaced.
subtest 'a terminal' => sub {
    my $out = q{};
    run [ launcher(2), $ENV{SKAMPI_PROGRAM}, 'col_MPI_Bcast', '-m', '8,64K' ], '>pty>', \$out, '2>',
      \my $err;
    $out =~ s/\r//g;
    like $out, qr/^ *8 .*  \d+ of \d+ visits$/m, 'rows so far';
    my ( $all, $final ) = split /.*\e\[J/s, $out;
    is scalar _rows($final), 2, 'final rows';
    unlike $final, qr/\d visits/, 'and only these';
};

# The processes get the signal themselves, as some launchers leave them no time after it: in a visit of a length that is
# not the first one.
for my $format ( [], ['--json'] ) {
    subtest "a run that is stopped @{$format}" => sub {
        my $dir = scratch();
        local $ENV{SKAMPI_ABORT} = 'MPI_Scan:200:term';
        my $run =
          preloaded_mpirun( $dir, 2, 'libabort.so', qw(scan -m 8:4M --set @MAXREPDEFAULT=20 -t 5m),
            @{$format} );
        my $last = ( split /\n/, $run->{out} )[-1];
        if ( @{$format} ) {
            is_deeply [ @{ decode_json($last) }{qw(complete missing)} ],
              [ JSON::PP::false, ['syncol_MPI_Scan: not finished'] ], 'the last object says so';
        }
        else {
            like $last,       qr/^# stopped by SIGTERM after \S+ s/m, 'the last line says so';
            like $run->{out}, qr/^ *8 .*  \d+ of \d+ visits$/m,       'after the rows so far';
        }
        isnt $run->{status}, 0, 'status';
        is_deeply [ files_in($dir) ], [], 'no file';
    };
}

# The times of a real run are replaced by known ones, on nine hosts: at 8 bytes all are far below what is possible, at
# 64 they differ by a factor of 10 from host to host, and nothing is beyond. The program and skampi-show say the same.
subtest 'what is usual' => sub {
    my ( $run, $dir ) = words( 2, 'pingpong -m 8,64,128 -o out' );
    is_measured( $run, 'the run' );
    my $text   = read_file("$dir/out");
    my ($host) = $text =~ /^#\@HOSTNAME (\S+)$/m;
    my @runs   = map { "run$_" } 1 .. 9;
    my $with   = sub ( $name, %times ) {
        return s/(?<![\w.-])\Q$host\E(?![\w.-])/$name/gr =~
s/^(8|64|128) .*\n/$times{$1} ? "$1 $times{$1} 0.001 100 $times{$1} 0.001 100\n" : q{}/mger
          for $text;
    };
    write_file( "$dir/run$_", $with->( "h$_", 8 => "0.00100$_", 64 => 10**( $_ - 5 ) ) ) for 1 .. 9;
    write_file( "$dir/new", $with->( $host, 8 => 5, 64 => 2, 128 => 2 ) );
    my $saved = command( $dir, $^X, "$ROOT/report/compare.pl", qw(--force --save base), @runs );
    is $saved->{status}, 0, 'a baseline' or diag $saved->{err};
    my @words = ( qw(pingpong -m), '8,64,128' );
    my $rows  = mpirun( $dir, 2, @words, qw(--baseline base) )->{out};
    like $rows,
qr/^ +8 (?:[^!\n]*  usual (?:0[.]00|1[.]0)\d+ to (?:0[.]00|1[.]0)\d+; \S+ times the usual|.*!.*  usual \S+ to \S+)$/m,
      'beyond, in us or ns, unless it is marked'
      or diag $rows;
    like $rows,   qr/^ +64 .*  usual 0[.]\d+ to \d+$/m, 'a value within';
    unlike $rows, qr/^ +128 .*usual/m,                  'no value is known';
    like $rows, qr/^# usual: 10 to 90 % of 9 runs, 9 hosts, 1 day in 'base'; from 8 runs /m,
      'of what';
    my $base = read_file("$dir/base");
    write_file( "$dir/few",   $base =~ s/^\@RUN (\d+) \Kh\d /g /mgr );
    write_file( "$dir/other", $base =~ s/^(\@CLASS HARDWARE) .*/$1 an abacus/mr );
    write_file( "$dir/bad",   $base =~ s/^8 time .*/8 time 5/mr );
    {
        local $ENV{SKAMPI_BASELINE} = 'few';
        my $few = mpirun( $dir, 2, @words, qw(--set Standard_error=0.2 --set passes=5) )->{out};
        like $few,   qr/^ +8 .*  usual \S+ to \S+$/m, 'one host, another accuracy: numbers';
        unlike $few, qr/times the usual/,             '... without a statement';
    }
    my $cold = mpirun( $dir, 2, @words, qw(--set cache=cold --baseline base) )->{out};
    like $cold, qr/^# usual: unknown; 'base' has no values of these suites$/m, 'another suite';
    my $other = mpirun( $dir, 2, @words, qw(--baseline other) );
    is $other->{status}, 0, 'another class: status 0';
    like $other->{out},
      qr/^# usual: unknown; 'other' is of another class: HARDWARE is 'an abacus' in it, '/m,
      'what differs';
    unlike $other->{out}, qr/  usual/, 'and no more';
    my $bad = mpirun( $dir, 2, @words, qw(--baseline bad) );
    isnt $bad->{status}, 0, 'a bad file: status';
    is
      scalar( () =
          $bad->{err} =~
          /^skampi: bad:\d+: expected 'ARGUMENT KIND' and a value of each of 9 runs; /mg ), 1,
      '... and an error';
    my @json = map { decode_json($_) } grep { /skampi-row/ } split /\n/,
      mpirun( $dir, 2, @words, qw(--json --baseline base) )->{out};
    my ($first) = grep { $_->{argument} == 8 && $_->{final} } @json;
    cmp_ok $first->{times_usual} // 0, '>', 2, 'JSON' if $first->{marks} !~ /!/;
    is $first->{times_usual}, undef, 'JSON: a marked row' if $first->{marks} =~ /!/;
    ok $first->{usual_low_us} < 0.0011 && $first->{usual_high_us} > 0.001, '... with limits';
    my $shown = command( $dir, $^X, "$ROOT/report/show.pl", qw(--all --baseline base new) )->{out};
    like $shown, qr/^ +8 B .*  \S+ to \S+ \S+, \S+ times the usual\b/m, 'skampi-show: beyond';
    like $shown, qr/^ +64 B .* to (?!.*times)/m,                        'within';
    like $shown, qr/^usual: 10 to 90 % of 9 runs, 9 hosts, 1 day/m,     'of what';
    is command( $dir, $^X, "$ROOT/report/dorep.pl", qw(--format html --baseline base new) )
      ->{status}, 0, 'a report';
    like read_file("$dir/new.html"),
      qr/Usual \(9 runs, 9 hosts, 1 day\): at 8 B [^;]* times the usual;/, 'says it';
    is mpirun( $dir, 2, qw(-f quick --baseline base) )->{status} ? 1 : 0, 1,
      'no rows are printed: refused';
};

# Rank 0 decides, all processes end, and a message says why.
subtest 'rows that cannot be written' => sub {
    plan skip_all => 'no /dev/full' if !-e '/dev/full';
    for my $case (
        [ 1, 'barrier' ],
        [ 1, qw(barrier --json) ],
        [ 3, '--health' ],
        [ 1, qw(--selftest Scan) ]
      )
    {
        my ( $status, @words ) = @{$case};
        my $dir = scratch();
        run [ launcher(2), 'sh', '-c', 'exec "$0" "$@" >/dev/full', $ENV{SKAMPI_PROGRAM}, @words ],
          '<', \undef, '>', \my $out, '2>', \my $err, init => sub { chdir $dir or die };
        is $? >> 8, $status, "@words: status" if $ENV{SKAMPI_MPI} eq 'openmpi';
        is_deeply [ $err =~ /^(skampi: cannot write to .*)$/mg ],
          ['skampi: cannot write to standard output: No space left on device'], 'said once'
          or diag $err;
    }
};

done_testing;
