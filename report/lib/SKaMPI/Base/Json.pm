package SKaMPI::Base::Json;

# JSON. Equal data have equal texts: the names of a hash are sorted.
use SKaMPI::Base;

use Cpanel::JSON::XS ();

our @EXPORT_OK = qw(decode_json encode_json from_json indented_json pretty_json to_json);

my $CHARACTERS = Cpanel::JSON::XS->new->canonical;
my $BYTES      = Cpanel::JSON::XS->new->canonical->utf8;
my $INDENTED   = Cpanel::JSON::XS->new->canonical->indent;
my $PRETTY     = Cpanel::JSON::XS->new->canonical->pretty;

# Convert from and to bytes in UTF-8. Decoders die if the text is not JSON.
sub decode_json ($bytes) { return $BYTES->decode($bytes) }
sub encode_json ($data)  { return $BYTES->encode($data) }

# Convert from and to characters.
sub from_json ($text) { return $CHARACTERS->decode($text) }
sub to_json   ($data) { return $CHARACTERS->encode($data) }

# Characters for people to read, with a line for each value, and blanks around colons.
sub pretty_json ($data) { return $PRETTY->encode($data) }

# A line for each value, without these blanks.
sub indented_json ($data) { return $INDENTED->encode($data) }

1;
