package SKaMPI::Scenario;

# Synchronised collectives on a simulated machine with the clocks of the shim, next to their true times.
use v5.36;

use Exporter qw(import);
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(build build_shim simulate);
use SKaMPI::SimRows qw(output_of true_times);
use SKaMPI::Truth   qw(only has_length);

our @EXPORT_OK = qw(rows_of_scenario);

my %TRUE;    # machine, types and lengths => type => length => microseconds

sub _true ($s) {
    my ( $platform, $np ) = @{$s}{qw(platform np)};
    my @arguments = ( 1, 3 * ( $np - 1 ), only( @{ $s->{types} } ), @{ $s->{lengths} } );
    return $TRUE{"$platform $np @arguments"} //= do {
        my ( undef, $truth ) = build('truth');
        true_times( simulate( $platform, $np, $truth, @arguments ) );
    };
}

sub _suite ( $s, $type, $length ) {
    my ( $what, $at ) = has_length($type) ? ( 'Length', $length ) : ( 'Nodes', $s->{np} );
    return "t${type}_$length { Type = $type; Variation = $what; Start_Argument = $at; "
      . "End_Argument = $at; Scale = Fixed_linear; }\n";
}

# For each type, the lengths that it has.
sub _points ($s) {
    my @lengths = @{ $s->{lengths} };
    my @points;
    for my $type ( @{ $s->{types} } ) {
        push @points, map { [ $type, $_ ] } has_length($type) ? @lengths : $lengths[0];
    }
    return @points;
}

# For { platform, np, settings (of the shim), types, lengths, repetitions (limits, cut) }, a row for each
# type and length, as SKaMPI::Read::Output has it, with its true_us and whether its residual marks it (the
# clock bound marks every short one). It is empty without a valid repetition.
sub rows_of_scenario ($s) {
    my ($skampi) = build_shim();
    my @points   = _points($s);
    my $true     = _true($s);
    my $text     = join q{}, "\@VERSION 4.1\n\@POSTPROC no\n\@MEMORY 8192\n$s->{repetitions}",
      "\@MEASUREMENTS\n", map { _suite( $s, @{$_} ) } @points;
    my $output = eval { output_of( $skampi, @{$s}{qw(platform np)}, $text, $s->{settings} ) };
    die $@ if !$output && $@ !~ /no result for/;
    $output //= SKaMPI::Read::Output->from_file('skampi.out');
    return map {
        my ( $type, $length ) = @{$_};
        my $suite = $output->suite("syncol_t${type}_$length");
        my $row   = $suite->rows->[0];
        +{
            %{$row},
            is_marked => ( $row->{extras}{residual} // 0 ) >
              $suite->asked_of_call * ( $row->{time} // 0 ) / 2,
            what    => "type $type, $length bytes",
            true_us => $true->{$type}{$length}
        }
    } @points;
}

1;
