#!/usr/bin/perl
# Texts from files: UTF-8 or else Latin-1, of limited size.
use v5.36;
use utf8;

use Encode qw(encode);
use Test::More;
use SKaMPI::Test     qw(scratch write_file);
use SKaMPI::TextFile qw(characters read_text);

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

done_testing;
