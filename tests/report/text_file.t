#!/usr/bin/perl
# Texts from files: UTF-8 or else Latin-1, of limited size.
use v5.36;
use utf8;

use Encode qw(encode);
use FindBin;
use POSIX qw(mkfifo);
use Test::More;
use SKaMPI::Base::TextFile qw(characters check_new_file open_own read_text);
use SKaMPI::Prestarted     qw(prestarted);
use SKaMPI::Test           qw(scratch workplace write_file);

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
my %special = ( pipe => scratch() . '/pipe', directory => scratch(), device => '/dev/null' );
mkfifo( $special{pipe}, oct 600 ) or die "$special{pipe}: $!\n";
symlink $special{pipe}, $special{link} = scratch() . '/link' or die "link: $!\n";
for my $what ( sort keys %special ) {
    for my $program (qw(show dorep export)) {
        my ( undef, $err, $status ) =
          prestarted( q{.}, "$FindBin::Bin/../../report/$program.pl", $special{$what} );
        like $err, qr/cannot read '\Q$special{$what}\E': (?:not a regular file|is a directory)\n\z/,
          "$program: a $what";
        is $status >> 8, 2, 'exit status';
    }
}
symlink $path, "$path.link" or die "link: $!\n";
is read_text( "$path.link", length $text ), $text, 'a link to a file';

# Root may write anywhere: the test is another user, as access(2) and as open(2) see it.
{
    my $place = workplace( own => q{} );
    chmod oct 555, $place or die "$place: $!\n";
    my %says = (
        check_new_file => sub { local $< = $< || 65_534; check_new_file("$place/new") },
        open_own       => sub { local $> = $> || 65_534; open_own("$place/new") },
    );
    for my $what ( sort keys %says ) {
        local $! = 0;
        ok !eval { $says{$what}->(); 1 }, "$what: a directory without permission";
        is $@, "cannot write '$place/new': Permission denied\n", 'and why';
    }
}

done_testing;
