#!/usr/bin/perl
# embed.pl FILE... > shipped.c: makes parameter files part of the program, as shipped_configs of src/session/shipped.h.
# The name of an entry is that of its file, without folders and .skampi.
BEGIN { unshift @INC, __FILE__ =~ s{[^/]*\z}{../report/lib}r }    ## no critic (RequireUse)
use SKaMPI::Base;

use File::Basename qw(basename);

use SKaMPI::Base::TextFile qw(read_bytes);

# Numbers of characters: C promises no more than 4095 bytes of string literal.
sub c_array ( $name, $bytes ) {
    my @rows = map { '    ' . join( ', ', unpack 'C*', $_ ) . ",\n" } $bytes =~ /.{1,24}/gs;
    return "static const char $name\[] = {\n@rows    0\n};\n\n";
}

my @arrays = map { c_array( "text_$_", read_bytes( $ARGV[$_] ) ) } keys @ARGV;
my @rows =
  map { '    { "' . basename( $ARGV[$_], '.skampi' ) . "\", text_$_ },\n" } keys @ARGV;
my $count = @ARGV;
print <<"END" or die "embed.pl: cannot write: $!\n";
/* Made by configs/embed.pl; edit the parameter files instead. */
#include "session/shipped.h"

@arrays
const struct shipped shipped_configs[] = {
@rows};

const size_t shipped_config_count = $count;
END
close STDOUT or die "embed.pl: cannot write: $!\n";
