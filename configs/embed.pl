#!/usr/bin/perl
# embed.pl FILE... > shipped.c: makes parameter files part of the program, as shipped_configs of src/session/shipped.h.
# The name of an entry is that of its file, without folders and .skampi.
BEGIN { unshift @INC, __FILE__ =~ s{[^/]*\z}{../report/lib}r }    ## no critic (RequireUse)
use SKaMPI::Base;

use File::Basename qw(basename);

use SKaMPI::Base::TextFile qw(read_bytes);

sub c_character ($byte) {
    return q('\n')   if $byte eq "\n";
    return "'$byte'" if $byte =~ /[ -~]/ && $byte !~ /['\\]/;
    return sprintf q('\%03o'), ord $byte;
}

sub c_string ($bytes) {
    return '"' . $bytes =~ s/([^\w .+-])/sprintf '\%03o', ord $1/aegr . '"';
}

# Character constants: C promises no more than 4095 bytes of string literal.
sub c_array ( $name, $bytes ) {
    my $lines = '';
    for my $row ( $bytes =~ /(.{1,16}\n?|\n)/g ) {
        $lines .= q{    } . join( ', ', map { c_character($_) } split //, $row ) . ",\n";
    }
    return "static const char $name\[] = {\n$lines    '\\0'\n};\n\n";
}

sub c_file (@paths) {
    my ( $arrays, $rows ) = ( '', '' );
    for my $i ( 0 .. $#paths ) {
        my $bytes = read_bytes( $paths[$i] );
        die "embed.pl: '$paths[$i]' has a NUL byte, which would end its text\n" if $bytes =~ /\0/;
        $arrays .= c_array( "text_$i", $bytes );
        $rows .= sprintf "    { %s, text_$i },\n", c_string( basename( $paths[$i], '.skampi' ) );
    }
    my $count = @paths;
    return <<"END";
/* Made by configs/embed.pl; edit the parameter files instead. */
#include "session/shipped.h"

${arrays}const struct shipped shipped_configs[] = {
$rows};

const size_t shipped_config_count = $count;
END
}

die "usage: perl configs/embed.pl FILE... > shipped.c\n" if !@ARGV;
print c_file(@ARGV) or die "embed.pl: cannot write: $!\n";
close STDOUT        or die "embed.pl: cannot write: $!\n";
