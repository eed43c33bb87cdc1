package SKaMPI::Base::Units;

# Times, lengths and counts for people, as short texts. All programs, reports and pages print
# numbers by these functions, so that a value has the same digits in each. Arguments are exact; what
# was measured is rounded. An undefined time or part is -; an undefined bandwidth or rate is empty.
# KIND is time, bandwidth, rate, length or duration. And what sentences are made of: factors and lists.
use SKaMPI::Base;

use List::Util qw(max);

# By kind, from the largest unit.
my %UNITS = (
    time      => [ [ 1e6, 's' ], [ 1e3, 'ms' ], [ 1, 'us' ], [ 1e-3, 'ns' ], [ 1e-6, 'ps' ] ],
    bandwidth =>
      [ [ 1e6, 'TB/s' ], [ 1e3, 'GB/s' ], [ 1, 'MB/s' ], [ 1e-3, 'kB/s' ], [ 1e-6, 'B/s' ] ],
    rate     => [ [ 1e9, 'G/s' ], [ 1e6, 'M/s' ], [ 1e3, 'k/s' ], [ 1, '/s' ] ],
    length   => [ [ 2**30, 'GiB' ], [ 2**20, 'MiB' ], [ 2**10, 'KiB' ], [ 1, 'B' ] ],
    duration => [ [ 3600, 'h' ], [ 60, 'min' ], [ 1, 's' ] ],
    percent  => [ [ 0.01, '%' ] ],
);

# The kind of a quantity with this unit.
our %KIND = ( us => 'time', 'MB/s' => 'bandwidth', '/s' => 'rate' );

# A duration of 90 s is more familiar than one of 1.5 min.
my %ENOUGH = ( duration => 1.6 );

# Halves are rounded up, although most of them are a little less as binary fractions.
my $HALVES = 1 + 1e-9;

# The units of result files and key figures, and how to print them.
my @FORMATS = (
    [ qr/\A(?:microsec|us\z)/, \&format_time ],
    [ qr{\AMB/s\z},            \&format_bandwidth ],
    [ qr{\A/s\z},              \&format_rate ],
    [ qr/\A%\z/,               sub ($value) { return format_percent( $value / 100 ) } ],
    [ qr/\A(?:B|bytes)\z/,     \&_size ],
);

# The things that an argument counts whose name in the Format line is not "number of" them.
my %COUNTED = (
    nodes  => [qw(process processes)],
    window => [qw(message messages)]
);

# The number in the largest unit that is not larger than the value, and that unit.
sub in_unit ( $value, $kind ) {
    my $enough = $ENOUGH{$kind} // 1;
    my ($unit) = grep { abs $value >= $_->[0] * $enough } @{ $UNITS{$kind} };
    $unit //= $UNITS{$kind}[-1];
    return ( $value / $unit->[0], $unit->[1] );
}

# Rounds to this number of significant digits before choosing the unit: 999.96 us are 1.000 ms.
sub _rounded ( $value, $digits, $kind ) {
    my ( $number, $unit ) = in_unit( sprintf( '%.*e', $digits - 1, $value * $HALVES ), $kind );
    return sprintf '%s %s', _with_digits( $number, $digits ), $unit;
}

sub _with_digits ( $number, $digits ) {
    my $decimals = $digits - length int abs $number;
    return sprintf '%.*f', $decimals > 0 ? $decimals : 0, $number;
}

# Larger factors say nothing, and are printed as $LARGE.
my ( $LARGEST, $LARGE ) = ( 1e6, '> 1000000' );

# Microseconds with four significant digits: "832.1 us", "1.210 ms".
sub format_time ($us) {
    return defined $us ? $us == 0 ? '0 s' : _rounded( $us, 4, 'time' ) : '-';
}

# A value of this kind with as many digits as its error allows: "380 ns" for 382.7 +- 23. An error that is unknown or 0
# allows as many as a value alone has.
my %DIGITS = ( time => 4, bandwidth => 3, rate => 3 );

sub format_with_error ( $value, $error, $kind ) {
    return $kind eq 'time' ? format_time($value) : q{} if !$value;
    return _rounded( $value, _digits( $value, $error, $DIGITS{$kind} ), $kind );
}

# The error has two digits if it begins with 1, else one.
sub _digits ( $value, $error, $most ) {
    return $most if !$error || $error <= 0 || $value <= 0;
    my ( $first, $place ) = sprintf( '%.0e', $error ) =~ /\A([0-9])e([+-][0-9]+)\z/ or return $most;
    my $digits =
      ( sprintf( '%e', $value ) =~ /e([+-][0-9]+)/ )[0] - $place + ( $first == 1 ? 2 : 1 );
    return $digits < 1 ? 1 : $digits > $most ? $most : $digits;
}

