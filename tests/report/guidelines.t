# Each guideline can fire: a violation of each row of the table, planted in results, is found as its kind.
use v5.36;

use Test::More;
use SKaMPI::Findings::Guidelines;
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Results          qw(results);

my %NUMBER = map { ( "$_->{pattern}_$_->{name}" => $_->{number} ) } rows_of('types');

# The pattern that measures all of these operations.
sub pattern_for (@operations) {
    for my $pattern (qw(syncol col p2p io)) {
        return $pattern if !grep { !defined $NUMBER{"${pattern}_$_"} } @operations;
    }
    return;
}

# A suite of an operation, and its line of the header, as skampi writes it.
sub suite_of ( $pattern, $operation, $us, $over ) {
    my $number   = $NUMBER{"${pattern}_$operation"};
    my $virtual  = $operation =~ /Neighbor_/                 ? 'vt'   : q{};
    my $topology = $virtual                                  ? 1      : 0;
    my @rows     = map { "$_ $us 0.01 20" } $over eq 'Nodes' ? 2 .. 4 : map { 4**$_ } 1 .. 8;
    my %facts    = ( type => "$number ${pattern}_$operation", nodes => 4 );
    $facts{message_length} = 0 if $operation =~ /Barrier/;
    my $suite = [ "$virtual${pattern}_$operation", lc $over, \@rows, \%facts ];
    return ( $suite,
        "$operation { Type = $number; Variation = $over; Virtual_Topology_Number = $topology; }" );
}

for my $guideline ( SKaMPI::Findings::Guidelines->guidelines ) {
    my ( $slow, $kind, @parts ) = @{$guideline};
    my @fast    = map { s/:.*//r } @parts;
    my $name    = "$slow, $kind, @parts";
    my $pattern = pattern_for( $slow, @fast );
    ok defined $pattern, "$name: a pattern measures them" or next;
    my $axis   = $slow =~ /Barrier/ ? 'Nodes' : 'Length';
    my @suites = map { [ suite_of( $pattern, $_, $_ eq $slow ? 100 * @fast : 10, $axis ) ] } $slow,
      @fast;
    my $output = results( { PROCESSES => 4, SUITES => join "\n# ", map { $_->[1] } @suites },
        map { $_->[0] } @suites );
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @found = grep { $_->{kind} eq $kind } SKaMPI::Findings::Guidelines->violations($selection);
    ok scalar(
        grep {
            my $case  = $_->{cases}[0];
            my @terms = map { $_->{suite}->name } @{ $case->{fast} };
            $case->{slow}{suite}->name eq $slow && "@terms" eq "@fast"
        } @found
    ), $name;
}

done_testing;
