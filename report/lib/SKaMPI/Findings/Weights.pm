package SKaMPI::Findings::Weights;

# What the calls of a program cost, if the suites of a run stand for them (the key weight, which skampi-profile suites
# writes): weights_data(OUTPUT) returns a list for a template, the heaviest first: suite, weight, argument, time, arrival.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Units qw(format_arguments format_percent format_time);

our @EXPORT_OK = qw(weights_data);

sub weights_data ($output) {
    my @suites = grep { _of( $_, 'weight' ) > 0 && @{ $_->{rows} } } $output->suites;
    return [
        map    { _row($_) }
          sort { _of( $b, 'weight' ) <=> _of( $a, 'weight' ) || $a->{label} cmp $b->{label} }
          @suites
    ];
}

sub _of ( $suite, $key ) {
    my $value = ( $suite->{requested} // {} )->{$key} // 0;
    return $value =~ /\A[0-9.]{1,20}\z/ ? $value : 0;
}

sub _row ($suite) {
    my ($row) = @{ $suite->{rows} };
    return {
        suite    => $suite->{label},
        weight   => format_percent( _of( $suite, 'weight' ) / 100 ),
        argument => format_arguments( $row, $suite ),
        time     => format_time( $row->{time} ),
        arrival  => ( $suite->{requested}{arrival} // 'together' ) =~ s/:.*//sr,
    };
}

1;
