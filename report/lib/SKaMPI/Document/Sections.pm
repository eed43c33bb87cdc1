package SKaMPI::Document::Sections;

# The sections of the report, one for each pattern.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Catalog qw(pattern_row);

our @EXPORT_OK = qw(sections_of);

# How much later a section on virtual topologies is.
my $LATER = 5;

# Pairs of a hash (prefix, title) and a list of suites, in the order of the catalogue; unknown patterns come last.
sub sections_of (@suites) {
    my %members;
    push @{ $members{ $_->{prefix} } }, $_ for @suites;
    my %place = map { $_ => _place($_) } keys %members;
    return map { [ { prefix => $_, title => _title( $_, @{ $members{$_} } ) }, $members{$_} ] }
      sort { $place{$a} <=> $place{$b} || $a cmp $b } keys %members;
}

sub _place ($prefix) {
    my $row = pattern_row($prefix) // return 'inf';
    return $row->{place} + ( $prefix =~ /\Avt/ ? $LATER : 0 );
}

sub _title ( $prefix, $suite, @ ) {
    my $row = pattern_row($prefix) // return $suite->{pattern} // "Pattern $prefix";
    return $prefix =~ /\Avt/ ? 'Virtual topologies: ' . lcfirst $row->{section} : $row->{section};
}

1;
