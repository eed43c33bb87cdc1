package SKaMPI::Document::Sections;

# The sections of the report, one for each pattern.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);

our @EXPORT_OK = qw(sections_of);

# The sections in this order, followed by unknown patterns.
my @SECTIONS = (
    [ p2p       => 'Point-to-point' ],
    [ pairs     => 'Pairs of processes, all at once' ],
    [ mw        => 'Master-worker' ],
    [ syncol    => 'Collective operations, synchronised (SM)' ],
    [ col       => 'Collective operations, by barriers (BM)' ],
    [ vtsyncol  => 'Virtual topologies, synchronised (SM)' ],
    [ vtcol     => 'Virtual topologies, by barriers (BM)' ],
    [ simple    => 'Local operations' ],
    [ internal  => 'Internal measurements' ],
    [ check     => 'Checks of the clock' ],
    [ overlap   => 'Overlap' ],
    [ vtoverlap => 'Overlap on virtual topologies' ],
);

# Pairs of a hash (prefix, title) and a list of suites.
sub sections_of (@suites) {
    my %known    = map { $_->[0] => $_->[1] } @SECTIONS;
    my @prefixes = uniq( ( map { $_->[0] } @SECTIONS ), map { $_->{prefix} } @suites );
    my @sections;
    for my $prefix (@prefixes) {
        my @members = grep { $_->{prefix} eq $prefix } @suites or next;
        my $title   = $known{$prefix} // $members[0]{pattern} // "Pattern $prefix";
        push @sections, [ { prefix => $prefix, title => $title }, \@members ];
    }
    return @sections;
}

1;

