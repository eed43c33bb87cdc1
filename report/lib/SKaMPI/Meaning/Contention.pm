package SKaMPI::Meaning::Contention;

# Measurements whose processes waited for CPUs.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(contention_warnings);

# A sentence without its full stop if suites have the fact CONTENDED: what the program says about the one of them with
# the least share of a CPU.
sub contention_warnings ($output) {
    my @contended = sort { _share($a) <=> _share($b) }
      grep { defined $_->{notes}{CONTENDED} } $output->suites
      or return;
    my ( $count, $all ) = ( scalar @contended, scalar $output->suites );
    my ($text) = split /\n/, $contended[0]{notes}{CONTENDED};
    return "contended: in $count of $all suites; in $contended[0]{label}, $text";
}

sub _share ($suite) {
    my ($percent) = ( $suite->{notes}{CPUSHARE} // q{} ) =~ /\A([0-9]{1,3}[.][0-9])/;
    return $percent // 100;
}

1;

