package SKaMPI::SimRows;

# Measures on simulated machines: results and rows, and how far they may be from a known time.
use v5.36;

use Exporter   qw(import);
use List::Util qw(max);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(simulate);
use SKaMPI::Test qw(write_file);
use Test::More;

our @EXPORT_OK = qw(few_repetitions is_about is_close output_of rows_in rows_of true_times);

# A clock reading takes one tick; values are printed with six decimals.
my $TICK_US = 0.01;
my $ROUNDED = 2e-6;
my $WITHIN  = 1e-3;

# The head of a parameter file with four repetitions of each argument, of which none is cut. More lines may follow.
sub few_repetitions ( $memory_kib, @more ) {
    return join "\n", '@VERSION 4.1', "\@MEMORY $memory_kib", '@MINREPDEFAULT 4',
      '@MAXREPDEFAULT 4', '@CUTQUANTILEDEFAULT 0', @more, "\@MEASUREMENTS\n";
}

# Measures a parameter file in the working directory; a program of build_shim, with settings of the shim. With a list
# of settings of the simulator and skampi, too.
sub output_of ( $skampi, $platform, $np, $text, $settings = q{} ) {
    local $ENV{SKAMPI_SHIM} = $settings;
    unlink glob 'skampi.*';
    write_file( 'p.skampi', $text );
    simulate( $platform, $np, ref $skampi ? @{$skampi} : $skampi, '--quiet', '-f', 'p.skampi' );
    return SKaMPI::Read::Output->from_file('skampi.out');
}

sub rows_of (@measured) {
    return rows_in( output_of(@measured) );
}

# Name of a suite => argument ("0-3" of two) => row.
sub rows_in ($output) {
    my %rows;
    for my $suite ( $output->suites ) {
        $rows{ $suite->name } =
          { map { join( q{-}, @{ $_->{arguments} // [ $_->{argument} ] } ) => $_ }
              @{ $suite->rows } };
    }
    return \%rows;
}

# The lines of a program of tests/sim: type => length => microseconds.
sub true_times ($lines) {
    my %us;
    for ( split /\n/, $lines ) {
        my ( $type, $length, $us ) = split;
        $us{$type}{$length} = $us;
    }
    return \%us;
}

# To 0.1 % of the true time, or two ticks.
sub is_close ( $us, $true_us ) {
    return abs( $us - $true_us ) <= max( $WITHIN * abs $true_us, 2 * $TICK_US ) + $ROUNDED;
}

sub is_about ( $got, $expected, $what ) {
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return ok is_close( $got, $expected ), "$what: $got us, expected $expected us";
}

1;
