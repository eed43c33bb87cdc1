package SKaMPI::SimRows;

# The rows of a simulated run by suite and argument, and how far they may be from a known time.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(simulate);
use SKaMPI::Test qw(write_file);
use Test::More;

our @EXPORT_OK = qw(rows_of is_about);

# A clock reading takes one tick.
my $TICK_US = 0.01;
my $WITHIN  = 1e-3;

# Measures a parameter file in the working directory: name of a suite => argument ("0-3" of two) => row.
sub rows_of ( $skampi, $platform, $np, $text ) {
    unlink glob 'skampi.*';
    write_file( 'p.skampi', $text );
    simulate( $platform, $np, 200, $skampi, '--quiet', '-f', 'p.skampi' );
    my %rows;
    for my $suite ( SKaMPI::Read::Output->from_file('skampi.out')->suites ) {
        $rows{ $suite->name } =
          { map { join( q{-}, @{ $_->{arguments} // [ $_->{argument} ] } ) => $_ }
              @{ $suite->rows } };
    }
    return \%rows;
}

sub is_about ( $got, $expected, $what ) {
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $within = max( $WITHIN * abs $expected, 2 * $TICK_US );
    return cmp_ok abs( $got - $expected ), '<=', $within, "$what: $got us, expected $expected us";
}

1;
