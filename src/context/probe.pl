#!/usr/bin/perl
# probe.pl CAPABILITIES.def [static] < MPI.I: writes context/declared.h, which says what the library's own mpi.h, after
# the preprocessor, declares. A call that it lacks becomes its MPIX_ form, as in Open MPI 4.1, or one that fails.
# DECLARED_LACKS has the capabilities (rows of CAPABILITIES.def) that need such a call. DECLARED_CALLS are the others:
# weak, since the program may be started with another library, which lacks them; none if the library is a part of the
# program.
use FindBin;

use lib "$FindBin::RealBin/../../report/lib";
use SKaMPI::Base;
use SKaMPI::Base::TextFile qw(read_text);

# [ constant, call, ... ] of each row that names calls.
sub capabilities ($path) {
    my ( $text, @rows ) = read_text($path);
    while ( $text =~ /^CAPABILITY[(](\w+),\s*\d+,\s*((?:"[^"]*"\s*)+|NULL\s*),/mg ) {
        my ( $constant, $calls ) = ( $1, $2 );
        push @rows, [ $constant, $calls =~ /\bMPI_\w+/g ];
    }
    return grep { @{$_} > 1 } @rows;
}

sub declared () {
    my $text = do { local $/ = undef; <> };
    return { map { ( $_ => 1 ) } $text =~ /\b(MPIX?_\w+)\s*[(]/g };
}

# The name under which it is declared; undef: it is not.
sub name_of ( $call, $has ) {
    my ($name) = grep { $has->{$_} } $call, $call =~ s/\AMPI_/MPIX_/r;
    return $name;
}

my ( $rows, $is_static ) = splice @ARGV;
my $has = declared();
my ( @lack, @calls );
say '/* What mpi.h declares; made by src/context/probe.pl. */';
for my $row ( capabilities($rows) ) {
    my ( $constant, @of ) = @{$row};
    push @lack, "NEEDS_$constant" if grep { !name_of( $_, $has ) } @of;
    for my $call (@of) {
        my $name = name_of( $call, $has );
        say "#define $call(...) LACKS_CALL(__VA_ARGS__)" if !$name;
        say "#define $call $name"                        if $name && $name ne $call;
        next                                             if !$name || $is_static;
        say "#pragma weak $name";
        push @calls, qq(    { NEEDS_$constant, "$name" });
    }
}
say '#define DECLARED_LACKS ((unsigned)(', join( ' | ', 0, @lack ),  '))';
say join " \\\n",                          '#define DECLARED_CALLS', map { "$_," } @calls;
