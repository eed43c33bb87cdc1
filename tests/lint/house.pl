#!/usr/bin/perl
# Prints figures of the source: lines and files of each room, and how much of it is not in rows. "make house".
use v5.36;

use Mojo::File qw(path);
use List::Util qw(sum0);

my %TEXT  = map { $_ => path($_)->slurp } split /\n/, `git ls-files`;
my %LINES = map { $_ => $TEXT{$_} =~ tr/\n// } keys %TEXT;

sub lines_of (@files) {
    return sum0( @LINES{@files} );
}

sub files ($pattern) {
    my @found = sort grep { /$pattern/ } keys %TEXT;
    return @found;
}

# How often a pattern is in files, and in how many of them.
sub found ( $pattern, @files ) {
    my @times = grep { $_ > 0 } map { scalar( () = $TEXT{$_} =~ /$pattern/g ) } @files;
    return ( sum0(@times), scalar @times );
}

sub figure ( $name, $format, @values ) {
    printf "%-58s $format\n", $name, @values;
    return;
}

sub rooms ( $title, $below ) {
    my %room;
    push @{ $room{ m{^\Q$below\E/([^/]+)/} ? $1 : q{.} } }, $_ for files(qr{^\Q$below\E/});
    figure(
        "$title: $_",
        '%6d lines, %3d files',
        lines_of( @{ $room{$_} } ),
        scalar @{ $room{$_} }
    ) for sort keys %room;
    return;
}

my @c    = files(qr{^src/.*[.][ch]$});
my @ops  = files(qr{^src/ops/.*[.][ch]$});
my @perl = files(qr{^(?!tests).*[.]p[lm]$});

rooms( 'src',    'src' );
rooms( 'report', 'report/lib/SKaMPI' );
rooms( 'tests',  'tests' );
figure( 'src, all files',         '%6d lines', lines_of( files(qr{^src/}) ) );
figure( 'Perl outside tests',     '%6d lines', lines_of(@perl) );
figure( 'tests, all files',       '%6d lines', lines_of( files(qr{^tests/}) ) );
figure( 'headers under 30 lines', '%6d',       scalar grep { /[.]h$/ && $LINES{$_} < 30 } @c );
figure(
    'tests of a variation (VARY_...)',
    '%6d in %d files',
    found( qr{(?:case|[!=]=)\s*VARY_\w+}, @c )
);
figure( 'function-like macros of ops, per 1,000 lines',
    '%6.1f', 1000 * ( found( qr{^\#\s*define \w+\(}m, @ops ) )[0] / lines_of(@ops) );
figure( 'uses of "struct measurement"', '%6d in %d files', found( qr{struct measurement\b}, @c ) );
figure(
    'reads of an object\'s hash by another class',
    '%6d in %d files',
    found( qr{\$(?:suite|output)->\{}, grep { !m{/Read/} } @perl )
);
