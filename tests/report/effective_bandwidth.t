# b_eff from suites of rings: compared with its definition.
use v5.36;

use List::Util qw(sum);
use Test::More;
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Read::Output;

my $FORMAT = '<args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f)'
  . ' standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)';
my @LENGTHS = ( 0, 1, 4096, 65_536, 1_048_576 );

# A suite whose times are latency + length / bandwidth.
sub suite ( $name, $type, $operation, $keys, $latency, $bandwidth, @lengths ) {
    my $rows = join q{}, map { sprintf "%d %.9f 0.1 8\n", $_, $latency + $_ / $bandwidth } @lengths;
    my $line = "$name { Type = $type; Parameters = \"$keys\"; }";
    return ( $line, <<"END");
#/*\@insyncol_$name.ski*/
#Pattern: Synchronous Collective varied over the message length [bytes] (%d).
#default values: 4 nodes, max. / act. time for suite disabled/0.01 min.
#Format: $FORMAT
#\@TYPE $type syncol_$operation
$rows#eol
END
}

sub figures (@suites) {
    my ( @lines, @blocks );
    while ( my ( $line, $block ) = splice @suites, 0, 2 ) {
        push @lines,  $line;
        push @blocks, $block;
    }
    my $list   = join "\n", map { ( $_ ? '# ' : '#@SUITES ' ) . $lines[$_] } 0 .. $#lines;
    my $output = SKaMPI::Read::Output->from_text( join "\n", $list, @blocks );
    return map { $_->{what} => $_->{value} }
      grep { $_->{group} eq 'effective bandwidth' } SKaMPI::Findings::KeyFigures->rows_of($output);
}

my @SMALL = map { 2**$_ } 0 .. 12;
my @ALL   = ( @SMALL, map { 4096 * 256**( $_ / 8 ) } 1 .. 8 );

sub mean_of ( $latency, $bandwidth, @at ) {
    return sum( map { 8 * $_ / ( $latency + $_ / $bandwidth ) } @at ) / @at;
}

my @natural = suite( 'a', 189, 'Rings_Sendrecv',    'ring=all order=natural',  10, 1000, @LENGTHS );
my @small   = suite( 'b', 189, 'Rings_Sendrecv',    'ring=2 order=natural',    10, 2000, @LENGTHS );
my @random  = suite( 'c', 190, 'Rings_Isend_Irecv', 'ring=all order=random:1', 20, 500,  @LENGTHS );
my @slower  = suite( 'd', 191, 'Rings_Alltoallv',   'ring=all order=random:1', 30, 400,  @LENGTHS );

my %b_eff = figures( @natural, @small, @random, @slower );
my $wanted =
  sqrt sqrt( mean_of( 10, 1000, @ALL ) * mean_of( 10, 2000, @ALL ) ) * mean_of( 20, 500, @ALL );
cmp_ok abs( $b_eff{b_eff} / $wanted - 1 ), '<', 1e-6, 'b_eff of two ring sizes and two orders';
is $b_eff{'b_eff per process'}, $b_eff{b_eff} / 4, 'per process';

my @short = suite( 'e', 190, 'Rings_Isend_Irecv', 'ring=all order=random:1', 20, 500, 0, 1, 4096 );
%b_eff  = figures( @natural, @short );
$wanted = sqrt mean_of( 10, 1000, @SMALL ) * mean_of( 20, 500, @SMALL );
cmp_ok abs( $b_eff{b_eff} / $wanted - 1 ), '<', 1e-6, 'up to the longest common length';

is_deeply { figures( @natural, @small ) },  {}, 'none without a random order';
is_deeply { figures( @random,  @slower ) }, {}, 'none without the natural one';

done_testing;
