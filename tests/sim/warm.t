# Calls that are slower at the beginning of a visit do not count: the first ones of each visit, and with warmup=auto
# more, of which rows state the number. The first calls of the simulated machine are 0.2 ms slower.
use v5.36;

use SKaMPI::Sim     qw(build simulate);
use SKaMPI::SimRows qw(is_about is_close);
use Test::More;

my ( undef, $program ) = build('warm');

# key => type => [ microseconds, warmup ], with a number of slower calls.
sub rows ($slow) {
    my %rows;
    for ( split /\n/, simulate( 'flat', 4, $program, $slow ) ) {
        my ( $key, $type, $us, $warmup ) = split;
        $rows{$key}{$type} = [ $us, $warmup ];
    }
    return \%rows;
}

my $prompt = rows(0);
is scalar keys %{ $prompt->{auto} }, 6, 'types of several patterns';

# Patterns make different numbers of calls that are not timed.
for my $case ( [ 0, 0 ], [ 12, q{(?:8|9|1[012])} ], [ 18, q{(?:9|1[0-8])} ] ) {
    my ( $slow, $dropped ) = @{$case};
    my $rows = rows($slow);
    for my $type ( sort keys %{ $rows->{auto} } ) {
        my ( $us, $warmup ) = @{ $rows->{auto}{$type} };
        my $true_us = $prompt->{no}{$type}[0];
        ok is_close( $us, $true_us ),
          "type $type, $slow slow calls: $us us, without them $true_us us";
        like $warmup, qr/\A$dropped\z/, 'the repetitions that do not count';
        is $rows->{no}{$type}[1], 0, 'none without the key';
        cmp_ok $rows->{no}{$type}[0], '>', $true_us + 10, 'which has a longer time' if $slow > 1;
    }
}

my $rows = rows(2);
is_about( $rows->{ten}{$_}[0], $prompt->{ten}{$_}[0], "type $_, ten visits" )
  for sort keys %{ $rows->{ten} };
is scalar keys %{ $rows->{ten} }, 6, 'of all types';

done_testing();
