package SKaMPI::Broadcast;

# Runs synchronised broadcasts on a simulated machine with the clocks of the shim, for tests that
# compare them with the true time.
use v5.36;

use Exporter qw(import);
use Test::More;
use SKaMPI::Sim     qw(simulate);
use SKaMPI::SimRows qw(output_of true_times);
use SKaMPI::Truth   qw(only);

our @EXPORT_OK = qw(true_us suite suites_apart run_suites rows_of is_true);

my $WITHIN   = 5e-3;
my $READING  = 0.010;    # microseconds: reading the clock takes as long, within each value
my $BCAST    = 47;
my $ALLTOALL = 20;
my $SUITES   = 5;

# The true time of a broadcast, or of another type, by tests/sim/truth.c.
sub true_us ( $truth, $platform, $np, $length, $type = $BCAST, @root ) {
    my @measured = ( $truth, 1, 3 * ( $np - 1 ), only($type), @root, $length );
    return true_times( simulate( $platform, $np, @measured ) )->{$type}{$length};
}

sub _suite ( $name, $type, $length, $more ) {
    return "$name { Type = $type; Start_Argument = $length; End_Argument = $length; "
      . "Scale = Fixed_linear; $more }\n";
}

sub suite ( $name, $length, $more = q{} ) {
    return _suite( $name, $BCAST, $length, $more );
}

# Settings of the shim, and five suites some seconds apart: an operation between them is delayed.
sub suites_apart ( $seconds, $length, $fields ) {
    my ( @suites, @delays );
    for my $i ( 1 .. $SUITES ) {
        my $bytes = 64 * $i;
        push @suites, suite( "bcast$i", $length, $fields );
        push @suites,
          _suite( "wait$i", $ALLTOALL, $bytes, 'Max_Repetition = 2; Min_Repetition = 2;' )
          if $i < $SUITES;
        push @delays, "delay=*:MPI_Alltoall:$seconds:$bytes\@1";
    }
    return ( join( q{,}, @delays ), @suites );
}

# Runs the program in this directory; returns the output.
sub run_suites ( $skampi, $settings, $platform, $np, @suites ) {
    return output_of( $skampi, $platform, $np, join( q{}, <<'END', @suites ), $settings );
@VERSION 4.1
@MEMORY 1024
@MINREPDEFAULT 4
@CUTQUANTILEDEFAULT 0
@POSTPROC no
@MEASUREMENTS
END
}

sub rows_of ( $output, $name ) {
    return map { @{ $_->{rows} } } grep { $_->{label} =~ /^syncol_$name/ } $output->suites;
}

# To half a percent, or as exactly as it is said.
sub is_true ( $name, $row, $true_us, $within_us = $WITHIN * $true_us ) {
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $us = $row->{time};
    return ok( abs( $us - $true_us ) <= $within_us + $READING, $name )
      || diag "$us us, in truth $true_us us; residual $row->{extras}{residual}";
}

1;
