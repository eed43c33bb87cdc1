# The journal and skampi.out of a run that ended just before it removed the journal, each cut at any length: the next
# launch resumes, starts over, or refuses with a reason. No complete suite is lost, and none that the journal has is
# measured again.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture memory_scratch dummy_labels dummy blocks_of unsound config_of
  labels_of);
use SKaMPI::Test qw(is_measured read_file slurp write_file mpirun preloaded_mpirun workplace);

my $SUITES = 3;
my @LABELS = dummy_labels($SUITES);
my ( $starts, %ways ) = (0);

sub finished ($dir) {
    local $ENV{DUMMY_RESULT} = 1;
    dummy( $dir, q{}, $SUITES, 'crash=col_01' );
    dummy( $dir, 'unlink:1:kill', $SUITES );
    return map { read_file("$dir/skampi.$_") } qw(out out.journal);
}

# Launches with these two texts, undef: no file; the way that it took, and what is wrong with it.
sub way_of ( $dir, $out, $journal ) {
    unlink glob "$dir/skampi.*";
    write_file( "$dir/skampi.out",         $out )     if defined $out;
    write_file( "$dir/skampi.out.journal", $journal ) if defined $journal;
    local $ENV{DUMMY_RESULT} = 2;
    my $run = dummy( $dir, q{}, $SUITES );
    $starts++;
    return ( 'crashed', "signal $run->{signal}, status $run->{status}" )
      if $run->{signal} || $run->{status} > 1;
    my $way = $run->{status} ? 'refused' : $run->{err} =~ /^skampi: (\w+)/m ? $1 : 'complete';
    return ( $way, wrong( $dir, $run, $out // q{}, $journal // q{} ) );
}

sub wrong ( $dir, $run, $out, $journal ) {
    if ( $run->{status} ) {
        return 'changed' if slurp("$dir/skampi.out") ne $out;
        return $run->{err} =~ /\Askampi: .*(?:--fresh|\@OUTFILE).*\n\z/
          ? q{}
          : "refused without saying what to do: $run->{err}";
    }
    my $results = join q{}, map { read_file($_) } grep { !/journal/ } glob "$dir/skampi.out*";
    for my $block ( map { @{$_} } values %{ blocks_of($out) } ) {
        return 'lost' if index( $results, $block ) < 0;
    }
    my $blocks = blocks_of( read_file("$dir/skampi.out") );
    for my $label ( $journal =~ / suite-end (\S+)\n/g ) {
        return "$label measured again" if $blocks->{$label}[0] !~ /^4 1[.]5/m;
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
    return map { substr $text, 0, $_ } @sorted;
}

my $dir = memory_scratch();
my ( $out, $journal ) = finished($dir);

# The cut texts of the result file, and those of the journal.
my %grids = (
    'the result file'              => [ [ lengths( $out, torture() ? 1 : 40 ) ], [$journal] ],
    'the journal'                  => [ [$out],  [ lengths( $journal, torture() ? 1 : 40 ) ] ],
    'the journal, without results' => [ [undef], [ lengths( $journal, torture() ? 1 : 70 ) ] ],
    'results without a journal'    => [ [ lengths( $out, torture() ? 1 : 70 ) ], [undef] ],
    'both'                         =>
      [ [ lengths( $out, torture() ? 7 : 150 ) ], [ lengths( $journal, torture() ? 11 : 150 ) ] ],
);
for my $what ( sort keys %grids ) {
    my ( $outs, $journals, @bad ) = @{ $grids{$what} };
    for my $cut_out ( @{$outs} ) {
        for my $cut_journal ( @{$journals} ) {
            my ( $way, $wrong ) = way_of( $dir, $cut_out, $cut_journal );
            $ways{$way}++;
            my @at = map { length( $_ // q{} ) } $cut_out, $cut_journal;
            push @bad, "$at[0] of out, $at[1] of journal: $way: $wrong" if length $wrong;
        }
    }
    is_deeply \@bad, [], "$what cut at any length";
}
cmp_ok $ways{$_} // 0, '>', 0, "some: $_" for qw(fresh resuming refused complete);

# The real program, which has a longer header, ended within its eighth suite.
my $real = workplace( '.skampi' => config_of() );
{
    local $ENV{SKAMPI_ABORT} = 'MPI_Scan:3:kill';
    isnt preloaded_mpirun( $real, 2, 'libabort.so', '-q' )->{status}, 0, 'a run ends in a suite';
}
my ($times_path) = glob "$real/skampi.out.times-*";
my %whole = map { $_ => read_file($_) } "$real/skampi.out", "$real/skampi.out.journal", $times_path;
my ($begin) = $whole{"$real/skampi.out.journal"} =~ /\A(.* run-begin .*?\n)/s;
my $cuts    = torture() ? 40 : 2;

for my $n ( 1 .. $cuts ) {
    unlink glob "$real/skampi.out*";
    my $part = $n / ( $cuts + 1 );
    write_file(
        $_,
        /journal/ ? $begin . substr $whole{$_},
        length $begin,
        $part * ( length( $whole{$_} ) - length $begin )
        : /times/ ? $whole{$_}
        : substr $whole{$_},
        0,
        $part * length $whole{$_}
    ) for keys %whole;
    my $run = mpirun( $real, 2, '-q' );
    $starts++;
    is_measured( $run, "both cut at $part" );
    is unsound( $real, labels_of() ), q{}, 'complete';
}
diag( "$starts launches: ", join ', ', map { "$ways{$_} $_" } sort keys %ways );

done_testing;
