#!/usr/bin/perl
# A finished skampi.out and skampi.log, each cut at any length: the next launch resumes, starts over,
# or refuses with a reason. In no case is a complete suite lost.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture memory_scratch dummy_labels dummy blocks_of unsound config_of
  labels_of);
use SKaMPI::Test qw(read_file write_file mpirun scratch);

my $SUITES = 3;
my @LABELS = dummy_labels($SUITES);
my ( $starts, %ways ) = (0);

sub finished ($dir) {
    local $ENV{DUMMY_RESULT} = 1;
    dummy( $dir, q{}, $SUITES, 'crash=col_01' );
    dummy( $dir, q{}, $SUITES );
    return map { read_file("$dir/skampi.$_") } qw(out log);
}

# Launches with these two texts: the way that it took, and what is wrong with it.
sub way_of ( $dir, $out, $log ) {
    unlink glob "$dir/skampi.*";
    write_file( "$dir/skampi.out", $out );
    write_file( "$dir/skampi.log", $log );
    local $ENV{DUMMY_RESULT} = 2;
    my $run = dummy( $dir, q{}, $SUITES );
    $starts++;
    return ( 'crashed', "signal $run->{signal}, status $run->{status}" )
      if $run->{signal} || $run->{status} > 1;
    my $way = $run->{status} ? 'refused' : $run->{err} =~ /^skampi: (\w+)/ ? $1 : 'complete';
    return ( $way, wrong( $dir, $run, $out ) );
}

sub wrong ( $dir, $run, $out ) {
    if ( $run->{status} ) {
        return 'changed' if read_file("$dir/skampi.out") ne $out;
        return 'refused without saying what to do'
          if $run->{err} !~ /\Askampi: .*(?:--fresh|\@LOGFILE).*\n\z/;
        return q{};
    }
    my $results = join q{}, map { read_file($_) } glob "$dir/skampi.out*";
    for my $block ( map { @{$_} } values %{ blocks_of($out) } ) {
        return 'lost' if index( $results, $block ) < 0;
    }
    return unsound( $dir, @LABELS );
}

# The lengths at which to cut: all, or some, and those around the ends of lines.
sub lengths ( $text, $step ) {
    my %at = map { $_ => 1 } grep { $_ % $step == 0 } 0 .. length $text;
    $at{ length $text } = 1;
    while ( $text =~ /\n/g ) {
        $at{$_} = 1 for grep { $step <= 50 && $_ <= length $text } pos($text) - 1 .. pos($text);
    }
    my @sorted = sort { $a <=> $b } keys %at;
    return @sorted;
}

my $dir = memory_scratch();
my ( $out, $log ) = finished($dir);

# The cut files, the lengths of the result file, and those of the log.
my @grids = (
    [ 'the result file', [ lengths( $out, torture() ? 1 : 40 ) ], [ length $log ] ],
    [ 'the log',         [ length $out ],               [ lengths( $log, torture() ? 1 : 40 ) ] ],
    [ 'both', [ lengths( $out, torture() ? 7 : 150 ) ], [ lengths( $log, torture() ? 11 : 150 ) ] ],
);
for my $grid (@grids) {
    my ( $what, $outs, $logs ) = @{$grid};
    my @bad;
    for my $of_out ( @{$outs} ) {
        for my $of_log ( @{$logs} ) {
            my ( $way, $wrong ) =
              way_of( $dir, substr( $out, 0, $of_out ), substr( $log, 0, $of_log ) );
            $ways{$way}++;
            push @bad, "$of_out of out, $of_log of log: $way: $wrong" if length $wrong;
        }
    }
    is_deeply \@bad, [], "$what cut at any length";
}
cmp_ok $ways{$_} // 0, '>', 0, "some: $_" for qw(fresh resuming refused complete);

# The real program, which has a longer header.
my $real = scratch();
write_file( "$real/.skampi", config_of() );
is mpirun( $real, 2, '-q' )->{status}, 0, 'a run';
my ( $real_out, $real_log ) = map { read_file("$real/skampi.$_") } qw(out log);
my ($times_path) = glob "$real/skampi.out.times-*";
my $real_times   = read_file($times_path);
my $cuts         = torture() ? 40 : 2;

for my $n ( 1 .. $cuts ) {
    unlink glob "$real/skampi.out*";
    my $of_out = int( $n / ( $cuts + 1 ) * length $real_out );
    write_file( "$real/skampi.out", substr $real_out, 0, $of_out );
    write_file( "$real/skampi.log", substr $real_log, 0, length($real_log) * ( $n % 2 ? 1 : 0.7 ) );
    write_file( $times_path,        $real_times );
    my $run = mpirun( $real, 2, '-q' );
    $starts++;
    is $run->{status},                0,   "result file cut at $of_out" or diag( $run->{err} );
    is unsound( $real, labels_of() ), q{}, 'complete';
}
diag( "$starts launches: ", join ', ', map { "$ways{$_} $_" } sort keys %ways );

done_testing;
