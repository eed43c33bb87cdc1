package SKaMPI::Base::Moment;

# When a run began: the fact DATE. The functions return undef if DATE is not a date.
use v5.36;

use Exporter    qw(import);
use POSIX       qw(strftime);
use Time::Local qw(timegm_modern);

our @EXPORT_OK = qw(iso_date seconds_of utc_date);

my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
my %NUMBER = map { $MONTHS[$_] => $_ + 1 } 0 .. $#MONTHS;

# "Sun Nov 22 04:11:30 2026 +0100"; older versions have no zone: their time of day is taken as it
# is.
my $DATE =
qr/\A\w{3} (\w{3}) +([0-9]{1,2}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([0-9]{4})(?: ([+-][0-9]{2})([0-9]{2}))?\z/;

# Year, month, day, hour, minute, second, and the zone's hours and minutes.
sub _parts ($date) {
    my ( $month, @more ) = ( $date // q{} ) =~ $DATE;
    my ( $day, $hour, $minute, $second, $year, @zone ) = @more;
    return $month && $NUMBER{$month}
      ? [ $year, $NUMBER{$month}, $day, $hour, $minute, $second, grep { defined } @zone ]
      : undef;
}

# 2026-11-22T04:11:30+01:00: the time of day where the run was.
sub iso_date ($date) {
    my $parts = _parts($date);
    my ( @local, @zone ) = @{ $parts // [] };
    @zone = splice @local, 6 if $parts;
    return $parts && sprintf( '%04d-%02d-%02dT%02d:%02d:%02d', @local ) . join q{:}, @zone;
}

# Since 1970; without a zone, as if it were UTC.
sub seconds_of ($date) {
    my $parts = _parts($date);
    my ( $year, $month, $day, $hour, $minute, $second, $hours, $minutes ) = @{ $parts // [] };
    my $local =
      $parts && eval { timegm_modern( $second, $minute, $hour, $day, $month - 1, $year ) };
    return $local if !defined $local || !defined $hours;
    return $local - 3600 * $hours - ( $hours =~ /-/ ? -60 : 60 ) * $minutes;
}

# 2026-11-22T03:11:30Z; without a zone, as iso_date.
sub utc_date ($date) {
    my $seconds = seconds_of($date);
    return iso_date($date) if !defined $seconds || $date !~ /[+-][0-9]{4}\z/;
    return strftime( '%Y-%m-%dT%H:%M:%SZ', gmtime $seconds );
}

1;

