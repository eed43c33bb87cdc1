#!/usr/bin/perl
# Checks that a folder includes only folders before it, that folders tested without MPI do not include
# it, that operations read no clock (only patterns do), and that two files have all conditions.
use v5.36;

use File::Find qw(find);

my @ORDER =
  qw(programs/record base model loops params plan stats clock hosts health results merge context patterns
  ops session cli programs/maxt .);
my %LEVEL = map { $ORDER[$_] => $_ } 0 .. $#ORDER;
my %PURE =
  map { $_ => 1 }
  qw(base model loops params plan stats clock hosts health results merge programs/maxt);

my $READS_CLOCK = qr{\bMPI_Wtime\b|(?:->|[.])now\b|\bclock_\w+\(};

# Type 24 is MPI_Wtime itself.
my $MEASURES_CLOCK = qr{^CALLED\(wtime, \(void\)MPI_Wtime\(\)\)$|"MPI_Wtime"};

# About the MPI library, and about what was compiled.
my $HAS_CONDITIONS = qr{/(?:context/library[.]h|loops/loops[.]c):};

my $root = shift // 'src';
my $bad  = 0;

sub folder ($path) {
    return $path =~ m{^((?:programs/)?[^/]+)/} ? $1 : q{.};
}

sub complain ( $place, $text ) {
    say "$place: $text";
    return $bad++;
}

sub check_line ( $own, $place, $line ) {
    if ( $line =~ m{^\s*\#\s*include\s+"([^"]+)"} ) {
        my $used = folder($1);
        complain( $place, "includes '$1'; '$own' comes before '$used'" )
          if ( $LEVEL{$used} // -1 ) > $LEVEL{$own};
    }
    complain( $place, 'an operation reads a clock' )
      if $own eq 'ops' && $line =~ $READS_CLOCK && $line !~ $MEASURES_CLOCK;
    complain( $place, "'$own' is tested without MPI" )
      if $PURE{$own} && $line =~ m{^\s*\#\s*include\s+<mpi\.h>};
    complain( $place, '#if belongs to context/library.h' )
      if $line =~ m{^\s*\#\s*(?:if|ifdef|elif|ifndef(?!.*_H$))\b} && $place !~ $HAS_CONDITIONS;
    return;
}

sub check_file ($path) {
    my $own = folder( $path =~ s{^\Q$root\E/}{}r );
    return complain( $path, "'$own' has no place in the order @ORDER" ) if !exists $LEVEL{$own};
    open my $in, '<', $path or die "$path: $!\n";
    while ( my $line = <$in> ) {
        check_line( $own, "$path:$.", $line );
    }
    close $in or die "$path: $!\n";
    return;
}

find( { no_chdir => 1, wanted => sub { check_file($_) if /[.][ch]$/ } }, $root );
exit( $bad ? 1 : 0 );
