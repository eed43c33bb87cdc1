package SKaMPI::Units;

use v5.36;

use Exporter qw(import);

our @EXPORT_OK =
  qw(format_time format_percent format_bytes format_argument format_arguments format_bandwidth format_rate format_value
  with_mu with_units);

my @TIMES = ( [ 1e6, 's' ], [ 1e3, 'ms' ], [ 1, 'us' ], [ 1e-3, 'ns' ] );
my @BANDWIDTHS =
  ( [ 1e6, 'TB/s' ], [ 1e3, 'GB/s' ], [ 1, 'MB/s' ], [ 1e-3, 'kB/s' ], [ 1e-6, 'B/s' ] );
my @RATES = ( [ 1e9, 'G/s' ], [ 1e6, 'M/s' ], [ 1e3, 'k/s' ], [ 1, '/s' ] );
my @BYTES = ( [ 2**30, 'GiB' ], [ 2**20, 'MiB' ], [ 2**10, 'KiB' ] );

# What an argument counts, by its name in the Format line.
my %COUNTED =
  ( nodes => [qw(node nodes)], chunks => [qw(chunk chunks)], window => [qw(message messages)] );

# Microseconds with four significant digits: "832.1 us", "1.210 ms".
sub format_time ($us) {
    return '-'   if !defined $us;
    return '0 s' if $us == 0;
    my ($unit) = grep { abs $us >= $_->[0] } @TIMES;
    $unit //= $TIMES[-1];
    return _four_digits( $us / $unit->[0] ) . " $unit->[1]";
}

# Megabytes (10^6) per second, with three significant digits: "11.3 GB/s".
sub format_bandwidth ($mb_per_s) {
    return defined $mb_per_s ? _three_digits( $mb_per_s, @BANDWIDTHS ) : q{};
}

# Events per second: "5.40 M/s".
sub format_rate ($per_s) {
    return defined $per_s ? _three_digits( $per_s, @RATES ) : q{};
}

# The same texts for typesetting: "832.1 \x{b5}s".
sub with_mu ($text) {
    return $text =~ s/\b([0-9.]+[ ])us\b/$1\x{b5}s/gr;
}

# The text of a header's fact, its times in suitable units: "tick 35.70 ns".
sub with_units ($text) {
    return $text =~ s/\b([0-9]{1,15}[.][0-9]{1,9}) microsec[.]/format_time($1)/ger;
}

sub _four_digits ($value) {
    my $size   = abs $value;
    my $digits = $size >= 1000 ? 0 : $size >= 100 ? 1 : $size >= 10 ? 2 : 3;
    return sprintf '%.*f', $digits, $value;
}

sub _three_digits ( $value, @units ) {
    my ($unit) = grep { abs $value >= $_->[0] } @units;
    $unit //= $units[-1];
    my $number = $value / $unit->[0];
    return sprintf '%.*f %s', $number >= 100 ? 0 : $number >= 10 ? 1 : 2, $number, $unit->[1];
}

# A fraction of 1: "2.9 %"; small ones with one significant digit: "0.03 %".
sub format_percent ($part) {
    return '-'         if !defined $part;
    return '> 999 %'   if $part >= 10;
    return '< 0.001 %' if $part > 0 && $part < 1e-5;
    return sprintf $part > 0 && $part < 1e-3 ? '%.1g %%' : '%.1f %%', $part * 100;
}

sub _format_percentage ($value) {
    return abs $value < 1000 ? sprintf '%.1f %%', $value : $value > 0 ? '> 999 %' : '< -999 %';
}

# In the unit that a result file gives, which may be undefined: "1.210 ms", "12.5 bytes", "3".
sub format_value ( $value, $unit ) {
    return format_time($value)        if ( $unit // q{} ) =~ /\Amicrosec/;
    return format_bandwidth($value)   if ( $unit // q{} ) eq 'MB/s';
    return _format_percentage($value) if ( $unit // q{} ) eq '%';
    return join q{ }, sprintf( '%.6g', $value ), $unit // ();
}

# In the largest unit that leaves a whole number: "64 KiB", "1448 B".
sub format_bytes ($bytes) {
    my ($unit) = grep { $bytes >= $_->[0] && $bytes % $_->[0] == 0 } @BYTES;
    return $unit ? $bytes / $unit->[0] . " $unit->[1]" : "$bytes B";
}

# column is one of a suite's arguments: a hash of name and unit.
sub format_argument ( $value, $column ) {
    return format_bytes($value) if ( $column->{unit} // q{} ) eq 'bytes';
    my ($what) = ( $column->{name} // q{} ) =~ /([[:alpha:]]+)\s*\z/;
    my $counted = $COUNTED{ $what // q{} };
    return $counted ? "$value $counted->[ $value == 1 ? 0 : 1 ]" : join q{ }, $what // (), $value;
}

# The arguments of a row of a suite; of all pairs of processes, the two ranks.
sub format_arguments ( $row, $suite ) {
    return join q{-}, @{ $row->{arguments} } if $row->{arguments};
    return
      defined $row->{argument} ? format_argument( $row->{argument}, $suite->{arguments}[0] ) : q{};
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Units - times, lengths and counts for people

=head1 DESCRIPTION

C<format_time(US)>, C<format_percent(PART)>, C<format_bytes(BYTES)>, C<format_argument(VALUE, COLUMN)>, C<format_arguments(ROW, SUITE)>,
C<format_bandwidth(MB_PER_S)>, C<format_rate(PER_S)> and C<format_value(VALUE, UNIT)> return short texts. An
undefined time or part is C<->; an undefined bandwidth or rate is empty.
C<with_mu(TEXT)> replaces C<us> by the symbol for microseconds; C<with_units(TEXT)> replaces times in C<microsec.> by times in suitable units.

=cut
