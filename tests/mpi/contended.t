# A machine on which other programs run: the run says so and marks its rows.
use v5.36;

use File::Copy qw(copy);
use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(read_file write_file cpus mpirun skampi workplace succeeds);

my $LOOPS     = cpus();
my $LIMIT_S   = 0.05;
my $MINUTES   = $LIMIT_S / 60;
my $ARGUMENTS = 6;

my $PARAMETERS = <<"END";
\@VERSION 4.1
\@MACHINE a test
\@MEMORY 1024
\@POSTPROC no
\@MAXREPDEFAULT 1000000
\@TIMEMEASDEFAULT $MINUTES
\@MEASUREMENTS
A { Type = 1; Variation = Length; Scale = Fixed_log; Start_Argument = 4; End_Argument = 4096;
  Stepwidth = 4; Max_Steps = $ARGUMENTS; Time_Measurement = Default_Value; }
B { Type = 47; Variation = Length; Scale = Fixed_log; Start_Argument = 4; End_Argument = 4096;
  Stepwidth = 4; Max_Steps = $ARGUMENTS; Time_Measurement = Default_Value; }
END

# Calls CODE beside programs that want all CPUs.
sub beside_loops ($code) {
    my @pids;
    for ( 1 .. $LOOPS ) {
        my $pid = fork // die "fork: $!\n";
        exec 'sh', '-c', 'while :; do :; done' if !$pid;
        push @pids, $pid;
    }
    my $result = eval { $code->() };
    kill TERM => @pids;
    waitpid $_, 0 for @pids;
    return $result // die $@;
}

my $dir    = workplace( '.skampi' => $PARAMETERS );
my $run    = beside_loops( sub { return mpirun( $dir, 2 ) } );
my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
my @suites = $output->suites;
my @rows   = map { @{ $_->{rows} } } @suites;

subtest 'a run beside other programs says so' => sub {
    my ($host) = $output->field('HOSTNAME');
    my ( $percent, $rank ) =
      $run->{err} =~
/^skampi: warning: contended: .*rank ([01]) on host \Q$host\E got ([0-9]+) % of a CPU while it measured, beside other programs; stop/m
      ? ( $2, $1 )
      : ( 100, 'none' );
    cmp_ok $percent, q{<}, 90, "rank $rank, on standard error";
    like $output->field('CPUSHARE'),
      qr/\A[0-9]+[.][0-9] %: rank [01] on host \Q$host\E, .*, other programs [0-9.]+ s$/m,
      'a fact of the run';
    my ( undef, undef, @each ) = split /\n/, $output->field('CPUSHARE');
    is_deeply [ map { /\A([01]) \Q$host\E [0-9.]+ [0-9]+\z/ } @each ], [ 0, 1 ], 'of each process';
    like $output->field('STEAL'), qr/\A[0-9]+[.][0-9] %: host \Q$host\E\z/, 'steal';
    my @contended = grep { defined $_->{notes}{CONTENDED} } @suites;
    ok scalar @contended, 'facts of suites';
    my @marked = grep { ( $_->{extras}{contended} // 0 ) == 1 } @rows;
    cmp_ok scalar @marked, q{>=}, @rows / 4, 'rows are contended';
    is_deeply [ grep { $_->{extras}{marks} !~ /!/ } @marked ], [], 'which is a mark';
    like "@{ SKaMPI::Document::Content->new($output)->data->{warnings} }",
      qr/contended: in \d of 2 suites; in \w+, rank/, 'on page 1';
    my %is_contended = map { $_->{label} => 1 } @contended;
    my @wrong        = grep {
        !$_->{unknown} && ( $_->{contended} // 0 ) != ( $is_contended{ $_->{where}{label} } // 0 )
    } SKaMPI::Findings::KeyFigures->rows_of($output);
    is_deeply \@wrong, [], 'with key figures that are known';
    my $shown = `$^X report/show.pl --all $dir/skampi.out`;
    like $shown, qr/warning: contended: in/, 'in a terminal';
    like $shown, qr{[mun]?s[*]?![v^t]* .*^  (?:[*] \S+, )?! waited for CPUs}ms,
      'with marks, explained';
};

subtest 'a merge keeps it' => sub {
    copy( "$dir/skampi.out", "$dir/quiet.out" ) or die "copy: $!\n";
    write_file( "$dir/quiet.out",
        read_file("$dir/skampi.out") =~ s/ contended=1//gr =~ s/^#\@CONTENDED .*\n//mgr =~
          s/^#\@CPUSHARE [0-9.]+ /#\@CPUSHARE 99.5 /mgr =~ s/^(#\@DATE .*)..$/${1}99/mr );
    my $merged =
      succeeds( skampi( $dir, '--postprocess', '--force', qw(quiet.out skampi.out -o merged.out) ),
        'merged' );
    my $both = SKaMPI::Read::Output->from_file("$dir/merged.out");
    is_deeply [ map { $_->{notes}{CPUSHARE} } $both->suites ],
      [ map { $_->{notes}{CPUSHARE} } @suites ], 'the smallest share';
    is_deeply [ map { $_->{notes}{CONTENDED} } $both->suites ],
      [ map { $_->{notes}{CONTENDED} } @suites ], 'the runs that were contended';
    is_deeply [ map { $_->{extras}{contended} } map { @{ $_->{rows} } } $both->suites ],
      [ map { $_->{extras}{contended} } @rows ], 'the number of runs that were, in each row';
};

done_testing;
