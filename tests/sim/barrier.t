# The data of "make barrier-figure": OSU's number moves with the barrier before it, skampi's does not; barriers are
# those that Open MPI chooses; the figures of README are those of docs/examples/barrier.csv.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch needs_simgrid_3 simulate);
use SKaMPI::SimRows qw(is_about);
use SKaMPI::Test    qw($ROOT read_file);

needs_simgrid_3();
my ( $skampi, $others ) = build_in_scratch('others');
my @DATA = ( $^X, "-I$ROOT/tests/lib", "-I$ROOT/report/lib", "$ROOT/docs/barrier.pl" );

# ompi_coll_tuned_barrier_intra_dec_fixed of Open MPI 4.1.0 to 5.0.10.
my %CHOSEN;
@CHOSEN{ map { 2**$_ } 4 .. 12 } =
  qw(recursivedoubling recursivedoubling bruck bruck tree bruck tree tree bruck);

sub data (@arguments) {
    open my $pipe, '-|', @DATA, @arguments or die "cannot start $DATA[-1]: $!\n";
    my @lines = <$pipe>;
    ok close $pipe, "barrier.pl @arguments";
    chomp @lines;
    return @lines;
}

# The time by the simulator's copy of that rule, and by the name of its barrier.
sub spread (@barrier) {
    my @lines = split /\n/,
      simulate( 'torus4x4', 16, '--cfg=smpi/coll-selector:ompi', @barrier, $others, 'osu_bcast',
        8 );
    return ( split q{ }, $lines[0] )[-1];
}

my %first;
for ( data('list') ) {
    my ( $machine, $np, undef, $barrier ) = split /-/;
    $first{$np} //= $barrier;
}
is_deeply \%first, \%CHOSEN,
  'at each number of processes, the barrier that Open MPI chooses comes first';
is spread("--cfg=smpi/barrier:ompi_$CHOSEN{16}"), spread(), 'it is the one that a selector takes';
isnt spread('--cfg=smpi/barrier:ompi_bruck'),     spread(), 'and not another one';

my ( %osu, %start, %skampi );
for my $barrier (qw(recursivedoubling tree)) {
    data( 'run', q{.}, "tree-16-bcast-$barrier" );
    my @columns = split /,/, ( split /\n/, read_file("tree-16-bcast-$barrier.csv") )[0];
    ( $osu{$barrier}, $start{$barrier}, $skampi{$barrier} ) = @columns[ 6, 9, 15 ];
}
cmp_ok $osu{recursivedoubling}, '>', 1.3 * $osu{tree}, "OSU's average moves with the barrier";
is $skampi{recursivedoubling}, $skampi{tree}, "skampi's number does not";
is_about $skampi{$_}, $start{$_},
  "after $_, it is that of the slowest process after a simultaneous start"
  for keys %start;

my $caption = join "\n", data( 'caption', "$ROOT/docs/examples/barrier.csv" ), q{};
is read_file("$ROOT/docs/examples/barrier.tex"), $caption,
  'the caption has the figures of the data';
my %series;
for ( map { [ split /,/ ] } split /\n/, read_file("$ROOT/docs/examples/barrier.csv") ) {
    push @{ $series{ $_->[0] =~ s{ \S+\z}{}r } }, $_->[5] if ( $_->[16] // q{} ) =~ /\d/;
}
is_deeply \%series, { 'Open MPI' => [qw(yes no no no no)], MPICH => [qw(yes no)] },
  'each library has a measured series with errors, its own barrier first';
my ($range) = $caption =~ /broadcast\s+is\s+([\d.]+ to [\d.]+)\s+times/;
like read_file("$ROOT/README") =~ s/\s+/ /gr, qr/\Q$range\E times/, 'and so has README';

my $drawing = join '; ', "data = '$ROOT/docs/examples/barrier.csv'", "kind = 'png'",
  "load '$ROOT/docs/examples/barrier.gpl'", 'print changes';
is qx{gnuplot -e "$drawing" 2>&1 >/dev/null} =~ tr/\n/ /r,
  'doubling 13 45 Bruck 45 181 tree 181 362 Bruck 362 724 tree 724 2896 Br. 2896 5000 ',
  'the figure marks where the chosen barrier changes, without warnings of gnuplot';

done_testing;
