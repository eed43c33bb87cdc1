package SKaMPI::Document::Sections;

# The sections of a report, one for each pattern, and the names of its figures.
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(pattern_row);
use SKaMPI::Safe::Escape     qw(file_stem);

# Beginnings of the names of the report's own files.
my $OWN = qr/\A(?:report|dvips)/;

# A section on virtual topologies comes this much later than that of its pattern.
my $LATER = 5;

# Hashes of prefix, title and suites (a list), in the order of the catalogue; unknown patterns come last.
sub sections_of (@suites) {
    my %members;
    push @{ $members{ $_->prefix } }, $_ for @suites;
    my %place = map { $_ => _place($_) } keys %members;
    return
      map { { prefix => $_, title => _title( $_, @{ $members{$_} } ), suites => $members{$_} } }
      sort { $place{$a} <=> $place{$b} || $a cmp $b } keys %members;
}

sub _place ($prefix) {
    my $row = pattern_row($prefix) // return 'inf';
    return $row->{place} + ( $prefix =~ /\Avt/ ? $LATER : 0 );
}

sub _title ( $prefix, $suite, @ ) {
    my $row = pattern_row($prefix) // return $suite->pattern // "Pattern $prefix";
    return $prefix =~ /\Avt/ ? 'Virtual topologies: ' . lcfirst $row->{section} : $row->{section};
}

# A function that makes unique names of files and references from labels, with a number from the second use on.
sub name_maker {
    my %taken;
    return sub ($label) {
        my $stem = file_stem($label) // 'suite';
        $stem = "suite-$stem" if $stem =~ $OWN;
        my ( $name, $count ) = ( $stem, 1 );
        $name = "$stem-" . ++$count while $taken{$name}++;
        return $name;
    };
}

1;
