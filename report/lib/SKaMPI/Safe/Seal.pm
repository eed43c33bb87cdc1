package SKaMPI::Safe::Seal;

# Recognises files that dorep made. Every file that dorep makes ends with a comment that contains
# the SHA-256 of everything before it. seal_of(NAME, DIGEST) returns this line for a file of this
# name and an object of Digest::SHA. is_sealed(PATH) is 1 if the file ends with the correct line. A
# file that was changed since is regarded as the user's own.
use v5.36;

use Digest::SHA ();
use Exporter    qw(import);
use List::Util  qw(first);

our @EXPORT_OK = qw(is_sealed seal_of);

my $CHUNK = 1024 * 1024;

# What is around a comment, by the end of the file's name.
my @COMMENT =
  ( [ qr/[.](?:pdf|ps|tex|tmd)\z/ => '% ', q{} ], [ qr/[.]html\z/ => '<!-- ', ' -->' ] );

# The last line of a file that dorep makes, with the checksum of everything before it.
sub seal_of ( $name, $digest ) {
    my ( undef, $begin, $end ) =
      @{ ( first { $name =~ $_->[0] } @COMMENT ) // [ undef, '# ', q{} ] };
    return "${begin}made by dorep.pl, SHA-256 " . $digest->clone->hexdigest . "$end\n";
}

# Whether dorep made the file and it is unchanged, byte for byte.
sub is_sealed ($path) {
    open my $file, '<:raw', $path or return 0;
    my $digest = Digest::SHA->new(256);
    my $rest   = ( -s $file ) - length seal_of( $path, $digest );
    while ( $rest > 0 && read $file, my $bytes, $rest < $CHUNK ? $rest : $CHUNK ) {
        $digest->add($bytes);
        $rest -= length $bytes;
    }
    my $is_sealed = $rest == 0 && do { local $/ = undef; <$file> }
      eq seal_of( $path, $digest );
    close $file or return 0;
    return $is_sealed ? 1 : 0;
}

1;