# Seconds: "12.3 s", "20.0 min".
sub format_duration ($seconds) {
    return _rounded( $seconds, 3, 'duration' );
}

# Megabytes (10^6) per second, with three significant digits: "11.3 GB/s".
sub format_bandwidth ($mb_per_s) {
    return defined $mb_per_s ? _rounded( $mb_per_s, 3, 'bandwidth' ) : q{};
}

# Events per second: "5.40 M/s".
sub format_rate ($per_s) {
    return defined $per_s ? _rounded( $per_s, 3, 'rate' ) : q{};
}

# Microseconds per byte: "0.4 ns/B". Smaller values are rounding.
sub format_per_byte ($us) {
    return abs $us < 1e-10 ? '0 ns/B' : sprintf '%.4g ns/B', 1000 * $us;
}

# A ratio: "1.053", "23.41".
sub format_ratio ($ratio) {
    return $LARGE if $ratio > $LARGEST;
    return abs $ratio < 0.1 ? sprintf '%.4f', $ratio : _with_digits( $ratio * $HALVES, 4 );
}

# "1 suite", "2 suites"; for an undefined COUNT, "unknown number of processes".
sub counted ( $count, $what, $plural = "${what}s" ) {
    return "unknown number of $plural" if !defined $count;
    return "$count " . ( $count == 1 ? $what : $plural );
}

# Replaces "us" by the micro sign for typesetting: "832.1 \x{b5}s".
sub with_mu ($text) { return $text =~ s/\b([0-9.]+[ ])us\b/$1\x{b5}s/gr }

# The text of a fact, its times in suitable units, and large percentages as factors: "tick 35.70 ns", "72.1 times".
sub with_units ($text) {
    return $text =~ s/\b([0-9]{1,15}[.][0-9]{1,9}) microsec[.]/format_time($1)/ger =~
      s/\b([0-9]{4,15}(?:[.][0-9]+)?) %/factor_text( $1 \/ 100 ) . ' times'/ger;
}

# A fraction of 1: "2.9 %"; small ones with one significant digit: "0.03 %".
sub format_percent ($part) {
    return '-'                                if !defined $part;
    return $part > 0 ? '> 999 %' : '< -999 %' if abs $part >= 10;
    return '< 0.001 %'                        if $part > 0 && $part < 1e-5;
    return
      sprintf( $part > 0 && $part < 1e-3 ? '%.1g %%' : '%.1f %%', $part * 100 * $HALVES ) =~
      s/\A-0[.]0\b/0.0/r;
}

# A standard error relative to its value; every error above 100 % is printed alike.
sub format_error ($part) {
    return defined $part && $part > 1 ? '> 100 %' : format_percent($part);
}

# Like format_error, with its sign: "± 2.9 %"; empty if it is unknown.
sub error_text ( $error, $value ) {
    return defined $error && $value > 0 ? "\x{b1} " . format_error( $error / $value ) : q{};
}

# The largest of relative errors: "errors up to 3.0 %".
sub errors_text (@parts) {
    return 'errors unknown' if !@parts || grep { !defined } @parts;
    return ( 'errors up to ' . format_error( max @parts ) ) =~ s/up to >/above/r;
}

# A percentage that was given, with its digits: "5 %", "0.25 %".
sub exact_percent ($part) { return sprintf '%.4g %%', 100 * $part }

