# After how many uses a persistent request has paid: creation / (ordinary - persistent).
use v5.36;

use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Findings::PersistentUses qw(persistent_data persistent_lines);
use SKaMPI::Findings::Selection;
use SKaMPI::ReportTest qw(page_of);
use SKaMPI::Results    qw(results);

# Suites "47 syncol_MPI_Bcast window=5" with rows "ARGUMENT TIME ERROR" over the length, or over the processes with
# over=nodes; of the pattern Simple, over nothing.
sub output_of (@suites) {
    my ( @blocks, @fields );
    while ( my ( $what, $rows ) = splice @suites, 0, 2 ) {
        my ( $number, $type, @keys ) = split /[ =]/, $what;
        my ($prefix) = $type =~ /^([a-z0-9]+)_/;
        my %key      = ( over => 'length', window => undef, @keys );
        my $name     = 's' . @blocks;
        my $over     = $prefix eq 'simple' ? undef : delete $key{over};
        my @written  = map { "$_=$key{$_}" } grep { $_ ne 'over' && defined $key{$_} } keys %key;
        push @fields, qq($name { Type = $number; Parameters = "@written"; });
        push @blocks,
          [ "${prefix}_$name", $over, $rows, { type => "$number $type", window => $key{window} } ];
    }
    return results( { SUITES => join "\n# ", @fields }, @blocks );
}

# "TITLE, OTHER: ARGUMENT USES; ..." for each set.
sub uses_in (@suites) {
    my $sets = persistent_data( SKaMPI::Findings::Selection->of( output_of(@suites) ) );
    return [
        map {
            my @rows = map { "$_->{argument} $_->{uses}" =~ s/\x{b1}/+-/r } @{ $_->{rows} };
            "$_->{title}, $_->{other}: " . join '; ', @rows
        } @{$sets}
    ];
}

my $BCAST = <<'END';
47 syncol_MPI_Bcast: 8 10 0.1, 64 12 0.1, 512 20 0.1, 4096 50 1
263 syncol_Persistent_Bcast: 8 8 0.1, 64 11.9 0.1, 512 21 0.1, 4096 30 1
380 syncol_MPI_Bcast_init: 8 20 0.2, 64 20 0.2, 512 20 0.2, 4096 10 0.1
END
my ( $ORDINARY, $PERSISTENT, $INIT ) = split /\n/, $BCAST;
my $CREATED = "262 simple_MPI_Send_init: 0 0.4 0.03\n377 simple_MPI_Recv_init: 0 0.6 0.04\n";

# The suites of lines "TYPE: ROW, ROW ...".
sub suites_in ($lines) {
    return map { my ( $what, $rows ) = split /: /; ( $what => [ split /, /, $rows ] ) } split /\n/,
      $lines;
}

# Names, suites, and what is found.
my $CASES = <<"END";
a gain; one within its errors; none; one by the first use
$BCAST=> syncol_Persistent_Bcast, MPI_Bcast: 8 B 10.0 +- 0.7; 64 B more than 52.2; 512 B never; 4 KiB 1

no creation was measured
$ORDINARY
$PERSISTENT

no ordinary operation
$PERSISTENT
$INIT

only arguments that all have
$ORDINARY
$PERSISTENT
380 syncol_MPI_Bcast_init: 8 20 0.2, 512 2 1, 4096 800 4
=> syncol_Persistent_Bcast, MPI_Bcast: 8 B 10.0 +- 0.7; 512 B never; 4 KiB 40.0 +- 2.8

a request without a usable time at an argument is not free
$ORDINARY
$PERSISTENT
380 syncol_MPI_Bcast_init: 8 0 0.2, 4096 800 4
=> syncol_Persistent_Bcast, MPI_Bcast: 4 KiB 40.0 +- 2.8

another root is another operation
@{[ $BCAST =~ s/Persistent_Bcast/$& root=1/r ]}
barriers over the number of processes
49 syncol_MPI_Barrier over=nodes: 2 5 0.1, 4 7 0.1
266 syncol_Persistent_Barrier over=nodes: 2 4 0.1, 4 8 0.1
383 syncol_MPI_Barrier_init over=nodes: 2 15 0.1, 4 15 0.1
=> syncol_Persistent_Barrier, MPI_Barrier: 2 processes 15.0 +- 2.1; 4 processes never

a send and a receive of a ping-pong
1 p2p_MPI_Send-MPI_Recv: 8 10 0.1
6 p2p_MPI_Isend-MPI_Recv: 8 20 0.1
260 p2p_Persistent_Send-Recv: 8 9 0.1
$CREATED=> p2p_Persistent_Send-Recv, MPI_Send-MPI_Recv: 8 B 1.00 +- 0.15

compared with MPI_Isend if that is all there is
6 p2p_MPI_Isend-MPI_Recv: 8 20 0.1
260 p2p_Persistent_Send-Recv: 8 9 0.1
$CREATED=> p2p_Persistent_Send-Recv, MPI_Isend-MPI_Recv: 8 B 1

the sends of a window; both in both directions
165 p2p_Stream_MPI_Isend window=5: 8 10 0.1
373 p2p_Stream_Persistent window=5: 8 9 0.1
167 p2p_Stream_both_MPI_Isend window=5: 8 10 0.1
375 p2p_Stream_both_Persistent window=5: 8 9 0.1
$CREATED=> p2p_Stream_Persistent, Stream_MPI_Isend: 8 B 2.00 +- 0.32
=> p2p_Stream_both_Persistent, Stream_both_MPI_Isend: 8 B 5.00 +- 0.75

MPI_Alltoallw with equal counts
241 syncol_Irregular_Alltoallw spread=linear: 8 90 0.1
241 syncol_Irregular_Alltoallw spread=uniform: 8 10 0.1
367 syncol_Persistent_Alltoallw: 8 8 0.1
391 syncol_MPI_Alltoallw_init: 8 20 0.2
=> syncol_Persistent_Alltoallw, Irregular_Alltoallw: 8 B 10.0 +- 0.7
END
for my $case ( split /\n\n/, $CASES ) {
    my ( $name, $suites, @expected ) = split /\n(?==> )|\A[^\n]*\K\n/, $case;
    is_deeply uses_in( suites_in($suites) ), [ map { s/\A=> |\n\z//gr } @expected ], $name;
}

my $output = output_of( suites_in($BCAST) );
local $ENV{COLUMNS} = 100;
my @lines = persistent_lines( 0, $output->suites );
is scalar @lines, 6, 'skampi-show: a title, the names of the columns, and three rows of four';
like $lines[3],
  qr/^  syncol_Persistent_Bcast +8 B +10[.]00 us +8[.]000 us +20[.]00 us +10[.]0 \x{b1} 0[.]7/,
  'a row';
my @all = persistent_lines( 1, $output->suites );
is scalar @all, 7, 'show.pl --all: four rows';
is scalar( my @none = persistent_lines( 0, ( $output->suites )[ 0, 1 ] ) ), 0,
  'nothing without a creation';

my $content = SKaMPI::Document::Content->new( $output, style => { mono => 0 } );
my $tex     = page_of($content);
like $tex, qr/When persistent requests pay.*Persistent.*Bcast.*never/s, 'the report has a section';

done_testing;
