package SKaMPI::Base::Moment;

# When a run began: the fact DATE. The functions return undef, also in lists, if DATE is not a date.
use SKaMPI::Base;

our @EXPORT_OK = qw(iso_date moment seconds_of utc_date);

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