# A value in the unit that a result file gives, which may be undefined: "1.210 ms", "12.50 KiB", "3".
sub format_value ( $value, $unit ) {
    my ($known) = grep { ( $unit // q{} ) =~ $_->[0] } @FORMATS;
    return $known->[1]->($value) if $known;
    return join q{ }, $value == int $value ? $value : sprintf( '%.4g', $value ), $unit // ();
}

sub _size ($bytes) {
    return $bytes < 10_000 ? sprintf '%.0f B', $bytes : _rounded( $bytes, 4, 'length' );
}

# Bytes of an argument, which is exact: in the largest unit that leaves a whole number, "64 KiB",
# "1448 B".
sub format_bytes ($bytes) {
    return sprintf '%.1f B', $bytes if $bytes != int $bytes;
    my ($unit) = grep { $bytes >= $_->[0] && $bytes % $_->[0] == 0 } @{ $UNITS{length} };
    return $unit ? $bytes / $unit->[0] . " $unit->[1]" : "$bytes B";
}

# A value of the argument COLUMN, a hash of name and unit, and perhaps names of its values.
sub format_argument ( $value, $column ) {
    return $column->{names}{$value} if defined( ( $column->{names} // {} )->{$value} );
    return format_bytes($value) if ( $column->{unit} // q{} ) eq 'bytes';
    my ($what)  = ( $column->{name} // q{} ) =~ /([[:alpha:]]+)\s*\z/;
    my ($one)   = ( $column->{name} // q{} ) =~ /\Anumber of (\w+)s\z/;
    my $counted = $COUNTED{ $what   // q{} } // ( $one && [ $one, "${one}s" ] );
    return $counted ? "$value $counted->[ $value == 1 ? 0 : 1 ]" : join q{ }, $what // (), $value;
}

# The arguments of a row; for all pairs of processes, the two ranks.
sub format_arguments ( $row, $suite ) {
    return join q{-}, @{ $row->{arguments} } if $row->{arguments};
    return
      defined $row->{argument} ? format_argument( $row->{argument}, $suite->arguments->[0] ) : q{};
}

# The variation, for people: nodes of result files, and of 4.1, are processes.
sub varied_text ($text) { return $text =~ s/\bnodes\b/$COUNTED{nodes}[1]/r }

# Three digits: 1.05, 23.4, 812; small factors have four decimals: 0.0312.
sub factor_text ($factor) {
    return $LARGE if $factor > $LARGEST;
    return sprintf '%.*f', _decimals($factor), $factor;
}

sub _decimals ($factor) {
    return $factor < 0.1 ? 4 : $factor < 10 ? 2 : $factor < 100 ? 1 : 0;
}

# A factor with its standard error: 1.05 ± 0.02. An error that is undefined or 0 is omitted.
# The error is rounded to the digits of the ratio, but not to 0.
sub ratio_text ( $ratio, $error ) {
    return factor_text($ratio) if !$error;
    my $decimals = _decimals($ratio);
    return factor_text($ratio) . q{ } . error_text( $error, $ratio ) if $error > $ratio;
    return sprintf "%s \x{b1} %.*f", factor_text($ratio), $decimals, max( $error, 10**-$decimals );
}

# The first MOST texts; then how many more there are, if any, printed by the format REST.
sub some_of ( $most, $rest, @texts ) {
    my @more = splice @texts, $most;
    return @more ? ( @texts, sprintf $rest, scalar @more ) : @texts;
}

sub list_text (@texts) {
    my $last = pop @texts;
    return @texts ? join( ', ', @texts ) . " and $last" : $last;
}

# When a run began: the fact DATE. These functions return undef, also in lists, if DATE is not a date.
# Matches "Sun Nov 22 04:11:30 2026 +0100". Older versions have no zone: their time of day is taken
# unchanged.
my $DATE = qr/\A\w{3} (\w{3} +([0-9]{1,2}) [0-9:]{8} [0-9]{4})(?: ([+-])([0-9]{2})([0-9]{2}))?\z/;

# The time of day where the run was, and the zone: sign, hours and minutes.
sub _parts ($date) {
    my ( $time, $day, @zone ) = ( $date // q{} ) =~ $DATE or return;
    require Time::Piece;
    my $local = eval { Time::Piece->strptime( $time, '%b %d %H:%M:%S %Y' ) };
    return if !$local || $local->mday != $day;
    return ( $local, grep { defined } @zone );
}

# 2026-11-22T04:11:30+01:00: the time of day where the run was.
sub iso_date ($date) {
    my ( $local, $sign, @zone ) = _parts($date);
    return $local && $local->datetime . ( $sign ? $sign . join q{:}, @zone : q{} );
}

# Seconds since 1970; a time without a zone counts as UTC.
sub seconds_of ($date) {
    my ( $local, $sign, $hours, $minutes ) = _parts($date);
    return $local && $local->epoch - ( $sign ? "${sign}1" * ( 3600 * $hours + 60 * $minutes ) : 0 );
}

# 2026-11-22T03:11:30Z; without a zone, as iso_date.
sub utc_date ($date) {
    my ( undef, $sign ) = _parts($date);
    return $sign ? moment( seconds_of($date) ) : iso_date($date);
}

# Seconds since 1970, by default now, in UTC: 2026-11-22T04:11:30Z.
sub moment ( $seconds = time ) {
    require Time::Piece;
    return Time::Piece::gmtime($seconds)->datetime . 'Z';
}

1;
