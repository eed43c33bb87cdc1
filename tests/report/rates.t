# Bandwidths and rates that show.pl and the report derive from times, each by the formula that they print.
use v5.36;

use Test::More;
use SKaMPI::Document::SuiteView;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Meaning::Catalog qw(row_of rows_of);
use SKaMPI::Meaning::Rates   qw(bandwidth_of rate_symbols rate_texts rates_of);
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT blocks_of command scratch write_file);

# A suite of this type with one row: the argument, and a time of 2 us.
sub text_of ( $type, $varied, $argument, $defaults ) {
    my ($prefix) = $type =~ /^\d+ ([a-z0-9]+)_/;
    return <<"END";
#/*\@in${prefix}_x.ski*/
#Pattern: P varied over the $varied (%d).
#default values: $defaults, max. / act. time for suite disabled/0.01 min.
#\@TYPE $type
$argument 2.0 0.1 8
#eol
END
}

sub suite_of (@what) {
    my ($suite) = SKaMPI::Read::Output->from_text( text_of(@what) )->suites;
    return $suite;
}

my $LENGTH = 'message length [bytes]';
my $WINDOW = 'size of the window [messages]';
my $NODES  = 'number of nodes [number]';
my %VARIED = ( length => $LENGTH, window => $WINDOW, nodes => $NODES );

# Type, what is varied and to what, the other parameters; megabytes and thousands per second, and the bandwidth's
# factor.
my @CASES = map {
    my ( $type, $sweep, $defaults, $figures ) = @{$_};
    my ( $varied, $argument ) = split q{ }, $sweep;
    [
        $type, $VARIED{$varied}, $argument, $defaults, map { $_ eq q{-} ? undef : $_ } split q{ },
        $figures
    ]
} blocks_of(<<'END');
1 p2p_MPI_Send-MPI_Recv :: length 1000 :: 4 nodes :: 1000 500 2
172 p2p_MPI_Rsend-MPI_Irecv :: length 1000 :: 4 nodes :: 1000 500 2
8 p2p_MPI_Sendrecv :: length 1000 :: 4 nodes :: 1000 500 2
1 p2p_MPI_Send-MPI_Recv :: length 0 :: 4 nodes :: - 500 2
1 p2p_MPI_Send-MPI_Recv :: nodes 4 :: 4 nodes, length 500 bytes :: 500 500 -
165 p2p_Stream_MPI_Isend :: length 1000 :: 4 nodes, window of 64 messages :: 32000 32000 64
166 p2p_Stream_MPI_Send :: window 10 :: 4 nodes, length 8 bytes :: 40 5000 8
167 p2p_Stream_both_MPI_Isend :: length 1000 :: 4 nodes, window of 10 messages :: 10000 10000 20
169 p2p_Issue_MPI_Isend :: length 1000 :: 4 nodes, window of 10 messages :: - 5000 -
175 pairs_Stream_MPI_Isend :: length 1000 :: 5 nodes, window of 10 messages :: 10000 10000 20
177 pairs_Stream_both_MPI_Isend :: nodes 6 :: 8 nodes, window of 10 messages, length 4 bytes :: 120 30000 -
165 p2p_Stream_MPI_Isend :: length 1000 :: 4 nodes :: - - -
29 p2p_dummy :: length 1000 :: 4 nodes :: - - -
47 syncol_MPI_Bcast :: length 1000 :: 4 nodes :: 500 - 1
61 syncol_MPI_Allreduce :: length 1000 :: 4 nodes :: 750 - 1.5
39 col_MPI_Allgather :: length 1000 :: 4 nodes :: 1500 - 3
63 syncol_MPI_Reduce_scatter :: nodes 6 :: 8 nodes, length 4 bytes :: 10 - -
318 overlap_MPI_Ialltoall :: length 1000 :: 4 nodes :: - - -
56 syncol_MPI_Scan :: length 1000 :: 4 nodes :: - - 1
282 syncol_MPI_Reduce_local :: length 1000 :: 4 nodes :: 500 - 1
201 p2p_RMA_Put :: length 1000 :: 4 nodes :: 500 500 1
201 p2p_RMA_Put :: length 1000 :: 4 nodes, window of 64 messages :: 32000 32000 64
202 p2p_RMA_Get :: window 10 :: 4 nodes, length 8 bytes :: 40 5000 8
220 io_MPI_File_write_at :: length 1000 :: 4 nodes :: 2000 2000 4
227 io_MPI_File_read_at_all-strided :: nodes 6 :: 8 nodes, length 500 bytes :: 1500 3000 -
238 io_MPI_File_sync :: length 1000 :: 4 nodes :: 2000 - 4
236 io_MPI_File_open :: nodes 4 :: 8 nodes :: - - -
200 p2p_RMA_sync :: length 1000 :: 4 nodes :: - - -
180 pairs_MPI_Sendrecv :: length 1000 :: 4 nodes :: 1000 500 2
47 vtsyncol_MPI_Bcast :: length 1000 :: 4 nodes :: - - 1
183 syncol_Chain_Sendrecv :: length 1000 :: 4 nodes :: - - 2
184 syncol_Exchange :: length 1000 :: 4 nodes :: - - 4
185 syncol_Halo :: length 1000 :: 4 nodes :: - - 4
188 syncol_Fan_in :: length 1000 :: 5 nodes :: - - 4
10 mw_MPI_Waitsome :: length 1000 :: 4 nodes, 8 chunks per worker :: - - 24
10 mw_MPI_Waitsome :: length 1000 :: 4 nodes, 8 chunks :: - - 8
10 mw_MPI_Waitsome :: length 1000 :: 4 nodes :: - - -
END

