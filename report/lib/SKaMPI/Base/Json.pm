package SKaMPI::Base::Json;

# JSON. Equal data have equal texts, whatever the version of Perl: the names of a hash are sorted, and a number is what
# was calculated or compared as one, even if it was printed since. Versions of JSON::PP differ about that, so that it
# only reads.
use SKaMPI::Base;

use Scalar::Util qw(reftype);

use SKaMPI::Base::TextFile qw(utf8_bytes);

my %ESCAPE = ( q{"} => q{"}, q{\\} => q{\\}, "\n" => 'n', "\r" => 'r', "\t" => 't' );

# Convert from and to bytes in UTF-8. Decoders die if the text is not JSON.
sub decode_json ($bytes) { return _reader()->utf8->decode($bytes) }
sub encode_json ($data)  { return utf8_bytes( to_json($data) ) }

sub _reader () {
    require JSON::PP;
    return JSON::PP->new;
}

# For a document of our own: Cpanel::JSON::XS, where it is installed, needs a tenth of the time.
sub decode_own ($bytes) {
    return eval { require Cpanel::JSON::XS }
      ? Cpanel::JSON::XS::decode_json($bytes)
      : decode_json($bytes);
}

# Convert from and to characters.
sub from_json ($text) { return _reader()->decode($text) }
sub to_json   ($data) { return _text( $data, q{} ) }

# Characters for people to read, with a line for each value, and blanks around colons.
sub pretty_json ($data) { return _text( $data, "\n" ) . "\n" }

# BREAK is the end of the line with the indentation of the next one, or empty.
sub _text ( $data, $break ) {
    my $kind = ref $data or return _scalar($data);
    my $next = $break && "$break   ";
    if ( $kind eq 'HASH' ) {
        my $colon   = $break ? ' : ' : q{:};
        my @members = map { _string($_) . $colon . _text( $data->{$_}, $next ) } sort keys %{$data};
        return @members ? "{$next" . join( ",$next", @members ) . "$break}" : '{}';
    }
    if ( $kind eq 'ARRAY' ) {
        my @elements = map { ref ? _text( $_, $next ) : _scalar($_) } @{$data};
        return @elements ? "[$next" . join( ",$next", @elements ) . "$break]" : '[]';
    }
    die "a $kind cannot be written as JSON\n" if reftype $data ne 'SCALAR';
    return ${$data} ? 'true' : 'false';
}

# The operator is that of numbers, and so the result not empty, if the value has a number.
sub _scalar ($value) {
    return 'null' if !defined $value;
    no warnings 'numeric';    ## no critic (ProhibitNoWarnings): of the empty text
    my $is_number =
      !utf8::is_utf8($value) && length( ( my $none = q{} ) & $value ) && $value eq 0 + $value;
    return _string($value) if !$is_number;
    return $value * 0 == 0 ? "$value" : 'null';
}

sub _string ($text) {
    $text =~ s/([\x00-\x1f"\\\x7f])/q{\\} . ( $ESCAPE{$1} \/\/ sprintf 'u%04x', ord $1 )/ge;
    return qq{"$text"};
}

1;
