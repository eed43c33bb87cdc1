#!/usr/bin/perl
# probe.pl CAPABILITIES.def < MPI.I: writes context/declared.h, which says what the library's own, preprocessed mpi.h
# declares. A call that it lacks becomes its MPIX_ form, as in Open MPI 4.1, or one that fails. DECLARED_LACKS has the
# capabilities (rows of CAPABILITIES.def) that need such a call.
use FindBin;

use lib "$FindBin::RealBin/../../report/lib";
use SKaMPI::Base;

# [ constant, call, ... ] of each row that names calls.
sub capabilities ($path) {
    open my $in, '<', $path or die "$path: $!\n";
    my $text = do { local $/ = undef; <$in> };
    close $in or die "$path: $!\n";
    my @rows;
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

sub substitute ( $call, $has ) {
    my $extension = $call =~ s/\AMPI_/MPIX_/r;
    return if $has->{$call};
    return $has->{$extension}
      ? "#define $call $extension"
      : "#define $call(...) LACKS_CALL(__VA_ARGS__)";
}

my $rows = shift;
my $has  = declared();
my @lack = q{0};
say '/* What mpi.h declares; made by src/context/probe.pl. */';
for my $row ( capabilities($rows) ) {
    my ( $constant, @calls ) = @{$row};
    my @lines = map { substitute( $_, $has ) } @calls;
    say for @lines;
    push @lack, "NEEDS_$constant" if grep { /LACKS_CALL/ } @lines;
}
say '#define DECLARED_LACKS ((unsigned)(', join( ' | ', @lack ), '))';
