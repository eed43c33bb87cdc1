# Irregular collectives on a simulated machine: with the number of the spread as the argument, and with shares from
# a file, they take as long as with the same parts written otherwise.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch);
use SKaMPI::SimRows qw(few_repetitions is_about rows_of);
use SKaMPI::Test    qw(write_file);

my ($skampi) = build_in_scratch('truth');
my @TYPES    = ( 240, 242, 244 );
my $LENGTH   = 4096;

sub over_length ( $name, $type, $length, $spread ) {
    return "$name { Type = $type; Start_Argument = $length; End_Argument = $length;"
      . " Parameters = \"spread=$spread\"; }\n";
}

# Suites of a type with one number each, with the number as the argument, and with a file for a linear spread,
# for a length that is a multiple of all weights.
sub suites_of ( $type, $np ) {
    my $sum = 4 * $np * ( $np + 1 ) / 2;
    return (
        map( { over_length( "factor-$type-$_", $type, $LENGTH, "geometric:$_" ) } 1 .. 3 ),
        over_length( "linear-$type", $type, $sum, 'linear' ),
        over_length( "file-$type",   $type, $sum, 'file:' . ( $type == 240 ? 'matrix' : 'parts' ) ),
        "vary-$type { Type = $type; Variation = Spread; Default_Message_length = $LENGTH;"
          . " End_Argument = 3; Parameters = \"spread=geometric\"; }\n"
    );
}

# The rows of linear spreads, and of a transposed grid of two rows.
sub write_shares ($np) {
    my ( @matrix, @permutation, @parts );
    for my $rank ( 0 .. $np - 1 ) {
        $matrix[$rank][ ( $rank + 1 + $_ ) % $np ] = $np - $_ for 0 .. $np - 1;
        $parts[ ( 1 + $rank ) % $np ] = $np - $rank;
        my $columns = $np / 2;
        $permutation[$rank] = [ (0) x $np ];
        $permutation[$rank][ $rank % $columns * 2 + int( $rank / $columns ) ] = 1;
    }
    write_file( 'matrix',      join q{}, map { "@{$_}\n" } @matrix );
    write_file( 'permutation', join q{}, map { "@{$_}\n" } @permutation );
    write_file( 'parts',       "@parts # of each rank\n" );
    return;
}

# Name of a suite => argument => time.
sub times_among ($np) {
    write_shares($np);
    my $rows =
      rows_of( $skampi, 'flat', $np, join q{}, few_repetitions(65_536),
        <<"END", map { suites_of( $_, $np ) } @TYPES );
regular { Type = 68; Start_Argument = $LENGTH; End_Argument = $LENGTH; }
@{[ map { over_length( $_->[0], 240, $LENGTH, $_->[1] ) } [qw(transposed transpose)], [qw(permuted file:permutation)] ]}
END
    my %times;
    for my $name ( keys %{$rows} ) {
        $times{$name} = { map { $_ => $rows->{$name}{$_}{time} } keys %{ $rows->{$name} } };
    }
    return \%times;
}

for my $np ( 2, 6, $ENV{SKAMPI_LONG} ? 62 : () ) {
    my $times = times_among($np);
    my %one   = map { $_ => ( values %{ $times->{$_} } )[0] } keys %{$times};
    for my $type (@TYPES) {
        my ( $vary, $what ) = ( $times->{"vary-$type"}, "type $type, $np processes" );
        is_about $vary->{$_},        $one{"factor-$type-$_"}, "$what, geometric:$_" for 1 .. 3;
        is_about $one{"file-$type"}, $one{"linear-$type"},    "$what, a file";
        cmp_ok abs( $vary->{1} - $vary->{3} ), '>', 1, "$what: unequal parts make a difference";
    }
    is_about $times->{'vary-240'}{1}, $one{regular},  "$np processes: a factor of 1 is regular";
    is_about $one{transposed},        $one{permuted}, "$np processes: a transposed grid";
}

done_testing;
