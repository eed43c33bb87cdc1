# Texts from files: UTF-8 or else Latin-1, of limited size.
use v5.36;
use utf8;

use Encode qw(encode);
use FindBin;
use Test::More;
use SKaMPI::Base::TextFile qw(characters check_new_file open_own read_text);
use SKaMPI::Hostile        qw(plant);
use SKaMPI::Prestarted     qw(prestarted);
use SKaMPI::Test           qw(scratch write_file);

my $text = "Zoë König, 20 µs\n";
is characters( encode( 'UTF-8',      $text ) ), $text, 'UTF-8';
is characters( encode( 'ISO-8859-1', $text ) ), $text, 'Latin-1';

my $path = scratch() . '/text';
write_file( $path, encode( 'ISO-8859-1', $text ) );
is read_text( $path, length $text ),               $text,         'a file of the maximum size';
is eval { read_text( $path, length($text) - 1 ) }, undef,         'a larger file';
is $@, "'$path' is larger than @{[ length($text) - 1 ]} bytes\n", 'with a message';
is eval { read_text( "$path.none", 1 ) }, undef,                  'a missing file';
like $@, qr/\Acannot read '\Q$path\E[.]none': /, 'with a message';

# Each program reads files that a user names through this; a pipe would make it wait for ever.
for my $what ( 'a device', 'a directory', 'a pipe' ) {
    plant( $what, my $special = scratch() . '/special' );
    for my $program (qw(show dorep export)) {
        my ( undef, $err, $status ) =
          prestarted( q{.}, "$FindBin::Bin/../../report/$program.pl", $special );
        like $err, qr/cannot read '\Q$special\E': (?:not a regular file|is a directory)\n\z/,
          "$program: $what";
        is $status >> 8, 2, 'exit status';
    }
}
symlink $path, "$path.link" or die "link: $!\n";
is read_text( "$path.link", length $text ), $text, 'a link to a file';

# Root may write anywhere, so the test is another user.
chmod oct 555, my $closed = scratch();
for my $write ( \&check_new_file, \&open_own ) {
    local ( $<, $>, $! ) = ( $< || 65_534, $> || 65_534, 0 );
    eval { $write->("$closed/new") };
    is $@, "cannot write '$closed/new': Permission denied\n", 'a directory without permission';
}

done_testing;