for my $case (@CASES) {
    my ( $type, $varied, $argument, $defaults, $bandwidth, $rate, $factor ) = @{$case};
    my $suite = suite_of( $type, $varied, $argument, $defaults );
    my $rates = rates_of( $suite, $suite->{rows}[0] );
    subtest "$type, $varied, $defaults" => sub {
        is $rates->{bandwidth},                                   $bandwidth, 'bandwidth';
        is defined $rates->{rate} ? $rates->{rate} / 1e3 : undef, $rate,      'rate';
        is( ( bandwidth_of($suite) // {} )->{factor}, $factor, 'factor of the plot' );
        is defined $rates->{rate} && !rate_texts($suite)->{rate}, q{}, 'a rate has a formula';
    };
}

# An operation that only old results have: no formula, but a bandwidth in plots.
my $unknown = suite_of( '999 p2p_Mine', $LENGTH, 1000, '4 nodes' );
is_deeply rate_texts($unknown), {}, 'no formula for an unknown operation';
is bandwidth_of($unknown)->{factor}, 2, 'but a bandwidth';

my $halo = suite_of( '186 syncol_Halo_Cartesian', $LENGTH, 1000, '8 nodes' );
$halo->{notes}{TOPOLOGY} = 'Cartesian 4 x 1 x 2, periodic yes no yes';
is bandwidth_of($halo)->{factor}, 4, 'the neighbours in a topology';

# References of the catalogue exist, and its formulas have the letters of their factors.
my %LETTER = ( window => 'W', pairs => 'P', processes => 'p', part => 'p' );
for my $rate ( rows_of('rates') ) {
    my @words = split / /, $rate->{by} // q{};
    my @unlike =
      grep {
        my $formula = $_;
        grep { $LETTER{$_} && $formula !~ /\b$LETTER{$_}\b/ } @words
      }
      grep { defined } @{$rate}{qw(bandwidth rate)};
    is "@unlike", q{}, "$rate->{name}: formulas";
    ok !( grep { !row_of( rates => $_ ) } grep { defined } @{$rate}{qw(notified single)} ),
      "$rate->{name}: other rows";
}
is join( q{ },
    grep { !row_of( rates => $_ ) }
    map { $_->{rate} // () } map { rows_of($_) } qw(types patterns) ),
  q{}, 'types and patterns have known rates';

is rate_symbols('2 W L / x'), 'L: message length, W: messages in a window, x: time', 'symbols';
is rate_symbols(),            q{}, 'none without formulas';

my $stream = suite_of( @{ $CASES[5] }[ 0 .. 3 ] );
is bandwidth_of($stream)->{text}, 'is W L / x, a window in one direction',
  'the definition of a plot';
my %facts = map { @{$_} } SKaMPI::Document::SuiteView->new( $stream, name => 'x' )->facts;
is $facts{Rate}, 'W / x, messages per second (L: message length, W: messages in a window, x: time)',
  'the rate in a report';

subtest 'key figures' => sub {
    my $text = join q{},
      map { text_of( @{$_}[ 0 .. 3 ] ) =~ s/_x[.]ski/_x$_->[2].ski/r } (
        [ '165 p2p_Stream_MPI_Isend',      $LENGTH, 1000, '4 nodes, window of 64 messages' ],
        [ '166 p2p_Stream_MPI_Send',       $LENGTH, 500,  '4 nodes, window of 100 messages' ],
        [ '167 p2p_Stream_both_MPI_Isend', $WINDOW, 10,   '4 nodes, message length 8 bytes' ],
        [ '175 pairs_Stream_MPI_Isend',    $LENGTH, 10,   '4 nodes, window of 64 messages' ],
        [ '165 p2p_Stream_MPI_Isend',      $NODES,  4,    '4 nodes, window of 99 messages' ],
      );
    my @rows = SKaMPI::Findings::KeyFigures->rows_of( SKaMPI::Read::Output->from_text($text) );
    is_deeply [
        map  { "$_->{what}: $_->{value}+-$_->{error} $_->{unit} at $_->{where}{argument}" }
        grep { $_->{group} eq 'streams' } @rows
      ],
      [
        'stream bandwidth: 32000+-1600 MB/s at 1000',
        'bandwidth in both directions: 80+-4 MB/s at 10',
        'message rate: 50000000+-2500000 /s at 500',
        'stream bandwidth of all pairs: 640+-32 MB/s at 10',
        'message rate of all pairs: 64000000+-3200000 /s at 10',
      ],
      'bandwidths and rates of streams';
    my $files = join q{},
      map { text_of( @{$_}[ 0 .. 3 ] ) =~ s/_x[.]ski/_x$_->[2].ski/r } (
        [ '222 io_MPI_File_read_at',     $LENGTH, 1000, '4 nodes' ],
        [ '223 io_MPI_File_read_at_all', $LENGTH, 2000, '4 nodes' ],
        [ '220 io_MPI_File_write_at',    $LENGTH, 4000, '4 nodes' ],
      );
    is_deeply [
        map    { "$_->{what}: $_->{value} $_->{unit}" }
          grep { $_->{group} eq 'files' }
          SKaMPI::Findings::KeyFigures->rows_of( SKaMPI::Read::Output->from_text($files) )
      ],
      ['reading files from the page cache: 4000 MB/s'],
      'bandwidths of files; a write may end in memory';
    like $rows[0]{definition},
      qr/W L \/ x.*\(L: message length, W: messages in a window, x: time\)/,
      'with their formula';
};

subtest 'show.pl' => sub {
    my $path = scratch() . '/x.out';
    write_file( $path, join q{},
        map { text_of( @{$_}[ 0 .. 3 ] ) =~ s/_x[.]ski/_x$_->[4].ski/r } @CASES[ 0, 5 ] );
    my $out = command( q{.}, $^X, "$ROOT/report/show.pl", $path )->{out};
    like $out, qr/^  suite .* bandwidth +rate  count/m,     'columns';
    like $out, qr/^  x1000 .* 1[.]00 GB\/s +500 k\/s +8$/m, 'a ping-pong';
    like $out, qr/^  x32000 .* 32 GB\/s +32 M\/s +8$/m,     'a stream';
    like $out, qr/^bandwidth: 2 L \/ x, [^;]*; W L \/ x/m,  'their formulas';
    like $out, qr/^L: message length, W: messages in a window, x: time$/m,
      'and what the letters mean';
};

done_testing;
