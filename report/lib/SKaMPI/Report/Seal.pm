package SKaMPI::Report::Seal;

use v5.36;

use Digest::SHA ();
use Exporter    qw(import);

our @EXPORT_OK = qw(is_sealed seal_of);

my $CHUNK = 1024 * 1024;

# What starts a comment, by the end of a file's name.
my $PERCENT = qr/[.](?:pdf|ps|tex|tmd)\z/;

# The last line of a file that dorep has made, for all that comes before it.
sub seal_of ( $name, $digest ) {
    my $sign = $name =~ $PERCENT ? q{%} : q{#};
    return "$sign made by dorep.pl, SHA-256 " . $digest->clone->hexdigest . "\n";
}

# Whether the file is as dorep has left it, byte for byte.
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

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Seal - tells the files that dorep has made from all others

=head1 DESCRIPTION

Every file that dorep leaves ends with a comment that holds the SHA-256 of what comes before it.
C<seal_of(NAME, DIGEST)> is that line, for a file of this name and an object of L<Digest::SHA>;
C<is_sealed(PATH)> is 1 for a file that ends with the right one. A file that was changed since is the
user's own.

=cut
